//! A time and several named columns, as loggers, telephones and spreadsheets write them. The columns whose names state
//! a unit of acceleration are the components; without such a column and with a unit given beside the file, those whose
//! names state no unit.

use super::RecordError;
use super::channel::ReadOptions;
use super::column_units;
use super::motion_units::ends_a_name;
use super::names::{is_unit_of_time, names_a_time, names_another_quantity};
use super::text::{cells, fault, given_or_stated, is_comment, number};
use super::unit;
use klast_dynamics::ground_motion::AccelerationUnit;

/// A component as two columns.
pub struct Component {
    pub name: String,
    /// Its time and its values, on the lines of the file.
    pub text: String,
}

/// What a table holds.
pub struct Table {
    pub components: Vec<Component>,
    /// Unit of names that state none, given beside the file or announced above them.
    pub unit: Option<AccelerationUnit>,
    pub remarks: Vec<String>,
}

/// The components of a text that is such a table; none of another text.
///
/// # Errors
/// A row of another length than the names.
pub fn components(text: &str, options: &ReadOptions) -> Result<Option<Table>, RecordError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(names) = Names::of(&lines) else {
        return Ok(None);
    };
    let others = || (0..names.width()).filter(|j| *j != names.time);
    let stated: Vec<usize> = others().filter(|j| names.unit(*j).is_some()).collect();
    let bare = stated.is_empty();
    let unit = names.announced(&lines, bare, options)?;
    let mut chosen = match (bare, unit) {
        (false, _) => stated,
        (true, Some(_)) => others().filter(|j| names.is_bare(*j)).collect(),
        (true, None) => return Ok(None),
    };
    if chosen.is_empty() {
        return Ok(None);
    }
    let rows = names.rows(&lines)?;
    if bare {
        super::motion_units::refuse(&lines[..names.at])?;
        chosen.retain(|j| !rises(&rows, *j));
        if chosen.is_empty() {
            return Ok(None);
        }
    }
    let component = |j: &usize| Component {
        name: names.told_apart(*j, &chosen),
        text: names.two_columns(&rows, lines.len(), *j),
    };
    let left: Vec<&str> = others()
        .filter(|j| !chosen.contains(j) && !names.cells[*j].is_empty())
        .map(|j| names.cells[j])
        .collect();
    let remark = (!left.is_empty()).then(|| {
        let left = left.join(", ");
        format!("columns that are not used, as their names state no unit of acceleration: {left}")
    });
    Ok(Some(Table {
        components: chosen.iter().map(component).collect(),
        unit,
        remarks: remark.into_iter().collect(),
    }))
}

/// The names of the columns, and perhaps units below them.
struct Names<'a> {
    at: usize,
    cells: Vec<&'a str>,
    units: Vec<&'a str>,
    /// The column of the times.
    time: usize,
    /// The first row of numbers.
    start: usize,
}

impl<'a> Names<'a> {
    fn of(lines: &[&'a str]) -> Option<Self> {
        let start = lines.iter().position(|line| is_row(line))?;
        let width = cells(lines[start]).len();
        let above = (0..start).rev().filter(|k| !lines[*k].trim().is_empty());
        let near: Vec<(usize, Vec<&str>)> = above.take(2).map(|k| (k, cells(lines[k]))).collect();
        let is_names = |names: &Vec<&str>| names.len() == width && names_a_time(names[0]);
        let (at, units) = match &near[..] {
            [(at, names), ..] if is_names(names) => (*at, Vec::new()),
            [(_, units), (at, names)]
                if is_names(names) && units.len() == width && is_unit_of_time(units[0]) =>
            {
                (*at, units.clone())
            }
            _ => return None,
        };
        let row = cells(lines[start]);
        let cells = cells(lines[at]);
        // A clock that counts from 1970 stands before the seconds since the start.
        let since_1970 = |j: usize| decimal(row[j]).is_some_and(|time| time >= SINCE_1970);
        let seconds = |j: &usize| names_a_time(cells[*j]) && !since_1970(*j);
        let elapsed = since_1970(0).then(|| (1..width).find(seconds)).flatten();
        Some(Self {
            at,
            time: elapsed.unwrap_or(0),
            cells,
            units,
            start,
        })
    }

    /// The unit given beside the file, or announced above names that state none; two that differ are a mistake.
    fn announced(
        &self,
        lines: &[&str],
        bare: bool,
        options: &ReadOptions,
    ) -> Result<Option<AccelerationUnit>, RecordError> {
        let header = &lines[..self.at];
        let announced = super::text::announced(header).filter(|_| bare);
        match (options.unit, announced) {
            (given, None) => Ok(given),
            (None, stated) => Ok(stated),
            (given, stated) => {
                let missing = || fault(self.at + 1, "a unit", lines[self.at]);
                given_or_stated(given, Ok(stated), header, missing).map(Some)
            }
        }
    }

    fn width(&self) -> usize {
        self.cells.len()
    }

    /// The unit of acceleration that the name of a column states, or the cell below it.
    fn unit(&self, j: usize) -> Option<AccelerationUnit> {
        let below = self.units.get(j).map(|unit| format!("a ({})", bare(unit)));
        let named = |name: &str| column_units::stated(&[name]).ok().flatten();
        let own = self.cells[j];
        if names_another_quantity(own) {
            return None;
        }
        named(own)
            .or_else(|| column_units::unit_at_the_end(own))
            .or_else(|| named(&below?))
    }

    /// Whether the name of a column says nothing against an acceleration.
    fn is_bare(&self, j: usize) -> bool {
        let name = self.cells[j];
        let unit = self.units.get(j).is_some_and(|unit| !unit.is_empty());
        let other = names_another_quantity(name) || names_a_time(name) || ends_a_name(name);
        let upper = name.to_uppercase();
        let per_second_squared = |word| unit::is_unknown(word) || unit::is_angular(word);
        let other = other || upper.split_whitespace().any(per_second_squared);
        !name.is_empty() && !name.contains(['(', '[']) && !unit && !other
    }

    /// The name without its unit in brackets.
    fn short(&self, j: usize) -> String {
        let name = self.cells[j];
        let short = name.split(['(', '[']).next().unwrap_or(name).trim();
        let short = if short.is_empty() { name } else { short };
        short.to_owned()
    }

    /// The name of a component: the short one, or as much more as tells it from the others.
    fn told_apart(&self, j: usize, chosen: &[usize]) -> String {
        let alone = |name: &dyn Fn(usize) -> String| {
            let own = name(j);
            let mut others = chosen.iter().filter(|k| **k != j);
            others.all(|k| !name(*k).eq_ignore_ascii_case(&own))
        };
        let whole = |k: usize| self.cells[k].to_owned();
        if alone(&|k| self.short(k)) {
            self.short(j)
        } else if alone(&whole) {
            whole(j)
        } else {
            format!("{} (column {})", self.cells[j], j + 1)
        }
    }

    /// The cells of every row of numbers, with its line (from 0).
    fn rows(&self, lines: &[&'a str]) -> Result<Vec<(usize, Vec<&'a str>)>, RecordError> {
        let rows = lines.iter().enumerate().skip(self.start);
        let rows = rows.filter(|(_, line)| !line.trim().is_empty() && !is_comment(line));
        rows.map(|(k, line)| {
            let row = cells(line);
            let needed = "a time, and as many numbers as columns have names";
            let timed = row
                .get(self.time)
                .is_some_and(|cell| decimal(cell).is_some());
            match timed && row.len() == self.width() {
                true => Ok((k, row)),
                false => Err(fault(k + 1, needed, line)),
            }
        })
        .collect()
    }

    /// The time and column `j`, between semicolons.
    fn two_columns(&self, rows: &[(usize, Vec<&str>)], lines: usize, j: usize) -> String {
        let mut made = vec![String::new(); lines];
        let unit = |k: usize| {
            let unit = self.units.get(k).filter(|unit| !unit.is_empty());
            unit.map_or(String::new(), |unit| format!(" ({})", bare(unit)))
        };
        let plain = |name: &str| name.replace([',', ';'], " ");
        let (time, name) = (plain(self.cells[self.time]), plain(self.cells[j]));
        // A unit that ends a name of ours, "acceleration_x_g", is put as the reader of two columns knows it.
        let name = column_units::with_its_unit(&name);
        made[self.at] = format!("{time}{};{name}{}", unit(self.time), unit(j));
        for (k, row) in rows {
            made[*k] = format!("{};{}", row[self.time], row[j]);
        }
        made.join("\n")
    }
}

fn bare(unit: &str) -> &str {
    unit.trim_matches(['(', ')', '[', ']', ' '])
}

/// A first time from which a clock counts from 1970, in seconds or parts of them: 1e8 s are three years.
const SINCE_1970: f64 = 1e8;

/// A number, whose decimal mark may be a comma.
fn decimal(cell: &str) -> Option<f64> {
    number(cell).or_else(|| number(&cell.replacen(',', ".", 1)))
}

/// Whether a column rises from each of eight rows or more to the next, as times and counts do and no motion does.
fn rises(rows: &[(usize, Vec<&str>)], column: usize) -> bool {
    let values: Option<Vec<f64>> = rows.iter().map(|(_, row)| decimal(row[column])).collect();
    values.is_some_and(|v| v.len() >= 8 && v.windows(2).all(|pair| pair[1] > pair[0]))
}

/// Whether a line holds three numbers or more and nothing else; their decimal marks may be commas.
fn is_row(line: &str) -> bool {
    let row = cells(line);
    let is_number = |cell: &&str| decimal(cell).is_some();
    !is_comment(line)
        && row.len() > 2
        && row.iter().filter(|cell| !cell.is_empty()).all(is_number)
        && !row[0].is_empty()
}
