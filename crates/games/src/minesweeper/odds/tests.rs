use std::collections::HashMap;

use super::*;
use crate::minesweeper::{Field, First, Stage};
use parlor_core::{Game, Notation, Phase, Position, Seat};

/// Returns the probability of winning by random clicks, from the rules of the game alone.
fn slow_random_win(game: &Minesweeper<u64>, field: &Field<u64>, known: &mut HashMap<Field<u64>, f64>) -> f64 {
    if let Some(&odds) = known.get(field) {
        return odds;
    }
    let then = |action, known: &mut HashMap<Field<u64>, f64>| {
        let mut next = *field;
        game.apply(&mut next, action);
        slow_random_win(game, &next, known)
    };
    let odds = match game.phase(field) {
        Phase::Over => game.payoffs(field).of(Seat::FIRST),
        Phase::Chance => game.chances(field).map(|(action, weight)| weight * then(action, known)).sum(),
        _ => {
            let actions: Vec<_> = game.actions(field).collect();
            actions.iter().map(|&action| then(action, known)).sum::<f64>() / actions.len() as f64
        }
    };
    known.insert(*field, odds);
    odds
}

fn odds(game: &Minesweeper<u64>, text: &str) -> Odds {
    let Ok(Position::View(view)) = game.read_position(text) else { panic!("{text}") };
    Odds::of(game, &view, usize::MAX).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn luck_agrees_with_the_rules_from_the_start() {
    for (rows, columns) in [(1, 4), (2, 2), (2, 3), (1, 7), (3, 3), (2, 5)] {
        for first in [First::Any, First::Safe, First::Clear] {
            for mines in 1..u16::from(rows * columns) {
                let Some(game) = Minesweeper::<u64>::new(rows, columns, mines, first) else { continue };
                if mines > 3 && rows * columns > 9 {
                    continue;
                }
                let slow = slow_random_win(&game, &game.start(), &mut HashMap::new());
                let fast = Odds::of(&game, &View::untouched(), usize::MAX).unwrap().random_win.unwrap();
                assert!(near(fast, slow), "{rows}×{columns}, {mines} mines, {first:?}: {fast} {slow}");
            }
        }
    }
}

#[test]
fn luck_agrees_with_the_rules_later_on() {
    for (rows, columns, mines, text) in [
        (3, 3, 2, "###/#2#/###"),
        (3, 4, 2, "1###/####/####"),
        (4, 4, 3, "01##/12##/####/####"),
        (3, 5, 2, "##1##/####1/#####"),
        (1, 9, 2, "01#######"),
    ] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        let Ok(Position::View(view)) = game.read_position(text) else { panic!("{text}") };
        let mut known = HashMap::new();
        let list = Layouts::of(&game, &view).list(1000).unwrap();
        let stage = Stage::Playing(game.cells() - mines - view.opened().len() as u16);
        let field = |&mines: &u64| Field { mines, opened: view.opened(), stage };
        let slow: f64 = list.iter().map(|mines| slow_random_win(&game, &field(mines), &mut known)).sum();
        let fast = odds(&game, text).random_win.unwrap();
        assert!(near(fast, slow / list.len() as f64), "{text}: {fast}");
    }
}

#[test]
fn luck_while_mines_are_laid() {
    for first in [First::Any, First::Safe, First::Clear] {
        let game = Minesweeper::<u64>::new(3, 4, 2, first).unwrap();
        let mut field = game.start();
        if first != First::Any {
            game.apply(&mut field, crate::minesweeper::Action::Click(0));
        }
        let slow = slow_random_win(&game, &field, &mut HashMap::new());
        let fast = Odds::of(&game, &game.view(&field, Seat::FIRST), usize::MAX).unwrap().random_win;
        assert!(near(fast.unwrap(), slow), "{first:?}: {fast:?} {slow}");
    }
}

#[test]
fn published_odds_of_luck() {
    let game = |side, mines| Minesweeper::<u64>::new(side, side, mines, First::Any).unwrap();
    let three = odds(&game(3, 2), "###/###/###");
    assert!(near(three.random_win.unwrap(), 83.0 / 648.0));
    assert!(three.mines.iter().all(|&(_, odds)| near(odds, 2.0 / 9.0)) && three.mines.len() == 9);
    let four = odds(&game(4, 3), "####/####/####/####").random_win.unwrap();
    assert!((four - 0.0460).abs() < 5e-5, "{four}");
}

#[test]
fn finished_matches_are_won_or_lost() {
    let game = Minesweeper::<u64>::new(1, 3, 1, First::Any).unwrap();
    assert_eq!(odds(&game, "01#").random_win, Some(1.0));
    assert_eq!(odds(&game, "01#").mines, [(2, 1.0)]);
    assert_eq!(odds(&game, "*##").random_win, Some(0.0));
    assert_eq!(odds(&game, "#1#").random_win, Some(0.5));
}

#[test]
fn too_many_layouts_for_luck() {
    let game = Minesweeper::<u128>::new(9, 9, 10, First::Any).unwrap();
    let odds = Odds::of(&game, &View::untouched(), usize::MAX).unwrap();
    assert_eq!((odds.random_win, odds.mines.len()), (None, 81));
}
