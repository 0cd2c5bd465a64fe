//! The impact rules by brute force: enumeration of contact sets, and plain loops over pairs.

use super::wide::Wide;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Complementarity,
    Lowest,
    Fastest,
    SmallGaps,
}

/// Bodies at one place, velocities relative to the basin; contact `j` lies in front of body `j`.
pub struct Chain<'a> {
    pub mass: &'a [Wide],
    pub velocity: &'a mut [Wide],
    /// One more than bodies.
    pub restitution: Vec<Wide>,
    pub walls: (bool, bool),
    /// Approach speeds up to this one are none.
    pub small: Wide,
}

impl Chain<'_> {
    fn contacts(&self) -> std::ops::Range<usize> {
        let n = self.mass.len();
        usize::from(!self.walls.0)..n + usize::from(self.walls.1)
    }

    pub fn opening(&self, j: usize) -> Wide {
        let left = if j > 0 {
            self.velocity[j - 1]
        } else {
            Wide::ZERO
        };
        let right = self.velocity.get(j).copied().unwrap_or(Wide::ZERO);
        right - left
    }

    fn closes(&self, j: usize) -> bool {
        self.opening(j) < -self.small
    }

    pub fn any_closes(&self) -> bool {
        self.contacts().any(|j| self.closes(j))
    }

    fn collide(&mut self, j: usize) {
        let n = self.mass.len();
        let u = self.opening(j) * (Wide::int(1) + self.restitution[j]);
        if j == 0 {
            self.velocity[0] = self.velocity[0] - u;
        } else if j == n {
            self.velocity[n - 1] = self.velocity[n - 1] + u;
        } else {
            let (a, b) = (self.mass[j - 1], self.mass[j]);
            let share = u / (a + b);
            self.velocity[j - 1] = self.velocity[j - 1] + share * b;
            self.velocity[j] = self.velocity[j] - share * a;
        }
    }

    pub fn resolve(&mut self, rule: Rule) {
        match rule {
            Rule::Complementarity => while self.complementarity() {},
            Rule::Lowest => {
                while let Some(j) = self.contacts().find(|&j| self.closes(j)) {
                    self.collide(j);
                }
            }
            Rule::Fastest => loop {
                let mut worst: Option<usize> = None;
                for j in self.contacts().filter(|&j| self.closes(j)) {
                    if worst.is_none_or(|w| self.opening(j) < self.opening(w)) {
                        worst = Some(j);
                    }
                }
                let Some(j) = worst else { break };
                self.collide(j);
            },
            Rule::SmallGaps => self.small_gaps(),
        }
    }

    /// Bodies one unit apart fly on one clock.
    fn small_gaps(&mut self) {
        let n = self.mass.len();
        let mut place: Vec<Wide> = (0..n).map(|b| Wide::int(b as i64)).collect();
        loop {
            let mut first: Option<(Wide, usize)> = None;
            for j in self.contacts().filter(|&j| self.closes(j)) {
                let left = if j > 0 { place[j - 1] } else { Wide::int(-1) };
                let right = place.get(j).copied().unwrap_or(Wide::int(n as i64));
                // Speeds of approach far below one would leave the range of the quotient: such pairs come last anyway,
                // and a collapse is over before.
                let speed = self.opening(j).abs();
                if speed < Wide::of(1e-14) {
                    continue;
                }
                let wait = (right - left).max(Wide::ZERO) / speed;
                if first.is_none_or(|f| wait < f.0) {
                    first = Some((wait, j));
                }
            }
            let Some((wait, j)) = first else { break };
            for (x, v) in place.iter_mut().zip(self.velocity.iter()) {
                *x = *x + *v * wait;
            }
            self.collide(j);
        }
        // What closes more slowly than 1e-14 ends plastically, as one.
        let kept = std::mem::replace(&mut self.restitution, vec![Wide::ZERO; n + 1]);
        while self.complementarity() {}
        self.restitution = kept;
    }

    /// One problem for each run of closed contacts that holds an approach; false if there is none.
    fn complementarity(&mut self) -> bool {
        let contacts = self.contacts();
        let mut any = false;
        let mut j = contacts.start;
        while j < contacts.end {
            let first = j;
            let mut closes = false;
            while j < contacts.end && self.opening(j) <= self.small {
                closes |= self.closes(j);
                j += 1;
            }
            if closes {
                any = true;
                self.solve(first, j);
            }
            j = j.max(first + 1);
        }
        any
    }

    /// 0 ≤ p ⟂ u⁺ − target ≥ 0 for the contacts `first..end`, all sets of active contacts tried, the fullest first.
    fn solve(&mut self, first: usize, end: usize) {
        let target: Vec<Wide> = (first..end)
            .map(|j| {
                if self.closes(j) {
                    -self.opening(j) * self.restitution[j]
                } else {
                    Wide::ZERO
                }
            })
            .collect();
        let count = end - first;
        for set in (0..1_usize << count).rev() {
            if let Some(v) = self.with_active(first, end, set, &target) {
                self.velocity.copy_from_slice(&v);
                return;
            }
        }
        panic!("no admissible set of active contacts");
    }

    fn with_active(
        &self,
        first: usize,
        end: usize,
        set: usize,
        target: &[Wide],
    ) -> Option<Vec<Wide>> {
        let n = self.mass.len();
        let slack = Wide::power(220);
        let active = |j: usize| j >= first && j < end && set >> (j - first) & 1 == 1;
        let mut after = self.velocity.to_vec();
        let mut b = first.saturating_sub(1);
        let last = end.min(n);
        while b < last {
            let start = b;
            let mut offset = vec![Wide::ZERO];
            b += 1;
            while b < last && active(b) {
                offset.push(offset[b - 1 - start] + target[b - first]);
                b += 1;
            }
            let on_left = start == 0 && active(0);
            let on_right = b == n && active(n);
            let (mut mass, mut momentum) = (Wide::ZERO, Wide::ZERO);
            for k in start..b {
                mass = mass + self.mass[k];
                momentum = momentum + self.mass[k] * (self.velocity[k] - offset[k - start]);
            }
            let base = match (on_left, on_right) {
                (true, true) => return None,
                (true, false) => target[0],
                (false, true) => -target[n - first] - offset[b - 1 - start],
                (false, false) => momentum / mass,
            };
            for k in start..b {
                after[k] = base + offset[k - start];
            }
            // Impulses from the left end, zero there without an active wall; pushed from the right wall they end above
            // zero.
            let mut p = if on_left {
                mass * base - momentum
            } else {
                Wide::ZERO
            };
            if p < -slack {
                return None;
            }
            for k in start..b {
                p = p - self.mass[k] * (after[k] - self.velocity[k]);
                if p < -slack {
                    return None;
                }
            }
        }
        let opening = |j: usize| {
            let left = if j > 0 { after[j - 1] } else { Wide::ZERO };
            after.get(j).copied().unwrap_or(Wide::ZERO) - left
        };
        (first..end)
            .all(|j| opening(j) >= target[j - first] - slack)
            .then_some(after)
    }
}
