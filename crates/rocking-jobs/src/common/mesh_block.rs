//! A block from a mesh: a statue or any other body that stands on a base.

use glam::DVec3;
use klast_geometry::{MassProperties, MeshFill, StandingSection, mesh_mass, standing_section};
use klast_rocking::RockingBlock;
use klast_rocking::spatial::SpatialBody;
use klast_runs::ensure;
use klast_runs::error::{Context as _, Result};
use schemars::JsonSchema;
use serde::Deserialize;

use super::block::Block;
use super::least_stable::least_stable;
use klast_files::by_ending::body_from;
use klast_files::mesh::triangles::Triangles;
use klast_runs::faults::At as _;
use klast_runs::text::SceneText;

/// A body from a triangle mesh in metres, with z upwards. The body stands on its lowest points.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshBlock {
    /// Path of the mesh (.stl, .obj or .ply). The path starts at the folder of the scene.
    file: String,
    /// Density (kg/m³), above 0.
    density_kg_m3: f64,
    /// Wall thickness of a hollow body (m), above 0. Unless stated, the body is solid, and the mesh must be closed.
    #[serde(default)]
    shell_thickness_m: Option<f64>,
    /// Horizontal direction of the plane in which the body rocks (degrees), measured from x towards y.
    #[serde(default)]
    azimuth_deg: f64,
    /// Height above the lowest point (m), above 0, up to which points of the mesh belong to the base.
    #[serde(default = "tolerance")]
    base_tolerance_m: f64,
}

/// Part by which another plane must be less slender to be told: many round bases are polygons.
const WEAKER: f64 = 0.01;

fn tolerance() -> f64 {
    1e-3
}

impl MeshBlock {
    /// The block under a gravity (m/s²).
    pub fn build(&self, scene: &SceneText, gravity: f64) -> Result<RockingBlock> {
        let mesh = self.read(scene)?;
        let found = standing(&mesh, self.fill(), self.azimuth_deg, self.base_tolerance_m);
        let (mass, section) = found.with_context(|| self.file.clone())?;
        if let Some(said) = self.weaker_plane(&mesh, &mass, &section) {
            scene.caution(said);
        }
        scene.note(format!(
            "{}: {:.4} kg, centre {:.4} m above its base, {:.4} m to the left and {:.4} m to the right end of it",
            self.file, mass.mass, section.centre_height, section.to_left, section.to_right
        ));
        Ok(RockingBlock::unsymmetric(
            section.to_left,
            section.to_right,
            section.centre_height,
            section.gyration_squared,
            gravity,
        )?)
    }

    fn read(&self, scene: &SceneText) -> Result<Triangles> {
        let ending = std::path::Path::new(&self.file).extension();
        let ending = ending.map_or(String::new(), |e| e.to_string_lossy().to_lowercase());
        let bytes = scene.read_bytes(&self.file)?;
        let mesh = klast_runs::error::of_file(&self.file, body_from(&ending, &bytes))?;
        if let Some(lying) = mesh.lying() {
            scene.caution(format!("{}: {lying}", self.file));
        }
        Ok(mesh)
    }

    /// The body in space: the convex hull of the mesh, its lowest points level, with the mass properties of the mesh.
    ///
    /// # Errors
    /// A file that is no mesh, or a body that does not stand.
    pub fn spatial(&self, scene: &SceneText) -> Result<SpatialBody> {
        let mesh = self.read(scene)?;
        let mass = mesh_mass(&mesh.points, &mesh.triangles, self.fill())?;
        let lowest = mesh.points.iter().fold(f64::INFINITY, |m, p| m.min(p.z));
        let level = |p: &DVec3| match p.z <= lowest + self.base_tolerance_m {
            true => DVec3::new(p.x, p.y, lowest),
            false => *p,
        };
        let points: Vec<DVec3> = mesh.points.iter().map(level).collect();
        let body = SpatialBody::around(&points, &mass)?;
        scene.note(format!(
            "{}: {:.4} kg, centre {:.4} m above its base; it touches the base as its convex hull",
            self.file,
            mass.mass,
            body.centre_height()
        ));
        Ok(body)
    }

    /// What is said if another plane than that of the scene is less stable.
    fn weaker_plane(
        &self,
        mesh: &Triangles,
        mass: &MassProperties,
        section: &StandingSection,
    ) -> Option<String> {
        let least = least_stable(&mesh.points, mass, self.base_tolerance_m)?;
        let lever = section.to_left.min(section.to_right);
        let here = libm::atan2(lever, section.centre_height);
        if least.slenderness_rad <= 0.0 {
            return Some(format!(
                "{}: the body does not stand: its mass centre is not within the edge of its base towards {:.1} degrees; only the \
                 plane of azimuth_deg {} is looked at",
                self.file, least.azimuth_deg, self.azimuth_deg
            ));
        }
        (least.slenderness_rad < here * (1.0 - WEAKER)).then(|| {
            format!(
                "{}: the body is least stable towards {:.1} degrees, with a slenderness of {:.3} degrees; in the plane of azimuth_deg {} \
                 it has {:.3} degrees",
                self.file,
                least.azimuth_deg,
                least.slenderness_rad.to_degrees(),
                self.azimuth_deg,
                here.to_degrees()
            )
        })
    }

    fn fill(&self) -> MeshFill {
        let density = self.density_kg_m3;
        match self.shell_thickness_m {
            Some(thickness) => MeshFill::Shell { density, thickness },
            None => MeshFill::Solid { density },
        }
    }
}

/// Mass properties of a mesh and the section in which it rocks.
///
/// # Errors
/// What [`mesh_mass`] and [`standing_section`] refuse.
pub fn standing(
    mesh: &Triangles,
    fill: MeshFill,
    azimuth_deg: f64,
    tolerance: f64,
) -> Result<(MassProperties, StandingSection)> {
    let mass = mesh_mass(&mesh.points, &mesh.triangles, fill)?;
    let section = standing_section(&mesh.points, &mass, azimuth_deg.to_radians(), tolerance)?;
    Ok((mass, section))
}

/// The object of a scene that gives either a block or a mesh.
pub fn object(
    block: Option<&Block>,
    mesh: Option<&MeshBlock>,
    gravity: f64,
    scene: &SceneText,
) -> Result<RockingBlock> {
    ensure!(
        block.is_some() != mesh.is_some(),
        "block, mesh: accepted: one of the two"
    );
    match (block, mesh) {
        (Some(block), _) => Ok(block.build(gravity).at("block")?),
        (None, Some(mesh)) => Ok(mesh.build(scene, gravity).at("mesh")?),
        (None, None) => klast_runs::bail!("block, mesh: none; accepted: one of the two"),
    }
}
