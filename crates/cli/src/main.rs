//! The klast program: scenes in, results and pictures out.
fn main() {}
