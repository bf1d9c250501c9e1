//! Playing a match: agents get views, the truth stays here.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::play::agent::{Agent, Decision, Sight};
use crate::play::oracle::{Oracle, Sighted};
use crate::play::thought::Pondering;
use crate::rng::Rng;
use crate::rules::game::{Game, Phase};
use crate::rules::payoffs::Payoffs;
use crate::rules::seat::{BySeat, MAX_SEATS, Seat};
use crate::time::clock::{Clock, TimeControl};

/// Who did something.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    /// A seat, by choice.
    Seat(Seat),
    /// Dealing, drawing, flipping.
    Chance,
}

/// What an agent did that ends the match against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It answered with something that the rules do not allow; the text is its answer.
    Illegal(String),
    /// It panicked; the text is what it said.
    Panicked(String),
    /// It took longer than its clock allowed.
    Overran,
    /// A program of its own that broke off, talked nonsense or talked without end; the text says what it did.
    ChecksummedFileError(String),
}

impl Fault {
    /// Ends the call into an agent with this fault. For agents that find out about their own misfortune, such as one
    /// whose program has died; the match loop turns it into a forfeit.
    pub fn raise(self) -> ! {
        // Not a panic: nobody's panic hook should print a back-trace for it.
        resume_unwind(Box::new(self))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal(answer) => write!(f, "illegal action {answer}"),
            Fault::Panicked(words) => write!(f, "panicked: {words}"),
            Fault::Overran => write!(f, "ran out of time"),
            Fault::ChecksummedFileError(what) => write!(f, "{what}"),
        }
    }
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By the rules.
    Finished,
    /// A seat's agent misbehaved and lost.
    Forfeit {
        /// Whose agent it was.
        seat: Seat,
        /// What it did.
        why: Fault,
    },
    /// Nobody wanted the result any more. Payoffs mean nothing.
    Abandoned,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Finished => write!(f, "finished"),
            Ending::Forfeit { seat, why } => write!(f, "seat {seat} forfeits: {why}"),
            Ending::Abandoned => write!(f, "abandoned"),
        }
    }
}

/// How a match came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What everyone got. After a forfeit the guilty seat has the game's lowest payoff, the other the highest.
    pub payoffs: Payoffs,
    /// How many actions were carried out, those of chance included.
    pub plies: u32,
}

/// Someone who may see everything: a recorder, a referee, a statistician. Never an agent.
pub trait Observer<G: Game> {
    /// `action` is about to be applied to `state`.
    fn before(&mut self, _game: &G, _state: &G::State, _actor: Actor, _action: G::Action) {}

    /// The match is over.
    fn over(&mut self, _game: &G, _state: &G::State, _outcome: &Outcome) {}
}

/// Nobody is watching.
impl<G: Game> Observer<G> for () {}

/// Writes down every action.
impl<G: Game> Observer<G> for Vec<(Actor, G::Action)> {
    fn before(&mut self, _: &G, _: &G::State, actor: Actor, action: G::Action) {
        self.push((actor, action));
    }
}

/// Who sits at a table. A slice of agents is one, one agent a seat; [`lesson`](crate::training) seats learners.
pub trait Seats<G: Game> {
    /// Returns the agent that answers for `seat`.
    fn agent(&mut self, seat: Seat) -> &mut dyn Agent<G>;

    /// Returns the agent that answers for `seat` and the one that may think meanwhile, where that is another.
    fn mover_and_ponderer(&mut self, seat: Seat) -> (&mut dyn Agent<G>, Option<&mut dyn Agent<G>>) {
        (self.agent(seat), None)
    }

    /// Returns the oracle that answers for `seat` instead of an agent.
    fn oracle(&mut self, _seat: Seat) -> Option<&mut dyn Oracle<G>> {
        None
    }

    /// A seat has decided; this is what it knew and what it could do.
    fn decided(&mut self, _seat: Seat, _view: &G::View, _legal: &[G::Action], _action: G::Action) {}

    /// An action, of a seat or of chance, has led to `state`.
    fn applied(&mut self, _game: &G, _state: &G::State) {}
}

impl<G: Game> Seats<G> for [&mut dyn Agent<G>] {
    fn agent(&mut self, seat: Seat) -> &mut dyn Agent<G> {
        &mut *self[seat.index()]
    }

    fn mover_and_ponderer(&mut self, seat: Seat) -> (&mut dyn Agent<G>, Option<&mut dyn Agent<G>>) {
        let (own, other) = own_and_other(self, seat);
        (&mut **own, other.map(|agent| &mut **agent as &mut dyn Agent<G>))
    }
}

/// Returns what belongs to `seat`, and what belongs to the other seat if there is one.
pub(crate) fn own_and_other<T>(by_seat: &mut [T], seat: Seat) -> (&mut T, Option<&mut T>) {
    let (first, rest) = by_seat.split_first_mut().expect("a match has a seat");
    match rest.first_mut() {
        Some(second) if seat != Seat::FIRST => (second, Some(first)),
        second => (first, second),
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
    /// So many decisions are taken uniformly at random before the agents are asked, so that agents which always decide alike
    /// play more than one match.
    pub opening: u32,
    /// The stream that these decisions are drawn from.
    pub openings: Rng,
    /// Whether a seat may think while the other one does.
    pub ponder: bool,
    /// Set to abandon the match.
    pub stop: Option<Arc<AtomicBool>>,
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
            stop: None,
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

    /// Plays from `state` to the end with whoever sits there, by the same rules as [`Match::play_from`].
    pub fn host<G: Game, C: Seats<G> + ?Sized>(
        mut self,
        game: &G,
        mut state: G::State,
        crowd: &mut C,
        observer: &mut dyn Observer<G>,
    ) -> Outcome {
        let seats = game.seats();
        let mut clocks = BySeat::<Clock>::from_fn(|seat| Clock::new(self.time[seat]));
        let mut legal = Vec::with_capacity(64);
        let mut plies = 0;

        let mut guilty: Option<(Seat, Fault)> =
            Seat::all(seats).find_map(|seat| guarded(seat, || crowd.agent(seat).begin(game, seat)).err());
        let mut abandoned = false;
        while guilty.is_none() {
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
                    let decision = Decision {
                        clock: clocks[seat],
                        opponent_clock: (seats > 1).then(|| clocks[seat.other()]),
                        stop: self.stop.as_deref(),
                        ..Decision::untimed(game, seat, &view, &legal)
                    };
                    let rng = &mut self.agent_rngs[seat];
                    let answer = if let Some(oracle) = crowd.oracle(seat) {
                        let &Decision { clock, opponent_clock, stop, .. } = &decision;
                        let sighted = Sighted {
                            game,
                            seat,
                            state: &state,
                            actions: &legal,
                            clock,
                            opponent_clock,
                            stop,
                        };
                        decide(&decision, &mut clocks[seat], || guarded(seat, || oracle.act(&sighted, rng)))
                    } else if self.ponder && seats > 1 {
                        let others_view = game.view(&state, seat.other());
                        let agents = crowd.mover_and_ponderer(seat);
                        decide_while_pondering(&decision, &mut clocks[seat], agents, &others_view, rng)
                    } else {
                        let agent = crowd.agent(seat);
                        decide(&decision, &mut clocks[seat], || guarded(seat, || agent.act(&decision, rng)))
                    };
                    if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                        abandoned = true;
                        break;
                    }
                    match answer {
                        Ok(action) => {
                            crowd.decided(seat, &view, &legal, action);
                            (Actor::Seat(seat), action)
                        }
                        Err(fault) => {
                            guilty = Some(fault);
                            break;
                        }
                    }
                }
            };
            observer.before(game, &state, actor, action);
            let sights: [Option<G::Action>; MAX_SEATS] =
                std::array::from_fn(|s| game.seen(&state, action, Seat(s as u8)));
            game.apply(&mut state, action);
            plies += 1;
            guilty = Seat::all(seats).find_map(|seat| {
                let sight = Sight { actor, action: sights[seat.index()]? };
                guarded(seat, || crowd.agent(seat).watch(game, sight)).err()
            });
            crowd.applied(game, &state);
        }

        let (ending, payoffs) = match guilty {
            _ if abandoned => (Ending::Abandoned, Payoffs::default()),
            None => (Ending::Finished, game.payoffs(&state)),
            Some((seat, why)) => (Ending::Forfeit { seat, why }, payoffs_of_forfeit(game, seat)),
        };
        for seat in Seat::all(seats) {
            // The result stands already; an agent that panics now harms only itself.
            let _ = guarded(seat, || crowd.agent(seat).end(game, &payoffs));
        }
        let outcome = Outcome { ending, payoffs, plies };
        observer.over(game, &state, &outcome);
        outcome
    }
}

/// Takes one decision by the clock, with everything that can be done wrong turned into a fault.
fn decide<G: Game>(
    decision: &Decision<'_, G>,
    clock: &mut Clock,
    ask: impl FnOnce() -> Result<G::Action, (Seat, Fault)>,
) -> Result<G::Action, (Seat, Fault)> {
    let started = clock.is_limited().then(Instant::now);
    let action = ask()?;
    if let Some(started) = started {
        clock.spend(started.elapsed());
        if clock.has_fallen() {
            return Err((decision.seat, Fault::Overran));
        }
    }
    if !decision.actions.contains(&action) {
        return Err((decision.seat, Fault::Illegal(format!("{action:?}"))));
    }
    Ok(action)
}

/// Takes one decision while the other seat's agent thinks on a thread of its own. The clock stops before that one does.
fn decide_while_pondering<G: Game>(
    decision: &Decision<'_, G>,
    clock: &mut Clock,
    (mover, ponderer): (&mut dyn Agent<G>, Option<&mut dyn Agent<G>>),
    others_view: &G::View,
    rng: &mut Rng,
) -> Result<G::Action, (Seat, Fault)> {
    let (seat, other) = (decision.seat, decision.seat.other());
    let stop = AtomicBool::new(false);
    let pondering = Pondering { game: decision.game, seat: other, view: others_view, stop: &stop };
    let (answer, fault) = thread::scope(|scope| {
        let aside = ponderer.map(|agent| scope.spawn(|| guarded(other, || agent.ponder(&pondering)).err()));
        let answer = decide(decision, clock, || guarded(seat, || mover.act(decision, rng)));
        stop.store(true, Ordering::Relaxed);
        (answer, aside.and_then(|thread| thread.join().expect("panics are caught on the thread")))
    });
    fault.map_or(answer, Err)
}

/// Calls into an agent; a panic becomes its seat's fault.
pub fn guarded<T>(seat: Seat, call: impl FnOnce() -> T) -> Result<T, (Seat, Fault)> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|cause| {
        let fault = cause
            .downcast::<Fault>()
            .map_or_else(|other| Fault::Panicked(last_words(&*other)), |fault| *fault);
        (seat, fault)
    })
}

fn last_words(cause: &(dyn Any + Send)) -> String {
    if let Some(words) = cause.downcast_ref::<&str>() {
        (*words).to_owned()
    } else if let Some(words) = cause.downcast_ref::<String>() {
        words.clone()
    } else {
        "without a word".to_owned()
    }
}

pub(crate) fn payoffs_of_forfeit<G: Game>(game: &G, guilty: Seat) -> Payoffs {
    let range = game.range();
    Payoffs(BySeat::from_fn(|seat| match seat {
        seat if seat.0 >= game.seats() => 0.0,
        seat if seat == guilty => range.low,
        _ => range.high,
    }))
}
