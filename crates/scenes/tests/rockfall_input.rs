//! Numbers of a rockfall scene that mean nothing are refused by the name of their source, gate or material, in the unit
//! of the scene.

use klast_scenes::Scene;
use klast_scenes::kinds::find;
use serde_json::{Value, json};

/// What is said to the example with one place changed.
fn said(place: &str, value: &Value) -> String {
    let kind = find("rockfall").unwrap();
    let mut scene: Value = serde_json::from_str(kind.example).unwrap();
    // A material of its own numbers, in place of a class of ground.
    scene["materials"][0] =
        json!({"name": "scree", "normal_restitution": 0.35, "friction": 0.6, "roughness_deg": 0});
    *scene.pointer_mut(place).unwrap() = value.clone();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (scene, _) = Scene::parse(&scene.to_string(), examples).unwrap();
    format!("{:#}", scene.job().map(|_| ()).unwrap_err())
}

#[test]
fn numbers_without_a_meaning_are_refused_by_name() {
    let (release, source) = ("/sources/0/release", "source 'cliff': ");
    for (place, value, needed) in [
        // The cosine of -10° and of 350° is that of 10°.
        (
            release,
            json!({"steeper_than_deg": -10}),
            "steeper_than_deg: source 'cliff': -10",
        ),
        (
            release,
            json!({"steeper_than_deg": 350}),
            "steeper_than_deg: source 'cliff': 350",
        ),
        (release, json!({"line": []}), source),
        ("/sources/0/rocks", json!(0), source),
        ("/sources/0/shapes/0/share", json!(1e308), source),
        (
            "/barriers/0/capacity_kj",
            json!(-1),
            "barriers[0].capacity_kj: barrier 'net': -1;",
        ),
        (
            "/barriers/0/capacity_kj",
            json!(1e306),
            "barriers[0].capacity_kj: barrier 'net': 1",
        ),
        (
            "/barriers/0/height_m",
            json!(0),
            "barriers[0].height_m: barrier 'net': 0;",
        ),
        (
            "/materials/0/normal_restitution",
            json!(1.2),
            "material 'scree': normal_restitution is 1.2",
        ),
        (
            "/terrain",
            json!({"slope": {"angle_deg": 90}}),
            "terrain.slope.angle_deg: 90; accepted: 0 or more, below 90",
        ),
        (
            "/materials/0/roughness_deg",
            json!(90),
            "materials[0].roughness_deg: material 'scree': 90; accepted: an angle within ±85.9",
        ),
        (
            "/materials/0/roughness_deg",
            json!({"normal": [0, 4], "max": 15}),
            "-inf; accepted: an angle within ±85.9",
        ),
        (
            "/materials/0/roughness_deg",
            json!({"uniform": [15, -15]}),
            "15",
        ),
        (
            "/terrain",
            json!({}),
            "one of the names as its key is needed; accepted: raster, mesh, meshes, profile, section, slope",
        ),
        ("/engine", json!({}), "accepted: lumped_mass, rigid_body"),
        // Pictures have no axis for it.
        ("/map_cell_m", json!(1e308), "map_cell_m: raster cell"),
    ] {
        let found = said(place, &value);
        assert!(found.contains(needed), "{place}: {value}: {found}");
    }
}
