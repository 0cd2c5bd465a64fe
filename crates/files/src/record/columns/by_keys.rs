//! The columns of any table, as keys beside the file name them or count them from 1.

use super::parted::Table;
use super::parted::{cells, decimal, is_row, mark_of};
use crate::record::channel::ReadOptions;
use crate::record::names::header_cells;
use crate::record::text::{bare, fault, is_comment};
use crate::refusal::{Kind, Refusal, Result};
use crate::table::sheet::Mark;

/// Whether a cell has a name, with its unit in brackets or without.
fn is_called(cell: &str, name: &str) -> bool {
    let short = cell.split(['(', '[']).next().unwrap_or_default();
    [cell, short]
        .iter()
        .any(|own| own.trim().eq_ignore_ascii_case(name))
}

/// The cells of a line of names.
fn names_of(line: &str) -> Vec<String> {
    header_cells(line, cells(line, Mark::of(line)).len())
}

impl<'a> Table<'a> {
    /// The table below the line that has the names, or of the first row that has numbers in the columns of those
    /// numbers; every row behind must have them too.
    pub(super) fn by_keys(lines: &'a [&'a str], options: &ReadOptions) -> Result<Self> {
        let keys = [&options.time_column, &options.acceleration_column]
            .map(|key| key.as_deref().map(str::trim));
        let wanted = || keys.into_iter().flatten();
        let has_all = |line: &&str| {
            let cells = names_of(line);
            !is_row(line) && wanted().all(|name| cells.iter().any(|cell| is_called(cell, name)))
        };
        let named = lines.iter().position(has_all);
        let names = named.map_or(Vec::new(), |k| names_of(lines[k]));
        let place = |name: &str| match named {
            Some(_) => names.iter().position(|cell| is_called(cell, name)),
            None => name.parse::<usize>().ok()?.checked_sub(1),
        };
        let places = keys.map(|key| key.map(place));
        if places.contains(&Some(None)) {
            let refusal = Refusal::new(Kind::Missing, "no line of names has them");
            let accepted = "names as they stand above the numbers, or numbers of columns from 1";
            let list: Vec<&str> = wanted().collect();
            return Err(refusal
                .accepting(accepted)
                .at(format!("columns {}", list.join(", "))));
        }
        let [time, acceleration] = places.map(Option::flatten);
        let from = named.map_or(0, |k| k + 1);
        let rows = || lines.iter().skip(from).copied().filter(|line| is_row(line));
        let mark = match named.map(|k| Mark::of(bare(lines[k]))) {
            Some(sign @ Mark::Sign(_)) => sign,
            _ => mark_of(rows(), &lines[..from]),
        };
        let numeric = |line: &str| {
            let row = cells(line, mark);
            let mut places = [time, acceleration].into_iter().flatten();
            places.all(|j| row.get(j).is_some_and(|cell| decimal(cell).is_some()))
        };
        let start = (from..lines.len()).find(|k| !is_comment(lines[*k]) && numeric(lines[*k]));
        let needed = "numbers in the columns that the keys name";
        let start = start.ok_or_else(|| fault(Kind::Missing, from + 1, needed, ""))?;
        // Units may stand below names.
        let below = lines[from..start]
            .iter()
            .map(|line| header_cells(line, names.len()));
        let units = below.into_iter().find(|cells| cells.len() == names.len());
        let data = lines.iter().enumerate().skip(start);
        let data = data.filter(|(_, line)| !line.trim().is_empty() && !is_comment(line));
        let mut table = Self {
            lines,
            header: named.unwrap_or(start),
            names,
            units: units.unwrap_or_default(),
            rows: data.map(|(k, line)| (k, cells(line, mark))).collect(),
            time,
            chosen: acceleration.map(|j| vec![j]),
            pairs: false,
        };
        if time.is_none() && options.step.is_none() {
            table.time = table.time().filter(|time| Some(*time) != acceleration);
        }
        Ok(table)
    }
}
