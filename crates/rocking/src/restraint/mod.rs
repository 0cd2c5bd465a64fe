//! Restrainers between a block and its base: anchors, bolts, cables, and bars that push as well.
//!
//! A restrainer joins a point of the block with a point of the base. Over its free length, that at rest and its slack,
//! it pulls with k e, e the elongation, up to its strength F. One with a ductility μ above 1 then yields at F, and an
//! unloading leaves what it has yielded as slack; at the elongation μ F/k it breaks and never acts again (Makris and
//! Zhang 2001, Journal of Engineering Mechanics 127, 484; a ductility of 1 is their elastic–brittle restrainer). A
//! pretension P is a slack of −P/k: it counts on the way to yielding and rupture. A bar takes pressure too, with the
//! same stiffness, and yields under −F without breaking; other restrainers take none. Restrainers have no mass.

mod tie;

pub(crate) use tie::{Edge, Stage, Tie};

use crate::error::RockingError;
use klast_numerics::check::require;

/// Most restrainers of a block.
pub const MOST_RESTRAINERS: usize = 4;

/// A restrainer. Points are (x, z) in the frame of the block at rest, x (m) to the right from below its mass centre, z
/// (m) upwards from its base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restrainer {
    /// Where it holds the block.
    pub block_point: (f64, f64),
    /// Where it is anchored to what moves with the base: a floor, a wall.
    pub base_point: (f64, f64),
    /// Stiffness k (N/m).
    pub stiffness: f64,
    /// Force at which it yields or breaks (N).
    pub strength: f64,
    /// Elongation (m) up to which it does not pull.
    pub slack: f64,
    /// Force at rest (N), under its strength; only of a restrainer with a length and without slack.
    pub pretension: f64,
    /// Elongation at rupture over that at its strength; 1 breaks without yielding.
    pub ductility: f64,
    /// Whether it pushes as well: a bar.
    pub pushes: bool,
}

impl Restrainer {
    /// A bolt through the base at `x` (m), without length and slack: it pulls as soon as its point rises, and breaks
    /// without yielding.
    pub fn bolt(x: f64, stiffness: f64, strength: f64) -> Self {
        Self {
            block_point: (x, 0.0),
            base_point: (x, 0.0),
            stiffness,
            strength,
            slack: 0.0,
            pretension: 0.0,
            ductility: 1.0,
            pushes: false,
        }
    }

    fn check(&self) -> Result<(), RockingError> {
        let (k, f) = (self.stiffness, self.strength);
        require("stiffness of a restrainer", k, k > 0.0, "above 0 N/m")?;
        require("strength of a restrainer", f, f > 0.0, "above 0 N")?;
        let slack = self.slack;
        require("slack of a restrainer", slack, slack >= 0.0, "at least 0 m")?;
        let d = self.ductility;
        require("ductility of a restrainer", d, d >= 1.0, "at least 1")?;
        for x in [self.block_point, self.base_point] {
            require("point of a restrainer", x.0, true, "finite")?;
            require("point of a restrainer", x.1, true, "finite")?;
        }
        let has_length = self.block_point != self.base_point;
        let (p, accepted) = (self.pretension, "at least 0 N and under the strength");
        require(
            "pretension of a restrainer",
            p,
            (0.0..f).contains(&p),
            accepted,
        )?;
        let taut = p == 0.0 || (has_length && slack == 0.0);
        let accepted = "0 N for a restrainer that is slack or without length";
        require("pretension of a restrainer", p, taut, accepted)?;
        let accepted = "two points apart for a bar";
        require(
            "length of a restrainer",
            0.0,
            has_length || !self.pushes,
            accepted,
        )?;
        Ok(())
    }
}

/// The restrainers of a block, and the mass that its forces move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restraint {
    mass: f64,
    count: usize,
    list: [Restrainer; MOST_RESTRAINERS],
}

impl Restraint {
    /// Restrainers of a block of `mass` (kg).
    ///
    /// # Errors
    /// None or more than [`MOST_RESTRAINERS`], and numbers out of range.
    pub fn new(mass: f64, restrainers: &[Restrainer]) -> Result<Self, RockingError> {
        require("mass", mass, mass > 0.0, "above 0 kg")?;
        let count = restrainers.len();
        let few = (1..=MOST_RESTRAINERS).contains(&count);
        require("restrainers", count as f64, few, "1 to 4")?;
        let mut list = [Restrainer::bolt(0.0, 1.0, 1.0); MOST_RESTRAINERS];
        for (kept, restrainer) in list.iter_mut().zip(restrainers) {
            restrainer.check()?;
            *kept = *restrainer;
        }
        Ok(Self { mass, count, list })
    }

    /// Mass of the block (kg).
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The restrainers.
    pub fn restrainers(&self) -> &[Restrainer] {
        self.list.get(..self.count).unwrap_or(&[])
    }
}

/// What one restrainer did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RestrainerReport {
    /// Largest elongation beyond the slack (m).
    pub largest_elongation: f64,
    /// Largest force (N).
    pub largest_force: f64,
    /// When it first yielded (s).
    pub yielded: Option<f64>,
    /// When it broke (s).
    pub broke: Option<f64>,
    /// Energy that it took by yielding, and that was stored in it when it broke (J).
    pub dissipated: f64,
}
