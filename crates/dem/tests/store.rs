//! A layer that was made is taken from its folder, and one whose file is damaged is made again.

use glam::DVec3;
use klast_dem::{PackingSpec, Store};

#[test]
fn a_layer_is_kept_and_a_damaged_one_is_made_again() {
    let folder = std::env::temp_dir().join(format!("klast-store-test-{}", std::process::id()));
    let store = Store::new(&folder).unwrap();
    let spec = PackingSpec::rockfill(DVec3::new(1.0, 0.7, 0.7), 0.3, 2).unwrap();
    let (made, kept) = store.packing(&spec, |_| {}).unwrap();
    assert!(!kept);
    let path = store.packing_path(&spec);
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(made.to_bytes(), bytes);
    let (read, kept) = store.packing(&spec, |_| {}).unwrap();
    assert!(kept);
    assert_eq!(read.to_bytes(), bytes);

    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let (again, kept) = store.packing(&spec, |_| {}).unwrap();
    assert!(!kept);
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    std::fs::remove_dir_all(&folder).unwrap();
}
