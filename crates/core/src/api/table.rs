//! One match, step by step.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::files::saved::{SavedEnding, SavedGame, VERSION};
use crate::play::agent::{Decision, Sight};
use crate::play::game_loop::{Actor, Fault, Match, guarded, payoffs_of_forfeit};
use crate::play::thought::Pondering;
use crate::play::training::{EpisodeRecorder, Player};
use crate::rng::{GENERATOR, Rng};
use crate::rules::game::Phase;
use crate::rules::seat::{BySeat, Seat};
use crate::text::notation::{Ink, Notation, ReadError, quoted};
use crate::text::protocol::Clocks;
use crate::text::spec::{Entry, SpecError};

use super::hosted::{build_honest_player, hides_nothing, join};
use super::learner::HostedLearner;
use super::{AgentEntry, AnyLearner, AnyTable, ApiError, VIEW_VERSION};

pub(super) struct Table<G: Entry> {
    game: G,
    roster: Vec<AgentEntry<G>>,
    seed: u64,
    start: Option<String>,
    /// The states so far, the present one last; one longer than `actions`.
    states: Vec<G::State>,
    actions: Vec<(Actor, G::Action)>,
    /// The stream of chance before each action, so that what is taken back and done again comes out the same.
    chances: Vec<Rng>,
    agents: BySeat<Option<Player<G>>>,
    /// What learners will be told. Once something is taken back, nothing more is learnt here.
    notes: EpisodeRecorder<G>,
    streams: Match,
    /// Who has forfeited, and why.
    forfeit: Option<(Seat, Fault)>,
}

impl<G: Entry + Notation> Table<G> {
    pub(super) fn new(
        game: G,
        roster: Vec<AgentEntry<G>>,
        state: G::State,
        start: Option<String>,
        seed: u64,
    ) -> Self {
        Table {
            game,
            roster,
            seed,
            start,
            states: vec![state],
            actions: Vec::new(),
            chances: Vec::new(),
            agents: BySeat::from_fn(|_| None),
            notes: EpisodeRecorder::default(),
            streams: Match::seeded(seed),
            forfeit: None,
        }
    }

    fn state(&self) -> &G::State {
        self.states.last().expect("a table has a state from the start")
    }

    fn legal(&self) -> Vec<G::Action> {
        self.game.actions(self.state()).collect()
    }

    /// Carries out an action; `stream` is the stream of chance as it was before.
    fn carry_out(&mut self, actor: Actor, action: G::Action, stream: Rng) {
        let before = self.state();
        let mut after = before.clone();
        if let Actor::Seat(seat) = actor {
            self.notes.decided(seat, &self.game.view(before, seat), &self.legal(), action);
        }
        self.game.apply(&mut after, action);
        for seat in Seat::all(self.game.seats()) {
            if let (Some(player), Some(seen)) =
                (&mut self.agents[seat], self.game.seen(self.states.last().expect("as above"), action, seat))
            {
                // An agent that panics while watching is asked again and will forfeit then.
                let _ = guarded(seat, || player.agent().watch(&self.game, Sight { actor, action: seen }));
            }
        }
        self.notes.applied(&self.game, &after, |seat, episode| {
            if let Some(learner) = self.agents[seat].as_mut().and_then(Player::learner) {
                learner.learn(episode, &mut self.streams.agent_rngs[seat]);
                if episode.payoffs.is_some() {
                    learner.match_ended();
                }
            }
        });
        self.states.push(after);
        self.actions.push((actor, action));
        self.chances.push(stream);
    }

    /// Tells the agent in `seat` everything that its seat has seen.
    fn brief(&mut self, seat: Seat) {
        let Some(player) = &mut self.agents[seat] else { return };
        let agent = player.agent();
        agent.begin(&self.game, seat);
        for (&(actor, action), before) in self.actions.iter().zip(&self.states) {
            if let Some(action) = self.game.seen(before, action, seat) {
                agent.watch(&self.game, Sight { actor, action });
            }
        }
    }

    /// Writes down that the agent in `seat` has forfeited.
    fn forfeited(&mut self, seat: Seat, why: Fault) -> ApiError {
        self.forfeit = Some((seat, why.clone()));
        ApiError::Forfeit { seat, why }
    }

    fn mover(&self) -> Result<Seat, ApiError> {
        match self.phase() {
            Phase::Decide(seat) => Ok(seat),
            Phase::Chance => Err(ApiError::Unfit("chance acts first".to_owned())),
            Phase::Over => Err(ApiError::Unfit("the game is over".to_owned())),
        }
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

    fn act(&mut self, text: &str) -> Result<String, ApiError> {
        let seat = self.mover()?;
        let action = self.game.understand(&self.legal(), text)?;
        self.carry_out(Actor::Seat(seat), action, self.streams.chance.clone());
        Ok(self.game.write_action(action))
    }

    fn chance(&mut self) -> bool {
        if self.phase() != Phase::Chance {
            return false;
        }
        let state = self.states.last().expect("a table has a state from the start");
        let before = self.streams.chance.clone();
        let action = self.game.sample(state, &mut self.streams.chance);
        self.carry_out(Actor::Chance, action, before);
        true
    }

    fn replay(&mut self, text: &str) -> Result<(), ApiError> {
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
        self.carry_out(actor, action, self.streams.chance.clone());
        Ok(())
    }

    fn seat_agent(&mut self, seat: Seat, spec: &str) -> Result<String, SpecError> {
        let (player, full) = build_honest_player(&self.game, G::NAME, &self.roster, spec)?;
        self.agents[seat] = Some(player);
        self.brief(seat);
        // Whoever sits down later has not decided what was decided before, and learns nothing from it.
        if self.actions.is_empty() {
            let learns = |seat| self.agents[seat].as_mut().is_some_and(Player::is_learning);
            self.notes.open(BySeat::from_fn(learns));
        }
        Ok(full)
    }

    fn agent_act(&mut self) -> Result<String, ApiError> {
        let never = AtomicBool::new(false);
        let action = self.agent_decide(&Clocks::default(), &never)?;
        Ok(action.expect("nobody has set the flag"))
    }

    fn agent_decide(&mut self, clocks: &Clocks, stop: &AtomicBool) -> Result<Option<String>, ApiError> {
        let seat = self.mover()?;
        let legal = self.legal();
        let view = self.game.view(self.state(), seat);
        let Some(player) = &mut self.agents[seat] else {
            return Err(ApiError::Unfit(format!("no agent sits in seat {seat}")));
        };
        let decision = Decision {
            clock: clocks.own,
            opponent_clock: clocks.other,
            stop: Some(stop),
            ..Decision::untimed(&self.game, seat, &view, &legal)
        };
        let rng = &mut self.streams.agent_rngs[seat];
        let answer = guarded(seat, || player.agent().act(&decision, rng));
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let action = match answer {
            Ok(action) if legal.contains(&action) => action,
            Ok(action) => return Err(self.forfeited(seat, Fault::Illegal(format!("{action:?}")))),
            Err((seat, why)) => return Err(self.forfeited(seat, why)),
        };
        self.carry_out(Actor::Seat(seat), action, self.streams.chance.clone());
        Ok(Some(self.game.write_action(action)))
    }

    fn ponder(&mut self, seat: Seat, stop: &AtomicBool) -> Result<(), ApiError> {
        let view = self.game.view(self.state(), seat);
        let Some(player) = &mut self.agents[seat] else { return Ok(()) };
        let pondering = Pondering { game: &self.game, seat, view: &view, stop };
        guarded(seat, || player.agent().ponder(&pondering))
            .map_err(|(seat, why)| ApiError::Forfeit { seat, why })
    }

    fn forfeit(&mut self, seat: Seat, why: Fault) {
        self.forfeit = Some((seat, why));
    }

    fn undo(&mut self) -> Result<bool, ApiError> {
        if self.game.seats() > 1 && !hides_nothing::<G>() {
            return Err(ApiError::Unfit(format!("{} hides things, so nothing can be taken back", G::NAME)));
        }
        let Some(last) = self.actions.iter().rposition(|(actor, _)| *actor != Actor::Chance) else {
            return Ok(false);
        };
        self.actions.truncate(last);
        self.states.truncate(last + 1);
        self.streams.chance = self.chances[last].clone();
        self.chances.truncate(last);
        self.forfeit = None;
        self.notes.open(BySeat::default());
        for seat in Seat::all(self.game.seats()) {
            self.brief(seat);
        }
        Ok(true)
    }

    fn learner(&mut self, seat: Seat) -> Option<Box<dyn AnyLearner + '_>> {
        let learner = self.agents[seat].as_mut()?.learner()?;
        Some(Box::new(HostedLearner { game: &self.game, learner }))
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
        json!({
            "parlor_view": VIEW_VERSION,
            "game": self.game(),
            "seat": seat,
            "view": serde_json::to_value(self.game.sheet(&view)).expect("a sheet is plain data"),
        })
    }

    fn payoffs(&self) -> Option<Vec<f64>> {
        (self.phase() == Phase::Over).then(|| {
            let payoffs = self.game.payoffs(self.state());
            Seat::all(self.game.seats()).map(|seat| payoffs.of(seat)).collect()
        })
    }

    fn saved(&self, names: &[String]) -> SavedGame {
        let (ending, payoffs) = match (&self.forfeit, self.payoffs()) {
            (Some((seat, why)), _) => {
                let payoffs = payoffs_of_forfeit(&self.game, *seat);
                let list = Seat::all(self.game.seats()).map(|seat| payoffs.of(seat)).collect();
                (SavedEnding::Forfeit { seat: *seat, why: why.to_string() }, Some(list))
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
        }
    }
}
