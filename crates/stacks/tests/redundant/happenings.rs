//! When an interface opens or shuts, and what becomes of the pivots and rates then.

use super::{Met, Pivots, Stack};
use klast_numerics::roots::bisect;

impl Stack {
    /// What is above zero as long as nothing happens: rotations to the open side, loads of shut corners.
    fn margins(&self, time: f64, angle: &[f64], rate: &[f64]) -> Vec<f64> {
        let loads = self.accelerations(&self.pivots, time, angle, rate).1;
        (0..self.blocks.len())
            .map(|i| match self.pivots[i] {
                0 => loads[i].0.min(loads[i].1),
                _ if !self.away[i] => f64::INFINITY,
                side => f64::from(side) * self.relative(angle, i),
            })
            .collect()
    }

    /// Runs to `end`, or to the first interface that shuts after ever smaller impacts; returns where it stopped.
    pub fn run(&mut self, end: f64) -> f64 {
        let mut h: f64 = 1e-4;
        while self.time < end {
            let wave = self.push.end();
            let mut limit = end - self.time;
            if self.time < wave {
                limit = limit.min(wave - self.time);
            }
            let trial = h.min(limit).min(5e-3);
            let (angle, rate, error) = self.step(trial);
            let scale = (1e-14 / error.max(1e-30)).powf(0.2);
            if error > 1e-14 && trial > 1e-7 {
                h = trial * (0.9 * scale).clamp(0.2, 0.9);
                continue;
            }
            h = trial * (0.9 * scale).clamp(0.5, 2.0);
            // An interface that has hardly opened must not fall back unseen.
            let fell = (0..angle.len()).any(|i| {
                !self.away[i] && f64::from(self.pivots[i]) * self.relative(&angle, i) < -1e-14
            });
            if fell && trial > 1e-7 {
                h = 0.25 * trial;
                continue;
            }
            let after = self.margins(self.time + trial, &angle, &rate);
            if let Some(low) = self.dip(trial, &rate) {
                self.locate(low);
                if !self.happen() {
                    return self.time;
                }
                h = 1e-5;
            } else if after.iter().all(|m| *m >= 0.0) {
                (self.angle, self.rate) = (angle, rate);
                self.time = if trial == limit && limit == wave - self.time {
                    wave
                } else {
                    self.time + trial
                };
                self.leave_zero();
            } else {
                self.locate(trial);
                if !self.happen() {
                    return self.time;
                }
                h = 1e-5;
            }
            if self.angle.iter().any(|a| a.abs() > 1.4) {
                return self.time;
            }
        }
        self.time
    }

    fn leave_zero(&mut self) {
        for i in 0..self.blocks.len() {
            let out = f64::from(self.pivots[i]) * self.relative(&self.angle, i);
            self.away[i] |= self.pivots[i] == 0 || out > 1e-13;
        }
    }

    /// A rotation that falls below zero within a step of `h` and is back at its end: where it is lowest.
    fn dip(&self, h: f64, rate: &[f64]) -> Option<f64> {
        (0..self.blocks.len()).find_map(|i| {
            let side = f64::from(self.pivots[i]);
            let falls = |rate: &[f64]| side * self.relative(rate, i) < 0.0;
            if side == 0.0 || !self.away[i] || !falls(&self.rate) || falls(rate) {
                return None;
            }
            let (lo, _) = bisect(0.0, h, 50, |x| !falls(&self.step(x).1));
            let angle = self.step(lo).0;
            (side * self.relative(&angle, i) < 0.0).then_some(lo)
        })
    }

    /// Moves to the first zero of a margin within a step of `h`, by halving with the step as the variable.
    fn locate(&mut self, h: f64) {
        let (_, hi) = bisect(0.0, h, 60, |x| {
            let (angle, rate, _) = self.step(x);
            let margins = self.margins(self.time + x, &angle, &rate);
            !margins.iter().all(|m| *m >= 0.0)
        });
        let (angle, rate, _) = self.step(hi);
        (self.angle, self.rate) = (angle, rate);
        self.time += hi;
    }

    /// The event that the margins show now; false when a sequence of impacts dies.
    fn happen(&mut self) -> bool {
        let margins = self.margins(self.time, &self.angle, &self.rate);
        let Some(i) = (0..margins.len()).find(|&i| margins[i] < 0.0) else {
            return true;
        };
        if self.pivots[i] == 0 {
            let loads = self
                .accelerations(&self.pivots, self.time, &self.angle, &self.rate)
                .1[i];
            self.open(i, if loads.0 < loads.1 { 1 } else { -1 });
            return true;
        }
        let hop = self.time - self.last_impact[i];
        self.last_impact[i] = self.time;
        let shift = self.relative(&self.angle, i);
        for a in &mut self.angle[i..] {
            *a -= shift;
        }
        self.impact(i);
        hop > 1e-3 && self.pivots[i] != 0
    }

    fn note(&mut self, interface: usize) {
        self.log.push(Met {
            time: self.time,
            pivots: self.pivots.clone(),
            interface,
        });
    }

    fn open(&mut self, i: usize, side: i8) {
        self.pivots[i] = side;
        self.away[i] = false;
        self.note(i);
    }

    /// All patterns of the interfaces in `free`, the shut one first.
    fn patterns(&self, free: &[usize]) -> Vec<Pivots> {
        (0..3_usize.pow(free.len() as u32))
            .map(|mut code| {
                let mut pivots = self.pivots.clone();
                for &i in free {
                    pivots[i] = [0, 1, -1][code % 3];
                    code /= 3;
                }
                pivots
            })
            .collect()
    }

    /// At a velocity jump: shut interfaces whose corners would have to pull open, judged on accelerations.
    pub(super) fn open_if_due(&mut self, struck: Option<usize>) {
        let shut: Vec<usize> = (0..self.blocks.len())
            .filter(|&i| self.pivots[i] == 0)
            .collect();
        for pivots in self.patterns(&shut) {
            let (turns, loads) = self.accelerations(&pivots, self.time, &self.angle, &self.rate);
            let holds = shut.iter().all(|&i| match pivots[i] {
                0 => loads[i].0 >= 0.0 && loads[i].1 >= 0.0,
                side => f64::from(side) * self.relative(&turns, i) > 0.0,
            });
            if holds {
                for &i in &shut {
                    if pivots[i] != 0 {
                        if Some(i) == struck {
                            self.pivots[i] = pivots[i];
                            self.away[i] = false;
                        } else {
                            self.open(i, pivots[i]);
                        }
                    }
                }
                return;
            }
        }
    }

    /// The impact of interface `k`, which has come down: of all patterns the one whose impulses push and whose corners
    /// part.
    fn impact(&mut self, k: usize) {
        let n = self.blocks.len();
        let came = self.pivots[k];
        let mut before = vec![0.0; 3 * n];
        // Velocities of the centres, up the stack over the corners that were in contact.
        let (mut vx, mut vz) = (0.0, 0.0);
        for i in 0..n {
            let at = f64::from(self.pivots[i]) * self.half(i);
            let w = self.rate[i];
            if i > 0 {
                let (rx, rz) = Self::arm(self.angle[i - 1], at, 0.5 * self.blocks[i - 1].h);
                let w = self.rate[i - 1];
                (vx, vz) = (vx + w * rz, vz - w * rx);
            }
            let (rx, rz) = Self::arm(self.angle[i], at, -0.5 * self.blocks[i].h);
            (vx, vz) = (vx - w * rz, vz + w * rx);
            before[3 * i..3 * i + 3].copy_from_slice(&[vx, vz, w]);
        }
        let mut momentum = before.clone();
        for (j, b) in self.blocks.iter().enumerate() {
            momentum[3 * j] *= b.m;
            momentum[3 * j + 1] *= b.m;
            momentum[3 * j + 2] *= b.inertia();
        }
        let free: Vec<usize> = (0..n).filter(|&i| i == k || self.pivots[i] == 0).collect();
        let loss = if k == 0 { self.loss.0 } else { self.loss.1 };
        for pivots in self.patterns(&free) {
            // It does not open to the side it came from.
            if pivots[k] == came {
                continue;
            }
            let (rows, _) = self.rows(&pivots, &self.angle, &self.rate);
            let zero = vec![0.0; rows.len()];
            let found = self.system(&rows, &momentum, &zero);
            let rates: Vec<f64> = (0..n).map(|j| found[3 * j + 2]).collect();
            let loads = self.loads(&pivots, &self.angle, &found[3 * n..]);
            let holds = free.iter().all(|&i| match pivots[i] {
                0 => loads[i].0 >= 0.0 && loads[i].1 >= 0.0,
                side => f64::from(side) * self.relative(&rates, i) > 0.0,
            });
            if !holds {
                continue;
            }
            (self.pivots, self.rate) = if loss < 1.0 && pivots[k] != 0 {
                let target = loss * self.relative(&rates, k);
                self.with_rate(k, pivots[k], target, &free, &momentum)
            } else {
                (pivots, rates)
            };
            for &i in &free {
                self.away[i] = self.pivots[i] == 0;
            }
            self.open_if_due(Some(k));
            self.note(k);
            return;
        }
        panic!("no admissible impact at {}", self.time);
    }

    /// A moment between the two bodies brings the opening rate of interface `k` to `target`: of all patterns of the
    /// others the one whose impulses push and whose corners part.
    fn with_rate(
        &self,
        k: usize,
        side: i8,
        target: f64,
        free: &[usize],
        momentum: &[f64],
    ) -> (Pivots, Vec<f64>) {
        let n = self.blocks.len();
        let mut turn = vec![0.0; 3 * n];
        turn[3 * k + 2] = 1.0;
        if k > 0 {
            turn[3 * k - 1] = -1.0;
        }
        for pivots in self.patterns(free).into_iter().filter(|p| p[k] == side) {
            let (mut rows, _) = self.rows(&pivots, &self.angle, &self.rate);
            let contacts = rows.len();
            rows.push(turn.clone());
            let mut bias = vec![0.0; rows.len()];
            bias[contacts] = target;
            let found = self.system(&rows, momentum, &bias);
            let rates: Vec<f64> = (0..n).map(|j| found[3 * j + 2]).collect();
            let loads = self.loads(&pivots, &self.angle, &found[3 * n..3 * n + contacts]);
            let others = free.iter().filter(|i| **i != k);
            let holds = others.into_iter().all(|&i| match pivots[i] {
                0 => loads[i].0 >= 0.0 && loads[i].1 >= 0.0,
                side => f64::from(side) * self.relative(&rates, i) > 0.0,
            });
            if holds {
                return (pivots, rates);
            }
        }
        panic!("no impact with a rate of {target} at {}", self.time);
    }
}
