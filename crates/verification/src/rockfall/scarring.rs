//! Section 5.1: a square block slides on soil that it ploughs up, until it tips over its front corner.

use super::incline::Incline;
use crate::{Context, Outcome, Table};
use anyhow::{Context as _, Result};
use glam::{DQuat, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{ConvexPolyhedron, Pose};
use klast_plot::{Axis, LineChart, Series, stack};
use klast_rockfall::rigid::Scarring;
use klast_rockfall::{Arc, Motion};
use serde::Deserialize;
use std::ops::ControlFlow;

/// Two pyramids on a common square in the x–z plane.
fn block(table: &Table) -> Result<Body> {
    let (r, tip) = (table.input("half_side_m")?, table.input("tip_m")?);
    let square = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let mut points: Vec<DVec3> = square.map(|(x, z)| r * DVec3::new(x, 0.0, z)).to_vec();
    points.extend([DVec3::Y * tip, DVec3::NEG_Y * tip]);
    let shape = ConvexPolyhedron::from_points(&points)?;
    Ok(Body::uniform(&shape, table.input("density_kg_per_m3")?)?)
}

#[derive(Deserialize)]
struct Sliding {
    id: String,
    friction: f64,
    #[serde(default)]
    angle_deg: f64,
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let body = block(table)?;
    outcome.set("mass", "klast", body.mass());
    for (name, value) in ["inertia-x", "inertia-y", "inertia-z"]
        .into_iter()
        .zip(body.inertia().to_array())
    {
        outcome.set(name, "klast", value);
    }
    let mut incline = Incline::new(
        table.input("slope_deg")?.to_radians(),
        table.input("gravity_m_per_s2")?,
        0.5,
        table.input("step_s")?,
    )?;
    let law = Scarring {
        minimum: table.input("friction_minimum")?,
        maximum: table.input("friction_maximum")?,
        growth: table.input("growth_per_m")?,
        recovery: table.input("recovery_per_s")?,
    };
    incline.samples[0].scarring = Some(law);
    loads(table, &incline, &law, &body, &mut outcome)?;
    release(&incline, &law, &body, &mut outcome)?;
    Ok(outcome)
}

/// Normal loads while it slides on both corners, and while it slides on the front one, tipped by an angle.
fn loads(
    table: &Table,
    incline: &Incline,
    law: &Scarring,
    body: &Body,
    outcome: &mut Outcome,
) -> Result<()> {
    let stop = Incline::stop(1.0);
    let rock = incline.rock(&stop);
    let (r, speed) = (table.input("half_side_m")?, table.input("speed_m_per_s")?);
    let slope = table.input("slope_deg")?.to_radians();
    let found = |case: &Sliding| -> Result<(f64, f64)> {
        let angle = case.angle_deg.to_radians();
        let (sin, cos) = libm::sincos(angle);
        let pose = Pose::new(
            DQuat::from_rotation_y(slope + angle),
            incline.normal * (r * (cos + sin)),
        )?;
        let velocity = Twist::new(incline.downhill * speed, DVec3::ZERO)?;
        let loads = rock.loads(
            body,
            &incline.samples,
            State { pose, velocity },
            law.slippage_at(case.friction),
        );
        let (mut rear, mut front) = (0.0, 0.0);
        for (point, force) in loads {
            let ahead = (point - pose.translation).dot(incline.downhill) > 0.0;
            *(if ahead { &mut front } else { &mut rear }) += force.dot(incline.normal);
        }
        Ok((rear, front))
    };
    for case in table.input_as::<Vec<Sliding>>("both")? {
        let (rear, front) = found(&case)?;
        outcome.set(&format!("{}/rear", case.id), "klast", rear);
        outcome.set(&format!("{}/front", case.id), "klast", front);
    }
    for case in table.input_as::<Vec<Sliding>>("one")? {
        outcome.set(&format!("{}/load", case.id), "klast", found(&case)?.1);
    }
    Ok(())
}

/// Whether A = (1/m) [1 + (1 − sin 2φ − μ cos 2φ)/k²] is negative, for a block tipped over its front corner with its
/// centre so high (of half a side of 1 m, k² = 0.4).
fn lacks_an_answer(height: f64, friction: f64) -> bool {
    // h = cos φ + sin φ, so sin 2φ = h² − 1; it tips from φ = 0 to 45° where the centre is over the corner.
    let sin = (height * height - 1.0).clamp(0.0, 1.0);
    let cos = (1.0 - sin * sin).sqrt();
    1.0 + (1.0 - sin - friction * cos) / 0.4 < 0.0
}

/// What is drawn and looked for along the way.
#[derive(Default)]
struct History {
    friction: Vec<(f64, f64)>,
    spin: Vec<(f64, f64)>,
    height: Vec<(f64, f64)>,
}

/// The published run: dropped on its corner, aligned with the world.
fn release(incline: &Incline, law: &Scarring, body: &Body, outcome: &mut Outcome) -> Result<()> {
    // A corner that rounding leaves a few 1e-15 m over the slope closes within a step of 0.1 ms: spins of 6e-11 rad/s,
    // either sign. The first step above mu = 1 tips by 1e-8 rad/s.
    const TIPS: f64 = 1e-9;
    let stop = Incline::stop(4.0);
    let pose = Pose::new(
        DQuat::IDENTITY,
        incline.normal * (std::f64::consts::SQRT_2 + 1e-6),
    )?;
    let start = State {
        pose,
        velocity: Twist::ZERO,
    };
    let (mut slippage, mut history) = (0.0, History::default());
    let (mut lies, mut lifted, mut paradox) = (false, None, 0);
    let mut watch = |arc: &Arc| {
        let friction = law.friction(slippage);
        let turns = arc.spin.length() > TIPS;
        // It has come down on its side, and now tips forward. Right after it came down the rear corner is 1.6e-11 m
        // over the slope (an impact begins within a tolerance) and closes in a step: a turn backward of 1.6e-7 rad/s,
        // which lifts nothing.
        if lies && arc.spin.y > TIPS && lifted.is_none() {
            lifted = Some(friction);
        }
        paradox += u32::from(
            lies && turns
                && arc.motion == Motion::Contact
                && lacks_an_answer(arc.position.dot(incline.normal), friction),
        );
        lies |= !turns && arc.motion == Motion::Contact && arc.time > 0.1;
        if history
            .friction
            .last()
            .is_none_or(|p| arc.time > p.0 + 0.005)
        {
            history.friction.push((arc.time, friction));
            history.spin.push((arc.time, arc.spin.y));
            history
                .height
                .push((arc.time, arc.position.dot(incline.normal)));
        }
        let speed = 0.5 * (arc.velocity + arc.velocity_at(arc.duration)).length();
        slippage = match arc.motion {
            Motion::Contact => law.slid(slippage, speed, arc.duration),
            Motion::Flight => law.flown(slippage, arc.duration),
        };
        ControlFlow::Continue(())
    };
    let workspace = &mut Workspace::default();
    incline
        .rock(&stop)
        .run(body, &incline.samples, start, None, &mut watch, workspace);
    outcome.set(
        "lift",
        "klast",
        lifted.context("the rear corner never lifts")?,
    );
    outcome.note(format!(
        "{paradox} steps of 0.1 ms in 4 s in which the accelerations of the sliding corner have no answer or several (A < 0, Painleve): there the velocities of the step decide"
    ));
    let chart = |label: &str, line: Vec<(f64, f64)>, title: &str| {
        LineChart::new(title, Axis::new("t [s]"), Axis::new(label))
            .with(Series::line("", line))
            .svg()
    };
    let until = history.friction.last().map_or(0.0, |p| p.0);
    let friction = LineChart::new(
        "A square block that scars: friction",
        Axis::new("t [s]"),
        Axis::new("mu [-]"),
    )
    .with(Series::line("mu(s)", history.friction))
    .with(Series::dashed(
        "the rear corner lifts at 1",
        vec![(0.0, 1.0), (until, 1.0)],
    ))
    .svg()?;
    let pictures = [
        friction,
        chart("spin [rad/s]", history.spin, "Spin about y")?,
        chart(
            "height [m]",
            history.height,
            "Height of the centre over the slope",
        )?,
    ];
    outcome.draw(
        "history",
        "Dropped on a corner, it falls on its side, slides and scars until mu = 1, tips over the front corner, detaches and begins again.",
        stack(&pictures, 1),
    );
    Ok(())
}
