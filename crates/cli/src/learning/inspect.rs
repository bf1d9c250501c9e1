//! `parlor inspect`: what a learner has learnt, in words.

use std::io::{BufWriter, Write};

use anyhow::{Context, anyhow};
use parlor_core::api::AnyLearner;
use parlor_core::files::knowledge::About;
use parlor_core::text::shown::shown;
use serde_json::{Value, json};

use super::args::InspectArgs;
use super::{curve_rows, game_of, open, plan_in_words, size_in_words};
use crate::terminal::{grid, say, say_json};

/// Tables of words are cut here, so that a row stays a line.
const WIDEST_CELL: usize = 60;

/// The longest line about a training.
const LONGEST_LINE: usize = 1000;

pub fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let file = &args.file;
    let knowledge = open(file)?;
    let about = &knowledge.about;
    let game = game_of(file, about)?;
    let mut team = game.team(&[&about.learner]).with_context(|| file.display().to_string())?;
    let mut learner =
        team.learner(0).ok_or_else(|| anyhow!("{}: `{}` does not learn", file.display(), about.learner))?;
    learner.load(&mut &knowledge.payload[..]).with_context(|| file.display().to_string())?;
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
    let unfinished = if about.is_unfinished() { ", not finished" } else { "" };
    let plan = shown(&plan_in_words(about), LONGEST_LINE);
    say(format!("trained {plan}{unfinished}"))?;
    let [program, generator] = [&about.parlor, &about.rng].map(|text| shown(text, WIDEST_CELL));
    say(format!("written by parlor {program}, generator {generator}; the checksum is right"))?;
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
