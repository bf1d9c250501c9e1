//! What `parlor learn` trains: the default learner of each game, in one place.

use parlor_core::dynamic::AnyGame;

/// How a game's default learner is trained.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The game's bare name.
    pub game: &'static str,
    /// The learner's spec.
    pub learner: &'static str,
    /// Whom it is trained against, in turn.
    pub against: &'static [&'static str],
    /// Whom it is tested against and measured by.
    pub testers: &'static [&'static str],
    /// How many matches make about a minute, tests included, on one core of a laptop. Equal seeds must give equal
    /// knowledge, so the plan counts matches and never looks at a clock.
    pub minute: u64,
}

/// The means of all results, with ten results of nothing before the first, are steady where the source's products of
/// factors run away with the first streak of luck; one try in ten at random finds what has not been met.
const LESSONS: &[Lesson] = &[
    Lesson {
        game: "dominoes",
        // The source's own codec. Points of the stage tell more than who went out, and a strong opponent shows lines
        // that the learner would not find by itself.
        learner: "collective(state=lsp2, result=points, evaluate=linear, update=mean, prior=10, explore=0.1)",
        against: &["expert", "self"],
        testers: &["random", "expert"],
        minute: 200_000,
    },
    Lesson {
        game: "tictactoe",
        learner: "collective(state=board, evaluate=linear, gamma=1, update=mean, prior=2, draws=half, explore=0.1)",
        against: &["self", "random"],
        testers: &["random"],
        minute: 4_000_000,
    },
    Lesson {
        game: "connect",
        // Whole boards hardly ever come back on the large default board; columns' tops do.
        learner: "collective(state=surface, evaluate=linear, gamma=1, update=mean, prior=10, draws=half, explore=0.1)",
        against: &["self", "random"],
        testers: &["random"],
        minute: 300_000,
    },
    Lesson {
        game: "checkers",
        learner: "collective(state=material, evaluate=linear, gamma=1, update=mean, prior=10, draws=half, explore=0.1)",
        against: &["self", "random"],
        testers: &["random"],
        minute: 100_000,
    },
    Lesson {
        game: "minesweeper",
        // A click is judged by what is around it, so that one board teaches something for the next.
        learner: "collective(state=window3, evaluate=linear, gamma=1, update=mean, prior=10, explore=0.1)",
        against: &["self"],
        testers: &["random"],
        minute: 300_000,
    },
];

/// Returns how the default learner of a game is trained; `None` if no agent learns it.
#[must_use]
pub fn lesson(game: &dyn AnyGame) -> Option<&'static Lesson> {
    LESSONS.iter().find(|lesson| lesson.game == game.name())
}
