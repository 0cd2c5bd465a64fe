//! What one motion of a rocking block gives.

use klast_ground_motion::{GroundMotion, Intensity};
use klast_rocking::compliant::{CompliantRun, CompliantSample};
use klast_rocking::{
    ContactDemand, Event, Friction, ModelEnd, RestrainerReport, RestraintReport, RockingBlock, Run,
    Side, SlideRockEnergy, SlideRockRun,
};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::event::EventRow;
use super::slip::Slip;
use super::slope::Slope;
use super::verdict::{self, Outcome};
use crate::common::foundation::CompliantBase;
use crate::common::restraint::Restraint;
use klast_runs::answer::{Answer, Figure};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `rocking`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// State of the motion over time: the rows of `history.csv`.
    pub history: Vec<Sample>,
    /// Events of the motion: the rows of `events.csv`.
    pub events: Vec<EventRow>,
    /// The block, for figures.
    #[serde(skip)]
    pub outline: Outline,
}

/// What figures need to know of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Outline {
    /// From the mass centre to the left corner in plan (m).
    pub left_m: f64,
    /// From the mass centre to the right corner in plan (m).
    pub right_m: f64,
    /// Height of the mass centre (m).
    pub centre_height_m: f64,
    /// Slenderness of the left corner (rad).
    pub left_slenderness_rad: f64,
    /// Slenderness of the right corner (rad).
    pub right_slenderness_rad: f64,
    /// Base acceleration that lifts it off (m/s²).
    pub lift_off_m_s2: f64,
}

impl From<&RockingBlock> for Outline {
    fn from(block: &RockingBlock) -> Self {
        let (left, right) = (block.corner(Side::Left), block.corner(Side::Right));
        Self {
            left_m: left.lever,
            right_m: right.lever,
            centre_height_m: block.centre_height(),
            left_slenderness_rad: left.slenderness,
            right_slenderness_rad: right.slenderness,
            lift_off_m_s2: block.lift_off_acceleration(),
        }
    }
}

/// Outcome of the block.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// The verdict in a sentence, with the results that decide it and the assumptions on which it rests; the same as in
    /// `answer`.
    pub verdict: String,
    /// Model of the motion: `slide_rock` if the block can slide; otherwise `compliant_base` or `no_slip`.
    pub engine: &'static str,
    /// Outcome of the block.
    pub outcome: Outcome,
    /// Number of impacts.
    pub impacts: usize,
    /// Time at the end of the run (s).
    pub end_time_s: f64,
    /// Time from which the block rests (s); null if it does not rest at the end, and with a compliant base.
    pub rest_time_s: Option<f64>,
    /// Largest rotation, without its sign (rad).
    pub max_rotation_rad: f64,
    /// Largest angular velocity, without its sign (rad/s).
    pub max_angular_velocity_rad_s: f64,
    /// Peak acceleration of the horizontal motion (m/s²).
    pub pga_m_s2: f64,
    /// Peak velocity of the horizontal motion (m/s).
    pub pgv_m_s: f64,
    /// Peak velocity over peak acceleration (s); null if the base does not move.
    pub pgv_over_pga_s: Option<f64>,
    /// Friction that the no-slip model needs, and the time from which this model does not hold. With the engine
    /// `slide_rock`, these results come from a second simulation with the no-slip model.
    pub no_slip: Option<NoSlip>,
    /// Results of the motion with slip; null if the engine does not model slip.
    pub slip: Option<Slip>,
    /// Response of the restrainers; null if there are none.
    pub restraint: Option<Restraint>,
    /// Response of the compliant base; null if the base is rigid.
    pub compliant_base: Option<CompliantBase>,
    /// Sliding on a tilted base; null if the base is level.
    pub slope: Option<Slope>,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// Forces that the no-slip model needs from the base.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct NoSlip {
    /// Friction coefficient of the scene; null if the scene states no friction.
    pub friction: Option<f64>,
    /// Friction coefficient that the motion needs; null if the base would have to pull the block.
    pub needed_friction: Option<f64>,
    /// Friction coefficient that the motion needs up to the last time at which the mass centre is within the base. If
    /// the block overturns, the fall after this time needs more friction. The value is null if the base would have to
    /// pull the block before this time.
    pub needed_friction_to_balance: Option<f64>,
    /// Time from which the mass centre is no longer within the base and no restrainer holds (s). A block that does not
    /// come back from there overturns, whether or not the no-slip model holds afterwards. The value is null if the mass
    /// centre is within the base at the end, or if a restrainer still pulls or will.
    pub balance_passed_s: Option<f64>,
    /// Least normal force over the weight of the block.
    pub min_normal_over_weight: Option<f64>,
    /// Whether the no-slip model decides the outcome: it holds during the whole run, or up to the time after which the
    /// mass centre is no longer within the base.
    #[serde(skip)]
    pub decides: bool,
    /// Whether friction and weight are enough for the no-slip model during the whole run.
    pub holds: bool,
    /// First time at which friction or weight is not enough for the motion (s); null if both are always enough.
    pub first_violation_s: Option<f64>,
    /// Reason why the no-slip model does not hold after `first_violation_s`: the block `slides` or `jumps`; null
    /// if the model always holds.
    pub ends_as: Option<&'static str>,
    /// Outcome of the block in the no-slip model. It is not valid if `first_violation_s` lies before
    /// `balance_passed_s`, or if `balance_passed_s` is null and `first_violation_s` is not.
    pub outcome: Outcome,
}

impl NoSlip {
    fn of(run: &Run) -> Option<Self> {
        Some(Self::needing(&run.contact?, run.outcome.into()))
    }

    fn needing(contact: &ContactDemand, outcome: Outcome) -> Self {
        Self {
            friction: contact.friction,
            needed_friction: Some(contact.needed_friction).filter(|x| x.is_finite()),
            needed_friction_to_balance: Some(contact.needed_friction_to_balance)
                .filter(|x| x.is_finite()),
            balance_passed_s: contact.balance_passed,
            min_normal_over_weight: Some(contact.least_normal).filter(|x| x.is_finite()),
            decides: contact.end_before_balance().is_none(),
            holds: contact.is_met(),
            first_violation_s: contact.model_end.map(|end| end.time),
            ends_as: contact.model_end.map(|end| end.limit.does()),
            outcome,
        }
    }
}

/// The state at one time.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time t (s).
    pub time_s: f64,
    /// Rotation (rad), clockwise positive.
    pub rotation_rad: f64,
    /// Angular velocity (rad/s).
    pub angular_velocity_rad_s: f64,
    /// Angular acceleration (rad/s²).
    pub angular_acceleration_rad_s2: f64,
    /// Slip of the foot since the start, to the right positive (m).
    pub slip_m: f64,
    /// Horizontal acceleration of the base, to the right positive (m/s²).
    pub base_acceleration_m_s2: f64,
    /// Horizontal displacement of the base (m).
    pub base_displacement_m: f64,
}

impl Summary {
    /// Of a block that has yet to move, under a motion.
    #[must_use]
    pub fn moved(intensity: Intensity, remarks: &[String]) -> Self {
        Self {
            verdict: String::new(),
            engine: "no_slip",
            outcome: Outcome::Rest,
            impacts: 0,
            end_time_s: 0.0,
            rest_time_s: None,
            max_rotation_rad: 0.0,
            max_angular_velocity_rad_s: 0.0,
            pga_m_s2: intensity.pga,
            pgv_m_s: intensity.pgv,
            pgv_over_pga_s: (intensity.pga > 0.0).then(|| intensity.pulse_time()),
            no_slip: None,
            slip: None,
            restraint: None,
            compliant_base: None,
            slope: None,
            remarks: remarks.to_vec(),
        }
    }
}

impl Results {
    /// The results of a run without slip.
    #[must_use]
    pub fn without_slip(run: &Run, intensity: Intensity, remarks: &[String]) -> Self {
        let sample = |s: &klast_rocking::Sample| Sample {
            time_s: s.time,
            rotation_rad: s.rotation,
            angular_velocity_rad_s: s.angular_velocity,
            angular_acceleration_rad_s2: s.angular_acceleration,
            slip_m: 0.0,
            ..Sample::default()
        };
        let summary = Summary {
            verdict: verdict::without_slip(run),
            engine: "no_slip",
            outcome: run.outcome.into(),
            impacts: run.impacts,
            end_time_s: run.end.0,
            rest_time_s: run.rest_time(),
            max_rotation_rad: run.largest_rotation,
            max_angular_velocity_rad_s: run.largest_velocity,
            no_slip: NoSlip::of(run),
            restraint: run.restraint.as_ref().map(Restraint::from),
            ..Summary::moved(intensity, remarks)
        };
        Self {
            summary,
            history: run.samples.iter().map(sample).collect(),
            events: run.events.iter().map(EventRow::from).collect(),
            outline: Outline::default(),
        }
    }

    /// The results of a run with slip, on a compliant base if there is one, beside the summary of the model without
    /// slip and the end of that model; on a tilted base there is no such model.
    #[must_use]
    pub fn with_slip(
        run: &SlideRockRun,
        (friction, base): (Friction, Option<CompliantBase>),
        (without, end): (Summary, Option<ModelEnd>),
    ) -> Self {
        let sample = |s: &klast_rocking::SlideRockSample| Sample {
            time_s: s.time,
            rotation_rad: s.rotation,
            angular_velocity_rad_s: s.angular_velocity,
            angular_acceleration_rad_s2: s.angular_acceleration,
            slip_m: s.slip,
            ..Sample::default()
        };
        let report = report(&run.restrainers, run.energy);
        let summary = Summary {
            verdict: verdict::with_slip(run, report.as_ref(), base.as_ref(), end),
            engine: "slide_rock",
            outcome: run.outcome.into(),
            impacts: run.impacts,
            end_time_s: run.end_time,
            rest_time_s: run.rest_time().filter(|_| base.is_none()),
            max_rotation_rad: run.largest_rotation,
            max_angular_velocity_rad_s: run.largest_velocity,
            slip: Some(Slip::of(run, friction)),
            restraint: report.as_ref().map(Restraint::from),
            compliant_base: base,
            ..without
        };
        Self {
            summary,
            history: run.samples.iter().map(sample).collect(),
            events: run.events.iter().map(super::slip::event).collect(),
            outline: Outline::default(),
        }
    }

    /// The results of a run on a base that gives.
    #[must_use]
    pub fn on_springs(
        run: &CompliantRun,
        base: CompliantBase,
        intensity: Intensity,
        remarks: &[String],
    ) -> Self {
        let sample = |s: &CompliantSample| Sample {
            time_s: s.time,
            rotation_rad: s.rotation,
            angular_velocity_rad_s: s.angular_velocity,
            angular_acceleration_rad_s2: s.angular_acceleration,
            ..Sample::default()
        };
        let report = report(&run.restrainers, run.energy);
        let summary = Summary {
            verdict: verdict::on_springs(run, report.as_ref()),
            engine: "compliant_base",
            outcome: run.outcome.into(),
            impacts: 0,
            end_time_s: run.end.0,
            rest_time_s: None,
            max_rotation_rad: run.largest_rotation,
            max_angular_velocity_rad_s: run.largest_velocity,
            no_slip: Some(NoSlip::needing(&run.contact, run.outcome.into())),
            restraint: report.as_ref().map(Restraint::from),
            compliant_base: Some(base),
            ..Summary::moved(intensity, remarks)
        };
        Self {
            summary,
            history: run.samples.iter().map(sample).collect(),
            events: ruptures(&run.restrainers),
            outline: Outline::default(),
        }
    }

    /// The same with what the base did and which block it was.
    #[must_use]
    pub fn on(mut self, block: &RockingBlock, motion: &GroundMotion) -> Self {
        for sample in &mut self.history {
            sample.base_acceleration_m_s2 = motion.horizontal.acceleration(sample.time_s);
            sample.base_displacement_m = motion.horizontal.displacement(sample.time_s);
        }
        self.outline = block.into();
        self
    }
}

/// The ruptures of restrainers as events.
fn ruptures(restrainers: &[RestrainerReport]) -> Vec<EventRow> {
    let broke = |(i, r): (usize, &RestrainerReport)| {
        let (time, restrainer) = (r.broke?, i);
        Some(EventRow::from(&Event::Broke { time, restrainer }))
    };
    let mut rows: Vec<EventRow> = restrainers.iter().enumerate().filter_map(broke).collect();
    rows.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    rows
}

/// What the restrainers of a run did, where there are any.
fn report(restrainers: &[RestrainerReport], energy: SlideRockEnergy) -> Option<RestraintReport> {
    let restrainers = restrainers.to_vec();
    (!restrainers.is_empty()).then_some(RestraintReport {
        restrainers,
        energy,
    })
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        let s = &self.summary;
        let ended = s.slip.is_none() && s.no_slip.is_some_and(|n| !n.decides);
        let (judgement, outcome) = s.outcome.judged(ended);
        // A friction without a value is one that no ground has.
        let overturns = matches!(
            s.outcome,
            Outcome::OverturnedLeft | Outcome::OverturnedRight
        );
        let (quantity, needed) = if overturns {
            (
                "friction that is needed up to the balance",
                s.no_slip.map(|n| n.needed_friction_to_balance),
            )
        } else {
            (
                "friction that is needed",
                s.no_slip.map(|n| n.needed_friction),
            )
        };
        let needed = needed.map(|n| n.unwrap_or(f64::INFINITY));
        let third = match &s.slip {
            Some(slip) => Figure::new("largest slip of the foot", slip.max_slip_m, "m"),
            None => Figure::needed_friction(quantity, needed),
        };
        Answer {
            verdict: s.verdict.clone(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("largest rotation", s.max_rotation_rad, "rad"),
                Figure::count("impacts", s.impacts),
                third,
            ],
        }
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.table("history.csv", &self.history)?;
        files.table("events.csv", &self.events)
    }
}
