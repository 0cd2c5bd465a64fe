//! A hash of numbers, for golden tests and for the names of saved packings.

use glam::DVec3;
use klast_dynamics::SplitMix64;

/// Chained SplitMix64 over the bits of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Hash(u64);

impl Hash {
    pub fn new() -> Self {
        Self(0x6B6C_6173_7464_656D)
    }

    pub fn word(&mut self, word: u64) {
        self.0 = SplitMix64::new(self.0 ^ word).next();
    }

    pub fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    pub fn numbers(&mut self, x: &[f64]) {
        x.iter().for_each(|x| self.number(*x));
    }

    pub fn vector(&mut self, v: DVec3) {
        self.numbers(&v.to_array());
    }

    pub fn finish(&self) -> u64 {
        self.0
    }
}
