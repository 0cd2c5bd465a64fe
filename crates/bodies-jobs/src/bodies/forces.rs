//! From the loads, ties and removals of a scene to those of its world.

use glam::DVec3;
use klast_dynamics::{Action, Course, End, Faces, Failure, Form, Load, Pressure, Tie, World};

use super::build::Built;
use super::loads::{Acts, EndEntry, FailureEntry, FormEntry, LoadEntry, Removal, TieEntry};
use klast_runs::error::Result;
use klast_runs::faults::Fault;

impl Built {
    /// The body of a name.
    pub fn body(&self, name: &str) -> Result<usize> {
        let found = self.names.iter().position(|own| own == name);
        let fault = || Fault::new("body", format!("'{name}': no such body"));
        let accepted = "the name of a body; of an entry that is several, with its number";
        Ok(found.ok_or_else(|| fault().accepted(accepted))?)
    }
}

impl LoadEntry {
    /// Adds the load to the world, and returns its number.
    ///
    /// # Errors
    /// A name that is not known, a value that is out of range.
    pub fn add(&self, built: &mut Built, gravity: f64) -> Result<usize> {
        let body = built.body(&self.body)?;
        let load = Load {
            body,
            action: self.acts.action(&built.world, body, gravity)?,
            course: match &self.factors {
                None => Course::Constant,
                Some(points) => Course::Table(points.iter().map(|p| (p[0], p[1])).collect()),
            },
        };
        Ok(built.world.add_load(&load)?)
    }
}

impl Acts {
    fn action(&self, world: &World, body: usize, gravity: f64) -> Result<Action> {
        let towards = |face: &[f64; 3]| Faces::Facing(DVec3::from(*face));
        Ok(match self {
            Self::Force { force_n, at_m } => {
                let centre = world
                    .state(body)
                    .map_or(DVec3::ZERO, |s| s.pose.translation);
                Action::Force {
                    force: DVec3::from(*force_n),
                    at: at_m.map_or(centre, DVec3::from),
                }
            }
            Self::Torque { torque_nm } => Action::Torque(DVec3::from(*torque_nm)),
            Self::Water {
                level_m,
                density_kg_m3,
                face,
            } => Action::Pressure {
                faces: face.as_ref().map_or(Faces::All, towards),
                pressure: Pressure::water(*level_m, *density_kg_m3, gravity)?,
            },
            Self::Earth {
                surface_m,
                density_kg_m3,
                coefficient,
                surcharge_pa,
                wall_friction_deg,
                face,
            } => {
                if !(-80.0..=80.0).contains(wall_friction_deg) {
                    let fault = Fault::new("acts.wall_friction_deg", wall_friction_deg);
                    return Err(fault.accepted("-80 to 80").into());
                }
                let own = (*density_kg_m3, gravity);
                let earth = Pressure::earth(*surface_m, own, *coefficient, *surcharge_pa)?;
                Action::Pressure {
                    faces: towards(face),
                    pressure: Pressure {
                        wall_friction: libm::tan(wall_friction_deg.to_radians()),
                        ..earth
                    },
                }
            }
            Self::Joint {
                from_m,
                from_pa,
                to_m,
                to_pa,
                face,
            } => {
                let (from, to) = (DVec3::from(*from_m), DVec3::from(*to_m));
                Action::Pressure {
                    faces: towards(face),
                    pressure: Pressure::between((from, *from_pa), (to, *to_pa))?,
                }
            }
        })
    }
}

impl TieEntry {
    /// Adds the tie to the world, and returns its number.
    ///
    /// # Errors
    /// A name that is not known, a value that is out of range.
    pub fn add(&self, built: &mut Built) -> Result<usize> {
        let end = |end: &EndEntry| -> Result<End> {
            let at = DVec3::from(end.at_m);
            Ok(match &end.body {
                None => End::Fixed(at),
                Some(name) => End::Body {
                    body: built.body(name)?,
                    at,
                },
            })
        };
        let tie = Tie {
            ends: [end(&self.ends[0])?, end(&self.ends[1])?],
            form: match self.form {
                FormEntry::Bar => Form::Bar,
                FormEntry::Dowel => Form::Dowel,
            },
            stiffness: self.stiffness_n_per_m,
            pretension: self.pretension_n,
            strength: self.strength_n,
            failure: match self.failure {
                FailureEntry::Brittle => Failure::Brittle,
                FailureEntry::Plastic => Failure::Plastic,
            },
        };
        Ok(built.world.add_tie(&tie)?)
    }
}

impl Removal {
    /// When a body is taken out (s), and which.
    pub fn of(&self, built: &Built, end: f64) -> Result<(f64, usize)> {
        let fault = Fault::new("at_s", self.at_s).accepted(format!("0 to duration_s, {end}"));
        match (0.0..=end).contains(&self.at_s) {
            true => Ok((self.at_s, built.body(&self.body)?)),
            false => Err(fault.into()),
        }
    }
}

impl Built {
    /// Takes out the bodies whose time has come.
    ///
    /// # Errors
    /// None that a scene which was built can meet.
    pub fn remove_due(&mut self) -> Result<()> {
        let half = 0.5 * self.world.settings().step;
        for (time, body) in &self.removals {
            if self.world.time() + half >= *time && self.world.is_present(*body) {
                self.world.remove(*body)?;
            }
        }
        Ok(())
    }
}
