//! The event-driven run: expand, find the first event, move there, settle it.

use super::base::{BaseSeries, ORDER, Series};
use super::chain::Chain;
use super::closing::Closing;
use super::configuration::{Configuration, Pivot};
use super::diagnose::Marker;
use super::history::{StackEventKind, StackRun, StackStop};
use super::impact::Impact;
use super::impact_outcome::Settled;
use super::opening::{pose, reconsider};
use super::options::StackOptions;
use super::series::{Limits, Taylor, horner, horner_rate};
use super::state::StackState;
use super::step_event::StepEvent;
use super::{List, Row, Stack};
use klast_ground_motion::GroundMotion;
use klast_rocking::RockingError;
use std::f64::consts::FRAC_PI_2;

impl Stack {
    /// Runs the stack from `start` under `motion`.
    ///
    /// The state must have as many blocks as the stack, each under a quarter turn.
    pub fn run(
        &self,
        motion: &GroundMotion,
        start: &StackState,
        options: &StackOptions,
    ) -> Result<StackRun, RockingError> {
        let mut workspace = StackWorkspace::default();
        workspace.run(self, motion, start, options)?;
        Ok(workspace.run)
    }

    /// Refuses a start and options that [`Stack::run`] would refuse, without a run.
    ///
    /// # Errors
    /// The first number out of its range.
    pub fn check(&self, start: &StackState, options: &StackOptions) -> Result<(), RockingError> {
        options.check()?;
        self.check_start(start)?;
        for j in 0..start.len() {
            let angle = start.angle(j);
            klast_numerics::check::require(
                "initial rotation of a block (rad)",
                angle,
                angle.abs() < FRAC_PI_2,
                "under a quarter turn",
            )?;
        }
        match options.sampling {
            Some(interval) => {
                klast_rocking::check_samples((options.end - start.time).max(0.0), interval)
            }
            None => Ok(()),
        }
    }
}

/// Series and the last run, kept from run to run.
#[derive(Debug, Clone)]
pub struct StackWorkspace {
    taylor: Taylor,
    relative: Vec<Series>,
    run: StackRun,
}

impl Default for StackWorkspace {
    fn default() -> Self {
        Self {
            taylor: Taylor::default(),
            relative: Vec::new(),
            run: StackRun::begun(&StackState::rest(0)),
        }
    }
}

impl StackWorkspace {
    /// As [`Stack::run`]: of up to four blocks nothing is allocated once the lists are as long as they get, but for
    /// samples, which own theirs.
    ///
    /// # Errors
    /// As there.
    pub fn run(
        &mut self,
        stack: &Stack,
        motion: &GroundMotion,
        start: &StackState,
        options: &StackOptions,
    ) -> Result<&StackRun, RockingError> {
        stack.check(start, options)?;
        let mut engine = Engine::new(stack, motion, start, options, self);
        let stop = engine.run();
        engine.run.stop = stop;
        engine.run.state = engine.state.clone();
        Ok(&self.run)
    }
}

pub(super) struct Engine<'a> {
    pub(super) stack: &'a Stack,
    pub(super) motion: &'a GroundMotion,
    pub(super) options: &'a StackOptions,
    pub(super) limits: Limits,
    pub(super) state: StackState,
    /// Interfaces that opened with a corner load falling through zero: φ, φ̇ and φ̈ are zero, φ grows as t³.
    pub(super) smooth: List<bool>,
    /// Last impact of each interface and the time between the last two: the next hop of a closing sequence is shorter.
    pub(super) last_impact: Row,
    pub(super) hop: Row,
    pub(super) chain: Chain,
    pub(super) chain_is_of: Configuration,
    pub(super) taylor: &'a mut Taylor,
    pub(super) base: BaseSeries,
    /// Relative rotations of the groups in the current step.
    pub(super) relative: &'a mut [Series],
    pub(super) motion_end: f64,
    pub(super) sampled_from: f64,
    pub(super) run: &'a mut StackRun,
}

impl<'a> Engine<'a> {
    fn new(
        stack: &'a Stack,
        motion: &'a GroundMotion,
        start: &StackState,
        options: &'a StackOptions,
        workspace: &'a mut StackWorkspace,
    ) -> Self {
        // Nothing of the run before may be seen.
        let blocks = stack.len();
        workspace.taylor.begin(blocks);
        workspace.relative.clear();
        workspace.relative.resize(blocks, [0.0; ORDER]);
        workspace.run.begin(start);
        let unit = stack.gravity() / stack.total_height();
        let configuration = start.configuration;
        Self {
            stack,
            motion,
            options,
            limits: Limits {
                small: options.tolerance * unit,
                per_base: 1.0 / stack.total_height(),
            },
            state: start.clone(),
            smooth: List::from_elem(false, blocks),
            last_impact: Row::from_elem(f64::NEG_INFINITY, blocks),
            hop: Row::from_elem(f64::INFINITY, blocks),
            chain: Chain::new(stack, &configuration),
            chain_is_of: configuration,
            taylor: &mut workspace.taylor,
            base: BaseSeries::new(),
            relative: &mut workspace.relative,
            motion_end: motion.duration(),
            sampled_from: start.time,
            run: &mut workspace.run,
        }
    }

    fn run(&mut self) -> StackStop {
        self.refresh_base();
        self.reconsider();
        while self.state.time < self.options.end {
            if self.state.is_empty() {
                return StackStop::Overturned;
            }
            if self.state.configuration.is_rest() && self.state.time >= self.motion_end {
                return self.finish_at_rest();
            }
            if self.run.steps >= self.options.most_steps {
                return StackStop::Limit;
            }
            match self.step() {
                Some(stop) => return stop,
                None => self.run.steps += 1,
            }
        }
        if self.state.is_empty() {
            StackStop::Overturned
        } else {
            self.finish_in_time()
        }
    }

    /// One expansion and what it ends with.
    fn step(&mut self) -> Option<StackStop> {
        self.refresh_base();
        // Lists of as many pivots as blocks compare in fewer steps than configurations of a hundred.
        if self.chain_is_of.pivots() != self.state.configuration.pivots() {
            self.chain = Chain::new(self.stack, &self.state.configuration);
            self.chain_is_of = self.state.configuration;
        }
        let (angle, pose) = pose(&self.chain, &self.state.phi, &self.state.phi_rate);
        let horizon = self.horizon();
        let length = self.taylor.expand(
            &self.chain,
            &angle,
            &pose,
            &self.base,
            horizon,
            &self.limits,
        );
        if length.is_nan() || length <= 0.0 {
            return Some(StackStop::NotFinite);
        }
        self.relate();
        let (time, event) = self.first_event(length);
        self.observe(time, &pose);
        let at_break = event == StepEvent::Nothing && time >= self.base.until - self.state.time;
        let striking = if let StepEvent::Closing { group } = event {
            Some(group)
        } else {
            None
        };
        self.advance(time, striking);
        match event {
            StepEvent::Nothing if at_break => {
                self.state.time = self.base.until;
                self.refresh_base();
                self.reconsider();
            }
            StepEvent::Nothing => {}
            StepEvent::Closing { group } => return self.strike(self.chain.groups()[group].first),
            StepEvent::Release { interface, to } => self.release(interface, to),
            StepEvent::Overturning { group } => {
                self.fall(self.chain.groups()[group].first, angle[group])
            }
        }
        None
    }

    pub(super) fn refresh_base(&mut self) {
        self.base
            .expand(self.motion, self.stack.gravity(), self.state.time);
    }

    /// How far the next expansion may reach.
    fn horizon(&self) -> f64 {
        let mut horizon = (self.options.end.min(self.base.until) - self.state.time).min(LONGEST);
        for group in self.chain.groups() {
            // In a closing sequence the next hop is shorter than the last: a short, low-order expansion finds it.
            if self.state.phi[group.first] == 0.0 && self.state.phi_rate[group.first] != 0.0 {
                horizon = horizon.min(1.25 * self.hop[group.first]);
            }
        }
        horizon
    }

    /// Moves the state by `time` along the expansion.
    fn advance(&mut self, time: f64, striking: Option<usize>) {
        let len = self.taylor.len;
        for (g, group) in self.chain.groups().iter().enumerate() {
            let k = group.first;
            let series = &self.relative[g][..len];
            let mut phi = horner(series, time);
            let mut rate = horner_rate(series, time);
            if phi * group.sign > 0.0 {
                self.smooth[k] = false;
            } else if striking != Some(g) {
                // Still within the round-off of where it opened: not yet past it, and not on its way back.
                phi = 0.0;
                rate = if rate * group.sign > 0.0 { rate } else { 0.0 };
            }
            self.state.phi[k] = phi;
            self.state.phi_rate[k] = rate;
        }
        self.state.time += time;
    }

    /// Opens what the accelerations no longer hold shut.
    fn reconsider(&mut self) {
        if self
            .state
            .configuration
            .pivots()
            .iter()
            .all(|pivot| *pivot != Pivot::Full)
        {
            return;
        }
        // The series of the base begins where the last step began.
        self.refresh_base();
        let (smooth, hop) = (&mut self.smooth, &mut self.hop);
        let base = self.base.now();
        reconsider(self.stack, &mut self.state, base, self.run, |k| {
            smooth[k] = false;
            hop[k] = f64::INFINITY;
        });
    }

    fn release(&mut self, interface: usize, to: Pivot) {
        let before = self.state.configuration;
        self.state.configuration.set(interface, to);
        self.smooth[interface] = true;
        self.hop[interface] = f64::INFINITY;
        self.run
            .record(StackEventKind::Opening, interface, before, &self.state);
    }

    fn strike(&mut self, interface: usize) -> Option<StackStop> {
        let before = self.state.configuration;
        self.state.phi[interface] = 0.0;
        let restitution = self.options.restitution(interface);
        let impact = Impact::new(
            self.stack,
            before,
            interface,
            restitution,
            &self.state.phi,
            &self.state.phi_rate,
        );
        let mut settled = impact.settle();
        let marker = Marker {
            stack: self.stack,
            friction: self.options.friction,
        };
        let diagnostics = &mut self.run.diagnostics;
        marker.impulses(diagnostics, &settled.outcome, before.len(), self.state.time);
        diagnostics.unresolved += usize::from(!settled.admissible);

        self.hop[interface] = self.state.time - self.last_impact[interface];
        self.last_impact[interface] = self.state.time;
        let closing = Closing::new(self.stack, self.options.closing_rate);
        let phi = &mut self.state.phi;
        if let Some(lost) = closing.end(self.stack, &before, interface, phi, &mut settled) {
            self.run.diagnostics.closing_loss += lost;
        }
        self.take(interface, before, &settled);
        self.reconsider();
        let closed = [settled.configuration, self.state.configuration]
            .iter()
            .all(|configuration| configuration.pivot(interface) == Pivot::Full);
        (self.options.stop_at_closing && closed).then_some(StackStop::Duration)
    }

    /// Takes over what came of an impact, and enters it.
    fn take(&mut self, struck: usize, before: Configuration, settled: &Settled) {
        self.state.configuration = settled.configuration;
        for k in 0..before.len() {
            let pivot = settled.configuration.pivot(k);
            self.state.phi_rate[k] = settled.outcome.phi_rate[k];
            if pivot != before.pivot(k) {
                self.smooth[k] = false;
            }
            if pivot == Pivot::Full {
                self.state.phi_rate[k] = 0.0;
                self.hop[k] = f64::INFINITY;
            }
        }
        let shut = |k: usize| settled.configuration.pivot(k) == Pivot::Full;
        let kind = if shut(struck) {
            StackEventKind::Closing
        } else {
            StackEventKind::Impact
        };
        self.run.record(kind, struck, before, &self.state);
        for k in (0..before.len()).filter(|k| *k != struck) {
            if shut(k) && before.pivot(k) != Pivot::Full {
                self.run
                    .record(StackEventKind::Closing, k, before, &self.state);
            }
        }
    }

    fn fall(&mut self, block: usize, angle: f64) {
        self.run.fall(&mut self.state, block, angle);
        self.reconsider();
    }
}

/// No expansion reaches further (s); it bounds the powers of the step.
const LONGEST: f64 = 1e3;
