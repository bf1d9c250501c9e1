//! Grows a book of exact answers with the game's solver.
//!
//! For each seat there is a tree: where the seat is to move it holds one best action, elsewhere every reply. A position goes
//! into the book if the solver takes long over it, and mirror images count as one position. Every answer is checked against the one
//! that it follows from: no reply to a best action leads to less than that promised. The book depends neither on what
//! the solver's table holds nor on interruptions or threads: whether a position is easy is tested with an empty table, and which of
//! several best actions is taken is up to the solver, which always chooses the same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use parlor_core::api::ApiError;
use parlor_core::parallel::in_order;
use parlor_core::{
    Budget, Cancel, Exact, Game, GameValue, Keyed, PerfectInfo, Phase, Position, Resources, Solver, Unsolved,
};

use super::{Book, Line, Page, result};
use crate::table::hash_of;

/// The agent that these books are for, as headers name it.
pub const AGENT: &str = crate::exact::NAME;

/// What a player of these books has for the positions that are left out.
pub const PLAYERS_MEANS: Resources = Resources { threads: 1, memory_mb: 64 };

/// Where a position takes less than this part of the nodes that are easy, so do those that follow, and none of them is tested.
const CLEARLY_EASY: u64 = 4;

/// Errors of growing a book of exact answers.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// The game has no solver, or the work was cancelled.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// Two answers contradict each other.
    #[error(
        "a position after {ply} plies is {found:?} for the seat to move, but an earlier answer promises {promised:?}"
    )]
    Contradiction {
        /// The ply of the position.
        ply: u32,
        /// What it is worth.
        found: GameValue,
        /// What it is worth at least, if the answer before it is right.
        promised: GameValue,
    },
}

impl From<Unsolved> for ExactError {
    fn from(error: Unsolved) -> Self {
        ExactError::Api(error.into())
    }
}

/// How far the growth has come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExactProgress {
    /// The ply of the positions that are being answered.
    pub ply: u32,
    /// The number of positions of this ply that are done, and that there are.
    pub done: [usize; 2],
}

/// Positions that a tree holds at a ply, by the smaller hash of the keys of a state and its mirror image; with what they are worth at
/// least to the seat to move.
type Level<G> = BTreeMap<u64, (<G as Game>::State, GameValue)>;

/// Builds solvers with these means.
type BuildSolvers<'a, G> = dyn Fn(&Resources) -> Result<Box<dyn Solver<G>>, ApiError> + Sync + 'a;

/// What grows a book.
pub(super) struct Growth<'a, G: Game> {
    pub game: &'a G,
    pub build: &'a BuildSolvers<'a, G>,
    /// What the solvers of all threads may use together for positions that are not easy.
    pub means: &'a Resources,
    /// A finer book for the same rules: what it answers is not solved again.
    pub known: Option<&'a Book>,
    pub stop: &'a Cancel,
}

/// A position that the book has to follow.
struct Job<S> {
    hash: u64,
    state: S,
    promised: GameValue,
    /// What the book has of it already.
    page: Option<Page>,
}

/// What became of it.
struct Answer<S> {
    hash: u64,
    /// What the book is to hold of it.
    page: Option<Page>,
    found: GameValue,
    promised: GameValue,
    /// The state before and after the best action, if the tree goes on there.
    step: Option<[S; 2]>,
}

impl<G: PerfectInfo + Keyed> Growth<'_, G> {
    /// Answers the open positions of a book, ply by ply.
    pub fn grow(
        &self,
        book: &mut Book,
        on_position: &mut dyn FnMut(&Book, ExactProgress),
    ) -> Result<(), ExactError> {
        let easy = book.about.exact.expect("the header has the plan").easy_nodes;
        let threads = self.means.threads.max(1);
        let share = Resources { threads: 1, memory_mb: self.means.memory_mb / threads };
        // Each keeps its table, which serves all positions that it answers.
        let mut solvers = (0..threads).map(|_| (self.build)(&share)).collect::<Result<Vec<_>, _>>()?;
        let start = self.game.start();
        let (mut now, mut next) = (Level::<G>::new(), Level::<G>::new());
        self.add(&mut now, start.clone(), GameValue::Lost);
        for action in self.game.actions(&start) {
            self.add(&mut next, self.after(&start, action), GameValue::Lost);
        }
        for ply in 0..=book.about.plies {
            let mut later = Level::<G>::new();
            let count = now.len();
            let page = |hash| book.pages.get(&hash).cloned();
            let jobs: Vec<_> = now
                .into_iter()
                .map(|(hash, (state, promised))| Job { hash, state, promised, page: page(hash) })
                .collect();
            let (mut number, mut result) = (0, Ok(()));
            let work = |solver: &mut Box<dyn Solver<G>>, job| match self.answer(&mut **solver, easy, job) {
                Err(ApiError::Unsolved(Unsolved::Cancelled)) => None,
                answer => Some(answer),
            };
            solvers = in_order(solvers, jobs.into_iter(), self.stop, work, |answer| {
                result = answer.map_err(ExactError::from).and_then(|answer| {
                    self.follow(&mut later, &answer, ply)?;
                    if let Some(page) = answer.page {
                        book.pages.insert(answer.hash, page);
                    }
                    number += 1;
                    on_position(book, ExactProgress { ply, done: [number, count] });
                    Ok(())
                });
                if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            result?;
            if number < count {
                return Err(Unsolved::Cancelled.into());
            }
            (now, next) = (next, later);
        }
        book.about.exact.as_mut().expect("the header has the plan").done = true;
        Ok(())
    }

    /// Finds out what the book has to hold of a position, and where its tree goes on.
    fn answer(
        &self,
        deep: &mut dyn Solver<G>,
        easy: u64,
        Job { hash, state, promised, page }: Job<G::State>,
    ) -> Result<Answer<G::State>, ApiError> {
        let of_page = |page: Page| {
            let Line { action, known, .. } = page.lines[0];
            let action = self.game.actions(&state).nth(usize::from(action));
            let step = action.map(|action| [state.clone(), self.after(&state, action)]);
            let found = known.expect("the file was read so");
            Answer { hash, page: Some(page), found, promised, step }
        };
        if let Some(page) = page {
            return Ok(of_page(page));
        }
        let position = Position::State(state.clone());
        let budget = Budget::nodes(easy);
        let quick = (self.build)(&PLAYERS_MEANS)?.best_action(self.game, &position, &budget, self.stop);
        let answer: Exact<G::Action> = match quick {
            Ok(answer) => answer,
            Err(Unsolved::OutOfReach(_)) => {
                if let Some(page) = self.known.and_then(|book| book.pages.get(&hash)) {
                    return Ok(of_page(page.clone()));
                }
                let mut answer = deep.best_action(self.game, &position, &Budget::default(), self.stop)?;
                // Its table may have made it seem easy.
                answer.nodes = u64::MAX;
                answer
            }
            Err(error) => return Err(error.into()),
        };
        let action = *answer.best.first().expect("a position that is not over has a best action");
        let found = match answer.value {
            value if value > 0.0 => GameValue::Won,
            value if value < 0.0 => GameValue::Lost,
            _ => GameValue::Drawn,
        };
        let page = (answer.nodes > easy).then(|| {
            let place = self.game.actions(&state).position(|other| other == action);
            let action = place.expect("a best action is legal") as u16;
            Page { lines: vec![Line { action, visits: 0, halves: 0, known: Some(found) }] }
        });
        let goes_on = answer.nodes.saturating_mul(CLEARLY_EASY) > easy;
        let step = goes_on.then(|| [state.clone(), self.after(&state, action)]);
        Ok(Answer { hash, page, found, promised, step })
    }

    /// Checks an answer, and adds the positions that it leads to.
    fn follow(&self, level: &mut Level<G>, answer: &Answer<G::State>, ply: u32) -> Result<(), ExactError> {
        let check = |ply, found: GameValue, promised| {
            if found < promised { Err(ExactError::Contradiction { ply, found, promised }) } else { Ok(()) }
        };
        check(ply, answer.found, answer.promised)?;
        let Some([before, after]) = &answer.step else { return Ok(()) };
        let Phase::Decide(seat) = self.game.phase(before) else { return Ok(()) };
        if self.game.phase(after) == Phase::Over {
            return check(ply + 1, result(&self.game.payoffs(after), seat), answer.found);
        }
        for action in self.game.actions(after) {
            let reply = self.after(after, action);
            if self.game.phase(&reply) == Phase::Over {
                check(ply + 2, result(&self.game.payoffs(&reply), seat), answer.found)?;
            } else {
                self.add(level, reply, answer.found);
            }
        }
        Ok(())
    }

    fn after(&self, state: &G::State, action: G::Action) -> G::State {
        let mut after = state.clone();
        self.game.apply(&mut after, action);
        after
    }

    fn add(&self, level: &mut Level<G>, state: G::State, promised: GameValue) {
        let hash = hash_of(&self.game.key(&state));
        let image = self.game.mirrored(&state).map(|image| (hash_of(&self.game.key(&image)), image));
        let (hash, state) = image.filter(|(other, _)| *other < hash).unwrap_or((hash, state));
        let known = level.entry(hash).or_insert((state, promised));
        known.1 = known.1.max(promised);
    }
}
