//! A second implementation of a block on a Winkler bed with friction and restrainers, for tests: coordinates of the
//! mass centre and the rotation, the sticking foot as a constraint whose force is the multiplier that keeps the edge
//! from accelerating, classical Runge–Kutta steps of fixed size, and every kink of the forces found by halving.

pub mod scene;

pub const G: f64 = 9.81;

/// A restrainer in the frame of the block at rest, per mass of it.
#[derive(Debug, Clone, Copy)]
pub struct Rod {
    pub block: (f64, f64),
    pub base: (f64, f64),
    pub stiffness: f64,
    pub strength: f64,
    pub slack: f64,
    pub pretension: f64,
    pub ductility: f64,
}

#[derive(Debug, Clone)]
pub struct Problem {
    pub half_width: f64,
    pub half_height: f64,
    /// Stiffness and damping of the bed per length and mass.
    pub bed: (f64, f64),
    /// None: the foot never slides.
    pub friction: Option<f64>,
    pub rods: Vec<Rod>,
    /// Sines (amplitude, ω) that last for a time.
    pub horizontal: (f64, f64),
    pub vertical: (f64, f64),
    pub shaken: f64,
}

/// x, z, θ and their rates.
type Y = [f64; 6];

/// A rod on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Law {
    Elastic,
    Yields,
    Broken,
}

#[derive(Debug, Clone)]
struct Conditions {
    /// Direction of the slide; 0 sticks.
    slip: f64,
    shakes: bool,
    laws: Vec<Law>,
    /// Plastic elongation.
    plastic: Vec<f64>,
}

/// What a run comes to.
#[derive(Debug, Clone)]
pub struct Found {
    /// Rotation and slip of the edge it leans to, every half second.
    pub history: Vec<(f64, f64)>,
    pub ruptures: Vec<Option<f64>>,
    pub slides: usize,
    pub lifts: usize,
}

impl Problem {
    fn settlement(&self) -> f64 {
        let down: f64 = self
            .rods
            .iter()
            .map(|rod| {
                let (x, z) = (rod.block.0 - rod.base.0, rod.block.1 - rod.base.1);
                if rod.pretension == 0.0 {
                    0.0
                } else {
                    rod.pretension * z / x.hypot(z)
                }
            })
            .sum();
        (G + down) / (self.bed.0 * 2.0 * self.half_width)
    }

    fn base(&self, t: f64, shakes: bool) -> (f64, f64) {
        let sine = |(a, w): (f64, f64)| {
            if shakes { a * (w * t).sin() } else { 0.0 }
        };
        (sine(self.horizontal), sine(self.vertical))
    }

    /// Position of a point of the block given from the middle of its base, less the settlement at rest.
    fn place(&self, y: &Y, (a, c): (f64, f64)) -> (f64, f64) {
        let (s, co) = y[2].sin_cos();
        let b = c - self.half_height;
        (y[0] + a * co + b * s, y[1] - a * s + b * co)
    }

    fn velocity(&self, y: &Y, point: (f64, f64)) -> (f64, f64) {
        let (x, z) = self.place(y, point);
        (y[3] + y[5] * (z - y[1]), y[4] - y[5] * (x - y[0]))
    }

    /// Elongation over the length at rest and its rate.
    fn elongation(&self, rod: &Rod, y: &Y) -> (f64, f64) {
        let (x, z) = self.place(y, rod.block);
        let anchor = (rod.base.0, rod.base.1 - self.settlement());
        let (dx, dz) = (x - anchor.0, z - anchor.1);
        let length = dx.hypot(dz);
        let rest = (rod.block.0 - rod.base.0).hypot(rod.block.1 - rod.base.1);
        let (vx, vz) = self.velocity(y, rod.block);
        let rate = if length > 0.0 {
            (dx * vx + dz * vz) / length
        } else {
            0.0
        };
        (length - rest, rate)
    }

    /// Force on the elastic way from its pretension and slack.
    fn trial(rod: &Rod, plastic: f64, elongation: f64) -> f64 {
        rod.pretension + rod.stiffness * (elongation - rod.slack - plastic)
    }

    /// Resultant of the bed and its moment about the mass centre, from antiderivatives along the base.
    fn bed(&self, y: &Y) -> (f64, f64) {
        let (k, c) = self.bed;
        let (s, co) = y[2].sin_cos();
        // Depth and its rate at the distance u from the middle: −z_bottom(u).
        let middle = self.place(y, (0.0, 0.0));
        let rise = self.velocity(y, (0.0, 0.0)).1;
        let depth = |u: f64| u * s - middle.1;
        let press = |u: f64| k * depth(u) + c * (u * co * y[5] - rise);
        let (mut from, mut to) = (-self.half_width, self.half_width);
        for line in [&depth as &dyn Fn(f64) -> f64, &press] {
            let (a, b) = (line(from), line(to));
            if a <= 0.0 && b <= 0.0 || from >= to {
                return (0.0, 0.0);
            }
            let zero = from + (to - from) * a / (a - b);
            if a <= 0.0 {
                from = zero;
            } else if b <= 0.0 {
                to = zero;
            }
        }
        // p = p₀ + p₁ u.
        let p1 = (press(to) - press(from)) / (to - from);
        let p0 = press(from) - p1 * from;
        let squares = (to * to - from * from) / 2.0;
        let cubes = (to * to * to - from * from * from) / 3.0;
        let (sum, first) = (p0 * (to - from) + p1 * squares, p0 * squares + p1 * cubes);
        // Points at u lie at u cos θ − h sin θ from the centre; upward forces turn anticlockwise there.
        (sum, -(first * co - sum * self.half_height * s))
    }

    /// Accelerations, and normal and tangential force.
    fn go(&self, t: f64, y: &Y, now: &Conditions) -> (Y, f64, f64) {
        let i = (self.half_width.powi(2) + self.half_height.powi(2)) / 3.0;
        let (u, v) = self.base(t, now.shakes);
        let (normal, moment) = self.bed(y);
        let (mut fx, mut fz, mut m) = (-u, normal - G - v, moment);
        for (n, rod) in self.rods.iter().enumerate() {
            let (e, _) = self.elongation(rod, y);
            let pull = match now.laws[n] {
                Law::Elastic => Self::trial(rod, now.plastic[n], e).max(0.0),
                Law::Yields => rod.strength,
                Law::Broken => 0.0,
            };
            let (x, z) = self.place(y, rod.block);
            let (dx, dz) = (rod.base.0 - x, rod.base.1 - self.settlement() - z);
            let length = dx.hypot(dz);
            if pull > 0.0 && length > 0.0 {
                let force = (pull * dx / length, pull * dz / length);
                fx += force.0;
                fz += force.1;
                m += (z - y[1]) * force.0 - (x - y[0]) * force.1;
            }
        }
        let edge = if y[2] < 0.0 || (y[2] == 0.0 && y[5] < 0.0) {
            -1.0
        } else {
            1.0
        };
        let (x, z) = self.place(y, (edge * self.half_width, 0.0));
        let (rx, rz) = (x - y[0], z - y[1]);
        let tangent = match (self.friction, now.slip) {
            (Some(mu), slip) if slip != 0.0 => -slip * mu * normal,
            // ẍ + θ̈ rz − θ̇² rx = 0 with ẍ = fx + T and θ̈ = (m + rz T)/i.
            _ => -(fx + rz * m / i - y[5] * y[5] * rx) / (1.0 + rz * rz / i),
        };
        let turning = (m + rz * tangent) / i;
        (
            [y[3], y[4], y[5], fx + tangent, fz, turning],
            normal,
            tangent,
        )
    }

    fn step(&self, t: f64, y: &Y, h: f64, now: &Conditions) -> Y {
        let shift = |k: &Y, f: f64| -> Y { std::array::from_fn(|i| y[i] + f * k[i]) };
        let k1 = self.go(t, y, now).0;
        let k2 = self.go(t + 0.5 * h, &shift(&k1, 0.5 * h), now).0;
        let k3 = self.go(t + 0.5 * h, &shift(&k2, 0.5 * h), now).0;
        let k4 = self.go(t + h, &shift(&k3, h), now).0;
        std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
    }

    fn edge_speed(&self, y: &Y) -> f64 {
        let edge = if y[2] < 0.0 { -1.0 } else { 1.0 };
        self.velocity(y, (edge * self.half_width, 0.0)).0
    }

    /// Signs that must not change within a step: edges, lean, rods slack or taut.
    fn signs(&self, y: &Y, now: &Conditions) -> Vec<bool> {
        let (k, c) = self.bed;
        let mut signs = vec![y[2] < 0.0];
        for edge in [-self.half_width, self.half_width] {
            let depth = -self.place(y, (edge, 0.0)).1;
            let rate = -self.velocity(y, (edge, 0.0)).1;
            signs.push(depth > 0.0 && k * depth + c * rate > 0.0);
        }
        for (n, rod) in self.rods.iter().enumerate() {
            let e = self.elongation(rod, y).0;
            signs.push(now.laws[n] == Law::Elastic && Self::trial(rod, now.plastic[n], e) > 0.0);
        }
        signs
    }

    /// What ends the present conditions: rods by number, the foot last.
    fn broken(&self, t: f64, y: &Y, now: &Conditions) -> Vec<bool> {
        let mut ends: Vec<bool> = self
            .rods
            .iter()
            .enumerate()
            .map(|(n, rod)| {
                let (e, rate) = self.elongation(rod, y);
                match now.laws[n] {
                    Law::Elastic => Self::trial(rod, now.plastic[n], e) > rod.strength,
                    Law::Yields => rate < 0.0 || self.spent(rod, e),
                    Law::Broken => false,
                }
            })
            .collect();
        ends.push(match (self.friction, now.slip) {
            (None, _) => false,
            (Some(mu), 0.0) => {
                let (_, normal, tangent) = self.go(t, y, now);
                tangent.abs() > mu * normal
            }
            (Some(_), slip) => slip * self.edge_speed(y) < 0.0,
        });
        ends
    }

    fn spent(&self, rod: &Rod, elongation: f64) -> bool {
        let from_zero = elongation - rod.slack + rod.pretension / rod.stiffness;
        from_zero > rod.ductility * rod.strength / rod.stiffness
    }

    /// Follows 5 s in steps of `h`.
    pub fn run(&self, h: f64) -> Found {
        let mut y: Y = [
            0.0,
            self.half_height - self.settlement(),
            0.0,
            0.0,
            0.0,
            0.0,
        ];
        let mut now = Conditions {
            slip: 0.0,
            shakes: true,
            laws: vec![Law::Elastic; self.rods.len()],
            plastic: vec![0.0; self.rods.len()],
        };
        let mut found = Found {
            history: vec![],
            ruptures: vec![None; self.rods.len()],
            slides: 0,
            lifts: 0,
        };
        let mut t = 0.0;
        // The end of the shaking is a kink of the base.
        let mut marks: Vec<f64> = (1..=10)
            .map(|i| 0.5 * f64::from(i))
            .chain([self.shaken])
            .collect();
        marks.sort_by(f64::total_cmp);
        for mark in marks {
            now.shakes = t < self.shaken;
            while mark - t > 1e-13 {
                if y[2].abs() >= std::f64::consts::FRAC_PI_2 {
                    return found;
                }
                let length = h.min(mark - t);
                let next = self.step(t, &y, length, &now);
                let signs = self.signs(&y, &now);
                let changed = |x: f64| {
                    let there = self.step(t, &y, x, &now);
                    self.signs(&there, &now) != signs
                        || self.broken(t + x, &there, &now).contains(&true)
                };
                if self.signs(&next, &now) == signs
                    && !self.broken(t + length, &next, &now).contains(&true)
                {
                    (t, y) = (t + length, next);
                    continue;
                }
                let (_, after) = klast_numerics::roots::bisect(0.0, length, 60, changed);
                y = self.step(t, &y, after, &now);
                t += after;
                let seen = self.signs(&y, &now);
                found.lifts +=
                    usize::from(signs[1] && !seen[1]) + usize::from(signs[2] && !seen[2]);
                self.change(t, &mut y, &mut now, &mut found);
            }
            t = mark;
            if (mark * 2.0).fract() == 0.0 && found.history.len() < 10 {
                let edge = if y[2] < 0.0 { -1.0 } else { 1.0 };
                let slip = self.place(&y, (edge * self.half_width, 0.0)).0 - edge * self.half_width;
                found.history.push((y[2], slip));
            }
        }
        found
    }

    /// The conditions after an end.
    fn change(&self, t: f64, y: &mut Y, now: &mut Conditions, found: &mut Found) {
        let ends = self.broken(t, y, now);
        for (n, rod) in self.rods.iter().enumerate() {
            if !ends[n] {
                continue;
            }
            let (e, _) = self.elongation(rod, y);
            now.laws[n] = match now.laws[n] {
                Law::Elastic if rod.ductility > 1.0 => Law::Yields,
                Law::Yields if !self.spent(rod, e) => {
                    now.plastic[n] +=
                        (Self::trial(rod, now.plastic[n], e) - rod.strength) / rod.stiffness;
                    Law::Elastic
                }
                _ => {
                    found.ruptures[n] = Some(t);
                    Law::Broken
                }
            };
        }
        let Some(mu) = self.friction else {
            return;
        };
        if now.slip != 0.0 && ends[self.rods.len()] {
            // The foot stops: its edge has no speed.
            y[3] -= self.edge_speed(y);
            now.slip = 0.0;
        }
        if now.slip == 0.0 {
            let (_, normal, tangent) = self.go(t, y, now);
            if tangent.abs() > mu * normal {
                now.slip = -tangent.signum();
                found.slides += 1;
            }
        }
    }
}
