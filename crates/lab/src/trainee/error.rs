//! Why a learner cannot be trained.

use std::io;

use parlor_core::SpecError;
use parlor_core::api::ApiError;

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
    /// The learner cannot be compared with perfect play.
    #[error("the learner cannot be compared with perfect play")]
    Regret(#[source] ApiError),
    /// Exercises as an opponent in training.
    #[error("exercises are for tests; a learner is trained against agents")]
    NoOpponent,
    /// A game without exercises.
    #[error("{game} has no exercises; a test takes an agent")]
    NoExercises {
        /// The game.
        game: &'static str,
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
