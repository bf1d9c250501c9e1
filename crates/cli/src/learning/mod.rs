//! `parlor learn`, `parlor train`, `parlor inspect`: learners, from nothing to a file.

pub mod args;
mod ascii_chart;
pub mod inspect;
pub mod learn;
pub mod train;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Knowledge};
use parlor_core::{Cancel, KnowledgeSize, Spec};
use parlor_lab::format::{bytes, grouped, percent, rate_and_interval, shell};
use parlor_lab::trainee::Results;
use parlor_lab::training::{Round, Training};
pub use parlor_lab::training_report::opponent;

use crate::terminal::say;

/// What a training took.
#[derive(Copy, Clone, Default)]
pub struct Effort {
    /// Stages from which something could be learnt.
    pub stages: u64,
    /// The time they took, tests not counted.
    pub time: Duration,
}

impl Effort {
    /// Returns the speed, if there was enough to measure.
    pub fn stages_a_second(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (self.stages > 0 && seconds > 0.0).then(|| self.stages as f64 / seconds)
    }
}

/// What happens in a training.
pub enum News<'a> {
    /// Some matches of a round were played.
    Matches(&'a Results),
    /// A round is over, and kept.
    Round(&'a Round, &'a About),
}

/// Plays all rounds that are left, and writes the file after each. A raised `stop` ends it with the last whole round.
pub fn play_rounds(
    training: &mut Training,
    file: &Path,
    stop: &Cancel,
    mut tell: impl FnMut(News<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<Effort> {
    let mut effort = Effort::default();
    while training.has_more() {
        let begun = Instant::now();
        let mut trained_for = Duration::ZERO;
        let mut trouble = None;
        let round = training.round(stop, |results| {
            trained_for = begun.elapsed();
            if let Err(error) = tell(News::Matches(results)) {
                trouble = Some(error);
            }
        });
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let Some(round) = round else {
            training.go_back(Knowledge::open(file)?)?;
            break;
        };
        effort.stages += round.trained.stages;
        effort.time += trained_for;
        keep(training, file)?;
        tell(News::Round(&round, training.about()))?;
    }
    Ok(effort)
}

/// Says how to meet what was learnt, if anything was.
pub fn invite(about: &About, seat: &str) -> anyhow::Result<()> {
    let (what, how) = match parlor_catalog::open(&about.game)?.seats() {
        1 => ("watch it", "--watch"),
        _ => ("play against it", "--agent"),
    };
    if about.matches > 0 {
        let game = shell(&parlor_catalog::short_form(&about.game));
        say(format!("{what}: parlor play {game} {how} {}", shell(seat)))?;
    }
    Ok(())
}

/// Writes what is known to the file, whole or not at all.
pub fn keep(training: &mut Training, file: &Path) -> anyhow::Result<()> {
    training.knowledge().write(file).with_context(|| format!("{} cannot be written", file.display()))
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

/// Goes on with the training that a file tells of.
pub fn resume(file: &Path) -> anyhow::Result<Training> {
    let knowledge = open(file)?;
    if !Training::same_generator(&knowledge.about) {
        bail!("{} was begun with the generator {}, which is not ours", file.display(), knowledge.about.rng);
    }
    let game = game_of(file, &knowledge.about)?;
    Training::resume(&*game, knowledge).with_context(|| file.display().to_string())
}

/// Refuses an agent that exists but does not learn, and names those that do.
pub fn must_learn(game: &dyn AnyGame, spec: &str) -> anyhow::Result<()> {
    let name = Spec::parse(spec)?.name;
    let agents = game.agents();
    let learners: Vec<&str> = agents.iter().filter(|agent| agent.learns).map(|agent| agent.name).collect();
    if agents.iter().any(|agent| agent.name == name) && !learners.contains(&name.as_str()) {
        if learners.is_empty() {
            bail!("`{name}` does not learn, and at {} no agent does", game.name());
        }
        bail!("`{name}` does not learn; at {} these do: {}", game.name(), learners.join(", "));
    }
    Ok(())
}

/// About how many lines the table of a curve has.
const LINES: usize = 10;

/// Returns the numbers, from 0, of up to [`LINES`] of `count` rounds: evenly spread, the last one among them.
fn spread(count: usize) -> Vec<usize> {
    let lines = count.min(LINES);
    (1..=lines).map(|line| (line * count).div_ceil(lines) - 1).collect()
}

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
    head.push("entries".to_owned());
    let mut rows = vec![head];
    for number in spread(about.trained.len()) {
        let round = number as u64 + 1;
        let trained = percent(about.trained[number].win_rate());
        let mut row = vec![round.to_string(), grouped(round.saturating_mul(about.round)), trained];
        let tests = about.curve.chunks(testers.max(1)).nth(number).unwrap_or_default();
        for test in tests {
            let matches = test.results.total();
            let (rate, interval) = rate_and_interval(test.results.wins, matches);
            row.extend([rate, interval]);
            if drawn {
                row.push(percent(share(test.results.draws, matches)));
            }
        }
        row.push(tests.first().map_or_else(|| "–".to_owned(), |test| grouped(test.entries)));
        rows.push(row);
    }
    rows
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns in a sentence how large knowledge is.
pub fn size_in_words(size: &KnowledgeSize) -> String {
    let mut text = format!("{} entries in {}", grouped(size.entries), bytes(size.bytes));
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
    format!(
        "{} of {} rounds of {} matches against {}, seed {}",
        about.matches.checked_div(about.round).unwrap_or(0),
        about.rounds,
        grouped(about.round),
        against.join(" and "),
        about.seed
    )
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
