//! Two blocks of equal width: Lagrange's equations written out for two angles, contact forces from Newton's laws of
//! each block, openings and impacts by trying every configuration; fourth-order Runge-Kutta with fixed steps, events by
//! halving.
//!
//! It shares nothing with the product: no interface angles, no chains or groups, no adaptive steps.

use std::f64::consts::{FRAC_PI_2, TAU};

/// Sizes in metres and kilograms.
#[derive(Clone, Copy)]
pub struct Stack {
    pub b: f64,
    pub h: [f64; 2],
    pub m: [f64; 2],
    /// The part of Housner's relative rate that an impact between the blocks leaves.
    pub keeps: f64,
}

/// What falls within the time given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fate {
    Standing,
    Partial,
    Total,
}

const GRAVITY: f64 = 9.81;

type V = [f64; 2];

fn turned(v: V, t: f64) -> V {
    let (s, c) = t.sin_cos();
    [v[0] * c + v[1] * s, -v[0] * s + v[1] * c]
}

/// The derivative of `turned` by the angle.
fn slope(v: V, t: f64) -> V {
    let (s, c) = t.sin_cos();
    [-v[0] * s + v[1] * c, -v[0] * c - v[1] * s]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn plus(a: V, b: V, f: f64) -> V {
    [a[0] + f * b[0], a[1] + f * b[1]]
}

/// Signs of the corners about which the interfaces are open: 0 shut, +1 right, −1 left.
type Pivots = [i8; 2];

#[derive(Clone, Copy)]
struct State {
    angle: V,
    rate: V,
    pivots: Pivots,
}

/// Jacobians of the two centres by the two angles, and their bias accelerations.
struct Kinematics {
    j1: V,
    j21: V,
    j22: V,
    bias: [V; 2],
}

impl Stack {
    fn inertia(&self, k: usize) -> f64 {
        self.m[k] * (self.b * self.b + self.h[k] * self.h[k]) / 12.0
    }

    fn kinematics(&self, s: &State) -> Kinematics {
        let half = 0.5 * self.b;
        let (s1, s2) = (f64::from(s.pivots[0]), f64::from(s.pivots[1]));
        let a = [-s1 * half, 0.5 * self.h[0]];
        let d = [(s2 - s1) * half, self.h[0]];
        let r = [-s2 * half, 0.5 * self.h[1]];
        let squares = [s.rate[0] * s.rate[0], s.rate[1] * s.rate[1]];
        let over = plus([0.0; 2], turned(d, s.angle[0]), -squares[0]);
        Kinematics {
            j1: slope(a, s.angle[0]),
            j21: slope(d, s.angle[0]),
            j22: slope(r, s.angle[1]),
            bias: [
                plus([0.0; 2], turned(a, s.angle[0]), -squares[0]),
                plus(over, turned(r, s.angle[1]), -squares[1]),
            ],
        }
    }

    /// Kinetic energy of blocks that turn about these corners.
    pub fn kinetic(&self, pivots: Pivots, angle: V, rate: V) -> f64 {
        let k = self.kinematics(&State {
            angle,
            rate,
            pivots,
        });
        let lower = plus([0.0; 2], k.j1, rate[0]);
        let upper = plus(plus([0.0; 2], k.j21, rate[0]), k.j22, rate[1]);
        0.5 * (self.m[0] * dot(lower, lower) + self.m[1] * dot(upper, upper))
            + 0.5 * (self.inertia(0) * rate[0] * rate[0] + self.inertia(1) * rate[1] * rate[1])
    }

    /// Solves the mass matrix of the free angles for given generalised forces.
    fn solve(&self, k: &Kinematics, pivots: Pivots, f: V) -> V {
        let m11 = self.inertia(0) + self.m[0] * dot(k.j1, k.j1) + self.m[1] * dot(k.j21, k.j21);
        let m12 = self.m[1] * dot(k.j21, k.j22);
        let m22 = self.inertia(1) + self.m[1] * dot(k.j22, k.j22);
        match (pivots[0] != 0, pivots[1] != 0) {
            (false, false) => [0.0; 2],
            // The upper one alone.
            (false, true) => [0.0, f[1] / m22],
            (true, false) => {
                let w = (f[0] + f[1]) / (m11 + 2.0 * m12 + m22);
                [w, w]
            }
            (true, true) => {
                let det = m11 * m22 - m12 * m12;
                [
                    (f[0] * m22 - f[1] * m12) / det,
                    (f[1] * m11 - f[0] * m12) / det,
                ]
            }
        }
    }

    /// Angular accelerations and accelerations of the centres under apparent gravity.
    fn accelerations(&self, s: &State, apparent: V) -> (V, [V; 2]) {
        let k = self.kinematics(s);
        let net = [
            plus(apparent, k.bias[0], -1.0),
            plus(apparent, k.bias[1], -1.0),
        ];
        let f = [
            self.m[0] * dot(k.j1, net[0]) + self.m[1] * dot(k.j21, net[1]),
            self.m[1] * dot(k.j22, net[1]),
        ];
        let w = self.solve(&k, s.pivots, f);
        let a1 = plus(k.bias[0], k.j1, w[0]);
        let a2 = plus(plus(k.bias[1], k.j21, w[0]), k.j22, w[1]);
        (w, [a1, a2])
    }

    /// Where the force (or impulse) of a shut interface acts, from its middle to the right, and its normal part.
    fn resultant(&self, s: &State, interface: usize, force: [V; 2], spin: V) -> (f64, f64) {
        let (mut total, mut moment) = ([0.0; 2], 0.0);
        let mut at = [0.0; 2];
        // Centres of the blocks above the interface, from its middle, in its axes: all are shut or turn about a corner.
        let tilt = if interface == 0 { 0.0 } else { s.angle[0] };
        let s1 = f64::from(s.pivots[0]);
        let s2 = f64::from(s.pivots[1]);
        let half = 0.5 * self.b;
        for k in interface..2 {
            let centre = if k == 0 {
                plus(
                    [s1 * half, 0.0],
                    turned([-s1 * half, 0.5 * self.h[0]], s.angle[0]),
                    1.0,
                )
            } else {
                let corner = if interface == 0 {
                    plus(
                        [s1 * half, 0.0],
                        turned([(s2 - s1) * half, self.h[0]], s.angle[0]),
                        1.0,
                    )
                } else {
                    turned([s2 * half, 0.0], s.angle[0])
                };
                plus(
                    corner,
                    turned([-s2 * half, 0.5 * self.h[1]], s.angle[1]),
                    1.0,
                )
            };
            total = plus(total, force[k], 1.0);
            // Clockwise moment about the middle that the contact has to give.
            moment += centre[1] * force[k][0] - centre[0] * force[k][1] + self.inertia(k) * spin[k];
            at = centre;
        }
        let _ = at;
        let normal = dot(total, turned([0.0, 1.0], tilt));
        (-moment / normal, normal)
    }

    /// The configuration that the accelerations call for, shut interfaces free to open.
    fn open(&self, s: &State, apparent: V) -> Pivots {
        let choices = |shut: bool, now: i8| if shut { vec![0, 1, -1] } else { vec![now] };
        let mut found: Option<(usize, Pivots)> = None;
        for p0 in choices(s.pivots[0] == 0, s.pivots[0]) {
            for p1 in choices(s.pivots[1] == 0, s.pivots[1]) {
                let trial = State {
                    pivots: [p0, p1],
                    ..*s
                };
                let (w, a) = self.accelerations(&trial, apparent);
                let force = [0, 1].map(|k| {
                    let net = plus(a[k], apparent, -1.0);
                    [self.m[k] * net[0], self.m[k] * net[1]]
                });
                let mut fits = true;
                for (k, p) in [p0, p1].into_iter().enumerate() {
                    if s.pivots[k] != 0 {
                        continue;
                    }
                    fits &= if p == 0 {
                        let (at, normal) = self.resultant(&trial, k, force, w);
                        normal > 0.0 && at.abs() <= 0.5 * self.b * (1.0 + 1e-12)
                    } else {
                        let relative = if k == 0 { w[0] } else { w[1] - w[0] };
                        relative * f64::from(p) > 0.0
                    };
                }
                let opened = usize::from(p0 != s.pivots[0]) + usize::from(p1 != s.pivots[1]);
                if fits && found.is_none_or(|(n, _)| opened < n) {
                    found = Some((opened, [p0, p1]));
                }
            }
        }
        found.map_or(s.pivots, |(_, p)| p)
    }

    /// The impact of an interface: rates and corners after it.
    ///
    /// Where the upper one loses material energy, a couple between the blocks scales its relative rate.
    fn impact(&self, s: &State, struck: usize) -> State {
        let base = self.plastic(s, struck, None);
        if struck == 0 || self.keeps == 1.0 || base.pivots[1] == 0 {
            return base;
        }
        self.plastic(s, struck, Some(self.keeps * (base.rate[1] - base.rate[0])))
    }

    /// An impact whose landing corner stays, or whose upper interface opens at a given rate.
    fn plastic(&self, s: &State, struck: usize, opening: Option<f64>) -> State {
        let before = self.kinematics(s);
        let velocity = |k: &Kinematics, w: V| {
            [
                plus([0.0; 2], k.j1, w[0]),
                plus(plus([0.0; 2], k.j21, w[0]), k.j22, w[1]),
            ]
        };
        let v = velocity(&before, s.rate);
        let choices = |k: usize| -> Vec<i8> {
            if k == struck && opening.is_some() {
                vec![-s.pivots[k]]
            } else if k == struck {
                vec![-s.pivots[k], 0]
            } else if s.pivots[k] == 0 {
                vec![0, 1, -1]
            } else {
                vec![s.pivots[k]]
            }
        };
        let mut best: Option<(f64, State)> = None;
        for p0 in choices(0) {
            for p1 in choices(1) {
                let mut trial = State {
                    pivots: [p0, p1],
                    ..*s
                };
                let k = self.kinematics(&trial);
                let momentum = [
                    self.m[0] * dot(k.j1, v[0])
                        + self.m[1] * dot(k.j21, v[1])
                        + self.inertia(0) * s.rate[0],
                    self.m[1] * dot(k.j22, v[1]) + self.inertia(1) * s.rate[1],
                ];
                let mut w = self.solve(&k, [p0, p1], momentum);
                if let Some(opening) = opening {
                    let couple = self.solve(&k, [p0, p1], [-1.0, 1.0]);
                    let share = (opening - w[1] + w[0]) / (couple[1] - couple[0]);
                    w = plus(w, couple, share);
                }
                let after = velocity(&k, w);
                let impulse = [0, 1].map(|i| {
                    let change = plus(after[i], v[i], -1.0);
                    [self.m[i] * change[0], self.m[i] * change[1]]
                });
                let spin = [w[0] - s.rate[0], w[1] - s.rate[1]];
                // By how much the laws of the contacts are missed.
                let mut miss = 0.0_f64;
                for (i, p) in [p0, p1].into_iter().enumerate() {
                    if i != struck && s.pivots[i] != 0 {
                        continue;
                    }
                    if p == 0 {
                        let (at, normal) = self.resultant(&trial, i, impulse, spin);
                        let scale = self.m[1] * self.b;
                        miss = miss.max(-normal / scale);
                        miss =
                            miss.max((normal * at).abs() / scale - 0.5 * self.b * normal / scale);
                    } else {
                        let relative = if i == 0 { w[0] } else { w[1] - w[0] };
                        miss = miss.max(-relative * f64::from(p));
                    }
                }
                trial.rate = w;
                if best.is_none_or(|(m, _)| miss < m - 1e-12) {
                    best = Some((miss, trial));
                }
            }
        }
        best.map_or(*s, |(_, state)| state)
    }

    /// One sine wave of amplitude a₀ (m/s²) and frequency ω, and `after` seconds more.
    pub fn fate(&self, amplitude: f64, omega: f64, after: f64) -> Fate {
        let end = TAU / omega + after;
        let total = self.h[0] + self.h[1];
        let p = (0.75 * GRAVITY / (0.5 * self.b.hypot(total))).sqrt();
        let longest = (4e-3 / p).min(0.01 * TAU / omega);
        let push = |t: f64| match t * omega < TAU {
            true => amplitude * (omega * t).sin(),
            false => 0.0,
        };
        let mut stack = *self;
        let mut partial = false;
        let mut s = State {
            angle: [0.0; 2],
            rate: [0.0; 2],
            pivots: [0; 2],
        };
        let mut t = 0.0;
        let apparent = |t: f64| [-push(t), -GRAVITY];
        while t < end {
            let mut h = longest.min(end - t);
            let pulse = TAU / omega;
            if t < pulse && t + h > pulse {
                h = (pulse - t).max(1e-9);
            }
            // A shut interface that opens, found to the step and then by halving.
            s.pivots = stack.open(&s, apparent(t));
            if s.pivots == [0, 0] && t >= pulse {
                break;
            }
            let step = |s: &State, h: f64| -> State {
                let f = |s: &State, dt: f64| stack.accelerations(s, apparent(t + dt)).0;
                let moved = |k: V, w: V, h: f64| State {
                    angle: plus(s.angle, w, h),
                    rate: plus(s.rate, k, h),
                    pivots: s.pivots,
                };
                let k1 = f(s, 0.0);
                let s2 = moved(k1, s.rate, 0.5 * h);
                let k2 = f(&s2, 0.5 * h);
                let s3 = moved(k2, s2.rate, 0.5 * h);
                let k3 = f(&s3, 0.5 * h);
                let s4 = moved(k3, s3.rate, h);
                let k4 = f(&s4, h);
                let mean = |a: V, b: V, c: V, d: V| {
                    [0, 1].map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0)
                };
                State {
                    angle: plus(s.angle, mean(s.rate, s2.rate, s3.rate, s4.rate), h),
                    rate: plus(s.rate, mean(k1, k2, k3, k4), h),
                    pivots: s.pivots,
                }
            };
            let crossed = |s: &State| -> Option<usize> {
                let phi = [s.angle[0], s.angle[1] - s.angle[0]];
                (0..2).find(|k| s.pivots[*k] != 0 && phi[*k] * f64::from(s.pivots[*k]) < 0.0)
            };
            let opens = |s: &State, dt: f64| stack.open(s, apparent(t + dt)) != s.pivots;
            let next = step(&s, h);
            if crossed(&next).is_none() && !opens(&next, h) {
                (s, t) = (next, t + h);
            } else {
                let (mut low, mut high) = (0.0, h);
                for _ in 0..45 {
                    let middle = 0.5 * (low + high);
                    let there = step(&s, middle);
                    if crossed(&there).is_some() || opens(&there, middle) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                let there = step(&s, high);
                t += high.max(1e-12);
                s = there;
                if let Some(k) = crossed(&there) {
                    // The angle of the interface is zero at its impact.
                    s.angle[k] = if k == 0 { 0.0 } else { s.angle[0] };
                    if k == 0 && s.pivots[1] == 0 {
                        s.angle[1] = 0.0;
                    }
                    s = stack.impact(&s, k);
                    let relative = if k == 0 {
                        s.rate[0]
                    } else {
                        s.rate[1] - s.rate[0]
                    };
                    if relative.abs() < 1e-6 * p {
                        s.pivots[k] = 0;
                        if k == 0 {
                            s.rate[0] = 0.0;
                            if s.pivots[1] == 0 {
                                s.rate[1] = 0.0;
                            }
                        } else {
                            s.rate[1] = s.rate[0];
                        }
                    }
                }
            }
            if s.angle[0].abs() >= FRAC_PI_2 {
                return Fate::Total;
            }
            if !partial && s.angle[1].abs() >= FRAC_PI_2 {
                if s.pivots[1] == 0 {
                    return Fate::Total;
                }
                // The lower block goes on alone.
                partial = true;
                stack.m[1] = 1e-12 * stack.m[0];
                stack.h[1] = 1e-6 * stack.h[0];
                s.pivots[1] = 0;
                s.angle[1] = s.angle[0];
                s.rate[1] = s.rate[0];
            }
        }
        if partial {
            Fate::Partial
        } else {
            Fate::Standing
        }
    }
}
