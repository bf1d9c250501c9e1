//! From evidence to an action, as the source describes it; what it leaves open is a setting.
//!
//! Each heuristic answers with a probability and a confidence for every action. Their product is a value; an action takes the value that is
//! greatest in magnitude. The agent walks down the actions, the best first, takes each with its value as probability, and after some
//! rounds without a choice picks one at random.

use parlor_core::Rng;

use crate::evidence::{Credit, Tally};

/// How evidence becomes a probability of reaching the goal.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Probability {
    /// Wins in wins and losses; ties are ignored.
    Decided,
    /// A tie counts as half a win.
    Half,
    /// Wins in all games.
    All,
    /// Wins minus losses in wins and losses: −1 to 1.
    Signed,
}

/// How much evidence becomes how much confidence; `n` is the number of games that the probability is taken from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Confidence {
    /// n / (n + 1).
    Count,
    /// √(n / (n + 1)).
    Root,
    /// 1 as soon as there is any.
    Full,
}

/// What a heuristic does with the evidence of several states about one action.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pooling {
    /// Adds it up.
    Sum,
    /// Takes the state whose value is greatest in magnitude.
    Best,
}

/// How an action is chosen from its value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The walk of the source.
    Walk,
    /// The greatest value, ties at random.
    Greatest,
}

/// Every setting of a decision.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Rules {
    /// How evidence becomes a probability.
    pub probability: Probability,
    /// How evidence becomes confidence.
    pub confidence: Confidence,
    /// How evidence of several states is combined.
    pub pooling: Pooling,
    /// What an action is credited with.
    pub credit: Credit,
    /// Whether the confidence of heuristics that look at similar states is reduced.
    pub discount: bool,
    /// Whether evidence of the other seat's actions is left out.
    pub by_mover: bool,
    /// The value of an action about which nothing is known.
    pub unseen: f64,
    /// How often the walk goes round.
    pub loops: u32,
    /// How an action is chosen.
    pub choice: Choice,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            probability: Probability::Decided,
            confidence: Confidence::Count,
            pooling: Pooling::Sum,
            credit: Credit::End,
            discount: true,
            by_mover: true,
            unseen: 0.0,
            loops: 10,
            choice: Choice::Walk,
        }
    }
}

/// What a heuristic says about one action.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// The probability of reaching the goal.
    pub probability: f64,
    /// How much it can be relied on, 0 (nothing is known) to 1.
    pub confidence: f64,
}

impl Answer {
    /// Returns the value: the product of both.
    #[inline]
    #[must_use]
    pub fn value(&self) -> f64 {
        self.probability * self.confidence
    }

    /// Returns whether the heuristic knows anything about the action.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.confidence > 0.0
    }

    /// Returns whether this could be an answer: two finite numbers within their bounds.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        (-1.0..=1.0).contains(&self.probability) && (0.0..=1.0).contains(&self.confidence)
    }

    /// Returns the one whose value is greater in magnitude, the first one if they are equal. An answer that knows something comes before one
    /// that does not.
    #[inline]
    #[must_use]
    pub fn stronger(self, other: Answer) -> Answer {
        let rank = |answer: &Answer| (answer.value().abs(), f64::from(u8::from(answer.is_known())));
        if rank(&other) > rank(&self) { other } else { self }
    }
}

impl Rules {
    /// Returns what a tally of ends says about reaching the goal, a win. `discount` is the heuristic's own.
    #[inline]
    #[must_use]
    pub fn answer(&self, tally: Tally, discount: f64) -> Answer {
        let [wins, ties, losses] = [tally.wins, tally.ties, tally.losses].map(|count| count as f64);
        let (good, games) = match self.probability {
            Probability::Decided => (wins, wins + losses),
            Probability::Half => (wins + ties / 2.0, wins + ties + losses),
            Probability::All => (wins, wins + ties + losses),
            Probability::Signed => (wins - losses, wins + losses),
        };
        if games == 0.0 {
            return Answer::default();
        }
        let confidence = match self.confidence {
            Confidence::Count => games / (games + 1.0),
            Confidence::Root => (games / (games + 1.0)).sqrt(),
            Confidence::Full => 1.0,
        };
        let discount = if self.discount { discount } else { 1.0 };
        Answer { probability: good / games, confidence: confidence * discount }
    }

    /// Returns the value of an action by its strongest answer.
    #[inline]
    #[must_use]
    pub fn value(&self, strongest: Answer) -> f64 {
        if strongest.is_known() { strongest.value() } else { self.unseen }
    }

    /// Puts the places of `values` in the order of the walk: the greatest first, equal ones as they are listed.
    fn order(values: &[f64], order: &mut Vec<usize>) {
        order.clear();
        order.extend(0..values.len());
        order.sort_unstable_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    }

    /// Chooses an action by the values of all; `order` is a buffer.
    ///
    /// # Panics
    /// If there are no values.
    pub fn choose(&self, values: &[f64], order: &mut Vec<usize>, rng: &mut Rng) -> usize {
        match self.choice {
            Choice::Walk => {
                Rules::order(values, order);
                for _ in 0..self.loops {
                    for &at in &*order {
                        if values[at] > 0.0 && rng.unit() < values[at] {
                            return at;
                        }
                    }
                }
                rng.below(values.len() as u32) as usize
            }
            Choice::Greatest => {
                let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                order.clear();
                order.extend((0..values.len()).filter(|&at| values[at] == best));
                order[if order.len() > 1 { rng.below(order.len() as u32) as usize } else { 0 }]
            }
        }
    }

    /// Writes into `odds` how likely [`choose`](Rules::choose) takes each action; they add up to 1.
    pub fn odds(&self, values: &[f64], order: &mut Vec<usize>, odds: &mut Vec<f64>) {
        odds.clear();
        odds.resize(values.len(), 0.0);
        match self.choice {
            Choice::Walk => {
                Rules::order(values, order);
                let by_chance = 1.0 / values.len() as f64;
                // The probability that the walk gets to an action in the first round; then that it goes round once.
                let mut gets_here = 1.0;
                for &at in &*order {
                    let takes = values[at].clamp(0.0, 1.0);
                    odds[at] = gets_here * takes;
                    gets_here *= 1.0 - takes;
                }
                let goes_round = gets_here;
                let (mut rounds, mut reached) = (0.0, 1.0);
                for _ in 0..self.loops {
                    rounds += reached;
                    reached *= goes_round;
                }
                for odd in odds.iter_mut() {
                    *odd = *odd * rounds + reached * by_chance;
                }
            }
            Choice::Greatest => {
                let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let ties = values.iter().filter(|&&value| value == best).count() as f64;
                for (odd, &value) in odds.iter_mut().zip(values) {
                    *odd = if value == best { 1.0 / ties } else { 0.0 };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settled_reading_of_evidence() {
        let rules = Rules::default();
        // Three wins and one loss, ties ignored: 3/4, and 4 games of confidence.
        let answer = rules.answer(Tally { wins: 3, ties: 100, losses: 1 }, 1.0);
        assert_eq!(answer, Answer { probability: 0.75, confidence: 0.8 });
        assert_eq!(rules.answer(Tally { wins: 3, ties: 0, losses: 1 }, 0.5).confidence, 0.4);
        assert!(!rules.answer(Tally { wins: 0, ties: 7, losses: 0 }, 1.0).is_known());
        let signed = Rules { probability: Probability::Signed, ..rules };
        assert_eq!(signed.answer(Tally { wins: 1, ties: 0, losses: 3 }, 1.0).value(), -0.4);
    }

    #[test]
    fn the_greatest_magnitude_counts() {
        let answer = |probability, confidence| Answer { probability, confidence };
        assert_eq!(answer(0.5, 0.5).stronger(answer(-0.9, 0.5)), answer(-0.9, 0.5));
        assert_eq!(answer(0.5, 0.5).stronger(answer(-0.5, 0.5)), answer(0.5, 0.5));
        // A known loss is not the same as nothing known.
        assert_eq!(Answer::default().stronger(answer(0.0, 0.5)), answer(0.0, 0.5));
    }

    #[test]
    fn the_walk_takes_the_best_first_and_gives_up_after_ten_rounds() {
        let rules = Rules::default();
        let (mut order, mut rng) = (Vec::new(), Rng::new(1));
        assert_eq!(rules.choose(&[0.0, 1.0, 0.5], &mut order, &mut rng), 1);
        assert_eq!(order, [1, 2, 0]);
        // Without a positive value nothing is drawn but the action.
        let mut twin = rng.clone();
        let chosen = rules.choose(&[0.0, -0.3, 0.0], &mut order, &mut rng);
        assert_eq!(chosen, twin.below(3) as usize);
    }

    #[test]
    fn odds_are_those_of_the_choice() {
        let (mut order, mut odds, mut rng) = (Vec::new(), Vec::new(), Rng::new(7));
        for (values, loops, choice) in [
            (&[0.2, 0.0, 0.6, 0.2][..], 10, Choice::Walk),
            (&[0.02, 0.01], 3, Choice::Walk),
            (&[0.3, -0.2, 0.3], 10, Choice::Greatest),
        ] {
            let rules = Rules { loops, choice, ..Rules::default() };
            rules.odds(values, &mut order, &mut odds);
            assert!((odds.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let mut counts = vec![0.0; values.len()];
            for _ in 0..20_000 {
                counts[rules.choose(values, &mut order, &mut rng)] += 1.0 / 20_000.0;
            }
            for (count, odd) in counts.iter().zip(&odds) {
                // Five standard deviations of a rate near one half.
                assert!((count - odd).abs() < 0.018, "{counts:?} {odds:?}");
            }
        }
    }
}
