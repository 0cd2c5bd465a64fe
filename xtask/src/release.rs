//! What a release hands out, in `target/dist`: a static program with completions and manual pages in an archive and a
//! Debian package, a wheel with module and program, the plugin of QGIS, the bill of materials, the notes, and the
//! checksums of all of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::run::{cargo, output, root, target};

/// What the released program holds beyond the defaults.
const FEATURES: &str = "verify,geopackage";
/// The target whose C library can be linked in.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";
/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds everything.
pub fn release() -> Result<()> {
    let folder = target().join("dist");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let name = format!("klast-{VERSION}-x86_64-linux");
    let content = folder.join(&name);
    std::fs::create_dir_all(&content)?;
    let program = build()?;
    std::fs::copy(&program, content.join("klast"))?;
    for file in ["README.md", "LICENSE", "CHANGELOG.md"] {
        std::fs::copy(root().join(file), content.join(file))?;
    }
    write_helpers(&content)?;
    let archive = format!("{name}.tar.gz");
    run(
        "tar",
        &["czf", &archive, "--owner=0", "--group=0", &name],
        &folder,
    )?;
    debian_package(&content, &folder)?;
    std::fs::write(
        folder.join(format!("klast-{VERSION}.cdx.json")),
        bill_of_materials()?,
    )?;
    wheel(&folder)?;
    let plugin = folder.join(format!("klast-{VERSION}-qgis.zip"));
    let from = root().join("crates/python/qgis");
    let plugin = plugin.display().to_string();
    run(
        "python3",
        &["-m", "zipfile", "--create", &plugin, "klast"],
        &from,
    )?;
    std::fs::write(folder.join("NOTES.md"), notes()?)?;
    write_checksums(&folder)?;
    println!("{}", folder.display());
    println!("{ELSEWHERE}");
    Ok(())
}

/// What other systems build by themselves.
const ELSEWHERE: &str = "macOS and Windows, on a machine of theirs with Rust and Python:
  pip wheel --no-deps crates/python
  cargo build --release --package klast-cli --features verify,geopackage";

/// The wheel: the module and the program, for every Python from 3.10.
fn wheel(folder: &Path) -> Result<()> {
    let tools = target().join("tools");
    if !tools.join("bin/pip").exists() {
        let tools = tools.display().to_string();
        run("python3", &["-m", "venv", &tools], root())?;
    }
    let pip = tools.join("bin/pip").display().to_string();
    let folder = folder.display().to_string();
    let arguments = ["wheel", "--quiet", "--no-deps", "--wheel-dir", &folder];
    run(
        &pip,
        &[&arguments[..], &["./crates/python"]].concat(),
        root(),
    )
}

/// The part of the changelog that is about this version.
fn notes() -> Result<String> {
    let text = std::fs::read_to_string(root().join("CHANGELOG.md"))?;
    let head = format!("## {VERSION}");
    let parts = text.split("\n## ").map(|part| format!("## {part}"));
    let mut found = parts.filter(|part| part.starts_with(&head));
    let own = found.next();
    own.with_context(|| format!("CHANGELOG.md: no heading {head}"))
}

/// The program with the C library inside, and the tables of `klast verify`.
fn build() -> Result<PathBuf> {
    let arguments = [
        "build",
        "--release",
        "--package",
        "klast-cli",
        "--features",
        FEATURES,
        "--target",
        TRIPLE,
    ];
    let status = cargo(
        &arguments,
        &[("RUSTFLAGS", "-C target-feature=+crt-static")],
    )?;
    if !status.success() {
        bail!("the program was not built");
    }
    Ok(target().join(TRIPLE).join("release/klast"))
}

/// Completions of the usual shells and the manual page, written by the program itself.
fn write_helpers(content: &Path) -> Result<()> {
    let program = content.join("klast");
    let completions = content.join("completions");
    std::fs::create_dir_all(&completions)?;
    for (shell, file) in [
        ("bash", "klast.bash"),
        ("zsh", "_klast"),
        ("fish", "klast.fish"),
    ] {
        let text = Command::new(&program)
            .args(["completions", shell])
            .output()?;
        if !text.status.success() {
            bail!("klast completions {shell}: failed");
        }
        std::fs::write(completions.join(file), text.stdout)?;
    }
    let man = content.join("man");
    std::fs::create_dir_all(&man)?;
    let page = Command::new(&program).arg("man").output()?;
    if !page.status.success() {
        bail!("klast man: failed");
    }
    std::fs::write(man.join("klast.1"), page.stdout)?;
    Ok(())
}

/// A package that Debian and its relatives install; nothing where `dpkg-deb` is missing, and that is said.
fn debian_package(content: &Path, folder: &Path) -> Result<()> {
    let tree = folder.join("debian");
    let place = |from: PathBuf, to: &str| -> Result<()> {
        let to = tree.join(to);
        std::fs::create_dir_all(to.parent().context("no folder")?)?;
        std::fs::copy(&from, &to).with_context(|| format!("{}: not copied", from.display()))?;
        Ok(())
    };
    place(content.join("klast"), "usr/bin/klast")?;
    place(content.join("LICENSE"), "usr/share/doc/klast/copyright")?;
    for text in ["README.md", "CHANGELOG.md"] {
        place(content.join(text), &format!("usr/share/doc/klast/{text}"))?;
    }
    place(
        content.join("completions/klast.bash"),
        "usr/share/bash-completion/completions/klast",
    )?;
    place(
        content.join("completions/_klast"),
        "usr/share/zsh/vendor-completions/_klast",
    )?;
    place(
        content.join("completions/klast.fish"),
        "usr/share/fish/vendor_completions.d/klast.fish",
    )?;
    for page in std::fs::read_dir(content.join("man"))? {
        let page = page?;
        let name = page.file_name();
        place(
            page.path(),
            &format!("usr/share/man/man1/{}", name.to_string_lossy()),
        )?;
    }
    let control = tree.join("DEBIAN");
    std::fs::create_dir_all(&control)?;
    std::fs::write(
        control.join("control"),
        format!(
            "Package: klast\nVersion: {VERSION}\nArchitecture: amd64\nMaintainer: The klast authors\nSection: science\nPriority: optional\nDescription: non-smooth dynamics of rocks and blocks\n Rockfall, rocking blocks and stacks, blocks in shaken basins, rockfill, frictional contact.\n"
        ),
    )?;
    let file = format!("klast_{VERSION}_amd64.deb");
    match Command::new("dpkg-deb")
        .args(["--build", "--root-owner-group", "debian", &file])
        .current_dir(folder)
        .status()
    {
        Ok(status) if status.success() => {}
        Ok(_) => bail!("dpkg-deb: failed"),
        Err(_) => println!("no dpkg-deb on this machine: no Debian package"),
    }
    std::fs::remove_dir_all(&tree)?;
    Ok(())
}

/// Every crate that stands in the program, with version and licence, as CycloneDX 1.5.
fn bill_of_materials() -> Result<String> {
    let tree = output(&[
        "tree",
        "--package",
        "klast-cli",
        "--features",
        FEATURES,
        "--target",
        TRIPLE,
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}\t{l}",
        "--no-dedupe",
    ])?;
    let mut lines: Vec<&str> = tree.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    let components: Vec<Value> = lines
        .into_iter()
        .filter_map(|line| {
            let (package, licence) = line.split_once('\t')?;
            // What runs while it is built stands in no program, and the program itself is no part of it.
            if package.contains("(proc-macro)") {
                return None;
            }
            let mut words = package.split_whitespace();
            let name = words.next().filter(|name| *name != "klast-cli")?;
            let version = words.next()?.trim_start_matches('v');
            Some(json!({
                "type": "library",
                "name": name,
                "version": version,
                "purl": format!("pkg:cargo/{name}@{version}"),
                "licenses": [{ "expression": licence.replace('/', " OR ") }],
            }))
        })
        .collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": "klast", "version": VERSION } },
        "components": components,
    });
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

/// `SHA256SUMS` of every file, as `sha256sum --check` reads it.
fn write_checksums(folder: &Path) -> Result<()> {
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let sums = Command::new("sha256sum")
        .args(&names)
        .current_dir(folder)
        .output()
        .context("sha256sum cannot be started")?;
    if !sums.status.success() {
        bail!("sha256sum: failed");
    }
    std::fs::write(folder.join("SHA256SUMS"), sums.stdout)?;
    Ok(())
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<()> {
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .status()
        .with_context(|| format!("{program} cannot be started"))?;
    if !status.success() {
        bail!("{program}: failed");
    }
    Ok(())
}
