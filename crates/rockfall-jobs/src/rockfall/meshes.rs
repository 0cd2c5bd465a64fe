//! A terrain of triangle meshes: one, or several with a material each.

use glam::DVec3;
use klast_geometry::terrain::{Facet, JoinedMesh, Mesh, MeshPart as Part, Seam, Terrain as _};
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use super::ground_extent::Land;
use super::input_remarks;
use super::scene::MeshPart;
use super::terrain_keys::{stated, stated_crs};
use klast_files::by_ending::{ending, mesh_from};
use klast_files::crs::{Crs, Cure, FAR};
use klast_files::digits::short;
use klast_files::mesh::triangles::Triangles;
use klast_runs::faults::{At as _, Fault};
use klast_runs::text::SceneText;

/// The ground of one file.
///
/// # Errors
/// A file that is no ground; for a lumped mass (`point`) a mesh that overhangs.
pub fn one(
    file: &str,
    (crs, point): (Option<&str>, bool),
    resolution: Option<f64>,
    text: &SceneText,
) -> Result<Land> {
    let own = "terrain.mesh.file";
    let read = read(file, text).at(own)?;
    let mesh = Mesh::new(&read.points, &read.triangles).with_context(|| file.to_owned());
    let mesh = mesh.at(own)?;
    text.note(format!("terrain {file}: {}", input_remarks::mesh(&mesh)));
    for said in doubts(mesh.triangles(), mesh.origin().z) {
        text.caution(format!("terrain {file}: {said}"));
    }
    overhang(file, &mesh, point, text).at(own)?;
    land("terrain.mesh", mesh, (file, crs), (resolution, text))
}

/// The ground of several files; how they meet is noted.
///
/// # Errors
/// A file that is there twice or is no ground, and a mesh that meets no other; for a lumped mass (`point`) meshes that
/// it cannot follow.
pub fn several(
    parts: &[MeshPart],
    (crs, point): (Option<&str>, bool),
    resolution: Option<f64>,
    text: &SceneText,
) -> Result<Land> {
    let key = "terrain.meshes.parts";
    let Some(first) = parts.first() else {
        bail!(Fault::new(key, "none").accepted("one or more"));
    };
    for (k, part) in parts.iter().enumerate() {
        let same = |p: &MeshPart| {
            let [one, other] = [&p.file, &part.file].map(|file| text.path(file));
            one.components().eq(other.components())
        };
        let twice = parts[..k].iter().any(same);
        ensure!(
            !twice,
            Fault::new(key, format!("{} is there twice", part.file)).accepted("each file once")
        );
    }
    let all = parts.iter().map(|part| read(&part.file, text));
    let all = all.collect::<Result<Vec<Triangles>>>()?;
    let given = all.iter().map(|read| Part {
        points: &read.points,
        triangles: &read.triangles,
    });
    let joined = JoinedMesh::new(&given.collect::<Vec<_>>());
    let joined = joined.map_err(|(k, why)| {
        let file = parts.get(k).map_or(key, |p| p.file.as_str());
        klast_runs::Error::from(why).of(file)
    })?;
    let described = described(&joined);
    for (part, said) in parts.iter().zip(&described) {
        let material = &part.material;
        text.note(format!(
            "terrain {}: {said}; material {material}",
            part.file
        ));
    }
    let seams = joined.seams();
    if let Some(loose) = joined.loose(&seams) {
        let (file, said) = (&parts[loose].file, &described[loose]);
        bail!(Fault::new(key, format!("{file} does not meet {}: {said} beside {}", first.file, described[0])).accepted("meshes that touch or overlap in plan, or with a gap of up to four triangles between them"));
    }
    let rounding = joined.mesh().vertical_resolution().height;
    for seam in &seams {
        tell(seam, (parts, rounding), text);
        if point {
            followed_by_a_point(seam, parts)?;
        }
    }
    let mesh = joined.mesh();
    overhang(key, mesh, point, text)?;
    let facets = mesh.triangles().iter().chain(mesh.walls());
    let numbers = facets.map(|f| joined.part_of(f) as u32).collect();
    let mesh = joined.into_mesh();
    let land = land(
        "terrain.meshes",
        mesh,
        (&first.file, crs),
        (resolution, text),
    )?;
    Ok(Land {
        parts: numbers,
        ..land
    })
}

fn read(file: &str, text: &SceneText) -> Result<Triangles> {
    let data = text.read_bytes(file)?;
    let mut mesh = klast_runs::error::of_file(file, mesh_from(&ending(file), &data))?;
    if let Some(taken) = mesh.keep_upper_side() {
        text.caution(format!(
            "terrain {file}: the mesh is closed, as a body for a printer is: its upper side is the ground, {taken} triangles of \
             its sides and its underside are not"
        ));
    }
    Ok(mesh)
}

/// Area seen from the side over the area in plan from which a mesh may lie on its side: the mean slope is 63°.
const STEEP: f64 = 2.0;

/// Heights of ground (m).
const GROUND: std::ops::RangeInclusive<f64> = -12_000.0..=9_000.0;

/// What is said of a mesh whose heights may not be along z.
fn doubts(facets: &[Facet], base: f64) -> Vec<String> {
    let mut said = Vec::new();
    let area = facets.iter().fold(DVec3::ZERO, |sum, f| {
        let [a, b, c] = f.corners;
        sum + (b - a).cross(c - a).abs()
    });
    let (side, axis) = match area.x > area.y {
        true => (area.x, "x"),
        false => (area.y, "y"),
    };
    if side > STEEP * area.z {
        said.push(format!(
            "the mesh has {:.1} times the area in plan when it is seen along {axis}: does it lie on its side, with {axis} upwards? \
             z is taken as upwards (Blender exports it so with 'Up: Z' and 'Forward: Y')",
            side / area.z
        ));
    }
    let heights = facets.iter().flat_map(|f| f.corners).map(|p| p.z + base);
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| {
        (l.min(z), h.max(z))
    });
    if !GROUND.contains(&low) || !GROUND.contains(&high) {
        said.push(format!(
            "heights from {} to {} m, which no ground has: is z upwards, and is the unit metres?",
            short(low),
            short(high)
        ));
    }
    said
}

/// Each part in a line.
fn described(joined: &JoinedMesh) -> Vec<String> {
    let origin = joined.mesh().origin();
    let parts = joined.triangles();
    let line = |(own, passed_over)| input_remarks::triangles(own, origin, passed_over);
    parts.map(line).collect()
}

/// How two parts meet. What may be a mistake is a caution.
fn tell(seam: &Seam, (parts, rounding): (&[MeshPart], f64), text: &SceneText) {
    let both = both(seam, parts);
    if seam.border > 0.0 {
        let length = short(seam.border);
        text.note(format!("{both} touch along {length} m in plan"));
    }
    if seam.overlap > 0.0 {
        let ground = match seam.apart > 0.0 {
            true => format!(
                "up to {} m apart: the higher one is the ground there",
                short(seam.apart)
            ),
            false => "with the same heights: the first is the ground there".to_owned(),
        };
        let area = short(seam.overlap);
        text.caution(format!(
            "{both} lie over each other on {area} m² in plan, {ground}"
        ));
    }
    if seam.step > 0.0 {
        let line = format!(
            "{both} have a step between them, up to {} m high: a steep facet of the higher one",
            short(seam.step)
        );
        match seam.step > rounding {
            true => text.caution(line),
            false => text.note(line),
        }
    }
    if seam.gap > 0.0 {
        text.caution(format!(
            "{both} have a gap between them, about {} m long and up to {} m wide in plan: a rock over it has no ground, \
             and counts as having left the map",
            short(seam.gap),
            short(seam.width)
        ));
    }
}

fn both(seam: &Seam, parts: &[MeshPart]) -> String {
    let (first, second) = (&parts[seam.first].file, &parts[seam.second].file);
    format!("terrain: {first} and {second}")
}

/// Steps above this (m) are none that a lumped mass goes over: it goes from triangle to triangle along the ground.
const STEP: f64 = 1e-6;

/// Checks that a lumped mass can follow the ground from one mesh to the other: it slides along triangles, and would
/// slide under a mesh that lies over another.
fn followed_by_a_point(seam: &Seam, parts: &[MeshPart]) -> Result<()> {
    let accepted = "accepted with the engine lumped_mass: meshes that touch along borders of the same heights (the engine \
                    rigid_body takes others)";
    let both = both(seam, parts);
    let (area, step) = (short(seam.overlap), short(seam.step));
    ensure!(
        seam.overlap <= 0.0,
        "{both} lie over each other on {area} m² in plan; {accepted}"
    );
    ensure!(
        seam.step <= STEP,
        "{both} have a step between them, up to {step} m high; {accepted}"
    );
    Ok(())
}

/// Tells where a mesh overhangs. A lumped mass slides from triangle to triangle, and would slide under the overhang.
fn overhang(file: &str, mesh: &Mesh, point: bool, text: &SceneText) -> Result<()> {
    let found = mesh.overhang();
    if found.edges == 0 {
        return Ok(());
    }
    let overhangs = format!(
        "the mesh overhangs along {} m of edges, at which it ends or folds back up to {} m above its own triangles in front",
        short(found.length),
        short(found.height)
    );
    ensure!(
        !point || found.height <= STEP,
        "{file}: {overhangs}; accepted with the engine lumped_mass: a mesh that overhangs nowhere (the engine rigid_body takes \
         others)"
    );
    text.caution(format!(
        "terrain {file}: {overhangs}: the space under an overhang counts as solid, with a steep facet under its edge, whose \
         foot stands up to {} m in front of it; none can be released beneath it",
        JoinedMesh::LEAN
    ));
    Ok(())
}

/// The ground of a mesh with what a scene states of it: the CRS (with the file that is named beside it) and the
/// rounding of its heights, at a path.
fn land(
    at: &str,
    mut mesh: Mesh,
    (file, crs): (&str, Option<&str>),
    (resolution, text): (Option<f64>, &SceneText),
) -> Result<Land> {
    if let Some(resolution) = stated(at, resolution)? {
        mesh = mesh.with_vertical_resolution(resolution);
    }
    let Some(crs) = stated_crs(at, (file, crs), None)? else {
        return Ok(Land::without_crs(mesh));
    };
    check(&crs, &mesh, file, text).at(format_args!("{at}.crs"))?;
    let mesh = mesh.with_crs(crs.label());
    Ok(Land {
        crs: Some(crs),
        ..Land::without_crs(mesh)
    })
}

/// Notes what the CRS does to lengths.
fn check(crs: &Crs, mesh: &Mesh, file: &str, text: &SceneText) -> Result<()> {
    let extent = mesh.extent();
    let centre = mesh.origin().truncate() + 0.5 * (extent.lower + extent.upper);
    if let Some(said) = crs.for_mechanics(centre, Cure::Mesh)? {
        let line = format!("terrain {file}: {said}");
        match said.ends_with(FAR) {
            true => text.caution(line),
            false => text.note(line),
        }
    }
    Ok(())
}
