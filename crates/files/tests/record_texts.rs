//! The texts in which engineers bring records: what is read, value by value, and what is refused in which words.
use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::Kind;
use klast_files::record;

const CM: Option<AccelerationUnit> = Some(AccelerationUnit::CentimetrePerSecondSquared);
const G: Option<AccelerationUnit> = Some(AccelerationUnit::StandardGravity);
const M: Option<AccelerationUnit> = Some(AccelerationUnit::MetrePerSecondSquared);

fn refused(text: &str, unit: Option<AccelerationUnit>) -> String {
    record::read(text.as_bytes(), unit).unwrap_err().to_string()
}

fn at2(body: &str, count: usize) -> String {
    format!("PEER\nEVENT\nACCELERATION IN UNITS OF M/S2\nNPTS= {count}, DT= .01 SEC\n{body}")
}

#[test]
fn two_columns_are_read_whatever_stands_between_them() {
    for text in [
        "time_s,acceleration_m_s2\n0,0\n0.5,-1.25\n0.7,3\n",
        "time_s;acceleration_m_s2\n0;0\n0.5;-1.25\n0.7;3\n",
        "time_s acceleration_m_s2\n  0 0\n 0.5   -1.25  \n0.7 3\n",
        "time_s\tacceleration_m_s2\r\n0\t0\r\n0.5\t-1.25\r\n0.7\t3\r\n",
        "\u{feff}\"time_s\", \"acceleration_m_s2\"\n0, 0\n0.5, -1.25\n\n0.7, 3\n",
        "% Time (s)   Acceleration (m/s²)\n0 0\n! between\n0.50 -1.25\n0.7 3\n",
        "Station 117\nTime [s]\tAcceleration [m/s^2]\n0\t0\n0.5\t-1.25\n0.7\t3\n",
        "EL CENTRO 1940 NS\n1559 points at equal spacing\nUNITS OF M/SEC/SEC\n0 0\n5D-1 -1.25\n0.7d0 3.0\n",
        "# made from a PEER file: NPTS= 4000, DT= .01 SEC, UNITS: M/S2\n0 0\n0.5 -1.25\n0.7 3\n",
        "// units of (m/s2)\n0.0E+00 0.0E+00\n5.0E-01 -1.25E+00\n7.0e-1 3.\n",
    ] {
        let record = record::read(text.as_bytes(), None).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(record.times(), &[0.0, 0.5, 0.7], "{text}");
        assert_eq!(record.accelerations(), &[0.0, -1.25, 3.0], "{text}");
    }
}

#[test]
fn the_unit_of_two_columns_is_stated_or_given() {
    let bare = "0 0\n1 2\n";
    for (text, unit, value) in [
        (bare, M, 2.0),
        (bare, CM, 0.02),
        (bare, G, 19.6133),
        ("Time (s), Acceleration (g)\n0, 0\n1, 2\n", None, 19.6133),
        ("time_s;acceleration_g\n0;0\n1;2\n", G, 19.6133),
        (
            "time_s\tacceleration_g\n0\t0\n1\t2\n",
            Some(AccelerationUnit::Gravity(9.81)),
            19.62,
        ),
        ("# filter (0.1 Hz), acc. [cm/s/s]\n0 0\n1 2\n", None, 0.02),
    ] {
        let record = record::read(text.as_bytes(), unit).unwrap_or_else(|e| panic!("{text}: {e}"));
        // one product, rounded
        assert!((record.accelerations()[1] - value).abs() < 1e-14, "{text}");
    }
    for (text, unit, needed) in [
        (bare, None, "line 1: before the numbers the unit"),
        (
            "time_s,acceleration_g\n0,0\n1,2\n",
            M,
            "the unit that is given beside the file",
        ),
        ("time (s), acc (g)\nPGA (cm/s2)\n0,0\n1,2\n", None, "line 2"),
        ("# units: FT/S2\n0 0\n1 2\n", None, "M/SEC2"),
    ] {
        let said = refused(text, unit);
        assert!(said.contains(needed), "{text}: {said}");
    }
}

#[test]
fn columns_that_are_something_else_are_refused_with_line_and_text() {
    for (text, line, found) in [
        ("0 0\n0.1 0.2 0.3\n", 2, "0.1 0.2 0.3"),
        ("0 0\n0.1 NaN\n", 2, "0.1 NaN"),
        ("NaN 0\n0.1 1\n", 1, "NaN 0"),
        ("0,inf\n0.1,1\n", 1, "0,inf"),
        ("0;0\n0.1;1e999\n", 2, "0.1;1e999"),
        // a bad first row is no header
        ("# g\n0.0 abc\n0.1 1\n", 2, "0.0 abc"),
        ("0 0\n0.1 abc\n", 2, "0.1 abc"),
        ("0 0\n0.1\n", 2, "0.1"),
        ("0 0\n0.1,\n", 2, "0.1,"),
        ("0\t0\nend of record\n", 2, "end of record"),
        // decimal commas beside points, or where commas also part the columns
        ("0,00;0.5\n0,1;0.2\n", 1, "0,00;0.5"),
        ("0,00,0,5\n0,1,0,2\n", 1, "0,00,0,5"),
    ] {
        let said = refused(text, G);
        assert!(said.contains(&format!("line {line}: two finite")), "{said}");
        assert!(said.contains(&format!("found \"{found}")), "{said}");
        assert!(
            said.contains("semicolon") && said.contains("NPTS"),
            "{said}"
        );
    }
    for text in [
        "Time (min), Acceleration (g)\n0,0\n1,2\n",
        "time_s,velocity_m_s\n0,0\n1,2\n",
        "# time [s]  displacement [m]\n0 0\n1 2\n",
        "Acceleration (g), Time (s)\n0,0\n1,2\n",
    ] {
        let said = refused(text, G);
        assert!(
            said.contains("line 1: two columns, time (s) before"),
            "{said}"
        );
    }
    // neither kind: both are named
    let said = refused("nothing\nof the kind\n", G);
    assert!(
        said.contains("two columns") && said.contains("NPTS"),
        "{said}"
    );
    assert!(refused("", None).contains("two columns"));
    // times that do not rise
    assert!(refused("0 0\n0 1\n", G).contains("line 2: a time after that of the row before"));
}

#[test]
fn fortran_numbers_of_an_at2_file_are_read() {
    for (body, values) in [
        ("1.0D-02 -2.5d+01 .3E1\n", [0.01, -25.0, 3.0]),
        // widths of 5E15.7 and 8F10.5, filled by the minus signs
        (
            " -.1234567E-02-.2345678E-03  .3456789E+00\n",
            [-0.001234567, -0.0002345678, 0.3456789],
        ),
        (
            "-0.1234567D-02-0.2345678D-03+0.5D+00\n",
            [-0.001234567, -0.0002345678, 0.5],
        ),
        (
            "   0.00630-123.45678\n  -0.00128\n",
            [0.0063, -123.45678, -0.00128],
        ),
    ] {
        let record = record::read(at2(body, 3).as_bytes(), None).unwrap();
        assert_eq!(record.accelerations(), &values, "{body}");
        assert_eq!(record.times(), &[0.0, 0.01, 0.02]);
    }
}

#[test]
fn numbers_of_an_at2_file_with_two_readings_are_refused() {
    for word in [
        // an exponent of three digits without its letter, or two numbers
        "1.0-102",
        ".1E-02-.2",
        // nothing says where the exponent ends
        ".1E-02.2E-03",
        "0.123450.23456",
        "1-2",
        "NaN",
        "-inf",
        "1.0D",
        "1.0D400",
        "--1.0",
        "0,5",
    ] {
        let said = refused(&at2(&format!("0.5\n{word} 1.0\n"), 3), None);
        assert!(said.contains("line 6: finite numbers"), "{said}");
        assert!(said.contains(&format!("found \"{word}\"")), "{said}");
        assert!(said.contains("1.0D-02"), "{said}");
    }
    // what touches counts: the number in the header still decides
    let cut = record::read(at2("-.1E-02-.2E-03\n", 3).as_bytes(), None);
    assert_eq!(cut.unwrap_err().kind, Kind::Truncated);
}

#[test]
fn headers_in_latin_1_are_read() {
    // "Côte" and "m/s²" in Latin-1
    let peer =
        b"PEER\nC\xf4te d'Azur\nACCELERATION IN UNITS OF M/S\xb2\nNPTS= 2, DT= .01 SEC\n0 1.5\n";
    assert_eq!(
        record::read(peer, None).unwrap().accelerations(),
        &[0.0, 1.5]
    );
    let columns = b"C\xf4te d'Azur\nTime (s); Acceleration (m/s\xb2)\n0;0\n0.1;1.5\n";
    assert_eq!(
        record::read(columns, None).unwrap().accelerations(),
        &[0.0, 1.5]
    );
    let body = b"0 0\n0.1 1.5\xb2\n";
    let said = record::read(body, M).unwrap_err().to_string();
    assert!(said.contains("line 2") && said.contains("1.5²"), "{said}");
}
