use crate::{Axis, Colour, Drawing, PlotError, Shape};

/// A polygon in space, counter-clockwise seen from outside, with its colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Corners.
    pub corners: Vec<[f64; 3]>,
    /// Colour in full light.
    pub colour: Colour,
}

/// Solids seen from afar: a parallel projection with shaded faces, far ones drawn first.
///
/// Faces that look away are left out; right for convex bodies that do not pass through one another,
/// and a fair picture of others.
#[derive(Debug, Clone, PartialEq)]
pub struct Solids {
    /// Title above the picture.
    pub title: String,
    /// The faces of all bodies.
    pub faces: Vec<Face>,
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
            eye: (-60f64.to_radians(), 25f64.to_radians()),
            size: (720, 480),
        }
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
        let mut seen: Vec<_> = self
            .faces
            .iter()
            .filter_map(|face| {
                let normal = unit(area(&face.corners));
                (dot(normal, eye) > 1e-9).then(|| {
                    let depth = face.corners.iter().map(|&c| dot(c, eye)).sum::<f64>()
                        / face.corners.len() as f64;
                    (depth, shade(face.colour, dot(normal, light)), face)
                })
            })
            .collect();
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut drawing = Drawing::new(&self.title, Axis::new("[m]"), Axis::new("[m]"));
        drawing.size = self.size;
        for (_, colour, face) in seen {
            let flat = face.corners.iter().map(|&c| (dot(c, right), dot(c, up)));
            drawing.shapes.push(Shape::Polygon(flat.collect(), colour));
        }
        drawing.svg()
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
        assert_eq!(solids.svg().unwrap().matches("<polygon").count(), 1);
    }
}
