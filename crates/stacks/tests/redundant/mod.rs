//! A stack in redundant coordinates (x, z, θ of every block) with the contacts as constraints: one linear system of
//! motion and multipliers, all contact patterns tried at events, Dormand and Prince's method between them. For
//! comparison only; it shares nothing with the crate.

// Rows and columns of one matrix are read and written at once.
#![allow(clippy::needless_range_loop)]

mod happenings;

/// A block: width, height, mass.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    pub b: f64,
    pub h: f64,
    pub m: f64,
}

impl Block {
    fn inertia(&self) -> f64 {
        self.m * (self.b * self.b + self.h * self.h) / 12.0
    }
}

/// Acceleration of the base: amplitude · sin(ω t) for whole cycles, then none.
#[derive(Debug, Clone, Copy)]
pub struct Push {
    pub amplitude: f64,
    pub omega: f64,
    pub cycles: f64,
}

impl Push {
    fn end(&self) -> f64 {
        self.cycles * std::f64::consts::TAU / self.omega
    }
}

/// −1: at the left corner, +1: at the right corner, 0: shut.
pub type Pivots = Vec<i8>;

#[derive(Debug, Clone)]
pub struct Met {
    pub time: f64,
    pub pivots: Pivots,
    pub interface: usize,
}

#[derive(Debug, Clone)]
pub struct Stack {
    pub blocks: Vec<Block>,
    pub push: Push,
    /// η_mat on the relative rate of the struck interface: on the base, between blocks.
    pub loss: (f64, f64),
    pub time: f64,
    pub angle: Vec<f64>,
    pub rate: Vec<f64>,
    pub pivots: Pivots,
    /// Interfaces that have left zero since they opened.
    away: Vec<bool>,
    last_impact: Vec<f64>,
    pub log: Vec<Met>,
}

const G: f64 = 9.81;

/// Loads of the corners of an interface (left, right); at a corner contact the whole load stands at that corner.
type Loads = Vec<(f64, f64)>;

/// Gauss with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            if f != 0.0 {
                for j in k..n {
                    let t = a[k][j];
                    a[i][j] -= f * t;
                }
                b[i] -= f * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b
}

impl Stack {
    pub fn new(blocks: Vec<Block>, push: Push, loss: (f64, f64), angle: Vec<f64>) -> Self {
        let n = blocks.len();
        let mut stack = Self {
            blocks,
            push,
            loss,
            time: 0.0,
            rate: vec![0.0; n],
            pivots: (0..n)
                .map(|i| {
                    let below = if i > 0 { angle[i - 1] } else { 0.0 };
                    (angle[i] - below).signum() as i8 * i8::from(angle[i] != below)
                })
                .collect(),
            angle,
            away: vec![true; n],
            last_impact: vec![f64::NEG_INFINITY; n],
            log: Vec::new(),
        };
        stack.open_if_due(None);
        stack
    }

    /// Half width of the contact under block `i`.
    fn half(&self, i: usize) -> f64 {
        let below = if i > 0 {
            self.blocks[i - 1].b
        } else {
            f64::INFINITY
        };
        0.5 * self.blocks[i].b.min(below)
    }

    /// From the centre of block `j` to a body point, in the world.
    fn arm(angle: f64, x: f64, z: f64) -> (f64, f64) {
        let (s, c) = angle.sin_cos();
        (x * c + z * s, -x * s + z * c)
    }

    /// Constraint rows (coefficients on x, z, θ of all blocks) and their velocity-squared terms.
    fn rows(&self, pivots: &[i8], angle: &[f64], rate: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let n = self.blocks.len();
        let (mut rows, mut bias) = (Vec::new(), Vec::new());
        for i in 0..n {
            let at = f64::from(pivots[i]) * self.half(i);
            let (mut x, mut z) = (vec![0.0; 3 * n], vec![0.0; 3 * n]);
            let (rx, rz) = Self::arm(angle[i], at, -0.5 * self.blocks[i].h);
            (x[3 * i], x[3 * i + 2]) = (1.0, rz);
            (z[3 * i + 1], z[3 * i + 2]) = (1.0, -rx);
            let w2 = rate[i] * rate[i];
            let (mut bx, mut bz) = (w2 * rx, w2 * rz);
            if i > 0 {
                let k = i - 1;
                let (rx, rz) = Self::arm(angle[k], at, 0.5 * self.blocks[k].h);
                (x[3 * k], x[3 * k + 2]) = (-1.0, -rz);
                (z[3 * k + 1], z[3 * k + 2]) = (-1.0, rx);
                let w2 = rate[k] * rate[k];
                (bx, bz) = (bx - w2 * rx, bz - w2 * rz);
            }
            rows.push(x);
            rows.push(z);
            bias.extend([bx, bz]);
            if pivots[i] == 0 {
                let mut turn = vec![0.0; 3 * n];
                turn[3 * i + 2] = 1.0;
                if i > 0 {
                    turn[3 * i - 1] = -1.0;
                }
                rows.push(turn);
                bias.push(0.0);
            }
        }
        (rows, bias)
    }

    /// [M −Jᵀ; J 0] (q, λ) = (force, bias).
    fn system(&self, rows: &[Vec<f64>], force: &[f64], bias: &[f64]) -> Vec<f64> {
        let (n, m) = (force.len(), rows.len());
        let mut a = vec![vec![0.0; n + m]; n + m];
        for (j, block) in self.blocks.iter().enumerate() {
            (a[3 * j][3 * j], a[3 * j + 1][3 * j + 1]) = (block.m, block.m);
            a[3 * j + 2][3 * j + 2] = block.inertia();
        }
        for (k, row) in rows.iter().enumerate() {
            for (j, c) in row.iter().enumerate() {
                a[j][n + k] = -c;
                a[n + k][j] = *c;
            }
        }
        solve(a, force.iter().chain(bias).copied().collect())
    }

    /// Corner loads from the multipliers. The pull of a corner contact is not asked about: there are no jumps.
    fn loads(&self, pivots: &[i8], angle: &[f64], multipliers: &[f64]) -> Loads {
        let mut k = 0;
        (0..self.blocks.len())
            .map(|i| {
                let normal = if i > 0 { angle[i - 1] } else { 0.0 };
                let load = multipliers[k] * normal.sin() + multipliers[k + 1] * normal.cos();
                k += 2;
                if pivots[i] != 0 {
                    return (load, load);
                }
                let turn = multipliers[k] / self.half(i);
                k += 1;
                (0.5 * (load + turn), 0.5 * (load - turn))
            })
            .collect()
    }

    fn accelerations(
        &self,
        pivots: &[i8],
        time: f64,
        angle: &[f64],
        rate: &[f64],
    ) -> (Vec<f64>, Loads) {
        let n = self.blocks.len();
        let push = if time < self.push.end() {
            self.push.amplitude * (self.push.omega * time).sin()
        } else {
            0.0
        };
        let mut force = vec![0.0; 3 * n];
        for (j, b) in self.blocks.iter().enumerate() {
            (force[3 * j], force[3 * j + 1]) = (-b.m * push, -b.m * G);
        }
        let (rows, bias) = self.rows(pivots, angle, rate);
        let found = self.system(&rows, &force, &bias);
        let turns = (0..n).map(|j| found[3 * j + 2]).collect();
        (turns, self.loads(pivots, angle, &found[3 * n..]))
    }

    /// One step of Dormand and Prince (1980): the state after it, and the error of the embedded formula.
    fn step(&self, h: f64) -> (Vec<f64>, Vec<f64>, f64) {
        const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
        const A: [[f64; 6]; 7] = [
            [0.0; 6],
            [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
            [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
            [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
            [
                19372.0 / 6561.0,
                -25360.0 / 2187.0,
                64448.0 / 6561.0,
                -212.0 / 729.0,
                0.0,
                0.0,
            ],
            [
                9017.0 / 3168.0,
                -355.0 / 33.0,
                46732.0 / 5247.0,
                49.0 / 176.0,
                -5103.0 / 18656.0,
                0.0,
            ],
            [
                35.0 / 384.0,
                0.0,
                500.0 / 1113.0,
                125.0 / 192.0,
                -2187.0 / 6784.0,
                11.0 / 84.0,
            ],
        ];
        const E: [f64; 7] = [
            71.0 / 57600.0,
            0.0,
            -71.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339200.0,
            22.0 / 525.0,
            -1.0 / 40.0,
        ];
        let n = self.blocks.len();
        let mut slopes: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        let (mut angle, mut rate) = (self.angle.clone(), self.rate.clone());
        for (stage, row) in A.iter().enumerate() {
            for j in 0..n {
                let (mut da, mut dr) = (0.0, 0.0);
                for (k, slope) in slopes.iter().enumerate() {
                    da += row[k] * slope.0[j];
                    dr += row[k] * slope.1[j];
                }
                angle[j] = self.angle[j] + h * da;
                rate[j] = self.rate[j] + h * dr;
            }
            let turns = self
                .accelerations(&self.pivots, self.time + C[stage] * h, &angle, &rate)
                .0;
            slopes.push((rate.clone(), turns));
        }
        let mut error: f64 = 0.0;
        for j in 0..n {
            let (mut ea, mut er) = (0.0, 0.0);
            for (k, slope) in slopes.iter().enumerate() {
                ea += E[k] * slope.0[j];
                er += E[k] * slope.1[j];
            }
            error = error.max((h * ea).abs()).max((h * er).abs());
        }
        (angle, rate, error)
    }

    fn relative(&self, angle: &[f64], i: usize) -> f64 {
        angle[i] - if i > 0 { angle[i - 1] } else { 0.0 }
    }
}
