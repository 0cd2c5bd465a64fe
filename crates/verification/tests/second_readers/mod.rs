//! Second readers: independent engines that counted the maps of the tables, held against the product cell by cell.
//!
//! The tables `rocking/linearised-maps`, `rocking/borders` and `stacks/chapter-7` hold the counts of these engines over
//! every cell. Here every fifth row and column is run by both engine and product, and `maps` and `stacks` count again.

mod blocks;
mod conditions;
mod cubes;
mod layers;
mod loads;
mod lumped;
mod maps;
mod one_block;
mod reading;
mod rows;
mod small_problems;
mod stacks;
mod two_blocks;

use klast_comparison::Claim;
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::{BatchOptions, Case, Equation, MapTask, Restitution, RockingBlock};
use klast_stacks::{
    InterfaceRestitution, Stack, StackBlock, StackOptions, StackOutcome, StackState,
};

const GRAVITY: f64 = 9.81;

fn linspace(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high - low) / (count - 1) as f64;
    (0..count).map(|k| low + step * k as f64).collect()
}

/// Every fifth of forty values from 0.1 to 10 units.
fn fifth(unit: f64) -> Vec<f64> {
    linspace(0.1 * unit, 10.0 * unit, 40)
        .into_iter()
        .step_by(5)
        .collect()
}

/// Cells of one map in which product and engine differ.
fn differing(height: f64, equation: Equation, lasting: bool, tilt: f64) -> usize {
    let block = RockingBlock::rectangle(0.06, height, GRAVITY).unwrap();
    let rows = fifth(GRAVITY * block.slenderness().tan());
    let columns = fifth(block.frequency());
    let task = MapTask {
        rows: &rows,
        columns: &columns,
        case: |amplitude: f64, omega: f64| {
            Ok(Case {
                block,
                restitution: Restitution::housner(),
                motion: match lasting {
                    true => Component::harmonic(
                        amplitude,
                        Frequency::rad_per_s(omega),
                        0.0,
                        f64::INFINITY,
                    )?,
                    false => Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 1.0)?,
                },
                rotation: tilt,
            })
        },
        options: BatchOptions {
            equation,
            ..BatchOptions::new(10.0)
        },
    };
    let map = task.full(&|_| {}).unwrap();
    let engine = |amplitude, omega| one_block::Case {
        equation: match equation {
            Equation::Linearised => one_block::Equation::Linearised,
            _ => one_block::Equation::Nonlinear,
        },
        width: 0.06,
        height,
        eta: one_block::Case::housner(0.06, height),
        amplitude,
        omega,
        phase: 0.0,
        lasting,
        tilt,
    };
    let mut count = 0;
    for (r, amplitude) in rows.iter().enumerate() {
        for (c, omega) in columns.iter().enumerate() {
            let ours = map.class(r, c).unwrap().is_overturned();
            count += usize::from(ours != engine(*amplitude, *omega).overturns());
        }
    }
    count
}

#[test]
fn linearised_and_tilted_maps_of_one_wave_agree_in_every_cell() {
    for (height, tilt) in [(0.27, 0.0), (0.27, -0.05), (0.27, 0.01), (0.09, 0.0)] {
        let equation = match tilt == 0.0 {
            true => Equation::Linearised,
            false => Equation::Nonlinear,
        };
        let count = differing(height, equation, false, tilt);
        assert_eq!(count, 0, "height {height}, tilt {tilt}");
    }
}

#[test]
fn lasting_maps_agree_but_for_chaotic_cells() {
    // 9 % of the cells of the slender map change with the amplitude in the third digit; of the bulky one hardly any.
    assert!(differing(0.27, Equation::Linearised, true, 0.0) <= 6);
    assert!(differing(0.09, Equation::Linearised, true, 0.0) <= 1);
}

fn fate(stack: &Stack, amplitude: f64, omega: f64, after: f64) -> two_blocks::Fate {
    let wave = Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 1.0).unwrap();
    let options = StackOptions {
        base: InterfaceRestitution::Housner,
        between: InterfaceRestitution::Housner,
        ..StackOptions::until(std::f64::consts::TAU / omega + after)
    };
    let motion = GroundMotion::horizontal(wave);
    let run = stack.run(&motion, &StackState::rest(2), &options).unwrap();
    match run.outcome() {
        StackOutcome::Partial { .. } => two_blocks::Fate::Partial,
        StackOutcome::Total { .. } => two_blocks::Fate::Total,
        _ => two_blocks::Fate::Standing,
    }
}

#[test]
fn stacks_of_two_blocks_fall_alike() {
    for (b, h, m) in [
        (0.06, [0.135, 0.135], [1.2843, 1.2843]),
        (0.045, [0.10125, 0.2025], [0.5444, 1.0896]),
    ] {
        let block = |k: usize| StackBlock::new(b, h[k], m[k]).unwrap();
        let stack = Stack::new(&[block(0), block(1)], GRAVITY).unwrap();
        let engine = two_blocks::Stack {
            b,
            h,
            m,
            keeps: 1.0,
        };
        let total = h[0] + h[1];
        let p = (0.75 * GRAVITY / (0.5 * f64::hypot(b, total))).sqrt();
        let mut differ = 0;
        for row in 0..5 {
            for column in 0..5 {
                let amplitude = (1.0 + 6.0 * f64::from(row)) * GRAVITY * b / total;
                let omega = (1.0 + 2.5 * f64::from(column)) * p;
                let ours = fate(&stack, amplitude, omega, 40.0 / p);
                differ += usize::from(ours != engine.fate(amplitude, omega, 40.0 / p));
            }
        }
        // A cell on a border may fall to either side.
        assert!(differ <= 1, "{differ} of 25 cells differ");
    }
}

/// Whether a text that is written in a test gives this id: in full, or put together from its beginning and end.
fn gives(written: &str, id: &str) -> bool {
    match (written.split_once('{'), written.rsplit_once('}')) {
        (Some((beginning, _)), Some((_, end))) => {
            beginning.contains('/') && id.starts_with(beginning) && id.ends_with(end)
        }
        _ => written == id,
    }
}

/// Whether the file of a test opens a table for it, by its text: there a reading is opened with the name of the test,
/// or with a constant of that name, and with the id of the table, which may be bound in another line.
fn opens(text: &str, id: &str, test: &str) -> bool {
    let named = format!("TEST: &str = \"{test}\"");
    text.split("Reading::open(").skip(1).any(|call| {
        let call = &call[..call.find(';').unwrap_or(call.len())];
        let (table, name) = call.rsplit_once(", ").unwrap_or((call, ""));
        let (table, name) = match call.contains('\n') {
            true => call.trim().split_once(",\n").unwrap_or((table, name)),
            false => (table, name),
        };
        let by_name = name.contains(&format!("\"{test}\""))
            || (name.starts_with("TEST") && text.contains(&named));
        let literal = |text: &str| text.split('"').skip(1).step_by(2).any(|w| gives(w, id));
        by_name && literal(if table.contains('"') { table } else { text })
    })
}

/// A file opens a table for a test if it says both in one call, and not because it has a test of that name.
#[test]
fn a_file_opens_what_it_names() {
    let by_name =
        "fn one() {\n    let r = Reading::open(\"a/table-1\", \"one\");\n}\nfn two() {}\n";
    let parted = "fn one() {\n    let r = Reading::open(\n        &format!(\"a/table-{k}\"),\n        \"one\",\n    );\n}\n";
    let bound =
        "const TEST: &str = \"one\";\nlet id = \"a/table-1\";\nlet r = Reading::open(id, TEST);\n";
    for text in [by_name, parted, bound] {
        assert!(opens(text, "a/table-1", "one"), "{text}");
        assert!(!opens(text, "a/table-1", "two"), "{text}");
        assert!(!opens(text, "b/table-1", "one"), "{text}");
    }
    assert!(!opens(
        "fn one() {\n    \"a/table-1\";\n}\n",
        "a/table-1",
        "one"
    ));
}

/// A table with derived values names second readers that are in the tree. One that states how many values it reads is
/// of this folder and opens the table: it fails on another number by itself.
#[test]
fn every_derived_table_names_a_second_reader_that_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let suite = klast_verification::suite().unwrap();
    let (mut wrong, mut again, mut derived) = (Vec::new(), 0, 0);
    for table in suite.chosen(None).unwrap() {
        let id = &table.id;
        if table.claims(Claim::Reference) > 0 && table.source.second_readers.is_empty() {
            wrong.push(format!("{id}: none is named"));
        }
        derived += table.claims(Claim::Reference);
        again += table.derived_again();
        for reader in &table.source.second_readers {
            let Some((file, test)) = reader.test.split_once("::") else {
                wrong.push(format!("{id}: '{}' is no test", reader.test));
                continue;
            };
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            if !text.contains(&format!("fn {test}(")) {
                wrong.push(format!("{id}: {} is not there", reader.test));
                continue;
            }
            let opens = file.contains("second_readers/") && opens(&text, id, test);
            if reader.cells > 0 && !opens {
                wrong.push(format!(
                    "{id}: {} does not count what it reads",
                    reader.test
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Three fifths at least; the rest is read by its law.
    assert!(
        5 * again > 3 * derived,
        "{again} of {derived} derived values are derived again"
    );
}
