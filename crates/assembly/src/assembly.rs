//! A run: the row, its clocks and its queue of predicted events.

use crate::chain::{Chain, ImpactRule, Scratch};
use crate::cluster::{Cluster, Mode};
use crate::error::AssemblyError;
use crate::event::Event;
use crate::ledger::{Counts, EnergyBalance, Grazing, InterfaceRecord, LargestImpact, Ledger, Sum};
use crate::motion::{BasinMotion, Bounds, Kinematics};
use crate::queue::EventQueue;
use crate::row::{Basin, Block, BlockRow, Start, StartVelocity};

/// Approach speeds up to this part of the velocity scale are plastic: there a sequence of ever smaller impacts is taken
/// as complete. Results do not depend on it between 1e-11 and 1e-6 (see `tests/cutoff.rs`).
pub const DEFAULT_CUTOFF: f64 = 1e-11;

/// Impacts closer in time than this part of the drive period are one event.
const SIMULTANEOUS: f64 = 1e-13;

/// Events that follow a Poincaré section by less than this part of the period count as before it.
const SECTION_SLACK: f64 = 1e-11;

/// The clock is set back after so many drive periods, so that times keep their digits in long runs.
const PERIODS_PER_EPOCH: u64 = 16;

/// State of one block, in the laboratory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockState {
    /// Position of the left edge, m.
    pub left: f64,
    /// Position of the right edge, m.
    pub right: f64,
    /// Velocity, m/s.
    pub velocity: f64,
    /// Coordinate in the basin with the sizes of the blocks in front removed, m.
    pub free: f64,
    /// Velocity relative to the basin, m/s.
    pub slip: f64,
}

/// A row of blocks in a driven basin, advanced from event to event.
///
/// A clone is a snapshot: it continues exactly as the original does.
#[derive(Debug, Clone)]
pub struct Assembly {
    pub(crate) basin: Basin,
    /// The motion with all jumps that lie in the past removed.
    pub(crate) motion: BasinMotion,
    pub(crate) blocks: Vec<Block>,
    pub(crate) rule: ImpactRule,
    pub(crate) free: f64,
    pub(crate) even_grip: bool,
    pub(crate) clusters: Vec<Cluster>,
    /// First block of the cluster that ends with this block.
    pub(crate) head: Vec<usize>,
    pub(crate) queue: EventQueue,
    /// Whether the time of a slot is the event itself, or a time before which it cannot happen.
    pub(crate) exact: Vec<bool>,
    pub(crate) ledger: Ledger,
    pub(crate) bounds: Bounds,
    pub(crate) cutoff: f64,
    pub(crate) velocity_scale: f64,
    /// Characteristic period, s.
    pub(crate) scale_time: f64,
    pub(crate) now: f64,
    pub(crate) epoch: u64,
    pub(crate) chain: Chain,
    pub(crate) scratch: Scratch,
    pub(crate) kept: Option<(f64, Kinematics)>,
    pub(crate) log: Option<Vec<Event>>,
    pub(crate) work: Vec<usize>,
}

impl Assembly {
    /// A row released in a basin at time zero. Contacts that are closed and closing collide at once.
    ///
    /// # Errors
    /// Bad numbers in the motion or the start, blocks that do not fit, lists of the wrong length.
    pub fn new(
        basin: Basin,
        row: &BlockRow,
        start: &Start,
        rule: ImpactRule,
    ) -> Result<Self, AssemblyError> {
        Self::with_cutoff(basin, row, start, rule, DEFAULT_CUTOFF)
    }

    /// As [`Assembly::new`] with another cut-off, relative to the velocity scale.
    ///
    /// # Errors
    /// As there; a cut-off outside [0, 1e-3].
    pub fn with_cutoff(
        basin: Basin,
        row: &BlockRow,
        start: &Start,
        rule: ImpactRule,
        cutoff: f64,
    ) -> Result<Self, AssemblyError> {
        crate::error::check(
            "cut-off of approach speeds",
            cutoff,
            0.0,
            1e-3,
            "0 to 0.001",
        )?;
        basin.motion.validate()?;
        let blocks = row.blocks().to_vec();
        let places = places(&basin, row, start)?;
        let initial = basin.motion.at(0.0);
        let velocities = velocities(start, blocks.len(), initial.velocity)?;
        let bounds = basin.motion.bounds();
        let fastest = velocities
            .iter()
            .fold(bounds.velocity, |m, v| m.max(v.abs()));
        let n = blocks.len();
        let gravity = basin.gravity;
        let mut all = Self {
            motion: basin.motion.clone(),
            free: (basin.length - row.total_size()).max(0.0),
            even_grip: blocks.windows(2).all(|w| w[0].friction == w[1].friction),
            clusters: vec![Cluster::EMPTY; n],
            head: (0..n).collect(),
            queue: EventQueue::new(2 * n + 2),
            exact: vec![false; 2 * n + 2],
            ledger: Ledger::new(&blocks),
            bounds,
            cutoff: cutoff * fastest,
            velocity_scale: fastest,
            scale_time: scale_time(&basin, bounds, fastest),
            now: 0.0,
            epoch: 0,
            rule,
            chain: Chain::default(),
            scratch: Scratch::default(),
            kept: None,
            log: None,
            work: Vec::new(),
            basin,
            blocks,
        };
        for (i, (y, v)) in places.iter().zip(&velocities).enumerate() {
            let b = all.blocks[i];
            all.clusters[i] = Cluster {
                last: i,
                mode: Mode::Slide,
                mass: b.mass,
                grip: b.friction * gravity,
                u: y + initial.position,
                v: *v,
                y: *y,
                path: 0.0,
                mark_x: initial.position,
                ..Cluster::EMPTY
            };
            all.ledger.initial += 0.5 * b.mass * v * v;
        }
        all.ledger.turnover = all.ledger.initial;
        all.settle_all(0.0);
        Ok(all)
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Always false: a row has at least one block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The blocks from left to right.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The basin.
    #[must_use]
    pub fn basin(&self) -> &Basin {
        &self.basin
    }

    /// Free travel: basin length less all block sizes, m.
    #[must_use]
    pub fn free_travel(&self) -> f64 {
        self.free
    }

    /// Velocity scale, m/s: the larger of the peak basin velocity and the fastest block at time zero.
    #[must_use]
    pub fn velocity_scale(&self) -> f64 {
        self.velocity_scale
    }

    /// Time that has been reached, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.epoch_start() + self.now
    }

    /// Keeps a list of all events from now on; take it with [`Assembly::take_events`].
    pub fn record_events(&mut self) {
        self.log.get_or_insert_default();
    }

    /// The events recorded since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Counts of events so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.ledger.counts
    }

    /// Impact counts and impulses of all interfaces: the left wall, then between blocks, then the right wall.
    #[must_use]
    pub fn interfaces(&self) -> Vec<InterfaceRecord> {
        self.ledger.interfaces()
    }

    /// The impact with the largest energy of approach so far.
    #[must_use]
    pub fn largest_impact(&self) -> LargestImpact {
        self.ledger.largest
    }

    /// Begins the search for the largest impact anew.
    pub fn forget_largest_impact(&mut self) {
        self.ledger.largest = LargestImpact::default();
    }

    /// Contacts met at less than 1e-12 of the velocity scale (the first ten thousand of them).
    #[must_use]
    pub fn grazings(&self) -> &[Grazing] {
        &self.ledger.grazing
    }

    /// Worst momentum residual of an impact, relative to the momenta and impulses in it.
    #[must_use]
    pub fn worst_momentum_residual(&self) -> f64 {
        self.ledger.worst_momentum
    }

    /// Largest overlap of two bodies found at any event, m.
    #[must_use]
    pub fn worst_overlap(&self) -> f64 {
        self.ledger.worst_overlap
    }

    /// Blocks that move as one: (first, last) of each cluster from left to right.
    #[must_use]
    pub fn clusters(&self) -> Vec<(usize, usize)> {
        self.heads().map(|c| (c, self.clusters[c].last)).collect()
    }

    /// First blocks of all clusters from left to right.
    pub(crate) fn heads(&self) -> impl Iterator<Item = usize> + '_ {
        let n = self.blocks.len();
        let next = move |c: &usize| Some(self.clusters[*c].last + 1).filter(|&d| d < n);
        std::iter::successors((n > 0).then_some(0), next)
    }

    pub(crate) fn epoch_start(&self) -> f64 {
        self.epoch as f64 * self.motion.period().unwrap_or(0.0)
    }

    /// Runs all events up to and including `time` (s).
    ///
    /// # Errors
    /// A time before the one already reached, or not finite.
    pub fn advance_to(&mut self, time: f64) -> Result<(), AssemblyError> {
        let reached = self.time();
        if !time.is_finite() || time < reached {
            return Err(AssemblyError::TimePassed {
                found: time,
                accepted: reached,
            });
        }
        while let Some(period) = self.epoch_period()
            && time - self.epoch_start() > PERIODS_PER_EPOCH as f64 * period
        {
            self.run_to(PERIODS_PER_EPOCH as f64 * period);
            self.set_clock_back(period);
        }
        self.run_to(time - self.epoch_start());
        Ok(())
    }

    /// Runs to the end of drive period number `count` after time zero, exactly in phase.
    ///
    /// # Errors
    /// A motion without a period, or a section that has passed.
    pub fn advance_to_section(&mut self, count: u64) -> Result<(), AssemblyError> {
        let period = self.motion.period().ok_or(AssemblyError::NoPeriod)?;
        while self.epoch_period().is_some() && count - self.epoch.min(count) > PERIODS_PER_EPOCH {
            self.run_to(PERIODS_PER_EPOCH as f64 * period);
            self.set_clock_back(period);
        }
        let local = (count as f64 - self.epoch as f64) * period;
        if local < self.now {
            return Err(AssemblyError::TimePassed {
                found: count as f64 * period,
                accepted: self.time(),
            });
        }
        // An event within rounding of the section belongs before it, whichever way it was rounded.
        self.run_to(local + SECTION_SLACK * period);
        self.now = local;
        Ok(())
    }

    /// The period if the clock may be set back by it now.
    fn epoch_period(&self) -> Option<f64> {
        match &self.motion {
            BasinMotion::Harmonic { lead_in, .. } if *lead_in == 0.0 => self.motion.period(),
            _ => None,
        }
    }

    fn set_clock_back(&mut self, period: f64) {
        let by = PERIODS_PER_EPOCH as f64 * period;
        for c in 0..self.clusters.len() {
            self.clusters[c].t -= by;
        }
        self.queue.shift(-by);
        self.now = (self.now - by).max(0.0);
        self.epoch += PERIODS_PER_EPOCH;
        self.kept = None;
    }

    /// Basin kinematics at the local time `t`, kept for the next question about the same instant.
    #[inline]
    pub(crate) fn kin(&mut self, t: f64) -> Kinematics {
        match self.kept {
            Some((at, k)) if at == t => k,
            _ => {
                let k = self.motion.at(t);
                self.kept = Some((t, k));
                k
            }
        }
    }

    /// Position (m) and velocity (m/s) of the basin at the time reached.
    #[must_use]
    pub fn basin_state(&self) -> Kinematics {
        self.motion.at(self.now)
    }

    /// Coordinate and velocity of a cluster in the basin at the time reached.
    fn relative(&self, c: &Cluster, k: &Kinematics) -> (f64, f64) {
        match c.mode {
            Mode::Rest => (c.y + c.dy, 0.0),
            Mode::Slide if c.t == self.now && !c.y.is_nan() => (c.y + c.dy, c.v - k.velocity),
            Mode::Slide => {
                let (u, v) = c.slide_to(self.now);
                (u - k.position, v - k.velocity)
            }
        }
    }

    /// State of all blocks at the time reached. Reading it does not disturb the run.
    #[must_use]
    pub fn state(&self) -> Vec<BlockState> {
        let k = self.motion.at(self.now);
        let mut in_front = 0.0;
        let mut all = Vec::with_capacity(self.blocks.len());
        for c in self.heads() {
            let cluster = &self.clusters[c];
            let (y, w) = self.relative(cluster, &k);
            for b in &self.blocks[c..=cluster.last] {
                let left = y + k.position + in_front;
                in_front += b.size;
                all.push(BlockState {
                    left,
                    right: left + b.size,
                    velocity: w + k.velocity,
                    free: y,
                    slip: w,
                });
            }
        }
        all
    }

    /// Energy balance up to the time reached.
    #[must_use]
    pub fn energy(&self) -> EnergyBalance {
        let k = self.motion.at(self.now);
        let (mut drive, mut friction, mut kinetic) =
            (self.ledger.drive, self.ledger.friction, Sum::default());
        let mut turnover = self.ledger.turnover;
        for c in self.heads() {
            let cluster = &self.clusters[c];
            let (way, v) = match cluster.mode {
                Mode::Rest => (0.0, k.velocity),
                Mode::Slide => cluster.way_to(self.now),
            };
            let path = cluster.path + way;
            let (work, heat) = segment(cluster, path, &k);
            drive.add(work);
            friction.add(heat);
            turnover += work.abs() + heat.abs();
            kinetic.add(0.5 * cluster.mass * v * v);
        }
        let kinetic = kinetic.value();
        EnergyBalance {
            initial: self.ledger.initial,
            kinetic,
            drive: drive.value(),
            impacts: self.ledger.impacts.value(),
            friction: friction.value(),
            turnover: turnover + kinetic,
        }
    }
}

/// Work of the basin on a cluster and heat of friction since its mark.
///
/// Sliding: the friction force −m f does −m f ΔX on the basin side, and the heat is m f (path − ΔX). At rest the basin
/// (floor and walls together) does all the work there is, m (V² − V0²)/2.
pub(crate) fn segment(c: &Cluster, path: f64, k: &Kinematics) -> (f64, f64) {
    match c.mode {
        Mode::Rest => {
            let v0 = c.mark_x;
            (0.5 * c.mass * (k.velocity - v0) * (k.velocity + v0), 0.0)
        }
        Mode::Slide => {
            let dx = k.position - c.mark_x;
            (-c.mass * c.f * dx, c.mass * c.f * (path - dx))
        }
    }
}

/// Coordinates of the blocks with sizes removed.
fn places(basin: &Basin, row: &BlockRow, start: &Start) -> Result<Vec<f64>, AssemblyError> {
    let n = row.blocks().len();
    if start.gaps.len() != n {
        return Err(AssemblyError::WrongCount {
            field: "gaps",
            found: start.gaps.len(),
            accepted: n,
        });
    }
    let mut at = 0.0;
    let mut all = Vec::with_capacity(n);
    for (index, gap) in start.gaps.iter().enumerate() {
        if !(gap.is_finite() && *gap >= 0.0) {
            return Err(AssemblyError::ItemOutOfRange {
                field: "gap (m)",
                index,
                found: *gap,
                accepted: "finite and at least 0",
            });
        }
        at += gap;
        all.push(at);
    }
    let size = row.total_size();
    // Sums of decimal sizes round; a part in 1e12 of the basin is no overlap.
    let slack = 1e-12 * basin.length;
    if size + at > basin.length + slack {
        return Err(AssemblyError::DoNotFit {
            needed: size + at,
            length: basin.length,
        });
    }
    let free = (basin.length - size).max(0.0);
    for y in &mut all {
        *y = if *y >= free - slack { free } else { *y };
    }
    Ok(all)
}

fn velocities(start: &Start, n: usize, basin: f64) -> Result<Vec<f64>, AssemblyError> {
    match &start.velocity {
        StartVelocity::AtRest => Ok(vec![0.0; n]),
        StartVelocity::WithBasin => Ok(vec![basin; n]),
        StartVelocity::Given(v) => {
            if v.len() != n {
                return Err(AssemblyError::WrongCount {
                    field: "velocities",
                    found: v.len(),
                    accepted: n,
                });
            }
            match v.iter().position(|x| !x.is_finite()) {
                Some(index) => Err(AssemblyError::ItemOutOfRange {
                    field: "velocity (m/s)",
                    index,
                    found: v[index],
                    accepted: "finite",
                }),
                None => Ok(v.clone()),
            }
        }
    }
}

/// The drive period, or the time in which things happen if there is none.
fn scale_time(basin: &Basin, bounds: Bounds, fastest: f64) -> f64 {
    let from_motion = std::f64::consts::TAU * bounds.velocity / bounds.acceleration;
    let from_speed = basin.length / fastest;
    match basin.motion.period() {
        Some(period) => period,
        None if from_motion.is_finite() && from_motion > 0.0 => from_motion,
        None if from_speed.is_finite() && from_speed > 0.0 => from_speed,
        None => 1.0,
    }
}

impl Assembly {
    /// Time within which two impacts are one event, s.
    #[inline]
    pub(crate) fn simultaneous(&self) -> f64 {
        SIMULTANEOUS * self.scale_time
    }
}
