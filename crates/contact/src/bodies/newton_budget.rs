//! The bound on the Newton steps of a solver.

/// Newton steps that may be done, and those that were done. A step is one factorisation, or dissipation passes that
/// count as one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NewtonBudget {
    /// None is without a bound.
    allowed: Option<usize>,
    spent: usize,
}

impl NewtonBudget {
    pub fn of(allowed: Option<usize>) -> Self {
        Self { allowed, spent: 0 }
    }

    /// Steps done: more than are allowed where short dissipation passes went beyond.
    pub fn spent(self) -> usize {
        self.spent
    }

    pub fn left(self) -> usize {
        let left = |allowed: usize| allowed.saturating_sub(self.spent);
        self.allowed.map_or(usize::MAX, left)
    }

    pub fn spend(&mut self, steps: usize) {
        self.spent += steps;
    }
}
