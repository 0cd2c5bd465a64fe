//! An impact at one interface: impulses on the levers after it, and which shut interfaces it opens.
//!
//! With V_i⁻ the velocities of the centres before, levers v' of the pivots after (P the clockwise quarter turn) and ω
//! the absolute rates, Σ_i m_i (P v'_ij)·(V_i⁺ − V_i⁻) + I_j (ω_j⁺ − ω_j⁻) = Mom_j − Mom_{j+1}; an open hinge has no
//! moment about its pivot, the landing corner none about itself (the base law), a shut interface what its two corner
//! impulses Λ_left, Λ_right ≥ 0 make, with Λ ⟂ opening rate.

use super::Row;
use super::chain::{Chain, LeverTable, Vec2};
use super::complementarity::{ENUMERATED, Trial, combinations, search};
use super::configuration::{Configuration, Pivot};
use super::corners::Corners;
use super::impact_outcome::{NoOutcome, Outcome, Settled};
use super::motion::Contact;
use super::opening::corner_violation;
use super::restitution::InterfaceRestitution;
use super::struck_stack::{Moment, StruckStack};
use super::{List, Stack};

/// What is within round-off of zero, relative to the fastest rate.
const ROUND_OFF: f64 = 1e-13;

/// The state at an impact and what strikes.
#[derive(Clone)]
pub(super) struct Impact<'a> {
    stack: &'a Stack,
    before: Configuration,
    struck: usize,
    restitution: InterfaceRestitution,
    /// Opening rate the struck interface is to leave with, by a moment impulse there.
    target: Option<f64>,
    /// The pivot it leaves with, where the law decides that first; free without it.
    held: Option<Pivot>,
    at: StruckStack<'a>,
}

impl<'a> Impact<'a> {
    pub fn new(
        stack: &'a Stack,
        before: Configuration,
        struck: usize,
        restitution: InterfaceRestitution,
        phi: &Row,
        phi_rate: &Row,
    ) -> Self {
        let levers = LeverTable::new(stack, &before);
        Self {
            stack,
            before,
            struck,
            restitution,
            target: None,
            held: None,
            at: StruckStack::new(stack, before.len(), &levers, phi, phi_rate),
        }
    }

    /// The outcome, from the guess that the struck interface switches corners and nothing else changes.
    ///
    /// Where a hinge would have to pull (the model's own limit: the blocks would jump) more than one set of pivots can
    /// be admissible, in three of ten thousand random impacts of up to four blocks. Then the one that pushes everywhere
    /// is taken, or else the one that changes the motion least (Gauss), which for plastic impulses is the one that
    /// loses least energy.
    pub fn settle(&self) -> Settled {
        let posed = self.posed();
        let mut settled = posed.solve();
        if posed.target == Some(0.0) {
            settled.configuration.set(self.struck, Pivot::Full);
        }
        self.all_rates(&mut settled.outcome);
        settled
    }

    /// The problem to be solved, with what the law decides of the struck interface first.
    ///
    /// An impulse at a distance from the corner opens the interface wherever that has an outcome, and else it sticks;
    /// both can have one. For a share of the base law its rate, known from the base law's own outcome, is prescribed.
    /// Scaling each trial by itself would mix the rates of different sets of pivots. With the rate prescribed the other
    /// shut interfaces are left with a complementarity problem of the same kind, so there is one outcome again: an
    /// interface that would have to pull opens. The kinetic energy rises with the share from ratio 0, where the
    /// interface sticks.
    fn posed(&self) -> Self {
        let ratio = match self.restitution {
            InterfaceRestitution::Housner | InterfaceRestitution::AllRates { .. } => {
                return self.clone();
            }
            InterfaceRestitution::Offset { .. } => {
                let held = |pivot| Self {
                    held: Some(pivot),
                    ..self.clone()
                };
                let opens = held(self.landing());
                return if opens.solve().admissible {
                    opens
                } else {
                    held(Pivot::Full)
                };
            }
            InterfaceRestitution::Relative { ratio } => ratio,
        };
        let base = Self {
            restitution: InterfaceRestitution::Housner,
            ..self.clone()
        };
        let outcome = base.solve();
        // A base law that sticks leaves nothing to take a share of.
        let bounces = outcome.configuration.pivot(self.struck) != Pivot::Full;
        Self {
            target: bounces.then(|| ratio * outcome.outcome.phi_rate[self.struck]),
            held: bounces.then(|| self.landing()),
            ..base
        }
    }

    fn solve(&self) -> Settled {
        let free = self.free();
        let mut guess = self.before;
        guess.set(self.struck, self.held.unwrap_or(self.landing()));
        let found = search(
            guess,
            &free,
            |interface| self.choices(interface),
            || self.corners(guess, &free),
            |trial| self.check(trial),
        );
        let mut settled = Settled {
            configuration: found.configuration,
            outcome: found.value,
            admissible: found.admissible,
            refusal: None,
        };
        if !settled.admissible {
            settled.refusal = self.refusal(&settled.configuration, &settled.outcome);
        }
        if free.len() > 1 && settled.outcome.pulls(self.before.len()) {
            self.prefer(&mut settled, guess, &free);
        }
        settled
    }

    /// Takes an outcome that pushes everywhere instead of one that pulls, or else the one with most energy: of few free
    /// interfaces by comparing all sets of pivots. A set that pushes at every free corner solves the complementarity
    /// problem of the corners, which has one solution.
    fn prefer(&self, settled: &mut Settled, guess: Configuration, free: &[usize]) {
        let others = if free.len() <= ENUMERATED {
            self.admissible()
        } else {
            let candidate = self.corners(guess, free);
            self.if_admissible(candidate).into_iter().collect()
        };
        // Pushing everywhere counts first, then what energy is left.
        let worth = |outcome: &Outcome| {
            let pushes = if outcome.pulls(self.before.len()) {
                0.0
            } else {
                1.0
            };
            (pushes, outcome.energy.1)
        };
        for (configuration, outcome) in others {
            if worth(&outcome) > worth(&settled.outcome) {
                settled.configuration = configuration;
                settled.outcome = outcome;
                settled.admissible = true;
                settled.refusal = None;
            }
        }
    }

    /// The rule that takes a share from every rate of the stack.
    fn all_rates(&self, outcome: &mut Outcome) {
        if let InterfaceRestitution::AllRates { factor } = self.restitution {
            for rate in outcome.phi_rate.iter_mut() {
                *rate *= factor;
            }
            outcome.energy.1 *= factor * factor;
        }
    }

    /// Every admissible outcome: there should be exactly one.
    pub fn all_admissible(&self) -> Vec<(Configuration, Outcome)> {
        self.posed().admissible()
    }

    fn admissible(&self) -> Vec<(Configuration, Outcome)> {
        let mut start = self.before;
        start.set(self.struck, self.held.unwrap_or(self.landing()));
        combinations(start, &self.free(), &|interface| self.choices(interface))
            .into_iter()
            .filter_map(|candidate| self.if_admissible(candidate))
            .collect()
    }

    fn if_admissible(&self, candidate: Configuration) -> Option<(Configuration, Outcome)> {
        let trial = self.check(&candidate);
        (trial.violation == 0.0).then_some((candidate, trial.value))
    }

    /// The pivots by the complementarity problem of the corners of the free interfaces, from those that are held.
    fn corners(&self, held: Configuration, free: &[usize]) -> Configuration {
        let mut corners = Corners::new(self.stack, &self.before, self.at.cosines(), free);
        match self.moment() {
            Some((k, Moment::Opening(rate))) => corners.know(k, self.landing(), rate),
            Some((k, Moment::OffTheCorner(ratio))) if held.pivot(k) != Pivot::Full => {
                corners.off_the_corner(k, self.landing(), ratio);
            }
            _ if self.held == Some(Pivot::Full) => corners.know(self.struck, self.landing(), 0.0),
            _ => {}
        }
        let (momentum, spin) = self.at.own_momenta();
        let back = |v: &Vec2| *v * -1.0;
        let found = corners.solve(
            &momentum.iter().map(back).collect::<Vec<_>>(),
            &spin.iter().map(|h| -h).collect::<Vec<_>>(),
        );
        let mut made = held;
        for (&interface, pivot) in free.iter().zip(found) {
            let allowed = self.choices(interface).contains(&Some(pivot));
            made.set(interface, if allowed { pivot } else { Pivot::Full });
        }
        made
    }

    fn landing(&self) -> Pivot {
        self.before.pivot(self.struck).mirrored()
    }

    fn free(&self) -> List<usize> {
        let mut free = List::from_elem(0, self.before.len());
        let mut count = 0;
        for (interface, pivot) in self.before.pivots().iter().enumerate() {
            let strikes = interface == self.struck && self.held.is_none();
            if strikes || *pivot == Pivot::Full {
                free[count] = interface;
                count += 1;
            }
        }
        free.truncate(count);
        free
    }

    fn choices(&self, interface: usize) -> [Option<Pivot>; 3] {
        if interface == self.struck {
            [Some(self.landing()), Some(Pivot::Full), None]
        } else {
            [Some(Pivot::Full), Some(Pivot::Left), Some(Pivot::Right)]
        }
    }

    /// The outcome in a configuration that is given.
    pub fn check(&self, trial: &Configuration) -> Trial<Outcome> {
        let blocks = trial.len();
        let table = LeverTable::new(self.stack, trial);
        let chain = Chain::of(self.stack, trial, &table);
        let (before, linear_before) = self.at.momenta(&table, &self.at.velocity, &self.at.rate);
        let group_rate = self
            .at
            .group_rates(&chain, (&before, &linear_before), self.moment());

        let mut rate = Row::from_elem(0.0, blocks);
        let mut phi_rate = Row::from_elem(0.0, blocks);
        let groups = chain.groups();
        for (g, group) in groups.iter().enumerate() {
            let end = groups.get(g + 1).map_or(blocks, |next| next.first);
            rate[group.first..end].fill(group_rate[g]);
            phi_rate[group.first] = group_rate[g] - if g == 0 { 0.0 } else { group_rate[g - 1] };
        }
        let velocity = self.at.velocities(&table, &rate);
        let (after, linear_after) = self.at.momenta(&table, &velocity, &rate);
        let mut impulse = List::from_elem(Contact::default(), blocks);
        let mut moment = 0.0;
        for j in (0..blocks).rev() {
            moment += after[j] - before[j];
            let force = linear_after[j] - linear_before[j];
            let (cos, sin) = self.at.face(j);
            impulse[j] = Contact {
                normal: sin * force.x + cos * force.z,
                tangent: cos * force.x - sin * force.z,
                moment,
            };
        }
        let (advice, violation) = self.contradictions(trial, &phi_rate, &impulse);
        let energy = (
            self.at.kinetic(&self.at.velocity, &self.at.rate),
            self.at.kinetic(&velocity, &rate),
        );
        Trial {
            advice,
            violation,
            value: Outcome {
                phi_rate,
                impulse,
                energy,
            },
        }
    }

    /// The moment impulse that the law has at the struck interface.
    fn moment(&self) -> Option<(usize, Moment)> {
        let moment = match (self.target, self.restitution) {
            (Some(target), _) => Moment::Opening(target),
            (None, InterfaceRestitution::Offset { ratio }) => Moment::OffTheCorner(ratio),
            _ => return None,
        };
        Some((self.struck, moment))
    }

    /// The interface that contradicts most, and how.
    fn refusal(&self, trial: &Configuration, outcome: &Outcome) -> Option<NoOutcome> {
        let unit = self.at.fastest.max(f64::MIN_POSITIVE);
        let mut worst = (0.0, None);
        for (j, pivot) in trial.pivots().iter().enumerate() {
            let (by, refusal) = if *pivot == Pivot::Full {
                let scale = unit * self.stack.mass_above(j) * self.stack.total_height();
                let (contact, half) = (&outcome.impulse[j], self.stack.half_width(j));
                let by = corner_violation(contact, half, scale, j, &mut { *trial });
                (by, NoOutcome::Pulls { interface: j })
            } else if j == self.struck || self.before.pivot(j) == Pivot::Full {
                let by = -outcome.phi_rate[j] * pivot.sign() / unit;
                (by, NoOutcome::Closes { interface: j })
            } else {
                continue;
            };
            if by > worst.0 {
                worst = (by, Some(refusal));
            }
        }
        worst.1
    }

    fn contradictions(
        &self,
        trial: &Configuration,
        phi_rate: &[f64],
        impulse: &[Contact],
    ) -> (Configuration, f64) {
        let mut advice = *trial;
        let mut violation = 0.0;
        let unit = self.at.fastest.max(f64::MIN_POSITIVE);
        for (j, pivot) in trial.pivots().iter().enumerate() {
            let free = j == self.struck || self.before.pivot(j) == Pivot::Full;
            if *pivot == Pivot::Full {
                let scale = unit * self.stack.mass_above(j) * self.stack.total_height();
                let mut wish = advice;
                let by =
                    corner_violation(&impulse[j], self.stack.half_width(j), scale, j, &mut wish);
                // The struck interface cannot rise from the corner it came on: it lands on the other one or stays shut.
                if by > 0.0 && (j != self.struck || wish.pivot(j) == self.landing()) {
                    advice = wish;
                }
                violation += by;
            } else if free && phi_rate[j] * pivot.sign() < -ROUND_OFF * unit {
                advice.set(j, Pivot::Full);
                violation -= phi_rate[j] * pivot.sign() / unit;
            }
        }
        (advice, violation)
    }
}
