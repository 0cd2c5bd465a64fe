//! Deliberate small errors of the physics, each of which a named test must see.
//!
//! With the feature `mutants` the variable `KLAST_MUTANT` of the environment names the one that is made; without it,
//! as everywhere but in `cargo xtask mutants`, a factor is the constant 1, which changes no bit and costs nothing.

/// The wrong factor if the mutant of this name is made, else 1.
#[cfg(feature = "mutants")]
pub fn factor(name: &str, wrong: f64) -> f64 {
    use std::sync::OnceLock;
    static MADE: OnceLock<Option<String>> = OnceLock::new();
    let made = MADE.get_or_init(|| std::env::var("KLAST_MUTANT").ok());
    if made.as_deref() == Some(name) {
        wrong
    } else {
        1.0
    }
}

/// The wrong factor if the mutant of this name is made, else 1.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub const fn factor(_: &str, _: f64) -> f64 {
    1.0
}
