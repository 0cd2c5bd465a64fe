//! Bodies on one another in space: a column of drums.

use super::SpatialBody;
use crate::error::RockingError;
use klast_numerics::check::require;

/// Most bodies of a column.
const MAX_BODIES: usize = 40;

/// Part by which every second body is narrowed: a corner of one of two equal faces would stand on the edge of the
/// other.
const NARROWED: f64 = 1e-4;

/// Bodies on one another, their mass centres on one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialColumn {
    drums: Vec<SpatialBody>,
    /// Of the mass centre of a body and all above it over the base of that body (m).
    carried: Vec<f64>,
}

impl SpatialColumn {
    /// A column of 1 to 40 bodies, from the base upwards.
    pub fn new(drums: Vec<SpatialBody>) -> Result<Self, RockingError> {
        let count = drums.len();
        let good = (1..=MAX_BODIES).contains(&count);
        require("bodies of a column", count as f64, good, "1 to 40")?;
        let mut carried = vec![0.0; count];
        let (mut mass, mut moment) = (0.0, 0.0);
        for (drum, over) in drums.iter().zip(&mut carried).rev() {
            let own = drum.body().mass();
            moment += mass * drum.height() + own * drum.centre_height();
            mass += own;
            *over = moment / mass;
        }
        let made = Self { drums, carried };
        for drum in 0..count {
            let least = made.least_critical_tilt(drum);
            let accepted = "above 0 rad: the mass centre stands over the inside of the top below";
            require("critical tilt of a body", least, least > 0.0, accepted)?;
        }
        Ok(made)
    }

    /// The bodies, from the base upwards.
    #[must_use]
    pub fn drums(&self) -> &[SpatialBody] {
        &self.drums
    }

    /// Tilt towards `azimuth` at which the mass centre of body `drum` (from 0) and all above it stands over the
    /// farthest point that way of the face on which it stands (rad): of its base, or of the top below it where that is
    /// nearer.
    #[must_use]
    pub fn critical_tilt(&self, drum: usize, azimuth: f64) -> f64 {
        let Some((body, height)) = self.drums.get(drum).zip(self.carried.get(drum)) else {
            return 0.0;
        };
        let own = body.critical_tilt_below(azimuth, *height);
        let on = self.below(drum);
        let on = on.and_then(|below| below.critical_tilt_on_top(azimuth, *height));
        on.map_or(own, |on| own.min(on))
    }

    /// The least of these tilts over all azimuths: towards the nearest edge.
    #[must_use]
    pub fn least_critical_tilt(&self, drum: usize) -> f64 {
        let Some((body, height)) = self.drums.get(drum).zip(self.carried.get(drum)) else {
            return 0.0;
        };
        let (own, _) = body.critical_tilts_below(*height);
        let on = self.below(drum);
        let on = on.and_then(|below| below.least_critical_tilt_on_top(*height));
        on.map_or(own, |on| own.min(on))
    }

    fn below(&self, drum: usize) -> Option<&SpatialBody> {
        drum.checked_sub(1).and_then(|below| self.drums.get(below))
    }

    /// The bodies that are moved: every second one is narrowed, of those with corners.
    pub(super) fn moved(&self) -> Result<Vec<SpatialBody>, RockingError> {
        let narrowed = |(k, drum): (usize, &SpatialBody)| match drum.round() {
            None if k % 2 == 1 => drum.scaled_across(1.0 - NARROWED),
            _ => Ok(drum.clone()),
        };
        self.drums.iter().enumerate().map(narrowed).collect()
    }
}
