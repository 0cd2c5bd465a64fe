//! What the other runs know of a bias of the forecasts.

use super::{Fit, ObservedRun};
use klast_numerics::quantile;

impl Fit {
    /// The factor ρ (–) that the runouts of a forecast are corrected by, as a bias that shows on the other runs should
    /// be: the median over all runs j but `left_out` of
    ///
    /// ρ_j = observed runout of j / median runout of the forecast of j,
    ///
    /// where j is forecast from the rocks of the fit by the best `share` of the sets on the runs that are neither j nor
    /// `left_out`. So `left_out` decides nothing of its own correction, provided that it did not decide `share`
    /// ([`Fit::share`]). [`ObservedRun::corrected`] applies it.
    ///
    /// Model output statistics with one coefficient (Glahn and Lowry 1972, J. Appl. Meteorol. 11, 1203–1211), a model
    /// discrepancy (Kennedy and O'Hagan 2001, J. R. Stat. Soc. B 63, 425–464) that is proportional to the runout and
    /// the same for all runs: a bias that differs from rock to rock, or one of the directions, it cannot mend. It is a
    /// median, so that a few runs that nobody could have forecast do not move it.
    ///
    /// `None` without another run, for a run or a number of runs that the fit does not know, a share that is not above
    /// 0 and up to 1, a ratio that is not finite (the forecast stays at its release), and where the factor is not above
    /// 0 (the observed rocks do).
    pub fn correction(
        &self,
        runs: &[ObservedRun],
        left_out: Option<usize>,
        share: f64,
    ) -> Option<f64> {
        let known = self.losses.first()?.len() == runs.len()
            && left_out.is_none_or(|run| run < runs.len())
            && share > 0.0
            && share <= 1.0;
        let ratio = |(j, run): (usize, &ObservedRun)| {
            let out: Vec<usize> = left_out.into_iter().chain([j]).collect();
            let places = self.pooled(&self.kept(&out, share), j);
            let runouts: Vec<f64> = places.iter().map(|p| p.distance(run.release)).collect();
            Some(run.runout() / quantile(&runouts, 0.5)?).filter(|r| r.is_finite())
        };
        let others = runs.iter().enumerate();
        let others = others.filter(|(j, _)| known && Some(*j) != left_out);
        let ratios: Option<Vec<f64>> = others.map(ratio).collect();
        quantile(&ratios?, 0.5).filter(|factor| *factor > 0.0 && factor.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec2, DVec3};

    const RELEASE: DVec2 = DVec2::new(3.0, 4.0);

    fn at(runout: f64) -> DVec2 {
        RELEASE + DVec2::new(0.0, runout)
    }

    fn runs(runouts: &[f64]) -> Vec<ObservedRun> {
        let run = |runout: &f64| ObservedRun {
            name: String::new(),
            release: RELEASE,
            velocity: DVec3::ZERO,
            rock: 0,
            deposition: at(*runout),
        };
        runouts.iter().map(run).collect()
    }

    /// Two sets with three rocks a run, which end 1 m before, at and 3 m beyond `runouts`.
    fn fit(sets: [[f64; 4]; 2], runs: &[ObservedRun]) -> Option<Fit> {
        let rocks = |runout: &f64| [-1.0, 0.0, 3.0].map(|d| at(runout + d)).to_vec();
        Fit::new(
            sets.map(|set| set.iter().map(rocks).collect()).to_vec(),
            runs,
        )
    }

    #[test]
    fn the_factor_is_the_median_of_observed_over_forecast() {
        let runs = runs(&[12.0, 15.0, 20.0, 60.0]);
        // The first set is right but for a factor, the second far beyond every run.
        let fit = fit([[10.0, 10.0, 10.0, 10.0], [900.0; 4]], &runs).unwrap();
        // Ratios 1.2, 1.5, 2 and 6.
        let expected = [
            (None, 1.75),
            (Some(0), 2.0),
            (Some(1), 2.0),
            (Some(2), 1.5),
            (Some(3), 1.5),
        ];
        for (left_out, factor) in expected {
            let found = fit.correction(&runs, left_out, 0.5).unwrap();
            // Rounding of one distance and one division.
            assert!((found - factor).abs() < 1e-14, "{left_out:?}: {found}");
        }
    }

    #[test]
    fn each_ratio_is_that_of_sets_that_have_seen_neither_run() {
        let runs = runs(&[100.0, 100.0, 200.0, 200.0]);
        // The first set is right on the first two runs, the second on the others; the first is a little better where
        // each is right on one.
        let fit = fit([[100.0; 4], [200.0; 4]], &runs).unwrap();
        // Each run is outvoted by the three others: 1/2, 1/2, 2 and 2. Sets that had seen it would give 1, 1, 2 and 2.
        assert_eq!(fit.correction(&runs, None, 0.5), Some(1.25));
        // Without the third run the first set forecasts all: 1, 1 and 2. Sets that had seen it would give 1/2, 1/2 and
        // 2.
        assert_eq!(fit.correction(&runs, Some(2), 0.5), Some(1.0));
    }

    #[test]
    fn the_run_that_is_left_out_decides_nothing() {
        let sets = [[90.0, 80.0, 70.0, 100.0], [110.0, 95.0, 120.0, 105.0]];
        let factor = |runout: f64| {
            let runs = runs(&[100.0, 90.0, runout, 110.0]);
            fit(sets, &runs).unwrap().correction(&runs, Some(2), 0.5)
        };
        let one = factor(100.0);
        assert!(one.is_some());
        for other in [1.0, 80.0, 4000.0] {
            assert_eq!(factor(other), one);
        }
    }

    #[test]
    fn what_cannot_be_corrected_is_refused() {
        let good = runs(&[12.0, 15.0, 20.0, 60.0]);
        let fit_of = |runs: &[ObservedRun]| fit([[10.0; 4], [900.0; 4]], runs).unwrap();
        let fit = fit_of(&good);
        assert_eq!(fit.correction(&good, Some(4), 0.5), None);
        assert_eq!(fit.correction(&good[..3], None, 0.5), None);
        assert_eq!(fit.correction(&[], None, 0.5), None);
        for share in [0.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
            assert_eq!(fit.correction(&good, None, share), None, "{share}");
        }
        let empty = Fit::new(Vec::new(), &good).unwrap();
        assert_eq!(empty.correction(&good, None, 0.5), None);
        // A place that is no number, runs that stayed where they were let go, a forecast that does.
        let unknown = runs(&[12.0, f64::NAN, 20.0, 60.0]);
        assert_eq!(fit_of(&unknown).correction(&unknown, None, 0.5), None);
        let stayed = runs(&[0.0, 0.0, 0.0, 60.0]);
        assert_eq!(fit_of(&stayed).correction(&stayed, None, 0.5), None);
        let rocks = |j: usize| vec![at(if j == 0 { 0.0 } else { 10.0 }); 2];
        let held = Fit::new(vec![(0..4).map(rocks).collect()], &good).unwrap();
        assert_eq!(held.correction(&good, None, 1.0), None);
        assert_eq!(held.correction(&good, Some(0), 1.0), Some(2.0));
    }

    #[test]
    fn places_move_along_their_own_way() {
        let run = &runs(&[10.0])[0];
        let place = RELEASE + DVec2::new(3.0, -4.0);
        assert_eq!(run.corrected(place, 2.0), RELEASE + DVec2::new(6.0, -8.0));
        assert_eq!(run.corrected(place, 1.0), place);
    }
}
