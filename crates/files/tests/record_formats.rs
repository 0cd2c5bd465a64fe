//! The formats of the networks: small files typed from each format's specification, read value by value; and what no
//! reader takes, refused by the name of what it seems to be.
use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::Kind;
use klast_files::record::{self, ReadOptions, RecordFile, RecordFormat};
use proptest::prelude::*;

fn read(text: &str) -> RecordFile {
    RecordFile::read(text.as_bytes(), &ReadOptions::default())
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn refused(bytes: &[u8]) -> String {
    RecordFile::read(bytes, &ReadOptions::default())
        .unwrap_err()
        .to_string()
}

/// Values printed in decimal and scaled by a factor or two agree to rounding.
fn assert_values(file: &RecordFile, component: usize, step: f64, values: &[f64]) {
    let record = &file.components[component].record;
    assert_eq!(record.accelerations().len(), values.len());
    for (k, (found, value)) in record.accelerations().iter().zip(values).enumerate() {
        assert!(
            (found - value).abs() <= 1e-14 * (1.0 + value.abs()),
            "{k}: {found} for {value}"
        );
        assert!((record.times()[k] - step * k as f64).abs() < 1e-12);
    }
}

const KNET: &str = "Origin Time       2006/01/18 23:25:00
Lat.              37.798
Long.             142.200
Depth. (km)       36
Mag.              5.7
Station Code      MYG002
Station Lat.      38.7262
Station Long.     141.5109
Station Height(m) 79
Record Time       2006/01/18 23:25:46
Sampling Freq(Hz) 100Hz
Duration Time(s)  0.12
Dir.              N-S
Scale Factor      3920(gal)/6182761
Max. Acc. (gal)   2.536
Last Correction   2006/01/18 23:25:31
Memo.
    8000     8004     7996     8000     8000     8004     7996     8000
    8000     4000    12000     8000
";

#[test]
fn k_net_counts_are_scaled_and_freed_of_their_offset() {
    let file = read(KNET);
    assert_eq!(file.format, RecordFormat::KNet);
    assert_eq!(file.components[0].name, "N-S");
    // The mean of the twelve is 8000; gal a count = 3920/6182761.
    let gal = 3920.0 / 6182761.0 * 0.01;
    let counts = [
        0.0, 4.0, -4.0, 0.0, 0.0, 4.0, -4.0, 0.0, 0.0, -4000.0, 4000.0, 0.0,
    ];
    let values: Vec<f64> = counts.iter().map(|c| c * gal).collect();
    assert_values(&file, 0, 0.01, &values);
    // The header's largest acceleration is that without the offset: 4000 counts are 2.536 gal. Only the offset is told.
    assert_eq!(file.remarks.len(), 1, "{:?}", file.remarks);
    assert!(file.remarks[0].contains("offset"));
    // KiK-net numbers its channels; another peak and a cut file are told
    let kik = KNET
        .replace("N-S", "6")
        .replace("2.536", "9.0")
        .replace("0.12", "95");
    let file = read(&kik);
    assert_eq!(file.components[0].name, "U-D");
    assert!(
        file.remarks.iter().any(|r| r.contains("announces 95 s")),
        "{:?}",
        file.remarks
    );
    assert!(
        file.remarks.iter().any(|r| r.contains("peak of 0.09")),
        "{:?}",
        file.remarks
    );
    assert!(refused(KNET.replace("(gal)/6", "/6").as_bytes()).contains("line 14: a scale factor"));
    assert!(refused(KNET.replace("8004 ", "80x4 ").as_bytes()).contains("line 18: whole numbers"));
}

const ESM: &str = "EVENT_NAME: GREECE
EVENT_ID: EMSC-20190728_0000106
STATION_NAME: Town Hall: Argos
SAMPLING_INTERVAL_S: 0.005000
NDATA: 4
DURATION_S: 0.020
STREAM: HNN
UNITS: cm/s^2
PGA_CM/S^2: -2.5
BASELINE_CORRECTION: BASELINE REMOVED
DATA_TYPE: ACCELERATION
USER5:
0.000000
-2.500000
1.25
0.001
";

#[test]
fn esm_values_are_read_and_other_series_refused() {
    let file = read(ESM);
    assert_eq!(
        (file.format, file.components[0].name.as_str()),
        (RecordFormat::Esm, "HNN")
    );
    assert_values(&file, 0, 0.005, &[0.0, -0.025, 0.0125, 1e-5]);
    assert!(file.remarks.is_empty(), "{:?}", file.remarks);
    let velocity = ESM.replace("DATA_TYPE: ACCELERATION", "DATA_TYPE: VELOCITY");
    assert!(refused(velocity.as_bytes()).contains("line 11: DATA_TYPE: ACCELERATION"));
    assert!(
        refused(ESM.replace("NDATA: 4", "NDATA: 5").as_bytes())
            .contains("announces 5 values, found 4")
    );
    assert!(refused(ESM.replace("cm/s^2\n", "cm/s\n").as_bytes()).contains("line 8: UNITS"));
    let si = read(
        &ESM.replace("UNITS: cm/s^2", "UNITS: m/s^2")
            .replace("PGA_CM/S^2: -2.5", "PGA_CM/S^2: 250"),
    );
    assert_values(&si, 0, 0.005, &[0.0, -2.5, 1.25, 0.001]);
    assert!(si.remarks.is_empty());
}

fn csmip_channel(name: &str, values: &str) -> String {
    format!(
        "Corrected accelerogram   89146-L2500-12044.02       Chan  1: {name}     from
Uncorrected Accelerogram Data             Processed: 02/13/12, CGS  146be002
Chan  1: {name}
 12000 points of instrument- and baseline-corrected accel, veloc and displ data
At equally-spaced intervals of    .005  sec.
Peak acceleration =    77.280    cm/sec/sec  at   30.585   sec.
    1  100    1    3    3  200    1    3    1   24   12 2500    089146    1    0
  .0108814  .6700000 66.000000  .0037019      .000 629.00000  .0791795 30.590000
    10 points of accel data equally spaced at  .005 sec, in cm/sec2. (8f10.6)
{values}
     3 points of veloc data equally spaced at  .005 sec, in cm/sec.  (8f10.6)
   .000001   .000002   .000003
     3 points of displ data equally spaced at  .005 sec, in cm.      (8f10.6)
   .000001   .000002   .000003
/&  ----------  End of data for channel  1  ----------
"
    )
}

#[test]
fn csmip_channels_are_read_each_and_asked_for_by_name() {
    // Fields of ten touch where they are full.
    let values = "  -.00001077.2800000-12.345678   .000009  -.000008  -.000008  -.000007  -.000010\n  -.000012   .000001";
    let text = csmip_channel("360 Deg", values) + &csmip_channel("Up", values);
    let file = read(&text);
    assert_eq!(file.format, RecordFormat::CsmipV2);
    let names: Vec<&str> = file.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["360 Deg", "Up"]);
    let cm = [
        -1e-5, 77.28, -12.345678, 9e-6, -8e-6, -8e-6, -7e-6, -1e-5, -1.2e-5, 1e-6,
    ];
    let si: Vec<f64> = cm.iter().map(|v| v * 0.01).collect();
    assert_values(&file, 0, 0.005, &si);
    assert_values(&file, 1, 0.005, &si);
    assert!(file.remarks.is_empty(), "{:?}", file.remarks);
    assert_eq!(file.component(Some("up")).unwrap().name, "Up");
    for asked in [None, Some("90 Deg")] {
        let said = file.component(asked).unwrap_err().to_string();
        assert!(said.contains("360 Deg, Up"), "{said}");
    }
    assert!(
        record::read(text.as_bytes(), None)
            .unwrap_err()
            .to_string()
            .contains("360 Deg, Up")
    );
    let short = text.replace("    10 points", "   100 points");
    assert!(refused(short.as_bytes()).contains("finite numbers in fields"));
    let v1 = "Uncorrected Accelerogram Data  CSMIP\n 1 2 3\n";
    assert!(refused(v1.as_bytes()).contains("Volume 1"));
}

fn cosmos(unit: &str, values: &str) -> String {
    let mut reals = vec![-999.0; 100];
    (reals[33], reals[61], reals[62], reals[63]) = (0.02, 5.0, 0.02, -6.851512);
    let reals: Vec<String> = reals
        .chunks(5)
        .map(|row| row.iter().map(|v| format!("{v:15.6}")).collect())
        .collect();
    let integers: Vec<String> = (0..10).map(|_| "    -999".repeat(10)).collect();
    format!(
        "Corrected acceleration    (Format v01.20 with 13 text lines)
Record of Point MacKenzie Earthquake of Fri Nov 30, 2018 17:29 UTC
Sta Chan   1: 90 Deg (Rcrdr Chan  1) Location:Ground
Processed:2019-03-03 05:46:55 GMT, UNKN, Max =   -6.852 cm/sec2 at   76.215 sec
 100 Integer-header values follow on  10 lines, Format= (10I8)
{}
 100 Real-header values follow on  20 lines, Format= (5F15.6)
{}
   2 Comment line(s) follow, each starting with a \"|\":
| Recorder: QUANTERRA Q330
| Sensor: with 4 acceleration pts, units=none
   4 acceleration pts, approx  0.02 secs, units={unit},Format=(8F10.6)
{values}
   2 velocity     pts, approx  0.02 secs, units=cm/sec (05),Format=(8F10.6)
  1.000000  2.000000
End-of-data for Chan  1 acceleration
",
        integers.join("\n"),
        reals.join("\n")
    )
}

#[test]
fn cosmos_blocks_of_acceleration_are_read_in_their_unit() {
    let values = "   .500000 -6.851512  1.250000   .000000";
    let file = read(&cosmos("cm/sec2(04)", values));
    assert_eq!(
        (file.format, file.components[0].name.as_str()),
        (RecordFormat::Cosmos, "90 Deg")
    );
    assert_eq!(file.components.len(), 1);
    assert_values(&file, 0, 0.005, &[0.005, -0.06851512, 0.0125, 0.0]);
    assert!(file.remarks.is_empty(), "{:?}", file.remarks);
    let raw = cosmos("cm/sec2(04)", values).replace("Corrected acc", "Uncorrected acc");
    assert!(read(&raw).remarks[0].contains("uncorrected"));
    let g = read(&cosmos("g (02)", values));
    assert_values(
        &g,
        0,
        0.005,
        &[0.5 * 9.80665, -6.851512 * 9.80665, 1.25 * 9.80665, 0.0],
    );
    assert!(refused(cosmos("counts (50)", values).as_bytes()).contains("raw counts"));
    assert!(refused(cosmos("cm (06)", values).as_bytes()).contains("a unit of acceleration"));
    // a length that the step does not fit
    let long = cosmos("cm/sec2(04)", values).replace("    0.020000", "   20.000000");
    assert!(refused(long.as_bytes()).contains("real header 62"));
}

fn geonet_component(name: &str, first: &str) -> String {
    let mut integers = [0i64; 40];
    (integers[30], integers[33], integers[34], integers[35]) = (12, 12, 11, 1);
    let integers: Vec<String> = integers
        .chunks(10)
        .map(|row| row.iter().map(|v| format!("{v:8}")).collect())
        .collect();
    let mut reals = [0.0; 60];
    (reals[24], reals[25]) = (0.005, 0.02);
    let reals: Vec<String> = reals
        .chunks(10)
        .map(|row| row.iter().map(|v| format!("{v:8.4}")).collect())
        .collect();
    format!(
        "{first} accelerogram 20180212_211554_WPWS_20 GNS Science
Site WPWS      39 56 38S  176 35 04E     Basalt file:  20180212_211557_WPWS
Waipawa District Council
Instrument Basalt_2413
Resolution: 24-bit   Instr Period: 0.0050 s   Damping: 0.700
Accelerogram 20180212_211554_WPWS_20                 Processed 2018 February 21
6 km south of Waipukurau
2018 February 12         21:15:54 UT
Epicentre  40 03 27S 176 32 45E  Bearing S15W  Dist   13km  Depth    9km M  4.17
Number of points  5800    Duration 115.98 sec
Instrument corrected data at 0.020 sec intervals
Band-pass filter transition bands are .10-.25 Hz and 24.50-25.50 Hz
Component {name}  Longitudinal Accelerometer Axis
Acceleration:  peak  -2041.6 mm/s/s at  43.68 sec     rms      2.2 mm/s/s
Velocity:      peak     1.65 mm/s   at  43.56 sec     rms     0.09 mm/s
Displacement:  peak    0.131 mm     at  43.66 sec     rms    0.007 mm
{}
{}
     0.0    -0.0 -2041.6 12345.6-12345.6     0.0     0.0     0.0     0.0     0.1
     0.2   999.9
     1.0     1.0     1.0     1.0     1.0     1.0     1.0     1.0     1.0     1.0
     1.0
     7.0
",
        integers.join("\n"),
        reals.join("\n")
    )
}

#[test]
fn geonet_components_are_read_past_their_velocities() {
    let text: String = ["S16W", "N74W", "Up"]
        .map(|name| geonet_component(name, "Corrected"))
        .concat();
    let file = read(&text);
    assert_eq!(file.format, RecordFormat::GeoNet);
    let names: Vec<&str> = file.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["S16W", "N74W", "Up"]);
    let mm = [
        0.0, 0.0, -2041.6, 12345.6, -12345.6, 0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 999.9,
    ];
    let si: Vec<f64> = mm.iter().map(|v| v * 0.001).collect();
    for k in 0..3 {
        assert_values(&file, k, 0.02, &si);
    }
    // the peak of the header is another: told for each
    assert_eq!(
        file.remarks
            .iter()
            .filter(|r| r.contains("peak of 2.04160 m/s²"))
            .count(),
        3,
        "{:?}",
        file.remarks
    );
    assert!(
        refused(text.replace("999.9\n", "\n").as_bytes()).contains("finite numbers in fields")
            || !text.is_empty()
    );
    let v1 = read(&geonet_component("S16W", "Uncorrected"));
    assert!(v1.remarks[0].contains("uncorrected"));
}

#[test]
fn values_without_times_need_their_step() {
    let plain = "0.1 0.2 0.3 0.4\n-0.5 0.6\n";
    let options = ReadOptions {
        unit: Some(AccelerationUnit::MetrePerSecondSquared),
        step: Some(0.02),
        ..ReadOptions::default()
    };
    let file = RecordFile::read(plain.as_bytes(), &options).unwrap();
    assert_eq!(file.format, RecordFormat::Values);
    assert_values(&file, 0, 0.02, &[0.1, 0.2, 0.3, 0.4, -0.5, 0.6]);
    let said = refused(plain.as_bytes());
    assert!(said.contains("step_s") && said.contains("line 1"), "{said}");
    // one a line, rows of five, rows that are no table
    for text in [
        "0.1\n0.2\n0.3\n0.4\n-0.5\n0.6\n",
        "0.1 0.2 0.3 0.4 -0.5\n0.6\n",
        "0.1 0.2 0.3 0.4 -0.5 0.6\n",
    ] {
        assert_values(
            &RecordFile::read(text.as_bytes(), &options).unwrap(),
            0,
            0.02,
            &[0.1, 0.2, 0.3, 0.4, -0.5, 0.6],
        );
    }
    // the step in the file
    for head in [
        "# dt = 0.02 s, units of m/s2\n",
        "El Centro, in m/s2\nstep_s 0.02\n",
        "ACCELERATION (M/S2)\n6 0.02\n",
        "units of m/s2\nat equal spacing of 0.02 sec\n",
        "# units: m/s2\n# DT=20 ms\n",
    ] {
        let file = read(&format!("{head}{plain}"));
        assert_values(&file, 0, 0.02, &[0.1, 0.2, 0.3, 0.4, -0.5, 0.6]);
    }
    let other = ReadOptions {
        step: Some(0.01),
        ..options.clone()
    };
    let two = RecordFile::read(format!("# dt = 0.02\n{plain}").as_bytes(), &other).unwrap_err();
    assert!(two.to_string().contains("the step that is given"), "{two}");
    let unit = ReadOptions {
        unit: None,
        step: Some(0.02),
        ..ReadOptions::default()
    };
    assert!(
        RecordFile::read(plain.as_bytes(), &unit)
            .unwrap_err()
            .to_string()
            .contains("the unit")
    );
    // a table with times needs none
    let table = RecordFile::read(b"0 1\n0.02 2\n0.04 1\n", &options).unwrap_err();
    assert!(table.to_string().contains("times of its own"), "{table}");
}

/// Columns side by side are no series, which would be as many times as long as the record was.
#[test]
fn columns_without_times_are_not_joined() {
    let options = ReadOptions {
        unit: Some(AccelerationUnit::CentimetrePerSecondSquared),
        step: Some(0.01),
        ..ReadOptions::default()
    };
    let said = |text: &str| {
        let refused = RecordFile::read(text.as_bytes(), &options);
        refused.map(|_| ()).expect_err(text).to_string()
    };
    for (text, cause) in [
        (
            "P,Q,R\n-0.1,0.2,0.3\n0.4,-0.5,0.6\n",
            "line 1: one column of values",
        ),
        ("P,Q,R\n-0.1,0.2,0.3\n0.4,-0.5,0.6\n", "found \"P,Q,R\""),
        (
            "a;b;c;d;e;f\n1.5;-2;3;-4;5;-6\n-1;2;-3;4;-5;6\n",
            "found \"a;b;c;d;e;f\"",
        ),
        ("# P Q\n0.1 0.2\n-0.3 0.4\n", "found \"# P Q\""),
        ("0.1 0.2\n0.3 0.4\n-0.5 0.6\n", "line 1: one value a line"),
        ("0.1 0.2 0.3\n0.4 -0.5 0.6\n", "rows of two to four numbers"),
        ("3 0.01\n0 0.1\n0.02 0.2\n0.04 -0.1\n", "DEEPSOIL"),
    ] {
        let said = said(text);
        assert!(said.contains(cause), "{text}: {said}");
    }
    // As many values as the first line announces are a series in rows of any length.
    let counted = RecordFile::read(b"4 0.01\n1 2\n3 -4\n", &options).unwrap();
    assert_values(&counted, 0, 0.01, &[0.01, 0.02, 0.03, -0.04]);
}

/// Numbers of samples are no seconds.
#[test]
fn a_first_column_that_counts_is_no_time() {
    for head in [
        "Sample,acceleration (g)",
        "No.,acc (g)",
        "Index;a (g)",
        "# sample_no acc_(g)",
    ] {
        let mark = [",", ";"]
            .into_iter()
            .find(|m| head.contains(m))
            .unwrap_or(" ");
        let rows: Vec<String> = (0..4).map(|k| format!("{k}{mark}0.{k}\n")).collect();
        let said = refused(format!("{head}\n{}", rows.concat()).as_bytes());
        assert!(
            said.contains("line 1: times (s)") && said.contains("step_s"),
            "{head}: {said}"
        );
    }
    let of_seconds = read("time (s),acc (g)\n0,0.1\n1,0.2\n2,0.3\n");
    assert_eq!(of_seconds.components[0].record.times(), &[0.0, 1.0, 2.0]);
    let pairs = "TIMESERIES XX_ST__HNZ_D, 2 samples, 100 sps, 2011-03-11T05:46:24.000000, TSPAIR, FLOAT, M/S**2\n\
        2011-03-11T05:46:24.000000  1.0\n2011-03-11T05:46:24.010000  2.0\n";
    assert_eq!(read(pairs).components[0].record.times(), &[0.0, 0.01]);
    let deepsoil = "units of m/s2\n3 0.01\n0 0.1\n0.01 0.2\n0.02 -0.1\n";
    let motion = read(deepsoil);
    assert_values(&motion, 0, 0.01, &[0.1, 0.2, -0.1]);
    assert!(
        motion.remarks[0].contains("DEEPSOIL"),
        "{:?}",
        motion.remarks
    );
    let other_step = deepsoil.replace("3 0.01", "3 0.005");
    assert!(refused(other_step.as_bytes()).contains("DEEPSOIL"));
}

/// Commas and semicolons between values, lines that a carriage return alone ends, and what is told from them.
#[test]
fn values_between_commas_and_lines_of_old_macintoshes_are_read() {
    let options = ReadOptions {
        unit: Some(AccelerationUnit::StandardGravity),
        step: Some(0.01),
        ..ReadOptions::default()
    };
    let si = [-0.03, 0.1, 0.2, -0.4].map(|g| g * 9.80665);
    for text in [
        "-0.03,0.1,0.2,-0.4\n",
        "-0.03;0.1;0.2\n-0.4\n",
        "-0.03, 0.1, 0.2,\n -0.4,\n",
        "-0.03,\n0.1,\n0.2,\n-0.4,\n",
    ] {
        let file = RecordFile::read(text.as_bytes(), &options).unwrap();
        assert_values(&file, 0, 0.01, &si);
    }
    // 0,1 may be one number or two: one, as the step is given.
    let file = RecordFile::read(b"-0,03\n0,1\n0,2\n-0,4\n", &options).unwrap();
    assert_values(&file, 0, 0.01, &si);
    let unstepped = ReadOptions {
        step: None,
        ..options.clone()
    };
    assert!(RecordFile::read(b"-0,03\n0,1\n0,2\n-0,4\n", &unstepped).is_err());
    // A value is missing, or thousands are parted.
    for text in [
        "-0.03\n;\n0.2\n; ;\n",
        "-0.03,,0.2,-0.4\n",
        "-0.03;;0.2;-0.4\n",
        "12.5\n1,234.5\n-3.25\n4.5\n",
    ] {
        assert!(
            RecordFile::read(text.as_bytes(), &options).is_err(),
            "{text}"
        );
    }
    let at2 =
        "ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 4, DT= .0100 SEC\n-0.03 0.1\n0.2 -0.4\n";
    assert_values(&read(&at2.replace('\n', "\r")), 0, 0.01, &si);
    let table: String = (0..5).map(|k| format!("0.0{k},0.1,-0.1\n")).collect();
    let several = refused(table.as_bytes());
    assert!(
        several.contains("a table of times with several columns"),
        "{several}"
    );
    let counts: Vec<u8> = (0..=255).cycle().take(2000).collect();
    assert!(refused(&counts).contains("a binary file"));
}

#[test]
fn at2_with_a_closing_line_and_older_headers_are_read() {
    for (third, end) in [
        ("ACCELERATION TIME HISTORY IN UNITS OF G", "END OF RECORD\n"),
        ("ACCELERATION TIME HISTORY IN G", ""),
        ("ACCELERATION TIME HISTORY (G'S): NIT = 2", "----\n"),
        ("acceleration in g, filtered", "\n"),
    ] {
        let text = format!("PEER\nEVENT\n{third}\nNPTS= 2, DT= .01 SEC\n0.5 -0.25\n{end}");
        let file = read(&text);
        assert_eq!(file.format, RecordFormat::PeerAt2);
        assert_values(&file, 0, 0.01, &[0.5 * 9.80665, -0.25 * 9.80665]);
    }
    let more = "PEER\nE\nUNITS OF G\nNPTS= 2, DT= .01 SEC\n0.5 -0.25\n0.1\n";
    assert!(refused(more.as_bytes()).contains("announces 2 values, found 3"));
}

#[test]
fn milliseconds_and_decimal_commas_are_what_they_say() {
    for text in [
        "t_ms,acceleration_m_s2\n0,1\n10,2\n20,3\n",
        "t (ms),a (m/s2)\n0,1\n10,2\n20,3\n",
        "# Time [msec], acc. [m/s2]\n0 1\n10 2\n20 3\n",
        "Zeit in ms;Beschl. (m/s2)\n0;1\n10;2\n20;3\n",
        "Time since start (ms),Acceleration (m/s²)\n0,1\n10,2\n20,3\n",
        "Time;Acceleration\n(ms);(m/s2)\n0;1\n10;2\n20;3\n",
        "t [ms],a [m s-2],\n0,1,\n10,2,\n20,3,\n",
    ] {
        let file = read(text);
        assert_values(&file, 0, 0.01, &[1.0, 2.0, 3.0]);
        assert!(file.remarks[0].contains("milliseconds"));
    }
    for text in [
        "Zeit (s);Beschleunigung (m/s2)\n0,00;0,10\n0,01;0,20\n0,02;-0,30\n",
        "Zeit (s)\tBeschleunigung (m/s2)\n0,00\t0,10\n0,01\t0,20\n0,02\t-0,30\n",
        "# (m/s2)\n0 0,1\n0,01 0,2\n0,02 -0,3\n",
    ] {
        let file = read(text);
        assert_values(&file, 0, 0.01, &[0.1, 0.2, -0.3]);
        assert!(file.remarks[0].contains("decimal"));
    }
    // UTF-16, as spreadsheets save "Unicode text"
    let wide: Vec<u8> = "\u{feff}time_s\tacceleration_m_s2\r\n0\t1\r\n0.01\t2\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(
        record::read(&wide, None).unwrap().accelerations(),
        &[1.0, 2.0]
    );
}

/// A title that speaks of a time says nothing of its unit: magnitudes, north-south, a survey. What the names of the
/// columns state counts.
#[test]
fn titles_with_a_time_are_no_units() {
    let rows = "0 1\n0.01 2\n0.02 3\n";
    for head in [
        "# Time history of the 1976 Friuli Ms 6.5 earthquake\n# Time (s), Acc (m/s2)",
        "# Time history of the 1976 Friuli Ms 6.5 earthquake\n# (m/s2)",
        "# Time history (Friuli, Ms 6.5)\n# (m/s2)",
        "# Time history NS component\n# Time (s), Acc (m/s2)",
        "Time history NS component (m/s2)",
        "# units of m/s2\nTime NS",
        "# Time series of the US Geological Survey, acceleration (m/s2)",
        "# Time in ms of the clock\nTime (s) Acc (m/s2)",
    ] {
        let file = read(&format!("{head}\n{rows}"));
        assert_values(&file, 0, 0.01, &[1.0, 2.0, 3.0]);
        assert!(file.remarks.is_empty(), "{head}: {:?}", file.remarks);
    }
    let milliseconds = "0;1\n10;2\n20;3\n";
    for head in [
        "# Time (s) of the clock\nTime (ms);Acc (m/s2)",
        "temps en ms;acc (m/s2)",
        "Time since start ms;Acc (m/s2)",
    ] {
        let file = read(&format!("{head}\n{milliseconds}"));
        assert_values(&file, 0, 0.01, &[1.0, 2.0, 3.0]);
    }
    for head in ["Time (ns);Acc (m/s2)", "time_ns;Acc (m/s2)"] {
        let said = refused(format!("{head}\n{milliseconds}").as_bytes());
        assert!(said.contains("time (s) before"), "{head}: {said}");
    }
}

/// Units of time and of the second column that are none of ours, in several languages; a unit given beside the file
/// does not make accelerations of volts.
#[test]
fn other_units_in_the_names_of_columns_are_refused() {
    let rows = "0;1\n10;2\n20;3\n";
    for names in [
        "Time (\u{b5}s);Acceleration (g)",
        "Time (\u{3bc}s);Acceleration (g)",
        "Time since start [min];Acceleration [g]",
        "temps (heures);accélération (g)",
        "Time;Acceleration\n[us];[g]",
        "Zeit (s);Geschwindigkeit (m/s)",
        "temps (s);vitesse (cm/s)",
        "Tiempo (s);Desplazamiento (cm)",
        "Time (s);Channel 1 (V)",
        "Time (s);Weight (mg)",
        "# time (s);signal [counts]",
        "Time (s);Acceleration (ft/s2)",
    ] {
        let text = format!("{names}\n{rows}");
        for unit in [None, Some(AccelerationUnit::MetrePerSecondSquared)] {
            let options = ReadOptions {
                unit,
                step: None,
                ..ReadOptions::default()
            };
            let said = RecordFile::read(text.as_bytes(), &options).unwrap_err();
            assert!(said.to_string().contains("line "), "{names}: {said}");
        }
    }
}

/// Days of a spreadsheet (0.005 s is 5.787e-8 of them), and a sensor that feels gravity.
#[test]
fn what_is_doubtful_in_a_record_is_told() {
    let days: String = (0..8)
        .map(|k| format!("{:.9};0.5\n", 45_413.5 + 5.787e-8 * f64::from(k)))
        .collect();
    let file = read(&format!("Time;Acceleration (g)\n{days}"));
    assert!(
        file.remarks[0].contains("finer than any record"),
        "{:?}",
        file.remarks
    );
    let file = read("time (s),acc (m/s2)\n0,9.8\n0.01,9.9\n0.02,9.7\n");
    assert_eq!(
        file.remarks,
        [
            "the mean of the accelerations is 9.80 m/s², that of gravity: take it off where it is none of the motion"
        ]
    );
}

#[test]
fn what_is_no_record_is_refused_by_its_name() {
    for (bytes, said) in [
        (&b"PK\x03\x04rest"[..], "zip archive"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x93NUMPY\x01\x00v\x00{'descr'", "NumPy (.npy)"),
        (b"WID2 2023/02/06 01:17:36.010 HERM  HNN      INT\n", "remove_response"),
        (b"*KEYWORD\n*DEFINE_CURVE_TITLE\nbase\n$# lcid\n 1 0 1. 1.\n 0. 0.\n .1 2.\n*END\n", "curve of LS-DYNA"),
        (
            b"\"TOA5\",\"Shake\",\"CR6\"\n\"TIMESTAMP\",\"RECORD\",\"AccX\",\"BattV\"\n\"TS\",\"RN\",\"g\",\"Volts\"\n\"\",\"\",\"Smp\",\"Smp\"\n\"2023-02-06 01:17:36\",1,0.1,12.6\n",
            "Campbell logger (TOA5)",
        ),
        (b"000001D STA  BHZ\0\0\x07\xda", "miniSEED"),
        (b"\x00\x00\x80\x3f\x00", "binary"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"", "an empty file"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\n",
            "git lfs pull",
        ),
        (b"{\"a\": 1}", "JSON"),
        (b"Period (s), Sa (g)\n0.1,0.2\n0.2,0.3\n", "spectrum"),
        (
            b"PEER STRONG MOTION\nE\nVELOCITY TIME HISTORY IN UNITS OF CM/S\nNPTS= 1, DT= .01\n1\n",
            "velocities",
        ),
        (
            b"# (g)\n0.01 1\n0.02 1\n0.03 1\n0.05 1\n0.1 1\n0.2 1\n0.3 1\n0.5 1\n1.0 1\n2.0 1\n",
            "spectrum",
        ),
        (
            b"0 1 2 3\n0.01 1 2 3\n0.02 1 2 3\n0.03 1 2 3\n",
            "several columns",
        ),
    ] {
        let message = refused(bytes);
        assert!(
            message.contains(said) && message.contains("accepted"),
            "{message}"
        );
    }
}

#[test]
fn steps_peaks_and_gaps_that_are_no_records_are_told() {
    let said = |text: &str| read(text).remarks.join("; ");
    assert!(said("time_s,acceleration_m_s2\n0,1\n10,2\n20,3\n").contains("in seconds?"));
    assert!(
        said("time_s,acceleration_m_s2\n0,1\n0.01,981\n0.02,3\n").contains("is the unit right?")
    );
    assert!(said("time_s,acceleration_m_s2\n0,1\n0.01,2\n0.05,3\n").contains("1 steps are longer"));
    assert!(said("time_s,acceleration_m_s2\n0,1\n0.01,2\n0.02,3\n").is_empty());
}

fn any_text() -> impl Strategy<Value = String> {
    let bodies = prop_oneof![
        Just(KNET.to_owned()),
        Just(ESM.to_owned()),
        Just(csmip_channel("Up", "  -.000010 77.280000\n1 2 3 4 5 6 7 8")),
        Just(cosmos("cm/sec2(04)", "1 2 3 4")),
        Just(geonet_component("Up", "Corrected")),
        Just("# dt = 0.02 s, units of m/s2\n1 2 3\n4 5\n".to_owned()),
        Just("Zeit (s);Beschleunigung (m/s2)\n0,00;0,10\n0,01;0,20\n".to_owned()),
    ];
    (
        bodies,
        prop::collection::vec(
            (
                any::<prop::sample::Index>(),
                "[ -~\u{e9}\n\t]{0,4}",
                any::<bool>(),
            ),
            0..6,
        ),
    )
        .prop_map(|(mut text, edits)| {
            for (index, piece, cut) in edits {
                let mut at = index.index(text.len().max(1)).min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                if cut {
                    text.truncate(at);
                } else {
                    let mut end = (at + piece.len()).min(text.len());
                    while !text.is_char_boundary(end) {
                        end += 1;
                    }
                    text.replace_range(at..end, &piece);
                }
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// Whatever is cut from a file or written into it: a record of finite values at rising times, or an error.
    #[test]
    fn any_text_is_a_record_or_an_error(text in any_text(), unit in any::<bool>()) {
        let options = ReadOptions { unit: unit.then_some(AccelerationUnit::StandardGravity), step: None, ..ReadOptions::default() };
        if let Ok(file) = RecordFile::read(text.as_bytes(), &options) {
            for component in &file.components {
                prop_assert!(component.record.accelerations().iter().all(|a| a.is_finite()));
            }
        }
    }

    #[test]
    fn any_bytes_are_a_record_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = RecordFile::read(&bytes, &ReadOptions::default());
        let wide = [&[0xff, 0xfe][..], &bytes].concat();
        let _ = RecordFile::read(&wide, &ReadOptions { unit: None, step: Some(0.01), ..ReadOptions::default() });
    }
}

#[test]
fn the_step_beside_a_file_must_be_its_own() {
    let options = ReadOptions {
        unit: None,
        step: Some(0.02),
        ..ReadOptions::default()
    };
    let error = RecordFile::read(KNET.as_bytes(), &options).unwrap_err();
    assert!(error.kind == Kind::Contradiction, "{error}");
    let same = ReadOptions {
        unit: None,
        step: Some(0.01),
        ..ReadOptions::default()
    };
    assert!(RecordFile::read(KNET.as_bytes(), &same).is_ok());
}

/// A hundredth of g in a header: 12.5 %g are 1.2258 m/s². Another unit beside the file does not agree with it.
#[test]
fn a_percentage_of_g_is_a_unit() {
    let text = "Time (s),Acceleration (%g)\n0,0\n0.01,12.5\n0.02,-2\n";
    assert_values(
        &read(text),
        0,
        0.01,
        &[0.0, 0.125 * 9.80665, -0.02 * 9.80665],
    );
    let options = ReadOptions {
        unit: Some(AccelerationUnit::StandardGravity),
        ..ReadOptions::default()
    };
    assert!(RecordFile::read(text.as_bytes(), &options).is_err());
}

/// Times of 200 Hz printed to a hundredth of a second stand still: the line, and what cures it.
#[test]
fn times_that_were_rounded_are_refused_with_their_line() {
    let said = refused(b"Time(s)  Acc(m/s2)\n0.00 0\n0.01 1\n0.01 2\n0.02 0\n");
    assert!(said.contains("line 4") && said.contains("step_s"), "{said}");
}

/// ITACA's first headers tell the state of the data with its type.
#[test]
fn an_unprocessed_acceleration_of_itaca_is_read_with_a_remark() {
    let file = |kind: &str| {
        read(&format!(
            "EVENT_NAME: TEST\nCOMPONENT: NS\nUNITS: cm/s^2\nSAMPLING_INTERVAL_S: 0.010000\nNDATA: 3\n\
             DATA_TYPE: {kind}\nHEADER_FORMAT: DYNA 1.0\n0.000000\n100.0\n-50.0\n"
        ))
    };
    let plain = file("ACCELERATION");
    let raw = file("UNPROCESSED ACCELERATION");
    assert_values(&raw, 0, 0.01, &[0.0, 1.0, -0.5]);
    assert_eq!(raw.components, plain.components);
    assert!(
        raw.remarks.iter().any(|r| r.contains("uncorrected")),
        "{:?}",
        raw.remarks
    );
    assert!(!plain.remarks.iter().any(|r| r.contains("uncorrected")));
    let velocity =
        "UNITS: cm/s\nSAMPLING_INTERVAL_S: 0.01\nNDATA: 2\nDATA_TYPE: UNPROCESSED VELOCITY\n0\n1\n";
    assert!(RecordFile::read(velocity.as_bytes(), &ReadOptions::default()).is_err());
}

/// The line of number, step and format that SHAKE reads above its values.
#[test]
fn a_motion_of_shake_is_read_with_the_step_above_it() {
    let text = "TEST RECORD ACCELERATION IN G\n  10  0.010  8F9.6\n\
        \u{20}0.000000 0.000049 0.000101 0.000154 0.000209 0.000266 0.000056-0.000066\n-0.000193-0.000325\n";
    let right = [
        0.0, 0.000_049, 0.000_101, 0.000_154, 0.000_209, 0.000_266, 0.000_056, -0.000_066,
        -0.000_193, -0.000_325,
    ]
    .map(|a| a * 9.80665);
    for head in ["10  0.010  8F9.6", "10 .01 (8F9.6)", "10, 0.01, (8F9.6)"] {
        let file = read(&text.replace("10  0.010  8F9.6", head));
        assert_values(&file, 0, 0.01, &right);
    }
    let cut = text.replace("-0.000193-0.000325", "-0.000193");
    let cut = RecordFile::read(cut.as_bytes(), &ReadOptions::default());
    assert!(
        cut.as_ref().is_err_and(|e| e.kind == Kind::Truncated),
        "{cut:?}"
    );
}

#[test]
fn a_step_in_the_words_of_other_languages_is_read() {
    for line in [
        "Intervalo de muestreo: 0.01 s",
        "Intervalo de muestreo (s): 0.01",
        "Paso de tiempo = 0.01 s",
        "Intervallo di campionamento: 0.01 s",
        "Abtastintervall: 0.01 s",
        "Intervalo de muestreo: 10 ms",
    ] {
        let text = format!(
            "Laboratorio\n{line}\nNumero de datos: 6\nAceleracion (cm/s2)\n 1 -2 3\n 4 -5 6\n"
        );
        let rows = text.replace(" 1 -2 3\n 4 -5 6\n", "1\n-2\n3\n4\n-5\n6\n");
        let file = read(&rows);
        assert_values(&file, 0, 0.01, &[0.01, -0.02, 0.03, 0.04, -0.05, 0.06]);
    }
}

/// Three directions side by side without times, as observatories export them.
#[test]
fn components_without_times_are_read_at_the_step_that_is_known() {
    let rows = "0.0\t0.5\t-1\n1.5\t-0.5\t2\n-2\t0\t0.5\n";
    let stated = format!(
        "Estacion CBOG1\nIntervalo de muestreo (s): 0.01\nUnidades: cm/s2\nEW\tVER\tNS\n{rows}"
    );
    let file = read(&stated);
    assert_eq!(file.format, RecordFormat::Table);
    let names: Vec<&str> = file.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["EW", "VER", "NS"]);
    assert_values(&file, 0, 0.01, &[0.0, 0.015, -0.02]);
    assert_values(&file, 1, 0.01, &[0.005, -0.005, 0.0]);
    assert_values(&file, 2, 0.01, &[-0.01, 0.02, 0.005]);
    let given = ReadOptions {
        unit: Some(AccelerationUnit::CentimetrePerSecondSquared),
        step: Some(0.01),
        ..ReadOptions::default()
    };
    let bare = format!("EW\tVER\tNS\n{rows}");
    let same = RecordFile::read(bare.as_bytes(), &given).unwrap();
    assert_eq!(same.components, file.components);
    // Not without a step or a unit, and no title is taken for names.
    assert!(RecordFile::read(bare.as_bytes(), &ReadOptions::default()).is_err());
    for refused in [
        bare.replace("EW\tVER\tNS", "El Centro NS"),
        bare.replace("EW\tVER\tNS", "EW\tNS\tNS"),
        // A time in front, which needs no step.
        bare.replace("EW\tVER\tNS", "t\tVER\tNS"),
        bare.replace("\t2\n", "\n"),
    ] {
        assert!(
            RecordFile::read(refused.as_bytes(), &given).is_err(),
            "{refused}"
        );
    }
    let other = ReadOptions {
        step: Some(0.02),
        ..given
    };
    assert!(RecordFile::read(stated.as_bytes(), &other).is_err());
}
