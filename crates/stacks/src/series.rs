//! Taylor series of the motion of a chain about the start of a step: integrator, dense output and event functions in
//! one.
//!
//! The right-hand side is made of products and of sine and cosine of the angles, so the coefficients follow one from
//! another exactly (Moore 1966; Jorba and Zou, Experimental Mathematics 14, 2005): with θ known to power n + 1, cos θ
//! and sin θ follow from (sin θ)' = θ' cos θ, (cos θ)' = −θ' sin θ, and power n of the equations of `motion` is a
//! linear system for power n of θ̈ whose matrix, M at the start of the step, is the same for all powers. Contact forces
//! are series too, so that the opening of an interface is a root of a polynomial like its closing. About an impact the
//! first terms are exact, so even the last hops before a Zeno end keep their relative accuracy.

use super::base::{BaseSeries, ORDER, Series};
use super::chain::{Chain, Group, Shut, Vec2};
use super::motion::{Flow, Square, mass_matrix};
use super::sincos::sin_cos;
use super::Row;
use klast_numerics::dense::Ldlt;

/// The highest power of an acceleration; the angle goes two further.
const TOP: usize = ORDER - 3;

/// The value of the polynomial with these coefficients.
pub(super) fn horner(c: &[f64], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, term| sum * t + term)
}

/// The derivative of the polynomial with these coefficients.
pub(super) fn horner_rate(c: &[f64], t: f64) -> f64 {
    let mut sum = 0.0;
    for k in (1..c.len()).rev() {
        sum = sum * t + k as f64 * c[k];
    }
    sum
}

/// The polynomial with these coefficients and its derivative.
pub(super) fn with_rate(c: &[f64], t: f64) -> (f64, f64) {
    c.iter().rev().fold((0.0, 0.0), |(value, rate), term| {
        (value * t + term, rate * t + value)
    })
}

/// The second derivative of the polynomial with these coefficients.
pub(super) fn horner_second(c: &[f64], t: f64) -> f64 {
    let mut sum = 0.0;
    for k in (2..c.len()).rev() {
        sum = sum * t + (k * (k - 1)) as f64 * c[k];
    }
    sum
}

/// Working space and result of one expansion.
#[derive(Debug, Clone, Default)]
pub(super) struct Taylor {
    /// Number of coefficients of the angles in use.
    pub len: usize,
    pub angle: Vec<Series>,
    /// k θ_k.
    rate: Vec<Series>,
    cos: Vec<Series>,
    sin: Vec<Series>,
    cos2: Vec<Series>,
    sin2: Vec<Series>,
    u: Vec<Series>,
    v: Vec<Series>,
    /// Loads on the left and right corners of the shut interfaces, two powers shorter than the angles.
    pub left: Vec<Series>,
    pub right: Vec<Series>,
}

impl Taylor {
    /// Begins anew with as many series as a stack has blocks, in the same memory.
    pub fn begin(&mut self, blocks: usize) {
        self.len = 2;
        for series in [
            &mut self.angle,
            &mut self.rate,
            &mut self.cos,
            &mut self.sin,
            &mut self.cos2,
            &mut self.sin2,
            &mut self.u,
            &mut self.v,
            &mut self.left,
            &mut self.right,
        ] {
            series.clear();
            series.resize(blocks, [0.0; ORDER]);
        }
    }

    /// Expands the motion of `chain` from the angles and rates of its groups, over at most `horizon`, until the
    /// neglected accelerations are below `small` (rad/s²); returns the length of time for which they are.
    pub fn expand(
        &mut self,
        chain: &Chain,
        angle: &Row,
        rate: &Row,
        base: &BaseSeries,
        horizon: f64,
        limits: &Limits,
    ) -> f64 {
        let groups = chain.groups();
        let (mut cos0, mut sin0) = (Row::new(0.0, groups.len()), Row::new(0.0, groups.len()));
        for g in 0..groups.len() {
            let (sin, cos) = sin_cos(angle[g]);
            (cos0[g], sin0[g]) = (cos, sin);
            self.angle[g][0] = angle[g];
            self.angle[g][1] = rate[g];
            self.rate[g][1] = rate[g];
            self.cos[g][0] = cos;
            self.sin[g][0] = sin;
            self.cos[g][1] = -sin * rate[g];
            self.sin[g][1] = cos * rate[g];
        }
        let mass = Ldlt::new(mass_matrix(groups, &cos0, &sin0), groups.len());
        let step = self.powers(groups, &mass, base, horizon, limits);
        for (index, shut) in chain.shut().iter().enumerate() {
            self.corner_loads(index, shut, groups, base);
        }
        step
    }

    fn powers(
        &mut self,
        groups: &[Group],
        mass: &Ldlt<Square>,
        base: &BaseSeries,
        horizon: f64,
        limits: &Limits,
    ) -> f64 {
        let mut scale = 1.0;
        let mut before = f64::INFINITY;
        for n in 0..=TOP {
            let size = self.power(groups, mass, n, base.term(n));
            let mut term = size * scale;
            if base.varies {
                term = term.max(
                    (base.horizontal[n].abs() + base.vertical[n].abs()) * scale * limits.per_base,
                );
            }
            // Two small terms in a row: one alone may vanish by symmetry.
            if n >= 3 && term.max(before) <= limits.small {
                self.len = n + 3;
                return horizon;
            }
            if n == TOP {
                self.len = ORDER;
                let last = root(limits.small * scale / term, n);
                let second = root(limits.small * scale / horizon / before, n - 1);
                return horizon.min(last).min(second);
            }
            before = term;
            scale *= horizon;
        }
        horizon
    }

    /// Finds power `n` of the accelerations and what follows from it; returns the largest.
    fn power(&mut self, groups: &[Group], mass: &Ldlt<Square>, n: usize, base: Vec2) -> f64 {
        let m = n + 2;
        let (power, falling) = (m as f64, (m * (m - 1)) as f64);
        let zero = || Row::new(0.0, groups.len());
        let (mut cos2, mut sin2, mut right) = (zero(), zero(), zero());
        for g in 0..groups.len() {
            let (mut of_cos, mut of_sin) = (0.0, 0.0);
            let back = self.cos[g][1..m]
                .iter()
                .rev()
                .zip(self.sin[g][1..m].iter().rev());
            for (rate, (cos, sin)) in self.rate[g][1..m].iter().zip(back) {
                of_cos -= rate * sin;
                of_sin += rate * cos;
            }
            self.cos[g][m] = of_cos / power;
            self.sin[g][m] = of_sin / power;
            cos2[g] = falling * self.cos[g][m];
            sin2[g] = falling * self.sin[g][m];
        }
        let (mut u, mut v) = (zero(), zero());
        loads(groups, &cos2, &sin2, base, &mut u, &mut v);
        for g in 0..groups.len() {
            right[g] = self.sin[g][0] * v[g]
                - self.cos[g][0] * u[g]
                - mixed(&self.cos[g], &self.u[g], &self.sin[g], &self.v[g], n);
        }
        mass.solve(&mut right);
        let mut largest = 0.0_f64;
        for g in 0..groups.len() {
            let acceleration = right[g];
            largest = largest.max(acceleration.abs());
            let angle = acceleration / falling;
            self.angle[g][m] = angle;
            self.rate[g][m] = power * angle;
            self.cos[g][m] -= self.sin[g][0] * angle;
            self.sin[g][m] += self.cos[g][0] * angle;
            self.cos2[g][n] = falling * self.cos[g][m];
            self.sin2[g][n] = falling * self.sin[g][m];
            cos2[g] = self.cos2[g][n];
            sin2[g] = self.sin2[g][n];
        }
        loads(groups, &cos2, &sin2, base, &mut u, &mut v);
        for g in 0..groups.len() {
            (self.u[g][n], self.v[g][n]) = (u[g], v[g]);
        }
        largest
    }

    /// Second derivatives of cosine and sine of group `g`, `at` after the start.
    pub fn second_derivatives(&self, g: usize, at: f64) -> (f64, f64) {
        let len = self.len - 2;
        (
            horner(&self.cos2[g][..len], at),
            horner(&self.sin2[g][..len], at),
        )
    }

    /// The corner loads of one shut interface, as `motion::shut_contact` has them at an instant.
    fn corner_loads(&mut self, index: usize, shut: &Shut, groups: &[Group], base: &BaseSeries) {
        let len = self.len - 2;
        let (mut u, mut v, mut force_x, mut force_z) =
            ([0.0; ORDER], [0.0; ORDER], [0.0; ORDER], [0.0; ORDER]);
        for n in 0..len {
            let mut pivot = base.term(n);
            for g in 0..shut.group.unwrap_or(0) {
                pivot = pivot + groups[g].lever.turned(self.cos2[g][n], self.sin2[g][n]);
            }
            let mut own = Vec2::default();
            if let Some(g) = shut.group {
                pivot = pivot + shut.offset.turned(self.cos2[g][n], self.sin2[g][n]);
                own = shut.part.moment.turned(self.cos2[g][n], self.sin2[g][n]);
            }
            let mut above = Vec2::default();
            for g in shut.group.map_or(0, |g| g + 1)..groups.len() {
                above = above + groups[g].moment.turned(self.cos2[g][n], self.sin2[g][n]);
            }
            (u[n], v[n]) = Flow::loads(&shut.part, pivot, above);
            let force = pivot * shut.part.mass + own + above;
            (force_x[n], force_z[n]) = (force.x, force.z);
        }
        for n in 0..len {
            let (normal, moment) = match shut.group {
                None => (force_z[n], u[n]),
                Some(g) => {
                    let (cos, sin) = (&self.cos[g], &self.sin[g]);
                    let turning = self.angle[g][n + 2] * ((n + 2) * (n + 1)) as f64;
                    let normal = sin[0] * force_x[n]
                        + cos[0] * force_z[n]
                        + mixed_sum(sin, &force_x, cos, &force_z, n);
                    let moment = cos[0] * u[n] - sin[0] * v[n] + mixed(cos, &u, sin, &v, n);
                    (normal, shut.part.inertia * turning + moment)
                }
            };
            let couple = moment / shut.half;
            self.left[index][n] = 0.5 * (normal + couple);
            self.right[index][n] = 0.5 * (normal - couple);
        }
    }
}

/// What the expansion may neglect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Largest neglected angular acceleration (rad/s²).
    pub small: f64,
    /// Angular acceleration per unit of base acceleration (1/m), to compare the terms of the two.
    pub per_base: f64,
}

fn root(ratio: f64, power: usize) -> f64 {
    libm::exp(libm::log(ratio) / power as f64)
}

/// As [`Flow`] and [`Flow::loads`] for whole groups, in one pass up and one down.
fn loads(groups: &[Group], cos2: &Row, sin2: &Row, base: Vec2, u: &mut Row, v: &mut Row) {
    let mut pivot = base;
    for (g, group) in groups.iter().enumerate() {
        u[g] = group.moment.z * pivot.x - group.moment.x * pivot.z;
        v[g] = group.moment.dot(pivot);
        pivot = pivot + group.lever.turned(cos2[g], sin2[g]);
    }
    let mut above = Vec2::default();
    for (g, group) in groups.iter().enumerate().rev() {
        u[g] += group.lever.z * above.x - group.lever.x * above.z;
        v[g] += group.lever.dot(above);
        above = above + group.moment.turned(cos2[g], sin2[g]);
    }
}

/// Σ_{k=1}^{n} (a_k b_{n−k} − c_k d_{n−k}): a product of series without the terms of power 0 in a and c.
fn mixed(a: &Series, b: &Series, c: &Series, d: &Series, n: usize) -> f64 {
    let (first, second) = products(a, b, c, d, n);
    first - second
}

/// As [`mixed`] with the sum in place of the difference.
fn mixed_sum(a: &Series, b: &Series, c: &Series, d: &Series, n: usize) -> f64 {
    let (first, second) = products(a, b, c, d, n);
    first + second
}

fn products(a: &Series, b: &Series, c: &Series, d: &Series, n: usize) -> (f64, f64) {
    let (mut first, mut second) = (0.0, 0.0);
    let forth = a[1..=n].iter().zip(&c[1..=n]);
    let back = b[..n].iter().rev().zip(d[..n].iter().rev());
    for ((a, c), (b, d)) in forth.zip(back) {
        first += a * b;
        second += c * d;
    }
    (first, second)
}
