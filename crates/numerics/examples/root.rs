//! The height at which a falling body has a given speed, by a bracketed root and by its closed form.
//!
//! `cargo run -p klast-numerics --example root`

use klast_numerics::{OutOfRange, check, roots};

fn main() -> Result<(), OutOfRange> {
    let speed = check::positive("speed_m_s", 12.0)?;
    let excess = |height: f64| (2.0 * 9.81 * height).sqrt() - speed;
    let root = roots::chandrupatla((0.0, excess(0.0)), (100.0, excess(100.0)), 0.0, excess);
    let closed_form = speed * speed / (2.0 * 9.81);
    println!(
        "{} m by root finding, {closed_form} m = v²/(2 g)",
        root.best
    );
    Ok(())
}
