//! Ground that yields, fitted on measured contacts: `cargo run -p klast-rockfall --example chant_sura_impacts --
//! crates/rockfall/tests/data/chant-sura-impacts.csv SETS`.
//!
//! Sets of R_n, μ, σ and ρ are spread over a prior; each contact is computed from its measured velocity before it, in
//! random attitudes. The tenth of the sets with the least mean fair energy score of the velocity after, over the other
//! runs, forecasts a contact. Beside it stand the same for rigid ground, and two nulls: the measured changes of the
//! contacts of other runs, and of those of the same shape.

use std::error::Error;

use glam::{DQuat, DVec3};
use klast_dynamics::single::Penetration;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{ConvexPolyhedron, Plane, Pose};
use klast_rockfall::score::{fair_crps, quantile};
use klast_rockfall::{Ground, GroundCoefficients, MaterialSample, RigidRock, SlopeMaterial};
use klast_sampling::{Purpose, Streams, open_uniform};
use rand::Rng;

/// Attitudes a contact and a set.
const ATTITUDES: usize = 24;
/// Spin of a rock whose spin was not recorded (rad/s): the mean of the others.
const SPIN: f64 = 8.0;
/// Volume of the rocks over that of their boxes (1 m³ in 1.122³ and 1.4136² × 0.7068 m).
const FILLED: f64 = 0.708;
const DENSITY: f64 = 2670.0;

struct Contact {
    run: String,
    shape: String,
    body: Body,
    before: DVec3,
    spin: Option<DVec3>,
    after: DVec3,
}

/// A box whose edges are cut: the points (±1, ±a, ±a) of each axis, with the volume of the rocks of the campaign.
fn rock(shape: &str, mass: f64) -> Result<Body, Box<dyn Error>> {
    let sizes = match shape {
        "plate" => DVec3::new(1.0, 1.0, 0.5),
        _ => DVec3::ONE,
    };
    let cut = |a: f64| {
        let corners = (0..24).map(|k| {
            let sign = |bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let mut p = [a * sign(0), a * sign(1), a * sign(2)];
            p[k / 8] /= a;
            sizes * DVec3::from(p)
        });
        ConvexPolyhedron::from_points(&corners.collect::<Vec<_>>())
    };
    let whole = 8.0 * sizes.element_product();
    let (mut low, mut high) = (0.2, 0.99);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        match cut(middle)?.volume() < FILLED * whole {
            true => low = middle,
            false => high = middle,
        }
    }
    let unit = cut(low)?;
    let scaled = unit.scaled(libm::cbrt(mass / DENSITY / unit.volume()))?;
    Ok(Body::uniform(&scaled, DENSITY)?)
}

fn read(text: &str) -> Result<Vec<Contact>, Box<dyn Error>> {
    let rows = text.lines().filter(|l| !l.starts_with('#')).skip(1);
    let mut contacts = Vec::new();
    for line in rows {
        let cells: Vec<&str> = line.split(',').collect();
        let [run, shape, numbers @ ..] = cells.as_slice() else {
            continue;
        };
        let n: Vec<Option<f64>> = numbers.iter().map(|c| c.parse().ok()).collect();
        let at = |k: usize| n.get(k).copied().flatten().ok_or("a number is missing");
        let spin = at(3)
            .ok()
            .and_then(|x| Some(DVec3::new(x, at(4).ok()?, at(5).ok()?)));
        contacts.push(Contact {
            run: (*run).to_owned(),
            shape: (*shape).to_owned(),
            body: rock(shape, at(0)?)?,
            before: DVec3::new(at(1)?, 0.0, at(2)?),
            spin,
            after: DVec3::new(at(6)?, at(7)?, at(8)?),
        });
    }
    // One that the fitted plane shows leaving the ground is no contact with it.
    contacts.retain(|c| c.before.z < 0.0);
    Ok(contacts)
}

/// A set of the ground: R_n, μ, σ (Pa), ρ (kg/m³).
type Set = [f64; 4];

/// Spread evenly by multiples of powers of the generalised golden ratio of four numbers.
fn set(k: usize) -> Set {
    let g = 1.167_303_978_261_418_7_f64;
    let part = |p: i32| (0.5 + (k + 1) as f64 * libm::pow(g, -f64::from(p))).fract();
    let log = |low: f64, high: f64, u: f64| low * libm::pow(high / low, u);
    [
        0.5 * part(1),
        0.2 + 1.0 * part(2),
        log(3e4, 1e7, part(3)),
        1000.0 + 1200.0 * part(4),
    ]
}

/// Velocities after a contact.
fn ensemble(contact: &Contact, set: &Set, yields: bool, rng: &mut impl Rng) -> Vec<DVec3> {
    let plane = Plane::new(DVec3::Z, 0.0).map(Slope::new);
    let Ok(Ok(terrain)) = plane else {
        return Vec::new();
    };
    let coefficients = GroundCoefficients {
        normal_restitution: set[0],
        tangential_restitution: 1.0,
        friction: set[1],
    };
    let Ok(ground) = Ground::uniform(SlopeMaterial::constant("ground", coefficients)) else {
        return Vec::new();
    };
    let sample = MaterialSample {
        normal_restitution: set[0],
        friction: set[1],
        penetration: yields
            .then(|| Penetration::new(set[2], set[3]).ok())
            .flatten(),
        ..MaterialSample::default()
    };
    let rock = RigidRock::new(&terrain, &ground);
    let mut draws = (0..ATTITUDES).filter_map(|_| {
        let mut normal = || {
            let (u, v) = (open_uniform(rng), open_uniform(rng));
            libm::sqrt(-2.0 * libm::log(u)) * libm::cos(std::f64::consts::TAU * v)
        };
        let rotation = DQuat::from_xyzw(normal(), normal(), normal(), normal()).normalize();
        let spin = DVec3::new(normal(), normal(), normal()).normalize() * SPIN;
        let down = rotation.conjugate() * -DVec3::Z;
        let height = contact.body.shape().reach(down) + 1e-6;
        let start = State {
            pose: Pose::new(rotation, DVec3::new(0.0, 0.0, height)).ok()?,
            velocity: Twist {
                linear: contact.before,
                angular: contact.spin.unwrap_or(spin),
            },
        };
        let hit = rock.first_impact(&contact.body, &[sample], start)?;
        Some(hit.after.velocity.linear)
    });
    draws.by_ref().collect()
}

/// Fair energy score of velocities (m/s).
fn energy_score(found: &[DVec3], right: DVec3) -> f64 {
    let n = found.len() as f64;
    let error = found.iter().map(|v| v.distance(right)).sum::<f64>() / n;
    let pairs = found.iter().enumerate();
    let pairs: f64 = pairs
        .map(|(k, a)| found[..k].iter().map(|b| a.distance(*b)).sum::<f64>())
        .sum();
    error - pairs / (n * (n - 1.0))
}

/// Fair energy score of the velocity, and fair CRPS of the part of the energy of the mass centre that is left.
fn scores(contact: &Contact, found: &[DVec3]) -> [f64; 2] {
    let part = |v: DVec3| v.length_squared() / contact.before.length_squared();
    let parts: Vec<f64> = found.iter().map(|v| part(*v)).collect();
    [
        energy_score(found, contact.after),
        fair_crps(&parts, part(contact.after)).unwrap_or(f64::NAN),
    ]
}

/// The measured changes of other contacts, laid on this one.
fn null(contacts: &[Contact], own: &Contact, same_shape: bool) -> Vec<DVec3> {
    let others = contacts
        .iter()
        .filter(|c| c.run != own.run && (!same_shape || c.shape == own.shape));
    others
        .map(|c| c.after * (own.before.length() / c.before.length()))
        .collect()
}

/// The sets with the least mean score without a run: a tenth of them.
fn kept(contacts: &[Contact], losses: &[Vec<f64>], without: Option<&str>) -> Vec<usize> {
    let loss = |losses: &Vec<f64>| {
        let counted = contacts
            .iter()
            .zip(losses)
            .filter(|(c, _)| Some(c.run.as_str()) != without);
        counted.map(|(_, l)| l).sum::<f64>()
    };
    let mut order: Vec<(f64, usize)> = losses.iter().map(loss).zip(0..).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order
        .iter()
        .take(losses.len().div_ceil(10))
        .map(|o| o.1)
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, sets] = arguments.as_slice() else {
        return Err("a table and a number of sets".into());
    };
    let contacts = read(&std::fs::read_to_string(file)?)?;
    let sets: Vec<Set> = (0..sets.parse()?).map(set).collect();
    let mut rows: Vec<[[f64; 2]; 4]> = vec![[[f64::NAN; 2]; 4]; contacts.len()];
    for (column, yields) in [true, false].into_iter().enumerate() {
        let found: Vec<Vec<Vec<DVec3>>> = sets
            .iter()
            .enumerate()
            .map(|(k, set)| {
                let mut rng = Streams::new(1).rng(Purpose::Attitude, k as u64);
                contacts
                    .iter()
                    .map(|c| ensemble(c, set, yields, &mut rng))
                    .collect()
            })
            .collect();
        let losses: Vec<Vec<f64>> = found
            .iter()
            .map(|of| {
                contacts
                    .iter()
                    .zip(of)
                    .map(|(c, v)| energy_score(v, c.after))
                    .collect()
            })
            .collect();
        for (row, (k, contact)) in rows.iter_mut().zip(contacts.iter().enumerate()) {
            let kept = kept(&contacts, &losses, Some(&contact.run));
            let pooled: Vec<DVec3> = kept
                .iter()
                .flat_map(|s| found[*s][k].iter().copied())
                .collect();
            row[column] = scores(contact, &pooled);
            if yields {
                let part = |v: &DVec3| v.length_squared() / contact.before.length_squared();
                let parts: Vec<f64> = pooled.iter().map(part).collect();
                let below = parts.iter().filter(|p| **p < part(&contact.after)).count();
                println!(
                    "{} {}: left {:.2}, at {:.2} of the forecast",
                    contact.run,
                    contact.shape,
                    part(&contact.after),
                    below as f64 / parts.len() as f64
                );
            }
        }
        let kept = kept(&contacts, &losses, None);
        for (name, k) in ["R_n", "friction", "yield pressure (Pa)", "density (kg/m3)"]
            .iter()
            .zip(0..)
        {
            let values: Vec<f64> = kept.iter().map(|s| sets[*s][k]).collect();
            let q = [0.05, 0.5, 0.95].map(|p| quantile(&values, p).unwrap_or(f64::NAN));
            println!(
                "yields {yields}: {name} {:.4} ({:.4} to {:.4})",
                q[1], q[0], q[2]
            );
        }
    }
    for (row, contact) in rows.iter_mut().zip(&contacts) {
        row[2] = scores(contact, &null(&contacts, contact, false));
        let same = null(&contacts, contact, true);
        row[3] = match same.len() > 1 {
            true => scores(contact, &same),
            false => row[2],
        };
        println!("{} {}: {row:.3?}", contact.run, contact.shape);
    }
    for (name, k) in ["yielding", "rigid", "null", "null of the same shape"]
        .iter()
        .zip(0..)
    {
        let mean = |s: usize| rows.iter().map(|r| r[k][s]).sum::<f64>() / rows.len() as f64;
        println!(
            "{name}: energy score {:.3} m/s, CRPS of the energy left {:.4}",
            mean(0),
            mean(1)
        );
    }
    Ok(())
}
