//! Training and testing a learner: who plays whom, with what randomness, and what is counted.
//!
//! Training match *i* is dealt from `fork(seed, i)`; a test has a seed of its own. Nothing else is random, so a training
//! that is broken off and taken up again goes on as if nothing had happened.

use std::io;
use std::ops::AddAssign;

use parlor_core::api::{AnyGame, AnyLearner, AnyTeam};
use parlor_core::play::training::{TrainingMatch, TrainingRow};
use parlor_core::rng::fork;
use parlor_core::{Cancel, KnowledgeSize, KnowledgeTable, Seat, SpecError, WinDrawLoss};

/// Whom a learner meets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// An agent, seated by its spec.
    Agent(String),
    /// Itself: one learner in both seats. In a solitary game, nobody.
    Itself,
    /// The second learner, which is trained at the same time.
    Rival,
    /// The same learner with nothing in its head.
    Empty,
    /// A learner, by its spec, that knows what is in these bytes and learns nothing more.
    Trained {
        /// Its spec.
        spec: String,
        /// What it knows.
        payload: Vec<u8>,
    },
}

/// Why a learner cannot be trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// Someone cannot be seated.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An agent that does not learn was to be trained.
    #[error("`{0}` does not learn, so it cannot be trained")]
    Fixed(String),
    /// Knowledge that nobody planned to train any further.
    #[error("it says nothing about how it was trained, so its training cannot go on")]
    NoPlan,
    /// Knowledge does not fit its learner.
    #[error("what `{spec}` is to recall does not fit it: {cause}")]
    Knowledge {
        /// Which learner.
        spec: String,
        /// What is wrong.
        #[source]
        cause: io::Error,
    },
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

/// The learner's number in the team, and that of its rival.
const LEARNER: usize = 0;
const RIVAL: usize = 1;

/// A learner with everyone it meets.
pub struct Trainee {
    team: Box<dyn AnyTeam>,
    seats: u8,
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
    /// Against whom the learner is trained, in turn.
    pub partners: &'a [Opponent],
    /// Against whom it is tested.
    pub testers: &'a [Opponent],
}

impl Trainee {
    /// Seats a learner and everyone it meets.
    ///
    /// # Errors
    /// If someone cannot be seated, or the learner is none.
    ///
    /// # Panics
    /// If a rival is to be met and there is none.
    pub fn new(game: &dyn AnyGame, setup: TrainingSetup<'_>, seed: u64) -> Result<Self, TrainingError> {
        let mut specs = vec![setup.learner];
        specs.extend(setup.rival);
        let mut payloads = Vec::new();
        let mut number = |opponent| {
            let spec: &str = match opponent {
                &Opponent::Itself => return LEARNER,
                &Opponent::Rival => {
                    assert!(setup.rival.is_some(), "there is a rival to meet");
                    return RIVAL;
                }
                Opponent::Empty => setup.learner,
                Opponent::Agent(spec) => spec,
                Opponent::Trained { spec, payload } => {
                    payloads.push((specs.len(), payload));
                    spec
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
            learner.load(&mut &payload[..]).map_err(|cause| TrainingError::Knowledge { spec, cause })?;
        }
        // Only the learner and its rival learn; the others are what they are, so that they need not be kept.
        for member in 0..specs.len() {
            if let Some(mut learner) = team.learner(member) {
                learner.freeze(true);
            }
        }
        let has_rival = setup.rival.is_some();
        for (member, spec) in specs.iter().enumerate().take(1 + usize::from(has_rival)) {
            team.learner(member).ok_or_else(|| TrainingError::Fixed((*spec).to_owned()))?;
        }
        Ok(Trainee { team, seats: game.seats(), seed, matches: 0, has_rival, partners, testers })
    }

    /// Returns the learner's full form.
    #[must_use]
    pub fn spec(&self) -> &str {
        self.team.spec(LEARNER)
    }

    /// Returns the full form of whom it is trained against, `self` for itself.
    #[must_use]
    pub fn partners(&self) -> Vec<String> {
        self.partners.iter().map(|&member| self.name(member)).collect()
    }

    /// Returns the full form of a tester, `self` for the learner itself.
    #[must_use]
    pub fn tester(&self, tester: usize) -> String {
        self.name(self.testers[tester])
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

    /// Plays `matches` matches against a tester from which nobody learns.
    pub fn test(&mut self, tester: usize, seed: u64, matches: u64, stop: &Cancel) -> Results {
        let mut results = Results::default();
        let member = self.testers[tester];
        for number in (0..matches).take_while(|_| !stop.is_cancelled()) {
            self.meet(member, fork(seed, number), number, &mut results);
        }
        results
    }

    fn meet(&mut self, other: usize, seed: u64, turn: u64, results: &mut Results) {
        let seat = Seat(if self.seats > 1 { (turn % 2) as u8 } else { 0 });
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
            self.team.learner(member).expect("checked when it was seated").freeze(frozen);
        }
    }

    fn learner<T>(&mut self, ask: impl FnOnce(&mut dyn AnyLearner) -> T) -> T {
        ask(&mut *self.team.learner(LEARNER).expect("checked when it was seated"))
    }

    /// Returns how large the learner's knowledge is.
    pub fn size(&mut self) -> KnowledgeSize {
        self.learner(|learner| learner.size())
    }

    /// Returns what the learner knows, for people.
    pub fn inspect(&mut self, rows: usize) -> Vec<KnowledgeTable> {
        self.learner(|learner| learner.inspect(rows))
    }

    /// Returns what the learner knows, as bytes.
    ///
    /// # Panics
    /// Never: a list of bytes takes everything.
    pub fn save(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.learner(|learner| learner.save(&mut bytes)).expect("a list of bytes takes everything");
        bytes
    }

    /// Goes on from what was saved after `matches` matches of training.
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
