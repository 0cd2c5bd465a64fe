//! Replays a folder of the corpus: seeds and everything that once crashed a reader.

use std::path::Path;

/// Each file as it is, cut short, and with each byte changed: as far as a test has time for.
pub fn replay(target: &str, read: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        read(&bytes);
        for i in 0..bytes.len().min(400) {
            read(&bytes[..i]);
            for byte in [0, b'-', b'9', 0xff] {
                let mut changed = bytes.clone();
                changed[i] = byte;
                read(&changed);
            }
        }
        files += 1;
    }
    assert!(files > 0, "{target}: the corpus is empty");
}
