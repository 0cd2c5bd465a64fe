//! Two blocks of equal width by the eight explicit configurations of the thesis (chapter 6) with its slips corrected:
//! an implementation that shares nothing with the engine under test but the integrator of another crate.
//!
//! Equation numbers are those of the thesis; where a printed form was wrong, the corrected one stands here and the
//! printed one in the verification tables.

mod run;

pub use run::simulate;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Config {
    Rest,
    A1,
    B1,
    A2,
    B2,
    A3,
    B3,
    A4,
    B4,
}

use Config::{A1, A2, A3, A4, B1, B2, B3, B4, Rest};

impl Config {
    pub fn name(self) -> &'static str {
        match self {
            Rest => "rest",
            A1 => "1a",
            B1 => "1b",
            A2 => "2a",
            B2 => "2b",
            A3 => "3a",
            B3 => "3b",
            A4 => "4a",
            B4 => "4b",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Dual {
    pub b: f64,
    pub h1: f64,
    pub h2: f64,
    pub m1: f64,
    pub m2: f64,
    pub g: f64,
    /// What all rates are multiplied by after an impact on the base and between the blocks.
    pub keeps: [f64; 2],
}

/// θ1, θ2 − θ1 and their rates.
pub type State = [f64; 4];

impl Dual {
    fn r1(&self) -> f64 {
        0.5 * self.b.hypot(self.h1)
    }
    fn r2(&self) -> f64 {
        0.5 * self.b.hypot(self.h2)
    }
    fn al1(&self) -> f64 {
        self.b.atan2(self.h1)
    }
    fn al2(&self) -> f64 {
        self.b.atan2(self.h2)
    }
    fn ic1(&self) -> f64 {
        self.m1 * self.r1().powi(2) / 3.0
    }
    fn ic2(&self) -> f64 {
        self.m2 * self.r2().powi(2) / 3.0
    }
    /// R2' and α2' of (6.108).
    fn long(&self) -> (f64, f64) {
        let (half, height) = (0.5 * self.b, self.h1 + 0.5 * self.h2);
        (half.hypot(height), half.atan2(height))
    }
    /// Inertia of the stack as one body about a base corner, under (6.70).
    fn whole(&self) -> f64 {
        let far =
            self.h1.powi(2) + self.r2().powi(2) + 2.0 * self.h1 * self.r2() * self.al2().cos();
        self.ic1() + self.m1 * self.r1().powi(2) + self.ic2() + self.m2 * far
    }

    /// Angular accelerations of the two blocks in a configuration: (6.24) to (6.105).
    pub fn accelerations(
        &self,
        config: Config,
        t1: f64,
        t2: f64,
        w1: f64,
        w2: f64,
        u: f64,
    ) -> (f64, f64) {
        let Dual { h1, m1, m2, g, .. } = *self;
        let (r1, r2, al1, al2) = (self.r1(), self.r2(), self.al1(), self.al2());
        let io1 = 4.0 / 3.0 * m1 * r1 * r1 + m2 * h1 * h1;
        let io2 = 4.0 / 3.0 * m2 * r2 * r2;
        let solve = |a11: f64, a12: f64, f1: f64, f2: f64| {
            let det = a11 * io2 - a12 * a12;
            ((f1 * io2 - a12 * f2) / det, (a11 * f2 - a12 * f1) / det)
        };
        match config {
            Rest => (0.0, 0.0),
            A1 => {
                let a = -t1 + al2 + t2;
                let f1 = m2 * h1 * r2 * w2 * w2 * a.sin()
                    + g * (m2 * h1 * t1.sin() + m1 * r1 * (al1 + t1).sin())
                    - u * (m1 * r1 * (al1 + t1).cos() + m2 * h1 * t1.cos());
                let f2 = -m2 * h1 * r2 * w1 * w1 * a.sin() + m2 * g * r2 * (al2 + t2).sin()
                    - m2 * u * r2 * (al2 + t2).cos();
                solve(io1, m2 * h1 * r2 * a.cos(), f1, f2)
            }
            B1 => {
                let a = t1 + al2 - t2;
                let f1 = -m2 * h1 * r2 * w2 * w2 * a.sin()
                    - g * (m1 * r1 * (al1 - t1).sin() - m2 * h1 * t1.sin())
                    - u * (m1 * r1 * (al1 - t1).cos() + m2 * h1 * t1.cos());
                let f2 = m2 * h1 * r2 * w1 * w1 * a.sin()
                    - m2 * g * r2 * (al2 - t2).sin()
                    - m2 * u * r2 * (al2 - t2).cos();
                solve(io1, m2 * h1 * r2 * a.cos(), f1, f2)
            }
            A2 => {
                let a = al1 + t1 + al2 - t2;
                let both = (m1 + 2.0 * m2) * r1;
                let f1 = -2.0 * m2 * r1 * r2 * w2 * w2 * a.sin() + both * g * (al1 + t1).sin()
                    - both * u * (al1 + t1).cos();
                let f2 = 2.0 * m2 * r1 * r2 * w1 * w1 * a.sin()
                    - m2 * g * r2 * (al2 - t2).sin()
                    - m2 * u * r2 * (al2 - t2).cos();
                solve(
                    io1 + m2 * self.b * self.b,
                    2.0 * m2 * r1 * r2 * a.cos(),
                    f1,
                    f2,
                )
            }
            B2 => {
                let a = al1 - t1 + al2 + t2;
                let both = (m1 + 2.0 * m2) * r1;
                let f1 = 2.0 * m2 * r1 * r2 * w2 * w2 * a.sin()
                    - both * g * (al1 - t1).sin()
                    - both * u * (al1 - t1).cos();
                let f2 = -2.0 * m2 * r1 * r2 * w1 * w1 * a.sin() + m2 * g * r2 * (al2 + t2).sin()
                    - m2 * u * r2 * (al2 + t2).cos();
                solve(
                    io1 + m2 * self.b * self.b,
                    2.0 * m2 * r1 * r2 * a.cos(),
                    f1,
                    f2,
                )
            }
            A3 => {
                let weight =
                    m2 * h1 * t1.sin() + m1 * r1 * (al1 + t1).sin() + m2 * r2 * (al2 + t1).sin();
                let push =
                    m1 * r1 * (al1 + t1).cos() + m2 * h1 * t1.cos() + m2 * r2 * (al2 + t1).cos();
                let turn = (g * weight - u * push) / self.whole();
                (turn, turn)
            }
            B3 => {
                let weight =
                    m2 * h1 * t1.sin() - m1 * r1 * (al1 - t1).sin() - m2 * r2 * (al2 - t1).sin();
                let push =
                    m1 * r1 * (al1 - t1).cos() + m2 * h1 * t1.cos() + m2 * r2 * (al2 - t1).cos();
                let turn = (g * weight - u * push) / self.whole();
                (turn, turn)
            }
            A4 => (
                0.0,
                (m2 * g * r2 * (al2 + t2).sin() - m2 * u * r2 * (al2 + t2).cos()) / io2,
            ),
            B4 => (
                0.0,
                (-m2 * g * r2 * (al2 - t2).sin() - m2 * u * r2 * (al2 - t2).cos()) / io2,
            ),
        }
    }

    /// How far a shut interface is from opening, by configuration it would open to: positive while it stays shut.
    pub fn reserves(&self, config: Config, s: &State, u: f64) -> Vec<(Config, f64)> {
        let Dual {
            b,
            h1,
            h2,
            m1,
            m2,
            g,
            ..
        } = *self;
        let (t1, t2, w1, w2) = (s[0], s[0] + s[1], s[2], s[2] + s[3]);
        let (r2, al2, i2) = (self.r2(), self.al2(), self.ic2());
        let (rl, all) = self.long();
        let (d1, d2) = self.accelerations(config, t1, t2, w1, w2, u);
        match config {
            Rest => {
                let over = m1 * h1 + m2 * (2.0 * h1 + h2);
                let hold = g * (m1 + m2) * b;
                // (6.106), (6.107)
                vec![
                    (A3, hold - u * over),
                    (B3, hold + u * over),
                    (A4, g * b - u * h2),
                    (B4, g * b + u * h2),
                ]
            }
            A3 => {
                let close = m2 * r2 * rl;
                let to1 = m2 * g * r2 * (al2 + t1).sin()
                    - close * w1 * w1 * (al2 - all).sin()
                    - i2 * d1
                    - close * d1 * (al2 - all).cos()
                    - m2 * u * r2 * (al2 + t1).cos();
                let to2 = m2 * u * r2 * (al2 - t1).cos() + m2 * g * r2 * (al2 - t1).sin()
                    - close * w1 * w1 * (al2 + all).sin()
                    + i2 * d1
                    + close * d1 * (al2 + all).cos();
                vec![(A1, to1), (A2, to2)]
            }
            B3 => {
                let close = m2 * r2 * rl;
                let to1 = m2 * u * r2 * (al2 - t1).cos() + m2 * g * r2 * (al2 - t1).sin()
                    - close * w1 * w1 * (al2 - all).sin()
                    + i2 * d1
                    + close * d1 * (al2 - all).cos();
                let to2 = m2 * g * r2 * (al2 + t1).sin()
                    - close * w1 * w1 * (al2 + all).sin()
                    - i2 * d1
                    - close * d1 * (al2 + all).cos()
                    - m2 * u * r2 * (al2 + t1).cos();
                vec![(B1, to1), (B2, to2)]
            }
            A4 => {
                let (sin, cos) = (al2 + t2).sin_cos();
                let over = u * (m1 * h1 / 2.0 + m2 * (h1 + r2 * cos));
                let to1 = g * (m1 * b / 2.0 + m2 * r2 * sin)
                    - i2 * d2
                    - m2 * (r2 * r2 + h1 * r2 * cos) * d2
                    + m2 * h1 * r2 * sin * w2 * w2
                    - over;
                let to2 = over + i2 * d2 + g * (m1 * b / 2.0 + m2 * (b - r2 * sin))
                    - m2 * r2 * w2 * w2 * (h1 * sin + b * cos)
                    + m2 * r2 * d2 * (r2 - b * sin + h1 * cos);
                vec![(A1, to1), (B2, to2)]
            }
            B4 => {
                let (sin, cos) = (al2 - t2).sin_cos();
                let over = u * (m1 * h1 / 2.0 + m2 * (h1 + r2 * cos));
                let to1 = over
                    + g * (m1 * b / 2.0 + m2 * r2 * sin)
                    + i2 * d2
                    + m2 * (r2 * r2 + h1 * r2 * cos) * d2
                    + m2 * h1 * r2 * sin * w2 * w2;
                let to2 = -over - i2 * d2 + g * (m1 * b / 2.0 + m2 * (b - r2 * sin))
                    - m2 * r2 * w2 * w2 * (h1 * sin + b * cos)
                    - m2 * r2 * d2 * (r2 - b * sin + h1 * cos);
                vec![(B1, to1), (A2, to2)]
            }
            A1 | A2 | B1 | B2 => Vec::new(),
        }
    }

    /// Rates after an impact between the blocks (`upper`) or on the base, with the configuration after.
    pub fn impact(&self, config: Config, upper: bool, s: &State) -> (Config, f64, f64) {
        let Dual {
            b, h1, h2, m1, m2, ..
        } = *self;
        let (r1, r2, al1, al2) = (self.r1(), self.r2(), self.al1(), self.al2());
        let (ic1, ic2) = (self.ic1(), self.ic2());
        let (w1, w2, t2) = (s[2], s[2] + s[3], s[0] + s[1]);
        let c12 = (al1 + al2).cos();
        let near = ic1 + m1 * r1 * r1;
        let own = ic2 + m2 * r2 * r2;
        let solve = |z1: f64, z2: f64, z3: f64, l1: f64, l2: f64| {
            let det = z1 * own - z2 * z3;
            ((l1 * own - z2 * l2) / det, (z1 * l2 - z3 * l1) / det)
        };
        // A switch that would press the faces into one another is a shut interface: one body about the base corner.
        let or_shut = |to: Config, shut: Config, sign: f64, (v1, v2): (f64, f64), l1: f64| {
            if (v2 - v1) * sign > 0.0 {
                (to, v1, v2)
            } else {
                let together = l1 / self.whole();
                (shut, together, together)
            }
        };
        match (config, upper) {
            (A1 | B1, true) => {
                let z1 = near + 4.0 * m2 * r1 * r1 + 2.0 * m2 * r1 * r2 * c12;
                let z2 = own + 2.0 * m2 * r1 * r2 * c12;
                let z3 = 2.0 * m2 * r1 * r2 * c12;
                let l1 = (near + h1 * h1 * m2 + h1 * h2 / 2.0 * m2) * w1
                    + (own + h1 * h2 / 2.0 * m2) * w2;
                let l2 = (own - m2 * b * b / 2.0) * w2 + m2 * h1 * h2 / 2.0 * w1;
                let after = solve(z1, z2, z3, l1, l2);
                if config == A1 {
                    or_shut(A2, A3, 1.0, after, l1)
                } else {
                    or_shut(B2, B3, -1.0, after, l1)
                }
            }
            (A2 | B2, true) => {
                let z1 = near + m2 * h1 * h1 + m2 * h1 * h2 / 2.0;
                let z2 = own + m2 * h1 * h2 / 2.0;
                let z3 = m2 * h1 * h2 / 2.0;
                let l1 = (near + 4.0 * r1 * r1 * m2 + 2.0 * r1 * r2 * m2 * c12) * w1
                    + (own + 2.0 * r1 * r2 * m2 * c12) * w2;
                let l2 = (own - m2 * b * b / 2.0) * w2 + m2 * (b * b + 2.0 * r1 * r2 * c12) * w1;
                let after = solve(z1, z2, z3, l1, l2);
                if config == A2 {
                    or_shut(A1, A3, -1.0, after, l1)
                } else {
                    or_shut(B1, B3, 1.0, after, l1)
                }
            }
            (A1 | B1, false) => {
                let a = if config == A1 { al2 + t2 } else { al2 - t2 };
                let cross = 2.0 * m2 * r1 * r2 * (al1 + a).cos();
                let l1 = (near - b * b / 2.0 * m1 + h1 * h1 * m2 + h1 * r2 * m2 * a.cos()) * w1
                    + (own + r2 * h1 * m2 * a.cos() - r2 * b * m2 * a.sin()) * w2;
                let l2 = own * w2 + h1 * m2 * r2 * a.cos() * w1;
                let (v1, v2) = solve(
                    near + 4.0 * m2 * r1 * r1 + cross,
                    own + cross,
                    cross,
                    l1,
                    l2,
                );
                (if config == A1 { B2 } else { A2 }, v1, v2)
            }
            (A2 | B2, false) => {
                let a = if config == B2 { al2 + t2 } else { al2 - t2 };
                let cross = m2 * h1 * r2 * a.cos();
                let l1 = (ic1 + h1 * h1 / 4.0 * m1 - b * b / 4.0 * m1
                    + h1 * m2 * (h1 + r2 * a.cos())
                    - b * m2 * r2 * a.sin())
                    * w1
                    + (own + cross) * w2;
                let l2 = own * w2 + 2.0 * r1 * r2 * m2 * (al1 + a).cos() * w1;
                let (v1, v2) = solve(near + m2 * h1 * h1 + cross, own + cross, cross, l1, l2);
                (if config == B2 { A1 } else { B1 }, v1, v2)
            }
            (A3 | B3, _) => {
                // (6.130) with the mass of both blocks.
                let ratio = 1.0 - (m1 + m2) * b * b / (2.0 * self.whole());
                (if config == A3 { B3 } else { A3 }, ratio * w1, ratio * w2)
            }
            (A4 | B4, _) => {
                // The new corner lies over the lower one and tips the lower block: momenta about the base corner and
                // about the new corner.
                let l1 = (ic2 + m2 * ((h1 + h2 / 2.0) * h2 / 2.0 - b * b / 4.0)) * w2;
                let l2 = (ic2 + m2 * (h2 * h2 / 4.0 - b * b / 4.0)) * w2;
                let cross = m2 * h1 * h2 / 2.0;
                let after = solve(near + m2 * h1 * h1 + cross, own + cross, cross, l1, l2);
                if config == A4 {
                    or_shut(B1, B3, 1.0, after, l1)
                } else {
                    or_shut(A1, A3, -1.0, after, l1)
                }
            }
            (Rest, _) => (Rest, 0.0, 0.0),
        }
    }
}
