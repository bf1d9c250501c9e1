//! PostgreSQL for the tests of the store: they start private servers and fail where there is none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// Installs PostgreSQL with apt, unless it is there.
pub fn install() -> anyhow::Result<()> {
    if let Some(programs) = programs() {
        println!("it is in {}", programs.display());
        return Ok(());
    }
    println!("it is missing: installing it with apt");
    // The tests have servers of their own; the system's would only run beside them.
    let no_server = "create_main_cluster = false\n";
    run("mkdir", &["-p", "/etc/postgresql-common"])?;
    let settings = Path::new("/etc/postgresql-common/createcluster.conf");
    if !settings.exists() {
        fs::write(settings, no_server).ok();
    }
    run("apt-get", &["update", "-q"])?;
    run("apt-get", &["install", "-q", "-y", "--no-install-recommends", "postgresql"])?;
    match programs() {
        Some(programs) => println!("it is in {}", programs.display()),
        None => bail!("apt has installed PostgreSQL, but there is no initdb in /usr/lib/postgresql/*/bin"),
    }
    Ok(())
}

/// Returns the folder of PostgreSQL's programs, where the tests look for them.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|entry| entry.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders
        .chain(std::env::split_paths(&path))
        .find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// Runs a program as root: directly, or by sudo without a question.
fn run(program: &str, words: &[&str]) -> anyhow::Result<()> {
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
    let status =
        status.with_context(|| format!("{program} could not be started; install PostgreSQL by hand"))?;
    if !status.success() {
        bail!("{program} {} failed; install PostgreSQL by hand (`apt install postgresql`)", words.join(" "));
    }
    Ok(())
}
