//! Where the bodies of a candidate are near each other, task by task.

use super::broad_phase::Candidate;
use super::contacts::WorldContact;
use super::kept::{Keeping, KeptPoint};
use super::member::Member;
use glam::DVec3;
use klast_geometry::{
    Manifold, NarrowPhase, PairMemory, Placed, Plane, Pose, plane_contact, round_on_plane,
    round_on_round,
};
use rayon::prelude::*;

/// Candidates that one task looks at at least; enough to drown the cost of a task.
const CHUNK: usize = 64;
/// Tasks for each thread, so that none waits long for the last.
const TASKS: usize = 4;

/// Workspace of one task, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct PairWorkspace {
    pub(super) narrow: NarrowPhase,
    pub manifold: Manifold,
    pub found: Vec<WorldContact>,
    /// What may be kept of what was found, and what was kept.
    pub to_keep: Vec<KeptPoint>,
    pub keeping: Keeping,
    /// Place of the last pair among what was kept, once one was looked for.
    pub kept_place: Option<usize>,
}

impl PairWorkspace {
    /// Points of a body at a pose within the margin of a plane, by feature.
    ///
    /// Of rims those that touch in the middle of a step (s).
    pub fn touch_plane(
        &mut self,
        (a, pose): (&Member, &Pose),
        plane: &Plane,
        (margin, step): (f64, f64),
    ) {
        self.manifold.points.clear();
        if let Some(sphere) = a.sphere_at(pose) {
            let apart = sphere.apart_from_plane(plane);
            return sphere.touch(apart, margin, &mut self.manifold);
        }
        if plane.height(pose.translation) - a.radius > margin {
            return;
        }
        if a.body.is_round() {
            let stands = a.body.pose_of_shape(pose);
            if let Some(round) = a.body.round(&stands, a.state.velocity.angular) {
                return round_on_plane(&round, plane, (margin, 0.5 * step), &mut self.manifold);
            }
        }
        plane_contact(a.body.shape(), pose, plane, margin, &mut self.manifold);
        self.manifold.points.sort_unstable_by_key(|p| p.feature);
    }

    /// Points of two bodies at poses within a margin, and what that leaves to the next query on the pair; whether they
    /// are those of faces with circular edges, that touch in the middle of a step (s).
    pub fn touch(
        &mut self,
        (a, at_a): (&Member, &Pose),
        (b, at_b): (&Member, &Pose),
        (margin, step): (f64, f64),
        memory: &mut PairMemory,
    ) -> bool {
        self.manifold.points.clear();
        self.manifold.depth = 0.0;
        let span = a.radius + b.radius + margin;
        if (at_a.translation - at_b.translation).length_squared() > span * span {
            return false;
        }
        if let Some(apart) = apart_of_spheres((a, at_a), (b, at_b)) {
            self.manifold.beside = false;
            touch_of_spheres((a, at_a), (b, at_b), apart, margin, &mut self.manifold);
            return false;
        }
        if a.body.is_round() && b.body.is_round() {
            let stand = [(a, at_a), (b, at_b)].map(|(m, at)| m.body.pose_of_shape(at));
            let [a_round, b_round] = [(a, &stand[0]), (b, &stand[1])]
                .map(|(m, stand)| m.body.round(stand, m.state.velocity.angular));
            if let Some((a, b)) = a_round.as_ref().zip(b_round.as_ref())
                && round_on_round([a, b], (margin, 0.5 * step), &mut self.manifold)
            {
                self.manifold.beside = false;
                return true;
            }
        }
        self.narrow.next_manifold(
            Placed {
                shape: a.body.shape(),
                pose: at_a,
            },
            Placed {
                shape: b.body.shape(),
                pose: at_b,
            },
            margin,
            memory,
            &mut self.manifold,
        );
        false
    }
}

/// Distance of two bodies one of which is a sphere (m), and the direction from the second to the first.
pub(super) fn apart_of_spheres(
    (a, at_a): (&Member, &Pose),
    (b, at_b): (&Member, &Pose),
) -> Option<(f64, DVec3)> {
    let placed = |m, pose| Placed { shape: m, pose };
    match (a.sphere_at(at_a), b.sphere_at(at_b)) {
        (Some(a), Some(b)) => Some(a.apart_from_sphere(&b)),
        (Some(a), None) => Some(a.apart(placed(b.body.shape(), at_b))),
        (None, Some(b)) => {
            let (distance, normal) = b.apart(placed(a.body.shape(), at_a));
            Some((distance, -normal))
        }
        (None, None) => None,
    }
}

/// The contact of two bodies one of which is a sphere.
fn touch_of_spheres(
    (a, at_a): (&Member, &Pose),
    (b, at_b): (&Member, &Pose),
    (distance, normal): (f64, DVec3),
    margin: f64,
    out: &mut Manifold,
) {
    if let Some(a) = a.sphere_at(at_a) {
        return a.touch((distance, normal), margin, out);
    }
    let Some(b) = b.sphere_at(at_b) else { return };
    b.touch((distance, -normal), margin, out);
    for p in &mut out.points {
        p.normal = normal;
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
        workspace.to_keep.clear();
        workspace.keeping = Keeping::default();
        workspace.kept_place = None;
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
