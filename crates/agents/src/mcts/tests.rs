//! A toy game whose values can be computed by hand.

use parlor_core::api::BuildContext;
use parlor_core::rules::evaluate::MOST;
use parlor_core::{
    Agent, Context, Decision, Evaluate, Game, Payoffs, Phase, Range, ReadError, Rng, Seat, Settings, Spec,
};

use super::leaf_evaluator::{ByEvaluation, LeafEvaluator, NoEvaluation};
use super::tree::{ROOT, Turn};
use super::worker::{SimulationParams, Worker};
use super::{build_with_evaluation, keys_with_evaluation};
use crate::evaluation::Evaluation;

/// Two seats alternate in throwing one of two dice. After `throws` throws, the first seat gets its points minus the
/// second's. A die shows its number of points with odds 1 : 3, otherwise nothing.
#[derive(Clone, Debug)]
struct Dice {
    throws: u8,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Table {
    thrown: u8,
    /// The die that is rolling.
    die: u8,
    lead: i8,
}

impl Game for Dice {
    type State = Table;
    type Action = u8;
    type View = Table;

    fn seats(&self) -> u8 {
        2
    }
    fn start(&self) -> Table {
        Table::default()
    }
    fn phase(&self, table: &Table) -> Phase {
        match table {
            Table { die: 1.., .. } => Phase::Chance,
            Table { thrown, .. } if *thrown == self.throws => Phase::Over,
            Table { thrown, .. } => Phase::Decide(Seat(thrown % 2)),
        }
    }
    fn actions(&self, table: &Table) -> impl ExactSizeIterator<Item = u8> {
        let dice: &[u8] = if matches!(self.phase(table), Phase::Decide(_)) { &[1, 2] } else { &[] };
        dice.iter().copied()
    }
    fn chances(&self, table: &Table) -> impl Iterator<Item = (u8, f64)> {
        let outcomes = [(table.die, 0.25), (0, 0.75)];
        outcomes.into_iter().filter(move |_| self.phase(table) == Phase::Chance)
    }
    fn apply(&self, table: &mut Table, action: u8) {
        if self.phase(table) == Phase::Chance {
            let points = action as i8;
            table.lead += if table.thrown.is_multiple_of(2) { points } else { -points };
            table.thrown += 1;
            table.die = 0;
        } else {
            table.die = action;
        }
    }
    fn payoffs(&self, table: &Table) -> Payoffs {
        Payoffs::zero_sum(f64::from(table.lead))
    }
    fn range(&self) -> Range {
        let most = f64::from(self.throws + 1);
        Range { low: -most, high: most, sum: Some(0.0) }
    }
    fn view(&self, table: &Table, _: Seat) -> Table {
        *table
    }
    fn seen(&self, _: &Table, action: u8, _: Seat) -> Option<u8> {
        Some(action)
    }
}

impl Evaluate for Dice {
    type Weights = ();
    const WEIGHTS: &'static str = "";
    const UNIT: &'static str = "points";

    fn read_weights(&self, _: &str) -> Result<(), ReadError> {
        Ok(())
    }
    fn evaluate(&self, (): &(), table: &Table) -> i32 {
        let lead = i32::from(table.lead);
        (if table.thrown.is_multiple_of(2) { lead } else { -lead }).clamp(-MOST, MOST)
    }
}

const STYLE: SimulationParams = SimulationParams { explore: 0.5, solver: false, cut: None };

fn grown(game: &Dice, style: SimulationParams, simulations: u64) -> Worker<Dice> {
    let mut worker = Worker::new(game, 1 << 20);
    let mut rng = Rng::new(5);
    worker.go_to(game, &[], &game.start(), &mut rng);
    let mut meter = parlor_core::Budget::nodes(simulations).start(None);
    worker.run(game, &NoEvaluation, style, &mut meter, &mut rng, |_, _| true);
    worker
}

#[test]
fn outcomes_are_visited_by_their_probability() {
    let worker = grown(&Dice { throws: 4 }, STYLE, 20_000);
    let tree = &worker.tree;
    let mut checked = 0;
    for at in tree.children(ROOT).filter(|&at| tree.nodes[at].visits > 5_000) {
        assert_eq!(tree.nodes[at].turn, Turn::Chance);
        let outcomes = &tree.nodes[tree.children(at)];
        let all: u32 = outcomes.iter().map(|node| node.visits).sum();
        assert_eq!(all + 1, tree.nodes[at].visits, "the first visit precedes the expansion");
        let expected = f64::from(all) / 4.0;
        let deviation = (f64::from(all) * 0.25 * 0.75).sqrt();
        assert!((f64::from(outcomes[0].visits) - expected).abs() < 5.0 * deviation, "{outcomes:?}");
        assert_eq!((outcomes[0].bonus, outcomes[1].bonus), (0.25, 0.75), "weights are unchanged");
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn chance_nodes_are_solved_by_their_mean() {
    // Throwing the larger die is worth half a point to either seat.
    for (throws, value) in [(1, 0.5), (2, 0.0), (3, 0.5)] {
        let worker = grown(&Dice { throws }, SimulationParams { solver: true, ..STYLE }, 50_000);
        assert_eq!(worker.tree.nodes[ROOT].turn, Turn::Solved, "{throws} throws");
        assert!((worker.tree.bounds[ROOT].low - value).abs() < 1e-6, "{throws} throws");
    }
}

#[test]
fn visits_of_children_sum_to_their_parents() {
    let worker = grown(&Dice { throws: 6 }, STYLE, 3_000);
    let tree = &worker.tree;
    assert_eq!(tree.nodes[ROOT].visits, 3_000);
    let below: u32 = tree.nodes[tree.children(ROOT)].iter().map(|node| node.visits).sum();
    assert_eq!(below, 3_000, "the root is expanded from the start");
    for at in 1..tree.nodes.len() {
        let below: u32 = tree.nodes[tree.children(at)].iter().map(|node| node.visits).sum();
        assert!(tree.nodes[at].count == 0 || below + 1 == tree.nodes[at].visits);
    }
}

#[test]
fn carrying_over_keeps_the_subtree() {
    let game = Dice { throws: 6 };
    let mut worker = grown(&game, STYLE, 3_000);
    let first = worker.tree.children(ROOT).start;
    let outcome = worker.tree.children(first).start;
    let (before, bounds) = (worker.tree.nodes[outcome], worker.tree.bounds[outcome]);
    let (action, shown) = (worker.tree.nodes[first].action, before.action);
    let mut state = game.start();
    game.apply(&mut state, action);
    game.apply(&mut state, shown);
    worker.go_to(&game, &[action, shown], &state, &mut Rng::new(1));
    let root = worker.tree.nodes[ROOT];
    assert_eq!((root.visits, root.mean, root.count), (before.visits, before.mean, before.count));
    assert_eq!(worker.tree.bounds[ROOT], bounds);
    let below: u32 = worker.tree.nodes[worker.tree.children(ROOT)].iter().map(|node| node.visits).sum();
    assert_eq!(below + 1, root.visits);
    // Actions that do not lead to the position are not found, and the search starts from scratch.
    worker.go_to(&game, &[action, shown], &state, &mut Rng::new(1));
    assert_eq!(worker.tree.nodes[ROOT].visits, 0);
}

#[test]
fn trees_stay_within_their_memory() {
    let game = Dice { throws: 100 };
    let mut worker = Worker::new(&game, 100_000);
    let mut rng = Rng::new(5);
    worker.go_to(&game, &[], &game.start(), &mut rng);
    let mut meter = parlor_core::Budget::nodes(20_000).start(None);
    worker.run(&game, &NoEvaluation, STYLE, &mut meter, &mut rng, |_, _| true);
    assert!(!worker.has_room(), "the tree is full");
    assert_eq!(worker.tree.nodes[ROOT].visits, 20_000, "simulations continue");
    worker.tree.carry_over(worker.tree.children(ROOT).start);
    assert!(worker.tree.bytes() <= 100_000, "{} bytes", worker.tree.bytes());
}

#[test]
fn cut_playouts_treat_the_seats_alike() {
    // A lead has the same value for either seat, whichever is to move.
    let game = Dice { throws: 9 };
    let evaluator = ByEvaluation::<Dice> { evaluation: Evaluation::new(()), scale: 4.0 };
    for thrown in [2, 3] {
        let ahead = Table { thrown, die: 0, lead: 3 };
        let behind = Table { lead: -3, ..ahead };
        assert_eq!(evaluator.evaluate_leaf(&game, &ahead), -evaluator.evaluate_leaf(&game, &behind));
        let other = Table { thrown: thrown + 1, ..ahead };
        assert_eq!(evaluator.evaluate_leaf(&game, &ahead), -evaluator.evaluate_leaf(&game, &other));
    }
}

#[test]
fn the_agent_throws_the_better_die() {
    let game = Dice { throws: 7 };
    for text in
        ["mcts(sims=4000)", "mcts(sims=4000, cut=1, eval_scale=4)", "mcts(sims=4000, cut=0, eval_scale=4)"]
    {
        let settings = Settings::read(&Spec::parse(text).unwrap(), keys_with_evaluation()).unwrap();
        let mut agent = build_with_evaluation(&BuildContext::new(&game, &settings, &[]), None).unwrap();
        for (thrown, seat) in [(2, Seat::FIRST), (3, Seat::SECOND)] {
            let table = Table { thrown, die: 0, lead: 0 };
            let decision = Decision::new(&game, seat, &table, &[1, 2]);
            assert_eq!(agent.act(&decision, &mut Context::new(&mut Rng::new(1))), 2, "{text}, seat {seat}");
        }
    }
    assert!(Settings::read(&Spec::parse("mcts(cut=non)").unwrap(), keys_with_evaluation()).is_err());
}
