//! Numbers of a layer of rocks by slices, motion and quadrature.

use super::reading::Reading;

/// Simpson's rule.
fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    const N: usize = 20_000;
    let h = (to - from) / N as f64;
    let inner: f64 = (1..N)
        .map(|k| (2 + 2 * (k % 2)) as f64 * f(from + k as f64 * h))
        .sum();
    h / 3.0 * (f(from) + f(to) + inner)
}

#[test]
fn numbers_of_rocks_by_their_slices() {
    let mut reading = Reading::open("dem/layer", "numbers_of_rocks_by_their_slices");
    let (all, density) = (
        reading.input("volume_m3"),
        reading.input("density_kg_per_m3"),
    );
    let stiffness = reading.input("stiffness_n_per_m");
    for size in [100, 130, 175, 200, 290] {
        let radius = 0.5e-3 * f64::from(size);
        // A ball from its slices.
        let slice = |z: f64| std::f64::consts::PI * (radius * radius - z * z);
        let volume = integral(-radius, radius, slice);
        let mass = density * volume;
        let smaller = mass * 0.9_f64.powi(3);
        let mut holds = |what: &str, value: f64, tolerance: f64| {
            reading.holds(&format!("{size}-{what}"), "computed", value, tolerance);
        };
        holds("count", all / volume, 1e-12);
        holds("mass", mass, 1e-12);
        // Two rocks that touch, until they part: leapfrog with steps of a hundred-thousandth of the contact.
        let reduced = 0.5 * smaller;
        let h = 1e-5 * (reduced / stiffness).sqrt();
        let (mut x, mut v, mut t) = (0.0, 1.0, 0.0);
        let parted = loop {
            v -= 0.5 * h * stiffness / reduced * x;
            let next = x + h * v;
            if next < 0.0 {
                break t + h * x / (x - next);
            }
            (x, t) = (next, t + h);
            v -= 0.5 * h * stiffness / reduced * x;
        };
        holds("contact-time", parted, 1e-9);
        // The longest step whose leapfrog does not grow: trace of its matrix, 2 − ω² h², within −2 and 2.
        let grows = |h: f64| (2.0 - 12.0 * stiffness / smaller * h * h).abs() > 2.0;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            match grows(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        holds("stable-step", high, 1e-12);
    }
    // The share by which 110 mm shrink to a size between 100 and 90 mm.
    for omega in ["0.0", "0.25", "0.5", "1.0"] {
        let size = 100.0 - 10.0 * omega.parse::<f64>().unwrap();
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            match 110.0 * (1.0 - middle) > size {
                true => low = middle,
                false => high = middle,
            }
        }
        reading.holds(&format!("shrink-{omega}"), "computed", high, 1e-12);
    }
    reading.whole("computed", &[]);
}

#[test]
fn means_of_points_at_random_and_of_a_cut_normal() {
    let mut reading = Reading::open(
        "dem/procedure",
        "means_of_points_at_random_and_of_a_cut_normal",
    );
    // The chance that no point is nearer than r: exp(−(r/a)³); its integral is the mean.
    let mean = integral(0.0, 5.0, |x| (-x * x * x).exp());
    reading.holds("seeds: nearest over radius", "exact", mean, 1e-10);
    let bell = |x: f64| (-0.5 * x * x).exp();
    let share = integral(-2.0, 2.0, bell);
    let square = integral(-2.0, 2.0, |x| x * x * bell(x));
    let deviation = 0.005 * (square / share).sqrt();
    reading.holds("sizes: standard deviation", "exact", deviation, 1e-6);
}

/// The projectile as a pile of frusta of regular polygons: volume and moments from slices, whose corners lie on the
/// arc.
#[test]
fn projectile_by_slices() {
    let mut reading = Reading::open("dem/projectile", "projectile_by_slices");
    const RINGS: usize = 12;
    const SECTORS: f64 = 36.0;
    let (whole, arc, half) = (0.8, 0.5, 0.075);
    // The arc meets the shank without an edge: its middle lies `arc` beside the shank's surface.
    let nose = f64::sqrt(arc * arc - (arc - half) * (arc - half));
    reading.holds("nose", "exact", nose, 1e-12);
    let on_arc = |x: f64| f64::sqrt(arc * arc - (nose - x).powi(2)) - (arc - half);
    let full = (nose / arc).asin();
    // Area and moment about its middle of a regular polygon whose corners lie on the unit circle.
    let angle = std::f64::consts::TAU / SECTORS;
    let area = 0.5 * SECTORS * angle.sin();
    let polar = area * (2.0 + angle.cos()) / 6.0;
    for division in ["arc", "axial"] {
        let at = |k: usize| {
            let share = k as f64 / RINGS as f64;
            match division {
                "arc" => nose - arc * (full * (1.0 - share)).sin(),
                _ => nose * share,
            }
        };
        let mut ends: Vec<(f64, f64)> = (1..=RINGS).map(|k| (at(k), on_arc(at(k)))).collect();
        ends.insert(0, (0.0, 0.0));
        ends.push((whole, half));
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            let part = |p: &[(f64, f64)]| {
                let ((x0, r0), (x1, r1)) = (p[0], p[1]);
                let radius = |x: f64| r0 + (r1 - r0) * (x - x0) / (x1 - x0);
                integral(x0, x1, |x| f(x, radius(x)))
            };
            ends.windows(2).map(part).sum()
        };
        let volume = sum(&|_, r| area * r * r);
        let centre = sum(&|x, r| area * r * r * x) / volume;
        let axial = sum(&|_, r| polar * r.powi(4));
        let across = sum(&|x, r| 0.5 * polar * r.powi(4) + area * r * r * (x - centre).powi(2));
        // Rings of corners and a tip; a ring has an edge beside and an edge ahead of each corner.
        let (rings, corners) = ((RINGS + 1) as f64, SECTORS);
        for (what, value) in [
            ("V", rings * corners + 1.0),
            ("E", rings * 2.0 * corners),
            ("F", rings * corners + 1.0),
            ("volume", volume),
            ("centre", centre),
            ("axial", axial),
            ("transverse", across),
        ] {
            let row = format!("{division}-{what}");
            let found = reading.number(&row, "exact").unwrap();
            reading.holds(&row, "exact", value, 1e-10 * found.abs().min(1.0));
        }
    }
    reading.whole("exact", &[]);
}
