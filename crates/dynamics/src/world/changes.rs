//! What may change in a world between its steps: velocities, roles and drives, loads, ties and bonds, and who is there.

use super::bonds::{Bond, Joint, bond, bond_of, pair_of};
use super::contacts::PLANES;
use super::drowsiness::Drowsiness;
use super::facade::World;
use super::given::given;
use super::loads::{Load, PlacedLoad};
use super::materials::{Surface, missing};
use super::member::{Drive, Role};
use super::ties::{PlacedTie, Tie, TieState};
use crate::{Body, DynamicsError, State, Twist};
use glam::DVec3;
use klast_geometry::terrain::{Area, Facet, Terrain};
use klast_geometry::{ConvexPolyhedron, Pose};
use klast_numerics::OutOfRange;
use klast_numerics::check::{positive, require};
use std::ops::Range;

/// Density of the bodies of a ground, which nothing moves (kg/m³).
const OF_GROUND: f64 = 1000.0;

/// Bodies, what moves them, and velocities.
impl World {
    /// Sets the velocity of a body; nothing if it is fixed.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// world.set_velocity(body, Twist { linear: DVec3::X, angular: DVec3::ZERO })?;
    /// assert!(world.set_velocity(9, Twist::ZERO).is_err());
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body, or a velocity is not finite.
    pub fn set_velocity(&mut self, body: usize, velocity: Twist) -> Result<(), DynamicsError> {
        let velocity = Twist::new(velocity.linear, velocity.angular)?;
        self.state.member("body", body)?;
        let moves = |m: &&mut super::member::Member| m.role != Role::Fixed;
        if let Some(m) = self.state.members.get_mut(body).filter(moves) {
            m.state.velocity = velocity;
            m.drowsiness = Drowsiness::AWAKE;
            if let Some(seen) = self.seen.states.get_mut(body) {
                seen.velocity = velocity;
            }
        }
        Ok(())
    }

    /// Goes on to a later time at which the states of all bodies are known from elsewhere, as those of a motion between
    /// two impacts that has a solution of its own. Planes go on with their drives; what pressed does not any more.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// world.skip_to(2.0, &[at(0.5)])?;
    /// assert_eq!(world.time(), 2.0);
    /// assert!(world.skip_to(1.0, &[at(0.5)]).is_err());
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When the time is over or not finite, or there are not as many states as bodies.
    pub fn skip_to(&mut self, time: f64, states: &[State]) -> Result<(), DynamicsError> {
        let (now, bodies) = (self.state.time, self.state.members.len());
        let later = time >= now && time.is_finite();
        require("time", time, later, "that of the world or later")?;
        let found = states.len();
        require("states", found as f64, found == bodies, "as many as bodies")?;
        let origin = self.state.origin;
        for (m, state) in self.state.members.iter_mut().zip(states) {
            m.state = *state;
            m.state.pose.translation -= origin;
            m.drowsiness = Drowsiness::AWAKE;
        }
        let step = time - now;
        for b in self.state.planes.iter_mut().filter(|_| step > 0.0) {
            let drive = b.drive.as_ref();
            let velocity = drive.map_or(DVec3::ZERO, |d| d.velocity(now, step).linear);
            b.plane.offset += b.plane.normal.dot(velocity) * step;
        }
        self.state.time = time;
        self.history.contacts.clear();
        self.history.kept.clear();
        self.work.search.broad.invalidate();
        self.seen.update(&self.state, &self.history);
        Ok(())
    }

    /// Says what moves a body from now on. What is driven keeps its last velocity where it becomes free. Loads end
    /// where a body is not free any more.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// // A prop is held for a time, then let go.
    /// let prop = world.add(cube, at(3.0), Role::Fixed, rough)?;
    /// (0..10).try_for_each(|_| world.step().map(drop))?;
    /// world.set_role(prop, Role::Free)?;
    /// world.step()?;
    /// assert!(world.state(prop).unwrap().velocity.linear.z < 0.0);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body, or the drive is refused.
    pub fn set_role(&mut self, body: usize, role: Role) -> Result<(), DynamicsError> {
        self.state.member("body", body)?;
        if let Role::Driven(drive) = &role {
            drive.check()?;
        }
        let free = role == Role::Free;
        self.change(|world| {
            if let Some(m) = world.state.members.get_mut(body) {
                m.set_role(role)?;
            }
            if !free {
                world.end_loads_on(body);
            }
            Ok(())
        })
    }

    /// Says how a plane moves from now on; without a drive it stands still.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// world.set_drive_of_plane(0, Some(Drive::Accelerating(DVec3::X * 0.5)))?;
    /// world.step()?;
    /// world.set_drive_of_plane(0, None)?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such plane, or the drive is refused.
    pub fn set_drive_of_plane(
        &mut self,
        plane: usize,
        drive: Option<Drive>,
    ) -> Result<(), DynamicsError> {
        drive.as_ref().map_or(Ok(()), Drive::check)?;
        let count = self.state.planes.len();
        let boundary = self.state.planes.get_mut(plane);
        boundary
            .ok_or_else(|| missing("plane", plane, count))?
            .drive = drive;
        self.wake();
        Ok(())
    }

    /// Takes a body out of the world: a stone that is lost, ground that is dug away. Its number stays its own, its
    /// state stays the last one, and nothing touches it. Its loads and bonds end, and ties to it break.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// let above = world.add(cube, at(1.5), Role::Free, rough)?;
    /// world.step()?;
    /// world.remove(body)?;
    /// (0..200).try_for_each(|_| world.step().map(drop))?;
    /// assert!((world.state(above).unwrap().pose.translation.z - 0.5).abs() < 1e-3);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body.
    pub fn remove(&mut self, body: usize) -> Result<(), DynamicsError> {
        self.state.member("body", body)?;
        self.change(|world| {
            if let Some(m) = world.state.members.get_mut(body) {
                m.remove();
            }
            let gone = body as u32;
            let others = |pair: (u32, u32)| pair.0 != gone && pair.1 != gone;
            world.history.contacts.retain(|c| others(c.pair()));
            world.end_loads_on(body);
            for joint in &mut world.state.joints {
                joint.worn.broken |= !others(joint.pair);
            }
            for tie in &mut world.state.ties {
                tie.worn.broken |= tie.bodies().contains(&Some(body));
            }
            Ok(())
        })
    }

    /// Whether a body is there: of a number that was given, and not removed.
    pub fn is_present(&self, body: usize) -> bool {
        self.state.member("body", body).is_ok()
    }

    /// Adds the ground of a terrain in an area, as one fixed prism of this depth (m) under each of its facets; the
    /// numbers of these bodies. Coordinates are the terrain's local ones. Bodies should be larger than a facet's
    /// rounding and the prisms deeper than what may fall into them in a step.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// use klast_dynamics::glam::DVec2;
    /// use klast_geometry::terrain::{Area, Grid};
    /// // Four cells of one metre, in the middle a hill of 0.3 m.
    /// let heights = vec![0.0, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0];
    /// let hill = Grid::new(3, 3, 1.0, DVec2::ZERO, heights).unwrap();
    /// let facets = world.add_ground(&hill, Area::EVERYWHERE, 2.0, rough)?;
    /// assert_eq!(facets.len(), 8);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no ground in the area, or a facet is too thin for a body.
    pub fn add_ground(
        &mut self,
        terrain: &dyn Terrain,
        area: Area,
        depth: f64,
        surface: Surface,
    ) -> Result<Range<usize>, DynamicsError> {
        positive("depth of the ground", depth)?;
        surface.check()?;
        let mut facets = vec![];
        terrain.facets(area, &mut facets);
        if facets.is_empty() {
            return Err(OutOfRange::new("facets of the ground in the area", 0, "1 or more").into());
        }
        let first = self.len();
        let prism = |facet: &Facet| {
            let below = facet.corners.map(|c| c - DVec3::Z * depth);
            let corners = [facet.corners, below].concat();
            let shape = ConvexPolyhedron::from_points(&corners)?;
            Body::uniform(&shape, OF_GROUND)
        };
        let bodies: Result<Vec<Body>, DynamicsError> = facets.iter().map(prism).collect();
        for body in bodies? {
            let start = State::at_rest(body.pose_of(&Pose::IDENTITY));
            self.add(body, start, Role::Fixed, surface)?;
        }
        Ok(first..self.len())
    }

    fn end_loads_on(&mut self, body: usize) {
        for load in &mut self.state.loads {
            if load.as_ref().is_some_and(|load| load.body == body) {
                *load = None;
            }
        }
    }

    /// Changes what stands in the world; what energy that takes out of what moves freely is entered.
    fn change<T>(
        &mut self,
        by: impl FnOnce(&mut Self) -> Result<T, DynamicsError>,
    ) -> Result<T, DynamicsError> {
        let energy = |world: &Self| {
            let springs = world.elastic_energy() + world.tied_energy();
            world.kinetic_energy() + world.potential_energy() + springs
        };
        let before = energy(self);
        let done = by(self)?;
        self.history.ledger.taken_out += before - energy(self);
        self.wake();
        self.work.search.broad.invalidate();
        self.seen.update(&self.state, &self.history);
        Ok(done)
    }
}

/// Loads, ties and bonds.
impl World {
    /// Adds a load and returns its number.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// // A push of 1 kN at the top, and water of 0.8 m in front of the block.
    /// let push = Action::Force { force: DVec3::X * 1e3, at: DVec3::Z };
    /// world.add_load(&Load { body, action: push, course: Course::Constant })?;
    /// let water = Action::Pressure {
    ///     faces: Faces::Facing(-DVec3::X),
    ///     pressure: Pressure::water(0.8, 1000.0, 9.81)?,
    /// };
    /// world.add_load(&Load { body, action: water, course: Course::Constant })?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body, it is not free, or a number is out of range.
    pub fn add_load(&mut self, load: &Load) -> Result<usize, DynamicsError> {
        let placed = self.place_load(load)?;
        self.state.loads.push(Some(placed));
        self.wake();
        Ok(self.state.loads.len() - 1)
    }

    fn place_load(&self, load: &Load) -> Result<PlacedLoad, DynamicsError> {
        let member = self.state.free_member("body of a load", load.body)?;
        PlacedLoad::of(load, member, self.state.origin)
    }

    /// Replaces a load, or ends it.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// let torque = Action::Torque(DVec3::Z * 50.0);
    /// let load = Load { body, action: torque, course: Course::Table(vec![(0.0, 0.0), (1.0, 1.0)]) };
    /// let number = world.add_load(&load)?;
    /// world.set_load(number, None)?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such load, and as [`World::add_load`].
    pub fn set_load(&mut self, number: usize, load: Option<&Load>) -> Result<(), DynamicsError> {
        let placed = load.map(|load| self.place_load(load));
        let count = self.state.loads.len();
        let own = self.state.loads.get_mut(number);
        *own.ok_or_else(|| missing("load", number, count))? = placed.transpose()?;
        self.wake();
        Ok(())
    }

    /// Force (N) and moment about its mass centre (N m) of all loads on a body over the coming step; none on one that
    /// is not there.
    #[must_use]
    pub fn load_on(&self, body: usize) -> (DVec3, DVec3) {
        let mut all = vec![];
        given(&self.state, &mut all);
        let step = self.state.settings.step;
        let own = all
            .get(body)
            .map(|own| (own.impulse / step, own.angular / step));
        own.unwrap_or_default()
    }

    /// Adds a tie and returns its number.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// // An anchor from the top of the block into the ground, tightened to 2 kN; it breaks at 10 kN.
    /// let anchor = Tie {
    ///     ends: [End::Body { body, at: DVec3::Z }, End::Fixed(DVec3::Z * -3.0)],
    ///     form: Form::Bar,
    ///     stiffness: 1e7,
    ///     pretension: 2e3,
    ///     strength: Some(1e4),
    ///     failure: Failure::Brittle,
    /// };
    /// let anchor = world.add_tie(&anchor)?;
    /// world.step()?;
    /// assert!((world.tie(anchor).unwrap().force.length() - 2e3).abs() < 10.0);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body, no end is at a free one, both are at the same, a bar has no length, or a number is
    /// out of range.
    pub fn add_tie(&mut self, tie: &Tie) -> Result<usize, DynamicsError> {
        let placed = PlacedTie::of(tie, self.state.places())?;
        self.change(|world| {
            world.state.ties.push(placed);
            Ok(world.state.ties.len() - 1)
        })
    }

    /// Cuts a tie.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// let ends = [End::Body { body, at: DVec3::Z }, End::Fixed(DVec3::Z * 3.0)];
    /// let (form, failure) = (Form::Bar, Failure::Plastic);
    /// let rope = Tie { ends, form, stiffness: 1e5, pretension: 0.0, strength: None, failure };
    /// let rope = world.add_tie(&rope)?;
    /// world.cut_tie(rope)?;
    /// assert!(world.tie(rope).unwrap().broken);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such tie.
    pub fn cut_tie(&mut self, number: usize) -> Result<(), DynamicsError> {
        let count = self.state.ties.len();
        if number >= count {
            return Err(missing("tie", number, count));
        }
        self.change(|world| {
            world.state.ties[number].worn.broken = true;
            Ok(())
        })
    }

    /// What a tie is in at present.
    pub fn tie(&self, number: usize) -> Option<TieState> {
        self.state
            .ties
            .get(number)
            .map(|tie| tie.state(self.state.places()))
    }

    /// Energy in the ties (J).
    pub fn tied_energy(&self) -> f64 {
        self.state.tied_energy()
    }

    /// Bonds the joint between two bodies that touch, in place of a bond that it has.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// let above = world.add(cube, at(1.5), Role::Free, rough)?;
    /// world.bond(body, above, Bond { cohesion: 2e5, tension: 1e5 })?;
    /// assert!(world.is_bonded(body, above));
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body, one is a sphere, contacts have a stiffness, or the strengths are out of range.
    pub fn bond(&mut self, first: usize, second: usize, bond: Bond) -> Result<(), DynamicsError> {
        let b = self.state.member("body of a bond", second)?;
        let other = (b.surface, b.material, b.body.sphere_radius());
        self.bond_pair((first, second), other, bond)
    }

    /// Bonds the joint between a body and a plane.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// # world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// # let cube = Body::uniform(&Solid::Cube.with_size(1.0)?, 2400.0)?;
    /// # let at = |z: f64| State::at_rest(Pose::from_translation(DVec3::Z * z));
    /// # let body = world.add(cube.clone(), at(0.5), Role::Free, rough)?;
    /// world.bond_to_plane(body, 0, Bond { cohesion: 2e5, tension: 1e5 })?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// As those of [`World::bond`], and when there is no such plane.
    pub fn bond_to_plane(
        &mut self,
        body: usize,
        plane: usize,
        bond: Bond,
    ) -> Result<(), DynamicsError> {
        let (b, count) = (self.state.planes.get(plane), self.state.planes.len());
        let b = b.ok_or_else(|| missing("plane", plane, count))?;
        let other = (b.surface, b.material, None);
        self.bond_pair((body, PLANES as usize + plane), other, bond)
    }

    fn bond_pair(
        &mut self,
        (first, second): (usize, usize),
        other: (Surface, Option<super::materials::Material>, Option<f64>),
        strengths: Bond,
    ) -> Result<(), DynamicsError> {
        let a = self.state.member("body of a bond", first)?;
        if let Some(radius) = a.body.sphere_radius().or(other.2) {
            let accepted = "bodies with plane faces; a sphere has none";
            return Err(OutOfRange::new("radius of a bonded body", radius, accepted).into());
        }
        if let Some(stiffness) = self.state.settings.stiffness {
            let accepted = "rigid contacts";
            return Err(
                OutOfRange::new("stiffness of bonded contacts", stiffness, accepted).into(),
            );
        }
        let friction = (self.state.pairs)
            .of((&a.surface, a.material), (&other.0, other.1))
            .0;
        let joint = Joint::of(pair_of(first, second)?, &strengths, friction)?;
        bond(&mut self.state.joints, joint);
        self.wake();
        Ok(())
    }

    /// Whether a bond holds between two bodies, or a body and what [`super::WorldContact::second`] calls a plane.
    pub fn is_bonded(&self, first: usize, second: usize) -> bool {
        pair_of(first, second).is_ok_and(|pair| bond_of(&self.state.joints, pair).is_some())
    }
}
