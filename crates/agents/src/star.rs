//! Averages over what chance does, and what need not be looked at to know them well enough.
//!
//! B. W. Ballard, *The \*-Minimax Search Procedure for Trees Containing Chance Nodes*, 1983. Every outcome lies between two
//! bounds, so the average does. Star1: an outcome matters only inside a window, beyond which the average leaves its own. Star2:
//! one reply to an outcome narrows its bounds before any outcome is looked at in full.

use parlor_core::{Key, Kind};

/// `star=`: what is left out where chance decides.
pub const KEY: Key = Key {
    name: "star",
    kind: Kind::Whole { min: 0, max: 2 },
    default: "2",
    help: "cuts at chance: 0 none, 1 Star1, 2 Star2; the values found are the same",
};

/// An outcome of chance, and what it is known to be worth.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Outcome<A> {
    pub action: A,
    pub weight: f64,
    pub low: f64,
    pub high: f64,
}

/// What a value lies between, or is wanted between.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Bounds {
    pub low: f64,
    pub high: f64,
}

/// Returns what the average of the outcomes lies between.
pub(crate) fn bounds<A>(outcomes: &[Outcome<A>]) -> Bounds {
    outcomes.iter().fold(Bounds { low: 0.0, high: 0.0 }, |sum, outcome| Bounds {
        low: sum.low + outcome.weight * outcome.low,
        high: sum.high + outcome.weight * outcome.high,
    })
}

/// Returns the window in which one of the outcomes can still matter, if the average is wanted in `window`. Below it the average
/// is below its own, whatever the others are worth, and above it above.
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
