//! Sweeps over contacts none of which has friction, such as those of displacements that take bodies out of overlap:
//! impulses are normal, and so are their changes, which leaves a third of the work.
//!
//! The bits are those of [`Group::sweep`], but for the signs of zeros.

use super::body::{BodyInertia, BodyVelocity};
use super::group::{Group, Relative, Row};
use glam::DVec3;

impl Group {
    /// One projected Gauss–Seidel pass over the group's contacts. Impulses have no tangential part before it and none
    /// after it.
    #[inline(always)]
    pub fn sweep_normals(
        &self,
        rows: &mut [Row],
        bodies: &[BodyInertia],
        velocities: &mut [BodyVelocity],
    ) {
        let Some((last, rows)) = rows.split_last_mut() else {
            return;
        };
        let mut v = self.relative(velocities);
        let mut sum = NormalImpulse::default();
        for row in rows {
            let p = row.take_normal(v);
            v = self.changed_by_normal(v, p);
            sum = sum.plus(p);
        }
        let NormalImpulse { p, t1, t2 } = sum.plus(last.take_normal(v));
        let axes = &self.frame;
        let moment = axes.tangent1 * t1 + axes.tangent2 * t2;
        self.apply_to_bodies(axes.normal * p, moment, bodies, velocities);
    }

    /// The relative twist after a normal impulse.
    #[inline(always)]
    fn changed_by_normal(&self, v: Relative, by: NormalImpulse) -> Relative {
        let NormalImpulse { p, t1, t2 } = by;
        let turned = |m: &glam::DMat3| m.y_axis * t1 + m.z_axis * t2;
        Relative {
            linear: v.linear + (self.a.x_axis * p + turned(&self.b)),
            angular: v.angular + (self.bt.x_axis * p + turned(&self.c)),
        }
    }
}

/// A normal impulse, and the angular impulse about the reference point, which has no normal part.
#[derive(Debug, Clone, Copy, Default)]
struct NormalImpulse {
    p: f64,
    t1: f64,
    t2: f64,
}

impl NormalImpulse {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            p: self.p + other.p,
            t1: self.t1 + other.t1,
            t2: self.t2 + other.t2,
        }
    }
}

impl Row {
    /// Takes the impulse of Signorini's step at the relative twist `v`; its change.
    #[inline(always)]
    fn take_normal(&mut self, v: Relative) -> NormalImpulse {
        let u = v.at(self).x + self.r.x * self.compliance;
        let next = (self.r.x - u * self.normal_gain).max(0.0);
        let p = next - self.r.x;
        self.r = DVec3::new(next, 0.0, 0.0);
        NormalImpulse {
            p,
            t1: self.offset.z * p,
            t2: -(self.offset.y * p),
        }
    }
}
