//! The sentence of a refusal: one of each kind, and the commands that make what is accepted.

use std::path::Path;

use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::by_ending::{body_from, mesh_from, raster};
use klast_files::command::{Command, quoted};
use klast_files::crs::Crs;
use klast_files::raster::Beside;
use klast_files::raster::placement::Placement;
use klast_files::record::{ReadOptions, RecordFile};
use klast_files::shapes::Shapes;
use klast_files::{Kind, Refusal, reading, table};

fn record(text: &str, unit: Option<AccelerationUnit>) -> Refusal {
    let options = ReadOptions {
        unit,
        ..ReadOptions::default()
    };
    RecordFile::read(text.as_bytes(), &options).unwrap_err()
}

fn mesh(ending: &str, text: &str) -> Refusal {
    mesh_from(ending, text.as_bytes()).unwrap_err()
}

fn shapes(file: &str, text: &str) -> Refusal {
    Shapes::read(file, text.as_bytes(), &mut |_| Ok(None)).unwrap_err()
}

#[test]
fn each_kind_has_its_sentence() {
    let g = Some(AccelerationUnit::StandardGravity);
    let metres = Some(AccelerationUnit::MetrePerSecondSquared);
    let dem = |bytes: &[u8]| raster("dem.asc", bytes, &Beside::default()).unwrap_err();
    let several = RecordFile::read(
        b"Time (s),NS (g),EW (g)\n0,1,2\n0.01,3,4\n",
        &ReadOptions::default(),
    )
    .unwrap();
    let place = |numbers| Placement::of_transform(numbers).unwrap_err().of("dem.tif");
    let zip = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\0dem.ascncols";
    let all = [
        (
            Kind::Unreadable,
            reading::bytes(Path::new("/nowhere/x")).unwrap_err(),
            "?0",
        ),
        (Kind::NoData, dem(b""), "?1"),
        (
            Kind::Packed,
            raster("dem.zip", zip, &Beside::default()).unwrap_err(),
            "?2",
        ),
        (Kind::Foreign, shapes("a.dxf", "0\nSECTION\n"), "?3"),
        (
            Kind::Unsupported,
            mesh("ply", "ply\nformat packed 1.0\n"),
            "?4",
        ),
        (
            Kind::Truncated,
            record("A\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n0 1\n", None),
            "?5",
        ),
        (
            Kind::Syntax,
            dem(b"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1;2\n"),
            "?6",
        ),
        (Kind::Letters, shapes("a.geojson", "").at(""), "?7"),
        (
            Kind::Value,
            record("time_s,acc_g\n0,0\n0.01,n/a\n0.02,0.2\n", None),
            "?8",
        ),
        (
            Kind::Missing,
            table::rows(Path::new("a.csv"), b"id,x\n").unwrap_err(),
            "?9",
        ),
        (Kind::Several, several.component(None).unwrap_err(), "?10"),
        (
            Kind::Contradiction,
            record("time_s,acceleration_g\n0,0\n1,2\n", metres),
            "?11",
        ),
        (Kind::Unit, mesh("obj", "# Units: mm\nv 0 0 0\n"), "?12"),
        (
            Kind::Quantity,
            record("time_s;v (mm/s)\n0;0.1\n0.01;0.2\n", g),
            "?13",
        ),
        (Kind::Step, record("0.1 0.2 0.3\n-0.5 0.6\n", g), "?14"),
        (Kind::Crs, Crs::parse("LV95").unwrap_err(), "?15"),
        (
            Kind::Placement,
            place([0.0, 1.0, 0.5, 0.0, 0.5, -1.0]),
            "?16",
        ),
        (
            Kind::Missing,
            body_from("stl", b"solid a\n").unwrap_err(),
            "?17",
        ),
    ];
    for (kind, refusal, right) in all {
        assert_eq!((refusal.kind, refusal.to_string().as_str()), (kind, right));
    }
}

#[test]
fn a_command_has_the_names_of_its_file() {
    let warp = || Command::new("gdalwarp {in}.tif {out}.tif");
    let calc = Command::new("gdal_calc.py -A {out}.tif")
        .word("--calc=A*0.3")
        .words("--outfile={metres}.tif");
    let directory = Command::new("gdal_translate GTIFF_DIR:1:{in}.tif {out}.tif");
    for (file, command, right) in [
        ("a/dem.tif", warp(), "`gdalwarp a/dem.tif a/dem-new.tif`"),
        (
            "my dem.asc",
            warp(),
            "`gdalwarp \"my dem.asc\" \"my dem-new.tif\"`",
        ),
        (
            "dem",
            directory,
            "`gdal_translate GTIFF_DIR:1:dem dem-new.tif`",
        ),
        (
            "d.tif",
            calc,
            "`gdal_calc.py -A d-new.tif --calc=\"A*0.3\" --outfile=d-metres.tif`",
        ),
        // Files that are called as others stand for one, or as a shell reads otherwise.
        (
            "{in}.tif",
            warp(),
            "`gdalwarp \"{in}.tif\" \"{in}-new.tif\"`",
        ),
        (
            "it's.tif",
            warp(),
            "`gdalwarp 'it'\\''s.tif' 'it'\\''s-new.tif'`",
        ),
        ("a`b`.tif", warp(), "`gdalwarp {in}.tif {out}.tif`"),
        ("-a.tif", warp(), "`gdalwarp ./-a.tif ./-a-new.tif`"),
        (
            "a.kml",
            Command::new("ogr2ogr")
                .words("{out}.gpkg {in}.kml")
                .word("my layer"),
            "`ogr2ogr a-new.gpkg a.kml \"my layer\"`",
        ),
    ] {
        let refusal = Refusal::new(Kind::Syntax, "{in}.tif")
            .accepting("another")
            .cured_by(command);
        assert_eq!(
            refusal.of(file).to_string(),
            format!("{{in}}.tif; accepted: another ({right})")
        );
    }
}

/// What a shell makes of the words is what they were.
#[test]
#[cfg(unix)]
fn a_shell_reads_quoted_words_as_they_are() {
    for word in [
        "plain-1.tif",
        "a b",
        "a$(echo x)",
        "x\";echo y;\"",
        "it's",
        "a\\b",
        "${HOME}",
        "!!",
        "-x",
        "",
        "*",
        "~",
        "a;b&c|d>e#f",
        "{a,b}",
    ] {
        let echo = format!("printf %s {}", quoted(word));
        let shell = std::process::Command::new("sh")
            .args(["-c", &echo])
            .output();
        assert_eq!(String::from_utf8_lossy(&shell.unwrap().stdout), word);
    }
    assert_eq!(quoted("a`rm b`"), "NAME");
    assert_eq!(quoted("a\nb"), "NAME");
}
