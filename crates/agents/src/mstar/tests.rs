//! The search against its definition, and the example that its inventors give.

mod tree;

use parlor_core::{Budget, Cancel, Clock, Context, Decision, Oracle, Phase, Policy, Reporter, Rng, Seat};

use super::MstarOracle;
use super::deepening::{Deepening, Task};
use super::model_stack::{Look, Model, ModelStack, Modeller};
use crate::limits::Limits;
use crate::openhand::{Chance, Draws};
use crate::worlds_question::Question;
use tree::{Node, Tree};

/// Prefers later actions, and never takes the first of several.
struct Habit;

fn habits(count: usize) -> impl Iterator<Item = f64> {
    let all = if count == 1 { 1.0 } else { (count * (count - 1) / 2) as f64 };
    (0..count).map(move |at| if count == 1 { 1.0 } else { at as f64 / all })
}

impl Policy<Tree> for Habit {
    fn weigh(&mut self, decision: &Decision<'_, Tree>, weights: &mut Vec<f64>) {
        weights.clear();
        weights.extend(habits(decision.actions.len()));
    }
}

/// What the innermost player takes the other seat to be.
#[derive(Copy, Clone, Debug)]
enum End {
    Worst,
    Habit,
}

/// Returns the player whose evaluation is the first of `functions`, its model's the second, and so on.
fn player(functions: &[usize], end: End) -> Modeller<Tree> {
    let (&function, inner) = functions.split_first().unwrap();
    let model = match end {
        _ if !inner.is_empty() => Model::Modeller(Box::new(player(inner, end))),
        End::Worst => Model::Worst,
        End::Habit => Model::Policy(Box::new(Habit)),
    };
    Modeller { evaluation: Box::new(move |tree, &node, _, _| tree.0[node].worth[function]), model }
}

/// Returns what each action of the root is worth to the player in `seat`.
fn found(tree: &Tree, functions: &[usize], end: End, seat: Seat, depth: u32) -> Vec<f64> {
    let mut model_stack = ModelStack::new(player(functions, end), false);
    let mut meter = Budget::default().start(None);
    let mut rng = Rng::new(0);
    let mut look = Look {
        game: tree,
        seat,
        meter: &mut meter,
        rng: &mut rng,
        stages: 0,
        draws: Draws::Weighed,
        cut: false,
    };
    let actions: Vec<u8> = (0..tree.0[0].next.len() as u8).collect();
    let mut values = vec![0.0; actions.len()];
    assert!(model_stack.weigh(&mut look, &0, &actions, depth, 1.0, &mut values));
    values
}

/// The definition: the model is searched for at every node, and again for every model of it.
fn value(tree: &Tree, functions: &[usize], end: End, seat: Seat, node: usize, depth: u32) -> f64 {
    let Node { phase, next, worth } = &tree.0[node];
    let below = |at: usize, depth: u32| value(tree, functions, end, seat, next[at], depth);
    let deeper = |at: usize| below(at, depth - 1);
    match phase {
        Phase::Chance => {
            let odds = 1.0 / next.len() as f64;
            (0..next.len()).map(|at| odds * below(at, depth)).sum()
        }
        Phase::Decide(mover) if depth > 0 => match (*mover == seat, &functions[1..], end) {
            (true, ..) => (0..next.len()).map(deeper).fold(f64::MIN, f64::max),
            (false, [], End::Worst) => (0..next.len()).map(deeper).fold(f64::MAX, f64::min),
            (false, [], End::Habit) => {
                habits(next.len()).enumerate().map(|(at, odds)| odds * deeper(at)).sum()
            }
            (false, model, _) => {
                let to_the_model = |at: usize| value(tree, model, end, seat.other(), next[at], depth - 1);
                let chosen = (1..next.len())
                    .fold(0, |best, at| if to_the_model(at) > to_the_model(best) { at } else { best });
                deeper(chosen)
            }
        },
        _ => worth[functions[0]],
    }
}

#[test]
fn one_walk_finds_what_the_definition_says() {
    let mut rng = Rng::new(5);
    for _ in 0..300 {
        let tree = Tree::random(&mut rng, 4);
        let Phase::Decide(seat) = tree.0[0].phase else { panic!("a root is a decision") };
        for functions in [&[0][..], &[0, 1], &[2, 1, 0], &[0, 1, 2, 3], &[3, 3, 1, 0, 2]] {
            for end in [End::Worst, End::Habit] {
                for depth in [1, 2, 3, 9] {
                    let wanted: Vec<f64> = tree.0[0]
                        .next
                        .iter()
                        .map(|&next| value(&tree, functions, end, seat, next, depth - 1))
                        .collect();
                    let got = found(&tree, functions, end, seat, depth);
                    assert_eq!(got, wanted, "{functions:?} {end:?} depth {depth} of {tree:?}");
                }
            }
        }
    }
}

#[test]
fn a_minimax_opponent_gives_the_minimax_value() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let mut tree = Tree::random(&mut rng, 5);
        // Function 1 is function 0 from the other side.
        for node in &mut tree.0 {
            node.worth[1] = -node.worth[0];
        }
        let Phase::Decide(seat) = tree.0[0].phase else { panic!("a root is a decision") };
        let minimax = found(&tree, &[0], End::Worst, seat, 99);
        for nested in [&[0, 1][..], &[0, 1, 0], &[0, 1, 0, 1]] {
            let values = found(&tree, nested, End::Worst, seat, 99);
            assert!(values.iter().zip(&minimax).all(|(a, b)| (a - b).abs() < 1e-12));
        }
        // Whoever knows the habits of the other seat gets no less than whoever expects the worst.
        let exploiting = found(&tree, &[0], End::Habit, seat, 99);
        assert!(exploiting.iter().zip(&minimax).all(|(a, b)| a - b > -1e-12));
    }
}

/// Figure 5 of Myers 2014, after Carmel and Markovitch: the player swindles an opponent that takes it for someone else.
///
/// ```text
///                    a                    the player
///           b                 c           the opponent
///       d       e         f       g       the player
///     h   i   j   k     l   m   n   o
/// ```
///
/// The figure's picture is lost; these numbers are chosen so that everything holds that the text says of it.
#[test]
fn the_worked_example() {
    #[rustfmt::skip]
    let leaves = [
        // f0: what the opponent believes the player to want; f1: the opponent's own; f2: the player's own.
        [4.0, -6.0, 7.0], [1.0, -2.0, 3.0], [5.0, -8.0, 8.0], [2.0, -7.0, 5.0],
        [6.0, -3.0, 4.0], [0.0, -5.0, 2.0], [1.0, -9.0, 10.0], [3.0, 0.0, 6.0],
    ];
    let tree = Tree::binary(&leaves);
    let (player, opponent) = (Seat::FIRST, Seat::SECOND);
    let (b, c) = (1, 2);

    // The opponent takes the player for f0, so b is worth −6 to it and c is worth 0: it believes that o follows.
    assert_eq!(value(&tree, &[1, 0], End::Worst, opponent, b, 2), -6.0);
    assert_eq!(value(&tree, &[1, 0], End::Worst, opponent, c, 2), 0.0);
    // M*(a, 3, (f2, (f1, f0))): the player goes to c, and takes n.
    assert_eq!(found(&tree, &[2, 1, 0], End::Worst, player, 3), [7.0, 10.0]);
    // Minimax by f2 is 7.
    assert_eq!(found(&tree, &[2], End::Worst, player, 3), [7.0, 4.0]);
    // It is a swindle: an opponent that knows f2 does not fall for it.
    assert_eq!(found(&tree, &[2, 1, 2], End::Worst, player, 3), [7.0, 4.0]);
}

#[test]
fn a_sampled_policy_takes_one_action_by_its_odds() {
    // The other seat has three replies; by habit it takes the second once and the third twice in three.
    let tree = Tree::of(&[
        (Phase::Decide(Seat::FIRST), &[1], 0.0),
        (Phase::Decide(Seat::SECOND), &[2, 3, 4], 0.0),
        (Phase::Over, &[], 100.0),
        (Phase::Over, &[], 3.0),
        (Phase::Over, &[], 9.0),
    ]);
    let mut rng = Rng::new(1);
    let mut model_stack = ModelStack::new(player(&[0], End::Habit), true);
    let mut counts = [0; 2];
    for _ in 0..3000 {
        let mut meter = Budget::default().start(None);
        let mut look = Look {
            game: &tree,
            seat: Seat::FIRST,
            meter: &mut meter,
            rng: &mut rng,
            stages: 0,
            draws: Draws::Weighed,
            cut: false,
        };
        let mut values = [0.0];
        assert!(model_stack.weigh(&mut look, &0, &[0], 9, 1.0, &mut values));
        assert!(values == [3.0] || values == [9.0], "{values:?}");
        counts[usize::from(values == [9.0])] += 1;
    }
    // Five standard deviations of a binomial count around 1,000.
    assert!((871..1129).contains(&counts[0]), "{counts:?}");
    assert_eq!(found(&tree, &[0], End::Habit, Seat::FIRST, 9), [7.0]);
}

/// What the oracle that expects the worst does at the root of a tree.
fn asked(tree: &Tree, budget: Budget, is_stopped: bool, control: &str) -> u8 {
    let Phase::Decide(seat) = tree.0[0].phase else { panic!("a root is a decision") };
    let actions: Vec<u8> = (0..tree.0[0].next.len() as u8).collect();
    let stop = if is_stopped { Cancel::cancelled() } else { Cancel::new() };
    let clock = Clock::new(control.parse().unwrap());
    let decision = Decision::new(tree, seat, &0, &actions);
    let mut oracle =
        MstarOracle::new(ModelStack::new(player(&[0], End::Worst), false), Limits::of(budget), None);
    let mut rng = Rng::new(0);
    let mut context = Context::new(&mut rng).with_clocks(clock, None).with_cancel(&stop);
    oracle.act(&decision, &0, &mut context)
}

#[test]
fn limits_and_the_flag_end_it() {
    let best = |tree: &Tree, depth: u32| {
        let Phase::Decide(seat) = tree.0[0].phase else { panic!("a root is a decision") };
        let values = found(tree, &[0], End::Worst, seat, depth);
        (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best }) as u8
    };
    // A tree in which it shows whether anything was found out.
    let (tree, unthinking) = (0..)
        .map(|seed| Tree::random(&mut Rng::new(seed), 6))
        .map(|tree| (asked(&tree, Budget::default(), true, "none"), tree))
        .find_map(|(unthinking, tree)| (unthinking != best(&tree, 99)).then_some((tree, unthinking)))
        .expect("such trees are not rare");
    assert_eq!(asked(&tree, Budget::nodes(1), false, "none"), unthinking);
    assert_eq!(asked(&tree, Budget::default(), false, "0.001ms/move"), unthinking, "there was no time");
    assert_eq!(asked(&tree, Budget::depth(2), false, "none"), best(&tree, 2));
    assert_eq!(asked(&tree, Budget::default(), false, "none"), best(&tree, 99));
    assert_eq!(asked(&tree, Budget::default(), false, "1h/move"), best(&tree, 99));
}

/// A budget that ends between two worlds leaves what the first of them told.
#[test]
fn worlds_that_were_looked_at_speak_for_all() {
    let mut rng = Rng::new(6);
    let mut later = 0;
    for _ in 0..100 {
        let tree = Tree::random(&mut rng, 4);
        let Phase::Decide(seat) = tree.0[0].phase else { panic!("a root is a decision") };
        let values = found(&tree, &[0], End::Worst, seat, 1);
        let wanted = (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best });
        let actions: Vec<u8> = (0..values.len() as u8).collect();
        let ask = |worlds: &[(usize, f64)], budget: Budget| {
            let question = Question { game: &tree, seat, actions: &actions, worlds, is_complete: true };
            let task =
                Task { question, types: &[], chance: Chance::Weighed, unit: "", cancel: None, enough: None };
            let mut nodes = 0;
            let mut search = Deepening::new(ModelStack::new(player(&[0], End::Worst), false));
            let action = search.answer(
                &task,
                budget,
                &mut Rng::new(0),
                &mut Reporter::to(&mut |thought| nodes = thought.nodes),
            );
            (action, nodes)
        };
        let (_, one_world) = ask(&[(0, 1.0)], Budget::depth(1));
        let (action, _) = ask(&[(0, 0.5), (0, 0.5)], Budget::nodes(one_world));
        assert_eq!(usize::from(action), wanted, "{tree:?}");
        later += usize::from(wanted > 0);
    }
    assert!(later > 20, "the first action is no answer to {later} trees");
}
