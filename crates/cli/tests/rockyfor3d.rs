//! An input folder of Rockyfor3D, made here, on its way to results under its names.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn klast(arguments: &[&str], folder: &Path) -> Option<i32> {
    let output = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&output.stderr));
    output.status.code()
}

/// 20 x 8 cells of 5 m; the value of a cell by column and row from the north-west.
fn grid(value: impl Fn(usize, usize) -> f64) -> String {
    let mut text =
        "ncols 20\nnrows 8\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -9999\n".to_owned();
    for row in 0..8 {
        for column in 0..20 {
            write!(text, "{} ", value(column, row)).unwrap();
        }
        text.push('\n');
    }
    text
}

fn folder(folder: &Path) {
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    let source = |column: usize, row: usize| column == 2 && (3..5).contains(&row);
    let at = |value: f64| move |c, r| if source(c, r) { value } else { 0.0 };
    // 45° down to the tenth column, then 11°.
    let height =
        |c: usize, _: usize| 200.0 - 5.0 * c.min(10) as f64 - 1.0 * c.saturating_sub(10) as f64;
    write("dem.asc", grid(height));
    write("rockdensity.asc", grid(at(2600.0)));
    for (name, size) in [("d1", 0.6), ("d2", 0.8), ("d3", 1.0)] {
        write(&format!("{name}.asc"), grid(at(size)));
    }
    write("blshape.asc", grid(at(1.0)));
    for name in ["rg70", "rg20", "rg10"] {
        write(&format!("{name}.asc"), grid(|_, _| 0.05));
    }
    write("soiltype.asc", grid(|c, _| if c < 10 { 4.0 } else { 1.0 }));
    let soils = "soiltype,normal_restitution,tangential_restitution,friction_angle_deg\n1,0.2,0.6,32\n4,0.4,0.8,35\n";
    write("soiltypes.csv", soils.to_owned());
}

#[test]
fn a_folder_becomes_a_scene_that_runs_and_writes_its_names() {
    let work = tempfile::tempdir().unwrap();
    folder(work.path());
    let convert = ["convert", ".", "scene.json", "--rocks-per-cell", "20"];
    assert_eq!(klast(&convert, work.path()), Some(0));
    let scene: Value =
        serde_json::from_slice(&std::fs::read(work.path().join("scene.json")).unwrap()).unwrap();
    let source = &scene["sources"][0];
    assert_eq!(source["rocks"], 40);
    assert!((source["shapes"][0]["volume_m3"].as_f64().unwrap() - 0.48).abs() < 1e-12);
    // The number in the raster is that of the material.
    assert_eq!(scene["materials"].as_array().unwrap().len(), 5);
    assert_eq!(scene["materials"][4]["normal_restitution"], 0.4);
    assert_eq!(klast(&["check", "scene.json"], work.path()), Some(0));
    assert_eq!(
        klast(&["run", "scene.json", "--out", "out"], work.path()),
        Some(0)
    );
    for name in ["E_95CI", "Ph_95CI", "Nr_deposited", "Reach_probability"] {
        let text = std::fs::read_to_string(work.path().join(format!("out/{name}.asc"))).unwrap();
        let values = text
            .split_whitespace()
            .skip(12)
            .map(|w| w.parse::<f64>().unwrap());
        assert!(values.clone().any(|v| v > 0.0), "{name}");
        if name == "Nr_deposited" {
            assert!(values.filter(|v| *v > 0.0).sum::<f64>() <= 40.0);
        }
    }
    // Trees are refused, and so is a scene that would stand apart from its rasters.
    assert_eq!(
        klast(&["convert", ".", "../scene.json"], work.path()),
        Some(2)
    );
    std::fs::write(work.path().join("nrtrees.asc"), grid(|_, _| 0.0)).unwrap();
    assert_eq!(klast(&["convert", ".", "scene.json"], work.path()), Some(2));
}
