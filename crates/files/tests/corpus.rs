//! Replays the fuzzing corpus of the readers.

#[path = "../../../fuzz/readers.rs"]
mod readers;
#[path = "../../../fuzz/replay.rs"]
mod replay;

use replay::replay;

#[test]
fn no_reader_panics_on_its_corpus() {
    replay("ascii_grid", readers::ascii_grid);
    replay("geotiff", readers::geotiff);
    replay("stl", readers::stl);
    replay("obj", readers::obj);
    replay("geojson", readers::geojson);
    replay("shapefile", readers::shapefile);
    replay("points", readers::points);
    replay("crs", readers::crs);
    replay("beside", readers::beside);
    replay("ply", readers::ply);
    replay("cloud", readers::cloud);
}

#[test]
fn no_reader_of_records_panics_on_its_corpus() {
    replay("at2", readers::at2);
    replay("record_csv", readers::record_csv);
    replay("record", readers::record);
}
