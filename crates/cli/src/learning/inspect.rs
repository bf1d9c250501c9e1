//! `parlor inspect`: what a learner has learnt, in words.

use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use parlor_core::api::{AnyGame, AnyLearner};
use parlor_core::files::knowledge::{About, Knowledge};
use parlor_core::files::write_atomically;
use parlor_core::play::automaton::{Automaton, AutomatonQuery};
use parlor_core::text::shown::shown;
use parlor_lab::chart::{automaton_dot, automaton_svg};
use parlor_lab::format::{bytes, counted};
use serde_json::{Value, json};

use super::args::InspectArgs;
use super::{curve_rows, game_of, open, plan_in_words, regret_rows, size_in_words};
use crate::terminal::{grid, say, say_json};

/// Tables of words are cut here, so that a row stays a line.
const WIDEST_CELL: usize = 60;

/// The longest line about a training.
const LONGEST_LINE: usize = 1000;

pub fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let file = &args.file;
    let (game, about, payload) = match &args.learner {
        Some(learner) => {
            let game: Box<dyn AnyGame> = parlor_catalog::open(&file.to_string_lossy())?;
            let about = About::new(game.spec(), game.agent_spec(learner)?, 0);
            (game, about, None)
        }
        None => {
            let Knowledge { about, payload } = open(file)?;
            (game_of(file, &about)?, about, Some(payload))
        }
    };
    let about = &about;
    let place = || file.display().to_string();
    let mut team = game.team(&[&about.learner]).with_context(place)?;
    let mut learner =
        team.learner(0).ok_or_else(|| anyhow!("{}: `{}` does not learn", place(), about.learner))?;
    if let Some(payload) = payload {
        learner.load(&mut &payload[..]).with_context(place)?;
    }
    if let Some(file) = &args.playable {
        return write_playable(about, &*learner, file);
    }
    if let Some(graph) = &args.graph {
        return draw(&*learner, args, graph);
    }
    if args.text {
        let mut out = BufWriter::new(std::io::stdout().lock());
        learner.write_text(&mut out)?;
        return Ok(out.flush()?);
    }
    if args.json {
        return say_json(&as_json(about, &*learner, args.rows));
    }
    tell(about, &*learner, args.rows)
}

/// Writes what a learner needs to play.
fn write_playable(about: &About, learner: &dyn AnyLearner, file: &Path) -> anyhow::Result<()> {
    let mut payload = Vec::new();
    learner.save_to_play(&mut payload)?;
    let knowledge = Knowledge { about: about.clone(), payload };
    knowledge.write(file).with_context(|| file.display().to_string())?;
    say(format!("{}: {}", file.display(), bytes(knowledge.to_bytes().len() as u64)))?;
    Ok(())
}

/// Draws the automaton of a learner.
fn draw(learner: &dyn AnyLearner, args: &InspectArgs, file: &Path) -> anyhow::Result<()> {
    let form = file.extension().and_then(|form| form.to_str());
    let write: fn(&Automaton) -> String = match form {
        Some("svg") => automaton_svg,
        Some("dot" | "gv") => automaton_dot,
        _ => bail!("{}: a drawing has a name that ends in .svg or .dot", file.display()),
    };
    let query = AutomatonQuery { model: args.model.as_deref(), states: args.states };
    let automaton = learner.automaton(&query).map_err(|wrong| anyhow!(wrong))?;
    let automaton = automaton.ok_or_else(|| anyhow!("this learner builds no automaton; fable does"))?;
    write_atomically(file, write(&automaton).as_bytes()).with_context(|| file.display().to_string())?;
    let [states, arcs] = automaton.left_out;
    let drawn = automaton.states.iter().filter(|state| state.visits > 0).count() as u64;
    say(format!(
        "{}: {} and {}; left out {} and {} that are used less",
        file.display(),
        counted(drawn, "state"),
        counted(automaton.arcs.len() as u64, "transition"),
        counted(states, "state"),
        counted(arcs, "transition"),
    ))?;
    Ok(())
}

fn as_json(about: &About, learner: &dyn AnyLearner, rows: usize) -> Value {
    let size = learner.size();
    let tables: Value = learner
        .inspect(rows)
        .iter()
        .map(|table| json!({"title": table.title, "columns": table.columns, "rows": table.rows}))
        .collect();
    json!({
        "finished": !about.is_unfinished(),
        "about": about,
        "entries": size.entries,
        "bytes": size.bytes,
        "forgotten": size.forgotten,
        "tables": tables,
    })
}

fn tell(about: &About, learner: &dyn AnyLearner, rows: usize) -> anyhow::Result<()> {
    say(&about.game)?;
    say(&about.learner)?;
    // A learner that was named instead of a file has no plan.
    if about.rounds > 0 {
        let unfinished = if about.is_unfinished() { ", not finished" } else { "" };
        let plan = shown(&plan_in_words(about), LONGEST_LINE);
        say(format!("trained {plan}{unfinished}"))?;
        let [program, generator] = [&about.parlor, &about.rng].map(|text| shown(text, WIDEST_CELL));
        say(format!("written by parlor {program}, generator {generator}; the checksum is right"))?;
    }
    say(size_in_words(&learner.size()))?;
    if !about.trained.is_empty() {
        say("")?;
        let cell = |cell: &String| shown(cell, WIDEST_CELL);
        let rows: Vec<Vec<String>> =
            curve_rows(about).iter().map(|row| row.iter().map(cell).collect()).collect();
        for line in grid(&rows, &[]) {
            say(line)?;
        }
    }
    if !about.regret.is_empty() {
        say("")?;
        for line in grid(&regret_rows(about), &[]) {
            say(line)?;
        }
    }
    for table in learner.inspect(rows) {
        say("")?;
        say(format!("\x1b[1m{}\x1b[0m", table.title))?;
        let mut lines = vec![table.columns.iter().map(|&name| name.to_owned()).collect::<Vec<_>>()];
        let cut = |cell: &String| parlor_lab::format::cut(cell, WIDEST_CELL);
        lines.extend(table.rows.iter().map(|row| row.iter().map(cut).collect()));
        // Words are flush left, numbers flush right.
        let is_word = |&at: &usize| {
            table.rows.iter().any(|row| row.get(at).is_some_and(|cell| cell.parse::<f64>().is_err()))
        };
        let words: Vec<usize> = (0..table.columns.len()).filter(is_word).collect();
        for line in grid(&lines, &words) {
            say(line)?;
        }
    }
    Ok(())
}
