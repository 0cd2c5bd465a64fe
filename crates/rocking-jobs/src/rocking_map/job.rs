//! The fate of a block over two parameters.

use std::path::PathBuf;

use klast_ground_motion::{Component, Frequency};
use klast_numerics::OutOfRange;
use klast_rocking::{
    BatchOptions, Case, Class, Engine, MapTask, Regime, Restitution as Model, RestitutionModel,
    RockingBlock, RockingError, StabilityMap, linspace, regime,
};
use klast_runs::error::{Context as _, Result};

use super::quantity::Quantity;
use super::result::{self, Axis as ResultAxis, Cell};
use super::scene::{Axis, Form, Scene};
use crate::common::foundation::Support;
use crate::common::letters::{Letters, MOST_CELLS};
use crate::common::slip::Slip;
use klast_runs::Results;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{ADAPTIVE, Job, Keeps, Run};
use klast_runs::manifest::Manifest;
use klast_runs::text::SceneText;

/// The count of cells whose contact problems are not resolved, by which parts hand it on.
const UNRESOLVED: &str = "unresolved";
const LETTERS: Letters<Class> = Letters {
    classes: &[
        Class::Rest,
        Class::Rocked,
        Class::Right,
        Class::Left,
        Class::Slid,
    ],
    letter: |class| Cell::from(class).letter(),
    names: &[
        ("rest", "."),
        ("rocked", "o"),
        ("overturned_right", "R"),
        ("overturned_left", "L"),
        ("slides_first", "s"),
    ],
    piece: 512,
};

struct MapJob {
    scene: Scene,
    block: RockingBlock,
    restitution: Model,
    engine: Engine,
    support: Support,
    duration: f64,
    /// The name of all that decides the numbers.
    key: String,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    faults.take("rows", scene.rows.check());
    faults.take("columns", scene.columns.check());
    let cells = scene.rows.count.saturating_mul(scene.columns.count);
    faults.check(cells <= MOST_CELLS, || {
        Fault::new("rows", format!("times columns: {cells} cells"))
            .accepted(format!("up to {MOST_CELLS}"))
    });
    if let Some(stride) = scene.adaptive_stride {
        faults.check(stride.is_power_of_two() && stride >= 2, || {
            Fault::new("adaptive_stride", stride).accepted("a power of two from 2")
        });
    }
    let support = faults.take("", scene.support());
    let engine = Slip {
        engine: scene.engine,
        friction: scene.friction,
        friction_at_rest: scene.friction_at_rest,
        equation: scene.equation,
        support: support.as_ref().and_then(Support::key),
    };
    let engine = faults.take("", engine.build());
    faults.take("", scene.check_quantities());
    let block = gravity.and_then(|g| faults.take("block", scene.block.build(g)));
    let restitution = faults.take("restitution", scene.restitution.unwrap_or_default().build());
    let job = faults.or_all(|| {
        Some(MapJob {
            engine: engine?,
            support: support?,
            block: block?,
            restitution: restitution?,
            duration: end?,
            scene,
            key: text.key(),
        })
    })?;
    let mut faults = Faults::default();
    let (rows, columns) = (&job.scene.rows, &job.scene.columns);
    for (row, column) in [(rows.from, columns.from), (rows.to, columns.to)] {
        // The sizes and motions at the corners of the map are those of a block.
        let case = job.case(row, column);
        faults.take("", case.and_then(|case| job.options().check(&case)));
    }
    Ok(Box::new(faults.or_all(|| Some(job))?))
}

impl MapJob {
    fn ticks(&self) -> (Vec<f64>, Vec<f64>) {
        let of = |axis: &Axis| linspace(axis.from, axis.to, axis.count);
        (of(&self.scene.rows), of(&self.scene.columns))
    }

    fn options(&self) -> BatchOptions {
        BatchOptions {
            engine: self.engine,
            equation: self.scene.equation.into(),
            restraint: self.support.restraint,
            foundation: self.support.foundation,
            ..BatchOptions::new(self.duration)
        }
    }

    /// The simulation of a cell.
    fn case(&self, row: f64, column: f64) -> Result<Case, RockingError> {
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
        let missing = |field| {
            RockingError::from(OutOfRange::new(
                field,
                f64::NAN,
                "given as rows, columns or fixed",
            ))
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
                Form::Cosine => Component::waves(
                    amplitude,
                    Frequency::rad_per_s(omega),
                    std::f64::consts::FRAC_PI_2,
                    1.0,
                )?,
                Form::Lasting => {
                    Component::harmonic(amplitude, Frequency::rad_per_s(omega), 0.0, f64::INFINITY)?
                }
                _ => Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 1.0)?,
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
            "{} × {} cells, {} over {}, {} s each",
            rows.count,
            columns.count,
            rows.quantity.name().replace('_', " "),
            columns.quantity.name().replace('_', " "),
            self.duration
        )
    }

    fn has_parts(&self) -> bool {
        self.scene.adaptive_stride.is_none()
    }

    fn why_whole(&self) -> &'static str {
        ADAPTIVE
    }

    fn keeps(&self) -> Keeps {
        match self.has_parts() {
            true => Keeps::EveryMinute,
            false => Keeps::Nothing,
        }
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let (r, c) = (&self.scene.rows, &self.scene.columns);
        let (rows, columns) = self.ticks();
        let task = MapTask {
            rows: &rows,
            columns: &columns,
            case: |row: f64, column: f64| self.case(row, column),
            options: self.options(),
        };
        let (cells, progress) = (r.count * c.count, run.progress);
        let add = |n: usize| progress.add(n as u64);
        if let Some(stride) = self.scene.adaptive_stride {
            progress.begin("cells", cells as u64);
            let map = task.adaptive(stride, &add);
            progress.finish();
            let map = map?;
            return Ok(self.results(run, &map, map.unresolved()));
        }
        let work = |cells, unresolved: &mut usize| {
            let (classes, more) = task.part(cells, &add)?;
            *unresolved += more;
            Ok(classes)
        };
        let (letters, unresolved) = LETTERS.run(run, &self.key, cells, work)?;
        if run.shard.is_some() {
            run.count(UNRESOLVED, unresolved);
            return LETTERS.keep(run, &letters);
        }
        let classes = LETTERS.read(&letters).context("letters of a map")?;
        let map = StabilityMap::of_classes(rows, columns, classes)?;
        Ok(self.results(run, &map, unresolved))
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let (mut classes, mut unresolved) = (Vec::new(), 0);
        for part in parts {
            let counts = Manifest::read(part)?.counts;
            unresolved += counts.get(UNRESOLVED).and_then(|n| n.as_u64()).unwrap_or(0) as usize;
            classes.extend(LETTERS.of_part(part)?);
        }
        let (rows, columns) = self.ticks();
        let map = StabilityMap::of_classes(rows, columns, classes)?;
        Ok(self.results(run, &map, unresolved))
    }
}

impl MapJob {
    fn results(&self, run: &mut Run, map: &StabilityMap, unresolved: usize) -> Box<dyn Results> {
        let simulated = match self.scene.adaptive_stride {
            Some(_) => map.simulated(),
            None => map.classes().len(),
        };
        let axis = |axis: &Axis, values: &[f64]| ResultAxis {
            quantity: axis.quantity.name(),
            label: axis.quantity.label(),
            physical: match axis.quantity {
                Quantity::AmplitudeOverLiftOff => {
                    Some(("amplitude a [m/s²]", self.block.lift_off_acceleration()))
                }
                Quantity::OmegaOverP => Some((
                    "frequency [Hz]",
                    self.block.frequency() / std::f64::consts::TAU,
                )),
                _ => None,
            },
            values: values.to_vec(),
        };
        let cells = map.rows().iter().enumerate().flat_map(|(r, &row)| {
            let columns = map.columns().iter().enumerate();
            columns.map(move |(c, &column)| self.cell(map, (r, row), (c, column)))
        });
        let results = result::Results::new(
            axis(&self.scene.rows, map.rows()),
            axis(&self.scene.columns, map.columns()),
            cells.collect(),
            map.lower_border(),
            simulated,
        );
        run.count("cells", results.cells.len());
        run.count("simulated", simulated);
        run.count("overturned", map.overturned());
        let first = results.summary.slides_first;
        if self.engine == Engine::NoSlip && first > 0 {
            run.warning(&format!(
                "in {first} of {} cells the block slides before it could rock: there the no-slip model ends",
                results.cells.len()
            ));
        }
        if unresolved > 0 {
            run.warning(&format!(
                "in {unresolved} cells a contact problem has no solution, or more than one"
            ));
        }
        Box::new(results)
    }

    /// What a cell shows: its class, or that the block would slide first.
    fn cell(&self, map: &StabilityMap, (r, row): (usize, f64), (c, column): (usize, f64)) -> Cell {
        if self.engine == Engine::NoSlip
            && let (Some(friction), Ok(case)) = (self.scene.friction, self.case(row, column))
        {
            let peak = case.motion.peak_acceleration();
            if regime(&case.block, friction, peak) == Regime::Slide {
                return Cell::SlidesFirst;
            }
        }
        map.class(r, c).map_or(Cell::Rest, Cell::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_rocking::Side;

    #[test]
    fn a_block_of_another_size_keeps_its_shape() {
        let text = r#"{"motion": "sine", "duration_s": 1,
            "block": {"kind": "unsymmetric", "to_left_m": 0.1, "to_right_m": 0.3, "centre_height_m": 1, "gyration_radius_m": 0.7},
            "rows": {"quantity": "amplitude_m_s2", "from": 1, "to": 2, "count": 2},
            "columns": {"quantity": "half_diagonal_m", "from": 1, "to": 2, "count": 2},
            "fixed": [{"quantity": "frequency_hz", "value": 1}]}"#;
        let scene: Scene = serde_json::from_str(text).unwrap();
        let block = scene.block.build(9.81).unwrap();
        let restitution = scene.restitution.unwrap_or_default().build().unwrap();
        let job = MapJob {
            duration: 1.0,
            engine: Engine::NoSlip,
            support: Support::default(),
            key: String::new(),
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
