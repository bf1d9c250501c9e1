//! Search of a stage with open hands: one seat maximises the lead, the other minimises it, chance is averaged.
//!
//! A value is the change of the first seat's lead until the end of the stage. Worlds of one view transpose into the same
//! positions, so all of them share one table. A forced action does not count as a ply.

mod chance;

use parlor_core::rng::fork;
use parlor_core::{Budget, Key, Kind, Meter, Objective, Phase, Rng, Seat, Settings, Staged};

use crate::evaluation::LastChoice;
use crate::leaves::Leaves;
use crate::star::{Bounds, Outcome};
use crate::table::{Bound, Found, Table, hash_of};

/// How a search handles chance nodes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Draws {
    /// The average over all outcomes.
    Weighed,
    /// One outcome: this number fixes the order of draws, like a shuffled boneyard.
    Fixed(u64),
}

/// `chance=`: how chance nodes are handled.
pub const DRAWS: Key = Key {
    name: "chance",
    kind: Kind::Choice(&["auto", "fixed", "weighed"]),
    default: "auto",
    help: "what comes by chance in a world: one order that is fixed beforehand, everything averaged, or whichever fits the worlds and the budget",
};

/// The setting for chance nodes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Chance {
    /// Depends on the worlds and the budget.
    Auto,
    /// One order of draws, sampled beforehand.
    Fixed,
    /// The average over all outcomes.
    Weighed,
}

impl Chance {
    /// Part of the budget for the trial of averaging over draws.
    const TRIAL_PART: u32 = 4;

    /// Nodes of a trial where nodes are not limited.
    const TRIAL: u64 = 100_000;

    /// Returns the budget of the trial of averaging over draws.
    #[must_use]
    pub fn trial(budget: Budget) -> Budget {
        let part = |nodes: u64| nodes / u64::from(Self::TRIAL_PART);
        Budget {
            nodes: Some(budget.nodes.map_or(Self::TRIAL, part)),
            time: budget.time.map(|time| time / Self::TRIAL_PART),
            ..budget
        }
    }

    /// Reads [`DRAWS`].
    #[must_use]
    pub fn read(settings: &Settings) -> Chance {
        match settings.text(DRAWS.name) {
            "fixed" => Chance::Fixed,
            "weighed" => Chance::Weighed,
            _ => Chance::Auto,
        }
    }
}

/// The value of a position for the first seat.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Value {
    /// The change of its lead until the end of the stage.
    pub gain: f64,
    /// Whether it is exact: no leaf was estimated.
    pub solved: bool,
}

/// The depth of an exact value: more than any search depth.
const TO_THE_END: u8 = u8::MAX;

/// A value this close to the edge of its window counts as a bound, so that rounding never decides on which side it is.
/// Larger than the rounding of the table, smaller than any difference that matters.
const EDGE: f64 = 1e-4;

/// The largest depth limit.
pub const DEEPEST: u32 = TO_THE_END as u32 - 1;

/// A search of one stage. Many searches may share the table.
pub struct OpenHand<'a, 'm, G: Staged> {
    game: &'a G,
    table: &'a Table,
    meter: &'a mut Meter<'m>,
    draws: Draws,
    objective: Objective,
    /// What leaves are worth; without it the game's static estimate.
    leaves: Option<&'a mut Leaves<G>>,
    /// Number of finished stages before this one.
    stages: u32,
    /// The untried choices of the nodes on the path, the most promising last.
    ahead: Vec<Ahead<G::Action>>,
    /// The pruning at chance nodes: [`KEY`](crate::star::KEY).
    star: u8,
    /// The outcomes of the chance nodes on the path.
    outcomes: Vec<Outcome<G::Action>>,
}

/// An untried choice.
#[derive(Copy, Clone)]
struct Ahead<A> {
    action: A,
    /// Its number in the game's order.
    at: u8,
    /// Its static value for the seat that chooses.
    promise: f64,
}

/// The search window: values are exact inside and bounds outside.
type Window = Bounds;

impl Window {
    const ALL: Window = Window { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Rounds a value for the table without crossing the edge of the window: a bound that crossed it would pass for an exact
    /// value.
    fn rounded(self, gain: f64, bound: Bound) -> f64 {
        let rounded = f64::from(gain as f32);
        match bound {
            Bound::AtLeast => rounded.max(self.high),
            Bound::AtMost => rounded.min(self.low),
            Bound::Exact => rounded,
        }
    }

    /// Returns the window after a gain.
    fn after(self, gain: f64) -> Window {
        Window { low: self.low - gain, high: self.high - gain }
    }
}

impl<'a, 'm, G: Staged> OpenHand<'a, 'm, G> {
    /// Prepares to search the stage in which `state` stands.
    pub fn new(
        game: &'a G,
        state: &G::State,
        table: &'a Table,
        meter: &'a mut Meter<'m>,
        draws: Draws,
    ) -> Self {
        let (stages, ahead, outcomes) = (game.stages(state), Vec::new(), Vec::new());
        let objective = Objective::default();
        OpenHand { game, table, meter, draws, objective, leaves: None, stages, ahead, star: 0, outcomes }
    }

    /// Sets the pruning at chance nodes: [`KEY`](crate::star::KEY).
    #[must_use]
    pub fn cutting(self, star: u8) -> Self {
        OpenHand { star, ..self }
    }

    /// Sets what leaves are worth.
    #[must_use]
    pub fn judging(self, leaves: Option<&'a mut Leaves<G>>) -> Self {
        OpenHand { leaves, ..self }
    }

    /// Sets what is maximised.
    #[must_use]
    pub fn aiming_at(self, objective: Objective) -> Self {
        OpenHand { objective, ..self }
    }

    /// Returns how far the first seat is ahead.
    fn lead(&self, state: &G::State) -> f64 {
        self.game.lead(self.objective, state)
    }

    /// Returns the value of a state by a search of `depth` choices; `None` if the budget has ended.
    pub fn value(&mut self, state: &G::State, depth: u32) -> Option<Value> {
        self.search(state, depth.min(DEEPEST), 0, Window::ALL, None)
    }

    /// Returns the gain of `action` in `state`, its immediate gain included.
    pub fn value_of(&mut self, state: &G::State, action: G::Action, depth: u32) -> Option<Value> {
        let mut next = state.clone();
        self.game.apply(&mut next, action);
        let gain = self.lead(&next) - self.lead(state);
        let last = match self.game.phase(state) {
            Phase::Decide(seat) => Some((state, seat, action)),
            _ => None,
        };
        let value = self.search(&next, depth.min(DEEPEST), 0, Window::ALL, last)?;
        Some(Value { gain: gain + value.gain, ..value })
    }

    fn has_ended(&self, state: &G::State) -> bool {
        self.game.phase(state) == Phase::Over || self.game.stages(state) != self.stages
    }

    /// `drawn` counts chance events since the root; `last` is the last action of a seat before `state`.
    fn search(
        &mut self,
        state: &G::State,
        depth: u32,
        drawn: u64,
        window: Window,
        last: Option<LastChoice<'_, G>>,
    ) -> Option<Value> {
        if self.has_ended(state) {
            return Some(Value { gain: 0.0, solved: true });
        }
        if !self.meter.tick(1) {
            return None;
        }
        match self.game.phase(state) {
            Phase::Decide(seat) => self.decide(state, seat, depth, drawn, window, last),
            _ => self.chance(state, depth, drawn, window, last),
        }
    }

    /// Returns the value of a state after an action, seen from the state before it.
    fn step(
        &mut self,
        (state, lead): (&G::State, f64),
        action: G::Action,
        depth: u32,
        drawn: u64,
        window: Window,
        last: Option<LastChoice<'_, G>>,
    ) -> Option<Value> {
        let mut next = state.clone();
        self.game.apply(&mut next, action);
        let gain = self.lead(&next) - lead;
        let value = self.search(&next, depth, drawn, window.after(gain), last)?;
        Some(Value { gain: gain + value.gain, ..value })
    }

    fn decide(
        &mut self,
        state: &G::State,
        seat: Seat,
        depth: u32,
        drawn: u64,
        window: Window,
        last: Option<LastChoice<'_, G>>,
    ) -> Option<Value> {
        let lead = self.lead(state);
        let mut actions = self.game.actions(state);
        if actions.len() == 1 {
            let only = actions.next().expect("there is one");
            return self.step((state, lead), only, depth, drawn, window, Some((state, seat, only)));
        }
        if depth == 0 {
            return self.guess(state, drawn, last);
        }
        let hash = self.hash(state);
        let known = self.table.get(hash);
        if let Some(value) = known.and_then(|found| usable(found, depth, window)) {
            return Some(value);
        }
        drop(actions);
        let maximises = seat == Seat::FIRST;
        let base = self.ahead.len();
        self.look_ahead(state, depth, seat, known.and_then(|found| found.action));
        let mut left = window;
        let mut best: Option<(f64, u8)> = None;
        let mut solved = true;
        while self.ahead.len() > base {
            let Some(Ahead { action, at, .. }) = self.ahead.pop() else { break };
            let value =
                self.step((state, lead), action, depth - 1, drawn, left, Some((state, seat, action)))?;
            let gain = value.gain;
            solved &= value.solved;
            if best.is_none_or(|(most, _)| if maximises { gain > most } else { gain < most }) {
                best = Some((gain, at));
            }
            if maximises {
                left.low = left.low.max(gain);
            } else {
                left.high = left.high.min(gain);
            }
            if left.low >= left.high {
                self.ahead.truncate(base);
            }
        }
        let (gain, at) = best.expect("a decision offers at least one action");
        let bound = match gain {
            gain if gain >= window.high - EDGE => Bound::AtLeast,
            gain if gain <= window.low + EDGE => Bound::AtMost,
            _ => Bound::Exact,
        };
        self.put(hash, gain, if solved { TO_THE_END } else { depth as u8 }, bound, Some(at));
        Some(Value { gain: window.rounded(gain, bound), solved })
    }

    /// Orders the choices: the table's best first, then by immediate gain. One ply above the leaves, ordering does not pay.
    fn look_ahead(&mut self, state: &G::State, depth: u32, seat: Seat, known: Option<u8>) {
        let base = self.ahead.len();
        let game = self.game;
        let lead = self.lead(state);
        for (at, action) in game.actions(state).enumerate() {
            let promise = match known {
                Some(best) if usize::from(best) == at => f64::INFINITY,
                _ if depth < 2 => 0.0,
                _ => {
                    let mut next = state.clone();
                    game.apply(&mut next, action);
                    let gain = self.lead(&next) - lead;
                    if seat == Seat::FIRST { gain } else { -gain }
                }
            };
            self.ahead.push(Ahead { action, at: at as u8, promise });
        }
        // A stable sort would allocate; the numbers keep the game's order among equals.
        self.ahead[base..]
            .sort_unstable_by(|one, other| one.promise.total_cmp(&other.promise).then(other.at.cmp(&one.at)));
    }

    fn chance(
        &mut self,
        state: &G::State,
        depth: u32,
        drawn: u64,
        window: Window,
        last: Option<LastChoice<'_, G>>,
    ) -> Option<Value> {
        let lead = self.lead(state);
        let seed = match self.draws {
            Draws::Fixed(seed) => seed,
            Draws::Weighed => return self.average(state, depth, lead, window, last),
        };
        let outcome = self.game.sample(state, &mut Rng::forked(seed, drawn));
        self.step((state, lead), outcome, depth, drawn + 1, window, last)
    }

    /// Returns the estimate of a leaf.
    fn guess(&mut self, state: &G::State, drawn: u64, last: Option<LastChoice<'_, G>>) -> Option<Value> {
        if self.leaves.is_none() {
            return Some(Value { gain: self.game.outlook(self.objective, state), solved: false });
        }
        let hash = self.hash(state);
        if let Some(value) = self.table.get(hash).and_then(|found| usable(found, 0, Window::ALL)) {
            return Some(value);
        }
        let gain = match &mut self.leaves {
            Some(Leaves::Learnt(values)) => {
                let found = values.value(self.game, state, Seat::FIRST, last);
                if !self.meter.tick(found.effort) {
                    return None;
                }
                let lead = self.game.lead_of_result(self.objective, found.value);
                lead.expect("the objective was checked when the values were read") - self.lead(state)
            }
            _ => self.play_out(state, hash, drawn)?,
        };
        self.put(hash, gain, 0, Bound::Exact, None);
        Some(Value { gain: f64::from(gain as f32), solved: false })
    }

    /// Plays to the end of the stage and returns the first seat's gain. The random stream is derived from the position.
    fn play_out(&mut self, state: &G::State, hash: u64, mut drawn: u64) -> Option<f64> {
        let game = self.game;
        let mut rng = Rng::new(hash);
        let mut now = state.clone();
        while !self.has_ended(&now) {
            if !self.meter.tick(1) {
                return None;
            }
            let action = match (game.phase(&now), &mut self.leaves, self.draws) {
                (Phase::Decide(seat), Some(Leaves::Playout(playout)), _) => {
                    playout.choose(game, &now, seat, &mut rng)
                }
                (Phase::Decide(_), ..) => game.pick(&now, &mut rng),
                (_, _, Draws::Fixed(seed)) => {
                    drawn += 1;
                    game.sample(&now, &mut Rng::forked(seed, drawn - 1))
                }
                (_, _, Draws::Weighed) => game.sample(&now, &mut rng),
            };
            game.apply(&mut now, action);
        }
        Some(self.lead(&now) - self.lead(state))
    }

    fn hash(&self, state: &G::State) -> u64 {
        let hash = hash_of(&self.game.rest(state));
        match self.draws {
            Draws::Weighed => hash,
            Draws::Fixed(seed) => fork(hash, seed),
        }
    }

    fn put(&self, hash: u64, gain: f64, depth: u8, bound: Bound, action: Option<u8>) {
        let value = (gain as f32).to_bits() as i32;
        self.table.put(hash, Found { value, depth, bound, action });
    }
}

/// Returns the table's entry if it is deep enough and settles the window.
fn usable(found: Found, depth: u32, window: Window) -> Option<Value> {
    let gain = f64::from(f32::from_bits(found.value as u32));
    let enough = match found.bound {
        Bound::Exact => true,
        Bound::AtLeast => gain >= window.high,
        Bound::AtMost => gain <= window.low,
    };
    let deep = u32::from(found.depth) >= depth;
    (enough && deep).then_some(Value { gain, solved: found.depth == TO_THE_END })
}
