//! A match as a run: two agents, pairs of games, perhaps a sequential test.

use std::path::{Path, PathBuf};

use parlor_core::{Cancel, Spec, TimeControl};
use parlor_stats::outcomes::Pentanomial;
use parlor_stats::sprt::{Scale, Sprt, State};

use super::pair_rows::PairRun;
use super::shards::ShardSet;
use super::{Event, Listener, Open, RunError, RunOptions, StopReason, Unit};
use crate::log::Played;
use crate::manifest::Manifest;
use crate::pairs::{Tally, oracles};
use crate::record::Recorded;
use crate::verdict::Verdict;

/// A match as it was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchRequest {
    /// The game's spec.
    pub game: String,
    /// The agents' specs.
    pub agents: [String; 2],
    /// Equal seeds give equal matches.
    pub seed: u64,
    /// How many pairs at the most.
    pub pairs: u64,
    /// The two hypotheses of a sequential test in Elo, which may end the match early.
    pub sprt: Option<[f64; 2]>,
    /// The time each agent has for a game.
    pub time: TimeControl,
    /// How many decisions at the beginning of each pair are random.
    pub opening: u32,
    /// Whether agents think on each other's time.
    pub ponder: bool,
    /// How many pairs a session has; 0 makes every game a session of its own.
    pub session: u64,
}

/// A match that is ready to be played, or to go on.
pub struct MatchRun {
    run: PairRun<Manifest>,
    tally: Tally,
    test: Option<Sprt>,
}

/// What a match came to.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchReport {
    /// What was played.
    pub manifest: Manifest,
    /// What the pairs say.
    pub verdict: Verdict,
    /// Why it ended.
    pub stop: StopReason,
    /// Where the games are, if they were kept.
    pub folder: Option<PathBuf>,
    /// What was recorded in a store.
    pub recorded: Option<Recorded>,
}

impl MatchRun {
    /// Prepares a new match.
    ///
    /// # Errors
    /// If the request is not understood, or the folder cannot be written; nothing has been played then.
    pub fn new(request: &MatchRequest, open: Open<'_>, options: RunOptions) -> Result<MatchRun, RunError> {
        let [first, second] = &request.agents;
        let run = PairRun::new(open(&request.game)?, &[first, second], options, |game, agents| {
            let agents = agents.try_into().expect("two agents were seated");
            let mut manifest = Manifest::new(game.spec(), agents, request.seed, request.pairs);
            (manifest.sprt, manifest.time) = (request.sprt, request.time);
            (manifest.opening, manifest.ponder) = (request.opening, request.ponder);
            manifest.session = request.session;
            if manifest.ponder && !has_time(&manifest) {
                return Err(RunError::PonderWithoutTime);
            }
            if manifest.ponder && game.seats() == 1 {
                return Err(RunError::PonderAlone { game: game.name() });
            }
            // A wrong test is reported before anything is written.
            test_of(&manifest)?;
            Ok(manifest)
        })?;
        let test = test_of(&run.plan)?;
        Ok(MatchRun { run, tally: Tally::default(), test })
    }

    /// Prepares to resume a match.
    ///
    /// # Errors
    /// If the folder holds no match, or one that this program cannot go on with.
    pub fn resume(folder: &Path, open: Open<'_>, options: RunOptions) -> Result<MatchRun, RunError> {
        let mut tally = Tally::default();
        let run = PairRun::resume(folder, open, options, |_, row| tally.add(&row))?;
        let test = test_of(&run.plan)?;
        Ok(MatchRun { run, tally, test })
    }

    /// Prepares a match whose pairs were played in shards.
    pub(super) fn of_shards(
        manifest: Manifest,
        shards: ShardSet,
        open: Open<'_>,
        options: RunOptions,
    ) -> Result<MatchRun, RunError> {
        let test = test_of(&manifest)?;
        let mut tally = Tally::default();
        let run = PairRun::of_shards(manifest, shards, open, options, |_, row| tally.add(&row))?;
        Ok(MatchRun { run, tally, test })
    }

    /// Returns what plays the pairs.
    pub(super) fn into_pairs(self) -> PairRun<Manifest> {
        self.run
    }

    /// Returns what is played.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.run.plan
    }

    /// Returns the sequential test, if there is one.
    #[must_use]
    pub fn test(&self) -> Option<&Sprt> {
        self.test.as_ref()
    }

    /// Returns the pairs that are known already.
    #[must_use]
    pub fn known(&self) -> &Tally {
        &self.tally
    }

    /// Plays the match, records and logs it.
    ///
    /// # Errors
    /// If a row or the result cannot be written.
    pub fn run(self, cancel: &Cancel, listener: Listener<'_>) -> Result<MatchReport, RunError> {
        let MatchRun { mut run, mut tally, test } = self;
        if let Some(warning) = &run.warning {
            listener(&Event::Warning(warning));
        }
        listener(&Event::Started { unit: Unit::Pairs, done: run.known, total: run.plan.pairs });
        let stop = match decision(test.as_ref(), &tally) {
            // Decided before the interruption.
            Some(decided) => decided,
            None => run.play(cancel, |row| {
                tally.add(row);
                listener(&Event::MatchPair { row, tally: &tally });
                decision(test.as_ref(), &tally)
            })?,
        };
        let mut verdict = Verdict::of(&tally, test.as_ref());
        verdict.oracles = oracles(&*run.game, &run.plan.agents);
        if let Some(folder) = run.folder()
            && !stop.is_early()
        {
            folder.write_json("result.json", &verdict)?;
        }
        let folder = run.folder().map(|folder| folder.folder().to_owned());
        // Going on with a finished match adds nothing, and is not a match of its own.
        if tally.pairs() > run.known || !run.resumed {
            let played = Played::of_match(&run.plan, &tally);
            if let Err(warning) = run.options.log(played, stop, folder.as_deref()) {
                listener(&Event::Warning(&warning));
            }
        }
        listener(&Event::Done(stop));
        Ok(MatchReport { manifest: run.plan, verdict, stop, folder, recorded: run.recorded })
    }
}

fn test_of(manifest: &Manifest) -> Result<Option<Sprt>, RunError> {
    Ok(manifest.sprt.map(|[e0, e1]| Sprt::new(Scale::Logistic, e0, e1)).transpose()?)
}

/// Returns what the sequential test has decided, if it has.
fn decision(test: Option<&Sprt>, tally: &Tally) -> Option<StopReason> {
    let test = test?;
    match test.state(test.llr(Pentanomial(tally.pentanomial))) {
        State::Continue => None,
        State::H0 => Some(StopReason::Decided("H0")),
        State::H1 => Some(StopReason::Decided("H1")),
    }
}

/// Returns whether time is limited, by clocks or by an agent's own key.
fn has_time(manifest: &Manifest) -> bool {
    manifest.time.is_limited() || manifest.agents.iter().any(|agent| limits_itself(agent))
}

/// Returns whether an agent has a key that limits its time.
pub(super) fn limits_itself(agent: &str) -> bool {
    let keys = Spec::parse(agent).map(|spec| spec.pairs).unwrap_or_default();
    keys.iter().any(|(key, value)| key == "time_ms" && value != "none")
}
