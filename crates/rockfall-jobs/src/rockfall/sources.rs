//! Sources of rocks: from the scene file to what the library draws from.

use glam::{DQuat, DVec2, DVec3};
use klast_geometry::Solid;
use klast_rockfall::{
    Attitude, GivenStart, Polygon, Release, RockGroup, RockShape, RockSize, Seeder, steep_cells,
};
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};
use klast_sampling::{Distribution, Purpose, Streams};

use super::ground_extent::Land;
use super::scene::{self, Number};
use super::{given_starts, rock_classes, vectors};
use klast_runs::common::distribution::distribution;
use klast_runs::faults::{At as _, Fault};
use klast_runs::text::SceneText;

/// Places in plan.
pub fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
    list.iter().map(|p| DVec2::from_array(*p)).collect()
}

/// Where a source releases, without its file; shapes of a file come from [`vectors`].
fn release(release: &scene::Release, land: &Land) -> Result<Release> {
    Ok(match release {
        scene::Release::Point(p) => Release::Point(DVec2::from_array(*p)),
        scene::Release::Line(list) => Release::Line(points(list)),
        scene::Release::Polygon(list) => Release::Area(Polygon::new(vec![points(list)])?),
        scene::Release::File(_) | scene::Release::Starts(_) => {
            bail!("places of a file are not one release")
        }
        scene::Release::SteeperThanDeg(angle) => {
            ensure!(
                (0.0..90.0).contains(angle),
                Fault::new("steeper_than_deg", angle).accepted("0 or more, below 90")
            );
            let grid = land.grid.as_ref();
            let grid = grid.context("steeper_than_deg needs a raster terrain")?;
            Release::Cells {
                centres: steep_cells(grid, angle.to_radians()),
                cell: grid.cell(),
            }
        }
    })
}

fn rock(rock: &scene::Rock, classes: &[&str], volume: Option<f64>) -> Result<RockGroup> {
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
    let of_feature = volume.filter(|_| rock.volume_m3.is_none() && rock.mass_kg.is_none());
    let volume_m3 = rock.volume_m3.or(of_feature.map(Number::Constant));
    let size = match (volume_m3, rock.mass_kg) {
        (Some(volume), None) => RockSize::Volume(distribution(volume, 1.0).at("volume_m3")?),
        (None, Some(mass)) => RockSize::Mass(distribution(mass, 1.0).at("mass_kg")?),
        _ => bail!(
            Fault::new("", "a rock with both or neither of its sizes")
                .accepted("one of volume_m3 and mass_kg")
        ),
    };
    Ok(RockGroup {
        share: rock.share,
        shape,
        size,
        density: distribution(rock.density_kg_m3, 1.0).at("density_kg_m3")?,
        class: rock_classes::number(rock, classes),
    })
}

/// What draws the rocks of a source: one for all of it, or one for each feature of its file whose attributes say how
/// many or how large its rocks are. `classes` are the names of all classes of rock in the scene.
///
/// # Errors
/// What cannot be drawn, with the name of the source.
pub fn seeders(
    source: &scene::Source,
    classes: &[&str],
    text: &SceneText,
    land: &Land,
) -> Result<Vec<Seeder>> {
    let all = || -> Result<Vec<Seeder>> {
        let name = source.name.clone();
        let (volume, starts) = (None, Vec::new());
        let origins = match &source.release {
            scene::Release::File(file) => {
                let parts = vectors::release(file, source, text, land).at("release")?;
                let several = parts.len() > 1;
                let from = |part: vectors::Part| Origin {
                    name: match several {
                        true => format!("{name}: {}", part.name),
                        false => name.clone(),
                    },
                    release: part.release,
                    rocks: part.rocks,
                    volume: part.volume,
                    starts: Vec::new(),
                };
                parts.into_iter().map(from).collect()
            }
            scene::Release::Starts(file) => {
                let starts = given_starts::read(file, text, land, source).at("release")?;
                let places = starts.iter().map(|s| Release::Point(s.place));
                vec![Origin {
                    name,
                    release: Release::Parts(places.collect()),
                    rocks: count(source, starts.len() as u64)?,
                    volume,
                    starts,
                }]
            }
            other => {
                let release = release(other, land)?;
                let cells = match &release {
                    Release::Cells { centres, .. } => Some(centres.len() as u64),
                    _ => None,
                };
                vec![Origin {
                    name,
                    rocks: of_cells(source, cells)?.map_or_else(|| count(source, 0), Ok)?,
                    release,
                    volume,
                    starts,
                }]
            }
        };
        // The releases a year of the source, by the rocks of each.
        let total: u64 = origins.iter().map(|from| from.rocks).sum();
        for from in &origins {
            if let Some(said) = off_ground(&from.release, land) {
                text.caution(format!("source '{}': {said}", from.name));
            }
        }
        origins
            .into_iter()
            .map(|from| {
                let share = from.rocks as f64 / total.max(1) as f64;
                drawn_from(source, classes, from, share)
            })
            .collect()
    };
    all().with_context(|| format!("source '{}'", source.name))
}

/// Places of a release that are looked at.
const LOOKED_AT: usize = 1000;

/// What is said of a release of which a part lies where there is no ground: beside the terrain or in missing data.
fn off_ground(release: &Release, land: &Land) -> Option<String> {
    let origin = land.terrain.origin().truncate();
    let stands = |p: DVec2| {
        let p = p - origin;
        land.terrain.surface(p.x, p.y).is_some()
    };
    let places: Vec<DVec2> = match release {
        Release::Point(_) | Release::Cells { .. } => return None,
        release if release.validate().is_err() => return None,
        release => {
            let mut rng = Streams::new(0).rng(Purpose::Position, 0);
            (0..LOOKED_AT).map(|_| release.draw(&mut rng)).collect()
        }
    };
    let off = places.iter().filter(|p| !stands(**p)).count();
    (off > 0).then(|| {
        format!(
            "about {:.1} % of the release lies where the terrain has no heights: rocks from there are not run",
            100.0 * off as f64 / LOOKED_AT as f64
        )
    })
}

/// How many rocks a source has that states them by the cell of its release, if it has cells.
fn of_cells(source: &scene::Source, cells: Option<u64>) -> Result<Option<u64>> {
    let Some(each) = source.rocks_per_cell else {
        return Ok(None);
    };
    let told = |found: &str, accepted: &'static str| {
        Fault::new("rocks_per_cell", found.to_owned()).accepted(accepted)
    };
    ensure!(each > 0, told("0", "1 or more"));
    let beside = source.rocks.is_some();
    ensure!(!beside, told("stands beside rocks", "one of them"));
    let cells = cells.ok_or_else(|| {
        let found = "of a release without cells";
        told(found, "with the release steeper_than_deg, else rocks")
    })?;
    Ok(Some(each.saturating_mul(cells)))
}

/// How many rocks a source has.
fn count(source: &scene::Source, given: u64) -> Result<u64> {
    match source.rocks {
        None if given > 0 => Ok(given),
        None => bail!(Fault::new("rocks", "none given").accepted("1 or more")),
        Some(rocks) if rocks < given => bail!(Fault::new("rocks", rocks).accepted(format!(
            "{given} as there are starts, or more to take them in turn"
        ))),
        Some(rocks) => Ok(rocks),
    }
}

/// Where rocks of a source come from, and how many.
struct Origin {
    name: String,
    release: Release,
    rocks: u64,
    /// Volume of each, where a feature says it (m³).
    volume: Option<f64>,
    starts: Vec<GivenStart>,
}

fn drawn_from(
    source: &scene::Source,
    classes: &[&str],
    from: Origin,
    share: f64,
) -> Result<Seeder> {
    let triple = |key: &'static str, list: Option<[Number; 3]>| -> Result<[Distribution; 3]> {
        let [a, b, c] = list.unwrap_or([Number::Constant(0.0); 3]);
        Ok([
            distribution(a, 1.0).at(key)?,
            distribution(b, 1.0).at(key)?,
            distribution(c, 1.0).at(key)?,
        ])
    };
    let groups = source
        .shapes
        .iter()
        .enumerate()
        .map(|(k, given)| rock(given, classes, from.volume).at(format!("shapes[{k}]")));
    let seeder = Seeder {
        name: from.name,
        release: from.release,
        height: distribution(source.height_m.unwrap_or(Number::Constant(0.0)), 1.0)
            .at("height_m")?,
        elevation: source
            .elevation_m
            .map(|z| distribution(z, 1.0).at("elevation_m"))
            .transpose()?,
        raised_up_to: source.raise_buried_up_to_m,
        count: from.rocks,
        groups: groups.collect::<Result<_, _>>()?,
        velocity: triple("velocity_m_s", source.velocity_m_s)?,
        spin: triple("spin_rad_s", source.spin_rad_s)?,
        attitude: if source.upright {
            Attitude::Fixed(DQuat::IDENTITY)
        } else {
            Attitude::Random
        },
        annual_frequency: source.annual_frequency.map(|f| f * share),
        starts: from.starts,
    };
    seeder.validate()?;
    Ok(seeder)
}
