//! The motion of the floor on which an object stands.

use klast_ground_motion::Component;
use klast_rocking::spatial::SpatialMotion;
use klast_runs::common::motion::Motion;
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;
use schemars::JsonSchema;
use serde::Deserialize;

use super::records::{NamedMotion, RecordSet, motions};
use super::triplet::{Triplet, Triplets};

/// Motion of the floor on which the object stands, such as that of a storey. It moves the object; intensities, and the
/// scaling to a target, are those of the motions of the ground. A floor motion is scaled by the factor of its ground
/// motion, as that of a linear building.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Floor {
    /// Floor acceleration over ground acceleration, above 0, the same for all motions and components.
    Amplification(f64),
    /// Motions of the floor in a plane: as many as those of the ground and in their order.
    Motions(Vec<Motion>),
    /// Records of the floor in a plane: as many as the motions of the ground and in their order.
    Records(Vec<RecordSet>),
    /// Record triplets of the floor of a body in space: as many as those of the ground and in their order.
    Triplets(Vec<Triplet>),
}

/// Motions of floors, and remarks on their records.
type Moved<M> = (Vec<M>, Vec<String>);

impl Floor {
    /// The motions of a floor in a plane, those of the ground where a scene states none.
    ///
    /// # Errors
    /// A factor that is not above 0; motions that are none, or not as many as those of the ground; triplets.
    pub fn in_a_plane(
        floor: Option<&Self>,
        text: &SceneText,
        ground: &[NamedMotion],
    ) -> Result<Moved<Component>, Faults> {
        let given = |single: &[Motion], sets: &[RecordSet]| {
            let (found, remarks) = motions(text, single, sets)?;
            as_many(found.len(), ground.len())?;
            Ok((found.into_iter().map(|m| m.motion).collect(), remarks))
        };
        let same = ground.iter().map(|m| &m.motion);
        match floor {
            None => Ok((same.cloned().collect(), Vec::new())),
            Some(Self::Amplification(factor)) => {
                let factor = above_zero(*factor)?;
                Ok((same.map(|m| m.scaled(factor)).collect(), Vec::new()))
            }
            Some(Self::Motions(list)) => given(list, &[]),
            Some(Self::Records(sets)) => given(&[], sets),
            Some(Self::Triplets(_)) => Err(refused("triplets", "amplification, motions, records")),
        }
    }

    /// The motions of a floor in space, those of the ground where a scene states none.
    ///
    /// # Errors
    /// As [`Self::in_a_plane`], with triplets in place of motions.
    pub fn in_space(
        floor: Option<&Self>,
        text: &SceneText,
        ground: &[SpatialMotion],
    ) -> Result<Moved<SpatialMotion>, Faults> {
        match floor {
            None => Ok((ground.to_vec(), Vec::new())),
            Some(Self::Amplification(factor)) => {
                let factor = above_zero(*factor)?;
                let scaled = |motion: &SpatialMotion| SpatialMotion {
                    components: motion.components.each_ref().map(|c| c.scaled(factor)),
                };
                Ok((ground.iter().map(scaled).collect(), Vec::new()))
            }
            Some(Self::Triplets(list)) => {
                let built = Triplets::build(list, text)?;
                as_many(built.motions.len(), ground.len())?;
                Ok((built.motions, built.remarks))
            }
            Some(Self::Motions(_)) => Err(refused("motions", "amplification, triplets")),
            Some(Self::Records(_)) => Err(refused("records", "amplification, triplets")),
        }
    }
}

fn above_zero(factor: f64) -> Result<f64, Faults> {
    let good = factor > 0.0 && factor.is_finite();
    let fault = || Fault::new("amplification", factor).accepted("above 0");
    good.then_some(factor).ok_or_else(|| fault().into())
}

fn as_many(found: usize, ground: usize) -> Result<(), Faults> {
    let fault = || {
        Fault::new(
            "",
            format!("{found} motions of the floor and {ground} of the ground"),
        )
        .accepted("as many")
    };
    (found == ground)
        .then_some(())
        .ok_or_else(|| fault().into())
}

fn refused(key: &str, accepted: &str) -> Faults {
    Fault::new(key, "of another kind of body")
        .accepted(accepted)
        .into()
}
