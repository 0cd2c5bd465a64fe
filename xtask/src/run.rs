//! Starting cargo and the programs it built.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A line on a running build is written this often.
const INTERVAL: Duration = Duration::from_secs(4);

/// The top of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
}

/// Runs cargo at the top of the workspace.
pub fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<ExitStatus> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Command::new(cargo)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .context("cargo cannot be started")
}

/// The same, told to print warnings and errors only.
pub fn cargo_quiet(arguments: &[&str]) -> Result<ExitStatus> {
    let (verb, rest) = arguments.split_first().context("no cargo command")?;
    cargo(&[&[*verb, "--quiet"], rest].concat(), &[])
}

/// Builds a program in release. Every few seconds a line on the standard error stream says how far the build is.
pub fn build_program(package: &str) -> Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let format = "--message-format=json-render-diagnostics";
    let mut build = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--release",
            "--package",
            package,
            format,
        ])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let messages = build.stdout.take().context("cargo has no output")?;
    let (crates, start) = (AtomicUsize::new(0), Instant::now());
    let (ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        let crates = &crates;
        scope.spawn(move || {
            while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let (done, seconds) = (crates.load(Ordering::Relaxed), start.elapsed().as_secs());
                eprintln!("building {package}: {done} crates are built ({seconds} s)");
            }
        });
        let lines = BufReader::new(messages).lines().map_while(Result::ok);
        for _ in lines.filter(|line| line.contains("\"compiler-artifact\"")) {
            crates.fetch_add(1, Ordering::Relaxed);
        }
        drop(ended);
    });
    Ok(build.wait().context("cargo does not end")?.success())
}

/// Runs cargo in a folder; a failure is an error.
pub fn cargo_in(folder: &Path, arguments: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(arguments)
        .current_dir(folder)
        .status()
        .context("cargo cannot be started")?;
    if !status.success() {
        bail!("cargo {}: failed", arguments.join(" "));
    }
    Ok(())
}

/// What cargo prints at the top of the workspace.
pub fn output(arguments: &[&str]) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .current_dir(root())
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo cannot be started")?;
    if !output.status.success() {
        bail!("cargo {}: failed", arguments.join(" "));
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The folder of what cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A release program of the workspace, ready to be given arguments.
pub fn program(name: &str) -> Result<Command> {
    let path = target()
        .join("release")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !path.is_file() {
        bail!("{}: not built", path.display());
    }
    Ok(Command::new(path))
}

/// A finished program's success as ours.
pub fn code(status: ExitStatus) -> ExitCode {
    if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
