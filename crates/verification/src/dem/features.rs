use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use glam::DVec3;
use klast_geometry::{ConvexPolyhedron, NarrowPhase, Placed, Pose};
use serde::Deserialize;

use crate::{Context, Outcome, Table};

#[derive(Deserialize)]
struct Bodies {
    a: Vec<DVec3>,
    b: Vec<DVec3>,
}

/// The overlap of each listed pair.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let pairs: BTreeMap<String, Bodies> = table.input_as("pairs")?;
    let mut outcome = Outcome::new();
    let mut work = NarrowPhase::default();
    for (name, bodies) in &pairs {
        let [a, b] = [&bodies.a, &bodies.b].map(|p| ConvexPolyhedron::from_points(p));
        let (a, b) = (a?, b?);
        let place = |shape| Placed {
            shape,
            pose: &Pose::IDENTITY,
        };
        let overlap = work
            .overlap(place(&a), place(&b), None)
            .with_context(|| format!("{name}: no overlap found"))?;
        let mut set = |id: String, value: f64| outcome.set(&id, "ours", value);
        set(format!("{name}-depth"), overlap.depth);
        let vectors = [
            ("n", overlap.normal),
            ("c1", overlap.point_a),
            ("c2", overlap.point_b),
            ("cM", overlap.middle()),
        ];
        for (key, v) in vectors {
            for (axis, x) in ["x", "y", "z"].into_iter().zip(v.to_array()) {
                set(format!("{name}-{key}{axis}"), x);
            }
        }
    }
    Ok(outcome)
}
