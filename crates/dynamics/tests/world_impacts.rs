//! Impacts within a step, one pair after the other; their laws; friction and restitution by pairs of materials.

use glam::DVec3;
use klast_dynamics::{
    Body, DynamicsError, Effort, Impacts, Material, Restitution, Role, State, Surface, Twist,
    World, WorldSettings,
};
use klast_geometry::{Plane, Pose, Solid};
use klast_numerics::Found;

fn surface(friction: f64, restitution: f64) -> Surface {
    Surface {
        friction,
        restitution,
    }
}

fn cube() -> Body {
    Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 1.0).unwrap()
}

/// Cubes of 1 kg in a row with gaps, the first coming in with 1 m/s, without gravity or friction.
fn row(masses: &[f64], gap: f64, restitution: f64, settings: WorldSettings) -> World {
    let mut world = World::new(WorldSettings {
        gravity: DVec3::ZERO,
        parallel: false,
        ..settings
    })
    .unwrap();
    for (k, mass) in masses.iter().enumerate() {
        let at = Pose::from_translation(DVec3::X * (k as f64 * (1.0 + gap)));
        let mut state = State::at_rest(at);
        state.velocity.linear.x = if k == 0 { 1.0 } else { 0.0 };
        let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), *mass).unwrap();
        world
            .add(body, state, Role::Free, surface(0.0, restitution))
            .unwrap();
    }
    world
}

fn speeds(world: &World) -> Vec<f64> {
    world.states().map(|s| s.velocity.linear.x).collect()
}

/// What binary impacts from the first body to the last leave: each pair keeps its momentum, and parts at e times the
/// speed.
fn binary(masses: &[f64], e: f64) -> Vec<f64> {
    let mut v = vec![0.0; masses.len()];
    v[0] = 1.0;
    for k in 1..masses.len() {
        let (m, n) = (masses[k - 1], masses[k]);
        let (common, way) = (m * v[k - 1] / (m + n), v[k - 1] * e);
        (v[k - 1], v[k]) = (common - way * n / (m + n), common + way * m / (m + n));
    }
    v
}

/// The row touches, or has gaps that all close within one step of 2.5 ms: in both one step passes the impact on to the
/// last. Masses fall along the row, so that no body catches up with another.
#[test]
fn a_row_passes_impacts_on_within_a_step() {
    for gap in [0.0, 1e-5, 1e-4] {
        for (masses, e) in [
            (vec![1.0; 3], 1.0),
            (vec![1.0; 5], 1.0),
            (vec![1.0, 0.5, 0.25], 1.0),
            (vec![2.0, 1.0], 0.5),
        ] {
            let mut world = row(&masses, gap, e, WorldSettings::default());
            let report = world.step().unwrap();
            let (found, want) = (speeds(&world), binary(&masses, e));
            for (f, w) in found.iter().zip(&want) {
                assert!(
                    (f - w).abs() < 1e-9,
                    "{gap} {masses:?} {e}: {found:?} {want:?}"
                );
            }
            assert!(
                report.events.impacts as usize + 1 >= masses.len(),
                "{report:?}"
            );
            let energy: f64 = masses.iter().zip(&want).map(|(m, v)| 0.5 * m * v * v).sum();
            assert!((report.energy.kinetic - energy).abs() < 1e-9, "{report:?}");
            assert!(report.unexplained.abs() < 1e-9, "{report:?}");
            assert_eq!(report.exchange.driving_contacts, 0);
        }
    }
}

/// All at once, as Moreau's law has it: −1/3, 2/3, 2/3. Energy and momentum are kept too, and are not those of binary
/// impacts.
#[test]
fn a_row_struck_together_moves_on_together() {
    let settings = WorldSettings {
        impacts: Impacts::Together,
        effort: Effort::Residual {
            tolerance: 1e-12,
            sweeps: 100,
        },
        ..WorldSettings::default()
    };
    let mut world = row(&[1.0; 3], 0.0, 1.0, settings);
    world.step().unwrap();
    for (found, want) in speeds(&world)
        .iter()
        .zip([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0])
    {
        assert!((found - want).abs() < 1e-8, "{:?}", speeds(&world));
    }
}

/// A cube that falls flat rebounds at e times its speed under every law, and a cube that falls on its edge keeps to its
/// law: none but Newton's may make energy.
#[test]
fn each_law_bounces_as_it_says() {
    for law in [
        Restitution::Newton,
        Restitution::Sequential,
        Restitution::Poisson,
        Restitution::Stronge,
    ] {
        for turned in [false, true] {
            let settings = WorldSettings {
                impacts: Impacts::InTurn(law),
                step: 1e-3,
                parallel: false,
                ..WorldSettings::default()
            };
            let mut world = World::new(settings).unwrap();
            let ground = Plane::new(DVec3::Z, 0.0).unwrap();
            world.add_plane(ground, surface(0.4, 0.5), None).unwrap();
            let mut pose = Pose::from_translation(DVec3::Z * 0.5);
            if turned {
                pose.rotation = glam::DQuat::from_rotation_y(0.5);
                pose.translation.z = 0.5 * (0.5f64.sin() + 0.5f64.cos());
            }
            let mut state = State::at_rest(pose);
            state.velocity.linear = DVec3::new(0.3, 0.0, -2.0);
            world
                .add(cube(), state, Role::Free, surface(0.4, 0.5))
                .unwrap();
            let before = 0.5 * (4.0 + 0.09);
            let report = world.step().unwrap();
            assert!(
                report.events.impacts > 0 && report.unexplained.abs() < 1e-12,
                "{report:?}"
            );
            let v = world.state(0).unwrap().velocity;
            if turned {
                assert!(report.energy.kinetic < before, "{law:?}: {report:?}");
            } else {
                assert!((v.linear.z + 9.81e-3 - 1.0).abs() < 1e-9, "{law:?}: {v:?}");
            }
            if law != Restitution::Newton {
                assert_eq!(report.exchange.driving_contacts, 0);
            }
        }
    }
}

/// A cube that falls on the middle of a block: nothing leads to either side, and it stays there to rounding.
#[test]
fn a_symmetric_fall_stays_symmetric() {
    for restitution in [0.0, 0.5, 1.0] {
        let settings = WorldSettings {
            parallel: false,
            ..WorldSettings::default()
        };
        let mut world = World::new(settings).unwrap();
        let stone = surface(0.6, restitution);
        world
            .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), stone, None)
            .unwrap();
        for z in [0.5, 2.5] {
            let state = State::at_rest(Pose::from_translation(DVec3::Z * z));
            world.add(cube(), state, Role::Free, stone).unwrap();
        }
        for _ in 0..800 {
            world.step().unwrap();
        }
        for state in world.states() {
            let (p, q) = (state.pose.translation, state.pose.rotation);
            // Rounding of solved impulses, over 800 steps.
            assert!(p.x.abs() < 1e-8 && p.y.abs() < 1e-8, "{restitution}: {p}");
            assert!(
                q.x.abs() + q.y.abs() + q.z.abs() < 1e-8,
                "{restitution}: {q}"
            );
        }
    }
}

/// A pair's own friction stops a cube after v²/(2 μ g), whatever both surfaces say; another pair keeps the mean.
#[test]
fn a_pair_of_materials_has_its_own_friction() {
    let (wood, steel, ice) = (Material(1), Material(2), Material(3));
    let slide = |own: Material| {
        let settings = WorldSettings {
            step: 1e-3,
            parallel: false,
            ..WorldSettings::default()
        };
        let mut world = World::new(settings).unwrap();
        let ground = Plane::new(DVec3::Z, 0.0).unwrap();
        let plane = world.add_plane(ground, surface(0.5, 0.0), None).unwrap();
        let mut state = State::at_rest(Pose::from_translation(DVec3::Z * 0.5));
        state.velocity = Twist {
            linear: DVec3::X,
            angular: DVec3::ZERO,
        };
        let body = world
            .add(cube(), state, Role::Free, surface(0.5, 0.0))
            .unwrap();
        world.set_material_of_plane(plane, wood).unwrap();
        world.set_material(body, own).unwrap();
        world.set_pair(steel, wood, surface(0.2, 0.0)).unwrap();
        for _ in 0..1000 {
            world.step().unwrap();
        }
        world.state(body).unwrap().pose.translation.x
    };
    for (own, mu) in [(steel, 0.2), (ice, 0.5)] {
        let want = 0.5 / (mu * 9.81);
        // The first step brakes whole, half a step of way.
        assert!(
            (slide(own) - want).abs() < 6e-4,
            "{mu}: {} {want}",
            slide(own)
        );
    }
    let mut world = World::new(WorldSettings::default()).unwrap();
    let error = world.set_material(0, wood).unwrap_err();
    let named = matches!(&error, DynamicsError::OutOfRange(out) if out.field == "body" && out.found == Found::Count(0));
    assert!(named, "{error}");
    assert!(world.set_pair(wood, ice, surface(-1.0, 0.0)).is_err());
}
