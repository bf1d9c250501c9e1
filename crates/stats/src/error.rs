//! Errors of invalid arguments.

/// An invalid argument: each variant holds the value and states the valid range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unfit {
    /// Probabilities that are negative, above 1, or more than 1 together.
    #[error(
        "p = {p} (win) and q = {q} (draw) are not probabilities: each must be at least 0, both together at most 1"
    )]
    Chances {
        /// Probability that the first player wins.
        p: f64,
        /// Probability of a draw.
        q: f64,
    },
    /// More pairs than the exact distribution supports.
    #[error("{pairs} pairs are too many for the exact distribution: at most {most}")]
    TooManyPairs {
        /// The number given.
        pairs: u64,
        /// The largest valid number.
        most: u64,
    },
    /// Hypotheses of a sequential test that are equal, in the wrong order, or out of reach.
    #[error(
        "the hypotheses {elo0} and {elo1} do not make a test: the first must be smaller, both within ±{most} Elo"
    )]
    Hypotheses {
        /// Elo under H0.
        elo0: f64,
        /// Elo under H1.
        elo1: f64,
        /// The largest Elo difference that can be tested.
        most: f64,
    },
    /// Error rates for which no test exists.
    #[error(
        "the error rates {alpha} and {beta} do not make a test: both must be above 0 and together below 1"
    )]
    ErrorRates {
        /// Probability of accepting H1 when H0 holds.
        alpha: f64,
        /// Probability of accepting H0 when H1 holds.
        beta: f64,
    },
    /// A confidence level that is not strictly between 0 and 1.
    #[error("the confidence level {level} must lie between 0 and 1, for example 0.95")]
    Level {
        /// The level given.
        level: f64,
    },
    /// The number of an agent that is not in the table.
    #[error("agent number {agent} is not in the table, which has {agents} agents, counted from 0")]
    NoSuchAgent {
        /// The number given.
        agent: usize,
        /// Number of agents in the table.
        agents: usize,
    },
    /// An agent matched with itself.
    #[error("agent number {agent} cannot be rated by games against itself")]
    SelfMatch {
        /// The agent's number.
        agent: usize,
    },
}
