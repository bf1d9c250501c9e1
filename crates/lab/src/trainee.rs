//! Training and testing a learner: who plays whom, with what randomness, and what is counted.
//!
//! Training match *i* is dealt from `fork(seed, i)`; a test has a seed of its own. Nothing else is random, so a training
//! that is interrupted and resumed gives the same result as one that was not.

use std::io;
use std::ops::AddAssign;

use parlor_core::api::{AnyGame, AnyLearner, AnyTeam};
use parlor_core::play::training::{TrainingMatch, TrainingRow};
use parlor_core::rng::fork;
use parlor_core::{Cancel, KnowledgeSize, KnowledgeTable, Seat, SpecError, WinDrawLoss};

/// Whom a learner meets, in training or in a test. `S` is how a spec is held: a text, or a text with its place in a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Opponent<S> {
    /// An agent, by its spec.
    Agent(S),
    /// Itself: one learner in both seats, which learns from both. In a solitary game, no one else plays.
    Itself,
    /// The second learner, which is trained at the same time.
    Rival,
    /// The same learner without any knowledge.
    Empty,
    /// The finished learner of another arm of the experiment, same number of training, which learns no more.
    Trained {
        /// The arm's place in the list.
        arm: usize,
    },
}

impl<S> Opponent<S> {
    /// Returns the spec, if it is an agent.
    pub fn agent(&self) -> Option<&S> {
        match self {
            Opponent::Agent(spec) => Some(spec),
            _ => None,
        }
    }

    /// Returns the same opponent with its spec as `text` gives it.
    pub fn map<'s, T>(&'s self, text: impl FnOnce(&'s S) -> T) -> Opponent<T> {
        match self {
            Opponent::Agent(spec) => Opponent::Agent(text(spec)),
            Opponent::Itself => Opponent::Itself,
            Opponent::Rival => Opponent::Rival,
            Opponent::Empty => Opponent::Empty,
            Opponent::Trained { arm } => Opponent::Trained { arm: *arm },
        }
    }
}

/// A learner that has finished its training.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FinishedLearner<'a> {
    /// Its spec.
    pub spec: &'a str,
    /// What it knows.
    pub payload: &'a [u8],
}

/// A test: its matches teach nothing.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TestSetup {
    /// The tester's place in the list.
    pub tester: usize,
    /// Match *i* is dealt from `fork(seed, i)`.
    pub seed: u64,
    /// How many matches it has.
    pub matches: u64,
}

/// Why a learner cannot be trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// An agent cannot be seated.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent that does not learn was to be trained.
    #[error("`{0}` does not learn, so it cannot be trained")]
    Fixed(String),
    /// An agent that does not learn was to be trained, but there are others.
    #[error("`{name}` does not learn{}", at_this_game(.game, .learners))]
    DoesNotLearn {
        /// The agent's name.
        name: String,
        /// The game.
        game: &'static str,
        /// The agents that learn it.
        learners: Vec<&'static str>,
    },
    /// Knowledge without a plan for further training.
    #[error("it says nothing about how it was trained, so its training cannot go on")]
    NoPlan,
    /// Knowledge could not be written to the learner's store.
    #[error("`{spec}` could not keep what it has learnt")]
    Store {
        /// Which learner.
        spec: String,
        /// What is wrong.
        #[source]
        cause: io::Error,
    },
    /// Knowledge does not fit its learner.
    #[error("saved knowledge does not match the learner `{spec}`")]
    Knowledge {
        /// Which learner.
        spec: String,
        /// What is wrong.
        #[source]
        cause: io::Error,
    },
}

fn at_this_game(game: &str, learners: &[&str]) -> String {
    match learners {
        [] => format!(", and at {game} no agent does"),
        _ => format!("; at {game} these do: {}", learners.join(", ")),
    }
}

/// Counts from the learner's side.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// The matches.
    pub matches: WinDrawLoss,
    /// Stages played.
    pub stages: u64,
    /// Stages won.
    pub stages_won: u64,
    /// Stages lost.
    pub stages_lost: u64,
    /// Points of the learner.
    pub points: f64,
    /// Points of its opponents.
    pub points_other: f64,
    /// Matches that the learner forfeited.
    pub forfeits: u64,
}

impl Results {
    /// Adds a match in which the learner had `seat`; in a solitary game a win is the highest payoff.
    fn add(&mut self, row: &TrainingRow, seat: Seat, seats: u8) {
        let other = seat.other();
        let (own, others) = match seats {
            1 => (f64::from(row.stages_won[seat]), 0.5),
            _ => (row.payoffs[seat], row.payoffs[other]),
        };
        self.matches.add(own.total_cmp(&others));
        self.stages += u64::from(row.stages);
        self.stages_won += u64::from(row.stages_won[seat]);
        self.stages_lost += u64::from(row.stages_won[other]);
        self.points += row.scores[seat];
        self.points_other += row.scores[other];
        self.forfeits += u64::from(row.forfeit == Some(seat));
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, more: Results) {
        self.matches += more.matches;
        self.stages += more.stages;
        self.stages_won += more.stages_won;
        self.stages_lost += more.stages_lost;
        self.points += more.points;
        self.points_other += more.points_other;
        self.forfeits += more.forfeits;
    }
}

/// How many matches are played between two looks at the progress.
const SLICE: u64 = 10;

/// The learner's number in the team, and that of its rival.
const LEARNER: usize = 0;
const RIVAL: usize = 1;

/// A learner with everyone it meets.
pub struct Trainee {
    team: Box<dyn AnyTeam>,
    seats: u8,
    /// Which seat the learner has; `None` for both in turn.
    seat: Option<Seat>,
    seed: u64,
    /// How many matches it has been trained for.
    matches: u64,
    has_rival: bool,
    /// The team's numbers of those it is trained against, and of those it is tested against.
    partners: Vec<usize>,
    testers: Vec<usize>,
}

/// Who is to meet whom.
#[derive(Copy, Clone, Debug)]
pub struct TrainingSetup<'a> {
    /// The learner's spec.
    pub learner: &'a str,
    /// The spec of a second learner that is trained at the same time.
    pub rival: Option<&'a str>,
    /// Who is met as [`Opponent::Trained`].
    pub trained: Option<FinishedLearner<'a>>,
    /// Against whom the learner is trained, in turn.
    pub partners: &'a [Opponent<&'a str>],
    /// Against whom it is tested.
    pub testers: &'a [Opponent<&'a str>],
    /// Which seat it has; `None` for both in turn.
    pub seat: Option<Seat>,
    /// Whether an agent that does not learn may take the learner's place, to be compared with learners.
    pub may_be_fixed: bool,
}

impl Trainee {
    /// Seats a learner and everyone it meets.
    ///
    /// # Errors
    /// If an agent cannot be seated, or `learner` cannot learn.
    ///
    /// # Panics
    /// If an opponent is a rival or a finished learner and the setup has no such learner.
    pub fn new<'a>(game: &dyn AnyGame, setup: TrainingSetup<'a>, seed: u64) -> Result<Self, TrainingError> {
        let mut specs = vec![setup.learner];
        specs.extend(setup.rival);
        let mut payloads = Vec::new();
        let mut number = |opponent: &Opponent<&'a str>| {
            let spec: &str = match opponent {
                &Opponent::Itself => return LEARNER,
                &Opponent::Rival => {
                    assert!(setup.rival.is_some(), "there is a rival to meet");
                    return RIVAL;
                }
                Opponent::Empty => setup.learner,
                Opponent::Agent(spec) => spec,
                Opponent::Trained { .. } => {
                    let trained = setup.trained.expect("there is a finished learner to meet");
                    payloads.push((specs.len(), trained.payload));
                    trained.spec
                }
            };
            specs.push(spec);
            specs.len() - 1
        };
        let partners = setup.partners.iter().map(&mut number).collect();
        let testers = setup.testers.iter().map(&mut number).collect();
        let mut team = game.team(&specs)?;
        for (member, payload) in payloads {
            let mut learner =
                team.learner(member).ok_or_else(|| TrainingError::Fixed(specs[member].to_owned()))?;
            let spec = specs[member].to_owned();
            let mut payload = payload;
            learner.load(&mut payload).map_err(|cause| TrainingError::Knowledge { spec, cause })?;
        }
        // Only the learner and its rival learn; the others are what they are, so that they need not be kept.
        for member in 0..specs.len() {
            if let Some(mut learner) = team.learner(member) {
                learner.freeze(true);
            }
        }
        let has_rival = setup.rival.is_some();
        let must_learn = usize::from(setup.may_be_fixed)..1 + usize::from(has_rival);
        for (member, spec) in must_learn.map(|member| (member, specs[member])) {
            team.learner(member).ok_or_else(|| TrainingError::Fixed(spec.to_owned()))?;
        }
        let (seats, seat) = (game.seats(), setup.seat);
        Ok(Trainee { team, seats, seat, seed, matches: 0, has_rival, partners, testers })
    }

    /// Returns the learner's full form.
    #[must_use]
    pub fn spec(&self) -> &str {
        self.team.spec(LEARNER)
    }

    /// Returns the full forms of those it is trained against, `self` for itself.
    #[must_use]
    pub fn partners(&self) -> Vec<String> {
        self.partners.iter().map(|&member| self.name(member)).collect()
    }

    /// Returns the full forms of those it is tested against, `self` for itself.
    #[must_use]
    pub fn testers(&self) -> Vec<String> {
        self.testers.iter().map(|&member| self.name(member)).collect()
    }

    fn name(&self, member: usize) -> String {
        if member == LEARNER { "self".to_owned() } else { self.team.spec(member).to_owned() }
    }

    /// Returns how many matches it has been trained for.
    #[must_use]
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Plays `matches` more matches from which the learner, and its rival if there is one, learn. A raised `stop` ends it
    /// after a whole number of matches.
    pub fn train(&mut self, matches: u64, stop: &Cancel) -> Results {
        self.freeze(false);
        let mut results = Results::default();
        let until = self.matches + matches;
        while self.matches < until && !stop.is_cancelled() {
            let number = self.matches;
            let partner = self.partners[(number % self.partners.len() as u64) as usize];
            // Seats change after every partner has been met in one.
            let turn = number / self.partners.len() as u64;
            self.meet(partner, fork(self.seed, number), turn, &mut results);
            self.matches += 1;
        }
        self.freeze(true);
        results
    }

    /// Plays the matches of a test. A raised `stop` ends it early.
    pub fn test(&mut self, test: TestSetup, stop: &Cancel) -> Results {
        let mut results = Results::default();
        let member = self.testers[test.tester];
        for number in (0..test.matches).take_while(|_| !stop.is_cancelled()) {
            self.meet(member, fork(test.seed, number), number, &mut results);
        }
        results
    }

    /// Plays `matches` more matches of training and then the tests; returns how both went. `on_matches` gets the training so
    /// far now and then. `None` if a raised `stop` broke it off.
    pub fn train_and_test(
        &mut self,
        matches: u64,
        tests: &[TestSetup],
        stop: &Cancel,
        mut on_matches: impl FnMut(&Results),
    ) -> Option<(Results, Vec<Results>)> {
        let mut trained = Results::default();
        while trained.matches.total() < matches && !stop.is_cancelled() {
            trained += self.train(SLICE.min(matches - trained.matches.total()), stop);
            on_matches(&trained);
        }
        let tests = tests.iter().map(|&test| self.test(test, stop)).collect();
        (!stop.is_cancelled()).then_some((trained, tests))
    }

    fn meet(&mut self, other: usize, seed: u64, turn: u64, results: &mut Results) {
        let seat = match self.seat {
            _ if self.seats == 1 => Seat::FIRST,
            Some(seat) => seat,
            None => Seat((turn % 2) as u8),
        };
        let seating = match seat {
            Seat::FIRST => [LEARNER, other],
            _ => [other, LEARNER],
        };
        let seating = &seating[..usize::from(self.seats)];
        let row = self.team.train_match(&TrainingMatch { seating, chance: seed, agent_seed: fork(seed, 1) });
        results.add(&row, seat, self.seats);
    }

    fn freeze(&mut self, frozen: bool) {
        for member in 0..1 + usize::from(self.has_rival) {
            if let Some(mut learner) = self.team.learner(member) {
                learner.freeze(frozen);
            }
        }
    }

    fn learner<T>(&mut self, ask: impl FnOnce(&mut dyn AnyLearner) -> T) -> T {
        ask(&mut *self.team.learner(LEARNER).expect("checked when it was seated"))
    }

    /// Returns how large the learner's knowledge is; that of an agent that does not learn is empty.
    pub fn size(&mut self) -> KnowledgeSize {
        self.team.learner(LEARNER).map_or_else(KnowledgeSize::default, |learner| learner.size())
    }

    /// Returns what the learner knows, for people.
    pub fn inspect(&mut self, rows: usize) -> Vec<KnowledgeTable> {
        self.learner(|learner| learner.inspect(rows))
    }

    /// Returns what the learner knows, as bytes.
    ///
    /// # Errors
    /// If a learner that keeps its knowledge in a store cannot write it.
    pub fn save(&mut self) -> Result<Vec<u8>, TrainingError> {
        let mut bytes = Vec::new();
        let spec = self.spec().to_owned();
        self.learner(|learner| learner.save(&mut bytes))
            .map_err(|cause| TrainingError::Store { spec, cause })?;
        Ok(bytes)
    }

    /// Resumes from the knowledge after `matches` matches of training.
    ///
    /// # Errors
    /// If the bytes do not fit this learner.
    pub fn resume(&mut self, payload: &[u8], matches: u64) -> Result<(), TrainingError> {
        let spec = self.spec().to_owned();
        self.learner(|learner| learner.load(&mut &payload[..]))
            .map_err(|cause| TrainingError::Knowledge { spec, cause })?;
        self.matches = matches;
        Ok(())
    }
}
