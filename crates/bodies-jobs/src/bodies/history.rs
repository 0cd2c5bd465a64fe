//! What is kept of a run: the energy audit, states, ways, and what a stopped run needs to go on.

use std::collections::BTreeMap;

use klast_dynamics::{EnergyExchange, StepReport, StoredEnergy, World, WorldSnapshot};
use serde::{Deserialize, Serialize};

use super::build::Built;
use super::scene::Scene;
use super::shaking::Shaking;
use super::standing::{Fallen, Judged};
use super::touched::Touched;
use super::ways::Ways;
use klast_runs::files::{Files, FilesExt as _};

/// Steps with a gain that are listed; more are only counted.
const LISTED_GAINS: usize = 1000;

/// One line of the audit: energies now, sums since the start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub time: f64,
    pub energy: StoredEnergy,
    pub exchange: EnergyExchange,
    pub taken_out: f64,
    pub contacts: usize,
    pub residual: f64,
    pub overlap: f64,
    pub fastest: f64,
    pub way: f64,
}

/// One body at one time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BodyLine {
    pub time: f64,
    pub body: usize,
    /// Position of the shape's origin, quaternion w x y z, velocity of the mass centre, spin.
    pub numbers: [f64; 13],
}

/// The run so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub lines: Vec<Line>,
    pub states: Vec<BodyLine>,
    pub frames: Vec<(f64, String)>,
    /// Times and places of all bodies for the view in space, in single precision: position and quaternion x y z w.
    #[serde(default)]
    pub view: Vec<(f64, Vec<[f32; 7]>)>,
    /// Time and size of gains of energy.
    pub gains: Vec<(f64, f64)>,
    /// Energy at the start (J).
    pub start_energy: f64,
    /// The bodies that touched, and their energy.
    #[serde(default)]
    pub touched: Touched,
    /// Displacements of all bodies from the start, measured from the base.
    pub ways: Ways,
    /// Greatest speed of any mass centre (m/s), residual and overlap (m) of all steps.
    pub fastest: f64,
    pub residual: f64,
    pub overlap: f64,
    /// Largest change of energy in a step that no term of the audit explains (J).
    pub unexplained: f64,
    /// Steps in which each body was wedged, of those that ever were.
    #[serde(default)]
    pub wedged: BTreeMap<usize, u64>,
    /// What the residuals leave of the verdict, where one is asked for.
    #[serde(default)]
    pub judged: Option<Judged>,
    /// How what carries the bodies moved, until they fell, and what statics says then.
    #[serde(default)]
    pub shaking: Shaking,
    #[serde(default)]
    pub fallen: Option<Fallen>,
    /// Since when all has been still.
    pub still_since: Option<f64>,
    /// When the run was found at rest.
    pub rest_at: Option<f64>,
    residual_now: f64,
    overlap_now: f64,
}

/// What a stopped run leaves for the next.
#[derive(Debug, Serialize, Deserialize)]
pub struct Pause {
    /// Everything but the seed that decides the numbers.
    pub key: String,
    pub seed: u64,
    pub snapshot: WorldSnapshot,
    pub record: Record,
}

impl Record {
    /// The record of a run that begins.
    pub fn new(scene: &Scene, built: &Built) -> Self {
        let world = &built.world;
        let mut record = Self {
            start_energy: world.kinetic_energy() + world.potential_energy(),
            touched: Touched::new(world),
            judged: scene.stands_within_m.map(|bar| Judged::of(bar, world)),
            ways: Ways::new(built),
            shaking: Shaking::new(world),
            ..Self::default()
        };
        record.line(world, 0);
        record
    }

    /// Enters a step.
    pub fn enter(&mut self, scene: &Scene, built: &Built, report: &StepReport) {
        let world = &built.world;
        self.residual = self.residual.max(report.solver.residual);
        self.overlap = self.overlap.max(report.overlap.deepest);
        self.unexplained = self.unexplained.max(report.unexplained.abs());
        if report.overlap.wedged > 0 {
            for body in world.wedged() {
                *self.wedged.entry(body).or_insert(0) += 1;
            }
        }
        self.residual_now = self.residual_now.max(report.solver.residual);
        self.overlap_now = self.overlap_now.max(report.overlap.deepest);
        if world.ledger().gains as usize > self.gains.len() && self.gains.len() < LISTED_GAINS {
            self.gains.push((report.time, report.gain));
        }
        self.touched.enter(world);
        self.ways.enter(world, built.base, scene.duration_s);
        if !self.has_fallen() {
            self.shaking.enter(world, world.settings().step);
        }
        if let Some(judged) = &mut self.judged {
            // Not the relative residual: that is smaller the faster bodies meet, where what it hides is not.
            let residual = (report.solver.residual_speed, world.settings().step);
            judged.enter(residual, self.ways.farthest().1, report.time);
        }
        self.fastest = self.fastest.max(fastest_centre(world));
        self.look_for_rest(scene, world);
        let interval = scene.sample();
        let due = interval * self.lines.len() as f64;
        if report.time >= due - 1e-9 * interval {
            self.line(world, report.contacts);
        }
    }

    /// Whether bodies have fallen, as far as a verdict is asked for.
    pub fn has_fallen(&self) -> bool {
        self.judged.as_ref().is_some_and(|j| j.fell_at.is_some())
    }

    /// Keeps the places of all bodies where the view in space is due; few of many bodies, so that a page stays small.
    pub fn keep_view(&mut self, scene: &Scene, world: &World, last: bool) {
        const PLACES: usize = 60_000;
        let views = (PLACES / world.len().max(1)).clamp(2, 150);
        let due = scene.duration_s * self.view.len() as f64 / (views - 1) as f64;
        let half = 0.5 * world.settings().step;
        let again = self.view.last().is_some_and(|(t, _)| *t >= world.time());
        if again || (world.time() + half < due && !last) {
            return;
        }
        let place = |s: &klast_dynamics::State| {
            let (p, q) = (s.pose.translation, s.pose.rotation);
            [p.x, p.y, p.z, q.x, q.y, q.z, q.w].map(|x| x as f32)
        };
        self.view
            .push((world.time(), world.states().map(place).collect()));
    }

    fn look_for_rest(&mut self, scene: &Scene, world: &World) {
        let Some(rest) = scene.stop_at_rest else {
            return;
        };
        if fastest_point(world) > rest.speed_m_s {
            self.still_since = None;
            return;
        }
        let since = *self.still_since.get_or_insert(world.time());
        let now = world.time();
        if now - since >= rest.for_s && now >= rest.not_before_s {
            self.rest_at = Some(since);
        }
    }

    /// Closes the audit where the run ends, if no line stands there.
    pub fn close(&mut self, world: &World) {
        if self.lines.last().is_none_or(|l| l.time < world.time()) {
            self.line(world, world.contacts().len());
        }
    }

    fn line(&mut self, world: &World, contacts: usize) {
        let l = world.ledger();
        self.lines.push(Line {
            time: world.time(),
            energy: StoredEnergy {
                kinetic: world.kinetic_energy(),
                potential: world.potential_energy(),
                elastic: world.elastic_energy(),
                tied: world.tied_energy(),
            },
            exchange: l.exchange,
            taken_out: l.taken_out,
            contacts,
            residual: self.residual_now,
            overlap: self.overlap_now,
            fastest: fastest_centre(world),
            way: self.ways.farthest().1,
        });
        (self.residual_now, self.overlap_now) = (0.0, 0.0);
    }

    /// Enters the state of every body.
    pub fn states_of(&mut self, world: &World) {
        for (body, state) in world.states().enumerate() {
            let frame = world.body(body).map(|b| b.frame().inverse());
            let pose = frame.map_or(state.pose, |f| state.pose.mul(&f));
            let (p, q) = (pose.translation, pose.rotation);
            let (v, w) = (state.velocity.linear, state.velocity.angular);
            let numbers = [
                p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z,
            ];
            self.states.push(BodyLine {
                time: world.time(),
                body,
                numbers,
            });
        }
    }
}

fn fastest_centre(world: &World) -> f64 {
    free(world)
        .map(|(_, s)| s.velocity.linear.length())
        .fold(0.0, f64::max)
}

/// Bound on the speed of any point of a free body (m/s).
fn fastest_point(world: &World) -> f64 {
    free(world)
        .map(|(i, s)| {
            let radius = world.body(i).map_or(0.0, |b| b.shape().radius());
            s.velocity.linear.length() + s.velocity.angular.length() * radius
        })
        .fold(0.0, f64::max)
}

fn free(world: &World) -> impl Iterator<Item = (usize, &klast_dynamics::State)> {
    world
        .states()
        .enumerate()
        .filter(|(i, _)| world.is_free(*i))
}

impl Pause {
    /// What a stopped run of this very scene left, if it did.
    pub fn read(files: &dyn Files, key: &str, seed: u64) -> Option<Self> {
        // Anything else than a pause of this scene is a run of its own that begins anew.
        let pause: Self = files.kept_state(FILE)?;
        (pause.key == key && pause.seed == seed).then_some(pause)
    }
}

/// Name of the file of a pause.
pub const FILE: &str = "pause.json";
