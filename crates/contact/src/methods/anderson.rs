//! Anderson's acceleration of a fixed-point iteration.

use crate::linear::vectors::dot;
use glam::DVec3;

/// Type II with a short memory (Walker & Ni 2011, "Anderson acceleration for fixed-point iterations", eq. 2.3); the
/// normal equations are kept between iterations, so an iteration costs two inner products per remembered step.
#[derive(Debug, Clone)]
pub(crate) struct Anderson<const MEMORY: usize> {
    /// Differences of the images and of the steps, used as a ring; the first `count` hold.
    images: [Vec<DVec3>; MEMORY],
    steps: [Vec<DVec3>; MEMORY],
    gram: [[f64; MEMORY]; MEMORY],
    count: usize,
    newest: usize,
    /// Image and step of the iteration before, if there was one.
    last: (Vec<DVec3>, Vec<DVec3>),
    begun: bool,
}

impl<const MEMORY: usize> Default for Anderson<MEMORY> {
    fn default() -> Self {
        Self {
            images: std::array::from_fn(|_| Vec::new()),
            steps: std::array::from_fn(|_| Vec::new()),
            gram: [[0.0; MEMORY]; MEMORY],
            count: 0,
            newest: 0,
            last: Default::default(),
            begun: false,
        }
    }
}

impl<const MEMORY: usize> Anderson<MEMORY> {
    /// Starts anew.
    pub fn forget(&mut self) {
        (self.count, self.begun) = (0, false);
    }

    /// `z` comes as the image of the plain iteration and leaves accelerated; `step` is the plain step.
    pub fn accelerate(&mut self, z: &mut [DVec3], step: &[DVec3]) {
        if self.begun {
            self.remember(z, step);
        }
        self.begun = true;
        for (last, now) in [(&mut self.last.0, &*z), (&mut self.last.1, step)] {
            last.clear();
            last.extend_from_slice(now);
        }
        let Some(weights) = self.weights(step) else {
            return;
        };
        for (weight, image) in weights.iter().zip(&self.images[..self.count]) {
            for (z, d) in z.iter_mut().zip(image) {
                *z -= *d * *weight;
            }
        }
    }

    /// Stores the differences to the iteration before in place of the oldest ones.
    fn remember(&mut self, z: &[DVec3], step: &[DVec3]) {
        if self.count < MEMORY {
            self.newest = self.count;
            self.count += 1;
        } else {
            self.newest = (self.newest + 1) % MEMORY;
        }
        for (list, now, last) in [
            (&mut self.images[self.newest], z, &self.last.0),
            (&mut self.steps[self.newest], step, &self.last.1),
        ] {
            list.clear();
            list.extend(now.iter().zip(last).map(|(now, last)| *now - *last));
        }
        for k in 0..self.count {
            let product = dot(&self.steps[k], &self.steps[self.newest]);
            self.gram[k][self.newest] = product;
            self.gram[self.newest][k] = product;
        }
    }

    /// Least squares weights of the first `count`, with a ridge that keeps nearly parallel steps from blowing up.
    fn weights(&self, step: &[DVec3]) -> Option<[f64; MEMORY]> {
        let m = self.count;
        if m == 0 {
            return None;
        }
        let trace: f64 = (0..m).map(|k| self.gram[k][k]).sum();
        let ridge = 1e-10 * trace + f64::MIN_POSITIVE;
        let mut a = self.gram;
        let mut b = [0.0; MEMORY];
        for i in 0..m {
            a[i][i] += ridge;
            b[i] = dot(&self.steps[i], step);
        }
        for k in 0..m {
            let pivot = a[k];
            for i in k + 1..m {
                let f = a[i][k] / pivot[k];
                for j in k..m {
                    a[i][j] -= f * pivot[j];
                }
                b[i] -= f * b[k];
            }
        }
        for i in (0..m).rev() {
            let sum: f64 = (i + 1..m).map(|j| a[i][j] * b[j]).sum();
            b[i] = (b[i] - sum) / a[i][i];
        }
        b.iter().all(|x| x.is_finite()).then_some(b)
    }
}
