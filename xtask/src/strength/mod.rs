//! `cargo xtask strength`: plays the matches of `docs/strength/plan.toml`, keeps their results in
//! `docs/strength/results.json`, and writes `docs/strength.md` from both.
//!
//! A match with a stored result is not played again, so a run can be interrupted at any time. To replay a match, delete its
//! entry from the results.

mod page;
mod plan;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::steps::{build, root};
use plan::{Call, Plan};

/// What each call printed, by the call's words.
type Results = BTreeMap<String, Value>;

fn folder() -> PathBuf {
    root().join("docs/strength")
}

/// Plays what is missing, as far as `minutes` reach and `filter` is part of the call, and writes the page.
pub fn run(rest: &[String]) -> anyhow::Result<()> {
    let (filter, minutes) = match rest {
        [] => ("", None),
        [word] if word != "--minutes" => (word.as_str(), None),
        [flag, minutes] if flag == "--minutes" => ("", Some(minutes.parse::<u64>()?)),
        [word, flag, minutes] if flag == "--minutes" => (word.as_str(), Some(minutes.parse::<u64>()?)),
        _ => bail!("cargo xtask strength [PART OF A CALL] [--minutes M]"),
    };
    let plan: Plan = toml::from_str(&fs::read_to_string(folder().join("plan.toml"))?)?;
    let mut results = known()?;
    let calls = plan.calls();
    let missing: Vec<(usize, &Call)> = calls
        .iter()
        .enumerate()
        .filter(|(_, call)| !results.contains_key(&call.key()) && call.key().contains(filter))
        .collect();
    if !missing.is_empty() {
        let program = build(true)?;
        for (file, call) in plan.files().filter(|(file, _)| !root().join(file).exists()) {
            make(&program, file, &call)?;
        }
        let deadline = minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
        for (at, &(number, call)) in missing.iter().enumerate() {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                println!("time is over; {} calls are left", missing.len() - at);
                break;
            }
            let key = call.key();
            println!("[{}/{}] parlor {key}", number + 1, calls.len());
            let (value, seconds) = play(&program, call)?;
            println!("        {seconds:.0} s");
            results.insert(key, value);
            let text = serde_json::to_string_pretty(&results)?;
            fs::write(folder().join("results.json"), text + "\n")?;
        }
    }
    fs::write(root().join("docs/strength.md"), page::page(&plan, &results))?;
    println!("docs/strength.md is written");
    Ok(())
}

fn known() -> anyhow::Result<Results> {
    let path = folder().join("results.json");
    if !path.exists() {
        return Ok(Results::new());
    }
    serde_json::from_str(&fs::read_to_string(&path)?).with_context(|| path.display().to_string())
}

/// Returns what is stale: the page if it is not what the plan and the results give.
pub fn stale() -> anyhow::Result<Vec<String>> {
    let plan: Plan = toml::from_str(&fs::read_to_string(folder().join("plan.toml"))?)?;
    let page = page::page(&plan, &known()?);
    let is_same = page == fs::read_to_string(root().join("docs/strength.md"))?;
    let sentence = "docs/strength.md is not what `cargo xtask strength` writes".to_owned();
    Ok(if is_same { Vec::new() } else { vec![sentence] })
}

/// Makes a file that is missing.
fn make(program: &PathBuf, file: &str, call: &Call) -> anyhow::Result<()> {
    println!("parlor {}", call.key());
    if let Some(folder) = root().join(file).parent() {
        fs::create_dir_all(folder)?;
    }
    let status = std::process::Command::new(program).args(&call.words).current_dir(root()).status()?;
    if !status.success() {
        bail!("parlor {} failed", call.key());
    }
    Ok(())
}

fn play(program: &PathBuf, call: &Call) -> anyhow::Result<(Value, f64)> {
    let started = Instant::now();
    let home = root().join("target/strength");
    let output = std::process::Command::new(program)
        .args(&call.words)
        .arg("--json")
        .current_dir(root())
        .env("PARLOR_HOME", home)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    if !output.status.success() {
        bail!("parlor {} failed", call.key());
    }
    // Full forms have whole paths, which are of this machine.
    let place = format!("{}/", root().canonicalize()?.display());
    let printed = String::from_utf8(output.stdout)?.replace(&place, "");
    Ok((serde_json::from_str(&printed)?, started.elapsed().as_secs_f64()))
}
