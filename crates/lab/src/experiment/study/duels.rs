//! Duels: players against targets from every deal of a small game, the same deals and the same draws for all players.
//!
//! A unit is one target and one block of deals; every player plays it. Beside the games stand exact expectations over all draws
//! and all random choices, where the players' choices can be known. Differences to the baseline are taken game by game.

use std::sync::Mutex;

use parlor_core::api::{AnyDuel, AnyGame, ApiError, ExpansionParams};
use parlor_core::rng::fork;
use parlor_core::{Cancel, Progress, Resources, Unsolved};
use parlor_stats::samples::Sample;

use super::classify::share;
use super::{OpenedStudy, Participant, StudyRow, StudyUnit, at};
use crate::toml_reader::FileError;

/// The mean score difference of the games.
pub const SCORE: &str = "score";
/// The share of games that were not lost.
pub const UNBEATEN: &str = "unbeaten";
/// The share of decisions at which the likeliest type was the true one.
pub const RECOGNISED: &str = "recognised";
/// The exact expectation of the score difference.
pub const EXACT_SCORE: &str = "exact score";
/// The exact probability not to lose.
pub const EXACT_UNBEATEN: &str = "exact unbeaten";
/// The share of what the best response wins.
pub const SHARE: &str = "share of the ceiling";
/// The player that stands for a best response to the target.
pub const CEILING: &str = "ceiling";

/// The number of blocks of deals for each target. More make the threads end together, and lose less when a run is broken off.
const BLOCKS: u64 = 8;

/// The memory limit of the expanded game.
const MEMORY_MB: usize = 4096;

/// Players, targets, and how much is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Duels {
    /// Who plays, in seat 0.
    pub players: Vec<DuelPlayer>,
    /// Who they play against.
    pub targets: Vec<Participant>,
    /// The player that the others are compared with.
    pub baseline: Option<usize>,
    /// The number of games from each deal.
    pub repeats: u32,
    /// Only every so-manieth deal is played.
    pub step: u32,
    /// Whether exact expectations are computed, too.
    pub exact: bool,
    /// Whether the best response to each target is computed: the ceiling of all scores.
    pub ceiling: bool,
    /// The smaller version.
    pub smaller: Smaller,
}

/// One of the players.
#[derive(Clone, PartialEq, Debug)]
pub struct DuelPlayer {
    /// Who it is.
    pub who: Participant,
    /// The number of games from each deal, if it differs from the others'.
    pub repeats: Option<u32>,
}

impl std::ops::Deref for DuelPlayer {
    type Target = Participant;

    fn deref(&self) -> &Participant {
        &self.who
    }
}

/// What the smaller version has less of.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Smaller {
    /// At most so many games from each deal.
    pub repeats: Option<u32>,
    /// Only every so-manieth deal.
    pub step: Option<u32>,
    /// Without exact expectations and ceilings.
    pub inexact: bool,
    /// Without ceilings.
    pub without_ceiling: bool,
}

impl Duels {
    pub(super) fn shrink(&mut self) {
        let least = |number: u32, most: Option<u32>| number.min(most.unwrap_or(u32::MAX));
        self.repeats = least(self.repeats, self.smaller.repeats);
        for player in &mut self.players {
            player.repeats = player.repeats.map(|repeats| least(repeats, self.smaller.repeats));
        }
        self.step = self.step.max(self.smaller.step.unwrap_or(1));
        if self.smaller.inexact {
            (self.exact, self.ceiling) = (false, false);
        }
        self.ceiling &= !self.smaller.without_ceiling;
    }

    fn repeats_of(&self, player: usize) -> u32 {
        self.players[player].repeats.unwrap_or(self.repeats)
    }
}

/// A duel of a target and a player that is not in use.
type IdleDuel = (usize, usize, Box<dyn AnyDuel>);

/// Duels whose players can all be made.
pub struct OpenedDuels {
    plan: Duels,
    game: Box<dyn AnyGame>,
    seed: u64,
    deals: usize,
    specs: Vec<(String, String)>,
    /// Duels that are not in use, by target and player. They remember answers, which do not depend on who asked before.
    idle: Mutex<Vec<IdleDuel>>,
}

impl OpenedDuels {
    pub(super) fn new(plan: &Duels, game: Box<dyn AnyGame>, seed: u64) -> Result<OpenedDuels, FileError> {
        let mut specs = Vec::new();
        let mut idle = Vec::new();
        let mut deals = 0;
        for (number, target) in plan.targets.iter().enumerate() {
            let full = game.agent_spec(&target.agent.text).map_err(|error| at(&target.agent, error))?;
            specs.push((target.name.clone(), full));
            for (place, player) in plan.players.iter().enumerate() {
                let text = player.against(target);
                let full = game.agent_spec(&text).map_err(|error| at(&player.agent, error))?;
                specs.push((format!("{} against {}", player.name, target.name), full));
                let duel = game.duel(&text, &target.agent.text);
                let duel = duel.map_err(|error| at(&player.agent, error))?;
                deals = duel.deals();
                idle.push((number, place, duel));
            }
        }
        Ok(OpenedDuels { plan: plan.clone(), game, seed, deals, specs, idle: Mutex::new(idle) })
    }

    /// Returns the target and the block of a unit. The first units are the first blocks of all targets.
    fn place(&self, unit: u64) -> (usize, u64) {
        let targets = self.plan.targets.len() as u64;
        ((unit % targets) as usize, unit / targets)
    }

    /// Returns the deals of a block: every so-manieth, so that blocks are alike.
    fn block(&self, block: u64) -> impl Iterator<Item = usize> + use<> {
        (0..self.deals).step_by(self.plan.step as usize).skip(block as usize).step_by(BLOCKS as usize)
    }

    /// Takes a duel that is not in use, or makes one.
    fn borrow(&self, target: usize, player: usize) -> Result<Box<dyn AnyDuel>, ApiError> {
        let mut idle = self.idle.lock().expect("nobody panics while holding it");
        if let Some(at) = idle.iter().position(|(one, other, _)| (*one, *other) == (target, player)) {
            return Ok(idle.swap_remove(at).2);
        }
        drop(idle);
        let target = &self.plan.targets[target];
        self.game.duel(&self.plan.players[player].against(target), &target.agent.text)
    }

    fn give_back(&self, target: usize, player: usize, duel: Box<dyn AnyDuel>) {
        self.idle.lock().expect("nobody panics while holding it").push((target, player, duel));
    }

    fn is_ceiling(&self, unit: u64) -> bool {
        unit >= BLOCKS * self.plan.targets.len() as u64
    }

    /// Computes what a best response wins from a target.
    fn ceiling(&self, number: usize, cancel: &Cancel) -> Result<Vec<StudyRow>, ApiError> {
        let target = &self.plan.targets[number];
        let resources = Resources { threads: 1, memory_mb: MEMORY_MB };
        let mut progress = Progress { cancel, report: &mut |_| {} };
        let expanded = self.game.strategies(&ExpansionParams { full: true, resources }, &mut progress)?;
        let plan = expanded.agent(&target.agent.text, 1, self.seed, 1, &mut progress)?;
        let most = expanded.exploitability(&plan);
        Ok(vec![StudyRow::exact(CEILING, &target.name, EXACT_SCORE, 1, most)])
    }
}

/// What one player did in a block.
struct Played {
    score: Sample,
    unbeaten: Sample,
    score_gain: Sample,
    unbeaten_gain: Sample,
    exact: Option<[f64; 2]>,
    guesses: u64,
    right: u64,
}

impl OpenedStudy for OpenedDuels {
    fn units(&self) -> u64 {
        let targets = self.plan.targets.len() as u64;
        BLOCKS * targets + if self.plan.ceiling { targets } else { 0 }
    }

    fn steps(&self, unit: u64) -> u64 {
        if self.is_ceiling(unit) {
            return 1;
        }
        let deals = self.block(self.place(unit).1).count() as u64;
        let games = (0..self.plan.players.len()).map(|player| u64::from(self.plan.repeats_of(player)));
        deals * games.sum::<u64>()
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
        let (target, block) = self.place(unit);
        let rows = if self.is_ceiling(unit) {
            self.ceiling(target, cancel)
        } else {
            self.play_block(target, block, cancel, progress)
        };
        match rows {
            Err(ApiError::Unsolved(Unsolved::Cancelled)) => Ok(None),
            rows => rows.map(|rows| Some(rows.into())),
        }
    }
}

impl OpenedDuels {
    fn play_block(
        &self,
        target: usize,
        block: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<StudyRow>, ApiError> {
        let plan = &self.plan;
        let mut duels = (0..plan.players.len())
            .map(|player| self.borrow(target, player))
            .collect::<Result<Vec<_>, _>>()?;
        let new = || Played {
            score: Sample::empty(),
            unbeaten: Sample::empty(),
            score_gain: Sample::empty(),
            unbeaten_gain: Sample::empty(),
            exact: plan.exact.then_some([0.0; 2]),
            guesses: 0,
            right: 0,
        };
        let mut all: Vec<Played> = plan.players.iter().map(|_| new()).collect();
        let mut deals = 0;
        for deal in self.block(block) {
            if cancel.is_cancelled() {
                return Err(Unsolved::Cancelled.into());
            }
            deals += 1;
            let games = self.play_deal(target, deal, &mut duels, &mut all)?;
            progress(games);
            for (played, duel) in all.iter_mut().zip(&mut duels) {
                let Some(sums) = &mut played.exact else { continue };
                match duel.expect(deal, cancel)? {
                    Some(found) => {
                        *sums = [sums[0] + found.payoff, sums[1] + found.unbeaten];
                    }
                    None => played.exact = None,
                }
            }
        }
        for (player, duel) in duels.into_iter().enumerate() {
            self.give_back(target, player, duel);
        }
        Ok(self.rows(target, deals, &all))
    }

    /// Plays all games of one deal: each player the same draws, so that differences between players are their own doing.
    fn play_deal(
        &self,
        target: usize,
        deal: usize,
        duels: &mut [Box<dyn AnyDuel>],
        all: &mut [Played],
    ) -> Result<u64, ApiError> {
        let plan = &self.plan;
        let seed = fork(fork(self.seed, target as u64), deal as u64);
        let most = (0..duels.len()).map(|player| plan.repeats_of(player)).max().unwrap_or(0);
        let mut games = 0;
        let mut payoffs = vec![None; duels.len()];
        for repeat in 0..most {
            let chance = fork(seed, u64::from(repeat));
            for (player, duel) in duels.iter_mut().enumerate() {
                payoffs[player] = None;
                if repeat < plan.repeats_of(player) {
                    let game = duel.play(deal, chance, fork(chance, 1))?;
                    payoffs[player] = Some(game.payoff);
                    all[player].guesses += u64::from(game.guesses);
                    all[player].right += u64::from(game.right);
                    games += 1;
                }
            }
            let base = plan.baseline.and_then(|baseline| payoffs[baseline]);
            for (played, payoff) in all.iter_mut().zip(&payoffs) {
                let Some(payoff) = *payoff else { continue };
                let unbeaten = |payoff: f64| f64::from(u8::from(payoff >= 0.0));
                played.score.add(payoff);
                played.unbeaten.add(unbeaten(payoff));
                if let Some(base) = base {
                    played.score_gain.add(payoff - base);
                    played.unbeaten_gain.add(unbeaten(payoff) - unbeaten(base));
                }
            }
        }
        Ok(games)
    }

    fn rows(&self, target: usize, deals: u64, all: &[Played]) -> Vec<StudyRow> {
        let plan = &self.plan;
        let target = plan.targets[target].name.as_str();
        let base = plan.baseline.map(|number| (number, plan.players[number].name.as_str()));
        let mut rows = Vec::new();
        for (number, (player, played)) in plan.players.iter().zip(all).enumerate() {
            let name = player.name.as_str();
            let compared = base.filter(|(baseline, _)| *baseline != number);
            if played.score.n > 0 {
                rows.push(StudyRow::sampled(name, target, SCORE, &played.score));
                rows.push(StudyRow::sampled(name, target, UNBEATEN, &played.unbeaten));
                if let Some((_, base)) = compared.filter(|_| played.score_gain.n > 0) {
                    rows.push(StudyRow::sampled(name, target, SCORE, &played.score_gain).than(base));
                    rows.push(StudyRow::sampled(name, target, UNBEATEN, &played.unbeaten_gain).than(base));
                }
            }
            if played.guesses > 0 {
                let sample = share(played.right, played.guesses);
                rows.push(StudyRow::sampled(name, target, RECOGNISED, &sample));
            }
            if let Some(sums) = played.exact {
                for (measure, sum) in [EXACT_SCORE, EXACT_UNBEATEN].into_iter().zip(sums) {
                    rows.push(StudyRow::exact(name, target, measure, deals, sum / deals as f64));
                }
            }
        }
        rows
    }
}
