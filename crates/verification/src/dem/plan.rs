//! The penetration study: which shots, with which projectile, and what came out of each.
//!
//! The paper gives neither mass nor cavity of the projectile. One mass serves all sizes here: the one that leaves the
//! layer of one stated size with the residual velocity that the paper has for it. All else is prediction.

use anyhow::Result;
use glam::DVec3;
use klast_dem::{ContactParameters, Flight, Packing, PackingSpec, Penetration, Sample, Shot};
use serde::{Deserialize, Serialize};

/// What is changed against Table 1 of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Variation {
    /// Nothing.
    Base,
    /// Normal and tangential stiffness times this.
    Stiffness(f64),
    /// Friction coefficient.
    Friction(f64),
    /// Restitution between projectile and rock.
    ProjectileRestitution(f64),
    /// Restitution between rocks.
    RockRestitution(f64),
    /// Step times this.
    Step(f64),
    /// e = 1, no friction, no walls, no gravity: the accounts must close.
    Conservative,
}

impl Variation {
    /// A name that can be part of a file name.
    pub fn name(&self) -> String {
        match self {
            Variation::Base => "base".to_owned(),
            Variation::Stiffness(x) => format!("kn-x{x}"),
            Variation::Friction(x) => format!("f-{x}"),
            Variation::ProjectileRestitution(x) => format!("eb-{x}"),
            Variation::RockRestitution(x) => format!("er-{x}"),
            Variation::Step(x) => format!("step-x{x}"),
            Variation::Conservative => "conservative".to_owned(),
        }
    }

    /// The shot of the paper with this change.
    pub fn shot(&self, mass: f64) -> Result<Shot> {
        let mut parameters = ContactParameters::rockfill();
        match *self {
            Variation::Stiffness(x) => {
                parameters.normal_stiffness *= x;
                parameters.tangential_stiffness *= x;
            }
            Variation::Friction(x) => parameters.friction = x,
            Variation::ProjectileRestitution(x) => parameters.projectile_restitution = x,
            Variation::RockRestitution(x) => parameters.rock_restitution = x,
            Variation::Conservative => {
                parameters.friction = 0.0;
                parameters.rock_restitution = 1.0;
                parameters.projectile_restitution = 1.0;
            }
            Variation::Base | Variation::Step(_) => {}
        }
        let mut shot = Shot::rockfill(mass, &parameters)?;
        match *self {
            Variation::Step(x) => shot.step *= x,
            Variation::Conservative => (shot.walls, shot.gravity) = (false, 0.0),
            _ => {}
        }
        Ok(shot)
    }
}

/// One shot of a study.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyRun {
    /// Edges of the layer, m.
    pub layer: DVec3,
    /// Mean size, m.
    pub size: f64,
    /// Seed of the layer.
    pub seed: u64,
    /// What is changed.
    pub variation: Variation,
}

impl StudyRun {
    /// A name that tells runs of one study apart.
    pub fn name(&self) -> String {
        let [x, y, z] = self.layer.to_array();
        let (size, seed) = (self.size * 1e3, self.seed);
        format!(
            "{x}x{y}x{z}-{size:.0}mm-seed{seed}-{}",
            self.variation.name()
        )
    }

    /// The layer to make for it.
    pub fn packing(&self) -> Result<PackingSpec> {
        Ok(PackingSpec::rockfill(self.layer, self.size, self.seed)?)
    }

    /// Shoots. `watch` sees every twentieth step.
    pub fn shoot(
        &self,
        layer: &Packing,
        mass: f64,
        mut watch: impl FnMut(&Flight) -> Result<()>,
    ) -> Result<RunSummary> {
        let shot = self.variation.shot(mass)?;
        let mut flight = Flight::new(layer, &shot)?;
        while !flight.is_over() {
            for _ in 0..20 {
                if !flight.is_over() {
                    flight.step()?;
                }
            }
            watch(&flight)?;
        }
        let rocks = layer.particles.len();
        Ok(RunSummary::new(*self, mass, rocks, &flight.result()))
    }
}

/// A whole study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPlan {
    /// The shot that sets the mass of the projectile.
    pub fit: StudyRun,
    /// Residual velocity that it is to have, m/s.
    pub fit_residual: f64,
    /// Speed of the shots, m/s.
    pub speed: f64,
    /// First guess of the mass, kg.
    pub start_mass: f64,
    /// The shots.
    pub runs: Vec<StudyRun>,
}

/// Seeds by mean size (m).
pub type Seeds<'a> = &'a [(f64, u64)];

impl StudyPlan {
    /// Base shots at each size with seeds 1 to the number given, in this order, and the sensitivity shots on one of the
    /// sizes after its first base shot.
    pub fn new(layer: DVec3, seeds: Seeds, sensitivity: f64, fit: StudyRun) -> Self {
        let run = |size: f64, seed: u64, variation: Variation| StudyRun {
            layer,
            size,
            seed,
            variation,
        };
        let changes = [
            Variation::ProjectileRestitution(0.7),
            Variation::ProjectileRestitution(0.4),
            Variation::ProjectileRestitution(0.1),
            Variation::RockRestitution(0.8),
            Variation::Stiffness(0.5),
            Variation::Stiffness(2.0),
            Variation::Friction(0.0),
            Variation::Friction(0.4),
            Variation::Step(0.5),
            Variation::Conservative,
        ];
        let mut runs = Vec::new();
        for (size, count) in seeds {
            let mut base = (1..=*count).map(|seed| run(*size, seed, Variation::Base));
            runs.extend(base.next());
            if *size == sensitivity {
                runs.extend(changes.map(|variation| run(sensitivity, 1, variation)));
            }
            runs.extend(base);
        }
        Self {
            fit,
            fit_residual: 1010.0,
            speed: 1200.0,
            start_mass: 80.0,
            runs,
        }
    }

    /// The study as the paper has it: 3.5 x 2.7 x 3.5 m, 290 mm five times, 200, 175 and 130 mm three times, 100 mm
    /// once, sensitivities on 175 mm. The mass is fitted on the layer of 100 mm as wide as the paper has it: the walls
    /// of a narrow one press on what the projectile pushes aside, and the mass would carry that into every other size.
    pub fn full() -> Self {
        let layer = DVec3::new(3.5, 2.7, 3.5);
        let seeds = [(0.29, 5), (0.2, 3), (0.175, 3), (0.13, 3), (0.1, 1)];
        Self::new(layer, &seeds, 0.175, Self::fit_on(layer))
    }

    /// The same thickness, 1.8 m wide and high, without 130 and 100 mm and with fewer seeds: under half an hour on one
    /// core instead of some hours.
    pub fn reduced() -> Self {
        let layer = DVec3::new(3.5, 1.8, 1.8);
        let seeds = [(0.29, 5), (0.2, 2), (0.175, 1)];
        // 0.9 m are nine sizes: three shots or so at 3256 rocks instead of 37,900.
        Self::new(
            layer,
            &seeds,
            0.175,
            Self::fit_on(DVec3::new(3.5, 0.9, 0.9)),
        )
    }

    /// 100 mm, whose residual velocity is the first that the paper states.
    fn fit_on(layer: DVec3) -> StudyRun {
        StudyRun {
            layer,
            size: 0.1,
            seed: 1,
            variation: Variation::Base,
        }
    }

    /// A thin layer, seconds long, the mass fitted on 290 mm: the accounts and the trends that need no statistics.
    pub fn small() -> Self {
        let layer = DVec3::new(3.5, 0.9, 0.9);
        let fit = StudyRun {
            layer,
            size: 0.29,
            seed: 1,
            variation: Variation::Base,
        };
        let plan = Self::new(layer, &[(0.2, 1), (0.29, 2)], 0.29, fit);
        Self {
            fit_residual: 1100.0,
            ..plan
        }
    }
}

/// What came out of a shot, with a thinned history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Which shot.
    pub run: StudyRun,
    /// Mass of the projectile, kg.
    pub mass: f64,
    /// Rocks in the layer.
    pub rocks: usize,
    /// s.
    pub strike: f64,
    /// s; none if it does not come out.
    pub exit: Option<f64>,
    /// s; none if its base stays in the layer.
    pub through: Option<f64>,
    /// s.
    pub exit_by_integral: f64,
    /// s.
    pub step: f64,
    /// m/s.
    pub residual: f64,
    /// rad.
    pub velocity_deflection: f64,
    /// rad.
    pub axis_deflection: f64,
    /// m.
    pub affected_radius: f64,
    /// Standard deviation over mean of the resistance.
    pub fluctuation: f64,
    /// N.
    pub mean_resistance: f64,
    /// N.
    pub peak_resistance: f64,
    /// Largest `|E/E₀ − 1|`.
    pub energy_drift: f64,
    /// Relative change of the linear momentum.
    pub momentum_drift: f64,
    /// Steps taken.
    pub steps: usize,
    /// Hash of the last state.
    pub hash: u64,
    /// At most 400 records.
    pub history: Vec<Sample>,
}

impl RunSummary {
    fn new(run: StudyRun, mass: f64, rocks: usize, result: &Penetration) -> Self {
        let every = result.samples.len().div_ceil(400).max(1);
        Self {
            run,
            mass,
            rocks,
            strike: result.strike,
            exit: result.exit,
            through: result.through,
            exit_by_integral: result.exit_by_integral,
            step: run.variation.shot(mass).map_or(0.0, |s| s.step),
            residual: result.residual,
            velocity_deflection: result.velocity_deflection,
            axis_deflection: result.axis_deflection,
            affected_radius: result.affected_radius,
            fluctuation: result.fluctuation,
            mean_resistance: result.mean_resistance,
            peak_resistance: result.peak_resistance,
            energy_drift: result.energy_drift,
            momentum_drift: result.momentum_drift,
            steps: result.steps,
            hash: result.hash,
            history: result.samples.iter().copied().step_by(every).collect(),
        }
    }

    /// The mass with which this shot would have had the residual velocity `target`, were its momentum loss the same:
    /// `M = M₀ (v₀ − v)/(v₀ − target)`. For sphere layers that loss changes by 6 % from 50 to 94 kg.
    pub fn mass_for(&self, target: f64, speed: f64) -> f64 {
        self.mass * (speed - self.residual) / (speed - target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_full_study_is_the_one_asked_for() {
        let plan = StudyPlan::full();
        let layer = DVec3::new(3.5, 2.7, 3.5);
        assert!(plan.runs.iter().all(|r| r.layer == layer));
        // The mass comes from the size that the acceptance table names, through the full thickness.
        assert_eq!((plan.fit.size, plan.fit.layer.x), (0.1, 3.5));
        assert_eq!(plan.fit_residual, 1010.0);
        for (size, seeds) in [(0.1, 1), (0.13, 3), (0.175, 3), (0.2, 3), (0.29, 5)] {
            let found = plan
                .runs
                .iter()
                .filter(|r| r.size == size && r.variation == Variation::Base);
            assert_eq!(found.count(), seeds, "{size}");
        }
        let names: BTreeSet<String> = plan.runs.iter().map(StudyRun::name).collect();
        assert_eq!(names.len(), plan.runs.len());
    }
}
