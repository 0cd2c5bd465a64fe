//! Missing data: numbers that stand for it, named by the header or not.

use crate::digits::short;
use klast_geometry::terrain::Values;

/// No height is as large: programs print the greatest single and double, which stand for missing data, with as many
/// digits as they like, and Surfer writes 1.70141e38 where it has none.
const HUGE: f64 = 1.7e38;
/// Gridding programs write this, as a single or a double.
const GRIDDED: [f64; 2] = [1e30, 1e30_f32 as f64];

/// Heights (m) of ground: from below the deepest sea to above the highest summit.
const GROUND: std::ops::RangeInclusive<f64> = -12_000.0..=9_000.0;
/// Step (m, and as a multiple of the cell) to the next height from which a lowest or highest one is doubted.
const DOUBTED_STEP: (f64, f64) = (50.0, 4.0);

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
    value.abs() >= HUGE || GRIDDED.contains(&value)
}

/// Takes numbers that programs write for missing data as such where no header names them (`stated` says that it names
/// another) and no other height is near; says so in a line for each. All cells of a `whole` raster may have one value;
/// a part of it that has a number for missing data only is a hole.
pub fn settle(values: &mut Values, stated: bool, whole: bool) -> Vec<String> {
    let mut said = Vec::new();
    for sentinel in SENTINELS {
        let is = |v: &f64| *v == sentinel;
        let count = values.iter().filter(is).count();
        if count == 0 {
            continue;
        }
        // Depths of the sea reach 11 km: heights that come near say that this is one of them.
        let near = |v: &f64| !is(v) && *v < sentinel + 4000.0 && *v > sentinel - 4000.0;
        if values.iter().any(|v| near(&v)) || (whole && count == values.len()) {
            continue;
        }
        values.update(|_, v| if is(&v) { f64::NAN } else { v });
        let header = if stated {
            "names another number"
        } else {
            "names none"
        };
        said.push(format!(
            "{count} cells of {sentinel} are taken as missing data; the header {header}"
        ));
    }
    said
}

/// What is doubtful in the heights (m) of cells: such as no ground has; a lowest or a highest one far from all others,
/// as a number for missing data is that no header names.
#[must_use]
pub fn doubts(heights: &Values, cell: f64) -> Vec<String> {
    let mut doubts = Vec::new();
    let present = || heights.iter().filter(|h| !h.is_nan());
    if let Some(beyond) = present().find(|h| !GROUND.contains(h)) {
        doubts.push(format!(
            "a height of {} m is none of the Earth: is the unit right, or is it a number for missing data?",
            short(beyond)
        ));
    }
    let (step, cells) = DOUBTED_STEP;
    for (sign, name, beside) in [(1.0, "lowest", "below"), (-1.0, "highest", "above")] {
        let (mut first, mut next, mut count) = (f64::INFINITY, f64::INFINITY, 0);
        for h in present().map(|h| sign * h) {
            if h < first {
                (first, next, count) = (h, first, 1);
            } else if h == first {
                count += 1;
            } else {
                next = next.min(h);
            }
        }
        let gap = next - first;
        if gap.is_finite() && gap > step.max(cells * cell) {
            doubts.push(format!(
                "{count} cells have the {name} height, {} m, {} m {beside} all others: is it a number for missing \
                    data?",
                short(sign * first),
                short(gap)
            ));
        }
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slope of 35° in cells of 5 m; zeros of a sea, -99, 65535 and 1e6 among it are doubted, a cliff of 30 m is not.
    #[test]
    fn numbers_far_from_all_heights_are_doubted() {
        let slope: Vec<f64> = (0..40).map(|k| 500.0 - 3.5 * f64::from(k)).collect();
        let with = |value: f64| {
            let mut heights = slope.clone();
            heights.extend([value, value, f64::NAN]);
            doubts(&heights.into(), 5.0)
        };
        assert_eq!(doubts(&slope.clone().into(), 5.0), Vec::<String>::new());
        assert_eq!(with(330.0), Vec::<String>::new());
        // 363.5 is the lowest of the slope, 500 the highest.
        for (value, said) in [
            (
                0.0,
                "2 cells have the lowest height, 0 m, 363.5 m below all others",
            ),
            (
                -99.0,
                "2 cells have the lowest height, -99 m, 462.5 m below",
            ),
            (
                9000.0,
                "2 cells have the highest height, 9000 m, 8500 m above",
            ),
        ] {
            let found = with(value);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with(said), "{found:?}");
        }
        let found = with(65_535.0);
        assert!(found[0].starts_with("a height of 65535 m is none of the Earth"));
        assert!(found[1].starts_with("2 cells have the highest height, 65535 m"));
    }
}
