//! What the heights of a ground can tell apart.
//!
//! Heights rounded to a step ρ are off by up to ρ/2, so the slope of a facet that is w wide in plan is off by up to
//! ρ/w, and two facets of one plane meet at a kink of up to ρ/w₁ + ρ/w₂ that is none. At 20 m/s a kink of 1 cm on 1 m
//! throws a mass off at 0.2 m/s: an artefact, and faster than what counts as rest.

use super::{Facet, TerrainError};
use glam::DVec2;
use klast_numerics::OutOfRange;

/// Decimals looked at: more say nothing about a survey, and a double of a kilometre has no more than twelve.
const MOST_DECIMALS: i32 = 9;

/// Steps above this (m) may be chosen, and so many heights say nothing about that.
const CENTIMETRE: f64 = 0.01;
const FEW_HEIGHTS: usize = 16;

/// The step to which the heights of a ground are rounded, or how far they are uncertain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerticalResolution {
    /// ρ (m).
    pub height: f64,
    /// The most that ρ may hide of the slope of a facet (tan).
    pub steepest: f64,
}

impl VerticalResolution {
    /// Heights that are exact.
    pub const EXACT: VerticalResolution = VerticalResolution {
        height: 0.0,
        steepest: 0.0,
    };

    /// What the digits of the heights say: 10⁻ᵈ m with the fewest decimals d, 0 to 9, that write them all, else the
    /// spacing of floating-point numbers at the largest of them, single precision where they all are single-precision
    /// numbers. NaN is missing data and left out.
    ///
    /// It is the resolution of the file, not the accuracy of the survey, which may be much worse. Heights in whole
    /// metres or decimetres may be rounded, or chosen: up to 16 of them count as exact, and more hide at most 0.02 of
    /// the slope of a facet (1.1°).
    pub fn read(heights: impl Iterator<Item = f64> + Clone) -> Self {
        let few = heights.clone().nth(FEW_HEIGHTS).is_none();
        let height = last_digit(heights);
        match height > CENTIMETRE {
            true if few => VerticalResolution::EXACT,
            coarse => VerticalResolution {
                height,
                steepest: if coarse { 0.02 } else { f64::INFINITY },
            },
        }
    }

    /// What somebody who knows the survey says (m); it may hide any slope.
    pub fn stated(height: f64) -> Result<Self, TerrainError> {
        if height.is_finite() && height >= 0.0 {
            return Ok(VerticalResolution {
                height,
                steepest: f64::INFINITY,
            });
        }
        Err(OutOfRange::new(
            "vertical resolution",
            height,
            "a finite height of 0 m or more",
        )
        .into())
    }

    /// How far the slope of a facet along a horizontal direction is uncertain (tan).
    pub fn of_slope(&self, facet: &Facet, direction: DVec2) -> f64 {
        let width = facet.width(direction);
        if width > 0.0 {
            (self.height / width).min(self.steepest)
        } else {
            0.0
        }
    }

    /// How far the slopes of two facets may differ that are one plane.
    pub fn of_kink(&self, one: &Facet, other: &Facet) -> f64 {
        let across = (one.gradient() - other.gradient()).normalize_or(DVec2::X);
        self.of_slope(one, across) + self.of_slope(other, across)
    }
}

fn last_digit(heights: impl Iterator<Item = f64> + Clone) -> f64 {
    let heights = heights.filter(|h| h.is_finite());
    let Some(largest) = heights.clone().map(f64::abs).reduce(f64::max) else {
        return 0.0;
    };
    let single = heights.clone().all(|h| f64::from(h as f32) == h);
    // Half a unit in the last place is what writing a decimal number in binary costs; twice that for the product below.
    let unit = largest * f64::from(if single { f32::EPSILON } else { 0.0 }).max(f64::EPSILON);
    for decimals in 0..=MOST_DECIMALS {
        let scale = libm::pow(10.0, f64::from(decimals));
        let step = 1.0 / scale;
        if step <= 4.0 * unit {
            break;
        }
        let written = |h: f64| (h - (h * scale).round() / scale).abs() <= unit;
        if heights.clone().all(written) {
            return step;
        }
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::{VerticalResolution, last_digit};

    fn of(heights: &[f64]) -> f64 {
        last_digit(heights.iter().copied())
    }

    #[test]
    fn it_is_the_step_of_the_last_digit() {
        let slope = |k: i32| 700.0 - 0.7 * f64::from(k) * libm::sqrt(2.0);
        for decimals in 0..=9 {
            let scale = libm::pow(10.0, f64::from(decimals));
            let heights: Vec<f64> = (0..200)
                .map(|k| (slope(k) * scale).round() / scale)
                .collect();
            assert_eq!(of(&heights), 1.0 / scale);
            // The same in single precision, as far as that carries it.
            if decimals <= 3 {
                let single: Vec<f64> = heights.iter().map(|&h| f64::from(h as f32)).collect();
                let found = of(&single);
                let expected = (1.0 / scale).max(700.0 * f64::from(f32::EPSILON));
                assert!(
                    (0.9 * expected..=4.0 * expected).contains(&found),
                    "{found} {expected}"
                );
            }
        }
        let exact: Vec<f64> = (0..200).map(slope).collect();
        assert!(of(&exact) < 1e-12 && of(&exact) > 0.0);
    }

    #[test]
    fn missing_heights_say_nothing() {
        assert_eq!(of(&[]), 0.0);
        assert_eq!(of(&[f64::NAN]), 0.0);
        assert_eq!(of(&[f64::NAN, 1.25, 2.5]), 0.01);
    }

    #[test]
    fn a_few_whole_metres_are_chosen() {
        let of =
            |n: i32, step: f64| VerticalResolution::read((0..n).map(move |k| f64::from(k) * step));
        assert_eq!(of(16, 3.0), VerticalResolution::EXACT);
        assert_eq!(of(17, 3.0).height, 1.0);
        assert_eq!(of(16, 0.03).height, 0.01);
    }

    #[test]
    fn no_resolution_is_negative() {
        assert!(VerticalResolution::stated(-0.01).is_err());
        assert!(VerticalResolution::stated(f64::NAN).is_err());
        assert!(VerticalResolution::stated(0.0).is_ok());
    }
}
