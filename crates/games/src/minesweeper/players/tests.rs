use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::minesweeper::solve::Solver;
use crate::minesweeper::{Action, Field, First, Layouts, Stage, Standing, View};
use parlor_core::{
    Agent, Budget, Certainty, Decision, Game, Notation, Position, Rng, Seat, Settings, Spec, Thought,
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

/// Returns what an agent opens, and what it thought last.
fn think(game: &Minesweeper<u64>, view: &View<u64>, spec: &str) -> (String, Option<Thought<Action>>) {
    let actions = game.view_actions(view);
    let decision = Decision::untimed(game, Seat::FIRST, view, &actions);
    let mut last = None;
    let action = deduce(spec).think(&decision, &mut Rng::new(1), &mut |thought| last = Some(thought.clone()));
    (game.write_action(action), last)
}

fn wins<W: Word>(game: &Minesweeper<W>, mut field: Field<W>, agent: &mut Deduce<W>) -> bool {
    agent.begin(game, Seat::FIRST);
    while let Stage::Playing(_) = field.stage {
        let view = game.view(&field, Seat::FIRST);
        let actions: Vec<Action> = game.actions(&field).collect();
        let action = agent.act(&Decision::untimed(game, Seat::FIRST, &view, &actions), &mut Rng::new(1));
        game.apply(&mut field, action);
    }
    field.stage == Stage::Won
}

/// Plays every layout of a board, and returns how many the agent wins.
fn wins_of_all(game: &Minesweeper<u64>, spec: &str) -> u32 {
    let mines = u32::from(game.mines());
    let layouts = (0..1u64 << game.cells()).filter(|layout| layout.len() == mines);
    let mut agent = deduce(spec);
    let stage = Stage::Playing(game.cells() - game.mines());
    layouts.map(|mines| u32::from(wins(game, Field { mines, opened: 0, stage }, &mut agent))).sum()
}

#[test]
fn guesses_against_perfect_play() {
    let game = Minesweeper::<u64>::new(4, 4, 4, First::Any).unwrap();
    // What perfect play wins after a click in the corner.
    let mut seen: HashMap<View<u64>, u32> = HashMap::new();
    for mines in (0..1u64 << 16).filter(|layout| layout.len() == 4 && !layout.has(0)) {
        let mut field = Field { mines, opened: 0, stage: Stage::Playing(12) };
        game.apply(&mut field, Action::Click(0));
        *seen.entry(game.view(&field, Seat::FIRST)).or_default() += 1;
    }
    let best = seen.iter().map(|(view, &fields)| {
        if view.standing() == Standing::Won {
            return fields;
        }
        let list = Layouts::of(&game, view).list(2000).unwrap();
        assert_eq!(list.len(), fields as usize);
        let mut solver = Solver::new(&game, view.opened(), list);
        solver.choices(&game, view, &mut Budget::default().start(None)).unwrap()[0].wins
    });
    let best: u32 = best.sum();
    let perfect = wins_of_all(&game, "deduce(endgame=100000, nodes=10000000)");
    assert_eq!(perfect, best);
    let rule = wins_of_all(&game, "deduce(endgame=0)");
    let safest = wins_of_all(&game, "deduce(guess=safest)");
    assert!(safest < rule && rule <= perfect, "{safest} {rule} {perfect} of 1820");
}

#[test]
fn what_is_certain_is_opened() {
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
fn certainty_that_takes_counting() {
    // Single numbers say nothing here. Together they do: 1-2-1 over three cells has its mines beside the 1s.
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
    let decision = Decision::untimed(&game, Seat::FIRST, &view, &actions);
    let beliefs = deduce("deduce").beliefs(&decision, &mut Rng::new(1)).unwrap();
    assert_eq!((beliefs.places, beliefs.basis.as_str()), (vec!["mine".to_owned()], "all 12 layouts"));
    assert_eq!(beliefs.odds.len(), 7);
    assert_eq!(beliefs.odds[0], ("a1".to_owned(), vec![4.0 / 12.0]));
    assert_eq!(beliefs.odds[1], ("b1".to_owned(), vec![3.0 / 12.0]));
}

#[test]
fn a_stop_still_gets_an_answer() {
    let game = Minesweeper::<u64>::new(5, 5, 5, First::Any).unwrap();
    let view = view(&game, "##2##/#####/#####/#####/##1##");
    let actions = game.view_actions(&view);
    let stop = AtomicBool::new(true);
    let decision = Decision { stop: Some(&stop), ..Decision::untimed(&game, Seat::FIRST, &view, &actions) };
    assert!(actions.contains(&deduce("deduce").act(&decision, &mut Rng::new(1))));
    assert!(actions.contains(&deduce("deduce(endgame=100000)").act(&decision, &mut Rng::new(1))));
}

#[test]
fn what_is_kept_does_not_change_odds_of_winning() {
    // A new agent for every click plays as well as one that remembers, layout by layout.
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
