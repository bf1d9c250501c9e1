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

/// A role that is not wholly free (Johanson, Zinkevich, Bowling, *Computing robust counter-strategies*, NIPS 2007).
#[derive(Clone, PartialEq, Debug)]
pub enum Restriction {
    /// With this probability the role plays a fixed plan, else freely. The coin is thrown once, before the game.
    Mixed {
        /// The probability of the fixed plan.
        weight: f64,
        /// The fixed plan.
        fixed: Vec<f64>,
    },
    /// The role never makes the choices that are `false`. In each information set at least one is `true`.
    Only(Vec<bool>),
}

/// The worth of a choice that a role never makes: far below every payoff, yet finite, so that 0 times it is 0.
const NEVER: f64 = -1e100;

/// The state of one role.
#[derive(Clone, Debug)]
struct RoleState {
    parts: Vec<Part>,
    /// The choices that the role may make; empty if it may make all.
    allowed: Vec<bool>,
    /// The probability of the fixed plan, the plan, and the mixture that the other role meets.
    mixed: Option<(f64, Vec<f64>, Vec<f64>)>,
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
    /// The choices that may be made, of all sequences; empty if all.
    allowed: &'a [bool],
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
    /// Starts with uniform choices of two free roles.
    #[must_use]
    pub fn new(form: &SequenceForm, rule: Rule) -> Regrets {
        Regrets::restricted(form, rule, [None, None])
    }

    /// Starts with uniform choices of two roles that may be restricted.
    #[must_use]
    pub fn restricted(
        form: &SequenceForm,
        rule: Rule,
        mut restrictions: [Option<Restriction>; 2],
    ) -> Regrets {
        let halves = [0, 1].map(|role: Role| {
            let side = &form.sides[role];
            let zeros = vec![0.0; side.sequences];
            let (allowed, mixed) = match restrictions[role].take() {
                None => (Vec::new(), None),
                Some(Restriction::Only(allowed)) => (allowed, None),
                Some(Restriction::Mixed { weight, fixed }) => {
                    (Vec::new(), Some((weight, fixed, zeros.clone())))
                }
            };
            let mut half = RoleState {
                parts: parts(side),
                allowed,
                mixed,
                regrets: zeros.clone(),
                mix: zeros.clone(),
                plan: zeros.clone(),
                sum: zeros.clone(),
                worth: zeros,
            };
            for set in &side.sets {
                evenly(&mut half.mix[set.range()], of(&half.allowed, set.range()));
            }
            unfold(&side.sets, &half.mix, &mut half.plan);
            half.mix_plans();
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
            let other_plan = other.mixed.as_ref().map_or(&other.plan, |(_, _, met)| met);
            let tasks = own.tasks(&form.sides[role]);
            let threads = threads.min(tasks.len());
            for_each(threads, tasks.into_iter(), |mut task| task.update(rule, weight, other_plan));
            own.mix_plans();
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
    /// Mixes the fixed plan with the current one, if there is a fixed plan.
    fn mix_plans(&mut self) {
        if let Some((weight, fixed, met)) = &mut self.mixed {
            mix_into(met, *weight, fixed, &self.plan);
        }
    }

    /// Splits the state into its parts.
    fn tasks<'a>(&'a mut self, side: &'a Side) -> Vec<PartUpdate<'a>> {
        let RoleState { parts, allowed, regrets, mix, plan, sum, worth, .. } = self;
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
                allowed,
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
            let allowed = of(self.allowed, set.range());
            for (worth, allowed) in self.worth[range.clone()].iter_mut().zip(allowed) {
                *worth = if *allowed { *worth } else { NEVER };
            }
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
                evenly(mix, allowed);
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

/// Returns the part of a list that belongs to a set; empty if the list is.
fn of(allowed: &[bool], range: std::ops::Range<usize>) -> &[bool] {
    if allowed.is_empty() { allowed } else { &allowed[range] }
}

/// Spreads probability evenly over the allowed choices; over all if `allowed` is empty.
fn evenly(mix: &mut [f64], allowed: &[bool]) {
    if allowed.is_empty() {
        mix.fill(1.0 / mix.len() as f64);
        return;
    }
    let each = 1.0 / allowed.iter().filter(|allowed| **allowed).count() as f64;
    mix.iter_mut().zip(allowed).for_each(|(mix, allowed)| *mix = if *allowed { each } else { 0.0 });
}

/// Writes `weight` times one plan plus the rest times the other to `met`. Plans are linear: the result is the plan of a
/// role that throws a coin before the game.
pub fn mix_into(met: &mut Vec<f64>, weight: f64, fixed: &[f64], free: &[f64]) {
    met.clear();
    met.extend(fixed.iter().zip(free).map(|(fixed, free)| weight * fixed + (1.0 - weight) * free));
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
    best_response_within(side, &[], other_plan, worth)
}

/// Returns the payoff of the best response to a plan among those that make only `allowed` choices; all if it is empty.
pub fn best_response_within(side: &Side, allowed: &[bool], other_plan: &[f64], worth: &mut Vec<f64>) -> f64 {
    worth.clear();
    worth.extend((0..side.sequences).map(|row| side.rows.dot(row, other_plan)));
    for set in side.sets.iter().rev() {
        for (worth, allowed) in worth[set.range()].iter_mut().zip(of(allowed, set.range())) {
            *worth = if *allowed { *worth } else { NEVER };
        }
        let best = worth[set.range()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        worth[set.parent as usize] += best;
    }
    worth[0]
}

/// Returns which choices a best response to a plan can make, and its payoff. Choices that the plan never lets happen are
/// all allowed.
pub fn best_choices(side: &Side, other_plan: &[f64]) -> (Vec<bool>, f64) {
    let mut worth = Vec::new();
    let value = best_response(side, other_plan, &mut worth);
    let mut best = vec![true; side.sequences];
    for set in &side.sets {
        let most = worth[set.range()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for at in set.range() {
            best[at] = worth[at] >= most - TIE;
        }
    }
    (best, value)
}

/// Choices whose payoffs, weighted by the probability of getting there, differ by no more than this are equally good.
const TIE: f64 = 1e-12;
