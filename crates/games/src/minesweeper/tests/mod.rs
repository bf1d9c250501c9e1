mod stimulus;
mod texts;

use std::collections::HashMap;

use super::*;
use crate::board::wide::U512;
use parlor_core::{Cells, Notation, Symmetry};

fn laws_of<W: Word>(rows: u8, columns: u8, mines: u16, first: First, cases: u32) {
    let game = Minesweeper::<W>::new(rows, columns, mines, first).unwrap();
    parlor_testkit::audited_laws(&game, cases, audit);
    parlor_testkit::imagine_laws(&game, cases);
}

/// Recomputes the incremental fields of a field, cell by cell.
fn audit<W: Word>(game: &Minesweeper<W>, field: &Field<W>) {
    assert!((field.mines & field.opened).is_empty());
    assert!(((field.mines | field.opened) & !game.board).is_empty());
    let laid = field.mines.len() as u16;
    let open = field.opened.len() as u16;
    let right = match field.stage {
        Stage::First => laid == 0 && open == 0 && game.first != First::Any,
        Stage::Laying(left) => left == game.mines - laid && open == u16::from(game.first != First::Any),
        Stage::Playing(left) => laid == game.mines && left > 0 && left == game.cells() - game.mines - open,
        Stage::Lost(cell) => laid == game.mines && field.mines.has(u32::from(cell)),
        Stage::Won => laid == game.mines && open == game.cells() - game.mines,
    };
    assert!(right, "{field:?}");
    if laid < game.mines {
        return;
    }
    let view = game.view(field, Seat::FIRST);
    for cell in 0..game.cells() {
        let number = slow_neighbours(game, cell).filter(|&n| field.mines.has(u32::from(n))).count() as u8;
        let opened = field.opened.has(u32::from(cell));
        assert_eq!(view.number(cell), opened.then_some(number));
        if opened && number == 0 {
            let all_open = slow_neighbours(game, cell).all(|n| field.opened.has(u32::from(n)));
            assert!(all_open, "a 0 opens its neighbours");
        }
    }
}

fn slow_neighbours<W: Word>(game: &Minesweeper<W>, cell: u16) -> impl Iterator<Item = u16> {
    let (rows, columns) = (i32::from(game.rows), i32::from(game.columns));
    let (row, column) = (i32::from(cell) / columns, i32::from(cell) % columns);
    let near = (-1..=1).flat_map(move |down| (-1..=1).map(move |right| (row + down, column + right)));
    near.filter(move |&(r, c)| (0..rows).contains(&r) && (0..columns).contains(&c) && (r, c) != (row, column))
        .map(move |(r, c)| (r * columns + c) as u16)
}

/// Chance lays the mine in the image of its cell.
fn mirrored_mine<W: Word>(game: &Minesweeper<W>, symmetry: Symmetry, action: Action) -> Action {
    let Action::Mine(cell) = action else { panic!("{action:?} is not an action of chance") };
    Action::Mine(symmetry.apply(cell, u16::from(game.columns), u16::from(game.rows)))
}

fn cells_of<W: Word>(rows: u8, columns: u8, mines: u16, first: First, cases: u32) {
    let game = Minesweeper::<W>::new(rows, columns, mines, first).unwrap();
    parlor_testkit::cells_laws(&game, cases, mirrored_mine);
}

#[test]
fn cells() {
    cells_of::<u64>(3, 3, 2, First::Any, 20);
    cells_of::<u64>(4, 5, 4, First::Safe, 20);
    cells_of::<u64>(5, 5, 5, First::Clear, 10);
    cells_of::<u64>(1, 9, 6, First::Clear, 10);
    cells_of::<u128>(8, 12, 15, First::Any, 4);
    cells_of::<U512>(16, 32, 99, First::Clear, 1);
    let game = Minesweeper::<u64>::new(3, 3, 1, First::Any).unwrap();
    let mut field = game.start();
    // The middle of the top row is a mine: the corner below it shows a 0 and opens everything below.
    for action in [Action::Mine(1), Action::Click(6)] {
        game.apply(&mut field, action);
    }
    let mut cells = [0; 9];
    Cells::cells(&game, &game.view(&field, Seat::FIRST), &mut cells);
    assert_eq!(cells, [9, 9, 9, 1, 1, 1, 0, 0, 0]);
}

#[test]
fn laws() {
    laws_of::<u64>(3, 3, 2, First::Any, 60);
    laws_of::<u64>(8, 8, 10, First::Any, 10);
    laws_of::<u64>(4, 5, 4, First::Safe, 40);
    laws_of::<u64>(5, 5, 5, First::Clear, 40);
    laws_of::<u64>(1, 2, 1, First::Safe, 10);
    laws_of::<u64>(1, 9, 6, First::Clear, 20);
    laws_of::<u64>(32, 2, 60, First::Any, 5);
    laws_of::<u128>(9, 9, 10, First::Clear, 10);
    laws_of::<u128>(4, 32, 20, First::Any, 3);
    laws_of::<U512>(16, 16, 40, First::Safe, 3);
}

#[test]
fn laws_of_the_largest_boards() {
    laws_of::<U512>(16, 30, 99, First::Clear, 1);
    laws_of::<U512>(16, 32, 511, First::Any, 1);
}

fn game(rows: u8, columns: u8, mines: u16, first: First) -> Minesweeper<u64> {
    Minesweeper::new(rows, columns, mines, first).unwrap()
}

/// Plays actions given as text.
fn play<W: Word>(game: &Minesweeper<W>, field: &mut Field<W>, actions: &str) {
    for text in actions.split_whitespace() {
        game.try_apply(field, game.read_action(text).unwrap()).unwrap();
    }
}

fn after<W: Word>(game: &Minesweeper<W>, actions: &str) -> Field<W> {
    let mut field = game.start();
    play(game, &mut field, actions);
    field
}

fn shown<W: Word>(game: &Minesweeper<W>, field: &Field<W>) -> String {
    game.write_position(&game.view(field, Seat::FIRST)).expect("all mines are laid")
}

#[test]
fn a_zero_opens_its_neighbours() {
    let game = game(4, 5, 2, First::Any);
    let mut field = after(&game, "mine:a1 mine:d4 a4");
    assert_eq!(shown(&game, &field), "#1000/11000/00111/001##");
    assert_eq!(game.phase(&field), Phase::Decide(Seat::FIRST));
    play(&game, &mut field, "e4");
    assert_eq!(shown(&game, &field), "#1000/11000/00111/001#1");
    assert_eq!((game.phase(&field), game.payoffs(&field).of(Seat::FIRST)), (Phase::Over, 1.0));
}

#[test]
fn a_flood_does_not_wrap_around_the_edge() {
    let game = game(3, 4, 3, First::Any);
    let field = after(&game, "mine:c1 mine:c2 mine:c3 a2");
    assert_eq!(shown(&game, &field), "02##/03##/02##");
    let field = after(&game, "mine:b1 mine:b2 mine:b3 d2");
    assert_eq!(shown(&game, &field), "##20/##30/##20");
}

#[test]
fn a_mine_loses_and_shows_nothing_else() {
    let game = game(3, 3, 2, First::Any);
    let mut field = after(&game, "mine:a1 mine:c3 b1");
    play(&game, &mut field, "c3");
    assert_eq!(shown(&game, &field), "#1#/###/##*");
    assert_eq!((game.phase(&field), game.payoffs(&field).of(Seat::FIRST)), (Phase::Over, 0.0));
    let view = game.view(&field, Seat::FIRST);
    assert_eq!(view.exploded(), Some(8));
    assert!(game.view_actions(&view).is_empty());
}

#[test]
fn views_hold_neither_mines_nor_order() {
    let game = game(3, 3, 2, First::Any);
    let one = after(&game, "mine:a1 mine:c3 b1 b3");
    let other = after(&game, "mine:c3 mine:a1 b3 b1");
    assert_eq!(one, other);
    let mirrored = after(&game, "mine:c1 mine:a3 b1 b3");
    assert_ne!(one, mirrored);
    assert_eq!(game.view(&one, Seat::FIRST), game.view(&mirrored, Seat::FIRST));
    // While mines are laid, the view depends neither on their cells nor on their number.
    let begun = game.view(&after(&game, "mine:a1"), Seat::FIRST);
    assert_eq!(begun, game.view(&game.start(), Seat::FIRST));
    let mine = game.read_action("mine:b2").unwrap();
    assert_eq!(game.seen(&game.start(), mine, Seat::FIRST), None);
    let click = game.read_action("b2").unwrap();
    assert_eq!(game.seen(&one, click, Seat::FIRST), Some(click));
}

/// Checks the first click of every match: the cells `kept(click)` cannot be mines.
fn first_clicks(game: &Minesweeper<u64>, kept: impl Fn(u16) -> u64) {
    assert_eq!(game.phase(&game.start()), Phase::Decide(Seat::FIRST));
    for click in 0..game.cells() {
        let mut field = game.start();
        game.apply(&mut field, Action::Click(click));
        let allowed: Vec<u64> = game
            .chances(&field)
            .map(|(action, _)| match action {
                Action::Mine(cell) => u64::bit(u32::from(cell)),
                Action::Click(_) => panic!("chance does not click"),
            })
            .collect();
        assert_eq!(allowed.into_iter().fold(0, |set, cell| set | cell), game.board() & !kept(click));
        let mut rng = Rng::new(u64::from(click));
        while game.phase(&field) == Phase::Chance {
            assert!(game.view(&field, Seat::FIRST).number(click).is_none(), "numbers wait for all mines");
            let mine = game.sample(&field, &mut rng);
            game.apply(&mut field, mine);
        }
        let view = game.view(&field, Seat::FIRST);
        assert!(view.opened().has(u32::from(click)));
        assert!(game.first() == First::Safe || view.number(click) == Some(0));
    }
}

#[test]
fn first_clicks_by_rule() {
    first_clicks(&game(3, 4, 11, First::Safe), |click| u64::bit(u32::from(click)));
    let clear = game(4, 4, 7, First::Clear);
    first_clicks(&clear, |click| u64::bit(u32::from(click)) | clear.neighbours(click));
    // With first=any, mines come first and the first click may lose.
    let any = game(3, 3, 2, First::Any);
    assert_eq!(any.phase(&any.start()), Phase::Chance);
    let lost = after(&any, "mine:a1 mine:a2 a1");
    assert_eq!(any.phase(&lost), Phase::Over);
}

/// Returns the exact probability of winning by random clicks, from the rules alone.
fn random_win(game: &Minesweeper<u64>, field: &Field<u64>, known: &mut HashMap<Field<u64>, f64>) -> f64 {
    if game.phase(field) == Phase::Over {
        return game.payoffs(field).of(Seat::FIRST);
    }
    if let Some(&odds) = known.get(field) {
        return odds;
    }
    let mut follow = |action| {
        let mut next = *field;
        game.apply(&mut next, action);
        random_win(game, &next, known)
    };
    let odds = if game.phase(field) == Phase::Chance {
        game.chances(field).map(|(action, weight)| weight * follow(action)).sum()
    } else {
        let clicks = game.actions(field).len() as f64;
        game.actions(field).map(follow).sum::<f64>() / clicks
    };
    known.insert(*field, odds);
    odds
}

#[test]
fn random_clicks_win_as_often_as_was_computed_elsewhere() {
    let three = game(3, 3, 2, First::Any);
    let odds = random_win(&three, &three.start(), &mut HashMap::new());
    assert!((odds - 83.0 / 648.0).abs() < 1e-12, "{odds}");
    let four = game(4, 4, 3, First::Any);
    let odds = random_win(&four, &four.start(), &mut HashMap::new());
    assert!((odds - 0.0460).abs() < 0.00005, "{odds}");
}

#[test]
fn impossible_boards_are_refused() {
    assert!(Minesweeper::<u64>::new(8, 8, 10, First::Any).is_some());
    assert!(Minesweeper::<u64>::new(8, 9, 10, First::Any).is_none());
    assert!(Minesweeper::<u128>::new(8, 9, 10, First::Any).is_some());
    assert!(Minesweeper::<u128>::new(16, 30, 99, First::Any).is_none());
    assert!(Minesweeper::<U512>::new(16, 30, 99, First::Clear).is_some());
    assert!(Minesweeper::<U512>::new(32, 17, 99, First::Any).is_none());
    for (mines, first, fits) in [
        (0, First::Any, false),
        (15, First::Any, true),
        (16, First::Any, false),
        (15, First::Safe, true),
        (16, First::Safe, false),
        (7, First::Clear, true),
        (8, First::Clear, false),
    ] {
        assert_eq!(Minesweeper::<u64>::new(4, 4, mines, first).is_some(), fits, "{mines} {first:?}");
    }
    assert!(Minesweeper::<u64>::new(0, 4, 1, First::Any).is_none());
    assert!(Minesweeper::<U512>::new(1, 33, 1, First::Any).is_none());
    assert!(Minesweeper::<u64>::new(1, 4, 1, First::Clear).is_some());
}
