//! A view in space that moves: bodies, ground and paths as plain arrays, shown by the page and written as glTF.
//!
//! Coordinates are metres from an origin of the view, z up, in single precision: a page shows what a file of results
//! knows better.

mod gltf;
pub(crate) mod solid;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use klast_plot::Colour;
use klast_runs::error::{Outside as _, Result};
use serde_json::{Value, json};

/// A body's shape: corners, triangles, and the edges that are drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Corners (m).
    pub positions: Vec<[f32; 3]>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Edges that are drawn as lines.
    pub edges: Vec<[u32; 2]>,
    /// A colour a corner; the body's without.
    pub colours: Vec<[u8; 3]>,
}

/// Where a body is: position (m) and quaternion x, y, z, w.
pub type Place = [f32; 7];

/// The place of a body that does not move.
pub const UNMOVED: Place = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// A body with its places at the times of the view; one place for a body that does not move.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Number of its mesh.
    pub mesh: usize,
    /// Colour.
    pub colour: Colour,
    /// Below 1, what is behind shows through.
    pub alpha: f32,
    /// Whether it is seen from the side of its normals alone: a wall between the eye and what it holds.
    pub one_sided: bool,
    /// Places.
    pub places: Vec<Place>,
}

/// A line in space, with the time at each point where something moves along it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// Name.
    pub name: String,
    /// Points (m).
    pub points: Vec<[f32; 3]>,
    /// A colour a point.
    pub colours: Vec<[u8; 3]>,
    /// Times (s); empty for a line that nothing moves along.
    pub times: Vec<f32>,
    /// Radius of what moves along it (m); 0 for nothing.
    pub size: f32,
}

/// A history below the view.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Quantity and unit.
    pub axis: String,
    /// Time (s) and value.
    pub points: Vec<(f32, f32)>,
    /// Colour.
    pub colour: Colour,
}

/// A picture that lies over a mesh, seen from above.
#[derive(Debug, Clone, PartialEq)]
pub struct Photo {
    /// Number of the mesh.
    pub mesh: usize,
    /// The picture as a `data:` address.
    pub address: String,
    /// Its corners in the south-west and in the north-east (m).
    pub corners: [[f32; 2]; 2],
}

/// A view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct View {
    /// What is seen, for who cannot see it.
    pub words: String,
    /// Shapes.
    pub meshes: Vec<Mesh>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Times of the places of bodies (s), from 0.
    pub times: Vec<f32>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Forces as arrows, from and to (m).
    pub arrows: Vec<([f32; 3], [f32; 3])>,
    /// Histories.
    pub histories: Vec<History>,
    /// What colours mean.
    pub legend: Vec<(Colour, String)>,
    /// A picture over the ground.
    pub photo: Option<Photo>,
    /// Whether y points to the north of a map.
    pub north: bool,
    /// Azimuth and elevation of the eye (rad); from the right front without.
    pub eye: Option<(f64, f64)>,
}

impl View {
    /// Adds a history of a quantity with its unit, by time (s), in the colour of the so-manieth line.
    pub fn history(&mut self, axis: &str, line: usize, points: impl Iterator<Item = (f64, f64)>) {
        self.histories.push(History {
            axis: axis.to_owned(),
            points: points.map(|(t, y)| (t as f32, y as f32)).collect(),
            colour: klast_plot::line_colour(line),
        });
    }

    /// Adds a mesh and returns its number.
    pub fn mesh(&mut self, mesh: Mesh) -> usize {
        let same = self.meshes.iter().position(|m| *m == mesh);
        same.unwrap_or_else(|| {
            self.meshes.push(mesh);
            self.meshes.len() - 1
        })
    }

    /// Adds a body.
    pub fn body(&mut self, name: &str, mesh: Mesh, colour: Colour, places: Vec<Place>) {
        let mesh = self.mesh(mesh);
        self.bodies.push(Body {
            name: name.to_owned(),
            mesh,
            colour,
            alpha: 1.0,
            one_sided: false,
            places,
        });
    }

    /// Adds a plane that does not move, seen from its good side alone.
    pub fn plane(&mut self, name: &str, mesh: Mesh, colour: Colour) {
        self.body(name, mesh, colour, vec![UNMOVED]);
        if let Some(body) = self.bodies.last_mut() {
            body.one_sided = true;
        }
    }

    /// The corners of what is seen at the start.
    fn ends(&self) -> ([f32; 3], [f32; 3]) {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let mut take = |p: [f32; 3]| {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        };
        for body in &self.bodies {
            let Some(mesh) = self.meshes.get(body.mesh) else {
                continue;
            };
            for place in [body.places.first(), body.places.last()]
                .into_iter()
                .flatten()
            {
                mesh.positions.iter().for_each(|p| take(moved(place, *p)));
            }
        }
        self.lines
            .iter()
            .flat_map(|l| &l.points)
            .for_each(|p| take(*p));
        match low[0] <= high[0] {
            true => (low, high),
            false => ([-1.0; 3], [1.0; 3]),
        }
    }

    /// What the script of the page reads.
    ///
    /// # Errors
    /// None that a view could have.
    pub fn json(&self) -> Result<String> {
        let (low, high) = self.ends();
        let eye = self
            .eye
            .unwrap_or((-60f64.to_radians(), 24f64.to_radians()));
        let mesh = |m: &Mesh| {
            json!({
                "positions": floats(m.positions.as_flattened()),
                "triangles": indices(m.triangles.as_flattened()),
                "edges": indices(m.edges.as_flattened()),
                "colours": (!m.colours.is_empty()).then(|| BASE64_STANDARD.encode(m.colours.as_flattened())),
            })
        };
        let body = |b: &Body| {
            json!({
                "name": b.name, "mesh": b.mesh, "colour": rgb(b.colour), "alpha": b.alpha, "one_sided": b.one_sided,
                "poses": floats(b.places.as_flattened()),
            })
        };
        let line = |l: &Line| {
            json!({
                "name": l.name, "points": floats(l.points.as_flattened()), "size": l.size,
                "colours": BASE64_STANDARD.encode(l.colours.as_flattened()), "times": floats(&l.times),
            })
        };
        let history = |h: &History| {
            let (times, values): (Vec<f32>, Vec<f32>) = h.points.iter().copied().unzip();
            json!({"axis": h.axis, "times": floats(&times), "values": floats(&values), "colour": rgb(h.colour)})
        };
        let photo = |p: &Photo| json!({"mesh": p.mesh, "address": p.address, "corners": p.corners.as_flattened()});
        let legend =
            |(colour, words): &(Colour, String)| json!({"colour": rgb(*colour), "words": words});
        let arrow = |(from, to): &([f32; 3], [f32; 3])| json!({"from": from, "to": to});
        let list = |values: Vec<Value>| Value::Array(values);
        serde_json::to_string(&json!({
            "words": self.words, "low": low, "high": high, "north": self.north, "eye": [eye.0, eye.1], "times": floats(&self.times),
            "meshes": list(self.meshes.iter().map(mesh).collect()),
            "bodies": list(self.bodies.iter().map(body).collect()),
            "lines": list(self.lines.iter().map(line).collect()),
            "arrows": list(self.arrows.iter().map(arrow).collect()),
            "histories": list(self.histories.iter().map(history).collect()),
            "photo": self.photo.as_ref().map(photo),
            "legend": list(self.legend.iter().map(legend).collect()),
        })).outside()
    }
}

/// A point of a body at a place.
fn moved(place: &Place, p: [f32; 3]) -> [f32; 3] {
    let [x, y, z, qx, qy, qz, qw] = *place;
    let q = glam::DQuat::from_xyzw(qx.into(), qy.into(), qz.into(), qw.into());
    let at = q * glam::DVec3::new(p[0].into(), p[1].into(), p[2].into());
    [at.x as f32 + x, at.y as f32 + y, at.z as f32 + z]
}

/// A pose as a place, from an origin.
#[must_use]
pub fn place(position: glam::DVec3, q: glam::DQuat) -> Place {
    let p = position;
    [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|x| x as f32)
}

fn rgb(c: Colour) -> [u8; 3] {
    [c.0, c.1, c.2]
}

fn floats(values: &[f32]) -> String {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    BASE64_STANDARD.encode(bytes)
}

fn indices(values: &[u32]) -> String {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    BASE64_STANDARD.encode(bytes)
}
