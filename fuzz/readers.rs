//! What each fuzz target feeds: any bytes must give a value or an error, never a panic.
//!
//! Shared with the test that replays the corpus on a stable toolchain.
#![allow(dead_code, reason = "each target uses one of them")]

use klast_files::mesh::{obj as obj_mesh, ply as ply_mesh, stl as stl_mesh};
use klast_files::raster::{self, band_metadata, esri_ascii, geotiff as tiff, placement};
use klast_files::record::{ReadOptions, RecordFile};
use klast_files::shapes::{self, geojson as json, points as columns, shapefile as esri};
use klast_files::{cloud as las, crs as systems};
use klast_ground_motion::AccelerationUnit;

/// An ESRI ASCII grid.
pub fn ascii_grid(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = esri_ascii::read(text);
    }
}

/// A GeoTIFF raster.
pub fn geotiff(bytes: &[u8]) {
    let alone = tiff::read(bytes, &raster::Beside::default());
    if let Ok(raster) = alone {
        let _ = raster.into_ground();
    }
}

/// An STL mesh.
pub fn stl(bytes: &[u8]) {
    if let Ok(mesh) = stl_mesh::read(bytes) {
        let _ = klast_geometry::terrain::Mesh::new(&mesh.points, &mesh.triangles);
    }
}

/// An OBJ mesh.
pub fn obj(bytes: &[u8]) {
    if let Ok(mesh) = obj_mesh::read(bytes) {
        let _ = klast_geometry::terrain::Mesh::new(&mesh.points, &mesh.triangles);
    }
}

/// A file of records of any format: what it is shows in its bytes.
pub fn record(bytes: &[u8]) {
    let known = ReadOptions {
        unit: Some(AccelerationUnit::MetrePerSecondSquared),
        step: Some(0.01),
        ..ReadOptions::default()
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
    if let Ok(mut shapes) = json::read(bytes) {
        onto_swiss_ground(&mut shapes);
    }
}

/// A shapefile: the first half geometries, the second half attributes.
pub fn shapefile(bytes: &[u8]) {
    let (shp, dbf) = bytes.split_at(bytes.len() / 2);
    let _ = esri::read(bytes, None, None);
    let codepage = bytes.get(..8);
    let _ = esri::read(shp, Some(dbf), codepage);
    if let Ok(mut shapes) = esri::read(shp, Some(dbf), None) {
        onto_swiss_ground(&mut shapes);
    }
}

/// Points in columns.
pub fn points(bytes: &[u8]) {
    if let Ok(mut shapes) = columns::read(bytes) {
        onto_swiss_ground(&mut shapes);
    }
}

/// A CRS: code, WKT, PROJ string.
pub fn crs(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(crs) = systems::Crs::parse(text)
    {
        let _ = crs.for_mechanics(glam::DVec2::ONE, systems::Cure::Raster);
    }
}

/// What stands beside a raster: GDAL's metadata, a world file, a CRS.
pub fn beside(bytes: &[u8]) {
    let all = raster::Beside {
        world: Some(bytes.to_vec()),
        prj: Some(bytes.to_vec()),
        pam: Some(bytes.to_vec()),
        mask: Some(bytes.to_vec()),
    };
    let text = b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";
    let _ = raster::Raster::of_esri_ascii(text, &all);
    let _ = placement::Placement::of_world_file(bytes);
    let _ = band_metadata::of_pam(bytes);
}

/// A PLY mesh.
pub fn ply(bytes: &[u8]) {
    if let Ok(mesh) = ply_mesh::read(bytes) {
        let _ = klast_geometry::terrain::Mesh::new(&mesh.points, &mesh.triangles);
    }
}

/// A point cloud.
pub fn cloud(bytes: &[u8]) {
    let choice = las::Choice {
        classes: vec![2],
        cell: Some(1.0),
    };
    if let Ok(raster) = las::raster(std::io::Cursor::new(bytes), &choice) {
        let _ = raster.into_ground();
    }
}

/// A GeoPackage.
#[cfg(feature = "geopackage")]
pub fn geopackage(bytes: &[u8]) {
    if let Ok(mut shapes) = shapes::geopackage::read(bytes) {
        onto_swiss_ground(&mut shapes);
    }
}

fn onto_swiss_ground(shapes: &mut shapes::Shapes) {
    let ground = systems::Crs::from_epsg(2056).ok();
    let extent = klast_geometry::terrain::Area {
        lower: glam::DVec2::new(2_600_000.0, 1_200_000.0),
        upper: glam::DVec2::new(2_601_000.0, 1_201_000.0),
    };
    let _ = shapes.onto(ground.as_ref(), extent);
}
