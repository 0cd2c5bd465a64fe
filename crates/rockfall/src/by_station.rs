//! Visits of rocks to stations, added station by station.

use crate::batch::{Batch, ROOM};
use crate::cell_statistics::{CellVisit, Slot};
use crate::histogram::weight_units;

/// Adds visits to those of some cells, of which the first has a number.
fn add(cells: &mut [Slot], first: usize, visits: &[CellVisit], weight: f64) {
    let weight = weight_units(weight);
    for visit in visits {
        let number = (visit.cell as usize).wrapping_sub(first);
        let Some(slot) = cells.get_mut(number) else {
            continue;
        };
        slot.get_or_insert_default().add(visit, weight);
    }
}

/// The visits of a rock to stations, in order of their numbers.
#[derive(Clone, Copy)]
struct InOrder<'a> {
    visits: &'a [CellVisit],
    first: i32,
    step: i32,
}

impl<'a> InOrder<'a> {
    const NONE: Self = InOrder {
        visits: &[],
        first: 0,
        step: 0,
    };

    /// None of a rock that turned back behind its first station, as then its list is in another order.
    fn of(visits: &'a [CellVisit]) -> Option<Self> {
        let (first, last) = (visits.first()?.cell, visits.last()?.cell);
        let in_order = first.abs_diff(last) as usize + 1 == visits.len();
        in_order.then_some(InOrder {
            visits,
            first: first as i32,
            step: if first <= last { 1 } else { -1 },
        })
    }

    /// Its least and its greatest station.
    fn ends(&self) -> [i32; 2] {
        let last = self.first + self.step * (self.visits.len() as i32 - 1);
        [self.first.min(last), self.first.max(last)]
    }

    #[inline]
    fn at(&self, station: i32) -> Option<&'a CellVisit> {
        let place = (station - self.first) * self.step;
        self.visits.get(place as u32 as usize)
    }
}

/// Adds the visits of rocks to stations, of which the first has a number, station by station: values of rocks of one
/// weight that follow each other are then counted together.
pub(crate) fn add_by_station<'a>(
    cells: &mut [Slot],
    first: usize,
    visits: impl Iterator<Item = (&'a [CellVisit], f64)>,
) {
    let mut visits = visits.peekable();
    let [mut speeds, mut energies, mut heights] = [const { Batch::new() }; 3];
    while let Some((_, weight)) = visits.peek().copied() {
        let (mut rocks, mut count) = ([InOrder::NONE; ROOM], 0);
        let (mut from, mut to) = (i32::MAX, 0);
        while count < ROOM
            && let Some((visits, _)) = visits.next_if(|next| next.1 == weight)
        {
            match InOrder::of(visits) {
                None => add(cells, first, visits, weight),
                Some(rock) => {
                    let [low, high] = rock.ends();
                    (from, to) = (from.min(low), to.max(high + 1));
                    rocks[count] = rock;
                    count += 1;
                }
            }
        }
        let weight = weight_units(weight);
        let skipped = (from - first as i32).max(0);
        let numbers = (first as i32 + skipped)..to;
        for (slot, number) in cells.iter_mut().skip(skipped as usize).zip(numbers) {
            let (mut all, mut high, mut entries) = (0, 0, 0);
            for visit in rocks[..count].iter().filter_map(|rock| rock.at(number)) {
                entries += u64::from(visit.entries);
                speeds.put(all, visit.speed);
                energies.put(all, visit.energy);
                all += 1;
                if visit.height > 0.0 {
                    heights.put(high, visit.height);
                    high += 1;
                }
            }
            if all > 0 {
                let cell = slot.get_or_insert_default();
                cell.passages += entries;
                speeds.empty_into(&mut cell.speed, (all, 0), weight);
                energies.empty_into(&mut cell.energy, (all, 0), weight);
                heights.empty_into(&mut cell.height, (high, all - high), weight);
            }
        }
    }
}

/// Where in the list of a rock's visits a station stands. On its way the rock comes to one station after the other: as
/// long as it does not turn back behind its first one, they stand in order of their numbers.
#[inline]
pub(crate) fn place_of(visits: &[CellVisit], station: u32) -> Option<usize> {
    let (first, last) = (visits.first()?, visits.last()?);
    let near = first.cell.abs_diff(station) as usize;
    if visits.get(near).is_some_and(|v| v.cell == station) {
        return Some(near);
    }
    let in_order = first.cell.abs_diff(last.cell) as usize + 1 == visits.len();
    match in_order {
        true => None,
        false => visits.iter().position(|v| v.cell == station),
    }
}
