//! Decisions: alpha-beta and quiescence search.

use parlor_core::rules::evaluate::MOST;
use parlor_core::{Evaluate, Game, GameValue, Keyed, Meter, PerfectInfo, Phase, Seat};

use super::Options;
use super::order::SearchBuffers;
use crate::endgame::EndgameProbe;
use crate::table::{Bound, Found, Table, hash_of};
use crate::thought_reporter::ThoughtReporter;

/// The maximum length of a line.
pub(super) const MAX_PLY: usize = 160;

/// The largest evaluation. Larger values are proven wins.
pub(super) const MAX_EVALUATION: f64 = MOST as f64;

/// The value of a match that is won already, the maximum. A win is worth one less for every ply until then.
pub(super) const WON: f64 = MAX_EVALUATION + 2.0 * MAX_PLY as f64;

/// The value of a win known from a database, before adding a share of the evaluation and subtracting one per ply: above
/// the evaluations of positions that still need playing, and below a proven win, because the way to it is not known.
const KNOWN_WON: f64 = 9_000.0;

/// The divisor of the evaluation where a database knows the result. The evaluation still guides the play among won
/// positions.
const KNOWN_SHARE: f64 = 16.0;

/// The width of a null window: below the resolution of evaluations, above the rounding error of table entries.
const SCOUT: f64 = 0.01;

/// An alpha-beta window.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    pub(super) const OPEN: Window = Window { alpha: -WON, beta: WON };

    /// Returns the window from the other seat's point of view.
    fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A search in progress.
///
/// Values are in points of the evaluation, for the given seat. If the true value is at most alpha, the result lies
/// between the true value and alpha; likewise for beta. `None` means that the budget is exhausted.
pub(super) struct ExpectimaxSearch<'a, G: Evaluate> {
    pub(super) game: &'a G,
    /// The seat that searches.
    pub(super) own: Seat,
    pub(super) weights: &'a G::Weights,
    pub(super) options: Options,
    pub(super) table: Option<&'a Table>,
    /// The endgame database, if any.
    pub(super) database: Option<&'a mut (dyn EndgameProbe<G> + 'static)>,
    pub(super) buffers: &'a mut SearchBuffers<G::Action>,
    pub(super) meter: Meter<'a>,
    pub(super) reporter: ThoughtReporter<'a, G::Action>,
}

/// The place of a node in the tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// Decisions from the root to here.
    pub(super) ply: usize,
    /// Decisions left to search.
    pub(super) depth: u32,
}

impl Place {
    /// Returns the place after a decision.
    pub(super) fn after(self) -> Place {
        Place { ply: self.ply + 1, depth: self.depth.saturating_sub(1) }
    }
}

/// Returns the position after an action.
#[inline]
pub(super) fn after_action<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

impl<G: PerfectInfo + Keyed + Evaluate> ExpectimaxSearch<'_, G> {
    /// Counts a node. Returns whether the budget allows it.
    #[inline]
    pub(super) fn tick(&mut self) -> bool {
        self.reporter.pass(&self.meter);
        self.meter.tick(1)
    }

    /// Returns the value of `state` to `seat`.
    pub(super) fn value(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
    ) -> Option<f64> {
        match self.game.phase(state) {
            Phase::Over => self.tick().then(|| self.finished(state, seat, place.ply)),
            Phase::Decide(_) if self.options.repetitions && self.game.recurs(state) => {
                self.tick().then(|| self.drawn(seat))
            }
            Phase::Chance => self.chance(state, seat, place, window),
            Phase::Decide(mover) => {
                if let Some(database) = self.database.as_deref_mut()
                    && let Some(known) = database.usable_value(self.game, state)
                {
                    return self.tick().then(|| self.known(state, known, (seat, mover), place.ply));
                }
                if mover == seat {
                    self.best(state, seat, place, window)
                } else {
                    self.best(state, mover, place, window.negated()).map(|value| -value)
                }
            }
        }
    }

    /// Returns the value to `seat` of a position in which `mover` is to decide and of which a database knows the result.
    fn known(&self, state: &G::State, known: GameValue, (seat, mover): (Seat, Seat), ply: usize) -> f64 {
        let guide = f64::from(self.game.evaluate(self.weights, state)) / KNOWN_SHARE;
        let value = match known {
            GameValue::Drawn => return self.drawn(seat),
            GameValue::Won => KNOWN_WON + guide - ply as f64,
            GameValue::Lost => guide - KNOWN_WON + ply as f64,
        };
        if mover == seat { value } else { -value }
    }

    /// Returns the value of a finished match: 0 for the middle of the game's payoffs, a win for the best.
    fn finished(&self, state: &G::State, seat: Seat, ply: usize) -> f64 {
        let range = self.game.range();
        let middle = (range.high + range.low) / 2.0;
        let share = (self.game.payoffs(state).of(seat) - middle) / (range.high - middle);
        if share == 0.0 {
            self.drawn(seat)
        } else if share.abs() < 1.0 {
            share * MAX_EVALUATION
        } else {
            share.signum() * (WON - ply as f64)
        }
    }

    /// Returns the value of a draw to `seat`.
    fn drawn(&self, seat: Seat) -> f64 {
        let contempt = f64::from(self.options.contempt);
        if seat == self.own { -contempt } else { contempt }
    }

    /// Returns the value of `state` to `seat`, which is to decide.
    fn best(&mut self, state: &G::State, seat: Seat, place: Place, window: Window) -> Option<f64> {
        if !self.tick() {
            return None;
        }
        if place.depth == 0 || place.ply >= MAX_PLY {
            return self.quiescence_value(state, seat, place, window);
        }
        // Step 1. Look up the position in the table: for its value, else for the action to try first.
        let hash = self.table.map(|_| hash_of(&self.game.key(state)));
        let known = self.probe_table(hash, place.ply);
        if let Some((found, value)) = known
            && u32::from(found.depth) >= place.depth
            && is_sufficient(found.bound, value, window)
        {
            return Some(value);
        }
        // Step 2. ExpectimaxSearch the actions until one causes a cutoff.
        let begin = self.list(state, seat, place.ply, known.and_then(|(found, _)| found.action));
        let (mut best, mut best_index, mut low) = (f64::NEG_INFINITY, None, window.alpha);
        let (mut at, mut chance_actions, mut skipped) = (begin, 0, false);
        while let Some(candidate) = self.next(at) {
            at += 1;
            if candidate.leads_to_chance {
                chance_actions += 1;
                if self.options.chance_actions.is_some_and(|most| chance_actions > most) {
                    skipped = true;
                    continue;
                }
            }
            let next = after_action(self.game, state, candidate.action);
            let within = Window { alpha: low, beta: window.beta };
            let value = self.scout(&next, seat, place.after(), within, best == f64::NEG_INFINITY)?;
            if value > best {
                best = value;
                best_index = Some(candidate.index);
            }
            low = low.max(best);
            if low >= window.beta {
                if !candidate.is_loud {
                    self.buffers.record_cutoff(seat, candidate.action, place.ply, place.depth);
                }
                break;
            }
        }
        self.buffers.candidates.truncate(begin);
        // Step 3. A position is not proven lost while some flips are not searched.
        if skipped {
            best = best.max(-MAX_EVALUATION);
        }
        let bound = if best >= window.beta {
            Bound::AtLeast
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.store(hash, place, best, bound, best_index.filter(|_| best > window.alpha));
        Some(best)
    }

    /// Returns the value of `state` to `seat`. Searches all actions but the first with a null window, because they are
    /// expected to be worse than the best so far.
    pub(super) fn scout(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
        is_first: bool,
    ) -> Option<f64> {
        let Window { alpha, beta } = window;
        if is_first || beta - alpha <= SCOUT {
            return self.value(state, seat, place, window);
        }
        let value = self.value(state, seat, place, Window { alpha, beta: alpha + SCOUT })?;
        if value <= alpha || value >= beta { Some(value) } else { self.value(state, seat, place, window) }
    }

    /// Quiescence search: returns the value to `seat`, which is to decide, of a position at the depth limit.
    pub(super) fn quiescence_value(
        &mut self,
        state: &G::State,
        seat: Seat,
        place: Place,
        window: Window,
    ) -> Option<f64> {
        // Stand pat: the seat need not capture.
        let mut best = f64::from(self.game.evaluate(self.weights, state));
        if !self.options.quiescence || best >= window.beta || place.ply >= MAX_PLY {
            return Some(best);
        }
        let begin = self.list_loud(state);
        let mut at = begin;
        while let Some(candidate) = self.next(at) {
            at += 1;
            let next = after_action(self.game, state, candidate.action);
            let within = Window { alpha: window.alpha.max(best), beta: window.beta };
            best = best.max(self.value(&next, seat, place.after(), within)?);
            if best >= window.beta {
                break;
            }
        }
        self.buffers.candidates.truncate(begin);
        Some(best)
    }

    /// Returns the table entry, with its value as seen from this ply.
    pub(super) fn probe_table(&self, hash: Option<u64>, ply: usize) -> Option<(Found, f64)> {
        let found = self.table?.get(hash?)?;
        let value = f64::from(f32::from_bits(found.value as u32));
        Some((found, with_distance(value, -(ply as f64))))
    }

    /// Stores a value. Distances of proven wins count from the position, not from the root.
    pub(super) fn store(
        &self,
        hash: Option<u64>,
        place: Place,
        value: f64,
        bound: Bound,
        action: Option<u8>,
    ) {
        if let Some((table, hash)) = self.table.zip(hash) {
            let value = with_distance(value, place.ply as f64) as f32;
            let depth = place.depth.min(u32::from(u8::MAX)) as u8;
            table.put(hash, Found { value: value.to_bits() as i32, depth, bound, action });
        }
    }
}

/// Returns whether a stored value with this bound suffices for the window.
pub(super) fn is_sufficient(bound: Bound, value: f64, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= window.beta,
        Bound::AtMost => value <= window.alpha,
    }
}

/// Moves a proven value `plies` plies away from zero; leaves other values unchanged.
fn with_distance(value: f64, plies: f64) -> f64 {
    if value.abs() > MAX_EVALUATION { value + value.signum() * plies } else { value }
}
