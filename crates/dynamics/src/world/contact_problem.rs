//! The contact problem of an island, from its bodies and contacts.

use super::arcs::Arcs;
use super::bonds::drawn_by;
use super::contacts::{PLANES, WorldContact, of_pair};
use super::frozen::Frozen;
use super::settings::{Effort, WorldSettings};
use super::tied::{Mode, TieInStep};
use super::ties::{Form, PlacedTie};
use crate::{DynamicsError, Twist};
use glam::{DQuat, DVec3};
use klast_contact::Frame;
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem};

/// Cosine of the angle up to which a normal has turned with its bodies; beyond, other features decide on it.
const SAME: f64 = 0.9;
/// Part of the speeds of turning up to which two bodies turn as one.
const AS_ONE: f64 = 1e-2;
/// What rests: the speed of a contact that is moving, in √(g r) of the smallest body, and the part of the contacts that
/// may move where the others stand.
const SLOW: f64 = 0.05;
const MOVING: f64 = 0.1;

/// Nodes and links, as they are at the start of the step, and the problem that they are.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactProblem {
    /// Free bodies: the first of the nodes. What does not move freely follows.
    pub bodies: usize,
    pub nodes: Vec<BodyInertia>,
    pub velocities: Vec<BodyVelocity>,
    /// Those of the contacts, then those of ties.
    pub links: Vec<ContactPair>,
    /// Impulse by which a bond draws the bodies together at each contact (N s).
    pub drawn: Vec<f64>,
    /// Compliances of the links of ties (1/kg).
    pub compliances: Vec<f64>,
    /// Velocities of the free bodies before the step.
    before: Vec<BodyVelocity>,
    /// Radius of the smallest body (m).
    smallest: f64,
    /// Square of the longest arm of a contact from the centre of a free body (m²).
    squared_arm: f64,
    pub system: Problem,
}

/// A member at its contacts.
#[derive(Clone, Copy)]
struct Side {
    node: usize,
    /// Where arms are taken from.
    from: DVec3,
    centre: DVec3,
    /// Before the step.
    velocity: Twist,
}

impl Side {
    fn speed_at(&self, point: DVec3) -> DVec3 {
        self.velocity.at(point - self.centre)
    }
}

impl ContactProblem {
    /// Loads the problem of bodies, contacts and ties, in their order.
    pub fn load(
        &mut self,
        bodies: &[u32],
        contacts: &[u32],
        ties: &mut [TieInStep],
        frozen: &Frozen,
    ) -> Result<(), DynamicsError> {
        self.nodes.clear();
        self.velocities.clear();
        self.links.clear();
        self.drawn.clear();
        self.compliances.clear();
        self.before.clear();
        self.squared_arm = 0.0;
        self.bodies = bodies.len();
        let member = |&i: &u32| frozen.state.members.get(i as usize);
        let members = bodies.iter().filter_map(member);
        self.smallest = members.map(|m| m.radius).fold(f64::INFINITY, f64::min);
        for &i in bodies {
            let m = &frozen.state.members[i as usize];
            self.nodes.push(m.node());
            self.before.push(velocity_of(&m.state.velocity));
            self.velocities.push(velocity_of(&frozen.free[i as usize]));
        }
        // What does not move freely is seen from the island's first body: several bodies may then share a node, and the
        // arms of their contacts fit together.
        let first = bodies.first().and_then(member);
        let origin = first.map_or(DVec3::ZERO, |m| m.state.pose.translation);
        // Contacts of one pair and of one face follow each other.
        let mut own: Option<((u32, u32), [Side; 2])> = None;
        let mut last: Option<(DVec3, Frame)> = None;
        let (mut arcs, settings) = (Arcs::default(), &frozen.state.settings);
        let (bonded, mut drawn) = (!frozen.state.joints.is_empty(), (None, 0.0));
        for &k in contacts {
            let c = &frozen.contacts[k as usize];
            if bonded && drawn.0 != Some(c.pair()) {
                let own = of_pair(frozen.contacts, c.first, c.second);
                let force = drawn_by(&frozen.state.joints, own);
                drawn = (Some(c.pair()), force * settings.step);
            }
            if own.is_none_or(|(pair, _)| pair != c.pair()) {
                let sides = [c.first, c.second].map(|member| self.side_of(member, origin, frozen));
                own = Some((c.pair(), sides));
            }
            let Some((_, [a, b])) = &own else { continue };
            let points = c.points();
            let (first, second) = (a.node, b.node);
            let (arm_first, arm_second) = (points[0] - a.from, points[1] - b.from);
            for (node, arm) in [(first, arm_first), (second, arm_second)] {
                if node < self.bodies {
                    self.squared_arm = self.squared_arm.max(arm.length_squared());
                }
            }
            if last.is_none_or(|(normal, _)| normal != c.normal) {
                last = Frame::from_normal(c.normal).ok().map(|f| (c.normal, f));
            }
            let mut impulse =
                last.map_or(DVec3::ZERO, |(_, f)| f.to_local(started_from(c, frozen)));
            if drawn.1 > 0.0 {
                impulse.x += drawn.1;
                self.push(first, arm_first, c.normal * -drawn.1);
                self.push(second, arm_second, c.normal * drawn.1);
            }
            self.drawn.push(drawn.1);
            let approach =
                || c.normal.dot(a.speed_at(points[0])) - c.normal.dot(b.speed_at(points[1]));
            let mut bias = DVec3::new(bias(c, (approach, impulse.x), settings), 0.0, 0.0);
            if let Some((_, frame)) = last.filter(|_| settings.arcs) {
                bias += frame.to_local(arcs.of(c, frozen));
            } else if impulse.x > 0.0 {
                bias.x += opening(c.normal, [a, b], points, settings);
            }
            self.links.push(ContactPair {
                first,
                second: Some(second),
                normal: c.normal,
                arm_first,
                arm_second,
                bias,
                mu: c.friction,
                impulse,
            });
        }
        for tie in ties {
            self.pose_tie(tie, origin, frozen);
        }
        let (nodes, velocities) = (&self.nodes, &self.velocities);
        let compliance = (frozen.state.settings.compliance(), &self.compliances[..]);
        self.system
            .load_with_springs(nodes, velocities, &self.links, compliance)?;
        Ok(())
    }

    /// Enters the tie into the problem: its links with their compliances, or the force that it yields with.
    fn pose_tie(&mut self, t: &mut TieInStep, origin: DVec3, frozen: &Frozen) {
        let tie = &frozen.state.ties[t.tie as usize];
        let bodies = tie.bodies();
        t.nodes = std::array::from_fn(|k| {
            let point = t.start.points[k];
            match bodies[k] {
                Some(body) => {
                    let side = self.side_of(body as u32, origin, frozen);
                    (side.node, point - side.from)
                }
                None => (self.immovable(DVec3::ZERO, DVec3::ZERO), point - origin),
            }
        });
        let from = self.links.len();
        match t.mode {
            Mode::Elastic => self.link(t, tie, frozen.state.settings.step),
            Mode::Yielding(impulse) => {
                let [(first, arm), (second, other)] = t.nodes;
                self.push(first, arm, impulse);
                self.push(second, other, -impulse);
            }
            Mode::Broken => {}
        }
        t.links = (from, self.links.len());
    }

    fn link(&mut self, t: &TieInStep, tie: &PlacedTie, step: f64) {
        let [(first, arm_first), (second, arm_second)] = t.nodes;
        let compliance = 1.0 / (tie.stiffness() * step * step);
        let mut add = |normal: DVec3, force: f64, slack: f64| {
            self.links.push(ContactPair {
                first,
                second: Some(second),
                normal,
                arm_first,
                arm_second,
                bias: DVec3::X * (slack / step),
                mu: 0.0,
                impulse: DVec3::X * (force * step),
            });
            self.compliances.push(compliance);
        };
        match tie.form() {
            Form::Bar => {
                let force = t.start.force.length();
                add(t.start.along, force, (-t.start.elastic).max(0.0));
            }
            // A spring that pulls and pushes is two of which each only pulls, the other way round.
            Form::Dowel => {
                for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                    for normal in [axis, -axis] {
                        let force = normal.dot(t.start.force);
                        let room = (-force).max(0.0) / tie.stiffness();
                        add(normal, force.max(0.0), room);
                    }
                }
            }
        }
    }

    /// Gives a tie what the solution has for it.
    pub fn answer(&self, t: &mut TieInStep, after: &[BodyVelocity]) {
        t.impulse = match t.mode {
            Mode::Yielding(impulse) => impulse,
            Mode::Broken => DVec3::ZERO,
            Mode::Elastic => {
                let (from, to) = t.links;
                let all = self.system.impulses().zip(&self.links);
                let own = all.skip(from).take(to - from);
                own.map(|(r, link)| link.normal * r.x).sum()
            }
        };
        let at = |(node, arm): (usize, DVec3)| {
            let v = after.get(node).unwrap_or(&self.velocities[node]);
            v.linear + v.angular.cross(arm)
        };
        t.velocity = at(t.nodes[0]) - at(t.nodes[1]);
    }

    /// Gives a node an impulse (N s) at an arm, beside those that are solved for.
    pub fn push(&mut self, node: usize, arm: DVec3, impulse: DVec3) {
        let (inertia, v) = (&self.nodes[node], &mut self.velocities[node]);
        v.linear += impulse * inertia.inverse_mass;
        v.angular += inertia.inverse_inertia * arm.cross(impulse);
    }

    /// A member at its contacts; a node is made for one that is not free. The arm is taken from the centre of a free
    /// body, and from the island's origin for all others.
    fn side_of(&mut self, member: u32, origin: DVec3, frozen: &Frozen) -> Side {
        let plane = member.checked_sub(PLANES);
        let plane = plane.and_then(|k| frozen.state.planes.get(k as usize));
        let (linear, angular) = (plane.map_or(DVec3::ZERO, |b| b.velocity), DVec3::ZERO);
        let (mut velocity, mut centre) = (Twist { linear, angular }, origin);
        if plane.is_none() {
            let m = &frozen.state.members[member as usize];
            centre = m.state.pose.translation;
            if m.is_free() {
                let (node, velocity) = (frozen.place[member as usize].1, m.state.velocity);
                let (node, from) = (node as usize, centre);
                return Side {
                    node,
                    from,
                    centre,
                    velocity,
                };
            }
            velocity = frozen.free[member as usize];
        }
        let at_origin = match velocity.angular == DVec3::ZERO {
            true => velocity.linear,
            false => velocity.at(origin - centre),
        };
        Side {
            node: self.immovable(at_origin, velocity.angular),
            from: origin,
            centre,
            velocity,
        }
    }

    /// A node that no impulse moves; the last one is used again if it moves in the same way.
    pub fn immovable(&mut self, linear: DVec3, angular: DVec3) -> usize {
        let velocity = BodyVelocity { linear, angular };
        let known = self.velocities.iter().rposition(|v| *v == velocity);
        if let Some(k) = known.filter(|k| *k >= self.bodies && *k + 8 >= self.velocities.len()) {
            return k;
        }
        self.nodes.push(BodyInertia::FIXED);
        self.velocities.push(velocity);
        self.velocities.len() - 1
    }

    /// Whether hardly a contact is moving.
    pub fn rests(&self, settings: &WorldSettings) -> bool {
        let slow_squared = SLOW * SLOW * settings.gravity.length() * self.smallest;
        let speeds = self.squared_speeds();
        let moving = speeds.filter(|square| *square > slow_squared);
        moving.count() as f64 <= MOVING * self.drawn.len() as f64
    }

    /// Largest relative speed of the bodies at a contact before the step (m/s).
    pub fn fastest(&self) -> f64 {
        self.squared_speeds().fold(0.0, f64::max).sqrt()
    }

    /// Square of the relative speed of the bodies at each contact before the step (m²/s²).
    fn squared_speeds(&self) -> impl Iterator<Item = f64> + '_ {
        let at = |node: usize, arm: DVec3| {
            let v = self.before.get(node).unwrap_or(&self.velocities[node]);
            v.linear + v.angular.cross(arm)
        };
        let links = self.links.iter().take(self.drawn.len());
        links.map(move |link| {
            let second = link.second.map(|node| at(node, link.arm_second));
            (at(link.first, link.arm_first) - second.unwrap_or_default()).length_squared()
        })
    }

    /// Whether bodies of these velocities surely are no faster against each other at any contact (m/s).
    pub fn slower_at_contacts(&self, velocities: &[BodyVelocity], most: f64) -> bool {
        let arm = self.squared_arm.sqrt();
        let slow = |v: &BodyVelocity| v.linear.length() + v.angular.length() * arm <= 0.5 * most;
        velocities.iter().take(self.bodies).all(slow)
    }

    /// Writes the present impulses to a list (N s, local frames).
    pub fn copy_impulses(&self, to: &mut Vec<DVec3>) {
        to.clear();
        to.extend(self.system.impulses());
    }
}

/// The impulse to start from: of a spring what the last step left in it, of a rigid contact the best that is known.
fn started_from(c: &WorldContact, frozen: &Frozen) -> DVec3 {
    if frozen.state.settings.stiffness.is_none() {
        return c.impulse;
    }
    let known = frozen.old.binary_search_by_key(&c.key(), WorldContact::key);
    let old = known.ok().and_then(|k| frozen.old.get(k));
    old.map_or(DVec3::ZERO, |old| turned(old, c, frozen))
}

/// What the last step left in a spring, turned as its bodies have turned since: with the normal, and about it by the
/// mean of their spins. A force that stood still in space would have to be made up for by a creep of ω F/k where they
/// turn.
fn turned(old: &WorldContact, c: &WorldContact, frozen: &Frozen) -> DVec3 {
    if old.normal.dot(c.normal) < SAME {
        return old.impulse;
    }
    let spin = |i: u32| {
        let member = frozen.state.members.get(i as usize);
        member.map_or(DVec3::ZERO, |m| m.state.velocity.angular)
    };
    let mean = 0.5 * (spin(c.first) + spin(c.second));
    // One sine for all platforms, as for the poses.
    let (sin, cos) = libm::sincos(0.5 * old.normal.dot(mean) * frozen.state.settings.step);
    let about = DQuat::from_vec4((old.normal * sin).extend(cos));
    DQuat::from_rotation_arc(old.normal, c.normal) * (about * old.impulse)
}

/// What a contact adds to its normal velocity: the room of an open gap over the step, or the bounce of a spring that
/// closes; rigid bodies bounce in impacts of their own. The points about that of a sphere do not bounce: the one ahead
/// closes where the sphere rolls. A spring that is pressed comes back by itself: with a bounce in each step that
/// shortens it, it would give more than it took.
fn bias(
    c: &WorldContact,
    (approach, carried): (impl FnOnce() -> f64, f64),
    s: &WorldSettings,
) -> f64 {
    let room = c.gap.max(0.0) / s.step + c.rolling_speed;
    let struck = s.stiffness.is_some() && carried <= 0.0;
    if !(struck && c.restitution > 0.0 && c.rolling_length == 0.0) {
        return room;
    }
    let approach = approach();
    if approach < -s.bounce_above && room < -approach {
        return c.restitution * approach;
    }
    room
}

/// What two bodies that press and turn as one are opened by in a step (m/s), as points go along tangents; 0 where that
/// is under the tolerance. The law closes it at once: a step later some contacts of a brick are open and others, which
/// overlap a little, are not, and no motion of it closes them all.
fn opening(normal: DVec3, [a, b]: [&Side; 2], points: [DVec3; 2], s: &WorldSettings) -> f64 {
    let Effort::Auto { tolerance } = s.effort else {
        return 0.0;
    };
    let (v, w, between) = (a.velocity.angular, b.velocity.angular, b.centre - a.centre);
    let slip = (a.speed_at(points[0]) - b.speed_at(points[1])).length_squared();
    let apart = slip + (v - w).length_squared() * between.length_squared();
    let speed = 0.5 * s.step * normal.dot(v.cross(v.cross(between)));
    let is_one = apart <= (AS_ONE * AS_ONE) * v.length_squared() * between.length_squared();
    let counts = is_one && speed > tolerance * s.step * s.gravity.length();
    if counts { speed } else { 0.0 }
}

fn velocity_of(v: &Twist) -> BodyVelocity {
    BodyVelocity {
        linear: v.linear,
        angular: v.angular,
    }
}
