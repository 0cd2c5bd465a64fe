//! A tower of planks stands still, and falls when it must.

use klast_dynamics::{Effort, WorldSettings};
use klast_scenarios::{shaken_tower, static_settings, tower};

/// Planks of 8 mm: 1 ms is a hundredth of the time that one takes to fall.
fn settings() -> WorldSettings {
    WorldSettings {
        step: 1e-3,
        margin: 1e-5,
        slop: 1e-8,
        ..static_settings()
    }
}

/// Nothing moves farther than the slop of its 16 joints allows, with room for the residual.
#[test]
fn a_tower_stands_still() {
    let mut tower = tower(16, settings()).unwrap();
    let moved = tower.watch(1.0, 0.01).unwrap();
    assert!(moved < 1e-6, "{moved}");
    assert!(tower.world.kinetic_energy() < 1e-12);
}

/// Layers across the motion are posts of 8 mm by 24 mm: they tip with all above them at a third of g, whatever the
/// load; with 20 layers the whole overturns first, at 0.12 m / (20 · 0.024 m) = 1/4. One hundredth to either side
/// decides.
#[test]
fn a_tower_falls_when_its_posts_tip_or_it_overturns() {
    // What the residual leaves open moves a joint by under 1e-6 m/s where nothing slides, 1e-6 m in the second watched.
    // Corners go over edges in line with them on the way: a contact that has lost its name, and with it its impulse,
    // would make the tower jerk by 1e-5 m and more.
    let settings = || WorldSettings {
        effort: Effort::Residual {
            tolerance: 1e-6,
            sweeps: 800,
        },
        ..settings()
    };
    for (levels, limit) in [(8, 1.0 / 3.0), (20, 0.25)] {
        let mut stands = shaken_tower(levels, 0.99 * limit, settings()).unwrap();
        let moved = stands.watch(1.0, 0.005).unwrap();
        assert!(
            moved < 1e-6,
            "{levels} levels: moved {moved} below the limit"
        );
        let mut falls = shaken_tower(levels, 1.01 * limit, settings()).unwrap();
        let moved = falls.watch(3.0, 0.005).unwrap();
        assert!(
            moved > 0.005,
            "{levels} levels: moved {moved} above the limit"
        );
        assert_eq!(stands.world.ledger().unconverged, 0);
        assert_eq!(falls.world.ledger().unconverged, 0);
    }
}

/// The whole collapse, until all lies: every island of every step reaches the residual, and no contact makes energy.
#[test]
fn a_collapse_is_solved_to_the_residual() {
    let effort = Effort::Residual {
        tolerance: 1e-6,
        sweeps: 800,
    };
    for (levels, fraction) in [(12, 0.34), (20, 0.26)] {
        let mut tower = shaken_tower(
            levels,
            fraction,
            WorldSettings {
                effort,
                ..settings()
            },
        )
        .unwrap();
        for _ in 0..1500 {
            tower.world.step().unwrap();
        }
        let ledger = tower.world.ledger();
        assert_eq!(ledger.unconverged, 0, "{levels}");
        assert_eq!(
            (ledger.gains, ledger.exchange.driving_contacts),
            (0, 0),
            "{levels}"
        );
    }
}
