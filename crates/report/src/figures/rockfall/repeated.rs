//! How far the results depend on the cells of the terrain, and on what a calibration leaves open of the ground.

use klast_rockfall_jobs::rockfall::ground_spread::GroundSpread;
use klast_rockfall_jobs::rockfall::result::Results;
use klast_rockfall_jobs::rockfall::sensitivity::CellRow;
use klast_runs::answer::short;

use crate::page::{NONE, Page, Section, Table, or_none};

/// A table of each, and a sentence beside the verdict of the cells.
pub fn show(results: &Results, page: &mut Page) {
    if !results.cells.is_empty() {
        page.heading(Section::Results, "The same rocks at other cell sizes");
        page.table(Section::Results, cells(&results.cells));
        if let Some(sentence) = over_cells(&results.cells) {
            page.text(Section::Results, &sentence);
            page.remark(&sentence);
        }
    }
    if let Some(first) = results.barrier_ground.first() {
        let heading = "Spread over the sets of the calibrated ground";
        page.heading(Section::Results, heading);
        page.table(Section::Results, spread(&results.barrier_ground));
        let told = format!(
            "{} sets with at least {} released rocks each; the spread includes the scatter of so few rocks.",
            first.sets,
            short(first.rocks_per_set as f64)
        );
        page.text(Section::Results, &told);
    }
}

fn cells(rows: &[CellRow]) -> Table {
    let at = rows.iter().find_map(|row| row.name.as_deref());
    let at = at.unwrap_or("the first barrier or collector");
    let mut table = Table::new(&[
        ("Cell", "m"),
        ("Rocks", ""),
        ("Rocks that stop or are held", ""),
        ("Runout, median", "m"),
        ("Runout, 95 %", "m"),
        ("Greatest speed, 95 %", "m/s"),
        (&format!("Arrive at {at}"), ""),
        ("Energy there, 95 %", "kJ"),
    ]);
    let row = |row: &CellRow| {
        vec![
            short(row.cell_m),
            short(row.rocks as f64),
            short(row.settled as f64),
            or_none(row.runout_50_m),
            or_none(row.runout_95_m),
            or_none(row.speed_95_m_s),
            or_none(row.arrived.map(|n| n as f64)),
            or_none(row.energy_95_kj),
        ]
    };
    table.rows = rows.iter().map(row).collect();
    table
}

/// The least and the greatest of what arrives over the cells.
pub(super) fn over_cells(rows: &[CellRow]) -> Option<String> {
    let first = rows.first()?;
    let ends = |values: Vec<f64>| {
        let fold = |f: fn(f64, f64) -> f64| values.iter().copied().reduce(f);
        Some(format!(
            "{} to {}",
            short(fold(f64::min)?),
            short(fold(f64::max)?)
        ))
    };
    let of = |f: &dyn Fn(&CellRow) -> Option<f64>| ends(rows.iter().filter_map(f).collect());
    let sizes: Vec<String> = rows.iter().map(|row| short(row.cell_m)).collect();
    let runs = format!(
        "{} of the rocks, run on cells of {} m:",
        short(first.rocks as f64),
        sizes.join(", ")
    );
    let arrived = of(&|row| row.arrived.map(|n| n as f64));
    let energy = of(&|row| row.energy_95_kj);
    Some(match (&first.name, arrived, energy) {
        (Some(name), Some(arrived), Some(energy)) => {
            format!("{runs} {arrived} arrive at '{name}', and their 95 % energy is {energy} kJ.")
        }
        (Some(name), Some(arrived), None) => format!("{runs} {arrived} arrive at '{name}'."),
        _ => format!(
            "{runs} their 95 % runout is {} m.",
            of(&|row| row.runout_95_m)?
        ),
    })
}

fn spread(rows: &[GroundSpread]) -> Table {
    let mut table = Table::new(&[
        ("Barrier or collector", ""),
        ("Quantity", ""),
        ("Unit", ""),
        ("Mean over the sets", ""),
        ("5 % of the sets", ""),
        ("95 % of the sets", ""),
    ]);
    for row in rows {
        let percent = |x: Option<f64>| x.map(|x| 100.0 * x);
        let quantities = [
            (
                "Share of the released rocks that arrives",
                "%",
                [
                    row.arrived_fraction,
                    row.arrived_fraction_05,
                    row.arrived_fraction_95,
                ]
                .map(percent),
            ),
            (
                "Energy, 95 % quantile",
                "kJ",
                [row.energy_95_kj, row.energy_95_05_kj, row.energy_95_95_kj],
            ),
            (
                "Passing height, 95 %",
                "m",
                [row.top_95_m, row.top_95_05_m, row.top_95_95_m],
            ),
        ];
        let arrived = or_none(row.arrived_per_set.map(|n| n as f64));
        let least = [
            "Least number of arriving rocks of a set",
            "",
            &arrived,
            NONE,
            NONE,
        ];
        let head = [row.name.clone()].into_iter();
        table
            .rows
            .push(head.chain(least.map(str::to_owned)).collect());
        table.rows.extend(quantities.map(|(words, unit, values)| {
            let head = [row.name.clone(), words.to_owned(), unit.to_owned()];
            head.into_iter().chain(values.map(or_none)).collect()
        }));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cell_m: f64, arrived: u64, energy: f64) -> CellRow {
        CellRow {
            cell_m,
            rocks: 1000,
            name: Some("net".to_owned()),
            arrived: Some(arrived),
            energy_95_kj: Some(energy),
            ..CellRow::default()
        }
    }

    #[test]
    fn the_sentence_has_the_ends_over_all_cells() {
        let rows = [
            row(4.0, 662, 1348.0),
            row(8.0, 790, 1333.0),
            row(16.0, 700, 1540.0),
        ];
        let expected = "1000 of the rocks, run on cells of 4, 8, 16 m: 662 to 790 arrive at 'net', and their 95 % \
                        energy is 1333 to 1540 kJ.";
        assert_eq!(over_cells(&rows).as_deref(), Some(expected));
        assert_eq!(over_cells(&[]), None);
    }

    #[test]
    fn heads_of_the_cells_have_units_and_empty_values_a_dash() {
        let mut rows = [row(4.0, 0, 0.0)];
        rows[0].energy_95_kj = None;
        let table = cells(&rows);
        let units: Vec<&str> = table.header.iter().map(|(_, unit)| unit.as_str()).collect();
        assert_eq!(units, ["m", "", "", "m", "m", "m/s", "", "kJ"]);
        assert_eq!(table.rows[0][7], "–");
    }
}
