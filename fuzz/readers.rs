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
    let alone = formats::geotiff::read(bytes, &formats::raster::Beside::default());
    if let Ok(raster) = alone {
        let _ = raster.into_ground();
    }
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
    if let Ok(mut shapes) = formats::geojson::read(bytes) {
        onto_swiss_ground(&mut shapes);
    }
}

/// A shapefile: the first half geometries, the second half attributes.
pub fn shapefile(bytes: &[u8]) {
    let (shp, dbf) = bytes.split_at(bytes.len() / 2);
    let _ = formats::shapefile::read(bytes, None, None);
    let codepage = bytes.get(..8);
    let _ = formats::shapefile::read(shp, Some(dbf), codepage);
    if let Ok(mut shapes) = formats::shapefile::read(shp, Some(dbf), None) {
        onto_swiss_ground(&mut shapes);
    }
}

/// Points in columns.
pub fn points(bytes: &[u8]) {
    if let Ok(mut shapes) = formats::points::read(bytes) {
        onto_swiss_ground(&mut shapes);
    }
}

/// A CRS: code, WKT, PROJ string.
pub fn crs(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(crs) = klast_scenes::crs::Crs::parse(text)
    {
        let _ = crs.for_mechanics(glam::DVec2::ONE, klast_scenes::crs::Cure::Raster);
    }
}

/// What stands beside a raster: GDAL's metadata, a world file, a CRS.
pub fn beside(bytes: &[u8]) {
    let all = formats::raster::Beside {
        world: Some(bytes.to_vec()),
        prj: Some(bytes.to_vec()),
        pam: Some(bytes.to_vec()),
        mask: Some(bytes.to_vec()),
    };
    let text = b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";
    let _ = formats::raster::Raster::of_esri_ascii(text, &all);
    let _ = formats::placement::Placement::of_world_file(bytes);
    let _ = formats::band_metadata::of_pam(bytes);
}

/// A PLY mesh.
pub fn ply(bytes: &[u8]) {
    if let Ok(mesh) = formats::ply::read(bytes) {
        let _ = klast_geometry::terrain::Mesh::new(&mesh.points, &mesh.triangles);
    }
}

/// A point cloud.
pub fn cloud(bytes: &[u8]) {
    let choice = formats::las::Choice {
        classes: vec![2],
        cell: Some(1.0),
    };
    if let Ok(raster) = formats::las::raster(std::io::Cursor::new(bytes), &choice) {
        let _ = raster.into_ground();
    }
}

/// A GeoPackage.
#[cfg(feature = "geopackage")]
pub fn geopackage(bytes: &[u8]) {
    if let Ok(mut shapes) = formats::geopackage::read(bytes) {
        onto_swiss_ground(&mut shapes);
    }
}

fn onto_swiss_ground(shapes: &mut formats::shapes::Shapes) {
    let ground = klast_scenes::crs::Crs::from_epsg(2056).ok();
    let extent = klast_geometry::terrain::Area {
        lower: glam::DVec2::new(2_600_000.0, 1_200_000.0),
        upper: glam::DVec2::new(2_601_000.0, 1_201_000.0),
    };
    let _ = shapes.onto(ground.as_ref(), extent);
}
