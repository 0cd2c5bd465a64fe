//! The commit that the program is built from, for `klast --version` and for reports.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Without a repository around it, as in a package of sources, the version stands alone.
    let commit = git(&["rev-parse", "--short=9", "HEAD"]).map(|c| format!(" ({c})"));
    let version = env!("CARGO_PKG_VERSION");
    println!(
        "cargo:rustc-env=KLAST_VERSION={version}{}",
        commit.unwrap_or_default()
    );
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
}
