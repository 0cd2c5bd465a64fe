//! Hashes of bits: golden tests, names of files. Neither resists an attacker.

/// FNV-1a, 64 bits (Fowler, Noll and Vo 1991), over bytes; numbers go in as the little-endian bytes of their bits.
///
/// ```
/// use klast_numerics::Digest;
///
/// assert_eq!(Digest::of_numbers([1.0, -0.0]), Digest::of_numbers([1.0, -0.0]));
/// assert_ne!(Digest::of_numbers([0.0]), Digest::of_numbers([-0.0]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Takes bytes in.
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> Self {
        let step = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        Self(bytes.iter().fold(self.0, step))
    }

    /// Takes a word in.
    #[must_use]
    pub fn word(self, word: u64) -> Self {
        self.bytes(&word.to_le_bytes())
    }

    /// Takes numbers in, bit by bit.
    #[must_use]
    pub fn numbers(self, numbers: impl IntoIterator<Item = f64>) -> Self {
        numbers
            .into_iter()
            .fold(self, |digest, x| digest.word(x.to_bits()))
    }

    /// The hash of what was taken in.
    #[must_use]
    pub fn finish(self) -> u64 {
        self.0
    }

    /// The hash of numbers, bit by bit.
    #[must_use]
    pub fn of_numbers(numbers: impl IntoIterator<Item = f64>) -> u64 {
        Self::default().numbers(numbers).finish()
    }

    /// The hash of words.
    #[must_use]
    pub fn of_words(words: impl IntoIterator<Item = u64>) -> u64 {
        let all = words.into_iter();
        all.fold(Self::default(), Self::word).finish()
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): a generator of words, and a hash with full avalanche over the 64 bits of
/// each word that it takes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator started at this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Takes a word in: the seed of what follows is the next output, mixed with the word.
    pub fn absorb(&mut self, word: u64) {
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

    /// A number in [0, 1) from the 53 upper bits of the next word.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A number in [`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.between(0.0, count as f64) as usize).min(count.saturating_sub(1))
    }
}

/// A chain of SplitMix64 over words: eight times fewer steps than [`Digest`] takes for numbers, and as good a hash. It
/// names files and closes saved packings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordDigest(u64);

impl WordDigest {
    /// A chain that starts at `key`, which tells one use from another.
    #[must_use]
    pub fn new(key: u64) -> Self {
        Self(key)
    }

    /// Takes a word in.
    pub fn word(&mut self, word: u64) {
        self.0 = SplitMix64::new(self.0 ^ word).next();
    }

    /// Takes numbers in, bit by bit.
    pub fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|x| self.word(x.to_bits()));
    }

    /// Takes bytes in, eight at a time; the last ones are filled up with zeros.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash of what was taken in.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_of_published_words() {
        // Test vectors of the reference code of FNV-1a, 64 bits (Noll, "FNV hash").
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            assert_eq!(Digest::default().bytes(text.as_bytes()).finish(), hash);
        }
    }

    #[test]
    fn splitmix_from_seed_zero() {
        // First outputs of the author's generator seeded with 0 (Vigna, splitmix64.c).
        let mut words = SplitMix64::new(0);
        assert_eq!(words.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(words.next(), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(words.next(), 0x06C4_5D18_8009_454F);
        let mut digest = WordDigest::new(0);
        digest.word(0);
        assert_eq!(digest.finish(), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn bytes_are_words_filled_up_with_zeros() {
        let (mut a, mut b) = (WordDigest::new(7), WordDigest::new(7));
        a.bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        b.word(u64::from_le_bytes([1, 2, 3, 4, 5, 6, 7, 8]));
        b.word(9);
        assert_eq!(a, b);
    }
}
