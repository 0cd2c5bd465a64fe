//! How well an ensemble forecasts one observation.

use glam::DVec2;
pub use klast_numerics::quantile;

/// Continuous ranked probability score of an ensemble for one observation (m for lengths): E|X − y| − ½ E|X − X'|, the
/// mean over all pairs, from the sorted ensemble (Gneiting and Raftery 2007, J. Am. Stat. Assoc. 102, 359–378, (20)).
/// Zero is a perfect forecast; for a single value it is the absolute error. `None` for an empty ensemble.
pub fn crps(ensemble: &[f64], observed: f64) -> Option<f64> {
    let n = ensemble.len() as f64;
    if ensemble.is_empty() {
        return None;
    }
    let mut sorted = ensemble.to_vec();
    sorted.sort_by(f64::total_cmp);
    let error = sorted.iter().map(|x| (x - observed).abs()).sum::<f64>() / n;
    // Σ_ij |x_i − x_j| = 2 Σ_i (2i − n + 1) x_(i), i from 0.
    let pairs: f64 = sorted
        .iter()
        .enumerate()
        .map(|(i, x)| (2.0 * i as f64 - n + 1.0) * x)
        .sum();
    Some(error - pairs / (n * n))
}

/// The CRPS that an ensemble's distribution would have: the pairs are those of different members, so that small
/// ensembles of any spread are comparable (Ferro 2014, Q. J. R. Meteorol. Soc. 140, 1917–1923). `None` below two
/// members.
pub fn fair_crps(ensemble: &[f64], observed: f64) -> Option<f64> {
    let n = ensemble.len() as f64;
    let error = ensemble.iter().map(|x| (x - observed).abs()).sum::<f64>() / n;
    // crps = error − pairs, fair = error − pairs n/(n − 1).
    (ensemble.len() > 1)
        .then(|| crps(ensemble, observed).map(|crps| error - (error - crps) * n / (n - 1.0)))?
}

/// Mean distance in plan from the ensemble's places to the observed one (m); `None` for an empty ensemble.
pub fn plan_error(places: &[DVec2], observed: DVec2) -> Option<f64> {
    let sum: f64 = places.iter().map(|p| p.distance(observed)).sum();
    (!places.is_empty()).then(|| sum / places.len() as f64)
}

/// Distance in plan from the ensemble's median place to the observed one (m): the median runout, laid off from the
/// release along the mean direction. A median by coordinate would depend on the axes of the map.
pub fn median_place_error(places: &[DVec2], release: DVec2, observed: DVec2) -> Option<f64> {
    let runouts: Vec<f64> = places.iter().map(|p| p.distance(release)).collect();
    let direction = mean_direction(places.iter().map(|p| *p - release));
    Some((release + direction * quantile(&runouts, 0.5)?).distance(observed))
}

/// Direction of the sum of the directions of some ways in plan; zero where there is none.
pub fn mean_direction(ways: impl Iterator<Item = DVec2>) -> DVec2 {
    ways.map(DVec2::normalize_or_zero)
        .sum::<DVec2>()
        .normalize_or_zero()
}

/// Energy score of an ensemble in plan for one observation (m): E‖X − y‖ − ½ E‖X − X'‖, the CRPS of places (Gneiting
/// and Raftery 2007, (22)), the mean over all pairs as in [`crps`]. Of a single place it is the distance, so a
/// distribution and a certainty can be held to it both. `None` for an empty ensemble.
pub fn energy_score(places: &[DVec2], observed: DVec2) -> Option<f64> {
    let n = places.len() as f64;
    let mut pairs = 0.0;
    for (k, a) in places.iter().enumerate() {
        pairs += places
            .iter()
            .skip(k + 1)
            .map(|b| a.distance(*b))
            .sum::<f64>();
    }
    // Each pair counts twice, its half once.
    plan_error(places, observed).map(|error| error - pairs / (n * n))
}

/// The energy score that an ensemble's distribution would have, over pairs of different members as [`fair_crps`].
/// `None` below two members.
pub fn fair_energy_score(places: &[DVec2], observed: DVec2) -> Option<f64> {
    let n = places.len() as f64;
    let (error, score) = (
        plan_error(places, observed)?,
        energy_score(places, observed)?,
    );
    (places.len() > 1).then(|| error - (error - score) * n / (n - 1.0))
}

/// Share of an ensemble below an observation, ties half: the probability integral transform; `None` for an empty
/// ensemble.
pub fn probability_transform(ensemble: &[f64], observed: f64) -> Option<f64> {
    let below = ensemble.iter().filter(|x| **x < observed).count() as f64;
    let equal = ensemble.iter().filter(|x| **x == observed).count() as f64;
    (!ensemble.is_empty()).then(|| (below + 0.5 * equal) / ensemble.len() as f64)
}

/// One-sample Kolmogorov–Smirnov statistic of numbers that should be uniform on 0 to 1; `None` for an empty sample.
pub fn kolmogorov_smirnov_uniform(sample: &[f64]) -> Option<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let distance = |(k, u): (usize, &f64)| (u - k as f64 / n).max((k + 1) as f64 / n - u);
    sorted.iter().enumerate().map(distance).reduce(f64::max)
}

/// Two-sample Kolmogorov–Smirnov statistic: the greatest distance of the two empirical distributions; `None` for an
/// empty sample or one with a NaN.
pub fn kolmogorov_smirnov(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.iter().chain(b).any(|x| x.is_nan()) {
        return None;
    }
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let (n, m) = (a.len(), b.len());
    let (mut i, mut j, mut greatest) = (0, 0, 0.0f64);
    while i < n && j < m {
        let x = a[i].min(b[j]);
        while i < n && a[i] <= x {
            i += 1;
        }
        while j < m && b[j] <= x {
            j += 1;
        }
        greatest = greatest.max((i as f64 / n as f64 - j as f64 / m as f64).abs());
    }
    (n > 0 && m > 0).then_some(greatest)
}

/// The critical distance of the two-sample test at a level, for large samples: √(−½ ln(α/2)) √((n + m)/(n m)).
pub fn kolmogorov_smirnov_critical(level: f64, n: usize, m: usize) -> f64 {
    let (n, m) = (n as f64, m as f64);
    (-0.5 * libm::log(0.5 * level)).sqrt() * ((n + m) / (n * m)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_small_samples_by_hand() {
        let at = |x: f64| DVec2::new(x, 0.0);
        // E‖X − y‖ = 2; two of the four pairs are 2 apart: 2 − 1/2.
        assert_eq!(energy_score(&[at(1.0), at(3.0)], at(0.0)), Some(1.5));
        // A certainty is as far off as its place, however often it is listed.
        for certainty in [&[at(1.0)][..], &[at(1.0); 2]] {
            assert_eq!(energy_score(certainty, at(4.0)), Some(3.0));
        }
        assert_eq!(energy_score(&[], at(0.0)), None);
        // An equilateral triangle of side 1 around its centre, 1/√3 from each corner; six of nine pairs are 1 apart.
        let corner = |k: f64| DVec2::from_angle(k * std::f64::consts::TAU / 3.0) / 3.0_f64.sqrt();
        let found = energy_score(&[0.0, 1.0, 2.0].map(corner), DVec2::ZERO).unwrap();
        // A dozen roundings of numbers of the size of one.
        assert!((found - (1.0 / 3.0_f64.sqrt() - 1.0 / 3.0)).abs() < 1e-15 * 4.0);
        // On a line both are the same; over pairs of different members: 2 − 2/2.
        assert_eq!(crps(&[1.0, 3.0], 0.0), Some(1.5));
        assert_eq!(fair_crps(&[1.0, 3.0], 0.0), Some(1.0));
        assert_eq!(fair_crps(&[1.0], 0.0), None);
        assert_eq!(probability_transform(&[1.0, 2.0, 2.0, 3.0], 2.0), Some(0.5));
        // Largest gap: after both points, 1 − 0.5.
        assert_eq!(kolmogorov_smirnov_uniform(&[0.25, 0.5]), Some(0.5));
        assert_eq!(kolmogorov_smirnov_uniform(&[]), None);
        // {1, 2} is below 3 with both, {3, 4} with none. A NaN is nowhere.
        assert_eq!(kolmogorov_smirnov(&[1.0, 2.0], &[3.0, 4.0]), Some(1.0));
        assert_eq!(kolmogorov_smirnov(&[f64::NAN], &[1.0, f64::NAN]), None);
    }

    #[test]
    fn fair_scores_do_not_favour_large_ensembles() {
        // Members are 0 or 1 with equal probability, and 0 is observed: E|X − y| − ½ E|X − X'| = 1/2 − 1/4. The mean
        // over all ensembles of n members is that of the distribution for the fair score, and 1/(4 n) more otherwise.
        for n in 2..=6u32 {
            let all = 1u32 << n;
            let (mut plain, mut fair) = ([0.0; 2], [0.0; 2]);
            for bits in 0..all {
                let members: Vec<f64> = (0..n).map(|k| f64::from((bits >> k) & 1)).collect();
                let places: Vec<DVec2> = members.iter().map(|x| DVec2::new(0.0, *x)).collect();
                plain[0] += crps(&members, 0.0).unwrap() / f64::from(all);
                plain[1] += energy_score(&places, DVec2::ZERO).unwrap() / f64::from(all);
                fair[0] += fair_crps(&members, 0.0).unwrap() / f64::from(all);
                fair[1] += fair_energy_score(&places, DVec2::ZERO).unwrap() / f64::from(all);
            }
            for k in 0..2 {
                // Sums of up to 64 numbers of the size of one.
                assert!((fair[k] - 0.25).abs() < 1e-14, "{n}: {fair:?}");
                let more = 0.25 / f64::from(n);
                assert!((plain[k] - 0.25 - more).abs() < 1e-14, "{n}: {plain:?}");
            }
        }
        assert_eq!(fair_energy_score(&[DVec2::ONE], DVec2::ZERO), None);
    }

    #[test]
    fn the_median_place_turns_with_the_map() {
        let release = DVec2::new(2.0, 1.0);
        // Runouts 5, 5 and 10 towards (3, 4)/5, (4, 3)/5 and (3, 4)/5: the median is 5, the direction (10, 11)/√221.
        let ways = [
            DVec2::new(3.0, 4.0),
            DVec2::new(4.0, 3.0),
            DVec2::new(6.0, 8.0),
        ];
        let expected = 5.0 / 221.0_f64.sqrt() * DVec2::new(10.0, 11.0);
        for turn in [0.0, 0.7, 2.4] {
            let turned = |v: DVec2| release + DVec2::from_angle(turn).rotate(v);
            let error = median_place_error(&ways.map(turned), release, turned(expected)).unwrap();
            // A dozen roundings of numbers of the size of ten.
            assert!(error < 1e-14, "{turn}: {error}");
        }
        assert_eq!(median_place_error(&[], release, release), None);
    }
}
