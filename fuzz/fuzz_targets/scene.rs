#![no_main]
#[path = "../scenes.rs"]
mod scenes;

libfuzzer_sys::fuzz_target!(|data: &[u8]| scenes::scene(data));
