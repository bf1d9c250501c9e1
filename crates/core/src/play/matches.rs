//! Playing a match from a state to its end: agents get views, the truth stays here.

use std::thread;

use crate::play::agent::{Agent, Decision};
use crate::play::context::Context;
use crate::play::outcome::{Actor, Ending, Forfeit, Outcome};
use crate::play::stepper::{Seated, Seats, advance, ask, guarded};
use crate::play::thought::Pondering;
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::{BySeat, MAX_SEATS, Seat};
use crate::time::clock::{Clock, TimeControl};
use crate::time::deadline::Cancel;

/// Sees everything that happens in a match: for recorders, referees and statistics, never for agents.
pub trait Observer<G: Game> {
    /// `action` is about to be applied to `state`.
    fn before(&mut self, _game: &G, _state: &G::State, _actor: Actor, _action: G::Action) {}

    /// The match is over.
    fn over(&mut self, _game: &G, _state: &G::State, _outcome: &Outcome) {}
}

/// Observes nothing.
impl<G: Game> Observer<G> for () {}

/// Writes down every action.
impl<G: Game> Observer<G> for Vec<(Actor, G::Action)> {
    fn before(&mut self, _: &G, _: &G::State, actor: Actor, action: G::Action) {
        self.push((actor, action));
    }
}

/// The settings of one match: the random streams, the clocks, and how it begins.
#[derive(Clone, Debug)]
pub struct Match {
    /// The stream that deals, draws and flips.
    pub chance: Rng,
    /// Each seat's own stream.
    pub agent_rngs: BySeat<Rng>,
    /// Each seat's time.
    pub time: BySeat<TimeControl>,
    /// How many decisions are taken uniformly at random before the agents are asked, so that deterministic agents play more
    /// than one match.
    pub opening: u32,
    /// The stream that these decisions are drawn from.
    pub openings: Rng,
    /// Whether a seat may think while the other one does.
    pub ponder: bool,
    /// Whether it continues the session of these players' match before: then they keep what they remember from match to match.
    pub continues: bool,
    /// Set to abandon the match.
    pub cancel: Option<Cancel>,
}

impl Match {
    /// A match without clocks whose streams are branches of `seed`: chance is branch 0, seat *s* is branch 1 + *s*, the
    /// opening is branch 3.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Match {
            chance: Rng::forked(seed, 0),
            agent_rngs: BySeat::from_fn(|seat| Rng::forked(seed, 1 + u64::from(seat.0))),
            time: BySeat::default(),
            opening: 0,
            openings: Rng::forked(seed, 1 + MAX_SEATS as u64),
            ponder: false,
            continues: false,
            cancel: None,
        }
    }

    /// Plays from the start of `game` to the end. See [`Match::play_from`].
    pub fn play<G: Game>(
        self,
        game: &G,
        agents: &mut [&mut dyn Agent<G>],
        observer: &mut dyn Observer<G>,
    ) -> Outcome {
        self.play_from(game, game.start(), agents, observer)
    }

    /// Plays from `state` to the end. Agents are shown views only; one that answers with an illegal action, panics,
    /// or overruns its clock forfeits.
    ///
    /// # Panics
    /// If there is not one agent for each seat.
    pub fn play_from<G: Game>(
        self,
        game: &G,
        state: G::State,
        agents: &mut [&mut dyn Agent<G>],
        observer: &mut dyn Observer<G>,
    ) -> Outcome {
        assert_eq!(agents.len(), usize::from(game.seats()), "one agent for each seat");
        self.host(game, state, agents, observer)
    }

    /// Plays from `state` to the end with the players in `seats`, by the same rules as [`Match::play_from`].
    pub fn host<G: Game, S: Seats<G> + ?Sized>(
        mut self,
        game: &G,
        mut state: G::State,
        seats: &mut S,
        observer: &mut dyn Observer<G>,
    ) -> Outcome {
        let all = || Seat::all(game.seats());
        let mut clocks = BySeat::<Clock>::from_fn(|seat| Clock::new(self.time[seat]));
        let mut legal = Vec::with_capacity(64);
        let mut plies = 0;

        let continues = self.continues;
        let begin_one = |seat, mut player: Seated<'_, G>| {
            guarded(seat, || {
                if !continues {
                    player.begin_session();
                }
                player.begin(game, seat);
            })
        };
        let begin = |seat| seats.seated(seat).map_or(Ok(()), |player| begin_one(seat, player));
        let mut forfeit: Option<Forfeit> = all().map(begin).find_map(Result::err);
        let mut abandoned = false;
        while forfeit.is_none() {
            let (actor, action) = match game.phase(&state) {
                Phase::Over => break,
                Phase::Chance => (Actor::Chance, game.sample(&state, &mut self.chance)),
                Phase::Decide(seat) if self.opening > 0 => {
                    self.opening -= 1;
                    (Actor::Seat(seat), game.pick(&state, &mut self.openings))
                }
                Phase::Decide(seat) => {
                    legal.clear();
                    legal.extend(game.actions(&state));
                    let view = game.view(&state, seat);
                    let decision = Decision::new(game, seat, &view, &legal);
                    let opponent_clock = (game.seats() > 1).then(|| clocks[seat.other()]);
                    let mut context =
                        Context::new(&mut self.agent_rngs[seat]).with_clocks(clocks[seat], opponent_clock);
                    context.cancel = self.cancel.as_ref();
                    let answer = if self.ponder && game.seats() > 1 {
                        ask_while_pondering(&decision, &state, seats, &mut context)
                    } else {
                        let mut player = seats.seated(seat).expect("a match seats every seat");
                        ask(&decision, &state, &mut player, &mut context)
                    };
                    clocks[seat] = context.clock;
                    if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
                        abandoned = true;
                        break;
                    }
                    match answer {
                        Ok(action) => {
                            seats.decided(seat, &view, &legal, action);
                            (Actor::Seat(seat), action)
                        }
                        Err(fault) => {
                            forfeit = Some(fault);
                            break;
                        }
                    }
                }
            };
            observer.before(game, &state, actor, action);
            plies += 1;
            forfeit = advance(game, &mut state, actor, action, seats).err();
        }

        // One that gave no answer because the match is not wanted any more has done nothing wrong.
        abandoned |= forfeit.is_some() && self.cancel.as_ref().is_some_and(Cancel::is_cancelled);
        let (ending, payoffs) = match forfeit {
            _ if abandoned => (Ending::Abandoned, Payoffs::default()),
            None => (Ending::Finished, game.payoffs(&state)),
            Some(forfeit) => {
                let payoffs = forfeit.payoffs(game);
                (Ending::Forfeit(forfeit), payoffs)
            }
        };
        for seat in all() {
            if let Some(mut player) = seats.seated(seat) {
                // The result stands already; a player that panics now harms only itself.
                let _ = guarded(seat, || player.end(game, &payoffs));
            }
        }
        let outcome = Outcome { ending, payoffs, plies };
        observer.over(game, &state, &outcome);
        outcome
    }
}

/// Asks for one decision while the other seat's player thinks on a thread of its own. The clock stops before that one does.
fn ask_while_pondering<G: Game, S: Seats<G> + ?Sized>(
    decision: &Decision<'_, G>,
    state: &G::State,
    seats: &mut S,
    context: &mut Context<'_, G>,
) -> Result<G::Action, Forfeit> {
    let other = decision.seat.other();
    let view = decision.game.view(state, other);
    let cancel = Cancel::new();
    let pondering = Pondering { game: decision.game, seat: other, view: &view, cancel: &cancel };
    let (mover, ponderer) = seats.mover_and_ponderer(decision.seat);
    let mut mover = mover.expect("a match seats every seat");
    let (answer, pondered) = thread::scope(|scope| {
        let aside =
            ponderer.map(|mut player| scope.spawn(|| guarded(other, move || player.ponder(&pondering))));
        let answer = ask(decision, state, &mut mover, context);
        cancel.cancel();
        (answer, aside.map_or(Ok(()), |thread| thread.join().expect("panics are caught on the thread")))
    });
    pondered.and(answer)
}
