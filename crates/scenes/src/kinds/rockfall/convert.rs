//! From the scene file to the runtime scene.

use anyhow::{Context as _, Result, bail, ensure};
use glam::{DVec2, DVec3};
use klast_contact::{FacetDirections, Friction, ImpactLaw};
use klast_dynamics::single::Stepping;
use klast_geometry::terrain::{Diagonal, Grid, Mesh, Profile, Slope, Terrain, VerticalResolution};
use klast_rockfall::lumped::{LumpedLaw, Reading};
use klast_rockfall::rigid::{Program, RigidOptions, Scarring, VegetationDrag};
use klast_rockfall::{
    Barrier, Engine, Gate, Ground, Layout, Polygon, RasterFrame, Simulation, SlopeMaterial,
    StopConditions,
};

use super::distribution::distribution;
use super::scene::{self, Number, Scene};
use super::sources::{points, seeder};
use crate::formats::by_ending::{is, mesh_from, raster};
use crate::formats::geojson;
use crate::text::SceneText;

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
        engine: engine(&scene.engine)?,
        stop: stop(&scene.stop),
        gravity: DVec3::NEG_Z * gravity(&scene.engine),
        gates: screens(scene)?,
        raster,
        seed,
    })?)
}

fn terrain(scene: &Scene, text: &SceneText) -> Result<(Box<dyn Terrain>, Option<Grid>)> {
    Ok(match &scene.terrain {
        scene::Terrain::Raster {
            file,
            diagonal,
            crs,
            vertical_resolution_m,
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
            if let Some(resolution) = stated(*vertical_resolution_m)? {
                grid = grid.with_vertical_resolution(resolution);
            }
            (Box::new(grid.clone()), Some(grid))
        }
        scene::Terrain::Mesh {
            file,
            crs,
            vertical_resolution_m,
        } => {
            let data = text.read_bytes(file)?;
            let ending = if is(file, ".obj") { "obj" } else { "stl" };
            let triangles = mesh_from(ending, &data).with_context(|| file.clone())?;
            let mut mesh =
                Mesh::new(&triangles.points, &triangles.triangles).with_context(|| file.clone())?;
            if let Some(crs) = crs {
                mesh = mesh.with_crs(crs);
            }
            if let Some(resolution) = stated(*vertical_resolution_m)? {
                mesh = mesh.with_vertical_resolution(resolution);
            }
            (Box::new(mesh), None)
        }
        scene::Terrain::Profile {
            points_m,
            vertical_resolution_m,
        } => {
            let points = points_m.iter().map(|p| DVec2::from_array(*p));
            let mut profile = Profile::new(points.collect())?;
            if let Some(resolution) = stated(*vertical_resolution_m)? {
                profile = profile.with_vertical_resolution(resolution);
            }
            (Box::new(profile), None)
        }
        scene::Terrain::Slope { angle_deg } => {
            ensure!(
                (0.0..90.0).contains(angle_deg),
                "terrain.slope.angle_deg is {angle_deg}; accepted: 0 or more, below 90"
            );
            (Box::new(Slope::downhill_x(angle_deg.to_radians())?), None)
        }
    })
}

fn stated(resolution: Option<f64>) -> Result<Option<VerticalResolution>> {
    let stated = resolution.map(VerticalResolution::stated).transpose();
    stated.context("terrain: vertical_resolution_m")
}

fn material(material: &scene::Material) -> Result<SlopeMaterial> {
    let name = || format!("material '{}'", material.name);
    let friction = match (material.friction, material.friction_angle_deg) {
        (Some(number), None) => number,
        (None, Some(angle)) if (0.0..90.0).contains(&angle) => {
            Number::Constant(angle.to_radians().tan())
        }
        (None, Some(angle)) => bail!(
            "{}: friction_angle_deg is {angle}; accepted: 0 or more, below 90",
            name()
        ),
        _ => bail!(
            "{}: accepted: one of friction and friction_angle_deg",
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
            let scene::Terrain::Profile { points_m, .. } = &scene.terrain else {
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

fn engine(engine: &scene::Engine) -> Result<Engine> {
    Ok(match engine {
        scene::Engine::LumpedMass {
            rotations, literal, ..
        } => Engine::Lumped(LumpedLaw {
            rotation: *rotations,
            reading: if *literal {
                Reading::Literal
            } else {
                Reading::Corrected
            },
            ..LumpedLaw::default()
        }),
        scene::Engine::RigidBody {
            contact_step_s,
            scarring,
            vegetation,
            tangential_restitution_impulse,
            as_program,
            hull_tolerance,
            ..
        } => Engine::Rigid(RigidOptions {
            hull_tolerance: hull_tolerance.unwrap_or(RigidOptions::default().hull_tolerance),
            contact_step: *contact_step_s,
            tangential_restitution: tangential_restitution_impulse.unwrap_or(0.0),
            impact_law: impact_law(engine)?,
            stepping: as_program.map_or_else(Stepping::default, |p| program(p).options().stepping),
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
        }),
    })
}

fn program(program: scene::AsProgram) -> Program {
    match program {
        scene::AsProgram::Rocfall3 => Program::RocFall3,
        scene::AsProgram::Rocfall2 => Program::RocFall2,
        scene::AsProgram::Ramms => Program::Ramms,
    }
}

/// Gravity (m/s²), standard but where another program is followed.
fn gravity(engine: &scene::Engine) -> f64 {
    match engine {
        scene::Engine::RigidBody {
            as_program: Some(p),
            ..
        } => program(*p).gravity(),
        _ => 9.81,
    }
}

/// The impact law of a rigid engine.
fn impact_law(engine: &scene::Engine) -> Result<ImpactLaw> {
    let scene::Engine::RigidBody {
        impact_law,
        cone,
        friction_direction,
        as_program,
        contact_step_s,
        ..
    } = engine
    else {
        return Ok(ImpactLaw::default());
    };
    if let Some(followed) = as_program {
        ensure!(
            impact_law.is_none() && cone.is_none() && friction_direction.is_none(),
            "engine.rigid_body: as_program stands beside impact_law, cone or friction_direction; accepted: one or the other"
        );
        ensure!(
            contact_step_s.is_none(),
            "engine.rigid_body: as_program stands beside contact_step_s; accepted: one or the other"
        );
        return Ok(program(*followed).options().impact_law);
    }
    let direction = match (cone, friction_direction) {
        (
            None | Some(scene::Cone::Exact),
            None | Some(scene::FrictionDirection::MaximumDissipation),
        ) => Friction::MaximumDissipation,
        (
            Some(scene::Cone::Facets(count)),
            None | Some(scene::FrictionDirection::MaximumDissipation),
        ) => {
            let facets = FacetDirections::regular(*count as usize, 0.0);
            Friction::Facets(vec![facets.context("engine.rigid_body.cone")?])
        }
        (None, Some(scene::FrictionDirection::AgainstIncomingSlip)) => Friction::OpposeIncoming,
        (Some(_), Some(scene::FrictionDirection::AgainstIncomingSlip)) => {
            bail!(
                "engine.rigid_body: cone stands beside friction_direction against_incoming_slip, which has no cone; accepted: one or the other"
            )
        }
    };
    let smooth = direction == Friction::MaximumDissipation;
    let law = impact_law.unwrap_or(scene::ImpactLaw::Newton);
    Ok(match law {
        scene::ImpactLaw::Newton => ImpactLaw::Newton {
            friction: direction,
        },
        scene::ImpactLaw::Sequential => ImpactLaw::Sequential {
            friction: direction,
        },
        scene::ImpactLaw::Stronge | scene::ImpactLaw::Poisson if !smooth => bail!(
            "engine.rigid_body: cone and friction_direction belong to impact_law newton and sequential"
        ),
        scene::ImpactLaw::Stronge => ImpactLaw::Stronge,
        scene::ImpactLaw::Poisson => ImpactLaw::Poisson,
    })
}

fn stop(stop: &scene::Stop) -> StopConditions {
    let default = StopConditions::default();
    StopConditions {
        maximum_time: stop.maximum_time_s.unwrap_or(default.maximum_time),
        maximum_steps: stop.maximum_steps.unwrap_or(default.maximum_steps),
        stopped_velocity_cutoff: stop
            .stopped_velocity_m_s
            .unwrap_or(default.stopped_velocity_cutoff),
        normal_velocity_cutoff: stop
            .normal_velocity_m_s
            .unwrap_or(default.normal_velocity_cutoff),
    }
}

/// Barriers, then collectors.
fn screens(scene: &Scene) -> Result<Vec<Gate>> {
    let collector = |name: &str, line: &[[f64; 2]]| Gate {
        name: name.to_owned(),
        line: points(line),
        barrier: None,
    };
    let mut screens = Vec::new();
    for b in &scene.barriers {
        screens.push(Gate {
            barrier: Some(barrier(&b.name, b.height_m, b.capacity_kj)?),
            ..collector(&b.name, &b.line_m)
        });
    }
    let collectors = scene.collectors.iter();
    screens.extend(collectors.map(|c| collector(&c.name, &c.line_m)));
    for old in &scene.gates {
        let barrier = match (old.height_m, old.capacity_kj) {
            (Some(height), Some(capacity)) => Some(barrier(&old.name, height, capacity)?),
            (None, None) => None,
            _ => bail!(
                "gate '{}': accepted: both height_m and capacity_kj (a barrier) or neither (a collector)",
                old.name
            ),
        };
        screens.push(Gate {
            barrier,
            ..collector(&old.name, &old.line_m)
        });
    }
    Ok(screens)
}

fn barrier(name: &str, height: f64, capacity_kj: f64) -> Result<Barrier> {
    let refuse = |key, found: f64, accepted| {
        format!("barrier '{name}': {key} is {found}; accepted: {accepted}")
    };
    ensure!(height > 0.0, refuse("height_m", height, "above 0"));
    // In J it must still be a number.
    ensure!(
        (0.0..=1e300).contains(&capacity_kj),
        refuse("capacity_kj", capacity_kj, "0 to 1e300")
    );
    Ok(Barrier {
        height,
        capacity: 1e3 * capacity_kj,
    })
}
