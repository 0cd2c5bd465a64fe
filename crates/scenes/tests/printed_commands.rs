//! The commands that errors print do what they say: each is run as it stands, beside the file that was refused, and
//! what it makes is read.
//!
//! Needs `python3` with GDAL's bindings and GDAL's programs. Where there are none the test says so; with
//! `KLAST_GDAL=1`, as in `.ci/run`, that is a failure.

use std::path::Path;
use std::process::Command;

use klast_files::by_ending::ground;
use klast_files::shapes::Shapes;
use klast_scenes::Scene;

/// The folder with the files that are refused; none without GDAL.
fn files() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gdal/refused.py");
    let has = |python: &&str| {
        let found = Command::new(python)
            .args(["-c", "import numpy, osgeo.gdal"])
            .output();
        found.is_ok_and(|o| o.status.success())
    };
    let Some(python) = ["/usr/bin/python3", "python3"].into_iter().find(has) else {
        let asked = std::env::var_os("KLAST_GDAL").is_some();
        assert!(!asked, "KLAST_GDAL is set and no python3 has GDAL");
        println!("0 commands: no python3 with GDAL");
        return None;
    };
    let made = Command::new(python).arg(script).arg(folder.path()).output();
    let made = made.unwrap();
    let error = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "{error}");
    Some(folder)
}

/// The commands between backticks of a message.
fn commands(said: &str) -> Vec<&str> {
    const PROGRAMS: [&str; 6] = ["gdal", "ogr", "gunzip", "bunzip2", "unzip", "unxz"];
    let quoted = said.split('`').skip(1).step_by(2);
    quoted
        .filter(|c| PROGRAMS.iter().any(|p| c.starts_with(p)))
        .collect()
}

/// Runs a command in a folder; the file that it makes.
fn run(command: &str, folder: &Path) -> Result<String, String> {
    // What is warped may have to be warped once more.
    for _ in 0..1 + usize::from(command.starts_with("gdalwarp")) {
        let done = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder)
            .output();
        let done = done.unwrap();
        let error = String::from_utf8_lossy(&done.stderr);
        if !done.status.success() || error.contains("ERROR") {
            return Err(format!("`{command}` ends with {}: {error}", done.status));
        }
    }
    let words: Vec<String> =
        command
            .split('"')
            .enumerate()
            .fold(Vec::new(), |mut all, (k, part)| {
                match k % 2 {
                    1 => all.push(part.to_owned()),
                    _ => all.extend(part.split_whitespace().map(str::to_owned)),
                }
                all
            });
    let made = match words[0].as_str() {
        "ogr2ogr" => words
            .iter()
            .find(|w| w.ends_with(".geojson") || w.ends_with(".gpkg"))
            .cloned(),
        "unzip" => Some("inside.asc".to_owned()),
        "gunzip" | "bunzip2" if words[1] == "-k" => {
            words[2].rsplit_once('.').map(|(stem, _)| stem.to_owned())
        }
        _ => words
            .last()
            .map(|w| w.rsplit('=').next().unwrap_or(w).to_owned()),
    };
    made.ok_or_else(|| format!("`{command}` makes nothing that is known"))
}

#[test]
fn rasters_that_commands_make_are_read() {
    let Some(folder) = files() else { return };
    let folder = folder.path();
    // What is refused, and the lowest and highest height of what the command makes of it (m): neighbours are at most
    // 10 m apart, the rim is missing.
    let all = (400.0, 454.0);
    let mut count = 0;
    for (file, (low, high)) in [
        ("degrees.tif", all),
        ("degrees whole.tif", all),
        ("web.tif", all),
        ("oblong.tif", all),
        ("turned.tif", all),
        ("bands.tif", all),
        ("lerc.tif", all),
        ("imagine.img", all),
        ("envi.hdr", all),
        ("envi.img", all),
        ("gmt.grd", all),
        ("four.asc", all),
        ("tiles.gpkg", all),
        ("packed.asc.gz", all),
        ("hidden.asc", all),
        ("second.asc.bz2", all),
        ("archive.zip", all),
        ("grass.asc", all),
        ("commas.asc", all),
        ("uneven.asc", (400.0, 430.0)),
        ("points.tif", all),
    ] {
        // As a command is typed: in the folder of the file.
        let said = match ground(&folder.join(file)) {
            Ok(_) => panic!("{file} is read"),
            Err(error) => format!("{error:#}").replace(&format!("{}/", folder.display()), ""),
        };
        let list = commands(&said);
        assert!(!list.is_empty(), "{file}: {said}");
        for command in list {
            let made = run(command, folder).unwrap_or_else(|e| panic!("{file}: {e}\n{said}"));
            let grid = ground(&folder.join(&made))
                .unwrap_or_else(|e| panic!("{file}, {made}: {e:#}"))
                .grid;
            let heights = || grid.heights().iter().filter(|h| !h.is_nan());
            let lowest = heights().fold(f64::INFINITY, f64::min);
            let highest = heights().fold(f64::NEG_INFINITY, f64::max);
            assert!(
                (low - 0.01..low + 12.0).contains(&lowest)
                    && (high - 12.0..high + 0.01).contains(&highest),
                "{file}, `{command}`: {lowest} to {highest} m"
            );
            count += 1;
        }
    }
    println!("{count} commands");
    assert!(count >= 20);
}

#[test]
fn shapes_that_commands_make_are_read() {
    let Some(folder) = files() else { return };
    let folder = folder.path();
    let read = |file: &str| {
        let bytes = std::fs::read(folder.join(file)).unwrap();
        Shapes::read(file, &bytes, &mut |name| {
            Ok(std::fs::read(folder.join(name)).ok())
        })
    };
    assert_eq!(read("lines.geojsonl").unwrap().counted(), "2 points");
    for (file, right) in [
        ("places.kml", "2 points"),
        ("one.kml", "2 points"),
        ("places.gml", "2 points"),
        ("places.fgb", "2 points"),
        ("places.mif", "2 points"),
        ("places.dxf", "2 points"),
        ("places.sqlite", "2 points"),
        ("places.gpx", "2 points"),
        ("mixed.gpx", "1 line"),
        ("packed.geojson.gz", "2 points"),
        ("styled.gpkg", "2 points"),
    ] {
        let said = match read(file) {
            Ok(_) => panic!("{file} is read"),
            Err(error) => format!("{error:#}"),
        };
        let list = commands(&said);
        assert!(!list.is_empty(), "{file}: {said}");
        // A file of several layers has a command for each.
        let layers = list.iter().skip(1).filter(|c| c.starts_with("ogr2ogr"));
        for (k, command) in list.iter().take(1).chain(layers).enumerate() {
            let made = run(command, folder).unwrap_or_else(|e| panic!("{file}: {e}\n{said}"));
            // A build without GeoPackage has no other command than the one to GeoJSON.
            let shapes = read(&made).unwrap_or_else(|e| panic!("{file}, {made}: {e:#}"));
            assert!(
                k > 0 || shapes.counted() == right,
                "{file}: {command}: {}",
                shapes.counted()
            );
        }
    }
}

/// Numbers of materials in another frame: the new raster has no cells of the first material at its rim.
#[test]
fn a_layout_that_a_command_makes_has_its_own_classes_only() {
    let Some(folder) = files() else { return };
    let folder = folder.path();
    let mut dem =
        String::from("ncols 40\nnrows 20\nxllcorner 2600000\nyllcorner 1200000\ncellsize 5\n");
    for _ in 0..20 {
        let row: Vec<String> = (0..40).map(|k| (500 - 3 * k).to_string()).collect();
        dem += &(row.join(" ") + "\n");
    }
    std::fs::write(folder.join("dem.asc"), dem).unwrap();
    let scene = |layout: &str| {
        format!(
            r#"{{"schema": 1, "kind": "rockfall", "terrain": {{"raster": {{"file": "dem.asc", "crs": "EPSG:2056"}}}},
            "materials": [{{"name": "rock", "normal_restitution": 0.35, "tangential_restitution": 0.85, "friction": 0.6}},
                {{"name": "swamp", "normal_restitution": 0, "tangential_restitution": 0, "friction": 3}}],
            "layout": {{"raster": {{"file": "{layout}", "elsewhere": "swamp"}}}},
            "sources": [{{"name": "cliff", "release": {{"point": [2600020.0, 1200050.0]}}, "rocks": 20, "height_m": 1,
                "shapes": [{{"shape": "sphere", "volume_m3": 1}}]}}],
            "engine": {{"lumped_mass": {{}}}}, "write_trajectories": 0}}"#
        )
    };
    let check = |layout: &str| {
        let (scene, _) = Scene::parse(&scene(layout), folder)?;
        scene.job()?;
        anyhow::Ok(scene.text().notes())
    };
    let said = format!("{:#}", check("classes.tif").unwrap_err());
    let list = commands(&said);
    let made = run(list[0], folder).unwrap_or_else(|e| panic!("{e}\n{said}"));
    let notes = check(&made).unwrap().join("\n");
    assert!(notes.contains("numbers 1 to 1"), "{notes}");
}
