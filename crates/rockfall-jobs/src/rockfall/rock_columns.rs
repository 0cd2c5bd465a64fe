//! Rows of the table of rocks as bytes, column by column, which compress to less than rows do.
//!
//! Whole numbers are differences to the row before. So are lengths in whole millimetres; other floats are planes of
//! bytes, and a mass is what its bits differ by from those at the density of the row before. Texts have their lengths
//! before them, and what may be absent one more than that.

use klast_rockfall::columns::{Reader, planes, put, zigzag};

use super::rocks::RockRow;

type Float = fn(&mut RockRow) -> &mut f64;

const FLOATS: [Float; 17] = [
    |r| &mut r.volume_m3,
    |r| &mut r.qw,
    |r| &mut r.qx,
    |r| &mut r.qy,
    |r| &mut r.qz,
    |r| &mut r.release_x_m,
    |r| &mut r.release_y_m,
    |r| &mut r.release_z_m,
    |r| &mut r.end_x_m,
    |r| &mut r.end_y_m,
    |r| &mut r.end_z_m,
    |r| &mut r.runout_m,
    |r| &mut r.time_s,
    |r| &mut r.greatest_speed_m_s,
    |r| &mut r.greatest_energy_kj,
    |r| &mut r.greatest_height_m,
    // The depth stands in the row beside whether it is there.
    |r| r.greatest_depth_m.get_or_insert(0.0),
];

/// A float as whole millimetres, where it is that to the last bit.
fn millimetres(value: f64) -> Option<i128> {
    let whole = (1e3 * value).round() as i64;
    let same = (whole as f64 / 1e3).to_bits() == value.to_bits();
    same.then_some(i128::from(whole))
}

/// Bits of the mass of a row if it has this density; those of 0 where that is no number, as its bits are none either.
fn likely_mass(row: &RockRow, density: f64) -> i128 {
    let mass = density * row.volume_m3;
    i128::from(if mass.is_finite() { mass.to_bits() } else { 0 })
}

/// The bytes of some rows.
pub(super) fn pack(mut rows: Vec<RockRow>) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, rows.len() as u128);
    differences(rows.iter().map(|r| i128::from(r.rock)), &mut out);
    differences(rows.iter().map(|r| r.shape as i128), &mut out);
    differences(rows.iter().map(|r| i128::from(r.ground_set)), &mut out);
    for row in &rows {
        text(Some(&row.source), &mut out);
    }
    for row in &rows {
        text(Some(&row.outcome), &mut out);
    }
    for row in &rows {
        text(row.barrier.as_deref(), &mut out);
    }
    for row in &rows {
        put(&mut out, u128::from(row.greatest_depth_m.is_some()));
    }
    for of in FLOATS {
        let values: Vec<f64> = rows.iter_mut().map(|row| *of(row)).collect();
        let whole: Option<Vec<i128>> = values.iter().map(|v| millimetres(*v)).collect();
        put(&mut out, u128::from(whole.is_some()));
        match whole {
            Some(whole) => differences(whole.into_iter(), &mut out),
            None => planes(values.into_iter().map(f64::to_be_bytes), &mut out),
        }
    }
    let mut density = 0.0;
    for row in &rows {
        let mass = i128::from(row.mass_kg.to_bits());
        put(&mut out, zigzag(mass - likely_mass(row, density)));
        density = row.mass_kg / row.volume_m3;
    }
    out
}

/// The rows of some bytes; none where they are broken.
pub(super) fn unpack(bytes: &[u8]) -> Option<Vec<RockRow>> {
    let mut reader = Reader::new(bytes);
    let count = reader.count()?;
    let mut rows = vec![RockRow::default(); count];
    let (rocks, shapes, sets) = (
        sums(&mut reader, count)?,
        sums(&mut reader, count)?,
        sums(&mut reader, count)?,
    );
    for (row, ((rock, shape), set)) in rows.iter_mut().zip(rocks.iter().zip(shapes).zip(sets)) {
        row.rock = (*rock).try_into().ok()?;
        row.shape = shape.try_into().ok()?;
        row.ground_set = set.try_into().ok()?;
    }
    for row in &mut rows {
        row.source = read_text(&mut reader)??;
    }
    for row in &mut rows {
        row.outcome = read_text(&mut reader)??;
    }
    for row in &mut rows {
        row.barrier = read_text(&mut reader)?;
    }
    let mut has_depth = Vec::with_capacity(count);
    for _ in 0..count {
        has_depth.push(reader.word()? > 0);
    }
    for of in FLOATS {
        let values: Vec<f64> = match reader.word()? {
            0 => reader
                .planes(count)?
                .into_iter()
                .map(f64::from_be_bytes)
                .collect(),
            _ => {
                let whole = sums(&mut reader, count)?;
                whole.into_iter().map(|w| w as f64 / 1e3).collect()
            }
        };
        for (row, value) in rows.iter_mut().zip(values) {
            *of(row) = value;
        }
    }
    let mut density = 0.0;
    for row in &mut rows {
        let mass = likely_mass(row, density).checked_add(reader.signed()?)?;
        row.mass_kg = f64::from_bits(mass.try_into().ok()?);
        density = row.mass_kg / row.volume_m3;
    }
    for (row, has_depth) in rows.iter_mut().zip(has_depth) {
        row.greatest_depth_m = row.greatest_depth_m.filter(|_| has_depth);
    }
    (reader.left() == 0).then_some(rows)
}

fn differences(values: impl Iterator<Item = i128>, out: &mut Vec<u8>) {
    let mut before = 0;
    for value in values {
        put(out, zigzag(value - before));
        before = value;
    }
}

fn sums(reader: &mut Reader, count: usize) -> Option<Vec<i128>> {
    let mut before = 0i128;
    let mut next = || {
        before = before.checked_add(reader.signed()?)?;
        Some(before)
    };
    (0..count).map(|_| next()).collect()
}

fn text(found: Option<&str>, out: &mut Vec<u8>) {
    put(out, found.map_or(0, |text| 1 + text.len() as u128));
    out.extend(found.unwrap_or_default().bytes());
}

/// A text that may be absent; none where the bytes are broken.
fn read_text(reader: &mut Reader) -> Option<Option<String>> {
    let Some(length) = reader.word()?.checked_sub(1) else {
        return Some(None);
    };
    let bytes = reader.bytes(length.try_into().ok()?)?;
    Some(Some(String::from_utf8(bytes.to_vec()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row in which no field has the value of another.
    fn row(rock: u64) -> RockRow {
        let part = rock as f64 / 7.0;
        RockRow {
            rock: u64::MAX - rock,
            source: format!("a, \"b\"\n{rock}"),
            shape: 3 + rock as usize % 2,
            ground_set: u32::MAX,
            mass_kg: 1.0 + part,
            volume_m3: f64::INFINITY,
            qw: -0.0,
            qx: 5e-324,
            qy: 0.1 * part,
            qz: f64::MAX,
            release_x_m: 2_600_050.0 + (1e3 * part).round() / 1e3,
            release_y_m: -1.5,
            release_z_m: 260.223,
            end_x_m: 0.001 * rock as f64,
            end_y_m: 1_200_108.752,
            end_z_m: 176.147,
            runout_m: part,
            time_s: 9.973_984_112_566_603,
            outcome: "caught".to_owned(),
            barrier: rock.is_multiple_of(3).then(|| format!("net {rock}")),
            greatest_speed_m_s: 22.7,
            greatest_energy_kj: 1e300,
            greatest_height_m: 1.0 / 3.0,
            greatest_depth_m: rock.is_multiple_of(2).then_some(part),
        }
    }

    #[test]
    fn rows_are_read_as_they_were_packed() {
        for count in [0, 1, 2, 100] {
            let rows: Vec<RockRow> = (0..count).map(row).collect();
            let read = unpack(&pack(rows.clone())).unwrap();
            assert_eq!(read, rows);
            assert!(read.iter().all(|r| r.qw.is_sign_negative()));
        }
    }

    /// Bytes that are cut or changed are refused or other rows, and never a panic.
    #[test]
    fn broken_bytes_are_no_panic() {
        let bytes = pack((0..50).map(row).collect());
        for at in (0..bytes.len()).step_by(7) {
            assert_eq!(unpack(&bytes[..at]), None, "{at}");
            let mut broken = bytes.clone();
            broken[at] ^= 0xA5;
            let _ = unpack(&broken);
        }
    }
}
