//! Structures with the default settings: what statics says stands does, at the cost of a look a step, and 2 % beyond
//! the tilt that statics gives it falls.

use glam::DVec3;
use klast_dynamics::{Body, Role, State, Surface, World, WorldSettings};
use klast_geometry::{Plane, Pose, Solid};

const GRAVITY: f64 = 9.81;

/// Bodies by their edges and centres, the settings' lengths for bodies of a size, and the height of all.
struct Structure {
    boxes: Vec<(DVec3, DVec3)>,
    /// Edge that the lengths of the settings and the ways are measured in (m).
    block: f64,
    step: f64,
    height: f64,
}

fn column(count: usize) -> Structure {
    let cube = |k: usize| (DVec3::ONE, DVec3::Z * (k as f64 + 0.5));
    Structure {
        boxes: (0..count).map(cube).collect(),
        block: 1.0,
        step: 2.5e-3,
        height: count as f64,
    }
}

/// Layers of two planks of 120 by 8 by 24 mm, crosswise.
fn tower(planks: usize) -> Structure {
    let mut boxes = vec![];
    for k in 0..planks / 4 {
        let z = 0.048 * k as f64;
        for s in [-0.056, 0.056] {
            boxes.push((
                DVec3::new(0.12, 0.008, 0.024),
                DVec3::new(0.0, s, z + 0.012),
            ));
        }
        for s in [-0.056, 0.056] {
            boxes.push((
                DVec3::new(0.008, 0.12, 0.024),
                DVec3::new(s, 0.0, z + 0.036),
            ));
        }
    }
    Structure {
        boxes,
        block: 0.008,
        step: 1e-3,
        height: 0.012 * planks as f64,
    }
}

/// A wall in running bond of bricks of 500 by 250 by 200 mm.
fn wall(courses: usize, bricks: usize) -> Structure {
    let (l, w, h) = (0.5, 0.25, 0.2);
    let mut boxes = vec![];
    for course in 0..courses {
        let z = h * (course as f64 + 0.5);
        let odd = course % 2 == 1;
        let (first, whole) = if odd {
            (l, bricks - 1)
        } else {
            (0.5 * l, bricks)
        };
        for k in 0..whole {
            boxes.push((
                DVec3::new(l, w, h),
                DVec3::new(first + l * k as f64, 0.0, z),
            ));
        }
        if odd {
            for x in [0.25 * l, (bricks as f64 - 0.25) * l] {
                boxes.push((DVec3::new(0.5 * l, w, h), DVec3::new(x, 0.0, z)));
            }
        }
    }
    Structure {
        boxes,
        block: h,
        step: 2.5e-3,
        height: h * courses as f64,
    }
}

impl Structure {
    /// On a table that leans by an angle of this tangent towards a horizontal direction.
    fn on_a_table(&self, tan: f64, towards: DVec3) -> World {
        let default = WorldSettings::default();
        let angle = tan.atan();
        let settings = WorldSettings {
            gravity: GRAVITY * (towards * angle.sin() - DVec3::Z * angle.cos()),
            step: self.step,
            margin: default.margin * self.block,
            slop: default.slop * self.block,
            parallel: false,
            ..default
        };
        let mut world = World::new(settings).unwrap();
        let rough = Surface {
            friction: 0.6,
            restitution: 0.0,
        };
        world
            .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), rough, None)
            .unwrap();
        for (edges, at) in &self.boxes {
            let shape = Solid::Box { edges: *edges }
                .with_size(edges.max_element())
                .unwrap();
            let body = Body::uniform(&shape, 2400.0).unwrap();
            let state = State::at_rest(Pose::from_translation(*at));
            world.add(body, state, Role::Free, rough).unwrap();
        }
        world
    }

    /// The farthest that a centre has moved from where it was built (m).
    fn moved(&self, world: &World) -> f64 {
        let ways = world.states().zip(&self.boxes);
        ways.map(|(s, b)| s.pose.translation.distance(b.1))
            .fold(0.0, f64::max)
    }
}

/// Level, over a tenth of a second: nothing moves by a millionth of a block (a second has a hundred-thousandth), and
/// after the first steps no sweep is spent. Each step is solved.
#[test]
fn what_stands_stands_at_the_cost_of_a_look() {
    for (name, structure) in [
        ("column of 30", column(30)),
        ("column of 100", column(100)),
        ("tower of 100", tower(100)),
        ("wall of 130", wall(20, 6)),
    ] {
        let mut world = structure.on_a_table(0.0, DVec3::X);
        for k in 0..(0.1 / structure.step) as usize {
            let report = world.step().unwrap();
            assert_eq!(
                (report.unconverged, report.driving_contacts),
                (0, 0),
                "{name} {k}"
            );
            assert!(report.residual <= 1e-6, "{name} {k}: {}", report.residual);
            assert!(
                k < 2 || report.sweeps == 0,
                "{name} {k}: {} sweeps",
                report.sweeps
            );
        }
        let moved = structure.moved(&world);
        assert!(moved < 1e-6 * structure.block, "{name}: {moved}");
    }
}

/// Closed forms: a column of n cubes overturns at tan = 1/n, a tower at its width over its height (its posts of 8 mm by
/// 24 mm tip at a third), a wall out of its plane at thickness over height. 2 % before it stands for a tenth of a
/// second, 2 % beyond it falls within 20 √(height/g).
#[test]
fn two_percent_of_the_tilt_decide() {
    for (name, structure, width, towards) in [
        ("column of 10", column(10), 1.0, DVec3::X),
        ("column of 30", column(30), 1.0, DVec3::Y),
        ("tower of 60", tower(60), 0.12, DVec3::X),
        ("wall of 130", wall(20, 6), 0.25, DVec3::Y),
    ] {
        let limit = width / structure.height;
        let mut stands = structure.on_a_table(0.98 * limit, towards);
        for _ in 0..(0.1 / structure.step) as usize {
            let report = stands.step().unwrap();
            assert_eq!(report.unconverged, 0, "{name}: {report:?}");
        }
        let moved = structure.moved(&stands);
        assert!(moved < 1e-6 * structure.block, "{name} stands: {moved}");
        let mut falls = structure.on_a_table(1.02 * limit, towards);
        let time = 20.0 * (structure.height / GRAVITY).sqrt();
        while falls.time() < time && structure.moved(&falls) < 0.01 * structure.height {
            falls.step().unwrap();
        }
        assert!(
            falls.time() < time,
            "{name}: moved {}",
            structure.moved(&falls)
        );
        assert_eq!(falls.ledger().unconverged, 0, "{name}");
    }
}
