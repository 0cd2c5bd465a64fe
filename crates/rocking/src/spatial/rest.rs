//! Bodies at rest on one another: they keep their places on the base while it leaves them there.
//!
//! What stands on a face, with its mass centre c at the height h over it, needs the centre of pressure
//! p = c − h a/(g + a_z) under the acceleration of the base (a, a_z). Loads n_i on points of the face with that centre
//! and friction n_i a/(g + a_z) on them balance all forces and moments. So the bodies stay where every p lies within
//! its face and |a| < μ (g + a_z): exact, and without a step of the contact engine. When a body tips or slides first,
//! that engine goes on.

use super::rim::Exchanged;
use super::{SpatialBody, SpatialMotion, SpatialOptions};
use crate::error::RockingError;
use glam::{DVec2, DVec3};
use klast_dynamics::{State, Twist, World};
use klast_geometry::Pose;
use klast_ground_motion::Piece;
use klast_numerics::mutant;
use klast_numerics::roots::bisect;

/// Tilt over the critical tilt, and height over that of the body, by which a body at rest may be off its place.
const PLACED: f64 = 1e-6;

/// Kinetic energy over the energy that overturns a body, below which it is at rest.
const STILL: f64 = 1e-9;

/// Halvings of a step in which the base begins to move a body.
const HALVINGS: u32 = 60;

/// Laws of the base within a step of the run; from then on the contact engine makes it.
const MOST_LAWS: usize = 64;

/// A face on which all above it stands.
#[derive(Debug, Clone, PartialEq)]
struct Face {
    /// Foot and height (m) of the mass centre of all above it.
    centre: DVec2,
    height: f64,
    /// Points of edges, and unit normals to the inside.
    edges: Vec<(DVec2, DVec2)>,
    /// Middles and radii (m) of circles.
    circles: Vec<(DVec2, f64)>,
}

impl Face {
    /// How far (m) a point is inside.
    fn inside(&self, point: DVec2) -> f64 {
        let edges = self
            .edges
            .iter()
            .map(|(at, inward)| (point - *at).dot(*inward));
        let circles = self
            .circles
            .iter()
            .map(|(middle, radius)| radius - (point - *middle).length());
        edges.chain(circles).fold(f64::INFINITY, f64::min)
    }

    /// Bounds it by a polygon whose corners are in order, or by a circle about the middle.
    fn bound(&mut self, (corners, radius): (&[DVec2], Option<f64>), middle: DVec2, yaw: DVec2) {
        if let Some(radius) = radius {
            self.circles.push((middle, radius));
            return;
        }
        let placed = corners.iter().map(|corner| middle + yaw.rotate(*corner));
        let next = placed.clone().cycle().skip(1);
        let edges = placed
            .zip(next)
            .map(|(a, b)| (a, (b - a).perp().normalize_or_zero()));
        self.edges.extend(edges);
    }
}

/// Bodies that are held at rest: their places on the base, and the faces on which they stand.
struct Held {
    places: Vec<Pose>,
    faces: Vec<Face>,
}

/// Bodies that may rest on a base with a motion.
pub(super) struct Rest<'a> {
    bodies: &'a [SpatialBody],
    motion: &'a SpatialMotion,
    gravity: f64,
    friction: f64,
    held: Option<Held>,
    exchanged: Exchanged,
}

impl<'a> Rest<'a> {
    pub(super) fn new(
        bodies: &'a [SpatialBody],
        motion: &'a SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Self {
        Self {
            bodies,
            motion,
            gravity,
            friction: options.friction,
            held: None,
            exchanged: Exchanged::default(),
        }
    }

    /// What was exchanged while they were at rest (J).
    pub(super) fn exchanged(&self) -> Exchanged {
        self.exchanged
    }

    /// Whether the bodies of a world, whose velocities are behind its time by `lag` (s), are at rest and stay so.
    pub(super) fn takes(&mut self, world: &World, lag: f64) -> bool {
        let time = world.time();
        if self.held.is_none() {
            let calm = self.pushes(&self.laws(time), time).length() < self.friction;
            self.held = calm.then(|| self.seen(world, lag)).flatten();
        }
        let stays = self
            .held
            .as_ref()
            .is_some_and(|held| self.margin(held, &self.laws(time), time) > 0.0);
        if !stays {
            self.held = None;
        }
        stays
    }

    /// Moves the bodies that it took with the base up to a time, or to where the base begins to move one of them.
    pub(super) fn advance(&mut self, world: &mut World, end: f64) -> Result<(), RockingError> {
        let Some(held) = self.held.take() else {
            return Ok(());
        };
        let mut time = world.time();
        let mut stays = true;
        for _ in 0..MOST_LAWS {
            let laws = self.laws(time);
            if time >= end || !stays {
                break;
            }
            let law_end = laws.iter().map(|law| law.end).fold(end, f64::min);
            let short = |t: f64| self.margin(&held, &laws, t);
            stays = short(law_end) > 0.0;
            time = match stays {
                true => law_end,
                false => bisect(time, law_end, HALVINGS, |t| short(t) <= 0.0).1,
            };
        }
        self.give(world, &held, time)?;
        self.held = (time >= end && stays).then_some(held);
        Ok(())
    }

    /// The laws of the base that hold from a time on.
    fn laws(&self, time: f64) -> [Piece; 3] {
        self.motion.components.each_ref().map(|c| c.piece_at(time))
    }

    /// The horizontal acceleration of the base over what presses, with the laws that hold; infinite where nothing does.
    fn pushes(&self, laws: &[Piece; 3], time: f64) -> DVec2 {
        let [x, y, z] = laws.each_ref().map(|law| law.acceleration(time));
        let presses = self.gravity + z;
        match presses > 0.0 {
            true => DVec2::new(x, y) / presses,
            false => DVec2::INFINITY,
        }
    }

    /// By how much all bodies stay short of sliding and, in parts of the heights of mass centres, of tipping.
    fn margin(&self, held: &Held, laws: &[Piece; 3], time: f64) -> f64 {
        let push = self.pushes(laws, time);
        let tips = held.faces.iter().map(|face| {
            let arm = face.height * mutant::factor("rest-pressure", 0.999);
            face.inside(face.centre - arm * push) / face.height
        });
        tips.fold(self.friction - push.length(), f64::min)
    }

    /// The bodies of a world as they are held, if all are at rest and level on one another.
    fn seen(&self, world: &World, lag: f64) -> Option<Held> {
        let time = world.time();
        let base = self.displacement(time);
        let moves = DVec3::from_array(
            self.motion
                .components
                .each_ref()
                .map(|c| c.velocity(time - lag)),
        );
        let mut under = 0.0;
        let mut places = Vec::with_capacity(self.bodies.len());
        for (state, body) in world.states().zip(self.bodies) {
            let mut relative = *state;
            relative.velocity.linear -= moves;
            let place = relative.pose.translation - base;
            let axis = relative.pose.rotation * body.body().frame().rotation.inverse() * DVec3::Z;
            let level = axis.truncate().length() <= PLACED * body.critical_tilts().0;
            let off = place.z - under - body.centre_height();
            let still =
                relative.kinetic_energy(body.body()).total() <= STILL * body.barrier(self.gravity);
            if !(level && axis.z > 0.0 && still && off.abs() <= PLACED * body.height()) {
                return None;
            }
            under += body.height();
            places.push(Pose::new(relative.pose.rotation, place).ok()?);
        }
        let faces = self.faces(&places);
        Some(Held { places, faces })
    }

    /// The faces under the bodies at their places.
    fn faces(&self, places: &[Pose]) -> Vec<Face> {
        let yaw = |k: usize| {
            let (place, body): (&Pose, &SpatialBody) = (&places[k], &self.bodies[k]);
            let x = place.rotation * body.body().frame().rotation.inverse() * DVec3::X;
            x.truncate().normalize_or(DVec2::X)
        };
        let bottom = |k: usize| places[k].translation.z - self.bodies[k].centre_height();
        let (mut mass, mut moment) = (0.0, DVec3::ZERO);
        let mut faces = Vec::with_capacity(places.len());
        for k in (0..places.len()).rev() {
            let own = self.bodies[k].body().mass();
            mass += own;
            moment += own * places[k].translation;
            let centre = moment / mass;
            let mut face = Face {
                centre: centre.truncate(),
                height: centre.z - bottom(k),
                edges: Vec::new(),
                circles: Vec::new(),
            };
            face.bound(
                self.bodies[k].base_face(),
                places[k].translation.truncate(),
                yaw(k),
            );
            if let Some(below) = k.checked_sub(1) {
                let middle = places[below].translation.truncate();
                face.bound(self.bodies[below].top_face(), middle, yaw(below));
            }
            faces.push(face);
        }
        faces
    }

    /// Puts the bodies with the base into the world, and what it exchanged into the account.
    fn give(&mut self, world: &mut World, held: &Held, time: f64) -> Result<(), RockingError> {
        let velocity =
            |t: f64| DVec3::from_array(self.motion.components.each_ref().map(|c| c.velocity(t)));
        let (from, to) = (velocity(world.time()), velocity(time));
        let displacement = self.displacement(time);
        let lifts = displacement.z - self.displacement(world.time()).z;
        let mut states = Vec::with_capacity(held.places.len());
        for ((place, body), old) in held.places.iter().zip(self.bodies).zip(world.states()) {
            let mass = body.body().mass();
            let before = old.kinetic_energy(body.body()).total();
            self.exchanged.contacts += before - 0.5 * mass * from.length_squared();
            let gained = 0.5 * (to.length_squared() - from.length_squared());
            self.exchanged.base_work += mass * (gained + self.gravity * lifts);
            let pose = Pose::new(place.rotation, place.translation + displacement)?;
            states.push(State::new(pose, Twist::new(to, DVec3::ZERO)?)?);
        }
        Ok(world.skip_to(time, &states)?)
    }

    fn displacement(&self, time: f64) -> DVec3 {
        DVec3::from_array(
            self.motion
                .components
                .each_ref()
                .map(|c| c.displacement(time)),
        )
    }
}
