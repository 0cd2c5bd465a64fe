//! What a run of many bodies gives.

use glam::DVec3;
use klast_dynamics::World;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use super::build::Built;
use super::frames::solids;
use super::history::Record;
use super::joints::{JointRow, JointState, joints};
use super::rows::{bodies, contacts, energy};
use super::scene::Scene;
use super::standing::Fallen;
use super::statics::{self, Multiplier};
use super::verdict::{self, Verdict};
use klast_files::mesh::vtk::pvd;
use klast_runs::answer::{Answer, Figure, Judgement, counted, length, short};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

pub use super::rows::{BodyRow, ContactRow, EnergyRow, GainRow};

/// The results of a scene of kind `bodies`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Energy balance: the rows of `energy.csv`.
    pub energy: Vec<EnergyRow>,
    /// Time steps that gained energy: the rows of `gains.csv`. The file is missing if there are no such steps.
    pub gains: Vec<GainRow>,
    /// Pose and velocity of each body at each time that `frames` requests: the rows of `bodies.csv`.
    pub bodies: Vec<BodyRow>,
    /// Contacts of the last step: the rows of `contacts.csv`.
    pub contacts: Vec<ContactRow>,
    /// Joints with their resultants, if the scene asks for a limit analysis: the rows of `joints.csv`.
    pub joints: Vec<JointRow>,
    /// Direction of the load of the limit analysis.
    #[serde(skip)]
    pub towards: Option<DVec3>,
    /// Frames that were written, by their time (s).
    #[serde(skip)]
    pub frames: Vec<(f64, String)>,
    /// Places of all bodies over time, for the view in space.
    #[serde(skip)]
    pub view: Vec<(f64, Vec<[f32; 7]>)>,
    /// The bodies at the start.
    #[serde(skip)]
    pub start: Built,
    /// The bodies at the end.
    #[serde(skip)]
    pub end: Built,
    /// The displacement (m) up to which the verdict is "stands".
    #[serde(skip)]
    pub stands_within: Option<f64>,
}

/// Load multiplier of the bodies where they start: the largest part of gravity in the direction of the scene for which
/// forces at the contacts, none of which pulls or exceeds its friction, balance all bodies. Friction is associated
/// here: bodies with Coulomb's friction can move under less, and do not stand under more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct LimitAnalysis {
    /// What was found.
    pub found: LimitFound,
    /// Load multiplier, as a part of gravity; null unless there is a limit up to 10.
    pub load_multiplier: Option<f64>,
}

/// What a limit analysis found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LimitFound {
    /// A limit.
    Limit,
    /// An equilibrium at ten times gravity too.
    NoLimit,
    /// No equilibrium under any part of the load.
    NoEquilibrium,
    /// Not known: there is no gravity, or there are more than 5,000 contacts.
    Unknown,
}

/// Reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// All bodies were at rest.
    Rest,
    /// The run reached its duration.
    Duration,
}

/// Whether the bodies stand, and the terms of the energy balance.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Outcome: whether the bodies stand; null if the scene has no `stands_within_m`.
    pub verdict: Option<Verdict>,
    /// Reason why the outcome is undecided; null for any other outcome.
    pub undecided_because: Option<String>,
    /// What statics says of the start of bodies that have fallen; null if they have not.
    pub fallen: Option<Fallen>,
    /// Limit analysis of the start; null if the scene asks for none.
    pub limit_analysis: Option<LimitAnalysis>,
    /// Reason why the run ended.
    pub stopped_by: Stop,
    /// Time at the end (s).
    pub end_time_s: f64,
    /// Time from which all bodies are at rest (s); null if they are not at rest at the end.
    pub at_rest_from_s: Option<f64>,
    /// Largest displacement of a body's centre from its start (m), in the axes of the body `relative_to` if the scene
    /// names one.
    pub max_displacement_m: f64,
    /// Body with the largest displacement; null if there is no free body.
    pub body_with_max_displacement: Option<String>,
    /// Largest speed of a mass centre in the whole run (m/s).
    pub max_centre_speed_m_s: f64,
    /// Largest overlap of a contact (m).
    pub max_overlap_m: f64,
    /// Largest residual of a contact problem, relative to the largest velocity of the problem.
    pub max_residual: f64,
    /// Number of unconverged islands, summed over all steps: the residual of their contact problem stayed above the
    /// tolerance.
    pub unconverged_islands: u64,
    /// Number of unconverged islands for which the effort `auto` reached `max_newton_steps`, summed over all steps.
    pub over_budget_islands: u64,
    /// Number of impacts that were cut short or that stayed above the tolerance of their law, summed over all steps.
    pub unsolved_impacts: u64,
    /// Number of refused impacts, summed over all steps: their impact law generates energy, and another law was used.
    pub refused_impacts: u64,
    /// Energy that the restitution should have returned but did not (J): impacts in a step that were cut short, and
    /// refused impacts that were plastic.
    pub unreturned_energy_j: f64,
    /// Number of steps whose rolling resistance did not settle.
    pub unsettled_rolling_steps: u64,
    /// Mass of the heaviest free body over the mass of the lightest free body.
    pub mass_ratio: f64,
    /// Kinetic and potential energy at the start (J).
    pub energy_at_start_j: f64,
    /// Kinetic energy at the end (J).
    pub kinetic_energy_j: f64,
    /// Potential energy at the end (J).
    pub potential_energy_j: f64,
    /// Energy of compliant contacts at the end (J).
    pub elastic_energy_j: f64,
    /// Energy dissipated by contacts (J).
    pub dissipated_by_contacts_j: f64,
    /// Energy dissipated by impacts and time steps (J), not counted in `dissipated_by_contacts_j`.
    pub dissipated_by_impacts_and_scheme_j: f64,
    /// Kinetic energy that is removed when islands begin to sleep (J).
    pub dissipated_by_sleep_j: f64,
    /// Energy dissipated by compliant contacts that open (J).
    pub dissipated_by_springs_j: f64,
    /// Energy dissipated by ties (J): by yielding, breaking and the damping of the time steps.
    pub dissipated_by_ties_j: f64,
    /// Energy that left with removed bodies (J), less that of ties that were tightened at the start.
    pub removed_energy_j: f64,
    /// Work of the loads (J).
    pub load_work_j: f64,
    /// Energy of the ties at the end (J).
    pub tied_energy_j: f64,
    /// Ties at the end.
    pub ties: Vec<TieEnd>,
    /// Number of joints whose cohesion broke.
    pub broken_joints: u64,
    /// Boundary work (J): work of bodies and planes that the scene moves.
    pub boundary_work_j: f64,
    /// Stabilisation work (J): work of the removal of overlaps.
    pub stabilisation_work_j: f64,
    /// Least energy dissipated by a contact in a step (J); a negative value means that the contact generated energy.
    pub min_contact_dissipation_j: f64,
    /// Number of contacts that generated energy, summed over all steps.
    pub energy_generating_contacts: u64,
    /// Number of steps that gained energy.
    pub steps_with_energy_gain: u64,
    /// Sum of the gains of energy of all steps with a gain (J).
    pub energy_gained_j: f64,
    /// Largest energy residual of a step (J).
    pub max_energy_residual_j: f64,
    /// Wedged bodies: they keep an overlap because they have too little space.
    pub wedged: Vec<Wedged>,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// A tie at the end of a run.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct TieEnd {
    /// Name of the tie.
    pub name: String,
    /// Force in the tie (N); 0 if it broke.
    pub force_n: f64,
    /// Elongation (m): of a bar from its length without force, negative if it is slack; of a dowel the way between its
    /// points.
    pub elongation_m: f64,
    /// Plastic part of the elongation of a bar (m).
    pub plastic_m: f64,
    /// Whether the tie broke, or lost a body.
    pub broken: bool,
}

/// A wedged body.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Wedged {
    /// Name of the body.
    pub name: String,
    /// Number of steps in which the body was wedged.
    pub steps: u64,
}

impl Results {
    /// The results of a run that ended.
    #[must_use]
    pub fn of(scene: &Scene, start: Built, end: Built, record: &Record, stop: Stop) -> Self {
        let (limit, at_limit) = match scene.limit_analysis.and_then(|entry| entry.direction()) {
            Some(towards) => limit_of(&start, &end, towards),
            None => (None, vec![]),
        };
        let gain = |&(time_s, gain_j): &(f64, f64)| GainRow { time_s, gain_j };
        Self {
            summary: Summary {
                limit_analysis: limit,
                ..summary(scene, &end, record, stop)
            },
            joints: at_limit,
            towards: scene.limit_analysis.and_then(|entry| entry.direction()),
            energy: energy(record),
            gains: record.gains.iter().map(gain).collect(),
            bodies: bodies(&end, record),
            contacts: contacts(&end),
            frames: record.frames.clone(),
            view: record.view.clone(),
            stands_within: scene.stands_within_m,
            start,
            end,
        }
    }

    fn falls(&self) -> String {
        match self.summary.fallen.and_then(|f| f.equilibrium_margin_deg) {
            Some(margin) => format!(
                "It falls, though an equilibrium exists (with a margin of {}°; friction is not associated): ",
                short(margin)
            ),
            None => "It falls: ".to_owned(),
        }
    }

    /// The outcome in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let s = &self.summary;
        let mut text = match (s.verdict, &s.undecided_because) {
            (Some(Verdict::Stands), _) => "It stands: ".to_owned(),
            (Some(Verdict::Falls), _) => self.falls(),
            (Some(Verdict::Undecided), why) => {
                format!("Undecided, {}: ", why.as_deref().unwrap_or_default())
            }
            (None, _) => String::new(),
        };
        if let Some(most) = s.limit_analysis.and_then(|limit| limit.load_multiplier) {
            text += &format!(
                "Limit analysis (associated friction) gives a load multiplier of {}. ",
                short(most)
            );
        }
        text += &match (&s.body_with_max_displacement, s.max_displacement_m > 0.0) {
            (Some(name), true) => {
                format!("'{name}' moved most, {}. ", length(s.max_displacement_m))
            }
            _ => "nothing moved. ".to_owned(),
        };
        text += &match (s.stopped_by, s.at_rest_from_s) {
            (Stop::Rest, Some(at)) => format!("At rest from {at:.3} s on"),
            _ => format!(
                "After {:.3} s the fastest centre moves at {} m/s",
                s.end_time_s,
                short(self.energy.last().map_or(0.0, |l| l.max_centre_speed_m_s))
            ),
        };
        text += &format!(
            "; {}, largest overlap {}, {} with a gain of energy.",
            counted(self.contacts.len() as u64, "contact"),
            length(s.max_overlap_m),
            counted(s.steps_with_energy_gain, "step")
        );
        text
    }
}

fn summary(scene: &Scene, built: &Built, record: &Record, stop: Stop) -> Summary {
    let (world, ledger) = (&built.world, built.world.ledger());
    let (body, displacement) = record.ways.farthest();
    Summary {
        verdict: verdict::verdict(scene, built, record),
        undecided_because: verdict::undecided(scene, built, record).map(|u| u.why()),
        fallen: record.fallen,
        limit_analysis: None,
        stopped_by: stop,
        end_time_s: world.time(),
        at_rest_from_s: record.rest_at,
        max_displacement_m: displacement,
        body_with_max_displacement: built.names.get(body).cloned(),
        max_centre_speed_m_s: record.fastest,
        max_overlap_m: record.overlap,
        max_residual: record.residual,
        unconverged_islands: ledger.unconverged,
        over_budget_islands: ledger.over_budget,
        unsolved_impacts: ledger.events.unsolved_impacts,
        refused_impacts: ledger.events.refused_impacts,
        unreturned_energy_j: ledger.exchange.unreturned,
        unsettled_rolling_steps: ledger.events.unsettled_rolling,
        mass_ratio: verdict::mass_ratio(world),
        energy_at_start_j: record.start_energy,
        kinetic_energy_j: world.kinetic_energy(),
        potential_energy_j: world.potential_energy(),
        elastic_energy_j: world.elastic_energy(),
        dissipated_by_contacts_j: ledger.exchange.contact_loss,
        dissipated_by_impacts_and_scheme_j: ledger.exchange.scheme_loss,
        dissipated_by_sleep_j: ledger.exchange.sleep_loss,
        dissipated_by_springs_j: ledger.exchange.spring_loss,
        dissipated_by_ties_j: ledger.exchange.tie_loss,
        removed_energy_j: ledger.taken_out,
        load_work_j: ledger.exchange.load_work,
        tied_energy_j: world.tied_energy(),
        ties: ties(scene, world),
        broken_joints: ledger.events.broken_joints,
        boundary_work_j: ledger.exchange.boundary_work,
        stabilisation_work_j: ledger.exchange.stabilisation,
        min_contact_dissipation_j: ledger.exchange.least_contact_loss,
        energy_generating_contacts: ledger.exchange.driving_contacts,
        steps_with_energy_gain: ledger.gains,
        energy_gained_j: ledger.gained,
        max_energy_residual_j: record.unexplained,
        wedged: record
            .wedged
            .iter()
            .map(|(&body, &steps)| Wedged {
                name: built.names.get(body).cloned().unwrap_or_default(),
                steps,
            })
            .collect(),
        remarks: built.remarks.clone(),
    }
}

/// The limit analysis of the start, and the joints at the end of the run and at the limit.
fn limit_of(start: &Built, end: &Built, towards: DVec3) -> (Option<LimitAnalysis>, Vec<JointRow>) {
    let step = end.world.settings().step;
    let contacts = end.world.contacts();
    let forces: Vec<DVec3> = contacts.iter().map(|c| c.impulse / step).collect();
    let mut rows = joints(end, contacts, &forces, JointState::End);
    let limit = statics::limit(&start.world, towards);
    let own = joints(start, &limit.contacts, &limit.forces, JointState::Limit);
    rows.extend(own);
    let (found, load_multiplier) = match limit.multiplier {
        Multiplier::At(most) => (LimitFound::Limit, Some(most)),
        Multiplier::Beyond(_) => (LimitFound::NoLimit, None),
        Multiplier::NoEquilibrium => (LimitFound::NoEquilibrium, None),
        Multiplier::Unknown => (LimitFound::Unknown, None),
    };
    let analysis = LimitAnalysis {
        found,
        load_multiplier,
    };
    (Some(analysis), rows)
}

fn ties(scene: &Scene, world: &World) -> Vec<TieEnd> {
    let named = scene.ties.iter().enumerate();
    named
        .filter_map(|(k, tie)| {
            let state = world.tie(k)?;
            Some(TieEnd {
                name: tie.name.clone(),
                force_n: state.force.length(),
                elongation_m: state.elongation,
                plastic_m: state.plastic,
                broken: state.broken,
            })
        })
        .collect()
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        let s = &self.summary;
        let (judgement, outcome) = match (s.verdict, s.stopped_by) {
            (Some(Verdict::Stands), _) => (Judgement::Holds, "stands"),
            (Some(Verdict::Falls), _) => (Judgement::Fails, "falls"),
            (Some(Verdict::Undecided), _) => (Judgement::Undecided, "undecided"),
            (None, Stop::Rest) => (Judgement::Measured, "at rest"),
            (None, Stop::Duration) => (Judgement::Measured, "still moves"),
        };
        Answer {
            verdict: self.sentence(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("largest displacement of a body", s.max_displacement_m, "m"),
                Figure::new("largest overlap of a contact", s.max_overlap_m, "m"),
                Figure::new(
                    "largest residual of the contact problems",
                    s.max_residual,
                    "",
                ),
            ],
        }
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.table("energy.csv", &self.energy)?;
        if !self.gains.is_empty() {
            files.table("gains.csv", &self.gains)?;
        }
        files.table("bodies.csv", &self.bodies)?;
        files.table("contacts.csv", &self.contacts)?;
        if !self.joints.is_empty() {
            files.table("joints.csv", &self.joints)?;
        }
        if !self.frames.is_empty() {
            files.text("bodies.pvd", &pvd(&self.frames))?;
        }
        files.text("end.vtu", &solids(&self.end.world).vtu())
    }
}
