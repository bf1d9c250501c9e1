//! Expected values at chance nodes, and which outcomes need no full search.
//!
//! B. W. Ballard, *The \*-Minimax Search Procedure for Trees Containing Chance Nodes*, 1983. Every outcome lies between
//! two bounds, hence so does the average. Star1 searches an outcome only within the window outside of which the average
//! leaves its own window. Star2 first probes one reply to each outcome, which narrows the outcome's bounds before any
//! full search.

use parlor_core::{Key, Kind};

/// `star=`: which cuts to make at chance nodes.
pub const KEY: Key = Key {
    name: "star",
    kind: Kind::Whole { min: 0, max: 2 },
    default: "2",
    help: "cuts at chance nodes: 0 none, 1 Star1, 2 Star2; the values are the same",
};

/// An outcome of a chance node and the bounds of its value.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Outcome<A> {
    pub action: A,
    pub weight: f64,
    pub low: f64,
    pub high: f64,
}

/// A lower and an upper bound of a value, or a window.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Bounds {
    pub low: f64,
    pub high: f64,
}

/// Returns the bounds of the weighted average of the outcomes.
pub(crate) fn bounds<A>(outcomes: &[Outcome<A>]) -> Bounds {
    outcomes.iter().fold(Bounds { low: 0.0, high: 0.0 }, |sum, outcome| Bounds {
        low: sum.low + outcome.weight * outcome.low,
        high: sum.high + outcome.weight * outcome.high,
    })
}

/// Returns the window within which outcome `at` can still affect the result, if only averages inside `window` matter. At
/// or below the returned window the average is at most `window.low` for every value of the other outcomes; at or above
/// it, at least `window.high`.
pub(crate) fn matters<A>(outcomes: &[Outcome<A>], at: usize, window: Bounds) -> Bounds {
    let Bounds { low, high } = bounds(outcomes);
    let outcome = &outcomes[at];
    Bounds {
        low: (window.low - high) / outcome.weight + outcome.high,
        high: (window.high - low) / outcome.weight + outcome.low,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_at_the_edge_of_its_window_puts_the_average_at_the_edge() {
        let outcome = |weight, low, high| Outcome { action: (), weight, low, high };
        let mut outcomes = [outcome(0.5, -10.0, 10.0), outcome(0.25, 3.0, 3.0), outcome(0.25, -2.0, 4.0)];
        assert_eq!(bounds(&outcomes), Bounds { low: -4.75, high: 6.75 });
        let wanted = Bounds { low: 0.0, high: 2.0 };
        let Bounds { low, high } = matters(&outcomes, 0, wanted);
        (outcomes[0].low, outcomes[0].high) = (low, low);
        assert_eq!(bounds(&outcomes).high, wanted.low);
        (outcomes[0].low, outcomes[0].high) = (high, high);
        assert_eq!(bounds(&outcomes).low, wanted.high);
    }
}
