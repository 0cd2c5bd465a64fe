//! Missing data, scale, offset and unit of the values.

use super::*;

#[test]
fn missing_data_are_known_as_singles() {
    let missing = |sample: f32, nodata: &str| {
        let samples = [sample, 7.0, 7.0, 7.0];
        let file = Foreign {
            samples,
            nodata: Some(nodata),
            ..PLAIN
        };
        // The first sample is in the north: the third value.
        file.read().unwrap().values.at([2])[0].is_nan()
    };
    for (sample, printed) in [
        (-9999.9, "-9999.9"),
        (1e-5, "1e-5"),
        (f32::MIN, "-3.4e+38"),
        (f32::MIN, "-3.4028235e+38"),
        (f32::MIN, "-3.40282346600000016e+38"),
        (f32::MIN, "-1.79769313486232e+308"),
        (-32768.0, "-32768"),
        (f32::NAN, "-9999"),
        (f32::MIN, "-9999"),
        (1.701_41e38, "0"),
    ] {
        assert!(missing(sample, printed), "{sample} {printed}");
    }
    assert!(!missing(-9990.0, "-9999.9"));
    // What no header names and no other height is near, with a remark.
    let found = Foreign {
        samples: [-9999.0, 7.0, 7.0, 7.0],
        ..PLAIN
    }
    .read()
    .unwrap();
    assert!(found.values.at([2])[0].is_nan() && found.cautions.len() == 1);
    let sea = Foreign {
        samples: [-9999.0, -9000.0, 7.0, 7.0],
        ..PLAIN
    }
    .read()
    .unwrap();
    assert!(!sea.values.at([2])[0].is_nan());
    let unreadable = said(
        Foreign {
            nodata: Some("none"),
            ..PLAIN
        }
        .read(),
    );
    assert_eq!(unreadable, "refused Value, gdal_translate");
}

/// Not a number as C libraries of Windows and Linux print it; GDAL reads each as NaN.
#[test]
fn no_number_stands_for_missing_data_in_all_spellings() {
    for text in [
        "nan",
        "-nan",
        "-1.#IND",
        "1.#QNAN",
        "-1.#QNAN",
        "-1.#IND00",
        "nan(0x8000000000000)",
        "-nan(ind)",
    ] {
        let samples = [f32::NAN, 7.0, 7.0, 7.0];
        let nodata = Some(text);
        let found = Foreign {
            samples,
            nodata,
            ..PLAIN
        }
        .read()
        .unwrap();
        let missing = found.values.iter().filter(|v| v.is_nan()).count();
        assert_eq!((missing, found.values.at([3])[0]), (1, 7.0), "{text}");
        let grid = format!(
            "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value {text}\n{text} 7\n7 7\n"
        );
        let found = Raster::of_esri_ascii(grid.as_bytes(), &Beside::default()).unwrap();
        assert!(
            found.values.at([2])[0].is_nan() && found.values.at([3])[0] == 7.0,
            "{text}"
        );
    }
}

#[test]
fn scale_offset_and_unit_are_applied() {
    let metadata = r#"<GDALMetadata><Item name="OFFSET" sample="0" role="offset">100</Item>
        <Item name="SCALE" sample="0" role="scale">0.1</Item>
        <Item name="UNITTYPE" sample="0" role="unittype">US survey foot</Item></GDALMetadata>"#;
    let file = Foreign {
        metadata: Some(metadata),
        ..PLAIN
    };
    let raster = file.read().unwrap();
    assert!(raster.values.iter().eq([100.3, 100.4, 100.1, 100.2]));
    let ground = raster.into_ground().unwrap();
    let foot = 1200.0 / 3937.0;
    assert_eq!(ground.grid.heights().at([0])[0], 100.3 * foot);
    let feet = [[4099, 0, 1, 9003]];
    assert_eq!(
        Foreign {
            keys: &feet,
            ..PLAIN
        }
        .read()
        .unwrap()
        .height_unit,
        foot
    );
    let contradiction = said(
        Foreign {
            keys: &[[4099, 0, 1, 9001]],
            ..file.clone()
        }
        .read(),
    );
    assert_eq!(contradiction, "refused Unit");
    let beside = Beside {
        pam: Some(b"<PAMDataset><PAMRasterBand band=\"1\"><Scale>0.2</Scale></PAMRasterBand></PAMDataset>".to_vec()),
        ..Beside::default()
    };
    let contradiction = said(read(&file.bytes(), &beside));
    assert_eq!(contradiction, "refused Contradiction");
    assert_eq!(
        read(&PLAIN.bytes(), &beside).unwrap().values.at([3])[0],
        0.4
    );
    let furlongs = metadata.replace("US survey foot", "furlong");
    assert_eq!(
        said(
            Foreign {
                metadata: Some(&furlongs),
                ..PLAIN
            }
            .read()
        ),
        "refused Unit, gdal_calc.py"
    );
}

/// -9999 x 0.1 is -999.9: looked for among the samples, not among the heights.
#[test]
fn missing_data_are_known_before_the_scale() {
    let pam = b"<PAMDataset><PAMRasterBand band=\"1\"><Scale>0.1</Scale><Offset>5</Offset></PAMRasterBand></PAMDataset>";
    let beside = Beside {
        pam: Some(pam.to_vec()),
        ..Beside::default()
    };
    let file = Foreign {
        samples: [-9999.0, 7.0, 7.0, 7.0],
        ..PLAIN
    };
    let raster = read(&file.bytes(), &beside).unwrap();
    assert!(raster.values.at([2])[0].is_nan() && raster.cautions.len() == 1);
    assert_eq!(raster.values.at([3])[0], 5.7);
    let text =
        b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -1\n-9999 7\n7 7\n";
    let raster = Raster::of_esri_ascii(text, &beside).unwrap();
    assert!(raster.values.at([2])[0].is_nan() && raster.cautions.len() == 1);
    assert_eq!(raster.values.at([3])[0], 5.7);
}
