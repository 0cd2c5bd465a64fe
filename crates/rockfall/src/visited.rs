//! Which of the cells of a raster a rock has come to, found by number.

use crate::cell_statistics::CellVisit;

/// Places of a table in which at most half of them are taken.
const FEWEST: usize = 64;

/// Where in a list of visits each cell stands: an open table, by a part of the number's multiple of an odd constant.
#[derive(Debug, Default)]
pub(crate) struct Visited {
    /// One more than the place in the list; 0 where there is none. As many as a power of two.
    places: Vec<u32>,
    /// Those that are taken.
    taken: Vec<u32>,
}

impl Visited {
    /// Forgets all cells.
    pub(crate) fn clear(&mut self) {
        for place in self.taken.drain(..) {
            if let Some(place) = self.places.get_mut(place as usize) {
                *place = 0;
            }
        }
    }

    /// The place of a cell in a list; of a cell that is not there the next one after the last, which it then has.
    pub(crate) fn number(&mut self, cell: u32, visits: &[CellVisit]) -> usize {
        if self.places.len() < 2 * (visits.len() + 1) {
            self.grow(visits);
        }
        let place = self.place(cell, visits);
        let found = self.places[place];
        if found != 0 {
            return found as usize - 1;
        }
        self.places[place] = visits.len() as u32 + 1;
        self.taken.push(place as u32);
        visits.len()
    }

    /// The place that a cell has or may take.
    fn place(&self, cell: u32, visits: &[CellVisit]) -> usize {
        let last = self.places.len() - 1;
        let mut place = (cell.wrapping_mul(0x9E37_79B1) >> 8) as usize & last;
        while let found @ 1.. = self.places[place]
            && visits[found as usize - 1].cell != cell
        {
            place = (place + 1) & last;
        }
        place
    }

    fn grow(&mut self, visits: &[CellVisit]) {
        let size = (4 * visits.len()).next_power_of_two().max(FEWEST);
        self.places.clear();
        self.places.resize(size, 0);
        self.taken.clear();
        for (k, visit) in visits.iter().enumerate() {
            let place = self.place(visit.cell, visits);
            self.places[place] = k as u32 + 1;
            self.taken.push(place as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells of a walk to and fro, against the search through the list.
    #[test]
    fn a_cell_is_found_where_it_stands() {
        let mut visited = Visited::default();
        for stride in [1, 1000, 65_536] {
            visited.clear();
            let mut visits: Vec<CellVisit> = Vec::new();
            for k in 0..3000u32 {
                let cell = (k * k % 997) * stride;
                let expected = visits.iter().position(|v| v.cell == cell);
                let found = visited.number(cell, &visits);
                assert_eq!(found, expected.unwrap_or(visits.len()));
                if expected.is_none() {
                    visits.push(CellVisit {
                        cell,
                        entries: 1,
                        speed: 0.0,
                        energy: 0.0,
                        height: 0.0,
                    });
                }
            }
            assert!(visits.len() > 400);
        }
    }
}
