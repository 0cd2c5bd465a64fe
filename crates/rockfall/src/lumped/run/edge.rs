//! A lumped mass on the ground at the edge of a facet: what is an edge at all, and where the mass goes on.
//!
//! With v along the facet behind and n the normal of the one ahead, n·v is the speed at which the mass leaves the
//! ground (above 0) or meets it. It does neither where |n·v| is
//! - below the normal-velocity cutoff, or
//! - no more than what the heights' rounding makes of it, |v_h| n_z (ρ/w₁ + ρ/w₂) with the facets' widths w across the
//!   edge.
//!
//! Then it goes on along the facet ahead, with its speed where the edge is none for the second reason, less the speed
//! along the normal for the first: as on smooth ground, of which facets are the picture. What is not thrown off at one
//! edge may be by many ([`Lift`]). Any other hollow edge is an impact with the facet ahead, and over any other convex
//! one the mass flies.

use super::{Behind, Flow, Phase, Run};
use crate::lumped::lift::Lift;
use crate::stop::Outcome;
use glam::DVec3;
use klast_geometry::terrain::{Area, Facet};
use std::ops::ControlFlow;

/// A rock that facets throw at each other more often than this at one place is wedged between them.
const THROWS: u32 = 2;
/// Speed across a gutter (m/s) that is none whatever the cutoff: twice what gravity adds in the shortest step of a
/// slide.
const SLOW: f64 = 1e-2;
/// Rounding of a velocity along a facet, as a share of it.
const ROUNDING: f64 = 1e-12;

impl Run<'_> {
    /// Goes on over the facet that lies ahead: along it, into the air, or against it.
    pub(super) fn ground_ahead(&mut self, behind: Behind) -> Flow<Phase> {
        let (mut behind, mut throws) = (behind, 0);
        if let Some(plane) = self.plane.take() {
            // What meets an edge does so along the ground that is known.
            self.turn_along(plane.normal);
            behind = Behind::Facet(plane);
        }
        let cutoff = self.engine.stop.normal_velocity_cutoff;
        loop {
            let Some(facet) = self.facet_ahead(&behind) else {
                return match self.ground_falls_away() {
                    true => ControlFlow::Continue(Phase::Fly),
                    false => ControlFlow::Break(Outcome::LeftMap),
                };
            };
            let off = facet.normal.dot(self.state.velocity);
            if off.abs() <= ROUNDING * self.state.velocity.length() {
                return ControlFlow::Continue(self.slide_along(facet));
            }
            let from = behind.facet();
            let slope = self.unresolved_slope(from, &facet);
            if off.abs() <= self.least_throw(&facet, slope) {
                if off < 0.0
                    && let Some(wedged) = self.wedged(cutoff.max(SLOW))?
                {
                    return ControlFlow::Continue(wedged);
                }
                return self.pass((from, slope), facet, off);
            }
            self.lift = Lift::default();
            let hidden = self.unresolved_speed(&facet, slope);
            if off > 0.0 || self.rebounds(facet.normal, facet.id, Some(hidden)) {
                return ControlFlow::Continue(Phase::Fly);
            }
            throws += 1;
            let limit = if throws > THROWS {
                f64::INFINITY
            } else {
                cutoff.max(SLOW)
            };
            if let Some(wedged) = self.wedged(limit)? {
                return ControlFlow::Continue(wedged);
            }
            if throws > THROWS {
                return ControlFlow::Continue(self.slide_along(facet));
            }
            behind = Behind::Facet(facet);
        }
    }

    /// Passes an edge that is none, unless many of them together have thrown the rock off.
    fn pass(
        &mut self,
        (from, slope): (Option<&Facet>, f64),
        facet: Facet,
        off: f64,
    ) -> Flow<Phase> {
        let cutoff = self.engine.stop.normal_velocity_cutoff;
        self.tally.unresolved_edges += u32::from(off.abs() >= cutoff.max(SLOW));
        let resolution = self.engine.terrain.vertical_resolution();
        self.lift.turn(off, slope);
        self.plane = self.plane_followed((from, slope), &facet);
        if off.abs() <= self.unresolved_speed(&facet, slope) {
            self.turn_along(facet.normal);
        } else {
            self.keep_along(facet.normal);
        }
        let Some(speed) = self.lift.clears(cutoff, resolution.height) else {
            return ControlFlow::Continue(self.slide_along(facet));
        };
        (self.lift, self.plane) = (Lift::default(), None);
        let along = self.state.velocity;
        let thrown = along + facet.normal * speed;
        self.state.velocity = thrown.normalize_or_zero() * along.length();
        ControlFlow::Continue(Phase::Fly)
    }

    /// The facet behind, where the one ahead may lie in its plane and is too narrow to say more about that.
    fn plane_followed(&self, (from, slope): (Option<&Facet>, f64), ahead: &Facet) -> Option<Facet> {
        let resolution = self.engine.terrain.vertical_resolution();
        let held = from?;
        let change = held.gradient() - ahead.gradient();
        let across = change.normalize_or_zero();
        let narrower = resolution.of_slope(ahead, across) > 2.0 * resolution.of_slope(held, across);
        (narrower && change.length() <= slope).then_some(*held)
    }

    /// Turns the velocity into the plane of the ground with its speed.
    fn turn_along(&mut self, normal: DVec3) {
        let speed = self.state.velocity.length();
        self.keep_along(normal);
        self.state.velocity = self.state.velocity.normalize_or_zero() * speed;
    }

    /// Takes off what the velocity has along the normal.
    pub(super) fn keep_along(&mut self, normal: DVec3) {
        let v = self.state.velocity;
        self.state.velocity = v - normal * normal.dot(v);
    }

    /// The speed (m/s) off the ground or against it, above which an edge is one.
    pub(super) fn least_throw(&self, ahead: &Facet, slope: f64) -> f64 {
        self.unresolved_speed(ahead, slope)
            .max(self.engine.stop.normal_velocity_cutoff)
            .max(ROUNDING * self.state.velocity.length())
    }

    /// The speed (m/s) along the normal of a facet that rounded heights may make of none, where they hide a slope.
    pub(super) fn unresolved_speed(&self, ahead: &Facet, slope: f64) -> f64 {
        let speed = self.state.velocity.truncate().length();
        speed * ahead.normal.z * slope
    }

    /// The slope of a facet that rounded heights hide, against that of the facet behind or along the way.
    pub(super) fn unresolved_slope(&self, behind: Option<&Facet>, ahead: &Facet) -> f64 {
        let resolution = self.engine.terrain.vertical_resolution();
        match behind {
            _ if resolution.height == 0.0 => 0.0,
            Some(behind) => resolution.of_kink(behind, ahead),
            None => {
                let motion = self.state.velocity.truncate().normalize_or_zero();
                resolution.of_slope(ahead, motion)
            }
        }
    }

    /// The facet to slide on from here, in the direction of motion.
    fn facet_ahead(&mut self, behind: &Behind) -> Option<Facet> {
        let p = self.state.position;
        let step = rounding(p);
        let ahead = p + self.state.velocity.normalize_or_zero() * step;
        self.look_around();
        let under = |f: &&Facet| touches(f, p) && f.holds(ahead);
        let (normal, id) = behind.normal();
        let found = self.facets.iter().filter(under);
        let found = found.min_by_key(|f| (f.id != id, f.normal != normal));
        // A wall that is narrower in plan than the look ahead stands in the way.
        let v = self.state.velocity;
        let at = |f: &&Facet| {
            touches(f, p) && f.inside(p) >= -step && f.normal.dot(v) < -ROUNDING * v.length()
        };
        let wall = || self.facets.iter().find(at);
        found.or_else(wall).copied()
    }

    /// Whether the ground ahead lies below: beyond a wall that is narrower in plan than the look ahead.
    fn ground_falls_away(&self) -> bool {
        let p = self.state.position;
        let ahead = p + self.state.velocity.normalize_or_zero() * rounding(p);
        let ground = self.engine.terrain.surface(ahead.x, ahead.y);
        ground.is_some_and(|s| s.height < p.z)
    }

    /// The facets around the rock.
    pub(super) fn look_around(&mut self) {
        let p = self.state.position;
        if self.looked == Some(p) {
            return;
        }
        let area = Area::around(p.truncate(), 4.0 * rounding(p));
        self.facets.clear();
        self.engine.terrain.facets_at(area, &mut self.facets);
        self.looked = Some(p);
    }
}

impl Behind {
    fn facet(&self) -> Option<&Facet> {
        match self {
            Behind::Facet(facet) => Some(facet),
            Behind::Normal(..) => None,
        }
    }

    /// The normal, and the number that is preferred ahead: what has come to the end of a facet has left it.
    fn normal(&self) -> (DVec3, u32) {
        match self {
            Behind::Facet(facet) => (facet.normal, u32::MAX),
            Behind::Normal(normal, id) => (*normal, *id),
        }
    }
}

/// How far a step is looked ahead (m): well above the rounding of a place in plan.
pub(super) fn rounding(p: DVec3) -> f64 {
    1e-9 * (1.0 + p.truncate().abs().max_element())
}

/// Whether a point lies in the plane of a facet.
pub(super) fn touches(facet: &Facet, p: DVec3) -> bool {
    facet.height(p).abs() <= 1e-6 * (1.0 + p.abs().max_element())
}
