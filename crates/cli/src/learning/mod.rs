//! `parlor learn`, `parlor train`, `parlor inspect`: learners, from nothing to a file.

pub mod args;
mod ascii_chart;
pub mod inspect;
pub mod learn;
mod series;
pub mod train;

use std::path::Path;

use anyhow::Context;
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Knowledge, RegretMilestone};
use parlor_core::{KnowledgeSize, LearningReport, Spec};
use parlor_lab::format::{bytes, counted, grouped, loss, percent, rate_and_interval, shell};
pub use parlor_lab::training_report::opponent;
use parlor_lab::training_report::stage_in_words;

use crate::play::form_to_play;
use crate::terminal::say;

/// Says how to meet what was learnt, if anything was.
pub fn invite(about: &About, seat: &str) -> anyhow::Result<()> {
    let (what, how) = match parlor_catalog::open(&about.game)?.seats() {
        1 => ("watch it", "--watch"),
        _ => ("play against it", "--agent"),
    };
    if about.matches > 0 {
        let game = shell(&form_to_play(&about.game));
        say(format!("{what}: parlor play {game} {how} {}", shell(seat)))?;
    }
    Ok(())
}

/// Reads a file of knowledge.
pub fn open(file: &Path) -> anyhow::Result<Knowledge> {
    Knowledge::open(file).with_context(|| file.display().to_string())
}

/// Opens the game that a file's knowledge is about.
pub fn game_of(file: &Path, about: &About) -> anyhow::Result<Box<dyn AnyGame>> {
    let game = parlor_catalog::open(&about.game)
        .with_context(|| format!("{} was learnt at a game that is not known here", file.display()))?;
    Ok(game)
}

/// About how many lines the table of a curve has.
const LINES: usize = 10;

/// Returns the numbers, from 0, of up to [`LINES`] of `count` rounds: evenly spread, the last one among them.
fn spread(count: usize) -> Vec<usize> {
    let lines = count.min(LINES);
    (1..=lines).map(|line| (line * count).div_ceil(lines) - 1).collect()
}

/// A number that learners report.
type Reported = fn(&LearningReport) -> Option<f64>;

/// Returns the curve as a table: some of the rounds, how the learner did while it learnt, and in each test.
pub fn curve_rows(about: &About) -> Vec<Vec<String>> {
    let testers = about.testers.len();
    let drawn = about.curve.iter().any(|test| test.results.draws > 0);
    let mut head = vec!["round".to_owned(), "matches".to_owned(), "won in training".to_owned()];
    for tester in &about.testers {
        head.push(format!("won {}", opponent(tester)));
        head.push("95 %".to_owned());
        if drawn {
            head.push("drawn".to_owned());
        }
    }
    let reported: [(&str, Reported); 3] = [
        ("error", |report| report.error),
        ("change", |report| report.change),
        ("largest", |report| report.largest),
    ];
    let reported =
        reported.into_iter().filter(|(_, number)| about.reports.iter().any(|r| number(r).is_some()));
    let reported: Vec<_> = reported.collect();
    head.extend(reported.iter().map(|(name, _)| (*name).to_owned()));
    head.push("entries".to_owned());
    let mut rows = vec![head];
    for number in spread(about.trained.len()) {
        let round = number as u64 + 1;
        let trained = percent(about.trained[number].win_rate());
        let mut row = vec![round.to_string(), grouped(about.end_of_round(round)), trained];
        let tests = about.curve.chunks(testers.max(1)).nth(number).unwrap_or_default();
        for test in tests {
            let matches = test.results.total();
            let (rate, interval) = rate_and_interval(test.results.wins, matches);
            row.extend([rate, interval]);
            if drawn {
                row.push(percent(share(test.results.draws, matches)));
            }
        }
        row.extend(reported.iter().map(|(_, number_of)| {
            let value = about.reports.get(number).and_then(number_of);
            value.map_or_else(|| "–".to_owned(), loss)
        }));
        row.push(tests.first().map_or_else(|| "–".to_owned(), |test| grouped(test.entries)));
        rows.push(row);
    }
    rows
}

/// Returns what decisions lost against perfect play on the way, as a table.
pub fn regret_rows(about: &About) -> Vec<Vec<String>> {
    let unit = about.regret.first().map_or("", |at| at.unit.as_str());
    let head = ["matches", &format!("{unit} lost a match"), "95 %", "mistakes", "judged"].map(str::to_owned);
    let row = |at: &RegretMilestone| {
        let ends = at.low.zip(at.high);
        vec![
            grouped(at.matches),
            loss(at.lost),
            ends.map_or_else(|| "–".to_owned(), |(low, high)| format!("{} … {}", loss(low), loss(high))),
            percent(share(at.mistakes, at.judged)),
            grouped(at.judged),
        ]
    };
    std::iter::once(head.to_vec()).chain(about.regret.iter().map(row)).collect()
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns in a sentence how large knowledge is.
pub fn size_in_words(size: &KnowledgeSize) -> String {
    let mut text = format!("{} in {}", counted(size.entries, "entry"), bytes(size.bytes));
    if let Some(each) = size.bytes.checked_div(size.entries) {
        text += &format!(", {each} bytes each");
    }
    if size.forgotten > 0 {
        text += &format!("; {} forgotten to stay within its memory", grouped(size.forgotten));
    }
    text
}

/// Returns in a sentence how a learner was trained.
pub fn plan_in_words(about: &About) -> String {
    let against: Vec<&str> = about.against.iter().map(|spec| Spec::bare_name(spec)).collect();
    let (done, _) = about.progress();
    if about.stages.is_empty() {
        let against = against.join(" and ");
        let round = counted(about.round, "match");
        return format!(
            "{done} of {} of {round} against {against}, seed {}",
            counted(about.rounds, "round"),
            about.seed
        );
    }
    let stages = about.stages.iter().map(|stage| {
        let against: Vec<&str> = stage.against.iter().map(|spec| Spec::bare_name(spec)).collect();
        format!("{} against {}", stage_in_words(stage), against.join(" and "))
    });
    let stages: Vec<String> = stages.collect();
    format!("{done} of {}: {}; seed {}", counted(about.rounds, "round"), stages.join(", then "), about.seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_spread_and_end_with_the_last_round() {
        assert_eq!(spread(0), [0; 0]);
        assert_eq!(spread(3), [0, 1, 2]);
        assert_eq!(spread(50), [4, 9, 14, 19, 24, 29, 34, 39, 44, 49]);
        let many = spread(1234);
        assert_eq!((many.len(), many[9]), (LINES, 1233));
    }
}
