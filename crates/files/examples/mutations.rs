//! Seeded mutations of the corpus of a reader: `mutations READER SECONDS SEED`.
//!
//! ```text
//! cargo run --release -p klast-files --features geopackage --example mutations -- cloud 600 1
//! ```
//!
//! Each input is a file of `fuzz/corpus/READER` (or of a folder named as a fourth argument) with one to eight changes:
//! bytes, runs, numbers at their limits, pieces doubled, cut out or taken from another file. It says how many inputs
//! were read, which of them panicked, the slowest one and the largest memory of the process. In no seconds the files
//! are read as they are, until one panics.

#[path = "../../../fuzz/readers.rs"]
mod readers;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use klast_numerics::SplitMix64;

fn reader(name: &str) -> Result<fn(&[u8])> {
    Ok(match name {
        "ascii_grid" => readers::ascii_grid,
        "geotiff" => readers::geotiff,
        "stl" => readers::stl,
        "obj" => readers::obj,
        "ply" => readers::ply,
        "record" => readers::record,
        "geojson" => readers::geojson,
        "shapefile" => readers::shapefile,
        "points" => readers::points,
        "crs" => readers::crs,
        "beside" => readers::beside,
        "cloud" => readers::cloud,
        #[cfg(feature = "geopackage")]
        "geopackage" => readers::geopackage,
        _ => bail!("reader '{name}'; accepted: those of fuzz/readers.rs"),
    })
}

/// Numbers at which counts, sizes and places go wrong.
const LIMITS: [u64; 8] = [
    0,
    1,
    0x7f,
    0x7fff_ffff,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    u64::MAX,
    0x8000_0000,
];

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut SplitMix64) {
    let at = random.below(bytes.len());
    let length = 1 + random.below(32);
    let end = (at + length).min(bytes.len());
    match random.below(8) {
        0 | 1 => bytes
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|b| *b ^= 1 << random.below(8)),
        2 => bytes
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|b| *b = random.below(256) as u8),
        3 => {
            let number = LIMITS[random.below(LIMITS.len())].to_le_bytes();
            let size = [1, 2, 4, 8][random.below(4)];
            let there = bytes.iter_mut().skip(at).zip(number).take(size);
            there.for_each(|(b, new)| *b = new);
        }
        4 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        5 => drop(bytes.drain(at..end)),
        6 => {
            let from = random.below(other.len());
            let piece = other.iter().skip(from).take(length).copied();
            bytes.splice(at..end, piece.collect::<Vec<_>>());
        }
        _ => bytes.truncate(at.max(1)),
    }
}

fn corpus(folder: &Path) -> Result<Vec<Vec<u8>>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut names: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    names.sort();
    let files: std::io::Result<Vec<_>> = names.iter().map(std::fs::read).collect();
    let files = files?;
    ensure!(
        files.iter().any(|f| !f.is_empty()),
        "{}: no seeds",
        folder.display()
    );
    Ok(files.into_iter().filter(|f| !f.is_empty()).collect())
}

/// Largest memory of this process so far, in kB, where the system says so.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, seconds, seed, rest @ ..] = arguments.as_slice() else {
        bail!("accepted: READER SECONDS SEED [FOLDER]");
    };
    let read = reader(name)?;
    let own = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(name);
    let seeds = corpus(rest.first().map_or(own.as_path(), Path::new))?;
    let mut random = SplitMix64::new(seed.parse()?);
    let limit = Duration::from_secs(seconds.parse()?);
    if limit.is_zero() {
        seeds.iter().for_each(|bytes| read(bytes));
        return Ok(());
    }
    // A library that panics inside is caught by its reader: only what comes out of one counts.
    std::panic::set_hook(Box::new(|_| {}));
    let (start, mut inputs, mut panics) = (Instant::now(), 0_u64, 0_u64);
    let mut slowest = (Duration::ZERO, Vec::new());
    while start.elapsed() < limit {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        let other = &seeds[random.below(seeds.len())];
        for _ in 0..1 + random.below(8) {
            if !bytes.is_empty() {
                change(&mut bytes, other, &mut random);
            }
        }
        let began = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
        inputs += 1;
        let took = began.elapsed();
        if answer.is_err() {
            panics += 1;
            std::fs::write(format!("panic-{name}-{panics}"), &bytes)?;
        }
        if took > slowest.0 {
            slowest = (took, bytes);
        }
    }
    println!(
        "{name}: {inputs} inputs of {} seeds in {} s, {panics} panics, slowest {:.3} s ({} bytes), largest memory {} MB",
        seeds.len(),
        limit.as_secs(),
        slowest.0.as_secs_f64(),
        slowest.1.len(),
        peak().map_or("unknown".to_owned(), |kb| (kb / 1024).to_string())
    );
    ensure!(panics == 0, "{panics} inputs panicked");
    Ok(())
}
