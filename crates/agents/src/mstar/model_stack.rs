//! Players inside players, searched all at once.
//!
//! D. Carmel, S. Markovitch, *Incorporating Opponent Models into Adversary Search*, AAAI 1996: a player is an evaluation and
//! a model of its opponent, which is a player again, or nothing. The model says what the opponent does; the player takes
//! what is best for itself after that. As written down, the search of a node searches for its model first, which searches
//! for its model … Here one walk carries the value of each player of the stack, level by level: at a node each level
//! takes its own maximum where its seat moves, and elsewhere the value of what the next level chooses.

use parlor_core::time::budget::Meter;
use parlor_core::{Decision, Game, Phase, Policy, Rng, Seat};

use super::types::Types;
use crate::openhand::Draws;
use crate::playout::Playout;

/// What a position where a search stops is worth to a seat, and whether the stage has ended there.
pub type Evaluation<G> = Box<dyn Fn(&G, &<G as Game>::State, Seat, bool) -> f64 + Send>;

/// What evaluations count.
pub struct Counting<G> {
    /// The unit of values.
    pub unit: &'static str,
    /// Computes what evaluations look up, before a match.
    pub prepare: Box<dyn Fn(&G) + Send>,
}

impl<G> Default for Counting<G> {
    fn default() -> Self {
        Counting { unit: "points ahead after the stage", prepare: Box::new(|_| ()) }
    }
}

/// Somebody who looks ahead.
pub struct Modeller<G: Game> {
    /// How it judges where it stops looking; each player of a stack judges for its own seat.
    pub evaluation: Evaluation<G>,
    /// What it takes the other seat to be.
    pub model: Model<G>,
}

/// What a player takes the other seat to be.
pub enum Model<G: Game> {
    /// Someone who does whatever is worst for the player: with this model a player is a minimax player.
    Worst,
    /// Someone whose odds are known, and who does not look ahead.
    Policy(Box<dyn Policy<G>>),
    /// One of several whose odds are known, or none of them.
    Types(Types<G>),
    /// Someone who looks ahead, with a model of its own.
    Modeller(Box<Modeller<G>>),
}

/// What the innermost player takes the other seat to be.
enum Last<G: Game> {
    Worst,
    Policy(Box<dyn Policy<G>>),
    Types(Types<G>),
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

/// A stack of players, ready to search.
pub struct ModelStack<G: Game> {
    /// The player's evaluation, that of its model, that of its model's model, and so on.
    levels: Vec<Evaluation<G>>,
    last: Last<G>,
    /// Whether a policy is asked for one action, drawn by its odds, instead of being averaged over.
    sampled: bool,
    /// Who plays on where a search stops: the player's seat, and the other. Without them the evaluations judge what is there.
    playout: Option<[Playout<G>; 2]>,
    frames: Vec<Frame<G::Action>>,
}

/// How far a walk has come.
#[derive(Copy, Clone)]
struct Path {
    /// How many decisions it still looks ahead.
    depth: u32,
    /// How many things chance has done in a fixed order.
    drawn: u64,
    /// The frame that it may use.
    ply: usize,
}

/// The stream of playouts among those of a fixed order.
const PLAYOUTS: u64 = u64::MAX;

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
    /// What is done where chance decides.
    pub draws: Draws,
    /// Set when a position was judged that has a future.
    pub cut: bool,
}

impl<G: Game> Look<'_, '_, G> {
    fn has_ended(&self, state: &G::State) -> bool {
        self.game.phase(state) == Phase::Over || self.game.stages(state) > self.stages
    }
}

impl<G: Game> ModelStack<G> {
    /// Prepares a player for searching.
    #[must_use]
    pub fn new(player: Modeller<G>, sampled: bool) -> Self {
        let Modeller { evaluation, mut model } = player;
        let mut levels = vec![evaluation];
        let last = loop {
            match model {
                Model::Worst => break Last::Worst,
                Model::Policy(policy) => break Last::Policy(policy),
                Model::Types(types) => break Last::Types(types),
                Model::Modeller(inner) => {
                    levels.push(inner.evaluation);
                    model = inner.model;
                }
            }
        };
        ModelStack { levels, last, sampled, playout: None, frames: Vec::new() }
    }

    /// Lets stages be played out where a search stops: by the first in the player's seat, by the second in the other.
    #[must_use]
    pub fn playing_out(self, playout: Option<[Playout<G>; 2]>) -> Self {
        ModelStack { playout, ..self }
    }

    /// Sets how likely each of the types is that the innermost model consists of and, where there is one more number, that the other seat is
    /// none of them; the numbers add up to 1.
    pub fn set_types(&mut self, shares: &[f64]) {
        if let Last::Types(types) = &mut self.last {
            types.set(shares);
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
            if !self.look(look, &next, Path { depth: depth.saturating_sub(1), drawn: 0, ply: 0 }) {
                return false;
            }
            *value += weight * self.frames[0].values[0];
        }
        true
    }

    /// Fills the values of the way's frame with what `state` is worth to each level.
    fn look(&mut self, look: &mut Look<'_, '_, G>, state: &G::State, way: Path) -> bool {
        if !look.meter.tick(1) {
            return false;
        }
        if self.frames.len() == way.ply {
            self.frames.push(Frame::default());
        }
        let over = look.has_ended(state);
        match look.game.phase(state) {
            Phase::Chance if !over => match look.draws {
                Draws::Weighed => self.average(look, state, way),
                Draws::Fixed(seed) => {
                    let mut next = state.clone();
                    look.game.apply(&mut next, look.game.sample(state, &mut Rng::forked(seed, way.drawn)));
                    self.look(look, &next, Path { drawn: way.drawn + 1, ..way })
                }
            },
            Phase::Decide(mover) if !over && way.depth > 0 => self.choose(look, state, mover, way),
            _ => {
                look.cut |= !over;
                if over || self.playout.is_none() {
                    self.judge(look, state, way.ply, over);
                    return true;
                }
                let Some(end) = self.play_out(look, state, way.drawn) else { return false };
                self.judge(look, &end, way.ply, true);
                true
            }
        }
    }

    /// Fills the values of frame `ply` with what the levels think of a position at a glance.
    fn judge(&mut self, look: &Look<'_, '_, G>, state: &G::State, ply: usize, over: bool) {
        let values = &mut self.frames[ply].values;
        values.clear();
        let judges = self.levels.iter().enumerate();
        values.extend(judges.map(|(level, judge)| judge(look.game, state, owner(look.seat, level), over)));
    }

    /// Returns how the stage ends if everyone plays on by habit; `None` if the meter said no.
    fn play_out(&mut self, look: &mut Look<'_, '_, G>, state: &G::State, mut drawn: u64) -> Option<G::State> {
        let ModelStack { playout, last, .. } = self;
        let [own, other] = playout.as_mut()?;
        let seed = match look.draws {
            Draws::Weighed => 0,
            Draws::Fixed(seed) => seed,
        };
        let mut rng = Rng::forked(seed, PLAYOUTS);
        let mut now = state.clone();
        while !look.has_ended(&now) {
            if !look.meter.tick(1) {
                return None;
            }
            let action = match look.game.phase(&now) {
                Phase::Decide(seat) if seat == look.seat => own.choose(look.game, &now, seat, &mut rng),
                Phase::Decide(seat) => match last {
                    Last::Types(types) => {
                        other.choose_by(look.game, &now, seat, &mut rng, |decision, weights| {
                            types.weigh(decision, weights);
                            // In a playout an unknown opponent plays like the types: finding its worst action takes a search.
                            let total: f64 = weights.iter().sum();
                            if total > 0.0 {
                                weights.iter_mut().for_each(|weight| *weight /= total);
                            } else {
                                let equal = 1.0 / weights.len() as f64;
                                weights.fill(equal);
                            }
                        })
                    }
                    Last::Worst | Last::Policy(_) => other.choose(look.game, &now, seat, &mut rng),
                },
                _ => {
                    drawn += 1;
                    look.game.sample(&now, &mut Rng::forked(seed, drawn - 1))
                }
            };
            look.game.apply(&mut now, action);
        }
        Some(now)
    }

    fn average(&mut self, look: &mut Look<'_, '_, G>, state: &G::State, way: Path) -> bool {
        let ply = way.ply;
        let mut sum = self.take_values(ply, 0.0);
        for (action, weight) in look.game.chances(state) {
            let mut next = state.clone();
            look.game.apply(&mut next, action);
            if !self.look(look, &next, Path { ply: ply + 1, ..way }) {
                return false;
            }
            for (sum, value) in sum.iter_mut().zip(&self.frames[ply + 1].values) {
                *sum += weight * value;
            }
        }
        self.frames[ply].values = sum;
        true
    }

    fn choose(&mut self, look: &mut Look<'_, '_, G>, state: &G::State, mover: Seat, way: Path) -> bool {
        let ply = way.ply;
        let below = Path { depth: way.depth - 1, ply: ply + 1, ..way };
        let innermost = self.levels.len() - 1;
        let mut actions = std::mem::take(&mut self.frames[ply].actions);
        let mut weights = std::mem::take(&mut self.frames[ply].weights);
        actions.clear();
        actions.extend(look.game.actions(state));
        // The innermost level's seat does not move here: its policy, or the worst, does.
        let outside = owner(look.seat, innermost) != mover;
        // How likely the other seat does its worst though others are possible.
        let mut worst = 0.0;
        if outside && !matches!(self.last, Last::Worst) {
            let view = look.game.view(state, mover);
            let decision = Decision::new(look.game, mover, &view, &actions);
            match &mut self.last {
                Last::Policy(policy) => policy.weigh(&decision, &mut weights),
                Last::Types(types) => {
                    types.weigh(&decision, &mut weights);
                    worst = types.worst;
                }
                Last::Worst => {}
            }
            if self.sampled && worst < 1.0 {
                draw_one(&mut weights, 1.0 - worst, look.rng);
            }
        }
        let follows_policy = outside && !matches!(self.last, Last::Worst);
        let mut least = f64::INFINITY;
        let mut best = self.take_values(ply, f64::NEG_INFINITY);
        if outside {
            best[innermost] = if follows_policy { 0.0 } else { f64::INFINITY };
        }
        let mut done = true;
        for (at, &action) in actions.iter().enumerate() {
            let weight = if follows_policy { weights[at] } else { 0.0 };
            // With a policy alone, what it never does need not be looked at. Inner players look at everything.
            if follows_policy && innermost == 0 && weight == 0.0 && worst == 0.0 {
                continue;
            }
            let mut next = state.clone();
            look.game.apply(&mut next, action);
            if !self.look(look, &next, below) {
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
                    least = least.min(values[level]);
                } else {
                    best[level] = best[level].min(values[level]);
                }
            }
        }
        if follows_policy && worst > 0.0 {
            best[innermost] += worst * least;
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

/// Gives one action, drawn by the weights, which add up to `total`, all the weight.
fn draw_one(weights: &mut [f64], total: f64, rng: &mut Rng) {
    let drawn = rng.by_weight(total, weights.iter().copied().enumerate());
    weights.fill(0.0);
    if let Some(at) = drawn {
        weights[at] = total;
    }
}
