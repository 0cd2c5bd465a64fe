//! From the scene file to the runtime scene.

use anyhow::{Context as _, Result, bail};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::{Distribution, Family};
use klast_geometry::Solid;
use klast_geometry::terrain::{Diagonal, Grid, Mesh, Profile, Slope, Terrain, read_esri_ascii};
use klast_rockfall::lumped::{LumpedLaw, Reading, Scaling};
use klast_rockfall::rigid::{Scarring, VegetationDrag};
use klast_rockfall::{
    Attitude, Barrier, Engine, Gate, Ground, Layout, Polygon, RasterFrame, Release, RockGroup,
    RockShape, RockSize, Seeder, Simulation, SlopeMaterial, StopConditions, steep_cells,
};

use super::scene::{self, Drawn, Number, Scene};
use crate::convert::{mesh_from, raster_from};
use crate::formats::geojson;
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
        .map(|s| seeder(s, text, grid.as_ref()).with_context(|| format!("source '{}'", s.name)))
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

fn bytes(text: &SceneText, file: &str) -> Result<Vec<u8>> {
    text.read_bytes(file)
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
            let mut grid = raster(file, &bytes(text, file)?)
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
            let data = bytes(text, file)?;
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
            (Box::new(Slope::downhill_x(angle_deg.to_radians())?), None)
        }
    })
}

fn distribution(number: Number, factor: f64) -> Result<Distribution> {
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
    Ok(SlopeMaterial {
        name: material.name.clone(),
        normal_restitution: make("normal_restitution", material.normal_restitution, 1.0)?,
        tangential_restitution: make(
            "tangential_restitution",
            material.tangential_restitution,
            1.0,
        )?,
        friction: make("friction", friction, 1.0)?,
        roughness: make("roughness_deg", material.roughness_deg, 1f64.to_radians())?,
    })
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
            for shape in geojson::read(&bytes(text, file)?).with_context(|| file.clone())? {
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
            Layout::Raster(raster(file, &bytes(text, file)?)?, number(elsewhere)?)
        }
    })
}

fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
    list.iter().map(|p| DVec2::from_array(*p)).collect()
}

fn release(release: &scene::Release, text: &SceneText, grid: Option<&Grid>) -> Result<Release> {
    Ok(match release {
        scene::Release::Point(p) => Release::Point(DVec2::from_array(*p)),
        scene::Release::Line(list) => Release::Line(points(list)),
        scene::Release::Polygon(list) => Release::Area(Polygon::new(vec![points(list)])?),
        scene::Release::File(file) => {
            let shapes = geojson::read(&bytes(text, file)?).with_context(|| file.clone())?;
            match shapes.into_iter().next().map(|s| s.form) {
                Some(geojson::Form::Point(p)) => Release::Point(p),
                Some(geojson::Form::Line(line)) => Release::Line(line),
                Some(geojson::Form::Polygon(rings)) => Release::Area(Polygon::new(rings)?),
                None => bail!("{file}: no geometry; accepted: a point, a line or a polygon"),
            }
        }
        scene::Release::SteeperThanDeg(angle) => {
            let grid = grid.context("steeper_than_deg needs a raster terrain")?;
            Release::Cells {
                centres: steep_cells(grid, angle.to_radians()),
                cell: grid.cell(),
            }
        }
    })
}

fn rock(rock: &scene::Rock) -> Result<RockGroup> {
    let shape = match &rock.shape {
        scene::Shape::Sphere => RockShape::Sphere,
        scene::Shape::Cube => RockShape::Solid(Solid::Cube),
        scene::Shape::Tetrahedron => RockShape::Solid(Solid::Tetrahedron),
        scene::Shape::Octahedron => RockShape::Solid(Solid::Octahedron),
        scene::Shape::Dodecahedron => RockShape::Solid(Solid::Dodecahedron),
        scene::Shape::Icosahedron => RockShape::Solid(Solid::Icosahedron),
        scene::Shape::Box(edges) => RockShape::Solid(Solid::Box {
            edges: DVec3::from_array(*edges),
        }),
        scene::Shape::Prism(sides, slenderness) => RockShape::Solid(Solid::Prism {
            sides: *sides,
            slenderness: *slenderness,
        }),
        scene::Shape::Points(points) => {
            RockShape::Points(points.iter().map(|p| DVec3::from_array(*p)).collect())
        }
    };
    let size = match (rock.volume_m3, rock.mass_kg) {
        (Some(volume), None) => RockSize::Volume(distribution(volume, 1.0).context("volume_m3")?),
        (None, Some(mass)) => RockSize::Mass(distribution(mass, 1.0).context("mass_kg")?),
        _ => bail!("a rock: accepted: one of volume_m3 and mass_kg"),
    };
    Ok(RockGroup {
        share: rock.share,
        shape,
        size,
        density: distribution(rock.density_kg_per_m3, 1.0).context("density_kg_per_m3")?,
    })
}

fn seeder(source: &scene::Source, text: &SceneText, grid: Option<&Grid>) -> Result<Seeder> {
    let triple = |key: &'static str, list: Option<[Number; 3]>| -> Result<[Distribution; 3]> {
        let [a, b, c] = list.unwrap_or([Number::Constant(0.0); 3]);
        Ok([
            distribution(a, 1.0).context(key)?,
            distribution(b, 1.0).context(key)?,
            distribution(c, 1.0).context(key)?,
        ])
    };
    Ok(Seeder {
        name: source.name.clone(),
        release: release(&source.release, text, grid)?,
        height: distribution(source.height_m.unwrap_or(Number::Constant(0.0)), 1.0)
            .context("height_m")?,
        elevation: source
            .elevation_m
            .map(|z| distribution(z, 1.0).context("elevation_m"))
            .transpose()?,
        count: source.rocks,
        groups: source.shapes.iter().map(rock).collect::<Result<_>>()?,
        velocity: triple("velocity_m_per_s", source.velocity_m_per_s)?,
        spin: triple("spin_rad_per_s", source.spin_rad_per_s)?,
        attitude: if source.upright {
            Attitude::Fixed(DQuat::IDENTITY)
        } else {
            Attitude::Random
        },
        annual_frequency: source.annual_frequency,
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
        (Some(height), Some(capacity)) => Some(Barrier {
            height,
            capacity: 1e3 * capacity,
        }),
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
