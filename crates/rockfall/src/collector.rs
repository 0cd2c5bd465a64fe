//! Barriers and collectors: vertical walls over a line, with and without the power to stop a rock.

use crate::arc::Arc;
use crate::outline::Outline;
use crate::{LineFault, RockfallError, error::within};
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Area, Terrain};

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
    /// Height over the ground (m): holds a rock whose highest point is not higher.
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
    /// Height of its highest point as it is turned, over the ground under the mass centre (m).
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
    /// Energy (J) behind the collector of a rock that passes it; none of one that is held.
    pub(crate) fn left(&self) -> Option<f64> {
        let whole = self.translational + self.rotational;
        (!self.held).then(|| self.residual.unwrap_or(whole))
    }

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
    /// A rectangle that holds them with room for rounding.
    plan: Area,
    barrier: Option<Barrier>,
}

impl Collector {
    pub(crate) fn wall(&self, terrain: &dyn Terrain) -> Result<Wall, RockfallError> {
        let refuse = |reason| RockfallError::Barrier {
            name: self.name.clone(),
            reason,
        };
        if self.line.len() < 2 {
            return Err(refuse(LineFault::FewPoints));
        }
        if self.line.iter().any(|p| !p.is_finite()) {
            return Err(refuse(LineFault::NotFinite));
        }
        let origin = terrain.origin().truncate();
        let pieces: Vec<_> = self
            .line
            .windows(2)
            .map(|w| (w[0] - origin, w[1] - origin))
            .filter(|(a, b)| a != b)
            .collect();
        if pieces.is_empty() {
            return Err(refuse(LineFault::NoLength));
        }
        let over_ground = |(a, b): &(DVec2, DVec2)| {
            let steps = ((a.distance(*b) / terrain.resolution()).ceil() as usize).clamp(16, 10_000);
            (0..=steps)
                .map(|k| a.lerp(*b, k as f64 / steps as f64))
                .any(|p| terrain.surface(p.x, p.y).is_some())
        };
        if !pieces.iter().any(over_ground) {
            return Err(refuse(LineFault::NoGround));
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
        let plan = pieces.iter().map(|(a, b)| Area::spanned(*a, *b));
        let plan = plan.reduce(|a, b| Area {
            lower: a.lower.min(b.lower),
            upper: a.upper.max(b.upper),
        });
        let plan = plan.unwrap_or(Area::around(DVec2::ZERO, 0.0));
        let far = plan.lower.abs().max(plan.upper.abs()).max_element();
        Ok(Wall {
            plan: plan.grown(1e-9 * (1.0 + far)),
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
    /// rounding, so no path slips between two; one through both is one crossing. A barrier is crossed beyond its ends
    /// too where the rock meets it when its mass centre is there.
    pub(crate) fn crossings(&self, arc: &Arc, from: DVec2, rock: &Outline, out: &mut Vec<f64>) {
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
        if !self.is_barrier() || self.is_far(arc, rock) {
            return;
        }
        for piece in self.ends().into_iter().flatten() {
            for (t, share) in on_the_line(piece, arc, from).into_iter().flatten() {
                if share > 1.0 + 1e-12
                    && rock.meets(arc, t, piece)
                    && !out[first..].iter().any(|s| same(*s, t))
                {
                    out.push(t);
                }
            }
        }
    }

    /// Whether an arc, from where the last one ended, does not cross a collector, by a quick look. Ends of a barrier
    /// reach beyond it.
    #[inline]
    pub(crate) fn is_beside(&self, arc: &Arc, from: DVec2) -> bool {
        !self.is_barrier() && arc.is_beside(&self.plan, from)
    }

    /// Whether what moves within an area in plan may cross this wall, meet it with a radius (m), or go by beside the
    /// ends of a barrier, by a quick look.
    pub(crate) fn is_near(&self, area: Area, radius: f64) -> bool {
        let barrier = self.is_barrier();
        let area = if barrier {
            area.grown(2.0 * radius)
        } else {
            area
        };
        let meets = |(a, b): &(DVec2, DVec2)| Area::spanned(*a, *b).meets(&area);
        // The whole line through a piece at an end is looked at.
        let on_both_sides = |(a, b): (DVec2, DVec2)| {
            let normal = (b - a).perp();
            let (low, high) = (area.lower - a, area.upper - a);
            let least = (normal.x * low.x).min(normal.x * high.x)
                + (normal.y * low.y).min(normal.y * high.y);
            let most = (normal.x * low.x).max(normal.x * high.x)
                + (normal.y * low.y).max(normal.y * high.y);
            least <= 0.0 && most >= 0.0
        };
        let ends = || self.ends().into_iter().flatten();
        self.pieces.iter().any(meets) || (barrier && ends().any(on_both_sides))
    }

    /// Whether a rock stays away from this wall on an arc, by a quick look.
    pub(crate) fn is_far(&self, arc: &Arc, rock: &Outline) -> bool {
        self.pieces.iter().all(|piece| rock.is_far(arc, *piece))
    }

    /// Whether a rock meets this wall at a time of an arc (s).
    pub(crate) fn is_met(&self, arc: &Arc, t: f64, rock: &Outline) -> bool {
        self.pieces.iter().any(|piece| rock.meets(arc, t, *piece))
    }

    /// The first time of an arc (s) at which a rock meets this wall.
    pub(crate) fn first_meeting(&self, arc: &Arc, rock: &Outline) -> Option<f64> {
        let near = self
            .pieces
            .iter()
            .filter(|piece| !rock.is_far(arc, **piece));
        near.filter_map(|piece| rock.first_meeting(arc, *piece))
            .min_by(f64::total_cmp)
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
    let crossed = |begin: f64, until: f64| {
        let t = arc.crossing(normal, normal.dot(a), (begin, until));
        let share = along.dot(arc.position_at(t).truncate() - a) / along.length_squared();
        (t, share)
    };
    let (before, after) = (side(from), side(arc.end().truncate()));
    if turn == arc.duration {
        return [(before != after).then(|| crossed(0.0, turn)), None];
    }
    let between = side(arc.position_at(turn).truncate());
    [
        (before != between).then(|| crossed(0.0, turn)),
        (between != after).then(|| crossed(turn, arc.duration)),
    ]
}
