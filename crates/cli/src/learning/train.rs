//! `parlor train`: a learner plays, learns, is tested, and is kept.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use indicatif::ProgressBar;
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Milestone, Stage};
use parlor_core::files::reading::read_text;
use parlor_core::files::write_atomically;
use parlor_core::text::spec::NO_STORE;
use parlor_core::{KnowledgeSize, Spec};
use parlor_lab::chart::LineChart;
use parlor_lab::format::{bytes, grouped, rate_and_half, shell};
use parlor_lab::run::lessons::learner_from_file;
use parlor_lab::run::series::beside;
use parlor_lab::run::trainings::Effort;
use parlor_lab::run::{Event, RunError, TrainingRun};
use parlor_lab::stages;
use parlor_lab::trainee::Results;
use parlor_lab::training::{DEFAULT_MEMORY_MB, ITSELF, Request};
use parlor_lab::training_report;
use parlor_store::Store;
use serde::Serialize;

use super::args::TrainArgs;
use super::{curve_rows, invite, opponent, plan_in_words, regret_rows, series, size_in_words};
use crate::run_support::{open, silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{grid, progress, say, say_json};

/// What `--json` prints: nothing that depends on time or place.
#[derive(Serialize)]
struct Printed<'a> {
    finished: bool,
    #[serde(flatten)]
    about: &'a About,
    entries: u64,
    forgotten: u64,
}

pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    if args.shard.is_some() {
        bail!(
            "a training is one sequence of games and cannot be divided into shards; an experiment with several trainings can: parlor experiment run FILE.toml --shard I/N --out DIR"
        );
    }
    if let Some(trainings) = args.trainings {
        return series::run(args, trainings);
    }
    let mut run = prepare(args)?;
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    run.training().trainee().use_threads(threads(args.threads));
    let size = run.training().trainee().size();
    let mut live = Live::new(run.about(), size);
    let (effort, _) = run.run(&cancel, &mut |event| live.hear(event))?;
    live.bar.finish_and_clear();
    let size = run.training().trainee().size();
    if let Some(file) = &args.curve {
        draw(&training_report::curve(run.about()), file)?;
        if let Some(chart) = training_report::regret_curve(run.about()) {
            draw(&chart, &beside(file, "regret"))?;
        }
    }
    if args.json {
        let about = run.about();
        return say_json(&Printed {
            finished: !about.is_unfinished(),
            about,
            entries: size.entries,
            forgotten: size.forgotten,
        });
    }
    tell(run.about(), &size, run.file(), &effort, args.learner.as_deref())
}

/// Prepares the training of a new learner, or resumes an interrupted one.
fn prepare(args: &TrainArgs) -> anyhow::Result<TrainingRun> {
    if let Some(file) = &args.resume {
        return Ok(TrainingRun::resume(file, &open)?);
    }
    let (Some(game), Some(learner)) = (&args.game, &args.learner) else {
        bail!("a training needs a game, a learner and -o FILE, or --resume FILE");
    };
    let game = parlor_catalog::open(game)?;
    let request = request(args, &*game, learner)?;
    if let Some(store) = store_of(learner)? {
        // Playing makes no store; training does. It must be writable before anything is played.
        Store::create(&store)?.history()?;
    } else if args.out.is_none() {
        bail!(
            "a training needs a file to keep what is learnt: --out FILE; only a learner with a store does without"
        );
    }
    let Some(out) = &args.out else { return Ok(TrainingRun::in_store(&*game, &request)?) };
    TrainingRun::new(&*game, &request, out, args.force).map_err(explained)
}

/// Says how a training goes on whose file exists.
pub(super) fn explained(error: RunError) -> anyhow::Error {
    match error {
        RunError::Exists(file) => {
            let place = shell(&file.display().to_string());
            anyhow!(
                "{} exists; go on with it by `parlor train --resume {place}`, or overwrite it with --force",
                file.display()
            )
        }
        RunError::Write { .. } => anyhow::Error::new(error).context("nothing was played"),
        error => error.into(),
    }
}

/// Refuses files that are no drawings by their names.
pub fn check_curve(file: &Path) -> anyhow::Result<()> {
    if file.extension().is_none_or(|ending| ending != "svg") {
        bail!("{}: a curve has a name that ends in .svg", file.display());
    }
    Ok(())
}

/// Draws a chart into a file.
pub fn draw(chart: &LineChart, file: &Path) -> anyhow::Result<()> {
    check_curve(file)?;
    write_atomically(file, chart.svg().as_bytes()).with_context(|| file.display().to_string())
}

/// Returns what is to be trained.
pub(super) fn request(args: &TrainArgs, game: &dyn AnyGame, learner: &str) -> anyhow::Result<Request> {
    args.curve.iter().try_for_each(|file| check_curve(file))?;
    let mut testers = args.test.clone();
    if testers.is_empty() {
        testers.push(if game.seats() == 1 { ITSELF } else { "random" }.to_owned());
    }
    if args.test_matches == 0 {
        if args.patience.is_some() {
            bail!("--patience compares the scores of tests; --test-matches 0 leaves none");
        }
        testers.clear();
    }
    Ok(Request {
        learner: learner.to_owned(),
        stages: stages_of(args)?,
        patience: args.patience,
        regret_deals: args.regret,
        testers,
        test_matches: args.test_matches,
        seed: args.seed,
        memory_mb: DEFAULT_MEMORY_MB,
    })
}
/// Returns the stages of a plan, which is a text or the name of a TOML file.
fn stages_of(args: &TrainArgs) -> anyhow::Result<Vec<Stage>> {
    if !args.plan.ends_with(".toml") {
        return Ok(stages::parse(&args.plan, &args.against)?);
    }
    let text = read_text(Path::new(&args.plan)).with_context(|| args.plan.clone())?;
    stages::read(&text, &args.against).with_context(|| args.plan.clone())
}

/// Returns the store that a learner's spec names.
fn store_of(learner: &str) -> anyhow::Result<Option<String>> {
    let pairs = Spec::parse(learner)?.pairs;
    Ok(pairs.into_iter().find(|(key, value)| key == "store" && value != NO_STORE).map(|(_, value)| value))
}

/// The live line.
struct Live {
    bar: ProgressBar,
    rounds: u64,
    /// Whole rounds, and their matches.
    done: u64,
    matches: u64,
    entries: u64,
    /// The error that it reported last.
    error: Option<f64>,
    /// How it did last.
    last: String,
}

impl Live {
    fn new(about: &About, size: KnowledgeSize) -> Live {
        let bar = progress(about.planned(), "matches");
        bar.set_position(about.matches);
        bar.reset_eta();
        Live {
            bar,
            rounds: about.rounds,
            done: about.progress().0,
            matches: about.matches,
            entries: size.entries,
            error: about.reports.last().and_then(|report| report.error),
            last: about.curve.last().map_or_else(String::new, tested),
        }
    }

    fn hear(&mut self, event: &Event<'_>) {
        if self.bar.is_hidden() {
            return;
        }
        match event {
            Event::Trained { results } => {
                self.bar.set_position(self.matches + results.matches.total());
                if self.last.is_empty() {
                    let so_far = in_training(results);
                    self.bar.set_message(self.line(&so_far));
                } else {
                    self.bar.set_message(self.line(&self.last));
                }
            }
            Event::Round { round, about } => {
                (self.done, self.matches, self.entries) = (round.number, about.matches, round.size.entries);
                self.error = round.report.error;
                self.last = about.curve.last().map_or_else(|| in_training(&round.trained), tested);
                self.bar.set_position(self.matches);
                self.bar.set_message(self.line(&self.last));
            }
            _ => {}
        }
    }

    fn line(&self, last: &str) -> String {
        let error = self.error.map_or_else(String::new, |error| format!(" · error {error:.3}"));
        format!(
            "round {}/{} · {:.0} matches/s · {last}{error} · {} entries",
            (self.done + 1).min(self.rounds),
            self.rounds,
            self.bar.per_sec(),
            grouped(self.entries)
        )
    }
}

fn in_training(results: &Results) -> String {
    format!("won {} in training", rate_and_half(results.matches.wins, results.matches.total()))
}

fn tested(test: &Milestone) -> String {
    format!("won {} {}", rate_and_half(test.results.wins, test.results.total()), opponent(&test.against))
}

fn tell(
    about: &About,
    size: &KnowledgeSize,
    file: Option<&Path>,
    effort: &Effort,
    typed: Option<&str>,
) -> anyhow::Result<()> {
    say(&about.game)?;
    say(&about.learner)?;
    say(format!("trained {}", plan_in_words(about)))?;
    say("")?;
    for line in grid(&curve_rows(about), &[]) {
        say(line)?;
    }
    say("")?;
    if !about.regret.is_empty() {
        for line in grid(&regret_rows(about), &[]) {
            say(line)?;
        }
        say("")?;
    }
    let speed = effort.a_second().map_or_else(String::new, |[matches, stages]| {
        let number = |speed: f64| grouped(speed.round() as u64);
        let stages = if stages > matches { format!(", {} stages", number(stages)) } else { String::new() };
        format!("; {} matches{stages} a second", number(matches))
    });
    let peak = bytes(size.peak_bytes);
    say(format!("{}; at the most {peak} while it learnt{speed}", size_in_words(size)))?;
    let Some(file) = file else {
        let again = if about.is_unfinished() { "stopped early, whole rounds are kept" } else { "kept" };
        let game = shell(&parlor_catalog::short_form(&about.game));
        // As it was typed: the full form would fill the screen.
        let typed = typed.unwrap_or(&about.learner);
        let learner = shell(typed);
        say(format!("{again} in its store; look into it with: parlor inspect {game} {learner}"))?;
        return invite(about, typed);
    };
    let place = file.display().to_string();
    if about.is_unfinished() {
        say(format!(
            "stopped early, whole rounds are kept; go on with: parlor train --resume {}",
            shell(&place)
        ))?;
    } else {
        let early = about.matches < about.planned();
        let early = if early { "ended early, because its score no longer rose; " } else { "" };
        say(format!("{early}kept in {place}; look into it with: parlor inspect {}", shell(&place)))?;
    }
    invite(about, &learner_from_file(&about.learner, file))
}
