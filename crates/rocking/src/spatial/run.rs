//! A run through the contact engine.

use super::pace::Pace;
use super::{
    SpatialBody, SpatialEnergy, SpatialMotion, SpatialOptions, SpatialOutcome, SpatialRun,
    SpatialSample,
};
use crate::error::RockingError;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::ground_motion::Component;
use klast_dynamics::{Drive, Effort, Impacts, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{Plane, Pose};

/// Part of the energy that overturns above which the loss of a step is an impact.
const IMPACT: f64 = 1e-9;

/// Least jump of an acceleration (m/s²).
const JUMP: f64 = 1e-6;

/// Part of the critical tilt, and of the energy that overturns, under which a body stands.
const STANDS: f64 = 1e-6;

impl SpatialBody {
    /// Runs the body under `gravity` (m/s²) on a base with `motion`.
    pub fn run(
        &self,
        motion: &SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<SpatialRun, RockingError> {
        options.check()?;
        let start = self.start(options)?;
        let mut world = self.world(motion, gravity, options)?;
        world.add(self.body().clone(), start, Role::Free, surface(options))?;
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
    fn barrier(&self, gravity: f64) -> f64 {
        let (least, _) = self.critical_tilts();
        let (mass, height) = (self.body().mass(), self.centre_height());
        mass * gravity * height * (1.0 / libm::cos(least) - 1.0)
    }

    /// The state at the start: the lowest point touches the base and is at rest.
    fn start(&self, options: &SpatialOptions) -> Result<State, RockingError> {
        let rotation = options.attitude * self.body().frame().rotation;
        let turned = self
            .body()
            .vertices()
            .iter()
            .map(|vertex| rotation * *vertex);
        let lowest = turned.fold(DVec3::splat(f64::INFINITY), |low, p| {
            if p.z < low.z { p } else { low }
        });
        let pose = Pose::new(rotation, DVec3::new(0.0, 0.0, -lowest.z))?;
        let spin = options.angular_velocity;
        Ok(State::new(pose, Twist::new(spin.cross(-lowest), spin)?)?)
    }

    fn world(
        &self,
        motion: &SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<World, RockingError> {
        let size = self.centre_height();
        let mut world = World::new(WorldSettings {
            gravity: DVec3::new(0.0, 0.0, -gravity),
            step: options.step,
            theta: 1.0,
            effort: Effort::Residual {
                tolerance: options.tolerance,
                sweeps: 500,
            },
            impacts: Impacts::Together,
            bounce_above: 0.0,
            margin: 1e-3 * size,
            slop: 1e-7 * size,
            recovery: 0.2,
            sleep: None,
            stiffness: None,
            parallel: false,
        })?;
        let drive = Drive::Components(Box::new(motion.components.clone()));
        world.add_plane(Plane::new(DVec3::Z, 0.0)?, surface(options), Some(drive))?;
        Ok(world)
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

fn surface(options: &SpatialOptions) -> Surface {
    Surface {
        friction: options.friction,
        restitution: 0.0,
    }
}

fn energy(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
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
        let way = axis.truncate();
        // atan2 keeps small tilts, where a cosine rounds to one.
        let tilt = libm::atan2(way.length(), axis.z);
        let azimuth = if way == DVec2::ZERO {
            0.0
        } else {
            libm::atan2(way.y, way.x)
        };
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
            contacts: ledger.contact_loss - ledger.returned,
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
            run.outcome = if run.largest_tilt <= STANDS * least {
                SpatialOutcome::Rest
            } else if moving <= STANDS * barrier && run.residual_tilt <= 1e-3 * least {
                SpatialOutcome::Settled
            } else {
                SpatialOutcome::Rocking
            };
        }
        self.run
    }
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
