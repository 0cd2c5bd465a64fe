//! Newton systems in the velocities of the bodies: one 6x6 block per body that moves and two per touching pair, far
//! fewer than `W` has blocks.

use super::block_layout::BlockLayout;
use super::body::{BodyInertia, BodyVelocity};
use super::group::Group;
use super::problem::Problem;
use super::wide::groups::WideGroups;
use super::wide::tangent_stiffness::Matrix;
use crate::linear::block_lu::BlockLu;
use crate::linear::block6::{Block6, Vector};
use crate::linear::minimum_degree::MinimumDegree;
use glam::{DMat3, DVec3};

/// `M + Hᵀ K H`, its factors and the gradient `M (v − v₀) − Hᵀ r`; kept between runs, the order of elimination as long
/// as the same bodies touch.
#[derive(Debug, Clone, Default)]
pub(super) struct NewtonSystem {
    pairs: Vec<(u32, u32)>,
    /// Movable bodies: index among them, or `u32::MAX`.
    index: Vec<u32>,
    movable: Vec<u32>,
    layouts: Layouts,
    search: MinimumDegree,
    /// Groups that take part.
    kept: Vec<bool>,
    lu: BlockLu<Block6>,
    /// The groups, side by side.
    pub groups: WideGroups,
    /// Mass and inertia of movable bodies.
    mass: Vec<(f64, DMat3)>,
    gradient: Vec<Vector>,
    direction: Vec<Vector>,
}

/// Layouts of the matrix with all pairs, and with those alone that take part at present.
#[derive(Debug, Clone, Default)]
struct Layouts {
    whole: BlockLayout,
    part: BlockLayout,
    narrowed: bool,
}

impl Layouts {
    fn current(&self) -> &BlockLayout {
        if self.narrowed {
            &self.part
        } else {
            &self.whole
        }
    }
}

impl NewtonSystem {
    /// Indices, masses and the pattern; false when a body moves but has no inertia to invert.
    pub fn prepare(&mut self, problem: &Problem) -> bool {
        self.index.clear();
        self.movable.clear();
        self.mass.clear();
        for (i, body) in problem.bodies.iter().enumerate() {
            if body.is_fixed() {
                self.index.push(u32::MAX);
                continue;
            }
            let inertia = body.inverse_inertia.inverse();
            if body.inverse_mass <= 0.0 || !inertia.is_finite() {
                return false;
            }
            self.index.push(self.movable.len() as u32);
            self.movable.push(i as u32);
            self.mass.push((1.0 / body.inverse_mass, inertia));
        }
        self.groups.fill(problem, &self.index);
        let index = &self.index;
        let pairs = problem
            .groups
            .iter()
            .map(|g| (index[g.first as usize], index[g.second as usize]));
        let same = pairs.clone().eq(self.pairs.iter().copied())
            && self.layouts.whole.pattern.order.len() == self.movable.len();
        if !same {
            self.pairs.clear();
            self.pairs.extend(pairs);
            self.layouts
                .whole
                .arrange(self.movable.len(), &self.pairs, |_| true, &mut self.search);
        }
        self.layouts.narrowed = false;
        true
    }

    /// Gives groups for which `takes_part` says so their blocks in the matrix. With `narrow` the others lose theirs,
    /// which saves fill; their stiffness must be negligible.
    pub fn restrict_pattern(&mut self, takes_part: &[bool], narrow: bool) {
        if narrow {
            self.kept.clear();
            self.kept.extend_from_slice(takes_part);
        } else if !self.layouts.narrowed
            || takes_part
                .iter()
                .zip(&self.kept)
                .all(|(new, old)| *old || !new)
        {
            return;
        } else {
            for (kept, new) in self.kept.iter_mut().zip(takes_part) {
                *kept |= *new;
            }
        }
        self.layouts.narrowed = true;
        let kept = &self.kept;
        self.layouts.part.arrange(
            self.movable.len(),
            &self.pairs,
            |g| kept[g],
            &mut self.search,
        );
    }

    /// The groups, the gradient and the matrix, for a pass over the groups.
    pub fn parts(&mut self) -> (&WideGroups, &mut [Vector], Matrix<'_>) {
        let layout = self.layouts.current();
        let lu = &mut self.lu;
        (&self.groups, &mut self.gradient, Matrix { lu, layout })
    }

    /// Bodies that move.
    pub fn moving(&self) -> usize {
        self.movable.len()
    }

    /// Mass of what moves (kg).
    pub fn total_mass(&self) -> f64 {
        self.mass.iter().map(|m| m.0).sum()
    }

    /// Mass of the lightest body that moves (kg).
    pub fn least_mass(&self) -> f64 {
        self.mass.iter().map(|m| m.0).fold(f64::INFINITY, f64::min)
    }

    /// Starts the gradient with `M (v − v₀)`.
    pub fn momentum(&mut self, velocities: &[BodyVelocity], free: &[BodyVelocity]) {
        self.gradient.clear();
        for (&i, (mass, inertia)) in self.movable.iter().zip(&self.mass) {
            let (v, free) = (&velocities[i as usize], &free[i as usize]);
            let (p, l) = (
                (v.linear - free.linear) * *mass,
                *inertia * (v.angular - free.angular),
            );
            self.gradient.push([p.x, p.y, p.z, l.x, l.y, l.z]);
        }
    }

    /// Takes `Hᵀ r` of a group off the gradient.
    pub fn subtract(&mut self, group: &Group, p: DVec3, t: DVec3) {
        let (p, t) = (group.frame.to_world(p), group.frame.to_world(t));
        for (body, arm, sign) in [
            (group.first, group.arm_first, -1.0),
            (group.second, group.arm_second, 1.0),
        ] {
            let k = self.index[body as usize];
            if k != u32::MAX {
                let l = (arm.cross(p) + t) * sign;
                let p = p * sign;
                for (g, x) in self.gradient[k as usize]
                    .iter_mut()
                    .zip([p.x, p.y, p.z, l.x, l.y, l.z])
                {
                    *g += x;
                }
            }
        }
    }

    /// `gᵀ M⁻¹ g`, a kinetic energy.
    pub fn gradient_size(&self, bodies: &[BodyInertia]) -> f64 {
        let energy = |(&i, g): (&u32, &Vector)| {
            let body = &bodies[i as usize];
            let (p, l) = (DVec3::new(g[0], g[1], g[2]), DVec3::new(g[3], g[4], g[5]));
            p.length_squared() * body.inverse_mass + l.dot(body.inverse_inertia * l)
        };
        self.movable
            .iter()
            .zip(&self.gradient)
            .map(energy)
            .sum::<f64>()
            .sqrt()
    }

    /// Starts the matrix with `M`.
    pub fn clear(&mut self) {
        let layout = self.layouts.current();
        self.lu.clear(&layout.pattern);
        for (k, (mass, inertia)) in self.mass.iter().enumerate() {
            let Some(b) = self.lu.block(layout.own[k]) else {
                continue;
            };
            let columns = inertia.to_cols_array_2d();
            for i in 0..3 {
                b[i][i] = *mass;
                for j in 0..3 {
                    b[3 + i][3 + j] = columns[j][i];
                }
            }
        }
    }

    /// The direction `−A⁻¹` gradient; false when a pivot block is singular.
    pub fn solve(&mut self) -> bool {
        let solved = self.factor();
        if solved {
            self.substitute();
        }
        solved
    }

    /// Factorisations so far.
    pub fn factored(&self) -> usize {
        self.lu.factored()
    }

    /// Factors the matrix; false when a pivot block is singular.
    pub fn factor(&mut self) -> bool {
        let layout = self.layouts.current();
        self.lu.factor(&layout.pattern)
    }

    /// The direction `−A⁻¹` gradient with the present factors.
    pub fn substitute(&mut self) {
        let layout = self.layouts.current();
        let (gradient, direction) = (&self.gradient, &mut self.direction);
        direction.resize(gradient.len(), [0.0; 6]);
        self.lu.solve(
            &layout.pattern,
            |i| gradient[i].map(|x| -x),
            |i, v| direction[i] = *v,
        );
    }

    /// Starts the gradient with zero.
    pub fn clear_gradient(&mut self) {
        self.gradient.clear();
        self.gradient.resize(self.movable.len(), [0.0; 6]);
    }

    /// `−M⁻¹` gradient of the bodies that move.
    pub fn response(&self, bodies: &[BodyInertia], velocities: &mut [BodyVelocity]) {
        for (&i, g) in self.movable.iter().zip(&self.gradient) {
            let body = &bodies[i as usize];
            let (p, l) = (DVec3::new(g[0], g[1], g[2]), DVec3::new(g[3], g[4], g[5]));
            velocities[i as usize] = BodyVelocity {
                linear: p * -body.inverse_mass,
                angular: -(body.inverse_inertia * l),
            };
        }
    }

    /// Moves the velocities by a part of the direction.
    pub fn advance(&self, velocities: &mut [BodyVelocity], part: f64) {
        for (&i, d) in self.movable.iter().zip(&self.direction) {
            let v = &mut velocities[i as usize];
            v.linear += DVec3::new(d[0], d[1], d[2]) * part;
            v.angular += DVec3::new(d[3], d[4], d[5]) * part;
        }
    }
}
