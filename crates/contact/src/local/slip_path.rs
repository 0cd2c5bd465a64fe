//! One contact, followed along its slip while the normal impulse grows.
//!
//! `du/dp = W (1, τ)` with `τ = −μ u_T/‖u_T‖` in slip. In polar form `u_T = v (cos φ, sin φ)` and with `ds = dp / v`
//! the path is smooth up to `v = 0` (Batlle 1996, "Rough balanced collisions"): `d ln v/ds = g(φ)`, `dφ/ds = h(φ)`.
//! Where `h` vanishes (planar motion, the end of a curved path) slip keeps its direction and everything is linear in
//! `p`, in closed form.

use crate::error::{ContactError, finite, non_negative, within};
use glam::{DMat3, DVec2, DVec3};
use klast_numerics::roots::bisect;

/// When restitution ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hypothesis {
    /// At `1 + e` times the normal impulse of compression.
    Poisson,
    /// When the work of the normal force is back at `1 − e²` times that of compression.
    Stronge,
}

/// The impulse (N s) of a single-contact impact: `w` 3x3 (1/kg), velocity `u` before (m/s), `(n, t1, t2)`.
///
/// # Errors
/// When a number is not finite, `mu` is negative, `e` is outside [0, 1], or `W_nn` is not positive while `u_n < 0`.
pub fn single_contact_impact(
    w: &DMat3,
    u: DVec3,
    mu: f64,
    restitution: f64,
    hypothesis: Hypothesis,
) -> Result<DVec3, ContactError> {
    for x in w.to_cols_array().into_iter().chain(u.to_array()) {
        finite("W or velocity", x)?;
    }
    non_negative("mu", mu)?;
    within(
        "restitution",
        restitution,
        |e| (0.0..=1.0).contains(&e),
        "0 to 1",
    )?;
    if u.x < 0.0 {
        within(
            "W_nn",
            w.x_axis.x,
            |x| x > 0.0,
            "above 0 where the contact closes",
        )?;
    }
    Ok(path(w, u, mu, restitution, hypothesis))
}

/// As [`single_contact_impact`] without checks.
pub(crate) fn path(w: &DMat3, u: DVec3, mu: f64, e: f64, hypothesis: Hypothesis) -> DVec3 {
    if u.x >= 0.0 || w.x_axis.x.is_nan() || w.x_axis.x <= 0.0 {
        return DVec3::ZERO;
    }
    let scale = u.length();
    let mut walk = Walk {
        w: *w,
        mu,
        scale,
        state: State {
            u,
            ..State::default()
        },
    };
    walk.until(Goal::NormalVelocity);
    let (p, work) = (walk.state.r.x, walk.state.work);
    if e > 0.0 {
        walk.until(match hypothesis {
            Hypothesis::Poisson => Goal::Impulse((1.0 + e) * p),
            Hypothesis::Stronge => Goal::Work((1.0 - e * e) * work),
        });
    }
    walk.state.r
}

/// Where a phase ends; its measure rises through zero there.
#[derive(Clone, Copy)]
enum Goal {
    NormalVelocity,
    Impulse(f64),
    Work(f64),
}

/// `r` holds the impulse so far, `work` the work of its normal part.
#[derive(Clone, Copy, Default)]
struct State {
    u: DVec3,
    r: DVec3,
    work: f64,
}

impl Goal {
    fn measure(self, s: &State) -> f64 {
        match self {
            Self::NormalVelocity => s.u.x,
            Self::Impulse(p) => s.r.x - p,
            Self::Work(w) => s.work - w,
        }
    }

    /// The impulse still needed along a straight piece on which `u_n` grows by `k` per unit; nothing if it never comes.
    fn distance(self, s: &State, k: f64) -> Option<f64> {
        let d = match self {
            Self::NormalVelocity => -s.u.x / k,
            Self::Impulse(p) => p - s.r.x,
            Self::Work(w) => {
                let c = w - s.work;
                2.0 * c / (s.u.x + (s.u.x * s.u.x + 2.0 * k * c).sqrt())
            }
        };
        (d.is_finite() && d >= 0.0).then_some(d)
    }
}

struct Walk {
    w: DMat3,
    mu: f64,
    scale: f64,
    state: State,
}

impl Walk {
    /// Walks to the goal, piece by piece. A path has few pieces; the bound only stops data that are not positive
    /// semidefinite.
    fn until(&mut self, goal: Goal) {
        for _ in 0..64 {
            if goal.measure(&self.state) >= 0.0 {
                return;
            }
            let slip = DVec2::new(self.state.u.y, self.state.u.z);
            let reached = if self.mu == 0.0 {
                self.straight(DVec2::ZERO, goal, false)
            } else if slip.length() <= 1e-14 * self.scale {
                self.resume(goal)
            } else {
                self.slipping(slip, goal)
            };
            if reached {
                return;
            }
        }
    }

    /// No slip: stick if the cone allows it, else slip on in the direction that grows.
    fn resume(&mut self, goal: Goal) -> bool {
        (self.state.u.y, self.state.u.z) = (0.0, 0.0);
        let tau = self.stick_ratio();
        if tau.length() <= self.mu {
            return self.straight(tau, goal, false);
        }
        let tau = self.growing_direction().map_or(tau, |d| -d * self.mu);
        self.straight(tau, goal, false)
    }

    /// `−W_TT⁻¹ W_Tn`, the pseudo-inverse where the block has rank one (planar motion).
    fn stick_ratio(&self) -> DVec2 {
        let w = &self.w;
        let (a, b, c, d) = (w.y_axis.y, w.z_axis.y, w.y_axis.z, w.z_axis.z);
        let n = DVec2::new(w.x_axis.y, w.x_axis.z);
        let (det, trace) = (a * d - b * c, a + d);
        if det.abs() > 1e-13 * trace * trace {
            DVec2::new(-(d * n.x - b * n.y) / det, -(a * n.y - c * n.x) / det)
        } else if trace > 0.0 {
            DVec2::new(-(a * n.x + b * n.y), -(c * n.x + d * n.y)) / (trace * trace)
        } else {
            DVec2::ZERO
        }
    }

    /// Growth of the slip velocity per unit of normal impulse when slipping along `d`.
    fn slip_rate(&self, d: DVec2) -> DVec2 {
        let rate = self.w * DVec3::new(1.0, -self.mu * d.x, -self.mu * d.y);
        DVec2::new(rate.y, rate.z)
    }

    /// The direction along which slip leaves zero: `h = 0` and `g > 0` as large as possible.
    fn growing_direction(&self) -> Option<DVec2> {
        const PARTS: usize = 256;
        let at = |angle: f64| DVec2::new(libm::cos(angle), libm::sin(angle));
        let across = |angle: f64| at(angle).perp_dot(self.slip_rate(at(angle)));
        let step = std::f64::consts::TAU / PARTS as f64;
        let mut best: Option<(f64, DVec2)> = None;
        for k in 0..PARTS {
            let (low, high) = (step * k as f64, step * (k + 1) as f64);
            let start = across(low);
            if start != 0.0 && start * across(high) > 0.0 {
                continue;
            }
            let crossed = |angle: f64| start == 0.0 || across(angle) * start <= 0.0;
            let (_, after) = bisect(low, high, 60, crossed);
            let d = at(if start == 0.0 { low } else { after });
            let growth = d.dot(self.slip_rate(d));
            if growth > best.map_or(0.0, |b| b.0) {
                best = Some((growth, d));
            }
        }
        best.map(|b| b.1)
    }

    /// A piece on which `dr = (1, τ) dp`. With `stops`, it ends where slip vanishes. Whether the goal was met.
    fn straight(&mut self, tau: DVec2, goal: Goal, stops: bool) -> bool {
        let direction = DVec3::new(1.0, tau.x, tau.y);
        let mut rate = self.w * direction;
        let slip = DVec2::new(self.state.u.y, self.state.u.z);
        if !stops && self.mu > 0.0 && tau.length() <= self.mu * (1.0 - 1e-15) {
            // Sticking: the tangential rate is zero but for rounding.
            (rate.y, rate.z) = (0.0, 0.0);
        }
        let along = if stops {
            slip.normalize_or_zero().dot(DVec2::new(rate.y, rate.z))
        } else {
            0.0
        };
        let to_stop = if stops && along < 0.0 {
            -slip.length() / along
        } else {
            f64::INFINITY
        };
        let to_goal = goal.distance(&self.state, rate.x).unwrap_or(f64::INFINITY);
        let dp = to_stop.min(to_goal);
        if !dp.is_finite() {
            return true;
        }
        let s = &mut self.state;
        s.work += (s.u.x + 0.5 * rate.x * dp) * dp;
        s.u += rate * dp;
        s.r += direction * dp;
        if to_stop <= to_goal {
            (s.u.y, s.u.z) = (0.0, 0.0);
        }
        to_goal <= to_stop
    }

    /// Slip that turns: integrated in `s` until the goal, the end of slip, or until it no longer turns.
    fn slipping(&mut self, slip: DVec2, goal: Goal) -> bool {
        let mut y = [
            libm::log(slip.length()),
            libm::atan2(slip.y, slip.x),
            0.0,
            self.state.u.x,
            0.0,
            0.0,
            0.0,
        ];
        let start = self.state;
        let size = self.w.x_axis.x + self.w.y_axis.y.max(self.w.z_axis.z);
        let mut step = 0.05 / size;
        for _ in 0..20_000 {
            let d = self.rates(&y);
            let direction = DVec2::new(libm::cos(y[1]), libm::sin(y[1]));
            if d[1].abs() <= 1e-14 * size {
                self.state = self.assemble(&start, &y);
                return self.straight(-direction * self.mu, goal, true);
            }
            if libm::exp(y[0]) <= 1e-14 * self.scale {
                self.state = self.assemble(&start, &y);
                return false;
            }
            let (next, error) = self.dormand_prince(&y, &d, step);
            if error.is_nan() || error > 1.0 {
                // An overflow in the step says nothing of how much shorter it must be.
                step *= match error.is_nan() {
                    true => 0.1,
                    false => (0.9 * libm::pow(error, -0.2)).clamp(0.1, 0.9),
                };
                continue;
            }
            let landed = self.assemble(&start, &next);
            if goal.measure(&landed) >= 0.0 {
                self.state = self.locate(&start, &y, &d, step, goal);
                return true;
            }
            y = next;
            step *= (0.9 * libm::pow(error.max(1e-10), -0.2)).clamp(0.2, 5.0);
        }
        self.state = self.assemble(&start, &y);
        false
    }

    /// `y = (ln v, φ, p, u_n, work, r_t1, r_t2)`, the last five since `start`.
    fn assemble(&self, start: &State, y: &[f64; 7]) -> State {
        let v = libm::exp(y[0]);
        State {
            u: DVec3::new(y[3], v * libm::cos(y[1]), v * libm::sin(y[1])),
            r: start.r + DVec3::new(y[2], y[5], y[6]),
            work: start.work + y[4],
        }
    }

    fn rates(&self, y: &[f64; 7]) -> [f64; 7] {
        let v = libm::exp(y[0]);
        let d = DVec2::new(libm::cos(y[1]), libm::sin(y[1]));
        let rate = self.w * DVec3::new(1.0, -self.mu * d.x, -self.mu * d.y);
        let t = DVec2::new(rate.y, rate.z);
        [
            d.dot(t),
            d.perp_dot(t),
            v,
            v * rate.x,
            y[3] * v,
            -self.mu * d.x * v,
            -self.mu * d.y * v,
        ]
    }

    /// The step to the goal inside an accepted step: bisection on its length, each try a fresh step.
    fn locate(&self, start: &State, y: &[f64; 7], d: &[f64; 7], step: f64, goal: Goal) -> State {
        let mut landed = self.assemble(start, y);
        bisect(0.0, step, 60, |part| {
            landed = self.assemble(start, &self.dormand_prince(y, d, part).0);
            goal.measure(&landed) >= 0.0
        });
        landed
    }

    /// One step of Dormand & Prince (1980), order 5 with an error estimate of order 4 against 1e-13 of each size.
    fn dormand_prince(&self, y: &[f64; 7], k1: &[f64; 7], h: f64) -> ([f64; 7], f64) {
        const A: [&[f64]; 6] = [
            &[1.0 / 5.0],
            &[3.0 / 40.0, 9.0 / 40.0],
            &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
            &[
                19372.0 / 6561.0,
                -25360.0 / 2187.0,
                64448.0 / 6561.0,
                -212.0 / 729.0,
            ],
            &[
                9017.0 / 3168.0,
                -355.0 / 33.0,
                46732.0 / 5247.0,
                49.0 / 176.0,
                -5103.0 / 18656.0,
            ],
            &[
                35.0 / 384.0,
                0.0,
                500.0 / 1113.0,
                125.0 / 192.0,
                -2187.0 / 6784.0,
                11.0 / 84.0,
            ],
        ];
        const ERROR: [f64; 7] = [
            71.0 / 57600.0,
            0.0,
            -71.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339200.0,
            22.0 / 525.0,
            -1.0 / 40.0,
        ];
        let mut k = [*k1; 7];
        let mut end = *y;
        for (stage, row) in A.iter().enumerate() {
            end = *y;
            for (a, slope) in row.iter().zip(&k) {
                for (x, s) in end.iter_mut().zip(slope) {
                    *x += h * a * s;
                }
            }
            k[stage + 1] = self.rates(&end);
        }
        let impulse = self.scale / self.w.x_axis.x;
        let sizes = [
            1.0,
            1.0,
            impulse,
            self.scale,
            impulse * self.scale,
            self.mu * impulse,
            self.mu * impulse,
        ];
        let mut worst = 0.0_f64;
        for i in 0..7 {
            let e: f64 = ERROR.iter().zip(&k).map(|(c, slope)| c * slope[i]).sum();
            worst = worst.max((h * e).abs() / (1e-13 * sizes[i]));
            if !end[i].is_finite() {
                return (end, f64::NAN);
            }
        }
        (end, worst)
    }
}
