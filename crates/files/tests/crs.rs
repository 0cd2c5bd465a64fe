//! Reference systems: their spellings, codes, units, and the way from one to another.

use crate::cases::refused as told;
use glam::DVec2;
use klast_files::crs::{Crs, Cure};

#[test]
fn codes_are_read_in_all_their_spellings() {
    for text in [
        "EPSG:2056",
        "epsg:2056",
        "urn:ogc:def:crs:EPSG::2056",
        "urn:ogc:def:crs:EPSG:9.8.6:2056",
        "http://www.opengis.net/def/crs/EPSG/0/2056",
        " EPSG:2056+5728 ",
    ] {
        let crs = Crs::parse(text).unwrap();
        assert_eq!((crs.epsg, crs.label().as_str()), (Some(2056), "EPSG:2056"));
        assert_eq!(crs.name, "CH1903+ / LV95");
    }
    for text in ["OGC:CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84"] {
        assert!(Crs::parse(text).unwrap().is_degrees());
    }
    for text in [
        "LV95",
        "EPSG:1",
        "EPSG:x",
        "EPSG:99999999",
        "",
        "PROJCS[",
        "+proj=nothing",
        "FOO[\"a\"]",
    ] {
        let said = told(&Crs::parse(text).unwrap_err());
        assert_eq!(said, "refused Crs");
    }
}

/// ArcGIS writes the heights of a compound system behind that in plan. A survey foot is 1200/3937 m.
#[test]
fn heights_of_esri_stand_behind_the_plan() {
    const PLAN: &str = r#"PROJCS["NAD_1983_UTM_Zone_12N",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-111.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]"#;
    let heights = |direction: &str, shift: &str, unit: &str| {
        format!(
            "{PLAN},VERTCS[\"NAVD88\",VDATUM[\"North_American_Vertical_Datum_1988\"],PARAMETER[\"Vertical_Shift\",{shift}],PARAMETER[\"Direction\",{direction}],UNIT[{unit}]]"
        )
    };
    let foot = "\"US_survey_foot\",0.3048006096012192";
    for (text, unit) in [
        (PLAN.to_owned(), None),
        (heights("1.0", "0.0", foot), Some(1200.0 / 3937.0)),
        (heights("1.0", "0.0", "\"Meter\",1.0"), Some(1.0)),
    ] {
        let crs = Crs::parse(&text).unwrap();
        assert_eq!(crs.epsg, Some(26912));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(match (crs.vertical, unit) {
            (None, None) => true,
            (Some(a), Some(b)) => near(a, b),
            _ => false,
        });
    }
    let said = |text: &str| told(&Crs::parse(text).unwrap_err());
    assert_eq!(
        said(&heights("-1.0", "0.0", foot)),
        "refused Quantity, gdal_calc.py"
    );
    assert_eq!(
        said(&heights("1.0", "12.5", foot)),
        "refused Crs, gdal_calc.py"
    );
    assert_eq!(said(&format!("{PLAN},{PLAN}")), "refused Crs");
    assert_eq!(said(&format!("{PLAN} x")), "refused Crs");
    // A system of a code that the registry has not keeps its plan alone in what is written.
    let own = PLAN.replace("-111.0", "-111.5");
    let crs = Crs::parse(&format!("{own},VERTCS[\"a\",UNIT[{foot}]]")).unwrap();
    assert_eq!(crs.wkt(), Some(own.as_str()));
}

/// Names of ESRI for systems with the meridian of Paris, whose angles are grads: the same as EPSG:27572 and 27562, by
/// their definitions in the registry.
#[test]
fn systems_of_other_meridians_are_found_by_their_names_at_esri() {
    let lambert = |name: &str, origin: &str, north: &str, scale: &str| {
        format!(
            r#"PROJCS["{name}",GEOGCS["GCS_NTF_Paris",DATUM["D_NTF",SPHEROID["Clarke_1880_IGN",6378249.2,293.466021293627]],PRIMEM["Paris",2.33722917],UNIT["Grad",0.0157079632679489]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",600000.0],PARAMETER["False_Northing",{north}],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",{origin}],PARAMETER["Scale_Factor",{scale}],PARAMETER["Latitude_Of_Origin",{origin}],UNIT["Meter",1.0]]"#
        )
    };
    for (text, code) in [
        (
            lambert(
                "NTF_Paris_Lambert_Zone_II",
                "52.0",
                "2200000.0",
                "0.99987742",
            ),
            27572,
        ),
        (
            lambert(
                "NTF_Paris_Lambert_Centre_France",
                "52.0",
                "200000.0",
                "0.99987742",
            ),
            27562,
        ),
    ] {
        let crs = Crs::parse(&text).unwrap();
        assert_eq!(crs.epsg, Some(code), "{text}");
        assert!(crs.to(&Crs::from_epsg(2154).unwrap(), None).is_ok());
    }
}

/// Points of EPSG:4326 in other systems by PROJ 9.1.1 (`gdaltransform -s_srs EPSG:4326 -t_srs …`, GDAL 3.6.2); UTM and
/// Web Mercator to 1 mm, LV95 to 1 m: PROJ has a shift of its own for the Swiss datum.
#[test]
fn points_come_out_where_proj_puts_them() {
    let wgs = Crs::from_epsg(4326).unwrap();
    for (code, at, expected, tolerance) in [
        (32632, [8.0, 46.5], [423_268.310, 5_150_089.104], 2e-3),
        (3857, [8.0, 46.5], [890_555.926, 5_860_839.830], 2e-3),
        (2056, [8.0, 46.5], [2_643_092.729, 1_150_008.015], 1.0),
        (25832, [8.0, 46.5], [423_268.310, 5_150_089.104], 2e-3),
        // Shifts by place: Czechia, Slovakia, Romania, Israel, Spain, Peru, Bolivia, Germany.
        (5514, [14.5, 50.0], [-738_542.865, -1_053_416.550], 2e-3),
        (5514, [20.0, 48.7], [-355_346.101, -1_236_772.171], 2e-3),
        (3844, [25.0, 45.5], [500_120.300, 444_471.627], 2e-3),
        (2039, [35.2, 31.8], [219_035.790, 634_141.140], 2e-3),
        (23030, [-4.0, 40.0], [414_748.946, 4_428_443.181], 2e-3),
        (24879, [-75.0, -12.0], [-154_064.388, 8_666_679.694], 2e-3),
        (24879, [-68.5, -14.0], [554_177.170, 8_452_603.724], 2e-3),
        // PROJ goes through ETRS89 there; the registry states 3 m for the shift.
        (31468, [12.0, 48.0], [4_500_107.421, 5_317_984.710], 3.0),
    ] {
        let at = DVec2::from_array(at);
        let way = wgs.to(&Crs::from_epsg(code).unwrap(), Some(at)).unwrap();
        let found = way.apply(at).unwrap();
        let off = (found - DVec2::from_array(expected)).length();
        assert!(off < tolerance, "{code}: {found} is {off} m off");
    }
    // One datum: the frames of Switzerland differ by whole millions here, to 1 m in truth.
    let way = Crs::from_epsg(21781)
        .unwrap()
        .to(&Crs::from_epsg(2056).unwrap(), None);
    let found = way
        .unwrap()
        .apply(DVec2::new(600_000.0, 200_000.0))
        .unwrap();
    assert!((found - DVec2::new(2_600_000.0, 1_200_000.0)).length() < 1e-3);
}

#[test]
fn no_ground_for_mechanics_is_refused_with_its_cure() {
    let refused = |code, at: [f64; 2]| {
        let crs = Crs::from_epsg(code).unwrap();
        told(&crs.for_mechanics(at.into(), Cure::Raster).unwrap_err())
    };
    let said = refused(3857, [890_555.0, 5_861_085.0]);
    assert_eq!(said, "refused Crs, gdalwarp");
    let said = refused(2927, [1_200_000.0, 600_000.0]);
    assert_eq!(said, "refused Unit, gdalwarp");
    let said = refused(4326, [8.0, 46.5]);
    assert_eq!(said, "refused Crs, gdalwarp");
    let said = refused(2264, [1_500_000.0, 600_000.0]);
    assert_eq!(said, "refused Unit, gdalwarp");
    let good = |code, at: [f64; 2]| {
        let crs = Crs::from_epsg(code).unwrap();
        crs.for_mechanics(at.into(), Cure::Raster).unwrap()
    };
    assert_eq!(good(2056, [2_600_000.0, 1_200_000.0]), None);
    assert_eq!(good(32632, [423_276.0, 5_150_040.0]), None);
}

/// Without a code, as ESRI writes it.
#[test]
fn definitions_without_a_code_find_theirs() {
    let utm = r#"PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",
        SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],
        PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],
        PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],
        UNIT["Meter",1.0]]"#;
    assert_eq!(Crs::parse(utm).unwrap().epsg, Some(32632));
    let etrs = utm
        .replace("D_WGS_1984", "D_ETRS_1989")
        .replace("298.257223563", "298.257222101");
    assert_eq!(Crs::parse(&etrs).unwrap().epsg, Some(25832));
    let swiss = r#"PROJCS["CH1903+_LV95",GEOGCS["GCS_CH1903+",DATUM["D_CH1903+",
        SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],
        PROJECTION["Hotine_Oblique_Mercator_Azimuth_Center"],PARAMETER["False_Easting",2600000.0],
        PARAMETER["False_Northing",1200000.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Azimuth",90.0],
        PARAMETER["Longitude_Of_Center",7.43958333333333],PARAMETER["Latitude_Of_Center",46.9524055555556],
        UNIT["Meter",1.0]]"#;
    assert_eq!(Crs::parse(swiss).unwrap().epsg, Some(2056));
    assert_eq!(
        Crs::parse("+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs")
            .unwrap()
            .epsg,
        Some(32632)
    );
    let local = Crs::parse("LOCAL_CS[\"tunnel\",UNIT[\"metre\",1]]").unwrap();
    assert_eq!((local.name.as_str(), local.epsg), ("tunnel", None));
}

#[test]
fn datums_without_a_known_shift_are_not_crossed() {
    let wgs = Crs::from_epsg(4326).unwrap();
    let nad27 = Crs::from_epsg(26717).unwrap();
    let said = told(&wgs.to(&nad27, None).unwrap_err());
    assert_eq!(said, "refused Crs");
    assert!(Crs::parse("local").unwrap().to(&wgs, None).is_err());
}

#[test]
fn lines_of_arc_info_and_codes_newer_than_the_registry_are_read() {
    let utm = "Projection    UTM\nZone          32\nDatum         WGS84\nSpheroid WGS84\nUnits         METERS\nParameters\n";
    assert_eq!(Crs::parse(utm).unwrap().epsg, Some(32632));
    let degrees = "Projection    GEOGRAPHIC\nDatum         WGS84\nUnits         DD\n";
    assert!(Crs::parse(degrees).unwrap().is_degrees());
    assert!(Crs::parse("Projection POLYCONIC\nDatum WGS84\n").is_err());
    let with = |lines: &str| Crs::parse(&format!("{utm}{lines}"));
    for metres in [
        "Zunits NO\n",
        "Zunits METERS\nXshift 0.0\nYshift 0.0000000000\n",
    ] {
        assert_eq!(with(metres).unwrap(), Crs::from_epsg(32632).unwrap());
    }
    // The survey foot of the United States.
    let feet = with("Zunits FEET\n").unwrap();
    assert_eq!(feet.epsg, Some(32632));
    assert!((feet.vertical.unwrap() - 0.304_800_609_601).abs() < 1e-12);
    for (line, right) in [
        ("Zunits DECIMETERS\n", "refused Unit, gdal_calc.py"),
        (
            "Xshift 0.0\nYshift -4000000.0\n",
            "refused Crs, gdal_edit.py",
        ),
        ("Xshift 500000\n", "refused Crs, gdal_edit.py"),
    ] {
        let said = told(&with(line).unwrap_err());
        assert_eq!(said, right);
    }
    let newer = Crs::unlisted(9473);
    assert_eq!(
        (newer.label().as_str(), newer.unit()),
        ("EPSG:9473", Some(1.0))
    );
    let said = newer
        .for_mechanics(DVec2::ZERO, Cure::Raster)
        .unwrap()
        .unwrap();
    assert!(!said.is_empty());
    assert!(newer.to(&Crs::from_epsg(2056).unwrap(), None).is_err());
    let own = r#"PROJCS["new",GEOGCS["G",DATUM["D",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],
        UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],
        PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],
        PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","9999"]]"#;
    let own = Crs::parse(own).unwrap();
    assert_eq!(own.epsg, Some(9999));
    let there = Crs::from_epsg(4326)
        .unwrap()
        .to(&own, None)
        .unwrap()
        .apply(DVec2::new(8.0, 46.5))
        .unwrap();
    assert!((there - DVec2::new(423_268.310, 5_150_089.104)).length() < 2e-3);
}

/// What a transformation says of itself: WGS 84 and NAD83 are two datums, up to 2 m apart, and taken as one.
#[test]
fn the_accuracy_of_a_change_of_datum_is_said() {
    let near = |from: u32, to: u32, at: [f64; 2]| {
        let [from, to] = [from, to].map(|code| Crs::from_epsg(code).unwrap());
        from.to(&to, Some(DVec2::from_array(at)))
            .unwrap()
            .accuracy()
    };
    let said = |from: u32, to: u32| near(from, to, [8.0, 46.5]);
    assert_eq!(said(4326, 32632), "to 1 mm");
    // Outside of the areas of use of all shifts.
    assert_eq!(
        said(4326, 5514),
        "with an accuracy that is not known here and may be 100 m: no shift of the datum is known for the place; check a known point"
    );
    assert_eq!(
        near(4326, 5514, [14.5, 50.0]),
        "to about 1 m, the datum changes by EPSG:5239: check a known point"
    );
    let peru = near(4326, 24879, [-75.0, -12.0]);
    assert!(peru.starts_with("to about 16 m"), "{peru}");
    for (from, to) in [(4326, 26917), (4326, 25832), (32632, 25832), (21781, 2056)] {
        assert_eq!(
            said(from, to),
            "to about 2 m, the datums are taken as one: check a known point"
        );
    }
}

/// Shapes of both countries on a terrain in Czechia take the shift of Czechia, though their middle is in Slovakia; the
/// point as PROJ 9.1.1 has it.
#[test]
fn the_shift_of_shapes_is_that_of_the_terrain() {
    use klast_files::shapes::{Form, Shape, Shapes};
    let there = DVec2::new(-738_542.865, -1_053_416.550);
    let extent = klast_geometry::terrain::Area {
        lower: there - 500.0,
        upper: there + 500.0,
    };
    let shape = |x: f64, y: f64| Shape {
        form: Form::Point(DVec2::new(x, y)),
        properties: serde_json::Map::new(),
        name: String::new(),
    };
    let mut shapes = Shapes {
        list: vec![shape(14.5, 50.0), shape(25.5, 47.4)],
        crs: Some(Crs::from_epsg(4326).unwrap()),
        ..Shapes::default()
    };
    let krovak = Crs::from_epsg(5514).unwrap();
    let said = shapes.onto(Some(&krovak), extent).unwrap();
    assert_eq!(
        said,
        "transformed from EPSG:4326 (WGS 84) to EPSG:5514 (S-JTSK / Krovak East North) (to about 1 m, the datum changes by EPSG:5239: check a known point)"
    );
    let off = (shapes.list[0].form.points().next().unwrap() - there).length();
    assert!(off < 2e-3, "{off} m");
}
