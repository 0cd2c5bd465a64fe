//! Contacts of one pair of bodies with one normal, and the projected Gauss–Seidel pass over them.

use super::body::{BodyInertia, BodyVelocity};
use crate::problem::Frame;
use crate::problem::cone::project;
use glam::{DMat3, DVec3};
use std::ops::Range;

/// What the contacts of a group share. Local vectors are in the frame; `arm` leads from a body's centre to the
/// reference point, which is the group's first contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub first: u32,
    pub second: u32,
    pub start: u32,
    pub end: u32,
    pub frame: Frame,
    pub arm_first: DVec3,
    pub arm_second: DVec3,
    /// Change of the relative twist `(V, Ω)` at the reference point by an impulse `p` and an angular impulse `τ` there:
    /// `ΔV = A p + B τ`, `ΔΩ = Bᵀ p + C τ`, local axes.
    pub a: DMat3,
    pub b: DMat3,
    pub bt: DMat3,
    pub c: DMat3,
}

/// One contact: three rows of `H`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// From the reference point, local axes.
    pub offset: DVec3,
    pub bias: DVec3,
    pub mu: f64,
    pub normal_gain: f64,
    pub tangent_gain: f64,
    /// `W_Tn` of the contact.
    pub coupling: [f64; 2],
    pub rho: f64,
    /// 1/kg; 0 of a rigid contact.
    pub compliance: f64,
    pub r: DVec3,
    pub group: u32,
    pub pair: u32,
}

/// Relative twist of a group at its reference point, local axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Relative {
    pub linear: DVec3,
    pub angular: DVec3,
}

impl Relative {
    /// Relative velocity at a contact, bias included.
    #[inline(always)]
    pub fn at(&self, row: &Row) -> DVec3 {
        self.at_offset(row.offset) + row.bias
    }

    /// The same without the bias, at an offset from the reference point.
    #[inline(always)]
    pub fn at_offset(&self, offset: DVec3) -> DVec3 {
        self.linear + self.angular.cross(offset)
    }
}

/// `[a] m`, where `[a] x = a × x`.
#[inline(always)]
pub(super) fn skew_times(a: DVec3, m: &DMat3) -> DMat3 {
    DMat3::from_cols(a.cross(m.x_axis), a.cross(m.y_axis), a.cross(m.z_axis))
}

/// `m [a]`.
#[inline(always)]
pub(super) fn times_skew(m: &DMat3, a: DVec3) -> DMat3 {
    DMat3::from_cols(
        m.y_axis * a.z - m.z_axis * a.y,
        m.z_axis * a.x - m.x_axis * a.z,
        m.x_axis * a.y - m.y_axis * a.x,
    )
}

impl Group {
    /// Its rows.
    #[inline(always)]
    pub fn rows(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// A group without its matrices.
    pub fn new(
        (first, second): (u32, u32),
        frame: Frame,
        (arm_first, arm_second): (DVec3, DVec3),
    ) -> Self {
        Self {
            first,
            second,
            start: 0,
            end: 0,
            frame,
            arm_first,
            arm_second,
            a: DMat3::ZERO,
            b: DMat3::ZERO,
            bt: DMat3::ZERO,
            c: DMat3::ZERO,
        }
    }

    /// With its matrices.
    #[inline(always)]
    pub fn with_matrices(self, bodies: &[BodyInertia]) -> Self {
        let (mut a, mut b, mut c) = (DMat3::ZERO, DMat3::ZERO, DMat3::ZERO);
        let axes = self.frame.matrix();
        let turn = axes.transpose();
        for (body, arm) in [(self.first, self.arm_first), (self.second, self.arm_second)] {
            let body = &bodies[body as usize];
            if body.is_fixed() {
                continue;
            }
            let inertia = turn * body.inverse_inertia * axes;
            let arm = turn * arm;
            let lever_inertia = skew_times(arm, &inertia);
            a += DMat3::from_diagonal(DVec3::splat(body.inverse_mass))
                - times_skew(&lever_inertia, arm);
            b -= lever_inertia;
            c += inertia;
        }
        let bt = b.transpose();
        Self {
            a,
            b,
            bt,
            c,
            ..self
        }
    }

    /// A group of no contacts that acts on nothing.
    pub fn none(ground: u32) -> Self {
        let still = Frame {
            normal: DVec3::ZERO,
            tangent1: DVec3::ZERO,
            tangent2: DVec3::ZERO,
        };
        Self::new((ground, ground), still, (DVec3::ZERO, DVec3::ZERO))
    }

    /// Diagonal block of a contact at `offset`, made symmetric.
    #[inline(always)]
    pub fn block(&self, offset: DVec3) -> DMat3 {
        // `A + B [o] − [o] Bᵀ − [o] C [o]`; the third term is the transpose of the second.
        let bs = times_skew(&self.b, offset);
        let w = self.a + bs + bs.transpose() - times_skew(&skew_times(offset, &self.c), offset);
        (w + w.transpose()) * 0.5
    }

    /// A row with its gains.
    #[inline(always)]
    pub fn row(&self, row: Row) -> Row {
        let w = self.block(row.offset);
        let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
        // Largest eigenvalue of the tangential block: the longest step for which the disc projection contracts.
        let (mean, half) = (
            0.5 * (w.y_axis.y + w.z_axis.z),
            0.5 * (w.y_axis.y - w.z_axis.z),
        );
        let largest = mean + (half * half + w.z_axis.y * w.y_axis.z).max(0.0).sqrt();
        let gain = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        Row {
            normal_gain: gain(w.x_axis.x),
            tangent_gain: gain(largest),
            coupling: [w.x_axis.y, w.x_axis.z],
            rho: if trace > 0.0 { 3.0 / trace } else { 1.0 },
            ..row
        }
    }

    #[inline(always)]
    pub fn relative(&self, velocities: &[BodyVelocity]) -> Relative {
        self.relative_of(
            &velocities[self.first as usize],
            &velocities[self.second as usize],
        )
    }

    /// The velocities that [`Group::relative`] is the difference of, turning apart from moving.
    #[inline(always)]
    fn terms(&self, velocities: &[BodyVelocity]) -> [DVec3; 4] {
        let (a, b) = (
            &velocities[self.first as usize],
            &velocities[self.second as usize],
        );
        [
            a.linear,
            a.angular.cross(self.arm_first),
            b.linear,
            b.angular.cross(self.arm_second),
        ]
    }

    /// Sum of their speeds (m/s).
    #[inline(always)]
    pub fn speed(&self, velocities: &[BodyVelocity]) -> f64 {
        let [a, turning_a, b, turning_b] = self.terms(velocities).map(DVec3::length);
        (a + turning_a) + (b + turning_b)
    }

    /// Sum of the squares of their speeds.
    #[inline(always)]
    pub fn squared_speeds(&self, velocities: &[BodyVelocity]) -> f64 {
        let squares = self.terms(velocities).map(DVec3::length_squared);
        squares.iter().sum()
    }

    #[inline(always)]
    pub fn relative_of(&self, a: &BodyVelocity, b: &BodyVelocity) -> Relative {
        let linear = a.linear + a.angular.cross(self.arm_first)
            - b.linear
            - b.angular.cross(self.arm_second);
        Relative {
            linear: self.frame.to_local(linear),
            angular: self.frame.to_local(a.angular - b.angular),
        }
    }

    /// Gives the bodies an impulse and an angular impulse about the reference point, local axes.
    #[inline(always)]
    pub fn apply(
        &self,
        impulse: DVec3,
        angular: DVec3,
        bodies: &[BodyInertia],
        velocities: &mut [BodyVelocity],
    ) {
        let (p, t) = (self.frame.to_world(impulse), self.frame.to_world(angular));
        self.apply_to_bodies(p, t, bodies, velocities);
    }

    /// The same, world axes.
    #[inline(always)]
    pub fn apply_to_bodies(
        &self,
        p: DVec3,
        t: DVec3,
        bodies: &[BodyInertia],
        velocities: &mut [BodyVelocity],
    ) {
        let (body, v) = (
            &bodies[self.first as usize],
            &mut velocities[self.first as usize],
        );
        v.linear += p * body.inverse_mass;
        v.angular += body.inverse_inertia * (self.arm_first.cross(p) + t);
        let (body, v) = (
            &bodies[self.second as usize],
            &mut velocities[self.second as usize],
        );
        v.linear -= p * body.inverse_mass;
        v.angular -= body.inverse_inertia * (self.arm_second.cross(p) + t);
    }

    /// The relative twist after an impulse and an angular impulse at the reference point, local axes.
    #[inline(always)]
    pub fn changed(&self, v: Relative, p: DVec3, t: DVec3) -> Relative {
        Relative {
            linear: v.linear + (self.a * p + self.b * t),
            angular: v.angular + (self.bt * p + self.c * t),
        }
    }

    /// One projected Gauss–Seidel pass over the group's contacts.
    #[inline(always)]
    pub fn sweep(&self, rows: &mut [Row], bodies: &[BodyInertia], velocities: &mut [BodyVelocity]) {
        let Some((last, rows)) = rows.split_last_mut() else {
            return;
        };
        let mut v = self.relative(velocities);
        let (mut impulse, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for row in rows {
            let (p, t) = row.take(v);
            v = self.changed(v, p, t);
            impulse += p;
            angular += t;
        }
        let (p, t) = last.take(v);
        self.apply(impulse + p, angular + t, bodies, velocities);
    }
}

impl Row {
    /// A contact that takes no impulse.
    pub const NONE: Self = Self {
        offset: DVec3::ZERO,
        bias: DVec3::ZERO,
        mu: 0.0,
        normal_gain: 0.0,
        tangent_gain: 0.0,
        coupling: [0.0; 2],
        rho: 1.0,
        compliance: 0.0,
        r: DVec3::ZERO,
        group: 0,
        pair: 0,
    };

    /// A contact without its gains.
    #[inline(always)]
    pub fn new(offset: DVec3, bias: DVec3, mu: f64, r: DVec3) -> Self {
        Self {
            offset,
            bias,
            mu,
            r: project(r, mu),
            ..Self::NONE
        }
    }

    /// Takes the projected impulse at the relative twist `v`; its change, and that of the angular impulse about the
    /// reference point.
    #[inline(always)]
    fn take(&mut self, v: Relative) -> (DVec3, DVec3) {
        let next = self.projected(v.at(self) + self.r * self.compliance);
        let p = next - self.r;
        self.r = next;
        (p, self.offset.cross(p))
    }

    /// Signorini's step in the normal, then the step on the disc `‖r_T‖ ≤ μ r_n`, at the relative velocity `u`.
    #[inline(always)]
    fn projected(&self, u: DVec3) -> DVec3 {
        let n = (self.r.x - u.x * self.normal_gain).max(0.0);
        let dn = n - self.r.x;
        let y = self.r.y - self.tangent_gain * (u.y + self.coupling[0] * dn);
        let z = self.r.z - self.tangent_gain * (u.z + self.coupling[1] * dn);
        let (square, limit) = (y * y + z * z, self.mu * n);
        if square > limit * limit {
            let scale = limit / square.sqrt();
            DVec3::new(n, scale * y, scale * z)
        } else {
            DVec3::new(n, y, z)
        }
    }
}
