//! Samples: whole numbers of 1 to 64 bits and floating-point numbers of 16, 32 and 64, and the predictors before them.

use crate::command::Command;
use crate::refusal::{Result, bail, ensure};
use klast_geometry::terrain::Values;

/// What a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Bits.
    pub bits: usize,
    /// How they are read.
    pub form: Form,
}

/// How the bits of a sample are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A whole number from 0.
    Unsigned,
    /// A whole number of either sign.
    Signed,
    /// A floating-point number.
    Float,
}

impl Kind {
    /// From the tags of an image; all bands are alike.
    ///
    /// # Errors
    /// A kind that is not read, by name.
    pub fn of(bits: &[u64], formats: &[u64]) -> Result<Self> {
        let alike = |list: &[u64]| list.windows(2).all(|p| p[0] == p[1]);
        ensure!(
            alike(bits) && alike(formats),
            Several, "bands of several types"; "one" => Command::new("gdal_translate -b 1 {in}.tif {out}.tif")
        );
        let bits = bits.first().copied().unwrap_or(1) as usize;
        let form = match formats.first() {
            // Undefined data are whole numbers to GDAL too.
            None | Some(1 | 4) => Form::Unsigned,
            Some(2) => Form::Signed,
            Some(3) => Form::Float,
            Some(5 | 6) => bail!(Quantity, "complex numbers are no heights"; "real ones"),
            Some(other) => bail!(Unsupported, "sample format {other}"; "1 to 4"),
        };
        let known = match form {
            Form::Unsigned => (1..=32).contains(&bits) || bits == 64,
            Form::Signed => matches!(bits, 8 | 16 | 32 | 64),
            Form::Float => matches!(bits, 16 | 32 | 64),
        };
        ensure!(
            known,
            Unsupported, "{form:?} samples of {bits} bits are not read";
            "whole numbers of 1 to 32 and 64 bits, floating-point numbers of 16, 32 and 64"
            => Command::new("gdal_translate -ot Float32 {in}.tif {out}.tif")
        );
        Ok(Self { bits, form })
    }

    /// As many cells without data: singles, where these hold every sample.
    pub fn missing(self, cells: usize) -> Values {
        let single = match self.form {
            Form::Float => self.bits <= 32,
            Form::Unsigned | Form::Signed => self.bits <= 24,
        };
        match single {
            true => Values::Single(vec![f32::NAN; cells]),
            false => Values::Double(vec![f64::NAN; cells]),
        }
    }

    /// The samples of a row of bytes: the first from `first` on, each `step` apart.
    pub fn samples(self, line: &[u8], first: usize, step: usize, out: &mut [f64]) {
        let at = |k: usize| first + k * step;
        fn word<const N: usize>(line: &[u8], at: usize) -> [u8; N] {
            let mut word = [0; N];
            word.copy_from_slice(&line[at * N..(at + 1) * N]);
            word
        }
        for (k, value) in out.iter_mut().enumerate() {
            let k = at(k);
            *value = match (self.form, self.bits) {
                (Form::Unsigned, 8) => f64::from(line[k]),
                (Form::Signed, 8) => f64::from(line[k].cast_signed()),
                (Form::Unsigned, 16) => f64::from(u16::from_le_bytes(word(line, k))),
                (Form::Signed, 16) => f64::from(i16::from_le_bytes(word(line, k))),
                (Form::Float, 16) => half(u16::from_le_bytes(word(line, k))),
                (Form::Unsigned, 32) => f64::from(u32::from_le_bytes(word(line, k))),
                (Form::Signed, 32) => f64::from(i32::from_le_bytes(word(line, k))),
                (Form::Float, 32) => f64::from(f32::from_le_bytes(word(line, k))),
                (Form::Unsigned, 64) => u64::from_le_bytes(word(line, k)) as f64,
                (Form::Signed, 64) => i64::from_le_bytes(word(line, k)) as f64,
                (Form::Float, 64) => f64::from_le_bytes(word(line, k)),
                (_, bits) => packed(line, k * bits, bits),
            };
        }
    }
}

/// A number whose bits begin anywhere, the largest first.
fn packed(line: &[u8], start: usize, bits: usize) -> f64 {
    let bit = |k: usize| u32::from(line[k / 8] >> (7 - k % 8) & 1);
    f64::from((start..start + bits).fold(0, |value, k| value << 1 | bit(k)))
}

/// A floating-point number of 16 bits (IEEE 754).
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + fraction / 1024.0) * 2f64.powi(e - 15),
    }
}

/// Whether a predictor is known and fits the samples.
///
/// # Errors
/// One that does not.
pub fn check_predictor(predictor: u64, kind: Kind, big_endian: bool) -> Result<()> {
    ensure!(
        !(predictor == 3 && kind.bits == 64 && big_endian),
        Several, "predictor 3 of big-endian doubles, which programs write in several ways"; "little-endian"
        => Command::new("gdal_translate -co ENDIANNESS=LITTLE {in}.tif {out}.tif")
    );
    let fits = match predictor {
        1 => true,
        2 => matches!(kind.bits, 8 | 16 | 32 | 64),
        3 => kind.form == Form::Float,
        _ => false,
    };
    ensure!(
        fits,
        Unsupported, "predictor {predictor} of samples of {} bits is not read", kind.bits;
        "1, 2 for whole bytes, 3 for floating-point numbers"
        => Command::new("gdal_translate -co PREDICTOR=1 {in}.tif {out}.tif")
    );
    Ok(())
}

/// Puts the smallest byte of each sample first and undoes the predictor, row by row.
pub fn undo(
    predictor: u64,
    kind: Kind,
    big_endian: bool,
    together: usize,
    length: usize,
    data: &mut [u8],
) {
    let size = kind.bits / 8;
    if predictor == 3 {
        let mut row = vec![0; length];
        for line in data.chunks_exact_mut(length) {
            for k in together..length {
                line[k] = line[k].wrapping_add(line[k - together]);
            }
            // The largest bytes of all samples come first, then the next ones.
            let count = length / size;
            for k in 0..count {
                for byte in 0..size {
                    row[k * size + size - 1 - byte] = line[byte * count + k];
                }
            }
            line.copy_from_slice(&row);
        }
        return;
    }
    if big_endian && kind.bits.is_multiple_of(8) && size > 1 {
        data.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    if predictor == 2 {
        for line in data.chunks_exact_mut(length) {
            let step = together * size;
            for k in (step..length).step_by(size) {
                let mut carry = 0;
                for byte in k..k + size {
                    let sum = u16::from(line[byte]) + u16::from(line[byte - step]) + carry;
                    line[byte] = sum as u8;
                    carry = sum >> 8;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_what_the_standard_says() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_477_539_063e-8),
        ] {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7e00).is_nan() && half(0x7c00).is_infinite());
    }

    #[test]
    fn bits_begin_anywhere() {
        let mut out = [0.0; 3];
        let kind = Kind::of(&[12], &[1]).unwrap();
        kind.samples(&[0xab, 0xcd, 0xef, 0x01, 0x20], 0, 1, &mut out);
        assert_eq!(out, [2748.0, 3567.0, 18.0]);
        assert!(Kind::of(&[24], &[3]).is_err() && Kind::of(&[16, 8], &[1, 1]).is_err());
    }
}
