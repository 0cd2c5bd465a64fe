//! Record triplets.

use klast_rocking::spatial::SpatialMotion;
use klast_runs::common::motion::{Motion, remarks};
use klast_runs::faults::Faults;
use klast_runs::text::SceneText;
use schemars::JsonSchema;
use serde::Deserialize;

/// The three components of a record.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Triplet {
    /// First horizontal component, along x at the angle 0.
    x: Motion,
    /// Second horizontal component, along y at the angle 0; no motion unless stated.
    #[serde(default)]
    y: Motion,
    /// Vertical component, positive upwards; no motion unless stated.
    #[serde(default)]
    z: Motion,
}

/// Triplets with their names, and remarks on their records.
#[derive(Debug, Default)]
pub struct Triplets {
    /// Names of the triplets.
    pub names: Vec<String>,
    /// The motions.
    pub motions: Vec<SpatialMotion>,
    /// Remarks on their records.
    pub remarks: Vec<String>,
}

impl Triplets {
    /// The triplets of a list under the key `triplets`.
    ///
    /// # Errors
    /// Motions that are none, or that have no angle of incidence.
    pub fn build(list: &[Triplet], text: &SceneText) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut built = Self::default();
        for (k, triplet) in list.iter().enumerate() {
            let place = format!("triplets[{k}]");
            built.names.push(triplet.name(&place));
            built
                .motions
                .extend(faults.take(&place, triplet.build(text)));
            let motions = [&triplet.x, &triplet.y, &triplet.z];
            let told = faults.take(&place, remarks(text, motions));
            built.remarks.extend(told.unwrap_or_default());
        }
        faults.or_all(|| Some(built))
    }
}

impl Triplet {
    fn name(&self, place: &str) -> String {
        match &self.x {
            Motion::Record { file, .. } => file.clone(),
            _ => place.to_owned(),
        }
    }

    fn build(&self, text: &SceneText) -> Result<SpatialMotion, Faults> {
        let mut faults = Faults::default();
        let each = [("x", &self.x), ("y", &self.y), ("z", &self.z)];
        let [x, y, z] = each.map(|(key, motion)| faults.take(key, motion.build(text)));
        let built = faults.or_all(|| {
            Some(SpatialMotion {
                components: [x?, y?, z?],
            })
        })?;
        // Components without a sum have no angle of incidence.
        let mut faults = Faults::default();
        faults.take("", built.incident(1.0, 1.0));
        faults.or_all(|| Some(built))
    }
}
