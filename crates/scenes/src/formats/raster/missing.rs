//! Missing data: numbers that stand for it, named by the header or not.

use super::Raster;

/// No height is as large: programs print the greatest single and double, which stand for missing data, with as many
/// digits as they like, and Surfer writes 1.70141e38 where it has none.
const HUGE: f64 = 1.7e38;

/// Numbers that programs write for missing data.
const SENTINELS: [f64; 6] = [
    -9999.0,
    -32768.0,
    -32767.0,
    -99999.0,
    -999_999.0,
    -9_999_999.0,
];

/// Whether a number is no height of anything.
#[must_use]
pub fn is_sentinel(value: f64) -> bool {
    value.abs() >= HUGE
}

impl Raster {
    /// Takes numbers that programs write for missing data as such where no header names them and no other height is
    /// near.
    pub fn settle(&mut self, stated: bool) {
        for sentinel in SENTINELS {
            let is = |v: &f64| *v == sentinel;
            let count = self.values.iter().filter(|v| is(v)).count();
            if count == 0 {
                continue;
            }
            // Depths of the sea reach 11 km: heights that come near say that this is one of them.
            let near = |v: &&f64| !is(v) && **v < sentinel + 4000.0 && **v > sentinel - 4000.0;
            if self.values.iter().any(|v| near(&v)) || count == self.values.len() {
                continue;
            }
            self.values
                .iter_mut()
                .filter(|v| is(v))
                .for_each(|v| *v = f64::NAN);
            let header = if stated {
                "names another number"
            } else {
                "names none"
            };
            self.cautions.push(format!(
                "{count} cells of {sentinel} are taken as missing data; the header {header}"
            ));
        }
    }
}
