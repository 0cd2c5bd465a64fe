//! VTK's XML files: `.vtp` for polygons, points and lines, `.pvd` for a series in time.
//!
//! ASCII with the shortest decimals that read back to the same double, so that a file can be read
//! by eye and compared bit by bit.

use std::fmt::Write as _;

/// Polygons, vertices and lines over one list of points, with values on points and cells.
///
/// Cells are counted in VTK's order: vertices, lines, polygons.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PolyData {
    /// Coordinates in metres.
    pub points: Vec<[f64; 3]>,
    /// Points shown as vertices.
    pub vertices: Vec<usize>,
    /// Polylines as indices of points.
    pub lines: Vec<Vec<usize>>,
    /// Polygons as indices of points, counter-clockwise seen from outside.
    pub polygons: Vec<Vec<usize>>,
    /// Values on points: a name with its unit, 1 or 3 numbers a point.
    pub point_values: Vec<Values>,
    /// Values on cells: a name with its unit, 1 or 3 numbers a cell.
    pub cell_values: Vec<Values>,
}

/// A named field.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// Name with its unit, for example `speed_m_s`.
    pub name: String,
    /// Numbers a point or cell: 1 or 3.
    pub components: usize,
    /// All numbers, one item after another.
    pub numbers: Vec<f64>,
}

impl Values {
    /// A field with so many numbers an item.
    pub fn new(name: &str, components: usize, numbers: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            components,
            numbers,
        }
    }
}

impl PolyData {
    /// Adds a body's corners and facets; returns the number of cells added.
    pub fn add_body(&mut self, corners: &[[f64; 3]], facets: &[Vec<usize>]) -> usize {
        let first = self.points.len();
        self.points.extend_from_slice(corners);
        let shifted = facets.iter().map(|f| f.iter().map(|i| i + first).collect());
        self.polygons.extend(shifted);
        facets.len()
    }

    /// The text of a `.vtp` file.
    #[must_use]
    pub fn vtp(&self) -> String {
        let vertices: Vec<_> = self.vertices.iter().map(|&i| vec![i]).collect();
        let mut text = String::from("<?xml version=\"1.0\"?>\n");
        text.push_str(
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
                header_type=\"UInt64\">\n<PolyData>\n",
        );
        let _ = writeln!(
            text,
            "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" \
                NumberOfPolys=\"{}\">",
            self.points.len(),
            vertices.len(),
            self.lines.len(),
            self.polygons.len()
        );
        text.push_str("<Points>\n");
        let coordinates = self.points.iter().flatten().copied();
        array(&mut text, "Float64", "Points", 3, coordinates);
        text.push_str("</Points>\n");
        cells(&mut text, "Verts", &vertices);
        cells(&mut text, "Lines", &self.lines);
        cells(&mut text, "Polys", &self.polygons);
        values(&mut text, "PointData", &self.point_values);
        values(&mut text, "CellData", &self.cell_values);
        text.push_str("</Piece>\n</PolyData>\n</VTKFile>\n");
        text
    }
}

/// The text of a `.pvd` file: times in seconds and the file of each.
#[must_use]
pub fn pvd(files: &[(f64, String)]) -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    text.push_str(
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (time, file) in files {
        let _ = writeln!(
            text,
            "<DataSet timestep=\"{time}\" part=\"0\" file=\"{}\"/>",
            escape(file)
        );
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

fn cells(text: &mut String, tag: &str, cells: &[Vec<usize>]) {
    let _ = writeln!(text, "<{tag}>");
    array(text, "Int64", "connectivity", 1, cells.iter().flatten());
    let mut end = 0;
    let offsets = cells.iter().map(|c| {
        end += c.len();
        end
    });
    array(text, "Int64", "offsets", 1, offsets);
    let _ = writeln!(text, "</{tag}>");
}

pub(super) fn values(text: &mut String, tag: &str, fields: &[Values]) {
    let _ = writeln!(text, "<{tag}>");
    for field in fields {
        array(
            text,
            "Float64",
            &field.name,
            field.components,
            field.numbers.iter(),
        );
    }
    let _ = writeln!(text, "</{tag}>");
}

/// Numbers in the shortest form that reads back to the same.
pub(super) fn array<T: std::fmt::Debug>(
    text: &mut String,
    kind: &str,
    name: &str,
    components: usize,
    numbers: impl Iterator<Item = T>,
) {
    let name = escape(name);
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">"
    );
    for number in numbers {
        let _ = write!(text, "{number:?} ");
    }
    text.push_str("\n</DataArray>\n");
}

/// Controls have no place in XML (section 2.2 of XML 1.0).
fn escape(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
