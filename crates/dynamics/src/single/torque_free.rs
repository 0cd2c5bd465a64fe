//! The torque-free top: attitude and spin of a body of any inertia, by Taylor series.
//!
//! Equations (body axes are principal axes): I ω' = Iω × ω (Euler 1758) and q' = ½ q ω for the unit quaternion that
//! turns body axes into world axes. Both right-hand sides are quadratic, so the Taylor coefficients of a solution
//! follow from one another by Cauchy products. Because |I_j − I_k| ≤ I_i for every rigid body, |ω_i'| ≤ |ω_j ω_k|, and
//! the series converges at least for |ω|∞ t < 1. A segment ends where its last terms fall under [`TRUNCATION`], as in
//! Jorba and Zou (2005), "A software package for the numerical integration of ODEs by means of high-order Taylor
//! methods", Exp. Math. 14, 99, section 3.2. Error: rounding only, about 1e-16 a segment (a segment turns about one
//! radian).

use crate::{Body, State};
use glam::{DQuat, DVec3, Vec3Swizzles as _};
use klast_numerics::mutant;

/// Order of the series: the number of products grows with its square, the length of a segment with its root.
const ORDER: usize = 20;
/// Size of the last kept terms relative to one radian: under half an ulp, so a longer series would change no digit.
const TRUNCATION: f64 = 1e-17;

/// One stretch of a free rotation as polynomials in τ = scale · (t − start).
#[derive(Debug, Clone)]
pub(crate) struct TopSegment {
    start: f64,
    /// Length in time (s), negative for a segment that runs back.
    length: f64,
    scale: f64,
    spin: [[f64; ORDER + 1]; 3],
    attitude: [[f64; ORDER + 1]; 4],
}

impl TopSegment {
    /// The segment that begins at `start` with the given attitude and body-axes spin (rad/s, not zero) and runs forward
    /// or `backward`.
    pub(crate) fn new(
        inertia: DVec3,
        start: f64,
        attitude: DQuat,
        spin: DVec3,
        backward: bool,
    ) -> Self {
        let (mut segment, ratio) = Self::begun(inertia, start, attitude, spin);
        for k in 0..ORDER {
            segment.raise(ratio, k);
        }
        let length = segment.reach() / segment.scale;
        segment.length = if backward { -length } else { length };
        segment
    }

    /// A segment of which only the first coefficients are known, and the three ratios of inertia.
    fn begun(inertia: DVec3, start: f64, attitude: DQuat, spin: DVec3) -> (Self, [f64; 3]) {
        let scale = spin.abs().max_element();
        let mut ratio = (inertia.yzx() - inertia.zxy()) / inertia;
        ratio.x *= mutant::factor("top", 1.001);
        let mut segment = Self {
            start,
            length: 0.0,
            scale,
            spin: [[0.0; ORDER + 1]; 3],
            attitude: [[0.0; ORDER + 1]; 4],
        };
        let w0 = (spin / scale).to_array();
        let q0 = attitude.normalize().to_array();
        (0..3).for_each(|i| segment.spin[i][0] = w0[i]);
        (0..4).for_each(|i| segment.attitude[i][0] = q0[i]);
        (segment, ratio.to_array())
    }

    /// The segment over a short time (s), with as many terms as count there.
    fn short(inertia: DVec3, attitude: DQuat, spin: DVec3, time: f64) -> Self {
        let (mut segment, ratio) = Self::begun(inertia, 0.0, attitude, spin);
        let tau = segment.scale * time;
        let (mut power, mut small) = (1.0, 0);
        for k in 0..ORDER {
            segment.raise(ratio, k);
            power *= tau;
            // A vanishing term happens (symmetries); two in a row are the end.
            small = match segment.size(k + 1) * power < TRUNCATION {
                true => small + 1,
                false => 0,
            };
            if small == 2 {
                break;
            }
        }
        segment.length = time;
        segment
    }

    /// Coefficient k + 1 from those up to k.
    fn raise(&mut self, ratio: [f64; 3], k: usize) {
        let (mut dw, mut dq) = ([0.0; 3], [0.0; 4]);
        for j in 0..=k {
            let w = [self.spin[0][j], self.spin[1][j], self.spin[2][j]];
            let v = [1, 2, 0].map(|i: usize| self.spin[i][k - j]);
            let q = self.attitude.each_ref().map(|of| of[k - j]);
            // (ω_y ω_z, ω_z ω_x, ω_x ω_y)
            dw[0] += w[2] * v[0];
            dw[1] += w[0] * v[1];
            dw[2] += w[1] * v[2];
            // q ⊗ (ω, 0), components (x, y, z, w)
            dq[0] += q[3] * w[0] + q[1] * w[2] - q[2] * w[1];
            dq[1] += q[3] * w[1] + q[2] * w[0] - q[0] * w[2];
            dq[2] += q[3] * w[2] + q[0] * w[1] - q[1] * w[0];
            dq[3] -= q[0] * w[0] + q[1] * w[1] + q[2] * w[2];
        }
        let n = (k + 1) as f64;
        for i in 0..3 {
            self.spin[i][k + 1] = ratio[i] * dw[i] / n;
        }
        for (series, d) in self.attitude.iter_mut().zip(dq) {
            series[k + 1] = 0.5 * d / n;
        }
    }

    /// The largest coefficient of an order.
    fn size(&self, k: usize) -> f64 {
        let largest = |m: f64, series: &[f64; ORDER + 1]| m.max(series[k].abs());
        self.spin
            .iter()
            .fold(self.attitude.iter().fold(0.0, largest), largest)
    }

    /// τ up to which the last two terms of every series stay under the truncation.
    fn reach(&self) -> f64 {
        let root = |k: usize| {
            let s = self.size(k);
            // A vanishing last term happens (symmetries); 2 is far beyond what an order of 20 reaches anyway.
            if s > 0.0 {
                libm::pow(TRUNCATION / s, 1.0 / k as f64).min(2.0)
            } else {
                2.0
            }
        };
        root(ORDER).min(root(ORDER - 1))
    }

    /// Attitude and body-axes spin at a time of this segment.
    pub(crate) fn at(&self, time: f64) -> (DQuat, DVec3) {
        let tau = self.scale * (time - self.start);
        let horner =
            |series: &[f64; ORDER + 1]| series.iter().rev().fold(0.0, |sum, c| sum * tau + c);
        let [x, y, z, w] = self.attitude.each_ref().map(horner);
        let [a, b, c] = self.spin.each_ref().map(horner);
        (
            DQuat::from_xyzw(x, y, z, w),
            self.scale * DVec3::new(a, b, c),
        )
    }

    /// Whether `time` lies at or after the beginning, in the running direction.
    pub(crate) fn begins_before(&self, time: f64) -> bool {
        (time - self.start) * self.length >= 0.0
    }

    /// Whether the end lies at or after `time`, in the running direction.
    pub(crate) fn ends_after(&self, time: f64) -> bool {
        (time - self.start).abs() <= self.length.abs()
    }

    /// The segment after this one.
    pub(crate) fn next(&self, inertia: DVec3) -> Self {
        let end = self.start + self.length;
        let (q, w) = self.at(end);
        Self::new(inertia, end, q, w, self.length < 0.0)
    }
}

/// Attitude and world spin after a body has turned freely for a short time (s): exact for a steady spin, else the
/// series as far as its terms count.
pub(crate) fn turned_freely(body: &Body, state: &State, time: f64) -> (DQuat, DVec3) {
    let spin = state.velocity.angular;
    let w = state.body_spin();
    if body.is_isotropic() || (body.inertia() * w).cross(w) == DVec3::ZERO {
        return (about(spin * time, state.pose.rotation), spin);
    }
    let (mut attitude, mut w, mut left) = (state.pose.rotation, w, time);
    loop {
        let most = SHORT / w.abs().max_element();
        let part = left.min(most);
        let segment = TopSegment::short(body.inertia(), attitude, w, part);
        (attitude, w) = segment.at(part);
        left -= part;
        if left <= 0.0 {
            break;
        }
    }
    let attitude = attitude.normalize();
    (attitude, attitude * w)
}

/// Reach of a short series in τ: an order of 14 is then enough.
const SHORT: f64 = 0.1;

/// A rotation by a rotation vector (world axes) after another.
pub(crate) fn about(turn: DVec3, rotation: DQuat) -> DQuat {
    let half = turn * 0.5;
    let angle = half.length();
    // sin(x)/x = 1 − x²/6 + x⁴/120 − …; below 1e-2 the next term is under rounding.
    let square = angle * angle;
    let (factor, cos) = if angle < 1e-2 {
        (
            1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)),
            1.0 - 0.5 * square * (1.0 - square / 12.0 * (1.0 - square / 30.0)),
        )
    } else {
        let (sin, cos) = libm::sincos(angle);
        (sin / angle, cos)
    };
    let v = half * factor;
    (DQuat::from_xyzw(v.x, v.y, v.z, cos) * rotation).normalize()
}
