//! A lumped mass without a velocity, or without one that leads out of a gutter: where gravity takes it, and whether
//! friction holds it.

use super::edge::{rounding, touches};
use super::{Flow, Phase, Run};
use crate::lumped::concave_edge::Gutter;
use crate::stop::Outcome;
use glam::DVec3;
use klast_geometry::terrain::Facet;
use std::ops::ControlFlow;

impl Run<'_> {
    /// Where a rock at rest goes: down the facet on which it accelerates most, along a gutter, or nowhere. It stays
    /// where tan θ ≤ μ, and where every way leads up.
    pub(super) fn start_from_rest(&mut self) -> Flow<Phase> {
        let p = self.state.position;
        let step = rounding(p);
        self.look_around();
        let mut steepest: Option<(f64, Facet)> = None;
        for facet in &self.facets {
            let gravity = self.engine.gravity;
            let pull = gravity - facet.normal * gravity.dot(facet.normal);
            let hold = self.friction(facet.id) * gravity.dot(facet.normal).abs();
            let rate = pull.length() - hold;
            let down = p + pull.normalize_or_zero() * step;
            let leads_on = touches(facet, p) && facet.holds(down) && rate > 0.0;
            if leads_on && steepest.is_none_or(|(most, _)| rate > most) {
                steepest = Some((rate, *facet));
            }
        }
        if let Some((_, facet)) = steepest {
            return ControlFlow::Continue(self.slide_along(facet));
        }
        match self.wedged(f64::INFINITY)? {
            Some(phase) => ControlFlow::Continue(phase),
            None if self.rim_below() => ControlFlow::Break(Outcome::LeftMap),
            None => ControlFlow::Break(Outcome::Stopped),
        }
    }

    /// Whether a facet that does not hold the rock leads off the map.
    fn rim_below(&self) -> bool {
        let (p, gravity) = (self.state.position, self.engine.gravity);
        self.facets.iter().any(|facet| {
            let pull = gravity - facet.normal * gravity.dot(facet.normal);
            let hold = self.friction(facet.id) * gravity.dot(facet.normal).abs();
            let beyond = p + pull.normalize_or_zero() * (2.0 * rounding(p));
            touches(facet, p)
                && facet.inside(p) >= -rounding(p)
                && pull.length() > hold
                && self.engine.terrain.surface(beyond.x, beyond.y).is_none()
        })
    }

    /// The gutter that a rock is in, the way it goes: what its velocity has across the edge, the facets take. `None`
    /// where no two facets hold it, or it crosses the edge faster than `limit` (m/s).
    pub(super) fn wedged(&mut self, limit: f64) -> Flow<Option<Phase>> {
        let (p, v, g) = (
            self.state.position,
            self.state.velocity,
            self.engine.gravity,
        );
        let step = rounding(p);
        self.look_around();
        if !leads_along_an_edge(&self.facets, v, limit) {
            return ControlFlow::Continue(None);
        }
        let ways = || Gutter::from(&self.facets, p, step, g);
        let most = |u: DVec3| ways().max_by(|a, b| u.dot(a.along).total_cmp(&u.dot(b.along)));
        let on = most(v).filter(|way| v.dot(way.along) > 0.0);
        let across = v - on.map_or(DVec3::ZERO, |way| way.along * v.dot(way.along));
        if across.length() > limit {
            return ControlFlow::Continue(None);
        }
        let Some(down) = most(g) else {
            return ControlFlow::Continue(None);
        };
        let way = on.unwrap_or(down);
        if on.is_none() && g.dot(down.along) <= 0.0 {
            // Every way rises: a pit.
            self.state.velocity = DVec3::ZERO;
            return ControlFlow::Break(Outcome::Stopped);
        }
        self.enter(way);
        ControlFlow::Continue(Some(Phase::Wedged))
    }

    pub(super) fn enter(&mut self, gutter: Gutter) {
        let speed = self.state.velocity.dot(gutter.along).max(0.0);
        self.state.position = gutter.foot;
        self.state.velocity = gutter.along * speed;
        self.gutter = Some(gutter);
    }
}

/// Whether a velocity is along an edge of a facet, or none, but for a limit (m/s): a quick look that takes in more.
fn leads_along_an_edge(facets: &[Facet], v: DVec3, limit: f64) -> bool {
    let speed = v.length_squared();
    // Far above rounding.
    let most = limit * limit * (1.0 + 1e-6) + 1e-12 * speed;
    let along = |f: &Facet| {
        (0..3).any(|k| {
            let edge = f.corners[(k + 1) % 3] - f.corners[k];
            v.cross(edge).length_squared() <= most * edge.length_squared()
        })
    };
    speed <= most || facets.iter().any(along)
}
