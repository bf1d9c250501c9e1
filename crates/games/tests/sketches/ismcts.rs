//! Monte Carlo tree search over information sets (Cowling, Powley, Whitehouse 2012): needs imagined worlds only. A node
//! is a seat and its view, which is what that seat knows, so worlds that look alike to a seat share its statistics.

use std::collections::HashMap;

use parlor_core::rules::playout::playout;
use parlor_core::{Agent, Decision, Game, Imagine, Phase, Rng, Seat};

use crate::{Random, Tally, double_three, duel, four_in_a_row, three_by_three};

/// What was found out about one action of an information set.
#[derive(Copy, Clone, Default)]
struct Arm {
    /// In how many worlds it could be taken.
    offered: u32,
    tried: u32,
    /// The payoffs of the seat that chose it, added up.
    total: f64,
}

/// The weight of exploration, as a share of the spread of payoffs: the source's value.
const EXPLORE: f64 = 0.7;

/// A seat and what it knows.
type InformationSet<G> = (Seat, <G as Game>::View);

struct IsMcts<G: Game> {
    sims: u32,
    /// The lowest and the highest payoff so far. The declared range can be far wider than what happens.
    low: f64,
    high: f64,
    nodes: HashMap<InformationSet<G>, Vec<(G::Action, Arm)>>,
}

impl<G: Imagine> IsMcts<G> {
    fn new(sims: u32) -> Self {
        IsMcts { sims, low: 0.0, high: 0.0, nodes: HashMap::new() }
    }

    fn simulate(&mut self, game: &G, mut world: G::State, rng: &mut Rng) {
        let scale = EXPLORE * (self.high - self.low);
        let mut path = Vec::new();
        // Step 1. Down the tree, every seat by its own view, until an action that was never tried.
        loop {
            let seat = match game.phase(&world) {
                Phase::Over => break,
                Phase::Chance => {
                    let outcome = game.sample(&world, rng);
                    game.apply(&mut world, outcome);
                    continue;
                }
                Phase::Decide(seat) => seat,
            };
            let set = (seat, game.view(&world, seat));
            let arms = self.nodes.entry(set.clone()).or_default();
            let mut choice: Option<(f64, G::Action)> = None;
            for action in game.actions(&world) {
                let at = arms.iter().position(|(known, _)| *known == action).unwrap_or_else(|| {
                    arms.push((action, Arm::default()));
                    arms.len() - 1
                });
                let arm = &mut arms[at].1;
                arm.offered += 1;
                let promise = if arm.tried == 0 {
                    // Untried ones first, in random order.
                    f64::MAX * (0.5 + rng.unit() / 2.0)
                } else {
                    let tried = f64::from(arm.tried);
                    arm.total / tried + scale * (f64::from(arm.offered).ln() / tried).sqrt()
                };
                if choice.is_none_or(|(best, _)| promise > best) {
                    choice = Some((promise, action));
                }
            }
            let (_, action) = choice.expect("a decision offers at least one action");
            let fresh = arms.iter().any(|(known, arm)| *known == action && arm.tried == 0);
            path.push((set, action));
            game.apply(&mut world, action);
            if fresh {
                break;
            }
        }
        // Step 2. At random to the end.
        playout(game, &mut world, rng);
        // Step 3. Everyone on the way remembers what it got.
        let payoffs = game.payoffs(&world);
        for (set, action) in path {
            let seat = set.0;
            let arms = self.nodes.get_mut(&set).expect("the way down has made it");
            let (_, arm) =
                arms.iter_mut().find(|(known, _)| *known == action).expect("the way down has made it");
            arm.tried += 1;
            let payoff = payoffs.of(seat);
            arm.total += payoff;
            (self.low, self.high) = (self.low.min(payoff), self.high.max(payoff));
        }
    }
}

impl<G: Imagine> Agent<G> for IsMcts<G> {
    fn begin(&mut self, _: &G, _: Seat) {
        self.nodes.clear();
        (self.low, self.high) = (0.0, 0.0);
    }

    fn act(&mut self, decision: &Decision<'_, G>, rng: &mut Rng) -> G::Action {
        for _ in 0..self.sims {
            let world = decision.game.imagine(decision.view, rng);
            self.simulate(decision.game, world, rng);
        }
        let arms = &self.nodes[&(decision.seat, decision.view.clone())];
        arms.iter().max_by_key(|(_, arm)| arm.tried).expect("a decision offers at least one action").0
    }
}

#[test]
fn beats_random_play_clearly() {
    // Between equals, wins minus losses of n matches has a standard deviation of at most √n; five of them are clear.
    for (pairs, tally) in [
        (50, duel(&three_by_three(), &mut IsMcts::new(300), &mut Random, 50)),
        (20, duel(&four_in_a_row(), &mut IsMcts::new(100), &mut Random, 20)),
        (1_000, duel(&double_three(), &mut IsMcts::new(60), &mut Random, 1_000)),
    ] {
        let Tally { wins, losses, .. } = tally;
        let clear = 5.0 * f64::from(2 * pairs).sqrt();
        assert!(f64::from(wins) - f64::from(losses) > clear, "{tally:?} of {pairs} pairs");
    }
}

/// Worlds that look alike to a seat meet in one node: that is what the view as a key is for.
#[test]
fn hidden_worlds_share_a_node() {
    let game = double_three();
    let mut rng = Rng::new(7);
    let mut state = game.start();
    while game.phase(&state) == Phase::Chance {
        let outcome = game.sample(&state, &mut rng);
        game.apply(&mut state, outcome);
    }
    let Phase::Decide(seat) = game.phase(&state) else { panic!("after the deal someone leads") };
    let view = game.view(&state, seat);
    let worlds: Vec<_> = (0..200).map(|_| game.imagine(&view, &mut rng)).collect();
    assert!(worlds.iter().any(|world| *world != worlds[0]), "there is something to imagine");
    let mut search = IsMcts::new(0);
    for world in worlds {
        search.simulate(&game, world, &mut rng);
    }
    let arms = &search.nodes[&(seat, view)];
    assert_eq!(arms.iter().map(|(_, arm)| arm.tried).sum::<u32>(), 200);
}
