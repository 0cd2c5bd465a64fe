//! The library crates as the registry would hand them out, and the README's example in a new project that depends on
//! them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::run::{cargo_in, output, root, target};

/// Packages every crate that can be published, unpacks the packages and runs the README's example on them.
pub fn package() -> Result<()> {
    let crates = publishable()?;
    let folder = target().join("packaged");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let mut arguments = vec!["package", "--no-verify", "--allow-dirty", "--quiet"];
    for one in &crates {
        arguments.extend(["--package", &one.name]);
    }
    cargo_in(root(), &arguments)?;
    for one in &crates {
        unpack(&one.file(), &folder)?;
    }
    let project = folder.join("example");
    write_project(&project, &crates)?;
    // Outside crates are compiled once: the folder of results is the workspace's.
    let results = target().display().to_string();
    cargo_in(&project, &["run", "--quiet", "--target-dir", &results])?;
    println!(
        "{} crates packaged; the README's example builds on them and runs",
        crates.len()
    );
    Ok(())
}

/// A crate that can be published.
struct Package {
    name: String,
    version: String,
}

impl Package {
    /// Name of the file and of the folder in it.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    fn file(&self) -> PathBuf {
        target()
            .join("package")
            .join(format!("{}.crate", self.stem()))
    }
}

/// The members without `publish = false`.
fn publishable() -> Result<Vec<Package>> {
    let text = output(&["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: serde_json::Value = serde_json::from_str(&text)?;
    let members = metadata["packages"].as_array().context("no packages")?;
    let found = members
        .iter()
        .filter(|member| member["publish"].is_null())
        .filter_map(|member| {
            Some(Package {
                name: member["name"].as_str()?.to_owned(),
                version: member["version"].as_str()?.to_owned(),
            })
        });
    Ok(found.collect())
}

/// With the time of unpacking on its files: those in a package are older than what was built of the one before.
fn unpack(file: &Path, folder: &Path) -> Result<()> {
    let status = Command::new("tar")
        .arg("xzmf")
        .arg(file)
        .arg("-C")
        .arg(folder)
        .status()
        .context("tar cannot be started")?;
    if !status.success() {
        bail!("{}: not unpacked", file.display());
    }
    Ok(())
}

/// A project as a reader of the README makes it: its block of dependencies, its block of code. What the registry would
/// hand out comes from the packages.
fn write_project(project: &Path, crates: &[Package]) -> Result<()> {
    let readme = std::fs::read_to_string(root().join("README.md"))?;
    let dependencies = block(&readme, "toml").context("README.md: no block of dependencies")?;
    // A registry knows versions, and no paths in a clone.
    let by_version = |line: &str| match line.split_once(", path = ") {
        Some((version, _)) => format!("{version} }}\n"),
        None => format!("{line}\n"),
    };
    let dependencies: String = dependencies.lines().map(by_version).collect();
    let code = block(&readme, "rust").context("README.md: no example")?;
    let mut manifest = format!(
        "[package]\nname = \"example\"\nedition = \"2024\"\n\n{dependencies}\n[workspace]\n\n[patch.crates-io]\n"
    );
    for one in crates {
        writeln!(
            manifest,
            "{} = {{ path = \"../{}\" }}",
            one.name,
            one.stem()
        )?;
    }
    std::fs::create_dir_all(project.join("src"))?;
    std::fs::write(project.join("Cargo.toml"), manifest)?;
    std::fs::write(project.join("src/main.rs"), code)?;
    // The versions of outside crates are those of the workspace.
    std::fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock"))?;
    Ok(())
}

/// The first fenced block of a language.
fn block<'a>(text: &'a str, language: &str) -> Option<&'a str> {
    let fence = format!("```{language}\n");
    let start = text.find(&fence)? + fence.len();
    let length = text[start..].find("```")?;
    Some(&text[start..start + length])
}
