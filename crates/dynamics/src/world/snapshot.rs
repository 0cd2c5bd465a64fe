//! All that a run needs to go on with the same bits, besides the scene it was built from.

use super::World;
use super::audit::WorldLedger;
use super::contacts::WorldContact;
use super::drowsiness::Drowsiness;
use crate::{DynamicsError, State};
use klast_numerics::OutOfRange;

/// The layout of a snapshot; a stored one of another layout is refused.
const VERSION: u32 = 2;

/// State of a world at the end of a step. Restoring it into the same scene continues with the same bits.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldSnapshot {
    version: u32,
    time: f64,
    steps: u64,
    states: Vec<State>,
    drowsiness: Vec<Drowsiness>,
    planes: Vec<f64>,
    contacts: Vec<WorldContact>,
    ledger: WorldLedger,
}

impl WorldSnapshot {
    /// Time (s).
    pub fn time(&self) -> f64 {
        self.time
    }

    /// States of all bodies.
    pub fn states(&self) -> &[State] {
        &self.states
    }
}

impl World {
    /// The state of the run. Hints of the narrow phase and boxes of the broad phase are not part of it, since no
    /// answer depends on them.
    pub fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot {
            version: VERSION,
            time: self.time,
            steps: self.steps,
            states: self.states().copied().collect(),
            drowsiness: self.members.iter().map(|m| m.drowsiness).collect(),
            planes: self.planes.iter().map(|b| b.plane.offset).collect(),
            contacts: self.contacts.clone(),
            ledger: self.ledger,
        }
    }

    /// Goes back (or on) to a snapshot of the same scene.
    ///
    /// # Errors
    /// When the snapshot has another layout, or another number of bodies or planes.
    pub fn restore(&mut self, snapshot: &WorldSnapshot) -> Result<(), DynamicsError> {
        let refuse = |field, found: usize, accepted| {
            Err(OutOfRange::new(field, found as f64, accepted).into())
        };
        if snapshot.version != VERSION {
            return refuse("snapshot version", snapshot.version as usize, "2");
        }
        if [snapshot.states.len(), snapshot.drowsiness.len()] != [self.members.len(); 2] {
            return refuse(
                "bodies in the snapshot",
                snapshot.states.len(),
                "as many as in the world",
            );
        }
        if snapshot.planes.len() != self.planes.len() {
            return refuse(
                "planes in the snapshot",
                snapshot.planes.len(),
                "as many as in the world",
            );
        }
        for (m, state) in self.members.iter_mut().zip(&snapshot.states) {
            m.state = *state;
        }
        for (m, drowsiness) in self.members.iter_mut().zip(&snapshot.drowsiness) {
            m.drowsiness = *drowsiness;
        }
        for (b, offset) in self.planes.iter_mut().zip(&snapshot.planes) {
            b.plane.offset = *offset;
        }
        (self.time, self.steps, self.ledger) = (snapshot.time, snapshot.steps, snapshot.ledger);
        self.contacts.clone_from(&snapshot.contacts);
        if self.settings.sleep.is_none() {
            self.wake();
        }
        self.broad.invalidate();
        Ok(())
    }
}
