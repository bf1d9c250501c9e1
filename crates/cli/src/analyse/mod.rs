//! `parlor analyse`: see an agent think about a position.

pub mod args;
pub mod format;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use parlor_core::api::{Analysis, AnyGame, Question};
use parlor_core::{Beliefs, Clock, Considered, Seat, Spec, Thought, TimeControl};
use serde::Serialize;

use crate::play::read_saved;
use crate::run_support::{leave_on_ctrl_c, silence_agents};
use crate::terminal::{say, say_json};

use args::AnalyseArgs;

/// A thought as scripts read it.
#[derive(Serialize)]
struct ThoughtLine<'a> {
    depth: u32,
    nodes: u64,
    counts: &'a str,
    seconds: f64,
    nodes_per_second: Option<f64>,
    value: f64,
    unit: &'a str,
    certainty: parlor_core::Certainty,
    end_in: Option<u32>,
    line: &'a [String],
    moves: &'a [Considered<String>],
}

impl<'a> ThoughtLine<'a> {
    fn of(thought: &'a Thought<String>) -> Self {
        ThoughtLine {
            depth: thought.depth,
            nodes: thought.nodes,
            counts: thought.counts,
            seconds: thought.elapsed.as_secs_f64(),
            nodes_per_second: format::speed(thought),
            value: thought.value,
            unit: thought.unit,
            certainty: thought.certainty,
            end_in: thought.end_in,
            line: &thought.line,
            moves: &thought.moves,
        }
    }
}

/// The last line of `--json`.
#[derive(Serialize)]
struct FinalLine<'a> {
    r#final: bool,
    best: &'a str,
    seat: Seat,
    game: String,
    agent: &'a str,
    seed: u64,
    stopped: bool,
    thought: Option<ThoughtLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    beliefs: Option<Option<BeliefsLine<'a>>>,
}

/// Beliefs as scripts read them.
#[derive(Serialize)]
struct BeliefsLine<'a> {
    #[serde(flatten)]
    beliefs: &'a Beliefs,
    /// The 95 % interval of each of the odds, in their order; `null` where they are exact.
    intervals: Option<Vec<Vec<[f64; 2]>>>,
}

impl<'a> BeliefsLine<'a> {
    fn of(beliefs: &'a Beliefs) -> Self {
        let interval = |&odds: &f64| format::interval(odds, beliefs);
        let of_thing = |(_, odds): &(String, Vec<f64>)| odds.iter().map(interval).collect();
        BeliefsLine { beliefs, intervals: beliefs.odds.iter().map(of_thing).collect() }
    }
}

pub fn run(args: &AnalyseArgs) -> anyhow::Result<()> {
    let replayed = args.replay.as_ref().map(|path| read_saved(path, args.number)).transpose()?;
    let (game, position, moves) = match (&replayed, &args.game) {
        (Some(saved), _) => (&saved.game, saved.start.as_deref(), &saved.moves),
        (None, Some(game)) => (game, args.position.as_deref(), &args.moves),
        (None, None) => bail!("which game? Name one, or a saved one with --replay"),
    };
    let game = parlor_catalog::open(game)?;
    let (agent, clock) = chosen(&*game, args)?;
    let stop = leave_on_ctrl_c()?;
    silence_agents();
    let question = Question {
        agent: &agent,
        position,
        moves,
        plies: args.ply,
        seat: args.seat.map(Seat),
        seed: args.seed,
        clock,
        beliefs: args.beliefs,
        cancel: &stop,
    };
    let mut screen = Screen { json: args.json, live: io::stdout().is_terminal(), ..Screen::default() };
    let analysis = game.analyse(&question, &mut |thought| {
        screen.show(thought);
        // The reader has closed the pipe, so the search can stop.
        if screen.trouble.is_some() {
            stop.cancel();
        }
    })?;
    if let Some(trouble) = screen.trouble.take() {
        return Err(trouble);
    }
    let stopped = stop.is_cancelled();
    if args.json {
        return say_json(&FinalLine {
            r#final: true,
            best: &analysis.best,
            seat: analysis.seat,
            game: game.spec(),
            agent: &analysis.agent,
            seed: args.seed,
            stopped,
            thought: screen.last.as_ref().map(ThoughtLine::of),
            beliefs: args.beliefs.then(|| analysis.beliefs.as_ref().map(BeliefsLine::of)),
        });
    }
    screen.finish(&analysis, args.beliefs)
}

/// Returns the agent that was asked for, with the limits that were. One that has no key for time gets it as its clock.
fn chosen(game: &dyn AnyGame, args: &AnalyseArgs) -> anyhow::Result<(String, Clock)> {
    let agents = game.agents();
    let text = match &args.agent {
        Some(text) => text.clone(),
        None => {
            let first = agents.iter().find(|agent| !agent.sees_all);
            first.context("no agent plays this game")?.name.to_owned()
        }
    };
    let mut spec = Spec::parse(&text)?;
    let has = |key: &str| {
        agents.iter().any(|agent| agent.name == spec.name && agent.keys.iter().any(|k| k.name == key))
    };
    let count = if has("sims") && !has("nodes") { "sims" } else { "nodes" };
    let (mut time, mut clock) = (args.time, Clock::default());
    if let Some(ms) = time.filter(|_| !has("time_ms")) {
        clock = Clock::new(TimeControl::per_move(Duration::from_millis(ms)));
        time = None;
    }
    for (key, limit) in [(count, args.nodes), ("depth", args.depth), ("time_ms", time)] {
        if let Some(limit) = limit {
            spec.pairs.retain(|(name, _)| name != key);
            spec.pairs.push((key.to_owned(), limit.to_string()));
        }
    }
    Ok((spec.to_string(), clock))
}

/// Where thoughts appear: a line each, or one table that is drawn anew.
#[derive(Default)]
struct Screen {
    json: bool,
    live: bool,
    last: Option<Thought<String>>,
    /// How many lines of the screen the last drawing took.
    drawn: usize,
    trouble: Option<anyhow::Error>,
}

impl Screen {
    fn show(&mut self, thought: &Thought<String>) {
        let shown = if self.json {
            say_json(&ThoughtLine::of(thought))
        } else if self.live {
            self.redraw(&fitting(format::table(thought), screen_height())).map_err(anyhow::Error::from)
        } else {
            say(format::line(thought)).map_err(anyhow::Error::from)
        };
        self.trouble = self.trouble.take().or(shown.err());
        self.last = Some(thought.clone());
    }

    /// Draws over the last drawing. Lines are not wrapped meanwhile, so that each takes one line of the screen.
    fn redraw(&mut self, lines: &[String]) -> io::Result<()> {
        let mut text = String::from("\x1b[?7l");
        if self.drawn > 0 {
            text.push_str(&format!("\x1b[{}A", self.drawn));
        }
        for line in lines {
            text.push_str(&format!("\r\x1b[2K{line}\n"));
        }
        text.push_str("\x1b[J\x1b[?7h");
        self.drawn = lines.len();
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Prints the result.
    fn finish(&mut self, analysis: &Analysis, beliefs: bool) -> anyhow::Result<()> {
        match &self.last {
            None if analysis.legal == 1 => say("one legal move: there is nothing to think about")?,
            None => say(format!("{} tells nothing of what it thinks", analysis.agent))?,
            Some(thought) if !self.live => {
                for line in format::moves(thought) {
                    say(line)?;
                }
            }
            // The whole of it, for nothing is drawn over it any more.
            Some(thought) => {
                let table = format::table(thought);
                self.redraw(&table)?;
            }
        }
        if beliefs {
            for line in format::beliefs(analysis.beliefs.as_ref(), &analysis.agent) {
                say(line)?;
            }
        }
        Ok(say(format!("best: {}", analysis.best))?)
    }
}

/// Returns how many lines a drawing may take on the terminal.
fn screen_height() -> usize {
    terminal_size::terminal_size().map_or(usize::MAX, |(_, terminal_size::Height(rows))| usize::from(rows))
}

/// Returns as many of the lines as can be drawn over again on a screen of that height, and what is left out.
fn fitting(mut lines: Vec<String>, height: usize) -> Vec<String> {
    // The cursor takes a line, too.
    let most = height.saturating_sub(1).max(1);
    if lines.len() > most {
        let left_out = lines.len() - (most - 1);
        lines.truncate(most - 1);
        lines.push(format!("… {left_out} more lines"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_drawing_fits_the_screen() {
        let lines = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        assert_eq!(fitting(lines(5), 6), lines(5));
        assert_eq!(fitting(lines(6), 6), ["0", "1", "2", "3", "… 2 more lines"]);
        assert_eq!(fitting(lines(3), 1), ["… 3 more lines"]);
        assert_eq!(fitting(lines(40), usize::MAX), lines(40));
    }
}
