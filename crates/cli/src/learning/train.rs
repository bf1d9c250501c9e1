//! `parlor train`: a learner plays, learns, is tested, and is kept.

use std::path::Path;

use anyhow::{anyhow, bail};
use indicatif::ProgressBar;
use parlor_core::files::knowledge::{About, Milestone};
use parlor_core::text::spec::NO_STORE;
use parlor_core::{KnowledgeSize, Spec};
use parlor_lab::format::{bytes, grouped, rate_and_half, shell};
use parlor_lab::run::lessons::learner_from_file;
use parlor_lab::run::trainings::Effort;
use parlor_lab::run::{Event, RunError, TrainingRun};
use parlor_lab::trainee::Results;
use parlor_lab::training::{ITSELF, Request};
use parlor_store::Store;
use serde::Serialize;

use super::args::TrainArgs;
use super::{curve_rows, invite, opponent, plan_in_words, size_in_words};
use crate::run_support::{open, silence_agents, stop_on_ctrl_c};
use crate::terminal::{grid, progress, say, say_json};

/// The most memory for what a learner knows, in MiB, unless its spec has `memory_mb`.
const MEMORY_MB: u64 = 256;

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
    let mut run = prepare(args)?;
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let size = run.training().trainee().size();
    let mut live = Live::new(run.about(), size);
    let (effort, _) = run.run(&cancel, &mut |event| live.hear(event))?;
    live.bar.finish_and_clear();
    let size = run.training().trainee().size();
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
    if let Some(store) = store_of(learner)? {
        // Playing makes no store; training does. It must be writable before anything is played.
        Store::create(&store)?.history()?;
    } else if args.out.is_none() {
        bail!(
            "a training needs a file to keep what is learnt: --out FILE; only a learner with a store does without"
        );
    }
    let mut testers = args.test.clone();
    if testers.is_empty() {
        testers.push(if game.seats() == 1 { ITSELF } else { "random" }.to_owned());
    }
    if args.test_matches == 0 {
        testers.clear();
    }
    let request = Request {
        learner: learner.clone(),
        against: args.against.clone(),
        rounds: args.plan.rounds,
        round: args.plan.matches,
        testers,
        test_matches: args.test_matches,
        seed: args.seed,
        memory_mb: MEMORY_MB,
    };
    let Some(out) = &args.out else { return Ok(TrainingRun::in_store(&*game, &request)?) };
    TrainingRun::new(&*game, &request, out, args.force).map_err(|error| match error {
        RunError::Exists(file) => {
            let place = shell(&file.display().to_string());
            anyhow!(
                "{} exists; go on with it by `parlor train --resume {place}`, or overwrite it with --force",
                file.display()
            )
        }
        RunError::Write { .. } => anyhow::Error::new(error).context("nothing was played"),
        error => error.into(),
    })
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
    round: u64,
    /// Matches of whole rounds.
    matches: u64,
    entries: u64,
    /// How it did last.
    last: String,
}

impl Live {
    fn new(about: &About, size: KnowledgeSize) -> Live {
        let bar = progress(about.rounds.saturating_mul(about.round), "matches");
        bar.set_position(about.matches);
        bar.reset_eta();
        Live {
            bar,
            rounds: about.rounds,
            round: about.round,
            matches: about.matches,
            entries: size.entries,
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
                (self.matches, self.entries) = (about.matches, round.size.entries);
                self.last = about.curve.last().map_or_else(|| in_training(&round.trained), tested);
                self.bar.set_position(self.matches);
                self.bar.set_message(self.line(&self.last));
            }
            _ => {}
        }
    }

    fn line(&self, last: &str) -> String {
        format!(
            "round {}/{} · {:.0} matches/s · {last} · {} entries",
            (self.matches / self.round + 1).min(self.rounds),
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
    let speed = effort
        .stages_a_second()
        .map_or_else(String::new, |speed| format!("; {} stages a second", grouped(speed.round() as u64)));
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
        say(format!("kept in {place}; look into it with: parlor inspect {}", shell(&place)))?;
    }
    invite(about, &learner_from_file(&about.learner, file))
}
