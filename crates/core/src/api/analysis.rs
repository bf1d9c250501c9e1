//! Seeing an agent think about one position.

use std::sync::atomic::AtomicBool;

use crate::play::agent::{Decision, Sight};
use crate::play::game_loop::{Actor, Fault, guarded};
use crate::play::thought::{Beliefs, Thought};
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::seat::Seat;
use crate::text::notation::{Notation, Position, ReadError, quoted};
use crate::text::spec::Entry;
use crate::time::clock::Clock;

use super::hosted::build_honest_player;
use super::{AgentEntry, ApiError};

/// What is to be thought about, by whom, and for how long.
#[derive(Copy, Clone, Debug)]
pub struct Question<'a> {
    /// The agent's spec.
    pub agent: &'a str,
    /// The position in the game's own form; `None` for the start. Where chance is to act first, it does.
    pub position: Option<&'a str>,
    /// What was done since the position, as saved games write it, with spaces between. What chance did may be left out: then
    /// the seed decides.
    pub moves: &'a str,
    /// How many of the moves are played, those of chance included, and after them what chance did next; `None` for all.
    pub plies: Option<usize>,
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

/// A position in the making: what has happened, and what each seat has seen of it.
struct Board<'a, G: Game> {
    game: &'a G,
    state: G::State,
    sights: [Vec<Sight<G::Action>>; 2],
    chance: Rng,
}

impl<G: Entry + Notation> Board<'_, G> {
    fn carry_out(&mut self, actor: Actor, action: G::Action) {
        for seat in Seat::all(self.game.seats()) {
            let seen = self.game.seen(&self.state, action, seat);
            self.sights[seat.index()].extend(seen.map(|action| Sight { actor, action }));
        }
        self.game.apply(&mut self.state, action);
    }

    /// Lets chance act until a seat is to decide or the game is over.
    fn let_chance_act(&mut self) {
        while self.game.phase(&self.state) == Phase::Chance {
            let action = self.game.sample(&self.state, &mut self.chance);
            self.carry_out(Actor::Chance, action);
        }
    }

    /// Does what a text says, after what chance must have done first if the text does not say that.
    fn play(&mut self, text: &str) -> Result<(), ReadError> {
        let game = self.game;
        if game.phase(&self.state) == Phase::Chance {
            let possible: Vec<G::Action> = game.chances(&self.state).map(|(action, _)| action).collect();
            if let Some(action) = game.read_action(text).ok().filter(|action| possible.contains(action)) {
                self.carry_out(Actor::Chance, action);
                return Ok(());
            }
            self.let_chance_act();
            let legal: Vec<G::Action> = game.actions(&self.state).collect();
            if game.understand(&legal, text).is_err() {
                game.read_action(text)?;
                return Err(game.not_legal(&possible, text));
            }
        }
        let Phase::Decide(seat) = game.phase(&self.state) else {
            return Err(ReadError::new("move", format!("{} comes after the end of the game", quoted(text))));
        };
        let legal: Vec<G::Action> = game.actions(&self.state).collect();
        let action = game.understand(&legal, text)?;
        self.carry_out(Actor::Seat(seat), action);
        Ok(())
    }

    /// Plays the moves of a question, and lets chance act until a seat is to decide.
    fn play_all(&mut self, question: &Question<'_>) -> Result<(), ApiError> {
        let plies = question.plies.unwrap_or(usize::MAX);
        let mut count = 0;
        for (at, text) in question.moves.split_whitespace().enumerate() {
            if at >= plies && self.game.phase(&self.state) != Phase::Chance {
                return Ok(());
            }
            self.play(text).map_err(|source| ApiError::Move { number: at + 1, source })?;
            count += 1;
        }
        if question.plies.is_some_and(|plies| plies > count) {
            return Err(ApiError::Unfit(format!("there are {count} plies, not {plies}")));
        }
        self.let_chance_act();
        Ok(())
    }
}

/// What a seat knows when it is to decide, and what it has seen before.
struct Standing<G: Game> {
    seat: Seat,
    view: G::View,
    actions: Vec<G::Action>,
    seen: Vec<Sight<G::Action>>,
}

/// Plays from a state to the decision that is asked about.
fn stand<G: Entry + Notation>(
    game: &G,
    state: G::State,
    question: &Question<'_>,
) -> Result<Standing<G>, ApiError> {
    let chance = Rng::forked(question.seed, 0);
    let mut board = Board { game, state, sights: [Vec::new(), Vec::new()], chance };
    board.play_all(question)?;
    let Board { state, sights: [first, second], .. } = board;
    match game.phase(&state) {
        Phase::Decide(seat) if question.seat.is_some_and(|wanted| wanted != seat) => {
            Err(ApiError::Unfit(format!("seat {seat} is to move here, and only it is asked")))
        }
        Phase::Decide(seat) => Ok(Standing {
            seat,
            view: game.view(&state, seat),
            actions: game.actions(&state).collect(),
            seen: if seat == Seat::FIRST { first } else { second },
        }),
        Phase::Chance | Phase::Over => {
            let plies = match question.moves.split_whitespace().count() {
                0 => String::new(),
                plies => format!(" after {} plies", question.plies.unwrap_or(plies)),
            };
            Err(ApiError::Unfit(format!("the game is over{plies}: there is nothing to think about")))
        }
    }
}

/// Lets an agent think about one decision, and tells what it thinks.
pub(super) fn analyse<G: Entry + Notation>(
    game: &G,
    roster: &[AgentEntry<G>],
    question: &Question<'_>,
    tell: &mut dyn FnMut(&Thought<String>),
) -> Result<Analysis, ApiError> {
    let (player, full) = build_honest_player(game, G::NAME, roster, question.agent)?;
    if let Some(seat) = question.seat.filter(|seat| seat.0 >= game.seats()) {
        return Err(ApiError::Unfit(format!("{} has no seat {seat}", G::NAME)));
    }
    let position = question.position.map(|text| game.read_position(text.trim())).transpose()?;
    let Standing { seat, view, actions, seen } = match position {
        None => stand(game, game.start(), question)?,
        Some(Position::State(state)) => stand(game, state, question)?,
        Some(Position::View(_)) if !question.moves.trim().is_empty() => {
            return Err(ApiError::Unfit(format!(
                "a position of {} leaves hidden things open, so nothing can be played from it; give all moves from the start",
                G::NAME
            )));
        }
        Some(Position::View(view)) => {
            let actions = game.view_actions(&view);
            Standing { seat: question.seat.unwrap_or(Seat::FIRST), view, actions, seen: Vec::new() }
        }
    };
    if actions.is_empty() {
        return Err(ApiError::Unfit("nobody is to move here: there is nothing to think about".to_owned()));
    }
    let decision = Decision {
        clock: question.clock,
        stop: Some(question.stop),
        ..Decision::untimed(game, seat, &view, &actions)
    };
    let mut agent = player.into_agent();
    let mut rng = Rng::forked(question.seed, 1 + u64::from(seat.0));
    let thinking = guarded(seat, || {
        agent.begin(game, seat);
        for sight in seen {
            agent.watch(game, sight);
        }
        let best = agent.think(&decision, &mut rng, &mut |thought| {
            tell(&thought.map(|&action| game.write_action(action)));
        });
        let beliefs = if question.beliefs { agent.beliefs(&decision, &mut rng) } else { None };
        (best, beliefs)
    });
    let (best, beliefs) = match thinking {
        Ok((best, beliefs)) if actions.contains(&best) => (best, beliefs),
        Ok((best, _)) => return Err(ApiError::Forfeit { seat, why: Fault::Illegal(format!("{best:?}")) }),
        Err((seat, why)) => return Err(ApiError::Forfeit { seat, why }),
    };
    Ok(Analysis { agent: full, seat, legal: actions.len(), best: game.write_action(best), beliefs })
}
