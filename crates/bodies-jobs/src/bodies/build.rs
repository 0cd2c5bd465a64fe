//! The world of a scene.

use std::collections::HashSet;

use glam::DVec3;
use klast_dynamics::{
    Bond, Drive, Effort, GroundMotion, Impacts, Material as MaterialId, Restitution, Role, Sleep,
    State, Surface, Twist, World, WorldSettings,
};
use klast_geometry::Plane;
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use super::mortar::{self, Mortar};
use super::place::Placing;
use super::scene::{BodyEntry, Container, Material, MovedBy, PairEntry, PlaneEntry, Scene};
use super::solver::{EffortEntry, ImpactLawEntry};
use klast_runs::common::shape::Form;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::text::SceneText;

/// A world and what the results call its bodies.
#[derive(Debug, Clone)]
pub struct Built {
    /// The world at the start.
    pub world: World,
    /// Name of each body.
    pub names: Vec<String>,
    /// Number of the entry of each body, for its colour.
    pub entries: Vec<usize>,
    /// The body that ways are measured from.
    pub base: Option<usize>,
    /// When which bodies are taken out (s).
    pub removals: Vec<(f64, usize)>,
    /// What the user should know of records.
    pub remarks: Vec<String>,
}

impl Scene {
    /// The world of the scene.
    ///
    /// # Errors
    /// Every value that is out of range, every name that is not known, every file that cannot be read.
    pub fn build(&self, text: &SceneText, seed: u64) -> Result<Built, Faults> {
        let mut faults = Faults::default();
        faults.take("", self.check());
        let settings = self.settings(f64::INFINITY);
        let settings = faults.take("solver", settings.and_then(|s| Ok(World::new(s)?)));
        let mut built = Built {
            // What is refused of a scene is not run.
            world: match settings {
                Some(world) => world,
                None => return Err(faults),
            },
            names: Vec::new(),
            entries: Vec::new(),
            base: None,
            removals: Vec::new(),
            remarks: Vec::new(),
        };
        // A body of a material that is refused would be refused for each of its numbers once more.
        if faults.take("", self.check_materials()).is_none() {
            return Err(faults);
        }
        for (k, entry) in self.bodies.iter().enumerate() {
            let added = self.add(entry, k, text, seed, &mut built);
            let added = added.with_context(|| entry.name.clone());
            faults.take(&format!("bodies[{k}]"), added);
        }
        let mut names = HashSet::new();
        for (name, k) in built.names.iter().zip(&built.entries) {
            faults.check(names.insert(name), || {
                let twice = format!("'{name}' is the name of another body too");
                Fault::new(format!("bodies[{k}].name"), twice).accepted("a name of its own")
            });
        }
        for (k, entry) in self.planes.iter().enumerate() {
            let added = self.add_plane(entry, text, &mut built);
            faults.take(&format!("planes[{k}]"), added);
        }
        for (k, entry) in self.containers.iter().enumerate() {
            let added = self.add_container(entry, &mut built);
            faults.take(&format!("containers[{k}]"), added);
        }
        for k in 0..self.pairs.len() {
            faults.take(&format!("pairs[{k}]"), self.set_pair(k, &mut built.world));
        }
        if let Some(name) = &self.relative_to {
            built.base = built.names.iter().position(|n| n == name);
            let known = self.bodies.iter().any(|body| body.name == *name);
            faults.check(built.base.is_some() || known, || {
                Fault::new("relative_to", format!("'{name}': no such body"))
                    .accepted(self.single_names())
            });
        }
        faults.or_all(|| Some(()))?;
        let mut faults = Faults::default();
        let smallest = smallest(&built.world);
        faults.check(smallest.is_finite(), || {
            Fault::new("bodies", "none is free").accepted("one or more")
        });
        let single = || {
            format!(
                "'{}': several bodies",
                self.relative_to.as_deref().unwrap_or("")
            )
        };
        faults.check(self.relative_to.is_none() || built.base.is_some(), || {
            Fault::new("relative_to", single()).accepted(self.single_names())
        });
        let settings = self.settings(smallest);
        faults.take(
            "solver",
            settings.and_then(|s| Ok(built.world.set_settings(s)?)),
        );
        self.add_forces(&mut built, &mut faults);
        faults.or_all(|| Some(built))
    }

    /// Adds loads, ties, removals and the bonds of joints.
    fn add_forces(&self, built: &mut Built, faults: &mut Faults) {
        let gravity = DVec3::from(self.gravity_m_s2).length();
        for (k, entry) in self.loads.iter().enumerate() {
            faults.take(&format!("loads[{k}]"), entry.add(built, gravity));
        }
        for (k, entry) in self.ties.iter().enumerate() {
            faults.take(&format!("ties[{k}]"), entry.add(built));
        }
        for (k, entry) in self.removals.iter().enumerate() {
            let removal = faults.take(&format!("removals[{k}]"), entry.of(built, self.duration_s));
            built.removals.extend(removal);
        }
        faults.take("pairs", self.bond_joints(built));
    }

    fn bond_joints(&self, built: &mut Built) -> Result<()> {
        let bonded = self.pairs.iter().filter(|pair| pair.is_bonded());
        let mortars: Result<Vec<Mortar>> = bonded
            .map(|pair| {
                let [a, b] = &pair.materials;
                Ok(Mortar {
                    materials: [self.material_id(a)?, self.material_id(b)?],
                    bond: Bond {
                        cohesion: pair.cohesion_pa,
                        tension: pair.tensile_strength_pa,
                    },
                })
            })
            .collect();
        let of_entry = |entry: &usize| self.material_id(&self.bodies[*entry].material);
        let bodies: Result<Vec<MaterialId>> = built.entries.iter().map(of_entry).collect();
        let single = self.planes.iter().map(|plane| (1, &plane.material));
        // A container is a floor and four walls.
        let boxes = self
            .containers
            .iter()
            .map(|container| (5, &container.material));
        let planes: Result<Vec<MaterialId>> = single
            .chain(boxes)
            .flat_map(|(count, name)| std::iter::repeat_n(name, count))
            .map(|name| self.material_id(name))
            .collect();
        mortar::bond(&mut built.world, &mortars?, [&bodies?, &planes?])
    }

    fn add_container(&self, entry: &Container, built: &mut Built) -> Result<()> {
        let (low, high) = (DVec3::from(entry.low_m), DVec3::from(entry.high_m));
        let fault = || {
            Fault::new("", format!("low_m {low}, high_m {high}"))
                .accepted("each coordinate below its other")
        };
        ensure!(low.cmplt(high).all(), fault());
        let surface = self.material(&entry.material)?.surface();
        let first = built.world.planes().len();
        built.world.add_container(low, high, surface)?;
        let end = built.world.planes().len();
        for plane in first..end {
            let material = self.material_id(&entry.material)?;
            built.world.set_material_of_plane(plane, material)?;
        }
        Ok(())
    }

    fn single_names(&self) -> String {
        let names: Vec<&str> = self.bodies.iter().map(|b| b.name.as_str()).collect();
        format!(
            "the name of an entry that is one body ({})",
            names.join(", ")
        )
    }

    /// Settings for a smallest free body of a size (m); the defaults are those of a body of 1 m.
    fn settings(&self, smallest: f64) -> Result<WorldSettings> {
        let size = if smallest.is_finite() { smallest } else { 1.0 };
        let (s, default) = (&self.solver, WorldSettings::for_size(size));
        let effort = match s.effort {
            EffortEntry::Sweeps { count } => {
                ensure!(
                    (1..=100_000).contains(&count),
                    Fault::new("effort.count", count).accepted("1 to 100000")
                );
                Effort::Sweeps(count as usize)
            }
            EffortEntry::Auto { tolerance, .. } => Effort::Auto { tolerance },
            EffortEntry::Residual { tolerance, sweeps } => Effort::Residual {
                tolerance,
                sweeps: sweeps as usize,
            },
        };
        Ok(WorldSettings {
            gravity: DVec3::from(self.gravity_m_s2),
            step: s.step_s,
            theta: s.theta,
            effort,
            impacts: match s.impact_law {
                ImpactLawEntry::Newton => Impacts::InTurn(Restitution::Newton),
                ImpactLawEntry::Sequential => Impacts::InTurn(Restitution::Sequential),
                ImpactLawEntry::Poisson => Impacts::InTurn(Restitution::Poisson),
                ImpactLawEntry::Stronge => Impacts::InTurn(Restitution::Stronge),
                ImpactLawEntry::Together => Impacts::Together,
            },
            bounce_above: s
                .restitution_threshold_m_s
                .unwrap_or(self.bounces_above(default.bounce_above)),
            margin: s.margin_m.unwrap_or(default.margin),
            slop: s.slop_m.unwrap_or(default.slop),
            recovery: s.overlap_correction,
            sleep: s.sleep.map(|sleep| Sleep {
                speed: sleep.speed_m_s,
                after: sleep.after_s,
            }),
            stiffness: s.stiffness_n_per_m,
            max_newton_steps: match s.effort {
                EffortEntry::Auto {
                    max_newton_steps, ..
                } => max_newton_steps.map(|steps| steps as usize),
                EffortEntry::Sweeps { .. } | EffortEntry::Residual { .. } => None,
            },
            arcs: false,
            parallel: true,
        })
    }

    /// Speed of approach above which bodies bounce if nothing is stated (m/s): without gravity nothing brings bodies
    /// back together, and there is no rest that small bounces would have to end in.
    fn bounces_above(&self, with_gravity: f64) -> f64 {
        match DVec3::from(self.gravity_m_s2) == DVec3::ZERO {
            true => 0.0,
            false => with_gravity,
        }
    }

    fn material(&self, name: &str) -> Result<Material> {
        let known = || {
            let names: Vec<&str> = self.materials.keys().map(String::as_str).collect();
            names.join(", ")
        };
        match self.materials.get(name) {
            Some(material) => Ok(*material),
            None => bail!(
                Fault::new("material", format!("'{name}': not among materials")).accepted(known())
            ),
        }
    }

    /// Number of a material in the world: its place among the names.
    fn material_id(&self, name: &str) -> Result<MaterialId> {
        self.material(name)?;
        let before = self.materials.keys().take_while(|own| *own != name).count();
        Ok(MaterialId(before as u32))
    }

    /// Friction and restitution of a pair that has its own.
    fn set_pair(&self, k: usize, world: &mut World) -> Result<()> {
        let pair = &self.pairs[k];
        let surface = Surface {
            friction: pair.friction,
            restitution: pair.restitution,
        };
        let [a, b] = &pair.materials;
        let same = |other: &PairEntry| {
            let [m, n] = &other.materials;
            (m, n) == (a, b) || (m, n) == (b, a)
        };
        let twice = || Fault::new("materials", format!("the pair ({a}, {b}) is there twice"));
        ensure!(!self.pairs[..k].iter().any(same), twice().accepted("once"));
        Ok(world.set_pair(self.material_id(a)?, self.material_id(b)?, surface)?)
    }

    fn add(
        &self,
        entry: &BodyEntry,
        number: usize,
        text: &SceneText,
        seed: u64,
        built: &mut Built,
    ) -> Result<()> {
        let material = self.material(&entry.material)?;
        let id = self.material_id(&entry.material)?;
        let poses = Placing {
            at: entry.at_m,
            turn: entry.turn,
            quaternion: entry.quaternion_wxyz,
            copies: &entry.copies,
            file: entry.poses_file.as_deref(),
            tumbled: entry.tumbled,
        }
        .poses(text, seed, built.names.len())?;
        let forms = entry.shape.build(text, seed).at("shape")?;
        let bodies = forms
            .iter()
            .map(|form| form.body(material.density_kg_m3))
            .collect::<Result<Vec<_>>>()?;
        let resists = entry.rolling_resistance_m != 0.0;
        let round = |f: &Form| matches!(f, Form::Sphere(_));
        ensure!(
            !resists || forms.iter().any(round),
            Fault::new("rolling_resistance_m", entry.rolling_resistance_m)
                .accepted("0 for a body that is no sphere, whose edges resist")
        );
        if resists && !forms.iter().all(round) {
            built.remarks.push(format!(
                "{}: rolling_resistance_m {} is that of its spheres alone; the other shapes have none",
                entry.name, entry.rolling_resistance_m
            ));
        }
        let role = match entry
            .moved_by
            .drive(text, &mut built.remarks)
            .at("moved_by")?
        {
            Moved::Free => Role::Free,
            Moved::Fixed => Role::Fixed,
            Moved::Driven(drive) => Role::Driven(drive),
        };
        let velocity = Twist::new(
            DVec3::from(entry.velocity_m_s),
            DVec3::from(entry.spin_rad_s),
        )?;
        for (name, value) in [
            ("velocity_m_s", entry.velocity_m_s),
            ("spin_rad_s", entry.spin_rad_s),
        ] {
            ensure!(
                role == Role::Free || value == [0.0; 3],
                Fault::new(name, format!("{value:?}"))
                    .accepted("0 for a body that is not free, whose motion moved_by alone gives")
            );
        }
        let many = poses.len() > 1;
        for (k, (pose, body)) in poses.iter().zip(bodies.iter().cycle()).enumerate() {
            let state = State::new(body.pose_of(pose), velocity)?;
            let surface = material.surface();
            let body = built
                .world
                .add(body.clone(), state, role.clone(), surface)?;
            built.world.set_material(body, id)?;
            let length = entry.rolling_resistance_m;
            built.world.set_rolling_resistance(body, length)?;
            built.names.push(if many {
                format!("{} {}", entry.name, k + 1)
            } else {
                entry.name.clone()
            });
            built.entries.push(number);
        }
        Ok(())
    }

    fn add_plane(&self, entry: &PlaneEntry, text: &SceneText, built: &mut Built) -> Result<()> {
        let normal = DVec3::from(entry.normal);
        let length = normal.length();
        ensure!(
            length.is_finite() && length > 0.0,
            Fault::new("normal", normal).accepted("finite and not zero")
        );
        let drive = match entry
            .moved_by
            .drive(text, &mut built.remarks)
            .at("moved_by")?
        {
            Moved::Driven(drive) => Some(drive),
            Moved::Free | Moved::Fixed => None,
        };
        let plane = Plane::new(normal / length, entry.offset_m)?;
        let surface = self.material(&entry.material)?.surface();
        let number = built.world.add_plane(plane, surface, drive)?;
        let material = self.material_id(&entry.material)?;
        built.world.set_material_of_plane(number, material)?;
        Ok(())
    }
}

impl Material {
    fn surface(&self) -> Surface {
        Surface {
            friction: self.friction,
            restitution: self.restitution,
        }
    }
}

enum Moved {
    Free,
    Fixed,
    Driven(Drive),
}

impl MovedBy {
    fn drive(&self, text: &SceneText, remarks: &mut Vec<String>) -> Result<Moved> {
        Ok(match self {
            Self::Free => Moved::Free,
            Self::Fixed => Moved::Fixed,
            Self::Steady {
                velocity_m_s,
                spin_rad_s,
            } => Moved::Driven(Drive::Steady(Twist::new(
                DVec3::from(*velocity_m_s),
                DVec3::from(*spin_rad_s),
            )?)),
            Self::Accelerating { acceleration_m_s2 } => {
                Moved::Driven(Drive::Accelerating(DVec3::from(*acceleration_m_s2)))
            }
            Self::Shaken {
                along,
                horizontal,
                vertical,
            } => {
                let direction = DVec3::from(*along);
                let length = direction.length();
                ensure!(
                    length.is_finite() && length > 0.0,
                    Fault::new("along", format!("{along:?}")).accepted("finite and not zero")
                );
                remarks.extend(horizontal.remarks(text).at("horizontal")?);
                remarks.extend(vertical.remarks(text).at("vertical")?);
                let motion = GroundMotion::new(
                    horizontal.build(text).at("horizontal")?,
                    vertical.build(text).at("vertical")?,
                );
                Moved::Driven(Drive::Ground(Box::new(motion), direction / length))
            }
        })
    }
}

/// Size of the smallest free body: the cube root of its volume (m).
fn smallest(world: &World) -> f64 {
    (0..world.len())
        .filter(|&i| world.is_free(i))
        .filter_map(|i| world.body(i))
        .map(|b| libm::cbrt(b.shape().volume()))
        .fold(f64::INFINITY, f64::min)
}
