//! The page of `parlor serve`: its build, and its tests in a real browser. Only these chores need Node.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::steps::{Counts, counted, root, step};
use crate::system;

/// The browser of the tests, unless `PARLOR_CHROMIUM` names another.
const CHROMIUM: &str = "/usr/bin/chromium-headless-shell";

/// Returns the folder of the page's sources.
fn sources() -> PathBuf {
    root().join("web")
}

/// Returns the folder of the committed build, from where the server embeds it.
fn committed() -> PathBuf {
    root().join("crates/server/page")
}

/// Builds the page into the server's folder.
pub fn build() -> anyhow::Result<()> {
    packages()?;
    types()?;
    step("page", node(&["build.mjs"]).arg("--out").arg(committed()))
}

/// Checks the page's types, and that its committed build equals a fresh one.
pub fn check() -> anyhow::Result<()> {
    packages()?;
    types()?;
    let fresh = root().join("target/page");
    if fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    step("page", node(&["build.mjs"]).arg("--out").arg(&fresh))?;
    let differing = differences(&fresh, &committed())?;
    if !differing.is_empty() {
        bail!(
            "the build of the page in crates/server/page is not that of web: {}; `cargo xtask web` builds it",
            differing.join(", ")
        );
    }
    println!("the committed build equals a fresh one");
    Ok(())
}

/// Plays in a real browser against the program.
pub fn browser_tests(program: &Path, counts: &mut Counts, words: &[String]) -> anyhow::Result<()> {
    packages()?;
    let browser = browser()?;
    let mut command = node(&["node_modules/@playwright/test/cli.js", "test"]);
    command.args(words).env("PARLOR", program).env("PARLOR_CHROMIUM", browser);
    counted("page in a browser", &mut command, counts)
}

/// Makes the pictures of the guide and the README from the running program.
pub fn pictures(program: &Path) -> anyhow::Result<()> {
    packages()?;
    let browser = browser()?;
    let mut command = node(&["pictures.mjs"]);
    command.arg(root().join("docs/guide/pictures")).env("PARLOR", program).env("PARLOR_CHROMIUM", browser);
    step("pictures", &mut command)
}

/// Returns the browser of the tests; installs it if it is missing.
fn browser() -> anyhow::Result<PathBuf> {
    if let Some(named) = std::env::var_os("PARLOR_CHROMIUM") {
        let path = PathBuf::from(named);
        if !path.exists() {
            bail!("there is no browser at {} (PARLOR_CHROMIUM)", path.display());
        }
        return Ok(path);
    }
    let path = PathBuf::from(CHROMIUM);
    if !path.exists() {
        system::install("chromium-headless-shell", &["chromium-headless-shell", "fonts-dejavu-core"])?;
    }
    Ok(path)
}

/// Installs the packages that the lock file names, unless they are there.
fn packages() -> anyhow::Result<()> {
    if !has("node") || !has("npm") {
        system::install("Node", &["nodejs", "npm"])?;
    }
    let lock = sources().join("package-lock.json");
    let mark = sources().join("node_modules/.parlor-lock");
    let wanted = fs::read(&lock).with_context(|| format!("{} cannot be read", lock.display()))?;
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let mut command = Command::new("npm");
    command.args(["ci", "--no-audit", "--no-fund"]).current_dir(sources());
    step("packages of the page", &mut command)?;
    fs::write(mark, wanted)?;
    Ok(())
}

fn types() -> anyhow::Result<()> {
    step("types of the page", &mut node(&["node_modules/typescript/bin/tsc", "--noEmit"]))
}

fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A call of Node in the folder of the sources.
fn node(words: &[&str]) -> Command {
    let mut command = Command::new("node");
    command.args(words).current_dir(sources());
    command
}

/// Returns the names of files that are not the same in both folders.
fn differences(fresh: &Path, committed: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for folder in [fresh, committed] {
        let entries = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
        for entry in entries {
            names.push(entry?.file_name());
        }
    }
    names.sort();
    names.dedup();
    let same = |name: &std::ffi::OsString| matches!((fs::read(fresh.join(name)), fs::read(committed.join(name))), (Ok(one), Ok(other)) if one == other);
    Ok(names.iter().filter(|name| !same(name)).map(|name| name.to_string_lossy().into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_no_registry() {
        let text = fs::read_to_string(sources().join("package-lock.json")).unwrap();
        let resolved: Vec<&str> = text.lines().filter(|line| line.contains("\"resolved\"")).collect();
        let private: Vec<&&str> =
            resolved.iter().filter(|line| !line.contains("\"https://registry.npmjs.org/")).collect();
        assert!(private.is_empty(), "machine-specific addresses: {private:?}");
    }

    #[test]
    fn differing_files_are_found() {
        let folder = std::env::temp_dir().join(format!("parlor-page-{}", std::process::id()));
        let (one, other) = (folder.join("one"), folder.join("other"));
        for side in [&one, &other] {
            fs::create_dir_all(side).unwrap();
            fs::write(side.join("same.js"), "1").unwrap();
        }
        fs::write(one.join("changed.js"), "1").unwrap();
        fs::write(other.join("changed.js"), "2").unwrap();
        fs::write(other.join("left-over.js"), "2").unwrap();
        let found = differences(&one, &other);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.unwrap(), ["changed.js", "left-over.js"]);
    }
}
