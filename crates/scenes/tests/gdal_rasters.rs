//! Every raster that GDAL's own writer makes is read to GDAL's values, or refused by name: `gdal/rasters.py` writes
//! some 260 of them (types, compressions, layouts, masks, scales, units, places, CRS) with what GDAL reads.
//!
//! Needs `python3` with GDAL's bindings. Where there are none the test says so; with `KLAST_GDAL=1`, as in `.ci/run`,
//! that is a failure.

use std::path::Path;
use std::process::Command;

use klast_files::by_ending::ground;
use klast_files::raster::Beside;
use klast_files::raster::geotiff::{self, Layout, OnDisk};
use klast_geometry::terrain::Terrain as _;

/// A Python that has GDAL; none if there is none and none is asked for.
fn python() -> Option<&'static str> {
    let has = |python: &&str| {
        let found = Command::new(python)
            .args(["-c", "import numpy, osgeo.gdal"])
            .output();
        found.is_ok_and(|o| o.status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has);
    let asked = std::env::var_os("KLAST_GDAL").is_some();
    assert!(
        found.is_some() || !asked,
        "KLAST_GDAL is set and no python3 has GDAL"
    );
    found
}

/// What is wrong with one raster; nothing if it is right.
fn judge(tif: &Path, expected: &str) -> Option<String> {
    let found = ground(tif);
    if let Some(word) = expected.strip_prefix("refused ") {
        return match found {
            Ok(_) => Some(format!("read; expected: refused with '{word}'")),
            Err(error) if format!("{error:#}").contains(word) => None,
            Err(error) => Some(format!("refused with: {error:#}; expected: '{word}'")),
        };
    }
    let grid = match found {
        Ok(ground) => ground.grid,
        Err(error) => return Some(format!("refused: {error:#}")),
    };
    let mut numbers = expected
        .split_whitespace()
        .map(|w| w.parse::<f64>().unwrap());
    let head: Vec<f64> = numbers.by_ref().take(5).collect();
    let place = [
        grid.origin().x,
        grid.origin().y,
        grid.cell(),
        grid.columns() as f64,
        grid.rows() as f64,
    ];
    // Corners and centres are added up in another order: a unit in the last place.
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-15 * (a.abs() + b.abs());
    if !place.iter().zip(&head).all(|(a, b)| near(*a, *b)) {
        return Some(format!("place {place:?}; GDAL {head:?}"));
    }
    let values: Vec<f64> = numbers.collect();
    let same = |(a, b): (f64, f64)| {
        (a.is_nan() && b.is_nan()) || (a - b).abs() <= 4.0 * f64::EPSILON * b.abs()
    };
    let wrong = grid
        .heights()
        .iter()
        .zip(values.iter().copied())
        .filter(|pair| !same(*pair));
    let wrong: Vec<_> = wrong.take(3).collect();
    (!wrong.is_empty() || values.len() != grid.heights().len())
        .then(|| format!("values (found, GDAL) {wrong:?}"))
        .or_else(|| part(tif))
}

/// What is wrong with a part of a raster beside the whole; nothing if it has the same bits.
fn part(tif: &Path) -> Option<String> {
    let read = |file: &str| Ok::<_, String>(std::fs::read(file).ok());
    let beside = Beside::find(&tif.display().to_string(), read).unwrap();
    let whole = geotiff::read_from(&OnDisk::open(tif).unwrap(), &beside).unwrap();
    let cut = |count: usize| count / 3..(2 * count).div_ceil(3);
    let [columns, rows] = [cut(whole.columns), cut(whole.rows)];
    let choose = |layout: &Layout| {
        assert_eq!((layout.columns, layout.rows), (whole.columns, whole.rows));
        Ok([columns.clone(), rows.clone()])
    };
    let found = geotiff::read_part(&OnDisk::open(tif).unwrap(), &beside, &choose);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Some(format!("a part is refused: {error:#}")),
    };
    let bits = |v: f64| v.to_bits();
    let row = |j: usize| {
        let cells = columns.clone().map(move |i| j * whole.columns + i);
        cells.filter_map(|k| whole.values.get(k))
    };
    let same = found
        .values
        .iter()
        .map(bits)
        .eq(rows.clone().flat_map(row).map(bits));
    let corner = glam::DVec2::new(columns.start as f64, rows.start as f64);
    let off = found.south_west - whole.south_west - whole.cell * corner;
    (!same || off.length() > 1e-9 * whole.cell + 1e-15 * whole.south_west.length())
        .then(|| format!("a part differs from the whole; place off by {off}"))
}

#[test]
fn rasters_of_gdal_are_read_to_its_values_or_refused_by_name() {
    let Some(python) = python() else {
        println!("0 rasters: no python3 with GDAL");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gdal/rasters.py");
    let made = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let mut faults = Vec::new();
    let mut count = 0;
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.sort();
    for expected in names
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "expected"))
    {
        let tif = expected.with_extension("tif");
        let text = std::fs::read_to_string(expected).unwrap();
        count += 1;
        if let Some(fault) = judge(&tif, &text) {
            faults.push(format!(
                "{}: {fault}",
                tif.file_stem().unwrap().to_string_lossy()
            ));
        }
    }
    println!("{count} rasters, {} faults", faults.len());
    assert!(
        count >= 200 && faults.is_empty(),
        "{count} rasters, {} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Projections of every tenth system of the registry agree with those of PROJ: on the system's own datum to 1 mm, but
/// for those on variants of Clarke's ellipsoid of 1880, which differ by up to 10 cm. In WGS 84 49 of 50 systems are as
/// near to PROJ's points as the accuracy says that is stated.
#[test]
fn systems_of_the_registry_are_where_proj_puts_them() {
    use glam::DVec2;
    use klast_files::crs::Crs;
    let Some(python) = python() else {
        println!("0 systems: no python3 with GDAL");
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gdal/systems.py");
    let told = Command::new(python).arg(script).output().unwrap();
    assert!(
        told.status.success(),
        "{}",
        String::from_utf8_lossy(&told.stderr)
    );
    let text = String::from_utf8(told.stdout).unwrap();
    // Metres a degree on the equator.
    let metres = |d: DVec2, latitude: f64| {
        111_320.0 * DVec2::new(d.x * latitude.to_radians().cos(), d.y).length()
    };
    let wgs = Crs::from_epsg(4326).unwrap();
    let (mut off, mut unknown, mut shifted, mut refused, mut all) =
        (Vec::new(), 0, Vec::new(), 0, 0);
    let (mut worse, mut unstated) = (Vec::new(), 0);
    for line in text.lines() {
        let numbers: Vec<f64> = line
            .split_whitespace()
            .map(|w| w.parse().unwrap())
            .collect();
        let [code, lon, lat, x, y, wgs_lon, wgs_lat] = numbers[..] else {
            panic!("{line}")
        };
        all += 1;
        let Ok(crs) = Crs::from_epsg(code as u32) else {
            unknown += 1;
            continue;
        };
        let Some(found) = crs.degrees(DVec2::new(x, y)) else {
            unknown += 1;
            continue;
        };
        let distance = metres(found - DVec2::new(lon, lat), lat);
        // Another turn about the earth is the same place.
        let Ok(transform) = crs.to(&wgs, Some(found)) else {
            refused += 1;
            continue;
        };
        if distance > 1e-3 && (found.x - lon).abs() < 350.0 {
            off.push((code, distance));
        }
        let Ok(there) = transform.apply(DVec2::new(x, y)) else {
            refused += 1;
            continue;
        };
        let distance = metres(there - DVec2::new(wgs_lon, wgs_lat), lat);
        shifted.push(distance);
        match transform.accuracy_m() {
            // Another turn about the earth is the same place.
            Some(accuracy) if distance > accuracy && distance < 1e7 => {
                worse.push((code, distance, accuracy))
            }
            Some(_) => {}
            None => unstated += 1,
        }
    }
    shifted.sort_by(f64::total_cmp);
    let share = |p: f64| shifted[((shifted.len() - 1) as f64 * p) as usize];
    println!(
        "{all} systems: {unknown} not read, {} off by over 1 mm, {refused} without a known way to WGS 84; \
         to WGS 84: median {:.3} m, 90 % {:.3} m, 99 % {:.1} m, {unstated} with an accuracy that is not stated, \
         beyond their accuracy {worse:?}; {off:?}",
        off.len(),
        share(0.5),
        share(0.9),
        share(0.99)
    );
    assert!(
        all > 300 && unknown < all / 5,
        "{unknown} of {all} are not read"
    );
    let worst = off.iter().map(|o| o.1).fold(0.0, f64::max);
    assert!(worst < 0.1 && off.len() < all / 20, "{off:?}");
    // What files.md and the note of a transformation say. PROJ takes other shifts for a few: by way of ETRS89, or of a
    // neighbouring country within the bounds of whose area a point lies.
    assert!(worse.len() <= all / 50, "{worse:?}");
    assert!(unstated < all / 20, "{unstated}");
}

/// GDAL puts every raster and every line of the rockfall example over its terrain.
#[test]
fn results_are_where_gdal_puts_the_terrain() {
    let Some(python) = python() else {
        println!("0 results: no python3 with GDAL");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(examples.join("rockfall.json")).unwrap();
    let mut scene: serde_json::Value = serde_json::from_str(&text).unwrap();
    for source in scene["sources"].as_array_mut().unwrap() {
        source["rocks"] = 10.into();
    }
    scene["engine"] = serde_json::json!({"lumped_mass": {}});
    let (scene, _) = klast_scenes::Scene::parse(&scene.to_string(), &examples).unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let mut files = klast_runs::files::Folder::open(folder.path()).unwrap();
    outcome.results.write(&mut files).unwrap();
    // The CRS of the terrain stands in the scene.
    let terrain = examples.join("rockfall-terrain.asc");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gdal/placed.py");
    let mut command = Command::new(python);
    let placed = command
        .arg(script)
        .arg(folder.path())
        .arg(terrain)
        .arg("2056")
        .output()
        .unwrap();
    let (out, error) = (
        String::from_utf8_lossy(&placed.stdout),
        String::from_utf8_lossy(&placed.stderr),
    );
    assert!(placed.status.success(), "{out}{error}");
    let count = out.lines().filter(|l| l.contains(" 2056 ")).count();
    assert!(count > 20, "{out}");
}
