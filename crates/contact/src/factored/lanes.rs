//! The sweep over several groups at once, one in each lane of a vector unit.
//!
//! Groups of one colour share no node that can move, so they do not feel each other. A pack holds [`LANES`] of them with
//! the same number of a quantity side by side. Each operation is that of [`Group::sweep`] in the same order, so that the
//! bits are the same, and they do not depend on the vector unit either.

// The lane is an index of several arrays at once.
#![allow(clippy::needless_range_loop)]

use super::group::{Group, Row};
use super::wide::{Lane, Matrix, Vector, ZERO};
use super::{Node, NodeVelocity};
use glam::{DMat3, DVec3};

/// Groups of a pack. A contact waits for the one before in its group: with eight lanes a unit for four numbers has a
/// second chain to work on meanwhile, and a wider one is filled.
pub(super) const LANES: usize = 8;

/// The impulses of a contact of each group.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Impulses(pub Vector);

impl Impulses {
    pub const ZERO: Self = Self(ZERO);
}

/// What the groups of a pack are made of, as in `Group`. A lane without a group is zero and points to the ground.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Pack {
    pub first: [u32; LANES],
    pub second: [u32; LANES],
    /// Rows of the pack, as many as the longest group has.
    pub start: u32,
    pub end: u32,
    frame: Matrix,
    arm_first: Vector,
    arm_second: Vector,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    mass_first: Lane,
    mass_second: Lane,
    inertia_first: Matrix,
    inertia_second: Matrix,
}

/// One contact of each group. In a lane that has none all is zero, and so the impulse stays.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct PackRow {
    offset: Vector,
    bias: Vector,
    mu: Lane,
    normal_gain: Lane,
    tangent_gain: Lane,
    coupling: [Lane; 2],
}

#[derive(Clone, Copy)]
struct Twist {
    linear: Vector,
    angular: Vector,
}

impl Pack {
    pub const EMPTY: Self = Self {
        first: [0; LANES],
        second: [0; LANES],
        start: 0,
        end: 0,
        frame: [ZERO; 3],
        arm_first: ZERO,
        arm_second: ZERO,
        a: [ZERO; 3],
        b: [ZERO; 3],
        c: [ZERO; 3],
        mass_first: [0.0; LANES],
        mass_second: [0.0; LANES],
        inertia_first: [ZERO; 3],
        inertia_second: [ZERO; 3],
    };

    pub fn set(&mut self, lane: usize, group: &Group, nodes: &[Node]) {
        (self.first[lane], self.second[lane]) = (group.first, group.second);
        put_matrix(&mut self.frame, lane, &group.frame.matrix());
        put(&mut self.arm_first, lane, group.arm_first);
        put(&mut self.arm_second, lane, group.arm_second);
        put_matrix(&mut self.a, lane, &group.a);
        put_matrix(&mut self.b, lane, &group.b);
        put_matrix(&mut self.c, lane, &group.c);
        let (first, second) = (&nodes[group.first as usize], &nodes[group.second as usize]);
        self.mass_first[lane] = first.inverse_mass;
        self.mass_second[lane] = second.inverse_mass;
        put_matrix(&mut self.inertia_first, lane, &first.inverse_inertia);
        put_matrix(&mut self.inertia_second, lane, &second.inverse_inertia);
    }

    /// One projected Gauss–Seidel pass over the contacts of each group.
    #[inline(always)]
    pub fn sweep(
        &self,
        rows: &[PackRow],
        impulses: &mut [Impulses],
        velocities: &mut [NodeVelocity],
    ) {
        let mut first = gather(velocities, &self.first);
        let mut second = gather(velocities, &self.second);
        let mut v = self.relative(&first, &second);
        let (mut impulse, mut angular) = (ZERO, ZERO);
        for (row, Impulses(r)) in rows.iter().zip(impulses) {
            let (p, t) = row.take(r, &v);
            v = self.changed(&v, &p, &t);
            impulse = add(&impulse, &p);
            angular = add(&angular, &t);
        }
        let (p, t) = (
            product(&self.frame, &impulse),
            product(&self.frame, &angular),
        );
        first.linear = add(&first.linear, &scale(&p, &self.mass_first));
        let moment = add(&cross(&self.arm_first, &p), &t);
        first.angular = add(&first.angular, &product(&self.inertia_first, &moment));
        scatter(&first, velocities, &self.first);
        second.linear = subtract(&second.linear, &scale(&p, &self.mass_second));
        let moment = add(&cross(&self.arm_second, &p), &t);
        second.angular = subtract(&second.angular, &product(&self.inertia_second, &moment));
        scatter(&second, velocities, &self.second);
    }

    /// Relative twist at the reference points, local axes.
    #[inline(always)]
    fn relative(&self, a: &Twist, b: &Twist) -> Twist {
        let linear = add(&a.linear, &cross(&a.angular, &self.arm_first));
        let linear = subtract(&linear, &b.linear);
        let linear = subtract(&linear, &cross(&b.angular, &self.arm_second));
        Twist {
            linear: transposed(&self.frame, &linear),
            angular: transposed(&self.frame, &subtract(&a.angular, &b.angular)),
        }
    }

    #[inline(always)]
    fn changed(&self, v: &Twist, p: &Vector, t: &Vector) -> Twist {
        let linear = add(&product(&self.a, p), &product(&self.b, t));
        let angular = add(&transposed(&self.b, p), &product(&self.c, t));
        Twist {
            linear: add(&v.linear, &linear),
            angular: add(&v.angular, &angular),
        }
    }
}

impl PackRow {
    pub const EMPTY: Self = Self {
        offset: ZERO,
        bias: ZERO,
        mu: [0.0; LANES],
        normal_gain: [0.0; LANES],
        tangent_gain: [0.0; LANES],
        coupling: [[0.0; LANES]; 2],
    };

    pub fn set(&mut self, lane: usize, row: &Row) {
        put(&mut self.offset, lane, row.offset);
        self.mu[lane] = row.mu;
        self.normal_gain[lane] = row.normal_gain;
        self.tangent_gain[lane] = row.tangent_gain;
        self.coupling[0][lane] = row.coupling[0];
        self.coupling[1][lane] = row.coupling[1];
        self.set_bias(lane, row);
    }

    /// What changes between runs of sweeps.
    pub fn set_bias(&mut self, lane: usize, row: &Row) {
        put(&mut self.bias, lane, row.bias);
    }

    /// Takes the projected impulses at the relative twists `v`; their change, and that of the angular impulses.
    #[inline(always)]
    fn take(&self, r: &mut Vector, v: &Twist) -> (Vector, Vector) {
        let u = add(&v.linear, &cross(&v.angular, &self.offset));
        let next = self.projected(r, &add(&u, &self.bias));
        let p = subtract(&next, r);
        *r = next;
        (p, cross(&self.offset, &p))
    }

    /// Signorini's step in the normal, then the step on the disc.
    #[inline(always)]
    fn projected(&self, r: &Vector, u: &Vector) -> Vector {
        let mut next = ZERO;
        for i in 0..LANES {
            let n = (r[0][i] - u[0][i] * self.normal_gain[i]).max(0.0);
            let dn = n - r[0][i];
            let y = r[1][i] - self.tangent_gain[i] * (u[1][i] + self.coupling[0][i] * dn);
            let z = r[2][i] - self.tangent_gain[i] * (u[2][i] + self.coupling[1][i] * dn);
            let (square, limit) = (y * y + z * z, self.mu[i] * n);
            let shrink = limit / square.sqrt();
            let shrink = if square > limit * limit { shrink } else { 1.0 };
            (next[0][i], next[1][i], next[2][i]) = (n, shrink * y, shrink * z);
        }
        next
    }
}

#[inline(always)]
fn add(a: &Vector, b: &Vector) -> Vector {
    each(a, b, |a, b| a + b)
}

#[inline(always)]
fn subtract(a: &Vector, b: &Vector) -> Vector {
    each(a, b, |a, b| a - b)
}

#[inline(always)]
fn each(a: &Vector, b: &Vector, of: impl Fn(f64, f64) -> f64) -> Vector {
    let mut all = ZERO;
    for k in 0..3 {
        for i in 0..LANES {
            all[k][i] = of(a[k][i], b[k][i]);
        }
    }
    all
}

#[inline(always)]
fn scale(a: &Vector, s: &Lane) -> Vector {
    let mut scaled = ZERO;
    for k in 0..3 {
        for i in 0..LANES {
            scaled[k][i] = a[k][i] * s[i];
        }
    }
    scaled
}

#[inline(always)]
fn cross(a: &Vector, b: &Vector) -> Vector {
    let mut cross = ZERO;
    for (k, y, z) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        for i in 0..LANES {
            cross[k][i] = a[y][i] * b[z][i] - b[y][i] * a[z][i];
        }
    }
    cross
}

#[inline(always)]
fn product(m: &Matrix, v: &Vector) -> Vector {
    let mut product = ZERO;
    for k in 0..3 {
        for i in 0..LANES {
            product[k][i] = m[0][k][i] * v[0][i] + m[1][k][i] * v[1][i] + m[2][k][i] * v[2][i];
        }
    }
    product
}

/// With the transposed matrix.
#[inline(always)]
fn transposed(m: &Matrix, v: &Vector) -> Vector {
    let mut product = ZERO;
    for k in 0..3 {
        for i in 0..LANES {
            product[k][i] = m[k][0][i] * v[0][i] + m[k][1][i] * v[1][i] + m[k][2][i] * v[2][i];
        }
    }
    product
}

#[inline(always)]
fn gather(velocities: &[NodeVelocity], nodes: &[u32; LANES]) -> Twist {
    let (mut linear, mut angular) = (ZERO, ZERO);
    for (i, &n) in nodes.iter().enumerate() {
        let v = &velocities[n as usize];
        put(&mut linear, i, v.linear);
        put(&mut angular, i, v.angular);
    }
    Twist { linear, angular }
}

#[inline(always)]
fn scatter(twist: &Twist, velocities: &mut [NodeVelocity], nodes: &[u32; LANES]) {
    for (i, &n) in nodes.iter().enumerate() {
        velocities[n as usize] = NodeVelocity {
            linear: get(&twist.linear, i),
            angular: get(&twist.angular, i),
        };
    }
}

#[inline(always)]
pub(super) fn put<const N: usize>(vector: &mut [[f64; N]; 3], lane: usize, v: DVec3) {
    (vector[0][lane], vector[1][lane], vector[2][lane]) = (v.x, v.y, v.z);
}

#[inline(always)]
pub(super) fn get<const N: usize>(vector: &[[f64; N]; 3], lane: usize) -> DVec3 {
    DVec3::new(vector[0][lane], vector[1][lane], vector[2][lane])
}

fn put_matrix(matrix: &mut Matrix, lane: usize, m: &DMat3) {
    put(&mut matrix[0], lane, m.x_axis);
    put(&mut matrix[1], lane, m.y_axis);
    put(&mut matrix[2], lane, m.z_axis);
}
