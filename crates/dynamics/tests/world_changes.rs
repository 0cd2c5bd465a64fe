//! What changes between steps: stones that are taken out, roles and drives, terrain as ground.

use glam::{DVec2, DVec3};
use klast_dynamics::{
    Body, Drive, Effort, End, Failure, Form, Role, State, StepReport, Surface, Tie, Twist, World,
    WorldSettings,
};
use klast_geometry::terrain::{Area, Grid, Mesh, Terrain};
use klast_geometry::{ConvexPolyhedron, Plane, Pose, Solid};
use klast_scenarios::voussoirs;

const G: f64 = 9.81;
const FRICTION: f64 = 0.8;
const ROUGH: Surface = Surface {
    friction: FRICTION,
    restitution: 0.0,
};

fn settled() -> WorldSettings {
    WorldSettings {
        effort: Effort::Residual {
            tolerance: 1e-8,
            sweeps: 100,
        },
        ..WorldSettings::default()
    }
}

fn floor() -> World {
    let mut world = World::new(settled()).unwrap();
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    world.add_plane(plane, ROUGH, None).unwrap();
    world
}

fn cube(edge: f64) -> Body {
    Body::uniform(&Solid::Cube.with_size(edge).unwrap(), 2000.0).unwrap()
}

fn add_cube(world: &mut World, edge: f64, at: DVec3) -> usize {
    let start = State::at_rest(Pose::from_translation(at));
    world.add(cube(edge), start, Role::Free, ROUGH).unwrap()
}

fn height(world: &World, body: usize) -> f64 {
    world.state(body).unwrap().pose.translation.z
}

fn step(world: &mut World) -> StepReport {
    let r = world.step().unwrap();
    let handled =
        r.energy.kinetic + r.energy.potential.abs() + r.energy.tied + r.exchange.losses().abs();
    assert!(r.unexplained.abs() <= 1e-11 * handled, "{r:?}");
    r
}

fn steps(world: &mut World, count: usize) {
    for _ in 0..count {
        step(world);
    }
}

/// Kinetic, potential and elastic energy, less all that the ledger knows of: constant, whatever was changed.
fn unaccounted(world: &World) -> f64 {
    let l = world.ledger();
    let losses =
        l.exchange.contact_loss + l.exchange.scheme_loss + l.exchange.tie_loss + l.taken_out;
    let given = l.exchange.boundary_work + l.exchange.load_work + l.exchange.stabilisation;
    world.kinetic_energy() + world.potential_energy() + world.tied_energy() + losses - given
}

/// Of a column of five the third is taken out: those below stay, those above fall by its height. What left with it is
/// in the ledger, also of a tie that held on to it.
#[test]
fn what_rests_on_a_removed_body_falls() {
    let mut world = floor();
    let column: Vec<usize> = (0..5)
        .map(|k| add_cube(&mut world, 0.5, DVec3::Z * (0.25 + 0.5 * f64::from(k))))
        .collect();
    let (ends, stiffness) = (
        [
            End::Fixed(DVec3::new(3.0, 0.0, 1.25)),
            End::Body {
                body: column[2],
                at: DVec3::new(0.25, 0.0, 1.25),
            },
        ],
        1e6,
    );
    let tie = Tie {
        ends,
        form: Form::Bar,
        stiffness,
        pretension: 300.0,
        strength: None,
        failure: Failure::Brittle,
    };
    let start = unaccounted(&world);
    let tie = world.add_tie(&tie).unwrap();
    steps(&mut world, 40);
    let stood = height(&world, column[4]);
    assert!((stood - 2.25).abs() < 1e-5);
    world.remove(column[2]).unwrap();
    assert!(!world.is_present(column[2]) && world.is_present(column[1]));
    assert!(world.tie(tie).unwrap().broken);
    assert!(
        world
            .contacts()
            .iter()
            .all(|c| c.first != 2 && c.second != 2)
    );
    let snapshot = world.snapshot();
    steps(&mut world, 400);
    for (body, now) in [(0, 0.25), (1, 0.75), (3, 1.25), (4, 1.75)] {
        let found = height(&world, column[body]);
        assert!((found - now).abs() < 1e-3, "{body}: {found}");
    }
    // The column's potential energy is 24.5 kJ, summed in some 400 steps.
    let left = unaccounted(&world) - start;
    assert!(left.abs() < 1e-8, "{left}");
    // 250 kg at 1.25 m, to what the column has sunk into itself.
    let taken_out = world.ledger().taken_out - 250.0 * G * 1.25;
    assert!(taken_out.abs() < 0.1, "{taken_out}");
    // A body that is gone takes no part in anything, and comes back with nothing.
    assert!(world.remove(column[2]).is_err());
    assert!(world.set_velocity(column[2], Twist::ZERO).is_err());
    assert!(world.set_role(column[2], Role::Free).is_err());
    let now = world.clone();
    world.restore(&snapshot).unwrap();
    steps(&mut world, 400);
    assert_eq!(
        world.states().collect::<Vec<_>>(),
        now.states().collect::<Vec<_>>()
    );
}

/// Area and centroid of a quadrilateral (shoelace formula).
fn weight(corners: &[DVec2; 4]) -> (f64, DVec2) {
    let (mut area, mut moment) = (0.0, DVec2::ZERO);
    for k in 0..4 {
        let (a, b) = (corners[k], corners[(k + 1) % 4]);
        area += 0.5 * a.perp_dot(b);
        moment += (a + b) * (a.perp_dot(b) / 6.0);
    }
    (area, moment / area)
}

/// Whether stones on each other, the lowest first with the joint below each, stand by themselves: the weight of all
/// above a joint goes through it, within its friction. By how much of the joint's width, or of the friction, it does
/// or does not.
fn margin(stones: &[([DVec2; 4], [DVec2; 2])]) -> f64 {
    let mut least = f64::INFINITY;
    for (j, (_, [inner, outer])) in stones.iter().enumerate() {
        let (mut area, mut moment) = (0.0, 0.0);
        for (stone, _) in &stones[j..] {
            let (own, at) = weight(stone);
            (area, moment) = (area + own, moment + own * at.x);
        }
        let (low, high) = (inner.x.min(outer.x), inner.x.max(outer.x));
        let x = moment / area;
        least = least.min((x - low).min(high - x) / (high - low));
        let joint = (*outer - *inner).normalize();
        least = least.min(1.0 - joint.y.abs() / joint.x.abs() / FRICTION);
    }
    least
}

/// Any stone of an arch is taken out: on each side what is left is a stack, which statics lets stand or not.
#[test]
fn an_arch_without_a_stone_ends_as_statics_says() {
    let mut ends = [0, 0];
    for (count, thickness) in [(7, 0.3), (9, 0.6)] {
        let stones = voussoirs(count, thickness);
        // Stones run from one springing to the other; the joint of each towards its own.
        let from_first = |k: usize| (stones[k], [stones[k][0], stones[k][1]]);
        let from_last = |k: usize| (stones[k], [stones[k][3], stones[k][2]]);
        for lost in 0..count {
            let mut world = floor();
            for stone in &stones {
                let corners: Vec<DVec3> = stone
                    .iter()
                    .flat_map(|c| [-0.5, 0.5].map(|y| DVec3::new(c.x, y, c.y)))
                    .collect();
                let shape = ConvexPolyhedron::from_points(&corners).unwrap();
                let body = Body::uniform(&shape, 2500.0).unwrap();
                let start = State::at_rest(body.pose_of(&Pose::IDENTITY));
                world.add(body, start, Role::Free, ROUGH).unwrap();
            }
            steps(&mut world, 20);
            let start: Vec<DVec3> = world.states().map(|s| s.pose.translation).collect();
            world.remove(lost).unwrap();
            let first: Vec<_> = (0..lost).map(from_first).collect();
            let last: Vec<_> = (lost + 1..count).rev().map(from_last).collect();
            let margins = [&first, &last].map(|side| margin(side));
            // Each side alone, since one that falls may strike the other; then both.
            let alone = [(margins[0], lost..count), (margins[1], 0..lost)];
            let both = (margins[0].min(margins[1]), 0..0);
            for (margin, removed) in alone.into_iter().chain([both]) {
                assert!(margin.abs() > 0.005, "no case at a limit: {lost} {margin}");
                let mut world = world.clone();
                for other in removed.filter(|other| *other != lost) {
                    world.remove(other).unwrap();
                }
                steps(&mut world, 400);
                let way = |i: usize| (world.state(i).unwrap().pose.translation - start[i]).length();
                let farthest = (0..count).map(way).fold(0.0, f64::max);
                let falls = margin < 0.0;
                ends[usize::from(falls)] += 1;
                match falls {
                    true => assert!(farthest > 0.05, "{count} {lost}: {farthest}, {margin}"),
                    false => assert!(farthest < 1e-3, "{count} {lost}: {farthest}, {margin}"),
                }
            }
        }
    }
    assert!(ends[0] >= 6 && ends[1] >= 6, "both ends occur: {ends:?}");
}

/// A prop that is fixed is let go, and stopped again; a lift is driven, and stands when its drive is taken away. The
/// energies that come and go with that are in the ledger.
#[test]
fn roles_and_drives_change() {
    let mut world = floor();
    let body = add_cube(&mut world, 0.5, DVec3::Z * 2.0);
    world.set_role(body, Role::Fixed).unwrap();
    let start = unaccounted(&world);
    steps(&mut world, 10);
    assert!((height(&world, body) - 2.0).abs() < 1e-15);
    world.set_role(body, Role::Free).unwrap();
    steps(&mut world, 100);
    let h = world.settings().step;
    let fallen = 0.5 * G * h * h * 100.0 * 101.0;
    assert!((height(&world, body) - (2.0 - fallen)).abs() < 1e-12);
    let up = Twist {
        linear: DVec3::Z * 0.5,
        angular: DVec3::ZERO,
    };
    world
        .set_role(body, Role::Driven(Drive::Steady(up)))
        .unwrap();
    steps(&mut world, 40);
    assert!((height(&world, body) - (2.0 - fallen + 0.05)).abs() < 1e-12);
    // It keeps the velocity it was driven with.
    world.set_role(body, Role::Free).unwrap();
    step(&mut world);
    let v = world.state(body).unwrap().velocity.linear.z;
    assert!((v - (0.5 - G * h)).abs() < 1e-12, "{v}");
    steps(&mut world, 500);
    assert!((height(&world, body) - 0.25).abs() < 1e-4);
    world
        .set_drive_of_plane(0, Some(Drive::Steady(up)))
        .unwrap();
    steps(&mut world, 40);
    assert!((height(&world, body) - 0.30).abs() < 1e-4);
    world.set_drive_of_plane(0, None).unwrap();
    steps(&mut world, 200);
    assert!((height(&world, body) - 0.30).abs() < 1e-4);
    let left = unaccounted(&world) - start;
    assert!(left.abs() < 1e-9, "{left}");
    assert!(world.set_drive_of_plane(3, None).is_err());
}

/// On a raster and on a mesh of one inclined plane a block holds and slides as on the plane itself: with μ = 0.8 it
/// stands at tan 0.79 and goes 0.5 (sin − μ cos) g t² at tan 0.9, over the joints of the facets.
#[test]
fn terrain_is_ground() {
    for tan in [0.79, 0.9] {
        let nodes = 9;
        let heights: Vec<f64> = (0..nodes * nodes)
            .map(|k| -tan * (k % nodes) as f64)
            .collect();
        let grid = Grid::new(nodes, nodes, 1.0, DVec2::ZERO, heights).unwrap();
        let points: Vec<DVec3> = (0..nodes * nodes)
            .map(|k| {
                let (x, y) = ((k % nodes) as f64, (k / nodes) as f64);
                DVec3::new(x, y, -tan * x)
            })
            .collect();
        let cell = |k: usize| {
            let at = |i: usize, j: usize| (i + j * nodes) as u32;
            let (i, j) = (k % (nodes - 1), k / (nodes - 1));
            [
                [at(i, j), at(i + 1, j), at(i + 1, j + 1)],
                [at(i, j), at(i + 1, j + 1), at(i, j + 1)],
            ]
        };
        let triangles: Vec<[u32; 3]> = (0..(nodes - 1) * (nodes - 1)).flat_map(cell).collect();
        let mesh = Mesh::new(&points, &triangles).unwrap();
        let plane = Plane::new(DVec3::new(tan, 0.0, 1.0), 0.0).unwrap();
        let mut ends = vec![];
        for ground in [None, Some(&grid as &dyn Terrain), Some(&mesh)] {
            let mut world = World::new(settled()).unwrap();
            match ground {
                None => assert_eq!(world.add_plane(plane, ROUGH, None).unwrap(), 0),
                Some(terrain) => {
                    let all = world
                        .add_ground(terrain, Area::EVERYWHERE, 2.0, ROUGH)
                        .unwrap();
                    assert_eq!(all, 0..128);
                }
            }
            let turn = glam::DQuat::from_rotation_arc(DVec3::Z, plane.normal);
            let origin = ground.map_or(DVec3::ZERO, Terrain::origin);
            let at = DVec3::new(2.1, 4.3, -2.1 * tan) + plane.normal * 0.25 - origin;
            let start = State::at_rest(Pose::new(turn, at).unwrap());
            let body = world.add(cube(0.5), start, Role::Free, ROUGH).unwrap();
            steps(&mut world, 400);
            ends.push((world.state(body).unwrap().pose.translation - at).length());
        }
        let cos = 1.0 / (1.0 + tan * tan).sqrt();
        let h = settled().step;
        let way = 0.5 * G * cos * (tan - FRICTION).max(0.0) * h * h * 400.0 * 401.0;
        // The tolerance of the solution leaves some 1e-6 m/s.
        for end in &ends {
            assert!(
                (end - way).abs() < 1e-5 + 1e-3 * way,
                "{tan}: {ends:?} {way}"
            );
        }
    }
    let mut world = World::new(settled()).unwrap();
    let grid = Grid::new(2, 2, 1.0, DVec2::ZERO, vec![0.0; 4]).unwrap();
    let beside = Area::around(DVec2::splat(50.0), 1.0);
    assert!(world.add_ground(&grid, beside, 1.0, ROUGH).is_err());
    assert!(
        world
            .add_ground(&grid, Area::EVERYWHERE, 0.0, ROUGH)
            .is_err()
    );
}
