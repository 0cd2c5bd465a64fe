//! Contacts of all candidates, in an order that depends on the bodies alone.

use super::broad_phase::{Candidate, PLANES};
use super::member::Member;
use glam::DVec3;
use klast_geometry::{AxisFeature, Manifold, NarrowPhase, Placed, Plane, Pose, plane_contact};
use rayon::prelude::*;

/// Candidates that one task looks at at least; enough to drown the cost of a task.
const CHUNK: usize = 64;
/// Tasks for each thread, so that none waits long for the last.
const TASKS: usize = 4;

/// One contact point of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldContact {
    /// The body that the normal points to.
    pub first: u32,
    /// The other body; 2³¹ and above are planes.
    pub second: u32,
    /// Names the features that touch.
    pub feature: u32,
    /// Where (m): halfway between the points of the two bodies that meet.
    pub point: DVec3,
    /// The point of the first body less that of the second at the start of the step (m): not zero where they meet only
    /// later in it, in places that the arms of that time lead to.
    #[cfg_attr(feature = "serde", serde(default))]
    pub apart: DVec3,
    /// Unit normal from the second to the first.
    pub normal: DVec3,
    /// Gap at the start of the step (m), below zero is overlap.
    pub gap: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's restitution.
    pub restitution: f64,
    /// Impulse on the first body over the step, world axes (N s).
    pub impulse: DVec3,
    /// Velocity of the first relative to the second at the end of the step, world axes (m/s).
    pub velocity: DVec3,
}

impl WorldContact {
    /// The plane that is touched, if the second is one.
    pub fn plane(&self) -> Option<usize> {
        self.second.checked_sub(PLANES).map(|k| k as usize)
    }

    fn pair(&self) -> (u32, u32) {
        (self.first, self.second)
    }

    /// The points of the two bodies that meet (m).
    pub(super) fn points(&self) -> [DVec3; 2] {
        [self.point + 0.5 * self.apart, self.point - 0.5 * self.apart]
    }

    /// The order of contacts.
    pub(super) fn key(&self) -> (u32, u32, u32) {
        (self.first, self.second, self.feature)
    }
}

/// PairWorkspace of one task, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct PairWorkspace {
    pub(super) narrow: NarrowPhase,
    pub manifold: Manifold,
    pub found: Vec<WorldContact>,
}

impl PairWorkspace {
    /// Points of a body at a pose within the margin of a plane, by feature.
    pub fn touch_plane(&mut self, (a, pose): (&Member, &Pose), plane: &Plane, margin: f64) {
        self.manifold.points.clear();
        if plane.height(pose.translation) - a.radius <= margin {
            plane_contact(a.body.shape(), pose, plane, margin, &mut self.manifold);
            self.manifold.points.sort_unstable_by_key(|p| p.feature);
        }
    }

    /// Points of two bodies at poses within a margin. The axis that may show them apart stays as the next hint.
    pub fn touch(
        &mut self,
        (a, at_a): (&Member, &Pose),
        (b, at_b): (&Member, &Pose),
        margin: f64,
        hint: &mut Option<AxisFeature>,
    ) {
        self.manifold.points.clear();
        let span = a.radius + b.radius + margin;
        if (at_a.translation - at_b.translation).length_squared() > span * span {
            return;
        }
        let found = self.narrow.manifold(
            Placed {
                shape: a.body.shape(),
                pose: at_a,
            },
            Placed {
                shape: b.body.shape(),
                pose: at_b,
            },
            margin,
            *hint,
            &mut self.manifold,
        );
        *hint = found.or(*hint);
    }
}

/// Looks at all candidates, each task with its own workspace; the workspaces that were used hold what was found, in
/// order.
pub(super) fn in_chunks(
    candidates: &mut [Candidate],
    workspaces: &mut Vec<PairWorkspace>,
    parallel: bool,
    look: impl Fn(&mut Candidate, &mut PairWorkspace) + Sync,
) -> usize {
    let tasks = match parallel {
        true => (TASKS * rayon::current_num_threads()).min(candidates.len().div_ceil(CHUNK)),
        false => 1,
    };
    let chunk = candidates.len().div_ceil(tasks.max(1)).max(1);
    let tasks = candidates.len().div_ceil(chunk);
    if workspaces.len() < tasks {
        workspaces.resize_with(tasks, PairWorkspace::default);
    }
    let work = |(workspace, chunk): (&mut PairWorkspace, &mut [Candidate])| {
        workspace.found.clear();
        for c in chunk {
            look(c, workspace);
        }
    };
    if parallel {
        workspaces
            .par_iter_mut()
            .zip(candidates.par_chunks_mut(chunk))
            .for_each(work);
    } else {
        workspaces
            .iter_mut()
            .zip(candidates.chunks_mut(chunk))
            .for_each(work);
    }
    tasks
}

/// Contacts of one pair that can be told apart while they are matched; of more the last are matched by name alone.
const TOLD_APART: usize = 64;

/// Starts each contact from the impulse that the same features had in the last step. Where a corner has gone over an
/// edge in line with it, by as little as rounding, features have other names: what is left of a pair is matched by the
/// nearest point.
pub(super) fn carry_over(
    old: &[WorldContact],
    new: &mut [WorldContact],
    reach: impl Fn(&WorldContact) -> (DVec3, f64),
) {
    let mut k = 0;
    for of_pair in new.chunk_by_mut(|a, b| a.pair() == b.pair()) {
        let Some(pair) = of_pair.first().map(WorldContact::pair) else {
            continue;
        };
        while old.get(k).is_some_and(|o| o.pair() < pair) {
            k += 1;
        }
        let rest = old.get(k..).unwrap_or_default();
        let count = rest.iter().take_while(|o| o.pair() == pair).count();
        start_pair(&rest[..count], of_pair, &reach);
        k += count;
    }
}

/// The same for the contacts of one pair.
fn start_pair(
    old: &[WorldContact],
    new: &mut [WorldContact],
    reach: &impl Fn(&WorldContact) -> (DVec3, f64),
) {
    let (mut taken, mut named) = (0u64, 0u64);
    let mut k = 0;
    for (j, c) in new.iter_mut().enumerate() {
        while old.get(k).is_some_and(|o| o.feature < c.feature) {
            k += 1;
        }
        if let Some(o) = old.get(k).filter(|o| o.feature == c.feature) {
            c.impulse = o.impulse;
            taken |= bit(k);
            named |= bit(j);
        }
    }
    for (j, c) in new.iter_mut().enumerate().take(TOLD_APART) {
        if named & bit(j) != 0 {
            continue;
        }
        let free = old.iter().enumerate().take(TOLD_APART);
        let near = free.filter(|(k, _)| taken & bit(*k) == 0).map(|(k, o)| {
            let (point, within) = reach(o);
            (point.distance(c.point) - within, k)
        });
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, k)) = nearest.filter(|(beyond, _)| *beyond <= 0.0) {
            c.impulse = old[k].impulse;
            taken |= bit(k);
        }
    }
}

fn bit(k: usize) -> u64 {
    match k < TOLD_APART {
        true => 1 << k,
        false => 0,
    }
}

/// The contacts of a pair in a list that is sorted by pair and feature.
pub(super) fn of_pair(contacts: &[WorldContact], first: u32, second: u32) -> &[WorldContact] {
    let start = contacts.partition_point(|c| (c.first, c.second) < (first, second));
    let rest = contacts.get(start..).unwrap_or_default();
    let count = rest.partition_point(|c| (c.first, c.second) == (first, second));
    rest.get(..count).unwrap_or_default()
}
