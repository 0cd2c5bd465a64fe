//! Envelopes of all rocks along a profile.

use klast_rockfall::{Histogram, Results as Statistics};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Results of all rocks at one station of a profile. The error of a quantile is at most 0.8 % of its value; maxima are
/// exact. Quantiles and maxima are null if no rock reaches the station.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StationRow {
    /// Beginning of the station along the profile (m).
    pub from_m: f64,
    /// End of the station along the profile (m).
    pub to_m: f64,
    /// Number of rocks that reached the station.
    pub rocks: u64,
    /// Number of rocks that came to rest at the station.
    pub at_rest: u64,
    /// 95 % quantile of the height of the mass centre over the ground (m).
    pub height_95_m: Option<f64>,
    /// Greatest height of a mass centre over the ground (m).
    pub max_height_m: Option<f64>,
    /// 95 % quantile of the speed (m/s).
    pub speed_95_m_s: Option<f64>,
    /// Greatest speed (m/s).
    pub max_speed_m_s: Option<f64>,
    /// 95 % quantile of the kinetic energy (kJ).
    pub energy_95_kj: Option<f64>,
    /// Greatest kinetic energy (kJ).
    pub max_energy_kj: Option<f64>,
}

/// The stations of a profile that rocks came to; none over other ground.
#[must_use]
pub fn rows(statistics: &Statistics) -> Vec<StationRow> {
    let raster = statistics.raster.as_ref();
    let Some(raster) = raster.filter(|raster| raster.frame().strip) else {
        return Vec::new();
    };
    let frame = raster.frame();
    let row = |number: u32| {
        let cell = raster.cell(number)?;
        let at = |k: u32| frame.corner.x + f64::from(k) * frame.cell;
        let high = |h: &Histogram, factor: f64| h.quantile(0.95).map(|x| factor * x);
        let most = |h: &Histogram, factor: f64| h.greatest().map(|x| factor * x);
        Some(StationRow {
            from_m: at(number),
            to_m: at(number + 1),
            rocks: cell.energy.count(),
            at_rest: cell.deposited,
            height_95_m: high(&cell.height, 1.0),
            max_height_m: most(&cell.height, 1.0),
            speed_95_m_s: high(&cell.speed, 1.0),
            max_speed_m_s: most(&cell.speed, 1.0),
            energy_95_kj: high(&cell.energy, 1e-3),
            max_energy_kj: most(&cell.energy, 1e-3),
        })
    };
    (0..frame.columns).filter_map(row).collect()
}
