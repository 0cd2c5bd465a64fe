//! The scene of a shot through a layer of rock.

use glam::DVec3;
use klast_dem::{Cavity, ContactParameters, Grading, NoseSpacing, Ogive, PackingSpec, Shot};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use klast_runs::faults::{Fault, Faults};

/// A projectile through a layer of convex rocks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rockfill {
    /// The layer of rock.
    pub layer: Layer,
    /// Contact law: stiffness, restitution and friction.
    pub contact: Contact,
    /// Outline and mass of the projectile.
    pub projectile: Projectile,
    /// Start of the projectile, and time steps of the run.
    pub shot: ShotScene,
}

/// A layer made from Voronoi cells, settled and pressed.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Length of the layer along the shot (m), above 0.
    pub length_m: f64,
    /// Width of the layer across the shot (m), above 0.
    pub width_m: f64,
    /// Height of the layer (m), above 0.
    pub height_m: f64,
    /// Mean size of a rock (mm), above 0: diameter of the sphere of equal volume.
    pub mean_size_mm: f64,
    /// Largest deviation of a size from the mean size, over the mean size: 0 to 0.95. The sizes have a normal
    /// distribution that is truncated at this deviation.
    pub spread: f64,
    /// Volume of rock over volume of the layer, 0.01 to 0.74.
    pub solid_fraction: f64,
    /// Volume of rock over volume of the loose layer, before the layer is settled and pressed: 0.01 up to
    /// `solid_fraction`.
    pub start_fraction: f64,
    /// Density of the rock (kg/m³), above 0.
    pub density_kg_m3: f64,
    /// Seed of the layer, a whole number from 0; `--seed` replaces it.
    pub seed: u64,
}

/// Penalty law with linear springs, restitution and Coulomb friction.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// Normal stiffness k_n of a contact (N/m), above 0.
    pub normal_stiffness_n_per_m: f64,
    /// Tangential stiffness k_s of a contact (N/m), 0 or more. With 0 the contact has no friction.
    pub tangential_stiffness_n_per_m: f64,
    /// Friction coefficient μ of every contact, 0 to 100.
    pub friction: f64,
    /// Coefficient of restitution e_r between two rocks, 0.001 to 1.
    pub rock_restitution: f64,
    /// Coefficient of restitution e_b between projectile and rock, 0.001 to 1.
    pub projectile_restitution: f64,
}

/// A projectile with a nose whose outline is an arc (an ogive) on a cylindrical shank.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Projectile {
    /// Length H of the projectile with its nose (mm), above the length of the nose.
    pub length_mm: f64,
    /// Radius R of the arc of the nose (mm), at least half the diameter.
    pub nose_radius_mm: f64,
    /// Diameter D of the shank (mm), above 0.
    pub diameter_mm: f64,
    /// Number of divisions of the surface of the projectile along the nose, 1 to 1,000.
    pub rings: u32,
    /// Number of divisions of the surface of the projectile around the axis, 3 to 1,000.
    pub sectors: u32,
    /// Mass of the projectile (kg), above 0. If the projectile is hollow, this is its mass with the cavity empty.
    pub mass_kg: f64,
    /// Mass centre and moments of inertia of a hollow projectile. Unless stated, they are those of the solid body with
    /// the stated mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cavity: Option<CavityScene>,
}

/// Mass centre and moments of inertia of a hollow projectile.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CavityScene {
    /// Distance of the mass centre from the tip (mm), above 0.
    pub centre_behind_tip_mm: f64,
    /// Moment of inertia about the axis (kg m²), above 0.
    pub axial_inertia_kg_m2: f64,
    /// Moment of inertia across the axis, about the mass centre (kg m²), above 0.
    pub transverse_inertia_kg_m2: f64,
}

/// Start of the projectile, and time steps of the run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShotScene {
    /// Speed of the projectile at the start (m/s), above 0.
    pub speed_m_s: f64,
    /// Distance from the tip to the layer at the start (m), above 0.
    pub standoff_m: f64,
    /// Time step (µs), above 0.
    pub step_us: f64,
    /// Number of steps from one row of the history to the next, 1 or more.
    pub record_every: u32,
    /// Whether the layer has a floor and side walls during the shot.
    pub walls: bool,
    /// Acceleration of gravity, downwards (m/s²), 0 or more.
    pub gravity_m_s2: f64,
    /// Latest time at which the run ends (ms), at least one step.
    pub maximum_time_ms: f64,
}

impl Rockfill {
    /// The layer to make and the shot, checked.
    ///
    /// # Errors
    /// Every part with a value that the product refuses.
    pub fn convert(&self) -> Result<(PackingSpec, Shot), Faults> {
        let mut faults = Faults::default();
        let (layer, contact, shot) = (&self.layer, &self.contact, &self.shot);
        let edges = DVec3::new(layer.length_m, layer.width_m, layer.height_m);
        let parameters = ContactParameters {
            normal_stiffness: contact.normal_stiffness_n_per_m,
            tangential_stiffness: contact.tangential_stiffness_n_per_m,
            friction: contact.friction,
            rock_restitution: contact.rock_restitution,
            projectile_restitution: contact.projectile_restitution,
        };
        let laws = faults.take("contact", parameters.laws());
        let mean = layer.mean_size_mm * 1e-3;
        let packing = faults.take("layer", PackingSpec::rockfill(edges, mean, layer.seed));
        let (ogive, cavity) = self.projectile.convert();
        faults.take("projectile", ogive.particle(cavity, 0));
        faults.check(shot.record_every != 0, || {
            Fault::new("shot.record_every", 0).accepted("1 or more")
        });
        let ((rock_law, projectile_law), packing) = faults.or_all(|| laws.zip(packing))?;
        let packing = PackingSpec {
            grading: Grading::Normal {
                mean,
                spread: layer.spread,
            },
            solid_fraction: layer.solid_fraction,
            start_fraction: layer.start_fraction,
            density: layer.density_kg_m3,
            law: rock_law,
            ..packing
        };
        let shot = Shot {
            ogive,
            cavity,
            speed: shot.speed_m_s,
            standoff: shot.standoff_m,
            rock_law,
            projectile_law,
            step: shot.step_us * 1e-6,
            record_every: shot.record_every,
            walls: shot.walls,
            gravity: shot.gravity_m_s2,
            mend_switches: true,
            longest: shot.maximum_time_ms * 1e-3,
        };
        let mut faults = Faults::default();
        faults.take("layer", packing.count());
        faults.take("shot", shot.check());
        faults.or_all(|| Some((packing, shot)))
    }
}

impl Projectile {
    fn convert(&self) -> (Ogive, Cavity) {
        let ogive = Ogive {
            length: self.length_mm * 1e-3,
            nose_radius: self.nose_radius_mm * 1e-3,
            diameter: self.diameter_mm * 1e-3,
            rings: self.rings,
            sectors: self.sectors,
            spacing: NoseSpacing::Arc,
        };
        let cavity = match &self.cavity {
            None => Cavity::Mass { mass: self.mass_kg },
            Some(c) => Cavity::Given {
                mass: self.mass_kg,
                centre: c.centre_behind_tip_mm * 1e-3,
                axial: c.axial_inertia_kg_m2,
                transverse: c.transverse_inertia_kg_m2,
            },
        };
        (ogive, cavity)
    }
}
