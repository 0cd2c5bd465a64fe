//! Points in columns: x and y by the names that people give them, every other column an attribute.

use crate::refusal::{Context as _, Result, bail, ensure, refusal};
use glam::DVec2;
use serde_json::Value;

use crate::crs::{Crs, WGS84};
use crate::shapes::{Form, Shape, Shapes};
use crate::table::sheet::Sheet;

/// Names of the two columns of coordinates as [`plain`] makes them, and whether they are degrees.
const PAIRS: [(&str, &str, bool); 22] = [
    ("x", "y", false),
    ("easting", "northing", false),
    ("eastings", "northings", false),
    ("east", "north", false),
    ("e", "n", false),
    ("rechtswert", "hochwert", false),
    ("ostwert", "nordwert", false),
    ("este", "norte", false),
    // ArcGIS, QGIS and other programs for maps.
    ("pointx", "pointy", false),
    ("xcoord", "ycoord", false),
    ("coordx", "coordy", false),
    ("xcoordinate", "ycoordinate", false),
    ("utme", "utmn", false),
    ("utmx", "utmy", false),
    ("utmeast", "utmnorth", false),
    ("utmeasting", "utmnorthing", false),
    ("eutm", "nutm", false),
    ("xutm", "yutm", false),
    ("lon", "lat", true),
    ("long", "lat", true),
    ("lng", "lat", true),
    ("longitude", "latitude", true),
];

/// Names of a column of heights, in small letters.
const HEIGHTS: [&str; 12] = [
    "z",
    "z_m",
    "h",
    "h_m",
    "elevation",
    "elev",
    "height",
    "altitude",
    "hoehe",
    "point_z",
    "zcoord",
    "z_coord",
];

/// The name of a column in small letters without its unit and without what parts its words: "X [m]", "x_m" and "X" are
/// "x", "POINT_X" is "pointx", "lon_deg" is "lon". Degrees are no unit of other names: "x_deg" stays "xdeg".
fn plain(name: &str) -> String {
    let name = name.to_lowercase();
    let metres = ["_m", "[m]", "(m)"];
    let bare = metres.iter().find_map(|unit| name.strip_suffix(unit));
    let letters = |name: &str| -> String {
        let parts = |c: &char| c.is_whitespace() || "_-.".contains(*c);
        name.chars().filter(|c| !parts(c)).collect()
    };
    match name.strip_suffix("_deg") {
        Some(angle) if ["lon", "lat"].contains(&angle) => angle.to_owned(),
        _ => letters(bare.unwrap_or(&name)),
    }
}

/// Reads a table with a header; commas, semicolons, tabs or spaces between its cells.
///
/// # Errors
/// A table without columns of coordinates, a coordinate that is no finite number, with its row.
pub fn read(bytes: &[u8]) -> Result<Shapes> {
    read_points(bytes).context("points")
}

fn read_points(bytes: &[u8]) -> Result<Shapes> {
    let text = crate::text::ascii(bytes)?;
    let sheet = Sheet::read(&text, true);
    let sheet = sheet.ok_or_else(|| refusal!(Missing, "no header"))?;
    let columns = Columns::of(&sheet.names)?;
    if let Some(line) = sheet.uneven().next() {
        let (row, count) = (line.row, line.cells.len());
        bail!(Syntax, "row {row}: {count} cells"; "{}, as in the header", sheet.names.len());
    }
    ensure!(!sheet.rows.is_empty(), Missing, "no rows"; "one or more");
    let shapes = sheet
        .rows
        .iter()
        .map(|line| columns.shape(&line.cells, format!("row {}", line.row)));
    let crs = columns.degrees.then(|| Crs::from_epsg(WGS84)).transpose()?;
    Ok(Shapes {
        list: shapes.collect::<Result<_>>()?,
        crs,
        heights: columns.heights,
        ..Shapes::default()
    })
}

/// What the columns of a table are.
struct Columns {
    names: Vec<String>,
    x: usize,
    y: usize,
    degrees: bool,
    heights: bool,
}

impl Columns {
    fn of(names: &[String]) -> Result<Self> {
        let names = names.to_vec();
        let plain: Vec<String> = names.iter().map(|name| plain(name)).collect();
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        // Names as they stand come first, those with a unit before others: "x_m" beside an "x" of something else.
        let exact = |wanted: &str| lower.iter().position(|name| name == wanted);
        let near = |wanted: &str| plain.iter().position(|name| name == wanted);
        let pair = |&(x, y, degrees): &(&str, &str, bool)| {
            let in_metres = exact(&format!("{x}_m")).zip(exact(&format!("{y}_m")));
            let found = in_metres.or_else(|| exact(x).zip(exact(y)));
            let (x, y) = found.or_else(|| near(x).zip(near(y)))?;
            Some((x, y, degrees))
        };
        let Some((x, y, degrees)) = PAIRS.iter().find_map(pair) else {
            bail!(
                Missing, "columns {}", names.join(", ");
                "x_m and y_m (or x and y, easting and northing, POINT_X and POINT_Y, UTM_E and UTM_N, lon and lat)"
            );
        };
        for k in [x, y] {
            let several = lower.iter().filter(|n| **n == lower[k]).count();
            ensure!(several == 1, Several, "{several} columns are called {}", names[k]; "one");
        }
        let heights = lower.iter().any(|name| HEIGHTS.contains(&name.as_str()));
        Ok(Self {
            names,
            x,
            y,
            degrees,
            heights,
        })
    }

    fn shape(&self, row: &[String], name: String) -> Result<Shape> {
        let cell = |k: usize| row.get(k).map_or("", String::as_str);
        let coordinate = |k: usize| {
            let value = cell(k).parse::<f64>().ok().filter(|v| v.is_finite());
            value.ok_or_else(|| refusal!(
                Value, "{name}, {}: '{}'", self.names[k], cell(k); "a finite number with a point before decimals"
            ))
        };
        let at = DVec2::new(coordinate(self.x)?, coordinate(self.y)?);
        let others = self.names.iter().enumerate();
        let others = others.filter(|(k, _)| ![self.x, self.y].contains(k));
        let properties = others.map(|(k, name)| (name.clone(), Value::from(cell(k))));
        Ok(Shape {
            form: Form::Point(at),
            properties: properties.collect(),
            name,
        })
    }
}
