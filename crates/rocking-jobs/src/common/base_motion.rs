//! The motion of a base in the plane of a block.

use klast_ground_motion::GroundMotion;
use klast_runs::common::motion::{Motion, remarks};
use klast_runs::faults::Faults;
use klast_runs::text::SceneText;

/// The motion, and what the reader has to know of its records; its faults are those of the keys `horizontal` and
/// `vertical`.
pub fn base_motion(
    text: &SceneText,
    faults: &mut Faults,
    [horizontal, vertical]: [&Motion; 2],
) -> Option<(GroundMotion, Vec<String>)> {
    let x = faults.take("horizontal", horizontal.build(text));
    let z = faults.take("vertical", vertical.build(text));
    let motion = GroundMotion::new(x?, z?);
    Some((
        motion,
        faults.take("", remarks(text, [horizontal, vertical]))?,
    ))
}
