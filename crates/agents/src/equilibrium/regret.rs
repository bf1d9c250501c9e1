//! Counterfactual regret minimisation over a game in sequence form.
//!
//! The *regret* of a choice in an information set is how much better it would have been than the actual choices over all
//! rounds so far, weighted by how often chance and the other role lead there. Choices are made in proportion to their
//! regrets; the average strategy converges to an equilibrium (Zinkevich, Johanson, Bowling, Piccione, *Regret
//! minimization in games with incomplete information*, NIPS 2007).
//!
//! The two roles alternate. A round first computes the payoff of every sequence against the other role's plan, one matrix
//! row each, and then goes through the sets from the last to the first. Subtrees below the empty sequence are
//! independent, so threads share them; the result does not depend on the number of threads.

use parlor_core::parallel::for_each;

use super::form::{PayoffMatrix, Role, SequenceForm, Set, Side};

/// The variant of regret minimisation.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// CFR+: regrets stay at or above 0, and plans are weighted by the number of their round (Tammelin 2014).
    Plus,
    /// PCFR+: CFR+ that predicts a repeat of the last round's regrets, and weights by the square of the round (Farina,
    /// Kroer, Sandholm 2021).
    #[default]
    Predictive,
}

impl Rule {
    /// Returns the weight of a round's plan in the average.
    fn weight(self, round: u64) -> f64 {
        let round = round as f64;
        match self {
            Rule::Plus => round,
            Rule::Predictive => round * round,
        }
    }
}

/// A contiguous group of subtrees below the empty sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    sets: std::ops::Range<usize>,
    sequences: std::ops::Range<usize>,
}

/// The maximum number of parts of a side. More would not help, and small parts cost more to schedule than to compute.
const MAX_PARTS: usize = 32;
/// The minimum number of matrix entries of a part.
const MIN_PART_WORK: usize = 4096;

/// The state of one role.
#[derive(Clone, Debug)]
struct RoleState {
    parts: Vec<Part>,
    regrets: Vec<f64>,
    /// The probability of each choice in its information set.
    mix: Vec<f64>,
    /// The probability of each sequence: the product of its choices.
    plan: Vec<f64>,
    /// The weighted sum of all plans.
    sum: Vec<f64>,
    /// The payoff of each sequence; scratch space.
    worth: Vec<f64>,
}

/// A pair of strategies that converges to an equilibrium.
#[derive(Clone, Debug)]
pub struct Regrets {
    rule: Rule,
    halves: [RoleState; 2],
    rounds: u64,
    weights: f64,
}

/// One part with mutable access to its share of the state.
struct PartUpdate<'a> {
    sets: &'a [Set],
    rows: &'a PayoffMatrix,
    /// The number of the first sequence.
    offset: usize,
    regrets: &'a mut [f64],
    mix: &'a mut [f64],
    plan: &'a mut [f64],
    sum: &'a mut [f64],
    worth: &'a mut [f64],
}

impl Regrets {
    /// Starts with uniform choices.
    #[must_use]
    pub fn new(form: &SequenceForm, rule: Rule) -> Regrets {
        let halves = [0, 1].map(|role: Role| {
            let side = &form.sides[role];
            let zeros = vec![0.0; side.sequences];
            let mut half = RoleState {
                parts: parts(side),
                regrets: zeros.clone(),
                mix: zeros.clone(),
                plan: zeros.clone(),
                sum: zeros.clone(),
                worth: zeros,
            };
            for set in &side.sets {
                half.mix[set.range()].fill(1.0 / f64::from(set.choices));
            }
            unfold(&side.sets, &half.mix, &mut half.plan);
            half
        });
        Regrets { rule, halves, rounds: 0, weights: 0.0 }
    }

    /// Returns the number of rounds so far.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Runs one round.
    pub fn round(&mut self, form: &SequenceForm, threads: usize) {
        self.rounds += 1;
        let weight = self.rule.weight(self.rounds);
        self.weights += weight;
        let rule = self.rule;
        for role in 0..2 {
            let [first, second] = &mut self.halves;
            let (own, other) = if role == 0 { (first, &*second) } else { (second, &*first) };
            let other_plan = &other.plan;
            let tasks = own.tasks(&form.sides[role]);
            let threads = threads.min(tasks.len());
            for_each(threads, tasks.into_iter(), |mut task| task.update(rule, weight, other_plan));
        }
    }

    /// Writes the average plan of a role to `plan`.
    pub fn average(&self, role: Role, plan: &mut Vec<f64>) {
        let half = &self.halves[role];
        plan.clear();
        if self.rounds == 0 {
            plan.extend_from_slice(&half.plan);
            return;
        }
        plan.extend(half.sum.iter().map(|sum| sum / self.weights));
        plan[0] = 1.0;
    }
}

impl RoleState {
    /// Splits the state into its parts.
    fn tasks<'a>(&'a mut self, side: &'a Side) -> Vec<PartUpdate<'a>> {
        let RoleState { parts, regrets, mix, plan, sum, worth } = self;
        let mut rest = [regrets, mix, plan, sum, worth].map(|all| &mut all[1..]);
        let mut tasks = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            let [regrets, mix, plan, sum, worth] = rest.each_mut().map(|rest| {
                let (mine, others) = std::mem::take(rest).split_at_mut(part.sequences.len());
                *rest = others;
                mine
            });
            tasks.push(PartUpdate {
                sets: &side.sets[part.sets.clone()],
                rows: &side.rows,
                offset: part.sequences.start,
                regrets,
                mix,
                plan,
                sum,
                worth,
            });
        }
        tasks
    }
}

impl PartUpdate<'_> {
    fn update(&mut self, rule: Rule, weight: f64, other_plan: &[f64]) {
        let offset = self.offset;
        for (at, worth) in self.worth.iter_mut().enumerate() {
            *worth = self.rows.dot(offset + at, other_plan);
        }
        for set in self.sets.iter().rev() {
            let range = set.first as usize - offset..(set.first + set.choices) as usize - offset;
            let worth = &self.worth[range.clone()];
            let mix = &mut self.mix[range.clone()];
            let regrets = &mut self.regrets[range];
            let value: f64 = worth.iter().zip(&*mix).map(|(worth, mix)| worth * mix).sum();
            let mut total = 0.0;
            for ((worth, kept), mix) in worth.iter().zip(regrets).zip(&mut *mix) {
                let regret = worth - value;
                *kept = (*kept + regret).max(0.0);
                *mix = match rule {
                    Rule::Plus => *kept,
                    Rule::Predictive => (*kept + regret).max(0.0),
                };
                total += *mix;
            }
            if total > 0.0 {
                mix.iter_mut().for_each(|mix| *mix /= total);
            } else {
                mix.fill(1.0 / f64::from(set.choices));
            }
            if set.parent as usize >= offset {
                self.worth[set.parent as usize - offset] += value;
            }
        }
        for set in self.sets {
            let reach = if set.parent == 0 { 1.0 } else { self.plan[set.parent as usize - offset] };
            for at in set.range() {
                let at = at - offset;
                let plan = reach * self.mix[at];
                self.plan[at] = plan;
                self.sum[at] += weight * plan;
            }
        }
    }
}

/// Computes the plan that follows from the probabilities of the choices.
pub fn unfold(sets: &[Set], mix: &[f64], plan: &mut [f64]) {
    plan[0] = 1.0;
    for set in sets {
        let reach = plan[set.parent as usize];
        for at in set.range() {
            plan[at] = reach * mix[at];
        }
    }
}

/// Splits a side into parts of about equal work.
fn parts(side: &Side) -> Vec<Part> {
    let begins = &side.rows.begins;
    let all = begins[side.sequences] as usize + side.sequences;
    let params = (all / MAX_PARTS).max(MIN_PART_WORK);
    let work = |part: &Part| {
        (begins[part.sequences.end] - begins[part.sequences.start]) as usize + part.sequences.len()
    };
    let mut parts: Vec<Part> = Vec::new();
    for (number, set) in side.sets.iter().enumerate() {
        let end = (set.first + set.choices) as usize;
        match parts.last_mut() {
            Some(part) if set.parent != 0 || work(part) < params => {
                part.sets.end = number + 1;
                part.sequences.end = end;
            }
            _ => parts.push(Part { sets: number..number + 1, sequences: set.first as usize..end }),
        }
    }
    parts
}

/// Returns the payoff of the best response to a plan.
///
/// `worth` is scratch space, and then holds the payoffs of the sequences. Ties are broken in favour of the first choice.
pub fn best_response(side: &Side, other_plan: &[f64], worth: &mut Vec<f64>) -> f64 {
    worth.clear();
    worth.extend((0..side.sequences).map(|row| side.rows.dot(row, other_plan)));
    for set in side.sets.iter().rev() {
        let best = worth[set.range()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        worth[set.parent as usize] += best;
    }
    worth[0]
}
