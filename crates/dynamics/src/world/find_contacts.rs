//! Finds the contacts of all candidates, in an order that depends on the bodies alone.

use super::broad_phase::{Ball, Candidate};
use super::carry_over::carry_over;
use super::contacts::{PLANES, WorldContact, of_pair};
use super::first_touch::{FAST, FirstTouch, Meeting, first_touch, placed};
use super::kept::{self, Keeping, KeptPoint};
use super::member::Member;
use super::motion::moved;
use super::narrow_phase::{PairWorkspace, in_chunks};
use super::rolling;
use super::state::WorldState;
use super::workspace::Search;
use crate::Twist;
use glam::DVec3;
use klast_geometry::{ContactPoint, Manifold, Pose, passing_axis};

/// Reach of a pair's contacts, in radii of the smaller, under which it is not fast: less by what rounding may do.
const SURELY_SLOW: f64 = FAST * (1.0 - 1e-9);

/// What the narrow phase reads.
pub(super) struct Start<'a> {
    pub state: &'a WorldState,
    /// Contacts of the last step: those of sleepers stand.
    old: &'a [WorldContact],
    /// What is known of them.
    kept: &'a [KeptPoint],
    /// Velocity of each member at the end of the step if there were no contacts.
    free: &'a [Twist],
    /// Where each member is, and how far its contacts reach.
    balls: &'a [Ball],
    /// Largest overlap of each member in the last step (m).
    pub overlap: &'a [f64],
}

/// What the step before has left, and the velocities at the end of this one without contacts.
pub(super) struct Before<'a> {
    pub contacts: &'a [WorldContact],
    pub kept: &'a [KeptPoint],
    pub free: &'a [Twist],
}

/// Finds all contacts at the present poses, with last step's impulses where the features are the same, and what may be
/// kept of them. What was.
pub(super) fn find_contacts(
    state: &WorldState,
    Before {
        contacts: old,
        kept: old_kept,
        free,
    }: Before,
    search: &mut Search,
    (contacts, kept): (&mut Vec<WorldContact>, &mut Vec<KeptPoint>),
) -> Keeping {
    search.broad.update(state);
    note_overlap(old, state.members.len(), &mut search.overlap);
    let start = Start {
        state,
        old,
        kept: old_kept,
        free,
        balls: &search.broad.balls,
        overlap: &search.overlap,
    };
    let look = |c: &mut Candidate, workspace: &mut PairWorkspace| start.look_at(c, workspace);
    let candidates = &mut search.broad.candidates;
    let tasks = in_chunks(candidates, &mut search.tasks, state.settings.parallel, look);
    contacts.clear();
    kept.clear();
    let all = search.tasks[..tasks].iter().map(|task| task.keeping);
    let keeping = all.fold(Keeping::default(), Keeping::and);
    match &mut search.tasks[..tasks] {
        // The lists of a single task are those of all.
        [only] => {
            std::mem::swap(contacts, &mut only.found);
            std::mem::swap(kept, &mut only.to_keep);
        }
        several => several.iter().for_each(|task| {
            contacts.extend_from_slice(&task.found);
            kept.extend_from_slice(&task.to_keep);
        }),
    }
    carry_over(old, contacts, |o| reach(state, o));
    keeping
}

/// Where the point of a contact is now, and how far from there it may be found.
fn reach(state: &WorldState, o: &WorldContact) -> (DVec3, f64) {
    let s = &state.settings;
    let (way, slip) = match state.members.get(o.first as usize) {
        Some(m) => {
            let v = m.state.velocity;
            let arm = o.point - m.state.pose.translation + v.linear * s.step;
            (v.at(arm) * s.step, o.velocity.length() * s.step)
        }
        None => (DVec3::ZERO, 0.0),
    };
    (o.point + way, s.margin + slip)
}

/// The largest overlap of each member in the last step.
fn note_overlap(old: &[WorldContact], members: usize, overlap: &mut Vec<f64>) {
    overlap.clear();
    overlap.resize(members, 0.0);
    for c in old.iter().filter(|c| c.gap < 0.0) {
        for member in [c.first, c.second] {
            match overlap.get_mut(member as usize) {
                Some(most) if *most < -c.gap => *most = -c.gap,
                _ => {}
            }
        }
    }
}

impl Start<'_> {
    /// Whether the contacts of a pair are those of the last step: one sleeps, and the other sleeps or stands still.
    fn sleeps(&self, a: &Member, second: u32) -> bool {
        let s = &self.state.settings;
        if s.sleep.is_none() {
            return false;
        }
        let still = |m: &Member| m.is_still(self.state.time, s.step);
        match second.checked_sub(PLANES) {
            Some(k) => {
                let plane = self.state.planes.get(k as usize);
                // A plane that is driven may have moved in the last step: its pairs are looked at.
                a.is_asleep() && still(a) && plane.is_some_and(|b| b.drive.is_none())
            }
            None => {
                let b = self.state.members.get(second as usize);
                still(a) && b.is_some_and(|b| still(b) && (a.is_asleep() || b.is_asleep()))
            }
        }
    }

    fn look_at(&self, c: &mut Candidate, workspace: &mut PairWorkspace) {
        let Some(a) = self.state.members.get(c.first as usize) else {
            return;
        };
        let s = &self.state.settings;
        if self.sleeps(a, c.second) {
            let old = of_pair(self.old, c.first, c.second).iter();
            workspace.found.extend(old.map(|o| WorldContact {
                velocity: DVec3::ZERO,
                ..*o
            }));
            return;
        }
        let placed = (a, &a.state.pose);
        let ball = |member: u32| &self.balls[member as usize];
        let surface = match c.second.checked_sub(PLANES) {
            Some(k) => {
                let Some(b) = self.state.planes.get(k as usize) else {
                    return;
                };
                let margin = ball(c.first).margin_of_plane(b, s);
                workspace.touch_plane(placed, &b.plane, (margin, s.step));
                (&b.surface, b.material)
            }
            None => {
                let (near, other) = (ball(c.first), ball(c.second));
                let margin = near.margin(other, s);
                // The margin has the relative speed of all points in it: most pairs are told to be slow by that alone.
                let slow = margin < SURELY_SLOW * near.radius.min(other.radius);
                if slow && near.is_apart(other, margin) {
                    return;
                }
                let Some(b) = self.state.members.get(c.second as usize) else {
                    return;
                };
                if !slow {
                    let now = self.present([a, b]);
                    match first_touch([a, b], &now, s.step) {
                        Meeting::Never => return,
                        Meeting::At(touch) => {
                            return self.meet_later(c, (a, b), (now, touch), workspace);
                        }
                        Meeting::Near => {}
                    }
                }
                self.touch_or_keep(c, (a, b), margin, workspace);
                (&b.surface, b.material)
            }
        };
        if workspace.manifold.points.is_empty() {
            return;
        }
        let (friction, restitution) = self.state.pairs.of((&a.surface, a.material), surface);
        let from = workspace.found.len();
        let points = workspace.manifold.points.iter();
        workspace.found.extend(points.map(|p| WorldContact {
            first: c.first,
            second: c.second,
            feature: p.feature,
            point: p.point,
            apart: DVec3::ZERO,
            normal: p.normal,
            gap: p.gap,
            friction,
            restitution,
            rolling_length: 0.0,
            rolling_arm: DVec3::ZERO,
            rolling_speed: 0.0,
            impulse: DVec3::ZERO,
            velocity: DVec3::ZERO,
        }));
        rolling::spread(self.state, self.old, from, &mut workspace.found);
    }
}

impl Start<'_> {
    /// The points of a pair that is not fast: kept ones, or those of a search.
    fn touch_or_keep(
        &self,
        c: &mut Candidate,
        (a, b): (&Member, &Member),
        margin: f64,
        workspace: &mut PairWorkspace,
    ) {
        let s = &self.state.settings;
        let (pair, from) = ((c.first, c.second), workspace.to_keep.len());
        let room = kept::room([a, b], margin, || self.present([a, b]), s);
        let known = room.map(|room| {
            let own = kept::of_pair(self.kept, pair, &mut workspace.kept_place);
            (room, own)
        });
        let way = known.and_then(|(room, points)| {
            kept::fill(points, [a, b], (margin, room), &mut workspace.manifold)
        });
        let mut rims = false;
        if let Some(((_, points), way)) = known.zip(way) {
            workspace.to_keep.extend_from_slice(points);
            let contacts = workspace.manifold.points.len();
            workspace.keeping = workspace.keeping.and(Keeping { contacts, way });
        } else {
            let reach = margin + room.unwrap_or(0.0);
            let places = ((a, &a.state.pose), (b, &b.state.pose));
            rims = workspace.touch(places.0, places.1, (reach, s.step), &mut c.memory);
            if room.is_some() {
                if !workspace.manifold.beside {
                    let found = (&workspace.manifold, reach);
                    kept::remember(pair, [a, b], found, &mut workspace.to_keep);
                }
                workspace.manifold.points.retain(|p| p.gap <= margin);
            }
        }
        let turned = rims || self.slide_over(c, (a, b), margin, workspace);
        if turned || workspace.manifold.beside {
            workspace.to_keep.truncate(from);
        }
        if !turned && workspace.manifold.beside {
            self.let_pass(c, (a, b), &mut workspace.manifold);
        }
    }

    /// Adds the contacts of two bodies that touch later in the step: those of that time, with the gap that the approach
    /// until then takes.
    fn meet_later(
        &self,
        c: &mut Candidate,
        (a, b): (&Member, &Member),
        (now, touch): ([Twist; 2], FirstTouch),
        workspace: &mut PairWorkspace,
    ) {
        let s = &self.state.settings;
        let [at_a, at_b] = &touch.poses;
        workspace.touch((a, at_a), (b, at_b), (s.margin, 0.0), &mut c.memory);
        let (friction, restitution) = self
            .state
            .pairs
            .of((&a.surface, a.material), (&b.surface, b.material));
        let apart = touch.apart([a, b]);
        let points = workspace.manifold.points.iter();
        workspace.found.extend(points.map(|p| {
            let speed =
                now[0].at(p.point - at_a.translation) - now[1].at(p.point - at_b.translation);
            let behind = at_a.translation - a.state.pose.translation + at_b.translation
                - b.state.pose.translation;
            WorldContact {
                first: c.first,
                second: c.second,
                feature: p.feature,
                point: p.point - 0.5 * behind,
                apart,
                normal: p.normal,
                gap: p.gap - touch.part * s.step * p.normal.dot(speed),
                friction,
                restitution,
                rolling_length: 0.0,
                rolling_arm: DVec3::ZERO,
                rolling_speed: 0.0,
                impulse: DVec3::ZERO,
                velocity: DVec3::ZERO,
            }
        }));
    }

    /// The direction between corners and edges that stand beside each other turns as bodies pass, and a law along it as
    /// it is at the start would stop bodies that never touch. Where it is about to act, and the motion without contacts
    /// keeps the bodies apart along some axis, that axis takes its place: it holds them apart as surely, and lets them
    /// pass.
    fn let_pass(&self, c: &Candidate, (a, b): (&Member, &Member), manifold: &mut Manifold) {
        let free = [c.first, c.second].map(|i| self.free[i as usize]);
        if !self.acts((a, &free[0]), (b, &free[1]), manifold, 0.0) {
            return;
        }
        let after = self.poses_after([a, b], &free, self.state.settings.step);
        let here = [a, b].map(|m| placed(m, &m.state.pose));
        let found = passing_axis(here[0], here[1], (&after[0], &after[1]), 0.0);
        if let Some((axis, first)) = found.zip(manifold.points.first_mut()) {
            (first.normal, first.gap) = (axis.normal, axis.gap);
            manifold.points.truncate(1);
        }
    }

    /// Whether the law along the normals of a manifold would hold back the bodies at these velocities by more than an
    /// overlap (m).
    pub(super) fn acts(
        &self,
        (a, at_a): (&Member, &Twist),
        (b, at_b): (&Member, &Twist),
        manifold: &Manifold,
        allowed: f64,
    ) -> bool {
        let at = |m: &Member, v: &Twist, p: DVec3| v.at(p - m.state.pose.translation);
        manifold.points.iter().any(|p: &ContactPoint| {
            let speed = at(a, at_a, p.point) - at(b, at_b, p.point);
            p.gap + self.state.settings.step * p.normal.dot(speed) < -allowed
        })
    }

    /// The velocities that the last step was solved for.
    pub(super) fn present(&self, members: [&Member; 2]) -> [Twist; 2] {
        let s = &self.state.settings;
        members.map(|m| m.present_velocity(s, self.state.time))
    }

    /// Poses after a time at these velocities.
    pub(super) fn poses_after(
        &self,
        members: [&Member; 2],
        velocities: &[Twist; 2],
        time: f64,
    ) -> [Pose; 2] {
        let s = &self.state.settings;
        std::array::from_fn(|k| {
            let (m, v) = (members[k], &velocities[k]);
            let linear = v.linear * s.theta + m.state.velocity.linear * (1.0 - s.theta);
            moved(&m.state.pose, linear * time, v.angular * time)
        })
    }
}
