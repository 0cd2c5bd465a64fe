//! What stands, and what falls 2 % beyond its limit, with the default settings: `cargo run --release -p klast-dynamics
//! --example structures -- arch:101 column:100 tower:400 wall:20:51`, in front of them `stand` or `tilt:FACTOR`,
//! optionally `seconds:S`.

use glam::DVec3;
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

fn main() -> Result<(), Box<dyn Error>> {
    let (mut factor, mut seconds) = (0.0, None);
    for word in std::env::args().skip(1) {
        if let Some(number) = word.strip_prefix("tilt:") {
            factor = number.parse()?;
        } else if let Some(number) = word.strip_prefix("seconds:") {
            seconds = Some(number.parse()?);
        } else if word == "stand" {
            factor = 0.0;
        } else {
            let scene = named(&word).ok_or(format!("'{word}': arch, column, tower or wall"))?;
            run(&word, scene, factor, seconds)?;
        }
    }
    Ok(())
}

fn run(
    word: &str,
    (structure, limit, towards): (Structure, Option<f64>, DVec3),
    factor: f64,
    seconds: Option<f64>,
) -> Result<(), Box<dyn Error>> {
    let tan = match (factor, limit) {
        (0.0, _) => 0.0,
        (_, Some(limit)) => factor * limit,
        (_, None) => return Err(format!("'{word}' has no closed form").into()),
    };
    let falls = factor > 1.0;
    // 20 characteristic times to fall within, a second to stand.
    let fall_time = 20.0 * (structure.height / 9.81).sqrt();
    let end = seconds.unwrap_or(if falls { fall_time } else { 1.0 });
    let mut scene = Masonry::new(structure.on_a_table(tan, towards)?, None);
    let far = 0.01 * structure.height;
    let (clock, mut slowest) = (Instant::now(), 0.0f64);
    let mut steps = 0;
    while scene.world.time() < end && !(falls && scene.moved() > far) {
        let step = Instant::now();
        scene.world.step()?;
        let took = step.elapsed().as_secs_f64();
        slowest = slowest.max(took);
        steps += 1;
    }
    let ledger = scene.world.ledger();
    println!(
        "{word} at {factor} of its limit: {} bodies, moved {:.2e} blocks in {:.3} s ({}); {} steps above the tolerance; {:.1} s of work, {:.1} ms a step, the slowest {:.2} s",
        scene.world.len(),
        scene.moved() / structure.block,
        scene.world.time(),
        if scene.moved() > far {
            "falls"
        } else {
            "stands"
        },
        ledger.unconverged,
        clock.elapsed().as_secs_f64(),
        1e3 * clock.elapsed().as_secs_f64() / f64::from(steps),
        slowest,
    );
    Ok(())
}
