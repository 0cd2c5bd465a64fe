//! One restrainer on its way: its law, and what it did so far.

use super::{Restrainer, RestrainerReport};
use crate::block::RockingBlock;

/// Where a restrainer stands in its law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stage {
    /// Without force, shorter than its free length.
    Slack,
    Elastic,
    /// At its strength, pulling (+1) or pushing (−1).
    Yields(f64),
    Broken,
}

/// How a stage ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Edge {
    /// The elongation falls to its lower bound.
    Low,
    /// It rises to its upper bound.
    High,
    /// It turns, which ends yielding.
    Turn,
}

/// Elongation of rupture over that of first yield, up to which both are one.
const BRITTLE: f64 = 1.0 + 1e-12;

/// A restrainer, per mass of the block. Its elongation e is counted from the length at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tie {
    /// From the mass centre to the point of the block, in the frame of the block.
    pub(crate) at: (f64, f64),
    /// From the anchor to the point of the block at rest, in the frame of the base.
    pub(crate) span: (f64, f64),
    /// Length at rest.
    pub(crate) length: f64,
    /// Displacement that counts as rest.
    origin: (f64, f64),
    /// Stiffness (1/s²) and strength (m/s²) over mass.
    pub(crate) stiffness: f64,
    pub(crate) strength: f64,
    pub(crate) pushes: bool,
    mass: f64,
    /// Elongation without force at the start, and now.
    free: f64,
    pub(crate) set: f64,
    /// Elongation at which it breaks.
    limit: f64,
    pub(crate) stage: Stage,
    pub(crate) report: RestrainerReport,
}

impl Tie {
    pub(crate) fn new(block: &RockingBlock, mass: f64, of: &Restrainer) -> Self {
        let span = (
            of.block_point.0 - of.base_point.0,
            of.block_point.1 - of.base_point.1,
        );
        let first = of.strength / of.stiffness;
        let free = of.slack - of.pretension / of.stiffness;
        Self {
            at: (of.block_point.0, of.block_point.1 - block.centre_height()),
            span,
            length: libm::hypot(span.0, span.1),
            origin: (0.0, 0.0),
            stiffness: of.stiffness / mass,
            strength: of.strength / mass,
            pushes: of.pushes,
            mass,
            free,
            set: free,
            limit: free + of.ductility * first,
            stage: Stage::Elastic,
            report: RestrainerReport::default(),
        }
    }

    /// Rest is where the block has turned by `turn` and the point is displaced by `shift`.
    pub(crate) fn rests_at(&mut self, turn: f64, shift: (f64, f64)) {
        let (sin, cos) = libm::sincos(turn);
        self.span = (
            self.span.0 * cos + self.span.1 * sin,
            self.span.1 * cos - self.span.0 * sin,
        );
        self.origin = shift;
    }

    /// The run begins with its point displaced by `u`; what is beyond its strength from the start yields or is broken.
    pub(crate) fn begin(&mut self, u: (f64, f64)) {
        let e = self.elongation(u);
        let first = self.strength / self.stiffness;
        if e >= self.limit {
            (self.stage, self.report.broke) = (Stage::Broken, Some(0.0));
        } else if e < self.set && !self.pushes {
            self.stage = Stage::Slack;
        } else {
            self.set = self.set.clamp(e - first, e + first);
        }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.stage != Stage::Broken
    }

    /// Whether its stage has a force.
    pub(crate) fn pulls(&self) -> bool {
        matches!(self.stage, Stage::Elastic | Stage::Yields(_))
    }

    /// From the anchor to the point displaced by `u`, and the square of the length over that at rest.
    fn reach(&self, u: (f64, f64)) -> ((f64, f64), f64) {
        let u = (u.0 - self.origin.0, u.1 - self.origin.1);
        let grown = 2.0 * (self.span.0 * u.0 + self.span.1 * u.1) + u.0 * u.0 + u.1 * u.1;
        ((self.span.0 + u.0, self.span.1 + u.1), grown)
    }

    fn length_of(&self, grown: f64) -> f64 {
        (self.length * self.length + grown).max(0.0).sqrt()
    }

    /// Elongation from the square of the length over that at rest: a difference of lengths without cancellation.
    pub(crate) fn longer(&self, grown: f64) -> f64 {
        let both = self.length_of(grown) + self.length;
        if both > 0.0 { grown / both } else { 0.0 }
    }

    /// The square of the length over that at rest, at an elongation; none for one that no length has.
    pub(crate) fn grown(&self, elongation: f64) -> Option<f64> {
        (self.length + elongation > 0.0).then_some(elongation * (2.0 * self.length + elongation))
    }

    pub(crate) fn elongation(&self, u: (f64, f64)) -> f64 {
        self.longer(self.reach(u).1)
    }

    /// Elastic elongation.
    fn stretch(&self, elongation: f64) -> f64 {
        let e = elongation - self.set;
        if self.pushes { e } else { e.max(0.0) }
    }

    /// Its pull (m/s²) at an elongation.
    pub(crate) fn pull(&self, elongation: f64) -> f64 {
        match self.stage {
            Stage::Slack | Stage::Broken => 0.0,
            Stage::Elastic => self.stiffness * self.stretch(elongation),
            Stage::Yields(sign) => sign * self.strength,
        }
    }

    /// Force on the block with its point displaced by `u`.
    pub(crate) fn force(&self, u: (f64, f64)) -> (f64, f64) {
        let ((x, z), grown) = self.reach(u);
        let length = self.length_of(grown);
        if length == 0.0 {
            return (0.0, 0.0);
        }
        let pull = self.pull(self.longer(grown)) / length;
        (-pull * x, -pull * z)
    }

    /// Elongation times length and its rate, for a velocity of the point.
    pub(crate) fn lengthens(&self, u: (f64, f64), velocity: (f64, f64)) -> f64 {
        let ((x, z), _) = self.reach(u);
        x * velocity.0 + z * velocity.1
    }

    /// Stored energy.
    pub(crate) fn stored(&self, elongation: f64) -> f64 {
        let e = match self.stage {
            Stage::Slack | Stage::Broken => 0.0,
            Stage::Elastic => self.stretch(elongation),
            Stage::Yields(_) => self.strength / self.stiffness,
        };
        0.5 * self.stiffness * e * e
    }

    /// Elongations at which the stage ends, below and above.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        let (none, first) = (f64::INFINITY, self.strength / self.stiffness);
        match self.stage {
            Stage::Slack => (-none, self.set),
            Stage::Elastic if self.pushes => (self.set - first, (self.set + first).min(self.limit)),
            Stage::Elastic => (self.set, (self.set + first).min(self.limit)),
            Stage::Yields(sign) if sign > 0.0 => (-none, self.limit),
            Stage::Yields(_) | Stage::Broken => (-none, none),
        }
    }

    /// Takes note of an elongation.
    pub(crate) fn see(&mut self, elongation: f64) {
        if self.is_whole() {
            let e = elongation.min(self.limit);
            let force = self.pull(e).min(self.strength) * self.mass;
            let report = &mut self.report;
            report.largest_elongation = report.largest_elongation.max(e - self.free);
            report.largest_force = report.largest_force.max(force);
        }
    }

    /// Takes what has yielded up to an elongation as set; the energy that it took.
    pub(crate) fn pass(&mut self, elongation: f64) -> f64 {
        let Stage::Yields(sign) = self.stage else {
            return 0.0;
        };
        let set = elongation - sign * self.strength / self.stiffness;
        let taken = self.strength * (set - self.set).abs();
        self.set = set;
        self.report.dissipated += taken * self.mass;
        taken
    }

    /// The stage ends at `time`; the energy that was stored if it breaks.
    pub(crate) fn change(&mut self, edge: Edge, time: f64) -> Option<f64> {
        let first = self.strength / self.stiffness;
        self.stage = match (self.stage, edge) {
            (Stage::Elastic, Edge::Low) if !self.pushes => Stage::Slack,
            (Stage::Elastic, Edge::Low) => Stage::Yields(-1.0),
            (Stage::Elastic, Edge::High) if self.limit - self.free > first * BRITTLE => {
                Stage::Yields(1.0)
            }
            (Stage::Elastic, Edge::High) | (Stage::Yields(_), Edge::High | Edge::Low) => {
                let stored = 0.5 * self.stiffness * first * first;
                self.stage = Stage::Broken;
                self.report.broke = Some(time);
                self.report.dissipated += stored * self.mass;
                return Some(stored);
            }
            (Stage::Slack | Stage::Yields(_), _) => Stage::Elastic,
            (stage, _) => stage,
        };
        if let Stage::Yields(_) = self.stage {
            self.report.yielded = self.report.yielded.or(Some(time));
        }
        None
    }
}
