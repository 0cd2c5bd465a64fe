//! Coordinate reference systems and vertical systems of the keys.

use super::*;

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
        assert_eq!(said, "refused Crs");
    }
    for refused in both(&beside(&feet, &srs(&nine, "m"))) {
        let said = said(refused);
        assert_eq!(said, "refused Crs");
    }
    for refused in both(&beside(&feet, &srs(&feet, "m"))) {
        let said = said(refused);
        assert_eq!(said, "refused Unit");
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
        let refused = told(&unit(code).unwrap_err());
        assert_eq!(refused, "refused Quantity, gdal_calc.py");
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
    let refused = told(&Crs::parse(down).unwrap_err());
    assert_eq!(refused, "refused Quantity, gdal_calc.py");
}

#[test]
fn degrees_and_feet_are_refused_and_a_citation_is_kept() {
    let error = |keys: &[[u16; 4]]| {
        let file = Foreign {
            keys,
            ties: &[0.0, 0.0, 0.0, 8.0, 46.5, 0.0],
            ..PLAIN
        };
        told(
            &file
                .read()
                .and_then(|r| Ok(r.into_ground()?.grid))
                .unwrap_err(),
        )
    };
    for keys in [
        &[[1024, 0, 1, 2], [2048, 0, 1, 4326]][..],
        &[[2048, 0, 1, 4326]],
    ] {
        let said = error(keys);
        assert_eq!(said, "refused Crs, gdalwarp");
    }
    let feet = error(&[[1024, 0, 1, 1], [3072, 0, 1, 2264], [3076, 0, 1, 9003]]);
    assert_eq!(feet, "refused Unit, gdalwarp");
    let feet = error(&[[1024, 0, 1, 1], [3072, 0, 1, 2056], [3076, 0, 1, 9003]]);
    assert_eq!(feet, "refused Unit, gdal_edit.py");
    assert_eq!(
        error(&[[1024, 0, 1, 1], [3072, 0, 1, 3857]]),
        "refused Crs, gdalwarp"
    );
    assert_eq!(error(&[[1024, 0, 1, 1], [3072, 0, 1, 1]]), "refused Crs");
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

/// PROJ writes codes of national realisations of ETRS89 that the registry here has not: EPSG:25832 is the zone 32 of
/// UTM on ETRS89. Other texts beside such a code say nothing that is known.
#[test]
fn a_national_realisation_of_etrs89_is_its_zone() {
    let read = |text: &str, from: u16| {
        let count = text.len() as u16;
        let keys = [
            [1024, 0, 1, 1],
            [from, 34737, count, 0],
            [3072, 0, 1, 11022],
        ];
        let file = Foreign {
            keys: &keys,
            text,
            ..PLAIN
        };
        file.read().unwrap().crs.unwrap().epsg
    };
    let norway = "ETRS89-NOR [EUREF89] / UTM zone 32N + NN2000 height|";
    for key in [1026, 3073] {
        assert_eq!(read(norway, key), Some(25832), "{key}");
    }
    assert_eq!(
        read("ETRS89-SWE [SWEREF99] / UTM zone 33N|", 1026),
        Some(25833)
    );
    for other in [
        "ETRS89-SWE [SWEREF99] / SWEREF99 TM|",
        "ETRS89-NOR [EUREF89] / UTM zone 18N|",
        "NAD83 / UTM zone 32N|",
    ] {
        assert_eq!(read(other, 1026), Some(11022), "{other}");
    }
}
