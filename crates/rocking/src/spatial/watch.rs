//! What is kept of a run: one body or a column of them.

use super::rolling::Rolling;
use super::setting::energy;
use super::{
    DrumMotion, SpatialBody, SpatialColumn, SpatialColumnRun, SpatialEnergy, SpatialMotion,
    SpatialOptions, SpatialOutcome, SpatialSample,
};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::World;

/// Part of the critical tilt, and of the energy that overturns, under which a body stands.
const STANDS: f64 = 1e-6;

/// What is kept of the steps.
pub(super) struct Watch<'a> {
    column: &'a SpatialColumn,
    /// The bodies that move.
    bodies: &'a [SpatialBody],
    motion: &'a SpatialMotion,
    options: &'a SpatialOptions,
    /// Tilt from which on a body counts as overturned (rad).
    overturned_at: Vec<f64>,
    /// Offsets (m) at the start, and heights of mass centres (m) below which a body has dropped: those at the start, or
    /// of the upright column where that is lower, so that a tilted column may come back upright.
    origin: Vec<(DVec2, f64)>,
    run: SpatialColumnRun,
    next_sample: usize,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        column: &'a SpatialColumn,
        bodies: &'a [SpatialBody],
        motion: &'a SpatialMotion,
        options: &'a SpatialOptions,
    ) -> Self {
        let middle = |drum: &SpatialBody| {
            let halfway = 0.5 * (drum.critical_tilts().1 + std::f64::consts::FRAC_PI_2);
            options.overturned_at.unwrap_or(halfway)
        };
        Self {
            column,
            bodies,
            motion,
            options,
            overturned_at: bodies.iter().map(middle).collect(),
            origin: vec![(DVec2::ZERO, 0.0); bodies.len()],
            run: SpatialColumnRun {
                outcome: SpatialOutcome::Rest,
                fallen: None,
                drums: vec![DrumMotion::default(); bodies.len()],
                first_jump: None,
                energy: SpatialEnergy::default(),
                unconverged: 0,
                samples: Vec::new(),
                end_time: 0.0,
            },
            next_sample: 0,
        }
    }

    /// Looks at the start.
    pub(super) fn begin(&mut self, world: &World, rolling: &Rolling) {
        let base = self.motion.components[2].displacement(world.time());
        let mut under = 0.0;
        let heights = world.states().zip(self.bodies).map(|(state, body)| {
            let upright = under + body.centre_height();
            under += body.height();
            (state.pose.translation.z - base).min(upright)
        });
        let heights: Vec<f64> = heights.collect();
        let samples = self.samples(world, rolling);
        self.origin = samples.iter().map(|s| s.slip).zip(heights).collect();
        self.look(world, rolling, true);
    }

    /// The bodies now, from the base upwards; `slip` is the way on what is below since the start.
    fn samples(&self, world: &World, rolling: &Rolling) -> Vec<SpatialSample> {
        let time = world.time();
        let base = std::array::from_fn(|k| self.motion.components[k].displacement(time));
        let mut below = (DVec3::from_array(base), DQuat::IDENTITY);
        let bodies = world.states().zip(self.bodies).zip(&self.origin);
        bodies
            .map(|((state, body), origin)| {
                let attitude = state.pose.rotation * body.body().frame().rotation.inverse();
                let axis = attitude * DVec3::Z;
                let (tilt, azimuth) = tilt_of(axis);
                let foot = state.pose.translation - axis * body.centre_height();
                let slip = (below.1.inverse() * (foot - below.0)).truncate() - origin.0;
                below = (foot + axis * body.height(), attitude);
                SpatialSample {
                    time,
                    tilt,
                    azimuth,
                    turn: turn_about_axis(rolling.moved(attitude)),
                    angular_velocity: state.velocity.angular,
                    slip,
                }
            })
            .collect()
    }

    /// Looks at the state after a step in which all interfaces carried something or not; whether a body has fallen.
    pub(super) fn look(&mut self, world: &World, rolling: &Rolling, carried: bool) -> bool {
        let samples = self.samples(world, rolling);
        let time = world.time();
        for (k, sample) in samples.iter().enumerate() {
            let drum = &mut self.run.drums[k];
            drum.largest_tilt = drum.largest_tilt.max(sample.tilt);
            let ratio = sample.tilt / self.column.critical_tilt(k, sample.azimuth);
            drum.largest_ratio = drum.largest_ratio.max(ratio);
            drum.largest_offset = drum.largest_offset.max(sample.slip.length());
            drum.residual_tilt = sample.tilt;
            drum.residual_turn = sample.turn;
            drum.residual_offset = sample.slip;
        }
        if !carried {
            self.run.first_jump.get_or_insert(time);
        }
        let fallen = (0..samples.len()).find(|k| {
            let centre = world
                .state(*k)
                .map_or(0.0, |state| state.pose.translation.z);
            let base = self.motion.components[2].displacement(time);
            let dropped = self.origin[*k].1 - (centre - base);
            samples[*k].tilt >= self.overturned_at[*k] || dropped > 0.5 * self.bodies[*k].height()
        });
        if let Some(k) = fallen {
            self.run.fallen = Some(k);
            self.run.outcome = SpatialOutcome::Overturned {
                time,
                azimuth: samples[k].azimuth,
            };
        }
        if let Some(interval) = self.options.sample
            && time >= self.next_sample as f64 * interval - 0.5 * self.options.step
        {
            self.run.samples.push(samples);
            self.next_sample += 1;
        }
        fallen.is_some()
    }

    /// The run at its end; `shifted` is the energy (J) that velocities were given where they were moved in time.
    pub(super) fn end(
        mut self,
        world: &World,
        before: f64,
        gravity: f64,
        shifted: f64,
    ) -> SpatialColumnRun {
        let ledger = world.ledger();
        let after = energy(world);
        let run = &mut self.run;
        run.end_time = world.time();
        run.unconverged = ledger.unconverged as usize;
        run.energy = SpatialEnergy {
            start: before,
            end: after,
            base_work: ledger.exchange.boundary_work,
            contacts: ledger.exchange.contact_loss,
            scheme: ledger.exchange.scheme_loss - shifted,
            overlap: ledger.exchange.stabilisation,
            gained: ledger.gained,
            imbalance: after
                - (before
                    + ledger.exchange.boundary_work
                    + ledger.exchange.stabilisation
                    + shifted
                    - ledger.exchange.contact_loss
                    - ledger.exchange.scheme_loss),
        };
        if run.outcome != SpatialOutcome::Rest {
            return self.run;
        }
        let rested = |(drum, body): (&DrumMotion, &SpatialBody)| {
            drum.largest_tilt <= STANDS * body.critical_tilts().0
                && drum.largest_offset <= STANDS * body.height()
        };
        let stands = |(drum, body): (&DrumMotion, &SpatialBody)| {
            drum.residual_tilt <= 1e-3 * body.critical_tilts().0
        };
        let pairs = || run.drums.iter().zip(self.bodies);
        let base = DVec3::from_array(std::array::from_fn(|k| {
            self.motion.components[k].velocity(world.time())
        }));
        let moving = world.states().zip(self.bodies).map(|(state, body)| {
            let mut relative = *state;
            relative.velocity.linear -= base;
            relative.kinetic_energy(body.body()).total()
        });
        let barrier = self.bodies.iter().map(|body| body.barrier(gravity));
        let least = barrier.fold(f64::INFINITY, f64::min);
        let still = moving.sum::<f64>() <= STANDS * least;
        let outcome = if still && pairs().all(rested) {
            SpatialOutcome::Rest
        } else if still && pairs().all(stands) {
            SpatialOutcome::Settled
        } else {
            SpatialOutcome::Rocking
        };
        run.outcome = outcome;
        self.run
    }
}

/// Tilt of an axis from the vertical, and its direction from x towards y (rad).
fn tilt_of(axis: DVec3) -> (f64, f64) {
    let way = axis.truncate();
    let azimuth = if way == DVec2::ZERO {
        0.0
    } else {
        libm::atan2(way.y, way.x)
    };
    // atan2 keeps small tilts, where a cosine rounds to one.
    (libm::atan2(way.length(), axis.z), azimuth)
}

/// The turn about its own axis in an attitude that is a turn followed by a tilt.
fn turn_about_axis(attitude: DQuat) -> f64 {
    let angle = 2.0 * libm::atan2(attitude.z, attitude.w);
    if angle > std::f64::consts::PI {
        angle - std::f64::consts::TAU
    } else if angle < -std::f64::consts::PI {
        angle + std::f64::consts::TAU
    } else {
        angle
    }
}
