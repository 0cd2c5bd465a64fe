//! What stands in a world: free, fixed and driven bodies, and planes.

use super::drowsiness::{Drowsiness, stands};
use super::materials::{Material, Surface};
use super::motion::gyroscopic;
use super::settings::WorldSettings;
use klast_numerics::check::{finite_vector, require};

use crate::{Body, DynamicsError, State, Twist};
use glam::{DMat3, DVec3};
use klast_geometry::{Plane, Pose, Sphere};
use klast_ground_motion::GroundMotion;

/// A motion that is given, whatever pushes against it.
#[derive(Debug, Clone, PartialEq)]
pub enum Drive {
    /// Constant velocity and spin (world axes, about the body's centre of mass).
    Steady(Twist),
    /// Constant acceleration (m/s²) from rest at time 0.
    Accelerating(DVec3),
    /// A ground motion: its horizontal component along a unit vector, its vertical one along z.
    Ground(Box<GroundMotion>, DVec3),
    /// A ground motion along x, y and z.
    Components(Box<[klast_ground_motion::Component; 3]>),
}

impl Drive {
    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        match self {
            Drive::Steady(twist) => {
                Twist::new(twist.linear, twist.angular)?;
            }
            Drive::Accelerating(a) => {
                finite_vector("acceleration", *a)?;
            }
            Drive::Ground(_, along) => {
                let length = along.length();
                require("direction length", length, (length - 1.0).abs() < 1e-9, "1")?;
            }
            Drive::Components(_) => {}
        }
        Ok(())
    }

    /// The velocity that takes the body over a step to where the motion puts it, so that no drift builds up.
    pub(super) fn velocity(&self, time: f64, step: f64) -> Twist {
        let way =
            |c: &klast_ground_motion::Component| c.displacement(time + step) - c.displacement(time);
        let linear = match self {
            Drive::Steady(twist) => return *twist,
            Drive::Accelerating(a) => *a * (time + 0.5 * step),
            Drive::Ground(motion, along) => {
                (*along * way(&motion.horizontal) + DVec3::Z * way(&motion.vertical)) / step
            }
            Drive::Components(components) => {
                DVec3::from_array(std::array::from_fn(|k| way(&components[k]))) / step
            }
        };
        Twist {
            linear,
            angular: DVec3::ZERO,
        }
    }
}

/// What moves a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// Gravity and contacts.
    Free,
    /// Nothing.
    Fixed,
    /// A given motion.
    Driven(Drive),
}

/// A body in the world. Pose, velocity and radius come first and lie in two lines of the cache: a pair costs as many
/// misses as it reads lines.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Member {
    pub state: State,
    /// Radius of the sphere about the centre of mass that holds the body (m).
    pub radius: f64,
    inverse_mass: f64,
    pub body: Body,
    inverse_moments: DVec3,
    pub drowsiness: Drowsiness,
    pub role: Role,
    pub surface: Surface,
    pub material: Option<Material>,
    /// Length of the rolling resistance (m); 0 for none.
    pub rolling: f64,
    /// Whether it is no longer in the world.
    pub removed: bool,
}

impl Member {
    pub fn new(
        body: Body,
        state: State,
        role: Role,
        surface: Surface,
    ) -> Result<Self, DynamicsError> {
        let mut member = Self {
            radius: body.sphere_radius().unwrap_or(body.shape().radius()),
            rolling: 0.0,
            removed: false,
            inverse_mass: 0.0,
            inverse_moments: DVec3::ZERO,
            body,
            state,
            role: Role::Fixed,
            surface,
            material: None,
            drowsiness: Drowsiness::AWAKE,
        };
        member.set_role(role)?;
        Ok(member)
    }

    /// Gives it another role; what becomes fixed stands still.
    pub fn set_role(&mut self, role: Role) -> Result<(), DynamicsError> {
        if let Role::Driven(drive) = &role {
            drive.check()?;
        }
        let free = role == Role::Free;
        if role == Role::Fixed {
            self.state.velocity = Twist::ZERO;
        }
        self.inverse_mass = if free { 1.0 / self.body.mass() } else { 0.0 };
        self.inverse_moments = match free {
            true => self.body.inertia().recip(),
            false => DVec3::ZERO,
        };
        self.role = role;
        Ok(())
    }

    /// Takes it out of the world: nothing touches it, and it stays where it was.
    pub fn remove(&mut self) {
        self.state.velocity = Twist::ZERO;
        (self.inverse_mass, self.inverse_moments) = (0.0, DVec3::ZERO);
        (self.role, self.removed) = (Role::Fixed, true);
    }

    /// The velocity at the end of a step if there were no contacts; the given one of what is driven.
    pub fn free_velocity(&self, s: &WorldSettings, time: f64) -> Twist {
        match &self.role {
            Role::Free if self.is_asleep() => Twist::ZERO,
            Role::Free => Twist {
                linear: self.state.velocity.linear + s.gravity * s.step,
                angular: gyroscopic(&self.body, &self.state, s.step),
            },
            Role::Fixed => Twist::ZERO,
            Role::Driven(drive) => drive.velocity(time, s.step),
        }
    }

    /// The velocity that the last step was solved for; over the coming step, of what is driven.
    pub fn present_velocity(&self, s: &WorldSettings, time: f64) -> Twist {
        match &self.role {
            Role::Free | Role::Fixed => self.state.velocity,
            Role::Driven(drive) => drive.velocity(time, s.step),
        }
    }

    /// The sphere that the body is at a pose, if it is one.
    pub fn sphere_at(&self, pose: &Pose) -> Option<Sphere> {
        self.body.sphere_radius().map(|radius| Sphere {
            centre: pose.translation,
            radius,
        })
    }

    pub fn is_asleep(&self) -> bool {
        self.drowsiness.slept.is_some()
    }

    /// Whether nothing has moved the body in the last step and nothing will in this one, so that its contacts with
    /// others of the kind are those of the last step.
    pub fn is_still(&self, time: f64, step: f64) -> bool {
        match &self.role {
            Role::Free => self.drowsiness.slept.is_some_and(|steps| steps > 0),
            Role::Fixed => true,
            Role::Driven(drive) => {
                let at_rest = |t: f64| stands(&drive.velocity(t, step));
                at_rest(time) && at_rest(time - step)
            }
        }
    }

    pub fn is_free(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// Kinetic energy (J).
    pub fn kinetic_energy(&self) -> f64 {
        if !self.body.is_isotropic() {
            return self.state.kinetic_energy(&self.body).total();
        }
        // The spin has no axes of its own.
        let (v, inertia) = (&self.state.velocity, self.body.inertia().x);
        0.5 * (self.body.mass() * v.linear.length_squared() + inertia * v.angular.length_squared())
    }

    /// The body as the contact problem sees it.
    pub fn node(&self) -> klast_contact::bodies::BodyInertia {
        if self.body.is_isotropic() {
            let inverse_inertia = DMat3::from_diagonal(self.inverse_moments);
            return klast_contact::bodies::BodyInertia {
                inverse_mass: self.inverse_mass,
                inverse_inertia,
            };
        }
        let r = DMat3::from_quat(self.state.pose.rotation);
        let d = self.inverse_moments;
        // R D Rᵀ, summed so that it is symmetric to the last bit.
        let entry = |i: usize, j: usize| {
            (0..3)
                .map(|k| r.col(k)[i] * r.col(k)[j] * d[k])
                .sum::<f64>()
        };
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        klast_contact::bodies::BodyInertia {
            inverse_mass: self.inverse_mass,
            inverse_inertia: DMat3::from_cols(
                DVec3::new(entry(0, 0), xy, xz),
                DVec3::new(xy, entry(1, 1), yz),
                DVec3::new(xz, yz, entry(2, 2)),
            ),
        }
    }

    /// Upper bound on the speed of any point of the body (m/s): for one that is driven, over the coming step.
    pub fn fastest(&self, time: f64, step: f64) -> f64 {
        let v = match &self.role {
            Role::Driven(drive) => drive.velocity(time, step),
            Role::Free | Role::Fixed => self.state.velocity,
        };
        v.linear.length() + v.angular.length() * self.radius
    }
}

/// A plane in the world.
#[derive(Debug, Clone)]
pub(super) struct Boundary {
    pub plane: Plane,
    pub surface: Surface,
    pub material: Option<Material>,
    pub drive: Option<Drive>,
    /// Velocity over the present step (m/s).
    pub velocity: DVec3,
}
