//! Seeing an agent think about one position.

use crate::play::agent::Decision;
use crate::play::context::Context;
use crate::play::stepper::{Seated, brief, check_legal, guarded};
use crate::play::thought::{Beliefs, Thought};
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::seat::Seat;
use crate::text::notation::{Notation, Position, ReadError, quoted};
use crate::text::spec::Entry;
use crate::time::clock::Clock;
use crate::time::deadline::Cancel;

use super::ApiError;
use super::candidates::Candidates;

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
    pub cancel: &'a Cancel,
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

/// A position in the making: where it began, and what has happened since.
struct Course<'a, G: Game> {
    game: &'a G,
    start: G::State,
    state: G::State,
    actions: Vec<G::Action>,
    chance: Rng,
}

impl<'a, G: Entry + Notation> Course<'a, G> {
    fn new(game: &'a G, start: G::State, seed: u64) -> Self {
        Course { game, state: start.clone(), start, actions: Vec::new(), chance: Rng::forked(seed, 0) }
    }

    fn apply(&mut self, action: G::Action) {
        self.game.apply(&mut self.state, action);
        self.actions.push(action);
    }

    /// Lets chance act until a seat is to decide or the game is over.
    fn let_chance_act(&mut self) {
        while self.game.phase(&self.state) == Phase::Chance {
            let action = self.game.sample(&self.state, &mut self.chance);
            self.apply(action);
        }
    }

    /// Plays the move that a text names, after the moves of chance that the text leaves out.
    fn play(&mut self, text: &str) -> Result<(), ReadError> {
        let game = self.game;
        if game.phase(&self.state) == Phase::Chance {
            let possible: Vec<G::Action> = game.chances(&self.state).map(|(action, _)| action).collect();
            if let Some(action) = game.read_action(text).ok().filter(|action| possible.contains(action)) {
                self.apply(action);
                return Ok(());
            }
            self.let_chance_act();
            let legal: Vec<G::Action> = game.actions(&self.state).collect();
            if game.understand(&legal, text).is_err() {
                game.read_action(text)?;
                return Err(game.not_legal(&possible, text));
            }
        }
        if game.phase(&self.state) == Phase::Over {
            return Err(ReadError::new("move", format!("{} comes after the end of the game", quoted(text))));
        }
        let legal: Vec<G::Action> = game.actions(&self.state).collect();
        let action = game.understand(&legal, text)?;
        self.apply(action);
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
            return Err(ApiError::TooFewPlies { found: count, wanted: plies });
        }
        self.let_chance_act();
        Ok(())
    }
}

/// The decision that is asked about, and how it came about.
struct Standing<G: Game> {
    seat: Seat,
    view: G::View,
    actions: Vec<G::Action>,
    /// Where it began and what happened since; `None` where only a view is known.
    course: Option<(G::State, Vec<G::Action>)>,
}

/// Plays from a state to the decision that is asked about.
fn stand<G: Entry + Notation>(
    game: &G,
    start: G::State,
    question: &Question<'_>,
) -> Result<Standing<G>, ApiError> {
    let mut course = Course::new(game, start, question.seed);
    course.play_all(question)?;
    match game.phase(&course.state) {
        Phase::Decide(seat) if question.seat.is_some_and(|wanted| wanted != seat) => {
            Err(ApiError::OtherSeatToMove { seat })
        }
        Phase::Decide(seat) => Ok(Standing {
            seat,
            view: game.view(&course.state, seat),
            actions: game.actions(&course.state).collect(),
            course: Some((course.start, course.actions)),
        }),
        Phase::Chance | Phase::Over => {
            let plies = question.moves.split_whitespace().count();
            Err(ApiError::Over { plies: (plies > 0).then(|| question.plies.unwrap_or(plies)) })
        }
    }
}

/// Lets an agent think about one decision, and reports its thoughts.
pub(super) fn analyse<G: Entry + Notation>(
    game: &G,
    roster: &Candidates<G>,
    question: &Question<'_>,
    report: &mut dyn FnMut(&Thought<String>),
) -> Result<Analysis, ApiError> {
    let (player, full) = roster.build_honest(game, question.agent)?;
    if let Some(seat) = question.seat.filter(|seat| seat.0 >= game.seats()) {
        return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
    }
    let position = question.position.map(|text| game.read_position(text.trim())).transpose()?;
    let Standing { seat, view, actions, course } = match position {
        None => stand(game, game.start(), question)?,
        Some(Position::State(state)) => stand(game, state, question)?,
        Some(Position::View(_)) if !question.moves.trim().is_empty() => {
            return Err(ApiError::HiddenPosition { game: G::NAME });
        }
        Some(Position::View(view)) => {
            let actions = game.view_actions(&view);
            Standing { seat: question.seat.unwrap_or(Seat::FIRST), view, actions, course: None }
        }
    };
    if actions.is_empty() {
        return Err(ApiError::NobodyToMove);
    }
    let decision = Decision::new(game, seat, &view, &actions);
    let mut agent = player.into_agent().expect("an honest player is an agent");
    let mut rng = Rng::forked(question.seed, 1 + u64::from(seat.0));
    let mut player = Seated::Agent(&mut *agent);
    if let Some((start, actions)) = &course {
        brief(game, start, actions.iter().copied(), seat, &mut player)?;
    } else {
        guarded(seat, || player.begin(game, seat))?;
    }
    let mut report = |thought: &Thought<G::Action>| report(&thought.map(|&action| game.write_action(action)));
    let mut context = Context::new(&mut rng).with_cancel(question.cancel).with_reporter(&mut report);
    context.clock = question.clock;
    let best = guarded(seat, || agent.act(&decision, &mut context))?;
    let beliefs =
        if question.beliefs { guarded(seat, || agent.beliefs(&decision, &mut context))? } else { None };
    let best = check_legal(&decision, best)?;
    Ok(Analysis { agent: full, seat, legal: actions.len(), best: game.write_action(best), beliefs })
}
