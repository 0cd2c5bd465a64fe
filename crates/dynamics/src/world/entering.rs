//! Contacts that the start of a step does not show.
//!
//! Contacts are those of the poses at the start, so a corner that comes in beside them enters. Where a step is run to a
//! residual its end is looked at as well: what would enter there is a contact of the step, with the gap that makes the
//! linear law right at the end, and the step is solved again from where it stands.

use super::audit::StepReport;
use super::broad_phase::{Candidate, PLANES};
use super::contacts::{PairWorkspace, WorldContact, in_chunks};
use super::facade::World;
use super::first_touch::FAST;
use super::impacts::strike;
use super::materials::PairTable;
use super::member::{Boundary, Member};
use super::settings::{Effort, WorldSettings};
use super::sleep::wake_the_touched;
use crate::{DynamicsError, Twist};
use glam::DVec3;
use klast_geometry::{Plane, Pose};

/// Overlap that may come in unseen, in slops and at least in radii; half of it has to come in this step to be new.
const ENTRY: f64 = 10.0;
const LEAST_ENTRY: f64 = 1e-6;
/// Solutions of a step at most.
const ROUNDS: usize = 4;

/// What the search reads.
struct End<'a> {
    members: &'a [Member],
    planes: &'a [Boundary],
    pairs: &'a PairTable,
    poses: &'a [Pose],
    after: &'a [Twist],
    settings: WorldSettings,
}

impl World {
    /// Looks for contacts that the solution leaves out and solves again with them, until there are none or the rounds
    /// are spent.
    pub(super) fn solve_for_entering(
        &mut self,
        free: &mut [Twist],
        after: &mut Vec<Twist>,
        report: &mut StepReport,
    ) -> Result<(), DynamicsError> {
        for _ in 1..ROUNDS {
            let entering = self.add_entering(after);
            if entering == 0 {
                break;
            }
            report.entered += entering;
            self.work
                .islands
                .sort(&self.state.members, &self.history.contacts);
            wake_the_touched(
                &mut self.state,
                &self.history.contacts,
                &mut self.work.islands,
                free,
            );
            strike(
                &mut self.state,
                &self.history.contacts,
                &mut self.work.impacts,
                free,
                report,
            )?;
            self.solve_islands(free)?;
            self.velocities_after(free, after);
            self.poses_after(after);
        }
        Ok(())
    }

    /// Adds the contacts that the present solution leaves out, and moves those whose normal has turned; how many.
    fn add_entering(&mut self, after: &[Twist]) -> usize {
        self.write_reactions();
        let end = End {
            members: &self.state.members,
            planes: &self.state.planes,
            pairs: &self.state.pairs,
            poses: &self.work.ends.poses,
            after,
            settings: self.state.settings,
        };
        let look = |c: &mut Candidate, workspace: &mut PairWorkspace| end.look_at(c, workspace);
        let tasks = in_chunks(
            &mut self.work.search.broad.candidates,
            &mut self.work.search.tasks,
            self.state.settings.parallel,
            look,
        );
        let mut found = 0;
        for workspace in &self.work.search.tasks[..tasks] {
            for c in &workspace.found {
                match self
                    .history
                    .contacts
                    .binary_search_by_key(&c.key(), WorldContact::key)
                {
                    Ok(at) => {
                        let known = &mut self.history.contacts[at];
                        (known.point, known.apart) = (c.point, c.apart);
                        (known.normal, known.gap) = (c.normal, c.gap);
                    }
                    Err(at) => self.history.contacts.insert(at, *c),
                }
                found += 1;
            }
        }
        found
    }
}

impl End<'_> {
    /// Adds to what was found the points of a pair that the present solution lets enter over the step.
    fn look_at(&self, c: &mut Candidate, workspace: &mut PairWorkspace) {
        let step = self.settings.step;
        let entry = self.entry(c);
        let way = step * (self.fastest(c.first) + self.fastest(c.second));
        // Sweeps leave much open that is slow, and look again at what is fast.
        let least = match self.settings.effort {
            Effort::Sweeps(_) => FAST * self.size(c),
            Effort::Residual { .. } | Effort::Auto { .. } => 0.5 * entry,
        };
        if way < least {
            return;
        }
        let Some((a, b, friction, restitution)) = self.meet(c, workspace) else {
            return;
        };
        for p in workspace.manifold.points.iter().filter(|p| p.gap < -entry) {
            let [on_a, on_b] = [a.start(p.point), b.start(p.point)];
            let closing = p.normal.dot(a.speed(on_a) - b.speed(on_b));
            if step * closing > -0.5 * entry {
                continue;
            }
            workspace.found.push(WorldContact {
                first: c.first,
                second: c.second,
                feature: p.feature,
                point: 0.5 * (on_a + on_b),
                apart: on_a - on_b,
                normal: p.normal,
                gap: p.gap - step * closing,
                friction,
                restitution,
                impulse: DVec3::ZERO,
                velocity: DVec3::ZERO,
            });
        }
    }

    /// The manifold of a pair at the end of the step, the two motions, friction and restitution.
    fn meet(
        &self,
        c: &mut Candidate,
        workspace: &mut PairWorkspace,
    ) -> Option<(Motion, Motion, f64, f64)> {
        let a = self.members.get(c.first as usize)?;
        let (pose, motion) = (
            self.poses.get(c.first as usize)?,
            self.motion(c.first as usize)?,
        );
        let (surface, other) = match c.second.checked_sub(PLANES) {
            Some(k) => {
                let b = self.planes.get(k as usize)?;
                let way = b.velocity * self.settings.step;
                let plane = Plane {
                    offset: b.plane.offset + b.plane.normal.dot(way),
                    ..b.plane
                };
                workspace.touch_plane((a, pose), &plane, 0.0);
                ((&b.surface, b.material), Motion::shift(b.velocity, way))
            }
            None => {
                let b = self.members.get(c.second as usize)?;
                let at = self.poses.get(c.second as usize)?;
                workspace.touch((a, pose), (b, at), 0.0, &mut c.hint);
                ((&b.surface, b.material), self.motion(c.second as usize)?)
            }
        };
        let (friction, restitution) = self.pairs.of((&a.surface, a.material), surface);
        Some((motion, other, friction, restitution))
    }

    /// Radius of the smaller of a pair (m); a plane has none.
    fn size(&self, c: &Candidate) -> f64 {
        let radius = |i: u32| {
            self.members
                .get(i as usize)
                .map_or(f64::INFINITY, |m| m.radius)
        };
        radius(c.first).min(radius(c.second))
    }

    /// Overlap at the end of the step that is let pass (m).
    fn entry(&self, c: &Candidate) -> f64 {
        let radius = self.members.get(c.first as usize).map_or(0.0, |m| m.radius);
        (ENTRY * self.settings.slop).max(LEAST_ENTRY * radius)
    }

    /// Bound on the speed of any point over the step (m/s).
    fn fastest(&self, member: u32) -> f64 {
        if let Some(k) = member.checked_sub(PLANES) {
            return self
                .planes
                .get(k as usize)
                .map_or(0.0, |b| b.velocity.length());
        }
        let body = self.members.get(member as usize);
        let speeds = body.zip(self.after.get(member as usize));
        speeds.map_or(0.0, |(m, v)| {
            v.linear.length() + v.angular.length() * m.radius
        })
    }

    fn motion(&self, member: usize) -> Option<Motion> {
        Some(Motion {
            start: self.members.get(member)?.state.pose,
            end: *self.poses.get(member)?,
            velocity: *self.after.get(member)?,
        })
    }
}

/// A motion over the step.
struct Motion {
    start: Pose,
    end: Pose,
    velocity: Twist,
}

impl Motion {
    /// Of a plane, which does not turn.
    fn shift(velocity: DVec3, way: DVec3) -> Self {
        Self {
            start: Pose::IDENTITY,
            end: Pose::from_translation(way),
            velocity: Twist {
                linear: velocity,
                angular: DVec3::ZERO,
            },
        }
    }

    /// Where a material point stood that is here at the end.
    fn start(&self, p: DVec3) -> DVec3 {
        self.start
            .transform_point(self.end.inverse_transform_point(p))
    }

    /// Velocity at a point, with the arms of the start.
    fn speed(&self, p: DVec3) -> DVec3 {
        self.velocity.at(p - self.start.translation)
    }
}
