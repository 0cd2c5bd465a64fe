//! Records in columns, as spreadsheets, loggers and telephones write them.

use klast_files::record;

use super::{
    Case,
    Right::{self, Read, Refused},
};

/// Times and accelerations (s, m/s²), twelve decimals.
fn case(name: &'static str, bytes: &[u8], right: Right) -> Case {
    let read = record::read(bytes, None).map(|record| {
        let round = |v: &f64| (v * 1e12).round() / 1e12;
        let list = |values: &[f64]| values.iter().map(round).collect::<Vec<_>>();
        format!(
            "{:?} {:?}",
            list(record.times()),
            list(record.accelerations())
        )
    });
    Case::new(name, read.map_err(anyhow::Error::from), right)
}

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "headers in quotes, acceleration in g (LibreOffice)",
            b"\"Time (s)\",\"Acc (g)\"\n0,0\n0.01,0.1\n",
            Read("[0.0, 0.01] [0.0, 0.980665]"),
        ),
        case(
            "milliseconds and m/s\u{b2} in Latin-1 between semicolons",
            b"time [ms];acceleration [m/s\xb2]\r\n0;0\r\n10;1.5\r\n",
            Read("[0.0, 0.01] [0.0, 1.5]"),
        ),
        case(
            "gal (Japan)",
            b"time (s),acceleration (gal)\n0,0\n0.01,150\n",
            Read("[0.0, 0.01] [0.0, 1.5]"),
        ),
        case(
            "decimal commas between semicolons (German Excel)",
            b"t [s];a [m/s2]\n0,00;0,0\n0,01;1,5\n",
            Read("[0.0, 0.01] [0.0, 1.5]"),
        ),
        case(
            "four components of a telephone (phyphox)",
            b"\"Time (s)\",\"Linear Acceleration x (m/s^2)\",\"Linear Acceleration y (m/s^2)\",\"Linear Acceleration z (m/s^2)\"\n0,1,2,3\n0.01,4,5,6\n",
            Refused(&["Linear Acceleration x", "one of them"]),
        ),
        case(
            "PEER's header of today",
            b"PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere, 1/1/1999, STATION, 090\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=      2, DT=   .0050 SEC,\n  0.0000000E+00  1.0000000E-01\n",
            Read("[0.0, 0.005] [0.0, 0.980665]"),
        ),
        case(
            "times of a logger that jitters keep their values",
            b"time (s),acceleration (m/s2)\n0,0\n0.0101,1\n0.0199,2\n0.03,1\n",
            Read("[0.0, 0.0101, 0.0199, 0.03] [0.0, 1.0, 2.0, 1.0]"),
        ),
        case(
            "dates for times (seismometer)",
            b"time (s),acceleration (m/s2)\n2024-01-01T00:00:00.00,0\n2024-01-01T00:00:00.01,1\n",
            Read("[0.0, 0.01] [0.0, 1.0]"),
        ),
        case(
            "a header again in the middle (two logs in one file)",
            b"time (s),acceleration (m/s2)\n0,0\n0.01,1\ntime (s),acceleration (m/s2)\n0,0\n0.01,1\n",
            Refused(&["line 4"]),
        ),
        case(
            "times that go back (two logs in one file)",
            b"time (s),acceleration (m/s2)\n0,0\n0.01,1\n0,0\n0.01,1\n",
            Refused(&["time"]),
        ),
        case(
            "a velocity for an acceleration",
            b"time (s),velocity (m/s)\n0,0\n0.01,1\n",
            Refused(&["velocity"]),
        ),
    ]
}

/// A second set.
pub fn more() -> Vec<Case> {
    let of = |name: &'static str, head: &str, right| {
        case(name, format!("{head}\n0,0\n0.01,1.5\n").as_bytes(), right)
    };
    vec![
        of(
            "minutes",
            "time (min),acceleration (m/s2)",
            Refused(&["min"]),
        ),
        of(
            "microseconds",
            "time (us),acceleration (m/s2)",
            Refused(&["us"]),
        ),
        of(
            "thousandths of g",
            "time (s),acceleration (mg)",
            Read("[0.0, 0.01] [0.0, 0.014709975]"),
        ),
        of(
            "hundredths of g",
            "time (s),acceleration (%g)",
            Read("[0.0, 0.01] [0.0, 0.14709975]"),
        ),
        of("feet", "time (s),acceleration (ft/s2)", Refused(&["ft/s2"])),
        of(
            "a displacement",
            "time (s),displacement (mm)",
            Refused(&["displacement"]),
        ),
        case(
            "a German header",
            "Zeit [s];Beschleunigung [m/s²]\n0;0\n0.01;1.5\n".as_bytes(),
            Read("[0.0, 0.01] [0.0, 1.5]"),
        ),
        case(
            "a gap as NaN",
            b"time (s),acceleration (m/s2)\n0,0\n0.01,NaN\n0.02,1\n",
            Refused(&["line 3"]),
        ),
        case(
            "an empty cell",
            b"time (s),acceleration (m/s2)\n0,0\n0.01,\n0.02,1\n",
            Refused(&["line 3"]),
        ),
        case(
            "a workbook of Excel",
            b"PK\x03\x04\x14\0\x06\0\x08\0",
            Refused(&[]),
        ),
        case(
            "MATLAB",
            b"MATLAB 5.0 MAT-file, Platform: PCWIN64\0\0\0",
            Refused(&[]),
        ),
        case("nothing", b"", Refused(&[])),
    ]
}
