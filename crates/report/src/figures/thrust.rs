//! Joints of arches and walls in the plane of a load: resultants, centres of pressure, hinges and lines of thrust.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use klast_bodies_jobs::bodies::build::Built;
use klast_bodies_jobs::bodies::joints::{JointRow, JointState};
use klast_bodies_jobs::bodies::result::Results;
use klast_plot::{Axis, Colour, Drawing, Shape, stone_colour};
use klast_runs::error::{Outside as _, Result};

use crate::sheet::Sheet;

const FORCE: Colour = Colour(30, 90, 160);
const LINE: Colour = Colour(190, 30, 30);
const MARK: Colour = Colour(20, 20, 20);
/// Length of the longest resultant, and size of the mark of a hinge, in the size of the drawing.
const LONGEST: f64 = 0.12;
const HINGE: f64 = 0.008;

/// The plane that bodies are drawn in: along the load, and up.
struct Section {
    along: DVec3,
    up: DVec3,
}

impl Section {
    fn of(results: &Results, towards: DVec3) -> Self {
        let gravity = results.start.world.settings().gravity;
        let up = (-gravity).try_normalize().unwrap_or(DVec3::Z);
        let across = (towards - up * towards.dot(up)).try_normalize();
        Self {
            along: across.unwrap_or_else(|| up.any_orthonormal_vector()),
            up,
        }
    }

    fn place(&self, p: DVec3) -> (f64, f64) {
        (p.dot(self.along), p.dot(self.up))
    }
}

/// Joints at the end of the run, and at the limit of statics.
pub fn draw(results: &Results, towards: DVec3, sheet: &mut Sheet) -> Result<()> {
    let section = Section::of(results, towards);
    for (state, file, title, built) in [
        (
            JointState::End,
            "joints.svg",
            "Joints at the end",
            &results.end,
        ),
        (
            JointState::Limit,
            "limit.svg",
            "Joints at the load multiplier",
            &results.start,
        ),
    ] {
        let rows = results.joints.iter().filter(|row| row.state == state);
        let rows: Vec<&JointRow> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        let picture = picture(&section, title, built, &rows)?;
        let words = "Resultants on the bodies above at the centres of pressure of their joints (blue), the lines of thrust through the bodies (red), and hinges (black squares): joints whose centre of pressure is at the rim.";
        sheet.figure(file, &picture, words)?;
    }
    sheet.rows("Joints", "joints.csv", &results.joints)
}

fn picture(section: &Section, title: &str, built: &Built, rows: &[&JointRow]) -> Result<String> {
    let mut drawing = Drawing::new(title, Axis::new("along [m]"), Axis::new("up [m]"));
    let world = &built.world;
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for i in (0..world.len()).filter(|&i| world.is_free(i)) {
        let Some((body, state)) = world.body(i).zip(world.state(i)) else {
            continue;
        };
        let corners = body
            .vertices()
            .iter()
            .map(|v| state.pose.transform_point(*v));
        let corners: Vec<DVec3> = corners.collect();
        for c in &corners {
            (low, high) = (low.min(*c), high.max(*c));
        }
        let places = corners.iter().map(|c| section.place(*c)).collect();
        let colour = stone_colour(built.entries.get(i).copied().unwrap_or(0));
        drawing.shapes.push(Shape::Polygon(outline(places), colour));
    }
    let size = (high - low).max_element();
    let names = built.names.iter().enumerate();
    let free = names.filter(|(i, _)| world.is_free(*i));
    let free: BTreeSet<&str> = free.map(|(_, name)| name.as_str()).collect();
    drawing.shapes.extend(lines_of_thrust(section, &free, rows));
    let force = |row: &JointRow| DVec3::new(row.force_x_n, row.force_y_n, row.force_z_n);
    let most = rows
        .iter()
        .map(|row| force(row).length())
        .fold(0.0, f64::max);
    for row in rows {
        let at = DVec3::new(row.x_m, row.y_m, row.z_m);
        let end = at + force(row) * (LONGEST * size / most);
        let path = vec![section.place(at), section.place(end)];
        drawing.shapes.push(Shape::Path(path, FORCE, 2));
        if row.hinge {
            let (x, y) = section.place(at);
            let half = HINGE * size;
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let square = corners.map(|(a, b)| (x + a * half, y + b * half));
            drawing.shapes.push(Shape::Polygon(square.to_vec(), MARK));
        }
    }
    drawing.svg().outside()
}

/// From joint to joint through the free bodies that have two.
fn lines_of_thrust(section: &Section, free: &BTreeSet<&str>, rows: &[&JointRow]) -> Vec<Shape> {
    let mut of_body = BTreeMap::<&str, Vec<DVec3>>::new();
    for row in rows {
        let at = DVec3::new(row.x_m, row.y_m, row.z_m);
        for body in [row.first.as_str(), &row.second] {
            if free.contains(body) {
                of_body.entry(body).or_default().push(at);
            }
        }
    }
    let two = of_body.into_values().filter(|joints| joints.len() == 2);
    two.map(|joints| {
        let places = joints.iter().map(|at| section.place(*at)).collect();
        Shape::Path(places, LINE, 2)
    })
    .collect()
}

/// The convex outline of points, counter-clockwise (Andrew's chains).
fn outline(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut hull: Vec<(f64, f64)> = vec![];
    let turn = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
        (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
    };
    for chain in 0..2 {
        let start = hull.len();
        let own: Vec<(f64, f64)> = match chain {
            0 => points.clone(),
            _ => points.iter().rev().copied().collect(),
        };
        for p in own {
            while hull.len() >= start + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points inside the outline of a square, on its edges and in its corners: the corners are left, once each.
    #[test]
    fn the_outline_is_that_of_the_corners() {
        let points = (0..25)
            .map(|k| (f64::from(k % 5), f64::from(k / 5)))
            .collect();
        let corners = outline(points);
        assert_eq!(corners, [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]);
    }

    /// Of three stones on each other the two between joints carry a line of thrust, from joint to joint; a fixed one
    /// carries none.
    #[test]
    fn a_line_of_thrust_goes_from_joint_to_joint() {
        let row = |first: &str, second: &str, z: f64| JointRow {
            first: first.to_owned(),
            second: second.to_owned(),
            x_m: 0.1 * z,
            z_m: z,
            ..JointRow::default()
        };
        let rows = [
            row("a", "ground", 0.0),
            row("b", "a", 1.0),
            row("c", "b", 2.0),
        ];
        let section = Section {
            along: DVec3::X,
            up: DVec3::Z,
        };
        let path =
            |from: f64, to: f64| Shape::Path(vec![(0.1 * from, from), (0.1 * to, to)], LINE, 2);
        let of = |free: &[&str]| {
            let free = free.iter().copied().collect();
            lines_of_thrust(&section, &free, &rows.each_ref())
        };
        assert_eq!(of(&["a", "b", "c"]), [path(0.0, 1.0), path(1.0, 2.0)]);
        assert_eq!(of(&["b", "c"]), [path(1.0, 2.0)]);
    }
}
