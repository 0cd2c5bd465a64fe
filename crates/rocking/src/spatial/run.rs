//! A run through the contact engine.

use super::pace::Pace;
use super::setting::{energy, world};
use super::{
    SpatialBody, SpatialEnergy, SpatialMotion, SpatialOptions, SpatialOutcome, SpatialRun,
    SpatialSample,
};
use crate::error::RockingError;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::World;
use klast_dynamics::ground_motion::Component;

/// Part of the energy that overturns above which the loss of a step is an impact.
const IMPACT: f64 = 1e-9;

/// Least jump of an acceleration (m/s²).
const JUMP: f64 = 1e-6;

/// Part of the critical tilt, and of the energy that overturns, under which a body stands.
pub(super) const STANDS: f64 = 1e-6;

impl SpatialBody {
    /// Runs the body under `gravity` (m/s²) on a base with `motion`.
    pub fn run(
        &self,
        motion: &SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<SpatialRun, RockingError> {
        options.check()?;
        let mut world = world(std::slice::from_ref(self), motion, gravity, options)?;
        let mut watch = Watch::new(self, motion, &world, options);
        let before = energy(&world);
        let components = motion.components.iter();
        let jumps = components.flat_map(jumps);
        let impact = IMPACT * self.barrier(gravity);
        let mut pace = Pace::new(options.step, impact, jumps.collect());
        while world.time() < options.duration - 0.5 * options.step {
            pace.advance(&mut world)?;
            let standing = !world.contacts().is_empty();
            if watch.look(&world, standing) {
                break;
            }
        }
        Ok(watch.end(&world, before, gravity, pace.shifted))
    }

    /// Energy (J) that lifts the centre over the nearest edge: R − h = h (1/cos α − 1).
    pub(super) fn barrier(&self, gravity: f64) -> f64 {
        let (least, _) = self.critical_tilts();
        let (mass, height) = (self.body().mass(), self.centre_height());
        mass * gravity * height * (1.0 / libm::cos(least) - 1.0)
    }
}

/// Times (s) at which an acceleration jumps. Where only its slope does, the scheme stays of second order.
fn jumps(component: &Component) -> Vec<f64> {
    let (mut before, mut end, mut times) = (0.0f64, None, Vec::new());
    for piece in component.pieces() {
        if (piece.acceleration(piece.start) - before).abs() > JUMP {
            times.push(piece.start);
        }
        end = piece.end.is_finite().then_some(piece.end);
        before = end.map_or(0.0, |end| piece.acceleration(end));
    }
    times.extend(end.filter(|_| before.abs() > JUMP));
    times
}

/// What is kept of the steps.
struct Watch<'a> {
    body: &'a SpatialBody,
    motion: &'a SpatialMotion,
    options: &'a SpatialOptions,
    overturned_at: f64,
    /// Foot of the axis at the start.
    origin: DVec2,
    run: SpatialRun,
    next_sample: usize,
}

impl<'a> Watch<'a> {
    fn new(
        body: &'a SpatialBody,
        motion: &'a SpatialMotion,
        world: &World,
        options: &'a SpatialOptions,
    ) -> Self {
        let middle = 0.5 * (body.critical_tilts().1 + std::f64::consts::FRAC_PI_2);
        let mut watch = Self {
            body,
            motion,
            options,
            overturned_at: options.overturned_at.unwrap_or(middle),
            origin: DVec2::ZERO,
            run: SpatialRun {
                outcome: SpatialOutcome::Rest,
                largest_tilt: 0.0,
                largest_ratio: 0.0,
                residual_tilt: 0.0,
                residual_turn: 0.0,
                residual_slip: DVec2::ZERO,
                largest_slip: 0.0,
                first_jump: None,
                energy: SpatialEnergy::default(),
                unconverged: 0,
                samples: Vec::new(),
                end_time: 0.0,
            },
            next_sample: 0,
        };
        watch.origin = watch
            .sample(world)
            .map_or(DVec2::ZERO, |sample| sample.slip);
        watch.look(world, true);
        watch
    }

    fn sample(&self, world: &World) -> Option<SpatialSample> {
        let state = world.state(0)?;
        let attitude = state.pose.rotation * self.body.body().frame().rotation.inverse();
        let axis = attitude * DVec3::Z;
        let (tilt, azimuth) = tilt_of(axis);
        let time = world.time();
        let at = |k: usize| self.motion.components[k].displacement(time);
        let foot =
            state.pose.translation + attitude * DVec3::new(0.0, 0.0, -self.body.centre_height());
        Some(SpatialSample {
            time,
            tilt,
            azimuth,
            turn: turn_about_axis(attitude),
            angular_velocity: state.velocity.angular,
            slip: foot.truncate() - DVec2::new(at(0), at(1)) - self.origin,
        })
    }

    /// Looks at the state after a step; whether the body has overturned.
    fn look(&mut self, world: &World, standing: bool) -> bool {
        let Some(sample) = self.sample(world) else {
            return true;
        };
        let run = &mut self.run;
        run.largest_tilt = run.largest_tilt.max(sample.tilt);
        let ratio = sample.tilt / self.body.critical_tilt(sample.azimuth);
        run.largest_ratio = run.largest_ratio.max(ratio);
        run.largest_slip = run.largest_slip.max(sample.slip.length());
        if !standing {
            run.first_jump.get_or_insert(sample.time);
        }
        if let Some(interval) = self.options.sample
            && sample.time >= self.next_sample as f64 * interval - 0.5 * self.options.step
        {
            run.samples.push(sample);
            self.next_sample += 1;
        }
        let fallen = sample.tilt >= self.overturned_at;
        if fallen {
            run.outcome = SpatialOutcome::Overturned {
                time: sample.time,
                azimuth: sample.azimuth,
            };
        }
        fallen
    }

    /// The run at its end; `shifted` is the energy that new steps gave velocities.
    fn end(mut self, world: &World, before: f64, gravity: f64, shifted: f64) -> SpatialRun {
        let ledger = world.ledger();
        let last = self.sample(world);
        let run = &mut self.run;
        run.end_time = world.time();
        run.unconverged = ledger.unconverged as usize;
        if let Some(last) = last {
            run.residual_tilt = last.tilt;
            run.residual_turn = last.turn;
            run.residual_slip = last.slip;
        }
        let after = energy(world);
        run.energy = SpatialEnergy {
            start: before,
            end: after,
            base_work: ledger.boundary_work,
            contacts: ledger.contact_loss,
            scheme: ledger.scheme_loss - shifted,
            overlap: ledger.stabilisation,
            gained: ledger.gained,
            imbalance: after
                - (before + ledger.boundary_work + ledger.stabilisation + shifted
                    - ledger.contact_loss
                    - ledger.scheme_loss),
        };
        if run.outcome == SpatialOutcome::Rest {
            let (least, _) = self.body.critical_tilts();
            let barrier = self.body.barrier(gravity);
            let moving = world.state(0).map_or(0.0, |state| {
                let mut relative = *state;
                relative.velocity.linear -= DVec3::from_array(std::array::from_fn(|k| {
                    self.motion.components[k].velocity(world.time())
                }));
                relative.kinetic_energy(self.body.body()).total()
            });
            let still = moving <= STANDS * barrier;
            let in_place = run.largest_slip <= STANDS * self.body.height();
            run.outcome = if still && in_place && run.largest_tilt <= STANDS * least {
                SpatialOutcome::Rest
            } else if still && run.residual_tilt <= 1e-3 * least {
                SpatialOutcome::Settled
            } else {
                SpatialOutcome::Rocking
            };
        }
        self.run
    }
}

/// Tilt of an axis from the vertical, and its direction from x towards y (rad).
pub(super) fn tilt_of(axis: DVec3) -> (f64, f64) {
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
pub(super) fn turn_about_axis(attitude: DQuat) -> f64 {
    let angle = 2.0 * libm::atan2(attitude.z, attitude.w);
    if angle > std::f64::consts::PI {
        angle - std::f64::consts::TAU
    } else if angle < -std::f64::consts::PI {
        angle + std::f64::consts::TAU
    } else {
        angle
    }
}
