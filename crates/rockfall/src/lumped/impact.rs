//! The impact of a lumped mass with the ground: Pfeiffer and Bowen, Bull. Assoc. Eng. Geologists 26 (1989) 135–146, as
//! the RocFall3 lumped-mass manual states it, (2.1a), (2.1b), (2.2).
//!
//! In the frame (n, t1, t2) of the ground, t1 × t2 = n and t1 chosen so that the rock has no spin about it:
//!
//! - without rotation: v_n' = −r_n v_n, v_t' = r_t v_t;
//! - with rotation: v_n' = −r_n v_n and v_ti' = s_i √( r² (I ω_j² + M v_ti²) f SF / (I + M r²) ), {i, j} = {1, 2}, then
//!   ω_t1' = −v_t2'/r, ω_t2' = v_t1'/r, ω_n' = ω_n;
//! - f = r_t + (1 − r_t) / ( |slip|²/f1² + 1.2 ), slip = (v_t1 − ω_t2 r, v_t2 + ω_t1 r);
//! - SF = r_t / ( (v_n / (f2 r_n))² + 1 ), 0 for r_n = 0.
//!
//! v in m/s, ω in rad/s, r the radius (m) and I = 2/5 M r² the inertia of the sphere of the rock's volume. The sign s_i
//! is that of the angular momentum about the contact, M r v_t1 + I ω_t2 and M r v_t2 − I ω_t1: the root has lost it.
//! The mass cancels.
//!
//! [`Reading::Literal`] keeps the manual's equations as printed, for comparison: v_n' = +r_n v_n goes into the ground,
//! roots are positive, and the new spins use the old velocities. Limits: one empirical law for all rocks, fitted on
//! slopes with rocks up to metres; an impact is with one slope.

use glam::DVec3;
use klast_numerics::mutant;
use libm::sqrt;

/// How to read the manual's equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// With the errata: rebound away from the ground, signs kept, spins from the new velocities.
    #[default]
    Corrected,
    /// As printed.
    Literal,
}

/// The scaling velocities of the law, which carry units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scaling {
    /// f1 of the friction function (velocity unit).
    pub friction: f64,
    /// f2 of the scaling factor (velocity unit).
    pub normal: f64,
}

impl Scaling {
    /// Velocities in m/s.
    pub const METRIC: Scaling = Scaling {
        friction: 6.096,
        normal: 76.2,
    };
}

/// The impact law: with or without rotation, its reading and its units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LumpedLaw {
    /// (2.1b) instead of (2.1a).
    pub rotation: bool,
    /// Corrected or as printed.
    pub reading: Reading,
    /// Units of the velocities.
    pub scaling: Scaling,
}

impl Default for LumpedLaw {
    fn default() -> Self {
        LumpedLaw {
            rotation: true,
            reading: Reading::Corrected,
            scaling: Scaling::METRIC,
        }
    }
}

/// Restitution at one impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution {
    /// Normal coefficient r_n.
    pub normal: f64,
    /// Tangential coefficient r_t.
    pub tangential: f64,
}

/// What the law multiplies, for tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// The friction function f(F), (2.2).
    pub friction: f64,
    /// The scaling factor SF.
    pub scaling: f64,
}

/// Velocity and spin after an impact, in the components they came in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rebound {
    /// Velocity.
    pub velocity: DVec3,
    /// Spin.
    pub spin: DVec3,
}

impl LumpedLaw {
    /// f(F) and SF for a velocity and spin in (n, t1, t2) and a radius.
    pub fn factors(&self, v: DVec3, w: DVec3, radius: f64, restitution: Restitution) -> Factors {
        let Restitution {
            normal: rn,
            tangential: rt,
        } = restitution;
        let s1 = (v.y - w.z * radius) / self.scaling.friction;
        let s2 = (v.z + w.y * radius) / self.scaling.friction;
        let x = v.x / (self.scaling.normal * rn);
        let scaling = if rn > 0.0 { rt / (x * x + 1.0) } else { 0.0 };
        Factors {
            friction: rt + (1.0 - rt) / (s1 * s1 + s2 * s2 + 1.2),
            scaling,
        }
    }

    /// The impact in the frame (n, t1, t2) with no spin about t1; `radius` of the sphere of equal volume.
    pub fn impact_in_frame(
        &self,
        v: DVec3,
        w: DVec3,
        radius: f64,
        restitution: Restitution,
    ) -> Rebound {
        let Restitution {
            normal: rn,
            tangential: rt,
        } = restitution;
        let literal = self.reading == Reading::Literal;
        let vn = if literal { rn * v.x } else { -rn * v.x };
        if !self.rotation {
            return Rebound {
                velocity: DVec3::new(vn, rt * v.y, rt * v.z),
                spin: w,
            };
        }
        let factors = self.factors(v, w, radius, restitution);
        // Per unit mass: I/M = 2/5 r².
        let inertia = 0.4 * mutant::factor("lumped-spin", 1.001) * radius * radius;
        let share =
            radius * radius * factors.friction * factors.scaling / (inertia + radius * radius);
        let root = |w: f64, v: f64| sqrt((inertia * w * w + v * v) * share);
        let sign = |momentum: f64| {
            if literal || momentum >= 0.0 {
                1.0
            } else {
                -1.0
            }
        };
        let v1 = sign(radius * v.y + inertia * w.z) * root(w.z, v.y);
        let v2 = sign(radius * v.z - inertia * w.y) * root(w.y, v.z);
        let (roll1, roll2) = if literal { (v.y, v.z) } else { (v1, v2) };
        Rebound {
            velocity: DVec3::new(vn, v1, v2),
            spin: DVec3::new(w.x, -roll2 / radius, roll1 / radius),
        }
    }

    /// The impact in world axes on ground with unit normal `n`.
    pub fn impact(
        &self,
        n: DVec3,
        v: DVec3,
        w: DVec3,
        radius: f64,
        restitution: Restitution,
    ) -> Rebound {
        let (t1, t2) = tangents(n, v, w);
        let into = |u: DVec3| DVec3::new(u.dot(n), u.dot(t1), u.dot(t2));
        let back = |u: DVec3| n * u.x + t1 * u.y + t2 * u.z;
        let out = self.impact_in_frame(into(v), into(w), radius, restitution);
        Rebound {
            velocity: back(out.velocity),
            spin: back(out.spin),
        }
    }
}

/// Tangents with t1 × t2 = n and no spin about t1: t2 along the tangential spin. Without tangential spin, t1 along the
/// tangential velocity; without that either, any (the law does not see it).
fn tangents(n: DVec3, v: DVec3, w: DVec3) -> (DVec3, DVec3) {
    let across = |u: DVec3| {
        let t = u - n * u.dot(n);
        let length = t.length();
        // What is left of a vector along n is rounding.
        (length > 1e-14 * u.length()).then(|| t * length.recip())
    };
    if let Some(t2) = across(w) {
        return (t2.cross(n), t2);
    }
    let t1 = across(v).unwrap_or_else(|| n.any_orthonormal_vector());
    (t1, n.cross(t1))
}
