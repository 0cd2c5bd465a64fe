//! Decimal marks of the cells of a table.

/// The cell with a point in the place of its decimal comma, if it is a number with one: "2600050,5".
#[must_use]
pub fn with_point(cell: &str) -> Option<String> {
    if cell.matches(',').count() != 1 || cell.contains('.') {
        return None;
    }
    let made = cell.replace(',', ".");
    let number = made.parse::<f64>().is_ok_and(f64::is_finite);
    let within = !made.starts_with(['.', '-', '+']) && !made.ends_with('.');
    let signed = made
        .strip_prefix(['-', '+'])
        .is_some_and(|bare| !bare.starts_with('.') && !bare.ends_with('.'));
    (number && (within || signed)).then_some(made)
}

/// Whether the commas in cells between other marks are decimal ones: a cell is a number with one comma and none is a
/// number with a point. Where each may part thousands ("12,345") they are not taken for decimal marks.
pub fn are_commas<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let mut decimal = false;
    for cell in cells {
        if cell.contains('.') && cell.parse::<f64>().is_ok() {
            return false;
        }
        if with_point(cell).is_some() {
            decimal |= !may_part_thousands(cell);
        }
    }
    decimal
}

/// "12,345", but not "0,345" nor "2600050,125".
fn may_part_thousands(cell: &str) -> bool {
    let (whole, part) = cell.split_once(',').unwrap_or((cell, ""));
    let whole = whole.trim_start_matches(['+', '-']);
    part.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_are_decimal_marks_where_nothing_else_is_possible() {
        for cell in ["2600050,5", "-0,25", "+1,0", "1,5e3"] {
            let right: f64 = cell.replace(',', ".").parse().unwrap();
            let made = with_point(cell).unwrap();
            assert_eq!(made.parse::<f64>().unwrap(), right, "{cell}");
        }
        for cell in [
            "", "a", "1", "1.5", "1,2,3", ",5", "5,", "-,5", "a,b", "1.234,5", "nan,0",
        ] {
            assert!(with_point(cell).is_none(), "{cell}");
        }
        for (cells, right) in [
            (&["a", "2600050,0", "1200080,0"][..], true),
            (&["1", "2"], false),
            (&["12,345", "67,890"], false),
            (&["12,345", "67,8"], true),
            (&["0,345"], true),
            (&["1,5", "2.5"], false),
            (&["1,234.5"], false),
        ] {
            assert_eq!(are_commas(cells.iter().copied()), right, "{cells:?}");
        }
    }
}
