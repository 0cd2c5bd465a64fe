//! ESRI ASCII grids: there and back, as programs write them, and what is refused.

use crate::cases::refused as told;
use glam::DVec3;
use klast_files::raster::esri_ascii;
use klast_geometry::terrain::Terrain as _;

#[test]
fn esri_ascii_round_trip_and_refusals() {
    let text = "ncols 3\nnrows 2\nxllcorner 2800000.0\nyllcorner 1180000\ncellsize 0.5\nNODATA_value -9999\n4 5 6\n1 -9999\n3\n";
    let grid = esri_ascii::read(text).unwrap();
    assert_eq!(grid.origin(), DVec3::new(2_800_000.25, 1_180_000.25, 0.0));
    // The first row of the file is the northern one.
    let heights: Vec<f64> = grid.heights().iter().collect();
    assert_eq!(heights[0], 1.0);
    assert!(heights[1].is_nan());
    assert_eq!(&heights[2..], &[3.0, 4.0, 5.0, 6.0]);
    let place = grid.origin().truncate();
    let again = esri_ascii::write((3, 2), 0.5, place, |k| heights[k], -9999.0);
    let grid2 = esri_ascii::read(&again).unwrap();
    assert_eq!(grid2.origin(), grid.origin());
    assert!(
        grid2
            .heights()
            .iter()
            .zip(grid.heights().iter())
            .all(|(a, b)| a == b || (a.is_nan() && b.is_nan()))
    );
    for bad in [
        "",
        "ncols 3\nnrows 2\ncellsize 1\n1 2 3 4 5 6",
        "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4 5",
        "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 x 4 5 6",
        "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 1\ndy 2\n1 2 3 4 5 6",
        "ncols -3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4 5 6",
        "ncols 1e18\nnrows 1e18\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 4 5 6",
        "ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3",
        "colour 3\n",
    ] {
        assert!(esri_ascii::read(bad).is_err(), "{bad}");
    }
}

/// What programs print for missing data, with the header or against it, and what is refused with the line shown.
#[test]
fn esri_ascii_as_programs_write_it() {
    let grid = |header: &str, row: &str| {
        esri_ascii::read(&format!(
            "ncols 3\nnrows 2\nxllcorner 100\nyllcorner 200\n{header}\n{row}\n4 5 6\n"
        ))
    };
    for (header, word) in [
        (
            "cellsize 10\nNODATA_value -3.4028234663852886e+38",
            "-3.40282e+38",
        ),
        ("cellsize 10\nNODATA_value -9999.9", "-9999.9004"),
        ("cellsize 10", "-3.402823e38"),
        ("cellsize 10", "1.70141e+38"),
        ("cellsize 10\nnodata_value nan", "nan"),
        ("cellsize 10", "-1.#IND"),
        ("cellsize 10", "1.#QNAN0"),
        (
            "cellsize 10\nnodata_value nan(0x8000000000000)",
            "-nan(ind)",
        ),
        ("cellsize 10\nnodata_value null", "null"),
        ("dx 10.000000000000\ndy 9.999999999998", "-9999"),
    ] {
        // Within a row, and where the first number of the file stands.
        for (row, at) in [(format!("1 {word} 3"), 4), (format!("{word} 2 3"), 3)] {
            let found = grid(header, &row).unwrap();
            let missing: Vec<usize> = (0..6)
                .filter(|k| found.heights().at([*k])[0].is_nan())
                .collect();
            assert_eq!(missing, [at], "{header}: {word}");
        }
    }
    // What only begins like no number is none; missing data are no size.
    for (header, row, right) in [
        ("cellsize 10", "1,2,3", "refused Syntax, line 6"),
        ("cellsize 10", "1;2;3", "refused Syntax, line 6"),
        ("cellsize 10", "1 nano 3", "refused Syntax, line 6"),
        ("cellsize 10", "1 nan;12 3", "refused Syntax, line 6"),
        ("cellsize 10", "1 NaN,3.5 3", "refused Syntax, line 6"),
        ("cellsize 10", "1 1.#IND;12 3", "refused Syntax, line 6"),
        ("cellsize 10", "1 nan(1 3", "refused Syntax, line 6"),
        ("cellsize null", "1 2 3", "refused Syntax, line 5"),
        ("cellsize 1.#IND", "1 2 3", "refused Syntax, line 5"),
        (
            "cellsize 10\nyllcorner nodata",
            "1 2 3",
            "refused Syntax, line 6",
        ),
        (
            "dx 10\ndy 10.001",
            "1 2 3",
            "refused Syntax, line 6, gdalwarp",
        ),
    ] {
        let refused = told(&grid(header, row).unwrap_err());
        assert_eq!(refused, right, "{header} {row}");
    }
    let surfer = esri_ascii::read("DSAA\n3 2\n105 125\n205 215\n1 6\n1 2 3\n4 5 6\n").unwrap_err();
    assert_eq!(told(&surfer), "refused Syntax, line 1, gdal_translate");
}
