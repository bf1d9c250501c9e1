//! Malformed input for parsers: every reader must return an error with an explanation, never panic.

use parlor_core::{Notation, Phase, Position, Rng};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Gives every reader of `game` random text, and valid positions, actions and views with one or two characters
/// changed. `samples` are positions in the game's own form.
///
/// # Panics
/// If a reader panics, accepts a position that is then unusable, or returns an empty error message.
pub fn readers_never_panic<G: Notation>(game: &G, samples: &[&str]) {
    let mut good: Vec<String> = samples.iter().map(|&s| s.to_owned()).collect();
    let mut rng = Rng::new(11);
    let mut state = game.start();
    while game.phase(&state) != Phase::Over && good.len() < 400 {
        let action = match game.phase(&state) {
            Phase::Chance => game.sample(&state, &mut rng),
            _ => game.pick(&state, &mut rng),
        };
        good.push(game.write_action(action));
        game.apply(&mut state, action);
        for seat in parlor_core::Seat::all(game.seats()) {
            let view = game.view(&state, seat);
            good.extend(game.write_position(&view));
            good.push(serde_json::to_string(&game.sheet(&view)).expect("a sheet is plain data"));
        }
    }

    let mut runner = TestRunner::new(Config { cases: 2_000, failure_persistence: None, ..Config::default() });
    let mutation = (any::<prop::sample::Index>(), vec((any::<prop::sample::Index>(), any::<Change>()), 1..3));
    runner
        .run(&mutation, |(which, changes)| {
            let mut chars: Vec<char> = which.get(&good).chars().collect();
            for (at, change) in changes {
                change.apply(&mut chars, at);
            }
            reads_or_explains(game, &chars.into_iter().collect::<String>());
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
    runner
        .run(&"\\PC{0,80}", |text| {
            reads_or_explains(game, &text);
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// One typing error.
#[derive(Clone, Debug)]
enum Change {
    Replace(char),
    Insert(char),
    Remove,
    Cut,
    Double,
}

impl Arbitrary for Change {
    type Parameters = ();
    type Strategy = BoxedStrategy<Change>;
    fn arbitrary_with((): ()) -> Self::Strategy {
        let letter = prop_oneof![
            4 => prop::sample::select(" /|-.,:@x#0123456789abcdefXORWrwKGMNCPkgmncp\"{}[]".chars().collect::<Vec<_>>()),
            1 => any::<char>(),
        ];
        prop_oneof![
            letter.clone().prop_map(Change::Replace),
            letter.prop_map(Change::Insert),
            Just(Change::Remove),
            Just(Change::Cut),
            Just(Change::Double),
        ]
        .boxed()
    }
}

impl Change {
    fn apply(self, chars: &mut Vec<char>, at: prop::sample::Index) {
        if chars.is_empty() {
            return;
        }
        let at = at.index(chars.len());
        match self {
            Change::Replace(c) => chars[at] = c,
            Change::Insert(c) => chars.insert(at, c),
            Change::Remove => drop(chars.remove(at)),
            Change::Cut => chars.truncate(at),
            Change::Double => chars.extend_from_within(at..),
        }
    }
}

/// Gives `text` to every reader of the game. Accepted input must be usable; rejected input must get an explanation.
///
/// # Panics
/// If a reader panics or rejects without an explanation.
pub fn reads_or_explains<G: Notation>(game: &G, text: &str) {
    if let Err(error) = game.read_action(text) {
        assert!(error.to_string().len() > 10, "a sentence, not {error:?}");
    }
    match game.read_position(text) {
        Err(error) => assert!(error.to_string().len() > 10, "a sentence, not {error:?}"),
        Ok(Position::View(view)) => use_view(game, &view),
        Ok(Position::State(state)) => {
            if let Phase::Decide(seat) = game.phase(&state) {
                use_view(game, &game.view(&state, seat));
            }
            let mut end = state;
            parlor_core::rules::playout::playout(game, &mut end, &mut Rng::new(1));
        }
    }
    if let Ok(sheet) = serde_json::from_str::<G::Sheet>(text) {
        match game.read_view(&sheet) {
            Ok(view) => use_view(game, &view),
            Err(error) => assert!(error.to_string().len() > 10, "a sentence, not {error:?}"),
        }
    }
}

fn use_view<G: Notation>(game: &G, view: &G::View) {
    let _ = game.view_actions(view);
    let _ = game.draw(view, parlor_core::Ink::default());
    let _ = game.status(view);
    let _ = game.write_position(view);
}
