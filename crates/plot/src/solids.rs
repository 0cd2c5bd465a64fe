use crate::drawing::draw;
use crate::painter::{Side, Sitter, order};
use crate::svg::{Anchor, INK, SMALL, Svg, TITLE};
use crate::{Colour, PlotError, Shape};

/// A polygon in space, counter-clockwise seen from outside, with its colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Corners.
    pub corners: Vec<[f64; 3]>,
    /// Colour in full light.
    pub colour: Colour,
}

/// With more bodies than this the order of two neighbours is a matter of less than a pixel, and would take minutes.
const MOST_IN_ORDER: usize = 5000;

/// Solids seen from afar: a parallel projection with shaded faces, hidden ones drawn first.
///
/// Faces that look away are left out. With `bodies` stated the picture is right for convex bodies that do not pass
/// through one another; without (or with thousands of them), faces are drawn from the farthest to the nearest, a fair
/// picture of bodies of one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Solids {
    /// Title above the picture.
    pub title: String,
    /// The faces of all bodies.
    pub faces: Vec<Face>,
    /// Number of faces of each convex body, in their order (a wall is a body of one face); faces beyond them stand for
    /// themselves.
    pub bodies: Vec<usize>,
    /// Direction to the eye: azimuth from x towards y, and elevation above the x–y plane, in radians.
    pub eye: (f64, f64),
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl Solids {
    /// An empty picture seen from the right front, 30° above the ground.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            faces: Vec::new(),
            bodies: Vec::new(),
            eye: (-60f64.to_radians(), 25f64.to_radians()),
            size: (680, 440),
        }
    }

    /// Adds the faces of one convex body.
    pub fn add(&mut self, faces: impl IntoIterator<Item = Face>) {
        let before = self.faces.len();
        self.faces.extend(faces);
        self.bodies.push(self.faces.len() - before);
    }

    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Empty`] if no face can be seen.
    pub fn svg(&self) -> Result<String, PlotError> {
        let (sa, ca) = self.eye.0.sin_cos();
        let (se, ce) = self.eye.1.sin_cos();
        let (right, up) = ([-sa, ca, 0.0], [-se * ca, -se * sa, ce]);
        let eye = [ce * ca, ce * sa, se];
        // Light from above the eye's left shoulder, so that the three faces of a box differ.
        let light = unit([
            eye[0] - 0.5 * right[0],
            eye[1] - 0.5 * right[1],
            eye[2] + 0.6,
        ]);
        let canvas = Canvas { right, up, eye };
        let bodies = self.groups();
        let sitters: Vec<Sitter> = bodies.iter().map(|faces| canvas.sitter(faces)).collect();
        let mut shapes = Vec::new();
        let mut turns: Vec<usize> = (0..bodies.len()).collect();
        match self.bodies.is_empty() || self.bodies.len() > MOST_IN_ORDER {
            true => turns.sort_by(|&a, &b| sitters[a].depth.total_cmp(&sitters[b].depth)),
            false => turns = order(&sitters, eye),
        }
        for k in turns {
            // Faces of one convex body that look at the eye hide nothing of each other.
            for face in bodies[k] {
                let normal = unit(area(&face.corners));
                if dot(normal, eye) > 1e-9 {
                    let colour = shade(face.colour, dot(normal, light));
                    let flat = face.corners.iter().map(|&c| canvas.place(c).into());
                    shapes.push(Shape::Polygon(flat.collect(), colour));
                }
            }
        }
        self.picture(&canvas, &shapes)
    }

    /// The shapes to one scale, with a bar that measures it and the directions of the three axes.
    fn picture(&self, canvas: &Canvas, shapes: &[Shape]) -> Result<String, PlotError> {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in shapes.iter().flat_map(Shape::points) {
            for (k, v) in [p.0, p.1].into_iter().enumerate() {
                (low[k], high[k]) = (low[k].min(v), high[k].max(v));
            }
        }
        let extent = [high[0] - low[0], high[1] - low[1]];
        if !(extent[0] > 0.0 && extent[1] > 0.0 && extent[0] + extent[1] < 1e300) {
            return Err(PlotError::Empty {
                chart: self.title.clone(),
            });
        }
        let (w, h) = (f64::from(self.size.0), f64::from(self.size.1));
        let (top, foot, margin) = (38.0, 74.0, 14.0);
        let scale = ((w - 2.0 * margin) / extent[0]).min((h - top - foot) / extent[1]);
        let left = 0.5 * (w - scale * extent[0]);
        let place = |p: (f64, f64)| (left + scale * (p.0 - low[0]), top + scale * (high[1] - p.1));
        let mut svg = Svg::default();
        svg.text((0.5 * w, 24.0), Anchor::Middle, TITLE, &self.title);
        for shape in shapes {
            draw(&mut svg, shape, &place);
        }
        canvas.triad(&mut svg, (46.0, h - 34.0));
        crate::scale_bar::draw(&mut svg, (w - 24.0, h - 22.0), 0.3 * w / scale, scale);
        let words = format!("{}: a view in space, to scale", self.title);
        Ok(svg.finish((w, h), &words, ""))
    }

    /// The faces of each body; faces that belong to none, one by one.
    fn groups(&self) -> Vec<&[Face]> {
        let (mut groups, mut rest) = (Vec::new(), self.faces.as_slice());
        for &count in &self.bodies {
            let (body, others) = rest.split_at(count.min(rest.len()));
            groups.push(body);
            rest = others;
        }
        groups.extend(rest.chunks(1));
        groups.retain(|g| !g.is_empty());
        groups
    }
}

/// Axes of the picture in space.
struct Canvas {
    right: [f64; 3],
    up: [f64; 3],
    eye: [f64; 3],
}

impl Canvas {
    fn place(&self, point: [f64; 3]) -> [f64; 2] {
        [dot(point, self.right), dot(point, self.up)]
    }

    /// The directions of x, y and z around a point of the picture.
    fn triad(&self, svg: &mut Svg, at: (f64, f64)) {
        const LONG: f64 = 28.0;
        let arms = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (arm, name) in arms.into_iter().zip(["x", "y", "z"]) {
            let [a, b] = self.place(arm);
            let end = (at.0 + LONG * a, at.1 - LONG * b);
            svg.line(at, end, INK, 1.6);
            // The name beyond the arm; of an arm towards the eye, beside it.
            let far = (at.0 + (LONG + 9.0) * a, at.1 - (LONG + 9.0) * b + 4.0);
            svg.text(far, Anchor::Middle, SMALL, name);
        }
    }

    fn sitter(&self, faces: &[Face]) -> Sitter {
        let corners: Vec<[f64; 3]> = faces
            .iter()
            .flat_map(|f| f.corners.iter().copied())
            .collect();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for place in corners.iter().map(|&c| self.place(c)) {
            for axis in 0..2 {
                low[axis] = low[axis].min(place[axis]);
                high[axis] = high[axis].max(place[axis]);
            }
        }
        let sides = faces.iter().filter_map(|f| {
            let normal = unit(area(&f.corners));
            let level = dot(normal, *f.corners.first()?);
            Some(Side { normal, level })
        });
        Sitter {
            sides: sides.collect(),
            low,
            high,
            depth: corners.iter().map(|&c| dot(c, self.eye)).sum::<f64>() / corners.len() as f64,
            corners,
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = dot(a, a).sqrt();
    a.map(|x| x / length)
}

/// Twice the area vector of a polygon (Newell, 1972).
fn area(corners: &[[f64; 3]]) -> [f64; 3] {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).fold([0.0; 3], |sum, (a, b)| {
        [
            sum[0] + (a[1] - b[1]) * (a[2] + b[2]),
            sum[1] + (a[2] - b[2]) * (a[0] + b[0]),
            sum[2] + (a[0] - b[0]) * (a[1] + b[1]),
        ]
    })
}

fn shade(colour: Colour, light: f64) -> Colour {
    let factor = 0.45 + 0.55 * light.max(0.0);
    let dim = |c: u8| (f64::from(c) * factor) as u8;
    Colour(dim(colour.0), dim(colour.1), dim(colour.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_faces_that_look_at_the_eye_are_drawn() {
        let up = vec![
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [1.0, 1.0, 1.0],
            [0.0, 1.0, 1.0],
        ];
        let down: Vec<_> = up.iter().rev().map(|c| [c[0], c[1], 0.0]).collect();
        let colour = Colour(200, 200, 200);
        let mut solids = Solids::new("plate");
        solids.faces.push(Face {
            corners: down,
            colour,
        });
        assert!(solids.svg().is_err());
        solids.faces.push(Face {
            corners: up,
            colour,
        });
        assert_eq!(solids.svg().unwrap().matches("#3c3c3c").count(), 1);
    }

    /// A box by its corners, faces counter-clockwise from outside.
    fn cuboid(low: [f64; 3], high: [f64; 3], colour: Colour) -> Vec<Face> {
        let corner = |i: usize| {
            let at = |axis: usize| {
                if i >> axis & 1 == 0 {
                    low[axis]
                } else {
                    high[axis]
                }
            };
            [at(0), at(1), at(2)]
        };
        let loops = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let face = |l: [usize; 4]| Face {
            corners: l.map(corner).to_vec(),
            colour,
        };
        loops.map(face).to_vec()
    }

    /// A long plank whose middle is nearer to the eye than that of the block in front of it: the block is painted last.
    #[test]
    fn a_block_before_a_long_plank_hides_it() {
        let (plank, block) = (Colour(200, 0, 0), Colour(0, 0, 200));
        let mut solids = Solids::new("plank and block");
        solids.add(cuboid([0.0, 0.0, 0.0], [100.0, 1.0, 1.0], plank));
        solids.add(cuboid([0.0, -1.5, 0.0], [1.0, -0.5, 1.0], block));
        assert_eq!(solids.bodies, [6, 6]);
        let bodies = solids.groups();
        let (sa, ca) = solids.eye.0.sin_cos();
        let (se, ce) = solids.eye.1.sin_cos();
        let eye = [ce * ca, ce * sa, se];
        let canvas = Canvas {
            right: [-sa, ca, 0.0],
            up: [-se * ca, -se * sa, ce],
            eye,
        };
        let sitters: Vec<Sitter> = bodies.iter().map(|f| canvas.sitter(f)).collect();
        assert!(sitters[0].depth > sitters[1].depth);
        assert_eq!(order(&sitters, eye), [0, 1]);
    }
}
