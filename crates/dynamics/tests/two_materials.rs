//! Ground of two materials: each contact has the coefficients of its own place.

use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, GroundLaw, Limits, Options, Restitution, Run, SingleBody, StopReason,
    Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Profile, Slope, Terrain};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};

const G: f64 = 9.81;

/// One material up to a border at a place along an axis, another beyond.
struct Border {
    axis: DVec3,
    at: f64,
    before: Coefficients,
    beyond: Coefficients,
}

impl GroundLaw for Border {
    fn coefficients(&self, point: DVec3) -> Coefficients {
        match self.axis.dot(point) < self.at {
            true => self.before,
            false => self.beyond,
        }
    }
}

fn ground(e: f64, mu: f64) -> Coefficients {
    Coefficients::new(Restitution(e), Friction(mu)).unwrap()
}

/// A cube of 1 m.
fn cube() -> Body {
    let corner =
        |k: u32| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - 0.5;
    let corners: Vec<DVec3> = (0..8).map(corner).collect();
    Body::uniform(&ConvexPolyhedron::from_points(&corners).unwrap(), 2000.0).unwrap()
}

fn run(
    terrain: &dyn Terrain,
    (gravity, time): (DVec3, f64),
    body: &Body,
    (place, velocity): (DVec3, DVec3),
    mut law: Border,
) -> Run {
    let options = Options {
        gravity,
        limits: Limits {
            time,
            ..Limits::default()
        },
        ..Options::default()
    };
    let start = State {
        pose: Pose::new(DQuat::IDENTITY, place).unwrap(),
        velocity: Twist {
            linear: velocity,
            angular: DVec3::ZERO,
        },
    };
    let single = SingleBody::new(terrain, options).unwrap();
    single.run(body, start, &mut law, &mut (), &mut Workspace::default())
}

fn level() -> Slope {
    Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap()
}

/// A cube goes from smooth onto rough ground. While only its front corners are on the rough, they carry N with
/// N (1 − μ h/L) = m g/2, from the moment about its mass centre, and brake it with μ N; then all of its weight does.
#[test]
fn friction_acts_where_the_corners_are() {
    let flat = Grid::new(41, 5, 1.0, DVec2::new(-20.0, -2.0), vec![0.0; 205]).unwrap();
    let plane = level();
    let grounds: [(&dyn Terrain, DVec3); 2] =
        [(&plane, DVec3::ZERO), (&flat, DVec3::new(20.0, 2.0, 0.0))];
    for mu in [0.3, 0.8] {
        for (terrain, shift) in grounds {
            let law = Border {
                axis: DVec3::X,
                at: shift.x,
                before: ground(0.0, 0.0),
                beyond: ground(0.0, mu),
            };
            let start = DVec3::new(-3.0, 0.1, 0.5) + shift;
            let gravity = -G * DVec3::Z;
            let ran = run(
                terrain,
                (gravity, 60.0),
                &cube(),
                (start, 6.0 * DVec3::X),
                law,
            );
            let straddling = mu * G * 0.5 / (1.0 - 0.5 * mu);
            let left = 36.0 - 2.0 * straddling;
            let right = 0.5 + left / (2.0 * mu * G);
            let end = ran.state.pose.translation - shift;
            // A border is met within a step, whose length here is below 0.05 m: that part of the friction of the way.
            assert!(
                (end.x - right).abs() < 0.02 * right,
                "{mu} {} {right}",
                end.x
            );
            assert_eq!(ran.reason, StopReason::AtRest);
            assert!(
                (end.y - 0.1).abs() < 1e-6 && (end.z - 0.5).abs() < 1e-4,
                "{end}"
            );
        }
    }
}

/// A cube on a slope, along a border in the direction of fall, does what its mirror image does: it yaws onto the rough
/// side.
#[test]
fn a_cube_along_a_border_is_mirrored_with_it() {
    let angle = 25f64.to_radians();
    let gravity = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
    for inset in [0.1, 0.3] {
        let [left, right] = [1.0, -1.0].map(|side: f64| {
            let law = Border {
                axis: side * DVec3::Y,
                at: 0.0,
                before: ground(0.0, 0.0),
                beyond: ground(0.0, 1.0),
            };
            let start = DVec3::new(0.0, side * inset, 0.5);
            run(&level(), (gravity, 1.0), &cube(), (start, DVec3::ZERO), law).state
        });
        let mirrored = |v: DVec3| DVec3::new(v.x, -v.y, v.z);
        let apart = left.pose.translation - mirrored(right.pose.translation);
        // Sums of corners in another order, over a hundred steps that are solved to 1e-9.
        assert!(apart.length() < 1e-9, "{inset} {apart}");
        let spins = (left.velocity.angular.z, right.velocity.angular.z);
        assert!((spins.0 + spins.1).abs() < 1e-9, "{spins:?}");
        // The rough side, at y > 0, stays behind.
        let turned = left.pose.rotation * DVec3::X;
        assert!(turned.y > 0.01, "{turned}");
    }
}

/// Without friction a floor does nothing to a body that slides into a wall: it rebounds with the restitution of the
/// wall, whatever that of the floor, to either side.
#[test]
fn a_wall_throws_back_with_its_own_restitution() {
    // Faces lean by 1 mm on 10 m.
    let trough = Profile::new(
        [
            (-30.0, 9.0),
            (-10.001, 10.0),
            (-10.0, 0.0),
            (10.0, 0.0),
            (10.001, 10.0),
            (30.0, 9.0),
        ]
        .map(|(x, z)| DVec2::new(x, z))
        .to_vec(),
    )
    .unwrap();
    for body in [Body::sphere(0.5, 2000.0).unwrap(), cube()] {
        for (floor, wall) in [(0.0, 0.8), (0.8, 0.3), (0.5, 0.0)] {
            for side in [1.0, -1.0] {
                let law = Border {
                    axis: side * DVec3::X,
                    at: 9.999,
                    before: ground(floor, 0.0),
                    beyond: ground(wall, 0.0),
                };
                // In profile coordinates the ground begins at x = 0.
                let middle = -trough.origin().x;
                let start = DVec3::new(middle, 0.0, 0.5);
                let law = Border {
                    at: law.at + side * middle,
                    ..law
                };
                let speed = side * 10.0;
                let time = 9.5 / 10.0 + 0.2;
                let ran = run(
                    &trough,
                    (-G * DVec3::Z, time),
                    &body,
                    (start, speed * DVec3::X),
                    law,
                );
                let found = ran.state.velocity.linear.x / speed;
                // The wall leans by 1e-4: that part of the velocity goes up.
                assert!((found + wall).abs() < 2e-3, "{floor} {wall} {side} {found}");
            }
        }
    }
}
