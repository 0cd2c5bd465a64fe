//! A second implementation of the plane block with friction, for tests: centre coordinates, classical Runge–Kutta steps
//! of fixed size, events by halving, and the mode after an event by trying which one can be kept for a moment.

/// Block, friction and base motion: sines of (amplitude, ω, phase).
#[derive(Debug, Clone, Copy)]
pub struct Problem {
    pub half_width: f64,
    pub half_height: f64,
    pub gyration: f64,
    pub friction: f64,
    pub horizontal: (f64, f64, f64),
    pub vertical: (f64, f64, f64),
}

/// Corner: +1 right, −1 left. Slip: 0 sticks, ±1 slides to that side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Phase {
    Flat { slip: f64 },
    Corner { corner: f64, slip: f64 },
    Air,
}

/// x, z, θ and their rates.
type Y = [f64; 6];

const G: f64 = 9.81;
const STEP: f64 = 1e-4;
/// A mode must be kept for so long to be the one that follows.
const MOMENT: f64 = 1e-7;

impl Problem {
    fn base(&self, t: f64) -> (f64, f64) {
        let sine = |(a, w, phase): (f64, f64, f64)| a * (w * t + phase).sin();
        (sine(self.horizontal), G + sine(self.vertical))
    }

    /// From the centre to a corner.
    fn arm(&self, corner: f64, turn: f64) -> (f64, f64) {
        let (s, c) = turn.sin_cos();
        let (b, h) = (corner * self.half_width, -self.half_height);
        (b * c + h * s, -b * s + h * c)
    }

    fn gap(&self, corner: f64, y: &Y) -> f64 {
        y[1] + self.arm(corner, y[2]).1
    }

    fn along(&self, corner: f64, y: &Y) -> f64 {
        y[3] + y[5] * self.arm(corner, y[2]).1
    }

    /// Forces (along, up) on a corner.
    fn force(&self, corner: f64, slip: f64, t: f64, y: &Y) -> (f64, f64) {
        let (u, g) = self.base(t);
        let (rx, rz) = self.arm(corner, y[2]);
        let i = self.gyration;
        let (bt, bn) = (-u - y[5] * y[5] * rx, -g - y[5] * y[5] * rz);
        let (tt, nn, nt) = (1.0 + rz * rz / i, 1.0 + rx * rx / i, -rx * rz / i);
        if slip == 0.0 {
            let det = tt * nn - nt * nt;
            ((-bt * nn + bn * nt) / det, (-bn * tt + bt * nt) / det)
        } else {
            let normal = -bn / (nn - slip * self.friction * nt);
            (-slip * self.friction * normal, normal)
        }
    }

    fn rate(&self, phase: Phase, t: f64, y: &Y) -> Y {
        let (u, g) = self.base(t);
        let (ax, az, turning) = match phase {
            Phase::Flat { slip: 0.0 } => return [0.0; 6],
            Phase::Flat { slip } => (-u - slip * self.friction * g, 0.0, 0.0),
            Phase::Corner { corner, slip } => {
                let (tangent, normal) = self.force(corner, slip, t, y);
                let (rx, rz) = self.arm(corner, y[2]);
                (
                    tangent - u,
                    normal - g,
                    (tangent * rz - normal * rx) / self.gyration,
                )
            }
            Phase::Air => (-u, -g, 0.0),
        };
        [y[3], y[4], y[5], ax, az, turning]
    }

    fn step(&self, phase: Phase, t: f64, y: &Y, h: f64) -> Y {
        let shift = |k: &Y, f: f64| -> Y { std::array::from_fn(|i| y[i] + f * k[i]) };
        let k1 = self.rate(phase, t, y);
        let k2 = self.rate(phase, t + 0.5 * h, &shift(&k1, 0.5 * h));
        let k3 = self.rate(phase, t + 0.5 * h, &shift(&k2, 0.5 * h));
        let k4 = self.rate(phase, t + h, &shift(&k3, h));
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    /// What must not be negative: gaps first, then forces and the slip.
    fn margins(&self, phase: Phase, t: f64, y: &Y) -> ([f64; 2], [f64; 4]) {
        let (u, g) = self.base(t);
        let none = f64::INFINITY;
        let flat = |tangent: f64| {
            let lift = tangent * self.half_height / self.half_width;
            [g - lift, g + lift]
        };
        match phase {
            Phase::Flat { slip: 0.0 } => {
                let [a, b] = flat(u);
                ([none; 2], [self.friction * g - u.abs(), a, b, g])
            }
            Phase::Flat { slip } => {
                let [a, b] = flat(-slip * self.friction * g);
                ([none; 2], [slip * y[3], a, b, g])
            }
            Phase::Corner { corner, slip } => {
                let (tangent, normal) = self.force(corner, slip, t, y);
                let grip = if slip == 0.0 {
                    self.friction * normal - tangent.abs()
                } else {
                    slip * self.along(corner, y)
                };
                ([self.gap(-corner, y), none], [normal, grip, none, none])
            }
            Phase::Air => ([self.gap(1.0, y), self.gap(-1.0, y)], [none; 4]),
        }
    }

    fn kept(&self, phase: Phase, t: f64, y: &Y) -> f64 {
        let (gaps, others) = self.margins(phase, t, y);
        gaps.into_iter().chain(others).fold(f64::INFINITY, f64::min)
    }

    /// The phase that can be kept for a moment from a state at rest or in motion on `touching` corners.
    fn next(&self, t: f64, y: &Y, was: Phase, touching: [bool; 2]) -> Phase {
        let mut candidates = vec![];
        if touching == [true, true] {
            candidates.extend([0.0, 1.0, -1.0].map(|slip| Phase::Flat { slip }));
        }
        for (touches, corner) in touching.into_iter().zip([1.0, -1.0]) {
            if touches {
                candidates.extend([0.0, 1.0, -1.0].map(|slip| Phase::Corner { corner, slip }));
            }
        }
        candidates.push(Phase::Air);
        let speed = y[3] - y[5] * self.half_height;
        let fits = |phase: &Phase| {
            let slides = match *phase {
                Phase::Flat { slip } => slip != 0.0 || speed.abs() < 1e-9,
                Phase::Corner { corner, slip } => slip != 0.0 || self.along(corner, y).abs() < 1e-9,
                Phase::Air => true,
            };
            let after = self.step(*phase, t, y, MOMENT);
            // From the flat base the gap grows with the cube of the time: too little to see, so the rate is asked.
            let rises = match *phase {
                Phase::Corner { corner, .. } if after[2].abs() < 1e-9 => corner * after[5] > 0.0,
                _ => true,
            };
            rises && slides && self.kept(*phase, t + MOMENT, &after) > -1e-14
        };
        *candidates
            .iter()
            .filter(|phase| **phase != was)
            .find(|phase| fits(phase))
            .unwrap_or_else(|| panic!("no phase at {t}: {y:?} after {was:?}"))
    }

    /// The plastic impact at one corner, or flat; all conditions tried.
    fn impact(&self, y: &Y, corners: &[f64]) -> (Y, Vec<f64>) {
        let (mu, i) = (self.friction, self.gyration);
        for &corner in corners {
            let (rx, rz) = self.arm(corner, y[2]);
            let (tt, nn, nt) = (1.0 + rz * rz / i, 1.0 + rx * rx / i, -rx * rz / i);
            let (vt, vn) = (y[3] + y[5] * rz, y[4] - y[5] * rx);
            let det = tt * nn - nt * nt;
            let stick = ((-vt * nn + vn * nt) / det, (-vn * tt + vt * nt) / det, 0.0);
            let slip = |s: f64| {
                let normal = -vn / (nn - s * mu * nt);
                (-s * mu * normal, normal, s)
            };
            for (tangent, normal, s) in [stick, slip(1.0), slip(-1.0)] {
                let mut after = *y;
                after[3] += tangent;
                after[4] += normal;
                after[5] += (tangent * rz - normal * rx) / i;
                let along = after[3] + after[5] * rz;
                let good = normal >= 0.0
                    && (if s == 0.0 {
                        tangent.abs() <= mu * normal
                    } else {
                        s * along >= 0.0
                    })
                    && (corners.len() == 1 || corner * after[5] > 0.0);
                if good {
                    return (after, vec![corner]);
                }
            }
        }
        let normal = -y[4];
        let tangent = (-y[3]).clamp(-mu * normal, mu * normal);
        let mut after = *y;
        (after[3], after[4], after[5]) = (y[3] + tangent, 0.0, 0.0);
        (after, vec![1.0, -1.0])
    }

    /// Times of the first `most` events up to `end`, with the phase after each and the rotation; ends when impacts get
    /// slow.
    pub fn run(&self, end: f64, most: usize) -> Vec<(f64, Phase, f64)> {
        let mut y: Y = [0.0, self.half_height, 0.0, 0.0, 0.0, 0.0];
        let (mut t, mut events) = (0.0, vec![]);
        let mut phase = Phase::Flat { slip: 0.0 };
        if self.kept(phase, t, &y) < 0.0 {
            phase = self.next(t, &y, phase, [true, true]);
        }
        while t < end && events.len() < most {
            let after = self.step(phase, t, &y, STEP);
            if self.kept(phase, t + STEP, &after) >= 0.0 {
                (t, y) = (t + STEP, after);
                continue;
            }
            let (_, high) = klast_numerics::roots::bisect(0.0, STEP, 60, |x| {
                let there = self.step(phase, t, &y, x);
                self.kept(phase, t + x, &there) < 0.0
            });
            let there = self.step(phase, t, &y, high);
            let ([a, b], _) = self.margins(phase, t + high, &there);
            (t, y) = (t + high, there);
            let lands = a < 0.0 || b < 0.0;
            let mut touching = match phase {
                Phase::Flat { .. } => [true, true],
                Phase::Corner { corner, .. } => [corner > 0.0, corner < 0.0],
                Phase::Air => [false, false],
            };
            let was = phase;
            if lands {
                let corners = match phase {
                    Phase::Corner { corner, .. } => vec![-corner, corner],
                    _ if a < 1e-10 && b < 1e-10 => vec![1.0, -1.0],
                    _ => vec![if a < b { 1.0 } else { -1.0 }],
                };
                if y[5].abs() < 1e-3 {
                    return events;
                }
                let (after, on) = self.impact(&y, &corners);
                y = after;
                touching = [on.contains(&1.0), on.contains(&-1.0)];
            } else if let Phase::Flat { slip } = phase
                && slip * y[3] < 1e-12
            {
                y[3] = 0.0;
            }
            if touching == [true, true] {
                (y[1], y[2]) = (self.half_height, 0.0);
            }
            phase = self.next(
                t,
                &y,
                if lands {
                    Phase::Flat { slip: 9.0 }
                } else {
                    was
                },
                touching,
            );
            events.push((t, phase, y[2]));
            (t, y) = (t + MOMENT, self.step(phase, t, &y, MOMENT));
        }
        events
    }
}
