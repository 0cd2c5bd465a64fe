//! How often the bands of thrown boxes hold what the throws were made with, and how often a wrong law is taken.
//!
//! `cargo run --release -p klast-rockfall --example thrown_campaigns -- CAMPAIGNS THROWS ERROR_M` draws a law, a
//! friction and a restitution for each campaign. `... -- tracks FILE` writes the tracks of the example `thrown.json`:
//! ten throws by Stronge's law with μ = 0.35, e = 0.55 and an error of 1 mm in each coordinate.

mod made_throws;

use std::error::Error;
use std::fmt::Write as _;

use klast_contact::{Friction, ImpactLaw};
use klast_runs::fit::wins;
use klast_sampling::{Purpose, Streams, open_uniform};
use made_throws::{experiment, fit, thrown};

const NAMES: [&str; 4] = ["newton", "sequential", "poisson", "stronge"];

fn laws() -> [ImpactLaw; 4] {
    let friction = Friction::MaximumDissipation;
    [
        ImpactLaw::default(),
        ImpactLaw::Sequential { friction },
        ImpactLaw::Poisson,
        ImpactLaw::Stronge,
    ]
}

fn tracks(file: &str) -> Result<(), Box<dyn Error>> {
    let (_, _, throws) = thrown(10, 11, (&ImpactLaw::Stronge, 0.35, 0.55), 0.001);
    let mut text = String::from(
        "throw,time_s,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s\n",
    );
    for throw in &throws {
        for (k, sample) in throw.samples.iter().enumerate() {
            let [x, y, z] = match k {
                0 => throw.start.pose.translation.to_array(),
                _ => sample.centre.to_array(),
            };
            write!(
                text,
                "{},{:.3},{x:.4},{y:.4},{z:.4}",
                throw.name, sample.time
            )?;
            if k > 0 {
                text.push_str(",,,,,,,,,,\n");
                continue;
            }
            let (q, v) = (throw.start.pose.rotation, throw.start.velocity);
            let turn = [q.w, q.x, q.y, q.z].map(|c| format!("{c:.6}")).join(",");
            let speeds = [v.linear, v.angular].map(|v| format!("{:.4},{:.4},{:.4}", v.x, v.y, v.z));
            writeln!(text, ",{turn},{}", speeds.join(","))?;
        }
    }
    Ok(std::fs::write(file, text)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, file] = arguments.as_slice()
        && word == "tracks"
    {
        return tracks(file);
    }
    let number = |k: usize, default: f64| -> Result<f64, Box<dyn Error>> {
        Ok(arguments.get(k).map_or(Ok(default), |a| a.parse())?)
    };
    let (campaigns, count) = (number(0, 20.0)? as u64, number(1, 10.0)? as usize);
    let error = number(2, 0.001)?;
    let (mut inside, mut right, mut wrong) = ([0, 0], 0, 0);
    for campaign in 0..campaigns {
        let mut rng = Streams::new(campaign).rng(Purpose::Material, 0);
        let mut draw = |low: f64, high: f64| low + (high - low) * open_uniform(&mut rng);
        let truth = [draw(0.15, 0.8), draw(0.2, 0.8)];
        let own = (draw(0.0, 4.0) as usize).min(3);
        let laws = laws();
        let made = (&laws[own], truth[0], truth[1]);
        let (body, slope, throws) = thrown(count, 100 + campaign, made, error);
        let experiment = experiment(&slope, &body);
        let found = laws
            .iter()
            .map(|law| fit(&experiment, &throws, (law, [0.0, 1.5]), (13, 500)))
            .collect::<Result<Vec<_>, _>>()?;
        for (k, count) in inside.iter_mut().enumerate() {
            let found = found[own].parameters[k];
            *count += usize::from(found.low <= truth[k] && truth[k] <= found.high);
        }
        let best = (0..4)
            .min_by(|a, b| found[*a].rms.total_cmp(&found[*b].rms))
            .unwrap_or(0);
        let decided = (0..4).all(|k| k == best || wins(&found[best], &found[k]) >= 0.95);
        right += usize::from(decided && best == own);
        wrong += usize::from(decided && best != own);
        let [mu, e, _] = found[own].parameters;
        println!(
            "{campaign}: {} mu {:.3} in {:.3} to {:.3}, e {:.3} in {:.3} to {:.3}; {} {}",
            NAMES[own],
            truth[0],
            mu.low,
            mu.high,
            truth[1],
            e.low,
            e.high,
            match decided {
                true => "decided for",
                false => "undecided, least:",
            },
            NAMES[best]
        );
    }
    println!(
        "inside 90 % bands: mu {} e {} of {campaigns}; law right {right}, wrong {wrong}, else undecided",
        inside[0], inside[1]
    );
    Ok(())
}
