//! Hints in words: what the moves are worth, how likely hidden things are where.

use parlor_core::{Beliefs, Certainty, Considered, Spec, Thought};
use parlor_lab::session::{Hint, Worth};

use crate::analyse::format;

use super::screen::Screen;

/// How many moves a hint lists.
const MOVES: usize = 10;

/// How many hidden things a hint lists in a row of odds.
const THINGS: usize = 40;

/// Prints a hint.
pub fn tell(screen: Screen, hint: &Hint) -> anyhow::Result<()> {
    match &hint.worth {
        Worth::Exact(exact) => {
            screen.say(format!("exact values ({}), best first:", exact.unit))?;
            let values = exact.values.iter();
            let is_probability = exact.unit.contains("probability");
            let rows = values.map(|(text, value)| match is_probability {
                true => format!("{text} = {:.1} %", 100.0 * value),
                false => format!("{text} = {}", format::number(*value)),
            });
            list(screen, &rows.collect::<Vec<_>>())?;
        }
        Worth::Thought { agent, best, thought: None } => {
            screen.say(format!("{} would play {best}", Spec::bare_name(agent)))?;
        }
        Worth::Thought { agent, best, thought: Some(thought) } => {
            tell_thought(screen, Spec::bare_name(agent), best, thought)?;
        }
    }
    hint.beliefs.as_ref().map_or(Ok(()), |beliefs| tell_beliefs(screen, beliefs))
}

fn tell_thought(screen: Screen, agent: &str, best: &str, thought: &Thought<String>) -> anyhow::Result<()> {
    let proven = if thought.certainty == Certainty::Proven { "; proven" } else { "" };
    screen.say(format!("{agent} would play {best}: {}{proven}", format::value(thought)))?;
    if thought.line.len() > 1 {
        screen.say(format!("  expected: {}", thought.line.join(" ")))?;
    }
    if thought.moves.len() > 1 {
        let row = |considered: &Considered<String>| {
            let value = format::considered_value(considered);
            // A guess has no sign of its own before it.
            format!("{} {value}", considered.action)
        };
        let exact = thought.moves.iter().any(|considered| considered.certainty == Certainty::Proven);
        let bounds = thought.moves.iter().any(|considered| considered.certainty == Certainty::AtMost);
        let mut marks = Vec::new();
        if exact {
            marks.push("= exact");
        }
        if bounds {
            marks.push("≤ at most");
        }
        let marks = if marks.is_empty() { String::new() } else { format!("; {}", marks.join(", ")) };
        screen.say(format!("  values ({}{marks}), best first:", thought.unit))?;
        list(screen, &thought.moves.iter().map(row).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn list(screen: Screen, rows: &[String]) -> anyhow::Result<()> {
    let mut shown: Vec<String> = rows.iter().take(MOVES).cloned().collect();
    if rows.len() > MOVES {
        shown.push(format!("… {} more", rows.len() - MOVES));
    }
    Ok(screen.list("  ", &shown)?)
}

/// Prints beliefs in rows: for one place the probabilities in order, for several each thing with the likeliest first.
fn tell_beliefs(screen: Screen, beliefs: &Beliefs) -> anyhow::Result<()> {
    let Some(place) = beliefs.places.first() else { return Ok(()) };
    let mut things: Vec<(&str, f64)> =
        beliefs.odds.iter().filter_map(|(thing, odds)| Some((thing.as_str(), *odds.first()?))).collect();
    let margin = beliefs.sample_size.map_or(String::new(), |worlds| {
        // Half the width of the 95 % interval where it is widest, at a probability of one half.
        format!(", each ± {:.0} points at most", (98.0 / worlds.sqrt()).clamp(1.0, 99.0))
    });
    screen.say(format!("probability of `{place}`, from {}{margin}:", beliefs.basis))?;
    // A stable sort keeps the game's order among equals.
    things.sort_by(|a, b| a.1.total_cmp(&b.1));
    if beliefs.places.len() > 1 {
        things.reverse();
    }
    let mut words: Vec<String> = things
        .chunk_by(|a, b| percent(a.1) == percent(b.1))
        .map(|run| {
            let names: Vec<&str> = run.iter().map(|(thing, _)| *thing).collect();
            format!("{} {}", percent(run[0].1), shortened(&names))
        })
        .collect();
    if words.len() > THINGS {
        let rest = words.split_off(THINGS).len();
        words.push(format!("… {rest} more"));
    }
    words.into_iter().try_for_each(|word| screen.say(format!("  {word}")))?;
    Ok(())
}

fn shortened(names: &[&str]) -> String {
    const MOST: usize = 30;
    let rest = names.len().saturating_sub(MOST);
    let shown = names[..names.len() - rest].join(" ");
    if rest == 0 { shown } else { format!("{shown} … {rest} more") }
}

/// Returns a probability in whole per cents; 0 and 100 are for what is certain.
fn percent(odds: f64) -> String {
    let shown = if odds == 0.0 || odds == 1.0 { 100.0 * odds } else { (100.0 * odds).clamp(1.0, 99.0) };
    format!("{shown:>4.0} %")
}
