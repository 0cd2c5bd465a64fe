//! A view as glTF 2.0 with its buffers inside, for other programs: bodies with their motion, ground, paths.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use klast_runs::error::{Outside as _, Result};
use serde_json::{Value, json};

use super::{Body, View};

const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const LINES_STRIP: u32 = 3;
const TRIANGLES: u32 = 4;

/// The parts of a file as they grow.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Parts {
    fn accessor(
        &mut self,
        bytes: Vec<u8>,
        component: u32,
        kind: &str,
        count: usize,
        ends: Option<(Value, Value)>,
    ) -> usize {
        self.views
            .push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        let mut accessor = json!({
            "bufferView": self.views.len() - 1, "componentType": component, "type": kind, "count": count,
        });
        if let Some((min, max)) = ends {
            accessor["min"] = min;
            accessor["max"] = max;
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn points(&mut self, points: &[[f32; 3]]) -> usize {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for p in points {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        let ends = Some((json!(low), json!(high)));
        self.accessor(
            little(points.as_flattened()),
            FLOAT,
            "VEC3",
            points.len(),
            ends,
        )
    }

    fn colours(&mut self, colours: &[[u8; 3]]) -> usize {
        // glTF mixes in linear light, colours here are those of a screen.
        let linear = |c: &u8| (f32::from(*c) / 255.0).powf(2.2);
        let values: Vec<f32> = colours.as_flattened().iter().map(linear).collect();
        self.accessor(little(&values), FLOAT, "VEC3", colours.len(), None)
    }

    fn material(&mut self, colour: [u8; 3], alpha: f32) -> usize {
        let linear = colour.map(|c| (f32::from(c) / 255.0).powf(2.2));
        let material = json!({
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear[0], linear[1], linear[2], alpha],
                "metallicFactor": 0.0, "roughnessFactor": 0.9,
            },
            "alphaMode": if alpha < 1.0 { "BLEND" } else { "OPAQUE" },
            "doubleSided": true,
        });
        let known = self.materials.iter().position(|m| *m == material);
        known.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        })
    }
}

impl View {
    /// The view as the text of a `.gltf` file.
    ///
    /// # Errors
    /// None that a view could have.
    pub fn gltf(&self) -> Result<String> {
        let mut parts = Parts::default();
        let clock = match self.times.len() {
            0 | 1 => None,
            count => {
                let ends = (json!([self.times[0]]), json!([self.times[count - 1]]));
                Some(parts.accessor(little(&self.times), FLOAT, "SCALAR", count, Some(ends)))
            }
        };
        let shapes: Vec<(usize, usize, Option<usize>)> = self
            .meshes
            .iter()
            .map(|mesh| {
                let positions = parts.points(&mesh.positions);
                let flat = mesh.triangles.as_flattened();
                let bytes = flat.iter().flat_map(|i| i.to_le_bytes()).collect();
                let triangles = parts.accessor(bytes, UNSIGNED, "SCALAR", flat.len(), None);
                let colours = (!mesh.colours.is_empty()).then(|| parts.colours(&mesh.colours));
                (positions, triangles, colours)
            })
            .collect();
        for body in &self.bodies {
            if let Some(shape) = shapes.get(body.mesh) {
                self.write_body(&mut parts, body, *shape, clock);
            }
        }
        for line in self.lines.iter().filter(|l| l.points.len() > 1) {
            let positions = parts.points(&line.points);
            let mut attributes = json!({"POSITION": positions});
            if line.colours.len() == line.points.len() {
                attributes["COLOR_0"] = parts.colours(&line.colours).into();
            }
            parts
                .meshes
                .push(json!({"primitives": [{"attributes": attributes, "mode": LINES_STRIP}]}));
            parts
                .nodes
                .push(json!({"name": line.name, "mesh": parts.meshes.len() - 1}));
        }
        // glTF has y up.
        let children: Vec<usize> = (0..parts.nodes.len()).collect();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        parts.nodes.push(
            json!({"name": "klast", "rotation": [-half, 0.0, 0.0, half], "children": children}),
        );
        let mut file = json!({
            "asset": {"version": "2.0", "generator": "klast"},
            "scene": 0, "scenes": [{"nodes": [parts.nodes.len() - 1]}],
            "nodes": parts.nodes, "meshes": parts.meshes, "accessors": parts.accessors, "bufferViews": parts.views,
            "buffers": [{
                "byteLength": parts.bytes.len(),
                "uri": format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(&parts.bytes)),
            }],
        });
        if !parts.materials.is_empty() {
            file["materials"] = parts.materials.into();
        }
        if !parts.channels.is_empty() {
            file["animations"] = json!([{"samplers": parts.samplers, "channels": parts.channels}]);
        }
        serde_json::to_string(&file).outside()
    }

    fn write_body(
        &self,
        parts: &mut Parts,
        body: &Body,
        shape: (usize, usize, Option<usize>),
        clock: Option<usize>,
    ) {
        let (positions, triangles, colours) = shape;
        let mut attributes = json!({"POSITION": positions});
        if let Some(colours) = colours {
            attributes["COLOR_0"] = colours.into();
        }
        let c = body.colour;
        let own = if colours.is_some() {
            [255; 3]
        } else {
            [c.0, c.1, c.2]
        };
        let material = parts.material(own, body.alpha);
        let primitive = json!({"attributes": attributes, "indices": triangles, "mode": TRIANGLES, "material": material});
        parts.meshes.push(json!({"primitives": [primitive]}));
        let [x, y, z, q0, q1, q2, q3] = body.places.first().copied().unwrap_or(super::UNMOVED);
        let node = parts.nodes.len();
        parts.nodes.push(json!({
            "name": body.name, "mesh": parts.meshes.len() - 1, "translation": [x, y, z], "rotation": [q0, q1, q2, q3],
        }));
        let Some(clock) = clock.filter(|_| body.places.len() == self.times.len()) else {
            return;
        };
        let moves: Vec<f32> = body.places.iter().flat_map(|p| p[..3].to_vec()).collect();
        let turns: Vec<f32> = body.places.iter().flat_map(|p| p[3..].to_vec()).collect();
        let count = body.places.len();
        for (values, kind, path) in [(moves, "VEC3", "translation"), (turns, "VEC4", "rotation")] {
            let output = parts.accessor(little(&values), FLOAT, kind, count, None);
            parts
                .samplers
                .push(json!({"input": clock, "output": output, "interpolation": "LINEAR"}));
            let sampler = parts.samplers.len() - 1;
            parts
                .channels
                .push(json!({"sampler": sampler, "target": {"node": node, "path": path}}));
        }
    }
}

fn little(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{UNMOVED, solid};
    use super::*;

    /// Every accessor lies within its buffer and counts what it holds.
    #[test]
    fn a_moving_box_is_a_whole_file() {
        let mut view = View {
            times: vec![0.0, 1.0],
            ..View::default()
        };
        let there = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        view.body(
            "box",
            solid::cuboid([0.0; 3], [1.0, 2.0, 3.0]),
            klast_plot::ROCK,
            vec![UNMOVED, there],
        );
        let file: Value = serde_json::from_str(&view.gltf().unwrap()).unwrap();
        assert_eq!(
            file["animations"][0]["channels"].as_array().unwrap().len(),
            2
        );
        let total = file["buffers"][0]["byteLength"].as_u64().unwrap();
        let views = file["bufferViews"].as_array().unwrap();
        for accessor in file["accessors"].as_array().unwrap() {
            let parts = match accessor["type"].as_str().unwrap() {
                "SCALAR" => 1,
                "VEC3" => 3,
                _ => 4,
            };
            let view = &views[accessor["bufferView"].as_u64().unwrap() as usize];
            let bytes = view["byteLength"].as_u64().unwrap();
            assert_eq!(bytes, 4 * parts * accessor["count"].as_u64().unwrap());
            assert!(view["byteOffset"].as_u64().unwrap() + bytes <= total);
        }
        assert_eq!(file["accessors"][1]["max"], json!([1.0, 2.0, 3.0]));
    }
}
