//! How much an agent's decisions lose against perfect play.

use std::collections::HashSet;

use crate::play::agent::Decision;
use crate::play::context::Context;
use crate::play::matches::Observer;
use crate::play::outcome::{Actor, Ending, Forfeit};
use crate::play::solve::{Progress, ProgressUpdate, Solver, Unsolved};
use crate::play::stepper::{Seated, ask, guarded};
use crate::play::training::Team;
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::seat::Seat;
use crate::text::notation::{Notation, Position};
use crate::text::spec::Entry;
use crate::time::deadline::Cancel;

use super::hosted::hides_nothing;
use super::learner::HostedLearner;
use super::team::{TeamSeats, seated, settings};
use super::{AnyLearner, ApiError, MatchSetup};

/// How many positions are looked at when all of them are, at the most.
pub const MOST_POSITIONS: usize = 1_000_000;

/// How many positions pass between one word of progress and the next.
const TOLD_EVERY: usize = 256;

/// Values closer than this are equal: solvers of games with chance add up fractions.
const EQUAL: f64 = 1e-9;

/// A decision that lost something.
#[derive(Clone, PartialEq, Debug)]
pub struct Blunder {
    /// The position as the deciding seat saw it, where the game's position form can express it.
    pub position: Option<String>,
    /// What was done.
    pub action: String,
    /// What would have been right.
    pub best: String,
    /// What that lost.
    pub lost: f64,
}

/// What became of an agent's decisions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// How many decisions it took.
    pub decisions: u64,
    /// How many of them were compared with perfect play; the others had one legal action or were out of reach.
    pub judged: u64,
    /// How many of those lost anything.
    pub mistakes: u64,
    /// How much they lost together, in the solver's unit.
    pub lost: f64,
    /// The worst of them.
    pub worst: Option<Blunder>,
}

impl Judged {
    /// Adds the decisions of another match.
    pub fn add(&mut self, more: Judged) {
        self.decisions += more.decisions;
        self.judged += more.judged;
        self.mistakes += more.mistakes;
        self.lost += more.lost;
        let heavier = |a: &Blunder, b: &Option<Blunder>| b.as_ref().is_none_or(|b| a.lost > b.lost);
        if more.worst.as_ref().is_some_and(|blunder| heavier(blunder, &self.worst)) {
            self.worst = more.worst;
        }
    }
}

/// Agents at a table, and a solver that judges their decisions.
pub trait AnyReferee: Send {
    /// Returns what values count.
    fn unit(&self) -> &'static str;

    /// Plays one match and judges what the agent in `seat` did; the random decisions of an opening are not its own.
    ///
    /// # Errors
    /// If the agent forfeits, or the answer is no longer wanted.
    fn judge(
        &mut self,
        setup: &MatchSetup<'_>,
        seat: Seat,
        progress: &mut Progress<'_>,
    ) -> Result<Judged, ApiError>;

    /// Asks the first agent about every position that can be reached, each once.
    ///
    /// # Errors
    /// If there are more than [`MOST_POSITIONS`], the other seat hides things, the agent misbehaves, or the answer is no longer
    /// wanted.
    fn judge_all(&mut self, agent_seed: u64, progress: &mut Progress<'_>) -> Result<Judged, ApiError>;

    /// Returns a member that learns; `None` for one that does not.
    fn learner(&mut self, member: usize) -> Option<Box<dyn AnyLearner + '_>>;
}

/// A game, agents and a solver behind the dynamic API.
pub(super) struct Referee<G: Game> {
    pub(super) game: G,
    pub(super) team: Team<G>,
    pub(super) solver: Box<dyn Solver<G>>,
}

/// The decisions of one seat, as they are taken.
struct Decisions<G: Game> {
    seat: Seat,
    /// How many decisions of any seat are left out first.
    opening: u32,
    taken: Vec<(G::State, G::Action)>,
}

impl<G: Game> Observer<G> for Decisions<G> {
    fn before(&mut self, _: &G, state: &G::State, actor: Actor, action: G::Action) {
        match actor {
            Actor::Seat(_) if self.opening > 0 => self.opening -= 1,
            Actor::Seat(seat) if seat == self.seat => self.taken.push((state.clone(), action)),
            Actor::Seat(_) | Actor::Chance => {}
        }
    }
}

impl<G: Entry + Notation> Referee<G> {
    /// Compares one decision with perfect play.
    fn weigh(
        &mut self,
        seat: Seat,
        state: &G::State,
        action: G::Action,
        progress: &mut Progress<'_>,
    ) -> Result<Judged, ApiError> {
        progress.check()?;
        let mut judged = Judged { decisions: 1, ..Judged::default() };
        let position = Position::State(state.clone());
        if self.game.actions(state).len() < 2 || !self.solver.is_quick(&self.game, &position) {
            return Ok(judged);
        }
        let values = match self.solver.values(&self.game, &position, progress) {
            Ok(values) => values,
            Err(Unsolved::OutOfReach(_) | Unsolved::NoDecision(_)) => return Ok(judged),
            Err(cancelled @ Unsolved::Cancelled) => return Err(cancelled.into()),
        };
        let best = values.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
        let own = values.iter().find(|(other, _)| *other == action);
        let (Some((best, most)), Some(&(_, own))) = (best, own) else {
            return Err(Unsolved::OutOfReach(format!("the solver knows nothing of {action:?}")).into());
        };
        judged.judged = 1;
        let lost = most - own;
        if lost > EQUAL {
            judged.mistakes = 1;
            judged.lost = lost;
            judged.worst = Some(Blunder {
                position: self.game.write_position(&self.game.view(state, seat)),
                action: self.game.write_action(action),
                best: self.game.write_action(best),
                lost,
            });
        }
        Ok(judged)
    }

    /// Returns what the first agent would do in a state.
    fn ask(
        &mut self,
        seat: Seat,
        state: &G::State,
        rng: &mut Rng,
        progress: &Progress<'_>,
    ) -> Result<G::Action, ApiError> {
        let mut player = self.team.members[0].seated();
        Ok(answer(&self.game, &mut player, seat, state, rng, progress.cancel)?)
    }
}

/// Returns what a player does in a state of a match that it has not seen before.
///
/// # Errors
/// If it forfeits.
pub(super) fn answer<G: Game>(
    game: &G,
    player: &mut Seated<'_, G>,
    seat: Seat,
    state: &G::State,
    rng: &mut Rng,
    cancel: &Cancel,
) -> Result<G::Action, Forfeit> {
    let view = game.view(state, seat);
    let actions: Vec<G::Action> = game.actions(state).collect();
    guarded(seat, || player.begin(game, seat))?;
    let mut context = Context::new(rng).with_cancel(cancel);
    ask(&Decision::new(game, seat, &view, &actions), state, player, &mut context)
}

impl<G: Entry + Notation> AnyReferee for Referee<G> {
    fn unit(&self) -> &'static str {
        self.solver.unit()
    }

    fn judge(
        &mut self,
        setup: &MatchSetup<'_>,
        seat: Seat,
        progress: &mut Progress<'_>,
    ) -> Result<Judged, ApiError> {
        let mut decisions = Decisions { seat, opening: setup.opening, taken: Vec::new() };
        let mut seats = TeamSeats(seated(&mut self.team, &self.game, setup.seating));
        let outcome = settings(setup).host(&self.game, self.game.start(), &mut seats, &mut decisions);
        match outcome.ending {
            Ending::Finished => {}
            Ending::Abandoned => return Err(Unsolved::Cancelled.into()),
            Ending::Forfeit(forfeit) => return Err(forfeit.into()),
        }
        let mut all = Judged::default();
        for (state, action) in decisions.taken {
            all.add(self.weigh(seat, &state, action, progress)?);
        }
        Ok(all)
    }

    fn learner(&mut self, member: usize) -> Option<Box<dyn AnyLearner + '_>> {
        let learner = self.team.members[member].learner()?;
        Some(Box::new(HostedLearner { game: &self.game, learner }))
    }

    fn judge_all(&mut self, agent_seed: u64, progress: &mut Progress<'_>) -> Result<Judged, ApiError> {
        if self.game.seats() > 1 && !hides_nothing::<G>() {
            return Err(ApiError::HiddenSeats { game: G::NAME });
        }
        let mut met: HashSet<G::State> = HashSet::new();
        let mut asked: HashSet<(Seat, G::View)> = HashSet::new();
        let mut open = vec![self.game.start()];
        let mut all = Judged::default();
        while let Some(state) = open.pop() {
            progress.check()?;
            if !met.insert(state.clone()) {
                continue;
            }
            if met.len() > MOST_POSITIONS {
                return Err(ApiError::TooManyPositions { limit: MOST_POSITIONS });
            }
            let follow = |action| {
                let mut next = state.clone();
                self.game.apply(&mut next, action);
                next
            };
            match self.game.phase(&state) {
                Phase::Over => {}
                Phase::Chance => open.extend(self.game.chances(&state).map(|(action, _)| follow(action))),
                Phase::Decide(seat) => {
                    open.extend(self.game.actions(&state).map(follow));
                    if asked.insert((seat, self.game.view(&state, seat))) {
                        let mut rng = Rng::forked(agent_seed, asked.len() as u64);
                        let action = self.ask(seat, &state, &mut rng, progress)?;
                        all.add(self.weigh(seat, &state, action, progress)?);
                        if asked.len().is_multiple_of(TOLD_EVERY) {
                            (progress.report)(&ProgressUpdate {
                                doing: format!("{} positions", asked.len()),
                                done: None,
                                nodes: asked.len() as u64,
                            });
                        }
                    }
                }
            }
        }
        Ok(all)
    }
}
