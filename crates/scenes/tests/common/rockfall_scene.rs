//! Lumped masses on a terrain in the Swiss frame.

use serde_json::{Value, json};

/// A scene on `dem.asc`, with changes: the pointer of a key and its value.
pub fn scene(changes: &[(&str, Value)]) -> Value {
    let mut scene = json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"raster": {"file": "dem.asc", "crs": "EPSG:2056"}},
        "materials": [
            {"name": "rock", "normal_restitution": 0.35, "tangential_restitution": 0.85, "friction": 0.6},
            {"name": "swamp", "normal_restitution": 0, "tangential_restitution": 0, "friction": 5}
        ],
        "sources": [{"name": "cliff", "release": {"point": [2600020.0, 1200050.0]}, "rocks": 20, "height_m": 1,
            "shapes": [{"shape": "sphere", "volume_m3": 1}]}],
        "engine": {"lumped_mass": {}},
        "write_trajectories": 0
    });
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        scene.pointer_mut(parent).unwrap()[key] = value.clone();
    }
    scene
}
