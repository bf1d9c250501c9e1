//! The chores of parlor; `cargo xtask` lists them.

mod chaos;
mod docs_check;
mod fuzz;
mod licences;
mod postgres;
mod steps;
mod strength;

use std::process::ExitCode;

use anyhow::bail;

const HELP: &str = "\
cargo xtask CHORE

  test          everything that must pass before a change lands: format, lints, docs, licences, tests
  playthroughs  rewrite the golden games; review the difference before you commit it
  bench         build the program for speed and measure every game (further words go to `parlor bench`)
  shipped       make anew what comes with the program: learners (minutes), one file a game, and classifiers (seconds);
                further words choose: `cargo xtask shipped classifiers`
  strength      play the matches of docs/strength/plan.toml that are missing and write docs/strength.md (an hour)
  fuzz          changed inputs through every reader: [--inputs N] [--seconds S] [--seed N] [TARGET]
  chaos         kill runs and compare what they end with: [--kills N] [--seed S]
  docs-check    compare the tables of docs/tables.toml with what the program prints (--slow: all rows; --write: rewrite them)
  licences      check that every dependency may be used";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let chore = words.next();
    let rest: Vec<String> = words.collect();
    let done = match chore.as_deref() {
        Some("test") => steps::test(),
        Some("playthroughs") => steps::playthroughs(),
        Some("bench") => steps::bench(&rest),
        Some("shipped") => steps::shipped(&rest),
        Some("strength") => strength::run(&rest),
        Some("fuzz") => fuzz::run(&rest),
        Some("chaos") => chaos::run(&rest),
        Some("docs-check") => docs_check::Request::read(&rest).and_then(|request| docs_check::run(&request)),
        Some("licences") => licences::check(),
        Some("help" | "--help" | "-h") | None => {
            println!("{HELP}");
            Ok(())
        }
        Some(other) => other_chore(other),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn other_chore(name: &str) -> anyhow::Result<()> {
    bail!("there is no chore `{name}`\n{HELP}")
}
