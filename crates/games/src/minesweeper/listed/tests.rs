use std::collections::HashMap;

use super::*;
use crate::minesweeper::{Action, Field, First, Layouts, Stage};
use parlor_core::{Budget, Game, Seat};

fn all_layouts(game: &Minesweeper<u64>) -> Vec<u64> {
    let mines = u32::from(game.mines());
    (0..1u64 << game.cells()).filter(|layout| layout.len() == mines).collect()
}

fn field(game: &Minesweeper<u64>, mines: u64) -> Field<u64> {
    Field { mines, opened: 0, stage: Stage::Playing(game.cells() - game.mines()) }
}

/// Returns the number of fields won from a view that they share, trying every click by the rules of the game.
fn slow_wins(game: &Minesweeper<u64>, fields: &[Field<u64>], known: &mut HashMap<View<u64>, u32>) -> u32 {
    let view = game.view(&fields[0], Seat::FIRST);
    if let Some(&wins) = known.get(&view) {
        return wins;
    }
    let mut best = 0;
    for action in game.actions(&fields[0]) {
        let mut by_view: HashMap<View<u64>, Vec<Field<u64>>> = HashMap::new();
        let mut wins = 0;
        for field in fields {
            let mut next = *field;
            game.apply(&mut next, action);
            match next.stage {
                Stage::Won => wins += 1,
                Stage::Lost(_) => (),
                _ => by_view.entry(game.view(&next, Seat::FIRST)).or_default().push(next),
            }
        }
        wins += by_view.values().map(|fields| slow_wins(game, fields, known)).sum::<u32>();
        best = best.max(wins);
    }
    known.insert(view, best);
    best
}

#[test]
fn perfect_play_agrees_with_exhaustive_search() {
    for (rows, columns, mines) in
        [(2, 2, 1), (3, 3, 1), (3, 3, 2), (3, 3, 4), (2, 5, 3), (1, 9, 3), (2, 6, 2)]
    {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        let layouts = all_layouts(&game);
        let fields: Vec<Field<u64>> = layouts.iter().map(|&mines| field(&game, mines)).collect();
        let mut known = HashMap::new();
        slow_wins(&game, &fields, &mut known);
        for (view, &wins) in &known {
            let covered = (game.board() & !view.opened()).len();
            if !(covered + wins).is_multiple_of(3) && !view.opened().is_empty() {
                // A third of the views suffices, and the start.
                continue;
            }
            let list = Layouts::of(&game, view).list(usize::MAX).unwrap();
            let mut listed = ListedLayouts::new(&game, view.opened(), list);
            let choices = listed.choices(&game, view, &mut Budget::default().start(None)).unwrap();
            assert_eq!(choices[0].wins, wins, "{rows}×{columns}: {view:?}");
            assert!(!choices[0].is_bound);
        }
    }
}

#[test]
fn solved_sets_serve_later_views() {
    let game = Minesweeper::<u64>::new(4, 4, 3, First::Any).unwrap();
    let mut listed = ListedLayouts::new(&game, 0, all_layouts(&game));
    let mut field = field(&game, 0b1000_0010_0000_0100);
    let mut before = game.view(&field, Seat::FIRST);
    assert_eq!(listed.agreeing(&game, &before).len(), 560);
    while let Stage::Playing(_) = field.stage {
        let meter = || Budget::default().start(None);
        let kept = listed.choices(&game, &before, &mut meter()).unwrap();
        let list = Layouts::of(&game, &before).list(560).unwrap();
        assert_eq!(listed.agreeing(&game, &before).len(), list.len());
        let fresh =
            ListedLayouts::new(&game, before.opened(), list).choices(&game, &before, &mut meter()).unwrap();
        assert_eq!(kept[0].wins, fresh[0].wins);
        let Some(safe) = kept.iter().find(|choice| !field.mines.has(u32::from(choice.cell))) else { break };
        game.apply(&mut field, Action::Click(safe.cell));
        before = game.view(&field, Seat::FIRST);
    }
    assert!(field.opened.len() > 4, "the match went on for a while");
}

#[test]
fn a_stopped_search_returns_nothing() {
    let game = Minesweeper::<u64>::new(4, 4, 4, First::Any).unwrap();
    let mut listed = ListedLayouts::new(&game, 0, all_layouts(&game));
    let view = game.view(&field(&game, 1), Seat::FIRST);
    assert_eq!(listed.choices(&game, &view, &mut Budget::nodes(5).start(None)), None);
}
