//! Steps along a curve of smoothed problems' solutions by its own length.
//!
//! A path lets the smoothing τ fall and ends at a fold, where the solution that it stands on meets another one and both end.
//! But all solutions `F(z, τ) = 0` are one curve in `(z, ln τ)`, which turns around at a fold and goes on. At large τ there
//! is one solution, so the curve that starts there can only end at a solution of the problem itself, or at infinity. Each
//! step goes along the tangent and comes back to the curve by Newton's method at right angles to it (pseudo-arclength
//! continuation, Keller 1977).
//!
//! Lengths are measured by what a change does to the laws: at each contact in units of its distance from the next change of
//! state, at least τ. So a fold that two contacts of thousands make is as long as any other, and steps need not shrink to
//! pass it.

use glam::DVec3;

/// First and least step along the curve, and the largest change of ln τ in one.
const FIRST: f64 = 1.0;
const LEAST: f64 = 1e-4;
const LARGEST: f64 = 1.0;
/// Newton steps back to the curve.
const BACK: usize = 5;
/// The way back must be no longer at first than this part of the step along, and shrink by this factor.
const ASIDE: f64 = 0.3;
const SHRINK: f64 = 0.5;
/// A way back has arrived at this part of the step along, if that is not much in itself; and where it is rounding.
const ARRIVED: f64 = 0.05;
const CLOSE: f64 = 0.3;
const ROUNDING: f64 = 0.03;
/// With fewer steps back than these the next step along is longer; the factors after that and after failure.
const EASY: usize = 2;
const LONGER: f64 = 2.0;
const SHORTER: f64 = 0.4;
/// ln τ over that of the start at which the curve is taken to have turned back.
const BEYOND: f64 = 3.0;

/// A point on its way along the curve, kept between runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arclength {
    pub places: Vec<Place>,
    /// ln τ: now, at the last point that was reached, and at the start.
    pub height: f64,
    pub reached: f64,
    start: f64,
    /// Change of ln τ along a tangent of length one, and the length of the step.
    rise: f64,
    length: f64,
    /// Steps back to the curve, and the length of the last.
    back: usize,
    before: f64,
}

/// One contact's part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    pub z: DVec3,
    /// Newton's step `A⁻¹ F` and the slope `A⁻¹ ∂F/∂ln τ`, `A = ∂F/∂z`, which the problem gives.
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

impl Place {
    pub fn new(z: DVec3, mu: f64, unit: f64) -> Self {
        Self {
            z,
            mu,
            unit,
            ..Self::default()
        }
    }
}

impl Arclength {
    /// Starts beside the curve, at ln τ.
    pub fn begin(&mut self, height: f64, places: impl Iterator<Item = Place>) {
        self.places.clear();
        self.places.extend(places);
        (self.height, self.start, self.reached) = (height, height, height);
        self.rise = -1.0;
        self.length = FIRST;
    }

    /// Newton's step at the τ of the start; whether it has come to the curve, and has gone on along it.
    pub fn approach(&mut self) -> bool {
        self.weigh();
        let mut square = 0.0;
        for p in &mut self.places {
            p.z -= p.newton;
            square += p.newton.length_squared() * p.weight;
        }
        let there = square <= CLOSE * CLOSE;
        if there {
            self.turn();
            self.leap();
        }
        there
    }

    /// After a step along: Newton's step back, if the linear systems there could be solved, and what follows from its
    /// length. Whether a point was reached; the next step along is then done.
    pub fn advance(&mut self, solved: bool) -> bool {
        let gone = if solved {
            self.come_back()
        } else {
            f64::INFINITY
        };
        if gone <= (ARRIVED * self.length).clamp(ROUNDING, CLOSE) {
            if self.back < EASY {
                let largest = LARGEST / self.rise.abs().max(f64::MIN_POSITIVE);
                self.length = (LONGER * self.length).min(largest);
            }
            self.turn();
            self.leap();
            return true;
        }
        let near = (ASIDE * self.length)
            .max(ROUNDING)
            .min(SHRINK * self.before);
        if gone <= near && self.back < BACK {
            (self.back, self.before) = (self.back + 1, gone);
        } else {
            self.length *= SHORTER;
            self.leap();
        }
        false
    }

    /// Whether the curve has turned back, or can not be followed.
    pub fn lost(&self) -> bool {
        !(LEAST..).contains(&self.length) || self.reached > self.start + BEYOND
    }

    /// Stands at the last point that was reached.
    pub fn stand(&mut self) {
        for p in &mut self.places {
            p.z = p.last;
        }
        self.height = self.reached;
    }

    /// The step along the tangent, from the last point that was reached.
    pub fn leap(&mut self) {
        for p in &mut self.places {
            p.z = p.last + p.tangent * self.length;
        }
        self.height = self.reached + self.rise * self.length;
        (self.back, self.before) = (0, f64::INFINITY);
    }

    /// Newton's step at right angles to the tangent; its length.
    fn come_back(&mut self) -> f64 {
        let (mut newton, mut slope) = (0.0, 0.0);
        for p in &self.places {
            newton += p.tangent.dot(p.newton) * p.weight;
            slope += p.tangent.dot(p.slope) * p.weight;
        }
        let rise = newton / (self.rise - slope);
        let mut square = rise * rise;
        for p in &mut self.places {
            let step = -(p.newton + p.slope * rise);
            p.z += step;
            square += step.length_squared() * p.weight;
        }
        self.height += rise;
        square.sqrt()
    }

    /// Takes the present point for one that was reached, with the tangent of the last linearisation, which goes on the way
    /// that the last one went.
    fn turn(&mut self) {
        let against = |p: &Place| p.tangent.dot(p.slope) * p.weight;
        let back = self.rise < self.places.iter().map(against).sum();
        self.weigh();
        let along = |p: &Place| p.slope.length_squared() * p.weight;
        let rise = 1.0 / (1.0 + self.places.iter().map(along).sum::<f64>()).sqrt();
        self.rise = if back { -rise } else { rise };
        for p in &mut self.places {
            p.tangent = -p.slope * self.rise;
            p.last = p.z;
        }
        self.reached = self.height;
    }

    fn weigh(&mut self) {
        let tau = self.height.exp();
        for p in &mut self.places {
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

    /// `z³ − 3 z = ln τ + 4` in the normal: two folds, at z = ±1, ln τ = −4 ∓ 2. From ln τ = 0 down a path that lets τ fall
    /// alone ends at ln τ = −6; the curve goes back up to −2 and down again.
    #[test]
    fn a_curve_goes_past_its_folds() {
        let mut curve = Arclength::default();
        curve.begin(0.0, [Place::new(DVec3::X * 2.5, 0.0, 1.0)].into_iter());
        let linearise = |curve: &mut Arclength| {
            let z = curve.places[0].z.x;
            let slope = 3.0 * z * z - 3.0;
            curve.places[0].newton =
                DVec3::X * ((z * z * z - 3.0 * z - curve.height - 4.0) / slope);
            curve.places[0].slope = DVec3::X * (-1.0 / slope);
        };
        linearise(&mut curve);
        while !curve.approach() {
            linearise(&mut curve);
        }
        let (mut least, mut most, mut steps) = (f64::INFINITY, f64::NEG_INFINITY, 0);
        while curve.reached > -10.0 && !curve.lost() && steps < 1000 {
            linearise(&mut curve);
            steps += 1;
            if curve.advance(true) {
                least = curve.reached.min(least);
                if curve.places[0].last.x.abs() < 1.0 {
                    most = curve.reached.max(most);
                }
            }
        }
        // Down to the first fold, up to the second on the branch between them, down for good.
        let end = curve.places[0].last.x;
        assert!(curve.reached <= -10.0 && end < -2.0, "{end} {steps}");
        assert!((-2.5..-1.8).contains(&most), "{most}");
        let error = end * end * end - 3.0 * end - curve.reached - 4.0;
        // What a way back that has arrived may leave.
        assert!(error.abs() < 0.3, "{error}");
    }
}
