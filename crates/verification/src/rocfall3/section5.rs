//! Section 5: many cubes dropped on a slope of 1:2, by an exact planar code written here and by the general code of the
//! product.

use klast_numerics::roots::bisect;
use std::ops::ControlFlow;

use anyhow::{Context as _, Result};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, SplitMix64, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::score::{kolmogorov_smirnov, kolmogorov_smirnov_critical};
use klast_rockfall::{
    Arc, Ground, GroundCoefficients, MaterialSample, Outcome as Ending, RigidRock, SlopeMaterial,
    StopConditions,
};
use rayon::prelude::*;

use super::figures::figures;
use crate::{Context, Outcome, Table};

/// What varies from rock to rock.
#[derive(Clone, Copy)]
pub(super) struct Drop {
    pub restitution: f64,
    pub friction: f64,
    pub spin: f64,
}

/// State after the first impact, in the vertical plane: x downhill, z up, spin about +y.
#[derive(Clone, Copy)]
pub(super) struct After {
    pub time: f64,
    pub velocity: DVec2,
    pub spin: f64,
}

pub(super) struct Setting {
    pub rise: f64,
    pub height: f64,
    pub gravity: f64,
    pub mass: f64,
    pub side: f64,
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
        self.parts(after.velocity.length(), after.spin)
    }

    /// The planar code: first contact of a falling, turning square, and Newton's impact with friction at its lowest
    /// corner in closed form.
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
        let (low, high) = bisect(0.5, 2.0, 200, |time| gap(time) <= 0.0);
        let time = 0.5 * (low + high);
        let before = After {
            time,
            velocity: DVec2::new(0.0, -self.gravity * time),
            spin: drop.spin,
        };
        self.impact(drop, before, corner(time), normal)
    }

    pub(super) fn impact(&self, drop: &Drop, before: After, arm: DVec2, n: DVec2) -> After {
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
    pub(super) fn spatial(
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
            GroundCoefficients {
                normal_restitution: drop.restitution,
                tangential_restitution: 0.0,
                friction: drop.friction,
            },
        ))?;
        let samples = [MaterialSample {
            normal_restitution: drop.restitution,
            tangential_restitution: 0.0,
            friction: drop.friction,
            ..MaterialSample::default()
        }];
        let stop = StopConditions {
            maximum_time: 60.0,
            normal_velocity_cutoff: 0.01,
            stopped_velocity_cutoff: 0.01,
            ..StopConditions::default()
        };
        let gravity = DVec3::new(0.0, 0.0, -self.gravity);
        let rock = RigidRock {
            stop: &stop,
            gravity,
            ..RigidRock::new(&slope, &ground)
        };
        let pose = Pose::new(DQuat::IDENTITY, DVec3::new(0.0, 0.0, self.height))?;
        let start = State {
            pose,
            velocity: Twist::new(DVec3::ZERO, DVec3::Y * drop.spin)?,
        };
        let (_, end, _) = rock.run(
            &body,
            &samples,
            start,
            None,
            watch,
            &mut Workspace::default(),
        );
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
