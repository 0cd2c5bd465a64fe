//! What was found of a law of impact, and the rows that it gives.

use klast_dynamics::single::{
    Coefficients, Friction, Restitution, TangentialRestitution, Workspace,
};
use klast_numerics::fit::{GRIDS, Search};
use klast_rockfall::thrown::{Compared, Experiment, Throw};
use klast_runs::error::Result;
use klast_runs::fit::{Estimate, HeldOut};

use super::rows::{LawRow, MisfitRow, ThrowRow, TrackRow};
use super::scene::Law;

/// What was found of a law.
pub struct Found {
    /// The law.
    pub law: Law,
    /// All trials.
    pub search: Search<3>,
    /// The best of them.
    pub estimate: Estimate<3>,
    /// The throws with it.
    pub compared: Vec<Compared>,
}

pub(super) fn root_mean(squares: f64, samples: usize) -> Option<f64> {
    (samples > 0).then(|| (squares / samples as f64).sqrt())
}

impl Found {
    pub(super) fn row(&self, least_share: f64) -> LawRow {
        let [friction, normal, tangential] = self.estimate.parameters;
        let tangential = (tangential.range[0] < tangential.range[1]).then_some(tangential);
        let unseen = self.estimate.held_out.as_ref();
        let samples: usize = self.compared.iter().map(|c| c.samples).sum();
        LawRow {
            law: self.law,
            friction: friction.value,
            friction_low: friction.low,
            friction_high: friction.high,
            normal_restitution: normal.value,
            normal_restitution_low: normal.low,
            normal_restitution_high: normal.high,
            tangential_restitution: tangential.map(|p| p.value),
            tangential_restitution_low: tangential.map(|p| p.low),
            tangential_restitution_high: tangential.map(|p| p.high),
            held_out_rms_m: unseen.and_then(|own| root_mean(own.iter().sum(), samples)),
            rms_m: self.estimate.rms,
            least_share,
            energy_gains: self.compared.iter().map(|c| c.gains).sum(),
            unconverged: self.compared.iter().map(|c| c.unconverged).sum(),
            cut_off: self.compared.iter().filter(|c| c.cut_off).count(),
        }
    }

    /// This law beside another on throws that the fit has not seen.
    pub(super) fn held_out_beside(&self, other: &Self) -> HeldOut {
        let own = self.estimate.held_out.iter().flatten();
        let others = other.estimate.held_out.iter().flatten();
        let differences: Vec<f64> = others.zip(own).map(|(other, own)| other - own).collect();
        HeldOut::of(&differences)
    }

    pub(super) fn throws(&self, throws: &[Throw]) -> Vec<ThrowRow> {
        let pairs = throws.iter().zip(&self.compared);
        pairs
            .map(|(throw, c)| ThrowRow {
                throw: throw.name.clone(),
                law: self.law.name(),
                first_impact_s: c.first_impact,
                impacts: c.impacts,
                samples: c.samples,
                rms_m: root_mean(c.squares, c.samples).unwrap_or(0.0),
                rms_before_m: root_mean(c.squares_before, c.samples_before),
            })
            .collect()
    }

    pub(super) fn misfit(&self, samples: usize) -> Vec<MisfitRow> {
        let trials = self.search.trials().list().iter();
        trials
            .map(|trial| {
                let [friction, normal_restitution, tangential_restitution] = trial.values;
                MisfitRow {
                    law: self.law.name(),
                    grid: 0,
                    friction,
                    normal_restitution,
                    tangential_restitution,
                    rms_m: (trial.losses.iter().sum::<f64>() / samples.max(1) as f64).sqrt(),
                }
            })
            .enumerate()
            .map(|(k, row)| MisfitRow {
                grid: (k / self.search.sets_of_a_grid()).min(GRIDS) + 1,
                ..row
            })
            .collect()
    }
}

/// In which share of the resamples the misfit of each law is the least; laws with equal misfits share one.
pub(super) fn shares(found: &[Found]) -> Vec<f64> {
    let count = found.first().map_or(0, |f| f.estimate.least.len());
    let mut shares = vec![0.0; found.len()];
    for k in 0..count {
        let least = |f: &Found| {
            f.estimate
                .least
                .get(k)
                .copied()
                .unwrap_or([f64::INFINITY; 2])
        };
        let same = found
            .iter()
            .map(|f| least(f)[1])
            .fold(f64::INFINITY, f64::min);
        let own: Vec<bool> = found.iter().map(|f| least(f)[0] <= same).collect();
        let equals = own.iter().filter(|o| **o).count().max(1);
        for (share, own) in shares.iter_mut().zip(own) {
            *share += f64::from(u8::from(own)) / equals as f64;
        }
    }
    shares
        .into_iter()
        .map(|s| s / count.max(1) as f64)
        .collect()
}

/// The computed throws beside the measured ones.
pub(super) fn tracks(
    experiment: &Experiment,
    throws: &[Throw],
    best: &Found,
) -> Result<Vec<TrackRow>> {
    let [friction, restitution, tangential] = best.estimate.best.values;
    let ground = Coefficients::with_tangential(
        Restitution(restitution),
        TangentialRestitution(tangential),
        Friction(friction),
    )?;
    let (law, mut workspace) = (best.law.law(), Workspace::default());
    let mut rows = Vec::new();
    for throw in throws {
        let mut states = Vec::new();
        experiment.compare(throw, (&law, ground), Some(&mut states), &mut workspace)?;
        for (sample, state) in throw.samples.iter().zip(&states) {
            let (measured, computed) = (sample.centre, state.pose.translation);
            rows.push(TrackRow {
                throw: throw.name.clone(),
                time_s: sample.time,
                x_m: measured.x,
                y_m: measured.y,
                z_m: measured.z,
                computed_x_m: computed.x,
                computed_y_m: computed.y,
                computed_z_m: computed.z,
            });
        }
    }
    Ok(rows)
}
