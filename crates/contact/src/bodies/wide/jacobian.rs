//! The relative velocities `H v` of eight groups side by side, and what their impulses give to the bodies, `Hᵀ r`.

use super::groups::{WideContact, WideGroup};
use super::lane::{LANES, Matrix, Vector, ZERO, put};
use super::math::{Wide3, Wide33, parts};
use super::motion::{WideMotion, relative_twist};
use crate::bodies::body::BodyVelocity;
use crate::linear::block6;
use pulp::Simd;

/// Two vectors of each group: a relative twist, or an impulse and an angular impulse at the reference point; local
/// axes.
#[derive(Debug, Clone, Copy)]
pub(in crate::bodies) struct WideTwist {
    pub linear: Vector,
    pub angular: Vector,
}

impl WideGroup {
    /// The relative twists of the groups.
    #[inline(always)]
    pub fn relative<S: Simd>(&self, simd: S, velocities: &[BodyVelocity]) -> WideTwist {
        let [first, second] = &self.bodies;
        let bodies = [
            WideTwist::of(velocities, first),
            WideTwist::of(velocities, second),
        ];
        WideTwist::relative(simd, &bodies, &self.arms, &self.frame)
    }

    /// Adds `Hᵀ r` of the groups to the gradient, or takes it off, by the sign.
    #[inline(always)]
    pub fn add<S: Simd>(
        &self,
        simd: S,
        sum: &WideTwist,
        sign: f64,
        gradient: &mut [block6::Vector],
    ) {
        let mut changes = [WideTwist::ZERO; 2];
        for part in parts::<S>() {
            let frame = Wide33::load(simd, &self.frame, part);
            let p = frame * Wide3::load(simd, &sum.linear, part);
            let t = frame * Wide3::load(simd, &sum.angular, part);
            for (change, arm) in changes.iter_mut().zip(&self.arms) {
                p.store(&mut change.linear, part);
                let moment = Wide3::load(simd, arm, part).cross(p) + t;
                moment.store(&mut change.angular, part);
            }
        }
        for lane in 0..self.count {
            for ((change, moved), sign) in changes.iter().zip(&self.moved).zip([sign, -sign]) {
                if let Some(g) = gradient.get_mut(moved[lane] as usize) {
                    for k in 0..3 {
                        g[k] += sign * change.linear[k][lane];
                        g[3 + k] += sign * change.angular[k][lane];
                    }
                }
            }
        }
    }
}

impl WideContact {
    /// Relative velocities at the contacts, bias included.
    #[inline(always)]
    pub fn velocity<S: Simd>(&self, simd: S, v: &WideTwist, part: usize) -> Wide3<S> {
        let load = |vector| Wide3::load(simd, vector, part);
        load(&v.linear) + load(&v.angular).cross(load(&self.offset)) + load(&self.bias)
    }
}

impl WideTwist {
    pub const ZERO: Self = Self {
        linear: ZERO,
        angular: ZERO,
    };

    /// The velocities of bodies.
    #[inline(always)]
    pub fn of(velocities: &[BodyVelocity], bodies: &[u32; LANES]) -> Self {
        let mut pair = Self::ZERO;
        for (lane, &n) in bodies.iter().enumerate() {
            let v = &velocities[n as usize];
            put(&mut pair.linear, lane, v.linear);
            put(&mut pair.angular, lane, v.angular);
        }
        pair
    }

    /// The relative twists of the bodies of groups at their reference points, local axes.
    #[inline(always)]
    pub fn relative<S: Simd>(
        simd: S,
        [a, b]: &[Self; 2],
        arms: &[Vector; 2],
        frame: &Matrix,
    ) -> Self {
        let mut relative = Self::ZERO;
        for part in parts::<S>() {
            let load = |vector| Wide3::load(simd, vector, part);
            let sides = [a, b].map(|side| WideMotion([load(&side.linear), load(&side.angular)]));
            let arms = [load(&arms[0]), load(&arms[1])];
            let frame = Wide33::load(simd, frame, part);
            let [linear, angular] = relative_twist(&sides, arms, frame);
            linear.store(&mut relative.linear, part);
            angular.store(&mut relative.angular, part);
        }
        relative
    }

    /// Adds impulses at contacts.
    #[inline(always)]
    pub fn gather<S: Simd>(&mut self, simd: S, contact: &WideContact, r: &Vector) {
        for part in parts::<S>() {
            let r = Wide3::load(simd, r, part);
            r.add_to(&mut self.linear, part);
            let moment = Wide3::load(simd, &contact.offset, part).cross(r);
            moment.add_to(&mut self.angular, part);
        }
    }
}

#[cfg(test)]
pub(in crate::bodies) mod tests {
    use super::super::groups::WideGroups;
    use super::*;
    use crate::bodies::colour::LAST;
    use crate::bodies::{BodyInertia, ContactPair, Problem};
    use glam::{DMat3, DVec3};
    use pulp::{Arch, Scalar, WithSimd};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    pub fn any(rng: &mut Pcg64) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
    }

    /// Groups of one to four contacts between random bodies, every seventh of them fixed, and the ground; every third
    /// group has body 0, which so has more than there are colours.
    pub fn problem(seed: u64) -> Problem {
        let mut rng = Pcg64::seed_from_u64(seed);
        let free = BodyInertia {
            inverse_mass: 0.7,
            inverse_inertia: DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0)),
        };
        let bodies: Vec<BodyInertia> = (0..60)
            .map(|i| if i % 7 == 3 { BodyInertia::FIXED } else { free })
            .collect();
        let velocity = |rng: &mut Pcg64| BodyVelocity {
            linear: any(rng),
            angular: any(rng),
        };
        let velocities: Vec<BodyVelocity> = bodies.iter().map(|_| velocity(&mut rng)).collect();
        let mut pairs = Vec::new();
        for g in 0..300 {
            let second = rng.random_range(1..=bodies.len());
            let first = if g % 3 == 0 { 0 } else { second / 2 };
            let normal = any(&mut rng).normalize();
            for _ in 0..rng.random_range(1..=4) {
                pairs.push(ContactPair {
                    first,
                    second: (second < bodies.len()).then_some(second),
                    normal,
                    arm_first: any(&mut rng),
                    arm_second: any(&mut rng),
                    bias: any(&mut rng),
                    mu: 0.5,
                    impulse: any(&mut rng),
                });
            }
        }
        let mut problem = Problem::new();
        problem.load(&bodies, &velocities, &pairs).unwrap();
        problem
    }

    /// The groups of a problem, bodies that move with their own numbers.
    pub fn groups(problem: &Problem) -> WideGroups {
        let number = |(i, body): (usize, &BodyInertia)| {
            if *body == BodyInertia::FIXED {
                u32::MAX
            } else {
                i as u32
            }
        };
        let moved: Vec<u32> = problem.bodies.iter().enumerate().map(number).collect();
        let mut groups = WideGroups::default();
        groups.fill(problem, &moved);
        groups
    }

    /// Velocities of the contacts, and the gradient after their impulses.
    struct Both<'a>(&'a WideGroups, &'a Problem);

    impl WithSimd for Both<'_> {
        type Output = (Vec<Vector>, Vec<block6::Vector>);

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let Self(groups, problem) = self;
            let (mut u, mut r) = (Vec::new(), Vec::new());
            groups.spread(&mut u, |_| DVec3::ZERO);
            groups.spread(&mut r, |i| problem.rows[i].r);
            let mut gradient = vec![[0.0; 6]; problem.bodies.len() - 1];
            for wide in &groups.groups {
                let v = wide.relative(simd, &problem.velocities);
                let mut sum = WideTwist::ZERO;
                for s in wide.contacts() {
                    let contact = &groups.contacts[s];
                    for part in parts::<S>() {
                        contact.velocity(simd, &v, part).store(&mut u[s], part);
                    }
                    sum.gather(simd, contact, &r[s]);
                }
                wide.add(simd, &sum, -1.0, &mut gradient);
            }
            (u, gradient)
        }
    }

    #[test]
    fn eight_groups_have_the_bits_of_groups_in_turn() {
        let problem = problem(1);
        assert!((0..problem.grouping.len()).any(|g| problem.grouping.colour(g) == LAST));
        let groups = groups(&problem);
        let (u, gradient) = Arch::new().dispatch(Both(&groups, &problem));
        assert!((u.clone(), gradient.clone()) == Both(&groups, &problem).with_simd(Scalar::new()));
        let mut expected = vec![[0.0; 6]; problem.bodies.len() - 1];
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                assert_eq!(groups.index[i].of(&u), v.at(row));
                p += row.r;
                t += row.offset.cross(row.r);
            }
            let (p, t) = (group.frame.to_world(p), group.frame.to_world(t));
            let sides = [
                (group.first, group.arm_first, -1.0),
                (group.second, group.arm_second, 1.0),
            ];
            for (body, arm, sign) in sides {
                if problem.bodies[body as usize] != BodyInertia::FIXED {
                    let (l, g) = (arm.cross(p) + t, &mut expected[body as usize]);
                    for (g, x) in g.iter_mut().zip([p.x, p.y, p.z, l.x, l.y, l.z]) {
                        *g += x * sign;
                    }
                }
            }
        }
        assert!(gradient == expected);
    }
}
