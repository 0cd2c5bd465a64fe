//! How a load goes with time.

use crate::DynamicsError;
use klast_numerics::OutOfRange;
use klast_numerics::check::finite;

/// A factor on a load, by the time (s).
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Course {
    /// 1 at all times.
    #[default]
    Constant,
    /// Straight lines between points of time (s) and factor; the first and the last factor hold before and after.
    Table(Vec<(f64, f64)>),
}

impl Course {
    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        let Self::Table(points) = self else {
            return Ok(());
        };
        if points.is_empty() {
            return Err(OutOfRange::new("points of a load in time", 0, "1 or more").into());
        }
        for (time, factor) in points {
            finite("time of a load", *time)?;
            finite("factor of a load", *factor)?;
        }
        match points.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            Some(pair) => {
                let accepted = format!("after {}, the time before it", pair[0].0);
                Err(OutOfRange::new("time of a load", pair[1].0, accepted).into())
            }
            None => Ok(()),
        }
    }

    /// Mean of the factor from a time on, over a duration above 0: the impulse is then exact, whatever the step.
    pub(super) fn mean(&self, from: f64, duration: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::Table(points) => integral(points, from, from + duration) / duration,
        }
    }
}

/// Integral of the lines between two times.
fn integral(points: &[(f64, f64)], from: f64, to: f64) -> f64 {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return 0.0;
    };
    let before = first.1 * (first.0.min(to) - from).max(0.0);
    let after = last.1 * (to - last.0.max(from)).max(0.0);
    let within: f64 = points
        .windows(2)
        .map(|pair| {
            let ((t0, f0), (t1, f1)) = (pair[0], pair[1]);
            let (a, b) = (t0.max(from), t1.min(to));
            let at = |t: f64| f0 + (f1 - f0) * ((t - t0) / (t1 - t0));
            (b - a).max(0.0) * 0.5 * (at(a) + at(b))
        })
        .sum();
    before + within + after
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle from 1 s over 2 s to 4 s: its integrals are areas of triangles and trapezes.
    #[test]
    fn the_mean_over_a_step_is_the_area_under_the_lines() {
        let course = Course::Table(vec![(1.0, 0.0), (2.0, 3.0), (4.0, 1.0)]);
        for (from, duration, area) in [
            (0.0, 1.0, 0.0),
            (1.0, 1.0, 1.5),
            (1.5, 0.25, 0.25 * (1.5 + 0.375)),
            (0.0, 5.0, 1.5 + 4.0 + 1.0),
            (3.0, 3.0, 1.5 + 2.0),
            (7.0, 2.0, 2.0),
        ] {
            let mean = course.mean(from, duration);
            assert!(
                (mean * duration - area).abs() < 1e-14,
                "{from} {duration}: {mean}"
            );
        }
        assert!((Course::Constant.mean(3.0, 0.1) - 1.0).abs() < 1e-15);
    }
}
