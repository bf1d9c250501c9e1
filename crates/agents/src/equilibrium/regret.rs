//! Counterfactual regret minimisation over a game in sequence form.
//!
//! In each information set a choice has a *regret*: how much better it would have been, over all rounds so far, than what was
//! chosen, weighed by how often chance and the other role lead there. Choices are made in proportion to their regrets; the
//! average of all plans comes ever closer to an equilibrium (Zinkevich, Johanson, Bowling, Piccione, *Regret minimization in
//! games with incomplete information*, NIPS 2007).
//!
//! The two roles take turns. Each round first asks what every sequence is worth against the other's plan, one row of the
//! matrix each, then goes through the sets from the last to the first. Parts of a side that hang on the start alone do not touch
//! each other: threads share them out, and what comes of it does not depend on how many threads there are.

use parlor_core::parallel::for_each;

use super::form::{Form, Role, Rows, Set, Side};

/// How regrets are kept from round to round.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// CFR+: no regret falls below 0; later plans count more, by the number of their round (Tammelin 2014).
    Plus,
    /// PCFR+: the same, and the last round's regrets are expected once more; by the square of the round (Farina, Kroer, Sandholm
    /// 2021).
    #[default]
    Predictive,
}

impl Rule {
    /// Returns how much the plan of a round counts.
    fn weight(self, round: u64) -> f64 {
        let round = round as f64;
        match self {
            Rule::Plus => round,
            Rule::Predictive => round * round,
        }
    }
}

/// Sets and sequences that hang on the start alone.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    sets: std::ops::Range<usize>,
    sequences: std::ops::Range<usize>,
}

/// No side has more parts than this; more would not help, and small ones cost more to hand out than to work on.
const MOST_PARTS: usize = 32;
/// A part has at least so many entries of the matrix.
const LEAST_WORK: usize = 4096;

/// What one role has come to.
#[derive(Clone, Debug)]
struct Half {
    parts: Vec<Part>,
    regrets: Vec<f64>,
    /// How likely each choice is made where it can be.
    mix: Vec<f64>,
    /// How likely the role makes all choices of a sequence.
    plan: Vec<f64>,
    /// The weighed sum of all plans.
    sum: Vec<f64>,
    /// What each sequence is worth; scratch.
    worth: Vec<f64>,
}

/// A profile that is on its way to an equilibrium.
#[derive(Clone, Debug)]
pub struct Regrets {
    rule: Rule,
    halves: [Half; 2],
    rounds: u64,
    weights: f64,
}

/// One part with everything that it may change.
struct Task<'a> {
    sets: &'a [Set],
    rows: &'a Rows,
    /// The number of the first sequence.
    offset: usize,
    regrets: &'a mut [f64],
    mix: &'a mut [f64],
    plan: &'a mut [f64],
    sum: &'a mut [f64],
    worth: &'a mut [f64],
}

impl Regrets {
    /// Begins with every choice equally likely.
    #[must_use]
    pub fn new(form: &Form, rule: Rule) -> Regrets {
        let halves = [0, 1].map(|role: Role| {
            let side = &form.sides[role];
            let zeros = vec![0.0; side.sequences];
            let mut half = Half {
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

    /// Returns how many rounds there were.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Goes one round on.
    pub fn round(&mut self, form: &Form, threads: usize) {
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

    /// Writes the average plan of a role.
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

impl Half {
    /// Divides everything into its parts.
    fn tasks<'a>(&'a mut self, side: &'a Side) -> Vec<Task<'a>> {
        let Half { parts, regrets, mix, plan, sum, worth } = self;
        let mut rest = [regrets, mix, plan, sum, worth].map(|all| &mut all[1..]);
        let mut tasks = Vec::with_capacity(parts.len());
        for part in parts.iter() {
            let [regrets, mix, plan, sum, worth] = rest.each_mut().map(|rest| {
                let (mine, others) = std::mem::take(rest).split_at_mut(part.sequences.len());
                *rest = others;
                mine
            });
            tasks.push(Task {
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

impl Task<'_> {
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

/// Writes the plan that follows from how likely each choice is where it can be made.
pub fn unfold(sets: &[Set], mix: &[f64], plan: &mut [f64]) {
    plan[0] = 1.0;
    for set in sets {
        let reach = plan[set.parent as usize];
        for at in set.range() {
            plan[at] = reach * mix[at];
        }
    }
}

/// Divides a side into parts of about equal work.
fn parts(side: &Side) -> Vec<Part> {
    let begins = &side.rows.begins;
    let all = begins[side.sequences] as usize + side.sequences;
    let aim = (all / MOST_PARTS).max(LEAST_WORK);
    let work = |part: &Part| {
        (begins[part.sequences.end] - begins[part.sequences.start]) as usize + part.sequences.len()
    };
    let mut parts: Vec<Part> = Vec::new();
    for (number, set) in side.sets.iter().enumerate() {
        let end = (set.first + set.choices) as usize;
        match parts.last_mut() {
            Some(part) if set.parent != 0 || work(part) < aim => {
                part.sets.end = number + 1;
                part.sequences.end = end;
            }
            _ => parts.push(Part { sets: number..number + 1, sequences: set.first as usize..end }),
        }
    }
    parts
}

/// The best that a role can do against a plan, and what that brings.
///
/// `worth` is scratch. Where several choices are as good as any, the first is taken.
pub fn best_response(side: &Side, other_plan: &[f64], worth: &mut Vec<f64>) -> f64 {
    worth.clear();
    worth.extend((0..side.sequences).map(|row| side.rows.dot(row, other_plan)));
    for set in side.sets.iter().rev() {
        let best = worth[set.range()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        worth[set.parent as usize] += best;
    }
    worth[0]
}
