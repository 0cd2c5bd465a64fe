//! Velocities of bodies for the lanes of a vector unit: those of each body lie in memory as two rows of four numbers,
//! which are read whole and turned into columns.

use super::lane::LANES;
use super::math::{Wide, Wide3, Wide33};
use crate::bodies::body::BodyVelocity;
use glam::DVec3;
use pulp::Simd;

/// The velocity of a body and its angular velocity; the fourth numbers are not used.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct Motion([[f64; 4]; 2]);

impl From<BodyVelocity> for Motion {
    #[inline(always)]
    fn from(v: BodyVelocity) -> Self {
        Self([v.linear, v.angular].map(|v| [v.x, v.y, v.z, 0.0]))
    }
}

impl From<Motion> for BodyVelocity {
    #[inline(always)]
    fn from(Motion(rows): Motion) -> Self {
        let [linear, angular] = rows.map(|[x, y, z, _]| DVec3::new(x, y, z));
        Self { linear, angular }
    }
}

/// Velocities and angular velocities of as many bodies as there are lanes.
#[derive(Clone, Copy)]
pub(in crate::bodies) struct WideMotion<S: Simd>(pub [Wide3<S>; 2]);

/// Where the row of a lane lies among those that are turned into columns: eight lanes come out with the second and
/// third of each four exchanged.
const fn place(lane: usize, lanes: usize) -> usize {
    match lane % 4 {
        1 if lanes == 8 => lane + 1,
        2 if lanes == 8 => lane - 1,
        _ => lane,
    }
}

impl<S: Simd> WideMotion<S> {
    /// Those of bodies, in the lanes of a part.
    #[inline(always)]
    pub fn of(simd: S, motions: &[Motion], bodies: &[u32; LANES], part: usize) -> Self {
        let none = simd.splat_f64s(0.0);
        let (mut linear, mut angular) = ([none; 4], [none; 4]);
        if S::F64_LANES == 4 {
            // A row is a vector.
            for lane in 0..4 {
                let motion = &motions[bodies[part * S::F64_LANES + lane] as usize].0;
                linear[lane] = S::as_simd_f64s(&motion[0]).0[0];
                angular[lane] = S::as_simd_f64s(&motion[1]).0[0];
            }
        } else {
            let mut rows = [[[0.0; 4]; LANES]; 2];
            for lane in 0..S::F64_LANES {
                let motion = &motions[bodies[part * S::F64_LANES + lane] as usize].0;
                let at = place(lane, S::F64_LANES);
                (rows[0][at], rows[1][at]) = (motion[0], motion[1]);
            }
            linear.copy_from_slice(&S::as_simd_f64s(rows[0].as_flattened()).0[..4]);
            angular.copy_from_slice(&S::as_simd_f64s(rows[1].as_flattened()).0[..4]);
        }
        Self([columns(simd, linear), columns(simd, angular)])
    }

    /// The inverse of [`WideMotion::of`].
    #[inline(always)]
    pub fn give(self, simd: S, motions: &mut [Motion], bodies: &[u32; LANES], part: usize) {
        let (linear, angular) = (lines(simd, self.0[0]), lines(simd, self.0[1]));
        if S::F64_LANES == 4 {
            for lane in 0..4 {
                let motion = &mut motions[bodies[part * S::F64_LANES + lane] as usize].0;
                S::as_mut_simd_f64s(&mut motion[0]).0[0] = linear[lane];
                S::as_mut_simd_f64s(&mut motion[1]).0[0] = angular[lane];
            }
        } else {
            let mut rows = [[[0.0; 4]; LANES]; 2];
            S::as_mut_simd_f64s(rows[0].as_flattened_mut()).0[..4].copy_from_slice(&linear);
            S::as_mut_simd_f64s(rows[1].as_flattened_mut()).0[..4].copy_from_slice(&angular);
            for lane in 0..S::F64_LANES {
                let motion = &mut motions[bodies[part * S::F64_LANES + lane] as usize].0;
                let at = place(lane, S::F64_LANES);
                (motion[0], motion[1]) = (rows[0][at], rows[1][at]);
            }
        }
    }
}

/// The first three columns of as many rows as there are lanes.
#[inline(always)]
fn columns<S: Simd>(simd: S, lines: [S::f64s; 4]) -> Wide3<S> {
    let [x, y, z, _] = simd.deinterleave_shfl_f64s(lines);
    Wide3([Wide::new(simd, x), Wide::new(simd, y), Wide::new(simd, z)])
}

/// The inverse of [`columns`], with zeros for the fourth.
#[inline(always)]
fn lines<S: Simd>(simd: S, Wide3([x, y, z]): Wide3<S>) -> [S::f64s; 4] {
    let none = simd.splat_f64s(0.0);
    simd.interleave_shfl_f64s([x.numbers(), y.numbers(), z.numbers(), none])
}

/// The relative twists of two bodies each at reference points, local axes.
#[inline(always)]
pub(super) fn relative_twist<S: Simd>(
    [WideMotion([a, turn_a]), WideMotion([b, turn_b])]: &[WideMotion<S>; 2],
    [arm_a, arm_b]: [Wide3<S>; 2],
    frame: Wide33<S>,
) -> [Wide3<S>; 2] {
    let linear = *a + turn_a.cross(arm_a) - *b - turn_b.cross(arm_b);
    let axes = frame.transpose();
    [axes * linear, axes * (*turn_a - *turn_b)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::{Arch, Scalar, WithSimd};

    /// The motions of some bodies are read, and given to others.
    struct Exchange<'a> {
        from: &'a [Motion],
        read: &'a [u32; LANES],
        to: &'a mut [Motion],
        written: &'a [u32; LANES],
    }

    impl WithSimd for Exchange<'_> {
        type Output = Vec<[[f64; LANES]; 3]>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut seen = vec![[[0.0; LANES]; 3]; 2];
            for part in 0..LANES / S::F64_LANES {
                let wide = WideMotion::of(simd, self.from, self.read, part);
                for (own, lanes) in wide.0.into_iter().zip(&mut seen) {
                    own.store(lanes, part);
                }
                wide.give(simd, self.to, self.written, part);
            }
            seen
        }
    }

    #[test]
    fn each_lane_has_the_motion_of_its_body() {
        let number = |n: usize, k: usize| (10 * n + k) as f64;
        let bodies: Vec<BodyVelocity> = (0..20)
            .map(|n| BodyVelocity {
                linear: DVec3::from_array([0, 1, 2].map(|k| number(n, k))),
                angular: DVec3::from_array([3, 4, 5].map(|k| number(n, k))),
            })
            .collect();
        let from: Vec<Motion> = bodies.iter().copied().map(Motion::from).collect();
        let (read, written) = ([3, 1, 19, 4, 0, 7, 12, 5], [8, 2, 9, 6, 10, 1, 0, 15]);
        for scalar in [false, true] {
            let mut to = vec![Motion::from(BodyVelocity::default()); 20];
            let exchange = Exchange {
                from: &from,
                read: &read,
                to: &mut to,
                written: &written,
            };
            let seen = match scalar {
                true => exchange.with_simd(Scalar::new()),
                false => Arch::new().dispatch(exchange),
            };
            for lane in 0..LANES {
                let n = read[lane] as usize;
                for k in 0..6 {
                    assert_eq!(seen[k / 3][k % 3][lane], number(n, k));
                }
                let given = BodyVelocity::from(to[written[lane] as usize]);
                assert_eq!(given, bodies[n]);
            }
        }
    }
}
