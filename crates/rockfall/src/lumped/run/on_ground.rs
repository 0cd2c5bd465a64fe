//! A lumped mass that moves on the ground: along a facet, and in the gutter between two.

use super::edge::{rounding, touches};
use super::{Behind, Flow, Phase, Run};
use crate::arc::Motion;
use crate::lumped::askew::{Askew, BEND_ERROR, Moment, parabola};
use crate::lumped::concave_edge::Gutter;
use crate::lumped::crossing::first_time;
use crate::lumped::follower::Glide;
use crate::lumped::mass::LumpedState;
use crate::lumped::slide::{Path, Slide, SlideEnd, slide};
use crate::stop::Outcome;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::Facet;
use std::ops::ControlFlow;

/// A slide shorter than this (s) leads nowhere, and how many of them a rock may make in a row.
const SHORT: f64 = 1e-6;
const PATIENCE: u32 = 16;
/// Way (m) after which a slide looks whether it is on another material, and how often it does at most.
const MATERIAL_CHECK_DISTANCE: f64 = 0.25;
const MAX_MATERIAL_CHECKS: f64 = 1e5;

impl Run<'_> {
    pub(super) fn slide_along(&mut self, facet: Facet) -> Phase {
        self.along = Some(facet);
        Phase::Slide
    }

    /// One step along a facet.
    pub(super) fn slide(&mut self) -> Flow<Phase> {
        let Some(facet) = self.along.take() else {
            return self.start_from_rest();
        };
        let friction = self.friction(facet.id);
        let (gravity, from) = (self.engine.gravity, self.state.position);
        let (v, left) = (self.state.velocity, self.left());
        let mut step = slide(&facet, from, v, gravity, friction, left);
        self.keep_to_one_material(&mut step, std::slice::from_ref(&facet));
        self.slid(&step, &facet)?;
        let way = (self.state.position - from).truncate().length();
        let pull = -facet.normal.dot(gravity);
        self.lift.slide(step.duration, pull, way);
        match step.end {
            SlideEnd::Stopped => ControlFlow::Break(Outcome::Stopped),
            SlideEnd::Turned => {
                self.state.velocity = DVec3::ZERO;
                ControlFlow::Continue(self.slide_along(facet))
            }
            SlideEnd::Time | SlideEnd::Border => {
                // Rounding must not lift the motion off the plane.
                self.state.velocity -= facet.normal * facet.normal.dot(self.state.velocity);
                ControlFlow::Continue(self.slide_along(facet))
            }
            SlideEnd::Edge => self.over_the_edge(facet, step.duration),
        }
    }

    fn over_the_edge(&mut self, facet: Facet, duration: f64) -> Flow<Phase> {
        self.idle = if duration > SHORT { 0 } else { self.idle + 1 };
        // In a gutter a rock goes from side to side in ever shorter slides.
        if self.idle > PATIENCE
            && let Some(phase) = self.settled()?
        {
            return ControlFlow::Continue(phase);
        }
        let plan: DVec2 = self.state.position.truncate();
        if !self.engine.terrain.extent().contains(plan) {
            return ControlFlow::Break(Outcome::LeftMap);
        }
        let phase = self.ground_ahead(Behind::Facet(facet))?;
        if matches!(phase, Phase::Slide) && self.along.is_some_and(|ahead| self.may_rest(&ahead)) {
            return ControlFlow::Break(Outcome::Stopped);
        }
        ControlFlow::Continue(phase)
    }

    /// Whether a rock that goes over an edge slower than the cutoff has stopped: on the facet ahead friction holds it,
    /// tan θ ≤ μ.
    fn may_rest(&self, facet: &Facet) -> bool {
        let gravity = self.engine.gravity;
        let off = gravity.dot(facet.normal);
        let hold = self.friction(facet.id) * off.abs();
        self.state.velocity.length() <= self.engine.stop.stopped_velocity_cutoff
            && (gravity - facet.normal * off).length() <= hold
    }

    /// One step along a gutter.
    pub(super) fn run_down(&mut self) -> Flow<Phase> {
        let Some(gutter) = self.gutter.take() else {
            return self.start_from_rest();
        };
        let friction = gutter.facets.map(|f| self.friction(f.id));
        let mut step = gutter.slide(self.state.velocity.length(), self.engine.gravity, friction);
        self.keep_to_one_material(&mut step, &gutter.facets);
        self.slid(&step, &gutter.facets[0])?;
        self.idle = 0;
        match step.end {
            SlideEnd::Stopped => ControlFlow::Break(Outcome::Stopped),
            SlideEnd::Turned | SlideEnd::Time => {
                self.state.velocity = DVec3::ZERO;
                self.start_from_rest()
            }
            SlideEnd::Border => {
                self.gutter = Some(gutter.further(self.state.position));
                ControlFlow::Continue(Phase::Wedged)
            }
            SlideEnd::Edge => self.gutter_ahead(gutter),
        }
    }

    /// Ends a step where another material begins: areas and classes of materials do not end at the edges of
    /// facets. There the rock has just come to it: places are those of the motion itself, to the last bit.
    fn keep_to_one_material(&self, step: &mut Slide, facets: &[Facet]) {
        let ground = self.engine.ground;
        if !ground.changes_within_facets() {
            return;
        }
        let (p, v) = (self.state.position, self.state.velocity);
        let origin = self.engine.terrain.origin();
        let facet = facets.first().map_or(0, |f| f.id);
        let material = |at: DVec3| ground.material((origin + at).truncate(), facet);
        let here = material(p);
        let begins = |place: &dyn Fn(f64) -> DVec3, look: &dyn Fn(f64) -> f64, looks: f64| {
            let looks = looks.ceil().clamp(1.0, MAX_MATERIAL_CHECKS);
            let mut before = 0.0;
            for k in 1..=looks as u64 {
                // What begins at the end of the step is the next one's.
                let at = look((k as f64 / looks).min(1.0 - 1e-9));
                if material(place(at)) != here {
                    return Some(first_time(|s| material(place(s)) != here, before, at));
                }
                before = at;
            }
            None
        };
        let border = match step.path {
            Path::Even(a) => {
                let duration = step.duration.min(self.left());
                let way = (v.length() + 0.5 * a.length() * duration) * duration;
                let place = |t: f64| p + (v + a * (0.5 * t)) * t;
                let found = begins(
                    &place,
                    &|part| duration * part,
                    way / MATERIAL_CHECK_DISTANCE,
                );
                found.map(|t| (t, step.path))
            }
            Path::Askew(askew, last) => {
                let place = |sigma: f64| p + askew.in_space(askew.at(sigma).way);
                let look = |part: f64| askew.between(0.0, last.sigma, part);
                let found = begins(&place, &look, askew.parts(&last, MATERIAL_CHECK_DISTANCE));
                let found = found.map(|sigma| askew.at(sigma));
                found.map(|now| (now.time, Path::Askew(askew, now)))
            }
        };
        if let Some((duration, path)) = border {
            *step = Slide {
                duration,
                path,
                end: SlideEnd::Border,
            };
        }
    }

    /// The gutter that goes straight on, or else what lies ahead.
    fn gutter_ahead(&mut self, gutter: Gutter) -> Flow<Phase> {
        let (p, v) = (self.state.position, self.state.velocity);
        if !self.engine.terrain.extent().contains(p.truncate()) {
            return ControlFlow::Break(Outcome::LeftMap);
        }
        let step = rounding(p);
        self.look_around();
        // Heights are rounded: edges in one line differ a little.
        let straight = |way: &Gutter| v.cross(way.along).length() <= 1e-9 * v.dot(way.along);
        let on = Gutter::from(&self.facets, p, step, self.engine.gravity).find(straight);
        match on {
            Some(way) => {
                self.enter(way);
                ControlFlow::Continue(Phase::Wedged)
            }
            None => self.ground_ahead(Behind::Facet(gutter.facets[0])),
        }
    }

    /// The time that is left (s).
    fn left(&self) -> f64 {
        self.engine.stop.maximum_time - self.time
    }

    /// Travels a step on the ground, as far as the time allows.
    fn slid(&mut self, step: &Slide, facet: &Facet) -> Flow<()> {
        let left = self.left();
        match &step.path {
            Path::Even(a) => self.travel(step.duration.min(left), *a, Motion::Contact)?,
            Path::Askew(askew, last) => self.glide(facet, askew, last)?,
        }
        if step.duration >= left {
            ControlFlow::Break(Outcome::TimedOut)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Travels a slide askew on a facet up to a moment.
    fn glide(&mut self, facet: &Facet, askew: &Askew, last: &Moment) -> Flow<()> {
        if last.sigma <= 0.0 {
            return ControlFlow::Continue(());
        }
        let (start, time) = (self.state.position, self.time);
        let end = LumpedState {
            position: start + askew.in_space(last.way),
            velocity: askew.in_space(last.velocity),
            ..self.state
        };
        // Parabolas are off the facet by what they are off the slide.
        let room = 2.0 * BEND_ERROR + rounding(start);
        let glide = Glide {
            time,
            duration: last.time,
            end: end.position,
            velocities: [self.state.velocity, end.velocity],
            rotational_energy: self.rock.rotational_energy(self.state.spin),
            plan: facet.plan().grown(room),
        };
        let shown = self.path.begins(&glide);
        if shown {
            self.show(askew, last)?;
        }
        (self.state, self.time) = (end, time + last.time);
        self.path.ends(&glide, shown);
        ControlFlow::Continue(())
    }

    /// Shows a slide askew up to a moment in parabolas.
    fn show(&mut self, askew: &Askew, last: &Moment) -> Flow<()> {
        let (start, time) = (self.state.position, self.time);
        let mut now = askew.begin();
        while now.sigma < last.sigma {
            let next = askew.part(&now, last);
            let (place, a) = parabola(&now, &next);
            self.state.position = start + askew.in_space(place);
            let arc = self.arc(next.time - now.time, askew.in_space(a), Motion::Contact);
            // Where the rock is if it is caught on this arc.
            (self.state.position, self.state.velocity) = (arc.end(), arc.velocity_at(arc.duration));
            self.time += arc.duration;
            self.path.part(&arc)?;
            self.state.velocity = askew.in_space(next.velocity);
            self.time = time + next.time;
            now = next;
        }
        ControlFlow::Continue(())
    }

    /// What becomes of a rock whose slides lead nowhere: it is wedged in a gutter, at rest, or on a lip, along which it
    /// moves and over which gravity takes it.
    fn settled(&mut self) -> Flow<Option<Phase>> {
        if let Some(phase) = self.wedged(f64::INFINITY)? {
            return ControlFlow::Continue(Some(phase));
        }
        let (p, v) = (self.state.position, self.state.velocity);
        let stop = self.engine.stop;
        if v.length() <= stop.stopped_velocity_cutoff.max(1e-6) {
            self.state.velocity = DVec3::ZERO;
            return self.start_from_rest().map_continue(Some);
        }
        let leads_on = |f: &&Facet| {
            let (g, mu) = (self.engine.gravity, self.friction(f.id));
            touches(f, p)
                && f.inside(p) >= -rounding(p)
                && f.normal.dot(v).abs() <= 1e-9 * v.length()
                && slide(f, p, v, g, mu, self.left()).duration > SHORT
        };
        let lip = self.facets.iter().find(leads_on).copied();
        if let Some(f) = lip {
            self.state.velocity -= f.normal * f.normal.dot(v);
        }
        ControlFlow::Continue(lip.map(|f| self.slide_along(f)))
    }
}
