//! The Newton steps that a step of the world has taken, body by body.
//!
//! A step may solve an island several times: contacts enter, rolling resistance is followed, the step is divided; and
//! from one solution to the next islands join and part. Each body therefore carries the steps that its islands have
//! taken, and an island begins with those of its body that carries most. The bound on the work of an island then holds
//! for the step as a whole, on any number of threads.

/// Newton steps of each body since the step of the world began.
#[derive(Debug, Clone, Default)]
pub(super) struct NewtonSteps {
    of_bodies: Vec<usize>,
}

impl NewtonSteps {
    /// None yet, for so many bodies.
    pub fn begin(&mut self, bodies: usize) {
        self.of_bodies.clear();
        self.of_bodies.resize(bodies, 0);
    }

    /// Those that an island of these bodies begins with.
    pub fn of_island(&self, bodies: &[u32]) -> usize {
        let of_bodies = bodies
            .iter()
            .filter_map(|&i| self.of_bodies.get(i as usize));
        of_bodies.copied().max().unwrap_or(0)
    }

    /// Enters what an island of these bodies has taken up to now.
    pub fn enter(&mut self, bodies: &[u32], steps: usize) {
        if steps == 0 {
            return;
        }
        for &i in bodies {
            if let Some(of_body) = self.of_bodies.get_mut(i as usize) {
                *of_body = steps.max(*of_body);
            }
        }
    }

    /// The most of any body.
    pub fn most(&self) -> usize {
        self.of_bodies.iter().copied().max().unwrap_or(0)
    }
}
