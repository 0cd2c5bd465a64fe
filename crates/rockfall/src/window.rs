//! The part of a raster that rocks came to.

use std::ops::Range;

/// Columns and rows of a raster, both from the south-west.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Columns.
    pub columns: Range<u32>,
    /// Rows.
    pub rows: Range<u32>,
    /// Columns of the raster.
    across: u32,
}

impl Window {
    /// The least one with some cells of a raster of so many columns; none has no cells.
    pub fn around(numbers: impl IntoIterator<Item = u32>, across: u32) -> Self {
        let across = across.max(1);
        let places = numbers.into_iter().map(|k| [k % across, k / across]);
        let ends = places
            .map(|place| (place, place))
            .reduce(|(least, most), (place, _)| {
                let ends = |of: fn(u32, u32) -> u32, ends: [u32; 2]| {
                    [of(ends[0], place[0]), of(ends[1], place[1])]
                };
                (ends(u32::min, least), ends(u32::max, most))
            });
        let range = |axis: usize| ends.map_or(0..0, |(least, most)| least[axis]..most[axis] + 1);
        Window {
            columns: range(0),
            rows: range(1),
            across,
        }
    }

    /// Numbers of its cells in the raster, row by row.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let starts = self.rows.clone().map(|row| row * self.across);
        starts.flat_map(|start| self.columns.clone().map(move |column| start + column))
    }

    /// Where among its cells one of the raster stands; none outside of it.
    pub fn place(&self, number: u32) -> Option<usize> {
        let (column, row) = (number % self.across, number / self.across);
        let inside = self.columns.contains(&column) && self.rows.contains(&row);
        let place = || (row - self.rows.start) as usize * self.columns.len();
        inside.then(|| place() + (column - self.columns.start) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Window;

    #[test]
    fn places_follow_the_numbers_of_the_raster() {
        let window = Window::around([17, 31, 24], 10);
        assert_eq!((window.columns.clone(), window.rows.clone()), (1..8, 1..4));
        assert_eq!(window.numbers().count(), 21);
        for (place, number) in window.numbers().enumerate() {
            assert_eq!(window.place(number), Some(place));
        }
        assert_eq!(window.place(10), None);
        assert_eq!(Window::around([], 10).numbers().count(), 0);
    }
}
