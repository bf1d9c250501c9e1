//! The finite automaton that a learner has built, for drawings.

/// What a state of an automaton is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StateKind {
    /// The seat decides.
    Decision,
    /// The game is won.
    Win,
    /// The game is a tie.
    Tie,
    /// The game is lost.
    Loss,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonState {
    /// What it looks like; lines with `/` between them.
    pub text: String,
    /// What it is.
    pub kind: StateKind,
    /// How often it was left, or reached if it is an end.
    pub visits: u64,
    /// How often a game began in it.
    pub starts: u64,
}

/// A transition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomatonArc {
    /// The number of the state that it leaves.
    pub from: usize,
    /// The number of the state that it leads to.
    pub to: usize,
    /// The input.
    pub text: String,
    /// How often it was seen.
    pub count: u64,
    /// How often its games were won.
    pub wins: u64,
    /// How often its games were lost.
    pub losses: u64,
}

/// An automaton, or its most used part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Automaton {
    /// What it is of.
    pub title: String,
    /// The states, the most used first, then the ends.
    pub states: Vec<AutomatonState>,
    /// The transitions between these states, the most used first.
    pub arcs: Vec<AutomatonArc>,
    /// How many states and transitions are not in it.
    pub left_out: [u64; 2],
}

/// Which part of a learner's knowledge is asked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AutomatonQuery<'a> {
    /// The name of the model; `None` for the learner's main one.
    pub model: Option<&'a str>,
    /// The greatest number of states, ends not counted.
    pub states: usize,
}
