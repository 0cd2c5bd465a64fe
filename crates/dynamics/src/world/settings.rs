//! How a world is stepped.

use super::drowsiness::Sleep;
use crate::DynamicsError;
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite_vector, non_negative, positive, within};

use glam::DVec3;

/// How long each step's contact problem is worked on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effort {
    /// A fixed number of Gauss–Seidel sweeps in all: seven tenths on velocities, the rest on overlap. An island whose
    /// relative residual stays above 1e-3 counts as one that did not converge. Contacts of pairs that barely move are
    /// kept without a search and follow their features, see [`super::OverlapReport::kept_way`].
    Sweeps(usize),
    /// What the step shows: to the tolerance where an island is small, or at rest and carries loads as structures do;
    /// twenty sweeps where much of a large one is moving. What stays above the tolerance is counted, whichever it was.
    Auto {
        /// Tolerance on the relative residual.
        tolerance: f64,
    },
    /// Until the relative residual η / max‖q‖ of each island is at or under the tolerance: Gauss–Seidel sweeps first,
    /// and where they crawl Newton's method in the bodies' velocities. What stays above is counted.
    Residual {
        /// Tolerance on the relative residual.
        tolerance: f64,
        /// Sweeps at most in each turn of an island.
        sweeps: usize,
    },
}

/// What restitution is the ratio of; [`klast_contact::ImpactLaw`] has the equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Restitution {
    /// Newton: normal velocities after and before. With friction it can make energy, which the audit says.
    #[default]
    Newton,
    /// Newton's without friction, then friction with those normal impulses held.
    Sequential,
    /// Poisson: normal impulses of restitution and of compression.
    Poisson,
    /// Stronge: the square is the ratio of the work of the normal force in restitution and in compression.
    Stronge,
}

/// How bodies that meet with restitution collide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Impacts {
    /// Pair by pair, in the order in which they meet within the step: each impact is that of two bodies alone.
    InTurn(Restitution),
    /// All contacts of an island in one problem (Moreau 1988), Newton's law: of bodies in a row all move on after an
    /// impact.
    Together,
}

impl Default for Impacts {
    fn default() -> Self {
        Self::InTurn(Restitution::Newton)
    }
}

/// Everything a step needs to know besides the bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldSettings {
    /// Acceleration of gravity (m/s²).
    pub gravity: DVec3,
    /// Step size (s).
    pub step: f64,
    /// Weight of the new velocity in the motion, ½ to 1. 1 never gains energy, ½ keeps it in flight.
    pub theta: f64,
    /// Work on each step's contact problem.
    pub effort: Effort,
    /// How bodies with restitution collide.
    pub impacts: Impacts,
    /// Approach below this speed does not bounce (m/s).
    pub bounce_above: f64,
    /// Distance up to which contacts are tracked, beside the way of one step (m). It follows the size of the bodies,
    /// see [`WorldSettings::for_size`].
    pub margin: f64,
    /// Overlap that is left alone (m). It follows the size of the bodies, see [`WorldSettings::for_size`].
    pub slop: f64,
    /// Part of the overlap beyond the slop that a step takes out, 0 (none) to 1.
    pub recovery: f64,
    /// When islands at rest are put to sleep; never without it.
    pub sleep: Option<Sleep>,
    /// Stiffness of each contact point in all directions (N/m); rigid without it. Not with [`Effort::Sweeps`].
    pub stiffness: Option<f64>,
    /// Newton steps that automatic effort may spend on an island in a step, over all its solutions and dissipation
    /// passes; by the number of its contacts without it, 100 to 2,000. Short dissipation passes may be made beyond it
    /// and are counted in [`super::SolverReport::newton_steps`]. What meets the bound unsolved is counted in
    /// [`super::SolverReport::over_budget`].
    pub max_newton_steps: Option<usize>,
    /// Whether the law takes the mean velocities of the contact points over the step, on the arcs on which their bodies
    /// turn, in place of those at its start. A body that rolls without slip then moves to second order in the step,
    /// with θ = 1, and else to first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub arcs: bool,
    /// Whether contacts and islands are worked on by all threads; the bits are the same.
    pub parallel: bool,
}

impl Default for WorldSettings {
    /// g = 9.81 m/s², 2.5 ms, θ = 1, automatic effort to 1e-6, impacts in turn, for bodies of about 1 m; for others
    /// see [`WorldSettings::for_size`].
    fn default() -> Self {
        Self {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            step: 2.5e-3,
            theta: 1.0,
            effort: Effort::Auto { tolerance: 1e-6 },
            impacts: Impacts::default(),
            bounce_above: 0.05,
            margin: 2e-3,
            slop: 2e-5,
            recovery: 0.3,
            sleep: None,
            stiffness: None,
            max_newton_steps: None,
            arcs: false,
            parallel: true,
        }
    }
}

impl WorldSettings {
    /// The defaults for a smallest free body of a size, the cube root of its volume (m). Lengths go with the size:
    /// [`WorldSettings::margin`] is 2 mm and [`WorldSettings::slop`] 20 µm for a metre; a margin far larger than a body
    /// tracks contacts that never close, a slop that is large beside it lets it sink visibly. Speeds go with its root,
    /// as those of a fall do. The step stays 2.5 ms: for pebbles take less, as √(size/g).
    ///
    /// ```
    /// use klast_dynamics::WorldSettings;
    /// let pebbles = WorldSettings::for_size(0.01);
    /// assert!((pebbles.margin - 2e-5).abs() < 1e-12 && (pebbles.slop - 2e-7).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn for_size(size: f64) -> Self {
        let default = Self::default();
        Self {
            bounce_above: default.bounce_above * size.sqrt(),
            margin: default.margin * size,
            slop: default.slop * size,
            ..default
        }
    }

    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        finite_vector("gravity", self.gravity)?;
        positive("step", self.step)?;
        within("theta", self.theta, (0.5, 1.0), "0.5 to 1")?;
        within("recovery", self.recovery, (0.0, 1.0), "0 to 1")?;
        for (field, found) in [
            ("bounce_above", self.bounce_above),
            ("margin", self.margin),
            ("slop", self.slop),
        ] {
            non_negative(field, found)?;
        }
        if let Some(sleep) = &self.sleep {
            sleep.check()?;
        }
        if let Effort::Residual { tolerance, .. } | Effort::Auto { tolerance } = self.effort {
            positive("tolerance", tolerance)?;
        }
        if self.max_newton_steps == Some(0) {
            return Err(OutOfRange::new("max_newton_steps", 0.0, "1 or more").into());
        }
        if let Some(stiffness) = self.stiffness {
            positive("stiffness", stiffness)?;
            positive("1 / (stiffness · step²)", self.compliance())?;
            if let Effort::Sweeps(count) = self.effort {
                return Err(OutOfRange::new(
                    "sweeps of contacts with a stiffness",
                    count as f64,
                    "effort auto or to a residual",
                )
                .into());
            }
        }
        Ok(())
    }

    /// What a contact yields over a step by an impulse, `1/(k h²)` (1/kg); 0 for rigid ones.
    pub(super) fn compliance(&self) -> f64 {
        self.stiffness
            .map_or(0.0, |k| 1.0 / (k * self.step * self.step))
    }
}
