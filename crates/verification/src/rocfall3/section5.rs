//! Section 5: many cubes dropped on a slope of 1:2, by an exact planar code written here and by the general code of the product.

use std::ops::ControlFlow;

use anyhow::{Context as _, Result};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::{Body, SplitMix64, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Plane, Pose, Solid};
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::score::{kolmogorov_smirnov, kolmogorov_smirnov_critical};
use klast_rockfall::{
    Arc, Ground, MaterialSample, Outcome as Ending, RigidRock, SlopeMaterial, StopConditions,
};
use rayon::prelude::*;

use crate::{Context, Outcome, Table};

/// What varies from rock to rock.
#[derive(Clone, Copy)]
struct Drop {
    restitution: f64,
    friction: f64,
    spin: f64,
}

/// State after the first impact, in the vertical plane: x downhill, z up, spin about +y.
#[derive(Clone, Copy)]
struct After {
    time: f64,
    velocity: DVec2,
    spin: f64,
}

struct Setting {
    rise: f64,
    height: f64,
    gravity: f64,
    mass: f64,
    side: f64,
    normal: [f64; 4],
    friction: [f64; 4],
    spin: [f64; 4],
}

impl Setting {
    fn read(table: &Table) -> Result<Self> {
        Ok(Setting {
            rise: table.input("slope_rise_over_run")?,
            height: table.input("height_over_slope_m")?,
            gravity: table.input("gravity_m_per_s2")?,
            mass: table.input("mass_kg")?,
            side: table.input("side_m")?,
            normal: table.input_as("normal_restitution_mean_sd_min_max")?,
            friction: table.input_as("friction_mean_sd_min_max")?,
            spin: table.input_as("spin_deg_per_s_mean_sd_min_max")?,
        })
    }

    /// Inputs by the stated generator: Box–Muller, cosine branch, values outside redrawn.
    fn drops(&self, seed: u64, count: usize) -> Vec<Drop> {
        let mut generator = SplitMix64::new(seed);
        let mut uniform = move || ((generator.next() >> 11) + 1) as f64 / 9_007_199_254_740_992.0;
        let mut draw = |[mean, sd, low, high]: [f64; 4]| loop {
            let (u, v) = (uniform(), uniform());
            let x = mean + sd * (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v);
            if (low..=high).contains(&x) {
                return x;
            }
        };
        (0..count)
            .map(|_| Drop {
                restitution: draw(self.normal),
                friction: draw(self.friction),
                spin: draw(self.spin).to_radians(),
            })
            .collect()
    }

    /// Total, translational and rotational energy (kJ).
    fn energies(&self, after: &After) -> [f64; 3] {
        let translational = 0.5e-3 * self.mass * after.velocity.length_squared();
        let rotational = 0.5e-3 * self.mass * self.side * self.side / 6.0 * after.spin * after.spin;
        [translational + rotational, translational, rotational]
    }

    /// The planar code: first contact of a falling, turning square, and Newton's impact with friction at its lowest corner in closed form.
    fn planar(&self, drop: &Drop) -> After {
        let normal = DVec2::new(self.rise, 1.0).normalize();
        let corner = |time: f64| {
            let (s, c) = libm::sincos(drop.spin * time);
            let half = 0.5 * self.side;
            let turned = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
                .map(|(x, z)| half * DVec2::new(x * c + z * s, z * c - x * s));
            let lowest = turned
                .into_iter()
                .min_by(|a, b| a.dot(normal).total_cmp(&b.dot(normal)));
            lowest.unwrap_or_default()
        };
        let gap = |time: f64| {
            normal.y * (self.height - 0.5 * self.gravity * time * time) + normal.dot(corner(time))
        };
        // It falls faster than any corner rises, so the gap has one zero once the fall is under way.
        let (mut low, mut high) = (0.5, 2.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if gap(middle) > 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        let time = 0.5 * (low + high);
        let before = After {
            time,
            velocity: DVec2::new(0.0, -self.gravity * time),
            spin: drop.spin,
        };
        self.impact(drop, before, corner(time), normal)
    }

    fn impact(&self, drop: &Drop, before: After, arm: DVec2, n: DVec2) -> After {
        let t = DVec2::new(n.y, -n.x);
        let inertia = self.mass * self.side * self.side / 6.0;
        // Moment about +y of a force f at the arm: z f_x − x f_z.
        let moment = |f: DVec2| arm.y * f.x - arm.x * f.y;
        let coupling = |a: DVec2, b: DVec2| a.dot(b) / self.mass + moment(a) * moment(b) / inertia;
        let (gnn, gnt, gtt) = (coupling(n, n), coupling(n, t), coupling(t, t));
        let u = before.velocity + before.spin * DVec2::new(arm.y, -arm.x);
        let (un, ut) = (u.dot(n), u.dot(t));
        let wanted = -(1.0 + drop.restitution) * un;
        let determinant = gnn * gtt - gnt * gnt;
        let stick = (
            (wanted * gtt + ut * gnt) / determinant,
            (-ut * gnn - wanted * gnt) / determinant,
        );
        let slip = |sign: f64| {
            let pn = wanted / (gnn - sign * drop.friction * gnt);
            (pn, -sign * drop.friction * pn)
        };
        let (pn, pt) = if stick.1.abs() <= drop.friction * stick.0 {
            stick
        } else {
            let forward = slip(1.0);
            if ut + gnt * forward.0 + gtt * forward.1 >= 0.0 {
                forward
            } else {
                slip(-1.0)
            }
        };
        let impulse = n * pn + t * pt;
        After {
            velocity: before.velocity + impulse / self.mass,
            spin: before.spin + moment(impulse) / inertia,
            ..before
        }
    }

    /// The general code in space; `watch` sees its arcs.
    fn spatial(
        &self,
        drop: &Drop,
        watch: &mut dyn FnMut(&Arc) -> ControlFlow<Ending>,
    ) -> Result<f64> {
        let body = Body::uniform(
            &Solid::Cube.with_size(self.side)?,
            self.mass / self.side.powi(3),
        )?;
        let slope = Slope::new(Plane::new(DVec3::new(self.rise, 0.0, 1.0), 0.0)?)?;
        let ground = Ground::uniform(SlopeMaterial::constant(
            "rock",
            drop.restitution,
            0.0,
            drop.friction,
        ))?;
        let samples = [MaterialSample {
            normal_restitution: drop.restitution,
            tangential_restitution: 0.0,
            friction: drop.friction,
        }];
        let stop = StopConditions {
            maximum_time: 60.0,
            normal_velocity_cutoff: 0.01,
            stopped_velocity_cutoff: 0.01,
            ..StopConditions::default()
        };
        let gravity = DVec3::new(0.0, 0.0, -self.gravity);
        let rock = RigidRock {
            terrain: &slope,
            ground: &ground,
            stop: &stop,
            gravity,
            contact_step: 5e-3,
            scarring: None,
            drag: None,
        };
        let pose = Pose::new(DQuat::IDENTITY, DVec3::new(0.0, 0.0, self.height))?;
        let start = State {
            pose,
            velocity: Twist::new(DVec3::ZERO, DVec3::Y * drop.spin)?,
        };
        let (_, end, _) = rock.run(&body, &samples, start, None, watch);
        Ok(end.pose.translation.x)
    }

    fn first_impact(&self, drop: &Drop) -> Result<After> {
        let mut after = None;
        self.spatial(drop, &mut |arc| {
            if arc.time == 0.0 {
                return ControlFlow::Continue(());
            }
            after = Some(After {
                time: arc.time,
                velocity: DVec2::new(arc.velocity.x, arc.velocity.z),
                spin: arc.spin.y,
            });
            ControlFlow::Break(Ending::Stopped)
        })?;
        after.context("a cube that falls on a slope hits it")
    }
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let setting = Setting::read(table)?;
    let count = table.input("rocks")? as usize;
    let mut outcome = Outcome::new();
    let drops = setting.drops(table.input("seed")? as u64, count);
    let planar: Vec<After> = drops.iter().map(|d| setting.planar(d)).collect();
    let spatial = drops
        .par_iter()
        .map(|d| setting.first_impact(d))
        .collect::<Result<Vec<After>>>()?;
    let mut worst = 0.0f64;
    for (a, b) in planar.iter().zip(&spatial) {
        worst = worst
            .max((a.velocity - b.velocity).abs().max_element())
            .max((a.spin - b.spin).abs());
    }
    outcome.set("pairs/velocity", "pairs", worst);
    for (series, list) in [("2d", &planar), ("3d", &spatial)] {
        rocks(&setting, &mut outcome, series, list);
    }
    seeds(&setting, count, &mut outcome)?;
    figures(
        &setting,
        &drops,
        table.input("collector_x_m")?,
        &mut outcome,
    )?;
    Ok(outcome)
}

const NAMES: [&str; 3] = ["ke", "kt", "kr"];

fn rocks(setting: &Setting, outcome: &mut Outcome, series: &str, list: &[After]) {
    for (k, after) in list.iter().take(5).enumerate() {
        let mut set =
            |name: &str, value: f64| outcome.set(&format!("rock-{}/{name}", k + 1), series, value);
        set("vx", after.velocity.x);
        set("vz", after.velocity.y);
        set("w", after.spin);
        set("t", after.time);
        for (name, value) in NAMES.into_iter().zip(setting.energies(after)) {
            set(name, value);
        }
    }
    for (k, name) in NAMES.into_iter().enumerate() {
        let values: Vec<f64> = list.iter().map(|a| setting.energies(a)[k]).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sd = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)).sqrt();
        let mut set =
            |what: &str, value: f64| outcome.set(&format!("sample/{name}/{what}"), series, value);
        set("mean", mean);
        set("sd", sd);
        set("min", values.iter().copied().fold(f64::INFINITY, f64::min));
        set(
            "max",
            values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
    }
}

/// Seeds 1 to 20 for the planar code against seeds 1001 to 1020 for the general one.
fn seeds(setting: &Setting, count: usize, outcome: &mut Outcome) -> Result<()> {
    let critical = kolmogorov_smirnov_critical(0.01, count, count);
    let (mut held, mut sums) = ([0.0; 3], [[0.0; 2]; 3]);
    for seed in 1..=20 {
        let planar: Vec<[f64; 3]> = setting
            .drops(seed, count)
            .iter()
            .map(|d| setting.energies(&setting.planar(d)))
            .collect();
        let drops = setting.drops(1000 + seed, count);
        let spatial = drops
            .par_iter()
            .map(|d| Ok(setting.energies(&setting.first_impact(d)?)))
            .collect::<Result<Vec<_>>>()?;
        for k in 0..3 {
            let of = |list: &[[f64; 3]]| list.iter().map(|e| e[k]).collect::<Vec<f64>>();
            let (a, b) = (of(&planar), of(&spatial));
            let distance = kolmogorov_smirnov(&a, &b).context("no rock")?;
            held[k] += f64::from(u8::from(distance < critical));
            sums[k][0] += a.iter().sum::<f64>();
            sums[k][1] += b.iter().sum::<f64>();
        }
    }
    for (k, name) in NAMES.into_iter().enumerate() {
        outcome.set(&format!("ks/{name}"), "ks", held[k]);
        outcome.set(
            &format!("population/{name}"),
            "pooled-2d",
            sums[k][0] / (20 * count) as f64,
        );
        outcome.set(
            &format!("population/{name}"),
            "pooled-3d",
            sums[k][1] / (20 * count) as f64,
        );
    }
    Ok(())
}

/// Figures 5.2 to 5.11 from our own data: a collector downhill, the slope without end, runout to rest. Drawn, not judged: the manual's inputs are lost.
fn figures(setting: &Setting, drops: &[Drop], collector: f64, outcome: &mut Outcome) -> Result<()> {
    let measured = drops.par_iter().take(1000).map(|drop| {
        let mut passage = None;
        let inertia = setting.mass * setting.side * setting.side / 6.0;
        let runout = setting.spatial(drop, &mut |arc| {
            if passage.is_none()
                && let Some(t) = arc.crossings(DVec2::X, collector)[0]
            {
                let kinetic = 0.5e-3 * setting.mass * arc.velocity_at(t).length_squared();
                let rotational = 0.5e-3 * inertia * arc.spin.length_squared();
                passage = Some([
                    kinetic + rotational,
                    kinetic,
                    rotational,
                    arc.position_at(t).z + setting.rise * collector,
                ]);
            }
            ControlFlow::Continue(())
        })?;
        Ok((passage, runout))
    });
    let measured: Vec<(Option<[f64; 4]>, f64)> = measured.collect::<Result<_>>()?;
    let names = [
        (
            "total-energy",
            "Total kinetic energy on the collector",
            "E [kJ]",
        ),
        (
            "translational-energy",
            "Translational kinetic energy on the collector",
            "E [kJ]",
        ),
        (
            "rotational-energy",
            "Rotational kinetic energy on the collector",
            "E [kJ]",
        ),
        (
            "height",
            "Height of the centre over the slope at the collector",
            "h [m]",
        ),
    ];
    for (k, (name, title, label)) in names.into_iter().enumerate() {
        let values: Vec<f64> = measured.iter().filter_map(|m| m.0.map(|p| p[k])).collect();
        outcome.draw(
            name,
            &format!("{title}; 1,000 rocks, collector 2 m downhill of the release (our choice)."),
            histogram(title, label, &values)?,
        );
    }
    let runouts: Vec<f64> = measured.iter().map(|m| m.1).collect();
    outcome.draw(
        "runout",
        "Horizontal distance from release to rest on the slope without end (our choice).",
        histogram("Runout", "x [m]", &runouts)?,
    );
    outcome.note(format!(
        "{} of {} rocks pass the collector",
        measured.iter().filter(|m| m.0.is_some()).count(),
        measured.len()
    ));
    Ok(())
}

fn histogram(title: &str, label: &str, values: &[f64]) -> Result<String> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bins = 40;
    let width = ((high - low) / f64::from(bins)).max(1e-9);
    let edges: Vec<f64> = (0..=bins).map(|k| low + width * f64::from(k)).collect();
    let mut heights = vec![0.0; bins as usize];
    for v in values {
        heights[(((v - low) / width) as usize).min(bins as usize - 1)] += 1.0;
    }
    Ok(LineChart::new(title, Axis::new(label), Axis::new("rocks"))
        .with(Series::bars("", &edges, &heights))
        .svg()?)
}
