//! Poured blocks come to rest within the fall's own speed and without a gain of energy.

use klast_dynamics::{Effort, WorldSettings};
use klast_geometry::ConvexPolyhedron;
use klast_scenarios::{RestReport, ballast, column, cubes, pour_into, pour_to_rest};

/// Layers of 16 blocks over a box of 7.2 m.
fn poured(shapes: &[ConvexPolyhedron], layers: usize, effort: Effort) -> RestReport {
    let settings = WorldSettings {
        effort,
        parallel: false,
        ..Default::default()
    };
    let mut world = pour_into(3.6, shapes, &column(16 * layers, 4), settings).unwrap();
    pour_to_rest(&mut world, 20.0, 0.25, |_, _| {}).unwrap()
}

/// The bars: 1e-8 of the potential energy within 20 s, √(2 g z) of the highest centre, no rise of energy
/// beyond rounding of sums in any step.
fn holds(name: &str, report: &RestReport) {
    for (bar, found, accepted, holds) in report.bars() {
        assert!(
            holds,
            "{name}: {bar}: {found:e}, accepted {accepted:e}; {report:?}"
        );
    }
    assert_eq!(report.gains, 0, "{name}");
}

#[test]
fn cubes_come_to_rest_at_twenty_sweeps() {
    holds("cubes", &poured(&cubes().unwrap(), 5, Effort::Sweeps(20)));
}

#[test]
fn hulls_come_to_rest_at_twenty_sweeps() {
    holds("hulls", &poured(&ballast().unwrap(), 5, Effort::Sweeps(20)));
}

/// Solved to a residual the overlap at rest is the slop that is left alone (2e-5 m) and what a residual of 1e-6 of the
/// largest velocity (a step's fall, 0.025 m/s) adds: far under a thousandth of a block.
#[test]
fn both_come_to_rest_at_a_residual() {
    let effort = Effort::Residual {
        tolerance: 1e-6,
        sweeps: 800,
    };
    for (name, shapes) in [("cubes", cubes().unwrap()), ("hulls", ballast().unwrap())] {
        let report = poured(&shapes, 2, effort);
        holds(name, &report);
        assert!(report.overlap.1 < 1e-3, "{name}: {report:?}");
    }
}
