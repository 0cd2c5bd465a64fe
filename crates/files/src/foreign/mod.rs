//! Files of formats that are not read where they are given, in one table: how each is known, what it is, what to do.

mod formats;

use crate::command::{Command, split};
use crate::mesh::stl;
use crate::refusal::{Refusal, Result, bail, refusal};
use crate::shapes::layers;
use crate::text::{ascii, excerpt};
use formats::Family::{Cloud, Motion, NoData, Packed, Raster, Shapes, Sheet, Solid};
pub use formats::KEYS;
use formats::{FORMATS, Family, Format, OBSPY};

/// What a file is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A raster.
    Raster,
    /// A mesh of triangles.
    Mesh,
    /// Points, lines and areas.
    Shapes,
    /// A table.
    Table,
    /// A record of accelerations.
    Record,
}

impl Format {
    /// Whether the beginning of a file is that of the format.
    fn begins(&self, head: &Head, wanted: Wanted) -> bool {
        // A title of a record may begin with any words, and so with those of other texts.
        let asked = match self.0 {
            Motion => wanted == Wanted::Record,
            NoData | Packed(_) => true,
            _ => wanted != Wanted::Record,
        };
        let first = |first: &&[u8]| {
            let start = if matches!(self.0, Packed(_)) {
                head.bytes
            } else {
                head.start
            };
            let letters = first.is_ascii() && matches!(self.0, NoData | Motion | Raster);
            let head = start.get(..first.len());
            head.is_some_and(|h| h == *first || letters && h.eq_ignore_ascii_case(first))
        };
        let all = !self.3.is_empty() && !self.4.is_empty() && self.0 == Motion;
        let (first, word) = (
            self.3.iter().any(first),
            self.4.iter().any(|word| head.text.contains(word)),
        );
        // A header of text may speak of anything; these formats begin so.
        let word = word && (self.0 == Motion || head.marked());
        asked && if all { first && word } else { first || word }
    }
}

/// The beginning of a file.
struct Head<'a> {
    bytes: &'a [u8],
    /// Behind a mark of byte order and blanks.
    start: &'a [u8],
    /// In small letters.
    text: String,
}

impl<'a> Head<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let head = &bytes[..bytes.len().min(4096)];
        let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        Self {
            bytes,
            start: start.trim_ascii_start(),
            text: ascii(head).unwrap_or_default().to_lowercase(),
        }
    }

    fn marked(&self) -> bool {
        self.start.starts_with(b"<")
            || self.start.starts_with(b"{")
            || self.start.starts_with(b"ISO-10303-21")
    }
}

/// The format of a file by its content, else by its ending.
fn known(wanted: Wanted, ending: &str, bytes: &[u8]) -> Option<&'static Format> {
    let head = Head::of(bytes);
    let by_ending = || FORMATS.iter().find(|f| f.5.contains(&ending));
    match FORMATS.iter().find(|f| f.begins(&head, wanted)) {
        // A spreadsheet, a KMZ and a 3MF are archives of their own.
        Some(packed @ Format(Packed(_), ..)) => Some(match by_ending() {
            Some(own) if !matches!(own.0, Raster | Cloud | NoData) => own,
            _ => packed,
        }),
        Some(found) => Some(found),
        None => by_ending(),
    }
}

/// Refuses what holds no data or is packed, wherever it is given, and what is of another format than the one that is
/// wanted; `file` is its name, or as much of it as is known.
///
/// # Errors
/// What it is, what is accepted in its place, and the command that makes that.
pub fn refuse(wanted: Wanted, file: &str, bytes: &[u8]) -> Result<()> {
    let (_, ending) = split(file);
    let ending = ending.to_lowercase();
    if bytes.len() <= 4096 && Head::of(bytes).start.is_empty() {
        bail!(NoData, "an empty file"; "a file with data");
    }
    let found = known(wanted, &ending, bytes);
    let Some(Format(family, what, way, ..)) = found else {
        return Ok(());
    };
    match family {
        NoData => bail!(NoData, "{what}"; "{way}"),
        Packed(program) => return refuse_packed(wanted, what, program, &ending, bytes),
        _ => {}
    }
    match wanted {
        Wanted::Mesh => refuse_mesh(*family, what, way, &ending, bytes),
        Wanted::Raster => refuse_raster(*family, what, way, file, bytes),
        Wanted::Shapes => refuse_shapes(*family, &ending, file, bytes),
        Wanted::Record if *family == Motion => {
            let accepted = if way.is_empty() {
                crate::record::refused::ACCEPTED
            } else {
                way
            };
            bail!(Foreign, "this seems to be {what}"; "{accepted}")
        }
        Wanted::Table | Wanted::Record => Ok(()),
    }
}

fn refuse_packed(
    wanted: Wanted,
    by: &str,
    program: &str,
    ending: &str,
    bytes: &[u8],
) -> Result<()> {
    // A workbook is an archive of its sheets.
    let table = ["csv", "txt", "xyz"].contains(&ending)
        || [Wanted::Table, Wanted::Record].contains(&wanted);
    if by == "zip" && table {
        bail!(Packed, "a workbook of a spreadsheet, or another file packed by zip"; "a table or points in columns \
            (.csv), as \
             spreadsheets save a sheet");
    }
    let own = FORMATS.iter().any(|f| f.1 == by && f.5.contains(&ending));
    let streams = ["gunzip", "bunzip2", "unxz", "unzstd"].contains(&program);
    let plain = !ending.is_empty() && ending.bytes().all(|b| b.is_ascii_alphanumeric());
    let command = match streams && !own {
        // These programs ask for their own ending.
        true => {
            let ending = if plain { ending } else { "dat" };
            Command::new(&format!("{program} < {{in}}.{ending} > {{out}}.{ending}"))
        }
        false => {
            let keep = if streams && program != "unzstd" {
                " -k"
            } else {
                ""
            };
            Command::new(&format!("{program}{keep} {{in}}.{ending}"))
        }
    };
    let holds = first_of_zip(bytes).map_or(String::new(), |name| format!(" that holds {name}"));
    bail!(Packed, "a file packed by {by}{holds}"; "the file in it" => command.noted(" unpacks it"))
}

/// The name of the first file of a zip archive.
fn first_of_zip(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(b"PK\x03\x04") {
        return None;
    }
    let length = u16::from_le_bytes(bytes.get(26..28)?.try_into().ok()?);
    let name = bytes.get(30..30 + usize::from(length))?;
    Some(excerpt(&String::from_utf8_lossy(name)))
}

const MESHES: &str = ".stl, .obj, .ply, in metres and with z upwards";

fn refuse_mesh(family: Family, what: &str, way: &str, ending: &str, bytes: &[u8]) -> Result<()> {
    // The first 80 bytes of a binary STL are free.
    if ending == "stl" && stl::is_exact(bytes) {
        return Ok(());
    }
    let way = match family {
        Raster => "in a scene the key `raster` of the terrain takes it",
        Shapes => "the program that wrote them makes a mesh of them",
        _ => way,
    };
    match way {
        "" => bail!(Foreign, "'.{ending}' ({what})"; "{MESHES}"),
        way => bail!(Foreign, "'.{ending}' ({what}: {way})"; "{MESHES}"),
    }
}

/// What is accepted as a raster.
pub const RASTERS: &str = "an ESRI ASCII grid (.asc), GeoTIFF (.tif)";
const MESH_KEY: &str =
    "in a scene the key `mesh` of the terrain takes a mesh (.stl, .obj, .ply) in place of `raster`";

/// The command by which GDAL makes a GeoTIFF of what it opens by a name.
pub fn translated(source: &str, file: &str) -> Command {
    let command = Command::new("gdal_translate");
    command.word(source).word(format!("{}.tif", split(file).0))
}

fn refuse_raster(family: Family, what: &str, way: &str, file: &str, bytes: &[u8]) -> Result<()> {
    let (stem, ending) = split(file);
    let grid = ["asc", "txt", "grd", "agr", ""].contains(&ending.to_lowercase().as_str());
    let plain = Head::of(bytes);
    // What is read as one, or is told by its content alone.
    match family {
        Raster if what == "a raster" => Ok(()),
        // GDAL takes an HDF5 file for netCDF 4 by its ending or where it is told so.
        Raster if what.starts_with("an HDF5") => {
            bail!(Foreign, "{what}"; "{RASTERS}" => translated(&format!("NETCDF:{file}"), file))
        }
        Raster
            if FORMATS
                .iter()
                .any(|f| f.1 == what && f.begins(&plain, Wanted::Raster)) =>
        {
            bail!(Foreign, "{what}"; "{RASTERS}" => translated(file, file))
        }
        Cloud if bytes.starts_with(b"LASF") => {
            let command = Command::new("klast convert --cell 1")
                .word(file)
                .word(format!("{stem}.tif"));
            bail!(Foreign, "a point cloud"; "a raster" => command)
        }
        Shapes if bytes.starts_with(b"SQLite") => {
            bail!(Foreign, "{what}"; "{RASTERS}" => translated(file, file))
        }
        Solid if !grid => {
            bail!(Foreign, "'.{ending}' ({what}: {way})"; "{RASTERS}; {MESH_KEY}")
        }
        Shapes | Cloud if !grid && !["xyz", "pts"].contains(&ending) => bail!(
            Foreign, "'.{ending}' holds points, lines or areas"; "{RASTERS} (of points or contours with heights QGIS \
                makes a \
             raster, with 'TIN interpolation')"
        ),
        _ => Ok(()),
    }
}

/// What is accepted as shapes.
pub const SHAPES: &str = "GeoJSON, shapefile (.shp), points in columns (.csv)";

fn refuse_shapes(family: Family, ending: &str, file: &str, bytes: &[u8]) -> Result<()> {
    let read = ["shp", "csv", "txt", "xyz", "json", "geojson"].contains(&ending);
    let drawn = ["dxf", "gml", "dgn"].contains(&ending);
    match family {
        Sheet if !read => bail!(
            Foreign, "'.{ending}' is not read"; "points in columns (.csv), as spreadsheets save a sheet"
        ),
        #[cfg(feature = "geopackage")]
        _ if ending == "gpkg" => Ok(()),
        #[cfg(not(feature = "geopackage"))]
        _ if ending == "gpkg" => bail!(
            Foreign, "'.gpkg' is not read by this build"; "{SHAPES}, or a build with the feature geopackage"
                => layers::command(file, bytes)
        ),
        Shapes if !read => {
            bail!(Foreign, "'.{ending}' is not read"; "{SHAPES}" => layers::command(file, bytes))
        }
        _ if drawn => {
            bail!(Foreign, "'.{ending}' is not read"; "{SHAPES}" => layers::command(file, bytes))
        }
        _ => Ok(()),
    }
}

/// Refuses bytes of a record that are those of no text: archives, pictures, files of programs.
///
/// # Errors
/// What they are.
pub fn refuse_binary_record(bytes: &[u8]) -> Result<()> {
    let head = Head::of(bytes);
    if bytes.trim_ascii().is_empty() {
        bail!(NoData, "an empty file"; "a file with data");
    }
    let binary = |f: &&Format| {
        matches!(f.0, NoData | Packed(_) | Sheet) || f.3.iter().any(|first| !first.is_ascii())
    };
    let found = FORMATS
        .iter()
        .filter(binary)
        .find(|f| f.3.iter().any(|first| head.bytes.starts_with(first)));
    match found {
        Some(Format(Packed(program), by, ..)) => {
            refuse_packed(Wanted::Record, by, program, "", bytes)
        }
        Some(Format(NoData, what, way, ..)) => bail!(NoData, "{what}"; "{way}"),
        Some(Format(Motion, what, way, ..)) => bail!(Foreign, "this seems to be {what}"; "{way}"),
        Some(Format(_, what, ..)) => {
            bail!(Foreign, "{what}"; "{}", crate::record::refused::ACCEPTED)
        }
        None if bytes.get(257..262) == Some(b"ustar") => {
            bail!(Packed, "a tar archive"; "a file in it")
        }
        None => Ok(()),
    }
}

/// What bytes of a record are that are no text and begin as none of a known format.
pub fn binary_record(bytes: &[u8]) -> Refusal {
    // A miniSEED record begins with six digits and a letter of quality.
    let digits = bytes
        .get(..6)
        .is_some_and(|head| head.iter().all(u8::is_ascii_digit));
    let quality = bytes.get(6).is_some_and(|letter| b"DRQM".contains(letter));
    match digits && quality {
        true => refusal!(Foreign, "this seems to be a miniSEED volume, a binary file"; "{OBSPY}"),
        false => refusal!(
            Foreign, "this seems to be a binary file, as SAC or an instrument's own";
            "two columns, time (s) and acceleration, written with the program that reads it (ObsPy reads SAC)"
        ),
    }
}
