//! Contacts that the start of a step does not show.
//!
//! Contacts are those of the poses at the start, so a corner that comes in beside them enters. Where a step is run to a
//! residual its end is looked at as well: what would enter there is a contact of the step, with the gap that makes the
//! linear law right at the end, and the step is solved again from where it stands.

use super::broad_phase::{Ball, Candidate};
use super::contacts::{PLANES, WorldContact};
use super::ends::Ends;
use super::first_touch::FAST;
use super::narrow_phase::{PairWorkspace, in_chunks};
use super::settings::Effort;
use super::state::WorldState;
use super::workspace::Search;
use crate::Twist;
use glam::DVec3;
use klast_geometry::{Plane, Pose};

/// Overlap that may come in unseen, in slops and at least in radii; half of it has to come in this step to be new.
const ENTRY: f64 = 10.0;
const LEAST_ENTRY: f64 = 1e-6;

/// What the search reads.
struct End<'a> {
    state: &'a WorldState,
    ends: &'a Ends,
    /// Where each member was at the start, and what carries it.
    balls: &'a [Ball],
}

/// Adds the contacts that the present solution leaves out, and moves those whose normal has turned; how many.
pub(super) fn add_entering(
    state: &WorldState,
    ends: &Ends,
    search: &mut Search,
    contacts: &mut Vec<WorldContact>,
) -> usize {
    let end = End {
        state,
        ends,
        balls: &search.broad.balls,
    };
    if matches!(state.settings.effort, Effort::Sweeps(_)) && end.all_are_slow() {
        return 0;
    }
    let look = |c: &mut Candidate, workspace: &mut PairWorkspace| end.look_at(c, workspace);
    let candidates = &mut search.broad.candidates;
    let tasks = in_chunks(candidates, &mut search.tasks, state.settings.parallel, look);
    let mut found = 0;
    for c in search.tasks[..tasks].iter().flat_map(|w| &w.found) {
        match contacts.binary_search_by_key(&c.key(), WorldContact::key) {
            // The points about the contact of a sphere hold it.
            Ok(at) if contacts[at].rolling_length > 0.0 => continue,
            Ok(at) => {
                let known = &mut contacts[at];
                (known.point, known.apart) = (c.point, c.apart);
                (known.normal, known.gap) = (c.normal, c.gap);
            }
            Err(at) => contacts.insert(at, *c),
        }
        found += 1;
    }
    found
}

impl End<'_> {
    /// Whether no pair can be fast for its smaller body, told from the fastest and the smallest of all.
    fn all_are_slow(&self) -> bool {
        let (members, planes) = (&self.state.members, &self.state.planes);
        let all = (0..members.len() as u32).chain((0..planes.len() as u32).map(|k| PLANES + k));
        let first = self.carrier(if planes.is_empty() { 0 } else { PLANES });
        let (fastest, apart) = all.fold((0.0, 0.0), |(fastest, apart): (f64, f64), i| {
            let to_first = (self.carrier(i) - first).length();
            (fastest.max(self.fastest(i)), apart.max(to_first))
        });
        let smallest = members
            .iter()
            .map(|m| m.radius)
            .fold(f64::INFINITY, f64::min);
        self.state.settings.step * (fastest + fastest + 2.0 * apart) < FAST * smallest
    }

    /// Adds to what was found the points of a pair that the present solution lets enter over the step.
    fn look_at(&self, c: &mut Candidate, workspace: &mut PairWorkspace) {
        let step = self.state.settings.step;
        let entry = self.entry(c);
        let carriers = (self.carrier(c.first) - self.carrier(c.second)).length();
        let way = step * (self.fastest(c.first) + self.fastest(c.second) + carriers);
        // Sweeps leave much open that is slow, and look again at what is fast.
        let least = match self.state.settings.effort {
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
                rolling_length: 0.0,
                rolling_arm: DVec3::ZERO,
                rolling_speed: 0.0,
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
        let a = self.state.members.get(c.first as usize)?;
        let (pose, motion) = (
            self.ends.poses.get(c.first as usize)?,
            self.motion(c.first as usize)?,
        );
        let (surface, other) = match c.second.checked_sub(PLANES) {
            Some(k) => {
                let b = self.state.planes.get(k as usize)?;
                let way = b.velocity * self.state.settings.step;
                let plane = Plane {
                    offset: b.plane.offset + b.plane.normal.dot(way),
                    ..b.plane
                };
                workspace.touch_plane((a, pose), &plane, (0.0, 0.0));
                ((&b.surface, b.material), Motion::shift(b.velocity, way))
            }
            None => {
                let b = self.state.members.get(c.second as usize)?;
                let at = self.ends.poses.get(c.second as usize)?;
                workspace.touch((a, pose), (b, at), (0.0, 0.0), &mut c.memory);
                ((&b.surface, b.material), self.motion(c.second as usize)?)
            }
        };
        let (friction, restitution) = self.state.pairs.of((&a.surface, a.material), surface);
        Some((motion, other, friction, restitution))
    }

    /// Radius of the smaller of a pair (m); a plane has none.
    fn size(&self, c: &Candidate) -> f64 {
        let radius = |i: u32| {
            self.state
                .members
                .get(i as usize)
                .map_or(f64::INFINITY, |m| m.radius)
        };
        radius(c.first).min(radius(c.second))
    }

    /// Overlap at the end of the step that is let pass (m).
    fn entry(&self, c: &Candidate) -> f64 {
        let radius = self
            .state
            .members
            .get(c.first as usize)
            .map_or(0.0, |m| m.radius);
        (ENTRY * self.state.settings.slop).max(LEAST_ENTRY * radius)
    }

    /// Bound on the speed of any point over the step relative to what carries the body (m/s).
    fn fastest(&self, member: u32) -> f64 {
        if member >= PLANES {
            return 0.0;
        }
        let body = self.state.members.get(member as usize);
        let speeds = body.zip(self.ends.after.get(member as usize));
        speeds.map_or(0.0, |(m, v)| {
            (v.linear - self.carrier(member)).length() + v.angular.length() * m.radius
        })
    }

    /// Velocity of what carries a body; of a plane, its own.
    fn carrier(&self, member: u32) -> DVec3 {
        if let Some(k) = member.checked_sub(PLANES) {
            let plane = self.state.planes.get(k as usize);
            return plane.map_or(DVec3::ZERO, |b| b.velocity);
        }
        let ball = self.balls.get(member as usize);
        ball.map_or(DVec3::ZERO, |ball| ball.carrier)
    }

    fn motion(&self, member: usize) -> Option<Motion> {
        Some(Motion {
            start: self.state.members.get(member)?.state.pose,
            end: *self.ends.poses.get(member)?,
            velocity: *self.ends.after.get(member)?,
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
