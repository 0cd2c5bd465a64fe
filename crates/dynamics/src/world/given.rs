//! What loads give to bodies over a step.

use super::state::WorldState;
use crate::Twist;
use glam::DVec3;

/// What loads give to a body over a step: impulse (N s), angular impulse (N m s) and the change of velocity.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Given {
    pub impulse: DVec3,
    pub angular: DVec3,
    pub change: Twist,
}

/// What the loads give to each body over the coming step; empty where there are none.
pub(super) fn given(state: &WorldState, given: &mut Vec<Given>) {
    given.clear();
    if state.loads.iter().all(Option::is_none) {
        return;
    }
    given.resize(state.members.len(), Given::default());
    for load in state.loads.iter().flatten() {
        let Some((sum, m)) = given.get_mut(load.body).zip(state.members.get(load.body)) else {
            continue;
        };
        let (force, moment) = load.wrench(m, state.origin, &state.settings, state.time);
        sum.impulse += force * state.settings.step;
        sum.angular += moment * state.settings.step;
    }
    for (sum, m) in given.iter_mut().zip(&state.members) {
        let pose = &m.state.pose;
        let spin = pose.inverse_transform_vector(sum.angular) / m.body.inertia();
        sum.change = Twist {
            linear: sum.impulse / m.body.mass(),
            angular: pose.transform_vector(spin),
        };
    }
}
