//! Does it stand? `cargo run --release -p klast-dynamics --example masonry -- incline DEG MU RATIO | arch N T MU |
//! wall COURSES BRICKS DEG MU | pyramid FRACTION MU | tower LEVELS FRACTION`, then optionally the seconds to run.

use klast_dynamics::WorldSettings;
use klast_scenarios::{
    Masonry, arch, incline, pyramid_rows, running_bond, shaken, shaken_tower, static_settings,
    tilting_wall,
};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize| {
        words
            .get(k)
            .and_then(|w| w.parse::<f64>().ok())
            .ok_or(format!("argument {k}: a number"))
    };
    let count = |k: usize| number(k).map(|x| x as usize);
    let kind = words.first().map_or("", String::as_str);
    let (mut scene, used): (Masonry, usize) = match kind {
        "incline" => (
            incline(1.0, number(3)?, number(1)?.to_radians(), number(2)?)?,
            4,
        ),
        "arch" => (arch(count(1)?, number(2)?, number(3)?)?, 4),
        "wall" => (
            tilting_wall(
                &running_bond(count(1)?, count(2)?),
                number(3)?.to_radians(),
                number(4)?,
            )?,
            5,
        ),
        "pyramid" => (shaken(&pyramid_rows(16, 9), number(1)?, number(2)?)?, 3),
        "tower" => (
            shaken_tower(
                count(1)?,
                number(2)?,
                WorldSettings {
                    step: 1e-3,
                    ..static_settings()
                },
            )?,
            3,
        ),
        _ => return Err("incline, arch, wall, pyramid or tower".into()),
    };
    let seconds = number(used).unwrap_or(3.0);
    let clock = Instant::now();
    let (mut sweeps, mut steps, mut unconverged, mut worst, mut contacts) = (0, 0, 0, 0.0f64, 0);
    while scene.world.time() < seconds && scene.moved() < 0.1 {
        let r = scene.world.step()?;
        sweeps += r.solver.sweeps;
        steps += 1;
        unconverged += r.solver.unconverged;
        worst = worst.max(r.solver.residual);
        contacts = r.contacts;
    }
    println!(
        "{kind}: {} bodies, {contacts} contacts, moved {:.3e} m in {:.2} s; {:.1} sweeps a step, {unconverged} islands above the tolerance (worst {worst:.1e}), {:.1} ms a step",
        scene.world.len(),
        scene.moved(),
        scene.world.time(),
        sweeps as f64 / steps as f64,
        1e3 * clock.elapsed().as_secs_f64() / steps as f64,
    );
    Ok(())
}
