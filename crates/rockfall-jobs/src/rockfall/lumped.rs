//! What a lumped-mass run rests on: the resolution of the ground, and the cutoffs.

use klast_rockfall::{Engine, Results as Statistics, Simulation};
use schemars::JsonSchema;
use serde::Serialize;

/// Share of the energy lost in impacts, from which on what heights leave open is a warning.
const UNRESOLVED: f64 = 0.01;
/// The cutoffs are tried at half their size on so many rocks at most, and on one in ten.
const TRIED: u64 = 200;

/// Effect of the cutoffs, and of the rounding of heights, on a lumped-mass run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Lumped {
    /// Rounding of the heights of the ground (m), from the scene or from the digits of the heights.
    pub vertical_resolution_m: f64,
    /// Number of ignored edges: edges of the ground that the rounding of the heights could cause.
    pub unresolved_edges: u64,
    /// Energy dissipated in impacts with an uncertain normal speed, over the energy dissipated in all impacts. The
    /// speed is uncertain if the rounding of the heights changes it by a tenth or more.
    pub unresolved_energy_share: f64,
    /// Effect of the cutoffs; null if it was not computed.
    pub cutoffs: Option<Cutoffs>,
}

/// Effect of the cutoffs of velocity. Some rocks, taken at equal intervals from all rocks, are run twice: with the
/// cutoffs of the scene, and with half of both cutoffs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Cutoffs {
    /// Number of rocks that are run twice.
    pub rocks: u64,
    /// Normal-velocity cutoff (m/s).
    pub normal_velocity_m_s: f64,
    /// Stopped-velocity cutoff (m/s).
    pub stopped_velocity_m_s: f64,
    /// Mean runout of the sampled rocks with the stated cutoffs (m).
    pub mean_runout_m: f64,
    /// Mean runout of the sampled rocks with half of both cutoffs (m).
    pub mean_runout_with_half_m: f64,
}

impl Lumped {
    /// None where rocks are rigid bodies.
    pub fn of(simulation: &Simulation, statistics: &Statistics) -> Option<Self> {
        let scene = simulation.scene();
        let Engine::Lumped(_) = scene.engine else {
            return None;
        };
        let tried = simulation.count().div_ceil(10).min(TRIED);
        let effect = simulation.cutoff_effect(0..simulation.count(), tried);
        Some(Self {
            vertical_resolution_m: scene.terrain.vertical_resolution().height,
            unresolved_edges: statistics.unresolved_edges,
            unresolved_energy_share: statistics.unresolved_share(),
            cutoffs: effect.map(|effect| Cutoffs {
                rocks: effect.rocks,
                normal_velocity_m_s: scene.stop.normal_velocity_cutoff,
                stopped_velocity_m_s: scene.stop.stopped_velocity_cutoff,
                mean_runout_m: effect.runout,
                mean_runout_with_half_m: effect.halved,
            }),
        })
    }

    /// Where the ground does not carry the result.
    pub fn warning(&self) -> Option<String> {
        Self::unresolved(self.unresolved_energy_share, self.vertical_resolution_m)
    }

    /// The same of a share of the energy and the rounding of heights (m).
    pub fn unresolved(share: f64, resolution: f64) -> Option<String> {
        (share >= UNRESOLVED).then(|| {
            format!(
                "{:.1} % of the energy lost in impacts was lost in those whose speed against the ground the heights, written to {resolution} m, leave open by a tenth \
                 or more: energies and runouts of masses that slide or bounce low may be off by a few per cent; a ground with finer heights settles it",
                1e2 * share
            )
        })
    }
}
