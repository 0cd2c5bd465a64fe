//! Real roots of a polynomial of degree up to four in [-1, 1].

/// At most four roots and three turning points of a quartic.
#[derive(Default)]
pub(super) struct Roots {
    list: [f64; 12],
    count: usize,
}

impl Roots {
    fn push(&mut self, x: f64) {
        if let Some(slot) = self.list.get_mut(self.count) {
            *slot = x;
            self.count += 1;
        }
    }

    pub fn values(&self) -> &[f64] {
        self.list.get(..self.count).unwrap_or(&[])
    }
}

fn evaluate(c: &[f64], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, &x| sum * t + x)
}

/// Real roots in [-1, 1], found between the roots of the derivative; turning points are added as candidates, so that
/// a double root that rounding has lifted off zero is not lost.
pub(super) fn roots_in_unit(c: &[f64], out: &mut Roots) {
    let degree = c.len().saturating_sub(1);
    if degree == 0 {
        return;
    }
    let mut turning = Roots::default();
    if degree > 1 {
        let mut slope = [0.0; 4];
        for k in 1..=degree {
            slope[k - 1] = c[k] * k as f64;
        }
        roots_in_unit(&slope[..degree], &mut turning);
    }
    let mut left = -1.0;
    let mut f_left = evaluate(c, left);
    for right in turning.values().iter().copied().chain([1.0]) {
        if right > left {
            let f_right = evaluate(c, right);
            if f_left == 0.0 {
                out.push(left);
            } else if f_left * f_right < 0.0 {
                out.push(bisect(c, left, right, f_left));
            }
            (left, f_left) = (right, f_right);
        }
        if degree == 4 {
            out.push(right);
        }
    }
    out.list[..out.count].sort_by(f64::total_cmp);
}

/// Newton's method kept inside a bracket with a change of sign.
fn bisect(c: &[f64], mut left: f64, mut right: f64, f_left: f64) -> f64 {
    let mut t = 0.5 * (left + right);
    for _ in 0..100 {
        let (mut f, mut slope) = (0.0, 0.0);
        for &x in c.iter().rev() {
            slope = slope * t + f;
            f = f * t + x;
        }
        if f == 0.0 {
            return t;
        }
        if (f < 0.0) == (f_left < 0.0) {
            left = t;
        } else {
            right = t;
        }
        let newton = t - f / slope;
        let next = if newton > left && newton < right {
            newton
        } else {
            0.5 * (left + right)
        };
        if (next - t).abs() <= f64::EPSILON * 0.5 || right - left <= f64::EPSILON {
            return next;
        }
        t = next;
    }
    t
}
