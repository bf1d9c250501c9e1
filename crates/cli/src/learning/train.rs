//! `parlor train`: a learner plays, learns, is tested, and is kept.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use parlor_core::files::knowledge::{About, Milestone};
use parlor_core::{KnowledgeSize, Spec};
use parlor_lab::format::{bytes, grouped, rate_and_half, shell};
use parlor_lab::trainee::Results;
use parlor_lab::training::{ITSELF, Request, Training};
use serde::Serialize;

use super::args::TrainArgs;
use super::{
    Effort, News, curve_rows, invite, keep, must_learn, opponent, plan_in_words, play_rounds, resume,
    size_in_words,
};
use crate::run_support::{silence_agents, stop_on_ctrl_c};
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
    let (mut training, file) = prepare(args)?;
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    let size = training.trainee().size();
    let mut live = Live::new(training.about(), size);
    let effort = play_rounds(&mut training, &file, &stop, |news| {
        live.hear(&news);
        Ok(())
    })?;
    live.bar.finish_and_clear();
    if args.json {
        let size = training.trainee().size();
        let about = training.about();
        return say_json(&Printed {
            finished: !about.is_unfinished(),
            about,
            entries: size.entries,
            forgotten: size.forgotten,
        });
    }
    tell(&mut training, &file, &effort)
}

/// What is to be trained: a new learner, or one whose training was broken off.
fn prepare(args: &TrainArgs) -> anyhow::Result<(Training, PathBuf)> {
    if let Some(file) = &args.resume {
        return Ok((resume(file)?, file.clone()));
    }
    let (Some(game), Some(learner), Some(out)) = (&args.game, &args.learner, &args.out) else {
        bail!("a training needs a game, a learner and -o FILE, or --resume FILE");
    };
    let game = parlor_catalog::open(game)?;
    must_learn(&*game, learner)?;
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
    };
    let mut training = Training::start(&*game, &request)?;
    if out.exists() && !args.force {
        let place = shell(&out.display().to_string());
        bail!(
            "{} exists; go on with it by `parlor train --resume {place}`, or overwrite it with --force",
            out.display()
        );
    }
    // Written at once: a place that cannot be written to is told before anything is played.
    keep(&mut training, out).context("nothing was played")?;
    Ok((training, out.clone()))
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

    fn hear(&mut self, news: &News<'_>) {
        if self.bar.is_hidden() {
            return;
        }
        match news {
            News::Matches(results) => {
                self.bar.set_position(self.matches + results.matches.total());
                if self.last.is_empty() {
                    let so_far = in_training(results);
                    self.bar.set_message(self.line(&so_far));
                } else {
                    self.bar.set_message(self.line(&self.last));
                }
            }
            News::Round(round, about) => {
                (self.matches, self.entries) = (about.matches, round.size.entries);
                self.last = about.curve.last().map_or_else(|| in_training(&round.trained), tested);
                self.bar.set_position(self.matches);
                self.bar.set_message(self.line(&self.last));
            }
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

fn tell(training: &mut Training, file: &Path, effort: &Effort) -> anyhow::Result<()> {
    let size = training.trainee().size();
    let about = training.about();
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
    say(format!("{}; at the most {peak} while it learnt{speed}", size_in_words(&size)))?;
    let place = file.display().to_string();
    if about.is_unfinished() {
        say(format!(
            "stopped early, whole rounds are kept; go on with: parlor train --resume {}",
            shell(&place)
        ))?;
    } else {
        say(format!("kept in {place}; look into it with: parlor inspect {}", shell(&place)))?;
    }
    let name = Spec::bare_name(&about.learner);
    invite(about, &format!("{name}(file={place})"))
}
