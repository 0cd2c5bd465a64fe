//! Pseudo-arclength continuation along the solutions of smoothed problems.
//!
//! A homotopy in which the smoothing τ falls ends at a fold, where its solution meets another one and both end. But all
//! solutions `F(z, τ) = 0` are one curve in `(z, ln τ)`, which turns around at a fold and continues. At large τ there
//! is one solution, so the curve that starts there can only end at a solution of the problem itself, or at infinity.
//! Each step goes along the tangent and returns to the curve by Newton's method at right angles to it (Keller 1977).
//!
//! Lengths are measured by the effect of a change on the laws: at each contact in units of its distance from the next
//! change of state, at least τ. So a fold made by two contacts of thousands is as long as any other, and steps need not
//! shrink to pass it.

use glam::DVec3;

/// First and least step along the curve, and the largest change of ln τ in one.
const FIRST: f64 = 1.0;
const LEAST: f64 = 1e-4;
const LARGEST: f64 = 1.0;
/// Corrector steps at most.
const CORRECTIONS: usize = 5;
/// The first correction must be no longer than this part of the predictor step, and corrections shrink by this factor.
const ASIDE: f64 = 0.3;
const SHRINK: f64 = 0.5;
/// A correction is the last at this part of the predictor step, if that is not much in itself; and where it is
/// rounding.
const ARRIVED: f64 = 0.05;
const CLOSE: f64 = 0.3;
const ROUNDING: f64 = 0.03;
/// With fewer corrections than these the next predictor step is longer; the factors after that and after failure.
const EASY: usize = 2;
const LONGER: f64 = 2.0;
const SHORTER: f64 = 0.4;
/// ln τ over that of the start at which the curve is taken to have turned back.
const BEYOND: f64 = 3.0;

/// The equations `F(z, τ) = 0` whose solutions are followed.
pub(crate) trait SmoothedCurve {
    /// Fills in Newton's step `A⁻¹ F` and the slope `A⁻¹ ∂F/∂ln τ` at the present `z` and ln τ, `A = ∂F/∂z`; false
    /// where the matrix is singular.
    fn linearise(&mut self, log_tau: f64, unknowns: &mut [ContactUnknown]) -> bool;
}

/// A point on the curve or near it, kept between runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct ArclengthContinuation {
    pub unknowns: Vec<ContactUnknown>,
    /// ln τ: now, at the last point that was reached, and at the start.
    pub log_tau: f64,
    reached: f64,
    start: f64,
    stage: Stage,
    /// Change of ln τ along a tangent of length one, and the length of the predictor step.
    rise: f64,
    length: f64,
    /// Corrections since it, and the length of the last.
    corrections: usize,
    last_correction: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// Newton's method at the τ of the start, with so many steps left.
    Approaching(usize),
    Following,
    #[default]
    Lost,
}

/// One contact's part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactUnknown {
    pub z: DVec3,
    /// What [`SmoothedCurve::linearise`] gives.
    pub newton: DVec3,
    pub slope: DVec3,
    mu: f64,
    /// What makes τ a length in `z`.
    unit: f64,
    /// `z` at the last point that was reached, and the tangent there.
    last: DVec3,
    tangent: DVec3,
    /// One over the squared distance from the next change of state.
    weight: f64,
}

impl ContactUnknown {
    pub fn new(z: DVec3, mu: f64, unit: f64) -> Self {
        Self {
            z,
            mu,
            unit,
            ..Self::default()
        }
    }
}

impl ArclengthContinuation {
    /// Starts beside the curve, at ln τ; at most so many Newton steps lead to it.
    pub fn begin(
        &mut self,
        log_tau: f64,
        approach: usize,
        unknowns: impl Iterator<Item = ContactUnknown>,
    ) {
        self.unknowns.clear();
        self.unknowns.extend(unknowns);
        (self.log_tau, self.start, self.reached) = (log_tau, log_tau, log_tau);
        self.stage = Stage::Approaching(approach);
        self.rise = -1.0;
        self.length = FIRST;
    }

    /// One linearisation: Newton's step towards the curve at the τ of the start, or a step along it.
    pub fn step(&mut self, system: &mut impl SmoothedCurve) {
        let solved = system.linearise(self.log_tau, &mut self.unknowns);
        match self.stage {
            Stage::Approaching(left) => {
                self.stage = if solved && self.approach() {
                    Stage::Following
                } else if solved && left > 1 {
                    Stage::Approaching(left - 1)
                } else {
                    Stage::Lost
                };
            }
            Stage::Following => self.advance(solved),
            Stage::Lost => {}
        }
    }

    /// Whether there is a step to do before ln τ is at `end`.
    pub fn continues(&self, end: f64) -> bool {
        match self.stage {
            Stage::Approaching(_) => true,
            Stage::Following => !self.has_reached(end) && !self.is_lost(),
            Stage::Lost => false,
        }
    }

    /// Whether the curve has been reached.
    pub fn is_on_curve(&self) -> bool {
        self.stage == Stage::Following
    }

    /// Whether a point at ln τ = `end` or under it was reached.
    pub fn has_reached(&self, end: f64) -> bool {
        self.is_on_curve() && self.reached <= end
    }

    /// Returns to the last point that was reached.
    pub fn restore(&mut self) {
        for p in &mut self.unknowns {
            p.z = p.last;
        }
        self.log_tau = self.reached;
    }

    /// The predictor step along the tangent, from the last point that was reached.
    pub fn predict(&mut self) {
        for p in &mut self.unknowns {
            p.z = p.last + p.tangent * self.length;
        }
        self.log_tau = self.reached + self.rise * self.length;
        (self.corrections, self.last_correction) = (0, f64::INFINITY);
    }

    /// Newton's step at the τ of the start; whether it has reached the curve. The first predictor step is then done.
    fn approach(&mut self) -> bool {
        self.weigh();
        let mut square = 0.0;
        for p in &mut self.unknowns {
            p.z -= p.newton;
            square += p.newton.length_squared() * p.weight;
        }
        let reached = square <= CLOSE * CLOSE;
        if reached {
            self.accept();
            self.predict();
        }
        reached
    }

    /// Newton's correction, if the linear systems could be solved, and what follows from its length: another one, the
    /// next predictor step, or a shorter one.
    fn advance(&mut self, solved: bool) {
        let correction = if solved {
            self.correct()
        } else {
            f64::INFINITY
        };
        if correction <= (ARRIVED * self.length).clamp(ROUNDING, CLOSE) {
            if self.corrections < EASY {
                let largest = LARGEST / self.rise.abs().max(f64::MIN_POSITIVE);
                self.length = (LONGER * self.length).min(largest);
            }
            self.accept();
            self.predict();
            return;
        }
        let near = (ASIDE * self.length)
            .max(ROUNDING)
            .min(SHRINK * self.last_correction);
        if correction <= near && self.corrections < CORRECTIONS {
            (self.corrections, self.last_correction) = (self.corrections + 1, correction);
        } else {
            self.length *= SHORTER;
            self.predict();
        }
    }

    /// Whether the curve has turned back, or can not be followed.
    fn is_lost(&self) -> bool {
        !(LEAST..).contains(&self.length) || self.reached > self.start + BEYOND
    }

    /// Newton's step at right angles to the tangent; its length.
    fn correct(&mut self) -> f64 {
        let (mut newton, mut slope) = (0.0, 0.0);
        for p in &self.unknowns {
            newton += p.tangent.dot(p.newton) * p.weight;
            slope += p.tangent.dot(p.slope) * p.weight;
        }
        let rise = newton / (self.rise - slope);
        let mut square = rise * rise;
        for p in &mut self.unknowns {
            let step = -(p.newton + p.slope * rise);
            p.z += step;
            square += step.length_squared() * p.weight;
        }
        self.log_tau += rise;
        square.sqrt()
    }

    /// Accepts the point; orients its tangent along the previous one.
    fn accept(&mut self) {
        let against = |p: &ContactUnknown| p.tangent.dot(p.slope) * p.weight;
        let back = self.rise < self.unknowns.iter().map(against).sum();
        self.weigh();
        let along = |p: &ContactUnknown| p.slope.length_squared() * p.weight;
        let rise = 1.0 / (1.0 + self.unknowns.iter().map(along).sum::<f64>()).sqrt();
        self.rise = if back { -rise } else { rise };
        for p in &mut self.unknowns {
            p.tangent = -p.slope * self.rise;
            p.last = p.z;
        }
        self.reached = self.log_tau;
    }

    fn weigh(&mut self) {
        let tau = libm::exp(self.log_tau);
        for p in &mut self.unknowns {
            let z = p.z;
            let mut distance = z.x.abs();
            if z.x > 0.0 && p.mu > 0.0 {
                let to_disc = (z.y * z.y + z.z * z.z).sqrt() - p.mu * z.x;
                distance = distance.min(to_disc.abs());
            }
            distance += tau * p.unit;
            p.weight = 1.0 / (distance * distance);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `z³ − 3 z = ln τ + 4` in the normal: two folds, at z = ±1, ln τ = −4 ∓ 2.
    struct Cubic;

    impl SmoothedCurve for Cubic {
        fn linearise(&mut self, log_tau: f64, unknowns: &mut [ContactUnknown]) -> bool {
            let z = unknowns[0].z.x;
            let slope = 3.0 * z * z - 3.0;
            unknowns[0].newton = DVec3::X * ((z * z * z - 3.0 * z - log_tau - 4.0) / slope);
            unknowns[0].slope = DVec3::X * (-1.0 / slope);
            true
        }
    }

    /// From ln τ = 0 down a homotopy in which τ falls ends at ln τ = −6; the curve rises to −2 and falls again.
    #[test]
    fn a_curve_is_followed_past_its_folds() {
        let mut curve = ArclengthContinuation::default();
        let start = ContactUnknown::new(DVec3::X * 2.5, 0.0, 1.0);
        curve.begin(0.0, 50, [start].into_iter());
        while !curve.is_on_curve() {
            curve.step(&mut Cubic);
            assert!(curve.continues(-10.0));
        }
        let (mut most, mut steps, mut reached) = (f64::NEG_INFINITY, 0, curve.reached);
        while curve.continues(-10.0) && steps < 1000 {
            curve.step(&mut Cubic);
            steps += 1;
            if curve.reached != reached {
                reached = curve.reached;
                if curve.unknowns[0].last.x.abs() < 1.0 {
                    most = reached.max(most);
                }
            }
        }
        // Down to the first fold, up to the second on the branch between them, down for good.
        let end = curve.unknowns[0].last.x;
        assert!(curve.has_reached(-10.0) && end < -2.0, "{end} {steps}");
        assert!((-2.5..-1.8).contains(&most), "{most}");
        let error = end * end * end - 3.0 * end - curve.reached - 4.0;
        // What the last correction may leave.
        assert!(error.abs() < 0.3, "{error}");
    }
}
