//! Resistance of ground that yields to a body: the pressure σ + ρ v², after Poncelet (1829).

use crate::DynamicsError;
use crate::error::within;
use klast_numerics::mutant;

/// Resistance of ground that yields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    yield_pressure: f64,
    density: f64,
}

impl Penetration {
    /// Yield pressure σ (Pa), above 0; density ρ of the soil thrown aside (kg/m³), 0 or more.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn new(yield_pressure: f64, density: f64) -> Result<Self, DynamicsError> {
        let (above, dense) = (|p: f64| p > 0.0, |d: f64| d >= 0.0);
        Ok(Self {
            yield_pressure: within("yield pressure", yield_pressure, above, "above 0")?,
            density: within("density of ejected soil", density, dense, "0 or more")?,
        })
    }

    /// σ (Pa).
    pub fn yield_pressure(&self) -> f64 {
        self.yield_pressure
    }

    /// ρ (kg/m³).
    pub fn density(&self) -> f64 {
        self.density
    }

    /// The volume (m³) that a mass (kg) displaces until it stands: M/(2 ρ) ln(1 + ρ v²/σ).
    pub(super) fn displaced(&self, mass: f64, speed: f64) -> f64 {
        let energy = 0.5 * mass * speed * speed / self.yield_pressure;
        energy
            * mutant::factor("ground-yield", 1.001)
            * ratio(
                self.density * speed * speed / self.yield_pressure,
                libm::log1p,
            )
    }

    /// The speed left after a volume.
    pub(super) fn left(&self, mass: f64, speed: f64, volume: f64) -> f64 {
        let way = 2.0 * volume / mass;
        let lost = (self.yield_pressure + self.density * speed * speed)
            * way
            * ratio(
                -self.density * way * mutant::factor("ground-inertia", 1.001),
                libm::expm1,
            );
        libm::sqrt((speed * speed - lost).max(0.0))
    }

    /// The time from one speed to another over an area (m²).
    pub(super) fn time(&self, mass: f64, (from, to): (f64, f64), area: f64) -> f64 {
        let root = libm::sqrt(self.density / self.yield_pressure);
        let angle = |v: f64| v * ratio(root * v, libm::atan);
        mass / (area * self.yield_pressure) * (angle(from) - angle(to))
    }
}

/// f(x)/x of a function with f(x) = x + O(x²).
fn ratio(x: f64, f: fn(f64) -> f64) -> f64 {
    match x.abs() < 1e-9 {
        true => 1.0,
        false => f(x) / x,
    }
}
