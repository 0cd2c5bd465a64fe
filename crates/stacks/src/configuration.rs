//! Which corners of a stack are in contact: one [`Pivot`] per interface, 3^N configurations as data.

use super::MAX_BLOCKS;
use std::fmt;

/// Where an interface is in contact. The interface lies under the block it is named after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pivot {
    /// Only the left corner touches: the upper body is turned anticlockwise against the lower one.
    Left,
    /// The faces touch all along: the two bodies turn as one.
    Full,
    /// Only the right corner touches: the upper body is turned clockwise against the lower one.
    Right,
}

impl Pivot {
    /// −1 for the left corner, 0 for a shut interface, +1 for the right corner: the sign of the relative rotation.
    #[must_use]
    pub fn sign(self) -> f64 {
        match self {
            Pivot::Left => -1.0,
            Pivot::Full => 0.0,
            Pivot::Right => 1.0,
        }
    }

    /// The pivot a relative rotation or rate of this sign calls for; zero (and NaN) is [`Pivot::Full`].
    #[must_use]
    pub fn of_sign(value: f64) -> Self {
        if value > 0.0 {
            Pivot::Right
        } else if value < 0.0 {
            Pivot::Left
        } else {
            Pivot::Full
        }
    }

    /// The pivot seen in a mirror.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Pivot::Left => Pivot::Right,
            Pivot::Full => Pivot::Full,
            Pivot::Right => Pivot::Left,
        }
    }

    fn letter(self) -> char {
        match self {
            Pivot::Left => 'L',
            Pivot::Full => 'F',
            Pivot::Right => 'R',
        }
    }
}

/// The pivots of a stack from the base upwards; as many as blocks are standing.
///
/// Named by [`fmt::Display`]: `rest` when every interface is shut; for two blocks the eight names of the literature
/// (1a … 4b); otherwise one letter per interface from the base upwards, `L`, `F` or `R`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Configuration {
    pivots: [Pivot; MAX_BLOCKS],
    len: usize,
}

/// The eight moving configurations of two blocks, with the pivots of the base and of the upper interface.
///
/// Kounadis, Papadopoulos, Cotsovos (2012) and the thesis, Figure 6.2: 1 both turned the same way and the upper one
/// more, 2 the upper one turned back against the lower, 3 both as one block, 4 the upper block alone; a to the left (θ
/// < 0), b to the right.
const DUAL_NAMES: [(&str, [Pivot; 2]); 8] = [
    ("1a", [Pivot::Left, Pivot::Left]),
    ("1b", [Pivot::Right, Pivot::Right]),
    ("2a", [Pivot::Left, Pivot::Right]),
    ("2b", [Pivot::Right, Pivot::Left]),
    ("3a", [Pivot::Left, Pivot::Full]),
    ("3b", [Pivot::Right, Pivot::Full]),
    ("4a", [Pivot::Full, Pivot::Left]),
    ("4b", [Pivot::Full, Pivot::Right]),
];

impl Configuration {
    /// All interfaces of a stack of `len` blocks shut; more than [`MAX_BLOCKS`] are cut to that.
    #[must_use]
    pub fn rest(len: usize) -> Self {
        Self {
            pivots: [Pivot::Full; MAX_BLOCKS],
            len: len.min(MAX_BLOCKS),
        }
    }

    /// The configuration with these pivots, from the base upwards; what is beyond [`MAX_BLOCKS`] is dropped.
    #[must_use]
    pub fn from_pivots(pivots: &[Pivot]) -> Self {
        let mut made = Self::rest(pivots.len());
        for (slot, pivot) in made.pivots.iter_mut().zip(pivots) {
            *slot = *pivot;
        }
        made
    }

    /// Reads a name as written by [`fmt::Display`]; `rest` needs the number of blocks, the others must agree with it.
    #[must_use]
    pub fn from_name(name: &str, len: usize) -> Option<Self> {
        if name == "rest" && len <= MAX_BLOCKS {
            return Some(Self::rest(len));
        }
        if len == 2
            && let Some((_, pivots)) = DUAL_NAMES.iter().find(|(known, _)| *known == name)
        {
            return Some(Self::from_pivots(pivots));
        }
        let pivots: Option<Vec<Pivot>> = name
            .chars()
            .map(|letter| match letter {
                'L' => Some(Pivot::Left),
                'F' => Some(Pivot::Full),
                'R' => Some(Pivot::Right),
                _ => None,
            })
            .collect();
        pivots
            .filter(|found| found.len() == len && len <= MAX_BLOCKS)
            .map(|found| Self::from_pivots(&found))
    }

    /// The pivots from the base upwards.
    #[must_use]
    pub fn pivots(&self) -> &[Pivot] {
        &self.pivots[..self.len]
    }

    /// The pivot under block `interface`; [`Pivot::Full`] beyond the top.
    #[must_use]
    pub fn pivot(&self, interface: usize) -> Pivot {
        self.pivots().get(interface).copied().unwrap_or(Pivot::Full)
    }

    /// Sets the pivot of one interface; beyond the top it does nothing.
    pub fn set(&mut self, interface: usize, pivot: Pivot) {
        if let Some(slot) = self.pivots[..self.len].get_mut(interface) {
            *slot = pivot;
        }
    }

    /// Keeps only the lowest `len` interfaces.
    pub fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
            self.pivots[len..].fill(Pivot::Full);
        }
    }

    /// How many blocks stand.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when no block stands.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True when every interface is shut: the stack moves with its base.
    #[must_use]
    pub fn is_rest(&self) -> bool {
        self.pivots().iter().all(|pivot| *pivot == Pivot::Full)
    }

    /// The configuration seen in a mirror.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut made = *self;
        for pivot in &mut made.pivots[..self.len] {
            *pivot = pivot.mirrored();
        }
        made
    }

    /// All 3^N configurations of `len` blocks, rest first, the lowest interface changing fastest; of more than forty
    /// the first 3^40.
    pub fn all(len: usize) -> impl Iterator<Item = Self> {
        let len = len.min(MAX_BLOCKS);
        let count = 3_u64.pow(u32::try_from(len.min(40)).unwrap_or(0));
        (0..count).map(move |index| {
            let mut made = Self::rest(len);
            let mut rest = index;
            for pivot in &mut made.pivots[..len] {
                *pivot = [Pivot::Full, Pivot::Left, Pivot::Right][(rest % 3) as usize];
                rest /= 3;
            }
            made
        })
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_rest() {
            return f.pad("rest");
        }
        if let Some((name, _)) = DUAL_NAMES
            .iter()
            .find(|(_, pivots)| self.pivots() == pivots)
        {
            return f.pad(name);
        }
        let name: String = self.pivots().iter().map(|pivot| pivot.letter()).collect();
        f.pad(&name)
    }
}

impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Configuration({self})")
    }
}
