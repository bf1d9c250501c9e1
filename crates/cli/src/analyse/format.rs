//! Thoughts and beliefs for people.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Beliefs, Certainty, Considered, Thought};

use parlor_stats::intervals::wilson_of_rate;

use crate::terminal::grid;

/// Returns how many nodes a second; `None` before any time has passed.
pub fn speed(thought: &Thought<String>) -> Option<f64> {
    let seconds = thought.elapsed.as_secs_f64();
    (seconds > 0.0).then(|| thought.nodes as f64 / seconds)
}

/// Returns a thought in one line.
pub fn line(thought: &Thought<String>) -> String {
    format!("{}  {}", summary(thought), thought.line.join(" "))
}

/// Returns a thought as a block of lines: the summary, the best line, the value of every move.
pub fn table(thought: &Thought<String>) -> Vec<String> {
    let mut lines = vec![summary(thought), format!("line: {}", thought.line.join(" "))];
    lines.extend(moves(thought));
    lines
}

fn summary(thought: &Thought<String>) -> String {
    let a_second = speed(thought).map_or_else(String::new, |speed| format!(" ({}/s)", short(speed)));
    format!(
        "depth {}  {} {}{a_second}  value {}",
        thought.depth,
        short(thought.nodes as f64),
        thought.counts,
        value(thought)
    )
}

/// Returns the value of a position in words: `won in 9 plies`, `+35 hundredths of a man`.
pub fn value(thought: &Thought<String>) -> String {
    let end = thought.end_in.map(|plies| format!("in {plies} {}", if plies == 1 { "ply" } else { "plies" }));
    match (thought.certainty, end) {
        (Certainty::Proven, Some(end)) if thought.value > 0.0 => format!("won {end}"),
        (Certainty::Proven, Some(end)) if thought.value < 0.0 => format!("lost {end}"),
        (Certainty::Proven, Some(end)) => format!("drawn {end}"),
        (Certainty::Proven, None) => format!("{} {}, proven", number(thought.value), thought.unit),
        (Certainty::AtMost, _) => format!("at most {} {}", number(thought.value), thought.unit),
        (Certainty::Guess, _) => format!("{} {}", number(thought.value), thought.unit),
    }
}

/// Returns the table of moves, best first. What went into each move is left out where the search does not tell it.
pub fn moves(thought: &Thought<String>) -> Vec<String> {
    if thought.moves.is_empty() {
        return Vec::new();
    }
    let has_visits = thought.moves.iter().any(|considered| considered.visits > 0);
    let columns = if has_visits { 3 } else { 2 };
    let mut rows = vec![["move", "value", thought.counts].map(str::to_owned)[..columns].to_vec()];
    rows.extend(thought.moves.iter().map(|considered: &Considered<String>| {
        let value = considered_value(considered);
        let mut row = vec![considered.action.clone(), value, short(considered.visits as f64)];
        row.truncate(columns);
        row
    }));
    grid(&rows, &[0])
}

/// Returns the value of a move: a bound as a bound, an exact one as exact.
pub fn considered_value(considered: &Considered<String>) -> String {
    let value = number(considered.value);
    match considered.certainty {
        Certainty::Guess => value,
        Certainty::AtMost => format!("≤ {value}"),
        // Beyond every evaluation lie results of matches.
        Certainty::Proven if considered.value > f64::from(MOST) => "won".to_owned(),
        Certainty::Proven if considered.value < -f64::from(MOST) => "lost".to_owned(),
        Certainty::Proven => format!("= {value}"),
    }
}

/// The confidence of the intervals of sampled beliefs.
const LEVEL: f64 = 0.95;

/// Returns the interval of a probability that was estimated from sampled worlds; `None` for one that is exact.
pub fn interval(odds: f64, beliefs: &Beliefs) -> Option<[f64; 2]> {
    // Sums of weights may exceed 1 in the last digit.
    let ends = wilson_of_rate(odds.clamp(0.0, 1.0), beliefs.sample_size?, LEVEL)?;
    Some([ends.low, ends.high])
}

/// Returns the table of beliefs: for each hidden thing the odds of each place.
pub fn beliefs(beliefs: Option<&Beliefs>, agent: &str) -> Vec<String> {
    let Some(beliefs) = beliefs else {
        return vec![format!("{agent} believes nothing about what it cannot see")];
    };
    let mut rows = vec![vec!["hidden".to_owned()]];
    rows[0].extend(beliefs.places.iter().cloned());
    rows.extend(beliefs.odds.iter().map(|(thing, odds)| {
        let percent = odds.iter().map(|&odds| match interval(odds, beliefs) {
            Some([low, high]) => {
                format!("{:.1} % [{:.1} … {:.1}]", 100.0 * odds, 100.0 * low, 100.0 * high)
            }
            None => format!("{:.1} %", 100.0 * odds),
        });
        [thing.clone()].into_iter().chain(percent).collect()
    }));
    let intervals = if beliefs.sample_size.is_some() { ", with 95 % intervals" } else { "" };
    let mut lines = vec![format!("beliefs from {}{intervals}", beliefs.basis)];
    lines.extend(grid(&rows, &[0]));
    if !beliefs.types.is_empty() {
        let mut rows = vec![vec!["the other seat is".to_owned(), "probability".to_owned()]];
        let types = beliefs.types.iter();
        rows.extend(types.map(|kind| vec![kind.name.clone(), format!("{:.1} %", 100.0 * kind.probability)]));
        lines.extend(grid(&rows, &[0]));
    }
    lines
}

/// Returns a value as people write it: with a sign, without decimals that say nothing.
pub fn number(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.fract() == 0.0 && value.abs() < 1e15 {
        format!("{value:+.0}")
    } else {
        format!("{value:+.3}")
    }
}

/// Returns a count in at most four digits: `12.3k`, `4.56M`.
fn short(count: f64) -> String {
    for (size, letter) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")] {
        if count >= size {
            let size = if letter == "k" { 1e3 } else { size };
            let scaled = count / size;
            let decimals = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
            return format!("{scaled:.decimals$}{letter}");
        }
    }
    format!("{count:.0}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use parlor_core::TypeOdds;

    use super::*;

    fn thought(value: f64, certainty: Certainty, end_in: Option<u32>) -> Thought<String> {
        let considered = |action: &str, value, certainty| Considered {
            action: action.to_owned(),
            value,
            certainty,
            visits: 7,
        };
        Thought {
            depth: 5,
            nodes: 1_250_000,
            counts: "nodes",
            elapsed: Duration::from_millis(500),
            value,
            unit: "points",
            certainty,
            end_in,
            line: vec!["a1".to_owned(), "b2".to_owned()],
            moves: vec![
                considered("a1", value, certainty),
                considered("long-name", -12.5, Certainty::AtMost),
                considered("c3", 0.0, Certainty::Proven),
            ],
        }
    }

    #[test]
    fn thoughts_in_words() {
        let guess = thought(35.0, Certainty::Guess, None);
        assert_eq!(line(&guess), "depth 5  1.25M nodes (2.50M/s)  value +35 points  a1 b2");
        let says = |value, certainty, end| line(&thought(value, certainty, end));
        assert!(says(1.0, Certainty::Proven, Some(9)).contains("value won in 9 plies"));
        assert!(says(-1.0, Certainty::Proven, Some(1)).contains("value lost in 1 ply"));
        assert!(says(0.25, Certainty::Proven, None).contains("value +0.250 points, proven"));
        assert!(says(0.0, Certainty::AtMost, None).contains("value at most 0 points"));
        let rows = table(&guess);
        assert_eq!(
            rows[3..],
            ["a1               +35      7", "long-name  ≤ -12.500      7", "c3               = 0      7"]
        );
        let won = moves(&thought(19_997.0, Certainty::Proven, Some(3)));
        assert_eq!(won[1], "a1               won      7");
        let mut silent = thought(35.0, Certainty::Guess, None);
        silent.moves.iter_mut().for_each(|considered| considered.visits = 0);
        assert_eq!(moves(&silent)[1], "a1               +35", "nothing is said of nodes");
    }

    #[test]
    fn counts_are_short() {
        let texts = [0.0, 9999.0, 10_000.0, 123_456.0, 4.56e6, 1.2e10].map(short);
        assert_eq!(texts, ["0", "9999", "10.0k", "123k", "4.56M", "12.0G"]);
    }

    #[test]
    fn beliefs_are_a_table_or_a_sentence() {
        assert_eq!(beliefs(None, "random"), ["random believes nothing about what it cannot see"]);
        let mut some = Beliefs {
            places: vec!["other hand".to_owned(), "boneyard".to_owned()],
            odds: vec![("00".to_owned(), vec![0.25, 0.75])],
            basis: "all 4 worlds".to_owned(),
            types: Vec::new(),
            sample_size: None,
        };
        let lines = beliefs(Some(&some), "pimc");
        assert_eq!(lines[0], "beliefs from all 4 worlds");
        assert_eq!(lines[2], "00          25.0 %    75.0 %");
        assert_eq!(lines.len(), 3);
        let sampled =
            Beliefs { basis: "100 sampled worlds".to_owned(), sample_size: Some(100.0), ..some.clone() };
        let lines = beliefs(Some(&sampled), "pimc");
        assert_eq!(lines[0], "beliefs from 100 sampled worlds, with 95 % intervals");
        assert_eq!(lines[2], "00      25.0 % [17.5 … 34.3]  75.0 % [65.7 … 82.5]");
        let kind = |name: &str, probability| TypeOdds { name: name.to_owned(), agent: None, probability };
        some.types = vec![kind("scoring", 0.875), kind("none of these", 0.125)];
        let lines = beliefs(Some(&some), "mstar");
        assert!(lines[3].contains("the other seat is"));
        assert_eq!(lines[4..], ["scoring                 87.5 %", "none of these           12.5 %"]);
    }
}
