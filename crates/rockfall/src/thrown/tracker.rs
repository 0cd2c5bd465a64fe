//! An observer that compares a run with samples while it goes.

use super::throw::{Compared, Sample};
use glam::DVec3;
use klast_dynamics::single::{Flight, ImpactEvent, Motion, Observer, Stretch};
use klast_dynamics::{Body, State};
use std::ops::ControlFlow;

/// Compares a run with samples.
pub(super) struct Tracker<'a> {
    body: &'a Body,
    /// Samples are compared until so long after the first impact (s).
    until: f64,
    /// Samples that lie ahead.
    ahead: &'a [Sample],
    states: Option<&'a mut Vec<State>>,
    /// What has been found.
    pub compared: Compared,
}

impl<'a> Tracker<'a> {
    pub fn new(
        (body, until): (&'a Body, f64),
        samples: &'a [Sample],
        states: Option<&'a mut Vec<State>>,
    ) -> Self {
        Self {
            body,
            until,
            ahead: samples,
            states,
            compared: Compared::default(),
        }
    }

    /// Samples after the end of a run, which is somewhere at each time.
    pub fn rest(&mut self, state: impl Fn(f64) -> State) {
        for sample in std::mem::take(&mut self.ahead) {
            self.meet(sample, state(sample.time));
        }
    }

    fn meet(&mut self, sample: &Sample, state: State) {
        if let Some(states) = &mut self.states {
            states.push(state);
        }
        let (body, found) = (self.body, &mut self.compared);
        let position = sample.centre.distance_squared(state.pose.translation);
        let mut square = position;
        if let Some(attitude) = sample.attitude {
            let turn = state.pose.rotation.conjugate() * attitude;
            let v = DVec3::new(turn.x, turn.y, turn.z);
            square += 4.0 * v.dot(body.inertia() * v) / body.mass();
        }
        match found.first_impact {
            None => {
                found.squares_before += square;
                found.samples_before += 1;
            }
            Some(touched) if sample.time - touched <= self.until => {
                found.squares += square;
                found.position_squares += position;
                found.samples += 1;
            }
            Some(_) => {}
        }
    }

    /// Whether no sample that lies ahead is compared any more, nor its state wanted.
    fn is_over(&self) -> bool {
        let late = |sample: &Sample| {
            let touched = self.compared.first_impact;
            touched.is_some_and(|touched| sample.time - touched > self.until)
        };
        self.ahead
            .first()
            .is_none_or(|sample| self.states.is_none() && late(sample))
    }

    fn touch(&mut self, time: f64) {
        self.compared.first_impact.get_or_insert(time);
    }
}

/// The state on a stretch, so long after its beginning (s).
fn on(stretch: &Stretch, body: &Body, turned: bool, after: f64) -> State {
    match stretch.motion {
        Motion::Flight if turned => {
            let flight = Flight::new(body, stretch.start, stretch.acceleration);
            flight.state(after)
        }
        Motion::Flight => {
            let mut state = stretch.start;
            state.pose.translation +=
                (state.velocity.linear + 0.5 * after * stretch.acceleration) * after;
            state
        }
        // A step in contact is short, a slide has no turn.
        Motion::Contact => {
            let (start, end) = (stretch.start, stretch.end);
            let part = match stretch.duration > 0.0 {
                true => after / stretch.duration,
                false => 1.0,
            };
            let mut state = start;
            let (a, b) = (start.pose.translation, end.pose.translation);
            // The parabola through both ends with the mean acceleration.
            let bow = 0.5 * after * (after - stretch.duration) * stretch.acceleration;
            state.pose.translation = a + (b - a) * part + bow;
            state.pose.rotation = start.pose.rotation.slerp(end.pose.rotation, part);
            state
        }
    }
}

impl Observer for Tracker<'_> {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        if stretch.motion == Motion::Contact {
            self.touch(stretch.time);
        }
        let end = stretch.time + stretch.duration;
        while let [sample, ahead @ ..] = self.ahead
            && sample.time <= end
        {
            let turned = self.states.is_some() || sample.attitude.is_some();
            let after = sample.time - stretch.time;
            let state = on(stretch, self.body, turned, after);
            self.ahead = ahead;
            self.meet(sample, state);
        }
        match self.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn impact(&mut self, event: &ImpactEvent) -> ControlFlow<()> {
        self.touch(event.time);
        self.compared.impacts += 1;
        ControlFlow::Continue(())
    }
}
