//! Stability maps of one block, counted by the engine of fixed steps over every cell.

use rayon::prelude::*;

use super::one_block::{Case, Equation, Fate};
use super::reading::Reading;
use super::{GRAVITY, linspace};

/// A block, its coefficient and what is run over the cells.
struct Map {
    width: f64,
    height: f64,
    /// Position of the impulse, in half widths; Housner's is 1.
    k: f64,
    equation: Equation,
    kind: &'static str,
    tilt: f64,
}

impl Map {
    /// The coefficient by moments of momentum about the struck bar.
    fn eta(&self) -> f64 {
        let own = (self.width * self.width + self.height * self.height) / 12.0;
        let bar = (0.5 * self.k * self.width).powi(2);
        let rise = 0.25 * self.height * self.height;
        (own + rise - bar) / (own + rise + bar)
    }

    /// Cell by cell, amplitude after amplitude.
    fn fates(&self, amplitudes: &[f64], omegas: &[f64]) -> Vec<Fate> {
        let case = |amplitude: f64, omega: f64| Case {
            equation: self.equation,
            width: self.width,
            height: self.height,
            eta: self.eta(),
            amplitude,
            omega,
            phase: if self.kind == "cosine" {
                std::f64::consts::FRAC_PI_2
            } else {
                0.0
            },
            lasting: self.kind == "lasting",
            tilt: self.tilt,
        };
        let row = |amplitude: &f64| {
            let cells = omegas.iter().map(|omega| case(*amplitude, *omega).fate());
            cells.collect::<Vec<_>>()
        };
        amplitudes.par_iter().flat_map(row).collect()
    }

    /// Over 0.1 to 10 units in both axes.
    fn counted(&self, unit: f64, cells: usize) -> f64 {
        let p = (1.5 * GRAVITY / self.width.hypot(self.height)).sqrt();
        overturned(&self.fates(
            &linspace(0.1 * unit, 10.0 * unit, cells),
            &linspace(0.1 * p, 10.0 * p, cells),
        ))
    }
}

fn overturned(fates: &[Fate]) -> f64 {
    let fallen = fates
        .iter()
        .filter(|f| matches!(f, Fate::Right | Fate::Left));
    fallen.count() as f64
}

fn kind(name: &str) -> &'static str {
    match name {
        "sine" => "sine",
        "cosine" => "cosine",
        _ => "lasting",
    }
}

#[test]
fn linearised_and_tilted_maps_are_counted_again() {
    const TEST: &str = "linearised_and_tilted_maps_are_counted_again";
    let mut reading = Reading::open("rocking/linearised-maps", TEST);
    let map = |height: f64, equation, kind, tilt| {
        let alpha = f64::atan2(0.06, height);
        let map = Map {
            width: 0.06,
            height,
            k: 1.0,
            equation,
            kind,
            tilt,
        };
        map.counted(GRAVITY * if height > 0.1 { alpha.tan() } else { alpha }, 40)
    };
    for (figure, height) in [("figure-3.11", 0.27), ("figure-3.19", 0.09)] {
        let linear = map(height, Equation::Linearised, "sine", 0.0);
        reading.holds(&format!("{figure} overturned"), "engine", linear, 1e-12);
        let shape = if height > 0.1 { "slender" } else { "bulky" };
        let ratio = linear / map(height, Equation::Nonlinear, "sine", 0.0);
        let row = format!("{shape}: linearised over nonlinear, sine");
        reading.holds(&row, "engine", ratio, 1e-12);
    }
    for tilt in [-0.05, -0.01, 0.0, 0.005, 0.01, 0.05] {
        let count = map(0.27, Equation::Nonlinear, "sine", tilt);
        reading.holds(&format!("figure-3.25 tilt {tilt}"), "engine", count, 1e-12);
    }
    // Lasting waves are chaotic in the slender map; the bulky one is counted.
    let linear = map(0.09, Equation::Linearised, "lasting", 0.0);
    reading.holds("figure-3.21 overturned", "engine", linear, 1e-12);
    reading.whole("engine", &["3.13", "lasting"]);
}

#[test]
fn borders_are_counted_again() {
    let mut reading = Reading::open("rocking/borders", "borders_are_counted_again");
    let mut found = std::collections::BTreeMap::new();
    for row in reading.rows("B") {
        let [name, wave, coefficient] = row.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let [width, height]: [f64; 2] = reading.inputs(&format!("blocks_width_height_m/{name}"));
        let map = Map {
            width,
            height,
            k: coefficient.parse().unwrap_or(1.0),
            equation: Equation::Nonlinear,
            kind: kind(wave),
            tilt: 0.0,
        };
        let count = map.counted(GRAVITY * width.atan2(height), 30);
        reading.holds(&row, "engine", count, 1e-12);
        found.insert(row, count);
    }
    for name in ["B3L", "B6L"] {
        for wave in ["sine", "cosine"] {
            let of = |k: &str| found[&format!("{name} {wave} {k}")];
            let row = format!("share: {name} {wave}");
            reading.holds(&row, "engine", of("0.7306") / of("H"), 1e-12);
        }
    }
    reading.whole("engine", &[]);
}

#[test]
fn reference_maps_are_counted_again() {
    const TEST: &str = "reference_maps_are_counted_again";
    let mut reading = Reading::open("rocking/map-counts", TEST);
    let k = reading.input("k");
    for row in reading.rows("B") {
        let [name, coefficient, wave] = row.split('-').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        // The slender map of a lasting wave is chaotic: which of its cells overturn depends on rounding.
        if wave == "lasting" && name == "B6L" {
            continue;
        }
        let map = Map {
            width: 0.06,
            height: if name == "B6L" { 0.27 } else { 0.09 },
            k: if coefficient == "H" { 1.0 } else { k },
            equation: Equation::Nonlinear,
            kind: kind(wave),
            tilt: 0.0,
        };
        let rows: Vec<f64> = reading.inputs(&format!("amplitude_m_per_s2/{name}"));
        let columns: Vec<f64> = reading.inputs(&format!("omega_rad_per_s/{name}"));
        let fates = map.fates(&rows, &columns);
        let count = overturned(&fates);
        reading.agrees(&row, "reference", count);
        if coefficient == "H" {
            let id = format!("rocking/map-{}-{wave}", name.to_lowercase());
            let mut one = Reading::open(&id, TEST);
            one.agrees("overturned", "reference", count);
            let other = differing(&one, &fates, wave == "lasting");
            one.agrees("different", "reference", other);
        }
    }
    reading.whole("reference", &["B6L-H-lasting", "B6L-M-lasting"]);
}

/// Cells outside the mask whose class is not that of the table; of a lasting wave, whether they overturn, as a share.
fn differing(reading: &Reading, fates: &[Fate], lasting: bool) -> f64 {
    let [classes, mask] =
        ["classes", "mask"].map(|key| reading.inputs::<Vec<String>>(key).concat());
    let cells = fates.iter().zip(classes.chars()).zip(mask.chars());
    let other = cells.filter(|((fate, class), mask)| {
        let alike = match fate {
            _ if lasting => matches!(fate, Fate::Right | Fate::Left) == matches!(class, 'R' | 'L'),
            Fate::Rest => *class == '.',
            Fate::Rocked => matches!(class, 'o' | '~'),
            Fate::Right => *class == 'R',
            Fate::Left => *class == 'L',
        };
        *mask != 'x' && !alike
    });
    let unit = if lasting { fates.len() as f64 } else { 1.0 };
    other.count() as f64 / unit
}
