//! `parlor engine check`: does a program keep to the line protocol?

use std::cell::RefCell;
use std::time::Duration;

use parlor_catalog::engine_check::{Checker, Event, Finding};
use parlor_catalog::{GAMES, open};
use parlor_core::SpecError;
use parlor_core::api::AnyGame;
use serde_json::json;

use crate::args::whole;
use crate::run_support::stop_on_ctrl_c;
use crate::terminal::{No, has_colour, progress, say, say_json};

#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The program and its words, as one word for the shell
    #[arg(value_name = "CMD")]
    pub command: String,
    /// A game that it must play; can be given several times (default: every game, and it may refuse some)
    #[arg(long = "game", value_name = "GAME")]
    pub games: Vec<String>,
    /// How many matches of each game it plays
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(1, 100_000))]
    pub matches: u32,
    /// Milliseconds for each of its moves
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = whole::<u64>(1, 86_400_000))]
    pub time: u64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &CheckArgs) -> anyhow::Result<()> {
    let every: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
    let asked: Vec<&str> = args.games.iter().map(String::as_str).collect();
    let games = if asked.is_empty() { every } else { asked };
    let games: Vec<Box<dyn AnyGame>> =
        games.into_iter().map(|spec| Ok(open(spec)? as _)).collect::<Result<_, SpecError>>()?;
    let stop = stop_on_ctrl_c()?;

    // What is written for agents may be given as it is.
    let command = args.command.strip_prefix("cmd:").unwrap_or(&args.command);
    let checker = Checker {
        command,
        games: &games,
        may_refuse: args.games.is_empty(),
        matches: args.matches,
        time: Duration::from_millis(args.time),
        cancel: &stop,
        stderr: RefCell::default(),
    };
    let bar = progress(u64::from(args.matches) * games.len() as u64, "matches");
    let mut findings = Vec::new();
    let mut trouble = Ok(());
    let passed = checker.run(&mut |event| match event {
        Event::Match => bar.inc(1),
        Event::Found(finding) => {
            if !args.json && trouble.is_ok() {
                trouble = bar.suspend(|| tell(&finding));
            }
            findings.push(finding);
        }
    });
    bar.finish_and_clear();
    trouble?;
    if args.json {
        say_json(&json!({"command": command, "passed": passed, "checks": findings}))?;
    } else {
        let failed = findings.iter().filter(|finding| !finding.passed).count();
        say(match failed {
            _ if stop.is_cancelled() => "stopped early".to_owned(),
            0 => format!("all {} checks passed", findings.len()),
            _ => format!("{failed} of {} checks failed", findings.len()),
        })?;
    }
    if passed { Ok(()) } else { Err(No.into()) }
}

fn tell(finding: &Finding) -> std::io::Result<()> {
    let (mark, style) = if finding.passed { ("✓", "32") } else { ("✗", "31") };
    let mark = if has_colour() { format!("\x1b[{style}m{mark}\x1b[0m") } else { mark.to_owned() };
    let what = match finding.game {
        Some(game) => format!("{game}: {}", finding.check),
        None => finding.check.to_owned(),
    };
    say(format!("{mark} {what:<30} {}", finding.found))?;
    if !finding.passed {
        say(format!("    expected: {}", finding.expected))?;
        for line in &finding.stderr {
            say(format!("    stderr: {}", line.replace(char::is_control, " ")))?;
        }
    }
    Ok(())
}
