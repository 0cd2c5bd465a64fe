//! What is wrong with a scene, by its paths.

use klast_runs::error::Result;

/// The path of each fault of a scene that is refused; what is no fault of a scene is an empty list.
///
/// # Panics
/// A scene that is accepted.
pub fn paths<T>(read: Result<T>) -> Vec<String> {
    let error = read.err().expect("a scene that is refused");
    let faults = error.faults().map_or(&[][..], |faults| &faults.list);
    faults.iter().map(|fault| fault.path.clone()).collect()
}
