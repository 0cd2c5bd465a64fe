//! Keys as words and units, and tables from values whose types describe themselves.

mod keys;
mod known;
mod ordered;
mod schema;
mod tables;
#[cfg(test)]
mod tests;

pub use keys::{capital, of_key, sentence_of};
pub use known::Known;
pub use ordered::Ordered;
pub use schema::Words;
pub use tables::{collect, groups, of_objects, table, tables};
