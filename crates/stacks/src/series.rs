//! Taylor series of the motion of a chain about the start of a step: integrator, dense output and event functions in
//! one.
//!
//! The right-hand side is made of products and of sine and cosine of the angles, so the coefficients follow one from
//! another exactly (Moore 1966; Jorba and Zou, Experimental Mathematics 14, 2005): with θ known to power n + 1, cos θ
//! and sin θ follow from (sin θ)' = θ' cos θ, (cos θ)' = −θ' sin θ, and power n of the equations of `motion` is a
//! linear system for power n of θ̈ whose matrix, M at the start of the step, is the same for all powers. Contact forces
//! are series too, so that the opening of an interface is a root of a polynomial like its closing. About an impact the
//! first terms are exact, so even the last hops before a Zeno end keep their relative accuracy.

use super::Row;
use super::base::{BaseSeries, ORDER, Series};
use super::chain::{Chain, Group, Shut, Vec2};
use super::motion::{Flow, Pose, Square, mass_matrix};
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

/// Power n of the accelerations, which is power m = n + 2 of the angles: n, m, m again and m (m − 1).
#[derive(Clone, Copy)]
struct Power {
    n: usize,
    m: usize,
    power: f64,
    falling: f64,
}

impl Power {
    fn new(n: usize) -> Self {
        let m = n + 2;
        Self {
            n,
            m,
            power: m as f64,
            falling: (m * (m - 1)) as f64,
        }
    }
}

/// Two series, term beside term.
type Pairs = [[f64; 2]; ORDER];

/// Power by power, the acceleration of a pivot and the rate of momentum of what turns above.
type Surroundings = [(Vec2, Vec2); ORDER];

/// The series of one group.
#[derive(Debug, Clone)]
pub(super) struct GroupSeries {
    pub angle: Series,
    /// k θ_k: from 1 on the terms of the rate.
    pub rate: Series,
    /// Cosine and sine.
    turn: Pairs,
    /// Their second derivatives.
    cos2: Series,
    sin2: Series,
    /// U and V.
    load: Pairs,
}

impl GroupSeries {
    const ZERO: Self = Self {
        angle: [0.0; ORDER],
        rate: [0.0; ORDER],
        turn: [[0.0; 2]; ORDER],
        cos2: [0.0; ORDER],
        sin2: [0.0; ORDER],
        load: [[0.0; 2]; ORDER],
    };

    /// Begins with an angle, its rate, cosine and sine.
    fn begin(&mut self, angle: f64, rate: f64, cos: f64, sin: f64) {
        self.angle[0] = angle;
        self.angle[1] = rate;
        self.rate[1] = rate;
        self.turn[0] = [cos, sin];
        self.turn[1] = [-sin * rate, cos * rate];
    }

    /// Power `n` of the second derivatives as far as it does not depend on power `n` of the acceleration.
    fn without_acceleration(
        &mut self,
        Power {
            n,
            m,
            power,
            falling,
        }: Power,
    ) {
        let [mut with_cos, mut with_sin] = [0.0; 2];
        let (rate, turn) = (&self.rate[1..m], &self.turn[1..m]);
        for k in 0..m - 1 {
            let [cos, sin] = turn[m - 2 - k];
            with_cos += rate[k] * cos;
            with_sin += rate[k] * sin;
        }
        self.turn[m] = [(0.0 - with_sin) / power, with_cos / power];
        self.cos2[n] = falling * self.turn[m][0];
        self.sin2[n] = falling * self.turn[m][1];
    }

    /// Second derivatives of cosine and sine of so many terms, `at` after the start.
    pub fn second_derivatives(&self, len: usize, at: f64) -> (f64, f64) {
        (horner(&self.cos2[..len], at), horner(&self.sin2[..len], at))
    }

    /// Takes over power `n` of the acceleration.
    fn accelerate(
        &mut self,
        Power {
            n,
            m,
            power,
            falling,
        }: Power,
        acceleration: f64,
    ) {
        let angle = acceleration / falling;
        self.angle[m] = angle;
        self.rate[m] = power * angle;
        let [cos, sin] = self.turn[0];
        self.turn[m][0] -= sin * angle;
        self.turn[m][1] += cos * angle;
        self.cos2[n] = falling * self.turn[m][0];
        self.sin2[n] = falling * self.turn[m][1];
    }
}

/// Working space and result of one expansion.
#[derive(Debug, Clone, Default)]
pub(super) struct Taylor {
    /// Number of coefficients of the angles in use.
    pub len: usize,
    pub groups: Vec<GroupSeries>,
    /// Loads on the left and right corners of the shut interfaces, two powers shorter than the angles.
    pub left: Vec<Series>,
    pub right: Vec<Series>,
}

impl Taylor {
    /// Begins anew with as many series as a stack has blocks, in the same memory.
    pub fn begin(&mut self, blocks: usize) {
        self.len = 2;
        self.groups.clear();
        self.groups.resize(blocks, GroupSeries::ZERO);
        for series in [&mut self.left, &mut self.right] {
            series.clear();
            series.resize(blocks, [0.0; ORDER]);
        }
    }

    /// Expands the motion of `chain` from the angles and the pose of its groups, over at most `horizon`, until the
    /// neglected accelerations are below `small` (rad/s²); returns the length of time for which they are.
    pub fn expand(
        &mut self,
        chain: &Chain,
        angle: &[f64],
        Pose { cos, sin, rate }: &Pose,
        base: &BaseSeries,
        horizon: f64,
        limits: &Limits,
    ) -> f64 {
        let groups = chain.groups();
        for (g, series) in self.groups.iter_mut().enumerate().take(groups.len()) {
            series.begin(angle[g], rate[g], cos[g], sin[g]);
        }
        let mass = Ldlt::new(mass_matrix(groups, cos, sin), groups.len());
        let step = self.powers(groups, &mass, base, horizon, limits);
        // The shut interfaces of a group follow one another.
        let mut known = None;
        for (index, shut) in chain.shut().iter().enumerate() {
            let about = match known {
                Some((group, about)) if group == shut.group => about,
                _ => self.about(shut.group, groups, base),
            };
            known = Some((shut.group, about));
            self.corner_loads(index, shut, &about);
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
        let mut right = Row::from_elem(0.0, groups.len());
        let mut scale = 1.0;
        let mut before = f64::INFINITY;
        for n in 0..=TOP {
            let size = self.power(groups, mass, n, base.term(n), &mut right);
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
            // The accelerations are in them now.
            loads(groups, &mut self.groups, base.term(n), n);
        }
        horizon
    }

    /// Finds power `n` of the accelerations, in `right`, and what follows from it; returns the largest.
    fn power(
        &mut self,
        groups: &[Group],
        mass: &Ldlt<Square>,
        n: usize,
        base: Vec2,
        right: &mut [f64],
    ) -> f64 {
        let all = self.groups.get_mut(..groups.len()).unwrap_or_default();
        let power = Power::new(n);
        all.iter_mut()
            .for_each(|series| series.without_acceleration(power));
        loads(groups, all, base, n);
        for (right, s) in right.iter_mut().zip(all.iter()) {
            let ([cos, sin], [u, v]) = (s.turn[0], s.load[n]);
            let [with_cos, with_sin] = products(&s.turn, &s.load, n);
            *right = sin * v - cos * u - (with_cos - with_sin);
        }
        mass.solve(right);
        let mut largest = 0.0_f64;
        for (series, acceleration) in all.iter_mut().zip(right.iter()) {
            largest = largest.max(acceleration.abs());
            series.accelerate(power, *acceleration);
        }
        largest
    }

    /// Accelerations of the pivot of a group (or of the base) and rates of momentum above it, power by power.
    fn about(&self, group: Option<usize>, groups: &[Group], base: &BaseSeries) -> Surroundings {
        let mut made = [(Vec2::default(), Vec2::default()); ORDER];
        let (below, above) = (group.unwrap_or(0), group.map_or(0, |g| g + 1));
        for (n, (pivot, momentum)) in made.iter_mut().enumerate().take(self.len - 2) {
            let turned = |lever: Vec2, s: &GroupSeries| lever.turned(s.cos2[n], s.sin2[n]);
            let all = || groups.iter().zip(&self.groups);
            *pivot = all()
                .take(below)
                .fold(base.term(n), |sum, (group, s)| sum + turned(group.lever, s));
            *momentum = all().skip(above).fold(Vec2::default(), |sum, (group, s)| {
                sum + turned(group.moment, s)
            });
        }
        made
    }

    /// The corner loads of one shut interface, as `motion::shut_contact` has them at an instant.
    fn corner_loads(&mut self, index: usize, shut: &Shut, about: &Surroundings) {
        let len = self.len - 2;
        // The force as (z, x), which go with cosine and sine.
        let (mut load, mut push) = ([[0.0; 2]; ORDER], [[0.0; 2]; ORDER]);
        for (n, &(mut pivot, above)) in about.iter().enumerate().take(len) {
            let mut own = Vec2::default();
            if let Some(g) = shut.group {
                let (cos2, sin2) = (self.groups[g].cos2[n], self.groups[g].sin2[n]);
                pivot = pivot + shut.offset.turned(cos2, sin2);
                own = shut.part.moment.turned(cos2, sin2);
            }
            load[n] = Flow::loads(&shut.part, pivot, above).into();
            let force = pivot * shut.part.mass + own + above;
            push[n] = [force.z, force.x];
        }
        for n in 0..len {
            let (normal, moment) = match shut.group {
                None => (push[n][0], load[n][0]),
                Some(g) => {
                    let GroupSeries { turn, angle, .. } = &self.groups[g];
                    let turning = angle[n + 2] * ((n + 2) * (n + 1)) as f64;
                    let ([cos, sin], [z, x], [u, v]) = (turn[0], push[n], load[n]);
                    let [of_z, of_x] = products(turn, &push, n);
                    let normal = sin * x + cos * z + (of_x + of_z);
                    let [of_u, of_v] = products(turn, &load, n);
                    let moment = cos * u - sin * v + (of_u - of_v);
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

/// Power `n` of U and V, as [`Flow`] and [`Flow::loads`] for whole groups, in one pass up and one down.
#[inline(always)]
fn loads(groups: &[Group], series: &mut [GroupSeries], base: Vec2, n: usize) {
    // Told to the compiler, which checks no index then.
    let (n, count) = (n.min(TOP), groups.len().min(series.len()));
    let (groups, series) = (&groups[..count], &mut series[..count]);
    let turned = |lever: Vec2, s: &GroupSeries| lever.turned(s.cos2[n], s.sin2[n]);
    let (mut pivot, mut above) = (base, Vec2::default());
    for g in 0..count {
        if g > 0 {
            pivot = pivot + turned(groups[g - 1].lever, &series[g - 1]);
        }
        let Vec2 { x, z } = groups[g].moment;
        series[g].load[n] = [z * pivot.x - x * pivot.z, groups[g].moment.dot(pivot)];
    }
    for g in (1..count).rev() {
        above = above + turned(groups[g].moment, &series[g]);
        let Vec2 { x, z } = groups[g - 1].lever;
        let [u, v] = &mut series[g - 1].load[n];
        *u += z * above.x - x * above.z;
        *v += x * above.x + z * above.z;
    }
}

/// Σ_{k=1}^{n} a_k b_{n−k} of either function of two: products of series without the terms of power 0 in a.
fn products(a: &Pairs, b: &Pairs, n: usize) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for (a, b) in a[1..=n].iter().zip(b[..n].iter().rev()) {
        for i in 0..2 {
            sum[i] += a[i] * b[i];
        }
    }
    sum
}
