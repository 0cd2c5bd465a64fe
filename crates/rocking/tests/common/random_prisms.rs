//! Random prisms in a plane of symmetry, beside the plane engine.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{SpatialBody, SpatialMotion, SpatialOptions};
use klast_rocking::{
    Options, Outcome, Restitution, RestitutionModel, RockingBlock, RockingError, simulate,
};

const G: f64 = 9.81;
/// Duration of each run (s).
const DURATION: f64 = 4.0;

/// A prism that rocks without overturning, and what the plane engine says of it.
pub struct Case {
    width: f64,
    height: f64,
    wave: Component,
    /// Largest rotation (rad).
    pub peak: f64,
    /// Number of impacts.
    pub impacts: usize,
    /// Relative change of the largest rotation over that of the restitution.
    pub sensitivity: f64,
}

impl Case {
    /// The next random case of a state of the generator, which is that of Knuth's MMIX.
    pub fn draw(state: &mut u64) -> Result<Self, RockingError> {
        let mut draw = |from: f64, to: f64| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            from + (to - from) * (*state >> 11) as f64 / (1u64 << 53) as f64
        };
        loop {
            let width = draw(0.3, 0.8);
            let height = width * draw(2.5, 5.0);
            let amplitude = G * width / height * draw(1.1, 2.5);
            let (frequency, waves) = (Frequency::hertz(draw(1.0, 4.0)), draw(1.0, 3.0));
            let wave = Component::waves(amplitude, frequency, 0.0, waves)?;
            let block = RockingBlock::rectangle(width, height, G)?;
            let motion = GroundMotion::horizontal(wave.clone());
            let plane = |material: f64| {
                let law = Restitution::with_material(RestitutionModel::Housner, material)?;
                simulate(&block, &law, &motion, &Options::new(DURATION))
            };
            let run = plane(1.0)?;
            let overturned = matches!(run.outcome, Outcome::Overturned(_));
            // A friction coefficient of 1 in space must carry what the plane engine carries without slip.
            let slips = run.contact.is_none_or(|c| c.needed_friction > 0.95);
            if overturned || slips {
                continue;
            }
            let peak = run.largest_rotation;
            let change = 1e-4;
            let changed = plane(1.0 - change)?.largest_rotation;
            return Ok(Self {
                width,
                height,
                wave,
                peak,
                impacts: run.impacts,
                sensitivity: (changed / peak - 1.0).abs() / change,
            });
        }
    }

    /// Relative difference of the largest rotation in space at a step (s).
    pub fn off(&self, step: f64) -> Result<f64, RockingError> {
        let body = SpatialBody::prism(self.width, 0.9, self.height, 2500.0)?;
        let rest = Component::at_rest;
        let motion = SpatialMotion {
            components: [self.wave.clone(), rest(), rest()],
        };
        let options = SpatialOptions {
            step,
            ..SpatialOptions::new(DURATION, 1.0)
        };
        let found = body.run(&motion, G, &options)?;
        Ok(found.largest_tilt / self.peak - 1.0)
    }
}
