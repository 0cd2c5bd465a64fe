//! Sums of motions: the component of two along a direction between them.

use super::{Component, GroundMotionError, Law};
use klast_numerics::check::require;

impl Component {
    /// a times this motion and b times another one, exact: straight lines add up to straight lines, and waves of one
    /// frequency to a wave.
    ///
    /// # Errors
    /// Factors that are not finite; waves beside straight lines that are not 0, or beside waves of another frequency.
    pub fn combined(&self, a: f64, other: &Self, b: f64) -> Result<Self, GroundMotionError> {
        require("factor", a, true, "finite")?;
        require("factor", b, true, "finite")?;
        let mut times = self.discontinuities();
        times.extend(other.discontinuities());
        times.sort_by(f64::total_cmp);
        times.dedup();
        let Some(&start) = times.first() else {
            return Ok(Self::at_rest());
        };
        // One that lasts has no last time.
        let lasts = self.duration().max(other.duration());
        if lasts == f64::INFINITY {
            times.push(lasts);
        }
        let mut laws = Vec::with_capacity(times.len());
        for pair in times.windows(2) {
            let law = |of: &Self| of.piece_at(pair[0]).law_from(pair[0]);
            laws.push((pair[1] - pair[0], sum((a, law(self)), (b, law(other)))?));
        }
        let displacement = a * self.displacement(start) + b * other.displacement(start);
        let velocity = a * self.velocity(start) + b * other.velocity(start);
        Self::chain(start, displacement, velocity, &laws)
    }
}

/// a times one law and b times another.
fn sum((a, one): (f64, Law), (b, other): (f64, Law)) -> Result<Law, GroundMotionError> {
    let is_none = |factor: f64, law: Law| match law {
        Law::Linear { value, slope } => factor == 0.0 || value == 0.0 && slope == 0.0,
        Law::Sine { amplitude, .. } => factor == 0.0 || amplitude == 0.0,
    };
    match (one, other) {
        _ if is_none(b, other) => Ok(one.times(a)),
        _ if is_none(a, one) => Ok(other.times(b)),
        (Law::Linear { value, slope }, Law::Linear { value: v, slope: s }) => Ok(Law::Linear {
            value: a * value + b * v,
            slope: a * slope + b * s,
        }),
        (
            Law::Sine {
                amplitude,
                omega,
                phase,
            },
            Law::Sine {
                amplitude: height,
                omega: frequency,
                phase: from,
            },
        ) if omega == frequency => {
            let ((sin, cos), (s, c)) = (libm::sincos(phase), libm::sincos(from));
            let across = a * amplitude * sin + b * height * s;
            let along = a * amplitude * cos + b * height * c;
            Ok(Law::Sine {
                amplitude: libm::hypot(along, across),
                omega,
                phase: libm::atan2(across, along),
            })
        }
        (Law::Sine { omega, .. }, _) | (_, Law::Sine { omega, .. }) => {
            let accepted = "waves of one frequency along both directions, or records";
            Err(
                klast_numerics::OutOfRange::new("waves across another motion", omega, accepted)
                    .into(),
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{AccelerationUnit, Component, Frequency, Record};

    /// Acceleration, velocity and displacement of a sum are the sums of those of its parts, at times in and between the
    /// pieces of both.
    #[test]
    fn a_sum_moves_as_its_parts() {
        let unit = AccelerationUnit::MetrePerSecondSquared;
        let record = |step: f64, samples: &[f64]| {
            let record = Record::uniform(step, samples, unit).unwrap();
            record.component(1.0).unwrap()
        };
        let short = record(0.01, &[0.0, 1.0, -2.0, 0.5]);
        let long = record(0.007, &[0.3, 0.0, -1.0, 2.0, 0.0, 1.0, 0.0]);
        let wave = |phase, waves| {
            Component::waves(2.0, Frequency::rad_per_s(100.0), phase, waves).unwrap()
        };
        let rest = Component::at_rest();
        let pairs = [
            (short.clone(), long.clone()),
            (wave(0.3, 0.8), wave(1.9, 0.4)),
            (rest.clone(), long.clone()),
            (wave(0.0, f64::INFINITY), wave(1.0, 0.5)),
            (short.clone(), rest),
        ];
        for (one, other) in &pairs {
            let (a, b) = (0.6, -0.8);
            let sum = one.combined(a, other, b).unwrap();
            for k in 0..90 {
                let t = 1.1e-3 * f64::from(k);
                let parts = |of: fn(&Component, f64) -> f64| {
                    (of(&sum, t), a * of(one, t) + b * of(other, t))
                };
                for (found, wanted) in [
                    parts(Component::acceleration),
                    parts(Component::velocity),
                    parts(Component::displacement),
                ] {
                    assert!((found - wanted).abs() < 1e-12, "{t}: {found} {wanted}");
                }
            }
        }
        assert!(short.combined(1.0, &wave(0.0, 1.0), 1.0).is_err());
        let other = Component::waves(1.0, Frequency::rad_per_s(50.0), 0.0, 1.0).unwrap();
        assert!(wave(0.0, 1.0).combined(1.0, &other, 1.0).is_err());
        assert!(short.combined(f64::NAN, &long, 1.0).is_err());
    }
}
