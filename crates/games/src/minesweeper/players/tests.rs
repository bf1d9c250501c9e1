use std::collections::HashMap;

use super::*;
use crate::minesweeper::listed::ListedLayouts;
use crate::minesweeper::{Action, Field, First, Layouts, Stage, Status, View};
use parlor_core::{
    Agent, Budget, Cancel, Certainty, Context, Decision, Game, Notation, Position, Rng, Seat, Settings, Spec,
    Thought,
};

fn deduce<W: Word>(spec: &str) -> Deduce<W> {
    Deduce::read(&Settings::read(&Spec::parse(spec).unwrap(), Deduce::<W>::KEYS).unwrap())
}

fn view(game: &Minesweeper<u64>, text: &str) -> View<u64> {
    match game.read_position(text) {
        Ok(Position::View(view)) => view,
        other => panic!("{other:?}"),
    }
}

/// Returns the cell that an agent opens, and its last thought.
fn think(game: &Minesweeper<u64>, view: &View<u64>, spec: &str) -> (String, Option<Thought<Action>>) {
    let actions = game.view_actions(view);
    let decision = Decision::new(game, Seat::FIRST, view, &actions);
    let mut last = None;
    let action = deduce(spec).act(
        &decision,
        &mut Context::new(&mut Rng::new(1)).with_reporter(&mut |thought| last = Some(thought.clone())),
    );
    (game.write_action(action), last)
}

fn wins<W: Word>(game: &Minesweeper<W>, mut field: Field<W>, agent: &mut Deduce<W>) -> bool {
    agent.begin(game, Seat::FIRST);
    while let Stage::Playing(_) = field.stage {
        let view = game.view(&field, Seat::FIRST);
        let actions: Vec<Action> = game.actions(&field).collect();
        let action = agent
            .act(&Decision::new(game, Seat::FIRST, &view, &actions), &mut Context::new(&mut Rng::new(1)));
        game.apply(&mut field, action);
    }
    field.stage == Stage::Won
}

/// Plays every layout of a board, and returns the number of wins.
fn wins_of_all(game: &Minesweeper<u64>, spec: &str) -> u32 {
    let mines = u32::from(game.mines());
    let layouts = (0..1u64 << game.cells()).filter(|layout| layout.len() == mines);
    let mut agent = deduce(spec);
    let stage = Stage::Playing(game.cells() - game.mines());
    layouts.map(|mines| u32::from(wins(game, Field { mines, opened: 0, stage }, &mut agent))).sum()
}

#[test]
fn guesses_against_perfect_play() {
    let game = Minesweeper::<u64>::new(3, 5, 3, First::Any).unwrap();
    // The wins of perfect play after a click in the corner.
    let mut seen: HashMap<View<u64>, u32> = HashMap::new();
    for mines in (0..1u64 << 15).filter(|layout| layout.len() == 3 && !layout.has(0)) {
        let mut field = Field { mines, opened: 0, stage: Stage::Playing(12) };
        game.apply(&mut field, Action::Click(0));
        *seen.entry(game.view(&field, Seat::FIRST)).or_default() += 1;
    }
    let best = seen.iter().map(|(view, &fields)| {
        if view.status() == Status::Won {
            return fields;
        }
        let list = Layouts::of(&game, view).list(2000).unwrap();
        assert_eq!(list.len(), fields as usize);
        let mut listed = ListedLayouts::new(&game, view.opened(), list);
        listed.choices(&game, view, &mut Budget::default().start(None)).unwrap()[0].wins
    });
    let best: u32 = best.sum();
    let perfect = wins_of_all(&game, "deduce(endgame=100000, nodes=10000000)");
    assert_eq!(perfect, best);
    let near = wins_of_all(&game, "deduce(endgame=0)");
    let far = wins_of_all(&game, "deduce(endgame=0, deep=4)");
    let safest = wins_of_all(&game, "deduce(guess=safest)");
    assert!(safest < near && near <= far && far <= perfect, "{safest} {near} {far} {perfect} of 455");
}

/// Splits the layouts in which a cell is safe by the number that it shows.
fn by_number(game: &Minesweeper<u64>, layouts: &[u64], cell: u32) -> Vec<Vec<u64>> {
    let mut parts = vec![Vec::new(); 9];
    for &layout in layouts.iter().filter(|layout| !layout.has(cell)) {
        parts[(game.neighbours(cell as u16) & layout).len() as usize].push(layout);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the number of layouts in which the safest cell is safe.
fn most_safe(layouts: &[u64], covered: u64) -> usize {
    let safe = |cell| layouts.iter().filter(|layout| !layout.has(cell)).count();
    covered.cells().map(safe).max().unwrap_or(layouts.len())
}

/// Returns the score of a click, in layouts, from a list of them.
fn slow_score(game: &Minesweeper<u64>, layouts: &[u64], covered: u64, cell: u32) -> f64 {
    let left = covered & !u64::bit(cell);
    let score = |part: &Vec<u64>| {
        if most_safe(part, left) == part.len() {
            return 1.1 * part.len() as f64;
        }
        let two = |next| {
            let parts = by_number(game, part, next);
            parts.iter().map(|part| most_safe(part, left & !u64::bit(next))).sum::<usize>()
        };
        left.cells().map(two).max().unwrap_or(0) as f64
    };
    by_number(game, layouts, cell).iter().map(score).sum()
}

#[test]
fn three_clicks_ahead_agree_with_listing_layouts() {
    let boards = [
        (3, 3, 2, "###/#2#/###"),
        (3, 3, 3, "###/##1/###"),
        (2, 5, 4, "##2##/#####"),
        (2, 5, 3, "##1##/#####"),
        (1, 9, 4, "#1#######"),
        (3, 3, 4, "##2/###/###"),
    ];
    let mut changed = 0;
    for (rows, columns, mines, text) in boards {
        let game = Minesweeper::<u64>::new(rows, columns, mines, First::Any).unwrap();
        let view = view(&game, text);
        let layouts = Layouts::of(&game, &view);
        let (odds, list) = (layouts.mine_probabilities(), layouts.list(1000).unwrap());
        let covered = game.board() & !view.opened();
        let mut meter = Budget::default().start(None);
        let mut cells = guess::look_ahead(&game, &layouts, covered, &odds, 100, &mut meter);
        let near = cells[0].score;
        guess::look_further(&game, &view, layouts.total(), &mut cells, (100, usize::MAX), &mut meter);
        let slow = |cell| slow_score(&game, &list, covered, u32::from(cell)) / list.len() as f64;
        for cell in cells.iter().filter(|cell| !cell.is_bound) {
            assert!((cell.score - slow(cell.cell)).abs() < 1e-9, "{text}: {cell:?}");
        }
        let best = covered.cells().map(|cell| slow(cell as u16)).fold(0.0, f64::max);
        assert!((cells[0].score - best).abs() < 1e-9, "{text}: no better cell is missing");
        changed += u32::from(cells[0].score < near - 1e-9);
    }
    assert!(changed > 2, "the third click matters");
}

#[test]
fn certainly_safe_cells_are_opened() {
    // The 1 at the left end has one covered neighbour; the 1 beside it needs no other.
    let game = Minesweeper::<u64>::new(2, 5, 3, First::Any).unwrap();
    for spec in ["deduce", "deduce(guess=safest)"] {
        let (action, thought) = think(&game, &view(&game, "11###/1####"), spec);
        assert_eq!(action, "c1", "b2 is the mine of all three 1s");
        let thought = thought.unwrap();
        assert_eq!((thought.certainty, thought.value, thought.moves.len()), (Certainty::Proven, 1.0, 2));
    }
}

#[test]
fn counting_finds_safe_cells_that_single_numbers_miss() {
    // Single numbers prove nothing here. Together they do: 1-2-1 over three cells has its mines beside the 1s.
    let game = Minesweeper::<u64>::new(2, 5, 2, First::Any).unwrap();
    let view = view(&game, "#121#/#####");
    let odds = Layouts::of(&game, &view).mine_probabilities();
    let (action, thought) = think(&game, &view, "deduce");
    assert_eq!(odds[7], 0.0);
    let thought = thought.unwrap();
    assert_eq!((thought.certainty, thought.value), (Certainty::Proven, 1.0));
    let Ok(Action::Click(cell)) = game.read_action(&action) else { panic!("{action}") };
    assert_eq!(odds[usize::from(cell)], 0.0);
}

#[test]
fn beliefs_are_the_odds_of_mines() {
    let game = Minesweeper::<u64>::new(3, 3, 2, First::Any).unwrap();
    let view = view(&game, "###/#21/###");
    let actions = game.view_actions(&view);
    let decision = Decision::new(&game, Seat::FIRST, &view, &actions);
    let beliefs = deduce("deduce").beliefs(&decision, &mut Context::new(&mut Rng::new(1))).unwrap();
    assert_eq!((beliefs.places, beliefs.basis.as_str()), (vec!["mine".to_owned()], "all 12 layouts"));
    assert_eq!(beliefs.odds.len(), 7);
    assert_eq!(beliefs.odds[0], ("a1".to_owned(), vec![4.0 / 12.0]));
    assert_eq!(beliefs.odds[1], ("b1".to_owned(), vec![3.0 / 12.0]));
}

#[test]
fn a_cancelled_decision_still_returns_an_action() {
    let game = Minesweeper::<u64>::new(5, 5, 5, First::Any).unwrap();
    let view = view(&game, "##2##/#####/#####/#####/##1##");
    let actions = game.view_actions(&view);
    let stop = Cancel::cancelled();
    let decision = Decision::new(&game, Seat::FIRST, &view, &actions);
    assert!(
        actions.contains(
            &deduce("deduce").act(&decision, &mut Context::new(&mut Rng::new(1)).with_cancel(&stop))
        )
    );
    assert!(
        actions.contains(
            &deduce("deduce(endgame=100000)")
                .act(&decision, &mut Context::new(&mut Rng::new(1)).with_cancel(&stop))
        )
    );
}

#[test]
fn state_kept_between_clicks_does_not_change_the_wins() {
    // A new agent for every click plays as well as one that keeps its state, layout by layout.
    let game = Minesweeper::<u64>::new(4, 4, 3, First::Any).unwrap();
    let stage = Stage::Playing(13);
    let mut keeps = deduce("deduce");
    for mines in (0..1u64 << 16).filter(|layout| layout.len() == 3).step_by(5) {
        let start = Field { mines, opened: 0, stage };
        let kept = wins(&game, start, &mut keeps);
        let mut field = start;
        while let Stage::Playing(_) = field.stage {
            let view = game.view(&field, Seat::FIRST);
            let action = game.read_action(&think(&game, &view, "deduce").0).unwrap();
            game.apply(&mut field, action);
        }
        assert_eq!(field.stage == Stage::Won, kept, "{mines:b}");
    }
}
