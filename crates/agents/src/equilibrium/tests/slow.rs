//! The same numbers by algorithms too slow to use and too simple to be wrong.

use std::collections::HashMap;

use parlor_core::{Game, Phase, Seat};

use crate::equilibrium::form::Side;
use crate::equilibrium::regret::unfold;

/// Returns the payoff of the best pure plan against a plan, by enumeration.
pub fn best_of_all_plans(side: &Side, other_plan: &[f64]) -> f64 {
    let all: usize = side.sets.iter().map(|set| set.choices as usize).product();
    let worth = |mut number: usize| {
        let mut mix = vec![0.0; side.sequences];
        for set in &side.sets {
            mix[set.range()][number % set.choices as usize] = 1.0;
            number /= set.choices as usize;
        }
        let mut plan = vec![0.0; side.sequences];
        unfold(&side.sets, &mix, &mut plan);
        plan.iter().enumerate().map(|(row, weight)| weight * side.rows.dot(row, other_plan)).sum::<f64>()
    };
    (0..all).map(worth).fold(f64::NEG_INFINITY, f64::max)
}

#[derive(Clone, Default)]
struct Node {
    regrets: Vec<f64>,
    sum: Vec<f64>,
}

impl Node {
    fn mix(weights: &[f64]) -> Vec<f64> {
        let total: f64 = weights.iter().filter(|weight| **weight > 0.0).sum();
        let even = 1.0 / weights.len() as f64;
        weights.iter().map(|weight| if total > 0.0 { weight.max(0.0) / total } else { even }).collect()
    }
}

type Nodes<G> = HashMap<(Seat, <G as Game>::View), Node>;

/// Runs plain counterfactual regret minimisation on histories, with every view as an information set. Returns the value
/// of the average play to the first seat.
pub fn plain_regret_minimisation<G: Game>(game: &G, rounds: u32) -> f64 {
    let mut nodes = Nodes::<G>::new();
    for _ in 0..rounds {
        for seat in Seat::all(2) {
            learn(game, &mut nodes, &game.start(), seat, 1.0, 1.0);
        }
    }
    average(game, &nodes, &game.start())
}

fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

/// Returns the value to `learner`; `own` and `others` are the reach probabilities of it and of everyone else.
fn learn<G: Game>(
    game: &G,
    nodes: &mut Nodes<G>,
    state: &G::State,
    learner: Seat,
    own: f64,
    others: f64,
) -> f64 {
    let seat = match game.phase(state) {
        Phase::Over => return game.payoffs(state).of(learner),
        Phase::Chance => {
            let outcomes: Vec<_> = game.chances(state).collect();
            let value = |(outcome, odds)| {
                odds * learn(game, nodes, &after(game, state, outcome), learner, own, others * odds)
            };
            return outcomes.into_iter().map(value).sum();
        }
        Phase::Decide(seat) => seat,
    };
    let actions: Vec<G::Action> = game.actions(state).collect();
    let key = (seat, game.view(state, seat));
    let zeros = vec![0.0; actions.len()];
    let node = nodes.entry(key.clone()).or_insert_with(|| Node { regrets: zeros.clone(), sum: zeros });
    let mix = Node::mix(&node.regrets);
    let mut values = Vec::new();
    for (&action, odds) in actions.iter().zip(&mix) {
        let next = after(game, state, action);
        let (own, others) = if seat == learner { (own * odds, others) } else { (own, others * odds) };
        values.push(learn(game, nodes, &next, learner, own, others));
    }
    let value: f64 = values.iter().zip(&mix).map(|(value, odds)| value * odds).sum();
    if seat == learner {
        let node = nodes.get_mut(&key).unwrap();
        for at in 0..actions.len() {
            node.regrets[at] += others * (values[at] - value);
            node.sum[at] += own * mix[at];
        }
    }
    value
}

fn average<G: Game>(game: &G, nodes: &Nodes<G>, state: &G::State) -> f64 {
    match game.phase(state) {
        Phase::Over => game.payoffs(state).of(Seat::FIRST),
        Phase::Chance => {
            let outcomes = game.chances(state);
            outcomes.map(|(outcome, odds)| odds * average(game, nodes, &after(game, state, outcome))).sum()
        }
        Phase::Decide(seat) => {
            let mix = Node::mix(&nodes[&(seat, game.view(state, seat))].sum);
            let values = game.actions(state).map(|action| average(game, nodes, &after(game, state, action)));
            values.zip(mix).map(|(value, odds)| value * odds).sum()
        }
    }
}
