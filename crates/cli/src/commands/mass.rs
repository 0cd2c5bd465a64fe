//! `klast mass`: mass, centre, inertia and standing section of a mesh, ready for a scene.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use glam::DVec3;
use klast_files::by_ending::body_from;
use klast_geometry::{
    GeometryError, MassProperties, MeshFill, StandingSection, mesh_mass, standing_section,
};
use klast_rocking_jobs::common::least_stable::least_stable;
use klast_runs::error::of_file;
use klast_runs::plausible;
use serde::Serialize;

use crate::failure::input;
use crate::session::Options;
use crate::terminal::{stderr_line, stdout_line};

/// Which mesh, and what it is made of.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A triangle mesh in metres with z upwards (.stl, .obj, .ply)
    pub file: PathBuf,
    /// Density of the body (kg/m³), above 0
    #[arg(long, value_name = "KG_M3")]
    pub density: f64,
    /// Wall thickness (m) of a hollow body, whose mass lies in its surface; the body is solid unless stated
    #[arg(long, value_name = "M")]
    pub shell: Option<f64>,
    /// Horizontal direction (degrees, from x towards y) of the plane in which the body rocks
    #[arg(
        long,
        default_value_t = 0.0,
        value_name = "DEG",
        allow_negative_numbers = true
    )]
    pub azimuth: f64,
    /// Height (m) above the lowest point up to which points belong to the base
    #[arg(long, default_value_t = 1e-3, value_name = "M")]
    pub base_tolerance: f64,
}

/// Extents (m) of bodies that stand; the unit of another mesh is doubted.
const DOUBTED_EXTENT: std::ops::Range<f64> = 0.01..100.0;

/// The block of a scene.
#[derive(Debug, Serialize)]
struct Block {
    kind: &'static str,
    to_left_m: f64,
    to_right_m: f64,
    centre_height_m: f64,
    gyration_radius_m: f64,
}

/// A mesh.
#[derive(Debug, Serialize)]
struct Told {
    file: String,
    extent_m: [f64; 3],
    mass_kg: f64,
    centre_m: [f64; 3],
    inertia_kg_m2: [[f64; 3]; 3],
    principal_inertia_kg_m2: [f64; 3],
    /// None where the mesh does not stand, with the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_block: Option<String>,
    /// Direction over the nearest edge of the base; none for a body that falls.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_stable: Option<Least>,
}

/// Where the body overturns first; the slenderness is not above 0 where it does not stand.
#[derive(Debug, Serialize)]
struct Least {
    azimuth_deg: f64,
    slenderness_deg: f64,
}

/// Reads the mesh and prints its properties, as JSON with `--json`.
///
/// # Errors
/// A file that is no mesh, an open surface of a solid, a tolerance of the base that is not above 0.
pub fn run(arguments: &Arguments, options: &Options) -> Result<()> {
    let (extent, lying, mass, section, least) = input(read(arguments))?;
    if let Some(lying) = lying {
        stderr_line(format_args!(
            "klast: warning: {}: {lying}",
            arguments.file.display()
        ));
    }
    if !DOUBTED_EXTENT.contains(&extent.max_element()) {
        stderr_line(format_args!(
            "klast: warning: {}: the mesh is {} m long; is it in metres?",
            arguments.file.display(),
            extent.max_element()
        ));
    }
    if let Some(said) = plausible::density(arguments.density) {
        stderr_line(format_args!("klast: warning: {said}"));
    }
    let inertia = mass.inertia();
    let stands = least.as_ref().is_none_or(|l| l.slenderness_deg > 0.0);
    let block = section
        .as_ref()
        .ok()
        .filter(|_| stands)
        .map(|section| Block {
            kind: "unsymmetric",
            to_left_m: section.to_left,
            to_right_m: section.to_right,
            centre_height_m: section.centre_height,
            gyration_radius_m: section.gyration_squared.sqrt(),
        });
    let no_block = match (&section, &least) {
        (Err(_), _) => Some(falls(arguments)),
        (Ok(_), Some(least)) if !stands => Some(falls_over(least)),
        _ => None,
    };
    if options.json {
        let told = Told {
            file: arguments.file.display().to_string(),
            extent_m: extent.to_array(),
            mass_kg: mass.mass,
            centre_m: mass.centre.to_array(),
            inertia_kg_m2: inertia.to_cols_array_2d(),
            principal_inertia_kg_m2: mass.principal_inertia.to_array(),
            block,
            no_block,
            least_stable: least,
        };
        return stdout_line(serde_json::to_string_pretty(&told)?);
    }
    stdout_line(format_args!(
        "extent {:.6} x {:.6} x {:.6} m",
        extent.x, extent.y, extent.z
    ))?;
    stdout_line(format_args!("mass {:.6} kg", mass.mass))?;
    let centre = mass.centre;
    stdout_line(format_args!(
        "mass centre ({:.6}, {:.6}, {:.6}) m",
        centre.x, centre.y, centre.z
    ))?;
    let principal = mass.principal_inertia;
    stdout_line(format_args!(
        "principal moments of inertia {:.6}, {:.6}, {:.6} kg m²",
        principal.x, principal.y, principal.z
    ))?;
    let Ok(section) = section else {
        return stdout_line(falls(arguments));
    };
    let alpha = |lever: f64| lever.atan2(section.centre_height).to_degrees();
    stdout_line(format_args!(
        "rocking towards {} degrees: slenderness {:.3} degrees to the left, {:.3} degrees to the right",
        arguments.azimuth,
        alpha(section.to_left),
        alpha(section.to_right)
    ))?;
    match least {
        Some(least) if least.slenderness_deg > 0.0 => stdout_line(format_args!(
            "least stable towards {:.1} degrees: slenderness {:.3} degrees",
            least.azimuth_deg, least.slenderness_deg
        ))?,
        Some(least) => return stdout_line(falls_over(&least)),
        None => {}
    }
    let block = serde_json::to_string(&block)?;
    stdout_line(format_args!("for a scene: \"block\": {block}"))
}

/// Why there is no block of a body that stands in the plane that was asked for, and falls over another edge.
fn falls_over(least: &Least) -> String {
    format!(
        "no block for a scene: the body does not stand, as its mass centre is not within the edge of the base towards {:.1} \
         degrees",
        least.azimuth_deg
    )
}

/// Why there is no block: a sphere has a mass, and no base.
fn falls(arguments: &Arguments) -> String {
    format!(
        "no block for a scene: seen towards {} degrees, the mass centre is not between the ends of the base, which are the \
         points within {} m of the lowest (--base-tolerance)",
        arguments.azimuth, arguments.base_tolerance
    )
}

/// A section, or why the mesh does not stand.
type Stands = std::result::Result<StandingSection, GeometryError>;

/// Extent of the mesh along the axes, what is said if it seems to lie, mass properties, standing section, least stable
/// direction.
#[expect(clippy::type_complexity, reason = "what is printed, once")]
fn read(
    arguments: &Arguments,
) -> Result<(DVec3, Option<String>, MassProperties, Stands, Option<Least>)> {
    let name = || arguments.file.display().to_string();
    let bytes = klast_files::reading::bytes(&arguments.file)?;
    let ending = arguments
        .file
        .extension()
        .map_or(String::new(), |e| e.to_string_lossy().to_lowercase());
    let mesh = of_file(&name(), body_from(&ending, &bytes))?;
    let density = arguments.density;
    let fill = match arguments.shell {
        Some(thickness) => MeshFill::Shell { density, thickness },
        None => MeshFill::Solid { density },
    };
    let corners = || mesh.triangles.iter().flatten();
    let points = || corners().filter_map(|k| mesh.points.get(*k as usize));
    let lower = points().fold(DVec3::INFINITY, |l, p| l.min(*p));
    let upper = points().fold(DVec3::NEG_INFINITY, |u, p| u.max(*p));
    let mass = mesh_mass(&mesh.points, &mesh.triangles, fill).with_context(name)?;
    let tolerance = arguments.base_tolerance;
    ensure!(
        arguments.azimuth.is_finite(),
        "--azimuth {}; accepted: a finite number of degrees",
        arguments.azimuth
    );
    let azimuth = arguments.azimuth.to_radians();
    ensure!(
        tolerance > 0.0 && tolerance.is_finite(),
        "tolerance of the base {tolerance}; accepted: a finite number above 0"
    );
    let section = standing_section(&mesh.points, &mass, azimuth, tolerance);
    // A body that falls has its mass centre outside the base, where the nearest edge says nothing.
    let least = least_stable(&mesh.points, &mass, arguments.base_tolerance);
    let least = least.filter(|_| section.is_ok());
    let least = least.map(|l| Least {
        azimuth_deg: l.azimuth_deg,
        slenderness_deg: l.slenderness_rad.to_degrees(),
    });
    Ok((upper - lower, mesh.lying(), mass, section, least))
}
