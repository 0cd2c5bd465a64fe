//! GeoPackage: the features of a layer with their attributes (OGC 12-128r19). The database is read by SQLite itself.

use super::layers::of_layers;
use crate::command::Command;
use crate::refusal::{Context as _, Kind, Refusal, Result, bail, ensure, refusal};
use geojson::{GeometryValue, Position};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use serde_json::{Map, Value};

use crate::crs::Crs;
use crate::shapes::Shapes;
use crate::shapes::geojson::{has_height, take};

/// Geometries within geometries: a collection of multiple polygons takes three.
const DEEPEST: usize = 8;

/// Reads every geometry of the one layer of features that has rows.
///
/// # Errors
/// What is no GeoPackage; none or several layers, by name; a geometry that cannot be read, with its feature; a CRS that
/// is not known.
pub fn read(bytes: &[u8]) -> Result<Shapes> {
    ensure!(
        bytes.starts_with(b"SQLite format 3\0") && bytes.len() >= 100,
        Syntax,
        "not a GeoPackage, which is a database of SQLite"
    );
    let database = open(bytes).context("GeoPackage")?;
    let layer = layer(&database).context("GeoPackage")?;
    let said = || format!("GeoPackage: layer '{}'", crate::text::excerpt(&layer.table));
    let crs = crs(&database, layer.srs).with_context(said)?;
    let mut list = Vec::new();
    let names = columns(&database, &layer.table).with_context(said)?;
    let list_of_names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
    let query = format!(
        "SELECT {} FROM {}",
        list_of_names.join(", "),
        quoted(&layer.table)
    );
    let mut statement = database.prepare(&query).with_context(said)?;
    let mut rows = statement.query([]).with_context(said)?;
    let (mut number, mut empty, mut heights) = (0, 0, false);
    while let Some(row) = rows.next().with_context(said)? {
        number += 1;
        let feature = Feature::of(row, &names, &layer.geometry, number).with_context(said)?;
        let Some(blob) = feature.geometry else {
            empty += 1;
            continue;
        };
        let before = list.len();
        geometry(&blob)
            .and_then(|value| {
                heights |= has_height(&value);
                take(&value, &feature.properties, &feature.name, &mut list)
            })
            .with_context(|| format!("{}: {}", said(), feature.name))?;
        empty += usize::from(list.len() == before);
    }
    ensure!(!list.is_empty(), Missing, "{}: no geometry", said(); "one or more");
    Ok(Shapes {
        list,
        crs,
        heights,
        cautions: Shapes::without_geometry(empty).into_iter().collect(),
    })
}

/// The database in memory. Pages that a writer left in a log of its own are not among the bytes.
fn open(bytes: &[u8]) -> Result<Connection> {
    let mut bytes = bytes.to_vec();
    // "Write-ahead log" as the way of writing asks for files beside the database, which has none in memory.
    for version in bytes.iter_mut().skip(18).take(2) {
        *version = 1;
    }
    let mut database = Connection::open_in_memory()?;
    database.deserialize_read_exact("main", bytes.as_slice(), bytes.len(), true)?;
    // What a file says is data: its views and defaults call no functions.
    database.pragma_update(None, "trusted_schema", false)?;
    Ok(database)
}

/// A table of features.
struct Layer {
    table: String,
    geometry: String,
    srs: i64,
}

fn layer(database: &Connection) -> Result<Layer> {
    let mut statement = database.prepare(
        "SELECT c.table_name, g.column_name, g.srs_id FROM gpkg_contents c JOIN gpkg_geometry_columns g \
         ON lower(c.table_name) = lower(g.table_name) WHERE c.data_type = 'features' ORDER BY c.table_name",
    )?;
    let all = statement.query_map([], |row| {
        Ok(Layer {
            table: row.get(0)?,
            geometry: row.get(1)?,
            srs: row.get(2)?,
        })
    })?;
    let mut filled = Vec::new();
    for layer in all {
        let layer = layer?;
        let kind = "SELECT type FROM sqlite_master WHERE lower(name) = lower(?1)";
        let kind: String = database
            .query_row(kind, [&layer.table], |row| row.get(0))
            .with_context(|| format!("layer '{}'", crate::text::excerpt(&layer.table)))?;
        let command = Command::new("ogr2ogr {out}.gpkg {in}.gpkg").word(&layer.table);
        let name = crate::text::excerpt(&layer.table);
        ensure!(kind == "table", Unsupported, "layer '{name}' is a {kind}"; "a table" => command);
        let any = format!("SELECT EXISTS (SELECT 1 FROM {})", quoted(&layer.table));
        if database.query_row(&any, [], |row| row.get::<_, bool>(0))? {
            filled.push(layer);
        }
    }
    match <[Layer; 1]>::try_from(filled) {
        Ok([one]) => Ok(one),
        Err(none) if none.is_empty() => bail!(Missing, "no layer of features with rows"; "one"),
        Err(several) => {
            let tables: Vec<String> = several.into_iter().map(|l| l.table).collect();
            let names: Vec<String> = tables.iter().map(|t| crate::text::excerpt(t)).collect();
            let found = format!("{} layers ({})", names.len(), names.join(", "));
            let accepted = "one; name in the key the file of the layer that is meant";
            let command = of_layers(&tables, |name, part| {
                let of = Command::new("ogr2ogr").beside(part, "gpkg");
                of.words("{in}.gpkg").word(name)
            });
            let refusal = Refusal::new(Kind::Several, found).accepting(accepted);
            Err(match command {
                Some(command) => refusal.cured_by(command),
                None => refusal,
            })
        }
    }
}

/// The CRS of a layer; none where the file says that it is undefined.
fn crs(database: &Connection, srs: i64) -> Result<Option<Crs>> {
    ensure!(srs != 0, Crs, "the CRS is an undefined one in degrees"; "a CRS with a name");
    if srs == -1 {
        return Ok(None);
    }
    let query = "SELECT organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?1";
    let (organization, code, definition): (String, i64, String) = database
        .query_row(query, [srs], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .with_context(|| format!("srs_id {srs} has no row in gpkg_spatial_ref_sys"))?;
    let text = match organization.eq_ignore_ascii_case("epsg") {
        true => format!("EPSG:{code}"),
        false => definition,
    };
    Crs::parse(&text)
        .with_context(|| format!("srs_id {srs}"))
        .map(Some)
}

/// A name as SQL quotes it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The columns of a table, generated ones too. Asked as values: the library that reads them for a statement panics at a
/// name that is not UTF-8.
fn columns(database: &Connection, table: &str) -> Result<Vec<String>> {
    let mut statement = database
        .prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid")?;
    let names = statement.query_map([table], |row| row.get(0))?;
    let names: Vec<String> = names.collect::<rusqlite::Result<_>>()?;
    ensure!(!names.is_empty(), Missing, "no columns"; "one of geometries");
    Ok(names)
}

/// A row of a layer.
struct Feature {
    properties: Map<String, Value>,
    geometry: Option<Vec<u8>>,
    name: String,
}

impl Feature {
    fn of(row: &Row, names: &[String], geometry: &str, number: usize) -> Result<Self> {
        let (mut properties, mut blob) = (Map::new(), None);
        for (k, name) in names.iter().enumerate() {
            let value = match row.get_ref(k)? {
                ValueRef::Blob(bytes) if name.eq_ignore_ascii_case(geometry) => {
                    blob = Some(bytes.to_vec());
                    continue;
                }
                // Pictures and the like are no attributes that a key is read from.
                ValueRef::Blob(_) => continue,
                ValueRef::Null => Value::Null,
                ValueRef::Integer(n) => n.into(),
                ValueRef::Real(x) => x.into(),
                ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
            };
            properties.insert(name.clone(), value);
        }
        let named = properties
            .iter()
            .find(|(k, _)| k.eq_ignore_ascii_case("name"));
        let name = match named {
            Some((_, Value::String(s))) if !s.is_empty() => {
                format!("feature {number} ('{}')", crate::text::excerpt(s))
            }
            _ => format!("feature {number}"),
        };
        Ok(Self {
            properties,
            geometry: blob,
            name,
        })
    }
}

/// The geometry of a blob: a header of the GeoPackage, then well-known binary. An empty one has no parts.
fn geometry(blob: &[u8]) -> Result<GeometryValue> {
    let [b'G', b'P', _, flags, ..] = *blob else {
        bail!(Missing, "its geometry is no blob of a GeoPackage");
    };
    ensure!(flags & 0b10_0000 == 0, Unsupported, "its geometry is of an extended type"; "points, lines and polygons");
    let envelope = match flags >> 1 & 0b111 {
        0 => 0,
        1 => 32,
        2 | 3 => 48,
        4 => 64,
        other => bail!(Unsupported, "its geometry has an envelope of kind {other}"; "0 to 4"),
    };
    if flags & 0b1_0000 != 0 {
        return Ok(GeometryValue::GeometryCollection {
            geometries: Vec::new(),
        });
    }
    let mut reader = Binary {
        rest: blob
            .get(8 + envelope..)
            .ok_or_else(|| refusal!(Truncated, "its geometry breaks off"))?,
    };
    reader.geometry(0)
}

/// Well-known binary (ISO 13249-3, and the flags that PostGIS sets for the third and fourth number).
struct Binary<'a> {
    rest: &'a [u8],
}

/// How numbers of a geometry are written.
#[derive(Clone, Copy)]
struct Form {
    little: bool,
    /// Numbers of a position.
    numbers: usize,
}

impl Binary<'_> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (bytes, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or_else(|| refusal!(Truncated, "its geometry breaks off"))?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn word(&mut self, little: bool) -> Result<u32> {
        let bytes = self.bytes()?;
        Ok(if little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    /// A count of things that take so many bytes each at least.
    fn count(&mut self, form: Form, bytes: usize) -> Result<usize> {
        let count = self.word(form.little)? as usize;
        ensure!(
            count <= self.rest.len() / bytes,
            Truncated,
            "its geometry breaks off"
        );
        Ok(count)
    }

    fn position(&mut self, form: Form) -> Result<Position> {
        let mut numbers = Vec::with_capacity(form.numbers);
        for _ in 0..form.numbers {
            let bytes = self.bytes()?;
            numbers.push(if form.little {
                f64::from_le_bytes(bytes)
            } else {
                f64::from_be_bytes(bytes)
            });
        }
        Ok(numbers.into())
    }

    fn line(&mut self, form: Form) -> Result<Vec<Position>> {
        let count = self.count(form, 8 * form.numbers)?;
        (0..count).map(|_| self.position(form)).collect()
    }

    fn polygon(&mut self, form: Form) -> Result<Vec<Vec<Position>>> {
        let count = self.count(form, 4)?;
        (0..count).map(|_| self.line(form)).collect()
    }

    fn geometry(&mut self, depth: usize) -> Result<GeometryValue> {
        ensure!(depth < DEEPEST, Unsupported, "its geometry holds others {DEEPEST} deep"; "less");
        let little = match self.bytes()? {
            [0] => false,
            [1] => true,
            [other] => bail!(Unsupported, "its geometry has a byte order {other}"; "0, 1"),
        };
        let word = self.word(little)?;
        let flagged = usize::from(word & 0x8000_0000 != 0) + usize::from(word & 0x4000_0000 != 0);
        if word & 0x2000_0000 != 0 {
            self.word(little)?;
        }
        let kind = word & 0x1fff_ffff;
        let more = match kind / 1000 {
            0 => flagged,
            1 | 2 => 1,
            3 => 2,
            _ => bail!(Unsupported, "its geometry is of type {kind}"; "points, lines and polygons"),
        };
        let form = Form {
            little,
            numbers: 2 + more,
        };
        Ok(match kind % 1000 {
            1 => GeometryValue::Point {
                coordinates: self.position(form)?,
            },
            2 => GeometryValue::LineString {
                coordinates: self.line(form)?,
            },
            3 => GeometryValue::Polygon {
                coordinates: self.polygon(form)?,
            },
            4..=7 => {
                let count = self.count(form, 9)?;
                let geometries = (0..count)
                    .map(|_| self.geometry(depth + 1).map(Into::into))
                    .collect::<Result<_>>()?;
                GeometryValue::GeometryCollection { geometries }
            }
            _ => {
                bail!(
                    Unsupported, "its geometry is of type {kind} (a curve or surface)"; "points, lines and polygons"
                    => Command::new("ogr2ogr -nlt CONVERT_TO_LINEAR {out}.gpkg {in}.gpkg")
                )
            }
        })
    }
}
