//! Points in columns: x and y by the names that people give them, every other column an attribute.

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec2;
use serde_json::{Map, Value};

use super::shapes::{Form, Shape, Shapes};
use crate::crs::{Crs, WGS84};

/// Names of the two columns of coordinates, in small letters, and whether they are degrees.
const PAIRS: [(&str, &str, bool); 13] = [
    ("x_m", "y_m", false),
    ("x", "y", false),
    ("easting", "northing", false),
    ("easting_m", "northing_m", false),
    ("east", "north", false),
    ("e", "n", false),
    ("e_m", "n_m", false),
    ("rechtswert", "hochwert", false),
    ("lon", "lat", true),
    ("long", "lat", true),
    ("lng", "lat", true),
    ("longitude", "latitude", true),
    ("lon_deg", "lat_deg", true),
];

/// Reads a table with a header; commas, semicolons, tabs or spaces between its cells.
///
/// # Errors
/// A table without columns of coordinates, a coordinate that is no finite number, with its row.
pub fn read(bytes: &[u8]) -> Result<Shapes> {
    let text = super::text::ascii(bytes)?;
    let lines = super::text::without_sep(&text);
    let lines = lines.lines().filter(|l| !l.trim_start().starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n");
    let header = text
        .lines()
        .find(|l| !l.trim().is_empty())
        .context("points: no header")?;
    let delimiter = [b';', b'\t', b',']
        .into_iter()
        .find(|d| header.contains(char::from(*d)));
    let text = match delimiter {
        Some(_) => text.clone(),
        None => {
            let joined = |l: &str| l.split_whitespace().collect::<Vec<_>>().join(",");
            text.lines().map(joined).collect::<Vec<_>>().join("\n")
        }
    };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    // "X [m]" and "x (m)" are "x".
    let plain = |name: &String| {
        let name = name.to_lowercase();
        let bare = name.strip_suffix("[m]").or(name.strip_suffix("(m)"));
        bare.map_or(name.clone(), |b| b.trim_end().to_owned())
    };
    let plain: Vec<String> = names.iter().map(plain).collect();
    let column = |wanted: &str| plain.iter().position(|n| n == wanted);
    let pair = |&(x, y, degrees): &(&str, &str, bool)| Some((column(x)?, column(y)?, degrees));
    let Some((x, y, degrees)) = PAIRS.iter().find_map(pair) else {
        bail!(
            "points: columns {}; accepted: x_m and y_m (or x and y, easting and northing, lon and lat)",
            names.join(", ")
        );
    };
    for k in [x, y] {
        let several = plain.iter().filter(|n| **n == plain[k]).count();
        ensure!(
            several == 1,
            "points: {several} columns are called {}; accepted: one",
            names[k]
        );
    }
    let mut list = Vec::new();
    for (number, row) in reader.records().enumerate() {
        let place = format!("row {}", number + 1);
        let row = row.with_context(|| format!("points: {place}"))?;
        // Spreadsheets leave rows without content below a table.
        if row.iter().all(str::is_empty) {
            continue;
        }
        let cell = |k: usize| row.get(k).unwrap_or_default();
        let coordinate = |k: usize| {
            let value = cell(k).parse::<f64>().ok().filter(|v| v.is_finite());
            value.with_context(|| {
                format!("points: {place}, {}: '{}'; accepted: a finite number with a point before decimals", names[k], cell(k))
            })
        };
        let at = DVec2::new(coordinate(x)?, coordinate(y)?);
        let mut properties = Map::new();
        for (k, name) in names.iter().enumerate().filter(|(k, _)| *k != x && *k != y) {
            properties.insert(name.clone(), Value::from(cell(k)));
        }
        list.push(Shape {
            form: Form::Point(at),
            properties,
            name: place,
        });
    }
    ensure!(!list.is_empty(), "points: no rows; accepted: one or more");
    let crs = degrees.then(|| Crs::from_epsg(WGS84)).transpose()?;
    const HEIGHTS: [&str; 9] = [
        "z",
        "z_m",
        "h",
        "h_m",
        "elevation",
        "elev",
        "height",
        "altitude",
        "hoehe",
    ];
    Ok(Shapes {
        list,
        crs,
        heights: plain.iter().any(|name| HEIGHTS.contains(&name.as_str())),
        ..Shapes::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("x;y\n1,5;2\n", "row 1, x: '1,5'"),
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
