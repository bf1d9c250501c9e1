//! A toy game made of hashes, and an exhaustive search of it.

use std::time::Duration;

use parlor_core::{
    Cancel, Certainty, Clock, Context, Game, Payoffs, Range, ReadError, Rng, Thought, TimeControl,
};

use super::search::{MAX_EVALUATION, WON};
use super::*;
use crate::table::hash_of;

/// Every action leads to a new position; every third one to a chance node.
#[derive(Clone, Debug)]
struct Toy {
    seed: u64,
    actions: u8,
    plies: u8,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Spot {
    path: u64,
    plies: u8,
    is_chance: bool,
}

impl Toy {
    fn number(&self, spot: &Spot, what: u64, below: u64) -> u64 {
        hash_of(&(self.seed, spot.path, what)) % below
    }
}

impl Game for Toy {
    type State = Spot;
    type Action = u8;
    type View = Spot;

    fn seats(&self) -> u8 {
        2
    }
    fn start(&self) -> Spot {
        Spot { path: 1, plies: 0, is_chance: false }
    }
    fn phase(&self, spot: &Spot) -> Phase {
        if spot.is_chance {
            Phase::Chance
        } else if spot.plies == self.plies || spot.plies > 2 && self.number(spot, 0, 10) == 0 {
            Phase::Over
        } else {
            Phase::Decide(Seat(spot.plies % 2))
        }
    }
    fn actions(&self, spot: &Spot) -> impl ExactSizeIterator<Item = u8> {
        0..if matches!(self.phase(spot), Phase::Decide(_)) { self.actions } else { 0 }
    }
    fn chances(&self, spot: &Spot) -> impl Iterator<Item = (u8, f64)> {
        let weights = if spot.is_chance { &[0.2, 0.5, 0.3][..] } else { &[] };
        (100..).zip(weights.iter().copied())
    }
    fn apply(&self, spot: &mut Spot, action: u8) {
        spot.is_chance = !spot.is_chance && action % 3 == 2;
        spot.plies += u8::from(action < 100);
        spot.path = hash_of(&(spot.path, action));
    }
    fn payoffs(&self, spot: &Spot) -> Payoffs {
        // Few draws, because among many every value would be a draw.
        Payoffs::zero_sum([0.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0][self.number(spot, 1, 7) as usize])
    }
    fn range(&self) -> Range {
        Range::WIN_DRAW_LOSS
    }
    fn view(&self, spot: &Spot, _: Seat) -> Spot {
        spot.clone()
    }
    fn seen(&self, _: &Spot, action: u8, _: Seat) -> Option<u8> {
        Some(action)
    }
}

impl Keyed for Toy {
    type Key = (u64, bool);
    fn key(&self, spot: &Spot) -> (u64, bool) {
        (spot.path, spot.is_chance)
    }
}

impl Evaluate for Toy {
    type Weights = ();
    const WEIGHTS: &'static str = "";
    const UNIT: &'static str = "points";
    fn read_weights(&self, _: &str) -> Result<(), ReadError> {
        Ok(())
    }
    fn evaluate(&self, (): &(), spot: &Spot) -> i32 {
        // Wide, so that averages reach the bounds of evaluations.
        (self.number(spot, 2, 2_001) as i32 - 1_000) * if self.seed.is_multiple_of(2) { 10 } else { 1 }
    }
}

/// Returns the value of a position to `seat` by exhaustive search, `depth` decisions deep.
fn exhaustive_value(toy: &Toy, spot: &Spot, seat: Seat, depth: u32, ply: u32) -> f64 {
    let after = |action| {
        let mut next = spot.clone();
        toy.apply(&mut next, action);
        next
    };
    match toy.phase(spot) {
        Phase::Over => toy.payoffs(spot).of(seat) * (WON - f64::from(ply)),
        Phase::Chance => {
            let values: Vec<(f64, f64)> = toy
                .chances(spot)
                .map(|(outcome, weight)| (weight, exhaustive_value(toy, &after(outcome), seat, depth, ply)))
                .collect();
            let average = values.iter().map(|(weight, value)| weight * value).sum::<f64>();
            let proven = |sign: f64| values.iter().all(|(_, value)| sign * value > MAX_EVALUATION);
            if proven(1.0) || proven(-1.0) { average } else { average.clamp(-MAX_EVALUATION, MAX_EVALUATION) }
        }
        Phase::Decide(mover) => {
            let sign = if mover == seat { 1.0 } else { -1.0 };
            if depth == 0 {
                return sign * f64::from(toy.evaluate(&(), spot));
            }
            let values = toy
                .actions(spot)
                .map(|action| sign * exhaustive_value(toy, &after(action), seat, depth - 1, ply + 1));
            sign * values.fold(f64::NEG_INFINITY, f64::max)
        }
    }
}

fn player(star: u8, ordering: bool, mebibytes: usize, limits: Budget) -> Expectimax<Toy> {
    let options = Options {
        star,
        ordering,
        quiescence: false,
        chance_actions: None,
        repetitions: true,
        contempt: 0,
        ponder: true,
    };
    Expectimax::new(options, Limits::of(limits), (), mebibytes)
}

/// Returns the last thought about the start of a game, and the action.
fn last_thought(toy: &Toy, player: &mut Expectimax<Toy>) -> (Thought<u8>, u8) {
    let start = toy.start();
    let actions: Vec<u8> = toy.actions(&start).collect();
    let decision = Decision::new(toy, Seat(0), &start, &actions);
    let mut last = None;
    let action = player.act(
        &decision,
        &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| last = Some(thought.clone())),
    );
    (last.expect("a depth was finished"), action)
}

#[test]
fn every_cut_finds_the_value_of_the_full_search() {
    let mut nodes = [0; 3];
    for seed in 0..24 {
        let toy = Toy { seed, actions: 5, plies: 9 };
        let depth = 5;
        for star in 0..3 {
            for (ordering, mebibytes) in [(false, 0), (true, 0), (true, 1)] {
                let mut player = player(star, ordering, mebibytes, Budget::depth(depth));
                let (thought, action) = last_thought(&toy, &mut player);
                // A search that ends early has proven its value; the exhaustive one may prove it at the depth reached.
                let full = exhaustive_value(&toy, &toy.start(), Seat(0), thought.depth, 0);
                // The table keeps 24 bits of a value.
                let near = if mebibytes > 0 { 0.01 } else { 1e-6 };
                assert!(
                    (thought.value - full).abs() < near,
                    "seed {seed} star {star}: {} {full}",
                    thought.value
                );
                let mut next = toy.start();
                toy.apply(&mut next, action);
                let chosen = exhaustive_value(&toy, &next, Seat(0), thought.depth - 1, 1);
                assert!((chosen - full).abs() < 2.0 * near, "the action has that value");
                if mebibytes == 0 && ordering {
                    nodes[usize::from(star)] += thought.nodes;
                }
            }
        }
    }
    // Star2 gains where it probes a good reply; nothing in this game says which reply is good.
    assert!(nodes[2] < nodes[0] && nodes[1] < nodes[0], "{nodes:?}");
}

#[test]
fn proofs_agree_with_exhaustive_search() {
    let mut proven = 0;
    for seed in 0..60 {
        // The first seat decides last, which makes proven wins likely enough.
        let toy = Toy { seed, actions: 4, plies: if seed < 30 { 3 } else { 5 } };
        let (thought, _) = last_thought(&toy, &mut player(2, true, 1, Budget::depth(6)));
        let end = exhaustive_value(&toy, &toy.start(), Seat(0), 20, 0);
        if thought.certainty == Certainty::Proven {
            assert!(
                end * thought.value > 0.0 && end.abs() > MAX_EVALUATION,
                "seed {seed}: {} {end}",
                thought.value
            );
            assert!(thought.end_in.is_some_and(|plies| plies <= 6));
            proven += 1;
        }
    }
    assert!(proven > 5, "{proven} proofs");
}

#[test]
fn budgets_and_cancellation_are_obeyed() {
    let toy = Toy { seed: 3, actions: 6, plies: 40 };
    let start = toy.start();
    let actions: Vec<u8> = toy.actions(&start).collect();
    let decision = Decision::new(&toy, Seat(0), &start, &actions);
    let mut reports = 0;
    player(2, true, 1, Budget::nodes(5_000)).act(
        &decision,
        &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| {
            reports += 1;
            assert!(thought.nodes <= 5_000 && thought.moves.len() == actions.len());
            assert_eq!(thought.line[0], thought.moves[0].action);
        }),
    );
    assert!(reports > 1);
    // A forced action needs no search, and a cancelled search returns at once.
    let mut unlimited = player(2, true, 1, Budget::default());
    let forced = Decision { actions: &actions[3..4], ..Decision::new(&toy, Seat(0), &start, &actions) };
    assert_eq!(unlimited.act(&forced, &mut Context::new(&mut Rng::new(1))), 3);
    let stop = Cancel::cancelled();
    let mut rng = Rng::new(1);
    let mut context = Context::new(&mut rng).with_cancel(&stop);
    assert!(actions.contains(&unlimited.act(&decision, &mut context)));
    let clock = Clock::new(TimeControl::total(Duration::from_millis(200)));
    let mut context = Context::new(&mut rng).with_clocks(clock, None);
    assert!(actions.contains(&unlimited.act(&decision, &mut context)));
}

/// Returns the nodes of a decision after pondering the right guess for `pondering`, and without.
fn nodes_with_and_without(pondering: Duration) -> (u64, u64) {
    let toy = Toy { seed: 5, actions: 5, plies: 30 };
    let mut pondered = player(2, true, 4, Budget::depth(4));
    let (_, action) = last_thought(&toy, &mut pondered);
    let mut spot = toy.start();
    toy.apply(&mut spot, action);
    assert_eq!(pondered.line[0], action);
    let Some(&reply) = guess(&pondered.line) else { panic!("nothing is expected after {action}") };
    // The opponent decides when the flag is set.
    let stop = Cancel::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(pondering);
            stop.cancel();
        });
        pondered.ponder(&Pondering { game: &toy, seat: Seat(0), view: &spot, cancel: &stop });
    });
    toy.apply(&mut spot, reply);
    let actions: Vec<u8> = toy.actions(&spot).collect();
    let nodes = |player: &mut Expectimax<Toy>| {
        let mut nodes = 0;
        let decision = Decision::new(&toy, Seat(0), &spot, &actions);
        player.act(
            &decision,
            &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| nodes = thought.nodes),
        );
        nodes
    };
    (nodes(&mut pondered), nodes(&mut player(2, true, 4, Budget::depth(4))))
}

#[test]
fn pondering_on_the_right_guess_saves_work() {
    // Slower machines need longer to ponder enough.
    let saves = |milliseconds| {
        let (with, without) = nodes_with_and_without(Duration::from_millis(milliseconds));
        with < without / 2
    };
    assert!([100, 1000, 10_000].into_iter().any(saves), "ten seconds of pondering did not halve the nodes");
}
