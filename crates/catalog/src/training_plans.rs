//! What `parlor learn` trains: the default learner of each game, in one place.

use parlor_core::api::AnyGame;

/// How a game's default learner is trained.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrainingPlan {
    /// The game's bare name.
    pub game: &'static str,
    /// The learner's spec.
    pub learner: &'static str,
    /// Whom it is trained against, in turn.
    pub against: &'static [&'static str],
    /// Whom it is tested against and measured by.
    pub testers: &'static [&'static str],
    /// How many matches are a lesson: 9 seconds (tictactoe) to 36 (dominoes) on one idle core of ours, a minute on a slow
    /// one. Equal seeds must give equal knowledge, so the plan counts matches and never looks at a clock.
    pub minute: u64,
}

/// Found by trying: means of all results are steady where the source's products of factors run away with the first
/// streak of luck; weights of respondents alone learn from fewer matches than weights of transitions; and codes of what
/// matters bring one experience to many boards. `docs/guide/learning.md` has the figures.
const LESSONS: &[TrainingPlan] = &[
    TrainingPlan {
        game: "dominoes",
        learner: "collective(state=outlook, weigh=respondent, result=rest, evaluate=linear, update=mean, prior=5)",
        against: &["self"],
        testers: &["random", "expert"],
        minute: 600_000,
    },
    TrainingPlan {
        game: "tictactoe",
        learner: "collective(state=board, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=2, ties=half, epsilon=0.1)",
        against: &["self"],
        testers: &["random"],
        minute: 8_000_000,
    },
    TrainingPlan {
        game: "connect",
        learner: "collective(state=threats, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=10, ties=half, epsilon=0.1)",
        against: &["self"],
        testers: &["random"],
        minute: 500_000,
    },
    TrainingPlan {
        game: "checkers",
        learner: "collective(state=balance, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=10, ties=half, epsilon=0.1)",
        against: &["self"],
        testers: &["random"],
        minute: 600_000,
    },
    TrainingPlan {
        game: "minesweeper",
        // A click is judged by what is around it, so that one board teaches something for the next.
        learner: "collective(state=window3, weigh=respondent, evaluate=linear, gamma=1, update=mean, prior=10, epsilon=0.1)",
        against: &["self"],
        testers: &["random"],
        minute: 6_000_000,
    },
];

/// Returns how the default learner of a game is trained; `None` if no agent learns it.
#[must_use]
pub fn lesson(game: &dyn AnyGame) -> Option<&'static TrainingPlan> {
    LESSONS.iter().find(|lesson| lesson.game == game.name())
}
