//! All that a run needs to continue with the same bits, besides the scene it was built from.

use super::audit::WorldLedger;
use super::bonds::WornJoint;
use super::contacts::WorldContact;
use super::drowsiness::Drowsiness;
use super::kept::KeptPoint;
use super::origin::translated;
use super::state::{History, WorldState};
use super::ties::Worn;
use crate::{DynamicsError, State};
use glam::DVec3;
use klast_numerics::OutOfRange;

/// The layout of a snapshot; a stored one of another layout is refused.
const VERSION: u32 = 3;

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
    #[cfg_attr(feature = "serde", serde(default))]
    kept: Vec<KeptPoint>,
    ledger: WorldLedger,
    /// Whether it is settled what positions are measured from.
    #[cfg_attr(feature = "serde", serde(default = "settled"))]
    placed: bool,
    /// Of a world whose positions are measured from elsewhere; planes and contacts are as they are there.
    #[cfg_attr(feature = "serde", serde(default))]
    elsewhere: Option<Elsewhere>,
    /// Bodies that were removed, and what ties and bonded joints have gone through.
    #[cfg_attr(feature = "serde", serde(default))]
    removed: Vec<usize>,
    #[cfg_attr(feature = "serde", serde(default))]
    ties: Vec<Worn>,
    #[cfg_attr(feature = "serde", serde(default))]
    joints: Vec<WornJoint>,
}

/// Snapshots of older versions measure positions from the origin.
#[cfg(feature = "serde")]
fn settled() -> bool {
    true
}

/// What positions are measured from (m), and the positions of the bodies (m).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Elsewhere {
    origin: DVec3,
    positions: Vec<DVec3>,
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

    /// What is so now.
    pub(super) fn of(state: &WorldState, history: &History) -> Self {
        Self {
            version: VERSION,
            time: state.time,
            steps: history.steps,
            states: match state.origin {
                DVec3::ZERO => state.members.iter().map(|m| m.state).collect(),
                origin => (state.members.iter().map(|m| translated(&m.state, origin))).collect(),
            },
            drowsiness: state.members.iter().map(|m| m.drowsiness).collect(),
            planes: state.planes.iter().map(|b| b.plane.offset).collect(),
            contacts: history.contacts.clone(),
            kept: history.kept.clone(),
            ledger: history.ledger,
            placed: state.placed,
            elsewhere: (state.origin != DVec3::ZERO).then(|| Elsewhere {
                origin: state.origin,
                positions: (state.members.iter().map(|m| m.state.pose.translation)).collect(),
            }),
            removed: (0..state.members.len())
                .filter(|&i| state.members[i].removed)
                .collect(),
            ties: state.ties.iter().map(|tie| tie.worn).collect(),
            joints: state.joints.iter().map(|joint| joint.worn).collect(),
        }
    }

    /// Makes it so again, if it is of this layout and as many bodies and planes.
    pub(super) fn restore(
        &self,
        state: &mut WorldState,
        history: &mut History,
    ) -> Result<(), DynamicsError> {
        let refuse = |field, found: usize, accepted| {
            Err(OutOfRange::new(field, found as f64, accepted).into())
        };
        if self.version != VERSION {
            return refuse("snapshot version", self.version as usize, "3");
        }
        if [self.states.len(), self.drowsiness.len()] != [state.members.len(); 2] {
            return refuse(
                "bodies in the snapshot",
                self.states.len(),
                "as many as in the world",
            );
        }
        if self.planes.len() != state.planes.len() {
            return refuse(
                "planes in the snapshot",
                self.planes.len(),
                "as many as in the world",
            );
        }
        let positions = self.elsewhere.as_ref().map(|e| e.positions.len());
        if let Some(found) = positions.filter(|&found| found != state.members.len()) {
            return refuse(
                "positions in the snapshot",
                found,
                "as many as bodies in the world",
            );
        }
        if [self.ties.len(), self.joints.len()] != [state.ties.len(), state.joints.len()] {
            return refuse(
                "ties and bonded joints in the snapshot",
                self.ties.len() + self.joints.len(),
                "as many as in the world",
            );
        }
        let is_removed = |i: usize| self.removed.binary_search(&i).is_ok();
        if (0..state.members.len()).any(|i| state.members[i].removed && !is_removed(i)) {
            return refuse(
                "bodies removed in the snapshot",
                self.removed.len(),
                "at least those of the world",
            );
        }
        for (i, (m, state)) in state.members.iter_mut().zip(&self.states).enumerate() {
            m.state = *state;
            if is_removed(i) {
                m.remove();
            }
        }
        for load in &mut state.loads {
            load.take_if(|load| is_removed(load.body));
        }
        for (tie, worn) in state.ties.iter_mut().zip(&self.ties) {
            tie.worn = *worn;
        }
        for (joint, worn) in state.joints.iter_mut().zip(&self.joints) {
            joint.worn = *worn;
        }
        (state.origin, state.placed) = (DVec3::ZERO, self.placed);
        if let Some(Elsewhere { origin, positions }) = &self.elsewhere {
            for (m, position) in state.members.iter_mut().zip(positions) {
                m.state.pose.translation = *position;
            }
            state.origin = *origin;
        }
        for (m, drowsiness) in state.members.iter_mut().zip(&self.drowsiness) {
            m.drowsiness = *drowsiness;
        }
        for (b, offset) in state.planes.iter_mut().zip(&self.planes) {
            b.plane.offset = *offset;
        }
        (state.time, history.steps, history.ledger) = (self.time, self.steps, self.ledger);
        history.contacts.clone_from(&self.contacts);
        history.kept.clone_from(&self.kept);
        if state.settings.sleep.is_none() {
            state.wake();
        }
        Ok(())
    }
}
