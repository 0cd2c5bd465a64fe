//! A verdict is that of the laws of mechanics, which are the same in all inertial frames: a wall on a base at rest, and
//! the same wall on a base that moves at a constant velocity, with all bodies at that velocity too.

use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use proptest::prelude::*;
use serde_json::{Value, json};

fn run(scene: &Value) -> (Bodies, Vec<String>) {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let bodies = outcome.results.take::<Bodies>().unwrap();
    (*bodies, outcome.warnings)
}

/// Columns of blocks that stand beside each other on a base, with gaps between them, under a constant horizontal part
/// of gravity.
#[derive(Debug, Clone)]
struct Columns {
    columns: u32,
    blocks: u32,
    gap: f64,
    tan: f64,
    /// Whether the ground below the base stays where it is, 1 m deeper.
    ground: bool,
}

const WIDTH: f64 = 0.4;
const HEIGHT: f64 = 0.2;

impl Columns {
    fn scene(&self, velocity: [f64; 3], effort: &Value) -> Value {
        let moved_by = match velocity == [0.0; 3] {
            true => json!({"kind": "fixed"}),
            false => json!({"kind": "steady", "velocity_m_s": velocity}),
        };
        let planes = match self.ground {
            true => json!([{"material": "stone", "normal": [0, 0, 1], "offset_m": -1.0}]),
            false => json!([]),
        };
        json!({
            "schema": 1, "kind": "bodies", "gravity_m_s2": [9.81 * self.tan, 0, -9.81],
            "materials": {"stone": {"friction": 0.6, "density_kg_m3": 2400}},
            "bodies": [
                {"name": "base", "material": "stone", "shape": {"kind": "box", "edges_m": [8, 2, 0.5]},
                 "at_m": [0, 0, -0.25], "moved_by": moved_by},
                {"name": "block", "material": "stone", "shape": {"kind": "box", "edges_m": [WIDTH, 0.3, HEIGHT]},
                 "at_m": [-1.5, 0, 0.5 * HEIGHT], "velocity_m_s": velocity,
                 "copies": [{"count": self.blocks, "shift_m": [0, 0, HEIGHT]},
                            {"count": self.columns, "shift_m": [WIDTH + self.gap, 0, 0]}]}
            ],
            "planes": planes,
            "solver": {"step_s": 0.0025, "effort": effort},
            "duration_s": 0.5, "frames": 0, "stands_within_m": 0.002, "relative_to": "base"
        })
    }

    /// A column overturns where its weight passes the edge of its foot, or slides; whether statics decides by 5 %.
    fn is_clear(&self) -> bool {
        let tips = self.tan * f64::from(self.blocks) * HEIGHT / WIDTH;
        (tips - 1.0).abs() > 0.05 && (self.tan / 0.6 - 1.0).abs() > 0.05
    }
}

fn columns() -> impl Strategy<Value = Columns> {
    (1u32..4, 1u32..7, 0.005..0.1, 0.0..0.7, any::<bool>()).prop_map(
        |(columns, blocks, gap, tan, ground)| Columns {
            columns,
            blocks,
            gap,
            tan,
            ground,
        },
    )
}

/// 30 m/s in any horizontal direction, or 30 m/s upwards.
fn velocities() -> impl Strategy<Value = [f64; 3]> {
    prop_oneof![
        (0.0..6.3).prop_map(|a: f64| [30.0 * a.cos(), 30.0 * a.sin(), 0.0]),
        Just([0.0, 0.0, 30.0]),
    ]
}

/// Rounding of positions 15 m from the origin, 2e-15 m, in velocities over a step, and of those at 30 m/s: 1e-12 m/s in
/// a hundred-thousand millionth of g h. Two hundred steps and the solver enlarge it; a scale that depended on the frame
/// would be larger by 30 m/s over g h, a thousand times.
const ROUNDED: f64 = 1e-5;

proptest! {
    // Some 0.1 s each.
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The default: the same verdict and contacts, and displacements that differ by less than the residual may hide.
    #[test]
    fn the_verdict_is_that_of_the_scene_at_rest(scene in columns(), velocity in velocities()) {
        prop_assume!(scene.is_clear());
        let auto = json!({"kind": "auto"});
        let ((still, said), (moves, told)) =
            (run(&scene.scene([0.0; 3], &auto)), run(&scene.scene(velocity, &auto)));
        let (s, m) = (&still.summary, &moves.summary);
        prop_assert_eq!(s.verdict, m.verdict, "{} {}", still.sentence(), moves.sentence());
        prop_assert!(s.verdict != Some(Verdict::Undecided), "{}", still.sentence());
        prop_assert_eq!(said, told);
        prop_assert!(m.max_residual <= 1e-6, "{}", m.max_residual);
        if s.verdict == Some(Verdict::Stands) {
            prop_assert_eq!(still.contacts.len(), moves.contacts.len());
            // ½ ρ g T² with ρ = 1e-6 and T = 0.5 s.
            let hidden = 0.5 * 1e-6 * 9.81 * 0.25;
            let apart = (s.max_displacement_m - m.max_displacement_m).abs();
            prop_assert!(apart < hidden, "{} {}", still.sentence(), moves.sentence());
        }
    }

    /// A fixed number of sweeps does the same with the same numbers: the residual is the same but for rounding.
    #[test]
    fn the_residual_is_that_of_the_scene_at_rest(scene in columns(), velocity in velocities()) {
        let mut sweeps = [[0.0; 3], velocity].map(|v| {
            let mut scene = scene.scene(v, &json!({"kind": "sweeps", "count": 12}));
            scene["duration_s"] = json!(0.025);
            run(&scene).0
        });
        let moves = sweeps[1].summary.clone();
        let still = &mut sweeps[0].summary;
        prop_assert_eq!(still.verdict, moves.verdict);
        let close = |a: f64, b: f64, unit: f64| (a - b).abs() <= ROUNDED * unit;
        prop_assert!(close(still.max_residual, moves.max_residual, still.max_residual.max(1e-6)),
            "{} {}", still.max_residual, moves.max_residual);
        // g T² of free fall is the unit of displacements.
        let unit = 9.81 * 0.025 * 0.025;
        prop_assert!(close(still.max_displacement_m, moves.max_displacement_m, unit),
            "{} {}", still.max_displacement_m, moves.max_displacement_m);
        prop_assert_eq!(sweeps[0].contacts.len(), sweeps[1].contacts.len());
    }
}
