//! What happens in a run.

/// An impact at one interface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Collision {
    /// Time, s: the rounding of the coordinates over `approach`, and to rounding where the contact is grazing.
    pub time: f64,
    /// Interface at which it began: 0 is the left wall, `i` lies in front of block `i`, the count of blocks is the
    /// right wall.
    pub interface: usize,
    /// First and last block that took part.
    pub blocks: (usize, usize),
    /// Relative speed of approach there, m/s.
    pub approach: f64,
    /// Impulse through that interface, N s.
    pub impulse: f64,
    /// Energy dissipated by the whole impact, J.
    pub dissipated: f64,
    /// Whether it was a tangent touch of an open contact, at 1e-12 of the velocity scale or less. Its time is that of
    /// the root of the relative velocity or acceleration; how hard it really was, up to the square root of rounding, no
    /// double knows.
    pub grazing: bool,
}

/// One event of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// Impulses were exchanged.
    Impact(Collision),
    /// A group of blocks came to rest relative to the basin.
    Stop {
        /// Time, s.
        time: f64,
        /// First and last block.
        blocks: (usize, usize),
    },
    /// A group of blocks at rest began to slide.
    Slip {
        /// Time, s.
        time: f64,
        /// First and last block.
        blocks: (usize, usize),
        /// To the right (+1) or to the left (−1) in the basin.
        direction: i8,
    },
    /// Impacts accumulated and a group of blocks now stays in contact.
    Join {
        /// Time, s.
        time: f64,
        /// First and last block.
        blocks: (usize, usize),
    },
}

impl Event {
    /// Time of the event, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        match self {
            Self::Impact(c) => c.time,
            Self::Stop { time, .. } | Self::Slip { time, .. } | Self::Join { time, .. } => *time,
        }
    }
}
