//! FABLE: a learner that receives only the cells of a grid and the names of moves. Needs a view as a grid of symbols.
//!
//! Sketches two of its heuristics, observed state and rotation. Evidence is stored as rows that a database table
//! could hold: text in, counts out.

use std::collections::HashMap;

use parlor_core::{Agent, Context, Decision, Game, Match, Notation, Phase, Seat};
use parlor_games::connect::Connect;
use parlor_games::minesweeper::{First, Minesweeper};
use parlor_games::tictactoe::TicTacToe;

use parlor_games::tictactoe::Lines;

/// Plays any action, each equally likely.
struct Random;

impl<G: Game> Agent<G> for Random {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        *context.rng.choose(decision.actions)
    }
}

/// Wins, draws and losses of an agent.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Tally {
    fn add(&mut self, payoff: f64) {
        let count = match payoff.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => &mut self.wins,
            std::cmp::Ordering::Equal => &mut self.draws,
            std::cmp::Ordering::Less => &mut self.losses,
        };
        *count += 1;
    }
}

/// Plays `pairs` pairs of matches, the seats swapped within a pair.
fn duel<G: Game>(game: &G, agent: &mut dyn Agent<G>, other: &mut dyn Agent<G>, pairs: u64) -> Tally {
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let first = Match::seeded(pair).play(game, &mut [&mut *agent, &mut *other], &mut ());
        tally.add(first.payoffs.of(Seat::FIRST));
        let second = Match::seeded(pair).play(game, &mut [&mut *other, &mut *agent], &mut ());
        tally.add(second.payoffs.of(Seat::SECOND));
    }
    tally
}

fn three_by_three() -> TicTacToe {
    TicTacToe::new(3, 3, Lines::Windows).expect("a board of 3 × 3 exists")
}

fn four_in_a_row() -> Connect<u64> {
    Connect::new(7, 6, 4).expect("a board of 7 × 6 fits 64 bits")
}

/// The visible board of a seat, as symbols in rows from the top.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Grid {
    width: usize,
    symbols: Vec<char>,
}

impl Grid {
    fn from_rows(rows: &[String]) -> Grid {
        Grid {
            width: rows.first().map_or(0, |row| row.chars().count()),
            symbols: rows.concat().chars().collect(),
        }
    }

    /// Returns the grid rotated right by 90°.
    fn rotated(&self) -> Grid {
        let height = self.symbols.len() / self.width;
        let symbols = (0..self.symbols.len())
            .map(|i| {
                let (row, column) = (i / height, i % height);
                self.symbols[(height - 1 - column) * self.width + row]
            })
            .collect();
        Grid { width: height, symbols }
    }

    /// Returns the number of cells that differ between two grids of one shape.
    fn distance(&self, other: &Grid) -> usize {
        self.symbols.iter().zip(&other.symbols).filter(|(a, b)| a != b).count()
    }
}

/// A game whose views are grids of symbols. If a move touches a cell, the grid can mark it, so that it can be
/// rotated.
trait Cells: Notation {
    /// Returns the seat's view as a grid.
    fn grid(&self, view: &Self::View) -> Grid;

    /// Returns the grid with the move marked in it, if the move is a place on the grid.
    fn marked(&self, view: &Self::View, action: Self::Action) -> Option<Grid>;
}

impl Cells for TicTacToe {
    fn grid(&self, view: &Self::View) -> Grid {
        Grid::from_rows(&self.sheet(view).rows)
    }
    fn marked(&self, view: &Self::View, action: Self::Action) -> Option<Grid> {
        let mut grid = self.grid(view);
        grid.symbols[usize::from(action.0)] = '*';
        Some(grid)
    }
}

impl Cells for Connect<u64> {
    fn grid(&self, view: &Self::View) -> Grid {
        Grid::from_rows(&self.sheet(view).rows)
    }
    fn marked(&self, _: &Self::View, _: Self::Action) -> Option<Grid> {
        None
    }
}

impl Cells for Minesweeper<u64> {
    fn grid(&self, view: &Self::View) -> Grid {
        Grid::from_rows(&self.sheet(view).rows)
    }
    fn marked(&self, view: &Self::View, action: Self::Action) -> Option<Grid> {
        let mut grid = self.grid(view);
        let at = self.view_actions(view).iter().position(|&other| other == action)?;
        // A click is the n-th covered cell.
        let cell = grid.symbols.iter().enumerate().filter(|(_, symbol)| **symbol == '#').nth(at)?.0;
        grid.symbols[cell] = '*';
        Some(grid)
    }
}

/// A transition's evidence: the number of wins and losses that it led to.
#[derive(Copy, Clone, Default, PartialEq, Debug)]
struct Ends {
    wins: u32,
    losses: u32,
}

impl Ends {
    /// Returns probability × confidence, from −1 to 1.
    fn value(self) -> f64 {
        let n = f64::from(self.wins + self.losses);
        if n == 0.0 {
            return 0.0;
        }
        (2.0 * f64::from(self.wins) / n - 1.0) * (n / (n + 1.0))
    }
}

/// The input of a heuristic and its key in storage: text and grids, no types of any game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Input {
    mover: u8,
    grid: Grid,
    /// The move's text; empty if the grid marks it.
    text: String,
}

trait Heuristic {
    /// Returns the form that represents all equivalent inputs.
    fn form(&self, input: Input) -> Input;
}

struct Observed;
struct Rotation;

impl Heuristic for Observed {
    fn form(&self, input: Input) -> Input {
        input
    }
}

impl Heuristic for Rotation {
    fn form(&self, input: Input) -> Input {
        let turns = std::iter::successors(Some(input.grid.clone()), |grid| Some(grid.rotated())).take(4);
        // A move that only has a name cannot be rotated with the grid.
        let grid = if input.text.is_empty() {
            turns.min_by(|a, b| (a.width, &a.symbols).cmp(&(b.width, &b.symbols))).expect("there are four")
        } else {
            input.grid
        };
        Input { grid, ..input }
    }
}

/// The player: asks its heuristic for every move's value and goes through the list.
struct Fable<H> {
    heuristic: H,
    table: HashMap<Input, Ends>,
    history: Vec<Input>,
    seat: Seat,
    learns: bool,
}

impl<H: Heuristic> Fable<H> {
    fn new(heuristic: H) -> Self {
        Fable { heuristic, table: HashMap::new(), history: Vec::new(), seat: Seat::FIRST, learns: true }
    }

    fn input<G: Cells>(&self, decision: &Decision<'_, G>, action: G::Action) -> Input {
        let (game, view, mover) = (decision.game, decision.view, decision.seat.0);
        self.heuristic.form(match game.marked(view, action) {
            Some(grid) => Input { mover, grid, text: String::new() },
            None => Input { mover, grid: game.grid(view), text: game.write_action(action) },
        })
    }
}

impl<G: Cells, H: Heuristic + Send> Agent<G> for Fable<H> {
    fn begin(&mut self, _: &G, seat: Seat) {
        self.seat = seat;
        self.history.clear();
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let mut moves: Vec<(f64, Input, G::Action)> = decision
            .actions
            .iter()
            .map(|&action| {
                let input = self.input(decision, action);
                (self.table.get(&input).copied().unwrap_or_default().value(), input, action)
            })
            .collect();
        moves.sort_by(|a, b| b.0.total_cmp(&a.0));
        // At most ten rounds through the list, taking each move with its value as the probability.
        let rounds = (0..10).flat_map(|_| 0..moves.len());
        let taken = { rounds }.find(|&i| context.rng.unit() < moves[i].0);
        let taken = taken.unwrap_or_else(|| context.rng.below(moves.len() as u32) as usize);
        let (_, input, action) = moves.swap_remove(taken);
        self.history.push(input);
        action
    }

    fn end(&mut self, _: &G, payoffs: &parlor_core::Payoffs) {
        let payoff = payoffs.of(self.seat);
        if payoff == 0.0 || !self.learns {
            return;
        }
        for input in self.history.drain(..) {
            let ends = self.table.entry(input).or_default();
            *(if payoff > 0.0 { &mut ends.wins } else { &mut ends.losses }) += 1;
        }
    }
}

#[test]
fn learns_without_knowing_the_game() {
    let game = three_by_three();
    let (mut observed, mut rotation) = (Fable::new(Observed), Fable::new(Rotation));
    let untaught = duel(&game, &mut Random, &mut Random, 200);
    duel(&game, &mut observed, &mut Random, 1_000);
    duel(&game, &mut rotation, &mut Random, 1_000);
    let kept = (rotation.table.len(), observed.table.len());
    assert!(kept.0 < kept.1, "rotated boards share their evidence: {kept:?}");
    (observed.learns, rotation.learns) = (false, false);
    for taught in [duel(&game, &mut observed, &mut Random, 200), duel(&game, &mut rotation, &mut Random, 200)]
    {
        assert!(taught.wins > untaught.wins + 50, "{untaught:?}, then {taught:?}");
    }
}

#[test]
fn the_same_learner_plays_another_game() {
    let mut fable = Fable::new(Observed);
    let tally = duel(&four_in_a_row(), &mut fable, &mut Random, 20);
    assert_eq!(tally.wins + tally.draws + tally.losses, 40);
    assert!(!fable.table.is_empty());
}

/// Alone at the table, with hidden mines, the learner is the same.
#[test]
fn the_same_learner_sweeps_mines() {
    let game = Minesweeper::<u64>::new(3, 3, 2, First::Any).expect("a board of 3 × 3 exists");
    let mut fable = Fable::new(Rotation);
    for seed in 0..50 {
        Match::seeded(seed).play(&game, &mut [&mut fable], &mut ());
    }
    assert!(!fable.table.is_empty());
}

#[test]
fn four_rotations_are_the_identity() {
    let game = four_in_a_row();
    let grid = game.grid(&game.start());
    assert_eq!((grid.rotated().width, grid.rotated().rotated().rotated().rotated()), (6, grid));
    let square = Grid::from_rows(&["ab", "cd"].map(str::to_owned));
    assert_eq!(square.rotated(), Grid::from_rows(&["ca", "db"].map(str::to_owned)));
}

/// One cell of difference means another side to move, so the nearest neighbour carries no evidence in tic-tac-toe.
#[test]
fn no_two_boards_of_one_mover_are_neighbours() {
    let game = three_by_three();
    let mut seen: HashMap<u8, Vec<Grid>> = HashMap::new();
    for seed in 0..60 {
        let mut moves = Vec::new();
        Match::seeded(seed).play(&game, &mut [&mut Random, &mut Random], &mut moves);
        let mut board = game.start();
        for (_, action) in moves {
            if let Phase::Decide(seat) = game.phase(&board) {
                seen.entry(seat.0).or_default().push(game.grid(&board));
            }
            game.apply(&mut board, action);
        }
    }
    for grids in seen.values() {
        assert!(grids.iter().all(|a| grids.iter().all(|b| a.distance(b) != 1)));
    }
}
