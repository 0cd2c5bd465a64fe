//! Numbers of one kind beside each other as bytes: what compresses well.

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes as one value of a format that has them, and as a list of numbers elsewhere.
#[derive(Debug)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Bytes;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = list.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Read)
    }
}

/// Writes a whole number in groups of seven bits, the lowest first, each byte but the last with its highest bit set.
pub fn put(out: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number of either sign as one that is small where its amount is.
#[must_use]
pub fn zigzag(number: i128) -> u128 {
    ((number << 1) ^ (number >> 127)) as u128
}

/// The number of a [`zigzag`].
#[must_use]
pub fn unzigzag(number: u128) -> i128 {
    (number >> 1) as i128 ^ -((number & 1) as i128)
}

/// Writes numbers of as many bytes plane by plane, the first of each first: neighbours among the bytes are alike.
pub fn planes<const N: usize>(numbers: impl Iterator<Item = [u8; N]>, out: &mut Vec<u8>) {
    let bytes: Vec<[u8; N]> = numbers.collect();
    for k in 0..N {
        out.extend(bytes.iter().map(|b| b[k]));
    }
}

/// What is left of some bytes to read; what they do not hold is none.
#[derive(Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Of all bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader(bytes)
    }

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.0.len()
    }

    /// The next bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number that [`put`] has written.
    pub fn number(&mut self) -> Option<u128> {
        let mut number = 0u128;
        for shift in (0..128).step_by(7) {
            let byte = self.byte()?;
            number |= u128::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// The same where it takes no more than a word.
    pub fn word(&mut self) -> Option<u64> {
        self.number()?.try_into().ok()
    }

    /// How many there are of something that takes a byte at least.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    /// A number of either sign, written by [`put`] of its [`zigzag`].
    pub fn signed(&mut self) -> Option<i128> {
        self.number().map(unzigzag)
    }

    /// The bytes of numbers that [`planes`] has written.
    pub fn planes<const N: usize>(&mut self, count: usize) -> Option<Vec<[u8; N]>> {
        let bytes = self.bytes(count.checked_mul(N)?)?;
        let number = |i: usize| std::array::from_fn(|k| bytes[k * count + i]);
        Some((0..count).map(number).collect())
    }
}
