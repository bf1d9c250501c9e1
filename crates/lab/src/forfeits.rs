//! Why games were forfeited: counts by reason.

use parlor_core::Fault;
use serde::{Deserialize, Serialize};

use crate::format::counted;

/// More reasons than this are counted together: a program may invent a new one in every game.
const MOST_REASONS: usize = 12;

/// The reason that stands for all further ones.
const OTHERS: &str = "other reasons";

/// How many games an agent forfeited for one reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ForfeitReason {
    /// The reason, without what differs from game to game.
    pub reason: String,
    /// The number of games.
    pub games: u64,
    /// The whole text of the first of these forfeits, with the last lines of the program's standard error.
    pub example: String,
}

/// Adds a forfeit by its text in a saved game.
pub(crate) fn add(reasons: &mut Vec<ForfeitReason>, text: &str) {
    add_all(
        reasons,
        &ForfeitReason { reason: Fault::reason(text).to_owned(), games: 1, example: text.to_owned() },
    );
}

/// Adds the games of another count.
pub(crate) fn add_all(reasons: &mut Vec<ForfeitReason>, more: &ForfeitReason) {
    if let Some(known) = reasons.iter_mut().find(|known| known.reason == more.reason) {
        known.games += more.games;
    } else if reasons.len() < MOST_REASONS {
        reasons.push(more.clone());
    } else {
        add_all_as_others(reasons, more);
    }
}

fn add_all_as_others(reasons: &mut Vec<ForfeitReason>, more: &ForfeitReason) {
    match reasons.iter_mut().find(|known| known.reason == OTHERS) {
        Some(others) => others.games += more.games,
        None => reasons.push(ForfeitReason { reason: OTHERS.to_owned(), ..more.clone() }),
    }
}

/// Returns the reasons in words, most games first: `9 games: ran out of time`.
#[must_use]
pub fn in_words(reasons: &[ForfeitReason]) -> Vec<String> {
    let mut sorted: Vec<&ForfeitReason> = reasons.iter().collect();
    // Equal counts keep the order in which they were met.
    sorted.sort_by_key(|reason| std::cmp::Reverse(reason.games));
    let words = sorted.into_iter().map(|ForfeitReason { reason, games, example }| {
        let games = counted(*games, "game");
        if example.starts_with(reason.as_str()) {
            format!("{games}: {example}")
        } else {
            format!("{games}: {reason}, such as: {example}")
        }
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_without_their_details() {
        let mut reasons = Vec::new();
        for text in [
            "illegal action `z9`",
            "ran out of time (stderr: a)",
            "illegal action `y`",
            "illegal action `z9`",
        ] {
            add(&mut reasons, text);
        }
        assert_eq!(
            in_words(&reasons),
            ["3 games: illegal action `z9`", "1 game: ran out of time (stderr: a)"]
        );
    }

    #[test]
    fn there_is_an_end_of_reasons() {
        let mut reasons = Vec::new();
        for number in 0..100 {
            add(&mut reasons, &format!("it refuses the game: {number}"));
        }
        assert_eq!(reasons.len(), MOST_REASONS + 1);
        assert_eq!(reasons.iter().map(|reason| reason.games).sum::<u64>(), 100);
        assert_eq!(in_words(&reasons)[0], "88 games: other reasons, such as: it refuses the game: 12");
    }
}
