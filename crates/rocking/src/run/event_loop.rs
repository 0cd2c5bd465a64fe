//! One block piece by piece of its base motion: steps between events, landings, samples.

use super::{Event, Options, Outcome, OverturningMode, Run, Sample};
use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use crate::flight::{FlightStart, Step, StepEnd};
use crate::force::{ContactDemand, pivot_force};
use crate::lift_off::lift_off;
use crate::rest;
use crate::restitution::Restitution;
use klast_ground_motion::{GroundMotion, Piece};

/// Phase of the motion.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Rest,
    /// Side, rotation away from the base and its rate.
    Rocking(Side, f64, f64),
}

pub(crate) fn drive(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &Options,
    times: &[f64],
) -> Result<Run, RockingError> {
    let mut driver = Driver {
        block,
        restitution,
        options,
        run: Run::begun(options, Some(ContactDemand::new(options.friction))),
        times,
        next_sample: 0,
    };
    driver.go(motion)?;
    Ok(driver.run)
}

struct Driver<'a> {
    block: &'a RockingBlock,
    restitution: &'a Restitution,
    options: &'a Options,
    run: Run,
    times: &'a [f64],
    next_sample: usize,
}

impl<'a> Driver<'a> {
    fn go(&mut self, motion: &GroundMotion) -> Result<(), RockingError> {
        let options = self.options;
        let mut t = 0.0;
        let mut phase = self.start();
        let mut rocked = !matches!(phase, Phase::Rest);
        for _ in 0..options.max_steps {
            let (horizontal, vertical, end) = motion.pieces_at(t);
            let pieces = (&horizontal, &vertical);
            if t >= options.duration {
                self.finish(t, phase, rocked, pieces);
                return Ok(());
            }
            let until = end.min(options.duration);
            match phase {
                Phase::Rest => {
                    let (equation, steps) = (options.equation, options.max_steps);
                    let found = lift_off(self.block, equation, pieces, (t, until), steps)?;
                    let reached = found.map_or(until, |f| f.0);
                    // A base that starts with a jump lifts the block off at once: it needs the forces of the flight.
                    if reached > t
                        && let Some(demand) = self.run.contact.as_mut()
                    {
                        let gravity = self.block.gravity();
                        let force = |time: f64| {
                            let along = pieces.0.acceleration(time) / gravity;
                            (along, 1.0 + pieces.1.acceleration(time) / gravity)
                        };
                        demand.observe_rest(pieces, (t, reached), force);
                    }
                    self.sample_rest(reached);
                    t = reached;
                    if let Some((time, side)) = found {
                        note(&mut self.run, Event::LiftOff { time, side });
                        phase = Phase::Rocking(side, 0.0, 0.0);
                        rocked = true;
                    }
                }
                Phase::Rocking(side, q, v) => {
                    let start = self.flight_from(t, (side, q, v), pieces);
                    let Some((after, next)) = self.fly(&start, until) else {
                        return Ok(());
                    };
                    (t, phase) = (after, next);
                }
            }
        }
        Err(RockingError::TooManySteps {
            time: t,
            limit: options.max_steps,
        })
    }

    fn flight_from<'b>(
        &self,
        t: f64,
        (side, q, v): (Side, f64, f64),
        pieces: (&'b Piece, &'b Piece),
    ) -> FlightStart<'b>
    where
        'a: 'b,
    {
        FlightStart {
            block: self.block,
            pieces,
            t,
            side,
            q,
            v,
        }
    }

    /// One step of a flight, at most to `until`; none when the block has overturned.
    fn fly(&mut self, start: &FlightStart, until: f64) -> Option<(f64, Phase)> {
        let (t, side) = (start.t, start.side);
        let rest = until - t;
        let step = self.step(start, rest);
        self.observe(start, &step);
        // A step that fills the piece ends exactly on it.
        let fills = step.end == StepEnd::Time && step.length >= rest;
        let after = if fills { until } else { t + step.length };
        match step.end {
            StepEnd::Limit => {
                self.overturn(after, side, &step);
                None
            }
            StepEnd::Base => {
                let rate = step.rate(step.length);
                let (reached, phase) = self.land((after, until), side, rate, start.pieces);
                if matches!(phase, Phase::Rest) {
                    self.sample_rest(reached.min(self.options.duration));
                }
                Some((reached, phase))
            }
            StepEnd::Time => {
                let (q, v) = (step.rotation(step.length), step.rate(step.length));
                Some((after, Phase::Rocking(side, q, v)))
            }
        }
    }

    /// The step of a flight, at most for `rest`.
    fn step(&self, start: &FlightStart, rest: f64) -> Step {
        start.step(self.options.equation, rest, self.options.overturned_at)
    }

    fn start(&self) -> Phase {
        let (theta, omega) = (self.options.rotation, self.options.angular_velocity);
        let leaning = if theta == 0.0 { omega } else { theta };
        if leaning == 0.0 {
            return Phase::Rest;
        }
        let side = if leaning > 0.0 {
            Side::Right
        } else {
            Side::Left
        };
        Phase::Rocking(side, theta.abs(), side.sign() * omega)
    }

    /// The impact at time `t` of a block that pivoted on `side` with rate `rate` (negative: towards the base), under
    /// pieces that hold to `until`; the time and phase it leads to.
    fn land(
        &mut self,
        (t, until): (f64, f64),
        side: Side,
        rate: f64,
        pieces: (&Piece, &Piece),
    ) -> (f64, Phase) {
        let new = side.other();
        let eta = |to: Side| self.restitution.coefficient(self.block, to).max(0.0);
        let after = -rate * eta(new);
        if rate >= 0.0 || after == 0.0 {
            // A touch without speed, or a block too bulky to rock on.
            if rate < 0.0 {
                self.push_impact(t, new, rate, 0.0);
            }
            note(&mut self.run, Event::Rest { time: t });
            return (t, Phase::Rest);
        }
        self.push_impact(t, new, rate, after);
        let start = self.flight_from(t, (new, 0.0, after), pieces);
        match rest::time_to_rest(&start, self.options.equation, until, eta) {
            Some(sum) => {
                let time = t + sum;
                note(&mut self.run, Event::Rest { time });
                (time, Phase::Rest)
            }
            None => (t, Phase::Rocking(new, 0.0, after)),
        }
    }

    fn push_impact(&mut self, time: f64, side: Side, rate: f64, after: f64) {
        self.run.impacts += 1;
        // `rate` is negative on the old side: rotation towards the new one.
        note(
            &mut self.run,
            Event::Impact {
                time,
                side,
                before: side.sign() * -rate,
                after: side.sign() * after,
            },
        );
    }

    fn overturn(&mut self, time: f64, side: Side, step: &Step) {
        note(&mut self.run, Event::Overturned { time, side });
        self.run.outcome = Outcome::Overturned(OverturningMode {
            side,
            impacts: self.run.impacts,
        });
        let sign = side.sign();
        self.run.largest_rotation = self.options.overturned_at;
        self.run.end = (
            time,
            sign * self.options.overturned_at,
            sign * step.rate(step.length),
        );
    }

    fn finish(&mut self, t: f64, phase: Phase, rocked: bool, pieces: (&Piece, &Piece)) {
        let t = t.min(self.options.duration);
        (self.run.outcome, self.run.end) = match phase {
            Phase::Rest if rocked => (Outcome::Settled, (t, 0.0, 0.0)),
            Phase::Rest => (Outcome::Rest, (t, 0.0, 0.0)),
            Phase::Rocking(side, q, v) => (Outcome::Rocking, (t, side.sign() * q, side.sign() * v)),
        };
        if let Phase::Rocking(side, q, v) = phase
            && self.sample_time().is_some_and(|time| time <= t)
        {
            let onward = self.step(&self.flight_from(t, (side, q, v), pieces), 0.0);
            self.run.samples.push(Sample {
                time: t,
                rotation: side.sign() * q,
                angular_velocity: side.sign() * v,
                angular_acceleration: side.sign() * onward.acceleration(0.0),
            });
        }
    }

    /// Samples, largest rotation and contact forces of a step.
    fn observe(&mut self, start: &FlightStart, step: &Step) {
        let (sign, t) = (start.side.sign(), start.t);
        self.run.largest_rotation = self.run.largest_rotation.max(step.largest_rotation);
        let fastest = step.rate(0.0).abs().max(step.rate(step.length).abs());
        self.run.largest_velocity = self.run.largest_velocity.max(fastest);
        if let Some(demand) = self.run.contact.as_mut() {
            let balance = start.block.corner(start.side).slenderness;
            let beyond = |tau: f64| step.rotation(tau) > balance;
            let forces = |tau: f64| {
                let time = t + tau;
                let base = (
                    start.pieces.0.acceleration(time),
                    start.pieces.1.acceleration(time),
                );
                let motion = (step.rotation(tau), step.rate(tau), step.acceleration(tau));
                pivot_force(start.block, start.side, motion, base)
            };
            demand.observe(t, step.length, beyond, forces);
        }
        while let Some(time) = self.sample_time() {
            if time >= t + step.length || time < t {
                return;
            }
            let tau = time - t;
            self.run.samples.push(Sample {
                time,
                rotation: sign * step.rotation(tau),
                angular_velocity: sign * step.rate(tau),
                angular_acceleration: sign * step.acceleration(tau),
            });
            self.next_sample += 1;
        }
    }

    /// Time of the next sample.
    fn sample_time(&self) -> Option<f64> {
        match self.options.sample {
            _ if !self.times.is_empty() => self.times.get(self.next_sample).copied(),
            Some(interval) => Some(self.next_sample as f64 * interval),
            None => None,
        }
    }

    fn sample_rest(&mut self, until: f64) {
        while let Some(time) = self.sample_time() {
            let last = time == until && until == self.options.duration;
            if time >= until && !last {
                return;
            }
            self.run.samples.push(Sample {
                time,
                rotation: 0.0,
                angular_velocity: 0.0,
                angular_acceleration: 0.0,
            });
            self.next_sample += 1;
        }
    }
}

fn note(run: &mut Run, event: Event) {
    #[cfg(feature = "tracing")]
    tracing::debug!(time = event.time(), ?event, "rocking");
    run.events.push(event);
}
