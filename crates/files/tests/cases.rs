//! Files as programs write them, each beside what is read of it or the kind of its refusal:
//! `tests/files/READER/*.cases`.
//!
//! A case begins with `== NAME`, perhaps with ` | KEY=VALUE; …` (a file of the folder, what is known beside it), goes
//! on with the text of the file, and ends with `-- ANSWER`: what is read, or `refused KIND` with the line of it and the
//! program of its remedy if there are any. In a text `\xHH` is a byte, `\\` a backslash, and `\` at the end of a line
//! leaves its end out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use klast_files::Refusal;
use klast_files::by_ending::{ending, mesh_from, raster};
use klast_files::crs::Crs;
use klast_files::raster::{Beside, Raster};
use klast_files::record::{ReadOptions, RecordComponent, RecordFile};
use klast_files::shapes::{Form, Shapes};
use klast_files::table;
use klast_ground_motion::AccelerationUnit;

/// A file and what is right.
pub struct Case {
    place: String,
    folder: PathBuf,
    keys: BTreeMap<String, String>,
    pub bytes: Vec<u8>,
    right: String,
}

impl Case {
    fn key(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }

    /// The name of the file, of which the ending counts.
    fn file(&self) -> &str {
        self.key("file").or(self.key("named")).unwrap_or("a")
    }
}

/// The bytes of a line without its escapes.
fn unescaped(line: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), line);
    while let Some((before, behind)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        rest = match behind.strip_prefix('x') {
            Some(digits) => {
                bytes.push(u8::from_str_radix(&digits[..2], 16).unwrap());
                &digits[2..]
            }
            None => {
                bytes.push(behind.as_bytes()[0]);
                &behind[1..]
            }
        };
    }
    bytes.extend(rest.bytes());
    bytes
}

pub fn cases(file: &Path) -> Vec<Case> {
    let folder = file.parent().unwrap().to_owned();
    let text = std::fs::read_to_string(file).unwrap();
    let mut all: Vec<Case> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(head) = line.strip_prefix("== ") {
            let (name, keys) = head.split_once(" | ").unwrap_or((head, ""));
            let keys = keys.split("; ").filter_map(|key| key.split_once('='));
            let keys: BTreeMap<String, String> =
                keys.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
            let bytes = keys
                .get("file")
                .map(|name| std::fs::read(folder.join(name)).unwrap());
            all.push(Case {
                place: format!("{}:{}: {name}", file.display(), number + 1),
                folder: folder.clone(),
                keys,
                bytes: bytes.unwrap_or_default(),
                right: String::new(),
            });
        } else if let Some(right) = line.strip_prefix("-- ") {
            all.last_mut().unwrap().right = right.to_owned();
        } else if let Some(case) = all.last_mut().filter(|case| case.right.is_empty()) {
            let backslashes = line.len() - line.trim_end_matches('\\').len();
            let open = backslashes % 2 == 1;
            let line = if open { &line[..line.len() - 1] } else { line };
            case.bytes.extend(unescaped(line));
            if !open {
                case.bytes.push(b'\n');
            }
        }
    }
    all
}

/// Numbers to twelve decimals: printed ones times a factor, which agree to the rounding of a product.
fn numbers(values: &[f64]) -> String {
    let round = |v: &f64| ((v * 1e12).round() / 1e12 + 0.0).to_string();
    values.iter().map(round).collect::<Vec<_>>().join(" ")
}

fn record(case: &Case) -> Result<String, Refusal> {
    let unit = |unit: &str| match unit {
        "g" => AccelerationUnit::StandardGravity,
        "m_s2" => AccelerationUnit::MetrePerSecondSquared,
        "cm_s2" => AccelerationUnit::CentimetrePerSecondSquared,
        gravity => AccelerationUnit::Gravity(gravity.parse().unwrap()),
    };
    let options = ReadOptions {
        unit: case.key("unit").map(unit),
        step: case.key("step_s").map(|step| step.parse().unwrap()),
        time_column: case.key("time_column").map(str::to_owned),
        acceleration_column: case.key("acceleration_column").map(str::to_owned),
    };
    let file = RecordFile::read(&case.bytes, &options)?;
    let component = |c: &RecordComponent| {
        let (times, values) = (c.record.times(), c.record.accelerations());
        format!("{}[{} | {}]", c.name, numbers(times), numbers(values))
    };
    let components: Vec<String> = file.components.iter().map(component).collect();
    let remarks = match file.remarks.len() {
        0 => String::new(),
        n => format!(", {n} remarks"),
    };
    Ok(format!(
        "{:?}: {}{remarks}",
        file.format,
        components.join(" ")
    ))
}

/// Size, cell, corner and heights from the south.
fn ground(case: &Case) -> Result<String, Refusal> {
    use klast_geometry::terrain::Terrain as _;
    let raster = raster(case.file(), &case.bytes, &Beside::default());
    let ground = raster.and_then(Raster::into_ground)?;
    let grid = ground.grid;
    let cautions = match ground.cautions.len() {
        0 => String::new(),
        n => format!(", {n} cautions"),
    };
    let (at, heights) = (grid.origin(), grid.heights().iter().collect::<Vec<_>>());
    Ok(format!(
        "{}x{} of {} at {},{}: {heights:?}{cautions}",
        grid.columns(),
        grid.rows(),
        grid.cell(),
        at.x,
        at.y
    ))
}

/// Numbers of points and triangles, the first triangle by its corners.
fn mesh(case: &Case) -> Result<String, Refusal> {
    let mesh = mesh_from(&ending(case.file()), &case.bytes)?;
    let first = mesh.triangles[0].map(|k| mesh.points[k as usize].to_array());
    let (points, triangles) = (mesh.points.len(), mesh.triangles.len());
    Ok(format!("{points} points, {triangles} triangles: {first:?}"))
}

/// Kinds and numbers, the first point, CRS, the material of the first.
fn shapes(case: &Case) -> Result<String, Refusal> {
    let mut beside = |name: &str| Ok(std::fs::read(case.folder.join(name)).ok());
    let shapes = Shapes::read(case.file(), &case.bytes, &mut beside)?;
    let first = &shapes.list[0];
    let at = match &first.form {
        Form::Polygon(rings) => format!("{} rings", rings.len()),
        form => form.points().next().unwrap_or_default().to_string(),
    };
    let crs = shapes.crs.as_ref().and_then(|c| c.epsg);
    let crs = crs.map_or(String::new(), |code| format!(", EPSG:{code}"));
    let material = first.word(&["material"]);
    let material = material.map_or(String::new(), |word| format!(", {word}"));
    Ok(format!("{}: {at}{crs}{material}", shapes.counted()))
}

/// The rows by the names of their columns.
fn rows(case: &Case) -> Result<String, Refusal> {
    let rows = table::rows(Path::new(case.file()), &case.bytes)?;
    let row = |row: &table::Row| {
        let cells = row
            .columns()
            .map(|name| format!("{name}={}", row.word(name).unwrap()));
        cells.collect::<Vec<_>>().join(" ")
    };
    Ok(rows.iter().map(row).collect::<Vec<_>>().join(" | "))
}

fn crs(case: &Case) -> Result<String, Refusal> {
    let crs = Crs::parse(&String::from_utf8_lossy(&case.bytes))?;
    let heights = crs
        .vertical
        .map_or(String::new(), |unit| format!(", heights in {unit} m"));
    Ok(format!("{:?} {}{heights}", crs.epsg, crs.name))
}

/// The kind of a refusal, the line that it names, the program of its remedy.
pub fn refused(refusal: &Refusal) -> String {
    let line = refusal.place.split(": ").find_map(|part| {
        let (_, line) = part.split_once("line ")?;
        Some(format!(", line {}", line.split_whitespace().next()?))
    });
    let program = refusal.remedy.as_ref().map(|c| format!(", {}", c.program));
    let (line, program) = (line.unwrap_or_default(), program.unwrap_or_default());
    format!("refused {:?}{line}{program}", refusal.kind)
}

fn judge(reader: &str, read: fn(&Case) -> Result<String, Refusal>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(reader);
    let files = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let is_cases = |file: &PathBuf| file.extension().is_some_and(|e| e == "cases");
    let mut files: Vec<PathBuf> = files.filter(is_cases).collect();
    files.sort();
    let all: Vec<Case> = files.iter().flat_map(|file| cases(file)).collect();
    assert!(!all.is_empty(), "{}: no case", folder.display());
    let wrong = all.iter().filter_map(|case| {
        let came = read(case);
        let answer = came.as_ref().map_or_else(refused, Clone::clone);
        let said = came
            .as_ref()
            .err()
            .map_or(String::new(), |e| format!(" ({e})"));
        let (place, right) = (&case.place, &case.right);
        let told = || format!("{place}\n   came:  {answer}{said}\n   right: {right}");
        (answer != *right).then(told)
    });
    let wrong: Vec<String> = wrong.collect();
    let count = format!("{} of {}", wrong.len(), all.len());
    assert!(
        wrong.is_empty(),
        "{count} came out wrong:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn records() {
    judge("record", record);
}

#[test]
fn rasters() {
    judge("raster", ground);
}

#[test]
fn meshes() {
    judge("mesh", mesh);
}

#[test]
fn shapes_of_maps() {
    judge("shapes", shapes);
}

#[test]
fn tables() {
    judge("table", rows);
}

#[test]
fn reference_systems() {
    judge("crs", crs);
}
