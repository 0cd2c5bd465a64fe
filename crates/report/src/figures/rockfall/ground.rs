//! The ground as it was computed with: every coefficient, its distribution, and where it comes from.

use klast_rockfall_jobs::rockfall::ground::GroundRow;
use klast_rockfall_jobs::rockfall::result::Results;
use klast_runs::answer::short;

use crate::page::{NONE, Page, Section, Table};
use crate::words::of_key;

/// What stands where a class gives nothing.
/// A row a coefficient of a material, then a row a class with its source.
pub fn show(results: &Results, page: &mut Page) {
    if results.ground.is_empty() {
        return;
    }
    page.heading(Section::Inputs, "Ground parameters");
    page.table(Section::Inputs, coefficients(&results.ground));
    page.text(
        Section::Inputs,
        "A coefficient without a source is stated in the scene, or has the value that holds where neither the scene nor the \
         class states one. All are in ground.csv.",
    );
    page.table(Section::Inputs, sources(&results.ground));
}

fn coefficients(rows: &[GroundRow]) -> Table {
    let classes = rows.iter().any(|row| row.rock_class.is_some());
    let mut header = vec![("Material", ""), ("Class", "")];
    header.extend(classes.then_some(("Class of rock", "")));
    header.extend([
        ("Coefficient", ""),
        ("Unit", ""),
        ("Median", ""),
        ("5 % to 95 % of the draws", ""),
        ("Used by the engine", ""),
        ("Source", ""),
    ]);
    let mut table = Table::new(&header);
    for row in rows {
        let (coefficient, unit) = of_key(row.parameter);
        let said = |text: &Option<String>| text.clone().unwrap_or_else(|| NONE.to_owned());
        let drawn = match row.q05 < row.q95 {
            true => format!("{} to {}", short(row.q05), short(row.q95)),
            false => "constant".to_owned(),
        };
        let mut cells = vec![row.material.clone(), said(&row.class)];
        cells.extend(classes.then(|| said(&row.rock_class)));
        cells.extend([
            coefficient,
            if unit.is_empty() {
                NONE.to_owned()
            } else {
                unit
            },
            short(row.median),
            drawn,
            if row.used { "yes" } else { "no" }.to_owned(),
            row.source.unwrap_or(NONE).to_owned(),
        ]);
        table.rows.push(cells);
    }
    table
}

fn sources(rows: &[GroundRow]) -> Table {
    let mut table = Table::new(&[
        ("Class", ""),
        ("Author", ""),
        ("Document", ""),
        ("Fitted on", ""),
    ]);
    for row in rows {
        let of_class = (&row.class, row.source, row.document);
        let (Some(class), Some(author), Some(document)) = of_class else {
            continue;
        };
        let fitted = row.fitted_on.unwrap_or(NONE);
        let cells = [class, author, document, fitted]
            .map(str::to_owned)
            .to_vec();
        if !table.rows.contains(&cells) {
            table.rows.push(cells);
        }
    }
    table
}
