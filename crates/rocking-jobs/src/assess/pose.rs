//! What a scene of an assessment asks: the object with its motions, scaled to the target.

use klast_ground_motion::Component;
use klast_rocking::RockingBlock;
use klast_rocking::assess::Target;
use klast_rocking::fragility::IntensityMeasure;
use klast_runs::error::Context as _;

use super::findings::Posed;
use super::scene::Scene;
use crate::common::floor::Floor;
use crate::common::records::NamedMotion;
use crate::common::space::Space;
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;

/// Time (s) that a block is followed after the end of the longest motion.
const AFTER: f64 = 10.0;

/// The object and its motions, scaled to a target.
#[derive(Default)]
struct Scaled {
    names: Vec<String>,
    ground: Vec<Component>,
    motions: Vec<Component>,
    factors: Vec<f64>,
    peaks: Vec<(f64, f64)>,
    remarks: Vec<String>,
}

impl Posed {
    /// What a scene asks.
    ///
    /// # Errors
    /// What its keys refuse.
    pub fn read(scene: &Scene, text: &SceneText) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let target = faults.take("", scene.target());
        let limits = faults.take("limit_states", scene.limit_states());
        let support = faults.take("", scene.support());
        let space = faults.take("", scene.spatial(text));
        let object = space.and_then(|space| match space {
            Some(space) => spatial(&mut faults, scene, space, target.as_ref()),
            None => planar(&mut faults, scene, text, target.as_ref()),
        });
        let measure = scene.intensity.chosen().unwrap_or(IntensityMeasure::Pga);
        let posed = faults.or_all(|| {
            let (block, space, scaled, duration) = object?;
            Some(Self {
                block,
                friction: scene.friction,
                support: support?,
                names: scaled.names,
                ground: scaled.ground,
                motions: scaled.motions,
                space,
                peaks: scaled.peaks,
                factors: scaled.factors,
                target: target?,
                limits: limits?,
                reserve: None,
                duration,
                remarks: scaled.remarks,
            })
        })?;
        let mut faults = Faults::default();
        faults.take("intensity", posed.intensities(measure, vec![1.0]));
        faults.or_all(|| Some(posed))
    }
}

/// An object: the block that is said of without a run, the body in space, its motions, the end of the simulations.
type Object = (RockingBlock, Option<Space>, Scaled, f64);

fn planar(
    faults: &mut Faults,
    scene: &Scene,
    text: &SceneText,
    target: Option<&Target>,
) -> Option<Object> {
    let motions = faults.take("", scene.motions(text));
    let block = faults.take("", scene.object(text));
    let (named, mut remarks) = motions?;
    let floors = Floor::in_a_plane(scene.floor.as_ref(), text, &named);
    let (floors, told) = faults.take("floor", floors)?;
    remarks.extend(told);
    let mut scaled = Scaled {
        remarks,
        ..Scaled::default()
    };
    for (NamedMotion { name, motion }, floor) in named.into_iter().zip(floors) {
        let factor = target?.factor(&motion).with_context(|| name.clone());
        let factor = faults.take("target", factor)?;
        let floor = floor.scaled(factor);
        let peaks = (floor.peak_acceleration(), floor.peak_velocity());
        scaled.peaks.push(peaks);
        scaled.ground.push(motion.scaled(factor));
        scaled.motions.push(floor);
        scaled.names.push(name);
        scaled.factors.push(factor);
    }
    let longest = scaled.motions.iter().map(Component::duration);
    let end = end(faults, scene, longest.fold(0.0, f64::max));
    Some((block?, None, scaled, end?))
}

fn spatial(
    faults: &mut Faults,
    scene: &Scene,
    mut space: Space,
    target: Option<&Target>,
) -> Option<Object> {
    let block = faults.take("space", space.block())?;
    let factors = faults.take("target", space.scale_to(target?, &block))?;
    let peaks = faults.take("space", space.peaks(&block))?;
    let duration = end(faults, scene, space.longest())?;
    let scaled = Scaled {
        names: std::mem::take(&mut space.names),
        remarks: std::mem::take(&mut space.remarks),
        factors,
        peaks,
        ..Scaled::default()
    };
    let space = faults.take("", space.until(duration))?;
    Some((block, Some(space), scaled, duration))
}

/// The end of the simulations (s): as stated, or some time after the longest motion.
fn end(faults: &mut Faults, scene: &Scene, longest: f64) -> Option<f64> {
    let longest = longest + AFTER;
    match scene.duration_s {
        Some(stated) => faults.take("", stated.seconds()),
        None if longest.is_finite() => Some(longest),
        None => {
            let fault =
                Fault::new("duration_s", longest).accepted("a time, for a motion that lasts");
            faults.take("", Err(fault))
        }
    }
}
