//! The motion of a block on a compliant base, piece by piece of the base motion and contact by contact.

use super::base::{Foundation, Support};
use super::phase::{Edge, Phase, energy_of, leaning, motion_of, side_of};
use super::result::{CompliantEnergy, CompliantOutcome, CompliantRun, CompliantSample};
use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::force::ContactDemand;
use crate::run::Options;
use klast_dynamics::ground_motion::GroundMotion;
use klast_dynamics::ode::{Arrival, Crossing, Dopri853, Event, OdeOptions};

/// Relative and absolute error of a step; metres and radians per mass of a block of the order of a metre.
const TOLERANCE: f64 = 1e-11;

/// Simulates `block` on a `foundation` whose ground has `motion`, from rest under its weight or from the rotation of
/// the options, carried there by the springs. Of the options the equation must be the nonlinear one, without
/// restrainers.
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
        let side = if y[1] < 0.0 { Side::Left } else { Side::Right };
        let balance = phase.support.block.corner(side).slenderness;
        let balanced = y[1].abs() <= balance;
        run.contact
            .note_forces(t, (along / g, forces.up / g), balanced);
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

enum Happening {
    /// The edge of this number is lifted or comes down.
    Edge(usize),
    /// The block passes its upright position.
    Upright,
    /// It lies on its side.
    Overturned,
}
