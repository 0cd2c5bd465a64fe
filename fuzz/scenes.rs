//! What the fuzz target of scenes feeds: any bytes must give a value or an error, never a panic.
//!
//! Shared with the test that replays the corpus on a stable toolchain.

use klast_scenes::Scene;

/// A scene file: its header, then the reader of its kind with every check.
pub fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let nowhere = std::path::PathBuf::from("no-such-folder");
    if let Ok((scene, _)) = Scene::parse(text, nowhere) {
        let _ = scene.job();
    }
}
