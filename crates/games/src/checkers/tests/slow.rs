//! A second implementation of the rules, on a grid of characters, simple and slow.

use std::collections::BTreeSet;

use super::*;

type Grid = Vec<Vec<char>>;

/// The moves and the positions they lead to, both as text.
type Listing = BTreeSet<(String, String)>;

/// Row 0 of the grid is the bottom row.
struct Slow {
    grid: Grid,
    red: bool,
}

impl Slow {
    fn read(text: &str) -> Self {
        let (rows, turn) = text.split_once(' ').unwrap();
        Slow { grid: rows.split('/').rev().map(|row| row.chars().collect()).collect(), red: turn == "r" }
    }

    fn write(&self, grid: &Grid) -> String {
        let rows: Vec<String> = grid.iter().rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if self.red { 'w' } else { 'r' })
    }

    fn get(grid: &Grid, column: i32, row: i32) -> Option<char> {
        grid.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
    }

    fn own(&self, mark: char) -> bool {
        mark.is_alphabetic() && (mark.eq_ignore_ascii_case(&'r') == self.red)
    }

    fn theirs(&self, mark: char) -> bool {
        mark.is_alphabetic() && !self.own(mark)
    }

    fn directions(&self, mark: char) -> Vec<(i32, i32)> {
        let forward = if self.red { 1 } else { -1 };
        let ups = if mark.is_uppercase() { vec![forward, -forward] } else { vec![forward] };
        ups.into_iter().flat_map(|up| [(-1, up), (1, up)]).collect()
    }

    /// Moves a piece, crowning it on the last row.
    fn put(&self, grid: &Grid, from: (i32, i32), to: (i32, i32)) -> Grid {
        let mut grid = grid.clone();
        let mark = std::mem::replace(&mut grid[from.1 as usize][from.0 as usize], '.');
        let last = if self.red { grid.len() as i32 - 1 } else { 0 };
        grid[to.1 as usize][to.0 as usize] = if to.1 == last { mark.to_ascii_uppercase() } else { mark };
        grid
    }

    fn name((column, row): (i32, i32)) -> String {
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// Adds every way to complete the jumps of the piece at `at`; returns whether there was a jump.
    fn jumps(&self, grid: &Grid, at: (i32, i32), path: &str, found: &mut Listing) -> bool {
        let mark = Self::get(grid, at.0, at.1).unwrap();
        let mut any = false;
        for (right, up) in self.directions(mark) {
            let over = (at.0 + right, at.1 + up);
            let to = (over.0 + right, over.1 + up);
            let jump = Self::get(grid, over.0, over.1).is_some_and(|m| self.theirs(m))
                && Self::get(grid, to.0, to.1) == Some('.');
            if !jump {
                continue;
            }
            any = true;
            let mut next = self.put(grid, at, to);
            next[over.1 as usize][over.0 as usize] = '.';
            let crowned = Self::get(&next, to.0, to.1) != Some(mark);
            let path = format!("{path}x{}", Self::name(to));
            if crowned || !self.jumps(&next, to, &path, found) {
                found.insert((path, self.write(&next)));
            }
        }
        any
    }

    fn listing(&self, kings: Kings) -> Listing {
        let (mut jumps, mut steps, mut man_jumps) = (Listing::new(), Listing::new(), false);
        for row in 0..self.grid.len() as i32 {
            for column in 0..self.grid[0].len() as i32 {
                let at = (column, row);
                let mark = Self::get(&self.grid, column, row).unwrap();
                if !self.own(mark) {
                    continue;
                }
                let any = self.jumps(&self.grid, at, &Self::name(at), &mut jumps);
                man_jumps |= any && mark.is_lowercase();
                for (right, up) in self.directions(mark) {
                    let to = (column + right, row + up);
                    if Self::get(&self.grid, to.0, to.1) == Some('.') {
                        let text = format!("{}-{}", Self::name(at), Self::name(to));
                        steps.insert((text, self.write(&self.put(&self.grid, at, to))));
                    }
                }
            }
        }
        let forced = match kings {
            Kings::Must => !jumps.is_empty(),
            Kings::May => man_jumps,
        };
        if !forced {
            jumps.extend(steps);
        }
        jumps
    }
}

/// Compares the moves of a board with the slow implementation, and checks the invariants of its fields.
pub(super) fn audit<W: Word>(game: &Checkers<W>, board: &Board<W>) {
    let (own, other, kings) = (board.own, board.other, board.kings);
    assert!((own & other).is_empty() && (kings & !(own | other)).is_empty());
    assert!(((own | other) & !game.squares).is_empty(), "pieces stand on squares, not on ghosts");
    assert!(
        (board.men(RED) & game.row(game.rows - 1)).is_empty() && (board.men(WHITE) & game.row(0)).is_empty()
    );
    assert!(board.idle <= game.limit);
    let slow = Slow::read(&game.write_position(board).unwrap()).listing(game.options.kings);
    assert_eq!(game.phase(board) == Phase::Over, slow.is_empty() || board.idle == game.limit);
    let mut found = Listing::new();
    let mut left = game.actions(board).len();
    let mut actions = game.actions(board);
    while let Some(action) = actions.next() {
        left -= 1;
        if left < 30 || left.is_multiple_of(199) {
            assert_eq!(actions.len(), left, "len() stays exact during iteration");
        }
        let mut next = *board;
        game.apply(&mut next, action);
        assert_eq!(
            next.idle == 0,
            action.jumps() > 0 || !kings.has(action.start()),
            "progress starts the count"
        );
        assert_eq!(next.idle <= board.idle, next.idle == 0);
        assert!(found.insert((game.write_action(action), game.write_position(&next).unwrap())));
    }
    if board.idle < game.limit {
        assert_eq!(found, slow, "{}", game.write_position(board).unwrap());
    }
}

/// Returns a board with random pieces on `share` of 8 dark squares.
fn random_board<W: Word>(game: &Checkers<W>, share: u32, rng: &mut Rng) -> Board<W> {
    let (mut red, mut white, mut kings) = (W::ZERO, W::ZERO, W::ZERO);
    for square in game.squares.cells() {
        let here = W::bit(square);
        match rng.below(8) {
            n if n >= share => continue,
            n if n & 1 == 0 => red |= here,
            _ => white |= here,
        }
        if rng.below(2) == 0 || game.crowning.has(square) {
            kings |= here;
        }
    }
    Board::new(red, white, kings, Seat(rng.below(2) as u8), 0)
}

fn agrees_with_the_slow_rules<W: Word>(rows: u8, columns: u8, rng: &mut Rng) {
    for kings in [Kings::Must, Kings::May] {
        let game = with::<W>(rows, columns, 50, Unit::Plies, kings);
        for share in [1, 2, 3, 4, 6] {
            for _ in 0..12 {
                audit(&game, &random_board(&game, share, rng));
            }
        }
    }
}

#[test]
fn random_boards_of_every_size() {
    let mut rng = Rng::new(17);
    for rows in (MIN_SIDE..=MAX_SIDE).step_by(2) {
        for columns in (MIN_SIDE..=MAX_SIDE).step_by(2) {
            if Checkers::<u64>::new(rows, columns, Options::default()).is_some() {
                agrees_with_the_slow_rules::<u64>(rows, columns, &mut rng);
            }
            agrees_with_the_slow_rules::<u128>(rows, columns, &mut rng);
        }
    }
}

#[test]
fn laws() {
    for (rows, columns, draw, unit, kings) in [
        (8, 8, 50, Unit::Plies, Kings::Must),
        (8, 8, 20, Unit::Pairs, Kings::May),
        (4, 4, 50, Unit::Plies, Kings::May),
        (6, 4, 1, Unit::Plies, Kings::Must),
        (10, 6, 25, Unit::Pairs, Kings::Must),
    ] {
        parlor_testkit::audited_laws(&with::<u64>(rows, columns, draw, unit, kings), 6, audit);
    }
    parlor_testkit::audited_laws(&with::<u128>(12, 12, 30, Unit::Plies, Kings::May), 4, audit);
    parlor_testkit::imagine_laws(&game::<u64>(6, 6), 4);
}
