//! PostgreSQL for the tests of the store: they start private servers and fail where there is none.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::system::{as_root, install as apt_install};

/// Its name, for errors.
const NAME: &str = "PostgreSQL";

/// Installs PostgreSQL with apt, unless it is there.
pub fn install() -> anyhow::Result<()> {
    if let Some(programs) = programs() {
        println!("it is in {}", programs.display());
        return Ok(());
    }
    // The tests have servers of their own; the system's would only run beside them.
    let no_server = "create_main_cluster = false\n";
    as_root(NAME, "mkdir", &["-p", "/etc/postgresql-common"])?;
    let settings = Path::new("/etc/postgresql-common/createcluster.conf");
    if !settings.exists() {
        fs::write(settings, no_server).ok();
    }
    apt_install(NAME, &["postgresql"])?;
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
