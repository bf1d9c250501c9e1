//! Judging heuristics while they learn: those that decide little for their work are switched off under a budget.
//!
//! Work is counted in states and actions looked at, not in seconds, so that equal trainings stay equal. Time is divided into periods. In
//! a trial period all heuristics answer; then those that decided most won games for their work go on alone until the next trial,
//! where the others can earn their place again.

use crate::heuristics::{Chosen, HEURISTICS};

/// The games of a period.
const PERIOD: u64 = 100;

/// One period in this number is a trial of all heuristics.
const TRIAL_EVERY: u64 = 10;

/// What a heuristic did in a trial.
#[derive(Copy, Clone, Debug, Default)]
struct Worth {
    /// States and actions that it looked at.
    work: u64,
    /// Actions of won games that were chosen by its answer.
    won: u64,
}

/// The judge of one learner.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    /// The share of the work of all heuristics that may be spent.
    budget: f64,
    all: Chosen,
    on: Chosen,
    worths: Vec<Worth>,
    /// How often each heuristic decided in the game that is played.
    decided: Vec<u64>,
    games: u64,
}

impl Judge {
    /// Returns a judge of some heuristics with a budget from 0 to 1.
    pub(crate) fn new(all: Chosen, budget: f64) -> Judge {
        let count = HEURISTICS.len();
        Judge {
            budget,
            all,
            on: all,
            worths: vec![Worth::default(); count],
            decided: vec![0; count],
            games: 0,
        }
    }

    /// Returns the heuristics that answer now.
    pub(crate) fn on(&self) -> Chosen {
        self.on
    }

    fn is_trial(&self) -> bool {
        (self.games / PERIOD).is_multiple_of(TRIAL_EVERY)
    }

    /// Counts a decision: the work of each heuristic, and whose answer decided, if any did.
    pub(crate) fn count(&mut self, work: &[u64], decider: Option<usize>) {
        for (worth, work) in self.worths.iter_mut().zip(work) {
            worth.work += work;
        }
        if let Some(decider) = decider {
            self.decided[decider] += 1;
        }
    }

    /// Counts the end of a game, and reviews the heuristics at the end of a trial.
    pub(crate) fn game_over(&mut self, is_won: bool) {
        for (worth, decided) in self.worths.iter_mut().zip(&mut self.decided) {
            worth.won += if is_won { *decided } else { 0 };
            *decided = 0;
        }
        let was_trial = self.is_trial();
        self.games += 1;
        if was_trial && !self.is_trial() {
            self.on = self.affordable();
        } else if !was_trial && self.is_trial() {
            self.on = self.all;
            self.worths.fill(Worth::default());
        }
    }

    /// Returns the heuristics that decided most won games for their work, as far as the budget goes; at least one.
    fn affordable(&self) -> Chosen {
        let total: u64 = self.all.iter().map(|at| self.worths[at].work).sum();
        let budget = self.budget * total as f64;
        let mut order: Vec<usize> = self.all.iter().collect();
        // Compares won / work without dividing.
        order.sort_by(|&a, &b| {
            let (left, right) = (self.worths[a], self.worths[b]);
            let value = |one: Worth, other: Worth| u128::from(one.won) * u128::from(other.work.max(1));
            value(right, left).cmp(&value(left, right)).then(a.cmp(&b))
        });
        let (mut chosen, mut spent) = (Chosen::none(), 0);
        for at in order {
            let worth = self.worths[at];
            let fits = (spent + worth.work) as f64 <= budget && worth.won > 0;
            if chosen.is_empty() || fits {
                chosen = chosen.with(at);
                spent += worth.work;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poor_heuristics_are_switched_off_and_tried_again() {
        let all = Chosen::parse("observed+neighbour+rotation").unwrap();
        let [observed, neighbour, rotation]: [usize; 3] = all.iter().collect::<Vec<_>>().try_into().unwrap();
        let mut judge = Judge::new(all, 0.5);
        let mut work = vec![0; HEURISTICS.len()];
        (work[observed], work[neighbour], work[rotation]) = (1, 80, 4);
        let mut play = |games: u64, decider: usize, on: Chosen| {
            for number in 0..games {
                assert_eq!(judge.on(), on, "game {number}");
                judge.count(&work, Some(if number % 2 == 0 { observed } else { decider }));
                judge.game_over(number % 3 == 0);
            }
        };
        // Neighbours take most of the work and decide nothing.
        play(PERIOD, rotation, all);
        play(PERIOD * (TRIAL_EVERY - 1), rotation, Chosen::parse("observed+rotation").unwrap());
        // In the next trial rotation decides nothing.
        play(PERIOD, observed, all);
        play(PERIOD, observed, Chosen::parse("observed").unwrap());
    }

    #[test]
    fn one_heuristic_is_always_left() {
        let all = Chosen::parse("neighbour").unwrap();
        let mut judge = Judge::new(all, 0.01);
        for _ in 0..3 * PERIOD {
            judge.count(&vec![5; HEURISTICS.len()], None);
            judge.game_over(false);
        }
        assert_eq!(judge.on(), all);
    }
}
