//! The sentence of a refusal: one of each kind, and the commands that make what is accepted.

use std::path::Path;

use klast_files::by_ending::{mesh_from, raster};
use klast_files::command::{Command, quoted};
use klast_files::crs::Crs;
use klast_files::raster::Beside;
use klast_files::raster::placement::Placement;
use klast_files::record::{ReadOptions, RecordFile};
use klast_files::shapes::Shapes;
use klast_files::text::strict;
use klast_files::{Kind, Refusal, reading, table};
use klast_ground_motion::AccelerationUnit;

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
    let tall: Vec<u8> =
        b"ncols 9999999\nnrows 9999999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n".to_vec();
    let all = [
        (
            Kind::Unreadable,
            reading::bytes(Path::new("/nowhere/x")).unwrap_err(),
            "/nowhere/x: cannot be read: No such file or directory (os error 2)",
        ),
        (
            Kind::NoData,
            dem(b""),
            "an empty file; accepted: a file with data",
        ),
        (
            Kind::Packed,
            raster("dem.zip", zip, &Beside::default()).unwrap_err(),
            "a file packed by zip that holds dem.asc; accepted: the file in it (`unzip dem.zip` \
             unpacks it)",
        ),
        (
            Kind::Foreign,
            shapes("a.dxf", "0\nSECTION\n"),
            "'.dxf' is not read; accepted: GeoJSON, shapefile (.shp), points in columns (.csv) \
             (`ogr2ogr a.geojson a.dxf`; with the option `-nlt POLYGON` closed lines become \
             areas)",
        ),
        (
            Kind::Unsupported,
            mesh("ply", "ply\nformat packed 1.0\n"),
            "PLY: format 'packed'; accepted: ascii, binary_little_endian, binary_big_endian",
        ),
        (
            Kind::Truncated,
            record("A\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n0 1\n", None),
            "the header announces 3 values, found 2",
        ),
        (
            Kind::Syntax,
            dem(b"ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1;2\n"),
            "ESRI ASCII grid: line 6: found '1;2'; accepted: a key such as ncols with one \
             number, then heights with spaces between them",
        ),
        (
            Kind::Letters,
            strict(b"ncols 2\nn\xe4me").unwrap_err(),
            "byte 9 is not UTF-8; accepted: UTF-8 text, or UTF-16 with its byte order mark",
        ),
        (
            Kind::Value,
            record("time_s,acc_g\n0,0\n0.01,n/a\n0.02,0.2\n", None),
            "record, line 3: found \"0.01,n/a\"; accepted: two finite numbers, time (s) and \
             acceleration, between them a comma, a semicolon, blanks or a tab (a PEER .AT2 file \
             has NPTS and DT within its first ten lines)",
        ),
        (
            Kind::Missing,
            table::rows(Path::new("a.csv"), b"id,x\n").unwrap_err(),
            "a.csv: no rows; accepted: one or more",
        ),
        (
            Kind::Several,
            several.component(None).unwrap_err(),
            "component none: the file has the components NS, EW; accepted: one of them",
        ),
        (
            Kind::Contradiction,
            record("time_s,acceleration_g\n0,0\n1,2\n", metres),
            "record, line 1: found \"time_s,acceleration_g\"; accepted: the unit that is given \
             beside the file, or none",
        ),
        (
            Kind::Unit,
            mesh("obj", "# Units: mm\nv 0 0 0\n"),
            "OBJ line 1: '# Units: mm': a unit is 0.001 m; accepted: metres (coordinates times \
             0.001, without this statement)",
        ),
        (
            Kind::Quantity,
            record("time_s;v (mm/s)\n0;0.1\n0.01;0.2\n", g),
            "record, line 1: found \"time_s;v (mm/s)\"; accepted: values in a unit of \
             acceleration: the header states a unit of velocity or displacement for them",
        ),
        (
            Kind::Step,
            record("0.1 0.2 0.3\n-0.5 0.6\n", g),
            "record, line 1: found \"0.1 0.2 0.3\"; accepted: the step of values without times: \
             step_s beside the file, \"dt = 0.02\" above the values, or a first line with their \
             number and the step; a table has two columns, time (s) and acceleration",
        ),
        (
            Kind::Crs,
            Crs::parse("LV95").unwrap_err(),
            "CRS 'LV95' is not known; accepted: an EPSG code such as EPSG:2056, WKT, a PROJ \
             string, or 'local' for a grid of its own in metres",
        ),
        (
            Kind::Placement,
            place([0.0, 1.0, 0.5, 0.0, 0.5, -1.0]),
            "a raster that is turned or sheared; accepted: rows along a parallel (`gdalwarp -overwrite -r \
             bilinear -ot Float32 -dstnodata -9999 dem.tif dem-new.tif` writes it north up)",
        ),
        (
            Kind::Value,
            dem(&tall),
            "ESRI ASCII grid: number of raster heights is 1; accepted: 9999999 × 9999999 as the \
             header says",
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
