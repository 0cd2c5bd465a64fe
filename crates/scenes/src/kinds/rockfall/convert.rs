//! From the scene file to the runtime scene.

use anyhow::{Context as _, Result, bail, ensure};
use glam::{DVec2, DVec3};
use klast_contact::{FacetDirections, Friction, ImpactLaw};
use klast_dynamics::single::Stepping;
use klast_geometry::terrain::{Diagonal, Grid, Mesh, Profile, Slope, Terrain, VerticalResolution};
use klast_rockfall::lumped::{LumpedLaw, Reading};
use klast_rockfall::rigid::{Program, RigidOptions, Scarring, VegetationDrag};
use klast_rockfall::{
    Barrier, Engine, FlexibleBarrier, Gate, RasterFrame, Simulation, StopConditions,
};

use super::more::place_name;
use super::scene::{self, Scene};
use super::sources::{points, seeder};
use super::{design, earthworks, materials};
use crate::formats::by_ending::{is, mesh_from, raster};
use crate::text::SceneText;

/// Reads every file of the scene and checks everything.
pub fn simulation(scene: &Scene, text: &SceneText, seed: u64) -> Result<Simulation> {
    simulation_at(scene, text, seed, None)
}

/// The same with the raster terrain resampled to a cell (m).
pub fn simulation_at(
    scene: &Scene,
    text: &SceneText,
    seed: u64,
    cell: Option<f64>,
) -> Result<Simulation> {
    let (terrain, grid) = terrain(scene, text, cell)?;
    let ground = materials::ground(scene, text)?;
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

fn terrain(
    scene: &Scene,
    text: &SceneText,
    cell: Option<f64>,
) -> Result<(Box<dyn Terrain>, Option<Grid>)> {
    let raster_only = !scene.earthworks.is_empty() || !scene.repeat_at_cells_m.is_empty();
    ensure!(
        !raster_only || matches!(scene.terrain, scene::Terrain::Raster { .. }),
        "earthworks, repeat_at_cells_m: accepted: on a terrain of kind raster"
    );
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
            grid = earthworks::stamped(grid, &scene.earthworks)?;
            if let Some(cell) = cell {
                grid = earthworks::resampled(&grid, cell)?;
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
        scene::Terrain::Section {
            file,
            line_m,
            spacing_m,
        } => {
            let grid = raster(file, &text.read_bytes(file)?).with_context(|| file.clone())?;
            let points = earthworks::section(&grid, line_m, *spacing_m);
            (Box::new(Profile::new(points.context("terrain")?)?), None)
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
        design::check(b)?;
        let mut made = barrier(&b.name, b.height_m, b.capacity_kj)?;
        made.flexible = b.flexible.map(|net| FlexibleBarrier {
            service_energy: 1e3 * net.service_energy_kj,
            elongation: net.elongation_m,
            residual_height: net.residual_height_fraction,
        });
        screens.push(Gate {
            barrier: Some(made),
            ..collector(&b.name, &b.line_m)
        });
    }
    let collectors = scene.collectors.iter();
    screens.extend(collectors.map(|c| collector(&c.name, &c.line_m)));
    for sweep in &scene.sweeps {
        ensure!(
            (2..=200).contains(&sweep.places),
            "sweep '{}': places is {}; accepted: 2 to 200",
            sweep.name,
            sweep.places
        );
        for place in 1..=sweep.places {
            let moved = DVec2::from_array(sweep.shift_m) * f64::from(place - 1);
            let line = points(&sweep.line_m).into_iter().map(|p| p + moved);
            screens.push(Gate {
                name: place_name(&sweep.name, place),
                line: line.collect(),
                barrier: None,
            });
        }
    }
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
        flexible: None,
    })
}
