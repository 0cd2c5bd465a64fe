//! A world as its users see it: what it is made of, one call that steps it, and what they can ask.

use super::audit::{StepReport, WorldLedger};
use super::contacts::WorldContact;
use super::divided_step::step;
use super::materials::{Material, Surface, missing};
use super::member::{Boundary, Drive, Member, Role};
use super::origin::{Seen, lifted, place, translated};
use super::settings::WorldSettings;
use super::snapshot::WorldSnapshot;
use super::state::{History, WorldState};
use super::workspace::Workspace;
use crate::{Body, DynamicsError, State};
use glam::DVec3;
use klast_geometry::Plane;
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite_vector, non_negative, require};

/// Bodies, planes and the time, with forces, ties and what changes between steps.
///
/// A wall of three blocks on a floor, pushed at its top and held by an anchor; then a block is lost:
///
/// ```
/// use klast_dynamics::glam::DVec3;
/// use klast_dynamics::{
///     Action, Body, Course, DynamicsError, End, Failure, Form, Load, Role, State, Surface, Tie, World, WorldSettings,
/// };
/// use klast_geometry::{Plane, Pose, Solid};
///
/// fn main() -> Result<(), DynamicsError> {
///     let stone = Surface { friction: 0.6, restitution: 0.0 };
///     let mut world = World::new(WorldSettings::for_size(0.5))?;
///     world.add_plane(Plane::new(DVec3::Z, 0.0)?, stone, None)?;
///     let cube = Body::uniform(&Solid::Cube.with_size(0.5)?, 2400.0)?;
///     let mut wall = vec![];
///     for z in [0.25, 0.75, 1.25] {
///         let start = State::at_rest(Pose::from_translation(DVec3::Z * z));
///         wall.push(world.add(cube.clone(), start, Role::Free, stone)?);
///     }
///     // 2 kN at the top, in half a second: without an anchor the wall overturns at W b / 2 h = 1.47 kN.
///     let top = DVec3::new(-0.25, 0.0, 1.5);
///     let action = Action::Force { force: DVec3::X * 2e3, at: top };
///     let course = Course::Table(vec![(0.0, 0.0), (0.5, 1.0)]);
///     world.add_load(&Load { body: wall[2], action, course })?;
///     let anchor = world.add_tie(&Tie {
///         ends: [End::Body { body: wall[2], at: top }, End::Fixed(DVec3::new(-3.0, 0.0, 1.5))],
///         form: Form::Bar,
///         stiffness: 2e6,
///         pretension: 0.0,
///         strength: Some(5e3),
///         failure: Failure::Brittle,
///     })?;
///     while world.time() < 2.0 {
///         let report = world.step()?;
///         assert!(report.gain == 0.0 && report.unexplained.abs() < 1e-6);
///     }
///     let force = world.tie(anchor).map_or(0.0, |tie| tie.force.length());
///     // What is beyond that the anchor carries.
///     assert!((force - 529.0).abs() < 60.0, "{force}");
///     // The lowest block is dug away: what stood on it comes down by its height.
///     let before = world.state(wall[1]).map(|s| s.pose.translation.z);
///     world.remove(wall[0])?;
///     while world.time() < 3.0 {
///         world.step()?;
///     }
///     let after = world.state(wall[1]).map(|s| s.pose.translation.z);
///     assert!(before.zip(after).is_some_and(|(before, after)| before - after > 0.3));
///     Ok(())
/// }
/// ```
///
/// Cloning it is a snapshot; [`World::snapshot`] is the small one that can be stored.
#[derive(Debug, Clone)]
pub struct World {
    pub(super) state: WorldState,
    pub(super) history: History,
    pub(super) work: Workspace,
    pub(super) seen: Seen,
}

impl World {
    /// An empty world.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// // Bodies of about 10 cm on the moon.
    /// let settings = WorldSettings { gravity: DVec3::Z * -1.62, ..WorldSettings::for_size(0.1) };
    /// let mut world = World::new(settings)?;
    /// assert!(world.is_empty() && world.step().is_ok());
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn new(settings: WorldSettings) -> Result<Self, DynamicsError> {
        settings.check()?;
        Ok(Self {
            state: WorldState::new(settings),
            history: History::default(),
            work: Workspace::default(),
            seen: Seen::default(),
        })
    }

    /// Adds a body and returns its number.
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
    /// assert_eq!((above, world.len()), (1, 2));
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn add(
        &mut self,
        body: Body,
        state: State,
        role: Role,
        surface: Surface,
    ) -> Result<usize, DynamicsError> {
        surface.check()?;
        let state = State::new(state.pose, state.velocity)?;
        let state = match self.state.origin {
            DVec3::ZERO => state,
            origin => translated(&state, -origin),
        };
        let member = Member::new(body, state, role, surface)?;
        // A free body wakes whom it comes to.
        if !member.is_free() {
            self.wake();
        }
        self.state.members.push(member);
        self.work.search.broad.invalidate();
        self.seen.update(&self.state, &self.history);
        Ok(self.state.members.len() - 1)
    }

    /// Adds a plane that bodies stay above, and returns its number. A drive moves it (its spin is ignored).
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// // A floor, and a wall that comes closer at 0.1 m/s.
    /// let drive = Drive::Steady(Twist { linear: DVec3::X * -0.1, angular: DVec3::ZERO });
    /// world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough, None)?;
    /// let wall = world.add_plane(Plane::new(-DVec3::X, -2.0)?, rough, Some(drive))?;
    /// assert_eq!(wall, 1);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn add_plane(
        &mut self,
        plane: Plane,
        surface: Surface,
        drive: Option<Drive>,
    ) -> Result<usize, DynamicsError> {
        surface.check()?;
        drive.as_ref().map_or(Ok(()), Drive::check)?;
        let plane = Plane::new(plane.normal, plane.offset)?;
        let plane = match self.state.origin {
            DVec3::ZERO => plane,
            origin => lifted(&plane, -origin),
        };
        self.state.planes.push(Boundary {
            plane,
            surface,
            material: None,
            drive,
            velocity: DVec3::ZERO,
        });
        self.wake();
        self.work.search.broad.invalidate();
        self.seen.update(&self.state, &self.history);
        Ok(self.state.planes.len() - 1)
    }

    /// Adds the five planes of a box, open at the top, with inner corners at `low` and `high`.
    ///
    /// ```
    /// # use klast_dynamics::*;
    /// # use klast_dynamics::glam::DVec3;
    /// # use klast_geometry::{Plane, Pose, Solid};
    /// # let rough = Surface { friction: 0.6, restitution: 0.0 };
    /// # let mut world = World::new(WorldSettings::default())?;
    /// world.add_container(DVec3::ZERO, DVec3::new(2.0, 1.0, 1.0), rough)?;
    /// assert_eq!(world.planes().len(), 5);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn add_container(
        &mut self,
        low: DVec3,
        high: DVec3,
        surface: Surface,
    ) -> Result<(), DynamicsError> {
        finite_vector("low corner", low)?;
        finite_vector("high corner", high)?;
        let width = (high - low).truncate().min_element();
        require(
            "inner width of the container",
            width,
            width > 0.0,
            "above 0: high over low in x and y",
        )?;
        for (normal, offset) in [
            (DVec3::Z, low.z),
            (DVec3::X, low.x),
            (-DVec3::X, -high.x),
            (DVec3::Y, low.y),
            (-DVec3::Y, -high.y),
        ] {
            self.add_plane(Plane::new(normal, offset)?, surface, None)?;
        }
        Ok(())
    }

    /// Says what a body is made of; it has no material before.
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
    /// world.set_material(body, Material(3))?;
    /// assert!(world.set_material(7, Material(3)).is_err());
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body.
    pub fn set_material(&mut self, body: usize, material: Material) -> Result<(), DynamicsError> {
        let count = self.state.members.len();
        let member = self.state.members.get_mut(body);
        let member = member.ok_or_else(|| missing("body", body, count))?;
        member.material = Some(material);
        self.wake();
        Ok(())
    }

    /// Says what a plane is made of.
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
    /// world.set_material_of_plane(0, Material(1))?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such plane.
    pub fn set_material_of_plane(
        &mut self,
        plane: usize,
        material: Material,
    ) -> Result<(), DynamicsError> {
        let count = self.state.planes.len();
        let boundary = self.state.planes.get_mut(plane);
        let boundary = boundary.ok_or_else(|| missing("plane", plane, count))?;
        boundary.material = Some(material);
        self.wake();
        Ok(())
    }

    /// Gives a sphere a rolling resistance: the moment on it at a contact is up to this length (m) times the normal
    /// force. Of two spheres that touch, the larger length counts. A body that is no sphere has none: its edges resist.
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
    /// let ball = world.add(Body::sphere(0.2, 2400.0)?, at(5.0), Role::Free, rough)?;
    /// world.set_rolling_resistance(ball, 0.01)?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such body, or the length is negative, not finite or larger than the radius of the sphere: the
    /// normal force acts within it.
    pub fn set_rolling_resistance(
        &mut self,
        body: usize,
        length: f64,
    ) -> Result<(), DynamicsError> {
        non_negative("length of rolling resistance", length)?;
        let count = self.state.members.len();
        let member = self.state.members.get_mut(body);
        let member = member.ok_or_else(|| missing("body", body, count))?;
        let radius = member.body.sphere_radius().unwrap_or(f64::INFINITY);
        require(
            "length of rolling resistance",
            length,
            length <= radius,
            "at most the radius: the normal force acts within the sphere",
        )?;
        member.rolling = length;
        self.wake();
        Ok(())
    }

    /// Gives a pair of materials a friction and a restitution of its own, in place of the mean of both surfaces.
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
    /// world.set_material(body, Material(0))?;
    /// world.set_material_of_plane(0, Material(1))?;
    /// world.set_pair(Material(0), Material(1), Surface { friction: 0.3, restitution: 0.1 })?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When the friction or the restitution is out of range.
    pub fn set_pair(
        &mut self,
        a: Material,
        b: Material,
        pair: Surface,
    ) -> Result<(), DynamicsError> {
        pair.check()?;
        self.state.pairs.set(a, b, pair);
        self.wake();
        Ok(())
    }

    /// How the world is stepped.
    pub fn settings(&self) -> &WorldSettings {
        &self.state.settings
    }

    /// Replaces the settings, from the next step on. Springs keep their forces, and with another stiffness hold another
    /// energy.
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
    /// let finer = WorldSettings { step: 1e-3, ..*world.settings() };
    /// world.set_settings(finer)?;
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn set_settings(&mut self, settings: WorldSettings) -> Result<(), DynamicsError> {
        settings.check()?;
        let bonded = self.state.joints.iter().any(|joint| !joint.worn.broken);
        if let Some(stiffness) = settings.stiffness.filter(|_| bonded) {
            let accepted = "none where joints are bonded, whose contacts are rigid";
            return Err(OutOfRange::new("stiffness", stiffness, accepted).into());
        }
        if settings.stiffness.is_some() && settings.step != self.state.settings.step {
            let longer = settings.step / self.state.settings.step;
            self.history
                .contacts
                .iter_mut()
                .for_each(|c| c.impulse *= longer);
        }
        self.state.settings = settings;
        self.wake();
        self.work.search.broad.invalidate();
        Ok(())
    }

    /// Moves the world on by one step and says what happened to its energy. A step in which bodies meet that are fast
    /// for their size is divided, so that none goes far for its size before its contacts are looked at again.
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
    /// let report = world.step()?;
    /// assert!(report.unexplained.abs() < 1e-9 && report.gain == 0.0);
    /// assert!(world.state(body).unwrap().velocity.linear.length() < 1e-6);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When a velocity or a pose has stopped being finite (a step far too large for the spin); the world then stays
    /// as it was before the step, but that who was about to be woken is awake.
    pub fn step(&mut self) -> Result<StepReport, DynamicsError> {
        place(&mut self.state, &mut self.history);
        let stepped = step(&mut self.state, &mut self.history, &mut self.work);
        self.seen.update(&self.state, &self.history);
        let mut report = stepped?;
        report.energy.potential += self.state.potential_of_origin();
        Ok(report)
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.state.members.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.state.members.is_empty()
    }

    /// State of a body.
    pub fn state(&self, body: usize) -> Option<&State> {
        let member = self.state.members.get(body)?;
        Some(self.seen.states.get(body).unwrap_or(&member.state))
    }

    /// Whether gravity and contacts move a body.
    pub fn is_free(&self, body: usize) -> bool {
        self.state.is_free(body)
    }

    /// Mass and shape of a body.
    pub fn body(&self, body: usize) -> Option<&Body> {
        self.state.members.get(body).map(|m| &m.body)
    }

    /// States of all bodies, in their order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &State> + '_ {
        let members = self.state.members.iter().enumerate();
        members.map(|(i, m)| self.seen.states.get(i).unwrap_or(&m.state))
    }

    /// Whether a body sleeps.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.state.is_asleep(body)
    }

    /// Wakes every body.
    pub fn wake(&mut self) {
        self.state.wake();
    }

    /// The planes as they stand now.
    pub fn planes(&self) -> impl ExactSizeIterator<Item = &Plane> + '_ {
        let planes = self.state.planes.iter().enumerate();
        planes.map(|(k, b)| self.seen.planes.get(k).unwrap_or(&b.plane))
    }

    /// The contacts of the last step: gaps at its start, impulses and relative velocities at its end.
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
    /// world.step()?;
    /// let carried: DVec3 = world.contacts().iter().map(|c| c.impulse / world.settings().step).sum();
    /// assert!((carried.z - 2400.0 * 9.81).abs() < 1.0);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn contacts(&self) -> &[WorldContact] {
        match self.state.origin {
            DVec3::ZERO => &self.history.contacts,
            _ => &self.seen.contacts,
        }
    }

    /// Bodies of the last step that do not fit where they are: no displacement takes out their overlap.
    pub fn wedged(&self) -> impl Iterator<Item = usize> + '_ {
        let islands = self.work.islands.iter().filter(|island| !island.asleep);
        islands.flat_map(|island| {
            island
                .displacements
                .wedged
                .iter()
                .map(|&body| body as usize)
        })
    }

    /// Sums over all steps.
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
    /// (0..10).try_for_each(|_| world.step().map(drop))?;
    /// assert_eq!((world.ledger().steps, world.ledger().gains), (10, 0));
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn ledger(&self) -> &WorldLedger {
        &self.history.ledger
    }

    /// Kinetic energy of the free bodies (J).
    pub fn kinetic_energy(&self) -> f64 {
        self.state.kinetic_energy()
    }

    /// Energy in the springs of the contacts, `½ ‖F‖²/k`; 0 for rigid ones (J).
    pub fn elastic_energy(&self) -> f64 {
        self.history.elastic_energy(&self.state.settings)
    }

    /// Potential energy of the free bodies in the field of gravity, zero at the origin (J).
    pub fn potential_energy(&self) -> f64 {
        self.state.potential_energy() + self.state.potential_of_origin()
    }

    /// The state of the run. Hints of the narrow phase and boxes of the broad phase are not part of it, since no
    /// answer depends on them.
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
    /// let before = world.snapshot();
    /// world.step()?;
    /// let once = *world.state(body).unwrap();
    /// world.restore(&before)?;
    /// world.step()?;
    /// assert_eq!(world.state(body), Some(&once));
    /// # Ok::<(), DynamicsError>(())
    /// ```
    pub fn snapshot(&self) -> WorldSnapshot {
        WorldSnapshot::of(&self.state, &self.history)
    }

    /// Goes back (or on) to a snapshot of the same scene.
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
    /// let start = world.snapshot();
    /// (0..10).try_for_each(|_| world.step().map(drop))?;
    /// world.restore(&start)?;
    /// assert_eq!(world.time(), 0.0);
    /// # Ok::<(), DynamicsError>(())
    /// ```
    ///
    /// # Errors
    /// When the snapshot has another layout, or another number of bodies or planes.
    pub fn restore(&mut self, snapshot: &WorldSnapshot) -> Result<(), DynamicsError> {
        snapshot.restore(&mut self.state, &mut self.history)?;
        self.work.search.broad.invalidate();
        self.seen.update(&self.state, &self.history);
        Ok(())
    }
}
