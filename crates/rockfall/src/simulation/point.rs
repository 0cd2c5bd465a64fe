//! The way of a lumped mass, watched.

use super::Simulation;
use super::workspace::RockWorkspace;
use crate::arc::{Arc, Motion};
use crate::lumped::{Follower, Glide, LumpedMass, LumpedRock, LumpedState, Roughness};
use crate::outline::Outline;
use crate::release::Start;
use crate::seeder::DrawnRock;
use crate::stop::{Outcome, StopConditions};
use crate::watch::Watch;
use std::ops::ControlFlow;

/// Shows a watch the way of a sphere.
struct Shown<'w, 'a> {
    watch: &'w mut Watch<'a>,
    outline: Outline<'w>,
    /// The arc that a barrier ended: a net may be torn within it.
    ended: Option<Arc>,
}

impl Shown<'_, '_> {
    fn keep(&mut self, arc: &Arc, flow: ControlFlow<Outcome>) -> ControlFlow<Outcome> {
        if flow.is_break() {
            self.ended = Some(*arc);
        }
        flow
    }
}

impl Follower for Shown<'_, '_> {
    fn arc(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        let flow = match arc.motion {
            Motion::Flight => self.watch.arc(arc, self.outline),
            Motion::Contact => self.watch.flat_arc(arc, self.outline),
        };
        self.keep(arc, flow)
    }

    fn hop(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        let flow = self.watch.flat_arc(arc, self.outline);
        self.keep(arc, flow)
    }

    fn begins(&mut self, glide: &Glide) -> bool {
        self.watch.slide_begins(glide, self.outline)
    }

    fn part(&mut self, arc: &Arc) -> ControlFlow<Outcome> {
        let flow = self.watch.part(arc, self.outline);
        self.keep(arc, flow)
    }

    fn ends(&mut self, glide: &Glide, shown: bool) {
        self.watch.slide_ends(glide, shown);
    }
}

impl Simulation {
    pub(super) fn follow_point(
        &self,
        engine: &LumpedRock,
        rock: &DrawnRock,
        start: Start,
        roughness: Roughness,
        watch: &mut Watch,
        workspace: &mut RockWorkspace,
    ) {
        let built = LumpedMass::of_volume(rock.volume).and_then(|m| m.with_mass(rock.mass));
        let Ok(mass) = built else {
            return;
        };
        let Some(placed) = start.point() else {
            watch.below_ground(start.release);
            return;
        };
        watch.result.raised = placed.raised;
        let mut state = LumpedState {
            position: placed.at,
            velocity: start.velocity,
            spin: start.spin,
        };
        watch.begin(state.position);
        let mut roughness = roughness;
        loop {
            let stop = StopConditions {
                maximum_time: engine.stop.maximum_time - watch.elapsed(),
                ..*engine.stop
            };
            let engine = LumpedRock {
                stop: &stop,
                ..*engine
            };
            let mut shown = Shown {
                watch: &mut *watch,
                outline: Outline::Sphere(mass.radius),
                ended: None,
            };
            let (outcome, end, tally) = engine.follow(
                &mass,
                &workspace.samples,
                state,
                &mut roughness,
                &mut shown,
                &mut workspace.facets,
            );
            let ended = shown.ended;
            watch.result.unresolved_edges += tally.unresolved_edges;
            watch.result.impact_loss += tally.impact_loss;
            watch.result.unresolved_loss += tally.unresolved_loss;
            let (Some((t, factor)), Some(arc)) = (watch.torn(), ended) else {
                watch.end(outcome, end.position);
                return;
            };
            state = LumpedState {
                position: arc.position_at(t),
                velocity: arc.velocity_at(t) * factor,
                spin: arc.spin * factor,
            };
        }
    }
}
