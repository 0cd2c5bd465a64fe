//! Texts of networks with several components side by side, uncorrected accelerograms of California, and tables whose
//! columns or headers would be taken for samples. Headers have the lines of public files; values are typed here.

use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::record::{ReadOptions, RecordFile, RecordFormat};

fn read(text: &str) -> RecordFile {
    RecordFile::read(text.as_bytes(), &ReadOptions::default())
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// With unit and step given, as a user does whom the first message asks for them.
fn refused(text: &str) -> String {
    let options = ReadOptions {
        unit: Some(AccelerationUnit::StandardGravity),
        step: Some(0.01),
        ..ReadOptions::default()
    };
    RecordFile::read(text.as_bytes(), &options)
        .unwrap_err()
        .to_string()
}

fn assert_component(file: &RecordFile, name: &str, step: f64, values: &[f64]) {
    let record = &file.component(Some(name)).unwrap().record;
    assert_eq!(record.accelerations().len(), values.len());
    for (k, (found, value)) in record.accelerations().iter().zip(values).enumerate() {
        assert!(
            (found - value).abs() <= 1e-14 * (1.0 + value.abs()),
            "{name} {k}: {found}"
        );
        assert!((record.times()[k] - step * k as f64).abs() < 1e-12);
    }
}

#[test]
fn uncorrected_accelerograms_of_california_are_read_channel_by_channel() {
    let channel = |name: &str, values: &str| {
        format!(
            "Uncorrected Accelerogram Data             Processed: 07/06/19, CGS  ciccc--y
Rcrd of Fri Jul  5, 2019 20:19:37.0 PDT               (Avol1 v2.0, 4/18 CSMIP)
Chan  {name}
No. of Points =  3  Record Length =0.030 sec   at 100 Samples/sec
Units of uncor data are sec and g.         Max  =  -.567 g, at  39.410 sec.
    1  100    1    3    3  100 -999    3
  .0050000  .7071000 354.30000  .0213656
     3 Accelerogram points at 100 pts/sec in units of g.       Format: (8f9.6)
{values}
/& ----------  End of data for channel  ----------
"
        )
    };
    let text = channel("1:  90 Deg", "  .000027 -.567000  .000021")
        + &channel("2: 360 Deg", " -.000001  .567000-9.000024");
    let file = read(&text);
    assert_eq!(file.format, RecordFormat::CsmipV1);
    let g = 9.80665;
    assert_component(
        &file,
        "90 Deg",
        0.01,
        &[0.000027 * g, -0.567 * g, 0.000021 * g],
    );
    assert_component(
        &file,
        "360 Deg",
        0.01,
        &[-0.000001 * g, 0.567 * g, -9.000024 * g],
    );
    assert!(
        file.remarks
            .iter()
            .any(|r| r.starts_with("90 Deg") && r.contains("uncorrected"))
    );
    let peaks = file
        .remarks
        .iter()
        .filter(|r| r.contains("the header states"));
    assert_eq!(peaks.count(), 1, "{:?}", file.remarks);
}

/// Capitals, a title that says "uncorrected", the form of a Volume 2 (California's files of 1992).
#[test]
fn old_uncorrected_accelerograms_of_california_keep_names_and_peaks() {
    let text = "UNCORRECTED ACCELEROGRAM DATA              PROCESSED: 06/16/98, CDMG 23583
CHAN  1:  90 DEG
UNITS OF UNCOR ACCEL IS G.                 MAX  =   .500 G, AT    .085 SEC.
    3 POINTS OF ACCEL DATA EQUALLY SPACED AT .005 SEC.  (UNITS: G)
     0.001    -0.014     0.002
CHAN  2:  UP
UNITS OF UNCOR ACCEL IS G.                 MAX  =   .020 G, AT    .085 SEC.
    3 POINTS OF ACCEL DATA EQUALLY SPACED AT .005 SEC.  (UNITS: G)
     0.001     0.020     0.002
";
    let file = read(text);
    assert_eq!(file.format, RecordFormat::CsmipV1);
    let g = 9.80665;
    assert_component(&file, "90 DEG", 0.005, &[0.001 * g, -0.014 * g, 0.002 * g]);
    assert_component(&file, "UP", 0.005, &[0.001 * g, 0.02 * g, 0.002 * g]);
    let peaks = file.remarks.iter().filter(|r| r.contains("states a peak"));
    let peaks: Vec<_> = peaks.collect();
    assert!(
        peaks.len() == 1 && peaks[0].starts_with("90 DEG"),
        "{peaks:?}"
    );
    let raw = |r: &&String| r.contains("uncorrected");
    assert_eq!(file.remarks.iter().filter(raw).count(), 2);
}

/// A spectrum shows by the names of its columns, however its periods are spaced; a title shows nothing.
#[test]
fn a_spectrum_is_told_by_the_names_of_its_columns() {
    let rows: String = (1..12)
        .map(|k| format!("{},{}\n", 0.1 * f64::from(k), 0.3))
        .collect();
    let tabs = rows.replace(',', "\t");
    for (names, rows) in [
        ("\"<i>T</i>(s)\",\"<i>S</i>\u{2090}\u{2091}(g)\"\n", &rows),
        ("T (s),Sa (g)\n", &rows),
        ("Tn (s),Sa (g)\n", &rows),
        ("f (Hz),PSA (g)\n", &rows),
        ("T (sec)\tPSA (g)\n", &tabs),
        ("Period (s),Sa (g)\n", &rows),
        ("title\nFrequency\tFAS\nHz\tg s\n", &tabs),
    ] {
        let options = ReadOptions {
            unit: Some(AccelerationUnit::StandardGravity),
            step: None,
            ..ReadOptions::default()
        };
        let text = format!("{names}{rows}");
        let said = RecordFile::read(text.as_bytes(), &options)
            .unwrap_err()
            .to_string();
        assert!(said.contains("spectrum"), "{names}: {said}");
    }
    for title in [
        "Frequency range: 0.02-50.0 Hz\n",
        "Period of record: 1999\n",
        "Frequency: 100 Hz\n",
    ] {
        let file = read(&format!("{title}Time[s]\tAccel[g]\n{tabs}"));
        assert_eq!(file.components[0].record.times().len(), 11, "{title}");
    }
    for title in [
        "# Component SE",
        "Station SD01",
        "M 5.6, SE of Cushing",
        "San Diego, SD",
        "# Matched Spectral accelerogram",
    ] {
        let file = read(&format!("{title}\nTime (s),Acc (g)\n{rows}"));
        assert_eq!(file.components[0].record.times().len(), 11, "{title}");
    }
}

/// What a given unit and step would let pass as a series: numbers of headers, catalogues, pairs below their number.
#[test]
fn numbers_that_are_no_samples_are_refused() {
    let bhrc = "* VOL1DS FILE:  5522/01
Inst Type = SSA-2
COMP L1
NO. OF POINTS =   9984      DURATION =  49.920
UNITS ARE SECONDS AND G/10
    0    0    0    0    0    0    0
  .193424E-01  .640000E+00  .499200E+02
 -.114699E-01 -.114699E-01 -.114699E-01
";
    assert!(refused(bhrc).contains("Iran"));
    let chile = "a\nb\nc\n     UNIVERSIDAD DE CHILE - RENADIC\n 1 2 3\n 4 5 6\n";
    assert!(refused(chile).contains("RENADIC"));
    let titled = format!("UNCORRECTED ACCELEROGRAM DATA   PROCESSED: 06/30/2011\n{chile}");
    assert!(refused(&titled).contains("RENADIC"));
    let caltech = "CORRECTED ACCELEROGRAM   IIA001   40.001.0  COMP S00E  FILE 1\n 1 2 3\n .1 .2\n";
    assert!(refused(caltech).contains("Volume 2"));
    let header =
        "station 12\n    0    0 9984    0    0\n .1 .2 .3 .1 .2\n .1 .2 .3\n .1 .2 .3 .1 .2\n";
    assert!(refused(header).contains("as many values a line"));
    let wider = "station 12\n 9984\n .1\n .1 .2 .3 .1 .2\n";
    assert!(refused(wider).contains("as many values a line"));
    let catalogue = "9.5 35.1 2008 4 12 5.1 10\n9.6 35.9 2009 5 1 5.2 33\n9.7 35.2 2010 11 30 4.9 12\n9.4 35.3 2011 1 2 5 8\n";
    assert!(refused(catalogue).contains("different quantities"));
    let western = "-70.5 -30.1 2008 4 12 5.1 10\n-70.6 -30.9 2009 5 1 5.2 33\n-70.7 -30.2 2010 11 30 4.9 12\n";
    assert!(refused(western).contains("different quantities"));
    // A sine of 10 Hz, ten values of 0.01 s a line: each column is one value again and again, to noise or exactly.
    for noise in [0.0, 1e-3] {
        let value = |k: usize| {
            let phase = std::f64::consts::TAU * (k % 10) as f64 / 10.0;
            // A remainder of squares has no period of ten.
            3.7 * phase.sin() + noise * ((k * k % 97) as f64 / 97.0 - 0.5)
        };
        let line = |row: usize| {
            let words: Vec<String> = (0..10)
                .map(|k| format!("{:.6}", value(10 * row + k)))
                .collect();
            words.join(" ") + "\n"
        };
        let rows: String = (0..7).map(line).collect();
        let file = read(&format!("dt = 0.01 s, units of m/s2\n{rows}"));
        assert_eq!(file.components[0].record.times().len(), 70);
    }
    // Five a line of one series, the last line shorter, is one.
    let series = "dt = 0.01 s, units of g\n.1 -.2 .3 -.1 .2\n.4 -.2 .1 -.3 .2\n.1 -.2 .3 -.1 .2\n-.1 .2 .3 .1 -.2\n.5 .6\n";
    assert_eq!(read(series).components[0].record.times().len(), 22);
}

/// A sampling rate in the header is the step, and one beside the file must be the same.
#[test]
fn a_sampling_rate_is_a_step() {
    for said in [
        "# Sampling frequency: 200 Hz",
        "# sampling rate 200Hz",
        "# Tasa de muestreo: 200 [Hz]",
        "# SAMPLING FREQUENCY (HZ) = 200",
        "# sample rate: 200 sps",
    ] {
        let text = format!("{said}\n# acceleration (m/s2)\n0.5\n-0.25\n0.125\n");
        let file = read(&text);
        let times = file.components[0].record.times();
        assert!((times[2] - 0.01).abs() < 1e-15, "{said}: {times:?}");
        let options = ReadOptions {
            unit: None,
            step: Some(0.01),
            ..ReadOptions::default()
        };
        let said = RecordFile::read(text.as_bytes(), &options);
        assert!(said.is_err());
    }
    // The corner of a filter is none.
    for said in [
        "# high-pass 0.1 Hz",
        "# 4096 samples, low-pass 25 Hz",
        "# 4096 samples, corner at 25 Hz",
        "# sampled evenly, low-pass 25 Hz",
        "# samples at equal steps, filtered at 25 Hz",
    ] {
        let text = format!("{said}, acceleration (m/s2)\n0.5\n-0.25\n0.125\n");
        let refused = RecordFile::read(text.as_bytes(), &ReadOptions::default());
        let cause = refused.expect_err(said).to_string();
        assert!(
            cause.contains("the step of values without times"),
            "{cause}"
        );
    }
    // A rate and a step that are not the same; that of the record is given beside the file.
    let two = |step: &str| {
        format!("# sampling rate 200 Hz\n# dt = {step} s, units of m/s2\n0.5\n-0.25\n0.125\n")
    };
    let read_with = |step: &str, beside| {
        let options = ReadOptions {
            unit: None,
            step: beside,
            ..ReadOptions::default()
        };
        RecordFile::read(two(step).as_bytes(), &options)
    };
    let cause = read_with("0.02", None).unwrap_err().to_string();
    assert!(
        cause.contains("line 1: a sampling rate of the step"),
        "{cause}"
    );
    assert!(read_with("0.02", Some(0.02)).is_ok());
    assert!(read_with("0.005", None).is_ok());
}

/// SHAKE's input: eight fields of six decimals, which may touch, and the number of the line behind them, also of the
/// last, shorter one.
#[test]
fn a_last_column_that_counts_the_lines_is_no_sample() {
    let deck = "0.000000 0.500000-0.250000      1\n-0.125000-0.500000 0.250000      2\n\
        0.125000 0.750000-0.125000      3\n-0.250000      4\n";
    let right = [
        0.0, 0.5, -0.25, -0.125, -0.5, 0.25, 0.125, 0.75, -0.125, -0.25,
    ];
    let unit = "dt = 0.01 s, units of m/s2\n";
    let file = read(&format!("{unit}{deck}"));
    assert_component(&file, "", 0.01, &right);
    assert!(
        file.remarks
            .iter()
            .any(|r| r.contains("last column counts")),
        "{:?}",
        file.remarks
    );
    // Written as values are, or beside whole numbers, it may be one of them.
    let pointed = "0.1 -0.2 1.0\n0.3 0.1 2.0\n-0.2 0.4 3.0\n0.5 -0.1 4.0\n";
    let whole = "12 -7 10\n3 9 20\n-8 2 30\n5 6 40\n";
    for text in [pointed, whole] {
        let said = refused(&format!("{unit}{text}"));
        assert!(said.contains("a count of the lines"), "{said}");
    }
}

/// *AMPLITUDE of Abaqus: four pairs a line, the last line shorter; times that are not even, or are rounded.
#[test]
fn pairs_of_times_and_values_in_one_line_are_no_series() {
    let pairs = |times: &[f64]| {
        let pair = |t: &f64| format!("{t}, {:.1}", (40.0 * t).sin());
        let pairs: Vec<String> = times.iter().map(pair).collect();
        let lines: Vec<String> = pairs.chunks(4).map(|line| line.join(", ")).collect();
        format!(
            "*AMPLITUDE, NAME=E\nunits of m/s2, dt = 0.01\n{}\n",
            lines.join("\n")
        )
    };
    let even = |count: usize| -> Vec<f64> { (0..count).map(|k| k as f64 / 100.0).collect() };
    let uneven = [0.0, 0.1, 0.15, 0.4, 0.5, 0.8, 0.82, 1.0, 1.3, 1.31];
    let rounded = [0.0, 0.004, 0.008, 0.012, 0.016, 0.02, 0.023, 0.027, 0.031];
    for times in [&even(9)[..], &even(10), &even(12), &uneven, &rounded] {
        let said = refused(&pairs(times));
        assert!(said.contains("pairs of a time"), "{times:?}: {said}");
    }
    // A table of times and components whose last line was cut.
    let cut = "units of m/s2, dt = 0.01\n0 .1 .2\n.01 .3 -.1\n.02 .1 .2\n.03 -.2 .1\n.04 .1\n";
    assert!(refused(cut).contains("a table of times"));
}

/// A unit of velocity or displacement that a header states for its values, in any of its places; facts beside the
/// values and systems of units have such units too.
#[test]
fn units_of_velocity_and_displacement_are_refused() {
    let options = ReadOptions {
        unit: Some(AccelerationUnit::MetrePerSecondSquared),
        step: Some(0.01),
        ..ReadOptions::default()
    };
    let read = |text: &str, options: &ReadOptions| RecordFile::read(text.as_bytes(), options);
    let values = "0.1\n-0.2\n0.3\n";
    for head in [
        "\"Units : mm/s and dB(L)\"\n\"Tran PPV : 5.080 mm/s\"\n\n   Tran\n",
        "Units: cm/sec\nStation 4\nlong text\n",
        "# Einheit: mm\n# a\n# b\n",
        "UNITS ARE IN/S\na\nb\n",
        "Unidades: m\n",
        "Tran\nmm/s\n",
        "Kanal [mm/s]\n",
        "Tran mm/s\n",
        "v_cm_s\n",
    ] {
        let said = read(&format!("{head}{values}"), &options).expect_err(head);
        assert!(
            said.to_string().contains("unit of velocity"),
            "{head}: {said}"
        );
    }
    for head in [
        "Trigger level : 1.000 mm/s\nPGV (cm/s): 12.3\nStation 4\n",
        "# PGV (cm/s)\n# acceleration (m/s2)\n",
        "Units: kN, m, s\n",
        "units of m/s2\nVs30 = 360 m/s\n",
        "Acceleration, units (cm/sec)/sec\n",
        "# units: m s-2; PGV m/s\n",
    ] {
        let file = read(&format!("{head}{values}"), &options);
        assert!(file.is_ok(), "{head}: {file:?}");
    }
    // A unit of something else beside a stated one of acceleration.
    let bare = ReadOptions::default();
    for head in [
        "# station elevation unit: m\ntime_s,acceleration_g\n",
        "# station elevation unit: m\nTime (s), Acceleration (g)\n",
    ] {
        let file = read(&format!("{head}0,0.1\n0.01,-0.2\n"), &bare);
        assert!(file.is_ok(), "{head}: {file:?}");
    }
    // A title that begins with the step is no row of names.
    let title = "Time step: 0.01 s  Units: g  Event Friuli  Station Rome  Component NS\n";
    let rows = "0.1 -0.2 0.3 -0.1 0.2\n-0.3 0.1 0.0 -0.2 0.1\n";
    let file = read(&format!("{title}{rows}"), &bare).unwrap();
    assert_eq!(file.components[0].record.times().len(), 10);
    // A few values that rise evenly are a ramp, as in a test of a tilting table.
    let ramp = read("dt = 0.01, in g\n0 0.1 0.2 0.3 0.4 0.5\n0.6 0.7\n", &bare).unwrap();
    assert_eq!(ramp.components[0].record.times().len(), 8);
    // Two columns, and a table whose names say nothing.
    let timed = ReadOptions {
        step: None,
        ..options.clone()
    };
    for text in [
        "Units: mm/s\nTime Tran\n0 0.1\n0.01 0.2\n",
        "Units: mm/s\nTime;Tran;Vert\n0;0.1;0.2\n0.01;0.2;0.3\n",
        "time_s;v_mm_s\n0;0.1\n0.01;0.2\n",
    ] {
        let said = read(text, &timed).expect_err(text).to_string();
        assert!(said.contains("unit of velocity"), "{text}: {said}");
    }
    let beside = "time_s;x;vx_mm_s\n0;0.1;0.2\n0.01;0.2;0.3\n";
    let file = read(beside, &timed).unwrap();
    assert_eq!(file.components.len(), 1, "{:?}", file.components);
}
