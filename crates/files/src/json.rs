//! JSON in which each key of an object stands once.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A key that an object has twice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("duplicate field `{key}` at line {line} column {column}")]
pub struct KeyTwice {
    /// The key.
    pub key: String,
    /// Line of the second, from 1.
    pub line: usize,
    /// Column behind the second, from 1.
    pub column: usize,
}

/// Refuses a text in which an object has a key twice, at any depth: readers of maps keep the last one and say nothing.
/// A text that is no JSON is left to its reader.
///
/// # Errors
/// The key that is there twice, with its line and column.
pub fn keys_once(text: &str) -> Result<(), KeyTwice> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let twice = RefCell::new(None);
    let Err(error) = Once(&twice).deserialize(&mut reader) else {
        return Ok(());
    };
    twice.into_inner().map_or(Ok(()), |key| {
        Err(KeyTwice {
            key,
            line: error.line(),
            column: error.column(),
        })
    })
}

/// Any value, of which only the keys are looked at; the first that an object has twice is kept.
#[derive(Clone, Copy)]
struct Once<'a>(&'a RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if seen.contains(&key) {
                *self.0.borrow_mut() = Some(key);
                return Err(A::Error::custom("a key that is there twice"));
            }
            map.next_value_seed(self)?;
            seen.insert(key);
        }
        Ok(())
    }
}
