//! Players inside players, searched all at once.
//!
//! D. Carmel, S. Markovitch, *Incorporating Opponent Models into Adversary Search*, AAAI 1996: a player is an evaluation and
//! a model of its opponent, which is a player again, or nothing. The model says what the opponent does; the player takes
//! what is best for itself after that. As written down, the search of a node searches for its model first, which searches
//! for its model … Here one walk carries the value of each player of the nest, level by level: at a node each level
//! takes its own maximum where its seat moves, and elsewhere the value of what the next level chooses.

use parlor_core::budget::Meter;
use parlor_core::{Decision, Game, Phase, Policy, Rng, Seat};

/// What a position where a search stops is worth to a seat, and whether the stage has ended there.
pub type Evaluation<G> = Box<dyn Fn(&G, &<G as Game>::State, Seat, bool) -> f64 + Send>;

/// Somebody who looks ahead.
pub struct Player<G: Game> {
    /// How it judges where it stops looking; each player of a nest judges for its own seat.
    pub evaluation: Evaluation<G>,
    /// What it takes the other seat to be.
    pub model: Model<G>,
}

/// What a player takes the other seat to be.
pub enum Model<G: Game> {
    /// Someone who does whatever is worst for the player: with this model a player is a minimax player.
    Worst,
    /// Someone whose odds are known, and who does not look ahead.
    Policy(Box<dyn Policy<G> + Send>),
    /// Someone who looks ahead, with a model of its own.
    Player(Box<Player<G>>),
}

/// What the innermost player takes the other seat to be.
enum Last<G: Game> {
    Worst,
    Policy(Box<dyn Policy<G> + Send>),
}

/// What a node needs while its children are looked at.
struct Frame<A> {
    /// The value for each level.
    values: Vec<f64>,
    actions: Vec<A>,
    weights: Vec<f64>,
}

impl<A> Default for Frame<A> {
    fn default() -> Self {
        Frame { values: Vec::new(), actions: Vec::new(), weights: Vec::new() }
    }
}

/// A nest of players, ready to search.
pub struct Nest<G: Game> {
    /// The player's evaluation, that of its model, that of its model's model, and so on.
    levels: Vec<Evaluation<G>>,
    last: Last<G>,
    /// Whether a policy is asked for one action, drawn by its odds, instead of being averaged over.
    sampled: bool,
    frames: Vec<Frame<G::Action>>,
}

/// One look at one position.
pub struct Look<'a, 'm, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The seat of the player.
    pub seat: Seat,
    /// Counts nodes.
    pub meter: &'a mut Meter<'m>,
    /// Draws the actions of a sampled policy.
    pub rng: &'a mut Rng,
    /// How many stages had ended when the player was asked: the end of the present one is as far as anyone looks.
    pub stages: u32,
    /// Set when a position was judged that has a future.
    pub cut: bool,
}

impl<G: Game> Nest<G> {
    /// Prepares a player for searching.
    #[must_use]
    pub fn new(player: Player<G>, sampled: bool) -> Self {
        let Player { evaluation, mut model } = player;
        let mut levels = vec![evaluation];
        let last = loop {
            match model {
                Model::Worst => break Last::Worst,
                Model::Policy(policy) => break Last::Policy(policy),
                Model::Player(inner) => {
                    levels.push(inner.evaluation);
                    model = inner.model;
                }
            }
        };
        Nest { levels, last, sampled, frames: Vec::new() }
    }

    /// Writes how likely the model takes each action of a decision. Returns `false` for a model that looks ahead: it would
    /// have to be searched for.
    pub fn expects(&mut self, decision: &Decision<'_, G>, weights: &mut Vec<f64>) -> bool {
        match &mut self.last {
            Last::Policy(policy) if self.levels.len() == 1 => {
                policy.weigh(decision, weights);
                true
            }
            _ => false,
        }
    }

    /// Adds to `values`, `weight` times, what each of `actions` is worth to the player if it looks `depth` decisions ahead,
    /// at least one. Returns `false` if the meter said no; `values` are of no use then.
    pub fn weigh(
        &mut self,
        look: &mut Look<'_, '_, G>,
        state: &G::State,
        actions: &[G::Action],
        depth: u32,
        weight: f64,
        values: &mut [f64],
    ) -> bool {
        for (&action, value) in actions.iter().zip(values) {
            let mut next = state.clone();
            look.game.apply(&mut next, action);
            if !self.look(look, &next, depth.saturating_sub(1), 0) {
                return false;
            }
            *value += weight * self.frames[0].values[0];
        }
        true
    }

    /// Fills the values of frame `ply` with what `state` is worth to each level.
    fn look(&mut self, look: &mut Look<'_, '_, G>, state: &G::State, depth: u32, ply: usize) -> bool {
        if !look.meter.tick(1) {
            return false;
        }
        if self.frames.len() == ply {
            self.frames.push(Frame::default());
        }
        let phase = look.game.phase(state);
        let over = phase == Phase::Over || look.game.stages(state) > look.stages;
        match phase {
            Phase::Chance if !over => self.average(look, state, depth, ply),
            Phase::Decide(mover) if !over && depth > 0 => self.choose(look, state, mover, depth, ply),
            _ => {
                look.cut |= !over;
                let values = &mut self.frames[ply].values;
                values.clear();
                values.extend(
                    self.levels
                        .iter()
                        .enumerate()
                        .map(|(level, judge)| judge(look.game, state, owner(look.seat, level), over)),
                );
                true
            }
        }
    }

    fn average(&mut self, look: &mut Look<'_, '_, G>, state: &G::State, depth: u32, ply: usize) -> bool {
        let mut sum = self.take_values(ply, 0.0);
        for (action, weight) in look.game.chances(state) {
            let mut next = state.clone();
            look.game.apply(&mut next, action);
            if !self.look(look, &next, depth, ply + 1) {
                return false;
            }
            for (sum, value) in sum.iter_mut().zip(&self.frames[ply + 1].values) {
                *sum += weight * value;
            }
        }
        self.frames[ply].values = sum;
        true
    }

    fn choose(
        &mut self,
        look: &mut Look<'_, '_, G>,
        state: &G::State,
        mover: Seat,
        depth: u32,
        ply: usize,
    ) -> bool {
        let innermost = self.levels.len() - 1;
        let mut actions = std::mem::take(&mut self.frames[ply].actions);
        let mut weights = std::mem::take(&mut self.frames[ply].weights);
        actions.clear();
        actions.extend(look.game.actions(state));
        // The innermost level's seat does not move here: its policy, or the worst, does.
        let outside = owner(look.seat, innermost) != mover;
        if outside && let Last::Policy(policy) = &mut self.last {
            let view = look.game.view(state, mover);
            policy.weigh(&Decision::untimed(look.game, mover, &view, &actions), &mut weights);
            if self.sampled {
                draw_one(&mut weights, look.rng);
            }
        }
        let follows_policy = outside && matches!(self.last, Last::Policy(_));
        let mut best = self.take_values(ply, f64::NEG_INFINITY);
        if outside {
            best[innermost] = if follows_policy { 0.0 } else { f64::INFINITY };
        }
        let mut done = true;
        for (at, &action) in actions.iter().enumerate() {
            let weight = if follows_policy { weights[at] } else { 0.0 };
            // With a policy alone, what it never does need not be looked at. Inner players look at everything.
            if follows_policy && innermost == 0 && weight == 0.0 {
                continue;
            }
            let mut next = state.clone();
            look.game.apply(&mut next, action);
            if !self.look(look, &next, depth - 1, ply + 1) {
                done = false;
                break;
            }
            let values = &self.frames[ply + 1].values;
            for level in 0..=innermost {
                if owner(look.seat, level) == mover {
                    best[level] = best[level].max(values[level]);
                } else if level < innermost {
                    // The next level is the mover. Of actions that it likes equally it takes the first.
                    if values[level + 1] > best[level + 1] {
                        best[level] = values[level];
                    }
                } else if follows_policy {
                    best[level] += weight * values[level];
                } else {
                    best[level] = best[level].min(values[level]);
                }
            }
        }
        let frame = &mut self.frames[ply];
        frame.values = best;
        frame.actions = actions;
        frame.weights = weights;
        done
    }

    /// Takes the list of values out of a frame, one of `start` for each level.
    fn take_values(&mut self, ply: usize, start: f64) -> Vec<f64> {
        let mut values = std::mem::take(&mut self.frames[ply].values);
        values.clear();
        values.resize(self.levels.len(), start);
        values
    }
}

/// Returns the seat of a level: the player's own, the other's, in turn.
fn owner(seat: Seat, level: usize) -> Seat {
    if level.is_multiple_of(2) { seat } else { seat.other() }
}

/// Gives one action, drawn by the weights, all the weight.
fn draw_one(weights: &mut [f64], rng: &mut Rng) {
    let mut left = rng.unit();
    let mut drawn = None;
    for (at, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        // Rounding can leave a sliver beyond the last weight; it belongs to the last action.
        drawn = Some(at);
        if left < *weight {
            break;
        }
        left -= weight;
    }
    weights.fill(0.0);
    if let Some(at) = drawn {
        weights[at] = 1.0;
    }
}
