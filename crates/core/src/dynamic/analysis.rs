//! Seeing an agent think about one position.

use std::sync::atomic::AtomicBool;

use crate::agent::{Decision, Sight};
use crate::clock::Clock;
use crate::game::{Game, Phase};
use crate::notation::{Notation, Position};
use crate::play::{Actor, Fault, guarded};
use crate::rng::Rng;
use crate::seat::Seat;
use crate::spec::Entry;
use crate::thought::{Beliefs, Thought};

use super::hosted::hire_honest;
use super::{AgentEntry, DoorError};

/// What is to be thought about, by whom, and for how long.
#[derive(Copy, Clone, Debug)]
pub struct Question<'a> {
    /// The agent's spec.
    pub agent: &'a str,
    /// The position in the game's own form; `None` for the start. Where chance is to act first, it does.
    pub position: Option<&'a str>,
    /// Whose view it is; `None` for the seat to move.
    pub seat: Option<Seat>,
    /// The seed of chance, and of the agent's randomness.
    pub seed: u64,
    /// How long the agent may think.
    pub clock: Clock,
    /// Whether its beliefs are asked for, too.
    pub beliefs: bool,
    /// Set when the answer is wanted at once.
    pub stop: &'a AtomicBool,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The agent's full form.
    pub agent: String,
    /// The seat that was asked.
    pub seat: Seat,
    /// How many actions it could choose from.
    pub legal: usize,
    /// What the agent would do.
    pub best: String,
    /// What it believes about hidden things, if that was asked for and it believes anything.
    pub beliefs: Option<Beliefs>,
}

/// What a seat knows when it is to decide, and what it has seen of chance just before.
struct Standing<G: Game> {
    seat: Seat,
    view: G::View,
    actions: Vec<G::Action>,
    seen: Vec<G::Action>,
}

/// Lets chance act until a seat is to decide.
fn stand<G: Entry + Notation>(
    game: &G,
    mut state: G::State,
    wanted: Option<Seat>,
    rng: &mut Rng,
) -> Result<Standing<G>, DoorError> {
    let mut seen = [Vec::new(), Vec::new()];
    loop {
        match game.phase(&state) {
            Phase::Over => {
                return Err(DoorError::Unfit("the game is over: there is nothing to think about".to_owned()));
            }
            Phase::Chance => {
                let action = game.sample(&state, rng);
                for seat in Seat::all(game.seats()) {
                    seen[seat.index()].extend(game.seen(&state, action, seat));
                }
                game.apply(&mut state, action);
            }
            Phase::Decide(seat) if wanted.is_some_and(|wanted| wanted != seat) => {
                return Err(DoorError::Unfit(format!("seat {seat} is to move here, and only it is asked")));
            }
            Phase::Decide(seat) => {
                let [first, second] = seen;
                return Ok(Standing {
                    seat,
                    view: game.view(&state, seat),
                    actions: game.actions(&state).collect(),
                    seen: if seat == Seat::FIRST { first } else { second },
                });
            }
        }
    }
}

/// Lets an agent think about one decision, and tells what it thinks.
pub(super) fn analyse<G: Entry + Notation>(
    game: &G,
    roster: &[AgentEntry<G>],
    question: &Question<'_>,
    tell: &mut dyn FnMut(&Thought<String>),
) -> Result<Analysis, DoorError> {
    let (mind, full) = hire_honest(game, G::NAME, roster, question.agent)?;
    if let Some(seat) = question.seat.filter(|seat| seat.0 >= game.seats()) {
        return Err(DoorError::Unfit(format!("{} has no seat {seat}", G::NAME)));
    }
    let mut chance = Rng::forked(question.seed, 0);
    let position = question.position.map(|text| game.read_position(text.trim())).transpose()?;
    let Standing { seat, view, actions, seen } = match position {
        None => stand(game, game.start(), question.seat, &mut chance)?,
        Some(Position::State(state)) => stand(game, state, question.seat, &mut chance)?,
        Some(Position::View(view)) => {
            let actions = game.view_actions(&view);
            Standing { seat: question.seat.unwrap_or(Seat::FIRST), view, actions, seen: Vec::new() }
        }
    };
    if actions.is_empty() {
        return Err(DoorError::Unfit("nobody is to move here: there is nothing to think about".to_owned()));
    }
    let decision = Decision {
        clock: question.clock,
        stop: Some(question.stop),
        ..Decision::untimed(game, seat, &view, &actions)
    };
    let mut agent = mind.into_agent();
    let mut rng = Rng::forked(question.seed, 1 + u64::from(seat.0));
    let thinking = guarded(seat, || {
        agent.begin(game, seat);
        for action in seen {
            agent.watch(game, Sight { actor: Actor::Chance, action });
        }
        let best = agent.think(&decision, &mut rng, &mut |thought| {
            tell(&thought.map(|&action| game.write_action(action)));
        });
        let beliefs = if question.beliefs { agent.beliefs(&decision, &mut rng) } else { None };
        (best, beliefs)
    });
    let (best, beliefs) = match thinking {
        Ok((best, beliefs)) if actions.contains(&best) => (best, beliefs),
        Ok((best, _)) => return Err(DoorError::Forfeit { seat, why: Fault::Illegal(format!("{best:?}")) }),
        Err((seat, why)) => return Err(DoorError::Forfeit { seat, why }),
    };
    Ok(Analysis { agent: full, seat, legal: actions.len(), best: game.write_action(best), beliefs })
}
