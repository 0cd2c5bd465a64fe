//! Random prisms in a plane of symmetry: the peak rotation in space against the plane engine's, at 0.5 ms and at half
//! and a quarter of it, beside how far a ten-thousandth of the restitution moves it.
//!
//! `cargo run --release -p klast-rocking --example prisms_in_a_plane -- [PRISMS] [SEED]`

#[path = "../tests/common/random_prisms.rs"]
mod random_prisms;

use random_prisms::Case;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let prisms: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let mut state: u64 = arguments.next().map_or(Ok(12_345), |text| text.parse())?;
    let (mut means, mut worst) = ([0.0f64; 3], [0.0f64; 3]);
    println!("impacts  0.5 ms    0.25 ms   0.125 ms  times a change of restitution");
    for _ in 0..prisms {
        let case = Case::draw(&mut state)?;
        let mut off = [0.0; 3];
        for (off, step) in off.iter_mut().zip([5e-4, 2.5e-4, 1.25e-4]) {
            *off = case.off(step)?;
        }
        println!(
            "{:7}  {:+.2e} {:+.2e} {:+.2e}  {:.2}",
            case.impacts, off[0], off[1], off[2], case.sensitivity
        );
        for ((mean, most), off) in means.iter_mut().zip(&mut worst).zip(off) {
            *mean += off.abs() / prisms as f64;
            *most = most.max(off.abs());
        }
    }
    println!(
        "means    {:.2e}  {:.2e}  {:.2e}",
        means[0], means[1], means[2]
    );
    println!(
        "largest  {:.2e}  {:.2e}  {:.2e}",
        worst[0], worst[1], worst[2]
    );
    Ok(())
}
