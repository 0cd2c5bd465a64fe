//! From the scene file to the runtime scene.

use anyhow::{Context as _, Result, bail, ensure};
use glam::{DVec2, DVec3};
use klast_contact::{FacetDirections, Friction, ImpactLaw};
use klast_dynamics::single::Stepping;
use klast_geometry::terrain::{
    Area, Diagonal, Grid, Mesh, Profile, Slope, Terrain, VerticalResolution,
};
use klast_rockfall::lumped::{LumpedLaw, Reading};
use klast_rockfall::rigid::{Program, RigidOptions, Scarring, VegetationDrag};
use klast_rockfall::{
    Barrier, Collector, Engine, FlexibleBarrier, RasterFrame, Simulation, StopConditions,
};

use super::more::place_name;
use super::paths::Kept;
use super::scene::{self, Scene};
use super::sources::{points, seeders as seeders_of};
use super::{design, earthworks, materials, understood, vectors};
use crate::crs::{Crs, Cure, FAR};
use crate::formats::by_ending::{ending, mesh_from};
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
    let land = terrain(scene, text, cell)?;
    if scene.wgs84_lines {
        let crs = land.crs.as_ref();
        let crs =
            crs.context("wgs84_lines: the terrain has no CRS; accepted: `crs` of the terrain")?;
        crs.to(&Crs::from_epsg(crate::crs::WGS84)?)
            .context("wgs84_lines")?;
    }
    let ground = materials::ground(scene, text, &land)?;
    let mut seeders = Vec::new();
    for source in &scene.sources {
        seeders.extend(seeders_of(source, text, &land)?);
    }
    let raster = match scene.map_cell_m {
        Some(cell) => Some(RasterFrame::over(land.mapped(), cell).context("map_cell_m")?),
        None => None,
    };
    Ok(Simulation::new(klast_rockfall::Scene {
        collectors: screens(scene, text, &land)?,
        terrain: land.terrain,
        ground,
        seeders,
        engine: engine(&scene.engine)?,
        stop: stop(&scene.stop),
        gravity: DVec3::NEG_Z * gravity(&scene.engine),
        raster,
        seed,
    })?)
}

/// The ground, as a raster where it is one, and its CRS where that is known.
pub struct Land {
    /// Queries in local coordinates.
    pub terrain: Box<dyn Terrain>,
    /// The raster.
    pub grid: Option<Grid>,
    /// CRS of the map coordinates.
    pub crs: Option<Crs>,
}

impl Land {
    /// The area covered, in map coordinates.
    pub fn extent(&self) -> Area {
        let (area, origin) = (self.terrain.extent(), self.terrain.origin().truncate());
        Area {
            lower: area.lower + origin,
            upper: area.upper + origin,
        }
    }

    /// The area of maps, in local coordinates. A raster's heights are those of cell centres: maps begin at the corner
    /// of its first cell, so that cells of the same size lie over its cells.
    fn mapped(&self) -> Area {
        let area = self.terrain.extent();
        let Some(grid) = &self.grid else {
            return area;
        };
        let half = DVec2::splat(0.5 * grid.cell());
        Area {
            lower: area.lower - half,
            // A hair less, so that a size that is a multiple of the cell in decimals has no cell more.
            upper: area.upper + half * (1.0 - 1e-6),
        }
    }

    fn without_crs(terrain: impl Terrain + 'static) -> Self {
        Self {
            terrain: Box::new(terrain),
            grid: None,
            crs: None,
        }
    }
}

/// The CRS that a scene states for a file, which may state one itself.
fn stated_crs(file: &str, stated: Option<&str>, own: Option<Crs>) -> Result<Option<Crs>> {
    let Some(stated) = stated else {
        return Ok(own);
    };
    let stated = Crs::parse(stated).context("terrain: crs")?;
    if let Some(own) = own {
        ensure!(
            own == stated || own.epsg.is_none() || stated.epsg.is_none(),
            "terrain: crs is {}, {file} says {}; accepted: one of them (leave the key out)",
            stated.title(),
            own.title()
        );
    }
    Ok(Some(stated))
}

fn terrain(scene: &Scene, text: &SceneText, cell: Option<f64>) -> Result<Land> {
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
            let mut raster = text.read_raster(file)?;
            raster.crs = stated_crs(file, crs.as_deref(), raster.crs)?;
            let ground = raster.into_ground().with_context(|| file.clone())?;
            understood::ground(file, &ground, text);
            let mut grid = ground.grid.with_diagonal(match diagonal {
                scene::Diagonal::Rising => Diagonal::Rising,
                scene::Diagonal::Falling => Diagonal::Falling,
                scene::Diagonal::Bilinear => Diagonal::Bilinear(4),
            });
            if let Some(resolution) = stated(*vertical_resolution_m)? {
                grid = grid.with_vertical_resolution(resolution);
            }
            grid = earthworks::stamped(grid, &scene.earthworks)?;
            if let Some(cell) = cell {
                grid = earthworks::resampled(&grid, cell)?;
            }
            Land {
                terrain: Box::new(grid.clone()),
                grid: Some(grid),
                crs: ground.crs,
            }
        }
        scene::Terrain::Mesh {
            file,
            crs,
            vertical_resolution_m,
        } => {
            let data = text.read_bytes(file)?;
            let triangles = mesh_from(&ending(file), &data).with_context(|| file.clone())?;
            let mut mesh =
                Mesh::new(&triangles.points, &triangles.triangles).with_context(|| file.clone())?;
            text.note(format!("terrain {file}: {}", understood::mesh(&mesh)));
            let crs = stated_crs(file, crs.as_deref(), None)?;
            if let Some(crs) = &crs {
                let (lower, upper) = (mesh.extent().lower, mesh.extent().upper);
                let centre = mesh.origin().truncate() + 0.5 * (lower + upper);
                let said = crs
                    .for_mechanics(centre, Cure::Vector)
                    .context("terrain: crs")?;
                match said {
                    Some(said) if said.ends_with(FAR) => {
                        text.caution(format!("terrain {file}: {said}"))
                    }
                    Some(said) => text.note(format!("terrain {file}: {said}")),
                    None => {}
                }
                mesh = mesh.with_crs(crs.label());
            }
            if let Some(resolution) = stated(*vertical_resolution_m)? {
                mesh = mesh.with_vertical_resolution(resolution);
            }
            Land {
                crs,
                ..Land::without_crs(mesh)
            }
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
            Land::without_crs(profile)
        }
        scene::Terrain::Section {
            file,
            line_m,
            spacing_m,
        } => {
            let ground = text
                .read_raster(file)?
                .into_ground()
                .with_context(|| file.clone())?;
            understood::ground(file, &ground, text);
            let points = earthworks::section(&ground.grid, line_m, *spacing_m);
            Land::without_crs(Profile::new(points.context("terrain")?)?)
        }
        scene::Terrain::Slope { angle_deg } => {
            ensure!(
                (0.0..90.0).contains(angle_deg),
                "terrain.slope.angle_deg is {angle_deg}; accepted: 0 or more, below 90"
            );
            Land::without_crs(Slope::downhill_x(angle_deg.to_radians())?)
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
            rotation: rotations.unwrap_or(true),
            reading: if literal.unwrap_or(false) {
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

/// Which moments of paths are kept: those that a program stores that is followed.
pub fn kept(scene: &Scene) -> Kept {
    let scene::Engine::RigidBody {
        as_program: Some(p),
        ..
    } = &scene.engine
    else {
        return Kept::Picture;
    };
    let isotropic = |shape: &scene::Shape| {
        !matches!(
            shape,
            scene::Shape::Box(_) | scene::Shape::Prism(..) | scene::Shape::Points(_)
        )
    };
    let shapes = scene.sources.iter().flat_map(|s| &s.shapes);
    let isotropic = shapes.into_iter().all(|r| isotropic(&r.shape));
    let stored = program(*p).stored_every();
    stored.map_or(Kept::Steps, |every| Kept::Stored { every, isotropic })
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
fn screens(scene: &Scene, text: &SceneText, land: &Land) -> Result<Vec<Collector>> {
    let collector = |name: &str, line: &[[f64; 2]]| Collector {
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
        screens.push(Collector {
            barrier: Some(made),
            ..collector(&b.name, &b.line_m)
        });
    }
    if let Some(file) = &scene.barriers_file {
        for line in vectors::lines(file, text, land)? {
            let [height, capacity] = ["height_m", "capacity_kj"].map(|key| {
                let number = line.shape.number(&[key]).transpose();
                number.unwrap_or_else(|| bail!("{}: no attribute '{key}'", line.shape.name))
            });
            let limits = barrier(
                &line.name,
                height.with_context(|| file.clone())?,
                capacity.with_context(|| file.clone())?,
            );
            screens.push(Collector {
                barrier: Some(limits?),
                name: line.name,
                line: line.points,
            });
        }
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
            screens.push(Collector {
                name: place_name(&sweep.name, place),
                line: line.collect(),
                barrier: None,
            });
        }
    }
    if let Some(file) = &scene.collectors_file {
        for line in vectors::lines(file, text, land)? {
            screens.push(Collector {
                barrier: None,
                name: line.name,
                line: line.points,
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
        screens.push(Collector {
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
