//! Numbers in lines: points and poses from a text file.

use crate::error::Result;
use crate::{bail, ensure};

/// Numbers of each line with the line's number, between semicolons, else commas, else blanks. A first line of names,
/// empty lines and lines that start with # are passed over.
///
/// # Errors
/// A line with anything else, an empty cell; names in another order than x y z (and w x y z of a quaternion), or of
/// another unit where they are to be in metres.
pub fn rows(text: &str, in_metres: bool) -> Result<Vec<(usize, Vec<f64>)>> {
    let mut rows = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let bare = line.trim();
        if rows.is_empty() {
            check_names(bare.trim_start_matches(['#', ' ']), k + 1, in_metres)?;
        }
        if bare.is_empty() || bare.starts_with('#') {
            continue;
        }
        let numbers: Result<Vec<f64>, _> = cells(bare).into_iter().map(str::parse).collect();
        match numbers {
            Ok(numbers) => rows.push((k + 1, numbers)),
            Err(_) if rows.is_empty() && bare.starts_with(char::is_alphabetic) => {}
            Err(_) => bail!(
                "line {}: '{bare}'; accepted: numbers with a point before decimals, between commas, semicolons or blanks",
                k + 1
            ),
        }
    }
    Ok(rows)
}

fn cells(line: &str) -> Vec<&str> {
    match [';', ','].into_iter().find(|mark| line.contains(*mark)) {
        Some(mark) => {
            let whole = line.strip_suffix(mark).unwrap_or(line);
            whole.split(mark).map(str::trim).collect()
        }
        None => line.split_whitespace().collect(),
    }
}

/// Refuses names of columns that are not those of the numbers that are read.
fn check_names(line: &str, number: usize, in_metres: bool) -> Result<()> {
    // A unit in brackets belongs to the name before it: "X (mm) Y (mm) Z (mm)".
    let words: Vec<&str> = line
        .split([' ', '\u{a0}'])
        .filter(|word| !word.is_empty())
        .collect();
    let lower = words.join(" ").to_lowercase();
    let lower = lower.replace(" (", "(").replace(" [", "[");
    let names: Vec<String> = cells(&lower).into_iter().map(str::to_owned).collect();
    // "x", "x_m", "x (m)", "qw"
    let letters = |name: &str| -> Vec<String> {
        let words = name.split(|c: char| !c.is_alphabetic());
        words.filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    let axis = |name: &String| letters(name).first().cloned().unwrap_or_default();
    let axes: Vec<String> = names.iter().map(axis).collect();
    let mut first = axes.iter().take(3).map(String::as_str).collect::<Vec<_>>();
    let in_order = first == ["x", "y", "z"];
    first.sort_unstable();
    if first != ["x", "y", "z"] {
        return Ok(());
    }
    ensure!(
        in_order,
        "line {number}: columns {}; accepted: x y z in this order",
        names.join(" ")
    );
    let turn: Vec<&str> = axes
        .iter()
        .skip(3)
        .map(|a| a.trim_start_matches('q'))
        .collect();
    // "w x y z", "qw qx qy qz", "q0 q1 q2 q3"
    let counted = |k: usize| names[3 + k].starts_with(&format!("q{k}"));
    let scalar_first = |turn: &[&str]| match turn[0] {
        "w" => {
            let mut vector = [turn[1], turn[2], turn[3]];
            vector.sort_unstable();
            vector != ["x", "y", "z"] || turn[1..] == vector
        }
        _ => (0..4).all(counted),
    };
    ensure!(
        turn.len() != 4 || scalar_first(&turn),
        "line {number}: columns {}; accepted: x y z, then the quaternion w x y z",
        names.join(" ")
    );
    let units = ["mm", "cm", "dm", "km", "ft", "feet", "inch"];
    let other = names.iter().filter(|_| in_metres).find(|name| {
        letters(name)
            .iter()
            .any(|word| units.contains(&word.as_str()))
    });
    ensure!(
        other.is_none(),
        "line {number}: a column '{}'; accepted: metres",
        other.map_or("", String::as_str)
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn numbers_stand_between_marks() {
        let expected = vec![(2, vec![0.5, 1.0, 2.0]), (3, vec![1.0, 2.0, 3.0])];
        for text in [
            "x,y,z\n0.5,1,2\n1, 2, 3,\n",
            "x_m;y_m;z_m\n0.5;1;2\n1;2;3\n",
            "# X (m) Y (m) Z (m)\n0.5 1\t2\n1 2 3\n\n",
        ] {
            assert_eq!(rows(text, true).unwrap(), expected, "{text}");
        }
        assert_eq!(
            rows("a b c d e f g\n0 1 2 3 4 5 6\n", true).unwrap()[0]
                .1
                .len(),
            7
        );
        assert!(rows("x_mm y_mm z_mm\n1 2 3\n", false).is_ok());
        for names in ["q0 q1 q2 q3", "qw qx qy qz", "w x y z"] {
            let text = format!("x (m) y (m) z (m) {names}\n1 2 3 1 0 0 0\n");
            assert_eq!(rows(&text, true).unwrap()[0].1.len(), 7, "{names}");
        }
        for (text, cause) in [
            ("x,y,z\n1,,2,3\n", "line 2: '1,,2,3'"),
            ("x;y;z\n0,5;1,0;2,0\n", "line 2: '0,5;1,0;2,0'"),
            ("y x z\n1 2 3\n", "accepted: x y z in this order"),
            (
                "x y z qx qy qz qw\n1 2 3 0 0 0 1\n",
                "then the quaternion w x y z",
            ),
            (
                "x_mm,y_mm,z_mm\n1,2,3\n",
                "a column 'x_mm'; accepted: metres",
            ),
            ("# X[cm] Y[cm] Z[cm]\n1 2 3\n", "accepted: metres"),
            (
                "X (mm) Y (mm) Z (mm)\n1 2 3\n",
                "a column 'x(mm)'; accepted: metres",
            ),
            ("X  [mm]\tY [mm]\tZ [mm]\n1 2 3\n", "accepted: metres"),
            (
                "Y (m) X (m) Z (m)\n1 2 3\n",
                "accepted: x y z in this order",
            ),
            (
                "x y z q1 q2 q3 q0\n1 2 3 0 0 0 1\n",
                "then the quaternion w x y z",
            ),
            (
                "x y z qw qz qy qx\n1 2 3 1 0 0 0\n",
                "then the quaternion w x y z",
            ),
        ] {
            let error = rows(text, true).unwrap_err().to_string();
            assert!(error.contains(cause), "{text}: {error}");
        }
    }
}
