//! The release: an archive for this platform and the Python wheel, with checksums.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use crate::steps::{build, root, step};
use crate::{licences, python};

/// Completions that the archive has: the shell and the file.
const COMPLETIONS: [(&str, &str); 3] = [("bash", "parlor.bash"), ("zsh", "_parlor"), ("fish", "parlor.fish")];

/// Makes the archive (the program, completions, the manual page, licences) and the wheel. With a path, packs that program instead of building one.
pub fn run(rest: &[String]) -> anyhow::Result<()> {
    let home = root().join("target/dist");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    let program = match rest {
        [] => build(true)?,
        [program] => PathBuf::from(program),
        _ => bail!("cargo xtask dist [PROGRAM]"),
    };
    let name = format!("parlor-{}-{}", env!("CARGO_PKG_VERSION"), platform()?);
    let folder = home.join(&name);
    fill(&folder, &program)?;
    let archive = format!("{name}.tar.gz");
    pack(&home, &name, &archive)?;
    let wheel = python::release(&home.join("wheel"))?;
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

/// Packs a folder so that equal folders give equal archives.
fn pack(home: &Path, name: &str, archive: &str) -> anyhow::Result<()> {
    let time = String::from_utf8(output(
        Command::new("git").args(["log", "-1", "--format=@%ct"]).current_dir(root()),
    )?)?;
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime"]).arg(time.trim());
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
