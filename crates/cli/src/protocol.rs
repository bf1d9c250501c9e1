//! `parlor protocol check`: does a program keep to the line protocol?

use std::sync::atomic::Ordering;
use std::time::Duration;

use parlor_catalog::engine_check::{Checker, Event, Finding};
use parlor_catalog::{GAMES, open};
use serde_json::json;

use crate::args::{CheckArgs, ProtocolCommand};
use crate::running::stop_on_ctrl_c;
use crate::terminal::{No, has_colour, progress, say, say_json};

pub fn run(command: &ProtocolCommand) -> anyhow::Result<()> {
    let ProtocolCommand::Check(args) = command;
    check(args)
}

fn check(args: &CheckArgs) -> anyhow::Result<()> {
    let games = if args.games.is_empty() {
        GAMES.iter().map(|entry| open(entry.name)).collect::<Result<Vec<_>, _>>()?
    } else {
        args.games.iter().map(|spec| open(spec)).collect::<Result<Vec<_>, _>>()?
    };
    let stop = stop_on_ctrl_c()?;

    // What is written for agents may be given as it is.
    let command = args.command.strip_prefix("cmd:").unwrap_or(&args.command);
    let checker = Checker {
        command,
        games: &games,
        may_refuse: args.games.is_empty(),
        matches: args.matches,
        time: Duration::from_millis(args.time),
        stop: &stop,
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
            _ if stop.load(Ordering::Relaxed) => "stopped early".to_owned(),
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
    }
    Ok(())
}
