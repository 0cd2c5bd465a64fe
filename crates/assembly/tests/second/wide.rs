//! Fixed-point numbers of 320 bits, 256 of them after the point: slow, and exact to 77 decimals.
//!
//! Nothing of the crate is used here; sine and cosine are Taylor series of a reduced angle, π is Machin's formula.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::OnceLock;

const LIMBS: usize = 5;
/// Limbs after the point.
const FRACTION: usize = 4;

/// Sign and magnitude; limbs from the least significant.
#[derive(Debug, Clone, Copy)]
pub struct Wide {
    negative: bool,
    limbs: [u64; LIMBS],
}

impl Wide {
    pub const ZERO: Self = Self {
        negative: false,
        limbs: [0; LIMBS],
    };

    /// The exact value of a double whose digits lie above 2^-256.
    pub fn of(x: f64) -> Self {
        assert!(x.is_finite() && x.abs() < 1.8e19, "{x}");
        let bits = x.abs().to_bits();
        let exponent = (bits >> 52) as i64;
        if exponent == 0 {
            return Self::ZERO;
        }
        let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
        let shift = exponent - 1075 + 64 * FRACTION as i64;
        let mut limbs = [0; LIMBS];
        if shift < 0 {
            limbs[0] = if shift > -64 { mantissa >> -shift } else { 0 };
        } else {
            let (limb, bit) = ((shift / 64) as usize, (shift % 64) as u32);
            limbs[limb] = mantissa << bit;
            if bit > 0 && limb + 1 < LIMBS {
                limbs[limb + 1] = mantissa >> (64 - bit);
            }
        }
        Self {
            negative: x < 0.0,
            limbs,
        }
    }

    pub fn int(k: i64) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[FRACTION] = k.unsigned_abs();
        Self {
            negative: k < 0,
            limbs,
        }
    }

    pub fn to_f64(self) -> f64 {
        let mut x = 0.0;
        for limb in self.limbs.iter().rev() {
            x = x * 18_446_744_073_709_551_616.0 + *limb as f64;
        }
        let x = x * 2.0_f64.powi(-64 * FRACTION as i32);
        if self.negative { -x } else { x }
    }

    pub fn is_zero(self) -> bool {
        self.limbs == [0; LIMBS]
    }

    pub fn abs(self) -> Self {
        Self {
            negative: false,
            ..self
        }
    }

    pub fn is_negative(self) -> bool {
        self.negative && !self.is_zero()
    }

    pub fn is_positive(self) -> bool {
        !self.negative && !self.is_zero()
    }

    pub fn max(self, other: Self) -> Self {
        if self < other { other } else { self }
    }

    pub fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// 2^-k.
    pub fn power(k: u32) -> Self {
        let mut limbs = [0; LIMBS];
        let bit = 64 * FRACTION as u32 - k;
        limbs[(bit / 64) as usize] = 1 << (bit % 64);
        Self {
            negative: false,
            limbs,
        }
    }

    pub fn half(self) -> Self {
        let mut limbs = self.limbs;
        for i in 0..LIMBS {
            let above = limbs.get(i + 1).copied().unwrap_or(0);
            limbs[i] = limbs[i] >> 1 | above << 63;
        }
        Self { limbs, ..self }
    }

    pub fn over(self, divisor: u64) -> Self {
        let mut limbs = [0; LIMBS];
        let mut rest = 0_u128;
        for i in (0..LIMBS).rev() {
            let now = rest << 64 | u128::from(self.limbs[i]);
            limbs[i] = (now / u128::from(divisor)) as u64;
            rest = now % u128::from(divisor);
        }
        Self { limbs, ..self }
    }

    pub fn pi() -> Self {
        static PI: OnceLock<Wide> = OnceLock::new();
        *PI.get_or_init(|| Self::int(16) * arc_tangent(5) - Self::int(4) * arc_tangent(239))
    }

    pub fn sin_cos(self) -> (Self, Self) {
        static BY_HALF_PI: OnceLock<Wide> = OnceLock::new();
        let turns = self * *BY_HALF_PI.get_or_init(|| Self::int(2) / Self::pi());
        let quarter = (turns.to_f64()).round() as i64;
        let angle = self - Self::int(quarter) * Self::pi().half();
        let (s, c) = reduced(angle);
        match quarter.rem_euclid(4) {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        }
    }
}

/// arctan(1/k) by its series.
fn arc_tangent(k: u64) -> Wide {
    let (mut power, mut sum) = (Wide::int(1).over(k), Wide::ZERO);
    let mut n = 0_u64;
    while !power.is_zero() {
        let term = power.over(2 * n + 1);
        sum = if n.is_multiple_of(2) {
            sum + term
        } else {
            sum - term
        };
        power = power.over(k * k);
        n += 1;
    }
    sum
}

/// `1/n!` up to the one below 2^-64 of which, times the 256th part of an angle to that power, all digits end.
fn inverse_factorials() -> &'static [Wide; TERMS] {
    static ALL: OnceLock<[Wide; TERMS]> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = [Wide::int(1); TERMS];
        for n in 1..TERMS {
            all[n] = all[n - 1].over(n as u64);
        }
        all
    })
}

/// (π/4/256)^28/28! is 2^-331.
const TERMS: usize = 28;

/// Sine and cosine of an angle of at most π/4: Taylor at the 256th part of it, then eight doublings.
fn reduced(angle: Wide) -> (Wide, Wide) {
    const DOUBLINGS: usize = 8;
    let mut x = angle;
    for _ in 0..DOUBLINGS {
        x = x.half();
    }
    let square = x * x;
    let (mut sin, mut less) = (Wide::ZERO, Wide::ZERO);
    for pair in inverse_factorials()[1..].chunks(2).rev() {
        sin = pair[0] - square * sin;
        less = pair.get(1).map_or(Wide::ZERO, |c| *c) - square * less;
    }
    (sin, less) = (x * sin, square * less);
    // `less` is 1 − cos: doubling it keeps its digits, 1 − cos 2x = 2 sin²x.
    for _ in 0..DOUBLINGS {
        let (cos, twice) = (Wide::int(1) - less, sin + sin);
        (sin, less) = (twice * cos, twice * sin);
    }
    (sin, Wide::int(1) - less)
}

fn magnitude(a: &[u64; LIMBS], b: &[u64; LIMBS]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

fn sum(a: &[u64; LIMBS], b: &[u64; LIMBS]) -> [u64; LIMBS] {
    let (mut out, mut carry) = ([0; LIMBS], 0);
    for i in 0..LIMBS {
        let s = u128::from(a[i]) + u128::from(b[i]) + carry;
        out[i] = s as u64;
        carry = s >> 64;
    }
    assert_eq!(carry, 0, "a number beyond 64 bits");
    out
}

/// a − b where a is the larger.
fn difference(a: &[u64; LIMBS], b: &[u64; LIMBS]) -> [u64; LIMBS] {
    let (mut out, mut borrow) = ([0; LIMBS], false);
    for i in 0..LIMBS {
        let (d, first) = a[i].overflowing_sub(b[i]);
        let (d, second) = d.overflowing_sub(u64::from(borrow));
        out[i] = d;
        borrow = first || second;
    }
    out
}

impl Add for Wide {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        if self.negative == o.negative {
            return Self {
                limbs: sum(&self.limbs, &o.limbs),
                ..self
            };
        }
        match magnitude(&self.limbs, &o.limbs) {
            Ordering::Less => Self {
                limbs: difference(&o.limbs, &self.limbs),
                ..o
            },
            Ordering::Equal => Self::ZERO,
            Ordering::Greater => Self {
                limbs: difference(&self.limbs, &o.limbs),
                ..self
            },
        }
    }
}

impl Neg for Wide {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            negative: !self.negative,
            ..self
        }
    }
}

impl Sub for Wide {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Wide {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let mut product = [0_u64; 2 * LIMBS];
        for i in 0..LIMBS {
            let mut carry = 0;
            for j in 0..LIMBS {
                let so_far = product[i + j];
                (product[i + j], carry) = self.limbs[i].carrying_mul_add(o.limbs[j], so_far, carry);
            }
            product[i + LIMBS] = carry;
        }
        assert_eq!(product[FRACTION + LIMBS], 0, "a number beyond 64 bits");
        let mut limbs = [0; LIMBS];
        limbs.copy_from_slice(&product[FRACTION..FRACTION + LIMBS]);
        Self {
            negative: self.negative != o.negative,
            limbs,
        }
    }
}

impl Div for Wide {
    type Output = Self;
    /// Newton on the reciprocal, from the double one; for divisors between 1e-15 and 1e15.
    fn div(self, o: Self) -> Self {
        let guess = 1.0 / o.to_f64();
        assert!(
            guess.abs() > 1e-15 && guess.abs() < 1e15,
            "divisor {}",
            o.to_f64()
        );
        let mut r = Self::of(guess);
        for _ in 0..5 {
            r = r * (Self::int(2) - o * r);
        }
        self * r
    }
}

impl PartialEq for Wide {
    fn eq(&self, o: &Self) -> bool {
        self.partial_cmp(o) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        let d = *self - *o;
        Some(if d.is_zero() {
            Ordering::Equal
        } else if d.negative {
            Ordering::Less
        } else {
            Ordering::Greater
        })
    }
}
