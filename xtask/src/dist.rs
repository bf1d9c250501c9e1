//! The release: an archive for this platform and the Python wheel, with checksums.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::steps::{Variables, build_with, root, step};
use crate::{licences, python};

/// Completions that the archive has: the shell and the file.
const COMPLETIONS: [(&str, &str); 3] = [("bash", "parlor.bash"), ("zsh", "_parlor"), ("fish", "parlor.fish")];

/// Makes the archive (the program, completions, the manual page, licences) and the wheel. With a path, packs that program instead of building one.
pub fn run(rest: &[String]) -> anyhow::Result<()> {
    let home = root().join("target/dist");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    let (platform, time) = (platform()?, commit_time()?);
    let variables = reproducible(&platform, &time)?;
    let program = match rest {
        [] => build_with(true, &variables)?,
        [program] => PathBuf::from(program),
        _ => bail!("cargo xtask dist [PROGRAM]"),
    };
    let name = format!("parlor-{}-{platform}", env!("CARGO_PKG_VERSION"));
    let folder = home.join(&name);
    fill(&folder, &program)?;
    let archive = format!("{name}.tar.gz");
    pack(&home, &name, &archive, &time)?;
    let wheel = python::release(&home.join("wheel"), &variables)?;
    let sums =
        output(Command::new("sha256sum").arg(&archive).arg(wheel.strip_prefix(&home)?).current_dir(&home))?;
    fs::write(home.join("SHA256SUMS"), &sums)?;
    print!("{}", String::from_utf8_lossy(&sums));
    println!("in {}", home.display());
    Ok(())
}

/// Puts everything in its place.
fn fill(folder: &Path, program: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder.join("completions"))?;
    let binary = folder.join(program.file_name().context("the program has a name")?);
    fs::copy(program, &binary)?;
    for (shell, file) in COMPLETIONS {
        let text = output(Command::new(&binary).args(["completions", shell]))?;
        fs::write(folder.join("completions").join(file), text)?;
    }
    fs::write(folder.join("parlor.1"), output(Command::new(&binary).arg("man"))?)?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root().join(file), folder.join(file))?;
    }
    fs::write(folder.join("LICENSES-OF-DEPENDENCIES.txt"), licences::list()?)?;
    Ok(())
}

/// Returns variables with which equal sources give equal bytes, wherever they, and the crates that cargo has downloaded, lie.
fn reproducible(platform: &str, time: &str) -> anyhow::Result<Variables> {
    let downloads = match std::env::var_os("CARGO_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir().context("there is no home folder")?.join(".cargo"),
    };
    let mut flags = Vec::new();
    // Panics name files of the sources.
    for (folder, name) in [(root().canonicalize()?, "/parlor"), (downloads, "/cargo")] {
        let folder = folder.to_str().context("a path is not UTF-8")?.to_owned();
        // The variable has no quotes: such a path stays as it is.
        if !folder.contains(char::is_whitespace) {
            flags.push(format!("--remap-path-prefix={folder}={name}"));
        }
    }
    // Of all the ways to pass flags, this one adds them to those of `.cargo/config.toml`.
    let name = format!("CARGO_TARGET_{}_RUSTFLAGS", platform.to_uppercase().replace(['-', '.'], "_"));
    Ok(vec![(name, flags.join(" ")), ("SOURCE_DATE_EPOCH".to_owned(), time.to_owned())])
}

/// Returns the time of the last commit, in seconds since 1970.
fn commit_time() -> anyhow::Result<String> {
    let time = output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()))?;
    Ok(String::from_utf8(time)?.trim().to_owned())
}

/// Packs a folder so that equal folders give equal archives.
fn pack(home: &Path, name: &str, archive: &str, time: &str) -> anyhow::Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go+rX,go-w"]);
    tar.arg("--mtime").arg(format!("@{time}"));
    tar.args(["--use-compress-program=gzip -n -9", "-cf", archive, name]).current_dir(home);
    step("archive", &mut tar)
}

/// Returns the platform for which cargo builds here.
fn platform() -> anyhow::Result<String> {
    let text = output(Command::new("rustc").arg("-vV"))?;
    let text = String::from_utf8(text)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc names no platform")
}

/// Runs a command and returns what it prints.
fn output(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}
