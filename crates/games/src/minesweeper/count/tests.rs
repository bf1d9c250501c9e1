use std::collections::HashMap;

use super::*;
use crate::board::wide::U512;
use parlor_core::{Game, Imagine, Notation, Phase, Position, Seat};

/// Returns all layouts of the board by brute force.
fn all_layouts(game: &Minesweeper<u64>) -> impl Iterator<Item = u64> {
    let mines = u32::from(game.mines());
    (0..1u64 << game.cells()).filter(move |layout| layout.len() == mines)
}

/// Returns whether a layout shows exactly this view, cell by cell.
fn agrees(game: &Minesweeper<u64>, view: &View<u64>, layout: u64) -> bool {
    let numbers_fit = view.opened().cells().all(|cell| {
        let number = (game.neighbours(cell as u16) & layout).len() as u8;
        !layout.has(cell) && view.number(cell as u16) == Some(number)
    });
    numbers_fit && view.exploded().is_none_or(|cell| layout.has(u32::from(cell)))
}

fn agrees_with_brute_force(game: &Minesweeper<u64>, view: &View<u64>) {
    let fitting: Vec<u64> = all_layouts(game).filter(|&layout| agrees(game, view, layout)).collect();
    let layouts = Layouts::of(game, view);
    let text = game.write_position(view);
    assert_eq!(layouts.total(), fitting.len() as f64, "{text:?}");
    for (cell, odds) in layouts.mine_probabilities().into_iter().enumerate() {
        let mines = fitting.iter().filter(|layout| layout.has(cell as u32)).count();
        assert!(
            (odds - mines as f64 / fitting.len() as f64).abs() < 1e-12,
            "cell {cell} of {text:?}: {odds}"
        );
    }
}

/// Returns a view from random clicks that never hit a mine, later in a match than luck would allow.
fn lucky_view<W: Word>(game: &Minesweeper<W>, clicks: u32, rng: &mut Rng) -> View<W> {
    let mut field = game.start();
    let mut left = clicks;
    while game.phase(&field) != Phase::Over {
        let mut next = field;
        if game.phase(&field) == Phase::Chance {
            game.apply(&mut next, game.sample(&field, rng));
        } else if left == 0 {
            break;
        } else {
            game.apply(&mut next, game.pick(&field, rng));
            if game.view(&next, Seat::FIRST).exploded().is_some() {
                continue;
            }
            left -= 1;
        }
        field = next;
    }
    game.view(&field, Seat::FIRST)
}

fn view(game: &Minesweeper<u64>, text: &str) -> View<u64> {
    match game.read_position(text) {
        Ok(Position::View(view)) => view,
        other => panic!("{other:?}"),
    }
}

#[test]
fn counts_agree_with_brute_force() {
    let mut rng = Rng::new(1);
    for (rows, columns, mines, first) in [
        (3, 3, 2, First::Any),
        (3, 3, 4, First::Safe),
        (4, 4, 3, First::Any),
        (4, 4, 2, First::Clear),
        (3, 5, 7, First::Any),
        (2, 7, 3, First::Safe),
        (1, 12, 5, First::Any),
        (4, 4, 15, First::Any),
    ] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, first).unwrap();
        for clicks in (1..9).cycle().take(40) {
            let mut field = game.start();
            agrees_with_brute_force(&game, &lucky_view(&game, clicks, &mut rng));
            parlor_core::rules::playout::playout(&game, &mut field, &mut rng);
            agrees_with_brute_force(&game, &game.view(&field, Seat::FIRST));
        }
    }
}

#[test]
fn layouts_while_mines_are_laid() {
    let mut rng = Rng::new(1);
    for (first, total) in [(First::Safe, 455.0), (First::Clear, 35.0)] {
        let game = Minesweeper::<u64>::new(4, 4, 3, first).unwrap();
        let mut field = game.start();
        let layouts = Layouts::of(&game, &game.view(&field, Seat::FIRST));
        assert_eq!(layouts.total(), 560.0, "nothing is known before the first click");
        game.apply(&mut field, super::super::Action::Click(5));
        for _ in 0..3 {
            let view = game.view(&field, Seat::FIRST);
            let layouts = Layouts::of(&game, &view);
            assert_eq!(layouts.total(), total);
            assert_eq!(layouts.mine_probabilities()[5], 0.0);
            assert!(!layouts.sample(&mut rng).unwrap().has(5));
            let mine = game.sample(&field, &mut rng);
            game.apply(&mut field, mine);
        }
    }
}

#[test]
fn layouts_are_drawn_uniformly() {
    let mut rng = Rng::new(5);
    for (rows, columns, mines, first, text) in [
        (3, 3, 2, First::Any, "###/#21/###"),
        (4, 4, 3, First::Any, "#2##/####/###1/##1#"),
        (4, 4, 3, First::Safe, "1###/####/####/##1#"),
        (4, 5, 4, First::Clear, "##1##/12###/01###/01###"),
        (4, 4, 3, First::Any, "*1##/####/####/####"),
        (1, 8, 3, First::Any, "########"),
    ] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, first).unwrap();
        let view = view(&game, text);
        let layouts = Layouts::of(&game, &view);
        let mut seen: HashMap<u64, u32> =
            all_layouts(&game).filter(|&layout| agrees(&game, &view, layout)).map(|l| (l, 0)).collect();
        let (kinds, each) = (seen.len() as f64, 300);
        assert!(kinds > 9.0, "{text} excludes some layouts");
        for _ in 0..seen.len() * each {
            let layout = layouts.sample(&mut rng).unwrap();
            *seen.get_mut(&layout).expect("a layout that agrees with the view") += 1;
        }
        let each = each as f64;
        let chi_square: f64 = seen.values().map(|&n| f64::from(n) - each).map(|off| off * off / each).sum();
        let freedom = kinds - 1.0;
        // Four standard deviations on either side: too even is as wrong as too uneven.
        let bound = 4.0 * (2.0 * freedom).sqrt();
        assert!((chi_square - freedom).abs() < bound, "{text}: χ² = {chi_square} with {freedom} degrees");
    }
}

#[test]
fn expert_boards() {
    let mut rng = Rng::new(2);
    let game = Minesweeper::<U512>::new(16, 30, 99, First::Clear).unwrap();
    for clicks in [1, 2, 4, 8, 16, 32, 64, 100, 150, 200, 300] {
        for _ in 0..3 {
            let view = lucky_view(&game, clicks, &mut rng);
            let layouts = Layouts::of(&game, &view);
            assert!(layouts.total() >= 1.0);
            let odds = layouts.mine_probabilities();
            assert!((odds.iter().sum::<f64>() - 99.0).abs() < 1e-8, "the odds add up to the mines");
            for _ in 0..3 {
                let layout = layouts.sample(&mut rng).unwrap();
                assert_eq!(layout.len(), 99);
                assert!(layout.cells().all(|cell| odds[cell as usize] > 0.0));
                let safe = game.board() & !layout;
                assert!(safe.cells().all(|cell| odds[cell as usize] < 1.0));
            }
            assert_eq!(game.view(&game.imagine(&view, &mut rng), Seat::FIRST), view);
        }
    }
}

#[test]
fn wide_and_narrow_words_give_equal_counts() {
    let narrow = Minesweeper::<u64>::new(6, 6, 7, First::Any).unwrap();
    let wide = Minesweeper::<U512>::new(6, 6, 7, First::Any).unwrap();
    let mut rng = Rng::new(4);
    for clicks in 1..20 {
        let view = lucky_view(&narrow, clicks, &mut rng);
        let same = wide.read_view(&narrow.sheet(&view)).unwrap();
        let (a, b) = (Layouts::of(&narrow, &view), Layouts::of(&wide, &same));
        assert_eq!(a.total(), b.total());
        assert_eq!(a.mine_probabilities(), b.mine_probabilities());
    }
}

#[test]
fn contradictions_have_no_layout() {
    // Two 1s without a common neighbour, and a single mine. The text of this view would be refused.
    let game = Minesweeper::<u64>::new(1, 7, 1, First::Any).unwrap();
    let numbers = [0b0100010, 0, 0, 0];
    let layouts = Layouts::of(&game, &View::new(0b0100010, numbers, Status::ToMove));
    assert_eq!(layouts.total(), 0.0);
    assert_eq!(layouts.sample(&mut Rng::new(1)), None);
    assert_eq!(layouts.mine_probabilities(), [0.0; 7]);
}

#[test]
fn a_limit_stops_the_count() {
    let game = Minesweeper::<u64>::new(4, 4, 3, First::Any).unwrap();
    let view = view(&game, "#2##/####/###1/##1#");
    assert!(Layouts::within(&game, &view, 10).is_none());
    let layouts = Layouts::within(&game, &view, 1_000).expect("a small board takes little");
    assert_eq!(layouts.total(), Layouts::of(&game, &view).total());
}

#[test]
fn layouts_are_listed() {
    let mut rng = Rng::new(6);
    for (rows, columns, mines) in [(3, 3, 2), (4, 4, 3), (3, 5, 7), (1, 12, 5)] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        for clicks in 1..9 {
            let view = lucky_view(&game, clicks, &mut rng);
            let layouts = Layouts::of(&game, &view);
            let mut listed = layouts.list(usize::MAX).unwrap();
            listed.sort_unstable();
            let fitting: Vec<u64> =
                all_layouts(&game).filter(|&layout| agrees(&game, &view, layout)).collect();
            assert_eq!(listed, fitting);
            assert_eq!(layouts.list(fitting.len() - 1), None);
        }
    }
}

/// Returns a view in which one more cell is open and shows `number`.
fn with_number(view: &View<u64>, cell: u16, number: u8) -> View<u64> {
    let bit = u64::bit(u32::from(cell));
    let opened = view.opened() | bit;
    let numbers = std::array::from_fn(|plane| {
        let shown = |cell: u32| view.number(cell as u16).unwrap_or(number) >> plane & 1 == 1;
        opened.cells().filter(|&cell| shown(cell)).fold(0, |set, cell| set | u64::bit(cell))
    });
    View::new(opened, numbers, Status::ToMove)
}

#[test]
fn look_ahead_agrees_with_recounting_every_view() {
    let mut rng = Rng::new(8);
    let mut won = 0;
    for (rows, columns, mines) in [(3, 4, 3), (5, 5, 5), (6, 7, 8), (4, 9, 12), (2, 4, 4), (2, 5, 5)] {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        for clicks in [1, 2, 3, 4, 6, 8] {
            let view = lucky_view(&game, clicks, &mut rng);
            if view.status() != Status::ToMove {
                continue;
            }
            let layouts = Layouts::of(&game, &view);
            let covered = game.board() & !view.opened();
            let mut ahead = Ahead::new(&layouts);
            for cell in covered.cells() {
                let prospect = ahead.prospect(&game, cell as u16);
                let mut slow = Prospect { safe: 0.0, next: 0.0, progress: 0.0 };
                for number in 0..=8 {
                    let then = Layouts::of(&game, &with_number(&view, cell as u16, number));
                    let odds = then.total() / layouts.total();
                    if odds == 0.0 {
                        continue;
                    }
                    let mines = then.mine_probabilities();
                    let rest = covered & !u64::bit(cell);
                    // The last safe cell wins the match.
                    let is_won = rest.len() == u32::from(game.mines());
                    won += u32::from(is_won);
                    let lowest = rest.cells().map(|cell| mines[cell as usize]).fold(1.0, f64::min);
                    let lowest = if is_won { 0.0 } else { lowest };
                    slow.safe += odds;
                    slow.next += odds * (1.0 - lowest);
                    slow.progress += if lowest == 0.0 { odds } else { 0.0 };
                }
                let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
                assert!(
                    near(prospect.safe, slow.safe)
                        && near(prospect.next, slow.next)
                        && near(prospect.progress, slow.progress),
                    "{cell} of {:?}: {prospect:?} {slow:?}",
                    game.write_position(&view)
                );
            }
        }
    }
    assert!(won > 0, "some clicks win");
}
