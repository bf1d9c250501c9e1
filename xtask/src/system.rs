//! Programs of the system that chores need: installed with apt where they are missing.

use std::process::Command;

use anyhow::{Context, bail};

/// Installs packages with apt. `what` names them in errors.
pub fn install(what: &str, packages: &[&str]) -> anyhow::Result<()> {
    println!("{what} is missing: installing it with apt");
    as_root(what, "apt-get", &["update", "-q"])?;
    let mut words = vec!["install", "-q", "-y", "--no-install-recommends"];
    words.extend(packages);
    as_root(what, "apt-get", &words)
}

/// Runs a program as root: directly, or by sudo without a question.
pub fn as_root(what: &str, program: &str, words: &[&str]) -> anyhow::Result<()> {
    let is_root =
        Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let mut command = if is_root {
        Command::new(program)
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", program]);
        sudo
    };
    let status = command.args(words).env("DEBIAN_FRONTEND", "noninteractive").status();
    let status = status.with_context(|| format!("{program} could not be started; install {what} by hand"))?;
    if !status.success() {
        bail!("{program} {} failed; install {what} by hand", words.join(" "));
    }
    Ok(())
}
