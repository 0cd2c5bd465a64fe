//! Random prisms in a plane of symmetry: the peak rotation in space against the plane engine's, at 0.5 ms and at half and
//! a quarter of it, beside how far a ten-thousandth of the restitution moves it.
//!
//! `cargo run --release -p klast-rocking --example prisms_in_a_plane -- [PRISMS] [SEED]`

use klast_dynamics::ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{SpatialBody, SpatialMotion, SpatialOptions};
use klast_rocking::{Options, Outcome, Restitution, RestitutionModel, RockingBlock, simulate};

const G: f64 = 9.81;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let prisms: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let mut state: u64 = arguments.next().map_or(Ok(12_345), |text| text.parse())?;
    let mut draw = |from: f64, to: f64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        from + (to - from) * (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut tried, mut sums, mut worst) = (0, [0.0f64; 3], [0.0f64; 3]);
    println!("impacts  0.5 ms    0.25 ms   0.125 ms  times a change of restitution");
    while tried < prisms {
        let width = draw(0.3, 0.8);
        let height = width * draw(2.5, 5.0);
        let amplitude = G * width / height * draw(1.1, 2.5);
        let (frequency, waves) = (Frequency::hertz(draw(1.0, 4.0)), draw(1.0, 3.0));
        let wave = Component::waves(amplitude, frequency, 0.0, waves)?;
        let block = RockingBlock::rectangle(width, height, G)?;
        let motion = GroundMotion::horizontal(wave.clone());
        let plane = |material: f64| {
            let law = Restitution::with_material(RestitutionModel::Housner, material)?;
            simulate(&block, &law, &motion, &Options::new(4.0))
        };
        let run = plane(1.0)?;
        let overturned = matches!(run.outcome, Outcome::Overturned(_));
        if overturned
            || run
                .contact
                .is_none_or(|contact| contact.needed_friction > 0.95)
        {
            continue;
        }
        tried += 1;
        let peak = run.largest_rotation;
        let moved = (plane(1.0 - 1e-4)?.largest_rotation / peak - 1.0).abs() / 1e-4;
        let body = SpatialBody::prism(width, 0.9, height, 2500.0)?;
        let motion = SpatialMotion {
            components: [wave, Component::at_rest(), Component::at_rest()],
        };
        let mut off = [0.0; 3];
        for (off, step) in off.iter_mut().zip([5e-4, 2.5e-4, 1.25e-4]) {
            let options = SpatialOptions {
                step,
                ..SpatialOptions::new(4.0, 1.0)
            };
            let found = body.run(&motion, G, &options)?;
            *off = found.largest_tilt / peak - 1.0;
        }
        println!(
            "{:7}  {:+.2e} {:+.2e} {:+.2e}  {moved:.2}",
            run.impacts, off[0], off[1], off[2]
        );
        for ((sum, most), off) in sums.iter_mut().zip(&mut worst).zip(off) {
            *sum += off.abs() / prisms as f64;
            *most = most.max(off.abs());
        }
    }
    println!("means    {:.2e}  {:.2e}  {:.2e}", sums[0], sums[1], sums[2]);
    println!(
        "largest  {:.2e}  {:.2e}  {:.2e}",
        worst[0], worst[1], worst[2]
    );
    Ok(())
}
