//! The commit that the program is built from, for `klast --version`, reports and manifests.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Without a repository around it, as in a package of sources, the version stands alone.
    let whole = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    println!("cargo:rustc-env=KLAST_COMMIT={whole}");
    let commit = whole.get(..9).map(|c| format!(" ({c})"));
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
