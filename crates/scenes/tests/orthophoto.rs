//! A picture of the ground is taken where it lies over the terrain, and refused by name where it does not.

use klast_rockfall_jobs::rockfall;
use std::collections::BTreeMap;

use klast_scenes::Scene;
use klast_scenes::kinds::find;
use serde_json::{Value, json};

/// Three by two points, blue in the north and red in the south.
const PICTURE: [&[u8]; 3] = [
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0\x12\x16\xf1\x4d",
    b"\0\0\0\x11IDATx\xdac\x10\x11\xf9\x05A\x0c\xbf`L\0D\x0c\x06\xcd\xa2A&\x1a",
    b"\0\0\0\0IEND\xaeB`\x82",
];

/// The example, whose terrain lies over x 2600002.5 to 2600297.5 and y 1200002.5 to 1200197.5, with files at hand.
fn scene(files: &[(&str, &str)]) -> Scene {
    let kind = find("rockfall").unwrap();
    let mut scene: Value = serde_json::from_str(kind.example).unwrap();
    scene["orthophoto"] = json!("photo.png");
    scene["sources"][0]["rocks"] = json!(4);
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (scene, _) = Scene::parse(&scene.to_string(), examples).unwrap();
    let picture = PICTURE.concat();
    let mut at_hand = BTreeMap::from([("photo.png".to_owned(), picture)]);
    at_hand.extend(
        files
            .iter()
            .map(|(n, t)| ((*n).to_owned(), t.as_bytes().to_vec())),
    );
    scene.with_files(at_hand)
}

/// Points of 100 m whose first is in the north-west.
const OVER: (&str, &str) = ("photo.pgw", "100\n0\n0\n-100\n2600050\n1200150\n");

#[test]
fn a_picture_over_the_terrain_is_kept_with_its_place() {
    let scene = scene(&[OVER]);
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let results = outcome.results.of::<rockfall::result::Results>().unwrap();
    let photo = results.orthophoto.as_ref().unwrap();
    assert_eq!(photo.media, "image/png");
    // Six numbers of a world file say where the middle of the first point is: 100 m cells from 2600000 and up to
    // 1200200.
    assert_eq!(photo.lower.to_array(), [2_600_000.0, 1_200_000.0]);
    assert_eq!(photo.upper.to_array(), [2_600_300.0, 1_200_200.0]);
    let inputs = scene.text().inputs();
    assert!(inputs.contains_key("photo.png") && inputs.contains_key("photo.pgw"));
    assert!(!outcome.warnings.iter().any(|w| w.contains("orthophoto")));
}

#[test]
fn a_part_is_told() {
    let half = ("photo.pgw", "50\n0\n0\n-50\n2600025\n1200075\n");
    let outcome = scene(&[half]).job().unwrap().run_silently().unwrap();
    let told = outcome.warnings.iter().find(|w| w.contains("orthophoto"));
    // 150 m by 100 m less half a cell of the terrain at two sides, over 295 m by 195 m.
    assert!(
        told.is_some_and(|w| w.contains("covers 25 %")),
        "{:?}",
        outcome.warnings
    );
}

#[test]
fn what_does_not_match_the_terrain_is_refused_by_name() {
    let said = |files: &[(&str, &str)]| {
        let job = scene(files).job();
        format!("{:#}", job.map(|_| ()).unwrap_err())
    };
    for (files, needed) in [
        (&[][..], "no world file; accepted: photo.pgw"),
        (
            &[("photo.pgw", "100\n0\n0\n-100\n50\n150\n")][..],
            "it lies over x 0 to 300, y 0 to 200, the terrain over x 2600002",
        ),
        (
            &[("photo.pgw", "100\n5\n5\n-100\n2600050\n1200150\n")][..],
            "turned or sheared",
        ),
        (
            &[OVER, ("photo.prj", "EPSG:2154")][..],
            "accepted: one of them",
        ),
        (
            &[OVER, ("photo.png", "II*\0")][..],
            "no PNG and no JPEG; accepted: one of them with a world file (`gdal_translate",
        ),
    ] {
        let said = said(files);
        assert!(
            said.contains("orthophoto photo.png: ") && said.contains(needed),
            "{said}"
        );
    }
}
