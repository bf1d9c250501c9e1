//! The learner's knowledge and thoughts, for people.

use std::io;
use std::time::Duration;

use parlor_core::{Afterstates, Certainty, Considered, KnowledgeTable, Thought};
use parlor_ml::Entries;

use super::Parts;

/// Returns what the learner knows, as tables.
pub(super) fn tables<G: Afterstates>(
    game: &G,
    parts: &Parts<G::Layout>,
    table: &Entries,
    matches: u64,
    rows: usize,
) -> Vec<KnowledgeTable> {
    let bytes = table.len() * Entries::bytes_each();
    let text = |what: &str, number: String| vec![what.to_owned(), number];
    let facts = vec![
        text("matches learnt from", matches.to_string()),
        text("entries", table.len().to_string()),
        text("entries with a weight", table.used().to_string()),
        text("most active at once", game.most_active(&parts.layout).to_string()),
        text("bytes an entry", Entries::bytes_each().to_string()),
        text("mebibytes", format!("{:.1}", bytes as f64 / f64::from(1 << 20))),
    ];
    let mut largest: Vec<(usize, f32)> =
        table.weights().iter().copied().enumerate().filter(|(_, weight)| *weight != 0.0).collect();
    largest.sort_by(|left, right| right.1.abs().total_cmp(&left.1.abs()).then(left.0.cmp(&right.0)));
    largest.truncate(rows);
    vec![
        KnowledgeTable {
            title: "table of entries".to_owned(),
            columns: vec!["what", "number"],
            rows: facts,
            note: "an action is worth the sum of the weights of its active entries",
        },
        KnowledgeTable {
            title: "largest weights".to_owned(),
            columns: vec!["entry", "weight"],
            rows: largest
                .into_iter()
                .map(|(at, weight)| {
                    vec![game.entry_in_words(&parts.layout, at as u32), format!("{weight:+.4}")]
                })
                .collect(),
            note: "a number is an entry without words: entries are numbered tuple by tuple",
        },
    ]
}

/// Writes every entry that has a weight.
pub(super) fn write_all<G: Afterstates>(
    game: &G,
    layout: &G::Layout,
    table: &Entries,
    to: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(to, "entry\tweight")?;
    for (at, weight) in table.weights().iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
        writeln!(to, "{}\t{weight}", game.entry_in_words(layout, at as u32))?;
    }
    Ok(())
}

/// Returns what the learner thinks of its actions.
pub(super) fn thought<A: Copy>(actions: &[A], sums: &[f32], best: usize) -> Thought<A> {
    let value = |at: usize| f64::from(libm::tanhf(sums[at]));
    let mut moves: Vec<Considered<A>> = actions
        .iter()
        .enumerate()
        .map(|(at, &action)| Considered { action, value: value(at), certainty: Certainty::Guess, visits: 1 })
        .collect();
    moves.sort_by(|left, right| right.value.total_cmp(&left.value));
    Thought {
        depth: 1,
        nodes: actions.len() as u64,
        counts: "afterstates",
        elapsed: Duration::ZERO,
        value: value(best),
        unit: "expected result, -1 to 1",
        certainty: Certainty::Guess,
        end_in: None,
        line: vec![actions[best]],
        moves,
    }
}
