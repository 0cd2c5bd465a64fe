//! Which bodies can touch: those whose boxes overlap. Boxes have a skin and are made anew only when something has moved
//! through it.

use super::carriers::Carriers;
use super::contacts::PLANES;
use super::member::{Boundary, Member};
use super::motion::way;
use super::settings::WorldSettings;
use super::state::WorldState;
use glam::DVec3;
use klast_geometry::boxes::{Boxes, Extent};
use klast_geometry::{PairMemory, Pose};

/// Part of the smallest free body's radius that boxes are larger than the bodies.
const SKIN: f64 = 0.1;
/// Steps that a fast body gets room for. All boxes are made anew when one no longer holds: with two steps a heap at
/// rest paid for the few that still fall.
const AHEAD: f64 = 8.0;

/// Two members that may touch; the second can be a plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub first: u32,
    pub second: u32,
    /// What the last query on the pair has left: makes the next one faster, never different.
    pub memory: PairMemory,
}

/// The ball that holds a body: what most pairs are told apart by, with nothing of the body looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    centre: DVec3,
    pub radius: f64,
    /// Velocity of what carries the body (m/s).
    pub carrier: DVec3,
    /// Reach of the body's contacts in the coming step (m): half the margin and its way relative to its carrier.
    reach: f64,
}

impl Ball {
    fn of(m: &Member, s: &WorldSettings, time: f64, carriers: &Carriers) -> Self {
        let centre = m.state.pose.translation;
        let v = m.present_velocity(s, time);
        let carrier = match m.is_free() {
            true => carriers.nearest(centre, v.linear),
            false => v.linear,
        };
        let fastest = (v.linear - carrier).length() + v.angular.length() * m.radius;
        Self {
            centre,
            radius: m.radius,
            carrier,
            reach: 0.5 * s.margin + s.step * fastest,
        }
    }

    /// How far apart two bodies are whose contacts count in the coming step (m): a bound on what they go relative to
    /// each other, and the margin.
    #[inline]
    pub fn margin(&self, other: &Self, s: &WorldSettings) -> f64 {
        let reach = self.reach + other.reach;
        match self.carrier == other.carrier {
            true => reach,
            false => reach + s.step * (self.carrier - other.carrier).length(),
        }
    }

    /// The same of the body and a plane.
    #[inline]
    pub fn margin_of_plane(&self, b: &Boundary, s: &WorldSettings) -> f64 {
        self.reach + (0.5 * s.margin + s.step * (self.carrier - b.velocity).length())
    }

    /// Reach in the laboratory frame (m): the margin of two bodies is no more than the sum of theirs.
    fn reach_in_space(&self, s: &WorldSettings) -> f64 {
        self.reach + s.step * self.carrier.length()
    }

    /// Whether the bodies are farther apart than the margin of their contacts (m).
    pub fn is_apart(&self, other: &Self, margin: f64) -> bool {
        let span = self.radius + other.radius + margin;
        (self.centre - other.centre).length_squared() > span * span
    }
}

/// The candidates, valid while nothing has left its box.
#[derive(Debug, Clone, Default)]
pub(super) struct BroadPhase {
    pub candidates: Vec<Candidate>,
    /// Where each body is.
    pub balls: Vec<Ball>,
    carriers: Carriers,
    /// Those of the time before, and the pairs found: kept for their room.
    before: Vec<Candidate>,
    pairs: Vec<(u32, u32)>,
    /// Poses at which the boxes were made, and how far each box stands off.
    made_at: Vec<Pose>,
    allowance: Vec<f64>,
    /// The same of the planes.
    plane_offsets: Vec<f64>,
    plane_allowance: Vec<f64>,
    boxes: Boxes,
    valid: bool,
}

/// Reach of a plane's contacts in the laboratory frame (m).
fn reach_of_plane(b: &Boundary, s: &WorldSettings) -> f64 {
    0.5 * s.margin + s.step * b.velocity.length()
}

/// What gravity adds to a way in a step (m).
fn fall(s: &WorldSettings) -> f64 {
    s.step * s.step * s.gravity.length()
}

impl BroadPhase {
    pub fn invalidate(&mut self) {
        self.valid = false;
    }

    /// Brings the candidates up to date.
    pub fn update(&mut self, state: &WorldState) {
        let (members, planes) = (&state.members, &state.planes);
        let (s, time) = (&state.settings, state.time);
        self.balls.clear();
        self.carriers.note(state);
        let balls = members.iter();
        let balls = balls.map(|m| Ball::of(m, s, time, &self.carriers));
        self.balls.extend(balls);
        if self.valid && self.holds(members, planes, s) {
            return;
        }
        let smallest = members
            .iter()
            .filter(|m| m.is_free())
            .map(|m| m.radius)
            .fold(f64::INFINITY, f64::min);
        let skin = if smallest.is_finite() {
            SKIN * smallest
        } else {
            s.margin
        };
        self.made_at.clear();
        self.allowance.clear();
        self.boxes.clear();
        for (i, m) in members.iter().enumerate() {
            let room = skin.max(AHEAD * (self.balls[i].reach_in_space(s) + fall(s)));
            self.made_at.push(m.state.pose);
            self.allowance.push(room);
            if !m.removed {
                self.boxes.push(extent(m, i as u32, room));
            }
        }
        self.plane_offsets.clear();
        self.plane_allowance.clear();
        for b in planes {
            self.plane_offsets.push(b.plane.offset);
            let room = skin.max(AHEAD * reach_of_plane(b, s));
            self.plane_allowance.push(room);
        }
        self.boxes.find_pairs(&mut self.pairs);
        for (k, b) in planes.iter().enumerate() {
            for (i, m) in members.iter().enumerate().filter(|(_, m)| m.is_free()) {
                let height = b.plane.height(m.state.pose.translation) - m.radius;
                if height <= self.allowance[i] + self.plane_allowance[k] {
                    self.pairs.push((i as u32, PLANES + k as u32));
                }
            }
        }
        self.pairs.sort_unstable();
        std::mem::swap(&mut self.candidates, &mut self.before);
        self.candidates.clear();
        let mut old = self.before.iter().peekable();
        self.candidates.extend(self.pairs.iter().map(|&pair| {
            let of = |c: &Candidate| (c.first, c.second);
            while old.next_if(|c| of(c) < pair).is_some() {}
            Candidate {
                first: pair.0,
                second: pair.1,
                memory: old
                    .next_if(|c| of(c) == pair)
                    .map_or_else(PairMemory::default, |c| c.memory),
            }
        }));
        self.valid = true;
    }

    /// Whether every body and plane, with the reach of its contacts, is still inside its box.
    fn holds(&self, members: &[Member], planes: &[Boundary], s: &WorldSettings) -> bool {
        let planes_hold = planes
            .iter()
            .zip(&self.plane_offsets)
            .zip(&self.plane_allowance)
            .all(|((b, at), room)| (b.plane.offset - at).abs() + reach_of_plane(b, s) <= *room);
        planes_hold
            && members.len() == self.made_at.len()
            && members
                .iter()
                .zip(&self.made_at)
                .zip(&self.allowance)
                .zip(&self.balls)
                .all(|(((m, at), room), ball)| {
                    way(&m.state.pose, at, m.radius) + ball.reach_in_space(s) + fall(s) <= *room
                })
    }
}

fn extent(m: &Member, member: u32, room: f64) -> Extent {
    let (mut low, mut high) = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
    match m.sphere_at(&m.state.pose) {
        Some(sphere) => {
            low = sphere.centre - sphere.radius;
            high = sphere.centre + sphere.radius;
        }
        None => {
            for v in m.body.vertices() {
                let p = m.state.pose.transform_point(*v);
                low = low.min(p);
                high = high.max(p);
            }
        }
    }
    Extent {
        low: low - room,
        high: high + room,
        member,
        movable: m.is_free(),
    }
}
