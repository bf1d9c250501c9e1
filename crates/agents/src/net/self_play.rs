//! An agent against itself: what it thought of positions, and how the matches ended.

use std::collections::HashSet;
use std::ops::ControlFlow;

use parlor_core::parallel::in_order;
use parlor_core::play::matches::Match;
use parlor_core::play::outcome::Ending;
use parlor_core::play::stepper::{Seated, Seats};
use parlor_core::rng::fork;
use parlor_core::rules::net_inputs::Inputs;
use parlor_core::{
    Agent, Cancel, Context, Decision, Evaluate, NetInputs, PerfectInfo, Reporter, Rng, Seat, Thought,
};

use super::KeptPosition;

/// Which matches are played.
#[derive(Clone, Debug)]
pub struct SelfPlayPlan<'a> {
    /// The agent, which reports its thoughts.
    pub agent: &'a str,
    /// The number of matches.
    pub matches: u64,
    /// Match *i* draws from `fork(seed, i)`.
    pub seed: u64,
    /// The number of threads; the positions do not depend on it.
    pub threads: usize,
    /// Each match begins with a number of random actions between these.
    pub opening: [u32; 2],
}

/// An agent in both seats that writes down what it thinks of quiet positions.
struct Recorder<G: NetInputs> {
    agent: Box<dyn Agent<G>>,
    positions: Vec<(Seat, KeptPosition)>,
    /// The positions that the match has had, so that shuffling to and fro counts once.
    seen: HashSet<Inputs>,
}

impl<G: NetInputs + PerfectInfo + Evaluate> Agent<G> for Recorder<G> {
    fn begin(&mut self, game: &G, seat: Seat) {
        self.agent.begin(game, seat);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let mut value = None;
        let mut keep = |thought: &Thought<G::Action>| value = Some(thought.value);
        let mut own = Context {
            rng: &mut *context.rng,
            clock: context.clock,
            opponent_clock: context.opponent_clock,
            cancel: context.cancel,
            reporter: Reporter::to(&mut keep),
        };
        let action = self.agent.act(decision, &mut own);
        let game = decision.game;
        let state = game.truth(decision.view);
        if let Some(value) = value
            && !game.is_loud(state)
        {
            let set = game.active_inputs(state);
            if self.seen.insert(set) {
                let stage = game.input_stage(state) as u8;
                let value = value.clamp(-30_000.0, 30_000.0) as i16;
                self.positions.push((decision.seat, KeptPosition { set, stage, result: 0, value }));
            }
        }
        action
    }
}

impl<G: NetInputs + PerfectInfo + Evaluate> Seats<G> for Recorder<G> {
    fn seated(&mut self, _: Seat) -> Option<Seated<'_, G>> {
        Some(Seated::Agent(self))
    }
}

/// Plays a match and returns its positions.
fn play<G>(game: &G, recorder: &mut Recorder<G>, plan: &SelfPlayPlan<'_>, number: u64) -> Vec<KeptPosition>
where
    G: NetInputs + PerfectInfo + Evaluate,
{
    let seed = fork(plan.seed, number);
    let [least, most] = plan.opening;
    let opening = least + Rng::new(seed).below(most.saturating_sub(least) + 1);
    recorder.positions.clear();
    recorder.seen.clear();
    let outcome = Match { opening, ..Match::seeded(seed) }.host(game, game.start(), recorder, &mut ());
    if outcome.ending != Ending::Finished {
        return Vec::new();
    }
    let of = |seat| {
        let payoff = outcome.payoffs.of(seat);
        i8::from(payoff > 0.0) - i8::from(payoff < 0.0)
    };
    recorder.positions.iter().map(|&(seat, position)| KeptPosition { result: of(seat), ..position }).collect()
}

/// Plays the matches of a plan, each agent of `agents` on a thread of its own, and returns their positions in the order of the matches.
/// `on_match` receives the number of matches and of positions so far. A set `cancel` ends it after whole matches.
pub(super) fn self_play<G>(
    game: &G,
    agents: Vec<Box<dyn Agent<G>>>,
    plan: &SelfPlayPlan<'_>,
    cancel: &Cancel,
    mut on_match: impl FnMut(u64, usize),
) -> (u64, Vec<KeptPosition>)
where
    G: NetInputs + PerfectInfo + Evaluate,
{
    let recorders = agents
        .into_iter()
        .map(|agent| Recorder { agent, positions: Vec::new(), seen: HashSet::new() })
        .collect();
    let (mut matches, mut positions) = (0, Vec::new());
    let work = |recorder: &mut Recorder<G>, number| Some(play(game, recorder, plan, number));
    in_order(recorders, 0..plan.matches, cancel, work, |list| {
        matches += 1;
        positions.extend(list);
        on_match(matches, positions.len());
        ControlFlow::Continue(())
    });
    (matches, positions)
}
