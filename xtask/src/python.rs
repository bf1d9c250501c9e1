//! The Python module: a virtual environment under `target`, the wheel, and its tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::steps::{Counts, Variables, counted, root, step};

/// The oldest Python that the wheel works with.
const OLDEST: (u32, u32) = (3, 10);

/// Builds the wheel as the tests are built, installs it and runs its tests. Further words go to pytest.
pub fn test(counts: &mut Counts, words: &[String]) -> anyhow::Result<()> {
    println!("\n== Python");
    let home = root().join("target/python");
    let python = environment(&home)?;
    let wheel = wheel(&python, &home.join("wheels"), "dev", &Variables::new())?;
    // The same version is installed again: it has other contents.
    let mut install = pip(&python);
    install.args(["install", "--force-reinstall", "--no-deps"]).arg(&wheel);
    step("install the wheel", &mut install)?;
    let mut pytest = Command::new(&python);
    pytest.args(["-m", "pytest"]).args(words).current_dir(root().join("crates/python"));
    counted("tests of the wheel", &mut pytest, counts)
}

/// Builds the wheel of a release in a folder, with variables for the compiler, and returns it.
pub fn release(folder: &Path, variables: &Variables) -> anyhow::Result<PathBuf> {
    let python = environment(&root().join("target/python"))?;
    wheel(&python, folder, "release", variables)
}

/// Returns the Python of a virtual environment with everything that the tests need.
fn environment(home: &Path) -> anyhow::Result<PathBuf> {
    let venv = home.join("venv");
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let list = root().join("crates/python/requirements-test.txt");
    let wanted = fs::read(&list)?;
    let installed = venv.join("installed.txt");
    if python.exists() && fs::read(&installed).is_ok_and(|known| known == wanted) {
        return Ok(python);
    }
    let system = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    check_version(Command::new(&system))?;
    step("virtual environment", Command::new(&system).args(["-m", "venv", "--clear"]).arg(&venv))?;
    step("packages", pip(&python).args(["install", "--requirement"]).arg(&list))?;
    fs::write(&installed, wanted)?;
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--disable-pip-version-check", "--quiet"]);
    pip
}

/// Refuses a Python that is too old.
fn check_version(mut python: Command) -> anyhow::Result<()> {
    let wanted = format!("import sys; sys.exit(sys.version_info < {OLDEST:?})");
    let status = python.args(["-c", &wanted]).status();
    let status = status.context("Python cannot be started; PYTHON=… names another one")?;
    if !status.success() {
        bail!("Python {}.{} or later is needed; PYTHON=… names another one", OLDEST.0, OLDEST.1);
    }
    Ok(())
}

/// Builds a wheel in a folder that holds no other one, and returns it.
fn wheel(python: &Path, folder: &Path, profile: &str, variables: &Variables) -> anyhow::Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--locked", "--profile", profile, "--interpreter"]).arg(python);
    maturin.args(["--manifest-path", "crates/python/Cargo.toml", "--out"]).arg(folder).current_dir(root());
    maturin.envs(variables.iter().map(|(name, value)| (name, value)));
    step("wheel", &mut maturin)?;
    let mut wheels = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let wheel =
        wheels.find(|path| path.as_ref().is_ok_and(|path| path.extension().is_some_and(|end| end == "whl")));
    Ok(wheel.context("maturin made no wheel")??)
}
