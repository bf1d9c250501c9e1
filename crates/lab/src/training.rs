//! One training with a plan: stages of rounds of matches, a test after each round, and a file from which an interrupted training resumes.

use std::collections::BTreeMap;

use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Knowledge, Milestone, RegretMilestone, Stage};
use parlor_core::rng::{GENERATOR, fork};
use parlor_core::{Cancel, Key, KnowledgeSize, LearningReport, Resources, Spec, SpecError};

use crate::regret::Judges;
use crate::stages::with_settings;
use crate::trainee::{EXERCISES, Opponent, Results, TestSetup, Trainee, TrainingError, TrainingSetup};

/// The word for a learner that is trained against itself.
pub const ITSELF: &str = "self";

/// What is to be trained, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The learner's spec.
    pub learner: String,
    /// The stages of the training, at least one; whom it is trained against are specs, or [`ITSELF`].
    pub stages: Vec<Stage>,
    /// After how many rounds of the last stage without a new best score it ends; `None` for never.
    pub patience: Option<u64>,
    /// In how many deals it is compared with perfect play on its way; 0 for no comparison.
    pub regret_deals: u64,
    /// Whom it is tested against after each round: specs.
    pub testers: Vec<String>,
    /// How many matches each test has.
    pub test_matches: u64,
    /// Equal seeds give equal knowledge.
    pub seed: u64,
    /// The most memory that its knowledge may take, in MiB, unless the learner's spec says so.
    pub memory_mb: u64,
}

impl Request {
    /// Returns a request without tests and without a limit of patience: `rounds` rounds of `round` matches against one opponent.
    #[must_use]
    pub fn plain(learner: &str, against: &str, [rounds, round]: [u64; 2], seed: u64) -> Request {
        let stage = Stage { rounds, round, against: vec![against.to_owned()], settings: BTreeMap::new() };
        Request {
            learner: learner.to_owned(),
            stages: vec![stage],
            patience: None,
            regret_deals: 0,
            testers: Vec::new(),
            test_matches: 0,
            seed,
            memory_mb: DEFAULT_MEMORY_MB,
        }
    }
}

/// The most memory for what a learner knows, in MiB, unless a request says otherwise.
pub const DEFAULT_MEMORY_MB: u64 = 256;

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
    /// How the learning went.
    pub report: LearningReport,
}

/// A training in progress.
pub struct Training {
    about: About,
    trainee: Trainee,
    /// The settings that the stage has instead of the learner's own.
    settings: BTreeMap<String, String>,
    /// Those who compare it with perfect play.
    judges: Option<Judges>,
}

/// How often the matches before a test double in the first round, where most is learnt.
const EARLY_DOUBLINGS: u32 = 10;

/// Returns after how many matches of the first round there is a test too: before the first match, and then twice as late each time.
fn early_tests(round: u64) -> impl Iterator<Item = u64> {
    let doubling = (1..=EARLY_DOUBLINGS).rev().map(move |halvings| round >> halvings);
    std::iter::once(0).chain(doubling.filter(|&matches| matches > 0))
}

/// The comparison with perfect play draws from a branch of its own.
pub(crate) const JUDGING: u64 = u64::MAX - 2;
/// Whom the learner meets while its decisions are judged.
pub(crate) const JUDGED_AGAINST: &str = "random";
/// The memory of each thread's solver in the comparison, in MiB. Values do not depend on it.
pub(crate) const JUDGING_MEMORY_MB: usize = 64;

/// Tests draw from another branch than training matches, which are numbered from 0.
const TESTS: u64 = u64::MAX;

impl Training {
    /// Begins a training.
    ///
    /// # Errors
    /// If an agent cannot be seated, `learner` cannot learn, or it has no such settings as a stage gives it.
    pub fn start(game: &dyn AnyGame, request: &Request) -> Result<Training, TrainingError> {
        let mut about = About::new(game.spec(), String::new(), request.seed);
        about.test_matches = request.test_matches;
        about.patience = request.patience;
        about.regret_deals = request.regret_deals;
        let learner = within_memory(game, &request.learner, request.memory_mb)?;
        let mut against: Vec<String> = Vec::new();
        for agent in request.stages.iter().flat_map(|stage| &stage.against) {
            // One stage meets them as often as it names them.
            if request.stages.len() == 1 || !against.contains(agent) {
                against.push(agent.clone());
            }
        }
        let trainee = seat(game, &learner, &against, &request.testers, request.seed)?;
        about.learner = without_use(trainee.spec())?;
        about.against = trainee.partners();
        about.testers = trainee.testers();
        about.rounds = request.stages.iter().fold(0, |sum: u64, stage| sum.saturating_add(stage.rounds));
        match &request.stages[..] {
            [stage] if stage.settings.is_empty() => about.round = stage.round,
            stages => {
                let full = |agent: &String| {
                    let place = against.iter().position(|known| known == agent);
                    place.map_or_else(|| agent.clone(), |place| about.against[place].clone())
                };
                let full = |stage: &Stage| Stage {
                    against: stage.against.iter().map(full).collect(),
                    ..stage.clone()
                };
                let stages: Vec<Stage> = stages.iter().map(full).collect();
                for stage in &stages {
                    must_fit(game, &about.learner, stage)?;
                }
                about.stages = stages;
            }
        }
        Training::with_judges(game, about, trainee)
    }

    fn with_judges(game: &dyn AnyGame, about: About, trainee: Trainee) -> Result<Training, TrainingError> {
        let judges = (about.regret_deals > 0).then(|| {
            let means = Resources { threads: 1, memory_mb: JUDGING_MEMORY_MB };
            Judges::new(game, [&about.learner, JUDGED_AGAINST], 1, &means)
        });
        let judges = judges.transpose().map_err(TrainingError::Regret)?;
        Ok(Training { about, trainee, settings: BTreeMap::new(), judges })
    }

    /// Resumes an interrupted training.
    ///
    /// # Errors
    /// If the knowledge does not fit its own description: it was made by another version of this program.
    pub fn resume(game: &dyn AnyGame, knowledge: Knowledge) -> Result<Training, TrainingError> {
        let Knowledge { about, payload } = knowledge;
        if about.against.is_empty() || about.plan().iter().any(|stage| stage.round == 0) {
            return Err(TrainingError::NoPlan);
        }
        let mut trainee = seat(game, &about.learner, &about.against, &about.testers, about.seed)?;
        trainee.resume(&payload, about.matches)?;
        Training::with_judges(game, about, trainee)
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
    ///
    /// # Errors
    /// If the learner cannot go on with the settings of the round's stage.
    pub fn round(
        &mut self,
        stop: &Cancel,
        mut on_matches: impl FnMut(&Results),
    ) -> Result<Option<Round>, TrainingError> {
        let (done, stage) = self.about.progress();
        let round = self.enter(stage)?;
        let number = done + 1;
        let mut regrets = Vec::new();
        if number == 1 {
            regrets.push(self.compare(0, stop)?);
        }
        let mut trained = Results::default();
        let mut early = Vec::new();
        let mut tests = Vec::new();
        let early_tests: Vec<u64> = if number == 1 { early_tests(round).collect() } else { Vec::new() };
        for until in early_tests.into_iter().chain([round]) {
            let whole = until == round;
            let setups = if whole { self.tests([number, 0]) } else { self.tests([0, early.len() as u64]) };
            let before = trained;
            let more = until - before.matches.total();
            let played = self.trainee.train_and_test(more, &setups, stop, |results| {
                trained = before;
                trained += *results;
                on_matches(&trained);
            });
            let Some((results, tested)) = played else { return Ok(None) };
            trained = before;
            trained += results;
            if !whole {
                early.extend(self.milestones(until, &tested));
            }
            tests = tested;
        }
        let (size, report) = (self.trainee.size(), self.trainee.report());
        if number.is_power_of_two() || number == self.about.rounds {
            regrets.push(self.compare(self.about.matches + round, stop)?);
        }
        if stop.is_cancelled() {
            return Ok(None);
        }
        self.about.regret.extend(regrets.into_iter().flatten());
        // A training that an older program began has no reports, and gets none.
        if !report.is_empty() && self.about.reports.len() as u64 == done {
            self.about.reports.push(report);
        }
        self.about.early.extend(early);
        self.about.matches += round;
        self.about.trained.push(trained.matches);
        let milestones = self.milestones(self.about.matches, &tests);
        self.about.curve.extend(milestones);
        Ok(Some(Round { number, trained, tests, size, report }))
    }

    /// Compares the learner with perfect play; `None` if that was not asked for, cannot be told, or was cancelled.
    fn compare(&mut self, matches: u64, stop: &Cancel) -> Result<Option<RegretMilestone>, TrainingError> {
        let Some(judges) = &mut self.judges else { return Ok(None) };
        let spec = &self.about.learner;
        let payload = self.trainee.save()?;
        judges.load(&payload).map_err(|cause| TrainingError::Knowledge { spec: spec.clone(), cause })?;
        let seed = fork(self.about.seed, JUDGING);
        let regret =
            judges.run(self.about.regret_deals, seed, 0, stop, |_| ()).map_err(TrainingError::Regret)?;
        let lost = regret.lost_per_match.filter(|_| regret.judged > 0 && !stop.is_cancelled());
        Ok(lost.map(|lost| RegretMilestone {
            matches,
            judged: regret.judged,
            mistakes: regret.mistakes,
            lost,
            low: regret.lost_low,
            high: regret.lost_high,
            unit: regret.unit.to_owned(),
        }))
    }

    /// Gives the learner the opponents and settings of a stage; returns how many matches its rounds have.
    fn enter(&mut self, number: usize) -> Result<u64, TrainingError> {
        let Some(stage) = self.about.stages.get(number) else { return Ok(self.about.round) };
        let place = |agent: &String| self.about.against.iter().position(|known| known == agent);
        let partners: Option<Vec<usize>> = stage.against.iter().map(place).collect();
        self.trainee.meet_only(&partners.filter(|all| !all.is_empty()).ok_or(TrainingError::NoPlan)?);
        if self.settings != stage.settings {
            self.trainee.change_settings(&with_settings(&self.about.learner, &stage.settings)?)?;
            self.settings.clone_from(&stage.settings);
        }
        Ok(stage.round)
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
        let opponent = |spec| match spec {
            ITSELF => Opponent::Itself,
            EXERCISES => Opponent::Exercises,
            spec => Opponent::Agent(spec),
        };
        all.map(opponent).collect()
    }
    let (partners, testers) = (opponents(against), opponents(testers));
    if partners.contains(&Opponent::Exercises) {
        return Err(TrainingError::NoOpponent);
    }
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

/// Refuses a stage whose settings the learner does not have.
fn must_fit(game: &dyn AnyGame, learner: &str, stage: &Stage) -> Result<(), TrainingError> {
    let spec = with_settings(learner, &stage.settings)?;
    match game.team(&[&spec])?.learner(0) {
        Some(_) => Ok(()),
        None => Err(TrainingError::Fixed(spec)),
    }
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
