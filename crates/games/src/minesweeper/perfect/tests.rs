use std::collections::HashMap;

use super::*;
use crate::minesweeper::listed::ListedLayouts;
use crate::minesweeper::{Field, Stage};
use parlor_core::{Budget, Cancel, Notation, Phase, Rng};

fn resources(threads: usize, memory_mb: usize) -> Resources {
    Resources { threads, memory_mb }
}

fn clicks(solver: &mut Perfect<u64>, view: &View<u64>, best_only: bool) -> Vec<Click> {
    let (stop, game) = (Cancel::new(), solver.game);
    let mut progress = Progress { cancel: &stop, report: &mut |_| () };
    solver.clicks(&game, view, best_only, &mut progress).unwrap().0
}

fn view<W: Word>(game: &Minesweeper<W>, text: &str) -> View<W> {
    match game.read_position(text) {
        Ok(Position::View(view)) => view,
        other => panic!("{other:?}"),
    }
}

/// Returns the number of fields won after a click on a cell, from the rules alone.
fn slow_click(
    game: &Minesweeper<u64>,
    fields: &[Field<u64>],
    cell: u16,
    known: &mut HashMap<View<u64>, u32>,
) -> u32 {
    let mut by_view: HashMap<View<u64>, Vec<Field<u64>>> = HashMap::new();
    let mut wins = 0;
    for field in fields {
        let mut next = *field;
        game.apply(&mut next, Action::Click(cell));
        match next.stage {
            Stage::Won => wins += 1,
            Stage::Lost(_) => (),
            _ => by_view.entry(game.view(&next, Seat::FIRST)).or_default().push(next),
        }
    }
    wins + by_view.values().map(|fields| slow_wins(game, fields, known)).sum::<u32>()
}

/// Returns the number of fields won from a view that they share: tries every click, without symmetries and bounds.
fn slow_wins(game: &Minesweeper<u64>, fields: &[Field<u64>], known: &mut HashMap<View<u64>, u32>) -> u32 {
    let view = game.view(&fields[0], Seat::FIRST);
    if let Some(&wins) = known.get(&view) {
        return wins;
    }
    let covered = game.board() & !view.opened();
    let tried = covered.cells().map(|cell| slow_click(game, fields, cell as u16, known));
    let best = tried.max().unwrap_or(0);
    known.insert(view, best);
    best
}

/// Compares every first click, and the values in every `step`-th later position.
fn agrees_with_exhaustive_search(rows: u8, columns: u8, mines: u16, first: First, step: usize) {
    let Some(game) = Minesweeper::<u64>::new(rows, columns, mines, first) else { return };
    let mut solver = Perfect::new(&game, &resources(1, 1));
    let layouts: Vec<u64> =
        (0..1u64 << game.cells()).filter(|layout| layout.len() == u32::from(mines)).collect();
    let mut known = HashMap::new();
    let found = clicks(&mut solver, &View::untouched(), false);
    for click in &found {
        let kept_free = match first {
            First::Any => 0,
            First::Safe => u64::bit(u32::from(click.cell)),
            First::Clear => game.around(u64::bit(u32::from(click.cell))),
        };
        let stage = Stage::Playing(game.cells() - mines);
        let field = |&mines: &u64| Field { mines, opened: 0, stage };
        let fields: Vec<Field<u64>> =
            layouts.iter().filter(|&layout| layout & kept_free == 0).map(field).collect();
        let wins = slow_click(&game, &fields, click.cell, &mut known);
        let expected = Click { cell: click.cell, wins, of: fields.len() as u32, is_exact: true };
        assert_eq!(*click, expected, "{rows}×{columns}, {mines} mines, {first:?}");
    }
    let most = found.iter().map(Click::odds).fold(0.0, f64::max);
    let best = clicks(&mut Perfect::new(&game, &resources(1, 1)), &View::untouched(), true);
    for (quick, full) in best.iter().zip(&found) {
        assert!(quick.odds() >= full.odds() && quick.is_exact | (full.odds() < most));
    }
    let mut views: Vec<_> = known.iter().collect();
    views.sort_unstable_by_key(|(view, _)| game.write_position(view));
    for (view, &wins) in views.into_iter().step_by(step) {
        let most = clicks(&mut solver, view, true).iter().filter(|c| c.is_exact).map(|c| c.wins).max();
        assert_eq!(most, Some(wins), "{:?}", game.write_position(view));
    }
}

#[test]
fn perfect_play_agrees_with_exhaustive_search() {
    for (rows, columns) in [(1, 5), (2, 2), (2, 3), (3, 2), (3, 3)] {
        for mines in 1..u16::from(rows * columns) {
            for first in [First::Any, First::Safe, First::Clear] {
                agrees_with_exhaustive_search(rows, columns, mines, first, 1);
            }
        }
    }
    agrees_with_exhaustive_search(2, 6, 3, First::Any, 20);
    agrees_with_exhaustive_search(3, 4, 3, First::Safe, 50);
}

#[test]
fn known_answers() {
    for (rows, columns, mines, best, of) in [(3, 3, 2, 24, 36), (4, 4, 3, 400, 560), (4, 5, 4, 2950, 4845)] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        let found = clicks(&mut Perfect::new(&game, &resources(1, 8)), &View::untouched(), true);
        let most = found.iter().filter(|click| click.is_exact).max_by_key(|click| click.wins).unwrap();
        assert_eq!((most.wins, most.of), (best, of), "{rows}×{columns}");
    }
}

#[test]
fn threads_and_tables_do_not_change_the_values() {
    // 1,820 layouts, enough to use several threads.
    let game = Minesweeper::<u64>::new(4, 4, 4, First::Any).unwrap();
    let expected = clicks(&mut Perfect::new(&game, &resources(1, 4)), &View::untouched(), false);
    for (threads, table_mb) in [(2, 4), (3, 0), (1, 0)] {
        let mut solver = Perfect::new(&game, &resources(threads, table_mb));
        assert_eq!(clicks(&mut solver, &View::untouched(), false), expected);
        assert_eq!(clicks(&mut solver, &View::untouched(), false), expected, "stored values are right");
    }
}

#[test]
fn large_boards_near_their_end() {
    let game = Minesweeper::<u128>::new(9, 9, 12, First::Safe).unwrap();
    let mut solver = Perfect::new(&game, &resources(1, 1));
    let stop = Cancel::new();
    let mut compared = 0;
    for seed in 0..60 {
        // Random clicks that never hit a mine.
        let mut rng = Rng::new(seed);
        let mut field = game.start();
        for _ in 0..60 {
            let mut next = field;
            let is_chance = game.phase(&field) == Phase::Chance;
            let action = if is_chance { game.sample(&field, &mut rng) } else { game.pick(&field, &mut rng) };
            game.apply(&mut next, action);
            field = if matches!(next.stage, Stage::Lost(_) | Stage::Won) { field } else { next };
            let view = game.view(&field, Seat::FIRST);
            let list = Layouts::of(&game, &view).list(120);
            if view.status() != Status::ToMove || list.as_ref().is_none_or(|list| list.len() < 2) {
                continue;
            }
            let mut other = ListedLayouts::new(&game, view.opened(), list.unwrap());
            let choices = other.choices(&game, &view, &mut Budget::default().start(None)).unwrap();
            let mut progress = Progress { cancel: &stop, report: &mut |_| () };
            let (found, _) = solver.clicks(&game, &view, true, &mut progress).unwrap();
            let most = found.iter().filter(|click| click.is_exact).map(|click| click.wins).max();
            assert_eq!(most, Some(choices[0].wins), "{:?}", game.write_position(&view));
            compared += 1;
            break;
        }
    }
    assert!(compared > 20, "{compared} boards were compared");
}

#[test]
fn unsolvable_positions_are_refused() {
    let game = Minesweeper::<u64>::new(5, 5, 5, First::Any).unwrap();
    let mut solver = solver(&game, &resources(2, 1));
    let stop = Cancel::cancelled();
    let mut ask = |stop: &Cancel, text: &str| {
        let position = Position::View(view(&game, text));
        let mut progress = Progress { cancel: stop, report: &mut |_| () };
        solver.solve(&game, &position, &mut progress).map(|exact| exact.best)
    };
    assert_eq!(ask(&stop, "#####/#####/#####/#####/#####"), Err(Unsolved::Cancelled));
    let go = Cancel::new();
    let over = ask(&go, "*####/#####/#####/#####/####1");
    assert_eq!(over, Ok(Vec::new()), "a finished match has no best click");
    let wide = Minesweeper::<u128>::new(9, 9, 10, First::Any).unwrap();
    let mut progress = Progress { cancel: &go, report: &mut |_| () };
    let asked =
        Perfect::new(&wide, &resources(1, 1)).solve(&wide, &Position::State(wide.start()), &mut progress);
    assert!(
        matches!(asked, Err(Unsolved::OutOfReach(sentence)) if sentence.contains("layouts are possible"))
    );
}
