//! Cubes or hulls poured into a box with frictional walls: overlap, speed, energy, and how long a step takes.
//!
//! `cargo run --release -p klast-dynamics --example pour -- [cubes|hulls] [sweeps N | residual X] [stiffness K]
//! [threads N] [rest] [DIR]`
//!
//! Start poses come from DIR/w3.txt (x y z and quaternion w x y z), hulls from DIR/hulls.txt (a vertex count, then that
//! many x y z, repeated). Without DIR a lattice and own hulls take their place. Contacts are rigid, or springs of K N/m
//! (to a residual only). `rest` runs from the start until the blocks are at rest, at most 20 s, and judges rest, speed
//! and energy.

use klast_dynamics::{DynamicsError, Effort, World, WorldSettings};
use klast_scenarios::{
    PourReport, ballast, cubes, lattice, parse_hulls, parse_poses, pour, pour_report, pour_to_rest,
};
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

/// Time of this thread's work where the system tells it (another job on the core then does not count), else wall time.
struct Clock(Option<f64>, Instant);

impl Clock {
    fn start() -> Self {
        Clock(Self::own(), Instant::now())
    }

    fn own() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(1e-9 * text.split_whitespace().next()?.parse::<f64>().ok()?)
    }

    fn seconds(&self) -> f64 {
        match (self.0, Self::own()) {
            (Some(start), Some(now)) if now > start => now - start,
            _ => self.1.elapsed().as_secs_f64(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (mut hulls, mut effort, mut threads, mut rest, mut dir) =
        (false, Effort::Sweeps(20), 1, false, None);
    let mut stiffness = None;
    while let Some(word) = words.next() {
        let mut number = || words.next().unwrap_or_default();
        match word.as_str() {
            "cubes" => hulls = false,
            "hulls" => hulls = true,
            "sweeps" => effort = Effort::Sweeps(number().parse()?),
            "residual" => {
                effort = Effort::Residual {
                    tolerance: number().parse()?,
                    sweeps: 800,
                }
            }
            "stiffness" => stiffness = Some(number().parse()?),
            "threads" => threads = number().parse()?,
            "rest" => rest = true,
            path => dir = Some(PathBuf::from(path)),
        }
    }
    let read = |name: &str| {
        dir.as_ref()
            .map(|d| std::fs::read_to_string(d.join(name)))
            .transpose()
    };
    let poses = read("w3.txt")?.map_or_else(|| Ok(lattice(1000)), |text| parse_poses(&text))?;
    let shapes = match (hulls, read("hulls.txt")?) {
        (false, _) => cubes()?,
        (true, Some(text)) => parse_hulls(&text)?,
        (true, None) => ballast()?,
    };
    let mut world = pour(
        &shapes,
        &poses,
        WorldSettings {
            effort,
            stiffness,
            parallel: threads > 1,
            ..Default::default()
        },
    )?;
    if threads == 1 {
        return Ok(run(&mut world, rest)?);
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?
        .install(|| run(&mut world, rest))?;
    Ok(())
}

fn run(world: &mut World, rest: bool) -> Result<(), DynamicsError> {
    let top = world
        .states()
        .map(|s| s.pose.translation.z)
        .fold(0.0, f64::max);
    println!(
        "{} bodies, {:?}{}; speed bound √(2 g z) = {:.3} m/s",
        world.len(),
        world.settings().effort,
        world
            .settings()
            .stiffness
            .map_or(String::new(), |k| format!(", contacts of {k:e} N/m")),
        (2.0 * 9.81 * top).sqrt()
    );
    let start = world.potential_energy();
    if rest {
        judge_rest(world)?;
    } else {
        for until in [1.0, 2.0, 3.0] {
            let clock = Clock::start();
            let report = pour_report(world, until)?;
            print_window(world, &report, clock.seconds(), start);
        }
    }
    let l = world.ledger();
    println!(
        "energy (J): potential at the start {start:.4e}, contacts {:.4e}, impacts and scheme {:.4e}, springs that were let go {:.2e}, stabilisation {:.2e}; {} steps gained {:.2e}; least loss of a contact {:.1e}, {} contacts gained {:.1e}",
        l.exchange.contact_loss,
        l.exchange.scheme_loss,
        l.exchange.spring_loss,
        l.exchange.stabilisation,
        l.gains,
        l.gained,
        l.exchange.least_contact_loss,
        l.exchange.driving_contacts,
        l.exchange.driven
    );
    Ok(())
}

/// A line on the last second or so.
fn print_window(world: &World, r: &PourReport, seconds: f64, start: f64) {
    println!(
        "to {:4.1} s: {:8.0} body-steps/s, {:9.0} contacts/s, {:5.1} sweeps a step, overlap mean {:.2e} m max {:.2e} m, speed {:.3} m/s, residual {:.1e} ({} islands above), kinetic / start {:.2e}, {} contacts entered",
        world.time(),
        (r.steps * world.len()) as f64 / seconds,
        r.contacts as f64 / seconds,
        r.sweeps as f64 / r.steps.max(1) as f64,
        r.mean_overlap,
        r.largest_overlap,
        r.fastest,
        r.residual,
        r.unconverged,
        world.kinetic_energy() / start,
        r.entered,
    );
}

/// Runs on to rest and prints a line for each second and each bar.
fn judge_rest(world: &mut World) -> Result<(), DynamicsError> {
    let (start, each) = (
        world.potential_energy(),
        (1.0 / world.settings().step).round() as usize,
    );
    let (mut clock, mut window) = (Clock::start(), PourReport::default());
    let r = pour_to_rest(world, 20.0, 0.5, |world, step| {
        window.enter(world, step);
        if window.steps == each {
            print_window(world, &window, clock.seconds(), start);
            (clock, window) = (Clock::start(), PourReport::default());
        }
    })?;
    let from = r
        .at_rest_from
        .map_or("not".to_owned(), |t| format!("{t:.3} s"));
    for (name, found, accepted, holds) in r.bars() {
        println!(
            "{}: {name} {found:.3e}, accepted {accepted:.3e}",
            if holds { "holds" } else { "FAILS" }
        );
    }
    println!(
        "at rest from: {from} (run to {:.2} s); {} steps gained energy, {} islands above the tolerance; overlap mean {:.2e} m, max {:.2e} m",
        r.time, r.gains, r.unconverged, r.overlap.0, r.overlap.1
    );
    Ok(())
}
