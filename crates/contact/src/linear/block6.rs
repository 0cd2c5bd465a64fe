//! 6x6 coupling blocks between two bodies.

use super::block_lu::Block;

/// A 6x6 block by rows.
pub(crate) type Block6 = [[f64; 6]; 6];
/// Six numbers of a body.
pub(crate) type Vector = [f64; 6];

impl Block for Block6 {
    type Vector = Vector;
    const ZERO: Self = [[0.0; 6]; 6];
    const PANEL: usize = 8;

    /// By Gauss and Jordan with partial pivoting. One step waits for the other, so wide vectors gain little: not
    /// compiled for them.
    #[inline(never)]
    fn invert(&mut self) -> bool {
        let mut order = [0, 1, 2, 3, 4, 5];
        let regular = exchange::<0>(self, &mut order)
            && exchange::<1>(self, &mut order)
            && exchange::<2>(self, &mut order)
            && exchange::<3>(self, &mut order)
            && exchange::<4>(self, &mut order)
            && exchange::<5>(self, &mut order);
        for row in self {
            let own = *row;
            for (x, j) in own.into_iter().zip(order) {
                row[j] = x;
            }
        }
        regular
    }

    #[inline(always)]
    fn lead(&mut self, a: &Self) {
        let own = *self;
        for (row, a) in self.iter_mut().zip(a) {
            let mut sum = [0.0; 6];
            for (f, own) in a.iter().zip(&own) {
                for (s, x) in sum.iter_mut().zip(own) {
                    *s += f * x;
                }
            }
            *row = sum;
        }
    }

    #[inline(always)]
    fn take_product(&mut self, a: &Self, b: &Self) {
        for (sum, row) in self.iter_mut().zip(a) {
            let mut s = *sum;
            for (f, other) in row.iter().zip(b) {
                for (s, x) in s.iter_mut().zip(other) {
                    *s -= f * x;
                }
            }
            *sum = s;
        }
    }

    #[inline(always)]
    fn times(&self, x: &Vector) -> Vector {
        let mut y = [0.0; 6];
        for (sum, row) in y.iter_mut().zip(self) {
            for (f, x) in row.iter().zip(x) {
                *sum += f * x;
            }
        }
        y
    }

    #[inline(always)]
    fn take(a: &mut Vector, b: &Vector) {
        for (a, b) in a.iter_mut().zip(b) {
            *a -= b;
        }
    }
}

/// Exchanges unknown `C` with the row that is left with the largest pivot; false if there is none. Each row is written
/// as a whole: one read again before it has left for memory in the same pieces costs nothing.
#[inline(always)]
fn exchange<const C: usize>(m: &mut Block6, order: &mut [usize; 6]) -> bool {
    // No branch could foresee which it is.
    let (mut p, mut largest) = (C, m[C][C].abs());
    for (i, row) in m.iter().enumerate().skip(C + 1) {
        let size = row[C].abs();
        (p, largest) = if size >= largest {
            (i, size)
        } else {
            (p, largest)
        };
    }
    let mut own = m[p];
    m[p] = m[C];
    order.swap(C, p);
    let inverse = 1.0 / own[C];
    own[C] = 1.0;
    for x in &mut own {
        *x *= inverse;
    }
    m[C] = own;
    for (i, row) in m.iter_mut().enumerate() {
        if i != C {
            let f = std::mem::take(&mut row[C]);
            for (x, own) in row.iter_mut().zip(&own) {
                *x -= f * own;
            }
        }
    }
    inverse.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    /// Also where rows have to be exchanged: the last one, or one in the middle, is zero where its pivot would be.
    #[test]
    fn an_inverse_undoes_its_block() {
        let mut rng = Pcg64::seed_from_u64(1);
        for k in 0..60 {
            let mut block: Block6 =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.random_range(-1.0..1.0)));
            block[k % 6][k % 6] = 0.0;
            block[0][0] *= f64::from(u8::from(k % 2 == 0));
            let (mut inverse, mut one) = (block, block);
            assert!(inverse.invert());
            one.lead(&inverse);
            // Some hundred roundings, each by the size of the inverse.
            let scale = inverse
                .iter()
                .flatten()
                .fold(1.0, |a: f64, x| a.max(x.abs()));
            for (i, row) in one.iter().enumerate() {
                for (j, x) in row.iter().enumerate() {
                    let error = x - f64::from(u8::from(i == j));
                    assert!(error.abs() < 1e-13 * scale, "{k} {i} {j} {error}");
                }
            }
        }
    }

    /// Columns of zeros, and what is not a number.
    #[test]
    fn a_singular_block_is_refused() {
        for x in [0.0, f64::NAN] {
            for k in 0..6 {
                let mut block = Block6::ZERO;
                for (i, row) in block.iter_mut().enumerate() {
                    row[i] = if i == k { x } else { 2.0 };
                }
                assert!(!block.invert(), "{x} {k}");
            }
        }
    }
}
