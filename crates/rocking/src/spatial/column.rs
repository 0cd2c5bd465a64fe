//! Bodies on one another in space: a column of drums.
//!
//! Between steps with impacts a step of the scheme is as that of one body; steps are not made in parts here, so an impact
//! takes the step in which it happens. The error falls with the step, in first order.

use super::run::{STANDS, tilt_of, turn_about_axis};
use super::setting::{energy, world};
use super::{
    SpatialBody, SpatialEnergy, SpatialMotion, SpatialOptions, SpatialOutcome, SpatialSample,
};
use crate::error::RockingError;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::{World, WorldContact};
use klast_numerics::check::require;

/// Most bodies of a column.
const MOST: usize = 40;

/// Part by which every second body is narrowed: a corner of one of two equal faces would stand on the edge of the other.
const NARROWED: f64 = 1e-4;

/// Bodies on one another, their mass centres on one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialColumn {
    drums: Vec<SpatialBody>,
    /// Of the mass centre of a body and all above it over the base of that body (m).
    carried: Vec<f64>,
}

/// What one body of a column did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DrumMotion {
    /// Largest tilt of its axis to the vertical (rad).
    pub largest_tilt: f64,
    /// Largest ratio of the tilt to the critical tilt, that way, of the body with all that it carries.
    pub largest_ratio: f64,
    /// Tilt at the end (rad).
    pub residual_tilt: f64,
    /// Turn about its axis at the end (rad).
    pub residual_turn: f64,
    /// Way of the centre of its base since the start on what it stands on (m): in the axes of the body below, or of the
    /// moving base.
    pub residual_offset: DVec2,
    /// Largest length of that way (m).
    pub largest_offset: f64,
}

/// Result of a simulation of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialColumnRun {
    /// What became of the column; it has overturned when one of its bodies has.
    pub outcome: SpatialOutcome,
    /// The body that overturned or came off, from 0 at the base.
    pub fallen: Option<usize>,
    /// The bodies, from the base upwards.
    pub drums: Vec<DrumMotion>,
    /// First time (s) at which an interface carried nothing.
    pub first_jump: Option<f64>,
    /// Where the energy went.
    pub energy: SpatialEnergy,
    /// Steps whose contacts were not solved to the tolerance.
    pub unconverged: usize,
    /// History at the sample interval: the bodies from the base upwards.
    pub samples: Vec<Vec<SpatialSample>>,
    /// Time reached (s).
    pub end_time: f64,
}

impl SpatialColumn {
    /// A column of 1 to 40 bodies, from the base upwards.
    pub fn new(drums: Vec<SpatialBody>) -> Result<Self, RockingError> {
        let count = drums.len();
        let good = (1..=MOST).contains(&count);
        require("bodies of a column", count as f64, good, "1 to 40")?;
        let mut carried = vec![0.0; count];
        let (mut mass, mut moment) = (0.0, 0.0);
        for (drum, over) in drums.iter().zip(&mut carried).rev() {
            let own = drum.body().mass();
            moment += mass * drum.height() + own * drum.centre_height();
            mass += own;
            *over = moment / mass;
        }
        Ok(Self { drums, carried })
    }

    /// The bodies, from the base upwards.
    #[must_use]
    pub fn drums(&self) -> &[SpatialBody] {
        &self.drums
    }

    /// Tilt towards `azimuth` at which the mass centre of body `drum` (from 0) and all above it stands over the farthest
    /// point that way of its base (rad).
    #[must_use]
    pub fn critical_tilt(&self, drum: usize, azimuth: f64) -> f64 {
        let body = self.drums.get(drum).zip(self.carried.get(drum));
        body.map_or(0.0, |(body, height)| {
            body.critical_tilt_below(azimuth, *height)
        })
    }

    /// Runs the column under `gravity` (m/s²) on a base with `motion`, up to the first body that falls. A column of one
    /// is run as that body.
    pub fn run(
        &self,
        motion: &SpatialMotion,
        gravity: f64,
        options: &SpatialOptions,
    ) -> Result<SpatialColumnRun, RockingError> {
        options.check()?;
        if let [only] = &self.drums[..] {
            return Ok(of_one(&only.run(motion, gravity, options)?));
        }
        let narrowed: Vec<SpatialBody> = self
            .drums
            .iter()
            .enumerate()
            .map(|(k, drum)| match k % 2 {
                0 => Ok(drum.clone()),
                _ => drum.scaled_across(1.0 - NARROWED),
            })
            .collect::<Result<_, _>>()?;
        let mut world = world(&narrowed, motion, gravity, options)?;
        let before = energy(&world);
        let mut watch = Watch::new(self, &narrowed, motion, options);
        watch.begin(&world);
        while world.time() < options.duration - 0.5 * options.step {
            world.step()?;
            if watch.look(&world) {
                break;
            }
        }
        Ok(watch.end(&world, before, gravity))
    }
}

/// The run of one body as that of a column.
fn of_one(run: &super::SpatialRun) -> SpatialColumnRun {
    let drum = DrumMotion {
        largest_tilt: run.largest_tilt,
        largest_ratio: run.largest_ratio,
        residual_tilt: run.residual_tilt,
        residual_turn: run.residual_turn,
        residual_offset: run.residual_slip,
        largest_offset: run.largest_slip,
    };
    let overturned = matches!(run.outcome, SpatialOutcome::Overturned { .. });
    SpatialColumnRun {
        outcome: run.outcome,
        fallen: overturned.then_some(0),
        drums: vec![drum],
        first_jump: run.first_jump,
        energy: run.energy,
        unconverged: run.unconverged,
        samples: run.samples.iter().map(|sample| vec![*sample]).collect(),
        end_time: run.end_time,
    }
}

/// What is kept of the steps.
struct Watch<'a> {
    column: &'a SpatialColumn,
    /// The bodies that move.
    bodies: &'a [SpatialBody],
    motion: &'a SpatialMotion,
    options: &'a SpatialOptions,
    /// Tilt from which on a body counts as overturned (rad).
    overturned_at: Vec<f64>,
    /// Offsets (m) at the start, and heights of mass centres (m) below which a body has dropped: those at the start, or of
    /// the upright column where that is lower, so that a tilted column may come back upright.
    origin: Vec<(DVec2, f64)>,
    run: SpatialColumnRun,
    next_sample: usize,
}

impl<'a> Watch<'a> {
    fn new(
        column: &'a SpatialColumn,
        bodies: &'a [SpatialBody],
        motion: &'a SpatialMotion,
        options: &'a SpatialOptions,
    ) -> Self {
        let middle = |drum: &SpatialBody| {
            let halfway = 0.5 * (drum.critical_tilts().1 + std::f64::consts::FRAC_PI_2);
            options.overturned_at.unwrap_or(halfway)
        };
        Self {
            column,
            bodies,
            motion,
            options,
            overturned_at: bodies.iter().map(middle).collect(),
            origin: vec![(DVec2::ZERO, 0.0); bodies.len()],
            run: SpatialColumnRun {
                outcome: SpatialOutcome::Rest,
                fallen: None,
                drums: vec![DrumMotion::default(); bodies.len()],
                first_jump: None,
                energy: SpatialEnergy::default(),
                unconverged: 0,
                samples: Vec::new(),
                end_time: 0.0,
            },
            next_sample: 0,
        }
    }

    fn begin(&mut self, world: &World) {
        let base = self.motion.components[2].displacement(world.time());
        let mut under = 0.0;
        let heights = world.states().zip(self.bodies).map(|(state, body)| {
            let upright = under + body.centre_height();
            under += body.height();
            (state.pose.translation.z - base).min(upright)
        });
        let heights: Vec<f64> = heights.collect();
        let samples = self.samples(world);
        self.origin = samples.iter().map(|s| s.slip).zip(heights).collect();
        self.note(world, true);
    }

    /// The bodies now, from the base upwards; `slip` is the way on what is below since the start.
    fn samples(&self, world: &World) -> Vec<SpatialSample> {
        let time = world.time();
        let base = std::array::from_fn(|k| self.motion.components[k].displacement(time));
        let mut below = (DVec3::from_array(base), DQuat::IDENTITY);
        let bodies = world.states().zip(self.bodies).zip(&self.origin);
        bodies
            .map(|((state, body), origin)| {
                let attitude = state.pose.rotation * body.body().frame().rotation.inverse();
                let axis = attitude * DVec3::Z;
                let (tilt, azimuth) = tilt_of(axis);
                let foot = state.pose.translation - axis * body.centre_height();
                let slip = (below.1.inverse() * (foot - below.0)).truncate() - origin.0;
                below = (foot + axis * body.height(), attitude);
                SpatialSample {
                    time,
                    tilt,
                    azimuth,
                    turn: turn_about_axis(attitude),
                    angular_velocity: state.velocity.angular,
                    slip,
                }
            })
            .collect()
    }

    /// Looks at the state after a step; whether a body has fallen.
    fn look(&mut self, world: &World) -> bool {
        let carries = (0..self.bodies.len()).all(|interface| carries(world, interface));
        self.note(world, carries)
    }

    fn note(&mut self, world: &World, carries: bool) -> bool {
        let samples = self.samples(world);
        let time = world.time();
        for (k, sample) in samples.iter().enumerate() {
            let drum = &mut self.run.drums[k];
            drum.largest_tilt = drum.largest_tilt.max(sample.tilt);
            let ratio = sample.tilt / self.column.critical_tilt(k, sample.azimuth);
            drum.largest_ratio = drum.largest_ratio.max(ratio);
            drum.largest_offset = drum.largest_offset.max(sample.slip.length());
            drum.residual_tilt = sample.tilt;
            drum.residual_turn = sample.turn;
            drum.residual_offset = sample.slip;
        }
        if !carries {
            self.run.first_jump.get_or_insert(time);
        }
        let fallen = (0..samples.len()).find(|k| {
            let centre = world
                .state(*k)
                .map_or(0.0, |state| state.pose.translation.z);
            let base = self.motion.components[2].displacement(time);
            let dropped = self.origin[*k].1 - (centre - base);
            samples[*k].tilt >= self.overturned_at[*k] || dropped > 0.5 * self.bodies[*k].height()
        });
        if let Some(k) = fallen {
            self.run.fallen = Some(k);
            self.run.outcome = SpatialOutcome::Overturned {
                time,
                azimuth: samples[k].azimuth,
            };
        }
        if let Some(interval) = self.options.sample
            && time >= self.next_sample as f64 * interval - 0.5 * self.options.step
        {
            self.run.samples.push(samples);
            self.next_sample += 1;
        }
        fallen.is_some()
    }

    fn end(mut self, world: &World, before: f64, gravity: f64) -> SpatialColumnRun {
        let ledger = world.ledger();
        let after = energy(world);
        let run = &mut self.run;
        run.end_time = world.time();
        run.unconverged = ledger.unconverged as usize;
        run.energy = SpatialEnergy {
            start: before,
            end: after,
            base_work: ledger.boundary_work,
            contacts: ledger.contact_loss,
            scheme: ledger.scheme_loss,
            overlap: ledger.stabilisation,
            gained: ledger.gained,
            imbalance: after
                - (before + ledger.boundary_work + ledger.stabilisation
                    - ledger.contact_loss
                    - ledger.scheme_loss),
        };
        if run.outcome != SpatialOutcome::Rest {
            return self.run;
        }
        let rested = |(drum, body): (&DrumMotion, &SpatialBody)| {
            drum.largest_tilt <= STANDS * body.critical_tilts().0
                && drum.largest_offset <= STANDS * body.height()
        };
        let stands = |(drum, body): (&DrumMotion, &SpatialBody)| {
            drum.residual_tilt <= 1e-3 * body.critical_tilts().0
        };
        let pairs = || run.drums.iter().zip(self.bodies);
        let base = DVec3::from_array(std::array::from_fn(|k| {
            self.motion.components[k].velocity(world.time())
        }));
        let moving = world.states().zip(self.bodies).map(|(state, body)| {
            let mut relative = *state;
            relative.velocity.linear -= base;
            relative.kinetic_energy(body.body()).total()
        });
        let barrier = self.bodies.iter().map(|body| body.barrier(gravity));
        let least = barrier.fold(f64::INFINITY, f64::min);
        let still = moving.sum::<f64>() <= STANDS * least;
        let outcome = if still && pairs().all(rested) {
            SpatialOutcome::Rest
        } else if still && pairs().all(stands) {
            SpatialOutcome::Settled
        } else {
            SpatialOutcome::Rocking
        };
        run.outcome = outcome;
        self.run
    }
}

/// Whether the interface below body `interface` carries something.
fn carries(world: &World, interface: usize) -> bool {
    let meets = |contact: &&WorldContact| {
        let (first, second) = (contact.first as usize, contact.second as usize);
        match contact.plane() {
            Some(_) => interface == 0 && first == 0,
            None => {
                interface > 0
                    && first.max(second) == interface
                    && first.min(second) + 1 == interface
            }
        }
    };
    let pressing = |contact: &WorldContact| contact.impulse.dot(contact.normal) > 0.0;
    world.contacts().iter().filter(meets).any(pressing)
}
