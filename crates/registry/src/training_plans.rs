//! What `parlor learn` trains: the default learner of each game.

/// How a game's default learner is trained.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrainingPlan {
    /// The learner's spec.
    pub learner: &'static str,
    /// Whom it is trained against, in turn.
    pub against: &'static [&'static str],
    /// Whom it is tested against and measured by.
    pub testers: &'static [&'static str],
    /// How many matches are a lesson: seconds on one idle core of ours, a minute on a slow one. Equal seeds must give equal knowledge, so the plan counts matches and never looks at a clock.
    pub minute: u64,
    /// The other learners that a lesson can be for.
    pub others: &'static [OtherLearner],
}

/// A learner that is trained instead of the default one, against the same opponents.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OtherLearner {
    /// The learner's spec.
    pub learner: &'static str,
    /// How many matches are a lesson.
    pub minute: u64,
}

impl TrainingPlan {
    /// Returns the learners that there are plans for, the default one first, each with the matches of a lesson.
    pub fn learners(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let default = (self.learner, self.minute);
        std::iter::once(default).chain(self.others.iter().map(|other| (other.learner, other.minute)))
    }
}

/// FABLE keeps every game and looks at every state, so its lessons are shorter: seconds on one idle core.
const FABLE: OtherLearner = OtherLearner { learner: "fable", minute: 60_000 };

/// Values of what a seat knows after its play, or of a click. The settings are from trials with contests of dominoes: with 0.3, 0.6 and 0.8
/// for lambda it came out alike; a discount of anything but 1 would count plays.
const NTUPLE: &str = "ntuple(lambda=0.6, gamma=1, epsilon=0.05, final_epsilon=0.05)";

// Found by trying: means of all results are steady where the source's products of factors run away with the first
// streak of luck; weights of respondents alone learn from fewer matches than weights of transitions; and codes of what
// matters bring one experience to many boards. `docs/guide/learning.md` has the figures.

/// The plan for dominoes.
pub(crate) static DOMINOES: TrainingPlan = TrainingPlan {
    learner: NTUPLE,
    against: &["self"],
    testers: &["random", "expert"],
    minute: 100_000,
    others: &[
        OtherLearner {
            learner: "collective(state=outlook, weigh=respondent, result=rest, evaluate=linear, update=mean, prior=5)",
            minute: 600_000,
        },
        OtherLearner { minute: 5_000, ..FABLE },
    ],
};

/// The plan for tictactoe.
pub(crate) static TICTACTOE: TrainingPlan = TrainingPlan {
    // With half of the actions random it meets nearly every position: fewer of them leave mistakes in those that good players avoid.
    learner: "ntuple(lambda=0.5, gamma=1, epsilon=0.5, final_epsilon=0.5)",
    against: &["self"],
    testers: &["random"],
    minute: 4_000_000,
    others: &[
        OtherLearner {
            learner: "collective(state=board, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=2, ties=half, epsilon=0.1)",
            minute: 8_000_000,
        },
        FABLE,
    ],
};

/// The plan for connect.
pub(crate) static CONNECT: TrainingPlan = TrainingPlan {
    learner: "ntuple(layout=small)",
    against: &["self"],
    testers: &["random"],
    minute: 200_000,
    others: &[
        OtherLearner {
            learner: "collective(state=threats, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=10, ties=half, epsilon=0.1)",
            minute: 500_000,
        },
        OtherLearner { minute: 5_000, ..FABLE },
    ],
};

/// The plan for checkers.
pub(crate) static CHECKERS: TrainingPlan = TrainingPlan {
    learner: "ntuple(gamma=1)",
    against: &["self"],
    testers: &["random"],
    minute: 400_000,
    others: &[
        OtherLearner {
            learner: "collective(state=balance, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=10, ties=half, epsilon=0.1)",
            minute: 600_000,
        },
        OtherLearner { minute: 5_000, ..FABLE },
    ],
};

/// The plan for minesweeper.
pub(crate) static MINESWEEPER: TrainingPlan = TrainingPlan {
    learner: NTUPLE,
    against: &["self"],
    testers: &["random"],
    minute: 100_000,
    others: &[
        OtherLearner {
            // A click is judged by what is around it, so that one board teaches something for the next.
            learner: "collective(state=window3, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=10, epsilon=0.1)",
            minute: 6_000_000,
        },
        // A click is credited with the next one, not with the end of the game: on 4×4 that learns twice as much.
        OtherLearner { learner: "fable(credit=survival)", ..FABLE },
    ],
};

/// The plan for dark chess. Its games are long, and every one is kept.
pub(crate) static DARKCHESS: TrainingPlan =
    TrainingPlan { learner: "fable", against: &["self"], testers: &["random"], minute: 3_000, others: &[] };
