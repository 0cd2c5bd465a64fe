//! What a map leaves: a table of letters, its lower border, a picture.

use anyhow::Result;
use klast_plot::{Axis as PlotAxis, Cells, HeatMap};
use klast_rocking::{Class, Regime, StabilityMap, regime};

use super::job::MapJob;
use super::quantity::Quantity;
use crate::session::Session;

/// Pictures hold at most so many cells in each direction; the tables hold all.
const PICTURE: usize = 250;

/// What a cell of a map may show, as a letter and in words.
pub(super) const LETTERS: [char; 5] = ['.', 'o', 'R', 'L', 's'];
const NAMES: [&str; 5] = [
    "rest",
    "rocked",
    "overturned right",
    "overturned left",
    "would slide first",
];

/// Place of a class in the letters.
pub(super) fn letter(class: Class) -> usize {
    match class {
        Class::Rest => 0,
        Class::Rocked => 1,
        Class::Right => 2,
        Class::Left => 3,
        Class::Slid => 4,
    }
}

impl MapJob {
    /// Writes table, border and picture.
    pub(super) fn write(&self, session: &mut Session, map: &StabilityMap) -> Result<()> {
        let name = |q: Quantity| q.name();
        let (row, column) = (
            name(self.scene.rows.quantity),
            name(self.scene.columns.quantity),
        );
        // One line a row of the map: its value and one letter a cell.
        let mut text = format!("# rows: {row}; columns: {column}\n");
        text.push_str(
            "# . rest, o rocked, R overturned right, L overturned left, s slides first; ",
        );
        text.push_str("one letter a column\n");
        let ticks: Vec<String> = map.columns().iter().map(f64::to_string).collect();
        text.push_str(&format!("# columns: {}\n", ticks.join(" ")));
        for (r, value) in map.rows().iter().enumerate() {
            let columns = 0..map.columns().len();
            let letters: String = columns
                .map(|c| LETTERS[usize::from(self.code(map, r, c))])
                .collect();
            text.push_str(&format!("{value} {letters}\n"));
        }
        session.output.text("map.txt", &text)?;
        let cells = |points: Vec<(f64, f64)>| {
            points
                .into_iter()
                .map(|(x, y)| [x.to_string(), y.to_string()])
        };
        session.output.csv(
            "lower-border.csv",
            &[column, row],
            cells(map.lower_border()),
        )?;
        let svg = self.picture(map)?;
        session.picture("map.svg", &svg, "The fate of the block, cell by cell.")
    }

    /// What a cell shows: its class, or that the block would slide first.
    fn code(&self, map: &StabilityMap, row: usize, column: usize) -> u8 {
        let (r, c) = (map.rows()[row], map.columns()[column]);
        if let (Some(friction), Ok(case)) = (self.scene.friction, self.case(r, c)) {
            let peak = case.motion.peak_acceleration();
            if regime(&case.block, friction, peak) == Regime::Slide {
                return 4;
            }
        }
        map.class(row, column)
            .map_or(0, |class| letter(class) as u8)
    }

    fn picture(&self, map: &StabilityMap) -> Result<String> {
        let thin = |count: usize| -> Vec<usize> {
            let shown = count.min(PICTURE);
            (0..shown)
                .map(|k| k * (count - 1) / (shown - 1).max(1))
                .collect()
        };
        let (rows, columns) = (thin(map.rows().len()), thin(map.columns().len()));
        let index = rows
            .iter()
            .flat_map(|&r| columns.iter().map(move |&c| self.code(map, r, c)));
        let cells = Cells::Classes {
            names: NAMES.map(str::to_owned).to_vec(),
            index: index.collect(),
        };
        let (r, c) = (&self.scene.rows, &self.scene.columns);
        let x = PlotAxis::new(c.quantity.label()).range(c.from, c.to);
        let y = PlotAxis::new(r.quantity.label()).range(r.from, r.to);
        let shape = (columns.len(), rows.len());
        Ok(HeatMap::new("Stability map", x, y, shape, cells).svg()?)
    }
}
