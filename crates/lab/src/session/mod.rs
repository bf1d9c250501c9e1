//! Sessions at a table: people in some seats, agents in others, one match.
//!
//! A session holds the clocks, knows whose turn it is, turns late and misbehaving players into forfeits, saves the game and
//! writes back what learners have learnt. It never waits: an agent's decision is taken out with [`Session::begin_decision`],
//! thought about on any thread, and brought back with [`Session::commit`]; the table can be looked at meanwhile. So a front
//! end (a terminal, a server) needs its own loop, but no rules of its own.

mod clocks;
mod ending;
mod hint;
mod resume;
mod setup;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use parlor_core::api::{AnyGame, AnyTable, AnyThinker, ApiError};
use parlor_core::files::knowledge::Knowledge;
use parlor_core::text::protocol::Clocks;
use parlor_core::{Actor, Cancel, Fault, Forfeit, Phase, Seat, Spec, Thought, TimeControl, TypeOdds};

pub use clocks::TableClocks;
pub use ending::{ended_by_rules, forfeited_by};
pub use hint::{Ask, Found, Hint, HintQuestion, Worth, hint};
pub use resume::PERSON;
pub use setup::{Occupant, SessionError, SessionSetup};

/// Whose turn it is.
#[derive(Clone, PartialEq, Debug)]
pub enum Turn {
    /// A person is to act with [`Session::act`].
    Person(Seat),
    /// An agent is to decide: [`Session::begin_decision`].
    Agent(Seat),
    /// The match is over.
    Over(SessionEnd),
}

/// How a match at a table ended.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionEnd {
    /// By the rules: what everyone got.
    Finished(Vec<f64>),
    /// A player was late or misbehaved.
    Forfeit(Forfeit),
}

/// What came of a decision.
#[derive(Clone, PartialEq, Debug)]
pub enum Decided {
    /// It was carried out: the action's text.
    Moved(String),
    /// It was cancelled; nothing has happened at the table.
    Cancelled,
    /// The agent was late or misbehaved: the match is over.
    Forfeit(Forfeit),
}

/// An agent that was taken from its table to think. Can be sent to any thread.
pub struct Thinking {
    thinker: Box<dyn AnyThinker>,
    clocks: Clocks,
    started: Instant,
}

impl Thinking {
    /// Returns the agent's seat.
    #[must_use]
    pub fn seat(&self) -> Seat {
        self.thinker.seat()
    }

    /// Lets the agent decide by its clock, which has been running since it was taken out. `report` gets its thoughts.
    pub fn decide(&mut self, cancel: &Cancel, report: &mut dyn FnMut(&Thought<String>)) {
        self.thinker.decide(&self.clocks, cancel, report);
    }

    /// Accepts what the agent would play after all, if its decision was cancelled: move now.
    pub fn settle(&mut self) {
        self.thinker.settle();
    }

    /// Lets the agent think on another player's time until cancelled.
    pub fn ponder(&mut self, cancel: &Cancel) {
        self.thinker.ponder(cancel);
    }
}

/// What became of a learner's knowledge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrittenBack {
    /// It is in the file that the learner came from.
    To(PathBuf),
    /// The learner came from no file, so what it has learnt is lost.
    Nowhere,
}

/// A match at a table.
pub struct Session {
    table: Box<dyn AnyTable>,
    seats: Vec<Occupant>,
    /// Who sits where, agents in full.
    names: Vec<String>,
    time: TimeControl,
    clocks: TableClocks,
    /// How long each decision of each seat took, in microseconds.
    spent_us: Vec<Vec<u64>>,
    /// Whether agents think on other seats' time.
    ponder: bool,
    /// Since when the person to move has been thinking.
    since: Option<(Seat, Instant)>,
    forfeit: Option<Forfeit>,
    autosave: Option<PathBuf>,
}

impl Session {
    /// Lays the table and seats everyone.
    ///
    /// # Errors
    /// If the players do not fit the game, or the position is not understood.
    pub fn new(game: &dyn AnyGame, setup: &SessionSetup) -> Result<Session, SessionError> {
        if setup.seats.len() != usize::from(game.seats()) {
            let players = setup.seats.len();
            return Err(SessionError::Seats { game: game.name(), seats: game.seats(), players });
        }
        let mut table = game.table(setup.seed, setup.position.as_deref())?;
        let mut names = Vec::new();
        for (occupant, seat) in setup.seats.iter().zip(Seat::all(game.seats())) {
            names.push(match occupant {
                Occupant::Person(name) => name.clone(),
                Occupant::Agent(spec) => table.seat_agent(seat, spec)?,
            });
        }
        let session = Session {
            table,
            seats: setup.seats.clone(),
            names,
            time: setup.time,
            clocks: TableClocks::new(setup.time, game.seats()),
            spent_us: vec![Vec::new(); setup.seats.len()],
            ponder: setup.ponder,
            since: None,
            forfeit: None,
            autosave: setup.autosave.clone(),
        };
        session.save_as_it_goes()?;
        Ok(session)
    }

    /// Returns the table, to be looked at.
    #[must_use]
    pub fn table(&self) -> &dyn AnyTable {
        &*self.table
    }

    /// Returns whom the agent in `seat` takes its opponent for, by everything that it has seen so far; `None` if no agent sits there or it
    /// does not tell types of opponents apart.
    pub fn opponent_types(&mut self, seat: Seat) -> Option<Vec<TypeOdds>> {
        self.table.opponent_types(seat)
    }

    /// Returns who sits where: a person's name, or an agent's full form.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns who sits where as it was asked for: people or agents.
    #[must_use]
    pub fn seats(&self) -> &[Occupant] {
        &self.seats
    }

    /// Returns whether agents think on other seats' time. The front end lets them: [`Session::begin_pondering`].
    #[must_use]
    pub fn ponder(&self) -> bool {
        self.ponder
    }

    /// Returns the clocks as they stood after the last action.
    #[must_use]
    pub fn clocks(&self) -> &TableClocks {
        &self.clocks
    }

    /// Lets chance act where it is to act, and returns whose turn it is. The clock of a person whose turn it is runs from the
    /// first call on.
    ///
    /// # Errors
    /// If the game cannot be saved, or an agent is thinking.
    pub fn turn(&mut self) -> Result<Turn, SessionError> {
        if let Some(forfeit) = &self.forfeit {
            return Ok(Turn::Over(SessionEnd::Forfeit(forfeit.clone())));
        }
        let mut acted = false;
        while self.table.phase() == Phase::Chance {
            acted |= self.table.chance()?;
        }
        if acted {
            self.save_as_it_goes()?;
        }
        Ok(match self.table.phase() {
            Phase::Decide(seat) => match self.seats[seat.index()] {
                Occupant::Agent(_) => Turn::Agent(seat),
                Occupant::Person(_) => {
                    if self.since.is_none_or(|(whose, _)| whose != seat) {
                        self.since = Some((seat, Instant::now()));
                    }
                    Turn::Person(seat)
                }
            },
            Phase::Chance | Phase::Over => {
                Turn::Over(SessionEnd::Finished(self.table.payoffs().unwrap_or_default()))
            }
        })
    }

    /// Returns when the time of the person to move is over; `None` if it never is.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        let (seat, since) = self.since?;
        since.checked_add(self.clocks.allowance(seat)?)
    }

    /// Ends the match against the person to move if the time is over. Returns the forfeit, if there is one.
    ///
    /// # Errors
    /// If the game cannot be saved.
    pub fn check_clock(&mut self) -> Result<Option<Forfeit>, SessionError> {
        match (self.since, self.deadline()) {
            (Some((seat, _)), Some(at)) if Instant::now() >= at => {
                Ok(Some(self.forfeited(Forfeit { seat, why: Fault::Overran })?))
            }
            _ => Ok(None),
        }
    }

    /// Ends the match as a loss of the person in `seat`, also when it is not their turn.
    ///
    /// # Errors
    /// If the match is over, or the game cannot be saved.
    pub fn resign(&mut self, seat: Seat) -> Result<Forfeit, SessionError> {
        if self.forfeit.is_some() || self.table.phase() == Phase::Over {
            return Err(SessionError::Over);
        }
        self.forfeited(Forfeit { seat, why: Fault::Resigned })
    }

    /// Carries out what a person chooses, and returns the action's exact text. The time that it took comes off the clock; one that
    /// comes too late is a forfeit.
    ///
    /// # Errors
    /// If it is not the seat's turn, the text is no legal action, the match is over, or the game cannot be saved.
    pub fn act(&mut self, seat: Seat, text: &str) -> Result<Decided, SessionError> {
        if self.forfeit.is_some() {
            return Err(SessionError::Over);
        }
        if let Some(forfeit) = self.check_clock()? {
            return Ok(Decided::Forfeit(forfeit));
        }
        let text = self.table.act(seat, text)?;
        self.stop_clock();
        self.save_as_it_goes()?;
        Ok(Decided::Moved(text))
    }

    /// Takes back everything since the person in `seat` last decided, so that it is to decide again. The time stays spent.
    ///
    /// # Errors
    /// If the person has not decided yet, the game hides things, or the game cannot be saved.
    pub fn undo(&mut self, seat: Seat) -> Result<(), SessionError> {
        let own = Actor::Seat(seat);
        if !self.table.sights(seat).iter().any(|(actor, _)| *actor == own) {
            // What the other seat opened with stays on the table.
            return Err(SessionError::NothingToUndo);
        }
        while self.table.undo()? {
            if self.table.phase() == Phase::Decide(seat) {
                break;
            }
        }
        self.forfeit = None;
        self.stop_clock();
        self.save_as_it_goes()
    }

    /// Takes the agent to move from the table so that it can decide. Its clock runs from now on; the table can be looked at
    /// meanwhile.
    ///
    /// # Errors
    /// If it is not the turn of an agent, or that is thinking already.
    pub fn begin_decision(&mut self) -> Result<Thinking, SessionError> {
        match self.turn()? {
            Turn::Agent(seat) => self.thinking(seat),
            Turn::Person(seat) => Err(ApiError::EmptySeat { seat }.into()),
            Turn::Over(_) => Err(SessionError::Over),
        }
    }

    /// Takes an agent from the table so that it can think on another player's time; `None` if no agent sits there.
    /// [`commit`](Session::commit) brings it back before anything else happens at the table.
    ///
    /// # Errors
    /// If it is thinking already.
    pub fn begin_pondering(&mut self, seat: Seat) -> Result<Option<Thinking>, SessionError> {
        match self.seats.get(seat.index()) {
            Some(Occupant::Agent(_)) => self.thinking(seat).map(Some),
            _ => Ok(None),
        }
    }

    fn thinking(&mut self, seat: Seat) -> Result<Thinking, SessionError> {
        let started = Instant::now();
        let thinker = self.table.thinker(seat)?;
        Ok(Thinking { thinker, clocks: self.clocks.seen_by(seat), started })
    }

    /// Brings an agent back and carries out what it has decided. An agent that only pondered has decided nothing; if it failed
    /// meanwhile, it is asked next and forfeits then.
    ///
    /// # Errors
    /// If the agent is of another table, or the game cannot be saved.
    pub fn commit(&mut self, thinking: Thinking) -> Result<Decided, SessionError> {
        let Thinking { thinker, started, .. } = thinking;
        let seat = thinker.seat();
        let is_mover = self.table.phase() == Phase::Decide(seat);
        match self.table.commit(thinker) {
            Ok(None) => Ok(Decided::Cancelled),
            Ok(Some(text)) => {
                // A match that has ended by the rules has ended.
                if self.spend(seat, started.elapsed()) || self.table.phase() == Phase::Over {
                    self.save_as_it_goes()?;
                    return Ok(Decided::Moved(text));
                }
                self.forfeited(Forfeit { seat, why: Fault::Overran }).map(Decided::Forfeit)
            }
            Err(ApiError::Forfeit(forfeit)) if is_mover => self.forfeited(forfeit).map(Decided::Forfeit),
            Err(ApiError::Forfeit(_)) => Ok(Decided::Cancelled),
            Err(other) => Err(other.into()),
        }
    }

    fn forfeited(&mut self, forfeit: Forfeit) -> Result<Forfeit, SessionError> {
        self.table.forfeit(forfeit.seat, forfeit.why.clone());
        self.forfeit = Some(forfeit.clone());
        self.since = None;
        self.save_as_it_goes()?;
        Ok(forfeit)
    }

    fn stop_clock(&mut self) {
        if let Some((seat, since)) = self.since.take() {
            // In time, or it would have been a forfeit.
            self.spend(seat, since.elapsed());
        }
    }

    /// Takes a decision's time off a clock. Returns `false` if its flag has fallen.
    fn spend(&mut self, seat: Seat, elapsed: Duration) -> bool {
        self.spent_us[seat.index()].push(elapsed.as_micros() as u64);
        self.clocks.spend(seat, elapsed)
    }

    /// Writes what the agent in `seat` has learnt back to the file that it came from; `None` if it is no learner, or its learning
    /// is off.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_back(&mut self, seat: Seat) -> Result<Option<WrittenBack>, SessionError> {
        let Some(learner) = self.table.learner(seat).filter(|learner| !learner.is_frozen()) else {
            return Ok(None);
        };
        let mut payload = Vec::new();
        learner.save(&mut payload).expect("a list of bytes takes everything");
        drop(learner);
        let spec = Spec::parse(&self.names[seat.index()])?;
        let file = spec.pairs.iter().find(|(key, _)| key == "file").map(|(_, file)| PathBuf::from(file));
        let Some((path, knowledge)) =
            file.and_then(|path| Knowledge::open(&path).ok().map(|known| (path, known)))
        else {
            return Ok(Some(WrittenBack::Nowhere));
        };
        Knowledge { payload, ..knowledge }
            .write(&path)
            .map_err(|cause| SessionError::Write { path: path.clone(), cause })?;
        Ok(Some(WrittenBack::To(path)))
    }
}
