//! Records as loggers, LabVIEW and ObsPy write them: read to the values that stand in them, or refused with what is
//! missing; never read as something else.

use klast_dynamics::ground_motion::{AccelerationUnit, ReadOptions, RecordFile, RecordFormat};

fn read(
    text: &str,
    step: Option<f64>,
    unit: Option<AccelerationUnit>,
) -> Result<RecordFile, String> {
    let options = ReadOptions { unit, step };
    RecordFile::read(text.as_bytes(), &options).map_err(|e| e.to_string())
}

const METRES: Option<AccelerationUnit> = Some(AccelerationUnit::MetrePerSecondSquared);

/// Times and accelerations of the only component.
fn series(file: &RecordFile) -> (&[f64], &[f64]) {
    let record = &file.component(None).unwrap().record;
    (record.times(), record.accelerations())
}

#[test]
fn one_comma_a_line_is_no_time_unless_names_say_so() {
    // What rises could be times: 10,1 is 10.1 or 1 m/s² at 10 s.
    for text in [
        "10,1\n12,5\n15,8\n21,0\n",
        "0,006716\n-0,018878\n-0,037220\n",
        "Loma Prieta, 1989\n0,1\n0,2\n",
    ] {
        let said = read(text, None, METRES).unwrap_err();
        assert!(
            said.contains("one comma a line") && said.contains("step_s"),
            "{said}"
        );
        let file = read(text, Some(0.005), METRES).unwrap();
        assert!(file.remarks.iter().any(|r| r.contains("decimal marks")));
        let first: f64 = text
            .lines()
            .find(|l| !l.starts_with('L'))
            .unwrap()
            .replace(',', ".")
            .parse()
            .unwrap();
        let (times, values) = series(&file);
        assert_eq!((times[1], values[0]), (0.005, first), "{text}");
    }
    let stated = read("dt = 0.01 s\n0,5\n-0,25\n", None, METRES).unwrap();
    assert_eq!(series(&stated), (&[0.0, 0.01][..], &[0.5, -0.25][..]));
    let quoted = read("\"0,5\"\n\"-0,25\"\n", Some(0.01), METRES).unwrap();
    assert_eq!(series(&quoted).1, &[0.5, -0.25]);
    // A whole number without a comma among them is no row of two.
    let mixed = read("0\n0,5\n-1\n", Some(0.01), METRES).unwrap();
    assert_eq!(series(&mixed).1, &[0.0, 0.5, -1.0]);
    // Names of two columns, and signs behind the comma, are those of a table.
    for text in ["time_s,acceleration_m_s2\n0,0\n1,5\n", "0,-1\n1,-5\n"] {
        let table = read(text, None, METRES).unwrap();
        assert_eq!(series(&table).0, &[0.0, 1.0], "{text}");
    }
    let eight = "0,1 0,2 0,3 0,4 0,5 0,4 0,3 0,2\n0,1 0,0 -0,1 -0,2 -0,3 -0,2 -0,1 0,0\n";
    let file = read(eight, Some(0.01), METRES).unwrap();
    assert_eq!(series(&file).1[10], -0.1);
}

/// Units of a header in one case or the other, rows with and without times, one channel or two.
#[test]
fn measurements_of_labview_are_read_by_their_header() {
    let file = |x: &str, unit: &str, delta: &str, names: &str, rows: &str, channels: usize| {
        let again = |cell: &str| format!("\t{cell}").repeat(channels);
        format!(
            "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\nDecimal_Separator\t,\nX_Columns\t{x}\n\
             ***End_of_Header***\t\n\t\nChannels\t{channels}\t\t\nSamples{}\nY_Unit_Label{}\nX_Dimension{}\nDelta_X{}\n\
             ***End_of_Header***\t\t\n{names}\n{rows}",
            again("3"),
            again(unit),
            again("Time"),
            again(delta)
        )
    };
    let none = file(
        "No",
        "g",
        "0,005",
        "X_Value\tTop\tComment",
        "\t-0,1\n\t0,2\t\n\t0,3\n",
        1,
    );
    let made = read(&none, None, None).unwrap();
    assert_eq!(made.format, RecordFormat::LabView);
    let (times, values) = series(&made);
    // 0.1 g of 9.80665 m/s².
    assert!((values[0] + 0.980665).abs() < 1e-12 && (times[2] - 0.01).abs() < 1e-15);
    let one = file(
        "One",
        "m/s^2",
        "0,005",
        "X_Value\tTop\tComment",
        "0,000\t1,5\n0,005\t2,5\n0,010\t3,5\n",
        1,
    );
    assert_eq!(series(&read(&one, None, None).unwrap()).1, &[1.5, 2.5, 3.5]);
    let two = file(
        "No",
        "g",
        "0,005",
        "X_Value\tTop\tBase\tComment",
        "\t0,1\t1\n\t0,2\t2\n\t0,3\t3\n",
        2,
    );
    let made = read(&two, None, None).unwrap();
    let base = made.component(Some("Base")).unwrap();
    assert!((base.record.accelerations()[2] - 3.0 * 9.80665).abs() < 1e-12);
    // A channel may end before another; a value that is missing in its middle would move those behind it.
    let shorter = two.replace("\t0,3\t3\n", "\t0,3\t\n");
    let made = read(&shorter, None, None).unwrap();
    let base = made.component(Some("Base")).unwrap();
    assert_eq!(base.record.accelerations().len(), 2);
    for holed in [
        two.replace("\t0,2\t2\n", "\t0,2\t\n"),
        two.replace("\t0,2\t2\n", "\t\t2\n"),
    ] {
        let said = read(&holed, None, None).unwrap_err();
        assert!(said.contains("no empty cell between the values"), "{said}");
    }
    // A voltage is no acceleration; a step of 1 that the times do not have is none.
    assert!(
        read(&none.replace("\tg", "\tV"), None, None)
            .unwrap_err()
            .contains("Y_Unit_Label")
    );
    assert!(
        read(&none.replace("Delta_X\t0,005", "Delta_X\t0"), None, None)
            .unwrap_err()
            .contains("Delta_X")
    );
    let label = none.replace("Y_Unit_Label\tg\n", "");
    assert!(
        read(&label, None, None)
            .unwrap_err()
            .contains("unit of acceleration")
    );
    assert!(read(&label, None, METRES).is_ok());
}

#[test]
fn texts_of_obspy_are_read_in_units_of_acceleration_only() {
    let head = |layout: &str, unit: &str| {
        format!(
            "TIMESERIES NZ_XXX_20_HN1_D, 3 samples, 200 sps, 2016-11-13T11:02:56.000000, {layout}, FLOAT, {unit}\n"
        )
    };
    for (unit, factor) in [("M/S**2", 1.0), ("CM/S**2", 0.01), ("m/s^2", 1.0)] {
        let list = head("SLIST", unit) + "0.5\t-0.25\n1.0e+00\n";
        let made = read(&list, None, None).unwrap();
        let (times, values) = series(&made);
        assert_eq!(times, &[0.0, 0.005, 0.01]);
        assert_eq!(values, &[0.5 * factor, -0.25 * factor, factor]);
        assert_eq!(made.components[0].name, "HN1");
    }
    let pairs = head("TSPAIR", "M/S**2")
        + "2016-11-13T11:02:56.000000  0.5\n2016-11-13T11:02:56.005000  -0.25\n\
        2016-11-13T11:02:56.010000  1\n";
    assert_eq!(
        series(&read(&pairs, None, None).unwrap()).1,
        &[0.5, -0.25, 1.0]
    );
    for unit in ["Counts", "M/S", "M"] {
        let said = read(&(head("SLIST", unit) + "1\n2\n3\n"), None, None).unwrap_err();
        assert!(
            said.contains("unit of acceleration") && said.contains(unit),
            "{said}"
        );
    }
    let short = read(&(head("SLIST", "M/S**2") + "1\n2\n"), None, None).unwrap_err();
    assert!(short.contains('3') && short.contains('2'), "{short}");
}

/// Seconds since 1970 in place of seconds from the start.
#[test]
fn a_first_time_later_than_the_record_is_long_is_told() {
    let text = "time (s),acc (m/s2)\n1683814930.0,0\n1683814930.5,1\n1683814931.0,0\n";
    let late = read(text, None, None).unwrap().remarks.join("; ");
    assert!(late.contains("the first time is 1683814930 s"), "{late}");
    let early = read("time (s),acc (m/s2)\n0.05,0\n0.1,1\n0.15,0\n", None, None).unwrap();
    assert!(!early.remarks.join("; ").contains("the first time"));
}
