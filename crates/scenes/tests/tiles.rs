//! Rasters that are run by tiles: the same maps as of one run, the same bytes from any number of parts, and a raster of
//! 10¹⁰ cells.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use glam::DVec2;
use klast_files::raster::Beside;
use klast_files::raster::geotiff::{self, Digits};
use klast_runs::files::{Files as _, Folder, Memory};
use klast_runs::shard::Shard;
use klast_runs::{Run, Silent};
use klast_scenes::Scene;
use serde_json::{Value, json};

use crate::common::refused::{Refused, one_names};

/// South-west corner of the rasters.
const CORNER: DVec2 = DVec2::new(2_600_000.0, 1_200_000.0);

/// A slope of 40° along x in cells of 2 m, with shallow gullies and a foot on which rocks stop.
fn slope() -> Vec<u8> {
    let (columns, rows) = (150usize, 60usize);
    let height = |k: usize| {
        let (x, y) = (2.0 * (k % columns) as f64, 2.0 * (k / columns) as f64);
        let (steep, foot) = (x.min(180.0), (x - 180.0).max(0.0));
        900.0 - steep * 40f64.to_radians().tan() - 0.1 * foot + 0.5 * (y / 15.0).cos()
    };
    let heights: Vec<f64> = (0..columns * rows).map(height).collect();
    geotiff::write(
        (columns, rows),
        2.0,
        CORNER + 1.0,
        |k| heights[k],
        None,
        Digits::Double,
    )
    .unwrap()
}

/// Lumped masses from points: nothing about them is random, so the tile that a rock starts in does not show.
fn scene(tiles: Option<Value>, changes: &[(&str, Value)]) -> Value {
    let point = |x: f64, y: f64| json!({"point": [CORNER.x + x, CORNER.y + y]});
    let places = [point(21.3, 33.1), point(97.7, 61.9), point(141.1, 88.3)];
    let source = |(k, release): (usize, &Value)| {
        json!({"name": format!("s{k}"), "release": release, "rocks": 2 + k, "height_m": 1,
            "shapes": [{"shape": "sphere", "volume_m3": 1}]})
    };
    let sources: Vec<Value> = places.iter().enumerate().map(source).collect();
    let mut scene = json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"raster": {"file": "slope.tif"}},
        "materials": [{"name": "scree", "normal_restitution": 0.35, "tangential_restitution": 0.85, "friction": 0.6}],
        "sources": sources, "engine": {"lumped_mass": {}}, "map_cell_m": 4, "write_trajectories": 0
    });
    if let Some(tiles) = tiles {
        scene["terrain"]["raster"]["tiles"] = tiles;
    }
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        scene.pointer_mut(parent).unwrap()[key] = value.clone();
    }
    scene
}

/// Materials 0 and 1 over the western 100 m of the slope, in cells of 5 m, with missing data in the south.
fn classes() -> Vec<u8> {
    let class = |k: usize| match (k % 20, k / 20) {
        (_, ..6) => f64::NAN,
        (column, _) => f64::from(u8::from(column >= 8)),
    };
    geotiff::write((20, 24), 5.0, CORNER + 2.5, class, None, Digits::Single).unwrap()
}

/// The same ground as polygons: what is not missing of material 0 and 1.
fn polygons() -> Vec<u8> {
    let area = |name: &str, west: f64, east: f64| {
        let corners = [
            (west, 30.0),
            (east, 30.0),
            (east, 120.0),
            (west, 120.0),
            (west, 30.0),
        ];
        let ring: Vec<Value> = corners
            .iter()
            .map(|(x, y)| json!([CORNER.x + x, CORNER.y + y]))
            .collect();
        json!({"type": "Feature", "properties": {"material": name}, "geometry": {"type": "Polygon", "coordinates": [ring]}})
    };
    let areas = [area("scree", 0.0, 40.0), area("rock", 40.0, 100.0)];
    json!({"type": "FeatureCollection", "features": areas})
        .to_string()
        .into_bytes()
}

fn read(scene: &Value) -> Scene {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let files = [
        ("slope.tif", slope()),
        ("classes.tif", classes()),
        ("areas.geojson", polygons()),
    ];
    scene.with_files(files.map(|(name, bytes)| (name.to_owned(), bytes)).into())
}

/// The files of a whole run.
fn files(scene: &Value) -> Memory {
    let outcome = read(scene).job().unwrap().run_silently().unwrap();
    let mut files = Memory::default();
    outcome.results.write(&mut files).unwrap();
    files
}

/// The cells of a map of all tiles by their places.
fn cells(files: &Memory, map: &str) -> BTreeMap<[i64; 2], f64> {
    let ours = |name: &&String| name.ends_with(&format!("{map}.tif"));
    let mut cells = BTreeMap::new();
    for name in files.names().iter().filter(ours) {
        let raster = geotiff::read(&files.read(name).unwrap(), &Beside::default()).unwrap();
        for (k, value) in raster.values.iter().enumerate().filter(|v| !v.1.is_nan()) {
            let place = DVec2::new((k % raster.columns) as f64, (k / raster.columns) as f64);
            let place = (raster.south_west + raster.cell * place).as_i64vec2();
            assert!(cells.insert(place.to_array(), value).is_none(), "{name}");
        }
    }
    cells
}

#[test]
fn maps_of_tiles_are_those_of_one_run() {
    alike(&[]);
}

/// Layouts that reach over a part of the raster: some tiles have none of it.
#[test]
fn tiles_have_the_materials_of_one_run() {
    let materials = ["scree", "rock", "meadow"].iter().zip([0.35, 0.5, 0.25]).map(|(name, restitution)| {
        json!({"name": name, "normal_restitution": restitution, "tangential_restitution": 0.85, "friction": 0.6})
    });
    let materials = ("/materials", json!(materials.collect::<Vec<_>>()));
    for (kind, file) in [("raster", "classes.tif"), ("polygons", "areas.geojson")] {
        let layout = json!({kind: {"file": file, "elsewhere": "meadow"}});
        alike(&[materials.clone(), ("/layout", layout)]);
    }
}

/// Maps of a scene by tiles are those of one run.
fn alike(changes: &[(&str, Value)]) {
    let whole = files(&scene(None, changes));
    for (size, halo) in [(40, 240), (100, 300)] {
        let tiles = json!({"size_m": size, "halo_m": halo});
        let tiles = files(&scene(Some(tiles), changes));
        for map in ["passages", "deposition", "height_max", "height_95"] {
            let (one, several) = (cells(&whole, map), cells(&tiles, map));
            assert_eq!(
                one.keys().collect::<Vec<_>>(),
                several.keys().collect::<Vec<_>>(),
                "{map}"
            );
            assert!(one.len() > 40, "{map}: {}", one.len());
            for (place, value) in &one {
                // Local coordinates begin at another place: rounding grows over some bounces. Maps have seven digits.
                let error = (value - several[place]).abs();
                assert!(error <= 1e-5 * value.abs(), "{map} {place:?} {error}");
            }
        }
        let told: Value = serde_json::from_slice(&tiles.read("result.json").unwrap()).unwrap();
        assert_eq!(told["seeded"], 2 + 3 + 4);
    }
}

/// A line and an area are shared out over the tiles; no share is lost.
#[test]
fn shares_of_tiles_add_up() {
    let corner = |x: f64, y: f64| json!([CORNER.x + x, CORNER.y + y]);
    let line = json!({"line": [corner(10.0, 20.0), corner(50.0, 95.0)]});
    let area = json!({"polygon": [corner(7.0, 11.0), corner(60.0, 30.0), corner(20.0, 55.0), corner(30.0, 100.0)]});
    for release in [line, area] {
        let tiles = json!({"size_m": 32, "halo_m": 260});
        let changes = [
            ("/sources/0/release", release),
            ("/sources/0/rocks", json!(300)),
        ];
        let found = files(&scene(Some(tiles), &changes));
        let text = String::from_utf8(found.read("tiles.csv").unwrap()).unwrap();
        let rocks = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(3).unwrap());
        let rocks: Vec<u64> = rocks.map(|n| n.parse().unwrap()).collect();
        let with = rocks.iter().filter(|n| **n > 0).count() as u64;
        let all: u64 = rocks.iter().sum();
        // Each tile rounds its share up; the two other sources have 3 and 4 rocks.
        assert!(
            with >= 4 && (307..=307 + with).contains(&all),
            "{all} in {with}"
        );
    }
}

/// Tiles without a height have no rocks; those of a source in one are warned of.
#[test]
fn a_tile_without_heights_is_passed_over() {
    let tiles = json!({"size_m": 60, "halo_m": 60});
    let changes = [
        ("/materials/0/friction", json!(5)),
        (
            "/sources/2/release",
            json!({"point": [CORNER.x + 222.5, CORNER.y + 88.3]}),
        ),
    ];
    let scene = scene(Some(tiles), &changes).to_string();
    let (scene, _) = Scene::parse(&scene, ".").unwrap();
    let scene = scene.with_files(BTreeMap::from([(
        "slope.tif".to_owned(),
        with_a_hole(f64::NAN),
    )]));
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let told = outcome.results.summary().unwrap();
    // The first two sources lie where no height is known around their tiles.
    let number = |key: &str| told[key].as_u64();
    assert_eq!(
        (number("tiles_with_rocks"), number("seeded")),
        (Some(1), Some(4))
    );
    assert!(one_names(&outcome.warnings, &["5 rocks", "missing"]));
}

/// A raster of which the west is missing, by NaN or by a number that no header names.
fn with_a_hole(missing: f64) -> Vec<u8> {
    let (columns, rows) = (150, 60);
    let height = |k: usize| match k % columns {
        ..90 => missing,
        column => 500.0 - 0.9 * column as f64,
    };
    geotiff::write(
        (columns, rows),
        2.0,
        CORNER + 1.0,
        height,
        None,
        Digits::Double,
    )
    .unwrap()
}

/// A source over the edge of the data: in tiles without any its rocks are not run, and that is told.
#[test]
fn a_release_over_missing_heights_is_run_where_there_are_heights() {
    let corner = |x: f64, y: f64| json!([CORNER.x + x, CORNER.y + y]);
    let area = json!({"polygon": [corner(130.0, 20.0), corner(230.0, 20.0), corner(230.0, 90.0), corner(130.0, 90.0)]});
    let one = |area: Value| {
        json!([{"name": "s", "release": area, "rocks": 100, "height_m": 1,
            "shapes": [{"shape": "sphere", "volume_m3": 1}]}])
    };
    let changes = [("/materials/0/friction", json!(5)), ("/sources", one(area))];
    let text = scene(Some(json!({"size_m": 20, "halo_m": 60})), &changes).to_string();
    for missing in [f64::NAN, -9999.0] {
        let (scene, _) = Scene::parse(&text, ".").unwrap();
        let files = BTreeMap::from([("slope.tif".to_owned(), with_a_hole(missing))]);
        let outcome = scene
            .with_files(files)
            .job()
            .unwrap()
            .run_silently()
            .unwrap();
        let seeded = outcome.results.summary().unwrap()["seeded"]
            .as_u64()
            .unwrap();
        // Half of the area has heights; each of 20 tiles rounds its share up.
        assert!((48..72).contains(&seeded), "{seeded}");
        let told = outcome
            .warnings
            .iter()
            .filter(|w| w.contains("are not run"));
        assert_eq!(told.count(), 1, "{:?}", outcome.warnings);
    }
}

/// No cell of the foot of the slope is steep: its tiles have no rocks. A source beside the raster is refused.
#[test]
fn sources_that_have_no_place() {
    let steep = json!([{"name": "s", "release": {"steeper_than_deg": 30}, "rocks_per_cell": 1, "height_m": 1,
        "shapes": [{"shape": "sphere", "volume_m3": 1}]}]);
    let tiles = || Some(json!({"size_m": 40, "halo_m": 40}));
    let changes = [
        ("/materials/0/friction", json!(5)),
        ("/materials/0/normal_restitution", json!(0.05)),
        ("/sources", steep),
    ];
    let outcome = read(&scene(tiles(), &changes))
        .job()
        .unwrap()
        .run_silently()
        .unwrap();
    let told = outcome.results.summary().unwrap();
    let (tiles_of, with) = (told["tiles"].as_u64(), told["tiles_with_rocks"].as_u64());
    // Of eight columns of tiles the slope reaches over five.
    assert_eq!((tiles_of, with), (Some(24), Some(15)));
    let beside = (
        "/sources/1/release",
        json!({"point": [CORNER.x - 50.0, CORNER.y + 50.0]}),
    );
    let refused = read(&scene(tiles(), &[beside])).job().err().unwrap();
    let refused = Refused::from(refused);
    assert!(refused.names(&["s1", "beside the raster"]), "{refused:?}");
}

/// Rocks that fall from high up and run out of time, with a law and with maps that do nothing here.
#[test]
fn tiles_warn_of_what_one_run_warns_of() {
    let changes = [
        ("/materials/0/normal_restitution", json!(0.95)),
        ("/materials/0/friction", json!(0.05)),
        ("/materials/0/rolling_resistance", json!(0.2)),
        ("/sources/0/height_m", json!(60)),
        ("/return_periods_a", json!([100])),
        ("/stop", json!({"maximum_time_s": 4})),
    ];
    let run = |tiles| {
        read(&scene(tiles, &changes))
            .job()
            .unwrap()
            .run_silently()
            .unwrap()
    };
    let (one, tiles) = (run(None), run(Some(json!({"size_m": 40, "halo_m": 240}))));
    assert!(one.warnings.len() >= 4, "{:?}", one.warnings);
    for warning in &one.warnings {
        assert!(
            tiles.warnings.contains(warning),
            "{warning} of {:?}",
            tiles.warnings
        );
    }
    // Rocks that did not come to rest are told of in the verdict.
    let verdict = |run: &klast_runs::job::Outcome| run.results.answer().unwrap().verdict;
    let told = "ran out of time or are unresolved";
    assert!(verdict(&one).contains(told) && verdict(&tiles).contains(told));
}

fn part(scene: &Value, folder: &Path, shard: Shard) {
    let mut files = Folder::open(folder).unwrap();
    let mut run = Run::new(&Silent, &mut files);
    run.shard = Some(shard);
    let results = read(scene).job().unwrap().run(&mut run).unwrap();
    results.write(&mut files).unwrap();
}

#[test]
fn any_number_of_parts_has_the_bytes_of_one_run() {
    let scene = scene(Some(json!({"size_m": 100, "halo_m": 240})), &[]);
    let whole = files(&scene);
    for count in [1, 4, 20] {
        let folder = tempfile::tempdir().unwrap();
        let folders: Vec<PathBuf> = (1..=count)
            .map(|index| folder.path().join(index.to_string()))
            .collect();
        for (index, folder) in (1..).zip(&folders) {
            part(&scene, folder, Shard { index, count });
        }
        let (mut files, mut own) = (Memory::default(), Memory::default());
        let mut run = Run::new(&Silent, &mut own);
        let job = read(&scene).job().unwrap();
        job.merge(&folders, &mut run)
            .unwrap()
            .write(&mut files)
            .unwrap();
        assert_eq!(files.names(), whole.names());
        for name in whole.names() {
            assert_eq!(files.read(name), whole.read(name), "{count} {name}");
        }
    }
}

#[test]
fn a_rock_that_leaves_the_ground_that_was_read_is_an_error() {
    let scene = scene(Some(json!({"size_m": 40, "halo_m": 40})), &[]);
    let refused = read(&scene).job().unwrap().run_silently();
    let refused = Refused::from(refused.err().unwrap());
    assert!(refused.names(&["halo_m", "tile", "40 m"]), "{refused:?}");
}

#[test]
fn what_tiles_do_not_have_is_refused() {
    let tiles = |size: f64, halo: f64| json!({"size_m": size, "halo_m": halo});
    for (tiles, changes, path) in [
        (tiles(41.0, 40.0), vec![], "terrain.raster.tiles.size_m"),
        (tiles(40.0, 0.0), vec![], "terrain.raster.tiles.halo_m"),
        (
            tiles(40.0, 40.0),
            vec![("/map_cell_m", Value::Null)],
            "map_cell_m",
        ),
        (
            tiles(40.0, 40.0),
            vec![("/materials/0/posterior", json!("posterior.json"))],
            "materials, posterior",
        ),
        (
            tiles(40.0, 40.0),
            vec![("/write_paths", json!(3))],
            "write_paths",
        ),
        (
            tiles(40.0, 40.0),
            vec![("/sources/1/release", json!({"steeper_than_deg": 30}))],
            "sources[1].rocks",
        ),
    ] {
        let refused = read(&scene(Some(tiles), &changes)).job().err().unwrap();
        let refused = Refused::from(refused);
        assert_eq!(refused.paths(), [path], "{refused:?}");
    }
}

/// Cells along a side of the large raster, and of its tiles.
const SIDE: u32 = 100_000;
const BLOCK: u32 = 256;

/// Height in a column of the large raster: 15° along x, a cliff of four cells with 60°, and a wall back up at the end
/// of each block.
fn height(column: u32) -> f32 {
    let k = (column % BLOCK) as f32;
    1000.0 - 0.5 * k - 3.0 * (k - 100.0).clamp(0.0, 4.0)
}

/// A BigTIFF of 10¹⁰ cells of 2 m whose blocks are all the same one.
fn vast(path: &Path) {
    let blocks = u64::from(SIDE.div_ceil(BLOCK)).pow(2);
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let long = |tag: u16, kind: u16, count: u64, value: u64| {
        let mut entry = Vec::new();
        entry.extend(tag.to_le_bytes());
        entry.extend(kind.to_le_bytes());
        entry.extend(count.to_le_bytes());
        entry.extend(value.to_le_bytes());
        entry
    };
    let entries = 13u64;
    // Header, directory, scale, tie point, offsets, lengths, the block.
    let scale = 16 + 8 + 20 * entries + 8;
    let (tie, offsets) = (scale + 24, scale + 24 + 48);
    let (lengths, data) = (offsets + 8 * blocks, offsets + 16 * blocks);
    let length = u64::from(BLOCK * BLOCK * 4);
    file.write_all(b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0")
        .unwrap();
    file.write_all(&entries.to_le_bytes()).unwrap();
    for entry in [
        long(256, 4, 1, SIDE.into()),
        long(257, 4, 1, SIDE.into()),
        long(258, 3, 1, 32),
        long(259, 3, 1, 1),
        long(262, 3, 1, 1),
        long(277, 3, 1, 1),
        long(322, 4, 1, BLOCK.into()),
        long(323, 4, 1, BLOCK.into()),
        long(324, 16, blocks, offsets),
        long(325, 16, blocks, lengths),
        long(339, 3, 1, 3),
        long(33550, 12, 3, scale),
        long(33922, 12, 6, tie),
    ] {
        file.write_all(&entry).unwrap();
    }
    file.write_all(&0u64.to_le_bytes()).unwrap();
    let top = CORNER.y + 2.0 * f64::from(SIDE);
    for number in [2.0, 2.0, 0.0, 0.0, 0.0, 0.0, CORNER.x, top, 0.0] {
        file.write_all(&f64::to_le_bytes(number)).unwrap();
    }
    for number in [data, length] {
        for _ in 0..blocks {
            file.write_all(&number.to_le_bytes()).unwrap();
        }
    }
    for k in 0..BLOCK * BLOCK {
        file.write_all(&height(k % BLOCK).to_le_bytes()).unwrap();
    }
    file.flush().unwrap();
}

/// A window of release cells in a raster of 10¹⁰ cells: rocks start on squares that are steeper than 44°.
#[test]
fn a_raster_of_ten_thousand_million_cells_is_run_by_a_tile() {
    let folder = tempfile::tempdir().unwrap();
    vast(&folder.path().join("slope.tif"));
    let tiles = json!({"size_m": 1000, "halo_m": 600});
    let changes = [
        ("/terrain/raster/vertical_resolution_m", json!(0)),
        ("/map_cell_m", json!(10)),
        (
            "/sources",
            json!([{"name": "edge", "release": {"steeper_than_deg": 44}, "rocks_per_cell": 1,
            "shapes": [{"shape": "sphere", "volume_m3": 1}]}]),
        ),
    ];
    let scene = scene(Some(tiles), &changes);
    let (scene, _) = Scene::parse(&scene.to_string(), folder.path()).unwrap();
    let job = scene.job().unwrap();
    // 200 x 200 tiles; one in the middle.
    assert!(job.describe().contains("1/40000"), "{}", job.describe());
    let mut files = Memory::default();
    let mut run = Run::new(&Silent, &mut files);
    let (index, count) = (20_101, 40_000);
    run.shard = Some(Shard { index, count });
    let outcome = job.run(&mut run).unwrap();
    let rocks = outcome.summary().unwrap()["seeded"].as_u64().unwrap();
    let steep = |column: &u32| (height(column + 1) - height(*column)).abs() > 1.94;
    let columns = (50_000..50_500).filter(steep).count() as u64;
    assert_eq!((columns, rocks), (10, 500 * columns));
}
