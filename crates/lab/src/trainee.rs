//! Training and testing a learner: who plays whom, with what randomness, and what is counted.
//!
//! Training match *i* is dealt from `fork(seed, i)`; a test has a seed of its own. Nothing else is random, so a training
//! that is interrupted and resumed gives the same result as one that was not.

mod error;
mod results;

use parlor_core::api::{AnyGame, AnyLearner, AnyTeam};
use parlor_core::play::training::TrainingMatch;
use parlor_core::rng::fork;
use parlor_core::{Cancel, KnowledgeSize, KnowledgeTable, LearningReport, Seat, SelfPlay};

pub use error::TrainingError;
pub use results::Results;

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
    /// Nobody: in place of matches, the learner is asked about positions with known right actions.
    Exercises,
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
            Opponent::Exercises => Opponent::Exercises,
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

/// The word for positions with known right actions, in place of an opponent in tests.
pub const EXERCISES: &str = "exercises";

/// How many matches are played between two looks at the progress, and how many by a learner that plays itself in batches.
const SLICE: u64 = 10;
const SELF_PLAY_SLICE: u64 = 1 << 12;

/// The learner's number in the team, and that of its rival.
const LEARNER: usize = 0;
const RIVAL: usize = 1;

/// What a test is made of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Tester {
    /// Matches against this member of the team.
    Member(usize),
    /// Positions with known right actions.
    Exercises,
}

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
    /// Whether the learner meets itself alone and has a way of its own to do so.
    plays_itself: bool,
    threads: usize,
    /// The team's numbers of all that it is trained against, and of those it is tested against.
    partners: Vec<usize>,
    testers: Vec<Tester>,
    /// Those of the partners that it meets now, by their places in the list.
    met: Vec<usize>,
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
    /// If an agent cannot be seated, `learner` cannot learn, or the game has no exercises and it is to be tested with them.
    ///
    /// # Panics
    /// If an opponent is a rival or a finished learner and the setup has no such learner, or if it is to be trained with exercises.
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
                Opponent::Exercises => panic!("exercises are no opponent"),
                Opponent::Trained { .. } => {
                    let trained = setup.trained.expect("there is a finished learner to meet");
                    payloads.push((specs.len(), trained.payload));
                    trained.spec
                }
            };
            specs.push(spec);
            specs.len() - 1
        };
        let partners: Vec<usize> = setup.partners.iter().map(&mut number).collect();
        let mut tester = |opponent: &Opponent<&'a str>| match opponent {
            Opponent::Exercises => Tester::Exercises,
            opponent => Tester::Member(number(opponent)),
        };
        let testers: Vec<Tester> = setup.testers.iter().map(&mut tester).collect();
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
        if testers.contains(&Tester::Exercises) && team.exercise(LEARNER, seed).is_none() {
            return Err(TrainingError::NoExercises { game: game.name() });
        }
        let (seats, seat) = (game.seats(), setup.seat);
        let met = (0..partners.len()).collect();
        let mut trainee = Trainee {
            team,
            seats,
            seat,
            seed,
            matches: 0,
            has_rival,
            plays_itself: false,
            threads: 1,
            partners,
            testers,
            met,
        };
        trainee.plays_itself = trainee.can_play_itself();
        Ok(trainee)
    }

    /// Returns whether the learner meets itself alone and has a way of its own to do so.
    fn can_play_itself(&mut self) -> bool {
        let itself = self.met.iter().all(|&place| self.partners[place] == LEARNER);
        if self.has_rival || self.seat.is_some() || !itself {
            return false;
        }
        let nothing = SelfPlay { seed: self.seed, first: 0, matches: 0, threads: 1 };
        let learner = self.team.learner(LEARNER);
        learner.is_some_and(|mut learner| learner.self_play(&nothing, &Cancel::new()).is_some())
    }

    /// Lets a learner that plays itself in batches use this number of threads. What it learns does not depend on it.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Trains only against these of the setup's partners from now on, by their places in its list.
    ///
    /// # Panics
    /// If there is no such partner, or none at all.
    pub fn meet_only(&mut self, partners: &[usize]) {
        assert!(!partners.is_empty() && partners.iter().all(|&place| place < self.partners.len()));
        self.met = partners.to_vec();
        self.plays_itself = self.can_play_itself();
    }

    /// Gives the learner other settings; what it knows is saved and loaded again.
    ///
    /// # Errors
    /// If the settings do not fit, or the learner that they describe cannot read what this one has saved.
    pub fn change_settings(&mut self, spec: &str) -> Result<(), TrainingError> {
        let payload = self.save()?;
        self.team.reseat(LEARNER, spec)?;
        if self.team.learner(LEARNER).is_none() {
            return Err(TrainingError::Fixed(spec.to_owned()));
        }
        self.resume(&payload, self.matches)?;
        self.freeze(true);
        self.plays_itself = self.can_play_itself();
        Ok(())
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

    /// Returns the full forms of those it is tested against, `self` for itself, [`EXERCISES`] for exercises.
    #[must_use]
    pub fn testers(&self) -> Vec<String> {
        let name = |tester: &Tester| match *tester {
            Tester::Member(member) => self.name(member),
            Tester::Exercises => EXERCISES.to_owned(),
        };
        self.testers.iter().map(name).collect()
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
        if self.plays_itself {
            let plan = SelfPlay { seed: self.seed, first: self.matches, matches, threads: self.threads };
            let rows = self.learner(|learner| learner.self_play(&plan, stop)).unwrap_or_default();
            for row in rows {
                results.add(&row, self.seat_in(self.matches), self.seats);
                self.matches += 1;
            }
        }
        while self.matches < until && !stop.is_cancelled() {
            let number = self.matches;
            let count = self.met.len() as u64;
            let partner = self.partners[self.met[(number % count) as usize]];
            // Seats change after every partner has been met in one.
            let turn = number / count;
            self.meet(partner, fork(self.seed, number), turn, &mut results);
            self.matches += 1;
        }
        self.freeze(true);
        results
    }

    /// Plays the matches of a test. A raised `stop` ends it early.
    pub fn test(&mut self, test: TestSetup, stop: &Cancel) -> Results {
        let mut results = Results::default();
        for number in (0..test.matches).take_while(|_| !stop.is_cancelled()) {
            let seed = fork(test.seed, number);
            match self.testers[test.tester] {
                Tester::Member(member) => self.meet(member, seed, number, &mut results),
                // A right answer counts as a win.
                Tester::Exercises => match self.team.exercise(LEARNER, seed) {
                    Some(true) => results.matches.wins += 1,
                    _ => results.matches.losses += 1,
                },
            }
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
            let slice = if self.plays_itself { SELF_PLAY_SLICE } else { SLICE };
            trained += self.train(slice.min(matches - trained.matches.total()), stop);
            on_matches(&trained);
        }
        let tests = tests.iter().map(|&test| self.test(test, stop)).collect();
        (!stop.is_cancelled()).then_some((trained, tests))
    }

    /// Returns the learner's seat: both in turn unless it has a fixed one.
    fn seat_in(&self, turn: u64) -> Seat {
        match self.seat {
            _ if self.seats == 1 => Seat::FIRST,
            Some(seat) => seat,
            None => Seat((turn % 2) as u8),
        }
    }

    fn meet(&mut self, other: usize, seed: u64, turn: u64, results: &mut Results) {
        let seat = self.seat_in(turn);
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

    /// Returns how the learning went since this was called last; nothing for an agent that does not learn.
    pub fn report(&mut self) -> LearningReport {
        self.team.learner(LEARNER).map_or_else(LearningReport::default, |mut learner| learner.report())
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
