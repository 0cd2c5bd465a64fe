//! `rocking-map`: the fate of a block over two parameters.

use anyhow::{Context as _, Result, bail, ensure};
use klast_dynamics::ground_motion::Component;
use klast_rocking::{
    BatchOptions, Case, Class, MapTask, Restitution as Model, RestitutionModel, RockingBlock,
    RockingError, StabilityMap, linspace,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantity::Quantity;
use super::result::{LETTERS, letter};
use crate::common::block::{Block, Equation, Restitution, gravity};
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// What a part of a map leaves: a letter a cell.
const PART: &str = "classes.txt";
const CLASSES: [Class; 4] = [Class::Rest, Class::Rocked, Class::Right, Class::Left];
/// More cells than this do not fit in memory.
const MOST_CELLS: usize = 20_000_000;

/// A scene of kind `rocking-map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `rocking-map`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The block.
    block: Block,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution; Housner's unless stated, or `eta` is a quantity of the map.
    #[serde(default)]
    restitution: Option<Restitution>,
    /// Equation of motion.
    #[serde(default)]
    equation: Equation,
    /// Form of the base acceleration.
    motion: Form,
    /// Duration of each simulation (s).
    duration_s: f64,
    /// What changes from row to row.
    pub(super) rows: Axis,
    /// What changes from column to column.
    pub(super) columns: Axis,
    /// Values of quantities that are on neither axis.
    #[serde(default)]
    fixed: Vec<Fixed>,
    /// Friction coefficient: cells in which the block at rest would slide before it could rock are marked.
    #[serde(default)]
    pub(super) friction: Option<f64>,
    /// Simulate every so-manieth cell (a power of two) and refine only where the class changes; every cell without it.
    #[serde(default)]
    adaptive_stride: Option<usize>,
}

/// Form of the base acceleration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// One sine wave: needs an amplitude and a frequency.
    Sine,
    /// One cosine wave: needs an amplitude and a frequency.
    Cosine,
    /// A sine that lasts: needs an amplitude and a frequency.
    Lasting,
    /// A constant acceleration: needs an amplitude and a duration.
    Constant,
}

/// A quantity in equal steps.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Axis {
    /// The quantity.
    pub(super) quantity: Quantity,
    /// First value.
    pub(super) from: f64,
    /// Last value.
    pub(super) to: f64,
    /// Number of values.
    count: usize,
}

/// A quantity that stays.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fixed {
    /// The quantity.
    quantity: Quantity,
    /// Its value.
    value: f64,
}

pub struct MapJob {
    pub(super) scene: Scene,
    block: RockingBlock,
    restitution: Model,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    for (key, axis) in [("rows", &scene.rows), ("columns", &scene.columns)] {
        let good = axis.from.is_finite() && axis.to.is_finite() && axis.from < axis.to;
        ensure!(
            good,
            "{key}: from {} to {}; accepted: finite, from below to",
            axis.from,
            axis.to
        );
        let count = axis.count;
        ensure!(
            (2..=20_000).contains(&count),
            "{key}: count {count}; accepted: 2 to 20000"
        );
    }
    let cells = scene.rows.count.saturating_mul(scene.columns.count);
    ensure!(
        cells <= MOST_CELLS,
        "rows times columns: {cells} cells; accepted: up to {MOST_CELLS}"
    );
    if let Some(stride) = scene.adaptive_stride {
        let good = stride.is_power_of_two() && stride >= 2;
        ensure!(
            good,
            "adaptive_stride {stride}; accepted: a power of two from 2"
        );
    }
    if let Some(friction) = scene.friction {
        ensure!(friction > 0.0, "friction {friction}; accepted: above 0");
    }
    scene.check_quantities()?;
    let job = MapJob {
        block: scene.block.build(scene.gravity_m_per_s2)?,
        restitution: scene.restitution.unwrap_or_default().build()?,
        scene,
    };
    let (rows, columns) = (&job.scene.rows, &job.scene.columns);
    for (row, column) in [(rows.from, columns.from), (rows.to, columns.to)] {
        let case = job.case(row, column)?;
        klast_rocking::simulate_batch(
            &[Case {
                motion: Component::at_rest(),
                ..case
            }],
            &job.options(),
        )?;
    }
    Ok(Box::new(job))
}

impl Scene {
    /// A quantity that decides nothing, or two that decide the same, are a mistake.
    fn check_quantities(&self) -> Result<()> {
        let axes = [self.rows.quantity, self.columns.quantity];
        let given: Vec<Quantity> = axes
            .into_iter()
            .chain(self.fixed.iter().map(|f| f.quantity))
            .collect();
        ensure!(
            self.restitution.is_none() || !given.contains(&Quantity::Eta),
            "restitution beside eta in rows, columns or fixed: both are the restitution; accepted: one of them"
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

impl MapJob {
    fn ticks(&self) -> (Vec<f64>, Vec<f64>) {
        let of = |axis: &Axis| linspace(axis.from, axis.to, axis.count);
        (of(&self.scene.rows), of(&self.scene.columns))
    }

    fn options(&self) -> BatchOptions {
        BatchOptions {
            equation: self.scene.equation.into(),
            ..BatchOptions::new(self.scene.duration_s)
        }
    }

    /// The simulation of a cell.
    pub(super) fn case(&self, row: f64, column: f64) -> Result<Case, RockingError> {
        let value = |quantity: Quantity| {
            let scene = &self.scene;
            if scene.rows.quantity == quantity {
                Some(row)
            } else if scene.columns.quantity == quantity {
                Some(column)
            } else {
                scene
                    .fixed
                    .iter()
                    .find(|f| f.quantity == quantity)
                    .map(|f| f.value)
            }
        };
        let missing = |field| RockingError::Value {
            field,
            found: f64::NAN,
            accepted: "given as rows, columns or fixed",
        };
        let block = match value(Quantity::HalfDiagonalM) {
            Some(radius) => self.block.scaled(radius / self.block.radius())?,
            None => self.block,
        };
        let restitution = match value(Quantity::Eta) {
            Some(eta) => Model::new(RestitutionModel::Given { eta })?,
            None => self.restitution,
        };
        let relative = value(Quantity::AmplitudeOverLiftOff);
        let amplitude = value(Quantity::Amplitude)
            .or_else(|| relative.map(|r| r * block.lift_off_acceleration()))
            .ok_or_else(|| missing("amplitude"))?;
        let p = block.frequency();
        let motion = if self.scene.motion == Form::Constant {
            let duration = value(Quantity::PulseDurationS)
                .or_else(|| value(Quantity::PulseDurationTimesP).map(|x| x / p))
                .ok_or_else(|| missing("pulse duration"))?;
            Component::constant(amplitude, duration)?
        } else {
            let omega = value(Quantity::FrequencyHz)
                .map(|f| std::f64::consts::TAU * f)
                .or_else(|| value(Quantity::OmegaOverP).map(|x| x * p))
                .ok_or_else(|| missing("frequency"))?;
            match self.scene.motion {
                Form::Cosine => {
                    Component::waves(amplitude, omega, std::f64::consts::FRAC_PI_2, 1.0)?
                }
                Form::Lasting => Component::harmonic(amplitude, omega, 0.0, f64::INFINITY)?,
                _ => Component::waves(amplitude, omega, 0.0, 1.0)?,
            }
        };
        Ok(Case {
            block,
            restitution,
            motion,
            rotation: value(Quantity::TiltRad).unwrap_or(0.0),
        })
    }
}

impl Job for MapJob {
    fn describe(&self) -> String {
        let (rows, columns) = (&self.scene.rows, &self.scene.columns);
        format!(
            "{} x {} cells, {} over {}, {} s each",
            rows.count,
            columns.count,
            rows.quantity.name(),
            columns.quantity.name(),
            self.scene.duration_s
        )
    }

    fn has_parts(&self) -> bool {
        self.scene.adaptive_stride.is_none()
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let (r, c) = (&self.scene.rows, &self.scene.columns);
        let (rows, columns) = self.ticks();
        let task = MapTask {
            rows: &rows,
            columns: &columns,
            case: |row: f64, column: f64| self.case(row, column),
            options: self.options(),
        };
        let cells = session.part(r.count * c.count);
        let progress = session.progress("cells", cells.len() as u64);
        let add = |n: usize| progress.add(n as u64);
        if session.options.shard.is_some() {
            let classes = task.part(cells, &add)?;
            progress.finish();
            session.count("cells", classes.len());
            let letters = classes.into_iter().map(|class| LETTERS[letter(class)]);
            return session.output.text(PART, &letters.collect::<String>());
        }
        let result = match self.scene.adaptive_stride {
            Some(stride) => task.adaptive(stride, &add),
            None => task.full(&add),
        };
        progress.finish();
        let map = result?;
        session.count("cells", r.count * c.count);
        session.count("simulated", map.simulated());
        session.count("overturned", map.overturned());
        self.write(session, &map)
    }

    fn merge(&self, parts: &[std::path::PathBuf], session: &mut Session) -> Result<()> {
        let mut classes = Vec::new();
        for part in parts {
            let file = part.join(PART);
            for found in crate::reading::text(&file)?.chars() {
                let class = CLASSES.into_iter().find(|&c| LETTERS[letter(c)] == found);
                let words = || format!("{}: '{found}'; accepted: . o R L", file.display());
                classes.push(class.with_context(words)?);
            }
        }
        let (rows, columns) = self.ticks();
        let map = StabilityMap::of_classes(rows, columns, classes)?;
        session.count("cells", map.classes().len());
        session.count("simulated", map.classes().len());
        session.count("overturned", map.overturned());
        self.write(session, &map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_rocking::Side;

    #[test]
    fn a_block_of_another_size_keeps_its_shape() {
        let text = r#"{"schema": 1, "kind": "rocking-map", "motion": "sine", "duration_s": 1,
            "block": {"shape": "unsymmetric", "to_left_m": 0.1, "to_right_m": 0.3, "centre_height_m": 1, "gyration_radius_m": 0.7},
            "rows": {"quantity": "amplitude_m_per_s2", "from": 1, "to": 2, "count": 2},
            "columns": {"quantity": "half_diagonal_m", "from": 1, "to": 2, "count": 2},
            "fixed": [{"quantity": "frequency_hz", "value": 1}]}"#;
        let scene: Scene = serde_json::from_str(text).unwrap();
        let block = scene.block.build(9.81).unwrap();
        let restitution = scene.restitution.unwrap_or_default().build().unwrap();
        let job = MapJob {
            scene,
            block,
            restitution,
        };
        let twice = job.case(1.0, 2.0 * block.radius()).unwrap().block;
        for side in [Side::Left, Side::Right] {
            let (small, large) = (block.corner(side), twice.corner(side));
            // Some roundings each: angles stay, lengths double, p² = m g R/I halves.
            for (found, expected) in [
                (large.slenderness, small.slenderness),
                (large.radius, 2.0 * small.radius),
                (large.frequency_squared, 0.5 * small.frequency_squared),
            ] {
                assert!((found / expected - 1.0).abs() < 1e-14, "{side:?}");
            }
        }
    }
}
