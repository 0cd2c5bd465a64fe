//! What each fuzz target feeds: any bytes must give a value or an error, never a panic.
//!
//! Shared with the test that replays the corpus on a stable toolchain.
#![allow(dead_code, reason = "each target uses one of them")]

use klast_scenes::Scene;
use klast_scenes::formats;

/// A scene file: its header, then the reader of its kind with every check.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let nowhere = std::path::PathBuf::from("no-such-folder");
    if let Ok((scene, _)) = Scene::parse(text, nowhere) {
        let _ = scene.job();
    }
}

/// An ESRI ASCII grid.
pub fn ascii_grid(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = klast_geometry::terrain::read_esri_ascii(text);
    }
}

/// A GeoTIFF raster.
pub fn geotiff(bytes: &[u8]) {
    let _ = formats::geotiff::read(bytes);
}

/// An STL mesh.
pub fn stl(bytes: &[u8]) {
    if let Ok(mesh) = formats::stl::read(bytes) {
        let _ = klast_geometry::terrain::Mesh::new(&mesh.points, &mesh.triangles);
    }
}

/// An OBJ mesh.
pub fn obj(bytes: &[u8]) {
    if let Ok(mesh) = formats::obj::read(bytes) {
        let _ = klast_geometry::terrain::Mesh::new(&mesh.points, &mesh.triangles);
    }
}

/// A file of records of any format: what it is shows in its bytes.
pub fn record(bytes: &[u8]) {
    use klast_dynamics::ground_motion::{AccelerationUnit, ReadOptions, RecordFile};
    let known = ReadOptions {
        unit: Some(AccelerationUnit::MetrePerSecondSquared),
        step: Some(0.01),
    };
    for options in [ReadOptions::default(), known] {
        if let Ok(file) = RecordFile::read(bytes, &options) {
            for component in &file.components {
                let _ = component.record.component(1.0);
                let _ = component.record.summary_at(&[]);
            }
        }
    }
}

/// A PEER record.
pub fn at2(bytes: &[u8]) {
    record(bytes);
}

/// A record of two columns.
pub fn record_csv(bytes: &[u8]) {
    record(bytes);
}

/// GeoJSON shapes.
pub fn geojson(bytes: &[u8]) {
    let _ = formats::geojson::read(bytes);
}
