//! The curve of all smoothed problems' solutions, followed by its own length.
//!
//! [`super::path`] lets the smoothing τ fall and stops where the solution that it stands on ends: two solutions of the
//! smoothed problem have met there, and beyond there are none nearby. But they are one curve in `(z, τ)`,
//!
//! > `F(z, τ) = (W + ε) φ_τ(z) + q − φ_τ(z) + z = 0`,
//!
//! which turns around at such a fold and goes on. For a large τ there is one solution, so the curve that starts there can
//! not come back: where it stays bounded it ends at a solution of the problem itself. Each step goes along the tangent and
//! comes back to the curve by Newton's method at right angles to it (pseudo-arclength continuation, Keller 1977). That
//! takes many steps, some hundred for a few contacts, and is the way out where all else has failed.

use super::block_lu::BlockLu;
use super::scaled::Scaled;
use super::zeros;
use crate::anderson::dot;
use crate::cone::project_disc;
use crate::ordering::Pattern;
use crate::smooth::Smooth;
use glam::{DMat3, DVec3};

/// τ at the start and at the end, in units of max‖q‖.
const START: f64 = 10.0;
const END: f64 = 1e-7;
/// `ε`: without it impulses that are not unique make the matrix singular. The Newton steps that follow take it away.
const EPS: f64 = 1e-8;
/// First, least and largest step along the curve, in units of max‖q‖ and of powers of e in τ.
const FIRST: f64 = 0.3;
const LEAST: f64 = 1e-9;
const LONGEST: f64 = 1.0;
/// Newton steps to the start and back to the curve.
const TO_START: usize = 50;
const BACK: usize = 6;
/// The way back must shrink by this factor from step to step, and be no longer at first than this part of the step along.
const SHRINK: f64 = 0.5;
const ASIDE: f64 = 0.3;
/// Part of the step along at which a way back has arrived.
const ARRIVED: f64 = 1e-4;
/// Fewer steps back than this make the next step along longer; the factors after that and after failure.
const EASY: usize = 3;
const LONGER: f64 = 1.6;
const SHORTER: f64 = 0.3;
/// Steps at most, of both kinds.
const STEPS: usize = 2000;

/// A point in `(z, ln τ)`, or a direction.
#[derive(Debug, Clone, Default)]
struct Place {
    z: Vec<DVec3>,
    height: f64,
}

/// What the next factorisation is for.
#[derive(Debug, Clone, Copy, Default)]
enum Going {
    /// To the curve, at the τ of the start; so many steps were taken.
    #[default]
    ToStart,
    /// Back to the curve after a step along it: steps taken, length of the last.
    Back(usize, f64),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    at: Place,
    /// The last point that was reached, and the tangent there.
    last: Place,
    tangent: Place,
    length: f64,
    going: Going,
    left: usize,
    lowest: f64,
    highest: f64,
    /// Weight of `z` in the length, `1/(max‖q‖² Σ c²)`.
    weight: f64,
    laws: Vec<Smooth>,
    part: Vec<(DMat3, DMat3)>,
    f: Vec<DVec3>,
    by_height: Vec<DVec3>,
    newton: Vec<DVec3>,
    slope: Vec<DVec3>,
    lu: BlockLu,
}

impl Curve {
    /// Starts far above the problem.
    pub fn start(&mut self, scaled: &Scaled) {
        let n = scaled.contacts();
        let speed = scaled
            .q
            .iter()
            .zip(&scaled.scale)
            .map(|(q, c)| q.length() / c)
            .fold(0.0, f64::max);
        let scales: f64 = scaled.scale.iter().map(|c| c * c).sum();
        self.weight = 1.0 / (speed * speed * scales);
        (self.highest, self.lowest) = ((START * speed).ln(), (END * speed).ln());
        self.at.height = self.highest;
        self.at.z.clear();
        self.at.z.extend(scaled.q.iter().map(|q| -*q));
        zeros(&mut self.tangent.z, n);
        self.tangent.height = -1.0;
        self.length = FIRST;
        self.left = STEPS;
        self.going = Going::ToStart;
        for list in [
            &mut self.f,
            &mut self.by_height,
            &mut self.newton,
            &mut self.slope,
        ] {
            zeros(list, n);
        }
    }

    /// One factorisation; false when the curve has come to its end, or can not be followed.
    pub fn iterate(&mut self, scaled: &Scaled, pattern: &Pattern) -> bool {
        self.left -= 1;
        let solved = self.linearise(scaled, pattern);
        let goes_on = match self.going {
            Going::ToStart => solved && self.start_step(),
            Going::Back(steps, before) => {
                let gone = if solved { self.back() } else { f64::INFINITY };
                self.judge(gone, steps, before)
            }
        };
        goes_on && self.left > 0
    }

    /// Newton's step at the τ of the start; false if these do not arrive.
    fn start_step(&mut self) -> bool {
        for (z, d) in self.at.z.iter_mut().zip(&self.newton) {
            *z -= *d;
        }
        let gone = (dot(&self.newton, &self.newton) * self.weight).sqrt();
        if gone < ARRIVED * START {
            self.along();
            return true;
        }
        self.left + TO_START > STEPS
    }

    /// What follows after `steps` steps back to the curve and one of the length `gone`: one more, the next step along or
    /// this one again, shorter. False at the end.
    fn judge(&mut self, gone: f64, steps: usize, before: f64) -> bool {
        let limit = if steps == 0 {
            ASIDE * self.length
        } else {
            SHRINK * before
        };
        if gone <= ARRIVED * self.length {
            if steps < EASY {
                self.length = (LONGER * self.length).min(LONGEST);
            }
            if self.at.height <= self.lowest || self.at.height > self.highest + LONGEST {
                return false;
            }
            self.along();
            return true;
        }
        if gone <= limit && steps < BACK {
            self.going = Going::Back(steps + 1, gone);
            return true;
        }
        self.length *= SHORTER;
        self.leap();
        self.length > LEAST
    }

    /// Impulses within their cones.
    pub fn impulses(&self, scaled: &Scaled, r: &mut [DVec3]) {
        for ((r, z), mu) in r.iter_mut().zip(&self.at.z).zip(&scaled.mu) {
            *r = project_disc(*z, *mu);
        }
    }

    /// `A⁻¹ F` and `A⁻¹ ∂F/∂ln τ` at the present point, `A = (1 − φ′) + (W + ε) φ′`.
    fn linearise(&mut self, scaled: &Scaled, pattern: &Pattern) -> bool {
        let tau = self.at.height.exp();
        self.laws.clear();
        self.part.clear();
        for ((z, mu), c) in self.at.z.iter().zip(&scaled.mu).zip(&scaled.scale) {
            let law = Smooth::new(*z, *mu, (tau * c, 0.0));
            let s = law.stiffness();
            let rest = (DMat3::IDENTITY + s).inverse();
            self.laws.push(law);
            self.part.push((s * rest, rest));
        }
        for (slope, (law, c)) in self
            .slope
            .iter_mut()
            .zip(self.laws.iter().zip(&scaled.scale))
        {
            *slope = law.rate * (tau * c);
        }
        for (newton, law) in self.newton.iter_mut().zip(&self.laws) {
            *newton = law.r;
        }
        scaled.velocities(&self.newton, &mut self.f);
        scaled.times(&self.slope, &mut self.by_height);
        for i in 0..self.laws.len() {
            self.f[i] += self.at.z[i] - self.newton[i] * (1.0 - EPS);
            self.by_height[i] -= self.slope[i] * (1.0 - EPS);
        }
        let part = &self.part;
        let mut diagonal = scaled.diagonal.iter().copied().peekable();
        let shift = DMat3::IDENTITY * EPS;
        let block = |e: usize| {
            let (own, rest) = part[scaled.column[e]];
            match diagonal.next_if_eq(&e) {
                None => scaled.block[e] * own,
                Some(_) => (scaled.block[e] + shift) * own + rest,
            }
        };
        if !self.lu.factor(pattern, block, |_| false) {
            return false;
        }
        self.lu.solve(pattern, &self.f, &mut self.newton);
        self.lu.solve(pattern, &self.by_height, &mut self.slope);
        let all = self.newton.iter().chain(&self.slope);
        all.into_iter().all(|d| d.is_finite())
    }

    /// Newton's step at right angles to the tangent; its length.
    fn back(&mut self) -> f64 {
        let against = |v: &[DVec3]| dot(&self.tangent.z, v) * self.weight;
        let rise = against(&self.newton) / (self.tangent.height - against(&self.slope));
        let mut square = 0.0;
        for ((z, d), s) in self.at.z.iter_mut().zip(&self.newton).zip(&self.slope) {
            let step = -(*d + *s * rise);
            *z += step;
            square += step.length_squared();
        }
        self.at.height += rise;
        (square * self.weight + rise * rise).sqrt()
    }

    /// Turns the tangent, which belongs to the last linearisation, and goes along it.
    fn along(&mut self) {
        let size = (1.0 + dot(&self.slope, &self.slope) * self.weight).sqrt();
        let with = self.tangent.height - dot(&self.tangent.z, &self.slope) * self.weight;
        let rise = if with < 0.0 { -1.0 / size } else { 1.0 / size };
        for (t, s) in self.tangent.z.iter_mut().zip(&self.slope) {
            *t = -*s * rise;
        }
        self.tangent.height = rise;
        self.last.z.clone_from(&self.at.z);
        self.last.height = self.at.height;
        self.leap();
    }

    /// The step along the tangent, from the last point that was reached.
    fn leap(&mut self) {
        for ((z, last), t) in self.at.z.iter_mut().zip(&self.last.z).zip(&self.tangent.z) {
            *z = *last + *t * self.length;
        }
        self.at.height = self.last.height + self.tangent.height * self.length;
        self.going = Going::Back(0, f64::INFINITY);
    }
}
