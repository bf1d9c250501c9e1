//! Recognition: how soon a player knows which target it meets, and whether its probabilities are right.
//!
//! A unit is one target, one player and one block of sessions. A session is a series of games from random deals against one
//! target; what a player remembers from game to game is its own affair (`memory=`).

use parlor_core::api::{AnyGame, ApiError, Recognised};
use parlor_core::rng::fork;
use parlor_core::{Cancel, Rng};
use parlor_stats::samples::Sample;

use super::classify::share;
use super::{OpenedStudy, Participant, StudyRow, StudyUnit, at};
use crate::toml_reader::FileError;

/// How often the likeliest type is the true one, after so many turns of the target in the first game.
pub const BY_TURN: &str = "recognised by turn";
/// How often it is after so many games.
pub const BY_GAME: &str = "recognised by game";
/// The mean probability of the true type after so many turns of the first game.
pub const TRUE_BY_TURN: &str = "probability by turn";
/// The same after so many games.
pub const TRUE_BY_GAME: &str = "probability by game";
/// How often the likeliest type is the true one when its probability is about this.
pub const CALIBRATION: &str = "right at this confidence";

/// The number of blocks for each player and target.
const BLOCKS: u64 = 4;
/// The number of classes of confidence.
const BINS: usize = 10;

/// Players, targets, and how much is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Recognise {
    /// Who recognises.
    pub players: Vec<Participant>,
    /// Who is recognised.
    pub targets: Vec<Participant>,
    /// The number of sessions.
    pub sessions: u32,
    /// The number of games in a session.
    pub games: u32,
    /// The numbers of sessions and games in the smaller version.
    pub smaller: (Option<u32>, Option<u32>),
}

impl Recognise {
    pub(super) fn shrink(&mut self) {
        let (sessions, games) = self.smaller;
        self.sessions = self.sessions.min(sessions.unwrap_or(u32::MAX));
        self.games = self.games.min(games.unwrap_or(u32::MAX));
    }
}

/// Recognition whose players can all be made.
pub struct OpenedRecognise {
    plan: Recognise,
    game: Box<dyn AnyGame>,
    seed: u64,
    specs: Vec<(String, String)>,
}

impl OpenedRecognise {
    pub(super) fn new(
        plan: &Recognise,
        game: Box<dyn AnyGame>,
        seed: u64,
    ) -> Result<OpenedRecognise, FileError> {
        let mut specs = Vec::new();
        for target in &plan.targets {
            let full = game.agent_spec(&target.agent.text).map_err(|error| at(&target.agent, error))?;
            specs.push((target.name.clone(), full));
            for player in &plan.players {
                let text = player.against(target);
                let full = game.agent_spec(&text).map_err(|error| at(&player.agent, error))?;
                specs.push((format!("{} against {}", player.name, target.name), full));
            }
        }
        Ok(OpenedRecognise { plan: plan.clone(), game, seed, specs })
    }

    /// Returns the player, the target and the block of a unit.
    fn place(&self, unit: u64) -> (usize, usize, u64) {
        let (players, targets) = (self.plan.players.len() as u64, self.plan.targets.len() as u64);
        ((unit % players) as usize, (unit / players % targets) as usize, unit / players / targets)
    }

    fn sessions(&self, block: u64) -> impl Iterator<Item = u64> + use<> {
        (block..u64::from(self.plan.sessions)).step_by(BLOCKS as usize)
    }
}

/// How often a player was right, and the probability that it gave the true type.
#[derive(Copy, Clone, Default)]
struct Count {
    right: u64,
    all: u64,
    probability: f64,
    squares: f64,
}

impl Count {
    fn add(&mut self, seen: &Recognised) {
        self.right += u64::from(seen.right);
        self.all += 1;
        self.probability += seen.truth;
        self.squares += seen.truth * seen.truth;
    }

    fn truth(&self) -> Sample {
        let mean = self.probability / self.all as f64;
        Sample { n: self.all as usize, mean, squares: (self.squares - mean * self.probability).max(0.0) }
    }
}

/// Counts by place; grows as needed.
#[derive(Default)]
struct Counts(Vec<Count>);

impl Counts {
    fn add(&mut self, place: usize, seen: &Recognised) {
        if self.0.len() <= place {
            self.0.resize(place + 1, Count::default());
        }
        self.0[place].add(seen);
    }

    /// Returns the places with something in them.
    fn places(&self) -> impl Iterator<Item = (usize, &Count)> {
        self.0.iter().enumerate().filter(|(_, count)| count.all > 0)
    }
}

impl OpenedStudy for OpenedRecognise {
    fn units(&self) -> u64 {
        BLOCKS * (self.plan.players.len() * self.plan.targets.len()) as u64
    }

    fn steps(&self, unit: u64) -> u64 {
        self.sessions(self.place(unit).2).count() as u64 * u64::from(self.plan.games)
    }

    fn specs(&self) -> Vec<(String, String)> {
        self.specs.clone()
    }

    fn play(
        &self,
        unit: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<StudyUnit>, ApiError> {
        let (player, target, block) = self.place(unit);
        let (player, target_of) = (&self.plan.players[player], &self.plan.targets[target]);
        let mut duel = self.game.duel(&player.against(target_of), &target_of.agent.text)?;
        let [mut turns, mut games, mut bins] = [const { Counts(Vec::new()) }; 3];
        for session in self.sessions(block) {
            let seed = fork(fork(self.seed, target as u64), session);
            for game in 0..self.plan.games {
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                let chance = fork(seed, u64::from(game));
                let deal = Rng::forked(chance, 2).below(duel.deals() as u32) as usize;
                let mut last = None;
                let mut turn = 0;
                duel.watch(deal, chance, fork(chance, 1), game > 0, &mut |seen| {
                    turn += 1;
                    if game == 0 {
                        turns.add(turn, seen);
                    }
                    let bin = ((seen.confidence * BINS as f64) as usize).min(BINS - 1);
                    bins.add(bin, seen);
                    last = Some(*seen);
                })?;
                if let Some(seen) = &last {
                    games.add(game as usize + 1, seen);
                }
                progress(1);
            }
        }
        let mut rows = Vec::new();
        for (counts, right, truth) in [(&turns, BY_TURN, TRUE_BY_TURN), (&games, BY_GAME, TRUE_BY_GAME)] {
            for (place, count) in counts.places() {
                let row = |measure: &str, sample: &Sample| {
                    StudyRow::sampled(&player.name, &target_of.name, measure, sample).at(place as f64)
                };
                rows.push(row(right, &share(count.right, count.all)));
                rows.push(row(truth, &count.truth()));
            }
        }
        for (bin, count) in bins.places() {
            let place = (bin as f64 + 0.5) / BINS as f64;
            let sample = share(count.right, count.all);
            rows.push(StudyRow::sampled(&player.name, "", CALIBRATION, &sample).at(place));
        }
        Ok(Some(rows.into()))
    }
}
