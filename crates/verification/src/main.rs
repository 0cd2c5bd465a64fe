//! Published truth against us: tables, cases, verdicts.
fn main() {}
