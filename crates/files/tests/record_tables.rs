//! Tables of a time and several columns as telephones, loggers and spreadsheets write them, units in parts of g, and
//! factors beside a unit. The right values are those that stand in the texts, times the definition of their unit
//! (1 g = 9.80665 m/s²).

use klast_dynamics::ground_motion::AccelerationUnit;
use klast_files::record::{ReadOptions, RecordFile, RecordFormat};

const G: f64 = 9.80665;
/// Of a product of two doubles.
const ROUNDING: f64 = 1e-15;

fn read(text: &str, unit: Option<AccelerationUnit>) -> Result<RecordFile, String> {
    let options = ReadOptions {
        unit,
        step: None,
        ..ReadOptions::default()
    };
    RecordFile::read(text.as_bytes(), &options).map_err(|e| e.to_string())
}

fn assert_component(file: &RecordFile, name: &str, times: &[f64], values: &[f64]) {
    let record = &file.component(Some(name)).unwrap().record;
    assert_eq!(record.times(), times, "{name}");
    for (found, right) in record.accelerations().iter().zip(values) {
        assert!(
            (found - right).abs() <= ROUNDING * right.abs(),
            "{name}: {found} {right}"
        );
    }
    assert_eq!(record.accelerations().len(), values.len());
}

/// phyphox writes uneven times, quoted names, and the length of the vector in a fourth column.
#[test]
fn a_telephone_s_columns_are_components() {
    let text = "\"Time (s)\",\"Linear Acceleration x (m/s^2)\",\"Linear Acceleration y (m/s^2)\",\"Absolute acceleration (m/s^2)\"\n\
        1.0E-3,1.5E0,-2.5E-1,1.52E0\n1.1E-2,-5.0E-1,0.0E0,5.0E-1\n2.3E-2,2.0E0,1.0E0,2.24E0\n";
    let file = read(text, None).unwrap();
    assert_eq!(file.format, RecordFormat::Table);
    let times = [0.001, 0.011, 0.023];
    assert_component(&file, "Linear Acceleration x", &times, &[1.5, -0.5, 2.0]);
    assert_component(&file, "linear acceleration y", &times, &[-0.25, 0.0, 1.0]);
    assert_component(&file, "Absolute acceleration", &times, &[1.52, 0.5, 2.24]);
    // None is chosen where the user says none.
    assert!(file.component(None).is_err());
}

/// Units in the names, in the names of ours, below the names, and beside the file; thousandths of g; decimal commas.
#[test]
fn the_unit_of_a_column_stands_in_its_name_or_below() {
    for (text, unit) in [
        (
            "Time [s],NS [mg],EW [mg]\n0.00,100,-50\n0.01,200,25\n",
            None,
        ),
        (
            "time_s,acc_NS_g,acc_EW_g\n0.00,0.1,-0.05\n0.01,0.2,0.025\n",
            None,
        ),
        ("Time;NS;EW\ns;g;g\n0,00;0,1;-0,05\n0,01;0,2;0,025\n", None),
        (
            "t [ms]\tNS (g)\tEW (g)\n0\t0.1\t-0.05\n10\t0.2\t0.025\n",
            None,
        ),
        (
            "# station A\nTime,NS,EW\n0.00,0.1,-0.05\n0.01,0.2,0.025\n",
            Some(AccelerationUnit::StandardGravity),
        ),
    ] {
        let file = read(text, unit).unwrap();
        let names: Vec<String> = file.components.iter().map(|c| c.name.clone()).collect();
        assert!(
            names[0].contains("NS") && names[1].contains("EW"),
            "{names:?}"
        );
        assert_component(&file, &names[0], &[0.0, 0.01], &[0.1 * G, 0.2 * G]);
        assert_component(&file, &names[1], &[0.0, 0.01], &[-0.05 * G, 0.025 * G]);
    }
}

/// What is no acceleration is left out and named; without any unit nothing is read.
#[test]
fn other_columns_of_a_table_are_named() {
    let text =
        "Time (s),Acc (m/s2),Vel (m/s),Gyro x (rad/s),Weight (g)\n0,1,9,8,7\n0.01,-2,9,8,7\n";
    let file = read(text, None).unwrap();
    assert_component(&file, "Acc", &[0.0, 0.01], &[1.0, -2.0]);
    assert_eq!(file.components.len(), 1);
    let said = file.remarks.join("; ");
    for name in ["Vel (m/s)", "Gyro x (rad/s)", "Weight (g)"] {
        assert!(said.contains(name), "{said}");
    }
    let rows = "0,1,2\n0.01,3,4\n0.02,5,6\n0.03,7,8\n";
    assert!(read(&format!("Time,NS,EW\n{rows}"), None).is_err());
    assert!(read(&format!("Time (s),u (mm),v (mm)\n{rows}"), None).is_err());
    assert!(
        read(
            &format!("Time (s),u (mm),v (mm)\n{rows}"),
            Some(AccelerationUnit::StandardGravity)
        )
        .is_err()
    );
    let short = read("Time (s),NS (g),EW (g)\n0,1,2\n0.01,3\n", None).unwrap_err();
    assert!(short.contains("line 3"), "{short}");
    let mixed = "Time (s),NS (g),EW (m/s2)\n0,1,2\n0.01,3,4\n";
    let file = read(mixed, None).unwrap();
    assert_component(&file, "NS", &[0.0, 0.01], &[G, 3.0 * G]);
    assert_component(&file, "EW", &[0.0, 0.01], &[2.0, 4.0]);
    assert!(read(mixed, Some(AccelerationUnit::StandardGravity)).is_err());
}

#[test]
fn thousandths_of_g_are_read() {
    for head in [
        "Time (s),Acc (mg)",
        "time_s,acc_mg",
        "# units of mg\ntime,acc",
        "Time [s],a [mg]",
    ] {
        let file = read(&format!("{head}\n0,100\n0.01,-1000\n"), None).unwrap();
        assert_component(&file, "", &[0.0, 0.01], &[0.1 * G, -G]);
    }
    // Not of a unit that is given otherwise.
    let given = Some(AccelerationUnit::MetrePerSecondSquared);
    assert!(read("Time (s),Acc (mg)\n0,100\n0.01,-1000\n", given).is_err());
}

/// A factor beside the unit changes what the values are; grams are no accelerations; nor are spectral densities.
#[test]
fn factors_beside_a_unit_are_refused() {
    for head in [
        "Time (s),Acc (g) x10",
        "Time (s),Acc (m/s2)*10^-3",
        "Time (s),Acc*100 (g)",
        "Time (s),Acc x 100 (g)",
        "Time (s),Acc (g)/10",
        "Time (s),Acc ((m/s2)/sqrt(Hz))",
        "Time (s),Weight (g)",
        "Time (ds),Acc (g)",
    ] {
        let said = read(&format!("{head}\n0,1\n0.01,2\n"), None).unwrap_err();
        assert!(said.contains("line 1"), "{head}: {said}");
    }
    let sentence = "# a pulse of 2 s, the displacement of a mass in (g) / (s)\nTime (s),Acc (g)\n0,1\n0.01,2\n";
    assert_component(
        &read(sentence, None).unwrap(),
        "",
        &[0.0, 0.01],
        &[G, 2.0 * G],
    );
    // Names of axes and sensors are none.
    for head in [
        "Time (s),Acc X (g)",
        "Time (s),Acc (g) X",
        "Time (s),Acc x 2 (g)",
        "Time (s),Acc-1 (g)",
    ] {
        let file = read(&format!("{head}\n0,1\n0.01,2\n"), None).unwrap();
        assert_component(&file, "", &[0.0, 0.01], &[G, 2.0 * G]);
    }
}

#[test]
fn a_factor_in_a_line_above_the_values_is_told() {
    let told = |head: &str| {
        read(&format!("{head}\n0,1\n0.01,2\n"), None)
            .unwrap()
            .remarks
    };
    let said = told("# scale factor = 0.5\nTime (s),Acc (g)");
    assert!(
        said.iter()
            .any(|r| r.contains("line 1") && r.contains("0.5")),
        "{said:?}"
    );
    assert!(told("# scale factor: 1.0\nTime (s),Acc (g)").is_empty());
    assert!(told("# Richter scale 6.5, full scale\nTime (s),Acc (g)").is_empty());
}

/// ObsPy writes no unit: one that is given is taken for floating-point numbers, and for counts none is.
#[test]
fn a_list_of_obspy_without_a_unit_needs_one() {
    let text = |kind: &str| {
        format!(
            "TIMESERIES CH_SION__HGN_, 3 samples, 100 sps, 1970-01-01T00:00:00.000000, SLIST, {kind}, \n+0.5e+00\t-2.5e-01\t1\n"
        )
    };
    let given = Some(AccelerationUnit::MetrePerSecondSquared);
    let file = read(&text("FLOAT"), given).unwrap();
    assert_component(&file, "HGN", &[0.0, 0.01, 0.02], &[0.5, -0.25, 1.0]);
    assert!(
        read(&text("FLOAT"), None)
            .unwrap_err()
            .contains("unit beside the file")
    );
    assert!(read(&text("INTEGER"), given).is_err());
}

/// Spreadsheets put quotes around cells with commas: names with their unit behind a comma, numbers with decimal commas.
#[test]
fn quoted_cells_may_have_commas() {
    for text in [
        "\"Time, s\",\"Acceleration, m/s²\"\n0.00,1.5\n0.01,-0.25\n",
        "\"Time, ms\",\"Acceleration, cm/s²\"\n0,150\n10,-25\n",
        "\"Zeit (s)\",\"Beschl. (m/s2)\"\n0,\"1,5\"\n\"0,01\",\"-0,25\"\n",
        "\"Zeit (s)\",\"Beschl. (m/s2)\"\n\"0,00\",\"1,50\"\n\"0,01\",\"-0,25\"\n",
        "Time / s;Acceleration / m/s²\n0.00;1.5\n0.01;-0.25\n",
        "t / ms\ta / (m/s²)\n0\t1.5\n10\t-0.25\n",
        "Time, s\tAcceleration, m/s2\n0.00\t1.5\n0.01\t-0.25\n",
        "Zeit (s);a (m/s²)\n0,00;1,5\n0,01;\u{2212}0,25\n",
        "Time_s,Acc_mps2\n0.00,1.5\n0.01,-0.25\n",
    ] {
        let file = read(text, None).unwrap_or_else(|e| panic!("{text}: {e}"));
        let record = &file.components[0].record;
        assert_eq!(record.times(), &[0.0, 0.01], "{text}");
        assert_eq!(record.accelerations(), &[1.5, -0.25], "{text}");
    }
    let two = "\"Time (s)\",\"NS (g)\",\"EW (g)\"\n\"0,00\",\"1,5\",\"0,5\"\n\"0,01\",\"-0,25\",\"2,0\"\n";
    let file = read(two, None).unwrap();
    assert_component(&file, "EW", &[0.0, 0.01], &[0.5 * G, 2.0 * G]);
    // Another quantity, commas of thousands, and a title that has a letter behind a comma.
    for text in [
        "Soil class, G;Station, B\n0.00;1.5\n0.01;-0.25\n",
        "\"Time, s\",\"Velocity, cm/s\"\n0.00,1.5\n0.01,-0.25\n",
        "Time (s),Acc (cm/s2)\n0.00,\"1,500.5\"\n0.01,\"-2,500.0\"\n",
    ] {
        assert!(read(text, None).is_err(), "{text}");
    }
}

/// SeismoSignal writes names with blanks between blanks.
#[test]
fn names_with_blanks_between_blanks_are_told_apart() {
    let rows = "0.00 1.5 9 8\n0.01 -0.25 9 8\n0.02 0.5 9 8\n0.03 0.25 9 8\n";
    for head in [
        "Time (sec)   Acceleration (g)   Velocity (cm/sec)   Displacement (cm)",
        "Time (sec) Acceleration (g) Velocity (cm/sec) Displacement (cm)",
        "Time [sec]  Acceleration [g]  Velocity [cm/sec]  Displacement [cm]",
    ] {
        let file = read(&format!("{head}\n{rows}"), None).unwrap_or_else(|e| panic!("{head}: {e}"));
        assert_eq!(file.components.len(), 1, "{head}");
        let times = [0.0, 0.01, 0.02, 0.03];
        assert_component(
            &file,
            "Acceleration",
            &times,
            &[1.5 * G, -0.25 * G, 0.5 * G, 0.25 * G],
        );
        assert!(
            file.remarks.join("; ").contains("Velocity"),
            "{:?}",
            file.remarks
        );
    }
}

/// Two columns of one name are asked for by what tells them apart.
#[test]
fn components_of_one_name_have_names_of_their_own() {
    let rows = "0,1,2\n0.01,3,4\n";
    let file = read(
        &format!("Time (s),Acc (g) raw,Acc (g) corrected\n{rows}"),
        None,
    )
    .unwrap();
    assert_component(&file, "Acc (g) raw", &[0.0, 0.01], &[G, 3.0 * G]);
    assert_component(
        &file,
        "Acc (g) corrected",
        &[0.0, 0.01],
        &[2.0 * G, 4.0 * G],
    );
    let file = read(&format!("Time (s),Acc (g),Acc (g)\n{rows}"), None).unwrap();
    assert_component(
        &file,
        "Acc (g) (column 3)",
        &[0.0, 0.01],
        &[2.0 * G, 4.0 * G],
    );
}

/// Sensor Logger writes nanoseconds since 1970 before the seconds since the start.
#[test]
fn elapsed_seconds_are_the_time_beside_a_clock_since_1970() {
    let unit = Some(AccelerationUnit::MetrePerSecondSquared);
    let clock = "1718030736872695300,0.07,0.5,-1.5\n1718030736882695300,0.08,0.25,2.5\n";
    for head in [
        "time,seconds_elapsed,z,x",
        "time,elapsed_s,z,x",
        "time,t_s,z,x",
    ] {
        let file = read(&format!("{head}\n{clock}"), unit).unwrap();
        assert_eq!(file.components.len(), 2, "{head}: {:?}", file.components);
        assert_component(&file, "z", &[0.07, 0.08], &[0.5, 0.25]);
        assert_component(&file, "x", &[0.07, 0.08], &[-1.5, 2.5]);
    }
    let alone = read("seconds_elapsed,z,x\n0.07,0.5,-1.5\n0.08,0.25,2.5\n", unit).unwrap();
    assert_component(&alone, "x", &[0.07, 0.08], &[-1.5, 2.5]);
    let thousandths = read("ms_elapsed,z,x\n0,0.5,-1.5\n500,0.25,2.5\n", unit).unwrap();
    assert_component(&thousandths, "x", &[0.0, 0.5], &[-1.5, 2.5]);
    // A column that only rises is no component, whatever its name.
    let rows: String = (0..9)
        .map(|k| format!("{},{},{}\n", 0.01 * f64::from(k), 4 * k, k % 3))
        .collect();
    let file = read(&format!("time_s,tick,x\n{rows}"), unit).unwrap();
    assert_eq!(file.components.len(), 1, "{:?}", file.components);
    assert!(
        file.remarks.join(" ").contains("tick"),
        "{:?}",
        file.remarks
    );
}
