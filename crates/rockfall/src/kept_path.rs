//! Paths that were kept of a run, on which its rocks go again without being computed: for collectors that are thought
//! of afterwards.

use super::rock_result::RockResult;
use crate::arc::Arc;
use crate::collector::{Collector, Passage};
use crate::outline::Outline;
use crate::scene::Scene;
use crate::stop::Outcome;
use crate::watch::Watch;
use glam::DVec3;

/// The path of a rock, and what else is known of its run. Barriers are numbered among barriers: collectors may come and
/// go.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeptPath {
    /// How it ended.
    pub outcome: Outcome,
    /// Mass centre at release and at the end (m), local coordinates.
    pub ends: [DVec3; 2],
    /// Mass (kg).
    pub mass: f64,
    /// Height of the ground at release and at the end (m), local coordinates; 0 where there is none.
    pub ground: [f64; 2],
    /// Barriers met.
    pub passages: Vec<Passage>,
    /// Contact problems that missed their tolerance, impacts that gained energy, stretches of contact in which energy
    /// rose, steps without a load.
    pub tally: [u32; 4],
    /// Whether it stopped because it only swung in place.
    pub swinging: bool,
    /// Edges passed as smooth ground.
    pub unresolved_edges: u32,
    /// Kinetic energy lost in impacts, and in those that the resolution of the ground leaves open (J).
    pub losses: [f64; 2],
    /// Energy given by taking it out of the ground (J), and its part of the largest kinetic energy.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lifted: [f64; 2],
    /// Energy taken by impacts in which the ground yielded (J), and the greatest depth of them (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub dug: [f64; 2],
    /// Whether it was raised out of the ground at its start.
    #[cfg_attr(feature = "serde", serde(default))]
    pub raised: bool,
    /// Greatest speed (m/s), energy (J) and height (m) on the way, and how long it took (s): arcs say so but for
    /// rounding. None of a path that was kept without them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub greatest: Option<[f64; 4]>,
    /// From release to end; none of a rock that is not run.
    pub arcs: Vec<Arc>,
}

/// Numbers of the collectors that are barriers.
fn barriers(collectors: &[Collector]) -> Vec<u32> {
    let numbered = collectors.iter().zip(0u32..);
    let barriers = numbered.filter(|(g, _)| g.barrier.is_some());
    barriers.map(|(_, number)| number).collect()
}

/// Height of the ground (m), local coordinates; 0 where there is none.
pub(crate) fn ground(scene: &Scene, place: DVec3) -> f64 {
    let surface = scene.terrain.surface(place.x, place.y);
    surface.map_or(0.0, |s| s.height)
}

impl KeptPath {
    /// The path of a rock that ran past some collectors, from its result and its arcs.
    pub fn of(scene: &Scene, result: &RockResult, arcs: Vec<Arc>) -> Self {
        let collectors = &scene.collectors;
        let barriers = barriers(collectors);
        let rank = |collector: u32| {
            barriers
                .iter()
                .position(|b| *b == collector)
                .map(|k| k as u32)
        };
        let outcome = match result.outcome {
            Outcome::Caught { barrier } => Outcome::Caught {
                barrier: rank(barrier).unwrap_or(0),
            },
            other => other,
        };
        let met = result.passages.iter();
        Self {
            outcome,
            ends: [result.start, result.end],
            mass: result.mass,
            ground: [result.start, result.end].map(|p| ground(scene, p)),
            passages: met
                .filter_map(|p| {
                    Some(Passage {
                        collector: rank(p.collector)?,
                        ..*p
                    })
                })
                .collect(),
            tally: [
                result.unconverged,
                result.energy_gains,
                result.energy_rises,
                result.forced,
            ],
            swinging: result.swinging,
            unresolved_edges: result.unresolved_edges,
            losses: [result.impact_loss, result.unresolved_loss],
            lifted: [result.lifted, result.lifted_part],
            dug: [result.dug, result.depth],
            raised: result.raised,
            greatest: Some([
                result.greatest_speed,
                result.greatest_energy,
                result.greatest_height,
                result.time,
            ]),
            arcs,
        }
    }

    /// Lets a rock go along it, past collectors of which the barriers are those of the run.
    pub(crate) fn follow(&self, collectors: &[Collector], rock: Outline, watch: &mut Watch) {
        let barriers = barriers(collectors);
        let collector = |rank: u32| barriers.get(rank as usize).copied();
        watch.begin(self.ends[0]);
        for arc in &self.arcs {
            watch.kept_arc(arc, rock);
        }
        let result = &mut watch.result;
        let met = self.passages.iter();
        result.passages.extend(met.filter_map(|p| {
            Some(Passage {
                collector: collector(p.collector)?,
                ..*p
            })
        }));
        result.passages.sort_by(|a, b| a.time.total_cmp(&b.time));
        [
            result.unconverged,
            result.energy_gains,
            result.energy_rises,
            result.forced,
        ] = self.tally;
        result.swinging = self.swinging;
        result.unresolved_edges = self.unresolved_edges;
        [result.impact_loss, result.unresolved_loss] = self.losses;
        [result.lifted, result.lifted_part] = self.lifted;
        [result.dug, result.depth] = self.dug;
        result.raised = self.raised;
        if let Some(greatest) = self.greatest {
            [
                result.greatest_speed,
                result.greatest_energy,
                result.greatest_height,
                result.time,
            ] = greatest;
        }
        result.end = self.ends[1];
        result.outcome = match self.outcome {
            Outcome::Caught { barrier } => {
                collector(barrier).map_or(Outcome::LeftMap, |barrier| Outcome::Caught { barrier })
            }
            other => other,
        };
    }
}
