use anyhow::{Result, ensure};
use glam::{DQuat, DVec3};
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Settings, World};
use klast_geometry::{ConvexPolyhedron, Pose};
use klast_numerics::roots::try_bisect;
use klast_sampling::{Purpose, Streams, open_uniform};
use rayon::prelude::*;

use crate::{Context, Outcome, Table};

/// Two bodies about to meet.
struct Meeting {
    particles: Vec<Particle>,
    motions: Vec<Motion>,
    contact_time: f64,
    stiffness: f64,
}

struct Collision {
    drift: f64,
    switched: bool,
    linear: f64,
    angular: f64,
}

/// Random numbers of one pair.
struct Draw<R>(R);

impl<R: rand::Rng> Draw<R> {
    fn unit(&mut self) -> f64 {
        open_uniform(&mut self.0)
    }

    fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    fn direction(&mut self) -> DVec3 {
        DVec3::new(self.gauss(), self.gauss(), self.gauss()).normalize()
    }

    fn turn(&mut self) -> DQuat {
        DQuat::from_xyzw(self.gauss(), self.gauss(), self.gauss(), self.gauss()).normalize()
    }

    /// Hull of points on a sphere, an ellipsoid to 1:5, or the corners of a box.
    fn body(&mut self, family: usize) -> Result<ConvexPolyhedron> {
        let count = 8 + (self.unit() * 33.0) as usize;
        let mut axis = || 0.2 + 0.8 * self.unit();
        let axes = match family {
            0 => DVec3::ONE,
            _ => DVec3::new(1.0, axis(), axis()),
        };
        let points: Vec<DVec3> = match family {
            0 | 1 => (0..count).map(|_| self.direction() * axes).collect(),
            _ => (0..8)
                .map(|i| axes * DVec3::from_array([0, 1, 2].map(|k| f64::from(i >> k & 1) - 0.5)))
                .collect(),
        };
        Ok(ConvexPolyhedron::from_points(&points)?)
    }
}

/// A pair 1 mm before its first touch: approach 1 m/s, spins 1 rad/s, density 1, size about 1 m.
fn meeting(seed: u64, index: u64, stiffness: f64) -> Result<Meeting> {
    let mut draw = Draw(Streams::new(seed).rng(Purpose::Shape, index));
    let mut particles = Vec::new();
    let mut motions = Vec::new();
    for family in [index % 3, index / 3 % 3] {
        let body = draw.body(family as usize)?;
        let (particle, _) = Particle::solid(&body, 1.0, 0)?;
        let mut motion = Motion::at(&Pose::new(draw.turn(), DVec3::ZERO)?);
        motion.velocity = draw.direction() * 0.3;
        motion.rotation.momentum = draw.direction() * particle.inertia;
        particles.push(particle);
        motions.push(motion);
    }
    let direction = draw.direction();
    let far = direction * 4.0 + draw.direction() * 0.2;
    motions[1].velocity -= direction;
    let meets = |way: f64, motions: &[Motion]| -> Result<bool> {
        let mut motions = motions.to_vec();
        motions[1].position = far - direction * way;
        let world = world(&particles, &motions, stiffness, 1e-3, false)?;
        Ok(world.contacts().count() > 0)
    };
    let (mut low, mut high) = (0.0, 0.0);
    while high < 6.0 && !meets(high, &motions)? {
        low = high;
        high += 0.02;
    }
    let (low, _) = try_bisect(low, high, 30, |way| meets(way, &motions))?;
    motions[1].position = far - direction * (low - 1e-3);
    let [a, b] = [0, 1].map(|k: usize| particles[k].mass);
    Ok(Meeting {
        contact_time: std::f64::consts::PI * (a * b / (a + b) / stiffness).sqrt(),
        particles,
        motions,
        stiffness,
    })
}

fn world(
    particles: &[Particle],
    motions: &[Motion],
    stiffness: f64,
    step: f64,
    mend: bool,
) -> Result<World> {
    let laws = LawTable::new(1, PenaltyLaw::elastic(stiffness, 1.0)?)?;
    let mut settings = Settings::new(step);
    settings.mend_switches = mend;
    settings.skin = 0.05;
    Ok(World::new(
        particles.to_vec(),
        motions.to_vec(),
        Vec::new(),
        laws,
        settings,
    )?)
}

/// From before the touch until two contact times after the parting; nothing if they miss or stay together.
fn collide(meeting: &Meeting, steps: f64, mend: bool) -> Result<Option<Collision>> {
    let step = meeting.contact_time / steps;
    let (particles, motions) = (&meeting.particles, &meeting.motions);
    let mut world = world(particles, motions, meeting.stiffness, step, mend)?;
    let energy = world.energy().total();
    let (p0, l0) = world.momentum();
    let (mut free, mut last, mut switched) = (0.0, None, false);
    for _ in 0..(60.0 * steps) as usize {
        world.step()?;
        match (world.contacts().next(), last) {
            (Some(c), before) => {
                free = 0.0;
                switched |= before.is_some_and(|f| f != c.feature);
                last = Some(c.feature);
            }
            (None, Some(_)) => free += 1.0,
            (None, None) => {}
        }
        if free > 2.0 * steps {
            let (p1, l1) = world.momentum();
            let mass: f64 = world.particles().iter().map(|p| p.mass).sum();
            return Ok(Some(Collision {
                drift: (world.energy().total() / energy - 1.0).abs(),
                switched,
                linear: (p1 - p0).length() / mass,
                angular: (l1 - l0).length() / mass,
            }));
        }
    }
    Ok(None)
}

fn all(meetings: &[&Meeting], steps: f64, mend: bool) -> Result<Vec<Option<Collision>>> {
    meetings
        .par_iter()
        .map(|m| collide(m, steps, mend))
        .collect()
}

fn drifts(results: &[Option<Collision>]) -> Vec<f64> {
    let mut drifts: Vec<f64> = results.iter().flatten().map(|r| r.drift).collect();
    drifts.sort_by(f64::total_cmp);
    drifts
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = (sorted.len().saturating_sub(1) as f64 * q).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

/// A hundred random pairs with the published law and with its jumps mended.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let count = table.input("pairs")? as u64;
    let stiffness = table.input("stiffness_n_per_m")?;
    let steps = table.input("steps_per_contact")?;
    let seed = table.input("seed")? as u64;
    let meetings = (0..count)
        .into_par_iter()
        .map(|index| meeting(seed, index, stiffness))
        .collect::<Result<Vec<_>>>()?;
    let every: Vec<&Meeting> = meetings.iter().collect();
    let (plain, mended) = (all(&every, steps, false)?, all(&every, steps, true)?);
    let (p, m) = (drifts(&plain), drifts(&mended));
    let mut outcome = Outcome::new();
    let mut set = |row: &str, value: f64| outcome.set(row, "ours", value);
    set("touched", m.len() as f64);
    set("plain-median", quantile(&p, 0.5));
    set("mended-median", quantile(&m, 0.5));
    set("mended-90", quantile(&m, 0.9));
    set("mended-largest", quantile(&m, 1.0));
    let most = |value: fn(&Collision) -> f64| {
        let both = plain.iter().chain(&mended).flatten();
        both.map(value).fold(0.0, f64::max)
    };
    set("linear", most(|r| r.linear));
    set("angular", most(|r| r.angular));
    let switching: Vec<&Meeting> = meetings
        .iter()
        .zip(&plain)
        .filter(|(_, r)| r.as_ref().is_some_and(|r| r.switched))
        .map(|(m, _)| m)
        .collect();
    ensure!(!switching.is_empty(), "no pair switches its facet");
    let mean = |steps: f64, mend: bool| -> Result<f64> {
        let drifts = drifts(&all(&switching, steps, mend)?);
        // The floor is rounding.
        let logs: f64 = drifts.iter().map(|d| libm::log(d.max(1e-13))).sum();
        Ok(libm::exp(logs / drifts.len().max(1) as f64))
    };
    let order = |mend: bool| -> Result<f64> {
        Ok(libm::log2(mean(steps, mend)? / mean(8.0 * steps, mend)?) / 3.0)
    };
    set("order-mended", order(true)?);
    let ratio = quantile(&p, 1.0) / quantile(&m, 1.0);
    outcome.set("better", "ours", if ratio >= 10.0 { "yes" } else { "no" });
    outcome.note(format!(
        "published law: nine in ten {:.1e}, largest {:.1e}, order {:.2} over {} pairs that switch; mended: {:.1e}, {:.1e}",
        quantile(&p, 0.9),
        quantile(&p, 1.0),
        order(false)?,
        switching.len(),
        quantile(&m, 0.9),
        quantile(&m, 1.0),
    ));
    Ok(outcome)
}
