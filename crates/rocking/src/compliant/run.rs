//! The motion of a block on a compliant base, piece by piece of the base motion and contact by contact.

use super::base::{Forces, Foundation, Support};
use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::force::ContactDemand;
use crate::run::Options;
use klast_dynamics::ground_motion::{GroundMotion, Piece};
use klast_dynamics::ode::{Arrival, Crossing, Dopri853, Event, OdeOptions, OdeSystem};

/// What became of a block on a compliant base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CompliantOutcome {
    /// No part of its base was ever lifted.
    Held,
    /// Its base was lifted; at the end its energy is too small to lift it again.
    Settled,
    /// At the end it has the energy to lift its base but, on a base at rest, not to overturn.
    Rocking,
    /// At the end it may still overturn: the base moves or the energy is enough.
    Undecided,
    /// It overturned to the side.
    Overturned(Side),
}

/// A sample of the history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompliantSample {
    /// Time (s).
    pub time: f64,
    /// Rotation (rad), clockwise positive.
    pub rotation: f64,
    /// Angular velocity (rad/s).
    pub angular_velocity: f64,
    /// Angular acceleration (rad/s²).
    pub angular_acceleration: f64,
    /// Settlement (m) of the base below the mass centre, downwards positive, from springs without load.
    pub settlement: f64,
}

/// Where the energy went, per mass (J/kg), relative to the base; 0 is the block upright on springs without load.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CompliantEnergy {
    /// Of block and springs at the start.
    pub start: f64,
    /// Of both at the end.
    pub end: f64,
    /// Work of the inertial forces of the moving base.
    pub base_work: f64,
    /// Taken by the dashpots.
    pub damping: f64,
    /// What the balance of the whole run leaves.
    pub residual: f64,
}

/// Result of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct CompliantRun {
    /// What became of the block.
    pub outcome: CompliantOutcome,
    /// When an edge is first lifted (s).
    pub first_uplift: Option<f64>,
    /// Number of times an edge is lifted.
    pub uplifts: usize,
    /// Largest rotation in either direction (rad).
    pub largest_rotation: f64,
    /// Largest angular velocity in either direction (rad/s), at ends of steps.
    pub largest_velocity: f64,
    /// Largest settlement (m) of an edge.
    pub largest_settlement: f64,
    /// What the motion needs of the contact, and when the model ends.
    pub contact: ContactDemand,
    /// Where the energy went.
    pub energy: CompliantEnergy,
    /// History at the sample interval.
    pub samples: Vec<CompliantSample>,
    /// State at the end: time, rotation, angular velocity.
    pub end: (f64, f64, f64),
    /// Steps of the integration.
    pub steps: usize,
}

/// Relative and absolute error of a step; metres and radians per mass of a block of the order of a metre.
const TOLERANCE: f64 = 1e-11;

/// The block while the same springs press and it leans to the same side, with the work of the base and the loss of the
/// dashpots as further unknowns.
struct Phase<'a> {
    support: &'a Support,
    pieces: (&'a Piece, &'a Piece),
    /// The edge it leans to; none where it starts upright and at rest, when the rotation tells.
    lean: Option<Side>,
    closed: [bool; 2],
}

impl Phase<'_> {
    fn lean(&self, theta: f64) -> Side {
        self.lean.unwrap_or_else(|| side_of(theta))
    }

    fn forces(&self, y: [f64; 4]) -> Forces {
        match self.support.has_two_springs() {
            true => self.support.springs(y, self.closed),
            false => self.support.forces(y),
        }
    }

    fn base(&self, t: f64) -> (f64, f64) {
        (self.pieces.0.acceleration(t), self.pieces.1.acceleration(t))
    }
}

fn motion_of(y: &[f64]) -> [f64; 4] {
    std::array::from_fn(|i| y[i])
}

impl OdeSystem for Phase<'_> {
    fn dimension(&self) -> usize {
        6
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let y = motion_of(y);
        let forces = self.forces(y);
        let base = self.base(t);
        let lean = self.lean(y[1]);
        let (up, turning) = self.support.accelerations(y, &forces, lean, base);
        let (swing, _) = self.support.swing(y[1], lean);
        let rise = y[2] - self.support.block.centre_height() * libm::sin(y[1]) * y[3];
        let work = -(base.0 * swing * y[3] + base.1 * rise);
        dy.copy_from_slice(&[y[2], y[3], up, turning, work, forces.lost]);
    }
}

/// Simulates `block` on a `foundation` whose ground has `motion`, from rest under its weight or from the rotation of the
/// options, carried there by the springs. Of the options the equation must be the nonlinear one, without restrainers.
///
/// # Errors
/// Options out of range or not known here, and a motion whose integration fails.
pub fn simulate_compliant(
    block: &RockingBlock,
    foundation: &Foundation,
    motion: &GroundMotion,
    options: &Options,
) -> Result<CompliantRun, RockingError> {
    options.check()?;
    if options.restraint.is_some() {
        let by = "a compliant base";
        return Err(RockingError::NotRestrained { by });
    }
    if options.equation != Equation::Nonlinear {
        return Err(RockingError::NotCompliant {
            by: "an equation for small rotations",
        });
    }
    let support = Support::new(block, foundation);
    Driver::new(support, options)?.go(motion)
}

struct Driver<'a> {
    support: Support,
    options: &'a Options,
    method: Dopri853,
    y: [f64; 6],
    run: CompliantRun,
    next_sample: usize,
}

impl<'a> Driver<'a> {
    fn new(support: Support, options: &'a Options) -> Result<Self, RockingError> {
        let theta = match options.rotation {
            0.0 => support.rest(),
            given => given,
        };
        let y = [
            support.level(theta),
            theta,
            0.0,
            options.angular_velocity,
            0.0,
            0.0,
        ];
        let method = OdeOptions {
            relative: TOLERANCE,
            absolute: TOLERANCE,
            max_steps: options.max_steps,
            ..OdeOptions::default()
        };
        let start = energy_of(&support, motion_of(&y));
        Ok(Self {
            support,
            options,
            method: Dopri853::new(6, method)?,
            y,
            run: CompliantRun {
                outcome: CompliantOutcome::Held,
                first_uplift: None,
                uplifts: 0,
                largest_rotation: theta.abs(),
                largest_velocity: options.angular_velocity.abs(),
                largest_settlement: 0.0,
                contact: ContactDemand::new(options.friction),
                energy: CompliantEnergy {
                    start,
                    ..CompliantEnergy::default()
                },
                samples: Vec::new(),
                end: (0.0, theta, options.angular_velocity),
                steps: 0,
            },
            next_sample: 0,
        })
    }

    fn state(&self) -> [f64; 4] {
        motion_of(&self.y)
    }

    fn go(mut self, motion: &GroundMotion) -> Result<CompliantRun, RockingError> {
        let mut t = 0.0;
        let mut closed = self.closed();
        let mut lean = leaning(self.y[1], self.y[3]);
        if closed != [true; 2] {
            self.lift(t);
        }
        while t < self.options.duration {
            let (horizontal, vertical, end) = motion.pieces_at(t);
            let until = end.min(self.options.duration);
            let support = self.support;
            let phase = Phase {
                support: &support,
                pieces: (&horizontal, &vertical),
                lean,
                closed,
            };
            let (reached, happened) = self.follow(&phase, t, until)?;
            t = reached;
            match happened {
                None => {}
                Some(Happening::Edge(i)) => {
                    closed[i] = !closed[i];
                    if !closed[i] {
                        self.lift(t);
                    }
                }
                Some(Happening::Upright) => lean = leaning(0.0, self.y[3]),
                Some(Happening::Overturned) => {
                    self.run.outcome = CompliantOutcome::Overturned(side_of(self.y[1]));
                    return Ok(self.ended(t));
                }
            }
            if self.run.steps > self.options.max_steps {
                return Err(RockingError::TooManySteps {
                    time: t,
                    limit: self.options.max_steps,
                });
            }
        }
        self.sample_last(t, motion);
        let energy = energy_of(&self.support, self.state());
        let still = t >= motion.duration();
        self.run.outcome = match self.run.first_uplift {
            None => CompliantOutcome::Held,
            Some(_) if !still || energy >= self.support.barrier() => CompliantOutcome::Undecided,
            Some(_) if energy < self.support.lifting() => CompliantOutcome::Settled,
            Some(_) => CompliantOutcome::Rocking,
        };
        Ok(self.ended(t))
    }

    fn closed(&self) -> [bool; 2] {
        let y = self.state();
        self.support.ends.map(|s| self.support.pressed(s, y) > 0.0)
    }

    /// Follows a phase from `t` to its first event, at most to `until`.
    fn follow(
        &mut self,
        phase: &Phase<'_>,
        t: f64,
        until: f64,
    ) -> Result<(f64, Option<Happening>), RockingError> {
        let support = phase.support;
        let limit = self.options.overturned_at;
        let ends = support.ends;
        let edge = |i: usize| Edge {
            support,
            at: ends[i],
            crossing: match phase.closed[i] {
                true => Crossing::Falling,
                false => Crossing::Rising,
            },
        };
        let (left, right) = (edge(0), edge(1));
        let upright = |_: f64, y: &[f64]| y[1];
        let fallen = move |_: f64, y: &[f64]| limit - y[1].abs();
        let all: [&dyn Event; 4] = [&fallen, &upright, &left, &right];
        let mut method =
            std::mem::replace(&mut self.method, Dopri853::new(6, OdeOptions::default())?);
        method.reset(t, &self.y)?;
        let mut observe = |m: &Dopri853| self.observe(phase, m);
        let arrival = method.advance_observed(phase, until, &all, Some(&mut observe))?;
        self.y.copy_from_slice(method.state());
        let happened = match arrival {
            Arrival::End => None,
            Arrival::Event { index: 0 } => Some(Happening::Overturned),
            Arrival::Event { index: 1 } => Some(Happening::Upright),
            Arrival::Event { index } => Some(Happening::Edge(index - 2)),
        };
        let reached = method.time();
        self.method = method;
        Ok((reached, happened))
    }

    /// Notes an edge that is lifted.
    fn lift(&mut self, t: f64) {
        self.run.uplifts += 1;
        self.run.first_uplift.get_or_insert(t);
    }

    /// Extremes, forces and samples of a step.
    fn observe(&mut self, phase: &Phase<'_>, method: &Dopri853) {
        const LOOKS: usize = 4;
        self.run.steps += 1;
        let (from, to) = (method.step_start(), method.time());
        let mut y = [0.0; 6];
        for look in 1..=LOOKS {
            let t = from + (to - from) * look as f64 / LOOKS as f64;
            method.interpolate(t, &mut y);
            self.note(phase, t, motion_of(&y));
        }
        while let Some(interval) = self.options.sample {
            let time = self.next_sample as f64 * interval;
            if time >= to || time < from {
                return;
            }
            method.interpolate(time, &mut y);
            self.sample(phase, time, motion_of(&y));
        }
    }

    fn note(&mut self, phase: &Phase<'_>, t: f64, y: [f64; 4]) {
        let run = &mut self.run;
        run.largest_rotation = run.largest_rotation.max(y[1].abs());
        run.largest_velocity = run.largest_velocity.max(y[3].abs());
        for s in phase.support.ends {
            let depth = phase.support.depth(s, y).0;
            run.largest_settlement = run.largest_settlement.max(depth);
        }
        let forces = phase.forces(y);
        let base = phase.base(t);
        let lean = phase.lean(y[1]);
        let (_, turning) = phase.support.accelerations(y, &forces, lean, base);
        let (swing, bend) = phase.support.swing(y[1], lean);
        let along = swing * turning + bend * y[3] * y[3] + base.0;
        let g = phase.support.block.gravity();
        run.contact.note_forces(t, along / g, forces.up / g);
    }

    fn sample(&mut self, phase: &Phase<'_>, time: f64, y: [f64; 4]) {
        let forces = phase.forces(y);
        let base = phase.base(time);
        let lean = phase.lean(y[1]);
        let (_, turning) = phase.support.accelerations(y, &forces, lean, base);
        self.run.samples.push(CompliantSample {
            time,
            rotation: y[1],
            angular_velocity: y[3],
            angular_acceleration: turning,
            settlement: -y[0],
        });
        self.next_sample += 1;
    }

    fn sample_last(&mut self, t: f64, motion: &GroundMotion) {
        let due = |interval: f64| self.next_sample as f64 * interval <= t;
        if self.options.sample.is_some_and(due) {
            let (horizontal, vertical, _) = motion.pieces_at(t);
            let support = self.support;
            let phase = Phase {
                support: &support,
                pieces: (&horizontal, &vertical),
                lean: None,
                closed: self.closed(),
            };
            self.sample(&phase, t, self.state());
        }
    }

    fn ended(mut self, t: f64) -> CompliantRun {
        let energy = &mut self.run.energy;
        energy.end = energy_of(&self.support, motion_of(&self.y));
        (energy.base_work, energy.damping) = (self.y[4], self.y[5]);
        energy.residual = energy.start + energy.base_work - energy.damping - energy.end;
        self.run.end = (t, self.y[1], self.y[3]);
        self.run
    }
}

/// Whether an edge is pressed; of one that is only its lifting counts, of a lifted one only its coming down, so that
/// the rounding an event leaves is none.
struct Edge<'a> {
    support: &'a Support,
    at: f64,
    crossing: Crossing,
}

impl Event for Edge<'_> {
    fn value(&self, _t: f64, y: &[f64]) -> f64 {
        self.support.pressed(self.at, motion_of(y))
    }

    fn crossing(&self) -> Crossing {
        self.crossing
    }
}

enum Happening {
    /// The edge of this number is lifted or comes down.
    Edge(usize),
    /// The block passes its upright position.
    Upright,
    /// It lies on its side.
    Overturned,
}

/// The edge a block leans to from here on; none where that is not decided yet.
fn leaning(theta: f64, rate: f64) -> Option<Side> {
    let toward = if theta == 0.0 { rate } else { theta };
    (toward != 0.0).then(|| side_of(toward))
}

fn side_of(toward: f64) -> Side {
    if toward < 0.0 {
        Side::Left
    } else {
        Side::Right
    }
}

fn energy_of(support: &Support, y: [f64; 4]) -> f64 {
    support.energy(y, side_of(y[1]))
}
