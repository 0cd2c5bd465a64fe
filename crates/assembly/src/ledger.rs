//! What a run has done: energy terms, impulses and counts.

use crate::event::Collision;
use crate::row::Block;

/// A compensated sum (Neumaier 1974): a million small terms leave no rounding in a balance of 1e-12.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    total: f64,
    carry: f64,
}

impl Sum {
    #[inline]
    pub(crate) fn add(&mut self, x: f64) {
        let t = self.total + x;
        // Branch-free two-sum (Knuth): exact for any order of magnitudes.
        let back = t - self.total;
        self.carry += (self.total - (t - back)) + (x - back);
        self.total = t;
    }

    pub(crate) fn value(&self) -> f64 {
        self.total + self.carry
    }
}

/// Energy balance of a run: kinetic − initial = drive − impacts − friction, each integrated on its own, J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyBalance {
    /// Kinetic energy in the laboratory at time zero.
    pub initial: f64,
    /// Kinetic energy in the laboratory now.
    pub kinetic: f64,
    /// Work of walls and floor on the blocks.
    pub drive: f64,
    /// Energy dissipated by impacts.
    pub impacts: f64,
    /// Energy dissipated by sliding on the floor.
    pub friction: f64,
    /// Sum of the absolute values of all terms added up, the scale of rounding.
    pub turnover: f64,
}

impl EnergyBalance {
    /// kinetic − initial − drive + impacts + friction, J; zero but for rounding.
    #[must_use]
    pub fn residual(&self) -> f64 {
        let mut sum = Sum::default();
        for x in [
            self.kinetic,
            -self.initial,
            -self.drive,
            self.impacts,
            self.friction,
        ] {
            sum.add(x);
        }
        sum.value()
    }

    /// The residual over the turnover; 0 when nothing moved.
    #[must_use]
    pub fn relative_residual(&self) -> f64 {
        if self.turnover > 0.0 {
            self.residual() / self.turnover
        } else {
            self.residual()
        }
    }
}

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

/// An open contact that was met tangentially: rounding decides whether it is met at all. Its time is that of the root of the
/// derivative.
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

/// Book-keeping of one run.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(crate) counts: Counts,
    pub(crate) initial: f64,
    pub(crate) drive: Sum,
    pub(crate) impacts: Sum,
    pub(crate) friction: Sum,
    pub(crate) turnover: f64,
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
}

/// Grazing contacts beyond this number are counted but no longer listed.
const LISTED_GRAZINGS: usize = 10_000;

impl Ledger {
    pub(crate) fn new(blocks: &[Block]) -> Self {
        let mut mass_before = vec![0.0];
        let mut sum = 0.0;
        for b in blocks {
            sum += b.mass;
            mass_before.push(sum);
        }
        Self {
            counts: Counts::default(),
            initial: 0.0,
            drive: Sum::default(),
            impacts: Sum::default(),
            friction: Sum::default(),
            turnover: 0.0,
            worst_momentum: 0.0,
            worst_overlap: 0.0,
            largest: LargestImpact::default(),
            grazing: Vec::new(),
            coincidence: None,
            direct: vec![InterfaceRecord::default(); blocks.len() + 1],
            inner: vec![(0, 0.0, 0.0); blocks.len() + 2],
            mass_before,
        }
    }

    #[inline]
    pub(crate) fn add_drive(&mut self, work: f64) {
        self.drive.add(work);
        self.turnover += work.abs();
    }

    #[inline]
    pub(crate) fn add_friction(&mut self, heat: f64) {
        self.friction.add(heat);
        self.turnover += heat.abs();
    }

    #[inline]
    pub(crate) fn add_impact(&mut self, heat: f64) {
        self.impacts.add(heat);
        self.turnover += heat.abs();
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
