//! Contacts of pairs that barely move are kept, with a number of sweeps: what they are wrong by, and that nothing else
//! changes.

use glam::DVec3;
use klast_dynamics::{Body, Effort, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{Manifold, NarrowPhase, Placed, Pose, Solid};
use klast_scenarios::{ballast, lattice, pour_into};

fn settings(effort: Effort) -> WorldSettings {
    WorldSettings {
        effort,
        ..WorldSettings::default()
    }
}

/// A cube on a fixed one, with a velocity.
fn sliding(effort: Effort, velocity: DVec3) -> World {
    let surface = Surface {
        friction: 0.0,
        restitution: 0.0,
    };
    let mut world = World::new(settings(effort)).unwrap();
    let mut add = |size: f64, z: f64, role: Role, velocity: DVec3| {
        let body = Body::uniform(&Solid::Cube.with_size(size).unwrap(), 2700.0).unwrap();
        let motion = Twist::new(velocity, DVec3::ZERO).unwrap();
        let start = State::new(Pose::from_translation(DVec3::Z * z), motion).unwrap();
        world.add(body, start, role, surface).unwrap();
    };
    add(4.0, -2.0, Role::Fixed, DVec3::ZERO);
    add(1.0, 0.5, Role::Free, velocity);
    world
}

/// The corners of a cube that slides on a face by 0.05 mm a step stay over it: their gaps are those of the corners, to
/// rounding, in the steps between searches too, and so are their places. A search holds for 3 mm: one and a half
/// margins.
#[test]
fn kept_corners_have_their_own_gaps() {
    let speed = DVec3::new(0.016, 0.012, 0.0);
    let mut world = sliding(Effort::Sweeps(20), speed);
    let (mut kept, steps) = (0, 200);
    for _ in 0..steps {
        let before = *world.state(1).unwrap();
        let report = world.step().unwrap();
        kept += usize::from(report.overlap.kept == 4);
        assert!(report.overlap.kept_way <= 3e-3);
        assert_eq!(world.contacts().len(), 4);
        for c in world.contacts() {
            let local = before.pose.inverse_transform_point(c.point);
            let beside = (local.x.abs() - 0.5).abs().max((local.y.abs() - 0.5).abs());
            assert!(beside <= 1e-12, "{local}");
            let gap = before.pose.translation.z - 0.5;
            assert!((c.gap - gap).abs() < 1e-12, "{} {gap}", c.gap);
        }
    }
    assert!((steps * 9 / 10..steps).contains(&kept), "{kept}");
    // The way of a run without friction is that of its speed.
    let at = world.state(1).unwrap().pose.translation;
    let way = speed * 2.5e-3 * steps as f64;
    assert!((at - way - DVec3::Z * at.z).length() < 1e-9, "{at}");
}

/// What is fast is searched for in each step, and so is everything where a step is run to a residual.
#[test]
fn the_fast_and_the_solved_are_searched_for() {
    let residual = Effort::Residual {
        tolerance: 1e-8,
        sweeps: 100,
    };
    let auto = Effort::Auto { tolerance: 1e-6 };
    for (effort, speed) in [(Effort::Sweeps(20), 8.0), (residual, 0.01), (auto, 0.01)] {
        let mut world = sliding(effort, DVec3::X * speed);
        for _ in 0..20 {
            assert_eq!(world.step().unwrap().overlap.kept, 0);
        }
    }
}

/// Rough stones that come to rest in a box: against a search at the same place, kept gaps of the same features along
/// the same normal are right to 1e-8 m: features are recognised to 1e-9 of the size. Nothing makes energy.
#[test]
fn kept_gaps_are_those_of_a_search() {
    let shapes = ballast().unwrap();
    let mut world = pour_into(2.0, &shapes, &lattice(30), settings(Effort::Sweeps(20))).unwrap();
    let mut narrow = NarrowPhase::default();
    let mut exact = Manifold::default();
    let (mut kept, mut all, mut compared) = (0, 0, 0);
    for step in 0..1200 {
        let before: Vec<State> = world.states().copied().collect();
        let report = world.step().unwrap();
        assert_eq!((report.gain, report.exchange.driving_contacts), (0.0, 0));
        kept += report.overlap.kept;
        all += report.contacts;
        if step % 50 != 0 {
            continue;
        }
        let bearing = world.contacts().iter();
        for c in bearing.filter(|c| c.plane().is_none() && c.impulse != DVec3::ZERO) {
            let placed = |i: u32| Placed {
                shape: world.body(i as usize).unwrap().shape(),
                pose: &before[i as usize].pose,
            };
            narrow.manifold(placed(c.first), placed(c.second), 0.01, None, &mut exact);
            let same = exact.points.iter().find(|p| p.feature == c.feature);
            if let Some(p) = same.filter(|p| p.normal.distance(c.normal) < 1e-9) {
                assert!((p.gap - c.gap).abs() <= 1e-8, "{} {}", p.gap, c.gap);
                compared += 1;
            }
        }
    }
    assert!(kept > all / 4 && compared > 200, "{kept} {all} {compared}");
}

/// What may be kept is part of a snapshot: a run that is taken up goes on with the same bits.
#[test]
fn a_snapshot_has_what_is_kept() {
    let shapes = ballast().unwrap();
    let start = || pour_into(2.0, &shapes, &lattice(30), settings(Effort::Sweeps(20))).unwrap();
    let mut world = start();
    for _ in 0..700 {
        world.step().unwrap();
    }
    let mut again = start();
    again.restore(&world.snapshot()).unwrap();
    let mut kept = 0;
    for _ in 0..50 {
        let reports = [world.step().unwrap(), again.step().unwrap()];
        assert_eq!(reports[0], reports[1]);
        kept += reports[0].overlap.kept;
    }
    assert!(kept > 0 && world.states().eq(again.states()));
}
