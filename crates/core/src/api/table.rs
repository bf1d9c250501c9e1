//! One match, step by step.

use serde_json::Value;

use crate::files::saved::{SavedEnding, SavedGame, VERSION};
use crate::play::matches::Match;
use crate::play::outcome::{Actor, Fault, Forfeit};
use crate::play::solve::BuildSolver;
use crate::play::stepper::{Seated, Seats, advance, brief, guarded};
use crate::play::thought::TypeOdds;
use crate::play::training::{EpisodeRecorder, Player};
use crate::rng::{GENERATOR, Rng};
use crate::rules::game::{Game, Phase};
use crate::rules::seat::{BySeat, Seat};
use crate::text::notation::{Ink, Notation, ReadError, quoted};
use crate::text::protocol::Clocks;
use crate::text::spec::{Entry, SpecError};
use crate::time::deadline::Cancel;

use super::candidates::Candidates;
use super::cells::{CellsAccess, TableCells};
use super::guest::{GuestEntry, view_json};
use super::hosted::hides_nothing;
use super::learner::HostedLearner;
use super::team::join;
use super::thinker::{AnyThinker, Thinker, Thinking};
use super::worlds::ImagineState;
use super::{AnyLearner, AnyTable, ApiError};

/// Who plays a seat of a table.
pub(super) enum Place<G: Game> {
    /// It is played from outside.
    Outside,
    /// An agent sits there.
    Taken(Player<G>),
    /// Its agent is away, thinking.
    Away,
}

pub(super) struct Table<G: Game> {
    pub(super) game: G,
    pub(super) roster: Candidates<G>,
    pub(super) solver: Option<BuildSolver<G>>,
    pub(super) cells: Option<CellsAccess<G>>,
    pub(super) imagine: Option<ImagineState<G>>,
    /// Whether nobody's secrets are here.
    pub(super) is_sandbox: bool,
    pub(super) seed: u64,
    pub(super) start: Option<String>,
    /// The states so far, the present one last; one longer than `actions`.
    pub(super) states: Vec<G::State>,
    pub(super) actions: Vec<(Actor, G::Action)>,
    /// The stream of chance before each action, so that what is taken back and done again comes out the same.
    pub(super) chances: Vec<Rng>,
    pub(super) places: BySeat<Place<G>>,
    /// What learners learn from. Once something is taken back, nothing more is learnt here.
    pub(super) recorder: EpisodeRecorder<G>,
    pub(super) streams: Match,
    /// Who has forfeited, and why.
    pub(super) forfeit: Option<Forfeit>,
}

/// The seats of a table, as the stepper sees them.
struct TableSeats<'a, G: Game> {
    places: &'a mut BySeat<Place<G>>,
    recorder: &'a mut EpisodeRecorder<G>,
    rngs: &'a mut BySeat<Rng>,
}

impl<G: Game> Seats<G> for TableSeats<'_, G> {
    fn seated(&mut self, seat: Seat) -> Option<Seated<'_, G>> {
        match &mut self.places[seat] {
            Place::Taken(player) => Some(player.seated()),
            Place::Outside | Place::Away => None,
        }
    }

    fn decided(&mut self, seat: Seat, view: &G::View, legal: &[G::Action], action: G::Action) {
        self.recorder.decided(seat, view, legal, action);
    }

    fn applied(&mut self, game: &G, state: &G::State) {
        let TableSeats { places, recorder, rngs } = self;
        recorder.applied(game, state, |seat, episode| {
            if let Place::Taken(player) = &mut places[seat]
                && let Some(learner) = player.learner()
            {
                learner.learn(episode, &mut rngs[seat]);
                if episode.payoffs.is_some() {
                    learner.match_ended();
                }
            }
        });
    }
}

impl<G: Entry + Notation> Table<G> {
    pub(super) fn new(
        game: G,
        roster: Candidates<G>,
        solver: Option<BuildSolver<G>>,
        state: G::State,
        start: Option<String>,
        seed: u64,
    ) -> Self {
        Table {
            game,
            roster,
            solver,
            cells: None,
            imagine: None,
            is_sandbox: false,
            seed,
            start,
            states: vec![state],
            actions: Vec::new(),
            chances: Vec::new(),
            places: BySeat::from_fn(|_| Place::Outside),
            recorder: EpisodeRecorder::default(),
            streams: Match::seeded(seed),
            forfeit: None,
        }
    }

    pub(super) fn state(&self) -> &G::State {
        self.states.last().expect("a table has a state from the start")
    }

    fn legal(&self) -> Vec<G::Action> {
        self.game.actions(self.state()).collect()
    }

    /// Carries out an action; `stream` is the stream of chance as it was before.
    fn carry_out(&mut self, actor: Actor, action: G::Action, stream: Rng) {
        let legal = self.legal();
        let mut state = self.state().clone();
        let mut seats = TableSeats {
            places: &mut self.places,
            recorder: &mut self.recorder,
            rngs: &mut self.streams.agent_rngs,
        };
        if let Actor::Seat(seat) = actor {
            seats.decided(seat, &self.game.view(&state, seat), &legal, action);
        }
        // An agent that panics while it watches is asked again later and forfeits then.
        let _ = advance(&self.game, &mut state, actor, action, &mut seats);
        self.states.push(state);
        self.actions.push((actor, action));
        self.chances.push(stream);
    }

    /// Shows the agent in `seat` everything that its seat has seen.
    fn brief(&mut self, seat: Seat) {
        if let Place::Taken(player) = &mut self.places[seat] {
            let actions = self.actions.iter().map(|&(_, action)| action);
            // As above: it forfeits when it is asked.
            let _ = brief(&self.game, &self.states[0], actions, seat, &mut player.seated());
        }
    }

    /// Notes that the agent in a seat has forfeited.
    fn forfeited(&mut self, forfeit: Forfeit) -> ApiError {
        self.forfeit = Some(forfeit.clone());
        forfeit.into()
    }

    pub(super) fn mover(&self) -> Result<Seat, ApiError> {
        match self.phase() {
            Phase::Decide(seat) => Ok(seat),
            Phase::Chance => Err(ApiError::ChanceFirst),
            Phase::Over => Err(ApiError::Over { plies: None }),
        }
    }

    /// Carries out what `seat` chooses among the legal actions.
    pub(super) fn choose(
        &mut self,
        seat: Seat,
        choice: impl FnOnce(&G, &[G::Action]) -> Result<G::Action, ApiError>,
    ) -> Result<G::Action, ApiError> {
        self.check_nobody_is_away()?;
        let mover = self.mover()?;
        if mover != seat {
            return Err(ApiError::OtherSeatToMove { seat: mover });
        }
        let action = choice(&self.game, &self.legal())?;
        self.carry_out(Actor::Seat(seat), action, self.streams.chance.clone());
        Ok(action)
    }

    /// Returns an error while an agent is away: it would miss what happens.
    fn check_nobody_is_away(&self) -> Result<(), ApiError> {
        let away = Seat::all(self.game.seats()).find(|&seat| matches!(self.places[seat], Place::Away));
        away.map_or(Ok(()), |seat| Err(ApiError::Thinking { seat }))
    }
}

impl<G: Entry + Notation> AnyTable for Table<G> {
    fn game(&self) -> String {
        self.game.spec().to_string()
    }

    fn phase(&self) -> Phase {
        self.game.phase(self.state())
    }

    fn actions(&self) -> Vec<String> {
        self.legal().into_iter().map(|action| self.game.write_action(action)).collect()
    }

    fn act(&mut self, seat: Seat, text: &str) -> Result<String, ApiError> {
        let action = self.choose(seat, |game, legal| Ok(game.understand(legal, text)?))?;
        Ok(self.game.write_action(action))
    }

    fn chance(&mut self) -> Result<bool, ApiError> {
        self.check_nobody_is_away()?;
        if self.phase() != Phase::Chance {
            return Ok(false);
        }
        let state = self.states.last().expect("a table has a state from the start");
        let before = self.streams.chance.clone();
        let action = self.game.sample(state, &mut self.streams.chance);
        self.carry_out(Actor::Chance, action, before);
        Ok(true)
    }

    fn replay(&mut self, text: &str) -> Result<(), ApiError> {
        self.check_nobody_is_away()?;
        let (actor, possible) = match self.phase() {
            Phase::Decide(seat) => (Actor::Seat(seat), self.legal()),
            Phase::Chance => {
                (Actor::Chance, self.game.chances(self.state()).map(|(action, _)| action).collect())
            }
            Phase::Over => {
                let wrong = format!("{} comes after the end of the game", quoted(text));
                return Err(ReadError::new("recorded game", wrong).into());
            }
        };
        let action = self.game.read_action(text)?;
        if !possible.contains(&action) {
            return Err(self.game.not_legal(&possible, text).into());
        }
        let before = self.streams.chance.clone();
        if actor == Actor::Chance {
            // The stream moves on as it did when this was drawn, so that a match that resumes from here draws what it would have drawn.
            let state = self.states.last().expect("a table has a state from the start");
            self.game.sample(state, &mut self.streams.chance);
        }
        self.carry_out(actor, action, before);
        Ok(())
    }

    fn streams(&self) -> Vec<Rng> {
        Seat::all(self.game.seats()).map(|seat| self.streams.agent_rngs[seat].clone()).collect()
    }

    fn set_streams(&mut self, streams: &[Rng]) {
        for (seat, stream) in Seat::all(self.game.seats()).zip(streams) {
            self.streams.agent_rngs[seat] = stream.clone();
        }
    }

    fn seat_agent(&mut self, seat: Seat, spec: &str) -> Result<String, SpecError> {
        let (player, full) = self.roster.build_honest(&self.game, spec)?;
        self.places[seat] = Place::Taken(player);
        self.brief(seat);
        // An agent that is seated later has not taken the earlier decisions, and learns nothing from them.
        if self.actions.is_empty() {
            let learns = |seat| match &mut self.places[seat] {
                Place::Taken(player) => player.is_learning(),
                Place::Outside | Place::Away => false,
            };
            self.recorder.open(BySeat::from_fn(learns));
        }
        Ok(full)
    }

    fn add_guest(&mut self, guest: GuestEntry) -> Result<(), SpecError> {
        self.roster.add_guest(guest)
    }

    fn thinker(&mut self, seat: Seat) -> Result<Box<dyn AnyThinker>, ApiError> {
        if seat.0 >= self.game.seats() {
            return Err(ApiError::NoSuchSeat { game: G::NAME, seat });
        }
        match std::mem::replace(&mut self.places[seat], Place::Away) {
            Place::Taken(player) => Ok(Box::new(Thinker {
                game: self.game.clone(),
                seat,
                player,
                rng: self.streams.agent_rngs[seat].clone(),
                state: self.state().clone(),
                plies: self.actions.len(),
                thinking: Thinking::Open,
            })),
            Place::Outside => {
                self.places[seat] = Place::Outside;
                Err(ApiError::EmptySeat { seat })
            }
            Place::Away => Err(ApiError::Thinking { seat }),
        }
    }

    fn commit(&mut self, thinker: Box<dyn AnyThinker>) -> Result<Option<String>, ApiError> {
        let seat = thinker.seat();
        let thinker = thinker.into_any().downcast::<Thinker<G>>().ok();
        let fits = |thinker: &Thinker<G>| {
            matches!(self.places[seat], Place::Away) && thinker.plies == self.actions.len()
        };
        let Some(thinker) = thinker.filter(|thinker| fits(thinker)) else {
            return Err(ApiError::ForeignThinker { seat });
        };
        let Thinker { player, rng, thinking, .. } = *thinker;
        self.places[seat] = Place::Taken(player);
        match thinking {
            Thinking::Open | Thinking::Cut(_) => Ok(None),
            Thinking::Failed(forfeit) => Err(forfeit.into()),
            Thinking::Decided(answer) => {
                self.streams.agent_rngs[seat] = rng;
                self.check_nobody_is_away()?;
                if self.mover()? != seat {
                    return Ok(None);
                }
                let action = answer.map_err(|forfeit| self.forfeited(forfeit))?;
                self.carry_out(Actor::Seat(seat), action, self.streams.chance.clone());
                Ok(Some(self.game.write_action(action)))
            }
        }
    }

    fn agent_act(&mut self) -> Result<String, ApiError> {
        let mut thinker = self.thinker(self.mover()?)?;
        thinker.decide(&Clocks::default(), &Cancel::new(), &mut |_| {});
        let action = self.commit(thinker)?;
        Ok(action.expect("the decision was not cancelled"))
    }

    fn forfeit(&mut self, seat: Seat, why: Fault) {
        self.forfeit = Some(Forfeit { seat, why });
    }

    fn undo(&mut self) -> Result<bool, ApiError> {
        self.check_nobody_is_away()?;
        if self.game.seats() > 1 && !hides_nothing::<G>() {
            return Err(ApiError::HiddenUndo { game: G::NAME });
        }
        let Some(last) = self.actions.iter().rposition(|(actor, _)| *actor != Actor::Chance) else {
            return Ok(false);
        };
        self.actions.truncate(last);
        self.states.truncate(last + 1);
        self.streams.chance = self.chances[last].clone();
        self.chances.truncate(last);
        self.forfeit = None;
        self.recorder.open(BySeat::default());
        for seat in Seat::all(self.game.seats()) {
            self.brief(seat);
        }
        Ok(true)
    }

    fn learner(&mut self, seat: Seat) -> Option<Box<dyn AnyLearner + '_>> {
        let Place::Taken(player) = &mut self.places[seat] else { return None };
        Some(Box::new(HostedLearner { game: &self.game, learner: player.learner()? }))
    }

    fn stages(&self) -> u32 {
        self.game.stages(self.state())
    }

    fn opponent_types(&mut self, seat: Seat) -> Option<Vec<TypeOdds>> {
        let Place::Taken(player) = &mut self.places[seat] else { return None };
        guarded(seat, || player.seated().opponent_types(&self.game)).ok().flatten()
    }

    fn sights(&self, seat: Seat) -> Vec<(Actor, String)> {
        self.actions
            .iter()
            .zip(&self.states)
            .filter_map(|(&(actor, action), before)| {
                let seen = self.game.seen(before, action, seat)?;
                Some((actor, self.game.write_action(seen)))
            })
            .collect()
    }

    fn draw(&self, seat: Seat, ink: Ink) -> String {
        self.game.draw(&self.game.view(self.state(), seat), ink)
    }

    fn status(&self, seat: Seat) -> String {
        self.game.status(&self.game.view(self.state(), seat))
    }

    fn view_json(&self, seat: Seat) -> Value {
        let view = self.game.view(self.state(), seat);
        view_json(&self.game, seat, &view)
    }

    fn cells(&self) -> Result<&dyn TableCells, ApiError> {
        let access = self.cells.ok_or(ApiError::NoCells { game: G::NAME })?;
        Ok((access.table)(self))
    }

    fn cells_mut(&mut self) -> Result<&mut dyn TableCells, ApiError> {
        let access = self.cells.ok_or(ApiError::NoCells { game: G::NAME })?;
        Ok((access.table_mut)(self))
    }

    fn payoffs(&self) -> Option<Vec<f64>> {
        (self.phase() == Phase::Over).then(|| {
            let payoffs = self.game.payoffs(self.state());
            Seat::all(self.game.seats()).map(|seat| payoffs.of(seat)).collect()
        })
    }

    fn saved(&self, names: &[String]) -> SavedGame {
        let (ending, payoffs) = match (&self.forfeit, self.payoffs()) {
            (Some(forfeit), _) => {
                let payoffs = forfeit.payoffs(&self.game);
                let list = Seat::all(self.game.seats()).map(|seat| payoffs.of(seat)).collect();
                (SavedEnding::from(forfeit), Some(list))
            }
            (None, Some(payoffs)) => (SavedEnding::Finished, Some(payoffs)),
            (None, None) => (SavedEnding::Unfinished, None),
        };
        SavedGame {
            parlor: VERSION,
            game: self.game(),
            seats: names.to_vec(),
            seed: self.seed,
            rng: GENERATOR.to_owned(),
            start: self.start.clone(),
            moves: join(self.actions.iter().map(|&(_, action)| self.game.write_action(action))),
            ending,
            payoffs,
            recognised: Vec::new(),
            table: None,
        }
    }
}
