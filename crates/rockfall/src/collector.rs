//! Barriers and collectors: vertical walls over a line, with and without the power to stop a rock.

use crate::arc::Arc;
use crate::histogram::Histogram;
use crate::{RockfallError, error::within};
use glam::{DVec2, DVec3};
use klast_geometry::terrain::Terrain;

/// A line across the slope where passing rocks are measured, and stopped if it is a barrier. Over missing ground there
/// is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Collector {
    /// Name in reports.
    pub name: String,
    /// The line in map coordinates (m).
    pub line: Vec<DVec2>,
    /// What it holds; `None` for a collector, which only records.
    pub barrier: Option<Barrier>,
}

/// What a barrier can hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Barrier {
    /// Height over the ground (m): holds a rock whose top (centre and radius) is not higher.
    pub height: f64,
    /// Energy capacity (J): holds a rock with no more kinetic energy. Of a flexible barrier its maximum energy.
    pub capacity: f64,
    /// What a flexible barrier was tested for; none of one that only holds or does not.
    pub flexible: Option<FlexibleBarrier>,
}

/// A net as its test describes it. A rock that it does not hold at its height tears it and goes on with the energy that
/// is left, in the same direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlexibleBarrier {
    /// Energy (J) up to which it needs no repair.
    pub service_energy: f64,
    /// How far it gives way downhill at its maximum energy (m).
    pub elongation: f64,
    /// Height that is left after an impact of the maximum energy, as a part of its height.
    pub residual_height: f64,
}

impl Barrier {
    /// A barrier that holds up to a height (m) and an energy (J), or does not.
    pub fn new(height: f64, capacity: f64) -> Self {
        Barrier {
            height,
            capacity,
            flexible: None,
        }
    }
}

/// A rock at a collector.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Passage {
    /// Number of the collector.
    pub collector: u32,
    /// Time since release (s).
    pub time: f64,
    /// Where, local coordinates (m).
    pub position: DVec3,
    /// Height of the mass centre over the ground (m).
    pub height: f64,
    /// Height of its top: centre and radius (m).
    pub top: f64,
    /// Speed (m/s).
    pub speed: f64,
    /// Translational energy (J).
    pub translational: f64,
    /// Rotational energy (J).
    pub rotational: f64,
    /// Whether the collector holds it.
    pub held: bool,
    /// Whether a flexible barrier holds it above its service energy.
    pub above_service: bool,
    /// Energy (J) with which it leaves a flexible barrier that it tears.
    pub residual: Option<f64>,
}

impl Passage {
    /// The same with nothing that a barrier does.
    pub(crate) fn free(self) -> Self {
        Passage {
            held: false,
            above_service: false,
            residual: None,
            ..self
        }
    }
}

/// A collector ready to be crossed: pieces of its line in local coordinates.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wall {
    pieces: Vec<(DVec2, DVec2)>,
    barrier: Option<Barrier>,
}

impl Collector {
    pub(crate) fn wall(&self, terrain: &dyn Terrain) -> Result<Wall, RockfallError> {
        let refuse = |reason| RockfallError::Barrier {
            name: self.name.clone(),
            reason,
        };
        if self.line.len() < 2 {
            return Err(refuse("fewer than two points"));
        }
        if self.line.iter().any(|p| !p.is_finite()) {
            return Err(refuse("a point that is not finite"));
        }
        let origin = terrain.origin().truncate();
        let pieces: Vec<_> = self
            .line
            .windows(2)
            .map(|w| (w[0] - origin, w[1] - origin))
            .filter(|(a, b)| a != b)
            .collect();
        if pieces.is_empty() {
            return Err(refuse("no length"));
        }
        let over_ground = |(a, b): &(DVec2, DVec2)| {
            let steps = ((a.distance(*b) / terrain.resolution()).ceil() as usize).clamp(16, 10_000);
            (0..=steps)
                .map(|k| a.lerp(*b, k as f64 / steps as f64))
                .any(|p| terrain.surface(p.x, p.y).is_some())
        };
        if !pieces.iter().any(over_ground) {
            return Err(refuse("no ground under it: no rock can cross it"));
        }
        if let Some(barrier) = &self.barrier {
            within(
                "barrier height",
                barrier.height,
                barrier.height > 0.0,
                "above 0 m",
            )?;
            within(
                "barrier capacity",
                barrier.capacity,
                barrier.capacity >= 0.0,
                "0 J or more",
            )?;
            if let Some(net) = &barrier.flexible {
                net.validate(barrier.capacity)?;
            }
        }
        Ok(Wall {
            pieces,
            barrier: self.barrier,
        })
    }
}

impl FlexibleBarrier {
    fn validate(&self, maximum: f64) -> Result<(), RockfallError> {
        let service = self.service_energy;
        let holds = service > 0.0 && service <= maximum;
        within(
            "service energy",
            service,
            holds,
            "above 0 J, up to the maximum energy",
        )?;
        let elongation = self.elongation;
        within("elongation", elongation, elongation >= 0.0, "0 m or more")?;
        let part = self.residual_height;
        within(
            "residual height",
            part,
            (0.0..=1.0).contains(&part),
            "0 to 1 of the height",
        )
    }
}

impl Wall {
    /// Adds the times at which an arc crosses this wall, from where the last one ended. Pieces reach over their ends by
    /// rounding, so no path slips between two; one through both is one crossing.
    pub(crate) fn crossings(&self, arc: &Arc, from: DVec2, out: &mut Vec<f64>) {
        let first = out.len();
        let same = |s: f64, t: f64| (s - t).abs() <= 1e-9 * arc.duration;
        for piece in &self.pieces {
            for (t, share) in on_the_line(*piece, arc, from).into_iter().flatten() {
                let on = (-1e-12..=1.0 + 1e-12).contains(&share);
                if on && !out[first..].iter().any(|s| same(*s, t)) {
                    out.push(t);
                }
            }
        }
    }

    /// Whether a straight way in plan from one point through another meets this wall beyond the second.
    pub(crate) fn meets_ray(&self, from: DVec2, through: DVec2) -> bool {
        let way = through - from;
        self.pieces.iter().any(|(a, b)| {
            let along = *b - *a;
            let across = way.perp_dot(along);
            let (t, share) = (
                (*a - through).perp_dot(along) / across,
                (*a - through).perp_dot(way) / across,
            );
            // Parallel lines give no numbers, and do not meet.
            t > 0.0 && (0.0..=1.0).contains(&share)
        })
    }

    /// The first and the last piece, each towards the end that is free; none of a closed line.
    pub(crate) fn ends(&self) -> Option<[(DVec2, DVec2); 2]> {
        let (first, last) = (self.pieces.first()?, self.pieces.last()?);
        (first.0 != last.1).then_some([(first.1, first.0), *last])
    }

    /// The energy (J) with which a rock leaves that tears it; `None` where it holds, is flown over, or is no net.
    pub(crate) fn residual(&self, top: f64, energy: f64) -> Option<f64> {
        let barrier = self.barrier.filter(|b| b.flexible.is_some())?;
        let tears = top <= barrier.height && energy > barrier.capacity;
        tears.then_some(energy - barrier.capacity)
    }

    /// Whether an energy (J) is above the service energy of a flexible barrier.
    pub(crate) fn above_service(&self, energy: f64) -> bool {
        let net = self.barrier.and_then(|b| b.flexible);
        net.is_some_and(|n| energy > n.service_energy)
    }

    pub(crate) fn is_barrier(&self) -> bool {
        self.barrier.is_some()
    }

    pub(crate) fn holds(&self, top: f64, energy: f64) -> bool {
        self.barrier
            .is_some_and(|b| top <= b.height && energy <= b.capacity)
    }
}

/// Times at which an arc crosses the straight line through a piece, from where the last arc ended, and where: 0 at the
/// beginning of the piece, 1 at its end.
pub(crate) fn on_the_line(
    (a, b): (DVec2, DVec2),
    arc: &Arc,
    from: DVec2,
) -> [Option<(f64, f64)>; 2] {
    let along = b - a;
    let normal = along.perp();
    // A point belongs to one side or the other, so an arc that ends on the line crosses it or leaves that to the next
    // one.
    let side = |p: DVec2| normal.dot(p - a) > 0.0;
    let turn = arc.turn(normal);
    let mut before = side(from);
    [(0.0, turn), (turn, arc.duration)].map(|(begin, until)| {
        let after = match until == arc.duration {
            true => side(arc.end().truncate()),
            false => side(arc.position_at(until).truncate()),
        };
        (std::mem::replace(&mut before, after) != after).then(|| {
            let t = arc.crossing(normal, normal.dot(a), (begin, until));
            let share = along.dot(arc.position_at(t).truncate() - a) / along.length_squared();
            (t, share)
        })
    })
}

/// What a collector has measured: of each rock its first passage.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollectorStatistics {
    /// Rocks held.
    pub held: u64,
    /// Of these, with more than the service energy of a flexible barrier.
    #[cfg_attr(feature = "serde", serde(default))]
    pub above_service: u64,
    /// Rocks that tear a flexible barrier.
    #[cfg_attr(feature = "serde", serde(default))]
    pub torn: u64,
    /// Rocks that pass beside the ends of a barrier: they cross its line, prolonged at both ends to the edge of the map,
    /// never arrive at the barrier itself, and are held by no other.
    #[cfg_attr(feature = "serde", serde(default))]
    pub beside: u64,
    /// Rocks that a barrier holds before they arrive at a collector: their straight way on in plan, from the release
    /// through the place where they are held, crosses it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub held_before: u64,
    /// Energy (J) behind it of the rocks that pass: what is left of those that tear it, all of those that fly over it
    /// or that a barrier which does not tear does not hold.
    #[cfg_attr(feature = "serde", serde(default))]
    pub residual: Histogram,
    /// Passages, those of rocks that come again included.
    pub passages: u64,
    /// Speed (m/s).
    pub speed: Histogram,
    /// Height of the mass centre over the ground (m).
    pub height: Histogram,
    /// Height of the top over the ground (m).
    pub top: Histogram,
    /// Translational energy (J).
    pub translational: Histogram,
    /// Rotational energy (J).
    pub rotational: Histogram,
    /// Total kinetic energy (J).
    pub energy: Histogram,
    /// The same by the rank of the rock: the first 100, to 200, to 400, …
    by_rank: Vec<Histogram>,
}

/// How the 95 % energy at a collector has settled after a number of rocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// Rocks seeded.
    pub rocks: u64,
    /// 95 % energy (J).
    pub energy: f64,
    /// Its 95 % confidence interval (J); infinite above where there are too few rocks.
    pub interval: (f64, f64),
}

impl CollectorStatistics {
    /// Adds the passages of one rock.
    pub(crate) fn add(&mut self, passage: &Passage, again: bool, weight: f64, doubling: usize) {
        self.passages += 1;
        self.held += u64::from(passage.held);
        self.above_service += u64::from(passage.above_service);
        self.torn += u64::from(passage.residual.is_some());
        if again {
            return;
        }
        let p = passage;
        if !p.held {
            let whole = p.translational + p.rotational;
            self.residual.add(p.residual.unwrap_or(whole), weight);
        }
        self.speed.add(p.speed, weight);
        self.height.add(p.height, weight);
        self.top.add(p.top, weight);
        self.translational.add(p.translational, weight);
        self.rotational.add(p.rotational, weight);
        let energy = p.translational + p.rotational;
        self.energy.add(energy, weight);
        if self.by_rank.len() <= doubling {
            self.by_rank.resize(doubling + 1, Histogram::default());
        }
        if let Some(histogram) = self.by_rank.get_mut(doubling) {
            histogram.add(energy, weight);
        }
    }

    pub(crate) fn settling(&self, seeded: &[u64]) -> Vec<Settled> {
        let (mut rocks, mut so_far) = (0, Histogram::default());
        let mut rows = Vec::new();
        for (k, count) in seeded.iter().enumerate() {
            rocks += count;
            if let Some(part) = self.by_rank.get(k) {
                so_far.merge(part);
            }
            if let (true, Some(energy), Some(interval)) = (
                *count > 0,
                so_far.quantile(0.95),
                so_far.quantile_interval(0.95),
            ) {
                rows.push(Settled {
                    rocks,
                    energy,
                    interval,
                });
            }
        }
        rows
    }

    pub(crate) fn merge(&mut self, other: &CollectorStatistics) {
        self.held += other.held;
        self.above_service += other.above_service;
        self.torn += other.torn;
        self.beside += other.beside;
        self.held_before += other.held_before;
        self.residual.merge(&other.residual);
        self.passages += other.passages;
        for (mine, theirs) in [
            (&mut self.speed, &other.speed),
            (&mut self.height, &other.height),
            (&mut self.top, &other.top),
            (&mut self.translational, &other.translational),
            (&mut self.rotational, &other.rotational),
            (&mut self.energy, &other.energy),
        ] {
            mine.merge(theirs);
        }
        if self.by_rank.len() < other.by_rank.len() {
            self.by_rank
                .resize(other.by_rank.len(), Histogram::default());
        }
        for (mine, theirs) in self.by_rank.iter_mut().zip(&other.by_rank) {
            mine.merge(theirs);
        }
    }

    /// Rocks that came to the collector.
    pub fn arrived(&self) -> u64 {
        self.energy.count()
    }
}

/// The sheet of a collector, as a designer reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignSheet {
    /// Rocks that came to the collector.
    pub arrived: u64,
    /// Rocks held.
    pub held: u64,
    /// Share of the seeded rocks that pass the collector after all.
    pub residual_rate: f64,
    /// 95 % energy (J) with its 95 % confidence interval.
    pub energy_95: (f64, f64, f64),
    /// 99 % energy (J) with its 95 % confidence interval.
    pub energy_99: (f64, f64, f64),
    /// 95 % height of the top of the rock (m).
    pub top_95: f64,
    /// 99 % height of the top of the rock (m).
    pub top_99: f64,
    /// Height left above the 95 and 99 % top under the barrier's height (m); negative where rocks fly over.
    pub clearance: Option<(f64, f64)>,
}

impl CollectorStatistics {
    /// The design sheet; `None` if no rock came.
    pub fn sheet(&self, collector: &Collector, seeded: u64) -> Option<DesignSheet> {
        let with_interval = |p: f64| {
            let (low, high) = self.energy.quantile_interval(p)?;
            Some((self.energy.quantile(p)?, low, high))
        };
        let (top_95, top_99) = (self.top.quantile(0.95)?, self.top.quantile(0.99)?);
        Some(DesignSheet {
            arrived: self.arrived(),
            held: self.held,
            residual_rate: self.arrived().saturating_sub(self.held) as f64 / seeded.max(1) as f64,
            energy_95: with_interval(0.95)?,
            energy_99: with_interval(0.99)?,
            top_95,
            top_99,
            clearance: collector
                .barrier
                .map(|b| (b.height - top_95, b.height - top_99)),
        })
    }
}
