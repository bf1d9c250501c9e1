//! Grows a book by self-play, best line first.
//!
//! Each game follows the book, choosing in every position the line with the highest upper confidence bound (P. Auer, N.
//! Cesa-Bianchi, P. Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002). Where the book ends, the
//! agent searches: its ordering of the moves becomes a new page, its choice is played, and it plays out the game against
//! itself. The result is backed up along the line. Proven results are backed up by minimax: a position is won if one line
//! is, and lost if all are.
//!
//! Games are played in batches. The lines of a batch are chosen one after the other, each as if the earlier ones had been
//! lost, so that they spread. Then the batch is played on all threads, and its results are recorded in order. Batches
//! depend only on the number of games, so the book is the same for any number of threads and after an interruption.

use std::ops::ControlFlow;

use parlor_core::parallel::in_order;
use parlor_core::play::stepper::{ask, guarded};
use parlor_core::rng::fork;
use parlor_core::{
    Agent, Cancel, Certainty, Context, Decision, Ending, Fault, Forfeit, Game, GameValue, Keyed, Match,
    Payoffs, PerfectInfo, Phase, Rng, Seat, Seated, Thought,
};

use super::{Book, Line, Page, halves, result};
use crate::table::hash_of;

/// The maximum batch size.
const BATCH: u64 = 16;

/// The exploration constant.
const EXPLORATION: f64 = 0.5;

/// The agents of one thread, one for each seat.
pub type Pair<G> = [Box<dyn Agent<G>>; 2];

/// Errors of growing a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GrowError {
    /// The agent broke the rules or panicked.
    #[error("game {game}: the agent failed: {why}")]
    Agent {
        /// The number of the game.
        game: u64,
        /// The fault.
        why: Fault,
    },
}

/// A decision on the path through the book.
struct Step {
    hash: u64,
    seat: Seat,
    /// The index of the line on its page.
    line: usize,
}

/// The path of a game through the book, and where it leaves it.
struct Walk<G: Game> {
    number: u64,
    steps: Vec<Step>,
    state: G::State,
    /// Whether the book gets a new page at its end.
    grows: bool,
}

/// The rest of a game.
struct Played {
    payoffs: Payoffs,
    /// The new page and the seat to move there. Its first line was played.
    page: Option<(u64, Seat, Page)>,
}

/// Grows a book to its planned size, with one thread per pair of agents. Calls `on_batch` after every batch. If
/// cancelled, the current batch is dropped and the book stays in the state after the last one.
///
/// # Errors
/// If an agent fails.
pub fn grow<G: PerfectInfo + Keyed>(
    game: &G,
    book: &mut Book,
    mut agents: Vec<Pair<G>>,
    cancel: &Cancel,
    on_batch: &mut dyn FnMut(&Book),
) -> Result<(), GrowError> {
    while !book.is_grown() && !cancel.is_cancelled() {
        let first = book.about.games;
        let end = batch_end(first).min(book.about.planned);
        let walks: Vec<Walk<G>> = (first..end).map(|number| book.walk(game, number)).collect();
        let played = play_all(game, &walks, &mut agents, book.about.seed, cancel);
        let Ok(Some(played)) = played else {
            book.forget(&walks);
            return played.map(|_| ());
        };
        for (walk, played) in walks.iter().zip(played) {
            book.record(game, walk, played);
        }
        book.about.games = end;
        on_batch(book);
    }
    Ok(())
}

/// Returns the number of the first game after a batch. The first batches are small because there is little to choose
/// from.
fn batch_end(first: u64) -> u64 {
    if first < BATCH { (2 * first).max(1) } else { (first / BATCH + 1) * BATCH }
}

impl Page {
    /// Returns the index of the line to explore next.
    fn most_promising(&self) -> usize {
        let visits = self.visits() as f64;
        let points: f64 = self.lines.iter().map(|line| f64::from(line.halves) / 2.0).sum();
        let mean = if visits > 0.0 { points / visits } else { 0.5 };
        let doubt = libm::log(visits + 1.0);
        let bound = |rank: usize, line: &Line| match line.score() {
            Some(score) => score + EXPLORATION * libm::sqrt(doubt / f64::from(line.visits.max(1))),
            // Without visits: the later in the agent's order, the less most_promising.
            None => mean + EXPLORATION * libm::sqrt(doubt / (1 + rank) as f64),
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (at, line) in self.lines.iter().enumerate() {
            let bound = bound(at, line);
            if bound > best.1 {
                best = (at, bound);
            }
        }
        best.0
    }
}

impl Book {
    /// Follows the book until it or the game ends, or chance acts, counting the visits.
    fn walk<G: PerfectInfo + Keyed>(&mut self, game: &G, number: u64) -> Walk<G> {
        let mut walk = Walk { number, steps: Vec::new(), state: game.start(), grows: false };
        while (walk.steps.len() as u32) < self.about.plies {
            let Phase::Decide(seat) = game.phase(&walk.state) else { break };
            let hash = hash_of(&game.key(&walk.state));
            let Some(page) = self.pages.get_mut(&hash) else {
                walk.grows = true;
                break;
            };
            let line = page.most_promising();
            let action = game.actions(&walk.state).nth(usize::from(page.lines[line].action));
            // A hash collision with a position that has more actions: treat it as the end of the book.
            let Some(action) = action else { break };
            page.lines[line].visits += 1;
            walk.steps.push(Step { hash, seat, line });
            game.apply(&mut walk.state, action);
        }
        walk
    }

    /// Removes the visits of walks without a result.
    fn forget<G: Game>(&mut self, walks: &[Walk<G>]) {
        for step in walks.iter().flat_map(|walk| &walk.steps) {
            if let Some(page) = self.pages.get_mut(&step.hash) {
                page.lines[step.line].visits -= 1;
            }
        }
    }

    /// Records the result of a game.
    fn record<G: PerfectInfo + Keyed>(&mut self, game: &G, walk: &Walk<G>, played: Played) {
        // The proven result of the position after a step, for a seat.
        let mut after: Option<(Seat, GameValue)> = None;
        if game.phase(&walk.state) == Phase::Over {
            after = Some((Seat::FIRST, result(&played.payoffs, Seat::FIRST)));
        }
        if let Some((hash, seat, new)) = played.page {
            let page = self.pages.entry(hash).or_insert_with(|| new.clone());
            // Another game of the batch may have added the page with another move first.
            if let Some(line) = page.lines.iter_mut().find(|line| line.action == new.lines[0].action) {
                line.visits += 1;
                line.halves += halves(&played.payoffs, seat);
            }
            after = page.known().map(|known| (seat, known));
        }
        for step in walk.steps.iter().rev() {
            let Some(page) = self.pages.get_mut(&step.hash) else { continue };
            let line = &mut page.lines[step.line];
            line.halves += halves(&played.payoffs, step.seat);
            if let Some((seat, known)) = after {
                line.known = Some(if seat == step.seat { known } else { known.turned() });
            }
            after = page.known().map(|known| (step.seat, known));
        }
    }
}

/// Plays a batch; `None` if cancelled.
fn play_all<G: PerfectInfo + Keyed>(
    game: &G,
    walks: &[Walk<G>],
    agents: &mut [Pair<G>],
    seed: u64,
    cancel: &Cancel,
) -> Result<Option<Vec<Played>>, GrowError> {
    let workers: Vec<&mut Pair<G>> = agents.iter_mut().take(walks.len()).collect();
    let work = |pair: &mut &mut Pair<G>, walk: &Walk<G>| play(game, walk, pair, seed, cancel).transpose();
    let mut all = Vec::with_capacity(walks.len());
    in_order(workers, walks.iter(), cancel, work, |played| {
        let go_on = if played.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        all.push(played);
        go_on
    });
    let all: Vec<Played> = all.into_iter().collect::<Result<_, _>>()?;
    // Cancelled games, and games not started for that reason, are missing.
    Ok((all.len() == walks.len()).then_some(all))
}

/// Plays a game from where it leaves the book; `None` if cancelled.
fn play<G: PerfectInfo + Keyed>(
    game: &G,
    walk: &Walk<G>,
    agents: &mut Pair<G>,
    seed: u64,
    cancel: &Cancel,
) -> Result<Option<Played>, GrowError> {
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let mut settings = Match::seeded(fork(seed, walk.number));
    settings.cancel = Some(cancel.clone());
    let mut state = walk.state.clone();
    let fails = |why| GrowError::Agent { game: walk.number, why };
    let mut page = None;
    if walk.grows
        && let Phase::Decide(seat) = game.phase(&state)
    {
        let agent = &mut agents[seat.index()];
        let actions: Vec<G::Action> = game.actions(&state).collect();
        let view = game.view(&state, seat);
        let decision = Decision::new(game, seat, &view, &actions);
        let rng = &mut settings.agent_rngs[seat];
        let (lines, chosen) =
            consider(&decision, &state, &mut **agent, rng, cancel).map_err(|forfeit| fails(forfeit.why))?;
        page = Some((hash_of(&game.key(&state)), seat, Page { lines }));
        game.apply(&mut state, chosen);
    }
    let [first, second] = agents;
    let outcome = settings.play_from(game, state, &mut [&mut **first, &mut **second], &mut ());
    match outcome.ending {
        Ending::Abandoned => Ok(None),
        Ending::Forfeit(forfeit) => Err(fails(forfeit.why)),
        Ending::Finished if cancel.is_cancelled() => Ok(None),
        Ending::Finished => Ok(Some(Played { payoffs: outcome.payoffs, page })),
    }
}

/// Asks the agent about a position that is new to the book. Returns a line for every action, the chosen one first, then
/// in the order of its thoughts; and the chosen action.
fn consider<G: Game>(
    decision: &Decision<'_, G>,
    state: &G::State,
    agent: &mut dyn Agent<G>,
    rng: &mut Rng,
    cancel: &Cancel,
) -> Result<(Vec<Line>, G::Action), Forfeit> {
    let seat = decision.seat;
    let mut player = Seated::Agent(agent);
    guarded(seat, || player.begin(decision.game, seat))?;
    let mut last: Option<Thought<G::Action>> = None;
    let mut keep = |thought: &Thought<G::Action>| last = Some(thought.clone());
    let mut context = Context::new(rng).with_cancel(cancel).with_reporter(&mut keep);
    let chosen = ask(decision, state, &mut player, &mut context)?;
    let place = |action: G::Action| decision.actions.iter().position(|&other| other == action);
    let chosen_at = place(chosen).expect("the stepper has checked the answer");
    let mut lines: Vec<Line> = Vec::with_capacity(decision.actions.len());
    let mut add = |at: usize, known| {
        if lines.iter().all(|line| usize::from(line.action) != at) {
            lines.push(Line { action: at as u16, visits: 0, halves: 0, known });
        }
    };
    let moves = last.map(|thought| thought.moves).unwrap_or_default();
    let known = |at: usize| {
        let considered = moves.iter().find(|considered| place(considered.action) == Some(at))?;
        (considered.certainty == Certainty::Proven).then_some(if considered.value > 0.0 {
            GameValue::Won
        } else if considered.value < 0.0 {
            GameValue::Lost
        } else {
            GameValue::Drawn
        })
    };
    add(chosen_at, known(chosen_at));
    for at in moves.iter().filter_map(|considered| place(considered.action)).chain(0..decision.actions.len())
    {
        add(at, known(at));
    }
    Ok((lines, chosen))
}
