//! What is kept of a run: one body or a column of them.

use super::rim::Exchanged;
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
    pub(super) fn begin(&mut self, world: &World) {
        let base = self.motion.components[2].displacement(world.time());
        let mut under = 0.0;
        let heights = world.states().zip(self.bodies).map(|(state, body)| {
            let upright = under + body.centre_height();
            under += body.height();
            (state.pose.translation.z - base).min(upright)
        });
        let heights: Vec<f64> = heights.collect();
        let samples = self.samples(world);
        self.origin = samples.iter().map(|s| s.slip).zip(heights).collect();
        self.look(world, true);
    }

    /// The bodies now, from the base upwards; `slip` is the way on what is below since the start.
    fn samples(&self, world: &World) -> Vec<SpatialSample> {
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
                    turn: turn_about_axis(attitude),
                    angular_velocity: state.velocity.angular,
                    slip,
                }
            })
            .collect()
    }

    /// Looks at the state after a step in which all interfaces carried something or not; whether a body has fallen.
    pub(super) fn look(&mut self, world: &World, carried: bool) -> bool {
        let samples = self.samples(world);
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

    /// The run at its end, with the energy (J) that velocities were given where they were moved in time, and what was
    /// exchanged where the contact engine was not at work.
    pub(super) fn end(
        mut self,
        world: &World,
        before: f64,
        gravity: f64,
        (shifted, apart): (f64, Exchanged),
    ) -> SpatialColumnRun {
        let ledger = world.ledger();
        let (kinetic, bound) = (self.kinetic(world), self.is_bound(world, gravity));
        let after = energy(world);
        let run = &mut self.run;
        run.end_time = world.time();
        run.unconverged = ledger.unconverged as usize;
        let (work, contacts) = (
            ledger.exchange.boundary_work + apart.base_work,
            ledger.exchange.contact_loss + apart.contacts,
        );
        let overlap = ledger.exchange.stabilisation + apart.lifted;
        let scheme = ledger.exchange.scheme_loss - shifted;
        run.energy = SpatialEnergy {
            start: before,
            end: after,
            base_work: work,
            contacts,
            scheme,
            overlap,
            gained: ledger.gained,
            imbalance: after - (before + work + overlap - contacts - scheme),
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
        let barrier = self.bodies.iter().map(|body| body.barrier(gravity));
        let least = barrier.fold(f64::INFINITY, f64::min);
        let still = kinetic <= STANDS * least;
        let outcome = if still && pairs().all(rested) {
            SpatialOutcome::Rest
        } else if still && pairs().all(stands) {
            SpatialOutcome::Settled
        } else if bound {
            SpatialOutcome::Wobbling
        } else {
            SpatialOutcome::Rocking
        };
        run.outcome = outcome;
        self.run
    }
}

impl Watch<'_> {
    /// Kinetic energy (J) of the bodies as seen from the base.
    fn kinetic(&self, world: &World) -> f64 {
        let components = self.motion.components.each_ref();
        let base = DVec3::from_array(components.map(|c| c.velocity(world.time())));
        let moving = world.states().zip(self.bodies).map(|(state, body)| {
            let mut relative = *state;
            relative.velocity.linear -= base;
            relative.kinetic_energy(body.body()).total()
        });
        moving.sum()
    }

    /// Whether the body stands alone on a base that is at rest from here on, with less energy than lifts its mass
    /// centre over the edge: m g h (1/cos α − 1) over that of the body at rest.
    fn is_bound(&self, world: &World, gravity: f64) -> bool {
        let ([body], Some(state)) = (self.bodies, world.state(0)) else {
            return false;
        };
        let time = world.time();
        let ended = self.motion.components.iter().all(|c| c.duration() <= time);
        let (weight, height) = (body.body().mass() * gravity, body.centre_height());
        let base = self.motion.components[2].displacement(time);
        let lifted = weight * (state.pose.translation.z - base - height);
        let over = 1.0 / libm::cos(self.column.least_critical_tilt(0)) - 1.0;
        ended && lifted + self.kinetic(world) < weight * height * over
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
