//! Files whose rows, names or headers say that they are no plain series of accelerations in the unit given: what is
//! silently read is what stands in the text, or the text is refused by name.

use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::record::{ReadOptions, RecordFile, RecordFormat};

const METRES: Option<AccelerationUnit> = Some(AccelerationUnit::MetrePerSecondSquared);

fn read(
    text: &str,
    unit: Option<AccelerationUnit>,
    step: Option<f64>,
) -> Result<RecordFile, String> {
    RecordFile::read(
        text.as_bytes(),
        &ReadOptions {
            unit,
            step,
            ..ReadOptions::default()
        },
    )
    .map_err(|e| e.to_string())
}

fn refused(text: &str, unit: Option<AccelerationUnit>, step: Option<f64>, by: &str) {
    let error = read(text, unit, step).expect_err(text);
    assert!(error.contains(by), "{text}: {error}");
}

/// `n` numbers k · `step`, and `n` of an even wave.
fn times_and_values(n: usize, step: f64) -> (Vec<String>, Vec<String>) {
    let times = (0..n).map(|k| format!("{:.3}", k as f64 * step)).collect();
    let wave = |k: usize| if k.is_multiple_of(2) { "0.25" } else { "-0.5" };
    (times, (0..n).map(|k| wave(k).to_owned()).collect())
}

#[test]
fn rows_of_times_are_no_accelerations() {
    let by = "all times and then all accelerations";
    for (n, step) in [(120, 0.01), (12, 0.01), (12, 0.005)] {
        let (times, values) = times_and_values(n, step);
        for mark in [" ", ",", "\n"] {
            let (t, a) = (times.join(mark), values.join(mark));
            refused(&format!("{t}\n{a}\n"), METRES, Some(step), by);
            refused(&format!("{t}\n{a}\n{a}\n"), METRES, Some(step), by);
            // Without a step, and with one in milliseconds.
            refused(&format!("{t}\n{a}\n"), METRES, None, by);
        }
        let named = format!(
            "time_s,{}\nacc_m_s2,{}\n",
            times.join(","),
            values.join(",")
        );
        refused(&named, None, None, by);
        let named = format!(
            "Time (s) {}\nAcc (g) {}\n",
            times.join(" "),
            values.join(" ")
        );
        refused(&named, None, None, by);
    }
    // Times in milliseconds, eight a line, above the values.
    let (times, values) = times_and_values(12, 10.0);
    let all: Vec<String> = times.into_iter().chain(values).collect();
    let lines: Vec<String> = all.chunks(8).map(|row| row.join(" ")).collect();
    refused(&lines.join("\n"), METRES, Some(0.01), by);
}

/// A pulse that rises and falls evenly is a motion, whatever its half.
#[test]
fn a_triangle_is_a_motion() {
    let up: Vec<f64> = (0..12).map(f64::from).collect();
    let all: Vec<f64> = up.iter().copied().chain(up.iter().rev().copied()).collect();
    let text: Vec<String> = all.iter().map(f64::to_string).collect();
    let file = read(&text.join("\n"), METRES, Some(0.01)).unwrap();
    assert_eq!(file.components[0].record.accelerations(), all);
}

/// 0.5 m/s² over 40 s: 20 m/s.
#[test]
fn a_velocity_that_ends_above_any_record_is_told() {
    let constant = "0.5\n".repeat(401);
    let told = |text: &str| read(text, METRES, Some(0.1)).unwrap().remarks.join("; ");
    let remarks = told(&constant);
    assert!(
        remarks.contains("ends at its peak of 20.0 m/s"),
        "{remarks}"
    );
    assert!(!told(&"0.5\n-0.5\n".repeat(200)).contains("velocity"));
}

/// Names of axes, components and channels beside a named time state their unit behind a stroke.
#[test]
fn axes_and_channels_state_their_unit() {
    for (names, factor) in [
        ("timestamp,ax_g,ay_g", 9.80665),
        ("t,NS_g,EW_g", 9.80665),
        ("time,x_mg,y_mg", 9.80665e-3),
        ("time_s,a_x_m_s2,a_y_m_s2", 1.0),
        ("time_s,ch1_gal,ch2_gal", 0.01),
        ("time_s,HNE_cm_s2,HNN_cm_s2", 0.01),
        ("timestamp,Ax (g),Ay (g)", 9.80665),
    ] {
        let three = format!(
            "{names}\n1675646252.00,0.5,0.25\n1675646252.01,-0.25,0.5\n1675646252.02,0.125,1\n"
        );
        let file = read(&three, None, None).unwrap_or_else(|e| panic!("{names}: {e}"));
        assert_eq!(
            (file.format, file.components.len()),
            (RecordFormat::Table, 2),
            "{names}"
        );
        let found = file.components[0].record.accelerations();
        for (found, right) in found.iter().zip([0.5, -0.25, 0.125]) {
            assert!((found - right * factor).abs() <= 1e-15, "{names}: {found}");
        }
    }
    let two = read("time_s,ax_g\n0,0.5\n0.01,-0.25\n", None, None).unwrap();
    assert!((two.components[0].record.accelerations()[0] - 0.5 * 9.80665).abs() <= 1e-15);
    // Grams, gallons and other quantities are none.
    for names in [
        "time_s,sample_g,sieve_g",
        "time_s,fuel_gal,oil_gal",
        "time_s,load_mg,mass_mg",
    ] {
        assert!(
            read(&format!("{names}\n0,0.5,1\n0.01,-0.25,2\n"), None, None).is_err(),
            "{names}"
        );
    }
}

#[test]
fn a_stated_unit_holds_against_the_one_given() {
    let rows = "\n0,0.5\n0.01,-0.25\n0.02,0.125\n";
    for (names, by) in [
        ("Time (sec),Accel (in/sec^2)", "in/sec^2"),
        ("Time (sec),Accel (ft/sec2)", "ft/sec2"),
        ("Time (sec),Accel (km/s²)", "km/s²"),
        ("time_s,ax_in_s2", "IN_S2"),
        ("time_s,ax_g", "the unit that is given"),
        ("time_s,ch1_gal", "the unit that is given"),
    ] {
        refused(&format!("{names}{rows}"), METRES, None, by);
    }
    for names in ["time_s,ax_g,ay_g", "time_s,ch1_gal,ch2_gal"] {
        let text = format!("{names}\n0,0.5,1\n0.01,-0.25,2\n0.02,0.1,1\n");
        refused(&text, METRES, None, "the unit that is given");
    }
    refused("Units: km/s2\n1\n2\n1\n", METRES, Some(0.01), "KM/S2");
}

/// "UNIDADES : CM/S2" above names without units, and one that contradicts it.
#[test]
fn an_announced_unit_holds_for_a_table() {
    let table =
        "   UNIDADES : CM/S2\n  T  EO  NS\n 0.00 50 25\n 0.01 -25 50\n 0.02 10 20\n 0.03 5 5\n";
    let file = read(table, None, None).unwrap();
    let east = &file.component(Some("EO")).unwrap().record;
    assert_eq!(east.accelerations(), [0.5, -0.25, 0.1, 0.05]);
    refused(table, METRES, None, "the unit that is given");
    let without = table.replace("   UNIDADES : CM/S2\n", "");
    refused(&without, None, None, "give unit beside the file");
}

/// The height of a sensor says nothing of its values; a height alone names them.
#[test]
fn lengths_of_a_place_are_no_unit_of_the_values() {
    let file = read("Sensor height (m)\n0.5\n-0.25\n0.125\n", METRES, Some(0.01)).unwrap();
    assert_eq!(
        file.components[0].record.accelerations(),
        [0.5, -0.25, 0.125]
    );
    refused(
        "Height (m)\n0.5\n-0.25\n",
        METRES,
        Some(0.01),
        "velocity or displacement",
    );
    refused(
        "Relative displacement (m)\n0.5\n-0.25\n",
        METRES,
        Some(0.01),
        "accelerations",
    );
}

/// A range, a trigger level and a peak in g are no unit of values that a header states to be velocities.
#[test]
fn a_fact_in_g_does_not_lift_a_unit_of_velocity() {
    let by = "velocity or displacement";
    let g = Some(AccelerationUnit::StandardGravity);
    for head in [
        "Trigger level [g] : 0.002\nEinheit: mm/s\n",
        "Sensor range in g\nUnit: cm/s\n",
        "Unit: cm/s\nSensor range in g\n",
        "Peak acceleration: 0.31 g\nUnit: mm/s\n",
        "Trigger level in g\nTran mm/s\n",
        "Trigger unit: g\nEinheit: mm/s\n",
        "Trigger level [g] : 0.002\nEinheit: mm/s\nTran\n",
    ] {
        for unit in [None, g] {
            let values = format!("{head}1\n-0.5\n0.25\n");
            let error = read(&values, unit, Some(0.01)).expect_err(head);
            assert!(error.contains(by), "{head}: {error}");
        }
    }
    for head in [
        "PGA (g) 0.31\nt v\ns mm/s\n",
        "PGA (g) 0.31\nt u\ns mm\n",
        "Acceleration (g)\nt v\ns mm/s\n",
        "Trigger level [g] : 0.002\nEinheit: mm/s\nt;a\n",
        "Units: mm/s\nSensor range in g\nt;a\n",
    ] {
        let mark = if head.contains(';') { ';' } else { ' ' };
        let rows = format!("{head}0{mark}1\n0.01{mark}-0.5\n0.02{mark}0.25\n");
        for unit in [None, g] {
            refused(&rows, unit, None, by);
        }
    }
    // The unit of something else beside that of the values.
    for head in [
        "# PGV unit: cm/s\ntime_s,acceleration_g\n",
        "# PGV unit: cm/s\n# Units: g\nt,x\n",
        "Data in units of g\nPGV unit: cm/s\nt,x\n",
        "# PGV unit: cm/s\nt,a\ns,g\n",
        "# Velocity unit: cm/s\nTime (s),Accel (g)\n",
    ] {
        let file = read(&format!("{head}0,1\n0.01,-0.5\n"), None, None);
        let file = file.unwrap_or_else(|e| panic!("{head}: {e}"));
        assert_eq!(
            file.components[0].record.accelerations(),
            [9.80665, -4.903325]
        );
    }
}

/// Names that end as s to the power −2 does; an angular acceleration of a third column.
#[test]
fn names_with_a_two_are_no_units() {
    let rows = "0,0.5\n0.01,-0.25\n0.02,0.125\n";
    for head in [
        "# Station: BAS-2\n",
        "# Station: INS-2\n",
        "# Test series-2, table\n",
        "# file: data/s2\n",
        "# time (s), acceleration, rotation alpha rad/s2\n",
    ] {
        let file = read(&format!("{head}{rows}"), METRES, None);
        let file = file.unwrap_or_else(|e| panic!("{head}: {e}"));
        let found = file.components[0].record.accelerations();
        assert_eq!(found, [0.5, -0.25, 0.125], "{head}");
    }
    let axes = "time,axis-1,axis-2,axis-3,alpha rad/s2\n0,1,2,3,9\n0.01,4,5,6,8\n0.02,1,2,3,9\n";
    let file = read(axes, METRES, None).unwrap();
    let names: Vec<&str> = file.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["axis-1", "axis-2", "axis-3"]);
    assert_eq!(file.components[1].record.accelerations(), [2.0, 5.0, 2.0]);
    // As the unit of the values they are refused.
    for head in [
        "time_s,alpha (rad/s2)\n",
        "time_s,alpha (deg/s^2)\n",
        "time_s,alpha rad/s2\n",
        "t,alpha\ns,rad/s2\n",
        "time_s,a (in s-2)\n",
        "# Units: ft.s-2\n",
    ] {
        assert!(
            read(&format!("{head}{rows}"), METRES, None).is_err(),
            "{head}"
        );
    }
}

/// Channels that are named by their number.
#[test]
fn numbers_may_name_channels() {
    for mark in [",", ";", " "] {
        let line = |first: &str, cells: [&str; 8]| format!("{first}{mark}{}\n", cells.join(mark));
        let names = line("time", ["1", "2", "3", "4", "5", "6", "7", "8"]);
        let rows = [
            line("0", ["0.5", "1", "1", "1", "1", "1", "1", "-2"]),
            line("0.01", ["-0.25", "2", "2", "2", "2", "2", "2", "4"]),
            line("0.02", ["0.5", "1", "1", "1", "1", "1", "1", "8"]),
        ];
        let file = read(&format!("{names}{}", rows.concat()), METRES, None).unwrap();
        assert_eq!(file.components.len(), 8, "{mark}");
        let last = &file.component(Some("8")).unwrap().record;
        assert_eq!(last.accelerations(), [-2.0, 4.0, 8.0]);
        assert_eq!(last.times(), [0.0, 0.01, 0.02]);
    }
}
