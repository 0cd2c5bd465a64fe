//! What the readers make of each file of the corpus, bit by bit: a digest a file of the numbers that it holds, and one
//! of its variants (cut short, single bytes changed) with the count of those that are read.
//!
//! The table is committed, so that a change of the readers which shall move no number shows that it moves none. Where
//! numbers move for a reason, `KLAST_WRITE=1 cargo test -p klast-files corpus_digests` writes the table anew.

use std::fmt::Write as _;
use std::path::Path;

use klast_files::cloud;
use klast_files::crs::Crs;
use klast_files::mesh::{obj, ply, stl, triangles::Triangles};
use klast_files::raster::{Beside, Raster, geotiff};
use klast_files::record::{ReadOptions, RecordFile};
use klast_files::shapes::{Form, Shapes, geojson, points, shapefile};
use klast_ground_motion::AccelerationUnit;
use klast_numerics::Digest;

/// A digest of what a reader gives, none where it refuses.
type Reader = fn(&[u8]) -> Option<Digest>;

const READERS: [(&str, Reader); 14] = [
    ("ascii_grid", |b| {
        of_raster(Raster::of_esri_ascii(b, &Beside::default()).ok()?)
    }),
    ("at2", of_record),
    ("beside", of_beside),
    ("cloud", of_cloud),
    ("crs", |b| {
        of_crs(Crs::parse(std::str::from_utf8(b).ok()?).ok()?)
    }),
    ("geojson", |b| of_shapes(geojson::read(b).ok()?)),
    ("geotiff", |b| {
        of_raster(geotiff::read(b, &Beside::default()).ok()?)
    }),
    ("obj", |b| of_mesh(obj::read(b).ok()?)),
    ("ply", |b| of_mesh(ply::read(b).ok()?)),
    ("points", |b| of_shapes(points::read(b).ok()?)),
    ("record", of_record),
    ("record_csv", of_record),
    ("shapefile", of_shapefile),
    ("stl", |b| of_mesh(stl::read(b).ok()?)),
];

fn word(digest: Digest, text: &str) -> Digest {
    digest.word(text.len() as u64).bytes(text.as_bytes())
}

fn of_crs(crs: Crs) -> Option<Digest> {
    let digest = Digest::default().word(crs.epsg.map_or(0, u64::from));
    let digest = digest.numbers([crs.vertical.unwrap_or(f64::NAN)]);
    Some(word(digest, &crs.name))
}

fn of_raster(raster: Raster) -> Option<Digest> {
    let digest = Digest::default()
        .word(raster.columns as u64)
        .word(raster.rows as u64)
        .numbers([
            raster.cell,
            raster.south_west.x,
            raster.south_west.y,
            raster.height_unit,
        ])
        .numbers(raster.values.iter());
    let label = raster.crs.as_ref().map_or(String::new(), Crs::label);
    let digest = word(digest, &label);
    // What is refused as ground (a palette, degrees) is another result.
    let ground = raster.into_ground().map(|g| {
        klast_geometry::terrain::Grid::heights(&g.grid)
            .iter()
            .collect::<Vec<f64>>()
    });
    Some(digest.numbers(ground.unwrap_or_default()))
}

fn of_beside(bytes: &[u8]) -> Option<Digest> {
    let text = b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n";
    let bytes = Some(bytes.to_vec());
    let pam = Beside {
        pam: bytes.clone(),
        ..Beside::default()
    };
    let prj = Beside {
        prj: bytes,
        ..Beside::default()
    };
    [pam, prj]
        .iter()
        .find_map(|beside| of_raster(Raster::of_esri_ascii(text, beside).ok()?))
}

fn of_cloud(bytes: &[u8]) -> Option<Digest> {
    let choice = cloud::Choice {
        classes: vec![2],
        cell: Some(1.0),
    };
    of_raster(cloud::raster(std::io::Cursor::new(bytes), &choice).ok()?)
}

fn of_mesh(mesh: Triangles) -> Option<Digest> {
    let digest = Digest::default().numbers(mesh.points.iter().flat_map(|p| p.to_array()));
    let corners = mesh.triangles.iter().flatten();
    Some(corners.fold(digest, |digest, corner| digest.word(u64::from(*corner))))
}

fn of_shapes(shapes: Shapes) -> Option<Digest> {
    let mut digest = Digest::default().word(shapes.list.len() as u64);
    for shape in &shapes.list {
        digest = word(digest, shape.form.kind());
        if let Form::Polygon(rings) = &shape.form {
            digest = rings
                .iter()
                .fold(digest, |digest, ring| digest.word(ring.len() as u64));
        }
        digest = digest.numbers(shape.form.points().flat_map(|p| p.to_array()));
        digest = word(digest, &serde_json::to_string(&shape.properties).unwrap());
        digest = word(digest, &shape.name);
    }
    Some(word(
        digest,
        &shapes.crs.as_ref().map_or(String::new(), Crs::label),
    ))
}

fn of_shapefile(bytes: &[u8]) -> Option<Digest> {
    let (shp, dbf) = bytes.split_at(bytes.len() / 2);
    let with_table = shapefile::read(shp, Some(dbf), None);
    of_shapes(
        with_table
            .or_else(|_| shapefile::read(bytes, None, None))
            .ok()?,
    )
}

fn of_record(bytes: &[u8]) -> Option<Digest> {
    let known = ReadOptions {
        unit: Some(AccelerationUnit::MetrePerSecondSquared),
        step: Some(0.01),
        ..ReadOptions::default()
    };
    let file = RecordFile::read(bytes, &ReadOptions::default());
    let file = file.or_else(|_| RecordFile::read(bytes, &known)).ok()?;
    let digest = word(Digest::default(), file.format.name()).word(file.remarks.len() as u64);
    Some(file.components.iter().fold(digest, |digest, component| {
        let record = &component.record;
        let numbers = record.times().iter().chain(record.accelerations());
        word(digest, &component.name).numbers(numbers.copied())
    }))
}

/// The variants of a file: cut short, and single bytes changed, of its first bytes every third.
fn of_variants(bytes: &[u8], read: Reader) -> (u64, usize, usize) {
    let (mut digest, mut good, mut all) = (Digest::default(), 0, 0);
    let mut add = |bytes: &[u8]| {
        let found = read(bytes).map(Digest::finish);
        digest = digest.word(found.unwrap_or(0));
        good += usize::from(found.is_some());
        all += 1;
    };
    for at in (0..bytes.len().min(400)).step_by(3) {
        add(&bytes[..at]);
        for byte in [b'-', b'9'] {
            let mut changed = bytes.to_vec();
            changed[at] = byte;
            add(&changed);
        }
    }
    (digest.finish(), good, all)
}

#[test]
fn the_corpus_gives_what_it_gave() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = root.join("tests/corpus.digests");
    let mut made = String::new();
    for (target, read) in READERS {
        let folder = root.join("../../fuzz/corpus").join(target);
        let files = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        let mut files: Vec<_> = files.collect();
        files.sort();
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            let whole =
                read(&bytes).map_or("refused".to_owned(), |d| format!("{:016x}", d.finish()));
            let (variants, good, all) = of_variants(&bytes, read);
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            writeln!(made, "{target}/{name} {whole} {variants:016x} {good}/{all}").unwrap();
        }
    }
    if std::env::var_os("KLAST_WRITE").is_some() {
        std::fs::write(&table, &made).unwrap();
    }
    let right = std::fs::read_to_string(&table).unwrap();
    for (made, right) in made.lines().zip(right.lines()) {
        assert_eq!(
            made, right,
            "file, whole, variants, number of variants that are read"
        );
    }
    assert_eq!(
        made.lines().count(),
        right.lines().count(),
        "a line for each file of the corpus"
    );
}
