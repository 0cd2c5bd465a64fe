//! Long work in pieces: interruptible, its state kept every minute, continued by the same job with the same bits.

use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bail;
use crate::error::Result;
use crate::files::FilesExt as _;
use crate::job::Run;
use crate::progress::Interrupted;

/// The file of a state, by most kinds of scene.
pub const STATE: &str = "state.json";
/// How often the state of a long run is kept.
pub const KEEP: Duration = Duration::from_secs(60);
/// A piece takes about as long, so that a run stops soon when it shall.
const PIECE: Duration = Duration::from_millis(500);

/// Items of the first piece of a list.
const ITEMS: usize = 8;

/// What an interrupted run had.
#[derive(Deserialize)]
struct State<T> {
    /// Everything that decides the numbers.
    key: String,
    next: usize,
    done: T,
}

/// The same as it is written, without a copy.
#[derive(Serialize)]
struct Kept<'a, T> {
    key: &'a str,
    next: usize,
    done: &'a T,
}

/// Adds up what `work` makes of each piece of a range, in order. What comes out may not depend on where it was cut:
/// pieces grow from `first` until they take half a second.
///
/// An earlier run of the same key (the name of all that decides the numbers) that was interrupted is continued. The
/// state of a range that took long is kept when it is done; the caller removes it when the whole run is over. Where
/// `work` is interrupted it has added nothing.
///
/// # Errors
/// [`Interrupted`], with the state kept; what `work` gives.
pub fn in_pieces<T: Serialize + DeserializeOwned + Default>(
    run: &mut Run,
    (file, key): (&str, &str),
    range: Range<usize>,
    first: usize,
    mut work: impl FnMut(Range<usize>, &mut T) -> Result<()>,
) -> Result<T> {
    let key = format!("{key} {file} {range:?}");
    let kept = run.files.kept_state::<State<T>>(file);
    let kept = kept.filter(|s| s.key == key && (range.start..=range.end).contains(&s.next));
    let (mut next, mut done) = kept.map_or((range.start, T::default()), |s| (s.next, s.done));
    run.progress.skip((next - range.start) as u64);
    let (began, mut piece, mut clock) = (Instant::now(), first.max(1), Instant::now());
    let keep = |run: &mut Run, next: usize, done: &T| {
        let key = key.as_str();
        run.files.state(file, &Kept { key, next, done })
    };
    while next < range.end {
        let end = range.end.min(next.saturating_add(piece));
        let clock_of_piece = Instant::now();
        let stopped = match run.progress.interrupted() {
            true => Err(Interrupted.into()),
            false => work(next..end, &mut done),
        };
        if let Err(error) = stopped {
            if error.is_interrupted() {
                keep(run, next, &done)?;
            }
            return Err(error);
        }
        next = end;
        if clock_of_piece.elapsed() < PIECE / 2 {
            piece = piece.saturating_mul(2);
        }
        if clock.elapsed() >= KEEP {
            keep(run, next, &done)?;
            clock = Instant::now();
        }
    }
    if began.elapsed() >= KEEP {
        keep(run, next, &done)?;
    }
    Ok(done)
}

/// What `work` makes of each item of a list, on all threads and in order, in pieces as [`in_pieces`]: interruptible
/// before each item, which is told to the progress when it is done.
///
/// # Errors
/// As [`in_pieces`].
pub fn of_each<I: Sync, T: Serialize + DeserializeOwned + Send>(
    run: &mut Run,
    names: (&str, &str),
    items: &[I],
    work: impl Fn(&I) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let progress = run.progress;
    let of = |item: &I| {
        if progress.interrupted() {
            bail!(Interrupted);
        }
        let done = work(item)?;
        progress.add(1);
        Ok(done)
    };
    in_pieces(
        run,
        names,
        0..items.len(),
        ITEMS,
        |range, kept: &mut Vec<T>| {
            let own = items.get(range).unwrap_or_default();
            kept.extend(own.par_iter().map(of).collect::<Result<Vec<_>>>()?);
            Ok(())
        },
    )
}

/// A run's own share of `count` things, in pieces: as [`in_pieces`], with its progress told as `what`, and without a
/// state in the end.
///
/// # Errors
/// As [`in_pieces`].
pub fn own_share<T: Serialize + DeserializeOwned + Default>(
    run: &mut Run,
    (what, key): (&str, &str),
    (count, first): (usize, usize),
    work: impl FnMut(Range<usize>, &mut T) -> Result<()>,
) -> Result<T> {
    let (own, progress) = (run.part(count), run.progress);
    progress.begin(what, own.len() as u64);
    let done = in_pieces(run, (STATE, key), own, first, work)?;
    progress.finish();
    run.files.remove(STATE);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Memory;
    use crate::progress::Progress;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Stops a run when it was asked so often.
    struct Stops(AtomicUsize);

    impl Progress for Stops {
        fn interrupted(&self) -> bool {
            self.0.fetch_sub(1, Ordering::Relaxed) == 1
        }
    }

    fn sums(run: &mut Run, key: &str) -> Result<Vec<f64>> {
        in_pieces(
            run,
            (STATE, key),
            3..100,
            4,
            |range, sums: &mut Vec<f64>| {
                sums.extend(range.map(|k| 1.0 / k as f64));
                Ok(())
            },
        )
    }

    #[test]
    fn an_interrupted_run_goes_on_with_the_same_bits() {
        let expected: Vec<f64> = (3..100).map(|k| 1.0 / f64::from(k)).collect::<Vec<_>>();
        for often in 1..7 {
            let mut files = Memory::default();
            let stops = Stops(AtomicUsize::new(often));
            let stopped = sums(&mut Run::new(&stops, &mut files), "a");
            // Pieces of 4, 8, 16, 32 and what is left of 97.
            assert_eq!(stopped.is_err(), often <= 5, "{often}");
            let kept: Option<State<Vec<f64>>> = files.kept_state(STATE);
            assert_eq!(
                kept.map(|s| s.next - 3),
                [0, 4, 12, 28, 60].get(often - 1).copied()
            );
            // Another key starts anew.
            let mut other = files.clone();
            let mut run = Run::new(&crate::progress::Silent, &mut other);
            assert_eq!(sums(&mut run, "b").unwrap(), expected);
            let mut run = Run::new(&crate::progress::Silent, &mut files);
            assert_eq!(sums(&mut run, "a").unwrap(), expected);
        }
    }
}
