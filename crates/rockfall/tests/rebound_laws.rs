//! The named rebounds of lumped masses, each against a second reading of its source.

use glam::DVec3;
use klast_rockfall::lumped::{Rebound, ReboundLaw, Restitution, Struck};
use klast_rockfall::{
    Ground, GroundCoefficients, MassScaling, RestitutionScaling, SlopeMaterial, SpeedScaling,
};
use klast_sampling::{Distribution, Purpose, Streams};
use rand::RngExt;

/// An impact in a plane: v_n into the ground and v_t along it (m/s), ω (rad/s) about the axis n × t, r (m).
struct Planar {
    into: f64,
    along: f64,
    spin: f64,
    radius: f64,
}

impl Planar {
    fn drawn(rng: &mut impl RngExt) -> Self {
        let mut draw = |low: f64, high: f64| low + (high - low) * rng.random::<f64>();
        Planar {
            into: draw(0.1, 25.0),
            along: draw(0.1, 25.0),
            spin: draw(-40.0, 40.0),
            radius: draw(0.1, 1.5),
        }
    }

    /// v_n' and v_t' (m/s), ω' (rad/s), on level ground turned about its normal.
    fn through(&self, law: ReboundLaw, restitution: Restitution, friction: f64) -> [f64; 3] {
        let ground = Struck {
            normal: DVec3::Z,
            restitution,
            friction,
        };
        let t = DVec3::new(0.6, 0.8, 0.0);
        let about = DVec3::Z.cross(t);
        let v = t * self.along - DVec3::Z * self.into;
        let Rebound { velocity, spin } = law.rebound(&ground, v, about * self.spin, self.radius);
        // Nothing leaves the plane: rounding of some 30 m/s.
        assert!(velocity.dot(about).abs() < 1e-13 && spin.dot(t).abs() + spin.z.abs() < 1e-12);
        [velocity.z, velocity.dot(t), spin.dot(about)]
    }
}

fn close(found: [f64; 3], right: [f64; 3], what: &str) {
    for (a, b) in found.iter().zip(right) {
        // A few operations on numbers up to 60.
        assert!(
            (a - b).abs() < 1e-12 * (1.0 + b.abs()),
            "{what}: {found:?} {right:?}"
        );
    }
}

/// Pfeiffer and Bowen (1989) in their plane and in feet: F and SF with 20 and 250 ft/s, R_n over 1 + (v_n/30)², and the
/// sphere rolls afterwards.
#[test]
fn pfeiffer_and_bowen_in_feet() {
    const FOOT: f64 = 0.3048;
    let streams = Streams::new(89);
    for index in 0..2000 {
        let mut rng = streams.rng(Purpose::Velocity, index);
        let planar = Planar::drawn(&mut rng);
        let (rn, rt) = (
            0.05 + 0.9 * rng.random::<f64>(),
            0.1 + 0.9 * rng.random::<f64>(),
        );
        let (n, t) = (planar.into / FOOT, planar.along / FOOT);
        let (w, r) = (planar.spin, planar.radius / FOOT);
        let friction = rt + (1.0 - rt) / (((t - w * r) / 20.0).powi(2) + 1.2);
        let scaling = rt / ((n / (250.0 * rn)).powi(2) + 1.0);
        let sphere = 0.4 * r * r;
        let square = r * r * (sphere * w * w + t * t) * friction * scaling / (sphere + r * r);
        // The root takes the sign of the angular momentum about the contact.
        let along = square.sqrt() * (t * r + sphere * w).signum();
        let off = n * rn / (1.0 + (n / 30.0).powi(2));
        let restitution = Restitution {
            normal: rn,
            tangential: rt,
        };
        let found = planar.through(ReboundLaw::PfeifferBowen, restitution, 0.5);
        close(
            found,
            [off * FOOT, along * FOOT, along / r],
            "Pfeiffer and Bowen",
        );
    }
}

/// Bourrier and Hungr (2011) as the impact of a sphere that is integrated over its normal impulse: friction μ dP
/// against the slip until there is none, as Routh has it.
#[test]
fn bourrier_and_hungr_by_the_way_of_the_impulse() {
    let streams = Streams::new(11);
    let (mut stuck, mut slid) = (0, 0);
    for index in 0..2000 {
        let mut rng = streams.rng(Purpose::Velocity, index);
        let planar = Planar::drawn(&mut rng);
        let (rn, rt) = (rng.random::<f64>(), rng.random::<f64>());
        let mu = 1.2 * rng.random::<f64>();
        // About n × t a positive spin rolls forwards: the slip is v_t − ω r.
        let (mut v, mut w, r) = (rt * planar.along, rt * planar.spin, planar.radius);
        let mut left = (1.0 + rn) * planar.into;
        let slip = v - w * r;
        // Of a unit of normal impulse per mass the slip falls by μ (1 + 5/2); it stops within the impulse or goes on.
        let until = slip.abs() / (3.5 * mu);
        if until < left {
            left = until;
            stuck += 1;
        } else {
            slid += 1;
        }
        v -= mu * left * slip.signum();
        w += 2.5 * mu * left * slip.signum() / r;
        let restitution = Restitution {
            normal: rn,
            tangential: rt,
        };
        let found = planar.through(ReboundLaw::BourrierHungr, restitution, mu);
        close(found, [rn * planar.into, v, w], "Bourrier and Hungr");
    }
    assert!(stuck > 200 && slid > 200, "{stuck} {slid}");
}

/// No rebound makes energy, wherever it goes: 1e5 impacts on slopes of any attitude.
#[test]
fn no_rebound_gains_energy() {
    let streams = Streams::new(5);
    for index in 0..100_000 {
        let mut rng = streams.rng(Purpose::Velocity, index);
        let mut draw = |most: f64| most * (2.0 * rng.random::<f64>() - 1.0);
        let normal = DVec3::new(draw(1.0), draw(1.0), 1.2 + draw(1.0)).normalize();
        let (v, w) = (
            DVec3::new(draw(30.0), draw(30.0), draw(30.0)),
            DVec3::new(draw(30.0), draw(30.0), draw(30.0)),
        );
        let v = v - normal * (v.dot(normal) + v.dot(normal).abs());
        let ground = Struck {
            normal,
            restitution: Restitution {
                normal: draw(0.5) + 0.5,
                tangential: draw(0.5) + 0.5,
            },
            friction: draw(1.0) + 1.0,
        };
        let radius = 0.8 + draw(0.7);
        let energy = |v: DVec3, w: DVec3| v.length_squared() + 0.4 * (w * radius).length_squared();
        for law in [ReboundLaw::PfeifferBowen, ReboundLaw::BourrierHungr] {
            let after = law.rebound(&ground, v, w, radius);
            let (before, after) = (energy(v, w), energy(after.velocity, after.spin));
            assert!(
                after <= before * (1.0 + 1e-14),
                "{law:?} {index}: {before} {after}"
            );
        }
    }
}

/// What a law of speed is for, the law of the rebound says.
#[test]
fn each_law_takes_the_materials_that_go_with_it() {
    let coefficients = GroundCoefficients {
        normal_restitution: 0.5,
        tangential_restitution: 0.8,
        friction: 0.6,
    };
    let ground = |speed| {
        let material = SlopeMaterial {
            restitution_scaling: RestitutionScaling {
                speed,
                mass: None::<MassScaling>,
            },
            roughness: Distribution::constant(0.0),
            ..SlopeMaterial::constant("m", coefficients)
        };
        Ground::uniform(material).unwrap()
    };
    let half = Some(SpeedScaling::HalfSpeed { speed: 5.0 });
    let own = Some(SpeedScaling::PfeifferBowen { speed: 9.144 });
    let (manual, pfeiffer, bourrier) = (
        ReboundLaw::default(),
        ReboundLaw::PfeifferBowen,
        ReboundLaw::BourrierHungr,
    );
    for (law, taken) in [
        (manual, [true, true, true]),
        (pfeiffer, [true, false, false]),
        (bourrier, [false, true, false]),
    ] {
        for (speed, taken) in [None, half, own].into_iter().zip(taken) {
            assert_eq!(
                crate::scenes::starts(law, ground(speed)),
                taken,
                "{law:?} {speed:?}"
            );
        }
    }
}
