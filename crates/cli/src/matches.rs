//! `parlor match`: two agents, pairs of games.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use parlor_core::TimeControl;
use parlor_lab::{PairMatch, Tally};

use crate::args::MatchArgs;
use crate::terminal::{progress, say, say_json};

pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let full = [game.agent_spec(&args.first)?, game.agent_spec(&args.second)?];
    let mut file = args.games.as_deref().map(append_to).transpose()?;
    let threads = args
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let plan = PairMatch {
        game: &*game,
        agents: [&full[0], &full[1]],
        pairs: args.pairs,
        seed: args.seed,
        threads,
        time: TimeControl {
            total: args.time.map(Duration::from_millis),
            per_move: args.move_time.map(Duration::from_millis),
            ..TimeControl::default()
        },
    };

    let stop = Arc::new(AtomicBool::new(false));
    let raise = Arc::clone(&stop);
    ctrlc::set_handler(move || raise.store(true, Ordering::Relaxed))?;
    silence_agents();

    let bar = progress(args.pairs, "pairs");
    let mut so_far = Tally::default();
    let mut trouble = None;
    let tally = plan.run(&stop, |row| {
        so_far.add(&row);
        bar.inc(1);
        bar.set_message(format!("+{} ={} -{}", so_far.wins, so_far.draws, so_far.losses));
        if let Some(file) = &mut file {
            let saved = row.games.iter().flat_map(|game| &game.saved);
            trouble = saved.map(|game| writeln!(file, "{}", game.line())).find_map(Result::err);
        }
        if trouble.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    bar.finish_and_clear();
    if let Some(mut file) = file {
        trouble = trouble.or(file.flush().err());
    }
    if let Some(error) = trouble {
        return Err(error).context("the games could not be written");
    }
    if stop.load(Ordering::Relaxed) {
        anstream::eprintln!(
            "stopped after {} of {} pairs",
            tally.pentanomial.iter().sum::<u64>(),
            args.pairs
        );
    }
    if args.json { say_json(&tally) } else { tell(&game.spec(), &full, &tally) }
}

/// Panics of agents are forfeits and are told as such; their back-traces would only bury the result.
fn silence_agents() {
    std::panic::set_hook(Box::new(|_| {}));
}

fn append_to(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::options().create(true).append(true).open(path);
    Ok(BufWriter::new(file.with_context(|| format!("{} cannot be written", path.display()))?))
}

fn tell(game: &str, agents: &[String; 2], tally: &Tally) -> anyhow::Result<()> {
    say(game)?;
    say(format!("{} against {}", agents[0], agents[1]))?;
    let score = tally.score().map_or_else(|| "no games".to_owned(), |s| format!("{:.2} %", 100.0 * s));
    say(format!(
        "games {}  wins {}  draws {}  losses {}  score {score}",
        tally.games(),
        tally.wins,
        tally.draws,
        tally.losses
    ))?;
    let [a, b, c, d, e] = tally.pentanomial;
    say(format!("pairs that scored 0, ½, 1, 1½, 2: {a} {b} {c} {d} {e}"))?;
    for (agent, &count) in agents.iter().zip(&tally.forfeits) {
        if count > 0 {
            say(format!("{agent} forfeited {count} games"))?;
        }
    }
    Ok(())
}
