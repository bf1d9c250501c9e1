//! The chores of parlor; `cargo xtask` lists them.

mod chaos;
mod dist;
mod docs_check;
mod fuzz;
mod licences;
mod load;
mod nets;
mod page;
mod postgres;
mod python;
mod steps;
mod strength;
mod system;

use std::process::ExitCode;

use anyhow::bail;

const HELP: &str = "\
cargo xtask CHORE

  test          everything that must pass before a change lands: format, lints, docs, licences, tests, the page in a browser
  playthroughs  rewrite the golden games; review the difference before you commit it
  bench         build the program for speed and measure every game (further words go to `parlor bench`)
  shipped       make anew what comes with the program: learners (minutes): GAME.parlor and GAME-LEARNER.parlor, the net of checkers (an
                hour), opening books, and classifiers (seconds);
                further words choose: `cargo xtask shipped classifiers`
  strength      play the matches of docs/strength/plan.toml that are missing and write docs/strength.md (an hour)
  fuzz          changed inputs through every reader: [--inputs N] [--seconds S] [--seed N] [TARGET]
  chaos         kill runs and compare what they end with: [--kills N] [--seed S]
  docs-check    compare the tables of docs/tables.toml with what the program prints (--slow: all rows; --write: rewrite them)
  web           build the page of `parlor serve` from web/ (needs Node)
  browser       only the tests of the page in a browser; further words go to Playwright
  pictures      make the pictures of the page in the guide anew
  load          many tables at a server of its own, and how long answers take: [--tables N] [--agent SPEC] [--seconds S] …
  python        build the Python module, install it in target/python and run its tests; further words go to pytest
  licences      check that every dependency may be used
  dist          make the archive and the Python wheel of a release for this platform, with checksums, in target/dist [PROGRAM]";

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
        Some("web") => page::build(),
        Some("browser") => steps::browser(&rest),
        Some("pictures") => steps::build(true).and_then(|program| page::pictures(&program)),
        Some("load") => load::run(&rest),
        Some("python") => steps::python(&rest),
        Some("licences") => licences::check(),
        Some("dist") => dist::run(&rest),
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
