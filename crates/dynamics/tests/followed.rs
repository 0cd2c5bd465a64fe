//! What a run tells a subscriber of `tracing`.

use std::sync::{Arc, Mutex};

use glam::DVec3;
use klast_dynamics::single::{Coefficients, Friction, Options, Restitution, SingleBody, Workspace};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Plane, Pose, Solid};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Keeps the names of events.
struct Names(Arc<Mutex<Vec<String>>>);

/// Takes the message of an event.
struct Message<'a>(&'a mut Vec<String>);

impl tracing::field::Visit for Message<'_> {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0.push(format!("{value:?}"));
        }
    }
}

impl Subscriber for Names {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message(&mut self.0.lock().unwrap()));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn one_body_tells_its_flight_impacts_and_end_in_order() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let slope = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2500.0).unwrap();
    let start = State {
        pose: Pose::from_translation(DVec3::new(0.0, 0.0, 2.0)),
        velocity: Twist::default(),
    };
    let mut law = Coefficients::new(Restitution(0.0), Friction(0.5)).unwrap();
    tracing::subscriber::with_default(Names(told.clone()), || {
        let single = SingleBody::new(&slope, Options::default()).unwrap();
        let _ = single.run(&body, start, &mut law, &mut (), &mut Workspace::default());
    });
    let told = told.lock().unwrap();
    // A cube that falls flat without rebound: one flight, one impact, rest.
    let impacts = told.iter().filter(|t| *t == "impact").count();
    assert_eq!(told.first().map(String::as_str), Some("stretch"));
    assert_eq!(told.last().map(String::as_str), Some("run ends"));
    assert_eq!(impacts, 1, "{told:?}");
}
