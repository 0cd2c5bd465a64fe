//! Rolling resistance of spheres.
//!
//! Where a sphere rolls, the normal force acts ahead of the point of contact, by up to a length c. It has the moment
//!
//! > m_T = −c r_n ω_T/‖ω_T‖ where the sphere rolls, ‖m_T‖ ≤ c r_n where it does not
//!
//! (Acary and Bourrier 2021, "Coulomb friction with rolling resistance as a cone complementarity problem"), with the
//! relative spin ω_T in the plane of contact. Such a contact is several points on a circle of radius c with one normal.
//! The point at e has the normal velocity u_n + e·(n × ω). With c ‖ω_T‖ added, as De Saxcé adds μ ‖u_T‖ in the law of
//! friction, the point ahead is closed and the others are open, and all are closed where the sphere does not roll. Each
//! point has three numbers, as every contact has, and dissipates r_n c ‖ω_T‖ as a gap that closes does. Friction at
//! these points resists a spin about the normal.

use super::contacts::{PLANES, WorldContact, of_pair};
use super::ends::Ends;
use super::state::WorldState;
use crate::Twist;
use glam::DVec3;
use std::f64::consts::TAU;

/// Points on the circle. One lies ahead: the moment is exact there, and no less than cos(π/8) = 0.92 of it across.
const POINTS: u32 = 8;
/// Speed c ‖ω_T‖ from which on a sphere rolls, in g h.
const ROLLS: f64 = 1e-6;
/// Part by which the added speed may differ from that of the solution: in the rounds that every step has, and in those
/// that a large c needs.
pub(super) const FOLLOWED: f64 = 1e-7;
pub(super) const NEARLY_FOLLOWED: f64 = 1e-6;
/// Solutions of a step at most that follow the added speed. Each changes it by k/(1 + k) of the last change, k = 5/7
/// (c/R)² for a sphere on the ground: two suffice up to c = R/50, four up to R/7, and 17 at c = R, the largest that a
/// sphere can have.
pub(super) const SOLUTIONS: usize = 20;

/// Puts points about the contact of a sphere with rolling resistance, found from number `from` on, in its place. `old`
/// are the contacts of the last step. The points keep the restitution for impacts in turn, which are those of the
/// sphere itself.
pub(super) fn spread(
    state: &WorldState,
    old: &[WorldContact],
    from: usize,
    found: &mut Vec<WorldContact>,
) {
    let Some(c) = found.get(from) else {
        return;
    };
    let length = length(state, c);
    if length == 0.0 || bounces(state, c) {
        return;
    }
    let c = *c;
    let speed = |i: u32| {
        state
            .members
            .get(i as usize)
            .map_or(Twist::ZERO, |m| m.state.velocity)
    };
    let spin = across(&c, speed(c.first).angular - speed(c.second).angular);
    let old = of_pair(old, c.first, c.second);
    let ahead = ahead(state, &c, old, spin, length);
    let aside = c.normal.cross(ahead);
    found.truncate(from);
    found.extend((0..POINTS).map(|k| {
        let (sin, cos) = libm::sincos(TAU * f64::from(k) / f64::from(POINTS));
        let arm = (ahead * cos + aside * sin) * length;
        WorldContact {
            feature: k,
            point: c.point + arm,
            rolling_length: length,
            rolling_arm: arm,
            rolling_speed: length * spin.length(),
            ..c
        }
    }));
}

/// Takes the added speeds from the present solution. Whether one has changed by more than this part of it and of g h,
/// so that it is to be solved again.
pub(super) fn follow(
    state: &WorldState,
    ends: &Ends,
    contacts: &mut [WorldContact],
    part: f64,
) -> bool {
    let mut changed = false;
    let enough = part * state.settings.gravity.length() * state.settings.step;
    for c in contacts.iter_mut().filter(|c| c.rolling_length > 0.0) {
        let spin = |i: u32| {
            ends.after
                .get(i as usize)
                .map_or(DVec3::ZERO, |v| v.angular)
        };
        let speed = c.rolling_length * across(c, spin(c.first) - spin(c.second)).length();
        changed |= (speed - c.rolling_speed).abs() > enough + part * speed;
        c.rolling_speed = speed;
    }
    changed
}

/// The part of a spin in the plane of contact.
fn across(c: &WorldContact, spin: DVec3) -> DVec3 {
    spin - c.normal * c.normal.dot(spin)
}

/// The length of the rolling resistance of a contact: the larger of both, of spheres alone (m).
fn length(state: &WorldState, c: &WorldContact) -> f64 {
    let of = |i: u32| {
        let member = state.members.get(i as usize);
        let round = member.filter(|m| m.body.sphere_radius().is_some());
        round.map_or(0.0, |m| m.rolling)
    };
    of(c.first).max(of(c.second))
}

/// Whether a contact is an impact that bounces: it is that of the sphere itself.
fn bounces(state: &WorldState, c: &WorldContact) -> bool {
    let at = |i: u32| match state.members.get(i as usize) {
        Some(m) => m.state.velocity.at(c.point - m.state.pose.translation),
        None => {
            let plane = i
                .checked_sub(PLANES)
                .and_then(|k| state.planes.get(k as usize));
            plane.map_or(DVec3::ZERO, |b| b.velocity)
        }
    };
    let approach = c.normal.dot(at(c.first) - at(c.second));
    c.restitution > 0.0 && approach < -state.settings.bounce_above
}

/// The direction in which the sphere rolls, or did or would.
fn ahead(
    state: &WorldState,
    c: &WorldContact,
    old: &[WorldContact],
    spin: DVec3,
    length: f64,
) -> DVec3 {
    let s = &state.settings;
    if length * spin.length() > ROLLS * s.gravity.length() * s.step {
        return spin.cross(c.normal).normalize();
    }
    let along = |v: DVec3| (v - c.normal * c.normal.dot(v)).try_normalize();
    // Of the points of the last step the first was ahead, and the one opposite behind.
    let before = old
        .first()
        .zip(old.get(POINTS as usize / 2))
        .filter(|(o, _)| o.rolling_length > 0.0)
        .map(|(o, opposite)| o.point - opposite.point);
    let any = || c.normal.any_orthonormal_vector();
    before
        .and_then(along)
        .or_else(|| along(s.gravity))
        .unwrap_or_else(any)
}
