//! What a command says where its output ends, and what it leaves where it cannot write.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use klast_runs::files::{Files as _, FilesExt as _, Folder};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn klast(arguments: &[&str], folder: &Path, stdout: Stdio) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .current_dir(folder)
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const TALKING: [&[&str]; 4] = [
    &["new", "bodies"],
    &["schema", "bodies"],
    &["new"],
    &["check", "rocking.json"],
];

/// `klast schema bodies | head -1` is no failure: the reader has what it wants.
#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    for arguments in TALKING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = klast(arguments, &examples(), writer.into());
        assert_eq!(said(&output), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_without_room_fails_on_one_line() {
    for arguments in TALKING {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = klast(arguments, &examples(), full.unwrap().into());
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    }
}

/// A folder that cannot be made is a failure of the run (1), not wrong input (2): another place would do.
#[test]
fn a_folder_that_cannot_be_made_is_a_failure() {
    let long = "x/".repeat(3000);
    for out in ["rocking.json", "rocking.json/x", "/dev/null/x", &long] {
        for command in [["run", "rocking.json"], ["new", "rocking"]] {
            let arguments = [&command[..], &["--out", out]].concat();
            let output = klast(&arguments, &examples(), Stdio::null());
            let said = said(&output);
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(said.contains("cannot be made"), "{said}");
        }
    }
}

#[test]
fn nothing_half_written_stays_beside_a_file_that_cannot_be_written() {
    let work = tempfile::tempdir().unwrap();
    let mut output = Folder::open(work.path()).unwrap();
    // A folder stands where the file should be.
    std::fs::create_dir_all(work.path().join("table.csv/x")).unwrap();
    assert!(output.text("table.csv", "1").is_err());
    assert!(output.data("table.csv", &1).is_err());
    assert!(output.names().is_empty());
    assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 1);
}

/// An option that would do nothing is refused before the run, not only by it.
#[test]
fn check_refuses_what_run_refuses() {
    for option in [["--seed", "3"], ["--shard", "1/2"]] {
        let arguments = [&["check", "rocking.json"][..], &option].concat();
        let output = klast(&arguments, &examples(), Stdio::null());
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(said(&output).contains(option[0]), "{}", said(&output));
    }
}
