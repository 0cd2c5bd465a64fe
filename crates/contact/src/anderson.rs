//! Anderson's acceleration of a fixed-point iteration.

use glam::DVec3;

/// Type II with a short memory (Walker & Ni 2011, "Anderson acceleration for fixed-point iterations", eq. 2.3); the
/// normal equations are kept between iterations, so an iteration costs two inner products per remembered step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Anderson {
    memory: usize,
    /// Differences of the images and of the steps, used as a ring.
    images: Vec<Vec<DVec3>>,
    steps: Vec<Vec<DVec3>>,
    gram: Vec<f64>,
    newest: usize,
    last: Option<(Vec<DVec3>, Vec<DVec3>)>,
}

impl Anderson {
    pub fn new(memory: usize) -> Self {
        Self {
            memory,
            images: Vec::new(),
            steps: Vec::new(),
            gram: vec![0.0; memory * memory],
            newest: 0,
            last: None,
        }
    }

    /// `z` comes as the image of the plain iteration and leaves accelerated; `step` is the plain step.
    pub fn accelerate(&mut self, z: &mut [DVec3], step: &[DVec3]) {
        match self.last.take() {
            None => self.last = Some((z.to_vec(), step.to_vec())),
            Some((mut old_z, mut old_step)) => {
                for ((a, z), (b, s)) in old_z
                    .iter_mut()
                    .zip(z.iter())
                    .zip(old_step.iter_mut().zip(step))
                {
                    (*a, *b) = (*z - *a, *s - *b);
                }
                let (mut spare_z, mut spare_step) = self.remember(old_z, old_step);
                spare_z.clear();
                spare_z.extend_from_slice(z);
                spare_step.clear();
                spare_step.extend_from_slice(step);
                self.last = Some((spare_z, spare_step));
            }
        }
        let Some(weights) = self.weights(step) else {
            return;
        };
        for (weight, image) in weights.iter().zip(&self.images) {
            for (z, d) in z.iter_mut().zip(image) {
                *z -= *d * *weight;
            }
        }
    }

    /// Stores the newest differences, gives back the buffers that they replace.
    fn remember(&mut self, image: Vec<DVec3>, step: Vec<DVec3>) -> (Vec<DVec3>, Vec<DVec3>) {
        let spare = if self.steps.len() < self.memory {
            self.newest = self.steps.len();
            self.images.push(image);
            self.steps.push(step);
            (Vec::new(), Vec::new())
        } else {
            self.newest = (self.newest + 1) % self.memory;
            (
                std::mem::replace(&mut self.images[self.newest], image),
                std::mem::replace(&mut self.steps[self.newest], step),
            )
        };
        for (k, other) in self.steps.iter().enumerate() {
            let product = dot(other, &self.steps[self.newest]);
            self.gram[k * self.memory + self.newest] = product;
            self.gram[self.newest * self.memory + k] = product;
        }
        spare
    }

    /// Least squares weights, with a ridge that keeps nearly parallel steps from blowing up.
    fn weights(&self, step: &[DVec3]) -> Option<Vec<f64>> {
        let m = self.steps.len();
        if m == 0 {
            return None;
        }
        let trace: f64 = (0..m).map(|k| self.gram[k * self.memory + k]).sum();
        let ridge = 1e-10 * trace + f64::MIN_POSITIVE;
        let mut a: Vec<f64> = Vec::with_capacity(m * m);
        for i in 0..m {
            a.extend(
                (0..m).map(|j| self.gram[i * self.memory + j] + if i == j { ridge } else { 0.0 }),
            );
        }
        let mut b: Vec<f64> = self.steps.iter().map(|s| dot(s, step)).collect();
        for k in 0..m {
            for i in k + 1..m {
                let f = a[i * m + k] / a[k * m + k];
                for j in k..m {
                    a[i * m + j] -= f * a[k * m + j];
                }
                b[i] -= f * b[k];
            }
        }
        for i in (0..m).rev() {
            let sum: f64 = (i + 1..m).map(|j| a[i * m + j] * b[j]).sum();
            b[i] = (b[i] - sum) / a[i * m + i];
        }
        b.iter().all(|x| x.is_finite()).then_some(b)
    }
}

pub(crate) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let mut sum = DVec3::ZERO;
    for (x, y) in a.iter().zip(b) {
        sum += *x * *y;
    }
    sum.x + sum.y + sum.z
}

pub(crate) fn norm(a: &[DVec3]) -> f64 {
    dot(a, a).sqrt()
}
