//! What barriers do to rocks beside holding them: those that go round their ends, and those that a line behind them
//! does not see.
//!
//! A barrier that holds every rock that arrives at it may be too short. Its line is prolonged straight at both ends to
//! the edge of the map, which is as far as a rock can be followed. The rocks that a barrier holds do not arrive at a
//! collector behind it, whose energies are then those of the few that pass.

use crate::arc::Arc;
use crate::collector::{Wall, on_the_line};
use crate::rock_result::RockResult;
use crate::stop::Outcome;
use glam::DVec2;

/// Follows one rock past the prolongations of all barriers.
#[derive(Debug)]
pub(crate) struct Beside<'a> {
    walls: &'a [Wall],
    has_barriers: bool,
    /// Where the last arc ended, in plan.
    place: Option<DVec2>,
    /// Numbers of the barriers beside which it has gone.
    crossed: Vec<u32>,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(walls: &'a [Wall]) -> Self {
        Beside {
            walls,
            has_barriers: walls.iter().any(Wall::is_barrier),
            place: None,
            crossed: Vec::new(),
        }
    }

    pub(crate) fn arc(&mut self, arc: &Arc) {
        if !self.has_barriers {
            return;
        }
        let from = self.place.unwrap_or(arc.position.truncate());
        self.place = Some(arc.end().truncate());
        for (wall, number) in self.walls.iter().zip(0u32..) {
            if !wall.is_barrier() || self.crossed.contains(&number) {
                continue;
            }
            // What is on the line within rounding is the barrier's.
            let beyond = |piece| {
                let crossings = on_the_line(piece, arc, from).into_iter().flatten();
                crossings.into_iter().any(|(_, share)| share > 1.0 + 1e-12)
            };
            if wall.ends().is_some_and(|ends| ends.into_iter().any(beyond)) {
                self.crossed.push(number);
            }
        }
    }

    /// Goes on from a place to which no line of a barrier was crossed.
    pub(crate) fn goes_to(&mut self, place: DVec2) {
        self.place = Some(place);
    }

    /// Numbers of the barriers that the rock passes beside their ends for good; of a rock that is held those of the
    /// collectors that its straight way on in plan, from its release through the place where it is held, crosses.
    pub(crate) fn passed(mut self, rock: &RockResult) -> Missed {
        let arrives = |number: &u32| rock.passages.iter().any(|p| p.collector == *number);
        if !matches!(rock.outcome, Outcome::Caught { .. }) {
            self.crossed.retain(|number| !arrives(number));
            return Missed::Beside(self.crossed);
        }
        let (from, to) = (rock.start.truncate(), rock.end.truncate());
        let collectors = self.walls.iter().zip(0u32..);
        let behind = collectors.filter(|(wall, number)| {
            !wall.is_barrier() && !arrives(number) && wall.meets_ray(from, to)
        });
        Missed::Behind(behind.map(|(_, number)| number).collect())
    }
}

/// A rock, and the barriers and collectors at which it does not arrive.
pub(crate) type Followed = (RockResult, Missed);

/// The barriers or collectors at which a rock does not arrive, and why.
#[derive(Debug)]
pub(crate) enum Missed {
    /// It goes round these barriers.
    Beside(Vec<u32>),
    /// A barrier holds it before these collectors.
    Behind(Vec<u32>),
}
