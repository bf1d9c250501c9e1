//! Licences of dependencies stay permissive.

use anyhow::{Context, bail};
use serde_json::Value;

use crate::steps::cargo;

/// Licences that ask for nothing but their own text. `deny.toml` has the same list for people who use cargo-deny.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Returns every package that the workspace builds with.
fn packages() -> anyhow::Result<Vec<Value>> {
    let output =
        cargo(&["metadata", "--format-version", "1", "--locked"]).output().context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata prints JSON")?;
    Ok(metadata["packages"].as_array().context("cargo metadata lists packages")?.clone())
}

/// Returns the licences of all dependencies, one a line, for a release.
pub fn list() -> anyhow::Result<String> {
    let mut lines = String::new();
    for package in packages()?.iter().filter(|package| !package["source"].is_null()) {
        let word = |key: &str| package[key].as_str().unwrap_or("-").to_owned();
        let [name, version, licence, place] = ["name", "version", "license", "repository"].map(word);
        lines += &format!("{name} {version}: {licence}, {place}\n");
    }
    Ok(lines)
}

/// Reads every package that the workspace builds with and fails on one whose licence is not permissive.
pub fn check() -> anyhow::Result<()> {
    let packages = packages()?;
    let bad: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(allowed))
        .map(|package| format!("{} ({})", package["name"], package["license"]))
        .collect();
    if !bad.is_empty() {
        bail!("licences that are not on the list of permissive ones: {}", bad.join(", "));
    }
    println!("licences of {} packages are permissive", packages.len());
    Ok(())
}

/// Evaluates an SPDX expression of `OR` and `AND` (which binds tighter); parentheses may group alternatives.
fn allowed(expression: &str) -> bool {
    let flat = expression.replace('/', " OR ");
    match flat.rsplit_once(") AND ").or_else(|| flat.split_once(" AND (")) {
        // `(A OR B) AND C`, `C AND (A OR B)`: both sides must be fine.
        Some((left, right)) => {
            allowed(left.trim_matches(['(', ')'])) && allowed(right.trim_matches(['(', ')']))
        }
        None => flat.trim_matches(['(', ')']).split(" OR ").any(|choice| {
            choice.split(" AND ").all(|name| PERMISSIVE.contains(&name.trim().trim_matches(['(', ')'])))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn expressions() {
        for fine in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/GPL-3.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "GPL-2.0 OR MIT",
        ] {
            assert!(allowed(fine), "{fine}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND GPL-3.0", "", "MITX"] {
            assert!(!allowed(bad), "{bad}");
        }
    }
}
