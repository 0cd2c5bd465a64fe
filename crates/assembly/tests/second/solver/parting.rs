//! How blocks that touch part.

use super::super::wide::Wide;
use super::Solver;
use super::basin::Basin;

#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub begin: usize,
    pub end: usize,
    pub acceleration: Wide,
    pub f: Wide,
}

impl Solver {
    /// Whether any of the resting blocks `a..z` would slide.
    pub fn moves(&self, a: usize, z: usize, k: &Basin) -> bool {
        self.partition(a, z, k, Wide::ZERO)
            .iter()
            .any(|p| !p.acceleration.is_zero())
    }

    /// Gauss' principle for touching blocks `a..z` of one slip `w`: of all ways to part them into groups the one that
    /// deviates least from the free motion, without overlap.
    pub fn partition(&self, a: usize, z: usize, k: &Basin, w: Wide) -> Vec<Part> {
        let on_left = a == 0 && self.body[0].y.abs() <= self.touch;
        let on_right =
            z == self.body.len() && (self.case.free - self.body[z - 1].y).abs() <= self.touch;
        let mut best: Option<(Wide, Vec<Part>)> = None;
        for cuts in 0..1_usize << (z - a - 1) {
            let mut parts: Vec<Part> = Vec::new();
            let mut cost = Wide::ZERO;
            let mut begin = a;
            for end in a + 1..=z {
                if end < z && cuts >> (end - a - 1) & 1 == 0 {
                    continue;
                }
                let mass = (begin..end).fold(Wide::ZERO, |s, i| s + self.mass[i]);
                let grip =
                    (begin..end).fold(Wide::ZERO, |s, i| s + self.mass[i] * self.grip[i]) / mass;
                let (acceleration, f) = if w.is_zero() {
                    let pull = -k.a;
                    let mut f = Wide::ZERO;
                    let mut acceleration = Wide::ZERO;
                    if pull.abs() > grip {
                        f = if pull.is_negative() { -grip } else { grip };
                        acceleration = pull - f;
                    }
                    if (on_left && acceleration.is_negative())
                        || (on_right && acceleration.is_positive())
                    {
                        (Wide::ZERO, Wide::ZERO)
                    } else {
                        (acceleration, f)
                    }
                } else {
                    let f = if w.is_negative() { -grip } else { grip };
                    (-k.a - f, f)
                };
                for i in begin..end {
                    let excess = acceleration + k.a;
                    // Rate of friction work: against the slip, or |acceleration| from rest.
                    let rub = if w.is_zero() {
                        acceleration.abs()
                    } else if w.is_negative() {
                        -acceleration
                    } else {
                        acceleration
                    };
                    cost = cost + self.mass[i] * ((excess * excess).half() + self.grip[i] * rub);
                }
                parts.push(Part {
                    begin,
                    end,
                    acceleration,
                    f,
                });
                begin = end;
            }
            let slack = Wide::power(230);
            let ordered = parts
                .windows(2)
                .all(|p| p[1].acceleration >= p[0].acceleration - slack);
            // Of equal ones the first stays, and the first is the least parted.
            if ordered && best.as_ref().is_none_or(|b| cost < b.0 - slack) {
                best = Some((cost, parts));
            }
        }
        best.map(|b| b.1).unwrap_or_default()
    }
}
