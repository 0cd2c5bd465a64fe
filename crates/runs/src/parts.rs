//! What a part of an ensemble keeps in its folder until all parts are joined.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::ensure;
use crate::error::{Context as _, Outside as _, Result};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::{Files, FilesExt as _};
use crate::job::Run;
use crate::results::{Part, Results};

/// Name of the file.
pub const PART: &str = "part.json";

/// Name of the file of a part that is large.
pub const PACKED: &str = "part.cbor.z";

/// A number by its bits where JSON has no word for it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// As it prints.
    Finite(f64),
    /// Not a number, or infinite.
    Bits {
        /// Of the number.
        bits: u64,
    },
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        match value.is_finite() {
            true => Self::Finite(value),
            false => Self::Bits {
                bits: value.to_bits(),
            },
        }
    }
}

impl From<Number> for f64 {
    fn from(number: Number) -> Self {
        match number {
            Number::Finite(value) => value,
            Number::Bits { bits } => Self::from_bits(bits),
        }
    }
}

/// Writes what a part has found, and says it in numbers that can be looked at before all parts are joined.
///
/// # Errors
/// If it cannot be written.
pub fn keep(run: &mut Run, found: &impl Serialize, numbers: Value) -> Result<Box<dyn Results>> {
    run.files.data(PART, found)?;
    let file = PART;
    Ok(Box::new(Part { file, numbers }))
}

/// Writes what a part that is large has found into a file, CBOR (RFC 8949) that is deflated (RFC 1950).
///
/// # Errors
/// If it cannot be written.
pub fn pack(files: &mut dyn Files, name: &str, found: &impl Serialize) -> Result<()> {
    files.write(name, &mut |out| {
        let mut packed = ZlibEncoder::new(out, Compression::default());
        ciborium::into_writer(found, &mut packed).outside()?;
        packed.finish().map(|_| ()).outside()
    })
}

/// What [`pack`] has written into a file.
///
/// # Errors
/// A file that cannot be read, or is no part of such a run.
pub fn unpack<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let name = file.display();
    let packed = std::fs::File::open(file)
        .outside()
        .with_context(|| format!("{name}: cannot be read"))?;
    unpacked(BufReader::new(packed)).with_context(|| format!("{name}: not a part of such a run"))
}

/// The same of bytes.
///
/// # Errors
/// What is no part of such a run.
pub fn unpacked<T: DeserializeOwned>(packed: impl std::io::Read) -> Result<T> {
    ciborium::from_reader(BufReader::new(ZlibDecoder::new(packed))).outside()
}

/// The fraction of `count` things; none of none.
#[must_use]
pub fn fraction(of: usize, count: usize) -> Option<f64> {
    (count > 0).then(|| of as f64 / count as f64)
}

/// What each part has found, in their order.
///
/// # Errors
/// A file that cannot be read, or is no part of such a run.
pub fn read<T: DeserializeOwned>(parts: &[PathBuf]) -> Result<Vec<T>> {
    let of_part = |part: &PathBuf| {
        let file = part.join(PART);
        let words = || format!("{}: not a part of such a run", file.display());
        serde_json::from_str(&klast_files::reading::text(&file)?)
            .outside()
            .with_context(words)
    };
    parts.iter().map(of_part).collect()
}

/// What all parts have found, one after the other; as much of it as one run finds.
///
/// # Errors
/// As [`read`]; too little or too much.
pub fn joined<T: DeserializeOwned>(parts: &[PathBuf], what: &str, count: usize) -> Result<Vec<T>> {
    let joined: Vec<T> = read::<Vec<T>>(parts)?.into_iter().flatten().collect();
    let found = joined.len();
    ensure!(
        found == count,
        "the parts hold {found} {what}; accepted: {count}"
    );
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_to_its_bits() {
        for value in [
            0.1,
            -0.0,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ] {
            let text = serde_json::to_string(&Number::from(value)).unwrap();
            let kept: Number = serde_json::from_str(&text).unwrap();
            assert_eq!(f64::from(kept).to_bits(), value.to_bits(), "{text}");
        }
    }
}
