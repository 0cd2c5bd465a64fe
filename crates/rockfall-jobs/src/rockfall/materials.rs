//! Materials: from the scene file to the ground of the library.

use klast_rockfall::ground_class::{self, CLASSES};
use klast_rockfall::{
    Alternative, Ground, Layout, MassScaling, MaterialDrag, MaterialPenetration, MaterialScarring,
    MaximumFriction, RestitutionScaling, SlopeMaterial, SpeedScaling,
};
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};
use klast_sampling::Distribution;

use super::ground_extent::Land;
use super::scene::{self, Number, Scene};
use super::terrain::surveyed;
use super::{class_raster, posterior, rock_classes, vectors};
use klast_runs::common::distribution::distribution;
use klast_runs::faults::{At as _, Fault, Faults};
use klast_runs::nearest::nearest;
use klast_runs::text::SceneText;

/// The ground of a scene.
///
/// # Errors
/// What it must not hold.
pub fn ground(scene: &Scene, text: &SceneText, land: &Land) -> Result<Ground> {
    if let Some(calibrated) = &scene.ground {
        let alone = scene.materials.is_empty() && matches!(scene.layout, scene::Layout::Uniform);
        ensure!(
            land.parts.is_empty(),
            Fault::new(
                "ground",
                "stands beside terrain.meshes, whose parts name materials"
            )
            .accepted("materials, of which each may have a posterior")
        );
        ensure!(
            alone,
            Fault::new("ground", "stands beside materials or layout")
                .accepted("one or the other (a material may have a posterior of its own)")
        );
        let read = [posterior::File::read(&calibrated.posterior, text)?];
        let named = [(calibrated.posterior.as_str(), &read[0])];
        let classes = classes(scene, &named, text)?;
        let by_class = alternatives(named[0], CALIBRATED, &classes)?;
        let first = by_class.first().and_then(|sets| sets.first());
        let ground = Ground::uniform(first.context("ground: no sets")?.material.clone())?;
        return Ok(ground.with_alternatives_by_class(0, by_class)?);
    }
    ensure!(
        !scene.materials.is_empty(),
        Fault::new("materials", "none").accepted("one or more, or a ground")
    );
    let posteriors = posteriors(scene, text)?;
    let named: Vec<(&str, &posterior::File)> = posteriors.iter().map(|p| (p.1, &p.2)).collect();
    let classes = classes(scene, &named, text)?;
    let mut sets = Vec::new();
    let mut materials = Vec::new();
    let mut faults = Faults::default();
    for (number, given) in scene.materials.iter().enumerate() {
        let place = format!("materials[{number}]");
        let name = || format!("material '{}'", given.name);
        let Some((_, file, read)) = posteriors.iter().find(|p| p.0 == number) else {
            materials.extend(faults.take(&place, of(given).with_context(name)));
            continue;
        };
        let by_class = alternatives((file, read), &given.name, &classes).with_context(name);
        let Some(by_class) = faults.take(&place, by_class) else {
            continue;
        };
        let first = by_class.first().and_then(|sets| sets.first());
        let none = || Fault::new("posterior", "holds no set").accepted("one or more");
        let first = faults.take(&place, first.ok_or_else(none));
        materials.extend(first.map(|first| first.material.clone()));
        sets.push((number, by_class));
    }
    faults.or_all(|| Some(()))?;
    let ground = Ground::new(materials, layout(scene, text, land)?).at("materials")?;
    let add =
        |ground: Ground, (number, by_class)| ground.with_alternatives_by_class(number, by_class);
    Ok(sets.into_iter().try_fold(ground, add).at("materials")?)
}

/// Number, file and posterior of each material that has one.
fn posteriors<'a>(
    scene: &'a Scene,
    text: &SceneText,
) -> Result<Vec<(usize, &'a str, posterior::File)>> {
    let mut found = Vec::new();
    for (number, given) in scene.materials.iter().enumerate() {
        let Some(file) = &given.posterior else {
            continue;
        };
        let name = || format!("material '{}'", given.name);
        let path = format!("materials[{number}].posterior");
        let beside = || Fault::new(&*path, format!("{} has other laws beside it", name()));
        ensure!(is_bare(given), beside().accepted("it alone"));
        let read = posterior::File::read(file, text)
            .with_context(name)
            .at(&path)?;
        found.push((number, file.as_str(), read));
    }
    Ok(found)
}

/// Names of the classes of the scene's rocks, which its posteriors know.
fn classes<'a>(
    scene: &'a Scene,
    posteriors: &[(&str, &posterior::File)],
    text: &SceneText,
) -> Result<Vec<&'a str>> {
    let known = posteriors
        .iter()
        .map(|(file, read)| (*file, read.classes()));
    rock_classes::check(scene, &known.collect::<Vec<_>>(), text)?;
    let names = rock_classes::names(scene);
    for (file, read) in posteriors {
        if !read.classes().is_empty() {
            text.note(format!(
                "ground {file}: drag by class of rock ({}); classes of the scene's rocks: {}",
                read.classes().join(", "),
                names.join(", ")
            ));
        }
    }
    Ok(names)
}

/// Name of the ground of a scene that has no other.
const CALIBRATED: &str = "calibrated";

/// Whether a material has its name only, and a posterior.
fn is_bare(given: &scene::Material) -> bool {
    let numbers = [
        given.normal_restitution.is_some(),
        given.tangential_restitution.is_some(),
        given.friction.is_some(),
        given.friction_angle_deg.is_some(),
        given.roughness_deg.is_some(),
        given.rolling_resistance.is_some(),
        given.drag_per_s.is_some(),
        given.drag_height_m.is_some(),
        given.scarring.is_some(),
        given.penetration.is_some(),
        given.restitution_by_speed.is_some(),
        given.restitution_by_mass.is_some(),
        given.class.is_some(),
    ];
    !numbers.contains(&true)
}

/// The sets of a posterior, by class of the scene's rocks; of one without classes the same for all.
fn alternatives(
    (file, read): (&str, &posterior::File),
    name: &str,
    classes: &[&str],
) -> Result<Vec<Vec<Alternative>>> {
    let of_class = |class: Option<&str>| {
        let posterior = read.posterior(class)?;
        Ok(posterior.alternatives(name)?)
    };
    let own = classes.iter().map(|class| of_class(Some(class)));
    let by_class: Result<Vec<Vec<Alternative>>> = match read.classes().is_empty() {
        true => of_class(None).map(|sets| vec![sets]),
        false => own.collect(),
    };
    by_class.with_context(|| file.to_owned())
}

fn of(given: &scene::Material) -> Result<SlopeMaterial> {
    let class = given.class.as_deref().map(class).transpose()?;
    let number = |key: &'static str, given: Option<Number>, class: Option<Distribution>| {
        let given = given.map(|n| distribution(n, 1.0)).transpose();
        Ok::<_, klast_runs::Error>(given.at(key)?.or(class))
    };
    let friction = friction(given)?;
    let of_class = |f: fn(&SlopeMaterial) -> Distribution| class.as_ref().map(f);
    let restitution = of_class(|c| c.normal_restitution);
    let restitution = number("normal_restitution", given.normal_restitution, restitution)?;
    let tangential = of_class(|c| c.tangential_restitution);
    let tangential = number(
        "tangential_restitution",
        given.tangential_restitution,
        tangential,
    )?;
    let friction = number("friction", friction, of_class(|c| c.friction))?;
    let rolling = number("rolling_resistance", given.rolling_resistance, None)?;
    let no_friction =
        || Fault::new("", "no friction").accepted("one of friction and friction_angle_deg");
    let no_restitution =
        || Fault::new("", "no normal_restitution").accepted("a number, a distribution, or a class");
    let none = Distribution::constant(0.0);
    let material = SlopeMaterial {
        name: given.name.clone(),
        normal_restitution: restitution.ok_or_else(no_restitution)?,
        restitution_scaling: scaling(given),
        tangential_restitution: tangential.unwrap_or(Distribution::constant(1.0)),
        friction: friction.ok_or_else(no_friction)?,
        roughness: match given.roughness_deg {
            Some(number) => roughness(number)?,
            None => class.as_ref().map_or(none, |c| c.roughness),
        },
        scarring: match &given.scarring {
            Some(law) => Some(scarring(law).at("scarring")?),
            None => class.as_ref().and_then(|c| c.scarring),
        },
        drag: drag(given)?.or(class.as_ref().and_then(|c| c.drag)),
        rolling_resistance: rolling.unwrap_or(none),
        penetration: match &given.penetration {
            Some(law) => Some(penetration(law).at("penetration")?),
            None => class.and_then(|c| c.penetration),
        },
    };
    material.validate()?;
    Ok(material)
}

/// A class of the library.
fn class(name: &str) -> Result<SlopeMaterial> {
    let unknown = || {
        let names: Vec<&str> = CLASSES.iter().map(|c| c.name).collect();
        Fault::new("class", format!("`{name}` is not known"))
            .accepted(names.join(", "))
            .nearest(nearest(name, names))
    };
    let found = ground_class::class(name).ok_or_else(unknown)?;
    Ok(found.material()?)
}

/// μ as it is given.
fn friction(given: &scene::Material) -> Result<Option<Number>> {
    Ok(match (given.friction, given.friction_angle_deg) {
        (None, None) => None,
        (Some(number), None) => Some(number),
        (None, Some(angle)) if (0.0..90.0).contains(&angle) => {
            Some(Number::Constant(angle.to_radians().tan()))
        }
        (None, Some(angle)) => {
            bail!(Fault::new("friction_angle_deg", angle).accepted("0 or more, below 90"))
        }
        (Some(_), Some(_)) => bail!(
            Fault::new("friction", "stands beside friction_angle_deg").accepted("one of them")
        ),
    })
}

fn scaling(given: &scene::Material) -> RestitutionScaling {
    RestitutionScaling {
        speed: given.restitution_by_speed.map(|law| match law {
            scene::RestitutionBySpeed::PfeifferBowenMS(speed) => {
                SpeedScaling::PfeifferBowen { speed }
            }
            scene::RestitutionBySpeed::HalfSpeedMS(speed) => SpeedScaling::HalfSpeed { speed },
        }),
        mass: given.restitution_by_mass.map(|law| MassScaling {
            reference: law.reference_kg,
            exponent: law.exponent,
        }),
    }
}

fn roughness(number: Number) -> Result<Distribution> {
    let key = "roughness_deg";
    let degrees = distribution(number, 1.0).at(key)?.support();
    // The limit of the library, which speaks of radians.
    let inside = |angle: f64| angle.to_radians().abs() <= 1.5;
    if let Some(found) = [degrees.0, degrees.1].into_iter().find(|a| !inside(*a)) {
        bail!(Fault::new(key, found).accepted("an angle within ±85.9 (truncate the distribution)"));
    }
    Ok(distribution(number, 1f64.to_radians()).at(key)?)
}

fn scarring(law: &scene::GroundScarring) -> Result<MaterialScarring> {
    let make = |key: &'static str, n: Number| distribution(n, 1.0).at(key);
    Ok(MaterialScarring {
        maximum: match (law.maximum, law.rise) {
            (Some(n), None) => MaximumFriction::Value(make("maximum", n)?),
            (None, Some(n)) => MaximumFriction::Rise(make("rise", n)?),
            _ => bail!(Fault::new("", "not one law").accepted("one of maximum and rise")),
        },
        growth: make("growth_per_m", law.growth_per_m)?,
        recovery: make("recovery_per_s", law.recovery_per_s)?,
    })
}

fn penetration(law: &scene::GroundPenetration) -> Result<MaterialPenetration> {
    let (pressure, density) = ("yield_pressure_kpa", "ejected_density_kg_m3");
    Ok(MaterialPenetration {
        yield_pressure: distribution(law.yield_pressure_kpa, 1e3).at(pressure)?,
        ejected_density: distribution(law.ejected_density_kg_m3, 1.0).at(density)?,
    })
}

fn drag(given: &scene::Material) -> Result<Option<MaterialDrag>> {
    match (given.drag_per_s, given.drag_height_m) {
        (None, None) => Ok(None),
        (Some(number), Some(height)) => Ok(Some(MaterialDrag {
            per_mass: distribution(number, 1.0).at("drag_per_s")?,
            height,
        })),
        _ => bail!(
            Fault::new("", "one key of a drag alone")
                .accepted("drag_per_s with drag_height_m, or neither")
        ),
    }
}

fn layout(scene: &Scene, text: &SceneText, land: &Land) -> Result<Layout> {
    for (k, material) in scene.materials.iter().enumerate() {
        if scene.materials[..k].iter().any(|m| m.name == material.name) {
            bail!(
                Fault::new("materials", format!("'{}' is there twice", material.name))
                    .accepted("names of their own")
            );
        }
    }
    let number = |name: &String| Ok(number_of(scene, name).at("layout")?);
    if let scene::Terrain::Meshes { parts, .. } = &scene.terrain {
        return of_parts(scene, parts, (text, land));
    }
    Ok(match &scene.layout {
        scene::Layout::Uniform => Layout::Uniform,
        scene::Layout::Segments(names) => {
            let scene::Terrain::Profile { points_m, .. } = &scene.terrain else {
                let fault = Fault::new("layout.segments", "on another terrain");
                bail!(fault.accepted("a terrain of kind profile"));
            };
            let count = points_m.len().saturating_sub(1);
            if names.len() != count {
                bail!(
                    Fault::new(
                        "layout.segments",
                        format!("{} names for {count} segments", names.len())
                    )
                    .accepted("one for each")
                );
            }
            let named: Vec<u32> = names.iter().map(number).collect::<Result<_, _>>()?;
            // Each part of the ground has the material of the surveyed segment it stands for.
            let line = surveyed(points_m)?;
            let parts = line.segments().iter();
            Layout::Segments(
                parts
                    .filter_map(|&k| named.get(k as usize).copied())
                    .collect(),
            )
        }
        scene::Layout::Polygons { file, elsewhere } => {
            let polygons = vectors::layout(file, &number, text, land)?;
            Layout::Polygons(polygons, number(elsewhere)?)
        }
        scene::Layout::Raster { file, elsewhere } => {
            let elsewhere = number(elsewhere)?;
            match class_raster::read(scene, file, text, land)? {
                Some(grid) => Layout::Raster(grid, elsewhere),
                None => Layout::Polygons(Vec::new(), elsewhere),
            }
        }
    })
}

/// Number of a material of the scene.
fn number_of(scene: &Scene, name: &str) -> Result<u32> {
    let found = scene.materials.iter().position(|m| m.name == name);
    found.map(|k| k as u32).with_context(|| {
        let names: Vec<&str> = scene.materials.iter().map(|m| m.name.as_str()).collect();
        format!("no material '{name}'; accepted: {}", names.join(", "))
    })
}

/// The materials of meshes, by the numbers of their triangles.
fn of_parts(
    scene: &Scene,
    parts: &[scene::MeshPart],
    (text, land): (&SceneText, &Land),
) -> Result<Layout> {
    ensure!(
        matches!(scene.layout, scene::Layout::Uniform),
        Fault::new(
            "layout",
            "stands beside terrain.meshes, whose parts name their materials"
        )
        .accepted("one or the other")
    );
    let number = |part: &scene::MeshPart| {
        let number = number_of(scene, &part.material);
        number.with_context(|| format!("terrain.meshes: {}", part.file))
    };
    let numbers: Vec<u32> = parts.iter().map(number).collect::<Result<_>>()?;
    let of_part = |part: &u32| numbers.get(*part as usize).copied();
    let by_triangle = land.parts.iter().filter_map(of_part).collect();
    for material in &scene.materials {
        if parts.iter().all(|part| part.material != material.name) {
            text.caution(format!(
                "material '{}' lies nowhere: no mesh has it",
                material.name
            ));
        }
    }
    Ok(Layout::Segments(by_triangle))
}
