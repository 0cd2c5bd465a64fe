//! How a row is spread in its long-time motion.

use crate::assembly::Assembly;

/// How the row is spread in its long-time motion, by the dispersal δ = (√I − 1)/(√I_even − 1), where I is the
/// inertia index and I_even that of the row spread with equal gaps: 0 compact, 1 evenly spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The row stays together: δ never above 0.05.
    Densified,
    /// It opens and closes again.
    Breathing,
    /// It stays spread: δ never below 0.5.
    Rarified,
}

impl Pattern {
    /// Pattern of a run whose index ranged over (smallest, mean, largest).
    pub(crate) fn of(run: &Assembly, (low, _, high): (f64, f64, f64)) -> Self {
        let even = even_index(run).sqrt() - 1.0;
        // A single block, or a row without room, has nothing to spread.
        let spread = |index: f64| {
            if even > 0.0 {
                (index.max(0.0).sqrt() - 1.0) / even
            } else {
                0.0
            }
        };
        if spread(high) <= 0.05 {
            Self::Densified
        } else if spread(low) >= 0.5 {
            Self::Rarified
        } else {
            Self::Breathing
        }
    }
}

/// Moment-of-inertia index of the row with equal gaps, walls included.
fn even_index(run: &Assembly) -> f64 {
    let gap = run.free_travel() / (run.len() as f64 + 1.0);
    let second = |gap: f64| {
        let mut at = 0.0;
        let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
        for b in run.blocks() {
            let x = at + 0.5 * b.size;
            at += b.size + gap;
            mass += b.mass;
            first += b.mass * x;
            second += b.mass * x * x;
        }
        second - first * first / mass
    };
    let compact = second(0.0);
    if run.len() > 1 && compact > 0.0 {
        second(gap) / compact
    } else {
        1.0
    }
}
