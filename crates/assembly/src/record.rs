//! What a run has done: counts, impulses, the strongest and the doubtful impacts, events.

use crate::energy::EnergyTerms;
use crate::event::{Collision, Event};
use crate::row::Block;

/// Counts of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Instants at which impacts happened.
    pub impacts: u64,
    /// Pairs of bodies that exchanged an impulse; a chain counts each of its contacts.
    pub pair_impacts: u64,
    /// Impacts that involve a wall.
    pub wall_impacts: u64,
    /// Groups that came to rest on the floor.
    pub stops: u64,
    /// Groups at rest that began to slide.
    pub slips: u64,
    /// Impacts after which the bodies stayed in contact: the end of a sequence of ever smaller ones, or plastic.
    pub joins: u64,
    /// Open contacts met at 1e-12 of the velocity scale or less: tangent touches.
    pub grazings: u64,
    /// Sequences of pair impacts at one instant, and bounces that would not die (e = 1), that were finished as one
    /// plastic impact.
    pub cut_off: u64,
}

/// An open contact that was met tangentially: rounding decides whether it is met at all. Its time is that of the root
/// of the derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grazing {
    /// Time, s.
    pub time: f64,
    /// Interface: 0 is the left wall, `i` lies in front of block `i`, the count of blocks is the right wall.
    pub interface: usize,
    /// Relative speed there, m/s: zero but for rounding, either way.
    pub speed: f64,
}

/// The strongest impact so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LargestImpact {
    /// Energy dissipated by it, J.
    pub dissipated: f64,
    /// Kinetic energy of approach ½ m_red u², J, for a pair; of the fastest contact for a chain.
    pub approach_energy: f64,
    /// Time, s.
    pub time: f64,
    /// Interface at which it began.
    pub interface: usize,
}

/// Counts and impulses of one interface.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InterfaceRecord {
    /// Number of pair impacts.
    pub impacts: u64,
    /// Sum of impulses, N s.
    pub impulse: f64,
}

/// What a run has done so far.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) counts: Counts,
    pub(crate) energy: EnergyTerms,
    pub(crate) worst_momentum: f64,
    pub(crate) worst_overlap: f64,
    pub(crate) largest: LargestImpact,
    pub(crate) grazing: Vec<Grazing>,
    /// First time at which a second impact was due within rounding of another.
    pub(crate) coincidence: Option<f64>,
    direct: Vec<InterfaceRecord>,
    /// Impulses inside rigid clusters as running differences: count, constant part, part per mass to the left.
    inner: Vec<(i64, f64, f64)>,
    mass_before: Vec<f64>,
    /// All events, where they are wanted.
    pub(crate) log: Option<Vec<Event>>,
    /// Events at time zero: what is pushed by its wall or its neighbours collides at the release.
    pub(crate) release: Vec<Event>,
}

/// Grazing contacts beyond this number are counted but no longer listed.
const LISTED_GRAZINGS: usize = 10_000;

impl Record {
    /// Of blocks that begin with this kinetic energy, J.
    pub(crate) fn new(blocks: &[Block], initial: f64) -> Self {
        let mut mass_before = vec![0.0];
        let mut sum = 0.0;
        for b in blocks {
            sum += b.mass;
            mass_before.push(sum);
        }
        Self {
            counts: Counts::default(),
            energy: EnergyTerms::new(initial),
            worst_momentum: 0.0,
            worst_overlap: 0.0,
            largest: LargestImpact::default(),
            grazing: Vec::new(),
            coincidence: None,
            direct: vec![InterfaceRecord::default(); blocks.len() + 1],
            inner: vec![(0, 0.0, 0.0); blocks.len() + 2],
            mass_before,
            log: None,
            release: Vec::new(),
        }
    }

    /// Enters an event into the list of all, where there is one.
    pub(crate) fn note(&mut self, event: Event) {
        if let Some(log) = &mut self.log {
            log.push(event);
        }
    }

    #[inline]
    pub(crate) fn note_pair(&mut self, interface: usize, impacts: u64, impulse: f64) {
        let record = &mut self.direct[interface];
        record.impacts += impacts;
        record.impulse += impulse;
        self.counts.pair_impacts += impacts;
    }

    /// Impulses inside a rigid cluster of blocks `first..=last` that takes `from_left` and gains `dv`: through the
    /// interface behind mass M they are from_left − dv M. O(1) whatever the size of the cluster.
    pub(crate) fn note_inner(&mut self, first: usize, last: usize, from_left: f64, dv: f64) {
        if last == first {
            return;
        }
        let constant = from_left + dv * self.mass_before[first];
        let (a, b) = (first + 1, last + 1);
        self.inner[a].0 += 1;
        self.inner[a].1 += constant;
        self.inner[a].2 -= dv;
        self.inner[b].0 -= 1;
        self.inner[b].1 -= constant;
        self.inner[b].2 += dv;
        self.counts.pair_impacts += (last - first) as u64;
    }

    #[inline]
    pub(crate) fn note_momentum(&mut self, residual: f64, scale: f64) {
        if residual > self.worst_momentum * scale {
            self.worst_momentum = residual / scale;
        }
    }

    /// What is between two bodies at an impact, before they are made to touch: below zero they overlap.
    #[inline]
    pub(crate) fn note_gap(&mut self, gap: f64) {
        self.worst_overlap = self.worst_overlap.max(-gap);
    }

    #[inline]
    pub(crate) fn note_largest(&mut self, impact: &Collision, approach_energy: f64) {
        if approach_energy > self.largest.approach_energy {
            self.largest = LargestImpact {
                dissipated: impact.dissipated,
                approach_energy,
                time: impact.time,
                interface: impact.interface,
            };
        }
    }

    pub(crate) fn note_grazing(&mut self, time: f64, interface: usize, speed: f64) {
        self.counts.grazings += 1;
        if self.grazing.len() < LISTED_GRAZINGS {
            self.grazing.push(Grazing {
                time,
                interface,
                speed,
            });
        }
    }

    /// Counts and impulses of all interfaces from left to right.
    pub(crate) fn interfaces(&self) -> Vec<InterfaceRecord> {
        let mut running = (0, 0.0, 0.0);
        let mut all = self.direct.clone();
        for (i, record) in all.iter_mut().enumerate() {
            let (n, c, m) = self.inner[i];
            running = (running.0 + n, running.1 + c, running.2 + m);
            if running.0 > 0 {
                record.impacts += running.0 as u64;
                record.impulse += running.1 + running.2 * self.mass_before[i];
            }
        }
        all
    }
}
