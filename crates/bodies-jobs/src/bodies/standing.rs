//! Whether bodies still stand, and what the residuals of the contact problems may hide of it.

use glam::DVec3;
use klast_dynamics::World;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What statics says of where bodies start that have fallen. An equilibrium does not say that they stay: which of
/// several motions they take is not decided by it, since the slip of friction is not associated (Drucker 1954).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fallen {
    /// Whether forces at the contacts, none of which pulls or exceeds its friction, balance gravity at the start.
    pub equilibrium: Equilibrium,
    /// Tilt of gravity up to which an equilibrium exists, in the weakest of eight directions (degrees); null unless one
    /// exists.
    pub equilibrium_margin_deg: Option<f64>,
    /// Whether the bodies fall with half the time step too; null unless an equilibrium exists. If they do not, the
    /// outcome is undecided.
    pub half_step_falls: Option<bool>,
}

/// Whether an equilibrium exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Equilibrium {
    /// It exists, also under all accelerations of a base.
    Exists,
    /// It does not.
    None,
    /// Not known: the bodies do not start at rest on one base, there are loads in time, ties, cohesion or removals,
    /// more than 5,000 contacts, or the bodies are at their limit.
    Unknown,
}

impl Fallen {
    /// Where it is not known whether an equilibrium exists.
    pub const UNKNOWN: Self = Self::without(Equilibrium::Unknown);

    /// Where no equilibrium is known.
    pub const fn without(equilibrium: Equilibrium) -> Self {
        Self {
            equilibrium,
            equilibrium_margin_deg: None,
            half_step_falls: None,
        }
    }
}

/// Acceleration that no verdict turns on, in gravity: that of a base out of level by the part [`MOVED`] of what bodies
/// that move as far as they may turn by, but not more exact than [`LEVEL`] (10 µm in a metre, more than any base is
/// level by), nor more than [`SLANTED`], a hundredth of what a load factor is told to.
const MOVED: f64 = 1e-3;
const LEVEL: f64 = 1e-5;
const SLANTED: f64 = 1e-4;
/// Residual, in the velocity that gravity gives in a step, above which no verdict is given while bodies are near their
/// places: contacts then are hardly solved.
const LARGEST_RESIDUAL: f64 = 1e-3;
/// How many times as far as the residuals explain bodies have gone where nothing but a fall took them there.
const PLAINLY: f64 = 100.0;

/// What the residuals of the steps until now may hide: those until the bodies have fallen count, not those of the
/// whole run.
///
/// A residual r (m/s) is what the velocities of the contacts may be wrong by after a step h: it hides a load r/h on the
/// bodies. Loads below a tolerance are not what a verdict turns on, see [`Judged::of`]; all others add up, as if all of
/// them pushed the same way, to a speed `Σ r` and a way `Σ h Σ r`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Displacement up to which bodies stand (m).
    bar: f64,
    /// Accelerations that are no matter, and above which contacts are hardly solved (m/s²).
    tolerance: f64,
    most: f64,
    /// Steps until the bodies fell, or all of them.
    steps: u64,
    /// Those of them above the tolerance.
    unsolved: u64,
    /// Largest acceleration that a residual may hide (m/s²).
    hidden: f64,
    /// All speeds that residuals may hide (m/s).
    pub speed: f64,
    /// What the steps above the tolerance may hide: a speed (m/s) and a way (m).
    excess: f64,
    way: f64,
    /// When the bodies had fallen (s).
    pub fell_at: Option<f64>,
}

impl Judged {
    /// Of a scene at its start, in which bodies stand within a displacement (m).
    pub fn of(bar: f64, world: &World) -> Self {
        let gravity = world.settings().gravity.length();
        let part = (MOVED * bar / extent(world)).clamp(LEVEL, SLANTED);
        Self {
            bar,
            tolerance: part * gravity,
            most: match gravity > 0.0 {
                true => LARGEST_RESIDUAL * gravity,
                false => f64::INFINITY,
            },
            ..Self::default()
        }
    }

    /// Enters the residual of a step (m/s) and how far the farthest body is from its start after it (m).
    pub fn enter(&mut self, (residual, step): (f64, f64), farthest: f64, time: f64) {
        if self.fell_at.is_some() {
            return;
        }
        let hidden = residual / step;
        self.steps += 1;
        self.hidden = self.hidden.max(hidden);
        self.speed += residual;
        if hidden > self.tolerance {
            self.unsolved += 1;
            self.excess += residual;
        }
        self.way += self.excess * step;
        let plainly = farthest > PLAINLY * self.way.max(self.bar);
        if farthest > self.bar && (self.is_carried() || plainly) {
            self.fell_at = Some(time);
        }
    }

    /// Whether what the residuals hide does not change the verdict.
    pub fn is_carried(&self) -> bool {
        self.hidden <= self.most && self.way <= self.bar
    }

    /// What the residuals may hide, for those who read of it.
    pub fn told(&self) -> String {
        format!(
            "residual up to {:.2e} m/s² in {} of {} steps, which may hide {:.1e} m where {} m are asked for",
            self.hidden, self.unsolved, self.steps, self.way, self.bar
        )
    }
}

/// Size of the free bodies together: the diagonal of the box about their centres, and the largest of them (m).
fn extent(world: &World) -> f64 {
    let free = world
        .states()
        .enumerate()
        .filter(|(i, _)| world.is_free(*i));
    let (mut low, mut high, mut largest) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0f64);
    for (i, state) in free {
        low = low.min(state.pose.translation);
        high = high.max(state.pose.translation);
        largest = largest.max(world.body(i).map_or(0.0, |b| b.shape().radius()));
    }
    (high - low).length() + 2.0 * largest
}
