//! Bodies in space, and charts of their energy and their displacement.

use glam::DVec3;
use klast_bodies_jobs::bodies::build::Built;
use klast_bodies_jobs::bodies::result::{EnergyRow, Results};
use klast_dynamics::World;
use klast_geometry::Plane;
use klast_plot::{
    Axis, Colour, FIXED, FLOOR, Face, LineChart, Series, Solids, stack, stone_colour,
};
use klast_runs::answer::length;
use klast_runs::error::{Outside as _, Result};
use klast_runs::files::FilesExt as _;

use super::thrust;
use crate::page::Picture;
use crate::sheet::Sheet;
use crate::view::{Place, View, solid};

/// Colour of a body that moved farther than the verdict allows, or than a part of its size.
const MOVED: Colour = Colour(205, 70, 40);
/// Part of the radius of a body beyond which it is drawn as moved, where the scene states no bound.
const MOVED_PART: f64 = 0.02;

/// The bodies at the end with those that moved, the largest displacement, the bodies at the start, and their energy.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<Picture> {
    let stage = Stage::around(&results.start.world);
    let moved = moved(results);
    let title = format!("At {:.2} s", results.end.world.time());
    let end = stage.picture(&title, &results.end, &moved)?;
    let way = displacement(&results.energy, results.stands_within)?;
    let bound = match results.stands_within {
        Some(bound) => format!("more than {}", length(bound)),
        None => format!("more than {} % of their radius", 100.0 * MOVED_PART),
    };
    let free = (0..moved.len()).filter(|&i| results.start.world.is_free(i));
    let who = match moved.iter().filter(|moved| **moved).count() {
        0 => format!("none of {} moved {bound}", free.count()),
        count => format!("red: {count} of {} moved {bound}", free.count()),
    };
    let caption = format!(
        "The bodies where the run ended; {who}. Below, how far the centre of the body that moved most has been from its start."
    );
    sheet.files.text("end.svg", &end)?;
    sheet.files.text("displacement.svg", &way)?;
    let picture = sheet.picture("answer.svg", &stack(&[end, way], 1), &caption)?;
    let start = stage.picture("At the start", &results.start, &[])?;
    sheet.figure("start.svg", &start, "The bodies at the start.")?;
    sheet.figure(
        "energy.svg",
        &energy(&results.energy)?,
        "Where the energy went: sums since the start but for the kinetic energy.",
    )?;
    if let Some(towards) = results.towards {
        thrust::draw(results, towards, sheet)?;
    }
    let words = "The bodies as they move. Contact forces, where shown, are those of the last step; the longest is as long as the largest body.";
    sheet.view(&view(results), words)?;
    sheet.rows("Contacts at the end", "contacts.csv", &results.contacts)?;
    Ok(picture)
}

/// Whether each body is farther from its start than the bound of the verdict, in the axes of the body that
/// displacements are measured from.
fn moved(results: &Results) -> Vec<bool> {
    let centre = |built: &Built, body: usize| {
        let at = built.world.state(body)?.pose.translation;
        let base = built.base.and_then(|base| built.world.state(base));
        Some(base.map_or(at, |base| base.pose.inverse().transform_point(at)))
    };
    let far = |body: usize| {
        let world = &results.start.world;
        let radius = world.body(body)?.shape().radius();
        let bound = results.stands_within.unwrap_or(MOVED_PART * radius);
        let way = centre(&results.end, body)? - centre(&results.start, body)?;
        Some(world.is_free(body) && way.length() > bound)
    };
    (0..results.end.world.len())
        .map(|body| far(body).unwrap_or(false))
        .collect()
}

/// Bodies at the times that were kept, the planes they stand on, forces, and the largest displacement.
fn view(results: &Results) -> View {
    let (start, world) = (&results.start, &results.start.world);
    let mut view = View {
        words: "Bodies in contact as they move".to_owned(),
        times: results.view.iter().map(|(t, _)| *t as f32).collect(),
        ..View::default()
    };
    let mut largest = 0.0f64;
    for i in 0..world.len() {
        let Some(body) = world.body(i) else { continue };
        let places: Vec<Place> = results
            .view
            .iter()
            .filter_map(|(_, p)| p.get(i).copied())
            .collect();
        let colour = match world.is_free(i) {
            true => stone_colour(start.entries.get(i).copied().unwrap_or(0)),
            false => FIXED,
        };
        largest = largest.max(body.shape().radius());
        let name = start.names.get(i).map_or("", String::as_str);
        view.body(name, solid::polyhedron(body.shape()), colour, places);
    }
    let stage = Stage::around(world);
    for (k, plane) in world.planes().enumerate() {
        let others = world.planes().enumerate().filter(|(j, _)| *j != k);
        let patch = stage.patch(plane, others.map(|(_, p)| p));
        if patch.len() >= 3 {
            let mesh = solid::faces(&[patch], DVec3::ZERO);
            view.plane(&format!("plane {}", k + 1), mesh, FLOOR);
        }
    }
    let forces = results
        .contacts
        .iter()
        .map(|c| DVec3::new(c.force_x_n, c.force_y_n, c.force_z_n));
    let most = forces.clone().fold(0.0f64, |m, f| m.max(f.length()));
    if most > 0.0 {
        let scale = 2.0 * largest / most;
        view.arrows = results
            .contacts
            .iter()
            .zip(forces)
            .map(|(c, force)| {
                let at = DVec3::new(c.x_m, c.y_m, c.z_m);
                (solid::single(at), solid::single(at + scale * force))
            })
            .collect();
    }
    let points = results
        .energy
        .iter()
        .map(|l| (l.time_s, l.max_displacement_m));
    view.history("largest displacement [m]", 2, points);
    view
}

/// Room around the bodies over their extent.
const ROOM: f64 = 0.12;

/// The part of space that pictures show at the start.
#[derive(Debug, Clone, Copy)]
struct Stage {
    low: DVec3,
    high: DVec3,
}

impl Stage {
    /// Around all bodies of a world, with some room.
    fn around(world: &World) -> Self {
        let (low, high) = extent(world);
        let room = ROOM * (high - low).max_element();
        Self {
            low: low - room,
            high: high + room,
        }
    }

    /// Bodies and planes in 3D projection, those that moved in a colour of their own.
    fn picture(&self, title: &str, built: &Built, moved: &[bool]) -> Result<String> {
        let world = &built.world;
        // The picture follows the bodies; one that has flown off widens it, but not beyond recognition.
        let now = Self::around(world);
        let size = (self.high - self.low).max_element();
        let widest = Self {
            low: self.low - size,
            high: self.high + size,
        };
        let stage = Self {
            low: now.low.max(widest.low),
            high: now.high.min(widest.high),
        };
        let mut picture = Solids::new(title);
        picture.size.1 = 380;
        for (k, plane) in world.planes().enumerate() {
            let others = world.planes().enumerate().filter(|(j, _)| *j != k);
            let patch = stage.patch(plane, others.map(|(_, p)| p));
            if patch.len() >= 3 {
                picture.add([Face {
                    corners: patch.iter().map(DVec3::to_array).collect(),
                    colour: FLOOR,
                }]);
            }
        }
        for i in 0..world.len() {
            let moved = moved.get(i).copied().unwrap_or(false);
            picture.add(faces(built, i, moved.then_some(MOVED)));
        }
        picture.svg().outside()
    }

    /// The part of a plane that is on the stage and on the good side of the other planes.
    fn patch<'a>(&self, plane: &Plane, others: impl Iterator<Item = &'a Plane>) -> Vec<DVec3> {
        let middle = 0.5 * (self.low + self.high);
        let size = (self.high - self.low).length();
        let foot = middle - plane.normal * plane.height(middle);
        let (u, v) = plane.normal.any_orthonormal_pair();
        let v = if u.cross(v).dot(plane.normal) > 0.0 {
            v
        } else {
            -v
        };
        let mut patch: Vec<DVec3> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(a, b)| foot + (u * a + v * b) * size)
            .to_vec();
        let slack = 1e-9 * size;
        for axis in DVec3::AXES {
            cut(&mut patch, |p| axis.dot(p - self.low));
            cut(&mut patch, |p| axis.dot(self.high - p));
        }
        for other in others {
            // A plane of the same kind, or a part of it, does not cut what lies in it.
            cut(&mut patch, |p| other.height(p) + slack);
        }
        patch
    }
}

/// Keeps the part of a polygon where `inside` is not negative (linear in the point).
fn cut(polygon: &mut Vec<DVec3>, inside: impl Fn(DVec3) -> f64) {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (f, g) = (inside(p), inside(q));
        if f >= 0.0 {
            kept.push(p);
        }
        if (f >= 0.0) != (g >= 0.0) {
            kept.push(p + (q - p) * (f / (f - g)));
        }
    }
    *polygon = kept;
}

fn extent(world: &World) -> (DVec3, DVec3) {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (i, state) in world.states().enumerate() {
        for &v in world.body(i).map_or(&[][..], |b| b.vertices()) {
            let p = state.pose.transform_point(v);
            (low, high) = (low.min(p), high.max(p));
        }
    }
    (low, high)
}

fn faces(built: &Built, body: usize, own: Option<Colour>) -> Vec<Face> {
    let world = &built.world;
    let (Some(shape), Some(state)) = (world.body(body).map(|b| b.shape()), world.state(body))
    else {
        return Vec::new();
    };
    let entry = built.entries.get(body).copied().unwrap_or(0);
    let colour = match (own, world.is_free(body)) {
        (Some(colour), _) => colour,
        (None, true) => stone_colour(entry),
        (None, false) => FIXED,
    };
    let corner = |&v: &u32| {
        state
            .pose
            .transform_point(shape.vertices()[v as usize])
            .to_array()
    };
    (0..shape.facets().len())
        .map(|f| Face {
            corners: shape.facet_vertices(f).iter().map(corner).collect(),
            colour,
        })
        .collect()
}

/// Where the energy of the start went.
fn energy(lines: &[EnergyRow]) -> Result<String> {
    let start = lines.first().map_or(0.0, |l| l.potential_j);
    // Small scenes in joules, poured heaps in megajoules.
    let largest = lines.iter().map(|l| {
        [
            l.kinetic_j,
            l.dissipated_by_contacts_j,
            l.boundary_work_j,
            l.load_work_j,
            l.potential_j - start,
        ]
        .iter()
        .fold(0.0f64, |a, b| a.max(b.abs()))
    });
    let (factor, unit) = match largest.fold(0.0, f64::max) {
        x if x >= 1e6 => (1e-6, "E [MJ]"),
        x if x >= 1e3 => (1e-3, "E [kJ]"),
        x if x >= 1.0 => (1.0, "E [J]"),
        x if x >= 1e-3 => (1e3, "E [mJ]"),
        x if x >= 1e-6 => (1e6, "E [µJ]"),
        _ => (1e9, "E [nJ]"),
    };
    let of = |value: &dyn Fn(&EnergyRow) -> f64| -> Vec<(f64, f64)> {
        lines
            .iter()
            .map(|l| (l.time_s, factor * value(l)))
            .collect()
    };
    let mut chart = LineChart::new("Energy", Axis::new("t [s]"), Axis::new(unit))
        .with(Series::line("kinetic", of(&|l| l.kinetic_j)))
        .with(Series::line(
            "potential since start",
            of(&|l| l.potential_j - start),
        ))
        .with(Series::line(
            "dissipated by contacts",
            of(&|l| l.dissipated_by_contacts_j),
        ))
        .with(Series::line(
            "dissipated by impacts",
            of(&|l| l.dissipated_by_impacts_and_scheme_j),
        ))
        .with(Series::dashed("boundary work", of(&|l| l.boundary_work_j)))
        .with(Series::dashed(
            "stabilisation work",
            of(&|l| l.stabilisation_work_j),
        ));
    if lines.iter().any(|l| l.elastic_j > 0.0) {
        chart = chart.with(Series::line("in springs", of(&|l| l.elastic_j)));
    }
    if lines.iter().any(|l| l.load_work_j != 0.0) {
        chart = chart.with(Series::dashed("work of loads", of(&|l| l.load_work_j)));
    }
    if lines.iter().any(|l| l.tied_j > 0.0) {
        chart = chart.with(Series::line("in ties", of(&|l| l.tied_j)));
    }
    chart.svg().outside()
}

/// How far the body that moved most has gone, and the bar of the verdict.
fn displacement(lines: &[EnergyRow], bar: Option<f64>) -> Result<String> {
    let points = lines.iter().map(|l| (l.time_s, l.max_displacement_m));
    let points: Vec<(f64, f64)> = points.collect();
    let end = lines.last().map_or(0.0, |l| l.time_s);
    let moved = points.iter().any(|p| p.1 > 0.0) || bar.is_some();
    let most = points
        .iter()
        .fold(0.0f64, |m, p| m.max(p.1))
        .max(bar.unwrap_or(0.0));
    let (factor, label) = match most {
        m if m >= 0.1 || m == 0.0 => (1.0, "displacement [m]"),
        m if m >= 1e-4 => (1e3, "displacement [mm]"),
        _ => (1e6, "displacement [µm]"),
    };
    let axis = match moved {
        true => Axis::new(label),
        false => Axis::new(label).range(0.0, 1.0),
    };
    let points = points.into_iter().map(|(t, d)| (t, factor * d)).collect();
    let mut chart = LineChart::new("Largest displacement of a body", Axis::new("t [s]"), axis)
        .with(Series::line("displacement", points))
        .height(210);
    if let Some(bar) = bar {
        let bar = factor * bar;
        let line = vec![(0.0, bar), (end, bar)];
        chart = chart.with(Series::dashed("stands within", line));
    }
    chart.svg().outside()
}
