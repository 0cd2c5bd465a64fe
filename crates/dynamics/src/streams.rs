//! Random streams: one generator for each (seed, purpose, index).
//!
//! A trajectory draws only from streams keyed by its own index, so its result depends neither on the order of the others nor on threads; a new
//! purpose moves no number of an old one. State and increment of the generator are both hashed, because PCG with consecutive plain increments
//! gives streams that are visibly correlated across indices.

use rand::Rng;
use rand_pcg::Pcg64;

/// What a stream is used for. Two purposes never share numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Where a body starts.
    Position,
    /// How it is turned at the start.
    Attitude,
    /// Its initial velocities.
    Velocity,
    /// Its shape, size and density.
    Shape,
    /// Material parameters, once a trajectory.
    Material,
    /// Surface roughness, drawn at each impact.
    Roughness,
    /// Ground motion parameters.
    Motion,
    /// Anything a user adds; the number keeps users apart.
    Custom(u32),
}

impl Purpose {
    // Fixed numbers: reordering the enum must not move a stream.
    fn key(self) -> u64 {
        match self {
            Purpose::Position => 1,
            Purpose::Attitude => 2,
            Purpose::Velocity => 3,
            Purpose::Shape => 4,
            Purpose::Material => 5,
            Purpose::Roughness => 6,
            Purpose::Motion => 7,
            Purpose::Custom(n) => (1 << 32) + u64::from(n),
        }
    }
}

/// The source of every random number of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Streams {
    /// The seed of the run.
    pub seed: u64,
}

impl Streams {
    /// Streams of a run with this seed.
    pub fn new(seed: u64) -> Self {
        Streams { seed }
    }

    /// The generator for a purpose and an index, always at its beginning.
    pub fn rng(&self, purpose: Purpose, index: u64) -> Pcg64 {
        let mut hash = SplitMix64::new(self.seed);
        hash.absorb(purpose.key());
        hash.absorb(index);
        let mut word = || u128::from(hash.next()) << 64 | u128::from(hash.next());
        let state = word();
        Pcg64::new(state, word())
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014) used as a hash: full avalanche over 64 bits for each absorbed word.
#[derive(Debug, Clone, Copy)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator started at this seed.
    pub fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    fn absorb(&mut self, word: u64) {
        self.0 = self.next() ^ word;
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait)] // not an iterator: it never ends
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// A uniform number in the open interval (0, 1): 2⁵² values on odd multiples of 2⁻⁵³, symmetric about one half.
pub fn open_uniform(rng: &mut impl Rng) -> f64 {
    let bits = rng.next_u64() >> 12;
    ((bits << 1) + 1) as f64 * (1.0 / 9_007_199_254_740_992.0)
}
