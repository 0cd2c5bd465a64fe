//! The energy of the bodies that touched, which is what errors of contacts are measured by.

use klast_dynamics::World;
use serde::{Deserialize, Serialize};

/// Energy of the bodies that have touched anything up to now. What falls by itself, however far, has no part in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Touched {
    /// Which bodies have, and where each began: its potential energy (J).
    bodies: Vec<bool>,
    start: Vec<f64>,
    /// Largest kinetic energy, without what was gained up to then, and the most that they have come down (J).
    kinetic: f64,
    fallen: f64,
    /// Least and largest sum of the work of boundaries (J).
    work: (f64, f64),
    /// Sum of the gains, each in the energy before it, and in J.
    gained: f64,
    seen: f64,
}

impl Touched {
    /// None has yet.
    pub fn new(world: &World) -> Self {
        Self {
            bodies: vec![false; world.len()],
            start: (0..world.len()).map(|i| potential(world, i)).collect(),
            ..Self::default()
        }
    }

    /// Enters a step.
    pub fn enter(&mut self, world: &World) {
        let ledger = world.ledger();
        for c in world.contacts() {
            for body in [c.first, c.second] {
                if let Some(touched) = self.bodies.get_mut(body as usize) {
                    *touched = true;
                }
            }
        }
        // What the step gained is no measure of itself.
        let gained = ledger.gained - self.seen;
        if gained > 0.0 {
            let before = self.energy();
            self.gained += if before > 0.0 { gained / before } else { 1.0 };
            self.seen = ledger.gained;
        }
        let (mut kinetic, mut fallen) = (0.0, 0.0);
        for (i, (touched, start)) in self.bodies.iter().zip(&self.start).enumerate() {
            if *touched && world.is_free(i) {
                kinetic += kinetic_energy(world, i);
                fallen += start - potential(world, i);
            }
        }
        let given = ledger.gained + ledger.exchange.stabilisation.max(0.0);
        self.kinetic = self.kinetic.max(kinetic - given);
        self.fallen = self.fallen.max(fallen);
        let work = ledger.exchange.boundary_work;
        self.work = (self.work.0.min(work), self.work.1.max(work));
    }

    /// Energy that changed its form at most among the bodies that touched, without what was gained (J).
    pub fn energy(&self) -> f64 {
        self.kinetic + self.fallen + self.work.1 - self.work.0
    }

    /// What was gained, in the energy that was there before.
    pub fn gained(&self) -> f64 {
        self.gained
    }
}

fn kinetic_energy(world: &World, body: usize) -> f64 {
    let (body, state) = (world.body(body), world.state(body));
    body.zip(state)
        .map_or(0.0, |(body, state)| state.kinetic_energy(body).total())
}

fn potential(world: &World, body: usize) -> f64 {
    let (body, state) = (world.body(body), world.state(body));
    let gravity = world.settings().gravity;
    body.zip(state)
        .map_or(0.0, |(body, state)| state.potential_energy(body, gravity))
}
