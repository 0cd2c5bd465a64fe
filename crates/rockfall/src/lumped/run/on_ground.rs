//! A lumped mass that stays on the ground: along a facet, in the gutter between two, over a lip, to rest.

use super::{Flow, Phase, Run};
use crate::arc::Motion;
use crate::lumped::gutter::Gutter;
use crate::lumped::slide::{Slide, SlideEnd, slide};
use crate::stop::Outcome;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Area, Facet};
use std::ops::ControlFlow;

/// A slide shorter than this (s) leads nowhere, and how many of them a rock may make in a row.
const SHORT: f64 = 1e-6;
const PATIENCE: u32 = 16;
/// A rock that facets throw at each other more often than this at one place is wedged between them.
const THROWS: u32 = 2;
/// Speed across a gutter (m/s) that is none whatever the cutoff: twice what gravity adds in the shortest step of a slide.
const SLOW: f64 = 1e-2;

impl Run<'_> {
    /// Goes on over the facet that lies ahead: along it, into the air, or against it.
    pub(super) fn ground_ahead(&mut self, normal: DVec3, id: u32) -> Flow<Phase> {
        let (mut normal, mut id, mut throws) = (normal, id, 0);
        loop {
            let Some(facet) = self.facet_ahead(normal, id) else {
                return ControlFlow::Break(Outcome::LeftMap);
            };
            let off = facet.normal.dot(self.state.velocity);
            // Rounding of a velocity along the facet is below 1e-12 of it.
            if off.abs() <= 1e-12 * self.state.velocity.length() {
                return ControlFlow::Continue(Phase::Slide(facet));
            }
            if off > 0.0 || self.rebounds(facet.normal, facet.id) {
                return ControlFlow::Continue(Phase::Fly);
            }
            throws += 1;
            let limit = if throws > THROWS {
                f64::INFINITY
            } else {
                self.engine.stop.normal_velocity_cutoff.max(SLOW)
            };
            if let Some(wedged) = self.wedged(limit)? {
                return ControlFlow::Continue(wedged);
            }
            if throws > THROWS {
                return ControlFlow::Continue(Phase::Slide(facet));
            }
            (normal, id) = (facet.normal, facet.id);
        }
    }

    /// The facet to slide on from here, in the direction of motion.
    fn facet_ahead(&mut self, normal: DVec3, id: u32) -> Option<Facet> {
        let p = self.state.position;
        let step = rounding(p);
        let ahead = p + self.state.velocity.normalize_or_zero() * step;
        self.look_around(step);
        let under = |f: &&Facet| f.inside(ahead) >= 0.0 && touches(f, p);
        self.facets
            .iter()
            .filter(under)
            .min_by_key(|f| (f.id != id, f.normal != normal))
            .copied()
    }

    fn look_around(&mut self, step: f64) {
        let plan = self.state.position.truncate();
        self.facets.clear();
        self.engine
            .terrain
            .facets(Area::around(plan, 4.0 * step), &mut self.facets);
    }

    /// The gutter that a rock is in, the way it goes: what its velocity has across the edge, the facets take. `None` where no two facets hold it, or it crosses
    /// the edge faster than `limit` (m/s).
    fn wedged(&mut self, limit: f64) -> Flow<Option<Phase>> {
        let (p, v, g) = (
            self.state.position,
            self.state.velocity,
            self.engine.gravity,
        );
        let step = rounding(p);
        self.look_around(step);
        let ways = || Gutter::from(&self.facets, p, step, g);
        let most = |u: DVec3| ways().max_by(|a, b| u.dot(a.along).total_cmp(&u.dot(b.along)));
        let Some(down) = most(g) else {
            return ControlFlow::Continue(None);
        };
        let on = most(v).filter(|way| v.dot(way.along) > 0.0);
        let across = v - on.map_or(DVec3::ZERO, |way| way.along * v.dot(way.along));
        if across.length() > limit {
            return ControlFlow::Continue(None);
        }
        let way = on.unwrap_or(down);
        if on.is_none() && g.dot(down.along) <= 0.0 {
            // Every way rises: a pit.
            self.state.velocity = DVec3::ZERO;
            return ControlFlow::Break(Outcome::Stopped);
        }
        self.enter(way);
        ControlFlow::Continue(Some(Phase::Wedged(way)))
    }

    fn enter(&mut self, gutter: Gutter) {
        let speed = self.state.velocity.dot(gutter.along).max(0.0);
        self.state.position = gutter.foot;
        self.state.velocity = gutter.along * speed;
    }

    /// One step along a gutter.
    pub(super) fn run_down(&mut self, gutter: Gutter) -> Flow<Phase> {
        let friction = gutter.facets.map(|f| self.material(f.id).1.friction);
        let step = gutter.slide(
            self.state.velocity.length(),
            self.engine.gravity,
            friction,
            self.engine.stop.stopped_velocity_cutoff,
        );
        self.slid(&step)?;
        self.idle = 0;
        match step.end {
            SlideEnd::Stopped => ControlFlow::Break(Outcome::Stopped),
            SlideEnd::Step => {
                self.state.velocity = DVec3::ZERO;
                let back = self.wedged(f64::INFINITY)?;
                ControlFlow::Continue(back.unwrap_or(Phase::Fly))
            }
            SlideEnd::Edge => self.gutter_ahead(gutter),
        }
    }

    /// The gutter that goes straight on, or else what lies ahead.
    fn gutter_ahead(&mut self, gutter: Gutter) -> Flow<Phase> {
        let (p, v) = (self.state.position, self.state.velocity);
        if !self.engine.terrain.extent().contains(p.truncate()) {
            return ControlFlow::Break(Outcome::LeftMap);
        }
        let step = rounding(p);
        self.look_around(step);
        // Heights are rounded: edges in one line differ a little.
        let straight = |way: &Gutter| v.cross(way.along).length() <= 1e-9 * v.dot(way.along);
        let on = Gutter::from(&self.facets, p, step, self.engine.gravity).find(straight);
        match on {
            Some(way) => {
                self.enter(way);
                ControlFlow::Continue(Phase::Wedged(way))
            }
            None => self.ground_ahead(gutter.facets[0].normal, u32::MAX),
        }
    }

    /// Travels a step on the ground, as far as the time allows.
    fn slid(&mut self, step: &Slide) -> Flow<()> {
        let left = self.engine.stop.maximum_time - self.time;
        self.travel(step.duration.min(left), step.acceleration, Motion::Contact)?;
        if step.duration >= left {
            ControlFlow::Break(Outcome::TimedOut)
        } else {
            ControlFlow::Continue(())
        }
    }

    pub(super) fn slide(&mut self, facet: Facet) -> Flow<Phase> {
        let (_, sample) = self.material(facet.id);
        let step = slide(
            &facet,
            self.state.position,
            self.state.velocity,
            self.engine.gravity,
            sample.friction,
            self.engine.stop.stopped_velocity_cutoff,
        );
        self.slid(&step)?;
        self.idle = if step.duration > SHORT {
            0
        } else {
            self.idle + 1
        };
        // In a gutter a rock goes from side to side in ever shorter slides.
        if self.idle > PATIENCE
            && let Some(phase) = self.settled()?
        {
            return ControlFlow::Continue(phase);
        }
        match step.end {
            SlideEnd::Stopped => ControlFlow::Break(Outcome::Stopped),
            SlideEnd::Step => {
                // Rounding must not lift the motion off the plane.
                self.state.velocity -= facet.normal * facet.normal.dot(self.state.velocity);
                ControlFlow::Continue(Phase::Slide(facet))
            }
            SlideEnd::Edge => {
                let plan: DVec2 = self.state.position.truncate();
                if !self.engine.terrain.extent().contains(plan) {
                    return ControlFlow::Break(Outcome::LeftMap);
                }
                self.ground_ahead(facet.normal, u32::MAX)
            }
        }
    }

    /// What becomes of a rock whose slides lead nowhere: it is wedged in a gutter, at rest, or on a lip, along which it moves and over which gravity takes it.
    fn settled(&mut self) -> Flow<Option<Phase>> {
        if let Some(phase) = self.wedged(f64::INFINITY)? {
            return ControlFlow::Continue(Some(phase));
        }
        let (p, v) = (self.state.position, self.state.velocity);
        let stop = self.engine.stop;
        if v.length() <= stop.stopped_velocity_cutoff.max(1e-6) {
            return ControlFlow::Break(Outcome::Stopped);
        }
        let leads_on = |f: &&Facet| {
            let (_, sample) = self.material(f.id);
            let (g, mu) = (self.engine.gravity, sample.friction);
            touches(f, p)
                && f.inside(p) >= -rounding(p)
                && f.normal.dot(v).abs() <= 1e-9 * v.length()
                && slide(f, p, v, g, mu, stop.stopped_velocity_cutoff).duration > SHORT
        };
        let lip = self.facets.iter().find(leads_on).copied();
        if let Some(f) = lip {
            self.state.velocity -= f.normal * f.normal.dot(v);
        }
        ControlFlow::Continue(lip.map(Phase::Slide))
    }
}

/// How far a step is looked ahead (m): well above the rounding of a place in plan.
fn rounding(p: DVec3) -> f64 {
    1e-9 * (1.0 + p.truncate().abs().max_element())
}

/// Whether a point lies in the plane of a facet.
fn touches(facet: &Facet, p: DVec3) -> bool {
    facet.height(p).abs() <= 1e-6 * (1.0 + p.abs().max_element())
}
