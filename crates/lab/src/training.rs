//! One training with a plan: rounds of matches, a test after each, and a file from which an interrupted training resumes.

use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Knowledge, Milestone};
use parlor_core::rng::{GENERATOR, fork};
use parlor_core::{Cancel, Key, KnowledgeSize, Spec, SpecError};

use crate::trainee::{Opponent, Results, TestSetup, Trainee, TrainingError, TrainingSetup};

/// The word for a learner that is trained against itself.
pub const ITSELF: &str = "self";

/// What is to be trained, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The learner's spec.
    pub learner: String,
    /// Whom it is trained against, in turn: specs, or [`ITSELF`].
    pub against: Vec<String>,
    /// How many rounds.
    pub rounds: u64,
    /// How many matches a round has.
    pub round: u64,
    /// Whom it is tested against after each round: specs.
    pub testers: Vec<String>,
    /// How many matches each test has.
    pub test_matches: u64,
    /// Equal seeds give equal knowledge.
    pub seed: u64,
    /// The most memory that its knowledge may take, in MiB, unless the learner's spec says so.
    pub memory_mb: u64,
}

/// What a round brought.
#[derive(Clone, PartialEq, Debug)]
pub struct Round {
    /// Its number, from 1.
    pub number: u64,
    /// How the learner did while it learnt.
    pub trained: Results,
    /// How it did in each test.
    pub tests: Vec<Results>,
    /// How large its knowledge is.
    pub size: KnowledgeSize,
}

/// A training in progress.
pub struct Training {
    about: About,
    trainee: Trainee,
}

/// How often the matches before a test double in the first round, where most is learnt.
const EARLY_DOUBLINGS: u32 = 10;

/// Returns after how many matches of the first round there is a test too: before the first match, and then twice as late each time.
fn early_tests(round: u64) -> impl Iterator<Item = u64> {
    let doubling = (1..=EARLY_DOUBLINGS).rev().map(move |halvings| round >> halvings);
    std::iter::once(0).chain(doubling.filter(|&matches| matches > 0))
}

/// Tests draw from another branch than training matches, which are numbered from 0.
const TESTS: u64 = u64::MAX;

impl Training {
    /// Begins a training.
    ///
    /// # Errors
    /// If an agent cannot be seated, or `learner` cannot learn.
    pub fn start(game: &dyn AnyGame, request: &Request) -> Result<Training, TrainingError> {
        let mut about = About::new(game.spec(), String::new(), request.seed);
        (about.rounds, about.round) = (request.rounds, request.round);
        about.test_matches = request.test_matches;
        let learner = within_memory(game, &request.learner, request.memory_mb)?;
        let trainee = seat(game, &learner, &request.against, &request.testers, request.seed)?;
        about.learner = without_use(trainee.spec())?;
        about.against = trainee.partners();
        about.testers = trainee.testers();
        Ok(Training { about, trainee })
    }

    /// Resumes an interrupted training.
    ///
    /// # Errors
    /// If the knowledge does not fit its own description: it was made by another version of this program.
    pub fn resume(game: &dyn AnyGame, knowledge: Knowledge) -> Result<Training, TrainingError> {
        let Knowledge { about, payload } = knowledge;
        if about.against.is_empty() || about.round == 0 {
            return Err(TrainingError::NoPlan);
        }
        let mut trainee = seat(game, &about.learner, &about.against, &about.testers, about.seed)?;
        trainee.resume(&payload, about.matches)?;
        Ok(Training { about, trainee })
    }

    /// Restores the saved knowledge: after an interrupted round, the learner knows more than the file.
    ///
    /// # Errors
    /// If the knowledge is of another learner.
    pub fn go_back(&mut self, knowledge: Knowledge) -> Result<(), TrainingError> {
        self.trainee.resume(&knowledge.payload, knowledge.about.matches)?;
        self.about = knowledge.about;
        Ok(())
    }

    /// Returns what is known about the training so far.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Returns whether there is another round to play.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.about.is_unfinished()
    }

    /// Plays the next round and its tests, and calls `on_matches` with the results so far now and then. `None` if a raised
    /// `stop` broke it off: then only what was known after the round before counts.
    pub fn round(&mut self, stop: &Cancel, mut on_matches: impl FnMut(&Results)) -> Option<Round> {
        let number = self.about.matches / self.about.round + 1;
        let mut trained = Results::default();
        let mut early = Vec::new();
        let mut tests = Vec::new();
        let round = self.about.round;
        let early_tests: Vec<u64> = if number == 1 { early_tests(round).collect() } else { Vec::new() };
        for until in early_tests.into_iter().chain([round]) {
            let whole = until == round;
            let setups = if whole { self.tests([number, 0]) } else { self.tests([0, early.len() as u64]) };
            let before = trained;
            let more = until - before.matches.total();
            let (results, tested) = self.trainee.train_and_test(more, &setups, stop, |results| {
                trained = before;
                trained += *results;
                on_matches(&trained);
            })?;
            trained = before;
            trained += results;
            if !whole {
                early.extend(self.milestones(until, &tested));
            }
            tests = tested;
        }
        let size = self.trainee.size();
        self.about.early.extend(early);
        self.about.matches += round;
        self.about.trained.push(trained.matches);
        let milestones = self.milestones(self.about.matches, &tests);
        self.about.curve.extend(milestones);
        Some(Round { number, trained, tests, size })
    }

    /// Returns the tests against each tester; which test it is decides what is dealt.
    fn tests(&self, [round, test]: [u64; 2]) -> Vec<TestSetup> {
        let seed = fork(fork(self.about.seed, TESTS), round);
        let matches = self.about.test_matches;
        let testers = 0..self.about.testers.len();
        testers.map(|tester| TestSetup { tester, seed: fork(seed, test + tester as u64), matches }).collect()
    }

    /// Returns the test results after this number of matches.
    fn milestones(&mut self, matches: u64, tests: &[Results]) -> Vec<Milestone> {
        let entries = self.trainee.size().entries;
        let testers = self.about.testers.iter().zip(tests);
        testers
            .map(|(against, test)| Milestone {
                matches,
                against: against.clone(),
                results: test.matches,
                entries,
            })
            .collect()
    }

    /// Returns what the learner knows, as a file. Meaningful between rounds.
    ///
    /// # Errors
    /// If a learner that keeps its knowledge in a store cannot write it.
    pub fn knowledge(&mut self) -> Result<Knowledge, TrainingError> {
        Ok(Knowledge { about: self.about.clone(), payload: self.trainee.save()? })
    }

    /// Returns the learner.
    pub fn trainee(&mut self) -> &mut Trainee {
        &mut self.trainee
    }

    /// Returns whether this program draws the same numbers as the one that wrote the file.
    #[must_use]
    pub fn same_generator(about: &About) -> bool {
        about.rng == GENERATOR
    }
}

fn seat(
    game: &dyn AnyGame,
    learner: &str,
    against: &[String],
    testers: &[String],
    seed: u64,
) -> Result<Trainee, TrainingError> {
    fn opponents(specs: &[String]) -> Vec<Opponent<&str>> {
        let all = specs.iter().map(String::as_str);
        all.map(|spec| if spec == ITSELF { Opponent::Itself } else { Opponent::Agent(spec) }).collect()
    }
    let (partners, testers) = (opponents(against), opponents(testers));
    let setup = TrainingSetup {
        learner,
        rival: None,
        trained: None,
        partners: &partners,
        testers: &testers,
        seat: None,
        may_be_fixed: false,
    };
    Trainee::new(game, setup, seed)
}

/// Returns a learner's spec without what says how it was used: where it came from is gone when the file is read.
pub(crate) fn without_use(spec: &str) -> Result<String, SpecError> {
    let mut spec = Spec::parse(spec)?;
    spec.pairs.retain(|(key, _)| !["file", "checksum", "learning", "recall"].contains(&key.as_str()));
    Ok(spec.to_string())
}

/// The key that limits a learner's memory.
const MEMORY: &str = "memory_mb";

/// Returns a learner's spec with a limit of memory, unless it has one or cannot have one.
fn within_memory(game: &dyn AnyGame, learner: &str, memory_mb: u64) -> Result<String, SpecError> {
    let mut spec = Spec::parse(learner)?;
    let agents = game.agents();
    let known = agents.iter().find(|agent| agent.name == spec.name);
    let keys: &'static [Key] = known.map_or(&[], |agent| agent.keys);
    // A file has its own limit.
    let has_own =
        spec.with_new_keys(keys).pairs.iter().any(|(key, _)| [MEMORY, "file"].contains(&key.as_str()));
    if !has_own && keys.iter().any(|key| key.name == MEMORY) {
        spec.pairs.push((MEMORY.to_owned(), memory_mb.to_string()));
    }
    Ok(spec.to_string())
}

/// Returns a learner's spec without its limit of memory.
pub(crate) fn without_memory(spec: &str) -> String {
    let Ok(mut parsed) = Spec::parse(spec) else { return spec.to_owned() };
    parsed.pairs.retain(|(key, _)| key != MEMORY);
    parsed.to_string()
}
