//! Which law holds between which materials.

use crate::error::DemError;
use crate::law::PenaltyLaw;
use klast_numerics::OutOfRange;

/// A symmetric table of laws.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "LawRows"))]
pub struct LawTable {
    count: usize,
    laws: Vec<PenaltyLaw>,
}

/// A table as it is read, before it is known to be one.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct LawRows {
    count: usize,
    laws: Vec<PenaltyLaw>,
}

#[cfg(feature = "serde")]
impl TryFrom<LawRows> for LawTable {
    type Error = DemError;

    fn try_from(LawRows { count, laws }: LawRows) -> Result<Self, DemError> {
        check_count(count)?;
        if laws.len() != count * count {
            return Err(OutOfRange::new(
                "number of laws",
                laws.len(),
                "the square of the number of materials",
            )
            .into());
        }
        for (k, law) in laws.iter().enumerate() {
            if *law != laws[k % count * count + k / count] {
                return Err(OutOfRange::new(
                    "law that differs from that of the same two materials in the other order",
                    k,
                    "none",
                )
                .into());
            }
        }
        Ok(Self { count, laws })
    }
}

fn check_count(count: usize) -> Result<(), DemError> {
    if (1..=256).contains(&count) {
        return Ok(());
    }
    Err(OutOfRange::new("number of materials", count, "1 to 256").into())
}

impl LawTable {
    /// `law` between all of `count` materials.
    ///
    /// # Errors
    /// No material, or more than 256.
    pub fn new(count: usize, law: PenaltyLaw) -> Result<Self, DemError> {
        check_count(count)?;
        Ok(Self {
            count,
            laws: vec![law; count * count],
        })
    }

    /// The table with another law between two materials.
    ///
    /// # Errors
    /// A material that the table does not have.
    pub fn with(mut self, a: usize, b: usize, law: PenaltyLaw) -> Result<Self, DemError> {
        for found in [a, b] {
            if found >= self.count {
                return Err(
                    OutOfRange::new("material", found, "below the number of materials").into(),
                );
            }
        }
        self.laws[a * self.count + b] = law;
        self.laws[b * self.count + a] = law;
        Ok(self)
    }

    /// Number of materials.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The law between two materials (the last one for an index out of range: [`crate::World::new`] checks them).
    #[must_use]
    pub fn between(&self, a: usize, b: usize) -> &PenaltyLaw {
        let last = self.count - 1;
        &self.laws[a.min(last) * self.count + b.min(last)]
    }

    /// All laws.
    pub(crate) fn all(&self) -> &[PenaltyLaw] {
        &self.laws
    }
}
