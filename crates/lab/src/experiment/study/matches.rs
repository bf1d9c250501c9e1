//! Matches in pairs: players against targets at games of any size, the same deals for all players.
//!
//! A unit is one target and one block of pairs; every player plays it. A block is one session, if there are sessions: agents may
//! remember what they saw in earlier games of it. Its pairs are not independent then, so the session is one observation.

use std::ops::ControlFlow;

use parlor_core::api::{AnyGame, ApiError};
use parlor_core::rng::fork;
use parlor_core::{Cancel, SpecError};
use parlor_stats::samples::Sample;

use super::{OpenedStudy, Participant, StudyRow, StudyUnit, at};
use crate::pairs::{PairMatch, Terms, seated_spec};
use crate::run::Open;
use crate::toml_reader::{FileError, Placed};

/// The mean score of a game: 1 for a win, ½ for a draw.
pub const MATCH_SCORE: &str = "match score";
/// The mean payoff of a game.
pub const MARGIN: &str = "margin";
/// The mean score by the number of the pair in its session.
pub const SESSION_SCORE: &str = "match score in a session";

/// Players, targets, and how much is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Matches {
    /// Who plays.
    pub players: Vec<Participant>,
    /// Who they play against, and at which game if it is not the study's.
    pub targets: Vec<(Participant, Option<Placed>)>,
    /// The player that the others are compared with.
    pub baseline: Option<usize>,
    /// The number of blocks of pairs.
    pub blocks: u32,
    /// The number of pairs in a block.
    pub pairs: u32,
    /// Whether a block is a session.
    pub sessions: bool,
    /// The numbers of blocks and pairs in the smaller version.
    pub smaller: (Option<u32>, Option<u32>),
}

impl Matches {
    pub(super) fn shrink(&mut self) {
        let (blocks, pairs) = self.smaller;
        self.blocks = self.blocks.min(blocks.unwrap_or(u32::MAX));
        self.pairs = self.pairs.min(pairs.unwrap_or(u32::MAX));
    }
}

/// Matches whose players can all be seated.
pub struct OpenedMatches {
    plan: Matches,
    /// The game of each target.
    games: Vec<Box<dyn AnyGame>>,
    seed: u64,
    specs: Vec<(String, String)>,
}

impl OpenedMatches {
    pub(super) fn new(
        plan: &Matches,
        game: &Placed,
        seed: u64,
        open: Open<'_>,
    ) -> Result<OpenedMatches, FileError> {
        let mut games = Vec::new();
        let mut specs = Vec::new();
        for (target, own) in &plan.targets {
            let place = own.as_ref().unwrap_or(game);
            let opened = open(&place.text).map_err(|error| at(place, error))?;
            let full = |who: &Placed, text: &str| {
                seated_spec(&*opened, text).map_err(|error: SpecError| at(who, error))
            };
            specs.push((format!("{}, the game", target.name), opened.spec()));
            specs.push((target.name.clone(), full(&target.agent, &target.agent.text)?));
            for player in &plan.players {
                let text = player.against(target);
                specs.push((format!("{} against {}", player.name, target.name), full(&player.agent, &text)?));
            }
            games.push(opened);
        }
        Ok(OpenedMatches { plan: plan.clone(), games, seed, specs })
    }

    fn place(&self, unit: u64) -> (usize, u64) {
        let targets = self.plan.targets.len() as u64;
        ((unit % targets) as usize, unit / targets)
    }
}

/// The results of one player in a block, pair by pair: score and payoff a game.
type PairResults = Vec<[f64; 2]>;

impl OpenedStudy for OpenedMatches {
    fn units(&self) -> u64 {
        u64::from(self.plan.blocks) * self.plan.targets.len() as u64
    }

    fn steps(&self, _unit: u64) -> u64 {
        2 * u64::from(self.plan.pairs) * self.plan.players.len() as u64
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
        let (number, block) = self.place(unit);
        let target = &self.plan.targets[number].0;
        let pairs = u64::from(self.plan.pairs);
        let mut all: Vec<PairResults> = Vec::new();
        for player in &self.plan.players {
            let first = player.against(target);
            let play = PairMatch {
                game: &*self.games[number],
                agents: [&first, &target.agent.text],
                from: 0,
                pairs,
                seed: fork(fork(self.seed, number as u64), block),
                threads: 1,
                terms: Terms { session: if self.plan.sessions { pairs } else { 0 }, ..Terms::default() },
            };
            let mut results = PairResults::new();
            play.run(cancel, |row| {
                let games = row.games.len() as f64;
                let mean = |of: &dyn Fn(&crate::GameRow, usize) -> f64| {
                    row.games.iter().enumerate().map(|(at, game)| of(game, at)).sum::<f64>() / games
                };
                // The first agent has seat 0 in the first game and seat 1 in the second.
                let payoff = |game: &crate::GameRow, seat: usize| {
                    game.saved
                        .first()
                        .and_then(|saved| saved.payoffs.as_ref()?.get(seat).copied())
                        .unwrap_or(0.0)
                };
                results.push([mean(&|game, _| game.score), mean(&payoff)]);
                progress(2);
                ControlFlow::Continue(())
            })?;
            if (results.len() as u64) < pairs {
                return Ok(None);
            }
            all.push(results);
        }
        Ok(Some(self.rows(&target.name, &all).into()))
    }
}

impl OpenedMatches {
    /// Returns what is observed: pairs, or the mean of a session.
    fn observations(&self, pairs: &PairResults) -> PairResults {
        if !self.plan.sessions {
            return pairs.clone();
        }
        let mean = |index: usize| pairs.iter().map(|pair| pair[index]).sum::<f64>() / pairs.len() as f64;
        vec![[mean(0), mean(1)]]
    }

    fn rows(&self, target: &str, all: &[PairResults]) -> Vec<StudyRow> {
        let plan = &self.plan;
        let observed: Vec<PairResults> = all.iter().map(|pairs| self.observations(pairs)).collect();
        let base = plan.baseline.map(|number| (&plan.players[number].name, &observed[number]));
        let mut rows = Vec::new();
        for ((player, pairs), results) in plan.players.iter().zip(all).zip(&observed) {
            for (index, measure) in [MATCH_SCORE, MARGIN].into_iter().enumerate() {
                let mut sample = Sample::empty();
                results.iter().for_each(|result| sample.add(result[index]));
                rows.push(StudyRow::sampled(&player.name, target, measure, &sample));
                if let Some((name, base)) = base.filter(|(name, _)| **name != player.name) {
                    let mut gain = Sample::empty();
                    results.iter().zip(base).for_each(|(own, base)| gain.add(own[index] - base[index]));
                    rows.push(StudyRow::sampled(&player.name, target, measure, &gain).than(name));
                }
            }
            if plan.sessions {
                for (pair, result) in pairs.iter().enumerate() {
                    let mut sample = Sample::empty();
                    sample.add(result[0]);
                    let row = StudyRow::sampled(&player.name, target, SESSION_SCORE, &sample);
                    rows.push(row.at((pair + 1) as f64));
                }
            }
        }
        rows
    }
}
