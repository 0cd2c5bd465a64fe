//! Sources of rocks: from the scene file to what the library draws from.

use anyhow::{Context as _, Result, bail, ensure};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::Distribution;
use klast_geometry::Solid;
use klast_geometry::terrain::Grid;
use klast_rockfall::{
    Attitude, GivenStart, Polygon, Release, RockGroup, RockShape, RockSize, Seeder, steep_cells,
};

use super::distribution::distribution;
use super::scene::{self, Number};
use super::starts;
use crate::formats::geojson;
use crate::text::SceneText;

/// Places in plan.
pub fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
    list.iter().map(|p| DVec2::from_array(*p)).collect()
}

fn release(release: &scene::Release, text: &SceneText, grid: Option<&Grid>) -> Result<Release> {
    Ok(match release {
        scene::Release::Point(p) => Release::Point(DVec2::from_array(*p)),
        scene::Release::Line(list) => Release::Line(points(list)),
        scene::Release::Polygon(list) => Release::Area(Polygon::new(vec![points(list)])?),
        scene::Release::File(file) => {
            let shapes = geojson::read(&text.read_bytes(file)?).with_context(|| file.clone())?;
            let parts = shapes.into_iter().map(|shape| {
                Ok(match shape.form {
                    geojson::Form::Point(p) => Release::Point(p),
                    geojson::Form::Line(line) => Release::Line(line),
                    geojson::Form::Polygon(rings) => Release::Area(Polygon::new(rings)?),
                })
            });
            let mut parts: Vec<Release> =
                parts.collect::<Result<_>>().with_context(|| file.clone())?;
            match (parts.len(), parts.pop()) {
                (1, Some(only)) => only,
                (_, last) => {
                    parts.extend(last);
                    Release::Parts(parts)
                }
            }
        }
        scene::Release::Starts(_) => bail!("starts: none"),
        scene::Release::SteeperThanDeg(angle) => {
            ensure!(
                (0.0..90.0).contains(angle),
                "steeper_than_deg is {angle}; accepted: 0 or more, below 90"
            );
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
        density: distribution(rock.density_kg_m3, 1.0).context("density_kg_m3")?,
    })
}

/// Draws the rocks of a source.
///
/// # Errors
/// What cannot be drawn, with the name of the source.
pub fn seeder(source: &scene::Source, text: &SceneText, grid: Option<&Grid>) -> Result<Seeder> {
    drawn_from(source, text, grid).with_context(|| format!("source '{}'", source.name))
}

/// How many rocks a source has.
fn count(source: &scene::Source, starts: &[GivenStart]) -> Result<u64> {
    let given = starts.len() as u64;
    match source.rocks {
        None if given > 0 => Ok(given),
        None => bail!("rocks: none given; accepted: 1 or more"),
        Some(rocks) if rocks < given => bail!(
            "rocks is {rocks}; accepted: {given} as there are starts, or more to take them in turn"
        ),
        Some(rocks) => Ok(rocks),
    }
}

fn drawn_from(source: &scene::Source, text: &SceneText, grid: Option<&Grid>) -> Result<Seeder> {
    let triple = |key: &'static str, list: Option<[Number; 3]>| -> Result<[Distribution; 3]> {
        let [a, b, c] = list.unwrap_or([Number::Constant(0.0); 3]);
        Ok([
            distribution(a, 1.0).context(key)?,
            distribution(b, 1.0).context(key)?,
            distribution(c, 1.0).context(key)?,
        ])
    };
    let starts = match &source.release {
        scene::Release::Starts(file) => starts::read(file, text, source.shapes.len())?,
        _ => Vec::new(),
    };
    let release = match starts.is_empty() {
        true => release(&source.release, text, grid)?,
        false => Release::Parts(starts.iter().map(|s| Release::Point(s.place)).collect()),
    };
    let seeder = Seeder {
        name: source.name.clone(),
        release,
        height: distribution(source.height_m.unwrap_or(Number::Constant(0.0)), 1.0)
            .context("height_m")?,
        elevation: source
            .elevation_m
            .map(|z| distribution(z, 1.0).context("elevation_m"))
            .transpose()?,
        count: count(source, &starts)?,
        groups: source.shapes.iter().map(rock).collect::<Result<_>>()?,
        velocity: triple("velocity_m_s", source.velocity_m_s)?,
        spin: triple("spin_rad_s", source.spin_rad_s)?,
        attitude: if source.upright {
            Attitude::Fixed(DQuat::IDENTITY)
        } else {
            Attitude::Random
        },
        annual_frequency: source.annual_frequency,
        starts,
    };
    seeder.validate()?;
    Ok(seeder)
}
