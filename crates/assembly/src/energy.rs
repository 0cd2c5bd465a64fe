//! The energy of a run, each term integrated on its own.

use klast_numerics::CompensatedSum;

/// Energy balance of a run: kinetic − initial = drive − impacts − friction, each integrated on its own, J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyBalance {
    /// Kinetic energy in the laboratory at time zero.
    pub initial: f64,
    /// Kinetic energy in the laboratory now.
    pub kinetic: f64,
    /// Work of walls and floor on the blocks.
    pub drive: f64,
    /// Energy dissipated by impacts.
    pub impacts: f64,
    /// Energy dissipated by sliding on the floor.
    pub friction: f64,
    /// Sum of the absolute values of all terms added up, the scale of rounding.
    pub turnover: f64,
}

impl EnergyBalance {
    /// kinetic − initial − drive + impacts + friction, J; zero but for rounding.
    #[must_use]
    pub fn residual(&self) -> f64 {
        let sum: CompensatedSum = [
            self.kinetic,
            -self.initial,
            -self.drive,
            self.impacts,
            self.friction,
        ]
        .into_iter()
        .collect();
        sum.value()
    }

    /// The residual over the turnover; 0 when nothing moved.
    #[must_use]
    pub fn relative_residual(&self) -> f64 {
        if self.turnover > 0.0 {
            self.residual() / self.turnover
        } else {
            self.residual()
        }
    }
}

/// The terms of the balance so far, as sums of many small parts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EnergyTerms {
    pub(crate) initial: f64,
    pub(crate) drive: CompensatedSum,
    pub(crate) impacts: CompensatedSum,
    pub(crate) friction: CompensatedSum,
    pub(crate) turnover: f64,
}

impl EnergyTerms {
    /// A run that begins with this kinetic energy, J.
    pub(crate) fn new(initial: f64) -> Self {
        Self {
            initial,
            turnover: initial,
            ..Self::default()
        }
    }

    #[inline]
    pub(crate) fn add_drive(&mut self, work: f64) {
        self.drive.add(work);
        self.turnover += work.abs();
    }

    #[inline]
    pub(crate) fn add_friction(&mut self, heat: f64) {
        self.friction.add(heat);
        self.turnover += heat.abs();
    }

    #[inline]
    pub(crate) fn add_impact(&mut self, heat: f64) {
        self.impacts.add(heat);
        self.turnover += heat.abs();
    }
}
