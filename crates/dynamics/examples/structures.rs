//! What stands, and what falls 2 % beyond its limit, with the default settings: `cargo run --release -p klast-dynamics
//! --example structures -- arch:101 column:100 tower:400 wall:20:51`, in front of them `stand`, `tilt:FACTOR`, or
//! `cost` for the cost of a step at rest beside one of 20 sweeps; optionally `seconds:S`, `far:METRES` from the
//! origin, and `every:N` for a line each N steps.

use glam::DVec3;
use klast_dynamics::{Effort, WorldSettings};
use klast_scenarios::{
    Masonry, Structure, bricks_in_a_wall, cubes_in_a_column, planks_in_a_tower, stones_in_an_arch,
};
use std::error::Error;
use std::time::Instant;

/// A structure, the tangent of its limit where a closed form gives it, and the direction to lean in.
fn named(word: &str) -> Option<(Structure, Option<f64>, DVec3)> {
    let mut parts = word.split(':');
    let name = parts.next()?;
    let mut count = || parts.next()?.parse::<usize>().ok();
    Some(match name {
        "arch" => (stones_in_an_arch(count()?, 0.12), None, DVec3::X),
        "column" => {
            let s = cubes_in_a_column(count()?);
            let limit = 1.0 / s.height;
            (s, Some(limit), DVec3::X)
        }
        "tower" => {
            let s = planks_in_a_tower(count()?);
            let limit = (0.12 / s.height).min(1.0 / 3.0);
            (s, Some(limit), DVec3::X)
        }
        "wall" => {
            let s = bricks_in_a_wall(count()?, count()?);
            let limit = 0.25 / s.height;
            (s, Some(limit), DVec3::Y)
        }
        _ => return None,
    })
}

/// What is asked of a structure.
#[derive(Clone, Copy)]
struct Asked {
    /// Tilt in parts of the limit; 0 is level.
    factor: f64,
    /// Time to run for (s), the distance from the origin (m).
    seconds: Option<f64>,
    far: f64,
    /// Whether to measure the cost of a step.
    cost: bool,
    /// Steps from one line on a run to the next.
    every: Option<std::num::NonZeroU32>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut asked = Asked {
        factor: 0.0,
        seconds: None,
        far: 0.0,
        cost: false,
        every: None,
    };
    for word in std::env::args().skip(1) {
        if let Some(number) = word.strip_prefix("tilt:") {
            asked.factor = number.parse()?;
        } else if let Some(number) = word.strip_prefix("seconds:") {
            asked.seconds = Some(number.parse()?);
        } else if let Some(number) = word.strip_prefix("far:") {
            asked.far = number.parse()?;
        } else if let Some(number) = word.strip_prefix("every:") {
            asked.every = Some(number.parse()?);
        } else if word == "stand" {
            (asked.factor, asked.cost) = (0.0, false);
        } else if word == "cost" {
            asked.cost = true;
        } else {
            let scene = named(&word).ok_or(format!("'{word}': arch, column, tower or wall"))?;
            match asked.cost {
                true => cost(&word, &scene.0)?,
                false => run(&word, scene, asked)?,
            }
        }
    }
    Ok(())
}

/// Steps until a structure is at rest, and those that are timed.
const SETTLING: usize = 5;
const TIMED: usize = 21;

/// The cost of a step at rest with the default settings, and of one of 20 sweeps from the same state.
fn cost(word: &str, structure: &Structure) -> Result<(), Box<dyn Error>> {
    let mut world = structure.on_a_table(0.0, DVec3::X)?;
    for _ in 0..SETTLING {
        world.step()?;
    }
    let mut swept = world.clone();
    swept.set_settings(WorldSettings {
        effort: Effort::Sweeps(20),
        ..*swept.settings()
    })?;
    // Taken in turn, so that other work on the machine slows both.
    let (mut at_rest, mut sweeping) = (vec![], vec![]);
    for _ in 0..TIMED {
        for (world, times) in [(&mut world, &mut at_rest), (&mut swept, &mut sweeping)] {
            let clock = Instant::now();
            world.step()?;
            times.push(clock.elapsed().as_secs_f64());
        }
    }
    let (rest, sweep) = (sorted(at_rest), sorted(sweeping));
    let ratio = |k: usize| rest[k] / sweep[k];
    // Work beside it slows any step, so the fastest of either are compared too.
    println!(
        "{word}: {} bodies, at rest {:.3} ms a step, 20 sweeps {:.3} ms, ratio {:.2}; the fastest {:.3} and {:.3} ms, ratio {:.2}",
        world.len(),
        1e3 * rest[TIMED / 2],
        1e3 * sweep[TIMED / 2],
        ratio(TIMED / 2),
        1e3 * rest[0],
        1e3 * sweep[0],
        ratio(0),
    );
    Ok(())
}

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

fn run(
    word: &str,
    (structure, limit, towards): (Structure, Option<f64>, DVec3),
    asked: Asked,
) -> Result<(), Box<dyn Error>> {
    let Asked {
        factor,
        seconds,
        far,
        ..
    } = asked;
    let tan = match (factor, limit) {
        (0.0, _) => 0.0,
        (_, Some(limit)) => factor * limit,
        (_, None) => return Err(format!("'{word}' has no closed form").into()),
    };
    let falls = factor > 1.0;
    // 20 characteristic times to fall within, a second to stand.
    let fall_time = 20.0 * (structure.height / 9.81).sqrt();
    let end = seconds.unwrap_or(if falls { fall_time } else { 1.0 });
    let mut scene = Masonry::new(
        structure.at(far * DVec3::new(0.6, -0.8, 0.0), tan, towards)?,
        None,
    );
    let way = 0.01 * structure.height;
    let (clock, mut slowest) = (Instant::now(), 0.0f64);
    // What the contacts of a step may hide, as an acceleration, and how much of it over the whole time is half the way.
    let (mut hidden, carries) = (0.0f64, way / end.powi(2));
    let (mut steps, mut most, mut factored, mut uncarried) = (0u32, 0, 0, 0);
    while scene.world.time() < end && !(falls && scene.moved() > way) {
        let step = Instant::now();
        let report = scene.world.step()?;
        most = most.max(report.solver.newton_steps);
        factored = factored.max(report.solver.factorisations);
        let unsolved = report.solver.residual_speed / structure.step;
        hidden = hidden.max(unsolved);
        uncarried += usize::from(unsolved > carries);
        if report.solver.unconverged > 0 {
            eprintln!(
                "{word}: at {:.4} s residual {:.1e}, {unsolved:.1e} m/s², {} Newton steps",
                report.time, report.solver.residual, report.solver.newton_steps
            );
        }
        let took = step.elapsed().as_secs_f64();
        slowest = slowest.max(took);
        steps += 1;
        if asked.every.is_some_and(|every| steps % every == 0) {
            println!(
                "{word}: {:.4} s, moved {:.3e} m of {way:.3e}, residual {:.1e}, {} Newton steps, {} factorisations, {} contacts, {took:.2} s of work",
                report.time,
                scene.moved(),
                report.solver.residual,
                report.solver.newton_steps,
                report.solver.factorisations,
                report.contacts
            );
        }
    }
    let ledger = scene.world.ledger();
    println!(
        "{word} at {factor} of its limit: {} bodies, moved {:.2e} blocks in {:.3} s ({}); {} steps above the tolerance, {uncarried} that do not carry it; residual up to {hidden:.1e} m/s², where {carries:.1e} carry it; {:.1} s of work, {:.1} ms a step, the slowest {:.2} s, at most {most} Newton steps and {factored} factorisations, {} over the budget",
        scene.world.len(),
        scene.moved() / structure.block,
        scene.world.time(),
        if scene.moved() > way {
            "falls"
        } else {
            "stands"
        },
        ledger.unconverged,
        clock.elapsed().as_secs_f64(),
        1e3 * clock.elapsed().as_secs_f64() / f64::from(steps),
        slowest,
        ledger.over_budget,
    );
    Ok(())
}
