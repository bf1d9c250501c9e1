//! One thread's search below the root.
//!
//! D. Knuth, R. Moore, *An analysis of alpha-beta pruning*, 1975; T. Marsland, M. Campbell, *Parallel search of strongly
//! ordered game trees*, 1982 (principal variation search); J. Schaeffer, *The history heuristic*, 1989.

use parlor_core::{Evaluate, Keyed, Meter, PerfectInfo, Phase, Seat};

use super::keys::Switches;
use super::order::{FORCING, HOPELESS, Scored, ThreadState, select_next};
use super::scale::{INFINITE, Scale};
use crate::endgame::EndgameProbe;
use crate::evaluation::Evaluation;
use crate::table::{Bound, Found, Table, hash_of};
use crate::thought_reporter::ThoughtReporter;

/// The maximum depth: a depth and the flag of [`AlphaBetaSearch::is_exact_since`] share eight bits of a table entry.
pub(super) const MOST_DEPTH: u32 = 127;

/// The state of one thread's search.
pub(super) struct AlphaBetaSearch<'a, G: PerfectInfo + Keyed + Evaluate> {
    pub(super) game: &'a G,
    pub(super) evaluation: &'a Evaluation<G>,
    pub(super) table: Option<&'a Table>,
    pub(super) switches: Switches,
    pub(super) scale: Scale,
    pub(super) thread: &'a mut ThreadState<G::Action>,
    pub(super) meter: Meter<'a>,
    pub(super) reporter: ThoughtReporter<'a, G::Action>,
    /// The endgame database, if any.
    pub(super) database: Option<&'a mut (dyn EndgameProbe<G> + 'static)>,
    /// Counts values that rest on an evaluation instead of the end of the match.
    pub(super) evaluations: u64,
    /// Set when the budget is exhausted; return values are meaningless from then on.
    pub(super) stopped: bool,
}

/// The first index of an action, and the first depth, to which late move reductions apply.
const LATE: usize = 3;
const VERY_LATE: usize = 7;
const DEEP: i32 = 3;

/// The depth of positions in quiescence search.
const QUIESCENT: i32 = -1;

/// The first depth with pruning, how far above the window the evaluation must be, and how much less deep the search is that verifies it.
const PRUNED_FROM: i32 = 3;
const PRUNING_MARGIN: i32 = 30;
const PRUNING_LESS: i32 = 4;

/// The first depth with internal iterative deepening, and how much less deep its search is.
const DEEPENED_FROM: i32 = 5;
const DEEPENING_LESS: i32 = 4;

/// With fewer plies left until a tie, positions that differ in the count have different entries in the table.
const NEAR_TIE: u32 = 24;

/// Returns the hash of a position in the table.
#[inline]
fn near_tie(hash: u64, left: u32) -> u64 {
    if left < NEAR_TIE { hash ^ hash_of(&left) } else { hash }
}

/// Returns the hash of a position in the table of a search with these switches.
#[inline]
pub(super) fn table_hash<G: Keyed>(game: &G, switches: Switches, state: &G::State) -> u64 {
    if switches.repeats {
        let standing = game.standing(state);
        near_tie(hash_of(&standing.key), standing.left)
    } else {
        hash_of(&game.key(state))
    }
}

impl<G: PerfectInfo + Keyed + Evaluate> AlphaBetaSearch<'_, G> {
    /// Returns whether no evaluation was used since `evaluations` was read. Then a value is that of best play, and a deeper
    /// search cannot change it.
    #[inline]
    pub(super) fn is_exact_since(&self, evaluations: u64) -> bool {
        self.evaluations == evaluations
    }

    /// Returns the value to `seat` of the position after its action (or chance), searched `depth` more plies.
    ///
    /// If the true value is at most `alpha`, so is the result; if it is at least `beta`, so is the result.
    #[inline]
    pub(super) fn child(
        &mut self,
        state: &G::State,
        seat: Seat,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if !self.meter.tick(1) {
            self.stopped = true;
            return 0;
        }
        self.reporter.pass(&self.meter);
        let phase = self.game.phase(state);
        if let (Phase::Decide(next), Some(database)) = (phase, self.database.as_deref_mut())
            && let Some(known) = database.usable_value(self.game, state)
        {
            self.thread.plies[ply].line.clear();
            // The result is certain but the way to it is not: an agent that stopped searching here would lose lost
            // positions at once and never win won ones.
            self.evaluations += 1;
            let evaluation = self.evaluate(state);
            let value = self.scale.known(known, evaluation, ply);
            return if next == seat { value } else { -value };
        }
        match phase {
            Phase::Over => {
                self.thread.plies[ply].line.clear();
                self.scale.end(self.game.payoffs(state).of(seat), ply)
            }
            // Most positions are quiet leaves: a fast path for them.
            Phase::Decide(next) if depth <= 0 && !self.needs_quiescence(state) => {
                if depth == 0 && self.switches.threats && self.game.is_threatened(state) {
                    return self.node_for(seat, state, next, 1, alpha, beta, ply);
                }
                self.thread.plies[ply].line.clear();
                self.evaluations += 1;
                let value = self.evaluate(state);
                if next == seat { value } else { -value }
            }
            Phase::Decide(next) => self.node_for(seat, state, next, depth, alpha, beta, ply),
            Phase::Chance => unreachable!("`alphabeta` plays games without chance"),
        }
    }

    /// Returns the value to `seat` of a position in which `next` is to move.
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "a node of a search, seen from a seat")]
    fn node_for(
        &mut self,
        seat: Seat,
        state: &G::State,
        next: Seat,
        depth: i32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if next == seat {
            self.node(state, next, depth, alpha, beta, ply)
        } else {
            -self.node(state, next, depth, -beta, -alpha, ply)
        }
    }

    /// Returns the value of a position to `seat`, which is to move.
    fn node(
        &mut self,
        state: &G::State,
        seat: Seat,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.thread.ensure_ply(ply);
        let wide = beta - alpha > 1;
        if wide {
            self.thread.plies[ply].line.clear();
        }
        if depth <= 0 {
            return self.quiescence_value(state, seat, alpha, beta, ply);
        }

        // Step 1. Nothing beats a win with the next action. If that is at most alpha, cut.
        let best_possible = self.scale.best(ply);
        if best_possible <= alpha {
            return best_possible;
        }

        // Step 2. A position that has occurred before is a draw: who could do better now could have done so then.
        let evaluations = self.evaluations;
        let hash = if self.switches.repeats {
            let standing = self.game.standing(state);
            let hash = hash_of(&standing.key);
            if self.thread.recurs(ply, hash, standing.reversible) {
                self.evaluations += 1;
                return 0;
            }
            near_tie(hash, standing.left)
        } else if self.table.is_some() {
            hash_of(&self.game.key(state))
        } else {
            0
        };

        // Step 3. Look up the position in the table.
        let mut found = self.table.and_then(|table| table.get(hash));
        if let Some(found) = found {
            let complete = found.depth & 1 == 1;
            if complete || i32::from(found.depth >> 1) >= depth {
                let value = self.scale.restored(found.value, ply);
                let enough = match found.bound {
                    Bound::Exact => true,
                    Bound::AtLeast => value >= beta,
                    Bound::AtMost => value <= alpha,
                };
                if enough {
                    self.evaluations += u64::from(!complete);
                    return value;
                }
            }
        }

        // Step 4. Cut where the evaluation is far above the window and a shallower search says the same. There is no null move:
        // in games with zugzwang, passing is worth more than moving.
        if self.switches.pruning && !wide && depth >= PRUNED_FROM && !self.scale.is_decided(beta) {
            let (target, shallow) = (beta + PRUNING_MARGIN, i32::max(depth - PRUNING_LESS, 1));
            if !self.needs_quiescence(state) && self.evaluate(state) >= target {
                let value = self.node(state, seat, shallow, target - 1, target, ply);
                if value >= target || self.stopped {
                    // The value rests on an evaluation even if the shallower search ended with the match: it was cut by one.
                    self.evaluations += 1;
                    return value;
                }
            }
        }

        // Step 5. Find an action to begin with.
        if self.switches.deepening
            && depth >= DEEPENED_FROM
            && found.is_none_or(|found| found.action.is_none())
        {
            self.node(state, seat, depth - DEEPENING_LESS, alpha, beta, ply);
            if self.stopped {
                return 0;
            }
            found = self.table.and_then(|table| table.get(hash));
        }

        // Step 6. List the actions.
        let mut actions = std::mem::take(&mut self.thread.plies[ply].actions);
        self.list(state, seat, ply, found.and_then(|found| found.action), &mut actions);

        // Step 7. Try them, best first.
        let after_loud = self.thread.plies[ply].before.is_some_and(|(_, loud)| loud);
        let (floor, mut best, mut best_index) = (alpha, -INFINITE, None);
        for at in 0..actions.len() {
            select_next(&mut actions, at);
            let Scored { action, score, loud, index } = actions[at];
            let mut next = state.clone();
            self.game.apply(&mut next, action);
            self.thread.plies[ply + 1].before = Some((action, loud));
            let extended = self.switches.extensions && loud && (wide || after_loud);
            let depth = depth + i32::from(extended);
            let value = if at == 0 {
                self.child(&next, seat, depth - 1, alpha, beta, ply + 1)
            } else {
                let less = if self.switches.reductions && depth >= DEEP && !loud {
                    reduction(depth, at, score, wide)
                } else {
                    0
                };
                let ceiling = if self.switches.pvs { alpha + 1 } else { beta };
                let value = self.child(&next, seat, depth - 1 - less, alpha, ceiling, ply + 1);
                if value > alpha && (less > 0 || ceiling < beta) && !self.stopped {
                    self.thread.plies[ply + 1].before = Some((action, loud));
                    self.child(&next, seat, depth - 1, alpha, beta, ply + 1)
                } else {
                    value
                }
            };
            if self.stopped {
                self.thread.plies[ply].actions = actions;
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_index) = (value, u8::try_from(index).ok());
                    if wide {
                        self.extend_line(ply, action);
                    }
                }
                if value >= beta {
                    if self.switches.ordering {
                        self.thread.record_cutoff(ply, seat, depth, &actions[..=at]);
                    }
                    break;
                }
            }
        }
        self.thread.plies[ply].actions = actions;

        // Step 8. Store the result in the table.
        if let Some(table) = self.table {
            let bound = if best >= beta {
                Bound::AtLeast
            } else if best > floor {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            let complete = u8::from(self.is_exact_since(evaluations));
            let found = Found {
                value: self.scale.stored(best, ply),
                depth: (depth.min(MOST_DEPTH as i32) as u8) << 1 | complete,
                bound,
                // The table uses 255 for "no action".
                action: best_index.filter(|&index| index < u8::MAX),
            };
            table.put(hash, found);
        }
        best
    }

    /// Lists the actions of a position with their ordering scores.
    #[inline]
    pub(super) fn list(
        &mut self,
        state: &G::State,
        seat: Seat,
        ply: usize,
        first: Option<u8>,
        actions: &mut Vec<Scored<G::Action>>,
    ) {
        actions.clear();
        let (ordering, thread) = (self.switches.ordering, &*self.thread);
        let first = first.map_or(u16::MAX, u16::from);
        let mut index = 0;
        self.game.promises(&self.evaluation.weights, state, |action, promise| {
            let score =
                if index == first { i32::MAX } else { thread.score(ply, seat, action, promise, ordering) };
            let loud = self.game.is_loud_action(state, action);
            actions.push(Scored { action, score, index, loud });
            index += 1;
        });
    }

    /// Sets the principal variation of a ply to `action` followed by that of the next ply.
    pub(super) fn extend_line(&mut self, ply: usize, action: G::Action) {
        let (before, after) = self.thread.plies.split_at_mut(ply + 1);
        let line = &mut before[ply].line;
        line.clear();
        line.push(action);
        line.extend_from_slice(&after[0].line);
    }

    /// Returns the static value of a position to the seat to move.
    #[inline]
    pub(super) fn evaluate(&mut self, state: &G::State) -> i32 {
        self.evaluation.of(self.game, state, &mut self.thread.accumulators)
    }

    /// Returns whether a position needs a quiescence search before it can be evaluated.
    #[inline]
    fn needs_quiescence(&self, state: &G::State) -> bool {
        self.switches.quiescence && self.game.is_loud(state)
    }

    /// Quiescence search: evaluates a position by searching loud actions only.
    ///
    /// If every action is loud, as with compulsory jumps in checkers, there is no stand-pat value. Otherwise the seat may
    /// decline an exchange, and losing exchanges are not searched.
    fn quiescence_value(
        &mut self,
        state: &G::State,
        seat: Seat,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        let mut actions = std::mem::take(&mut self.thread.plies[ply].actions);
        self.list(state, seat, ply, None, &mut actions);
        let forced = actions.iter().all(|scored| scored.loud);
        let mut best = -INFINITE;
        if !forced {
            self.evaluations += 1;
            best = self.evaluate(state);
            alpha = alpha.max(best);
            actions.retain(|scored| scored.loud);
        }
        for at in 0..actions.len() {
            if best >= beta || self.stopped {
                break;
            }
            select_next(&mut actions, at);
            let action = actions[at].action;
            if !forced && self.game.exchange(&self.evaluation.weights, state, action) < 0 {
                continue;
            }
            let mut next = state.clone();
            self.game.apply(&mut next, action);
            best = best.max(self.child(&next, seat, QUIESCENT, alpha, beta, ply + 1));
            alpha = alpha.max(best);
        }
        self.thread.plies[ply].actions = actions;
        best
    }
}

/// Returns by how many plies to reduce the search of action number `at`.
#[inline]
fn reduction(depth: i32, at: usize, score: i32, wide: bool) -> i32 {
    if score >= FORCING || (at < LATE && score > HOPELESS) {
        return 0;
    }
    let less =
        1 + i32::from(at >= VERY_LATE || score <= HOPELESS) + i32::from(depth >= 3 * DEEP && at >= VERY_LATE);
    (less - i32::from(wide)).clamp(0, depth - 1)
}
