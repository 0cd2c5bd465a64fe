//! Drawn scenes and efforts: a verdict is never one that its residual does not carry, nor one that statics forbids.

use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use proptest::prelude::*;
use serde_json::{Value, json};

const FRICTION: f64 = 0.6;
/// Steps of a run, and one of them in √(edge/g).
const STEPS: f64 = 120.0;
const STEP: f64 = 0.01;

fn run(scene: &Value) -> Bodies {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let bodies = scene
        .job()
        .unwrap()
        .run_silently()
        .unwrap()
        .results
        .take::<Bodies>()
        .unwrap();
    *bodies
}

/// A column of cubes on a table that is tilted about any horizontal axis.
#[derive(Debug, Clone)]
struct Column {
    count: u32,
    edge: f64,
    /// Where it stands along x (m).
    at: f64,
    tan: f64,
    towards: f64,
    effort: Value,
}

impl Column {
    /// What statics says: it overturns over an edge of its foot, or over a corner, or slides. Over the edge that the
    /// table leans towards first; a column that leans askew takes the edge that its weight passes first.
    fn falls(&self) -> bool {
        let (sin, cos) = self.towards.sin_cos();
        let most = sin.abs().max(cos.abs());
        self.tan > FRICTION || self.tan * most * f64::from(self.count) > 1.0
    }

    /// Whether statics decides by 2 %.
    fn is_clear(&self) -> bool {
        let (sin, cos) = self.towards.sin_cos();
        let tips = self.tan * sin.abs().max(cos.abs()) * f64::from(self.count);
        (tips - 1.0).abs() > 0.02 && (self.tan / FRICTION - 1.0).abs() > 0.02
    }

    fn scene(&self) -> Value {
        let (edge, g) = (self.edge, 9.81);
        let angle = self.tan.atan();
        let (sin, cos) = self.towards.sin_cos();
        let step = STEP * (edge / g).sqrt();
        json!({
            "schema": 1, "kind": "bodies",
            "gravity_m_s2": [g * angle.sin() * cos, g * angle.sin() * sin, -g * angle.cos()],
            "materials": {"stone": {"friction": FRICTION, "density_kg_m3": 2400}},
            "bodies": [{
                "name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [edge, edge, edge]},
                "at_m": [self.at, 0, 0.5 * edge], "copies": [{"count": self.count, "shift_m": [0, 0, edge]}]
            }],
            "planes": [{"material": "stone", "normal": [0, 0, 1]}],
            "solver": {"step_s": step, "effort": self.effort},
            "duration_s": STEPS * step, "frames": 0, "stands_within_m": 0.001 * edge
        })
    }

    /// Residual that carries a verdict: it may hide an acceleration of that part of g over the run, and 1e-3 at most.
    fn bound(&self) -> f64 {
        let time = STEPS * STEP * (self.edge / 9.81).sqrt();
        (2.0 * 0.001 * self.edge / (9.81 * time * time)).min(1e-3)
    }
}

fn efforts() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"kind": "auto"})),
        (1u32..60).prop_map(|count| json!({"kind": "sweeps", "count": count})),
        (-9.0..-2.0).prop_map(|x: f64| json!({"kind": "residual", "tolerance": 10f64.powf(x)})),
    ]
}

fn columns() -> impl Strategy<Value = Column> {
    let place = prop_oneof![
        (-3.0..3.0).prop_map(|x: f64| (10f64.powf(x), 0.0)),
        Just((1.0, 1e6)),
    ];
    (1u32..9, place, 0.0..0.8, 0.0..6.3, efforts()).prop_map(
        |(count, (edge, at), tan, towards, effort)| Column {
            count,
            edge,
            at,
            tan,
            towards,
            effort,
        },
    )
}

proptest! {
    // Some 0.05 s each.
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_verdict_without_a_solved_problem(column in columns()) {
        prop_assume!(column.is_clear());
        let bodies = run(&column.scene());
        let s = &bodies.summary;
        match s.verdict {
            Some(Verdict::Stands) => {
                prop_assert!(s.max_residual <= column.bound(), "{}", bodies.sentence());
                // What falls by 2 % moves by over 2.5 thousandths of an edge in the run, of which one is asked for.
                prop_assert!(!column.falls(), "{}", bodies.sentence());
            }
            Some(Verdict::Falls) => prop_assert!(column.falls(), "{}", bodies.sentence()),
            Some(Verdict::Undecided) => {
                prop_assert!(s.max_residual > column.bound(), "{}", bodies.sentence());
            }
            None => prop_assert!(false, "no verdict was asked for"),
        }
        // The default solves all of them.
        if column.effort["kind"] == "auto" {
            prop_assert!(s.verdict != Some(Verdict::Undecided), "{}", bodies.sentence());
            prop_assert_eq!(s.unconverged_islands, 0);
        }
    }
}
