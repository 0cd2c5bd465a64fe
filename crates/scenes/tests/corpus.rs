//! Replays the fuzzing corpus: seeds and everything that once crashed a reader.

#[path = "../../../fuzz/readers.rs"]
mod readers;

use std::path::Path;

/// Each file as it is, cut short, and with each byte changed: as far as a test has time for.
fn replay(target: &str, read: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        read(&bytes);
        for i in 0..bytes.len().min(400) {
            read(&bytes[..i]);
            for byte in [0, b'-', b'9', 0xff] {
                let mut changed = bytes.clone();
                changed[i] = byte;
                read(&changed);
            }
        }
        files += 1;
    }
    assert!(files > 0, "{target}: the corpus is empty");
}

#[test]
fn no_reader_panics_on_its_corpus() {
    replay("scene", readers::scene);
    replay("ascii_grid", readers::ascii_grid);
    replay("geotiff", readers::geotiff);
    replay("stl", readers::stl);
    replay("obj", readers::obj);
    replay("at2", readers::at2);
    replay("record_csv", readers::record_csv);
    replay("record", readers::record);
    replay("geojson", readers::geojson);
    replay("shapefile", readers::shapefile);
    replay("points", readers::points);
    replay("crs", readers::crs);
    replay("beside", readers::beside);
    replay("ply", readers::ply);
    replay("cloud", readers::cloud);
}
