//! Runs through the contact engine.

use super::pace::Pace;
use super::rest::Rest;
use super::rim::RoundBody;
use super::setting::{energy, world};
use super::watch::Watch;
use super::{
    SpatialBody, SpatialColumn, SpatialColumnRun, SpatialMotion, SpatialOptions, SpatialRun,
};
use crate::error::RockingError;

impl SpatialBody {
    /// Runs the body under `gravity` (m/s²) on a base with `motion`.
    pub fn run(
        &self,
        motion: &SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<SpatialRun, RockingError> {
        let column = SpatialColumn::new(vec![self.clone()])?;
        Ok(column.run(motion, gravity, options)?.into())
    }
}

impl SpatialColumn {
    /// Runs the column under `gravity` (m/s²) on a base with `motion`, up to the first body that falls.
    pub fn run(
        &self,
        motion: &SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<SpatialColumnRun, RockingError> {
        options.check()?;
        let bodies = self.moved()?;
        let mut world = world(&bodies, motion, gravity, options)?;
        let before = energy(&world);
        let mut watch = Watch::new(self, &bodies, motion, options);
        watch.begin(&world);
        let mut pace = Pace::new(motion, options.step, gravity);
        let mut rest = Rest::new(&bodies, motion, gravity, options);
        let mut round = RoundBody::of(&bodies, motion, gravity, options)?;
        let mut steps = 0u64;
        while world.time() < options.duration - 0.5 * options.step {
            steps += 1;
            let end = steps as f64 * options.step;
            if let Some(round) = &mut round
                && round.takes(&world)
            {
                pace.catch_up(&mut world)?;
                round.advance(&mut world, end)?;
            } else if round.is_none() && rest.takes(&world, pace.lag()) {
                pace.catch_up(&mut world)?;
                rest.advance(&mut world, end)?;
            }
            let left = world.time() < end;
            if left {
                pace.advance(&mut world, end)?;
            }
            let carried = !left || pace.carried.iter().all(|carried| *carried);
            if watch.look(&world, carried) {
                break;
            }
        }
        pace.catch_up(&mut world)?;
        let exchanged = round.map_or_else(|| rest.exchanged(), |round| round.exchanged());
        Ok(watch.end(&world, before, gravity, (pace.shifted, exchanged)))
    }
}
