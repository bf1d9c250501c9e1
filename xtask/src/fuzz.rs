//! The fuzz suite of the command line's crate, for longer than in the tests.

use std::process::Stdio;

use anyhow::{Context, bail};

use crate::steps::cargo;

const HELP: &str = "cargo xtask fuzz [--inputs N] [--seconds S] [--seed N] [TARGET]";

/// The tests of the fuzz suite are in the unit tests of the program. Built as a part of the workspace, because its dependencies have other
/// features when it is built alone, and nearly everything would be compiled again.
const SUITE: [&str; 5] = ["test", "--workspace", "--bin", "parlor", "--locked"];

/// Runs the suite or one target of it.
pub fn run(words: &[String]) -> anyhow::Result<()> {
    let mut settings: Vec<(&str, String)> = Vec::new();
    let mut target = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let name = match word.as_str() {
            "--inputs" => "PARLOR_FUZZ_INPUTS",
            "--seconds" => "PARLOR_FUZZ_SECONDS",
            "--seed" => "PARLOR_FUZZ_SEED",
            option if option.starts_with('-') => bail!("there is no option {option}; {HELP}"),
            name => {
                target = Some(name);
                continue;
            }
        };
        let number: u64 = words
            .next()
            .and_then(|text| text.parse().ok())
            .with_context(|| format!("{word} takes a whole number"))?;
        settings.push((name, number.to_string()));
    }
    let listed = cargo(&SUITE).args(["--", "--list"]).stderr(Stdio::inherit()).output()?;
    if !listed.status.success() {
        bail!("the suite could not be built");
    }
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let all: Vec<&str> = listed
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .filter(|name| name.starts_with("fuzz::"))
        .collect();
    let last = |name: &&str| name.rsplit("::").next().unwrap_or_default().to_owned();
    let chosen: Vec<&str> = match target {
        None => all.clone(),
        Some(target) => all.iter().copied().filter(|name| last(name) == target).collect(),
    };
    if chosen.is_empty() {
        let known: Vec<String> = all.iter().map(last).collect();
        bail!("there is no target `{}`; known: {}", target.unwrap_or_default(), known.join(", "));
    }
    if target.is_some() {
        settings.push(("PARLOR_FUZZ_ALONE", "1".to_owned()));
    }
    let mut command = cargo(&SUITE);
    command.args(["--", "--exact", "--nocapture", "--test-threads", "2"]).args(&chosen).envs(settings);
    if command.status()?.success() {
        Ok(())
    } else {
        bail!("the fuzz suite has findings; their inputs are saved as seeds")
    }
}
