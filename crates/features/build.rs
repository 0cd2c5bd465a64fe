//! Nothing is made: a crate with dependencies of its build has to have a build.

fn main() {}
