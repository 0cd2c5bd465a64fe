//! Points in columns: x and y by the names that people give them, every other column an attribute.

use crate::refusal::{Result, bail, ensure, refusal};
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
    let text = crate::text::ascii(bytes)?;
    let sheet = Sheet::read(&text, true);
    let sheet = sheet.ok_or_else(|| refusal!(Missing, "points: no header"))?;
    let columns = Columns::of(&sheet.names)?;
    if let Some(line) = sheet.uneven().next() {
        let (row, count) = (line.row, line.cells.len());
        bail!(Syntax, "points: row {row}: {count} cells"; "{}, as in the header", sheet.names.len());
    }
    ensure!(!sheet.rows.is_empty(), Missing, "points: no rows"; "one or more");
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
            bail!(Missing, "points: columns {}", names.join(", "); "x_m and y_m (or x and y, easting and northing, POINT_X and POINT_Y, UTM_E and UTM_N, lon and lat)");
        };
        for k in [x, y] {
            let several = lower.iter().filter(|n| **n == lower[k]).count();
            ensure!(several == 1, Several, "points: {several} columns are called {}", names[k]; "one");
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
            value.ok_or_else(|| refusal!(Value, "points: {name}, {}: '{}'", self.names[k], cell(k); "a finite number with a point before decimals"))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As German spreadsheets, ArcGIS and others write them.
    #[test]
    fn decimal_commas_and_names_of_programs_for_maps_are_read() {
        let german = "Name;Rechtswert;Hochwert;volume_m3\na;2600050,0;1200080,0;0,5\nb;2600052,5;1200100,25;\n";
        let shapes = read(german.as_bytes()).unwrap();
        let at = |k: usize| shapes.list[k].form.clone();
        assert_eq!(at(0), Form::Point(DVec2::new(2_600_050.0, 1_200_080.0)));
        assert_eq!(at(1), Form::Point(DVec2::new(2_600_052.5, 1_200_100.25)));
        assert_eq!(shapes.list[0].number(&["volume_m3"]).unwrap(), Some(0.5));
        assert_eq!(shapes.list[0].word(&["name"]).as_deref(), Some("a"));
        for header in [
            "OBJECTID,POINT_X,POINT_Y",
            "id,xcoord,ycoord",
            "id,X_COORD,Y_COORD",
            "id,UTM_E,UTM_N",
            "id,UTM E [m],UTM N [m]",
            "id,UTM_Easting,UTM_Northing",
            "id,Eastings,Northings",
        ] {
            let text = format!("{header}\n1,2600050.5,1200080.5\n");
            let shapes = read(text.as_bytes()).unwrap();
            let right = Form::Point(DVec2::new(2_600_050.5, 1_200_080.5));
            assert_eq!(shapes.list[0].form, right, "{header}");
            assert!(shapes.crs.is_none(), "{header}");
        }
    }

    #[test]
    fn columns_are_found_by_their_names() {
        for text in [
            "name,x_m,y_m,volume_m3\na,1.5,2,0.5\nb,3,4,\n",
            "name;Easting;Northing;volume_m3\r\na;1.5;2;0.5\r\nb;3;4;\r\n",
            "\u{feff}# survey\nx y volume_m3 name\n1.5 2 0.5 a\n",
            "name,X [m],Y (m),volume_m3\na,1.5,2,0.5\n,,,\n",
        ] {
            let shapes = read(text.as_bytes()).unwrap();
            assert_eq!(
                shapes.list[0].form,
                Form::Point(DVec2::new(1.5, 2.0)),
                "{text}"
            );
            assert_eq!(shapes.list[0].number(&["volume_m3"]).unwrap(), Some(0.5));
            assert_eq!(shapes.list[0].word(&["name"]).as_deref(), Some("a"));
            assert!(shapes.crs.is_none());
        }
        // Two namings in a file: the columns are those of one of them.
        let both = read(b"x,lon,lat,northing,easting,id\n7,8,46.5,2,1,007\n").unwrap();
        assert_eq!(both.list[0].form, Form::Point(DVec2::new(1.0, 2.0)));
        assert_eq!(both.list[0].word(&["id"]).as_deref(), Some("007"));
        assert!(both.crs.is_none());
        // The columns of one naming, never one of each.
        for table in ["x,y,x_m,y_m\n8,46.5,1,2\n", "x_m,x,y\n8,1,2\n"] {
            let stated = read(table.as_bytes()).unwrap();
            assert_eq!(stated.list[0].form, Form::Point(DVec2::new(1.0, 2.0)));
        }
        assert!(read(b"x,northing\n1,2\n").is_err());
        assert!(
            read(b"lon,lat\n8,46.5\n")
                .unwrap()
                .crs
                .unwrap()
                .is_degrees()
        );
        for (text, said) in [
            ("a,b\n1,2\n", "columns a, b; accepted: x_m and y_m"),
            ("x;y\n1,500;2\n", "row 1, x: '1,500'"),
            ("x;y\n1,5;2.5\n", "row 1, x: '1,5'"),
            ("x_deg,y_deg\n1,2\n", "columns x_deg, y_deg"),
            ("x_ft,y_ft\n1,2\n", "columns x_ft, y_ft"),
            ("x,y,X\n1,2,3\n", "2 columns are called x"),
            ("x,y\n", "no rows"),
            ("", "no header"),
            ("x,y\n1,inf\n", "row 1, y"),
        ] {
            let error = format!("{:#}", read(text.as_bytes()).unwrap_err());
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
