//! Time histories: edges of blocks, walls and indices. Pairs of columns are the phase planes.

use super::indices::{AssemblyIndices, IndexReference};
use crate::assembly::Assembly;
use crate::error::AssemblyError;
use crate::motion::Kinematics;
use crate::observe::BlockState;
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite, positive};

/// Ten times what a long run at a thousand samples a period asks for; all are held in memory.
const MOST_SAMPLES: f64 = 1e7;

/// The row at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Time, s.
    pub time: f64,
    /// Motion of the basin; its left wall is at `basin.position`, the right one a basin length further.
    pub basin: Kinematics,
    /// Both edges and the velocity of each block.
    pub blocks: Vec<BlockState>,
    /// Indices.
    pub indices: AssemblyIndices,
}

/// Runs to `until` and samples every `step` seconds, the present time and the end included.
///
/// Sampling does not disturb the run: events are found from predictions, not from samples.
///
/// # Errors
/// A step that is not above zero; an end before the present time or not finite; more than ten million samples.
pub fn history(
    run: &mut Assembly,
    until: f64,
    step: f64,
    reference: &IndexReference,
) -> Result<Vec<Sample>, AssemblyError> {
    positive("sampling step (s)", step)?;
    finite("end of the history (s)", until)?;
    let begin = run.time();
    if (until - begin) / step > MOST_SAMPLES {
        return Err(OutOfRange::new(
            "sampling step (s)",
            step,
            "at least a ten-millionth of the time to sample",
        )
        .into());
    }
    let mut all = Vec::new();
    let mut k = 0_u64;
    loop {
        let time = (begin + k as f64 * step).min(until);
        run.advance_to(time)?;
        let blocks = run.state();
        let indices = AssemblyIndices::of_state(run.blocks(), &blocks, reference);
        all.push(Sample {
            time,
            basin: run.basin_state(),
            blocks,
            indices,
        });
        if time >= until {
            return Ok(all);
        }
        k += 1;
    }
}
