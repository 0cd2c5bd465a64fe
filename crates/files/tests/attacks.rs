//! Whatever is cut from a file of the cases or written into it, and any bytes: a value or a refusal, never a panic.

use std::path::Path;
use std::sync::LazyLock;

use klast_files::by_ending::{mesh_from, raster};
use klast_files::crs::Crs;
use klast_files::raster::Beside;
use klast_files::record::{ReadOptions, RecordFile};
use klast_files::shapes::Shapes;
use klast_files::table;
use klast_ground_motion::AccelerationUnit;
use proptest::prelude::*;

fn read_all(bytes: &[u8], record: &ReadOptions) -> Result<(), TestCaseError> {
    if let Ok(file) = RecordFile::read(bytes, record) {
        for component in &file.components {
            let (times, values) = (component.record.times(), component.record.accelerations());
            prop_assert!(values.iter().all(|a| a.is_finite()));
            prop_assert!(times.windows(2).all(|pair| pair[1] > pair[0]));
            let _ = component.record.baseline();
        }
    }
    for ending in ["stl", "obj", "ply"] {
        let _ = mesh_from(ending, bytes);
    }
    for file in ["a.tif", "a.asc", "a.hdr", "a"] {
        let _ = raster(file, bytes, &Beside::default());
    }
    for file in ["a.csv", "a.geojson", "a.shp", "a.kml", "a.gpx", "a.sqlite"] {
        let _ = Shapes::read(file, bytes, &mut |_| Ok(Some(bytes.to_vec())));
    }
    let _ = table::rows(Path::new("a.csv"), bytes);
    let _ = Crs::parse(&String::from_utf8_lossy(bytes));
    Ok(())
}

/// What is known beside a record.
fn known() -> impl Strategy<Value = ReadOptions> {
    let column = || {
        prop::option::of(prop::sample::select(vec![
            "1", "2", "9", "time", "Acc", "0", "",
        ]))
    };
    (any::<bool>(), any::<bool>(), column(), column()).prop_map(
        |(unit, step, time, acceleration)| ReadOptions {
            unit: unit.then_some(AccelerationUnit::StandardGravity),
            step: step.then_some(0.01),
            time_column: time.map(str::to_owned),
            acceleration_column: acceleration.map(str::to_owned),
        },
    )
}

/// The files of all cases of records.
fn texts() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/record");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|e| e == "cases"));
    let all = files.flat_map(|file| crate::cases::cases(&file));
    let mut all: Vec<Vec<u8>> = all.map(|case| case.bytes).collect();
    all.sort();
    all
}

type Edit = (prop::sample::Index, Vec<u8>, bool);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let piece = prop::collection::vec(
        prop_oneof![32u8..127, Just(b'\n'), Just(b'\t'), any::<u8>()],
        0..4,
    );
    prop::collection::vec((any::<prop::sample::Index>(), piece, any::<bool>()), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_changed_file_is_read_or_refused(which in any::<prop::sample::Index>(), edits in edits(), record in known()) {
        static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(texts);
        let texts = &*TEXTS;
        let mut bytes = texts[which.index(texts.len())].clone();
        for (index, piece, cut) in edits {
            let at = index.index(bytes.len().max(1)).min(bytes.len());
            match cut {
                true => bytes.truncate(at),
                false => {
                    let end = (at + piece.len()).min(bytes.len());
                    bytes.splice(at..end, piece);
                }
            }
        }
        read_all(&bytes, &record)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), record in known()) {
        read_all(&bytes, &record)?;
        read_all(&[&[0xff, 0xfe][..], &bytes].concat(), &record)?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(?s).{0,200}", head in 0usize..3, record in known()) {
        let heads = ["", "A\nB\nUNITS OF G\nNPTS= 3, DT= .01 SEC\n", "time_s,acceleration_g\n"];
        read_all(format!("{}{text}", heads[head]).as_bytes(), &record)?;
    }
}

/// No count is too large and no table too wide.
#[test]
fn wide_tables_and_large_counts_are_refused() {
    let line = |cell: &str| format!("{}\n", vec![cell; 20_000].join(","));
    let wide = [line("N"), line("Time"), line("0"), line("1")].concat();
    let large = "9223372036854775806\t1\n9223372036854775807\t2\n9223372036854775807\t3\n";
    for text in [&wide, large] {
        let unit = Some(AccelerationUnit::StandardGravity);
        let options = ReadOptions {
            unit,
            ..ReadOptions::default()
        };
        assert!(RecordFile::read(text.as_bytes(), &options).is_err());
    }
}
