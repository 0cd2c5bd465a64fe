//! A ball as a single body: closed forms of its impact, its slide, its rolling, and its way over edges and corners.

use glam::{DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, FirstTouch, Flight, Friction, Limits, Motion, Observer, Options, Restitution,
    Run, SingleBody, StopReason, Stretch, TangentialRestitution, Workspace, first_touch,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Area, Facet, Grid, Mesh, Slope, Terrain};
use klast_geometry::{Plane, Pose, Sphere};
use klast_sampling::SplitMix64;
use std::ops::ControlFlow;

const G: f64 = 9.81;
const R: f64 = 0.4;

fn ball() -> Body {
    Body::sphere(R, 2700.0).unwrap()
}

fn state(centre: DVec3, linear: DVec3, angular: DVec3) -> State {
    State {
        pose: Pose {
            translation: centre,
            ..Pose::IDENTITY
        },
        velocity: Twist { linear, angular },
    }
}

fn level() -> Slope {
    Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap()
}

/// Stretches of a run.
#[derive(Default)]
struct Record(Vec<Stretch>);

impl Observer for Record {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        self.0.push(*stretch);
        ControlFlow::Continue(())
    }
}

/// A run until a time, without a cutoff under which a ball has stopped.
fn run(
    terrain: &dyn Terrain,
    gravity: DVec3,
    start: State,
    e: f64,
    mu: f64,
    time: f64,
) -> (Run, Record) {
    let options = Options {
        gravity,
        limits: Limits {
            time,
            stopped_velocity: 0.0,
            ..Limits::default()
        },
        ..Options::default()
    };
    let mut law = Coefficients::new(Restitution(e), Friction(mu)).unwrap();
    let mut record = Record::default();
    let single = SingleBody::new(terrain, options).unwrap();
    let run = single.run(
        &ball(),
        start,
        &mut law,
        &mut record,
        &mut Workspace::default(),
    );
    (run, record)
}

#[test]
fn mass_and_moments() {
    let body = ball();
    let mass = 4.0 / 3.0 * std::f64::consts::PI * 2700.0 * R.powi(3);
    assert!((body.mass() / mass - 1.0).abs() < 1e-15);
    assert!((body.inertia().x / (0.4 * mass * R * R) - 1.0).abs() < 1e-15);
    assert!(body.is_isotropic());
    for (radius, density) in [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0)] {
        assert!(Body::sphere(radius, density).is_err(), "{radius} {density}");
    }
}

/// Newton and Coulomb: p_n = m (1 + e) v_n; the slip u = v − ω r ends for a tangential impulse of 2/7 m u.
#[test]
fn an_impact_with_spin() {
    for (e, mu, vx, spin) in [
        (0.4, 0.9, 3.0, -10.0),
        (0.4, 0.05, 3.0, 20.0),
        (0.0, 0.3, -2.0, 7.0),
    ] {
        let start = state(DVec3::Z * (R + 1.0), DVec3::X * vx, DVec3::Y * spin);
        let options = Options::default();
        let ground = level();
        let mut law = Coefficients::new(Restitution(e), Friction(mu)).unwrap();
        let single = SingleBody::new(&ground, options).unwrap();
        let hit = single
            .first_impact(&ball(), start, &mut law, &mut Workspace::default())
            .unwrap();
        let time = (2.0 / G).sqrt();
        let closing = G * time;
        let slip = vx - spin * R;
        let share = (mu * (1.0 + e) * closing).min(2.0 / 7.0 * slip.abs());
        let push = -share * slip.signum();
        assert!((hit.time - time).abs() < 1e-14, "{}", hit.time);
        let right = DVec3::new(vx + push, 0.0, e * closing);
        let off = (hit.after.velocity.linear - right).length();
        assert!(off < 1e-12, "{:?} {right}", hit.after.velocity);
        // r × p about y: −r ẑ × p x̂ = −r p ŷ, over 2/5 m r².
        let turned = spin - 2.5 * push / R;
        assert!((hit.after.velocity.angular.y - turned).abs() < 1e-11);
    }
}

/// Down a slope of θ it rolls with 5/7 g sin θ where μ ≥ 2/7 tan θ, and slides with g (sin θ − μ cos θ) where not.
#[test]
fn rolling_and_sliding_down_a_slope() {
    for degrees in [5.0f64, 20.0, 40.0] {
        let (sine, cosine) = libm::sincos(degrees.to_radians());
        let gravity = G * DVec3::new(sine, 0.0, -cosine);
        for mu in [
            1.2 * 2.0 / 7.0 * sine / cosine,
            0.5 * 2.0 / 7.0 * sine / cosine,
        ] {
            let rolls = mu > 2.0 / 7.0 * sine / cosine;
            let along = match rolls {
                true => 5.0 / 7.0 * G * sine,
                false => G * (sine - mu * cosine),
            };
            let time = 3.0;
            let start = state(DVec3::Z * R, DVec3::ZERO, DVec3::ZERO);
            let (end, _) = run(&level(), gravity, start, 0.3, mu, time);
            assert_eq!(end.reason, StopReason::MaximumTime);
            let way = end.state.pose.translation.x;
            let right = 0.5 * along * time * time;
            assert!(
                (way / right - 1.0).abs() < 1e-11,
                "{degrees} {mu}: {way} {right}"
            );
            assert!((end.state.pose.translation.z - R).abs() < 1e-12);
        }
    }
}

/// On level ground a ball that slides without spin rolls after t = 2/7 v/(μ g), s = 12/49 v²/(μ g), with 5/7 v.
#[test]
fn a_slide_ends_in_rolling() {
    for (v, mu) in [(5.0, 0.3), (2.0, 0.7), (11.0, 0.15)] {
        let gravity = -G * DVec3::Z;
        let start = state(DVec3::Z * R, DVec3::X * v, DVec3::ZERO);
        let time = 2.0 / 7.0 * v / (mu * G);
        let (end, _) = run(&level(), gravity, start, 0.3, mu, time + 1.0);
        let rolls = 5.0 / 7.0 * v;
        let right = 12.0 / 49.0 * v * v / (mu * G) + rolls;
        assert!((end.state.velocity.linear.x / rolls - 1.0).abs() < 1e-12);
        let way = end.state.pose.translation.x;
        assert!((way / right - 1.0).abs() < 1e-10, "{v} {mu}: {way} {right}");
        assert!((end.state.velocity.angular.y * R / rolls - 1.0).abs() < 1e-12);
    }
}

/// From rest on an edge that it rolls over without slip it leaves at cos φ = 10/17: N = 0 at v² = 10/7 g r (1 − cos φ).
#[test]
fn it_leaves_an_edge_where_no_load_is_left() {
    let mut heights = vec![0.0; 2 * 21];
    for (k, h) in heights.iter_mut().enumerate() {
        // A platform of 10 m, then a cliff as steep as a raster of 1 m gives it.
        *h = if k % 21 <= 10 { 0.0 } else { -100.0 };
    }
    let ground = Grid::new(21, 2, 1.0, DVec2::ZERO, heights).unwrap();
    let gravity = -G * DVec3::Z;
    // Nudged over the edge: at rest there it would stay.
    let phi0 = 1e-3f64;
    let centre = DVec3::new(10.0 + R * phi0.sin(), 0.5, R * phi0.cos());
    let (_, record) = run(
        &ground,
        gravity,
        state(centre, DVec3::ZERO, DVec3::ZERO),
        0.0,
        5.0,
        3.0,
    );
    let left = record
        .0
        .iter()
        .find(|s| s.motion == Motion::Flight && s.duration > 0.1)
        .unwrap();
    let cosine = left.start.pose.translation.z / R;
    // A step turns by 0.1 rad at most, and looks at contacts in its middle.
    assert!((cosine - 10.0 / 17.0).abs() < 0.03, "{cosine}");
    let speed = left.start.velocity.linear.length();
    let right = (10.0 / 7.0 * G * R * (phi0.cos() - cosine)).sqrt();
    assert!((speed / right - 1.0).abs() < 0.01, "{speed} {right}");
}

/// Onto the top of a pyramid, beside its axis: the corner is touched at √(d² + z²) = r.
#[test]
fn it_touches_a_corner() {
    let points = [
        DVec3::new(-2.0, -2.0, -1.0),
        DVec3::new(2.0, -2.0, -1.0),
        DVec3::new(2.0, 2.0, -1.0),
        DVec3::new(-2.0, 2.0, -1.0),
        DVec3::ZERO,
    ];
    let mesh = Mesh::new(&points, &[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]).unwrap();
    let beside = DVec3::new(0.05, 0.03, 0.0);
    let start = state(
        beside + DVec3::Z * 3.0 - mesh.origin(),
        DVec3::ZERO,
        DVec3::X * 9.0,
    );
    let flight = Flight::new(&ball(), start, -G * DVec3::Z);
    let touch = first_touch(&ball(), &flight, &mesh, 10.0, &mut Workspace::default());
    let z = (R * R - beside.length_squared()).sqrt();
    let right = (2.0 * (3.0 - z) / G).sqrt();
    let FirstTouch::Ground { time } = touch else {
        panic!("{touch:?}")
    };
    assert!((time - right).abs() < 1e-13, "{time} {right}");
}

fn within(rng: &mut SplitMix64, low: f64, high: f64) -> f64 {
    low + (high - low) * (rng.next() >> 11) as f64 / (1u64 << 53) as f64
}

/// No touch is missed on rough ground: the distance from the nearest facet, looked at 1000 times, is not below zero
/// before the touch, and is zero at it.
#[test]
fn no_touch_is_missed_on_rough_ground() {
    let mut rng = SplitMix64::new(11);
    let heights = (0..30 * 30).map(|_| within(&mut rng, 0.0, 1.0)).collect();
    let ground = Grid::new(30, 30, 1.0, DVec2::ZERO, heights).unwrap();
    let mut facets: Vec<Facet> = Vec::new();
    let mut gap = |centre: DVec3| {
        facets.clear();
        ground.facets(Area::around(centre.truncate(), 2.0 * R), &mut facets);
        let nearest = Sphere { centre, radius: R }.separation(&facets);
        nearest.map_or(R, |n| n.gap)
    };
    let mut workspace = Workspace::default();
    for draw in 0..40 {
        let centre = DVec3::new(15.0, 15.0, 3.0);
        let velocity = DVec3::from_array([(); 3].map(|()| within(&mut rng, -8.0, 8.0)));
        let flight = Flight::new(&ball(), state(centre, velocity, DVec3::ZERO), -G * DVec3::Z);
        let touch = first_touch(&ball(), &flight, &ground, 10.0, &mut workspace);
        let time = match touch {
            FirstTouch::Ground { time } => {
                let at = gap(flight.centre(time));
                assert!(at.abs() < 1e-11, "{draw}: {at}");
                time
            }
            FirstTouch::Nothing { time } => time,
            FirstTouch::Air => panic!("{draw}"),
        };
        for k in 0..1000 {
            let t = time * f64::from(k) / 1000.0;
            let at = gap(flight.centre(t));
            assert!(at > -1e-11, "{draw}: {at} at {t} of {time}");
        }
    }
}

/// A slope as a raster is the slope: seams of flat ground are no edges to a ball that bounces, slides and rolls.
#[test]
fn a_raster_of_a_plane_is_the_plane() {
    let (sine, cosine) = libm::sincos(0.3);
    let n = 120;
    let heights = (0..n * 8)
        .map(|k| -((k % n) as f64) * sine / cosine)
        .collect();
    let raster = Grid::new(n, 8, 1.0, DVec2::ZERO, heights).unwrap();
    let normal = DVec3::new(sine, 0.0, cosine);
    let slope = Slope::new(Plane::new(normal, 0.0).unwrap()).unwrap();
    let gravity = -G * DVec3::Z;
    let start = state(
        DVec3::new(3.0, 3.3, 0.0) + normal * (R + 0.5),
        DVec3::new(1.0, 0.1, 0.0),
        DVec3::new(0.3, -4.0, 2.0),
    );
    let (on_slope, _) = run(&slope, gravity, start, 0.35, 0.4, 5.0);
    let (on_raster, record) = run(&raster, gravity, start, 0.35, 0.4, 5.0);
    assert!(record.0.iter().any(|s| s.motion == Motion::Contact));
    let off = (on_slope.state.pose.translation - on_raster.state.pose.translation).length();
    // The two differ in when a bounce becomes a contact (0.1 m/s) and in the lengths of steps.
    assert!(off < 2e-3, "{off} m of {}", on_slope.state.pose.translation);
    assert_eq!(on_raster.tally.forced, 0);
    assert_eq!(on_raster.tally.unconverged, 0);
}

/// Tangential restitution e_t reverses the slip u of an impact whose rebound is slower than the cutoff too: of a ball
/// that does not spin u = v_t, and p_t = 2/7 m (1 + e_t) v_t leaves v_t (5 - 2 e_t)/7. Below the cutoff contact is no
/// impact.
#[test]
fn tangential_restitution_acts_however_little_rebounds() {
    let plane = level();
    let cutoff = 0.1;
    for (normal, closing, acts) in [
        (0.01, 7.7, true),
        (0.0, 7.7, true),
        (0.5, 7.7, true),
        (0.01, 0.11, true),
        (0.01, 0.09, false),
    ] {
        let along = 0.2 * closing;
        let limits = Limits {
            normal_velocity: cutoff,
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..Options::default()
        };
        let single = SingleBody::new(&plane, options).unwrap();
        let reversal = 0.8;
        let law = Coefficients::with_tangential(
            Restitution(normal),
            TangentialRestitution(reversal),
            Friction(5.0),
        );
        // It touches at once.
        let start = state(DVec3::Z * R, DVec3::new(along, 0.0, -closing), DVec3::ZERO);
        let hit = single
            .first_impact(&ball(), start, &mut law.unwrap(), &mut Workspace::default())
            .unwrap();
        let part = if acts { reversal } else { 0.0 };
        let right = along * (5.0 - 2.0 * part) / 7.0;
        let found = hit.after.velocity.linear.x;
        assert!(
            (found - right).abs() < 1e-9 * closing,
            "{normal} {closing}: {found} {right}"
        );
    }
}
