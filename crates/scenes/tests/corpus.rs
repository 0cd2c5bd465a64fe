//! Replays the fuzzing corpus of scenes.

#[path = "../../../fuzz/replay.rs"]
mod replay;
#[path = "../../../fuzz/scenes.rs"]
mod scenes;

#[test]
fn no_scene_panics_in_its_corpus() {
    replay::replay("scene", scenes::scene);
}
