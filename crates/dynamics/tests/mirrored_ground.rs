//! The world turned or mirrored: the first impact on a raster turns or is mirrored with it.

use glam::{DMat3, DQuat, DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, FirstImpact, Friction, Options, Restitution, SingleBody, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Diagonal, Grid};
use klast_geometry::{ConvexPolyhedron, Pose};
use klast_sampling::SplitMix64;

/// Points of a raster along each axis, 1 m apart, and the middle, about which the world turns and is mirrored.
const POINTS: usize = 13;
const MIDDLE: DVec3 = DVec3::new(6.0, 6.0, 0.0);

fn within(rng: &mut SplitMix64, low: f64, high: f64) -> f64 {
    low + (high - low) * (rng.next() >> 11) as f64 / (1u64 << 53) as f64
}

fn vector(rng: &mut SplitMix64, size: f64) -> DVec3 {
    DVec3::from_array([(); 3].map(|()| within(rng, -size, size)))
}

/// The eight symmetries of a square raster: turns by quarters, each also mirrored.
fn symmetries() -> Vec<DMat3> {
    let turn = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let turns = [DMat3::IDENTITY, turn, turn * turn, turn * turn * turn];
    turns.iter().flat_map(|t| [*t, *t * mirror]).collect()
}

/// What is drawn once and then seen in each symmetry.
struct Drawn {
    heights: Vec<f64>,
    corners: Vec<DVec3>,
    start: DVec3,
    attitude: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

impl Drawn {
    fn new(rng: &mut SplitMix64) -> Self {
        let count = 4 + (within(rng, 0.0, 2.0).exp2().exp2() * 3.0) as usize;
        let axis = vector(rng, 1.0).normalize();
        Drawn {
            heights: (0..POINTS * POINTS)
                .map(|k| 0.4 * (k % POINTS) as f64 + within(rng, 0.0, 0.6))
                .collect(),
            corners: (0..count).map(|_| vector(rng, 0.6)).collect(),
            start: DVec3::new(0.0, 0.0, 6.0) + vector(rng, 1.0),
            attitude: DQuat::from_axis_angle(axis, within(rng, 0.0, 6.0)),
            velocity: vector(rng, 4.0),
            spin: vector(rng, 20.0),
        }
    }

    /// Heights in the symmetry: the point that `m` takes to a place has its height there.
    fn ground(&self, m: &DMat3) -> Grid {
        let height = |k: usize| {
            let there = DVec3::new((k % POINTS) as f64, (k / POINTS) as f64, 0.0) - MIDDLE;
            let here = m.transpose() * there + MIDDLE;
            self.heights[here.y.round() as usize * POINTS + here.x.round() as usize]
        };
        let heights = (0..POINTS * POINTS).map(height).collect();
        // The diagonal through the lower left corner stays one of its kind where the product of the axes does.
        let diagonal = match (m * DVec3::new(1.0, 1.0, 0.0)).truncate() {
            p if p.x * p.y > 0.0 => Diagonal::default(),
            _ => Diagonal::Falling,
        };
        Grid::new(POINTS, POINTS, 1.0, DVec2::ZERO, heights)
            .unwrap()
            .with_diagonal(diagonal)
    }

    fn first_impact(&self, m: &DMat3, workspace: &mut Workspace) -> Option<FirstImpact> {
        let ground = self.ground(m);
        let attitude = DMat3::from_quat(self.attitude);
        let corners: Vec<DVec3> = self.corners.iter().map(|c| *m * (attitude * *c)).collect();
        let hull = ConvexPolyhedron::from_points(&corners).ok()?;
        let body = Body::uniform(&hull, 2700.0).ok()?;
        let start = State {
            pose: body.pose_of(&Pose::new(DQuat::IDENTITY, MIDDLE + *m * self.start).unwrap()),
            velocity: Twist {
                linear: *m * self.velocity,
                // A spin is a pseudovector.
                angular: *m * self.spin * m.determinant(),
            },
        };
        let mut law = Coefficients::new(Restitution(0.4), Friction(0.5)).unwrap();
        let single = SingleBody::new(&ground, Options::default()).unwrap();
        single.first_impact(&body, start, &mut law, workspace)
    }
}

#[test]
fn the_first_impact_turns_and_is_mirrored_with_the_world() {
    let mut rng = SplitMix64::new(5);
    let mut workspace = Workspace::default();
    let mut hits = 0;
    for draw in 0..60 {
        let drawn = Drawn::new(&mut rng);
        let seen = symmetries()
            .into_iter()
            .map(|m| (m, drawn.first_impact(&m, &mut workspace)));
        let seen: Vec<_> = seen.collect();
        let Some(first) = seen[0].1.clone() else {
            assert!(seen.iter().all(|(_, hit)| hit.is_none()), "{draw}");
            continue;
        };
        hits += 1;
        for (m, hit) in &seen[1..] {
            let hit = hit
                .as_ref()
                .unwrap_or_else(|| panic!("{draw}: none in {m}"));
            let spin = |v: DVec3| *m * v * m.determinant();
            let pairs = [
                (
                    MIDDLE + *m * (first.before.pose.translation - MIDDLE),
                    hit.before.pose.translation,
                ),
                (
                    *m * first.before.velocity.linear,
                    hit.before.velocity.linear,
                ),
                (
                    spin(first.before.velocity.angular),
                    hit.before.velocity.angular,
                ),
                (*m * first.after.velocity.linear, hit.after.velocity.linear),
                (
                    spin(first.after.velocity.angular),
                    hit.after.velocity.angular,
                ),
            ];
            assert!(
                (first.time - hit.time).abs() < 1e-9,
                "{draw}: {} {}",
                first.time,
                hit.time
            );
            assert_eq!(first.contacts.len(), hit.contacts.len(), "{draw}");
            for (k, (turned, found)) in pairs.into_iter().enumerate() {
                // Relative to the size of the motion: metres, metres and radians a second of order 1 to 10.
                let off = (turned - found).length() / turned.length().max(1.0);
                assert!(off < 1e-9, "{draw}, {m}, {k}: {turned} {found}");
            }
        }
    }
    assert!(hits > 40, "only {hits} of 60 bodies hit the ground");
}
