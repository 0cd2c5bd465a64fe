//! The projected Gauss–Seidel sweep over eight groups at once, one in each lane of a vector unit.
//!
//! Groups of one colour share no body that can move, so they do not feel each other. Each does what [`Group::sweep`]
//! does; what an impulse changes is read from matrices of the contact, where that makes it of those of the group.

use super::lane::{LANES, Lane, Matrix, Vector, ZERO, put, put_matrix};
use super::math::{Wide, Wide3, Wide33};
use super::motion::{Motion, WideMotion, relative_twist};
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

/// A vector of a contact of each group.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct Abreast(pub Vector);

impl Abreast {
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
    /// Contacts of each group, the most first.
    lengths: [u32; LANES],
    frame: Matrix,
    arms: [Vector; 2],
    /// Inverse masses and inertias.
    masses: [Lane; 2],
    inertias: [Matrix; 2],
}

/// One contact of each group. In a lane that has none all is zero, and so the impulse stays.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct SweepContact {
    offset: Vector,
    mu: Lane,
    normal_gain: Lane,
    tangent_gain: Lane,
    coupling: [Lane; 2],
    pub rho: Lane,
    /// Change of the group's relative twist by an impulse: `ΔV = (A + B [o]) p`, `ΔΩ = (Bᵀ + C [o]) p`.
    linear: Matrix,
    angular: Matrix,
}

impl SweepGroup {
    pub const EMPTY: Self = Self {
        bodies: [[0; LANES]; 2],
        start: 0,
        end: 0,
        lengths: [0; LANES],
        frame: [ZERO; 3],
        arms: [ZERO; 2],
        masses: [[0.0; LANES]; 2],
        inertias: [[ZERO; 3]; 2],
    };

    /// Fills a lane.
    pub fn set(&mut self, lane: usize, group: &Group, bodies: &[BodyInertia]) {
        self.lengths[lane] = group.end - group.start;
        put_matrix(&mut self.frame, lane, &group.frame.matrix());
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
        (biases, impulses): (&[Abreast], &mut [Abreast]),
        motions: &mut [Motion],
    ) {
        in_parts!(S, PART, {
            let rows = self.rows_of_part::<S>(rows, PART);
            let Some(last) = rows.len().checked_sub(1) else {
                return;
            };
            let load = |vector: &Vector| Wide3::load(simd, vector, PART);
            let sides = self.sides(simd, motions, PART);
            let [mut linear, mut angular] = self.relative(simd, &sides, PART);
            let none = Wide3([Wide::splat(simd, 0.0); 3]);
            let (mut p_sum, mut t_sum) = (none, none);
            let vectors = biases.iter().zip(&mut *impulses);
            for (k, (row, (Abreast(bias), Abreast(r)))) in rows.iter().zip(vectors).enumerate() {
                let (before, offset) = (load(r), load(&row.offset));
                let u = linear + angular.cross(offset) + load(bias);
                let next = row.projected(simd, before, u, PART);
                next.store(r, PART);
                let p = next - before;
                let t = offset.cross(p);
                (p_sum, t_sum) = (p_sum + p, t_sum + t);
                // No contact of the group waits for the last one.
                if k < last {
                    linear = linear + Wide33::load(simd, &row.linear, PART) * p;
                    angular = angular + Wide33::load(simd, &row.angular, PART) * p;
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
        (biases, impulses): (&[Abreast], &mut [Abreast]),
        motions: &mut [Motion],
    ) {
        in_parts!(S, PART, {
            let rows = self.rows_of_part::<S>(rows, PART);
            if rows.is_empty() {
                return;
            }
            let load = |lane: &Lane| Wide::load(simd, lane, PART);
            let sides = self.sides(simd, motions, PART);
            let [Wide3([mut linear, ..]), Wide3([_, mut t1, mut t2])] =
                self.relative(simd, &sides, PART);
            let none = Wide::splat(simd, 0.0);
            let (mut p_sum, mut t1_sum, mut t2_sum) = (none, none, none);
            let vectors = biases.iter().zip(&mut *impulses);
            for (row, (Abreast(bias), Abreast(r))) in rows.iter().zip(vectors) {
                let (y, z) = (load(&row.offset[1]), load(&row.offset[2]));
                let u = linear + (t1 * z - y * t2) + load(&bias[0]);
                let before = load(&r[0]);
                let next = before - u * load(&row.normal_gain);
                let next = next.wherever(next);
                next.store(&mut r[0], PART);
                let p = next - before;
                let (m1, m2) = (z * p, -(y * p));
                linear = linear + load(&row.linear[0][0]) * p;
                t1 = t1 + load(&row.angular[0][1]) * p;
                t2 = t2 + load(&row.angular[0][2]) * p;
                (p_sum, t1_sum, t2_sum) = (p_sum + p, t1_sum + m1, t2_sum + m2);
            }
            let sums = [Wide3([p_sum, none, none]), Wide3([none, t1_sum, t2_sum])];
            self.apply(simd, sums, sides, motions, PART);
        });
    }

    /// Fills in what impulses of the contacts do, and their gains.
    #[inline(always)]
    pub fn respond<S: Simd>(&self, simd: S, rows: &mut [SweepContact]) {
        in_parts!(S, PART, {
            let none = Wide3([Wide::splat(simd, 0.0); 3]);
            let (mut a, mut b, mut c) = (Wide33([none; 3]), Wide33([none; 3]), Wide33([none; 3]));
            let frame = Wide33::load(simd, &self.frame, PART);
            let turn = frame.transpose();
            for (side, inertia) in self.inertias.iter().enumerate() {
                let inertia = turn * Wide33::load(simd, inertia, PART) * frame;
                let arm = turn * Wide3::load(simd, &self.arms[side], PART);
                let lever = inertia.turned_by(arm);
                let mass = Wide::load(simd, &self.masses[side], PART);
                let Wide33([Wide3([x, yx, zx]), Wide3([xy, y, zy]), Wide3([xz, yz, z])]) =
                    a - lever.times_skew(arm);
                a = Wide33([
                    Wide3([x + mass, yx, zx]),
                    Wide3([xy, y + mass, zy]),
                    Wide3([xz, yz, z + mass]),
                ]);
                (b, c) = (b - lever, c + inertia);
            }
            for row in &mut *rows {
                let offset = Wide3::load(simd, &row.offset, PART);
                let linear = a + b.times_skew(offset);
                let angular = b.transpose() + c.times_skew(offset);
                linear.store(&mut row.linear, PART);
                angular.store(&mut row.angular, PART);
                row.set_gains(simd, linear - angular.turned_by(offset), PART);
            }
        });
    }

    /// As many contacts as the longest group in the lanes of a part has, which is the first; none in what is left after
    /// the last group.
    #[inline(always)]
    fn rows_of_part<'a, S: Simd>(
        &self,
        rows: &'a [SweepContact],
        part: usize,
    ) -> &'a [SweepContact] {
        &rows[..self.lengths[part * S::F64_LANES] as usize]
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
        mu: [0.0; LANES],
        normal_gain: [0.0; LANES],
        tangent_gain: [0.0; LANES],
        coupling: [[0.0; LANES]; 2],
        rho: [1.0; LANES],
        linear: [ZERO; 3],
        angular: [ZERO; 3],
    };

    /// Fills a lane but for what [`SweepGroup::respond`] fills in; none is of no contact, whose impulse stays.
    pub fn set(&mut self, lane: usize, row: Option<&Row>) {
        // Gains will be zero where this is.
        self.normal_gain[lane] = f64::from(u8::from(row.is_some()));
        let row = row.unwrap_or(&Row::NONE);
        put(&mut self.offset, lane, row.offset);
        self.mu[lane] = row.mu;
    }

    /// The gains of a diagonal block, as [`Group::row`] has them.
    #[inline(always)]
    fn set_gains<S: Simd>(&mut self, simd: S, w: Wide33<S>, part: usize) {
        let Wide33(
            [
                Wide3([xx, yx, zx]),
                Wide3([xy, yy, zy]),
                Wide3([xz, yz, zz]),
            ],
        ) = w;
        let number = |x: f64| Wide::splat(simd, x);
        let (half, one) = (number(0.5), number(1.0));
        let there = Wide::load(simd, &self.normal_gain, part);
        let (mean, apart, across) = (half * (yy + zz), half * (yy - zz), half * (zy + yz));
        let square = apart * apart + across * across;
        let largest = mean + square.sqrt();
        let trace = xx + yy + zz;
        let gain = |x: Wide<S>| (one / x).wherever(x).wherever(there);
        gain(xx).store(&mut self.normal_gain, part);
        gain(largest).store(&mut self.tangent_gain, part);
        (half * (yx + xy)).store(&mut self.coupling[0], part);
        (half * (zx + xz)).store(&mut self.coupling[1], part);
        let rho = (number(3.0) / trace).or_one(trace.is_above(number(0.0)));
        rho.store(&mut self.rho, part);
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
