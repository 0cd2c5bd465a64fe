//! A stack at the moment of an impact: velocities, momenta, and what impulses make of them.

use super::Row;
use super::chain::{Chain, LeverTable, Vec2};
use super::motion::mass_matrix;
use super::sincos::sin_cos;
use super::{List, Stack};
use klast_numerics::dense::Ldlt;
use klast_numerics::mutant;

/// Attitudes and velocities of the blocks.
#[derive(Clone)]
pub(super) struct StruckStack<'a> {
    stack: &'a Stack,
    blocks: usize,
    cos: Row,
    sin: Row,
    pub rate: Row,
    /// Velocities of the centres before, relative to the base.
    pub velocity: List<Vec2>,
    /// Largest absolute rate before, the unit of a rate.
    pub fastest: f64,
}

/// A moment impulse at an interface.
#[derive(Debug, Clone, Copy)]
pub(super) enum Moment {
    /// Of the impulse at this share of the half width from the middle.
    OffTheCorner(f64),
    /// What brings the opening rate to this.
    Opening(f64),
}

impl<'a> StruckStack<'a> {
    /// The blocks at these angles and rates of their interfaces; `before` are the levers before.
    pub fn new(
        stack: &'a Stack,
        blocks: usize,
        before: &LeverTable,
        phi: &Row,
        phi_rate: &Row,
    ) -> Self {
        let zero = || Row::from_elem(0.0, blocks);
        let (mut cos, mut sin, mut rate) = (zero(), zero(), zero());
        let (mut turned, mut turning, mut fastest) = (0.0, 0.0, 0.0_f64);
        for j in 0..blocks {
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
            blocks,
            cos,
            sin,
            rate,
            velocity: List::from_elem(Vec2::default(), blocks),
            fastest,
        };
        made.velocity = made.velocities(before, &made.rate);
        made
    }

    /// Velocities of the centres of mass, relative to the base.
    pub fn velocities(&self, table: &LeverTable, rate: &Row) -> List<Vec2> {
        let mut velocity = List::from_elem(Vec2::default(), self.blocks);
        let mut pivot = Vec2::default();
        for j in 0..self.blocks {
            let turn = |lever: Vec2| lever.turned(self.cos[j], self.sin[j]).turn_rate() * rate[j];
            velocity[j] = pivot + turn(table.levers()[j].centre);
            pivot = pivot + turn(table.levers()[j].arm);
        }
        velocity
    }

    /// Σ_i m_i (P v'_ij)·V_i + I_j ω_j of every block, and the momenta of all blocks from each one upwards.
    pub fn momenta(&self, table: &LeverTable, velocity: &[Vec2], rate: &Row) -> (Row, List<Vec2>) {
        let mut angular = Row::from_elem(0.0, self.blocks);
        let mut linear = List::from_elem(Vec2::default(), self.blocks);
        let mut above = Vec2::default();
        for j in (0..self.blocks).rev() {
            let block = self.stack.blocks()[j];
            let own = velocity[j] * block.mass;
            let turn = |lever: Vec2| lever.turned(self.cos[j], self.sin[j]).turn_rate();
            angular[j] = block.inertia() * rate[j]
                + turn(table.levers()[j].arm).dot(above)
                + turn(table.levers()[j].centre).dot(own);
            above = above + own;
            linear[j] = above;
        }
        (angular, linear)
    }

    /// Momentum of each block and its moment of momentum about its centre, before.
    pub fn own_momenta(&self) -> (Vec<Vec2>, Vec<f64>) {
        let blocks = self.stack.blocks().iter().take(self.blocks);
        let moving = blocks.zip(self.velocity.iter()).zip(self.rate.iter());
        moving
            .map(|((block, v), w)| (*v * block.mass, block.inertia() * w))
            .unzip()
    }

    /// Cosine and sine of the attitude of each block.
    pub fn cosines(&self) -> (&[f64], &[f64]) {
        (&self.cos, &self.sin)
    }

    pub fn kinetic(&self, velocity: &[Vec2], rate: &Row) -> f64 {
        let blocks = &self.stack.blocks()[..self.blocks];
        blocks
            .iter()
            .zip(velocity)
            .zip(rate.iter())
            .map(|((block, v), w)| 0.5 * (block.mass * v.dot(*v) + block.inertia() * w * w))
            .sum()
    }

    /// Cosine and sine of the face of interface `j`: of the wider of the two bodies, the base being the widest.
    pub fn face(&self, j: usize) -> (f64, f64) {
        match self.stack.face_of(j) {
            Some(body) => (self.cos[body], self.sin[body]),
            None => (1.0, 0.0),
        }
    }

    /// Rates of the groups after the impact, with a moment impulse at an interface, if one acts. `before` and
    /// `linear_before` are the momenta before by the levers after.
    pub fn group_rates(
        &self,
        chain: &Chain,
        (before, linear_before): (&Row, &[Vec2]),
        moment: Option<(usize, Moment)>,
    ) -> Row {
        let groups = chain.groups();
        let zero = || Row::from_elem(0.0, groups.len());
        let (mut cos, mut sin, mut rate) = (zero(), zero(), zero());
        for (g, group) in groups.iter().enumerate() {
            let end = groups.get(g + 1).map_or(self.blocks, |next| next.first);
            let sum: f64 = before[group.first..end].iter().sum();
            rate[g] = sum * mutant::factor("stack-impact", 0.999);
            (cos[g], sin[g]) = (self.cos[group.first], self.sin[group.first]);
        }
        let mass = Ldlt::new(mass_matrix(groups, &cos, &sin), groups.len());
        mass.solve(&mut rate);
        let acting = moment.and_then(|(interface, moment)| {
            let group = groups.iter().position(|group| group.first == interface);
            group.map(|g| (interface, g, moment))
        });
        let Some((interface, g, moment)) = acting else {
            return rate;
        };
        // The moment impulse at the struck interface turns the body above it and, against it, the body below.
        let mut unit = zero();
        unit[g] = 1.0;
        if g > 0 {
            unit[g - 1] = -1.0;
        }
        mass.solve(&mut unit);
        // The impulse is (wanted − made by the rates without it) over what a unit of it makes.
        let (wanted, made, by_unit) = match moment {
            Moment::Opening(target) => {
                let opening = |row: &Row| row[g] - if g > 0 { row[g - 1] } else { 0.0 };
                (target, opening(&rate), opening(&unit))
            }
            Moment::OffTheCorner(ratio) => {
                // The moment is the normal impulse times its arm, and the normal impulse follows from the rates.
                let arm = groups[g].sign * self.stack.half_width(interface) * (1.0 - ratio);
                let normal = Vec2::new(sin[g], cos[g]);
                let carried = |row: &Row| {
                    let mut sum = 0.0;
                    for (i, group) in groups.iter().enumerate() {
                        let carried = if i < g {
                            group.lever * groups[g].mass
                        } else {
                            group.moment
                        };
                        sum += normal.dot(carried.turned(cos[i], sin[i]).turn_rate()) * row[i];
                    }
                    sum * arm
                };
                let lost = normal.dot(linear_before[interface]) * arm;
                (-lost, -carried(&rate), 1.0 - carried(&unit))
            }
        };
        let size = (wanted - made) / by_unit;
        if !size.is_finite() {
            return zero();
        }
        for (value, unit) in rate.iter_mut().zip(unit.iter()) {
            *value += size * unit;
        }
        rate
    }
}
