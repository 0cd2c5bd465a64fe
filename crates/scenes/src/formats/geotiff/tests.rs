use super::*;
use glam::DVec2;
use std::io::Cursor;
use tiff::encoder::{TiffEncoder, colortype};
use tiff::tags::Tag;

fn plain(bytes: &[u8]) -> Result<Raster> {
    read(bytes, &Beside::default())
}

fn said(result: Result<Raster>) -> String {
    format!("{:#}", result.unwrap_err())
}

#[test]
fn what_is_written_reads_back() {
    let (columns, rows) = (300, 257);
    let mut values: Vec<f64> = (0..columns * rows)
        .map(|k| f64::from(k as u32) * 0.125)
        .collect();
    values[7] = f64::NAN;
    values[columns * rows - 1] = 2_800_000.125;
    let place = DVec2::new(2_800_000.25, 1_200_000.75);
    let crs = Crs::from_epsg(2056).unwrap();
    let bytes = write(
        (columns, rows),
        0.5,
        place,
        &values,
        Some(&crs),
        Digits::Double,
    )
    .unwrap();
    let raster = plain(&bytes).unwrap();
    assert_eq!(
        (raster.columns, raster.rows, raster.cell, raster.south_west),
        (columns, rows, 0.5, place)
    );
    assert_eq!(raster.crs.as_ref().unwrap().label(), "EPSG:2056");
    // NaN differs from itself: bits are compared.
    let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&raster.values), bits(&values));
    // An independent reader finds the same samples.
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
    let tiff::decoder::DecodingResult::F64(other) = decoder.read_image().unwrap() else {
        panic!("samples are doubles");
    };
    let north_first: Vec<f64> = values
        .chunks_exact(columns)
        .rev()
        .flatten()
        .copied()
        .collect();
    assert_eq!(bits(&other), bits(&north_first));
    let single = write(
        (columns, rows),
        0.5,
        place,
        &values,
        Some(&crs),
        Digits::Single,
    )
    .unwrap();
    let raster = plain(&single).unwrap();
    let rounded: Vec<f64> = values.iter().map(|v| f64::from(*v as f32)).collect();
    assert_eq!(bits(&raster.values), bits(&rounded));
    assert!(single.len() < bytes.len());
}

#[test]
fn broken_files_are_refused() {
    let bytes = write((3, 3), 1.0, DVec2::ZERO, &[0.0; 9], None, Digits::Single).unwrap();
    for end in (0..bytes.len()).step_by(3) {
        // Cut anywhere the file must be refused or, where only padding is lost, read.
        let _ = plain(&bytes[..end]);
    }
    // The directory and what belongs to it; the fuzz target does more.
    for at in 0..bytes.len().min(420) {
        for change in [1, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= change;
            let _ = plain(&broken);
        }
    }
    assert!(plain(&bytes[..40]).is_err());
    assert!(plain(b"II*\0").is_err());
    assert!(write((2, 2), 1.0, DVec2::ZERO, &[0.0; 3], None, Digits::Single).is_err());
}

/// What a file of 2 × 2 singles holds beside its samples.
#[derive(Clone)]
struct Foreign<'a> {
    samples: [f32; 4],
    nodata: Option<&'a str>,
    keys: &'a [[u16; 4]],
    text: &'a str,
    metadata: Option<&'a str>,
    scale: Option<[f64; 3]>,
    ties: &'a [f64],
    matrix: Option<[f64; 16]>,
}

const PLAIN: Foreign = Foreign {
    samples: [1.0, 2.0, 3.0, 4.0],
    nodata: None,
    keys: &[],
    text: "",
    metadata: None,
    scale: Some([1.0, 1.0, 0.0]),
    ties: &[0.0, 0.0, 0.0, 600_000.0, 200_000.0, 0.0],
    matrix: None,
};

impl Foreign<'_> {
    /// As other programs write it.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
        let mut image = encoder.new_image::<colortype::Gray32Float>(2, 2).unwrap();
        let tags = image.encoder();
        if let Some(scale) = self.scale {
            tags.write_tag(Tag::ModelPixelScaleTag, &scale[..]).unwrap();
        }
        if !self.ties.is_empty() {
            tags.write_tag(Tag::ModelTiepointTag, self.ties).unwrap();
        }
        if let Some(matrix) = self.matrix {
            tags.write_tag(Tag::ModelTransformationTag, &matrix[..])
                .unwrap();
        }
        if let Some(nodata) = self.nodata {
            tags.write_tag(Tag::GdalNodata, nodata).unwrap();
        }
        if let Some(metadata) = self.metadata {
            tags.write_tag(Tag::Unknown(42112), metadata).unwrap();
        }
        let mut directory = vec![1, 1, 0, self.keys.len() as u16];
        directory.extend(self.keys.iter().flatten());
        tags.write_tag(Tag::GeoKeyDirectoryTag, &directory[..])
            .unwrap();
        if !self.text.is_empty() {
            tags.write_tag(Tag::GeoAsciiParamsTag, self.text).unwrap();
        }
        image.write_data(&self.samples).unwrap();
        bytes.into_inner()
    }

    fn read(&self) -> Result<Raster> {
        plain(&self.bytes())
    }
}

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
        file.read().unwrap().values[2].is_nan()
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
    assert!(found.values[2].is_nan() && found.cautions[0].contains("1 cells of -9999"));
    let sea = Foreign {
        samples: [-9999.0, -9000.0, 7.0, 7.0],
        ..PLAIN
    }
    .read()
    .unwrap();
    assert!(!sea.values[2].is_nan());
    let unreadable = said(
        Foreign {
            nodata: Some("none"),
            ..PLAIN
        }
        .read(),
    );
    assert!(unreadable.contains("GDAL_NODATA is \"none"), "{unreadable}");
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
    assert_eq!(raster.values, [100.3, 100.4, 100.1, 100.2]);
    let ground = raster.into_ground().unwrap();
    let foot = 1200.0 / 3937.0;
    assert_eq!(ground.grid.heights()[0], 100.3 * foot);
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
    assert!(contradiction.contains("0.3048"), "{contradiction}");
    let beside = Beside {
        pam: Some(b"<PAMDataset><PAMRasterBand band=\"1\"><Scale>0.2</Scale></PAMRasterBand></PAMDataset>".to_vec()),
        ..Beside::default()
    };
    let contradiction = said(read(&file.bytes(), &beside));
    assert!(
        contradiction.contains("scale is 0.1 in the file and 0.2"),
        "{contradiction}"
    );
    assert_eq!(read(&PLAIN.bytes(), &beside).unwrap().values[3], 0.4);
    let furlongs = metadata.replace("US survey foot", "furlong");
    assert!(
        said(
            Foreign {
                metadata: Some(&furlongs),
                ..PLAIN
            }
            .read()
        )
        .contains("'furlong'")
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
    assert!(raster.values[2].is_nan() && raster.cautions[0].contains("1 cells of -9999"));
    assert_eq!(raster.values[3], 5.7);
    let text =
        b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -1\n-9999 7\n7 7\n";
    let raster = Raster::of_esri_ascii(text, &beside).unwrap();
    assert!(raster.values[2].is_nan() && raster.cautions[0].contains("names another number"));
    assert_eq!(raster.values[3], 5.7);
}

/// Definitions without a code that are not one system, and units of height: by both their names.
#[test]
fn definitions_that_disagree_are_named() {
    let utm = |meridian: &str, unit: &str| {
        format!(
            "COMPD_CS[\"x\",PROJCS[\"mine\",GEOGCS[\"own\",DATUM[\"D_own\",SPHEROID[\"own\",6378137.0,298.3]],\
             PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],\
             PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],\
             PARAMETER[\"Central_Meridian\",{meridian}],PARAMETER[\"Scale_Factor\",0.9996],\
             PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]],\
             VERT_CS[\"h\",VERT_DATUM[\"h\",2005],UNIT[\"{unit}\",{unit}]]]"
        )
    };
    let beside = |prj: &str, pam: &str| Beside {
        prj: Some(prj.as_bytes().to_vec()),
        pam: Some(pam.as_bytes().to_vec()),
        ..Beside::default()
    };
    let srs = |wkt: &str, unit: &str| {
        let wkt = wkt.replace('"', "&quot;");
        format!(
            "<PAMDataset><SRS>{wkt}</SRS><PAMRasterBand band=\"1\"><UnitType>{unit}</UnitType></PAMRasterBand></PAMDataset>"
        )
    };
    let (nine, ten, feet) = (utm("9.0", "1"), utm("10.0", "1"), utm("9.0", "0.3048"));
    let grid = b"ncols 2\nnrows 2\nxllcorner 6e5\nyllcorner 2e5\ncellsize 1\n1 2\n3 4\n";
    let both = |beside: &Beside| {
        [
            read(&PLAIN.bytes(), beside),
            Raster::of_esri_ascii(grid, beside),
        ]
    };
    for raster in both(&beside(&nine, &srs(&nine, "m"))) {
        let raster = raster.unwrap();
        assert!(raster.cautions.is_empty() && raster.height_unit == 1.0);
    }
    for refused in both(&beside(&nine, &srs(&ten, "m"))) {
        let said = said(refused);
        assert!(said.contains(".prj") && said.contains(".aux.xml"), "{said}");
    }
    for refused in both(&beside(&feet, &srs(&nine, "m"))) {
        let said = said(refused);
        assert!(said.contains("0.3048 m in"), "{said}");
    }
    for refused in both(&beside(&feet, &srs(&feet, "m"))) {
        let said = said(refused);
        assert!(
            said.contains("1 m by the metadata of the band and 0.3048 m by the CRS"),
            "{said}"
        );
    }
    // A name says nothing of a place.
    for raster in both(&beside(
        "LOCAL_CS[\"mine\",UNIT[\"metre\",1]]",
        &srs(&nine, "m"),
    )) {
        let raster = raster.unwrap();
        assert!(
            raster.cautions[0].contains("that of .prj mine"),
            "{:?}",
            raster.cautions
        );
        assert!(raster.crs.unwrap().wkt().unwrap().contains("9.0"));
    }
}

/// 6357 to 6359, 8051 and 8053 are depths in the EPSG registry, 8052 is mean sea level in US survey feet.
#[test]
fn vertical_systems_are_those_of_the_registry() {
    let unit = |code: u16| {
        let keys = [[4096, 0, 1, code]];
        Foreign {
            keys: &keys,
            ..PLAIN
        }
        .read()
        .map(|r| r.height_unit)
    };
    for code in [
        5336, 5612, 5614, 5715, 5861, 6357, 6358, 6359, 7976, 8051, 8053, 9672,
    ] {
        let refused = format!("{:#}", unit(code).unwrap_err());
        assert!(
            refused.contains(&format!("EPSG:{code} counts depths")),
            "{refused}"
        );
    }
    for (code, metres) in [
        (8052, 1200.0 / 3937.0),
        (6360, 1200.0 / 3937.0),
        (8050, 0.3048),
        (6131, 0.3048),
        (5754, 0.304_800_749_1),
        (5703, 1.0),
    ] {
        assert_eq!(unit(code).unwrap(), metres, "{code}");
    }
    // The feet of Sears 1922 and of the Gold Coast.
    for (code, metres) in [
        (9041, 0.304_799_471_538_676_2),
        (9094, 0.304_799_710_181_508_8),
    ] {
        let keys = [[4099, 0, 1, code]];
        let foreign = Foreign {
            keys: &keys,
            ..PLAIN
        };
        assert_eq!(foreign.read().unwrap().height_unit, metres, "{code}");
    }
    let down = "COMPD_CS[\"x\",PROJCS[\"y\",GEOGCS[\"z\",DATUM[\"z\",SPHEROID[\"z\",6378137,298]],PRIMEM[\"G\",0],\
                UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"],UNIT[\"metre\",1]],\
                VERT_CS[\"MSL depth\",VERT_DATUM[\"MSL\",2005],UNIT[\"metre\",1],AXIS[\"Depth\",DOWN]]]";
    let refused = format!("{:#}", Crs::parse(down).unwrap_err());
    assert!(
        refused.contains("'MSL depth' counts depths downwards"),
        "{refused}"
    );
}

#[test]
fn the_place_comes_from_tags_or_from_beside_and_contradictions_are_refused() {
    let raster = PLAIN.read().unwrap();
    assert_eq!(raster.south_west, DVec2::new(600_000.5, 199_998.5));
    assert_eq!(raster.values, [3.0, 4.0, 1.0, 2.0]);
    let point = Foreign {
        keys: &[[1025, 0, 1, 2]],
        ..PLAIN
    }
    .read()
    .unwrap();
    assert_eq!(point.south_west, DVec2::new(600_000.0, 199_999.0));
    let mut matrix = [0.0; 16];
    (matrix[0], matrix[3], matrix[5], matrix[7], matrix[15]) =
        (1.0, 600_000.0, 1.0, 199_998.0, 1.0);
    let bare = Foreign {
        scale: None,
        ties: &[],
        ..PLAIN
    };
    let south_up = Foreign {
        matrix: Some(matrix),
        ..bare.clone()
    }
    .read()
    .unwrap();
    assert_eq!(south_up.south_west, DVec2::new(600_000.5, 199_998.5));
    assert_eq!(south_up.values, [1.0, 2.0, 3.0, 4.0]);
    matrix[1] = 0.5;
    let turned = said(
        Foreign {
            matrix: Some(matrix),
            ..bare.clone()
        }
        .read(),
    );
    assert!(
        turned.contains("turned") && turned.contains("gdalwarp"),
        "{turned}"
    );
    let world = |text: &str| Beside {
        world: Some(text.as_bytes().to_vec()),
        ..Beside::default()
    };
    let same = "1\n0\n0\n-1\n600000.5\n199999.5\n";
    assert_eq!(
        read(&bare.bytes(), &world(same)).unwrap().south_west,
        raster.south_west
    );
    assert!(read(&PLAIN.bytes(), &world(same)).is_ok());
    let other = said(read(
        &PLAIN.bytes(),
        &world("1\n0\n0\n-1\n600001.5\n199999.5\n"),
    ));
    assert!(other.contains("the world file at 600001"), "{other}");
    assert!(said(bare.read()).contains("no place"));
    let negative = Foreign {
        scale: Some([1.0, -1.0, 0.0]),
        ..PLAIN
    }
    .read()
    .unwrap();
    assert_eq!(negative.south_west, raster.south_west);
    let oblong = said(
        Foreign {
            scale: Some([1.0, 2.0, 0.0]),
            ..PLAIN
        }
        .read(),
    );
    assert!(oblong.contains("square"), "{oblong}");
    let points = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0];
    let points = said(
        Foreign {
            ties: &points,
            ..bare
        }
        .read(),
    );
    assert!(points.contains("2 tie points"), "{points}");
}

#[test]
fn degrees_and_feet_are_refused_and_a_citation_is_kept() {
    let error = |keys: &[[u16; 4]]| {
        let file = Foreign {
            keys,
            ties: &[0.0, 0.0, 0.0, 8.0, 46.5, 0.0],
            ..PLAIN
        };
        format!(
            "{:#}",
            file.read()
                .and_then(|r| Ok(r.into_ground()?.grid))
                .unwrap_err()
        )
    };
    for keys in [
        &[[1024, 0, 1, 2], [2048, 0, 1, 4326]][..],
        &[[2048, 0, 1, 4326]],
    ] {
        let said = error(keys);
        assert!(
            said.contains("degrees") && said.contains("gdalwarp -t_srs EPSG:32632"),
            "{said}"
        );
    }
    let feet = error(&[[1024, 0, 1, 1], [3072, 0, 1, 2264], [3076, 0, 1, 9003]]);
    assert!(feet.contains("0.3048"), "{feet}");
    let feet = error(&[[1024, 0, 1, 1], [3072, 0, 1, 2056], [3076, 0, 1, 9003]]);
    assert!(feet.contains("unit of plan"), "{feet}");
    assert!(error(&[[1024, 0, 1, 1], [3072, 0, 1, 3857]]).contains("no ground for mechanics"));
    assert!(error(&[[1024, 0, 1, 1], [3072, 0, 1, 1]]).contains("EPSG:1 is not in the registry"));
    let keys = [[1024, 0, 1, 1], [3072, 0, 1, 32767], [3073, 34737, 11, 4]];
    let named = Foreign {
        keys: &keys,
        text: "XYZ|local grid|",
        ..PLAIN
    }
    .read()
    .unwrap();
    assert_eq!(named.crs.unwrap().name, "local grid");
}

/// 80,000 x 80,000 bits are 8 kB deflated and 48 GiB as doubles: refused before memory is taken.
#[test]
fn what_would_take_too_much_memory_is_refused() {
    let bytes = write((2, 2), 1.0, DVec2::ZERO, &[0.0; 4], None, Digits::Single).unwrap();
    for (columns, tile) in [(80_000u32, 256u32), (2, 80_000)] {
        let mut bomb = bytes.clone();
        for (tag, value) in [(256u16, columns), (257, columns), (322, tile), (323, tile)] {
            let entry = bomb
                .windows(2)
                .position(|w| w == tag.to_le_bytes())
                .unwrap();
            bomb[entry + 2..entry + 4].copy_from_slice(&4u16.to_le_bytes());
            bomb[entry + 8..entry + 12].copy_from_slice(&value.to_le_bytes());
        }
        let said = said(plain(&bomb));
        assert!(
            said.contains("MiB as doubles; accepted: up to 256 MiB"),
            "{said}"
        );
    }
}
