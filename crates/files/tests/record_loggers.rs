//! Records as loggers, LabVIEW and ObsPy write them: read to the values that stand in them, or refused with what is
//! missing; never read as something else.

use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::record::{ReadOptions, RecordFile, RecordFormat};

fn read(
    text: &str,
    step: Option<f64>,
    unit: Option<AccelerationUnit>,
) -> Result<RecordFile, String> {
    let options = ReadOptions {
        unit,
        step,
        ..ReadOptions::default()
    };
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

/// Rows of whole numbers from `first` on, with a time in steps of 5 ms and two accelerations.
fn counted(first: usize, mark: &str, row: impl Fn(f64, f64) -> String) -> String {
    let value = |k: usize| [0.25, -0.5, 1.0][k % 3];
    (0..12)
        .map(|k| format!("{}{mark}{}\n", first + k, row(0.005 * k as f64, value(k))))
        .collect()
}

#[test]
fn a_column_that_counts_the_rows_before_a_time_is_not_used() {
    let pair = |mark: &'static str| move |t: f64, a: f64| format!("{t:.3}{mark}{a}");
    for (names, mark, first) in [
        (",time_s,acceleration_m_s2\n", ",", 0),
        ("No.,Time(s),Acc(m/s2)\n", ",", 1),
        ("Sample no.;Time [s];Acceleration [m/s²]\n", ";", 1),
        ("Index\tTime (s)\tAcc (m/s2)\n", "\t", 500),
        ("\"\",\"Time\",\"Acc\"\n,s,m/s^2\n", ",", 1),
        ("# index, time (s), acceleration (m/s2)\n", ",", 0),
        ("Unnamed: 0,t (s),a (m/s2)\n", ",", 0),
    ] {
        let text = format!("{names}{}", counted(first, mark, pair(mark)));
        let file = read(&text, None, None).unwrap();
        let (times, values) = series(&file);
        assert_eq!(
            (times[11], values[10], values[11]),
            (0.055, -0.5, 1.0),
            "{names}"
        );
        assert!(
            file.remarks.iter().any(|r| r.contains("counts the rows")),
            "{names}"
        );
    }
    // Decimal commas, and times in milliseconds.
    let text = counted(1, ";", |t, a| format!("{};{a}", 1000.0 * t)).replace('.', ",");
    let file = read(
        &format!("Nr;Zeit [ms];Beschleunigung [g]\n{text}"),
        None,
        None,
    )
    .unwrap();
    let (times, values) = series(&file);
    assert!((times[11] - 0.055).abs() < 1e-15 && (values[11] - 9.80665).abs() < 1e-15);
    // Without the name of a time the second column may be anything.
    let text = format!(",x,y\n{}", counted(0, ",", pair(",")));
    assert!(read(&text, None, METRES).is_err());
}

#[test]
fn a_count_of_the_rows_is_no_time() {
    let value = |_: f64, a: f64| a.to_string();
    for names in [
        ",acceleration_m_s2\n",
        "\"\",\"acceleration_m_s2\"\n",
        "Index,Acc (m/s2)\n",
        "Unnamed: 0,acc_m_s2\n",
        "",
        "Station X\n",
    ] {
        let text = format!("{names}{}", counted(0, ",", value));
        let said = read(&text, None, METRES).unwrap_err();
        assert!(
            said.contains("counts") && said.contains("step_s"),
            "{names}: {said}"
        );
        // The step is what is missing.
        let file = read(&text, Some(0.005), METRES).unwrap();
        let (times, values) = series(&file);
        assert_eq!((values[9], values[11]), (0.25, 1.0), "{names}");
        assert!((times[11] - 0.055).abs() < 1e-15, "{names}");
    }
    let whole = ",acceleration_cm_s2\n0,12\n1,15\n2,7\n";
    assert!(read(whole, None, None).unwrap_err().contains("counts"));
    let file = read(whole, Some(0.01), None).unwrap();
    assert!(
        (series(&file).1[1] - 0.15).abs() < 1e-15,
        "15 cm/s², not 1.15"
    );
    // What is called a time is one, with a doubt.
    let named = format!("time_s,acceleration_m_s2\n{}", counted(0, ",", value));
    let file = read(&named, None, None).unwrap();
    assert_eq!(series(&file).0[11], 11.0);
    assert!(file.remarks.iter().any(|r| r.contains("too coarse")));
}

#[test]
fn times_of_a_clock_are_read_as_seconds_after_the_first() {
    for rows in [
        "2023-02-06 01:17:59.990,0.5\n2023-02-06 01:18:00,-1\n2023-02-06 01:18:00.010000,2\n",
        "2024-02-29T23:59:59.990Z,0.5\n2024-03-01T00:00:00.000Z,-1\n2024-03-01T00:00:00.010Z,2\n",
        "1999-12-31 23:59:59.99+01:00,0.5\n2000-01-01 00:00:00.00+01:00,-1\n2000-01-01 00:00:00.01+01:00,2\n",
        "06.02.2023 01:17:59.990,0.5\n06.02.2023 01:18:00.000,-1\n06.02.2023 01:18:00.010,2\n",
        "01:17:59.990,0.5\n01:18:00.000,-1\n01:18:00.010,2\n",
    ] {
        for names in [
            "time,acceleration_m_s2\n",
            "Time [hh:mm:ss.sss],Acc [m/s2]\n",
        ] {
            let file = read(&format!("{names}{rows}"), None, None).unwrap();
            let (times, values) = series(&file);
            assert_eq!(times, [0.0, 0.01, 0.02], "{rows}");
            assert_eq!(values, [0.5, -1.0, 2.0], "{rows}");
            assert!(file.remarks.iter().any(|r| r.contains("clock")), "{rows}");
        }
    }
    let german =
        "Zeit;Beschleunigung [m/s²]\n01:17:59,990;0,5\n01:18:00,000;-1,0\n01:18:00,010;2,0\n";
    assert_eq!(
        series(&read(german, None, None).unwrap()).0,
        [0.0, 0.01, 0.02]
    );
    // Midnight without a date, a day that may be a month, half a day, another zone.
    for rows in [
        "23:59:59.99,1\n00:00:00.00,2\n",
        "06.02.2023 23:59:59.99,1\n07.02.2023 00:00:00.00,2\n",
        "01:17:59.990 PM,1\n01:18:00.000 PM,2\n",
        "2023-03-26T01:59:59.99+01:00,1\n2023-03-26T03:00:00.00+02:00,2\n",
        "2023-13-01 00:00:00,1\n2023-13-02 00:00:01,2\n",
    ] {
        assert!(
            read(&format!("time,acc_g\n{rows}"), None, None).is_err(),
            "{rows}"
        );
    }
}

#[test]
fn the_unit_stands_below_or_within_a_name() {
    for (names, factor) in [
        ("Time,Acc\ns,m/s^2\n", 1.0),
        ("t,a\ns,g\n", 9.80665),
        ("time_s,acc_g\n", 9.80665),
        ("time_s,Accel_mm_s2\n", 1e-3),
        ("time_s,acceleration_gal\n", 1e-2),
    ] {
        let file = read(&format!("{names}0.00,0.5\n0.01,2\n"), None, None).unwrap();
        assert!((series(&file).1[1] - 2.0 * factor).abs() < 1e-15, "{names}");
    }
}

#[test]
fn clocks_of_german_spreadsheets_and_with_units_below_the_names() {
    for text in [
        "Zeit;Beschleunigung [m/s²]\n06.02.2023 01:17:59,990;0,5\n06.02.2023 01:18:00,000;-1,0\n06.02.2023 01:18:00,010;2,0\n",
        "Zeit;Beschleunigung [m/s²]\n01:17:59.990;0,5\n01:18:00.000;-1,0\n01:18:00.010;2,0\n",
        "Time,Acc\nhh:mm:ss,m/s2\n01:17:59.990,0.5\n01:18:00.000,-1\n01:18:00.010,2\n",
        "Time [hh:mm:ss],Acc\n[hh:mm:ss.000],[m/s2]\n\n01:17:59.990,0.5,\n01:18:00.000,-1,\n01:18:00.010,2,\n",
    ] {
        let file = read(text, None, None).unwrap();
        let (times, values) = series(&file);
        assert_eq!(times, [0.0, 0.01, 0.02], "{text}");
        assert_eq!(values, [0.5, -1.0, 2.0], "{text}");
    }
}

#[test]
fn whole_milliseconds_below_their_unit_are_times() {
    for names in ["ms,g\n", "(ms),(g)\n", "Elapsed,Acc\nms,g\n"] {
        let text = format!("{names}{}", counted(0, ",", |_, a| a.to_string()));
        let file = read(&text, None, None).unwrap();
        let (times, _) = series(&file);
        assert!((times[11] - 0.011).abs() < 1e-15, "{names}");
    }
}

#[test]
fn a_count_with_gaps_is_no_time_and_a_mark_ends_a_row() {
    let gap = "Index,Acc (m/s2)\n0,0.5\n1,0.25\n3,1.0\n4,0.5\n";
    for step in [None, Some(0.01)] {
        let said = read(gap, step, None).unwrap_err();
        assert!(said.contains("leaves some out"), "{said}");
    }
    for names in ["Index,Acc (m/s2),\n", "Index,Acc (m/s2)\n", ""] {
        let rows = counted(1, ",", |_, a| format!("{a:.2},"));
        let text = format!("{names}{rows}");
        let said = read(&text, None, METRES).unwrap_err();
        assert!(said.contains("counts"), "{names}: {said}");
        let file = read(&text, Some(0.005), METRES).unwrap();
        let (times, values) = series(&file);
        assert!((times[11] - 0.055).abs() < 1e-15, "{names}");
        assert_eq!((values[9], values[11]), (0.25, 1.0), "{names}");
    }
}

#[test]
fn no_count_is_too_large_and_no_table_too_wide() {
    let large = "9223372036854775806\t1\n9223372036854775807\t2\n9223372036854775807\t3\n";
    assert!(read(large, None, METRES).is_err());
    // Each column counts the rows and stands before a time, by one of the two lines of names.
    let width = 20_000;
    let line = |cell: &str| format!("{}\n", vec![cell; width].join(","));
    let text = [line("N"), line("Time"), line("0"), line("1")].concat();
    assert!(read(&text, None, METRES).is_err());
}
