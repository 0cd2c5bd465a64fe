//! PEER records and two columns: their units, their steps, and what cannot be trusted.

use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::Kind;
use klast_files::record::read;

fn read_at2(
    text: &str,
    unit: Option<AccelerationUnit>,
) -> Result<klast_dynamics::ground_motion::Record, klast_files::Refusal> {
    read(text.as_bytes(), unit)
}
use proptest::prelude::*;
use read_at2 as read_columns;

#[test]
fn at2_and_csv_are_read() {
    let text = "PEER\nEVENT\nACCELERATION TIME HISTORY IN UNITS OF G. FILTER\nNPTS=  5, DT= .01000 SEC\n .1E-02 -.2E-02 .3E-02\n 0.0 1.0\n";
    let record = read_at2(text, None).unwrap();
    assert_eq!(record.times().len(), 5);
    assert!((record.accelerations()[1] + 0.002 * 9.80665).abs() < 1e-15);
    let old = "PEER\nEVENT\nACCELERATION IN UNITS OF G\n  3  .0050  NPTS, DT\n 0 1 0\n";
    assert_eq!(read_at2(old, None).unwrap().times()[1], 0.005);
    let csv = "# origin\ntime_s,acceleration_m_s2\n0,0\n0.5,1\n0.7,0\n";
    assert_eq!(read_columns(csv, None).unwrap().times(), &[0.0, 0.5, 0.7]);
}

#[test]
fn the_unit_of_an_at2_file_is_the_word_after_units() {
    // the factor to m/s² that the words say, whatever stands behind them
    let g = 9.80665;
    let stated = [
        ("ACCELERATION TIME HISTORY IN UNITS OF G. FILTER", g),
        (
            "ACCELERATION IN UNITS OF CM/SEC^2 (1 G = 980.665 CM/SEC^2)",
            0.01,
        ),
        ("UNITS OF M/SEC/SEC, PEAK 0.3 G", 1.0),
        ("Acceleration, units: cm/s/s", 0.01),
        ("ACCELERATION UNITS=GAL", 0.01),
        ("UNITS OF CM/SEC**2.", 0.01),
        ("UNITS OF CM/SEC2; FROM VELOCITY", 0.01),
        ("UNITS OF (M/S**2)", 1.0),
        ("UNITS G", g),
        ("The units are (g)", g),
    ];
    for (line, factor) in stated {
        let text = format!("A\nB\n{line}\nNPTS= 2, DT= .01 SEC\n0 1\n");
        let record = read_at2(&text, None).unwrap();
        assert!((record.accelerations()[1] - factor).abs() < 1e-15, "{line}");
    }
    let refused = [
        (
            "VELOCITY TIME SERIES IN UNITS OF CM/S (FROM ACCELERATION IN G)",
            "VELOCITY",
        ),
        (
            "DISPLACEMENT TIME SERIES IN UNITS OF CM. FILTER 0.1 G",
            "DISPLACEMENT",
        ),
        ("TIME SERIES IN UNITS OF CM. FILTER 0.1 G", "CM"),
        ("TIME SERIES IN UNITS OF CM/SEC, PGA 0.3 G", "CM/SEC"),
        ("ACCELERATION IN UNITS OF", "UNITS"),
    ];
    for (line, named) in refused {
        let text = format!("A\nB\n{line}\nNPTS= 2, DT= .01 SEC\n0 1\n");
        let message = read_at2(&text, None).unwrap_err().to_string();
        assert!(
            message.contains(named) && message.contains("line 3"),
            "{message}"
        );
        // a given unit wins over an unknown one, but makes no acceleration of a velocity
        let given = read_at2(&text, Some(AccelerationUnit::MetrePerSecondSquared));
        let other = named == "VELOCITY" || named == "DISPLACEMENT";
        assert_eq!(given.is_err(), other, "{line}");
    }
}

#[test]
fn a_unit_given_beside_an_at2_file_agrees_with_its_header() {
    let text = "A\nB\nACCELERATION IN UNITS OF G\nNPTS= 2, DT= .01 SEC\n0 1\n";
    let second = |unit| read_at2(text, Some(unit)).map(|r| r.accelerations()[1]);
    assert_eq!(second(AccelerationUnit::StandardGravity), Ok(9.80665));
    // a gravity of its own is meant for a record in g
    assert_eq!(second(AccelerationUnit::Gravity(9.81)), Ok(9.81));
    for other in [
        AccelerationUnit::MetrePerSecondSquared,
        AccelerationUnit::CentimetrePerSecondSquared,
    ] {
        let said = second(other).unwrap_err().to_string();
        assert!(
            said.contains("UNITS OF G") && said.contains("line 3"),
            "{said}"
        );
    }
}

#[test]
fn the_step_of_an_at2_file_is_in_seconds() {
    let read = |line: &str| {
        read_at2(&format!("A\nB\nUNITS OF G\n{line}\n0 1\n"), None).map(|record| record.times()[1])
    };
    for line in [
        "NPTS= 2, DT= .0050 SEC,",
        "NPTS=2,DT=.0050SEC",
        "NPTS= 2, DT= 5.0E-3 S",
        "NPTS= 2, DT= 5e-3sec.",
        "NPTS= 2, DT= 0.005",
        "DT= 0.005 NPTS= 2",
        "NPTS= 2, DT= 0.005 (SECONDS)",
        "2 .0050 NPTS, DT",
        "2 .0050 NPTS, DT (SEC)",
    ] {
        assert_eq!(read(line).unwrap(), 0.005, "{line}");
    }
    for line in [
        "NPTS= 2, DT= 5 MSEC",
        "NPTS= 2, DT= 5MSEC, 0.005",
        "NPTS= 2, DT= 5 MS",
        "NPTS= 2, DT= 200 HZ",
        "2 5.0 NPTS, DT (MSEC)",
    ] {
        let message = read(line).unwrap_err().to_string();
        assert!(
            message.contains("seconds") && message.contains("line 4"),
            "{message}"
        );
    }
}

#[test]
fn records_that_cannot_be_trusted_are_refused() {
    let head = "A\nB\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n";
    let read = |text: &str| read_at2(text, None);
    assert!(read(&format!("{head}0 NaN 1\n")).is_err());
    assert_eq!(
        read(&format!("{head}0 1\n")).unwrap_err().kind,
        Kind::Truncated
    );
    assert!(read("A\nB\nUNITS OF G\nNPTS= 3, DT= 0 SEC\n0 1 2\n").is_err());
    let unstated = read("A\nB\nC\nNPTS= 3, DT= .01 SEC\n0 1 2\n").unwrap_err();
    assert!(unstated.to_string().contains("unit"), "{unstated}");
    assert!(
        read("0 1 2\n3 4 5\n")
            .unwrap_err()
            .to_string()
            .contains("NPTS")
    );
    assert!(read_columns("0,1\n1,2\n", None).is_err());
    assert!(read_columns("time_s,acceleration_g\n0,1\n0,2\n", None).is_err());
    assert!(read_columns("time_s,acceleration_g\n0,1\n1,inf\n", None).is_err());
    assert!(read_columns("", None).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn readers_never_panic(text in "(?s).{0,200}", head in 0usize..3) {
        let start = ["", "A\nB\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n", "time_s,acceleration_g\n"][head];
        let text = format!("{start}{text}");
        let _ = read_at2(&text, None).map(|r| r.baseline());
        let _ = read(text.as_bytes(), None).map(|r| r.baseline());
        let _ = read_columns(&text, None).map(|r| r.baseline());
    }
}
