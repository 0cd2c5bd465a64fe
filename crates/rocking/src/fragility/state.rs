//! States of damage, and the response that tells whether they are reached.

/// A state of damage. What overturns has reached every state of the block; the states of restrainers are reached by
/// what the restrainers did alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DamageState {
    /// The peak rotation over the slenderness α reaches this value; 0 is the first uplift.
    Rotation(f64),
    /// The foot slips by this way from where it stood (m).
    Slip(f64),
    /// A corner lands on the base with this velocity (m/s).
    Landing(f64),
    /// A point at the stated height of the block moves by this way to either side (m): it closes a gap to a neighbour.
    Gap(f64),
    /// The force of a restrainer reaches this share of its strength; 1 is yield, or rupture where it does not yield.
    Pull(f64),
    /// A restrainer breaks.
    Rupture,
    /// The block overturns; of a stack, any block falls.
    Overturning,
    /// All blocks of a stack fall.
    TotalOverturning,
}

impl DamageState {
    /// Rocks at all, a tenth, a half and all of α, overturns.
    pub const USUAL: [Self; 5] = [
        Self::Rotation(0.01),
        Self::Rotation(0.1),
        Self::Rotation(0.5),
        Self::Rotation(1.0),
        Self::Overturning,
    ];

    /// Whether a response reaches it.
    pub fn is_reached(self, response: &Response) -> bool {
        let reaches = |found: f64, least: f64| found > 0.0 && found >= least;
        let fell = response.overturned;
        match self {
            Self::Rotation(least) => fell || reaches(response.peak, least),
            Self::Slip(least) => fell || reaches(response.slip, least),
            Self::Landing(least) => fell || reaches(response.landing, least),
            Self::Gap(least) => fell || reaches(response.reach, least),
            Self::Pull(least) => reaches(response.pull, least),
            Self::Rupture => response.broken,
            Self::Overturning => fell,
            Self::TotalOverturning => response.total,
        }
    }

    /// Whether whatever reaches this state has reached `other` too.
    pub fn implies(self, other: Self) -> bool {
        match (self, other) {
            (Self::Rotation(own), Self::Rotation(least))
            | (Self::Slip(own), Self::Slip(least))
            | (Self::Landing(own), Self::Landing(least))
            | (Self::Gap(own), Self::Gap(least))
            | (Self::Pull(own), Self::Pull(least)) => own >= least,
            // What breaks was at its strength before.
            (Self::Rupture, Self::Pull(least)) => least <= 1.0,
            (
                Self::Overturning,
                Self::Rotation(_) | Self::Slip(_) | Self::Landing(_) | Self::Gap(_),
            )
            | (Self::Overturning, Self::Overturning)
            | (Self::Rupture, Self::Rupture)
            | (Self::TotalOverturning, Self::TotalOverturning) => true,
            (Self::TotalOverturning, other) => Self::Overturning.implies(other),
            _ => false,
        }
    }

    /// Whether it asks for what happens at each event of a run, which the lanes of a batch do not keep.
    pub fn needs_events(self) -> bool {
        match self {
            Self::Landing(_) | Self::Gap(_) | Self::Pull(_) | Self::Rupture => true,
            Self::Rotation(_) | Self::Slip(_) | Self::Overturning | Self::TotalOverturning => false,
        }
    }

    /// Its name in a sentence.
    pub fn name(self) -> String {
        match self {
            Self::Rotation(0.0) => "uplift".to_owned(),
            Self::Rotation(least) => format!("peak rotation of {least} α"),
            Self::Slip(least) => format!("slip of {least} m"),
            Self::Landing(least) => format!("landing at {least} m/s"),
            Self::Gap(least) => format!("gap of {least} m closed"),
            Self::Pull(least) => format!("restrainer at {least} of its strength"),
            Self::Rupture => "rupture of a restrainer".to_owned(),
            Self::Overturning => "overturning".to_owned(),
            Self::TotalOverturning => "total overturning".to_owned(),
        }
    }
}

/// Response of one record at one signed scale.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Response {
    /// Largest rotation over the slenderness of the weaker side; 0 for a block that stays on its base.
    pub peak: f64,
    /// Largest slip from the start (m); 0 where blocks do not slide.
    pub slip: f64,
    /// Largest velocity (m/s) with which a corner landed; 0 where it is not followed.
    pub landing: f64,
    /// Largest way (m) to either side of the points at the stated height; 0 where it is not followed.
    pub reach: f64,
    /// Largest force of a restrainer over its strength.
    pub pull: f64,
    /// Whether a restrainer broke.
    pub broken: bool,
    /// Whether it overturned; of a stack, whether any block fell.
    pub overturned: bool,
    /// Whether all of it fell.
    pub total: bool,
    /// Whether it still rocked at the end of the simulation, so that it may go on to overturn.
    pub undecided: bool,
}
