//! What is written reads back; what is broken or too large is refused.

use super::*;

#[test]
fn what_is_written_reads_back() {
    let (columns, rows) = (300, 257);
    let mut values: Vec<f64> = (0..columns * rows)
        .map(|k| f64::from(k as u32) * 0.125)
        .collect();
    values[7] = f64::NAN;
    values[columns * rows - 1] = 2_800_000.125;
    let place = DVec2::new(2_800_000.25, 1_200_000.75);
    let crs = Crs::from_epsg(2056).unwrap();
    let bytes = write(
        (columns, rows),
        0.5,
        place,
        |k| values[k],
        Some(&crs),
        Digits::Double,
    )
    .unwrap();
    let raster = plain(&bytes).unwrap();
    assert_eq!(
        (raster.columns, raster.rows, raster.cell, raster.south_west),
        (columns, rows, 0.5, place)
    );
    assert_eq!(raster.crs.as_ref().unwrap().label(), "EPSG:2056");
    // NaN differs from itself: bits are compared.
    let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let read = |v: &Values| bits(&v.iter().collect::<Vec<f64>>());
    assert_eq!(read(&raster.values), bits(&values));
    // An independent reader finds the same samples.
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
    let tiff::decoder::DecodingResult::F64(other) = decoder.read_image().unwrap() else {
        panic!("samples are doubles");
    };
    let north_first: Vec<f64> = values
        .chunks_exact(columns)
        .rev()
        .flatten()
        .copied()
        .collect();
    assert_eq!(bits(&other), bits(&north_first));
    let single = write(
        (columns, rows),
        0.5,
        place,
        |k| values[k],
        Some(&crs),
        Digits::Single,
    )
    .unwrap();
    let raster = plain(&single).unwrap();
    let rounded: Vec<f64> = values.iter().map(|v| f64::from(*v as f32)).collect();
    assert_eq!(read(&raster.values), bits(&rounded));
    // Singles of a file stay singles.
    assert!(matches!(raster.values, Values::Single(_)));
    assert!(single.len() < bytes.len());
}

/// Maps of few cells among many: most tiles are alike, and an independent reader finds each in its place.
#[test]
fn tiles_that_are_alike_are_each_in_their_place() {
    let (columns, rows) = (1000, 700);
    let value = |k: usize| match (k % columns, k / columns) {
        (600..620, 300) => k as f64,
        _ => f64::NAN,
    };
    let bytes = write(
        (columns, rows),
        1.0,
        DVec2::ZERO,
        value,
        None,
        Digits::Double,
    )
    .unwrap();
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
    let tiff::decoder::DecodingResult::F64(found) = decoder.read_image().unwrap() else {
        panic!("samples are doubles");
    };
    let north_first = (0..rows)
        .rev()
        .flat_map(|row| (0..columns).map(move |c| row * columns + c));
    let same = |(found, k): (&f64, usize)| found.to_bits() == value(k).to_bits();
    assert!(found.len() == rows * columns && found.iter().zip(north_first).all(same));
}

/// What GDAL shows of a band, by an independent reader of tags.
#[test]
fn a_band_has_its_description_and_its_unit() {
    let band = Band {
        digits: Digits::Single,
        description: "Energy < 95 %",
        unit: "m",
    };
    let bytes = write((2, 2), 1.0, DVec2::ZERO, |_| 0.0, None, band).unwrap();
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(&bytes)).unwrap();
    let tag = tiff::tags::Tag::Unknown(42112);
    let text = decoder.get_tag_ascii_string(tag).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let items = document.descendants().filter(|n| n.has_tag_name("Item"));
    let told: Vec<_> = items
        .map(|n| (n.attribute("role").unwrap(), n.text().unwrap()))
        .collect();
    assert_eq!(told, [("description", "Energy < 95 %"), ("unittype", "m")]);
    assert_eq!(plain(&bytes).unwrap().height_unit, 1.0);
}

#[test]
fn broken_files_are_refused() {
    let bytes = write((3, 3), 1.0, DVec2::ZERO, |_| 0.0, None, Digits::Single).unwrap();
    for end in (0..bytes.len()).step_by(3) {
        // Cut anywhere the file must be refused or, where only padding is lost, read.
        let _ = plain(&bytes[..end]);
    }
    // The directory and what belongs to it; the fuzz target does more.
    for at in 0..bytes.len().min(420) {
        for change in [1, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= change;
            let _ = plain(&broken);
        }
    }
    assert!(plain(&bytes[..40]).is_err());
    assert!(plain(b"II*\0").is_err());
    assert!(write((2, 0), 1.0, DVec2::ZERO, |_| 0.0, None, Digits::Single).is_err());
}

/// 80,000 x 80,000 bits are 8 kB deflated and 48 GiB as doubles: refused before memory is taken.
#[test]
fn what_would_take_too_much_memory_is_refused() {
    let bytes = write((2, 2), 1.0, DVec2::ZERO, |_| 0.0, None, Digits::Single).unwrap();
    for (columns, tile) in [(80_000u32, 256u32), (2, 80_000)] {
        let mut bomb = bytes.clone();
        for (tag, value) in [(256u16, columns), (257, columns), (322, tile), (323, tile)] {
            let entry = bomb
                .windows(2)
                .position(|w| w == tag.to_le_bytes())
                .unwrap();
            bomb[entry + 2..entry + 4].copy_from_slice(&4u16.to_le_bytes());
            bomb[entry + 8..entry + 12].copy_from_slice(&value.to_le_bytes());
        }
        let said = said(plain(&bomb));
        assert_eq!(said, "refused TooLarge, gdal_translate");
    }
}
