//! What slides over a flush joint of two bodies meets the next one along the face that it slides over, not along its
//! side.

use super::broad_phase::Candidate;
use super::find_contacts::Start;
use super::first_touch::placed;
use super::member::Member;
use super::narrow_phase::{PairWorkspace, apart_of_spheres};
use crate::Twist;
use glam::DVec3;
use klast_geometry::{ContactPoint, Manifold, Pose, passing_axis_of_known};

/// Bound on the overlap along a face that bodies slide over, in radii of the smaller: what is deeper is struck.
const MOST_FLUSH: f64 = 1e-2;
/// Overlap along a side at which it is told from the face that is slid over, and the way in a step from which it is
/// looked for, both in the overlap that is let pass: slower bodies rest.
const DEEPER: f64 = 2.0;
const SLOWEST: f64 = 0.1;
/// Part of the radii that rounding may add to an overlap.
const ROUNDING: f64 = 1e-9;
impl Start<'_> {
    /// What slides over a flush joint of two bodies comes to the next one at its edge, where the axis of least overlap
    /// may be that of its side. Where the manifold's axis is about to act, and the velocities that the last step was
    /// solved for keep the bodies apart along another one, or leave no more than the overlap that is allowed, the
    /// bodies meet along that. Whether they do.
    pub(super) fn slide_over(
        &self,
        c: &Candidate,
        (a, b): (&Member, &Member),
        margin: f64,
        workspace: &mut PairWorkspace,
    ) -> bool {
        if workspace.manifold.points.is_empty() {
            return false;
        }
        let now = self.present([a, b]);
        let flush = self.flush(c);
        let round = a.body.sphere_radius().or(b.body.sphere_radius()).is_some();
        let step = self.state.settings.step;
        if round {
            if !self.acts((a, &now[0]), (b, &now[1]), &workspace.manifold, 0.0) {
                return false;
            }
            let after = self.poses_after([a, b], &now, step);
            return self.sphere_slides_over((a, b), (&now, &after), flush, workspace);
        }
        let Some(time) = self.until_deeper((a, &now[0]), (b, &now[1]), &workspace.manifold, flush)
        else {
            return false;
        };
        let after = self.poses_after([a, b], &now, time);
        let sure = sure_overlap([a, b], &after, &workspace.manifold);
        if sure > flush {
            return false;
        }
        let overlaps = [workspace.manifold.depth, sure];
        let here = [a, b].map(|m| placed(m, &m.state.pose));
        let poses = (&after[0], &after[1]);
        let found = passing_axis_of_known(here[0], here[1], poses, (-flush, overlaps));
        if let Some(axis) = found {
            let PairWorkspace {
                narrow, manifold, ..
            } = workspace;
            narrow.turn_manifold(here[0], here[1], (&axis, margin), manifold);
        }
        found.is_some()
    }

    /// The same for a sphere: where the present velocities leave no more than the overlap that is allowed, the
    /// direction at the end of the step is that of the contact.
    fn sphere_slides_over(
        &self,
        (a, b): (&Member, &Member),
        (now, after): (&[Twist; 2], &[Pose; 2]),
        flush: f64,
        workspace: &mut PairWorkspace,
    ) -> bool {
        let apart = apart_of_spheres((a, &after[0]), (b, &after[1]));
        let Some((gap, normal)) = apart.filter(|apart| apart.0 >= -flush) else {
            return false;
        };
        for p in &mut workspace.manifold.points {
            let at = |m: &Member, v: &Twist| v.at(p.point - m.state.pose.translation);
            let speed = normal.dot(at(a, &now[0]) - at(b, &now[1]));
            (p.normal, p.gap) = (normal, gap - self.state.settings.step * speed);
        }
        true
    }
    /// The time, a step or more, after which bodies at these velocities overlap along the normals of a manifold by more
    /// than an overlap (m), where the law would hold them back within the step. In a short step the side of the next
    /// body is met before it is deeper than the face that is slid over; it is told from what comes later.
    fn until_deeper(
        &self,
        (a, at_a): (&Member, &Twist),
        (b, at_b): (&Member, &Twist),
        manifold: &Manifold,
        allowed: f64,
    ) -> Option<f64> {
        let step = self.state.settings.step;
        let centre = a.state.pose.translation;
        let relative = Twist {
            linear: at_a.linear - at_b.at(centre - b.state.pose.translation),
            angular: at_a.angular - at_b.angular,
        };
        let times = manifold.points.iter().filter_map(|p: &ContactPoint| {
            let closing = -p.normal.dot(relative.at(p.point - centre));
            let way = step * closing;
            if p.gap - way < -allowed {
                return Some(step);
            }
            // What rests closes by rounding.
            let closes = p.gap - way < 0.0 && way > SLOWEST * allowed;
            closes.then(|| (p.gap + DEEPER * allowed) / closing)
        });
        times.reduce(f64::min).map(|time| time.max(step))
    }
    /// How deep a pair may overlap along a face that it slides over (m): as deep as either stands in what carries it,
    /// and what a step leaves alone.
    fn flush(&self, c: &Candidate) -> f64 {
        let of = |i: u32| self.overlap.get(i as usize).copied().unwrap_or_default();
        let radius = |i: u32| self.state.members.get(i as usize).map_or(0.0, |m| m.radius);
        let most = MOST_FLUSH * radius(c.first).min(radius(c.second));
        (2.0 * (self.state.settings.slop + of(c.first).max(of(c.second)))).min(most)
    }
}

/// What two bodies overlap by at least along every axis once they have moved, less rounding, told from one point: a
/// ball about it that both contain is an overlap of its diameter (m; 0 where the point tells nothing). The point is
/// where the middle of their contacts has gone to. Most bodies that strike each other are told so, without a search for
/// the axis that keeps them apart.
fn sure_overlap(members: [&Member; 2], after: &[Pose; 2], manifold: &Manifold) -> f64 {
    let points = manifold.points.iter().map(|p| p.point);
    let middle = points.sum::<DVec3>() / manifold.points.len() as f64;
    let gone = |k: usize| {
        let local = members[k].state.pose.inverse_transform_point(middle);
        after[k].transform_point(local)
    };
    let point = 0.5 * (gone(0) + gone(1));
    let depth = |k: usize| {
        let local = after[k].inverse_transform_point(point);
        members[k].body.shape().depth(local)
    };
    let (first, second) = (depth(0), depth(1));
    if first <= 0.0 || second <= 0.0 {
        return 0.0;
    }
    let rounding = ROUNDING * (members[0].radius + members[1].radius);
    (first + second - rounding).max(0.0)
}
