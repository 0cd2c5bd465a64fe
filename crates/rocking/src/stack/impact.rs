//! An impact at one interface: impulses on the levers after it, and which shut interfaces it opens.
//!
//! With V_i⁻ the velocities of the centres before, levers v' of the pivots after (P the clockwise quarter turn) and ω
//! the absolute rates, Σ_i m_i (P v'_ij)·(V_i⁺ − V_i⁻) + I_j (ω_j⁺ − ω_j⁻) = Mom_j − Mom_{j+1}; an open hinge has no
//! moment about its pivot, the landing corner none about itself (the base law), a shut interface what its two corner
//! impulses Λ_left, Λ_right ≥ 0 make, with Λ ⟂ opening rate.

use super::Row;
use super::chain::{Chain, LeverTable, Vec2};
use super::complementarity::{Trial, combinations, search};
use super::configuration::{Configuration, Pivot};
use super::motion::{Contact, mass_matrix};
use super::opening::corner_violation;
use super::restitution::InterfaceRestitution;
use super::sincos::sin_cos;
use super::{MAX_BLOCKS, Stack};
use klast_numerics::dense::{Ldlt, Lu};

/// The state at an impact and what strikes.
#[derive(Clone, Copy)]
pub(super) struct Impact<'a> {
    stack: &'a Stack,
    before: Configuration,
    struck: usize,
    restitution: InterfaceRestitution,
    /// Opening rate the struck interface is to leave with, by a moment impulse there.
    target: Option<f64>,
    /// The pivot it leaves with, where the law decides that first; free without it.
    held: Option<Pivot>,
    cos: Row,
    sin: Row,
    rate: Row,
    velocity: [Vec2; MAX_BLOCKS],
    /// Largest absolute rate before, the unit of a rate.
    fastest: f64,
}

/// The outcome of one trial configuration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    /// Relative rates of the interfaces after the impact.
    pub phi_rate: Row,
    /// Impulse each interface passes upwards.
    pub impulse: [Contact; MAX_BLOCKS],
    /// Kinetic energy relative to the base before and after (J).
    pub energy: (f64, f64),
}

impl Outcome {
    /// Whether one of the `blocks` interfaces would have to pull, beyond the round-off of the largest impulse.
    pub fn pulls(&self, blocks: usize) -> bool {
        let normals = || {
            self.impulse
                .iter()
                .take(blocks)
                .map(|contact| contact.normal)
        };
        let unit = normals().fold(0.0_f64, |most, normal| most.max(normal.abs()));
        normals().any(|normal| normal < -1e-9 * unit)
    }
}

/// Why an impact law has no admissible outcome: what contradicts the least contradicting one most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoOutcome {
    /// An interface that was to open would close again.
    Closes {
        /// Its index, the base's being 0.
        interface: usize,
    },
    /// An interface that was to stay shut would have to pull at a corner.
    Pulls {
        /// Its index, the base's being 0.
        interface: usize,
    },
}

impl std::fmt::Display for NoOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closes { interface } => {
                write!(
                    f,
                    "interface {} can neither open nor stay shut: it would close",
                    interface + 1
                )
            }
            Self::Pulls { interface } => {
                write!(
                    f,
                    "interface {} can neither open nor stay shut: it would pull",
                    interface + 1
                )
            }
        }
    }
}

/// The outcome taken, with its configuration.
pub(super) struct Settled {
    pub configuration: Configuration,
    pub outcome: Outcome,
    pub admissible: bool,
    /// Why nothing is, where that is so.
    pub refusal: Option<NoOutcome>,
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
        let (mut cos, mut sin, mut rate) =
            ([1.0; MAX_BLOCKS], [0.0; MAX_BLOCKS], [0.0; MAX_BLOCKS]);
        let (mut turned, mut turning, mut fastest) = (0.0, 0.0, 0.0_f64);
        for j in 0..before.len() {
            turned += phi[j];
            turning += phi_rate[j];
            (sin[j], cos[j]) = if phi[j] == 0.0 && j > 0 {
                (sin[j - 1], cos[j - 1])
            } else {
                sin_cos(turned)
            };
            rate[j] = turning;
            fastest = fastest.max(turning.abs());
        }
        let mut made = Self {
            stack,
            before,
            struck,
            restitution,
            target: None,
            held: None,
            cos,
            sin,
            rate,
            velocity: [Vec2::default(); MAX_BLOCKS],
            fastest,
        };
        made.velocity = made.velocities(&LeverTable::new(stack, &before), &made.rate);
        made
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
            InterfaceRestitution::Housner | InterfaceRestitution::AllRates { .. } => return *self,
            InterfaceRestitution::Offset { .. } => {
                let held = |pivot| Self {
                    held: Some(pivot),
                    ..*self
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
            ..*self
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
        let (free, count) = self.free();
        let mut guess = self.before;
        guess.set(self.struck, self.held.unwrap_or(self.landing()));
        let found = search(
            guess,
            &free[..count],
            |interface| self.choices(interface),
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
        if count > 1 && count <= MOST_COMPARED && settled.outcome.pulls(self.before.len()) {
            self.prefer(&mut settled);
        }
        settled
    }

    fn prefer(&self, settled: &mut Settled) {
        // Pushing everywhere counts first, then what energy is left.
        let worth = |outcome: &Outcome| {
            let pushes = if outcome.pulls(self.before.len()) {
                0.0
            } else {
                1.0
            };
            (pushes, outcome.energy.1)
        };
        for (configuration, outcome) in self.admissible() {
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
            for rate in &mut outcome.phi_rate {
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
        let (free, count) = self.free();
        let mut start = self.before;
        start.set(self.struck, self.held.unwrap_or(self.landing()));
        combinations(start, &free[..count], &|interface| self.choices(interface))
            .into_iter()
            .filter_map(|candidate| {
                let trial = self.check(&candidate);
                (trial.violation == 0.0).then_some((candidate, trial.value))
            })
            .collect()
    }

    fn landing(&self) -> Pivot {
        self.before.pivot(self.struck).mirrored()
    }

    fn free(&self) -> ([usize; MAX_BLOCKS], usize) {
        let mut free = [0; MAX_BLOCKS];
        let mut count = 0;
        for (interface, pivot) in self.before.pivots().iter().enumerate() {
            let strikes = interface == self.struck && self.held.is_none();
            if strikes || *pivot == Pivot::Full {
                free[count] = interface;
                count += 1;
            }
        }
        (free, count)
    }

    fn choices(&self, interface: usize) -> [Option<Pivot>; 3] {
        if interface == self.struck {
            [Some(self.landing()), Some(Pivot::Full), None]
        } else {
            [Some(Pivot::Full), Some(Pivot::Left), Some(Pivot::Right)]
        }
    }

    /// Velocities of the centres of mass, relative to the base.
    fn velocities(&self, table: &LeverTable, rate: &Row) -> [Vec2; MAX_BLOCKS] {
        let mut velocity = [Vec2::default(); MAX_BLOCKS];
        let mut pivot = Vec2::default();
        for j in 0..self.before.len() {
            let turn = |lever: Vec2| lever.turned(self.cos[j], self.sin[j]).turn_rate() * rate[j];
            velocity[j] = pivot + turn(table.centre[j]);
            pivot = pivot + turn(table.lever[j]);
        }
        velocity
    }

    /// Σ_i m_i (P v'_ij)·V_i + I_j ω_j of every block, and the momenta of all blocks from each one upwards.
    fn momenta(
        &self,
        table: &LeverTable,
        velocity: &[Vec2; MAX_BLOCKS],
        rate: &Row,
    ) -> (Row, [Vec2; MAX_BLOCKS]) {
        let (mut angular, mut linear) = ([0.0; MAX_BLOCKS], [Vec2::default(); MAX_BLOCKS]);
        let mut above = Vec2::default();
        for j in (0..self.before.len()).rev() {
            let block = self.stack.blocks()[j];
            let own = velocity[j] * block.mass;
            let turn = |lever: Vec2| lever.turned(self.cos[j], self.sin[j]).turn_rate();
            angular[j] = block.inertia() * rate[j]
                + turn(table.lever[j]).dot(above)
                + turn(table.centre[j]).dot(own);
            above = above + own;
            linear[j] = above;
        }
        (angular, linear)
    }

    fn kinetic(&self, velocity: &[Vec2; MAX_BLOCKS], rate: &Row) -> f64 {
        let blocks = &self.stack.blocks()[..self.before.len()];
        blocks
            .iter()
            .zip(velocity)
            .zip(rate)
            .map(|((block, v), w)| 0.5 * (block.mass * v.dot(*v) + block.inertia() * w * w))
            .sum()
    }

    /// The outcome in a configuration that is given.
    pub fn check(&self, trial: &Configuration) -> Trial<Outcome> {
        let blocks = trial.len();
        let table = LeverTable::new(self.stack, trial);
        let chain = Chain::new(self.stack, trial);
        let (before, linear_before) = self.momenta(&table, &self.velocity, &self.rate);
        let group_rate = self.group_rates(&chain, &before, &linear_before);

        let mut rate = [0.0; MAX_BLOCKS];
        let mut phi_rate = [0.0; MAX_BLOCKS];
        let groups = chain.groups();
        for (g, group) in groups.iter().enumerate() {
            let end = groups.get(g + 1).map_or(blocks, |next| next.first);
            rate[group.first..end].fill(group_rate[g]);
            phi_rate[group.first] = group_rate[g] - if g == 0 { 0.0 } else { group_rate[g - 1] };
        }
        let velocity = self.velocities(&table, &rate);
        let (after, linear_after) = self.momenta(&table, &velocity, &rate);
        let mut impulse = [Contact::default(); MAX_BLOCKS];
        let mut moment = 0.0;
        for j in (0..blocks).rev() {
            moment += after[j] - before[j];
            let force = linear_after[j] - linear_before[j];
            let (cos, sin) = self.face(j);
            impulse[j] = Contact {
                normal: sin * force.x + cos * force.z,
                tangent: cos * force.x - sin * force.z,
                moment,
            };
        }
        let (advice, violation) = self.contradictions(trial, &phi_rate, &impulse);
        let energy = (
            self.kinetic(&self.velocity, &self.rate),
            self.kinetic(&velocity, &rate),
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

    /// Cosine and sine of the face of interface `j`: of the wider of the two bodies, the base being the widest.
    fn face(&self, j: usize) -> (f64, f64) {
        match self.stack.face_of(j) {
            Some(body) => (self.cos[body], self.sin[body]),
            None => (1.0, 0.0),
        }
    }

    /// The interface that contradicts most, and how.
    fn refusal(&self, trial: &Configuration, outcome: &Outcome) -> Option<NoOutcome> {
        let unit = self.fastest.max(f64::MIN_POSITIVE);
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
        phi_rate: &Row,
        impulse: &[Contact; MAX_BLOCKS],
    ) -> (Configuration, f64) {
        let mut advice = *trial;
        let mut violation = 0.0;
        let unit = self.fastest.max(f64::MIN_POSITIVE);
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

    /// Rates of the groups after the impact.
    fn group_rates(&self, chain: &Chain, before: &Row, linear_before: &[Vec2; MAX_BLOCKS]) -> Row {
        let groups = chain.groups();
        let (mut cos, mut sin, mut right) =
            ([1.0; MAX_BLOCKS], [0.0; MAX_BLOCKS], [0.0; MAX_BLOCKS]);
        for (g, group) in groups.iter().enumerate() {
            let end = groups
                .get(g + 1)
                .map_or(self.before.len(), |next| next.first);
            right[g] = before[group.first..end].iter().sum();
            (cos[g], sin[g]) = (self.cos[group.first], self.sin[group.first]);
        }
        let matrix = mass_matrix(groups, &cos, &sin);
        let struck = groups.iter().position(|group| group.first == self.struck);
        let share = match self.restitution {
            InterfaceRestitution::Offset { ratio } => Some(ratio),
            _ => None,
        };
        let (Some(g), true) = (struck, share.is_some() || self.target.is_some()) else {
            Ldlt::new(matrix, groups.len()).solve(&mut right);
            return right;
        };
        // The moment impulse at the struck interface turns the body above it and, against it, the body below.
        let mut couple = [0.0; MAX_BLOCKS];
        couple[g] = 1.0;
        if g > 0 {
            couple[g - 1] = -1.0;
        }
        if let Some(target) = self.target {
            let mass = Ldlt::new(matrix, groups.len());
            return prescribed(&mass, right, couple, target, g);
        }
        let inwards = 1.0 - share.unwrap_or(1.0);
        let arm = groups[g].sign * self.stack.half_width(self.struck) * inwards;
        let normal = Vec2::new(sin[g], cos[g]);
        let mut shifted = matrix;
        for (i, group) in groups.iter().enumerate() {
            let carried = if i < g {
                group.lever * groups[g].mass
            } else {
                group.moment
            };
            let gain = normal.dot(carried.turned(cos[i], sin[i]).turn_rate()) * arm;
            for row in 0..groups.len() {
                shifted[row][i] -= couple[row] * gain;
            }
        }
        let lost = normal.dot(linear_before[self.struck]) * arm;
        for row in 0..groups.len() {
            right[row] -= couple[row] * lost;
        }
        Lu::new(shifted, groups.len()).map_or([0.0; MAX_BLOCKS], |factors| factors.solve(&right))
    }
}

/// The rates with the opening rate of group `g` brought to `target` by a moment impulse.
fn prescribed(
    mass: &Ldlt<MAX_BLOCKS>,
    mut rate: Row,
    mut couple: Row,
    target: f64,
    g: usize,
) -> Row {
    mass.solve(&mut rate);
    mass.solve(&mut couple);
    let opening = |row: &Row| row[g] - if g > 0 { row[g - 1] } else { 0.0 };
    let size = (target - opening(&rate)) / opening(&couple);
    for (value, unit) in rate.iter_mut().zip(&couple) {
        *value += size * unit;
    }
    rate
}

/// What is within round-off of zero, relative to the fastest rate.
const ROUND_OFF: f64 = 1e-13;

/// With more interfaces free than this the sets of pivots are not compared one by one.
const MOST_COMPARED: usize = 6;
