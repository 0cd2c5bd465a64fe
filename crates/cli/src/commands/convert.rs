//! `klast convert`: rasters, point clouds, meshes and records between the formats that klast reads and writes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use klast_files::record::{ReadOptions, RecordFile};
use klast_geometry::terrain::{Grid, Terrain};
use klast_ground_motion::Record;

use super::record::Unit;
use crate::failure::input;
use crate::terminal::{stderr_line, stdout_line};
use klast_files::by_ending::{ground, mesh_from};
use klast_files::command::quoted;
use klast_files::crs::Crs;
use klast_files::mesh::stl;
use klast_files::{cloud, raster::Raster};
use klast_runs::error::in_command;
use klast_runs::files::{FilesExt as _, Folder};

const PAIRS: &str = ".asc, .tif, .las, .laz to .asc, .tif; .stl, .obj, .ply to .stl; a record (.at2, .csv, .txt or any other ending) to .csv";

/// Bytes of a point cloud that are read at once.
const PIECE: usize = 1 << 18;

/// From which file to which.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The file that is read: a raster (.asc, .tif), a point cloud (.las, .laz), a mesh (.stl, .obj, .ply) or a record
    /// (any other ending); or the input folder of Rockyfor3D
    pub from: PathBuf,
    /// The file that is written: a raster (.asc, .tif), a mesh (.stl), a record (.csv), or the scene of such a folder
    /// (.json) in it
    pub to: PathBuf,
    /// Side of a cell of the raster that is made from a point cloud, in the unit of the CRS of the cloud
    #[arg(long, value_name = "M")]
    pub cell: Option<f64>,
    /// Classes of points in a cloud; the height of a cell is the mean of the points of these classes. Class 2 is ground
    #[arg(long, value_name = "CLASS", value_delimiter = ',', default_value = "2")]
    pub classes: Vec<u8>,
    /// Rocks that each releasing cell of a folder of Rockyfor3D releases
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub rocks_per_cell: u64,
    /// What is said of a record.
    #[command(flatten)]
    pub record: RecordOptions,
}

/// What a file of records does not say itself, and which of its components is written.
#[derive(Debug, Default, Args)]
pub struct RecordOptions {
    /// Component of the record that is written, by the name that `klast record` prints; required if there are several
    #[arg(long, value_name = "NAME")]
    pub component: Option<String>,
    /// Unit of the accelerations of the record, required if the file does not state it
    #[arg(long, value_enum)]
    pub unit: Option<Unit>,
    /// Time step (s) of the record, required if the file has values but no times
    #[arg(long, value_name = "S")]
    pub step_s: Option<f64>,
    /// Column of the times of a table that klast does not recognise: its name or its number from 1
    #[arg(long, value_name = "NAME")]
    pub time_column: Option<String>,
    /// Column of the accelerations of such a table: its name or its number from 1
    #[arg(long, value_name = "NAME")]
    pub acceleration_column: Option<String>,
}

impl RecordOptions {
    /// The first option that is given.
    fn given(&self) -> Option<&'static str> {
        let options = [
            ("--component", self.component.is_some()),
            ("--unit", self.unit.is_some()),
            ("--step-s", self.step_s.is_some()),
            ("--time-column", self.time_column.is_some()),
            ("--acceleration-column", self.acceleration_column.is_some()),
        ];
        options.iter().find(|(_, is)| *is).map(|(name, _)| *name)
    }
}

/// Converts and says where the result is.
///
/// # Errors
/// A file that cannot be read as what it is, or a pair of endings that do not fit.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.from.is_dir() {
        return super::rockyfor3d::run(&arguments.from, &arguments.to, arguments.rocks_per_cell);
    }
    let Converted {
        bytes,
        remarks,
        crs,
    } = input(converted(arguments))?;
    let name = arguments
        .to
        .file_name()
        .and_then(|n| n.to_str())
        .context("not a file name")?;
    let folder = arguments.to.parent().filter(|p| !p.as_os_str().is_empty());
    let mut folder = Folder::open(folder.unwrap_or(Path::new(".")))?;
    folder.bytes(name, &bytes)?;
    // A text grid says nothing of its CRS.
    if let (Some(wkt), "asc") = (
        crs.as_ref().and_then(Crs::prj),
        ending(&arguments.to).as_str(),
    ) {
        let beside = Path::new(name).with_extension("prj");
        folder.text(&beside.to_string_lossy(), &wkt)?;
    }
    for remark in remarks {
        stderr_line(format_args!(
            "klast: note: {}: {remark}",
            arguments.from.display()
        ));
    }
    stdout_line(arguments.to.display())?;
    Ok(())
}

/// A file in another format, and what was applied on the way.
struct Converted {
    bytes: Vec<u8>,
    remarks: Vec<String>,
    crs: Option<Crs>,
}

fn converted(arguments: &Arguments) -> Result<Converted> {
    let (from, to) = (ending(&arguments.from), ending(&arguments.to));
    let name = arguments.from.display().to_string();
    let cloud = matches!(from.as_str(), "las" | "laz");
    klast_files::reading::check(&arguments.from)?;
    let bytes = || klast_files::reading::bytes(&arguments.from);
    let (mut remarks, mut crs) = (Vec::new(), None);
    let mut convert = || -> Result<Vec<u8>> {
        // Points in text are a cloud if a cell is asked for; scanners have formats of their own.
        let text =
            matches!(from.as_str(), "xyz" | "txt" | "csv" | "asc") && arguments.cell.is_some();
        if matches!(to.as_str(), "asc" | "tif" | "tiff")
            && (text || matches!(from.as_str(), "pts" | "ptx" | "e57"))
        {
            let named = match text {
                true => columns_of_points(&bytes()?),
                false => String::new(),
            };
            bail!(
                "'.{from}' is not read as a point cloud; accepted: .las, .laz (`pdal translate {named}{} {}`)",
                quoted(&name),
                quoted(&arguments.from.with_extension("laz").display().to_string())
            );
        }
        ensure!(
            cloud || arguments.cell.is_none(),
            "--cell with '.{from}'; accepted: with a point cloud (.las, .laz)"
        );
        if let Some(option) = arguments.record.given().filter(|_| to != "csv") {
            bail!("{option} with '.{to}'; accepted: with a record, which is written as .csv");
        }
        match (from.as_str(), to.as_str()) {
            ("las" | "laz", "asc" | "tif" | "tiff") => {
                let choice = cloud::Choice {
                    classes: arguments.classes.clone(),
                    cell: arguments.cell,
                };
                // A survey may be larger than the memory.
                let file = std::fs::File::open(&arguments.from).context("cannot be read")?;
                let file = std::io::BufReader::with_capacity(PIECE, file);
                let ground = cloud::raster(file, &choice).and_then(Raster::into_ground);
                let ground = in_command(&name, ground)?;
                (remarks, crs) = (ground.remarks, ground.crs);
                remarks.push(ground.described);
                remarks.extend(ground.cautions);
                raster(&ground.grid, &to)
            }
            ("stl" | "obj" | "ply", "asc" | "tif" | "tiff") => {
                bail!("'.{from}' to '.{to}'; accepted: {PAIRS}")
            }
            // What is no raster that is read is refused with the command that makes one.
            (_, "asc" | "tif" | "tiff") => {
                let ground = ground(&arguments.from)?;
                (remarks, crs) = (ground.remarks, ground.crs);
                remarks.extend(ground.cautions);
                raster(&ground.grid, &to)
            }
            ("stl" | "obj" | "ply", "stl") => {
                Ok(stl::write(&mesh_from(&from, &bytes()?)?).into_bytes())
            }
            // Records of ESM are called .ASC too.
            ("asc", "csv") if !is_grid(&bytes()?) => {
                record(&bytes()?, &arguments.record, &mut remarks)
            }
            ("asc" | "tif" | "tiff" | "las" | "laz" | "stl" | "obj" | "ply", _) | (_, "stl") => {
                bail!("'.{from}' to '.{to}'; accepted: {PAIRS}")
            }
            // What a record is shows in its bytes, whatever its name.
            (_, "csv") => record(&bytes()?, &arguments.record, &mut remarks),
            _ => bail!("'.{from}' to '.{to}'; accepted: {PAIRS}"),
        }
    };
    let bytes = convert().with_context(|| name)?;
    Ok(Converted {
        bytes,
        remarks,
        crs,
    })
}

/// Whether a text begins as a grid of Esri or GRASS does.
fn is_grid(bytes: &[u8]) -> bool {
    let head = bytes.trim_ascii_start();
    [&b"ncols"[..], b"nrows", b"north:"].iter().any(|word| {
        head.get(..word.len())
            .is_some_and(|first| first.eq_ignore_ascii_case(word))
    })
}

/// The options of PDAL that name the columns of points in text, whose reader takes the first line for names.
fn columns_of_points(bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).into_owned();
    // Comments, as the line of names of CloudCompare is one, are skipped by their number.
    let comment =
        |line: &&str| line.trim().is_empty() || line.starts_with("//") || line.starts_with('#');
    let skipped = head.lines().take_while(comment).count();
    let line = head.lines().nth(skipped).unwrap_or_default().trim();
    let mark = [';', ',', '\t'].into_iter().find(|m| line.contains(*m));
    let cells: Vec<&str> = match mark {
        Some(mark) => line.split(mark).collect(),
        None => line.split_whitespace().collect(),
    };
    if cells.len() < 3 || !cells.iter().all(|cell| cell.trim().parse::<f64>().is_ok()) {
        return String::new();
    }
    let mut names = vec!["X".to_owned(), "Y".to_owned(), "Z".to_owned()];
    names.extend((4..=cells.len()).map(|k| format!("Column{k}")));
    let names = names.join(&mark.unwrap_or(' ').to_string());
    let skip = match skipped {
        0 => String::new(),
        lines => format!("--readers.text.skip={lines} "),
    };
    format!("-r readers.text --readers.text.header=\"{names}\" {skip}")
}

fn ending(path: &Path) -> String {
    path.extension()
        .map_or(String::new(), |e| e.to_string_lossy().to_lowercase())
}

fn raster(grid: &Grid, ending: &str) -> Result<Vec<u8>> {
    let shape = (grid.columns(), grid.rows());
    let place = grid.origin().truncate();
    let height = |k: usize| grid.heights().get(k).unwrap_or(f64::NAN);
    match ending {
        "asc" => {
            let text =
                klast_files::raster::esri_ascii::write(shape, grid.cell(), place, height, -9999.0);
            Ok(text.into_bytes())
        }
        "tif" | "tiff" => {
            use klast_files::raster::geotiff::{Digits, write};
            let crs = grid.crs().and_then(|label| Crs::parse(label).ok());
            let digits = match grid.heights().are_single() {
                true => Digits::Single,
                false => Digits::Double,
            };
            Ok(write(
                shape,
                grid.cell(),
                place,
                height,
                crs.as_ref(),
                digits,
            )?)
        }
        other => bail!("'.{other}'; accepted: .asc, .tif (feature geotiff)"),
    }
}

/// A record as two columns, and what its reader has to know.
fn record(bytes: &[u8], asked: &RecordOptions, remarks: &mut Vec<String>) -> Result<Vec<u8>> {
    let options = ReadOptions {
        unit: asked.unit.map(Into::into),
        step: asked.step_s,
        time_column: asked.time_column.clone(),
        acceleration_column: asked.acceleration_column.clone(),
    };
    let file = RecordFile::read(bytes, &options)?;
    let component = file.component(asked.component.as_deref());
    let text = csv(&component.context("--component")?.record);
    remarks.extend(file.remarks);
    Ok(text.into_bytes())
}

fn csv(record: &Record) -> String {
    let mut text = String::from("time_s,acceleration_m_s2\n");
    for (time, acceleration) in record.times().iter().zip(record.accelerations()) {
        let _ = writeln!(text, "{time},{acceleration}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_any_name_becomes_csv() {
        let work = tempfile::tempdir().unwrap();
        let said = |name: &str, text: &str, to: &str| {
            let from = work.path().join(name);
            std::fs::write(&from, text).unwrap();
            let to = to.into();
            let (cell, classes) = (None, vec![2]);
            match converted(&Arguments {
                from,
                to,
                cell,
                classes,
                rocks_per_cell: 100,
                record: RecordOptions::default(),
            }) {
                Ok(made) => String::from_utf8(made.bytes).unwrap(),
                Err(error) => format!("{error:#}"),
            }
        };
        let columns = "Time (s);Acceleration (m/s2)\n0;0.5\n0.25;1.5D+00\n";
        let peer = "A\nB\nUNITS OF M/S2\nNPTS= 2, DT= .25\n 0.5 1.5\n";
        for name in ["a.txt", "a.csv", "a.at2", "a"] {
            for text in [columns, peer] {
                let csv = "time_s,acceleration_m_s2\n0,0.5\n0.25,1.5\n";
                assert_eq!(said(name, text, "b.csv"), csv, "{name}");
            }
        }
        let neither = said("a.txt", "nothing\n", "b.csv");
        assert!(
            neither.contains("a.txt: ") && neither.contains("line 1"),
            "{neither}"
        );
        for (from, text) in [
            ("a.grd", "DSAA\n2 2\n0 1\n0 1\n0 1\n0 0\n1 1\n"),
            ("a.flt", "\0\0\u{1}"),
            ("a.xyz", "0 0 1\n1 0 1\n"),
            ("a.bil", "\0\0"),
        ] {
            let refused = said(from, text, "b.tif");
            let cure = work.path().join("a.tif");
            let from = work.path().join(from);
            let cure = format!("gdal_translate {} {}", from.display(), cure.display());
            assert_eq!(refused.split('`').nth(1), Some(&cure[..]), "{refused}");
        }
        let cloud = said("a.pts", "1\n0 0 1 5\n", "b.tif");
        assert!(cloud.contains("`pdal "), "{cloud}");
        // PDAL takes the first line of a text for names.
        for (points, header) in [
            (
                "1 2 3\n4 5 6\n",
                "-r readers.text --readers.text.header=\"X Y Z\" ",
            ),
            (
                "1.5,2,3,255\n",
                "-r readers.text --readers.text.header=\"X,Y,Z,Column4\" ",
            ),
            ("X,Y,Z\n1,2,3\n", ""),
            (
                "//X Y Z\n1 2 3\n4 5 6\n",
                "-r readers.text --readers.text.header=\"X Y Z\" --readers.text.skip=1 ",
            ),
        ] {
            let named = columns_of_points(points.as_bytes());
            assert_eq!(named, header, "{points}");
        }
        let counted = work.path().join("counted.csv");
        std::fs::write(&counted, "No.,Time (s),Acc (g)\n1,0,0.5\n2,0.25,1.5\n").unwrap();
        let made = converted(&Arguments {
            from: counted,
            to: "b.csv".into(),
            cell: None,
            classes: vec![2],
            rocks_per_cell: 100,
            record: RecordOptions::default(),
        });
        let remarks = made.unwrap().remarks;
        assert!(remarks.iter().any(|r| r.contains("rows")), "{remarks:?}");
        let esm = said("a.ASC", columns, "b.csv");
        assert_eq!(esm, "time_s,acceleration_m_s2\n0,0.5\n0.25,1.5\n");
        let grid = "NCOLS 2\nnrows 1\n";
        for (from, text, to) in [
            ("a.asc", grid, "b.csv"),
            ("a.txt", columns, "b.stl"),
            ("a.csv", columns, "b.at2"),
        ] {
            let pair = said(from, text, to);
            assert!(pair.contains(".at2, .csv, .txt"), "{pair}");
        }
    }

    #[test]
    fn the_component_unit_and_step_of_a_record_can_be_named() {
        let work = tempfile::tempdir().unwrap();
        let said = |text: &str, to: &str, record: RecordOptions| {
            let from = work.path().join("a.txt");
            std::fs::write(&from, text).unwrap();
            let made = converted(&Arguments {
                from,
                to: to.into(),
                cell: None,
                classes: vec![2],
                rocks_per_cell: 100,
                record,
            });
            match made {
                Ok(made) => String::from_utf8(made.bytes).unwrap(),
                Err(error) => format!("{error:#}"),
            }
        };
        let named = |name: &str| RecordOptions {
            component: Some(name.to_owned()),
            ..RecordOptions::default()
        };
        let two = "Time (s),NS (m/s2),EW (m/s2)\n0,0.5,3\n0.25,1.5,4\n";
        let csv = |a: f64, b: f64| format!("time_s,acceleration_m_s2\n0,{a}\n0.25,{b}\n");
        assert_eq!(said(two, "b.csv", named("EW")), csv(3.0, 4.0));
        assert_eq!(said(two, "b.csv", named("NS")), csv(0.5, 1.5));
        for asked in [RecordOptions::default(), named("UD")] {
            let refused = said(two, "b.csv", asked);
            assert!(refused.contains("--component"), "{refused}");
            assert!(refused.contains("NS, EW"), "{refused}");
        }
        let stated = RecordOptions {
            unit: Some(Unit::CmS2),
            step_s: Some(0.25),
            ..RecordOptions::default()
        };
        assert_eq!(said("50\n150\n", "b.csv", stated), csv(0.5, 1.5));
        let other = said(two, "b.tif", named("NS"));
        let named = ["--component", "'.tif'"].map(|mark| other.contains(mark));
        assert_eq!(named, [true; 2], "{other}");
    }
}
