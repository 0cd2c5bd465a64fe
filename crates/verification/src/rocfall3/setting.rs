//! The slope of section 5, its rocks, and two codes that drop them: in a plane and in space.

use crate::Table;
use anyhow::{Context as _, Result};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Plane, Pose, Solid};
use klast_numerics::roots::bisect;
use klast_rockfall::{
    Arc, Ground, GroundCoefficients, MaterialSample, Outcome as Ending, RigidRock, SlopeMaterial,
    StopConditions,
};
use klast_sampling::SplitMix64;
use std::ops::ControlFlow;

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
    pub(super) fn read(table: &Table) -> Result<Self> {
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
    pub(super) fn drops(&self, seed: u64, count: usize) -> Vec<Drop> {
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
    pub(super) fn energies(&self, after: &After) -> [f64; 3] {
        self.parts(after.velocity.length(), after.spin)
    }

    /// The planar code: first contact of a falling, turning square, and Newton's impact with friction at its lowest
    /// corner in closed form.
    pub(super) fn planar(&self, drop: &Drop) -> After {
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
            // The manual prints what the law gives.
            refuse_gains: false,
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

    pub(super) fn first_impact(&self, drop: &Drop) -> Result<After> {
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

impl Setting {
    /// Total, translational and rotational energy (kJ).
    pub(super) fn parts(&self, speed: f64, spin: f64) -> [f64; 3] {
        let translational = 0.5e-3 * self.mass * speed * speed;
        let rotational = 0.5e-3 * self.mass * self.side * self.side / 6.0 * spin * spin;
        [translational + rotational, translational, rotational]
    }
}
