//! Bodies in space, and charts of their energy and their ways.

use anyhow::Result;
use glam::DVec3;
use klast_dynamics::World;
use klast_geometry::Plane;
use klast_plot::{Axis, FIXED, FLOOR, Face, LineChart, Series, Solids, stone_colour};

use super::build::Built;
use super::history::{Line, Record};
use super::scene::Scene;

/// Room around the bodies over their extent.
const ROOM: f64 = 0.12;

/// The part of space that pictures show at the start.
#[derive(Debug, Clone, Copy)]
pub struct Stage {
    low: DVec3,
    high: DVec3,
}

impl Stage {
    /// Around all bodies of a world, with some room.
    pub fn around(world: &World) -> Self {
        let (low, high) = extent(world);
        let room = ROOM * (high - low).max_element();
        Self {
            low: low - room,
            high: high + room,
        }
    }

    /// Bodies and planes in 3D projection.
    pub fn picture(&self, title: &str, built: &Built) -> Result<String> {
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
            picture.add(faces(built, i));
        }
        Ok(picture.svg()?)
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

fn faces(built: &Built, body: usize) -> Vec<Face> {
    let world = &built.world;
    let (Some(shape), Some(state)) = (world.body(body).map(|b| b.shape()), world.state(body))
    else {
        return Vec::new();
    };
    let entry = built.entries.get(body).copied().unwrap_or(0);
    let colour = match world.is_free(body) {
        true => stone_colour(entry),
        false => FIXED,
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
pub fn energy(record: &Record) -> Result<String> {
    // Small scenes in joules, poured heaps in megajoules.
    let largest = record.lines.iter().map(|l| {
        let start = record.lines.first().map_or(0.0, |s| s.potential);
        [
            l.kinetic,
            l.contact_loss,
            l.boundary_work,
            l.potential - start,
        ]
        .iter()
        .fold(0.0f64, |a, b| a.max(b.abs()))
    });
    let (factor, unit) = match largest.fold(0.0, f64::max) {
        x if x >= 1e6 => (1e-6, "E [MJ]"),
        x if x >= 1e3 => (1e-3, "E [kJ]"),
        x if x >= 1.0 => (1.0, "E [J]"),
        _ => (1e3, "E [mJ]"),
    };
    let start = record.lines.first().map_or(0.0, |l| l.potential);
    let of = |value: &dyn Fn(&Line) -> f64| -> Vec<(f64, f64)> {
        let point = |l: &Line| (l.time, factor * value(l));
        record.lines.iter().map(point).collect()
    };
    let mut chart = LineChart::new("Energy", Axis::new("t [s]"), Axis::new(unit))
        .with(Series::line("kinetic", of(&|l| l.kinetic)))
        .with(Series::line(
            "potential since start",
            of(&|l| l.potential - start),
        ))
        .with(Series::line("taken by contacts", of(&|l| l.contact_loss)))
        .with(Series::line("taken by impacts", of(&|l| l.scheme_loss)))
        .with(Series::dashed(
            "given by boundaries",
            of(&|l| l.boundary_work),
        ))
        .with(Series::dashed(
            "given by stabilisation",
            of(&|l| l.stabilisation),
        ));
    if record.lines.iter().any(|l| l.elastic > 0.0) {
        chart = chart.with(Series::line("in springs", of(&|l| l.elastic)));
    }
    Ok(chart.svg()?)
}

/// How far the body that moved most has gone, and the bar of the verdict.
pub fn ways(scene: &Scene, record: &Record) -> Result<String> {
    let points: Vec<(f64, f64)> = record.lines.iter().map(|l| (l.time, l.way)).collect();
    let end = record.lines.last().map_or(0.0, |l| l.time);
    let moved = points.iter().any(|p| p.1 > 0.0) || scene.stands_within_m.is_some();
    let axis = match moved {
        true => Axis::new("largest way [m]"),
        false => Axis::new("largest way [m]").range(0.0, 1.0),
    };
    let mut chart = LineChart::new("Largest way of a body", Axis::new("t [s]"), axis)
        .with(Series::line("largest way", points));
    if let Some(bar) = scene.stands_within_m {
        chart = chart.with(Series::dashed(
            "stands within",
            vec![(0.0, bar), (end, bar)],
        ));
    }
    Ok(chart.svg()?)
}
