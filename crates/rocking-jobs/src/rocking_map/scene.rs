//! The scene of a stability map.

use klast_runs::error::Result;
use klast_runs::{bail, ensure};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantity::Quantity;
use crate::common::block::Block;
use crate::common::foundation::{Base, Support};
use crate::common::restitution::{Equation, Restitution};
use crate::common::restraint::Restrainer;
use crate::common::slip::Engine;
use klast_runs::common::duration::Duration;
use klast_runs::common::gravity::Gravity;
use klast_runs::faults::{Fault, Faults};

/// A scene of kind `rocking_map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The block, by its shape and size.
    pub block: Block,
    /// Acceleration of gravity (m/s²), above 0; 9.81 unless stated.
    #[serde(default)]
    pub gravity_m_s2: Gravity,
    /// Restitution at impacts on the base; `housner` unless stated. It is refused if `eta` is a quantity of the map.
    #[serde(default)]
    pub restitution: Option<Restitution>,
    /// Equation of motion; `nonlinear` unless stated.
    #[serde(default)]
    pub equation: Equation,
    /// Form of the base acceleration.
    pub motion: Form,
    /// Duration of each simulation (s).
    pub duration_s: Duration,
    /// Quantity that varies from row to row.
    pub rows: Axis,
    /// Quantity that varies from column to column.
    pub columns: Axis,
    /// Quantities that have the same value in all cells. The form of the motion determines which quantities must be
    /// stated.
    #[serde(default)]
    pub fixed: Vec<Fixed>,
    /// Friction coefficient between block and base, above 0. If it is stated, the block can slide and jump; if it is
    /// not stated, the block does neither.
    #[serde(default)]
    pub friction: Option<f64>,
    /// Friction coefficient of a foot at rest, at least `friction`; equal to `friction` unless stated.
    #[serde(default)]
    pub friction_at_rest: Option<f64>,
    /// Engine. Unless stated, it is `slide_rock` if `friction` is stated and the equation is nonlinear, and otherwise
    /// `no_slip`. The engine `no_slip` marks the cells in which the block at rest would slide before it could rock.
    #[serde(default)]
    pub engine: Option<Engine>,
    /// Restrainers, up to four: anchors, bolts, cables or bars. They need the nonlinear equation. Without this key
    /// there are no restrainers.
    #[serde(default)]
    pub restrainers: Vec<Restrainer>,
    /// A compliant base in place of a rigid one. It needs the nonlinear equation, and it is refused beside a
    /// restitution. Without this key the base is rigid.
    #[serde(default)]
    pub base: Option<Base>,
    /// Mass (kg), above 0. It is required with `restrainers` or `base`. In a scene without these two keys the mass is
    /// refused, because the motion does not depend on the mass.
    #[serde(default)]
    pub mass_kg: Option<f64>,
    /// A power of two n, 2 or more. Every n-th cell is run first, and then the other cells where the outcome changes
    /// between these cells. Without this key every cell is run.
    #[serde(default)]
    pub adaptive_stride: Option<usize>,
}

/// Form of the base acceleration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// One sine wave, with an amplitude and a frequency.
    Sine,
    /// One cosine wave, with an amplitude and a frequency.
    Cosine,
    /// A sine wave that lasts as long as the simulation, with an amplitude and a frequency.
    Lasting,
    /// A constant acceleration, with an amplitude and a duration.
    Constant,
}

/// A quantity in equal steps.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Name of the quantity.
    pub quantity: Quantity,
    /// First value, below `to`.
    pub from: f64,
    /// Last value, above `from`.
    pub to: f64,
    /// Number of values, both ends included, 2 to 20,000.
    pub count: usize,
}

impl Axis {
    /// Refuses an axis that does not rise, or has too few or too many values.
    ///
    /// # Errors
    /// Both at once.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        let (from, to, count) = (self.from, self.to, self.count);
        faults.check(from.is_finite() && to.is_finite() && from < to, || {
            Fault::new("", format!("from {from} to {to}")).accepted("finite, from below to")
        });
        faults.check((2..=20_000).contains(&count), || {
            Fault::new("count", count).accepted("2 to 20000")
        });
        faults.or_all(|| Some(()))
    }
}

/// A quantity with the same value in all cells.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fixed {
    /// Name of the quantity.
    pub quantity: Quantity,
    /// Value, in the unit of the quantity.
    pub value: f64,
}

impl Scene {
    /// The quantities of rows, columns and fixed.
    fn quantities(&self) -> impl Iterator<Item = Quantity> {
        let axes = [self.rows.quantity, self.columns.quantity];
        axes.into_iter()
            .chain(self.fixed.iter().map(|f| f.quantity))
    }

    /// What holds the block and what it stands on.
    ///
    /// # Errors
    /// Those of [`Support::build`], and beside either what is that of a free block on a rigid base.
    pub fn support(&self) -> Result<Support> {
        let support = Support::build(self.mass_kg, &self.restrainers, self.base.as_ref())?;
        let Some(key) = support.key() else {
            return Ok(support);
        };
        if self.base.is_some() {
            Restitution::beside(self.restitution, true)?;
        }
        let given = |quantity| self.quantities().any(|q| q == quantity);
        ensure!(
            !given(Quantity::HalfDiagonalM),
            Fault::new(
                key,
                "beside half_diagonal_m: its points, stiffness and mass are those of one size"
            )
            .accepted("another quantity")
        );
        ensure!(
            self.base.is_none() || !given(Quantity::Eta),
            Fault::new(
                "base",
                "beside eta: what an impact loses, the dashpots take"
            )
            .accepted("another quantity")
        );
        ensure!(
            self.engine != Some(Engine::NoSlip) || self.friction.is_none(),
            Fault::new(
                key,
                "beside friction and engine no_slip: where a block slides first is known of a free one"
            )
            .accepted("friction with slide_rock, or no friction")
        );
        Ok(support)
    }

    /// A quantity that decides nothing, or two that decide the same, are a mistake.
    ///
    /// # Errors
    /// Which, and what they both are.
    pub fn check_quantities(&self) -> Result<()> {
        let given: Vec<Quantity> = self.quantities().collect();
        ensure!(
            self.restitution.is_none() || !given.contains(&Quantity::Eta),
            Fault::new(
                "restitution",
                "beside eta in rows, columns or fixed: both are the restitution"
            )
            .accepted("one of them")
        );
        for (k, quantity) in given.iter().enumerate() {
            if let Some(other) = given[..k].iter().find(|o| o.role() == quantity.role()) {
                bail!(
                    "{} beside {}: both are the {}; accepted: one of them in rows, columns or fixed",
                    quantity.name(),
                    other.name(),
                    quantity.role()
                );
            }
            let unused = match self.motion {
                Form::Constant => Quantity::FrequencyHz.role(),
                Form::Sine | Form::Cosine | Form::Lasting => Quantity::PulseDurationS.role(),
            };
            ensure!(
                quantity.role() != unused,
                "{}: this motion has no {unused}; accepted: a quantity of the motion, or of the block",
                quantity.name()
            );
        }
        Ok(())
    }
}
