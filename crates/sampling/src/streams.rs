//! Random streams: one generator for each (seed, purpose, index).
//!
//! A trajectory draws only from streams keyed by its own index, so its result depends neither on the order of the
//! others nor on threads; a new purpose moves no number of an old one. State and increment of the generator are both
//! hashed, because PCG with consecutive plain increments gives streams that are visibly correlated across indices.

pub use klast_numerics::SplitMix64;
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
pub struct Streams {
    /// The seed of the run.
    pub seed: u64,
}

impl Streams {
    /// Streams of a run with this seed.
    pub fn new(seed: u64) -> Self {
        Streams { seed }
    }

    /// The seed of a run within this run.
    pub fn seed(&self, purpose: Purpose, index: u64) -> u64 {
        self.rng(purpose, index).next_u64()
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

/// A uniform number in the open interval (0, 1): 2⁵² values on odd multiples of 2⁻⁵³, symmetric about one half.
pub fn open_uniform(rng: &mut impl Rng) -> f64 {
    let bits = rng.next_u64() >> 12;
    ((bits << 1) + 1) as f64 * (1.0 / 9_007_199_254_740_992.0)
}
