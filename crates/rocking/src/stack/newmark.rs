//! The fixed-step scheme of the thesis for two blocks (section 6.7), corrected and for any number: Newmark's average
//! acceleration with a shortened step at every contact.
//!
//! β = 1/4, γ = 1/2: φ_{n+1} = φ_n + Δt φ̇_n + Δt²/4 (φ̈_n + φ̈_{n+1}), φ̇_{n+1} = φ̇_n + Δt/2 (φ̈_n + φ̈_{n+1}), with
//! equilibrium at the end of the step. It is solved by iterating on φ̈_{n+1}, which is Newton's method with M/(βΔt²)
//! for the Jacobian and contracts by about (p Δt)²/4 a turn. Corrected against the print: the velocity formula (6.200),
//! the inverse in (6.212), the Jacobian's entries in (6.208) and (6.213). At a sign change of a relative rotation, and
//! here also of a corner load, the step is repeated with the Δt' that ends on the zero (6.7.3); the full Δt is taken up
//! again after it. The error is of order Δt²; events are those of [`Stack::run`], transitions its own.

use super::Row;
use super::base::BaseSeries;
use super::chain::Chain;
use super::closing::Closing;
use super::configuration::Pivot;
use super::history::{StackEventKind, StackRun, StackStop};
use super::impact::Impact;
use super::motion::{accelerations, flow, shut_contact};
use super::opening::{pose, reconsider};
use super::options::StackOptions;
use super::state::StackState;
use super::{MAX_BLOCKS, Stack};
use crate::error::RockingError;
use klast_dynamics::ground_motion::GroundMotion;
use klast_numerics::check::require;
use klast_numerics::roots::chandrupatla;
use std::f64::consts::FRAC_PI_2;

impl Stack {
    /// Runs the stack by Newmark's scheme with steps of `step` (s); no samples and no force diagnostics are kept. A
    /// step too long for the iteration is an error.
    pub fn run_newmark(
        &self,
        motion: &GroundMotion,
        start: &StackState,
        options: &StackOptions,
        step: f64,
    ) -> Result<StackRun, RockingError> {
        options.check()?;
        require("step", step, step > 0.0, "above 0 s")?;
        self.check_start(start)?;
        let mut scheme = Scheme::new(self, motion, start, options, step);
        let stop = scheme.run()?;
        scheme.run.stop = stop;
        scheme.run.state = scheme.state;
        Ok(scheme.run)
    }
}

struct Scheme<'a> {
    stack: &'a Stack,
    motion: &'a GroundMotion,
    options: &'a StackOptions,
    step: f64,
    state: StackState,
    chain: Chain,
    base: BaseSeries,
    run: StackRun,
}

/// The end of a step.
#[derive(Clone, Copy)]
struct End {
    phi: Row,
    rate: Row,
    angle: Row,
    /// Least corner load of each shut interface, with the side it opens to.
    load: [(f64, Pivot); MAX_BLOCKS],
    /// Whether the iteration on the accelerations came to its end.
    converged: bool,
}

/// A quantity that ends a step when it falls to zero.
#[derive(Clone, Copy, PartialEq)]
enum Watch {
    Rotation { group: usize },
    Load { index: usize },
    Quarter { group: usize },
}

impl<'a> Scheme<'a> {
    fn new(
        stack: &'a Stack,
        motion: &'a GroundMotion,
        start: &StackState,
        options: &'a StackOptions,
        step: f64,
    ) -> Self {
        Self {
            stack,
            motion,
            options,
            step,
            state: *start,
            chain: Chain::new(stack, &start.configuration),
            base: BaseSeries::new(),
            run: StackRun::begun(start),
        }
    }

    fn run(&mut self) -> Result<StackStop, RockingError> {
        self.expand_base();
        self.reconsider();
        while self.state.time < self.options.end {
            if self.state.is_empty() {
                return Ok(StackStop::Overturned);
            }
            if self.state.configuration.is_rest() && self.state.time >= self.motion.duration() {
                return Ok(StackStop::Rest);
            }
            if self.run.steps >= self.options.most_steps {
                return Ok(StackStop::Limit);
            }
            self.run.steps += 1;
            if !self.advance()? {
                return Ok(StackStop::NotFinite);
            }
        }
        Ok(if self.state.is_empty() {
            StackStop::Overturned
        } else {
            StackStop::Duration
        })
    }

    fn expand_base(&mut self) {
        self.base
            .expand(self.motion, self.stack.gravity(), self.state.time);
    }

    /// One step, shortened to the first event in it; false when the state is not a number.
    fn advance(&mut self) -> Result<bool, RockingError> {
        self.expand_base();
        self.chain = Chain::new(self.stack, &self.state.configuration);
        let left = (self.base.until - self.state.time).min(self.options.end - self.state.time);
        let full = self.step.min(left);
        let whole = self.end_of(full);
        // A shorter step converges where the whole one does.
        if !whole.converged {
            return Err(RockingError::NoConvergence {
                of: "accelerations at the end of a step of Newmark's scheme",
                rounds: MOST_TURNS,
            });
        }
        let mut first: Option<(f64, Watch)> = None;
        for watch in self.watches() {
            let reach = first.map_or(full, |(time, _)| time);
            let end = if first.is_some() {
                self.end_of(reach)
            } else {
                whole
            };
            if self.reserve(&end, watch, reach) < 0.0 {
                first = Some((self.zero(watch, reach), watch));
            }
        }
        let (time, end) = first.map_or((full, whole), |(time, _)| (time, self.end_of(time)));
        if !end
            .phi
            .iter()
            .chain(&end.rate)
            .all(|value| value.is_finite())
        {
            return Ok(false);
        }
        for group in self.chain.groups() {
            let k = group.first;
            let passed = end.phi[k] * group.sign > 0.0;
            self.state.phi[k] = if passed { end.phi[k] } else { 0.0 };
            self.state.phi_rate[k] = end.rate[k];
        }
        self.mark_range(&end);
        self.state.time += time;
        match first {
            None if full == left => {
                self.state.time = self.state.time.max(self.base.until.min(self.options.end));
                self.expand_base();
                self.reconsider();
            }
            None => {}
            Some((_, Watch::Rotation { group })) => self.strike(self.chain.groups()[group].first),
            Some((_, Watch::Load { index })) => {
                let interface = self.chain.shut()[index].interface;
                let before = self.state.configuration;
                self.state.configuration.set(interface, end.load[index].1);
                self.run
                    .record(StackEventKind::Opening, interface, before, &self.state);
            }
            Some((_, Watch::Quarter { group })) => {
                self.fall(self.chain.groups()[group].first, end.angle[group])
            }
        }
        Ok(true)
    }

    fn watches(&self) -> Vec<Watch> {
        let groups = 0..self.chain.groups().len();
        let mut watches: Vec<Watch> = groups
            .clone()
            .map(|group| Watch::Rotation { group })
            .collect();
        watches.extend((0..self.chain.shut().len()).map(|index| Watch::Load { index }));
        watches.extend(groups.map(|group| Watch::Quarter { group }));
        watches
    }

    /// What is left of a watched quantity after a step of length `time`; a rotation from zero is divided by the time.
    fn reserve(&self, end: &End, watch: Watch, time: f64) -> f64 {
        match watch {
            Watch::Rotation { group } => {
                let k = self.chain.groups()[group].first;
                let value = end.phi[k] * self.chain.groups()[group].sign;
                let fresh = self.state.phi[k] == 0.0;
                // An interface that has just lost its corner load has no rotation yet: the scheme sees only its growth.
                if fresh && self.state.phi_rate[k] == 0.0 {
                    value.max(0.0)
                } else if fresh {
                    value / time
                } else {
                    value
                }
            }
            Watch::Load { index } => end.load[index].0,
            Watch::Quarter { group } => FRAC_PI_2 - end.angle[group].abs(),
        }
    }

    /// The state after a step of length `time`.
    fn end_of(&self, time: f64) -> End {
        let (_, now) = pose(&self.chain, &self.state.phi, &self.state.phi_rate);
        let first = accelerations(&self.chain, &now, self.base.now());
        let base = self.base.at(self.stack.gravity(), self.state.time + time);
        let mut second = first;
        let (mut phi, mut rate) = (self.state.phi, self.state.phi_rate);
        let mut converged = false;
        for _ in 0..MOST_TURNS {
            let mut below = 0.0;
            for (g, group) in self.chain.groups().iter().enumerate() {
                let sum = first[g] + second[g];
                let relative = sum - below;
                below = sum;
                let k = group.first;
                phi[k] = self.state.phi[k]
                    + time * self.state.phi_rate[k]
                    + 0.25 * time * time * relative;
                rate[k] = self.state.phi_rate[k] + 0.5 * time * relative;
            }
            let (_, then) = pose(&self.chain, &phi, &rate);
            let next = accelerations(&self.chain, &then, base);
            let change = next
                .iter()
                .zip(&second)
                .fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            second = next;
            let largest = second.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
            converged = change < CONVERGED || change <= ACCEPTED * largest;
            if change < CONVERGED {
                break;
            }
        }
        let (angle, then) = pose(&self.chain, &phi, &rate);
        let flow = flow(&self.chain, &then, &second, base);
        let mut load = [(f64::INFINITY, Pivot::Full); MAX_BLOCKS];
        for (slot, shut) in load.iter_mut().zip(self.chain.shut()) {
            let (left, right) = shut_contact(shut, &then, &second, &flow).corners(shut.half);
            *slot = if left <= right {
                (left, Pivot::Right)
            } else {
                (right, Pivot::Left)
            };
        }
        End {
            phi,
            rate,
            angle,
            load,
            converged,
        }
    }

    /// The length of the step that ends on the zero of a watched quantity.
    fn zero(&self, watch: Watch, full: f64) -> f64 {
        let value = |time: f64| self.reserve(&self.end_of(time), watch, time);
        let low = (full * 1e-12, value(full * 1e-12));
        if low.1 <= 0.0 {
            return low.0;
        }
        chandrupatla(low, (full, value(full)), 0.0, value).after
    }

    fn mark_range(&mut self, end: &End) {
        let groups = self.chain.groups();
        for (g, group) in groups.iter().enumerate() {
            let top = groups
                .get(g + 1)
                .map_or(self.state.len(), |next| next.first);
            for range in &mut self.run.range[group.first..top] {
                *range = (range.0.min(end.angle[g]), range.1.max(end.angle[g]));
            }
        }
    }

    fn reconsider(&mut self) {
        let base = self.base.now();
        reconsider(self.stack, &mut self.state, base, &mut self.run, |_| {});
    }

    fn strike(&mut self, interface: usize) {
        let before = self.state.configuration;
        self.state.phi[interface] = 0.0;
        let restitution = self.options.restitution(interface);
        let mut settled = Impact::new(
            self.stack,
            before,
            interface,
            restitution,
            &self.state.phi,
            &self.state.phi_rate,
        )
        .settle();
        self.run.diagnostics.unresolved += usize::from(!settled.admissible);
        let closing = Closing::new(self.stack, self.options.closing_rate);
        let phi = &mut self.state.phi;
        if let Some(lost) = closing.end(self.stack, &before, interface, phi, &mut settled) {
            self.run.diagnostics.closing_loss += lost;
        }
        self.state.configuration = settled.configuration;
        for k in 0..before.len() {
            let shut = settled.configuration.pivot(k) == Pivot::Full;
            self.state.phi_rate[k] = if shut {
                0.0
            } else {
                settled.outcome.phi_rate[k]
            };
        }
        let shut = settled.configuration.pivot(interface) == Pivot::Full;
        let kind = if shut {
            StackEventKind::Closing
        } else {
            StackEventKind::Impact
        };
        self.run.record(kind, interface, before, &self.state);
        self.expand_base();
        self.reconsider();
    }

    fn fall(&mut self, block: usize, angle: f64) {
        self.run.fall(&mut self.state, block, angle);
        self.expand_base();
        self.reconsider();
    }
}

/// Turns of the iteration at most; at (p Δt)² = 0.1 a dozen reach round-off.
const MOST_TURNS: usize = 40;
/// Change of an acceleration (rad/s²) that ends the iteration: the round-off of a few times g/h.
const CONVERGED: f64 = 1e-13;
/// Change over the largest acceleration with which the last turn may end: far above the round-off of any stack, far
/// below the error of the scheme.
const ACCEPTED: f64 = 1e-9;
