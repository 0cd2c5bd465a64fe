//! Rasters of a rockfall run, as ESRI ASCII grids and GeoTIFF files.

use super::map::Map;
use glam::DVec2;
use klast_files::raster::esri_ascii;
use klast_files::raster::geotiff::{self, Band, Digits};
use klast_rockfall::{
    CellStatistics, HazardRaster, Histogram, Results as Statistics, Simulation, Window,
};
use klast_runs::error::Result;

use super::ground_spread;
use super::scene::Scene;
use klast_files::crs::Crs;
use klast_runs::files::{Files, FilesExt as _};

const NODATA: f64 = -9999.0;

/// Maps of klast and the outputs of Rockyfor3D that they correspond to, by the names that public scripts read.
const ROCKYFOR3D: [(&str, &str); 4] = [
    ("energy_95", "E_95CI"),
    ("height_95", "Ph_95CI"),
    ("deposition", "Nr_deposited"),
    ("reach_probability", "Reach_probability"),
];

/// Under which names maps are also written as ESRI ASCII grids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AsciiNames {
    /// Those of the GeoTIFF files.
    pub own: bool,
    /// Those of Rockyfor3D.
    pub rockyfor3d: bool,
}

/// Every map of a run; none without `map_cell_m`.
#[must_use]
pub fn maps(scene: &Scene, statistics: &Statistics) -> Vec<Map> {
    let raster = statistics.raster.as_ref();
    let Some(raster) = raster.filter(|raster| !raster.frame().strip) else {
        return Vec::new();
    };
    let seeded = statistics.account.seeded.max(1) as f64;
    let window = &raster.window();
    let mut maps = counts(raster, window, seeded);
    maps.extend(quantities(raster, window));
    if let Some(sets) = &statistics.sets {
        maps.extend(ground_spread::maps(sets, window));
    }
    for threshold in &scene.return_period_energies_kj {
        let period = |c: &CellStatistics| {
            Some(1.0 / c.energy.annual_exceedance(1e3 * threshold)).filter(|t| t.is_finite())
        };
        maps.push(Map {
            name: format!("return_period_{threshold}kJ"),
            words: format!("Return period of {threshold} kJ"),
            label: "T [a]",
            first: true,
            window: window.clone(),
            values: raster.map(window, period),
        });
    }
    for period in &scene.return_periods_a {
        let energy = |c: &CellStatistics| {
            let energy = c.energy.at_annual_exceedance(1.0 / period);
            energy.map(|v| 1e-3 * v)
        };
        maps.push(Map {
            name: format!("energy_{period}a"),
            words: format!("Energy reached once in {period} years"),
            label: "E [kJ]",
            first: true,
            window: window.clone(),
            values: raster.map(window, energy),
        });
    }
    maps
}

/// What is missing for the maps that the scene asks for.
#[must_use]
pub fn warnings(scene: &Scene) -> Vec<String> {
    let mut warnings = Vec::new();
    let asks_for_years =
        !(scene.return_period_energies_kj.is_empty() && scene.return_periods_a.is_empty());
    if !asks_for_years {
        return warnings;
    }
    if scene.map_cell_m.is_none() {
        warnings.push(
            "return_period_energies_kj, return_periods_a: there are no maps without map_cell_m"
                .to_owned(),
        );
        return warnings;
    }
    // A map of them without any frequency is empty, and one without a source's frequency shows less than there is.
    let never: Vec<&str> = scene
        .sources
        .iter()
        .filter(|s| s.annual_frequency.is_none_or(|f| f == 0.0))
        .map(|s| s.name.as_str())
        .collect();
    if !never.is_empty() {
        warnings.push(format!(
            "sources without an annual_frequency above 0: {}; their rocks are in no return period",
            never.join(", ")
        ));
    }
    warnings
}

fn counts(raster: &HazardRaster, window: &Window, seeded: f64) -> Vec<Map> {
    let map = |name: &str, words: &str, label, first, values| Map {
        name: name.to_owned(),
        words: words.to_owned(),
        label,
        first,
        window: window.clone(),
        values,
    };
    vec![
        map(
            "reach_probability",
            "Fraction of the rocks that reach a cell",
            "fraction of rocks [-]",
            true,
            raster.map(window, |c| Some(c.energy.count() as f64 / seeded)),
        ),
        map(
            "passages",
            "Passages through a cell",
            "passages [-]",
            false,
            raster.map(window, |c| Some(c.passages as f64)),
        ),
        map(
            "deposition",
            "Rocks at rest",
            "rocks at rest [-]",
            true,
            raster.map(window, |c| Some(c.deposited as f64)),
        ),
    ]
}

/// Quantiles, means and maxima of energy, speed and jump height.
fn quantities(raster: &HazardRaster, window: &Window) -> Vec<Map> {
    type Of = fn(&CellStatistics) -> &Histogram;
    let list: [(&str, &str, &'static str, f64, Of); 3] = [
        ("energy", "kinetic energy", "E [kJ]", 1e-3, |c| &c.energy),
        ("velocity", "speed", "v [m/s]", 1.0, |c| &c.speed),
        ("height", "jump height", "h [m]", 1.0, |c| &c.height),
    ];
    let mut maps = Vec::new();
    for (name, words, label, factor, of) in list {
        let mut add = |statistic: &str, told: &str, value: &dyn Fn(&Histogram) -> Option<f64>| {
            maps.push(Map {
                name: format!("{name}_{statistic}"),
                words: format!("{told} {words}"),
                label,
                first: statistic == "95",
                window: window.clone(),
                values: raster.map(window, |c| value(of(c)).map(|v| v * factor)),
            });
        };
        add("mean", "Mean", &Histogram::mean);
        add("max", "Maximum", &Histogram::greatest);
        add("median", "Median", &|h| h.quantile(0.5));
        for p in [90, 95, 99] {
            let share = 0.01 * f64::from(p);
            add(&p.to_string(), &format!("{p} %"), &|h| h.quantile(share));
        }
    }
    maps
}

/// Where maps lie, and what their files are called.
pub struct Place<'a> {
    /// Map coordinates of the origin of the ground.
    pub origin: DVec2,
    /// CRS of the ground.
    pub crs: Option<Crs>,
    /// What the names of the files begin with.
    pub prefix: &'a str,
}

impl Place<'_> {
    /// That of the ground of a run.
    #[must_use]
    pub fn of(simulation: &Simulation) -> Self {
        let terrain = &simulation.scene().terrain;
        Self {
            origin: terrain.origin().truncate(),
            crs: terrain.crs().and_then(|label| Crs::parse(label).ok()),
            prefix: "",
        }
    }
}

/// Writes the files of all maps, as ESRI ASCII grids too where that is asked for.
///
/// # Errors
/// If one cannot be written.
pub fn write(
    place: &Place,
    statistics: &Statistics,
    (maps, names): (&[Map], AsciiNames),
    files: &mut dyn Files,
) -> Result<()> {
    let raster = statistics.raster.as_ref();
    let Some(raster) = raster.filter(|raster| !raster.frame().strip) else {
        return Ok(());
    };
    let frame = raster.frame();
    let shape = (frame.columns as usize, frame.rows as usize);
    let centre = place.origin + frame.corner + DVec2::splat(0.5 * frame.cell);
    let (crs, prefix) = (&place.crs, place.prefix);
    for map in maps {
        let band = Band {
            digits: Digits::Single,
            description: &map.words,
            unit: map.unit(),
        };
        let bytes = geotiff::write(
            shape,
            frame.cell,
            centre,
            |k| map.value(k),
            crs.as_ref(),
            band,
        )?;
        files.bytes(&format!("{prefix}{}.tif", map.name), &bytes)?;
        if names == AsciiNames::default() {
            continue;
        }
        let value = |k: usize| seven_digits(map.value(k));
        let text = esri_ascii::write(shape, frame.cell, centre, value, NODATA);
        let theirs = ROCKYFOR3D.iter().find(|(own, _)| *own == map.name);
        if let Some((_, name)) = theirs.filter(|_| names.rockyfor3d) {
            files.text(&format!("{prefix}{name}.asc"), &text)?;
        }
        if !names.own {
            continue;
        }
        if let Some(wkt) = crs.as_ref().and_then(Crs::prj) {
            files.text(&format!("{prefix}{}.prj", map.name), &wkt)?;
        }
        files.text(&format!("{prefix}{}.asc", map.name), &text)?;
    }
    Ok(())
}

/// A value with the digits that a map carries: as many as a single has.
fn seven_digits(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}
