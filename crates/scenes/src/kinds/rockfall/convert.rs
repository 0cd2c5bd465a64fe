//! From the scene file to the runtime scene.

use anyhow::{Context as _, Result, bail, ensure};
use glam::{DVec2, DVec3};
use klast_dynamics::{Distribution, Family};
use klast_geometry::terrain::{Diagonal, Grid, Mesh, Profile, Slope, Terrain, read_esri_ascii};
use klast_rockfall::lumped::{LumpedLaw, Reading, Scaling};
use klast_rockfall::rigid::{Scarring, VegetationDrag};
use klast_rockfall::{
    Barrier, Engine, Gate, Ground, Layout, Polygon, RasterFrame, Simulation, SlopeMaterial,
    StopConditions,
};

use super::scene::{self, Drawn, Number, Scene};
use super::sources::{points, seeder};
use crate::formats::geojson;
use crate::formats::{mesh_from, raster_from};
use crate::scene::SceneText;

/// Reads every file of the scene and checks everything.
pub fn simulation(scene: &Scene, text: &SceneText, seed: u64) -> Result<Simulation> {
    let (terrain, grid) = terrain(scene, text)?;
    let materials = scene
        .materials
        .iter()
        .map(material)
        .collect::<Result<Vec<_>>>()?;
    let ground = Ground::new(materials, layout(scene, text)?).context("materials")?;
    let seeders = scene
        .sources
        .iter()
        .map(|s| seeder(s, text, grid.as_ref()))
        .collect::<Result<_>>()?;
    let raster = match scene.map_cell_m {
        Some(cell) => Some(RasterFrame::over(terrain.extent(), cell).context("map_cell_m")?),
        None => None,
    };
    Ok(Simulation::new(klast_rockfall::Scene {
        terrain,
        ground,
        seeders,
        engine: engine(&scene.engine),
        stop: stop(&scene.stop),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        gates: scene.gates.iter().map(gate).collect::<Result<_>>()?,
        raster,
        seed,
    })?)
}

fn is(file: &str, ending: &str) -> bool {
    file.to_ascii_lowercase().ends_with(ending)
}

/// A raster by its ending.
pub fn raster(file: &str, bytes: &[u8]) -> Result<Grid> {
    if is(file, ".tif") || is(file, ".tiff") {
        return raster_from("tif", bytes);
    }
    let text = std::str::from_utf8(bytes)
        .context("not UTF-8; accepted: an ESRI ASCII grid, or GeoTIFF ending in .tif")?;
    Ok(read_esri_ascii(text)?)
}

fn terrain(scene: &Scene, text: &SceneText) -> Result<(Box<dyn Terrain>, Option<Grid>)> {
    Ok(match &scene.terrain {
        scene::Terrain::Raster {
            file,
            diagonal,
            crs,
        } => {
            let mut grid = raster(file, &text.read_bytes(file)?)
                .with_context(|| file.clone())?
                .with_diagonal(match diagonal {
                    scene::Diagonal::Rising => Diagonal::Rising,
                    scene::Diagonal::Falling => Diagonal::Falling,
                    scene::Diagonal::Bilinear => Diagonal::Bilinear(4),
                });
            if let Some(crs) = crs {
                grid = grid.with_crs(crs);
            }
            (Box::new(grid.clone()), Some(grid))
        }
        scene::Terrain::Mesh { file, crs } => {
            let data = text.read_bytes(file)?;
            let ending = if is(file, ".obj") { "obj" } else { "stl" };
            let triangles = mesh_from(ending, &data).with_context(|| file.clone())?;
            let mesh =
                Mesh::new(&triangles.points, &triangles.triangles).with_context(|| file.clone())?;
            (
                Box::new(if let Some(crs) = crs {
                    mesh.with_crs(crs)
                } else {
                    mesh
                }),
                None,
            )
        }
        scene::Terrain::Profile { points_m } => (
            Box::new(Profile::new(
                points_m.iter().map(|p| DVec2::from_array(*p)).collect(),
            )?),
            None,
        ),
        scene::Terrain::Slope { angle_deg } => {
            ensure!(
                (0.0..90.0).contains(angle_deg),
                "terrain.slope.angle_deg is {angle_deg}; accepted: 0 or more, below 90"
            );
            (Box::new(Slope::downhill_x(angle_deg.to_radians())?), None)
        }
    })
}

/// A number of the scene in the units of the library.
pub fn distribution(number: Number, factor: f64) -> Result<Distribution> {
    if factor != 1.0 {
        // What is wrong with it is told in the unit of the scene.
        distribution(number, 1.0)?;
    }
    let Drawn { family, min, max } = match number {
        Number::Constant(value) => return Ok(Distribution::new(Family::Constant(value * factor))?),
        Number::Drawn(drawn) => drawn,
    };
    let family = match family {
        scene::Family::Normal([mean, sd]) => Family::Normal {
            mean: mean * factor,
            sd: sd * factor,
        },
        scene::Family::Uniform([lower, upper]) => Family::Uniform {
            lower: lower * factor,
            upper: upper * factor,
        },
        scene::Family::Triangular([lower, mode, upper]) => Family::Triangular {
            lower: lower * factor,
            mode: mode * factor,
            upper: upper * factor,
        },
        scene::Family::Lognormal([mean, sd]) => Family::Lognormal {
            mean: mean * factor,
            sd: sd * factor,
        },
        scene::Family::Exponential(mean) => Family::Exponential {
            mean: mean * factor,
        },
        scene::Family::Beta([alpha, beta, lower, upper]) => Family::Beta {
            alpha,
            beta,
            lower: lower * factor,
            upper: upper * factor,
        },
        scene::Family::Gamma([shape, scale]) => Family::Gamma {
            shape,
            scale: scale * factor,
        },
    };
    let (low, high) = (
        min.map_or(f64::NEG_INFINITY, |v| v * factor),
        max.map_or(f64::INFINITY, |v| v * factor),
    );
    Ok(Distribution::truncated(family, low, high)?)
}

fn material(material: &scene::Material) -> Result<SlopeMaterial> {
    let name = || format!("material '{}'", material.name);
    let friction = match (material.friction_coefficient, material.friction_angle_deg) {
        (Some(number), None) => number,
        (None, Some(angle)) if (0.0..90.0).contains(&angle) => {
            Number::Constant(angle.to_radians().tan())
        }
        (None, Some(angle)) => bail!(
            "{}: friction_angle_deg is {angle}; accepted: 0 or more, below 90",
            name()
        ),
        _ => bail!(
            "{}: accepted: one of friction_coefficient and friction_angle_deg",
            name()
        ),
    };
    let make = |key: &'static str, number, factor| {
        distribution(number, factor).with_context(|| format!("{}: {key}", name()))
    };
    let roughness = make("roughness_deg", material.roughness_deg, 1f64.to_radians())?;
    let degrees = make("roughness_deg", material.roughness_deg, 1.0)?.support();
    // The limit of the library, which speaks of radians.
    let inside = |angle: f64| angle.to_radians().abs() <= 1.5;
    if let Some(found) = [degrees.0, degrees.1].into_iter().find(|a| !inside(*a)) {
        bail!(
            "{}: roughness_deg is {found}; accepted: an angle within ±85.9 (truncate the distribution)",
            name()
        );
    }
    let material = SlopeMaterial {
        name: material.name.clone(),
        normal_restitution: make("normal_restitution", material.normal_restitution, 1.0)?,
        tangential_restitution: make(
            "tangential_restitution",
            material.tangential_restitution,
            1.0,
        )?,
        friction: make("friction", friction, 1.0)?,
        roughness,
    };
    material.validate().with_context(name)?;
    Ok(material)
}

fn layout(scene: &Scene, text: &SceneText) -> Result<Layout> {
    for (k, material) in scene.materials.iter().enumerate() {
        if scene.materials[..k].iter().any(|m| m.name == material.name) {
            bail!(
                "materials: '{}' is there twice; accepted: names of their own",
                material.name
            );
        }
    }
    let number = |name: &String| {
        let found = scene.materials.iter().position(|m| m.name == *name);
        found
            .map(|k| k as u32)
            .with_context(|| format!("layout: no material '{name}'"))
    };
    Ok(match &scene.layout {
        scene::Layout::Uniform => Layout::Uniform,
        scene::Layout::Segments(names) => {
            let scene::Terrain::Profile { points_m } = &scene.terrain else {
                bail!("layout.segments: accepted: on a terrain of kind profile");
            };
            let count = points_m.len().saturating_sub(1);
            if names.len() != count {
                bail!(
                    "layout.segments: {} names for {count} segments; accepted: one for each",
                    names.len()
                );
            }
            Layout::Segments(names.iter().map(number).collect::<Result<_>>()?)
        }
        scene::Layout::Polygons { file, elsewhere } => {
            let mut polygons = Vec::new();
            for shape in geojson::read(&text.read_bytes(file)?).with_context(|| file.clone())? {
                let geojson::Form::Polygon(rings) = shape.form else {
                    continue;
                };
                let name = shape
                    .properties
                    .get("material")
                    .and_then(|v| v.as_str())
                    .unwrap_or_default()
                    .to_owned();
                polygons.push((Polygon::new(rings)?, number(&name)?));
            }
            Layout::Polygons(polygons, number(elsewhere)?)
        }
        scene::Layout::Raster { file, elsewhere } => {
            Layout::Raster(raster(file, &text.read_bytes(file)?)?, number(elsewhere)?)
        }
    })
}

fn engine(engine: &scene::Engine) -> Engine {
    match engine {
        scene::Engine::LumpedMass {
            rotations,
            literal,
            imperial,
        } => Engine::Lumped(LumpedLaw {
            rotation: *rotations,
            reading: if *literal {
                Reading::Literal
            } else {
                Reading::Corrected
            },
            scaling: if *imperial {
                Scaling::IMPERIAL
            } else {
                Scaling::METRIC
            },
        }),
        scene::Engine::RigidBody {
            contact_step_s,
            scarring,
            vegetation,
        } => Engine::Rigid {
            contact_step: *contact_step_s,
            scarring: scarring.map(|s| Scarring {
                minimum: s.minimum,
                maximum: s.maximum,
                growth: s.growth_per_m,
                recovery: s.recovery_per_s,
            }),
            drag: vegetation.map(|v| VegetationDrag {
                coefficient: v.drag_n_s_per_m,
                height: v.height_m,
            }),
        },
    }
}

fn stop(stop: &scene::Stop) -> StopConditions {
    let default = StopConditions::default();
    StopConditions {
        maximum_time: stop.maximum_time_s.unwrap_or(default.maximum_time),
        maximum_steps: stop.maximum_steps.unwrap_or(default.maximum_steps),
        stopped_velocity_cutoff: stop
            .stopped_velocity_m_per_s
            .unwrap_or(default.stopped_velocity_cutoff),
        normal_velocity_cutoff: stop
            .normal_velocity_m_per_s
            .unwrap_or(default.normal_velocity_cutoff),
    }
}

fn gate(gate: &scene::Gate) -> Result<Gate> {
    let barrier = match (gate.height_m, gate.capacity_kj) {
        (Some(height), Some(capacity)) => {
            let refuse = |key, found: f64, accepted| {
                format!(
                    "gate '{}': {key} is {found}; accepted: {accepted}",
                    gate.name
                )
            };
            ensure!(height > 0.0, refuse("height_m", height, "above 0"));
            // In J it must still be a number.
            ensure!(
                (0.0..=1e300).contains(&capacity),
                refuse("capacity_kj", capacity, "0 to 1e300")
            );
            Some(Barrier {
                height,
                capacity: 1e3 * capacity,
            })
        }
        (None, None) => None,
        _ => bail!(
            "gate '{}': accepted: both height_m and capacity_kj (a barrier) or neither (a collector)",
            gate.name
        ),
    };
    Ok(Gate {
        name: gate.name.clone(),
        line: points(&gate.line_m),
        barrier,
    })
}
