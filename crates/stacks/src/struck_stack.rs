//! A stack at the moment of an impact: velocities, momenta, and what impulses make of them.

use super::Row;
use super::chain::{Chain, LeverTable, Vec2};
use super::motion::mass_matrix;
use super::sincos::sin_cos;
use super::{MAX_BLOCKS, Stack};
use klast_numerics::dense::{Ldlt, Lu};
use klast_numerics::mutant;

/// Attitudes and velocities of the blocks.
#[derive(Clone, Copy)]
pub(super) struct StruckStack<'a> {
    stack: &'a Stack,
    blocks: usize,
    cos: Row,
    sin: Row,
    pub rate: Row,
    /// Velocities of the centres before, relative to the base.
    pub velocity: [Vec2; MAX_BLOCKS],
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
        let (mut cos, mut sin, mut rate) =
            ([1.0; MAX_BLOCKS], [0.0; MAX_BLOCKS], [0.0; MAX_BLOCKS]);
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
            velocity: [Vec2::default(); MAX_BLOCKS],
            fastest,
        };
        made.velocity = made.velocities(before, &made.rate);
        made
    }

    /// Velocities of the centres of mass, relative to the base.
    pub fn velocities(&self, table: &LeverTable, rate: &Row) -> [Vec2; MAX_BLOCKS] {
        let mut velocity = [Vec2::default(); MAX_BLOCKS];
        let mut pivot = Vec2::default();
        for j in 0..self.blocks {
            let turn = |lever: Vec2| lever.turned(self.cos[j], self.sin[j]).turn_rate() * rate[j];
            velocity[j] = pivot + turn(table.centre[j]);
            pivot = pivot + turn(table.lever[j]);
        }
        velocity
    }

    /// Σ_i m_i (P v'_ij)·V_i + I_j ω_j of every block, and the momenta of all blocks from each one upwards.
    pub fn momenta(
        &self,
        table: &LeverTable,
        velocity: &[Vec2; MAX_BLOCKS],
        rate: &Row,
    ) -> (Row, [Vec2; MAX_BLOCKS]) {
        let (mut angular, mut linear) = ([0.0; MAX_BLOCKS], [Vec2::default(); MAX_BLOCKS]);
        let mut above = Vec2::default();
        for j in (0..self.blocks).rev() {
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

    pub fn kinetic(&self, velocity: &[Vec2; MAX_BLOCKS], rate: &Row) -> f64 {
        let blocks = &self.stack.blocks()[..self.blocks];
        blocks
            .iter()
            .zip(velocity)
            .zip(rate)
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
        (before, linear_before): (&Row, &[Vec2; MAX_BLOCKS]),
        moment: Option<(usize, Moment)>,
    ) -> Row {
        let groups = chain.groups();
        let (mut cos, mut sin, mut right) =
            ([1.0; MAX_BLOCKS], [0.0; MAX_BLOCKS], [0.0; MAX_BLOCKS]);
        for (g, group) in groups.iter().enumerate() {
            let end = groups.get(g + 1).map_or(self.blocks, |next| next.first);
            let sum: f64 = before[group.first..end].iter().sum();
            right[g] = sum * mutant::factor("stack-impact", 0.999);
            (cos[g], sin[g]) = (self.cos[group.first], self.sin[group.first]);
        }
        let matrix = mass_matrix(groups, &cos, &sin);
        let acting = moment.and_then(|(interface, moment)| {
            let group = groups.iter().position(|group| group.first == interface);
            group.map(|g| (interface, g, moment))
        });
        let Some((interface, g, moment)) = acting else {
            Ldlt::new(matrix, groups.len()).solve(&mut right);
            return right;
        };
        // The moment impulse at the struck interface turns the body above it and, against it, the body below.
        let mut couple = [0.0; MAX_BLOCKS];
        couple[g] = 1.0;
        if g > 0 {
            couple[g - 1] = -1.0;
        }
        let ratio = match moment {
            Moment::Opening(target) => {
                let mass = Ldlt::new(matrix, groups.len());
                return prescribed(&mass, right, couple, target, g);
            }
            Moment::OffTheCorner(ratio) => ratio,
        };
        let inwards = 1.0 - ratio;
        let arm = groups[g].sign * self.stack.half_width(interface) * inwards;
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
        let lost = normal.dot(linear_before[interface]) * arm;
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
