//! Scenes of lumped masses: what is not said keeps its default.

use anyhow::Result;
use glam::DVec3;
use serde_json::{Value, json};

use crate::shipped::{self, Files, Shipped};

/// What a scene says beside its defaults.
pub struct Lumped {
    pub terrain: Value,
    pub material: Value,
    /// Release in plan, and the height of the mass there.
    pub release: [f64; 2],
    pub height: Value,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub rotation: bool,
    /// Longest time (s), where the case is one of a given time.
    pub time: Option<f64>,
}

impl Lumped {
    /// A mass at the origin on a slope.
    pub fn on_slope(angle_deg: f64, material: Value) -> Self {
        Lumped {
            terrain: json!({"slope": {"angle_deg": angle_deg}}),
            material,
            release: [0.0, 0.0],
            height: json!({}),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            rotation: true,
            time: None,
        }
    }

    pub fn run(&self, files: Files) -> Result<Shipped> {
        let mut source = json!({
            "name": "one", "release": {"point": self.release}, "rocks": 1,
            "shapes": [{"shape": "sphere", "volume_m3": 1.0}],
            "velocity_m_s": self.velocity.to_array(), "spin_rad_s": self.spin.to_array(),
        });
        if let Some(height) = self.height.as_object() {
            for (key, value) in height {
                source[key] = value.clone();
            }
        }
        let mut scene = json!({
            "schema": 1, "kind": "rockfall",
            "terrain": self.terrain,
            "sources": [source],
            "engine": {"lumped_mass": {"rebound": if self.rotation { "rocfall3" } else { "rocfall3_translation" }}},
            "write_trajectories": 1,
        });
        match &self.material {
            Value::Array(segments) => {
                let mut materials = segments.clone();
                for (k, material) in materials.iter_mut().enumerate() {
                    material["name"] = json!(format!("segment {k}"));
                }
                let names: Vec<Value> = materials.iter().map(|m| m["name"].clone()).collect();
                scene["layout"] = json!({"segments": names});
                scene["materials"] = json!(materials);
            }
            one => {
                let mut material = one.clone();
                material["name"] = json!("ground");
                scene["materials"] = json!([material]);
            }
        }
        if let Some(time) = self.time {
            scene["stop"] = json!({"maximum_time_s": time});
        }
        shipped::run(&scene, files)
    }
}

/// A raster of 3 x 3 nodes, 9 m apart, of the plane with the normal (3, -2, 9): its heights are whole numbers.
pub fn leaning_plane() -> (Value, [(&'static str, String); 1]) {
    let row = |j: i32| format!("{} {} {}\n", 50 + 2 * j, 47 + 2 * j, 44 + 2 * j);
    let heights: String = (0..3).rev().map(row).collect();
    let text = format!("ncols 3\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 9\n{heights}");
    (
        json!({"raster": {"file": "plane.asc"}}),
        [("plane.asc", text)],
    )
}
