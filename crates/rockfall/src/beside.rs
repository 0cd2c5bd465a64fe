//! Rocks that go round the ends of a barrier.
//!
//! A barrier that holds every rock that arrives at it may be too short. Its line is prolonged straight at both ends to
//! the edge of the map, which is as far as a rock can be followed.

use crate::arc::Arc;
use crate::collector::{Wall, on_the_line};
use crate::rock_result::RockResult;
use crate::stop::Outcome;
use glam::DVec2;

/// Follows one rock past the prolongations of all barriers.
#[derive(Debug)]
pub(crate) struct Beside<'a> {
    walls: &'a [Wall],
    /// Where the last arc ended, in plan.
    place: Option<DVec2>,
    /// Numbers of the barriers beside which it has gone.
    crossed: Vec<u32>,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(walls: &'a [Wall]) -> Self {
        Beside {
            walls,
            place: None,
            crossed: Vec::new(),
        }
    }

    pub(crate) fn arc(&mut self, arc: &Arc) {
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

    /// Numbers of the barriers that the rock passes beside their ends for good.
    pub(crate) fn passed(mut self, rock: &RockResult) -> Vec<u32> {
        if matches!(rock.outcome, Outcome::Caught { .. }) {
            return Vec::new();
        }
        let arrives = |number: &u32| rock.passages.iter().any(|p| p.collector == *number);
        self.crossed.retain(|number| !arrives(number));
        self.crossed
    }
}
