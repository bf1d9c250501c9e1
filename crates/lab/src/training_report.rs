//! The report of one training: one HTML file that needs nothing else, in light and dark.
//!
//! It has no date and no path in it, so equal trainings give equal bytes.

use maud::{Markup, html};
use parlor_core::files::knowledge::{About, Milestone, RegretMilestone, Stage};
use parlor_core::{KnowledgeSize, KnowledgeTable, Spec};
use parlor_stats::elo::score_of_elo;
use parlor_stats::intervals::wilson;
use serde::Serialize;

use crate::chart::{Band, LineChart, Point, Reference, Scale, Series, page_style};
use crate::format::{counted, grouped, percent, results, shell, signed};
use crate::page;
use crate::regret::Regret;
use crate::stages;
use crate::trainee::EXERCISES;
use crate::training::ITSELF;
use crate::verdict::Verdict;

/// How a learner did against an agent, measured in pairs after its training.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// The agent's full form.
    pub against: String,
    /// What the pairs say.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Lower end of the score's 95 % interval.
    pub score_low: Option<f64>,
    /// Upper end of the score's 95 % interval.
    pub score_high: Option<f64>,
}

impl Measured {
    /// Returns a measurement; the score's interval is that of the Elo, which comes from the pairs.
    #[must_use]
    pub fn new(against: String, verdict: Verdict) -> Measured {
        // An end of the Elo that does not exist is beyond a score of 0 or 1.
        let end = |elo: Option<f64>, edge: f64| verdict.elo.map(|_| elo.map_or(edge, score_of_elo));
        let (score_low, score_high) = (end(verdict.elo_low, 0.0), end(verdict.elo_high, 1.0));
        Measured { against, verdict, score_low, score_high }
    }

    /// Returns the score with its interval, as people write it.
    #[must_use]
    pub fn score_in_words(&self) -> String {
        let ends = match (self.score_low, self.score_high) {
            (Some(low), Some(high)) => format!("{:.1} … {:.1}", 100.0 * low, 100.0 * high),
            _ => "–".to_owned(),
        };
        format!("{} [{ends}]", percent(self.verdict.score))
    }
}

/// Everything that the report tells.
#[derive(Clone, Debug)]
pub struct Learnt<'a> {
    /// How it was trained.
    pub about: &'a About,
    /// How it did afterwards.
    pub measured: &'a [Measured],
    /// What its decisions lose against perfect play, where that can be told.
    pub regret: Option<&'a Regret>,
    /// How large its knowledge is.
    pub size: KnowledgeSize,
    /// What it knows.
    pub tables: &'a [KnowledgeTable],
    /// The call that trains the same learner.
    pub command: &'a str,
}

/// The confidence of the band around a curve.
const LEVEL: f64 = 0.95;

/// Returns where a test stands on a logarithmic axis: most is learnt in the first matches. What it did before any stands at 1.
fn place(test: &Milestone) -> f64 {
    test.matches.max(1) as f64
}

/// Returns the learning curve against each tester, with the noise of its tests as a band.
#[must_use]
pub fn curve(about: &About) -> LineChart {
    let testers = about.testers.len().max(1);
    let tests = |tester: usize| {
        let early = about.early.iter().skip(tester).step_by(testers);
        early.chain(about.curve.iter().skip(tester).step_by(testers))
    };
    let series = about.testers.iter().enumerate().map(|(tester, name)| Series {
        name: opponent(name),
        points: tests(tester)
            .filter_map(|test| Some(Point { x: place(test), y: test.results.win_rate()? }))
            .collect(),
        band: tests(tester)
            .filter_map(|test| {
                let ends = wilson(test.results.wins, test.results.total(), LEVEL)?;
                Some(Band { x: place(test), low: ends.low, high: ends.high })
            })
            .collect(),
    });
    LineChart {
        x: Scale::new("matches of training").log(),
        y: Scale::percent(if drawn_tests(about) {
            "tests won, draws not counted"
        } else {
            "test matches won"
        }),
        series: series.collect(),
        // Who plays alone has no half to reach.
        references: (about.testers != [ITSELF])
            .then(|| Reference { value: 0.5, name: "half of the matches".to_owned() })
            .into_iter()
            .collect(),
        ..LineChart::default()
    }
}

/// Returns the curve of what decisions lose against perfect play; nothing if that was not measured.
#[must_use]
pub fn regret_curve(about: &About) -> Option<LineChart> {
    let first = about.regret.first()?;
    let place = |at: &RegretMilestone| at.matches.max(1) as f64;
    let band = about.regret.iter().filter_map(|at| {
        let (low, high) = at.low.zip(at.high)?;
        Some(Band { x: place(at), low, high })
    });
    let series = Series {
        name: "lost against perfect play".to_owned(),
        points: about.regret.iter().map(|at| Point { x: place(at), y: at.lost }).collect(),
        band: band.collect(),
    };
    Some(LineChart {
        x: Scale::new("matches of training").log(),
        y: Scale::new(format!("{} lost a match", first.unit)),
        series: vec![series],
        ..LineChart::default()
    })
}

/// Returns whom a test was against, in words.
#[must_use]
pub fn opponent(tester: &str) -> String {
    match Spec::bare_name(tester) {
        ITSELF => "by itself".to_owned(),
        EXERCISES => "of the exercises".to_owned(),
        name => format!("against {name}"),
    }
}

/// Returns the page.
#[must_use]
pub fn page(learnt: &Learnt<'_>) -> String {
    let about = learnt.about;
    let [game, learner] = [&about.game, &about.learner].map(|spec| Spec::bare_name(spec));
    let title = format!("{learner} learns {game}");
    let body = html! {
        h1 { (title) }
        p.soft { (about.game) }
        p { (summary(learnt)) }
        @if has_draws(learnt) { p.note { (WON_AND_SCORE) } }
        h2 { "Learning curve" }
        .card { (curve(about).markup()) }
        p.note {
            "After each round the learner is tested in " (counted(about.test_matches, "match")) " from which it does not "
            "learn; in the first round there are more tests. The axis is logarithmic, and the test before the first match "
            "is drawn at 1. The band holds 95 % and is the noise of the tests alone; another training, with another "
            "seed, would give another curve."
        }
        @if !learnt.measured.is_empty() {
            h2 { "How strong it is" }
            .card { (measurements(learnt.measured)) }
            p.note { "Measured after the training, in pairs: the same deal twice, seats swapped. Intervals hold 95 %." }
        }
        @if let Some(regret) = regret_curve(about) {
            h2 { "How far it was from perfect" }
            .card { (regret.markup()) }
            p.note {
                "What its decisions lost against perfect play, in " (counted(about.regret_deals, "deal")) " against random play, each from both "
                "seats. The band holds 95 %."
            }
        }
        @if let Some(regret) = learnt.regret {
            h2 { "How far it is from perfect" }
            p { (from_perfect(regret)) }
            p.note {
                "Each of its decisions was compared with the exact value of every move, in " (counted(regret.matches, "match"))
                " against random play. Intervals hold 95 %."
            }
        }
        h2 { "What it knows" }
        p { (counted(learnt.size.entries, "entry")) ". Here are the most telling ones." }
        @if let Some(table) = learnt.tables.first() { p.note { (table.note) } }
        @for table in learnt.tables { (knowledge(table)) }
        h2 { "Settings" }
        .card { (settings(about)) }
        h2 { "How to reproduce it" }
        .card {
            pre { (learnt.command) }
            pre { (train_call(about)) }
        }
        p.note { "The second call trains the same learner in a file of yours. Equal seeds give equal knowledge, byte for byte." }
    };
    page::page(&title, &page_style(), &body)
}

/// Returns the length of a stage and its settings in words.
#[must_use]
pub fn stage_in_words(stage: &Stage) -> String {
    let mut text = format!("{} of {}", counted(stage.rounds, "round"), counted(stage.round, "match"));
    let settings: Vec<String> = stage.settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
    if !settings.is_empty() {
        text += &format!(" with {}", settings.join(", "));
    }
    text
}

/// Returns the call of `parlor train` that trains the same learner.
fn train_call(about: &About) -> String {
    let words = |specs: &[String]| specs.iter().map(|spec| shell(spec)).collect::<Vec<_>>().join(" ");
    let plan = match &about.stages[..] {
        [] => format!("--against {} --plan {}x{}", words(&about.against), about.rounds, about.round),
        stages => format!("--plan {}", shell(&stages::write(stages))),
    };
    let patience = about.patience.map_or_else(String::new, |rounds| format!(" --patience {rounds}"));
    format!(
        "parlor train {} {} {plan}{patience} --test {} --test-matches {} --seed {} -o FILE",
        shell(&about.game),
        shell(&about.learner),
        words(&about.testers),
        about.test_matches,
        about.seed
    )
}

/// What the two words mean in games with draws.
pub const WON_AND_SCORE: &str = "Won is the share of wins alone; the score counts a draw as half a win, so it is higher where there are draws.";

/// Returns whether any of the matches that the report counts were drawn.
fn has_draws(learnt: &Learnt<'_>) -> bool {
    drawn_tests(learnt.about) || learnt.measured.iter().any(|one| one.verdict.games.draws > 0)
}

/// Returns whether tests on the way were drawn.
#[must_use]
pub fn drawn_tests(about: &About) -> bool {
    about.early.iter().chain(&about.curve).any(|test| test.results.draws > 0)
}

fn summary(learnt: &Learnt<'_>) -> String {
    let trained = format!("Trained in {}.", counted(learnt.about.matches, "match"));
    let measured = learnt
        .measured
        .iter()
        .map(|measured| format!(" It scores {} {}.", measured.score_in_words(), opponent(&measured.against)));
    std::iter::once(trained).chain(measured).collect()
}

/// Returns what a learner's decisions lose, in a sentence or two.
#[must_use]
pub fn from_perfect(regret: &Regret) -> String {
    let lost = regret.in_words().map_or_else(String::new, |lost| format!("It loses {lost} a match. "));
    let ends = match (regret.mistake_low, regret.mistake_high) {
        (Some(low), Some(high)) => format!(" [{} … {}]", percent(Some(low)), percent(Some(high))),
        _ => String::new(),
    };
    format!(
        "{lost}{}{ends} of {} judged decisions were mistakes.",
        percent(regret.mistake_rate),
        grouped(regret.judged)
    )
}

fn measurements(measured: &[Measured]) -> Markup {
    let elo = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), signed);
    html! {
        table {
            thead { tr { th.name { "opponent" } th { "score" } th { "Elo" } th { "95 %" } th { "games" } } }
            tbody {
                @for one in measured {
                    @let verdict = &one.verdict;
                    tr {
                        td.name { (one.against) }
                        td { (one.score_in_words()) }
                        td { strong { (elo(verdict.elo)) } }
                        td { (elo(verdict.elo_low)) " … " (elo(verdict.elo_high)) }
                        td {
                            (verdict.games.total())
                            small { (results(verdict.games)) }
                        }
                    }
                }
            }
        }
    }
}

fn knowledge(table: &KnowledgeTable) -> Markup {
    // Words to the left, numbers to the right.
    let is_word =
        |at: usize| table.rows.iter().any(|row| row.get(at).is_some_and(|cell| cell.parse::<f64>().is_err()));
    let class = |at: usize| is_word(at).then_some("name");
    html! {
        h3 { (table.title) }
        .card { table {
            thead { tr { @for (at, name) in table.columns.iter().enumerate() { th class=[class(at)] { (name) } } } }
            tbody {
                @for row in &table.rows {
                    tr { @for (at, cell) in row.iter().enumerate() { td class=[class(at)] { (cell) } } }
                }
            }
        } }
    }
}

fn settings(about: &About) -> Markup {
    html! {
        table.settings {
            tr { th { "game" } td { (about.game) } }
            tr { th { "learner" } td { (about.learner) } }
            tr { th { "trained against" } td { @for agent in &about.against { div { (agent) } } } }
            tr { th { "plan" } td { @for stage in about.plan() { div { (stage_in_words(&stage)) } } } }
            tr { th { "seed" } td { (about.seed) } }
            tr { th { "program" } td { "parlor " (about.parlor) ", generator " (about.rng) } }
        }
    }
}
