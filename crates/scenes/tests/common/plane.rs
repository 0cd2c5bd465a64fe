//! A plane in the Swiss frame that falls to the east.

use std::fmt::Write as _;

/// A grid of 200 m by 100 m that falls by 0.7 m a metre.
pub fn plane() -> String {
    let mut text =
        String::from("ncols 41\nnrows 21\nxllcenter 2600000\nyllcenter 1200000\ncellsize 5\n");
    for _ in 0..21 {
        let row: Vec<String> = (0..41)
            .map(|k| format!("{:.3}", 500.0 - 3.5 * f64::from(k)))
            .collect();
        let _ = writeln!(text, "{}", row.join(" "));
    }
    text
}
