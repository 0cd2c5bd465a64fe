//! The projected Gauss–Seidel sweep over eight groups at once, one in each lane of a vector unit.
//!
//! Groups of one colour share no body that can move, so they do not feel each other. Each operation is that of
//! [`Group::sweep`] in the same order, so that the bits are the same.

use super::jacobian::relative_twist;
use super::lane::{LANES, Lane, Matrix, Vector, ZERO, put, put_matrix};
use super::math::{Wide, Wide3, Wide33};
use super::motion::{Motion, WideMotion};
use crate::bodies::body::BodyInertia;
use crate::bodies::group::{Group, Row};
use pulp::Simd;

/// Work on the parts in which all lanes are done, with the number of the part as a constant: no bound of a lane is
/// looked at then.
macro_rules! in_parts {
    ($simd:ty, $part:ident, $work:block) => {
        in_parts!(@ $simd, $part, $work, 0 1 2 3 4 5 6 7)
    };
    (@ $simd:ty, $part:ident, $work:block, $($k:literal)*) => {$(
        if $k < LANES / <$simd>::F64_LANES {
            const $part: usize = $k;
            $work
        }
    )*};
}

/// The impulses of a contact of each group.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct Impulses(pub Vector);

impl Impulses {
    pub const ZERO: Self = Self(ZERO);
}

/// What eight groups are made of, as in `Group`. A lane without a group is zero and points to the ground.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct SweepGroup {
    bodies: [[u32; LANES]; 2],
    /// Sweep contacts, as many as the longest group has.
    pub start: u32,
    pub end: u32,
    frame: Matrix,
    arms: [Vector; 2],
    a: Matrix,
    b: Matrix,
    c: Matrix,
    /// Inverse masses and inertias.
    masses: [Lane; 2],
    inertias: [Matrix; 2],
}

/// One contact of each group. In a lane that has none all is zero, and so the impulse stays.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct SweepContact {
    offset: Vector,
    bias: Vector,
    mu: Lane,
    normal_gain: Lane,
    tangent_gain: Lane,
    coupling: [Lane; 2],
}

impl SweepGroup {
    pub const EMPTY: Self = Self {
        bodies: [[0; LANES]; 2],
        start: 0,
        end: 0,
        frame: [ZERO; 3],
        arms: [ZERO; 2],
        a: [ZERO; 3],
        b: [ZERO; 3],
        c: [ZERO; 3],
        masses: [[0.0; LANES]; 2],
        inertias: [[ZERO; 3]; 2],
    };

    /// Fills a lane; without friction only what [`SweepGroup::sweep_normals`] reads.
    pub fn set(&mut self, lane: usize, group: &Group, bodies: &[BodyInertia], frictionless: bool) {
        put_matrix(&mut self.frame, lane, &group.frame.matrix());
        if frictionless {
            self.a[0][0][lane] = group.a.x_axis.x;
            for (k, (b, c)) in [
                (group.b.y_axis, group.c.y_axis),
                (group.b.z_axis, group.c.z_axis),
            ]
            .into_iter()
            .enumerate()
            {
                self.b[k + 1][0][lane] = b.x;
                (self.c[k + 1][1][lane], self.c[k + 1][2][lane]) = (c.y, c.z);
            }
        } else {
            put_matrix(&mut self.a, lane, &group.a);
            put_matrix(&mut self.b, lane, &group.b);
            put_matrix(&mut self.c, lane, &group.c);
        }
        let sides = [
            (group.first, group.arm_first),
            (group.second, group.arm_second),
        ];
        for (k, (n, arm)) in sides.into_iter().enumerate() {
            let body = &bodies[n as usize];
            self.bodies[k][lane] = n;
            put(&mut self.arms[k], lane, arm);
            self.masses[k][lane] = body.inverse_mass;
            put_matrix(&mut self.inertias[k], lane, &body.inverse_inertia);
        }
    }

    /// One projected Gauss–Seidel pass over the contacts of each group.
    #[inline(always)]
    pub fn sweep<S: Simd>(
        &self,
        simd: S,
        rows: &[SweepContact],
        impulses: &mut [Impulses],
        motions: &mut [Motion],
    ) {
        let Some(last) = rows.len().checked_sub(1) else {
            return;
        };
        in_parts!(S, PART, {
            let load = |vector: &Vector| Wide3::load(simd, vector, PART);
            let sides = self.sides(simd, motions, PART);
            let [mut linear, mut angular] = self.relative(simd, &sides, PART);
            let none = Wide3([Wide::splat(simd, 0.0); 3]);
            let (mut p_sum, mut t_sum) = (none, none);
            for (k, (row, Impulses(r))) in rows.iter().zip(&mut *impulses).enumerate() {
                let (before, offset) = (load(r), load(&row.offset));
                let u = linear + angular.cross(offset) + load(&row.bias);
                let next = row.projected(simd, before, u, PART);
                next.store(r, PART);
                let p = next - before;
                let t = offset.cross(p);
                (p_sum, t_sum) = (p_sum + p, t_sum + t);
                // No contact of the group waits for the last one.
                if k < last {
                    // Matrices are read anew for each contact: more registers than there are would be written to memory
                    // and read back.
                    let own = std::hint::black_box(self);
                    let matrix = |matrix: &Matrix| Wide33::load(simd, matrix, PART);
                    let (a, b, c) = (matrix(&own.a), matrix(&own.b), matrix(&own.c));
                    linear = linear + (a * p + b * t);
                    angular = angular + (b.transpose() * p + c * t);
                }
            }
            self.apply(simd, [p_sum, t_sum], sides, motions, PART);
        });
    }

    /// The same where no contact has friction: [`Group::sweep_normals`].
    #[inline(always)]
    pub fn sweep_normals<S: Simd>(
        &self,
        simd: S,
        rows: &[SweepContact],
        impulses: &mut [Impulses],
        motions: &mut [Motion],
    ) {
        in_parts!(S, PART, {
            let load = |lane: &Lane| Wide::load(simd, lane, PART);
            let (a, b, c) = (&self.a, &self.b, &self.c);
            let sides = self.sides(simd, motions, PART);
            let [Wide3([mut linear, ..]), Wide3([_, mut t1, mut t2])] =
                self.relative(simd, &sides, PART);
            let none = Wide::splat(simd, 0.0);
            let (mut p_sum, mut t1_sum, mut t2_sum) = (none, none, none);
            for (row, Impulses(r)) in rows.iter().zip(&mut *impulses) {
                let (y, z) = (load(&row.offset[1]), load(&row.offset[2]));
                let u = linear + (t1 * z - y * t2) + load(&row.bias[0]);
                let before = load(&r[0]);
                let next = before - u * load(&row.normal_gain);
                let next = next.wherever(next);
                next.store(&mut r[0], PART);
                let p = next - before;
                let (m1, m2) = (z * p, -(y * p));
                linear =
                    linear + (load(&a[0][0]) * p + (load(&b[1][0]) * m1 + load(&b[2][0]) * m2));
                t1 = t1 + (load(&b[1][0]) * p + (load(&c[1][1]) * m1 + load(&c[2][1]) * m2));
                t2 = t2 + (load(&b[2][0]) * p + (load(&c[1][2]) * m1 + load(&c[2][2]) * m2));
                (p_sum, t1_sum, t2_sum) = (p_sum + p, t1_sum + m1, t2_sum + m2);
            }
            let sums = [Wide3([p_sum, none, none]), Wide3([none, t1_sum, t2_sum])];
            self.apply(simd, sums, sides, motions, PART);
        });
    }

    /// The motions of the bodies.
    #[inline(always)]
    fn sides<S: Simd>(&self, simd: S, motions: &[Motion], part: usize) -> [WideMotion<S>; 2] {
        let [first, second] = &self.bodies;
        [
            WideMotion::of(simd, motions, first, part),
            WideMotion::of(simd, motions, second, part),
        ]
    }

    /// The relative twists at the reference points, local axes.
    #[inline(always)]
    fn relative<S: Simd>(&self, simd: S, sides: &[WideMotion<S>; 2], part: usize) -> [Wide3<S>; 2] {
        let [first, second] = &self.arms;
        let arms = [
            Wide3::load(simd, first, part),
            Wide3::load(simd, second, part),
        ];
        relative_twist(sides, arms, Wide33::load(simd, &self.frame, part))
    }

    /// Gives the bodies impulses and angular impulses about the reference points.
    #[inline(always)]
    fn apply<S: Simd>(
        &self,
        simd: S,
        [p, t]: [Wide3<S>; 2],
        [first, second]: [WideMotion<S>; 2],
        motions: &mut [Motion],
        part: usize,
    ) {
        let frame = Wide33::load(simd, &self.frame, part);
        let (p, t) = (frame * p, frame * t);
        let [[linear, angular], [linear_b, angular_b]] = [
            self.change(simd, 0, [p, t], part),
            self.change(simd, 1, [p, t], part),
        ];
        let WideMotion([v, turn]) = first;
        let first = WideMotion([v + linear, turn + angular]);
        let WideMotion([v, turn]) = second;
        let second = WideMotion([v - linear_b, turn - angular_b]);
        first.give(simd, motions, &self.bodies[0], part);
        second.give(simd, motions, &self.bodies[1], part);
    }

    /// The change of the motion of the bodies of a side by an impulse and an angular impulse, world axes.
    #[inline(always)]
    fn change<S: Simd>(
        &self,
        simd: S,
        side: usize,
        [p, t]: [Wide3<S>; 2],
        part: usize,
    ) -> [Wide3<S>; 2] {
        let moment = Wide3::load(simd, &self.arms[side], part).cross(p) + t;
        let inertia = Wide33::load(simd, &self.inertias[side], part);
        let mass = Wide::load(simd, &self.masses[side], part);
        [p * mass, inertia * moment]
    }
}

impl SweepContact {
    pub const EMPTY: Self = Self {
        offset: ZERO,
        bias: ZERO,
        mu: [0.0; LANES],
        normal_gain: [0.0; LANES],
        tangent_gain: [0.0; LANES],
        coupling: [[0.0; LANES]; 2],
    };

    /// Fills a lane; without friction only what [`SweepGroup::sweep_normals`] reads.
    pub fn set(&mut self, lane: usize, row: &Row, frictionless: bool) {
        self.normal_gain[lane] = row.normal_gain;
        if frictionless {
            (self.offset[1][lane], self.offset[2][lane]) = (row.offset.y, row.offset.z);
            self.bias[0][lane] = row.bias.x;
            return;
        }
        put(&mut self.offset, lane, row.offset);
        self.mu[lane] = row.mu;
        self.tangent_gain[lane] = row.tangent_gain;
        self.coupling[0][lane] = row.coupling[0];
        self.coupling[1][lane] = row.coupling[1];
        self.set_bias(lane, row);
    }

    /// What changes between runs of sweeps.
    pub fn set_bias(&mut self, lane: usize, row: &Row) {
        put(&mut self.bias, lane, row.bias);
    }

    /// The same of the normal alone.
    pub fn set_normal_bias(&mut self, lane: usize, bias: f64) {
        self.bias[0][lane] = bias;
    }

    /// Signorini's step in the normal, then the step on the disc, at the relative velocities `u`.
    #[inline(always)]
    fn projected<S: Simd>(&self, simd: S, r: Wide3<S>, u: Wide3<S>, part: usize) -> Wide3<S> {
        let load = |lane: &Lane| Wide::load(simd, lane, part);
        let (Wide3([x, y, z]), Wide3([u_n, u_1, u_2])) = (r, u);
        let n = x - u_n * load(&self.normal_gain);
        let n = n.wherever(n);
        let dn = n - x;
        let gain = load(&self.tangent_gain);
        let y = y - gain * (u_1 + load(&self.coupling[0]) * dn);
        let z = z - gain * (u_2 + load(&self.coupling[1]) * dn);
        let (square, limit) = (y * y + z * z, load(&self.mu) * n);
        let shrink = (limit / square.sqrt()).or_one(square.is_above(limit * limit));
        Wide3([n, shrink * y, shrink * z])
    }
}
