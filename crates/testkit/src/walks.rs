//! Laws checked along walks. A walk is a list of numbers: step *i* takes choice `number % choices`. So any bytes are
//! a match, and shrinking a failure shortens the match.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, Hash, RandomState};

use parlor_core::{Entry, Game, Imagine, Ink, Notation, Payoffs, Phase, Position, Rng, Seat, Settings, Spec};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Upper bound on the length of a match; a longer one is taken to be endless.
const LONGEST_MATCH: u32 = 200_000;

/// Checks every law that holds for all games along `cases` random walks.
///
/// # Panics
/// If a law does not hold; the message names the law and the walk.
pub fn laws<G: Entry + Notation + PartialEq>(game: &G, cases: u32) {
    audited_laws(game, cases, |_, _| {});
}

/// Checks the same as [`laws`] and calls `audit` on every state, where a game compares its incrementally updated
/// fields with a recomputation from scratch.
///
/// # Panics
/// If a law does not hold.
pub fn audited_laws<G: Entry + Notation + PartialEq>(game: &G, cases: u32, audit: impl Fn(&G, &G::State)) {
    let spec = game.spec();
    let again = Spec::parse(&spec.to_string()).expect("the full form parses");
    let settings = Settings::read(&again, G::KEYS).expect("the full form has only known keys and values");
    assert!(
        G::open(&settings).expect("the full form opens") == *game,
        "the full form {spec} opens another game"
    );
    let named: Vec<&str> = spec.pairs.iter().map(|(key, _)| key.as_str()).collect();
    let keys: Vec<&str> = G::KEYS.iter().map(|key| key.name).collect();
    assert_eq!(named, keys, "the full form repeats every key in order");

    walk(cases, |numbers| {
        let mut walker = Walker::new(game, numbers);
        let mut before: Option<(G::State, G::Action)> = None;
        assert_eq!(game.stages(&walker.state), 0, "no stage has ended before the first action");
        loop {
            let state = &walker.state;
            audit(game, state);
            check_stages(game, before.as_ref().map(|(last, _)| last), state);
            check_state(game, state, walker.plies < 40 || walker.plies.is_multiple_of(16));
            if let Some((last, action)) = &before {
                check_refusal(game, state, *action);
                assert!(!game.chances(last).any(|(a, _)| a == *action) || game.phase(last) == Phase::Chance);
            }
            let Some(action) = walker.choose() else { break };
            before = Some((walker.state.clone(), action));
            walker.apply(action);
        }
        check_payoffs(game, &game.payoffs(&walker.state));
    });
}

/// Checks along `cases` walks that imagined states look exactly like the true state to the seat that imagines them.
///
/// # Panics
/// If a law does not hold.
pub fn imagine_laws<G: Imagine + Notation>(game: &G, cases: u32) {
    walk(cases, |numbers| {
        let mut walker = Walker::new(game, numbers);
        let mut rng = Rng::new(99);
        loop {
            let state = walker.state.clone();
            if walker.plies < 60 || walker.plies.is_multiple_of(16) {
                for seat in Seat::all(game.seats()) {
                    let view = game.view(&state, seat);
                    let world = game.imagine(&view, &mut rng);
                    check_same_view(game, &state, &world, seat, &view);
                }
            }
            let Some(action) = walker.choose() else { break };
            walker.apply(action);
        }
    });
}

fn check_same_view<G: Notation>(game: &G, state: &G::State, world: &G::State, seat: Seat, view: &G::View) {
    assert_eq!(&game.view(world, seat), view, "view(imagine(v)) == v for seat {seat}");
    let json = |view: &G::View| serde_json::to_string(&game.sheet(view)).expect("a sheet is plain data");
    assert_eq!(json(&game.view(world, seat)), json(view), "equal views give equal JSON");
    // Whether a hidden chance event is due or another seat decides may differ; this seat's own decision may not.
    if game.phase(state) == Phase::Decide(seat) || game.phase(world) == Phase::Decide(seat) {
        assert_eq!(game.phase(state), game.phase(world), "equal views ask the same seat");
        let actions: Vec<_> = game.actions(state).collect();
        assert_eq!(actions, game.actions(world).collect::<Vec<_>>(), "equal views offer equal actions");
        for action in actions {
            assert_eq!(
                game.seen(state, action, seat),
                game.seen(world, action, seat),
                "one's own action looks the same in every world"
            );
        }
    }
}

/// Runs `check` on lists of numbers and reports the shortest one that fails.
pub(crate) fn walk(cases: u32, check: impl Fn(&[u16])) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let mut runner = TestRunner::new(config);
    runner
        .run(&vec(any::<u16>(), 0..300), |numbers| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&numbers))).map_err(|cause| {
                let words = cause
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| cause.downcast_ref::<&str>().map(|&s| s.to_owned()))
                    .unwrap_or_default();
                TestCaseError::fail(words)
            })
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// A match along a list of numbers, and along random numbers after the end of the list.
pub(crate) struct Walker<'a, G: Game> {
    game: &'a G,
    pub(crate) state: G::State,
    numbers: std::slice::Iter<'a, u16>,
    rest: Rng,
    plies: u32,
}

impl<'a, G: Game> Walker<'a, G> {
    pub(crate) fn new(game: &'a G, numbers: &'a [u16]) -> Self {
        let seed = numbers.iter().fold(1u64, |seed, &n| seed.wrapping_mul(31).wrapping_add(u64::from(n)));
        Walker { game, state: game.start(), numbers: numbers.iter(), rest: Rng::new(seed), plies: 0 }
    }

    pub(crate) fn choose(&mut self) -> Option<G::Action> {
        let choices: Vec<G::Action> = match self.game.phase(&self.state) {
            Phase::Over => return None,
            Phase::Decide(_) => self.game.actions(&self.state).collect(),
            Phase::Chance => self.game.chances(&self.state).map(|(a, _)| a).collect(),
        };
        let number = self.numbers.next().map_or_else(|| self.rest.below(1 << 16), |&n| u32::from(n));
        Some(choices[number as usize % choices.len()])
    }

    pub(crate) fn apply(&mut self, action: G::Action) {
        self.game.apply(&mut self.state, action);
        self.plies += 1;
        assert!(self.plies < LONGEST_MATCH, "a match does not end");
    }
}

fn distinct<T: Eq + Hash + Debug>(items: &[T]) -> bool {
    items.iter().collect::<HashSet<_>>().len() == items.len()
}

fn check_state<G: Notation>(game: &G, state: &G::State, thorough: bool) {
    let copy = state.clone();
    assert_eq!(&copy, state, "a clone equals its original");
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(&copy), hasher.hash_one(state), "equal states hash equally");

    let mut rng = Rng::new(5);
    let mut actions: Vec<G::Action> = game.actions(state).collect();
    assert_eq!(game.actions(state).len(), actions.len(), "len() is exact");
    assert!(distinct(&actions), "actions are distinct");
    let outcomes: Vec<(G::Action, f64)> = game.chances(state).collect();
    match game.phase(state) {
        Phase::Decide(seat) => {
            assert!(seat.0 < game.seats(), "the seat exists");
            assert!(!actions.is_empty(), "a decision offers at least one action");
            assert!(outcomes.is_empty(), "no chance in a decision");
            for (n, action) in actions.iter().enumerate().step_by(3) {
                assert_eq!(game.actions(state).nth(n), Some(*action), "nth(n) is the n-th action");
            }
            assert_eq!(game.actions(state).nth(actions.len()), None, "nth() ends where the list ends");
            let picked = game.pick(state, &mut rng);
            assert!(actions.contains(&picked), "pick() picks an action");
        }
        Phase::Chance => {
            assert!(actions.is_empty(), "no decision in a chance");
            let total: f64 = outcomes.iter().map(|(_, weight)| weight).sum();
            assert!((total - 1.0).abs() < 1e-9, "chance weights add up to {total}");
            assert!(outcomes.iter().all(|&(_, weight)| weight > 0.0), "chance weights are positive");
            actions = outcomes.iter().map(|&(action, _)| action).collect();
            assert!(distinct(&actions), "outcomes are distinct");
            let sampled = game.sample(state, &mut rng);
            assert!(actions.contains(&sampled), "sample() draws an outcome");
        }
        Phase::Over => assert!(actions.is_empty() && outcomes.is_empty(), "nothing happens after the end"),
    }
    if thorough {
        check_texts(game, state, &actions);
        check_views(game, state, &actions);
        if game.phase(state) == Phase::Chance {
            check_sights(game, state, &actions);
        }
    }
}

/// Checks that a seat's observation of a chance event reveals no more than its next view: outcomes with equal next
/// views must look alike. (Actions of seats are public in every game here, and a view may omit them.)
fn check_sights<G: Game>(game: &G, state: &G::State, outcomes: &[G::Action]) {
    for seat in Seat::all(game.seats()) {
        let mut alike: HashMap<G::View, G::Action> = HashMap::new();
        for &action in outcomes {
            let mut next = state.clone();
            game.apply(&mut next, action);
            let first = *alike.entry(game.view(&next, seat)).or_insert(action);
            assert_eq!(
                game.seen(state, action, seat),
                game.seen(state, first, seat),
                "seat {seat} can tell {action:?} from {first:?} by observation, but not by its view"
            );
        }
    }
}

fn check_texts<G: Notation>(game: &G, state: &G::State, actions: &[G::Action]) {
    let mut texts = HashSet::new();
    for &action in actions {
        let text = game.write_action(action);
        assert!(!text.is_empty() && !text.contains(char::is_whitespace), "{text:?} is one word");
        assert_eq!(game.read_action(&text).as_ref(), Ok(&action), "parse(display(a)) == a for {text}");
        assert!(texts.insert(text), "different actions have different texts");
        for seat in Seat::all(game.seats()) {
            if let Some(seen) = game.seen(state, action, seat) {
                let text = game.write_action(seen);
                assert_eq!(
                    game.read_action(&text).as_ref(),
                    Ok(&seen),
                    "masked actions are written too: {text}"
                );
            }
        }
    }
}

fn check_views<G: Notation>(game: &G, state: &G::State, actions: &[G::Action]) {
    for seat in Seat::all(game.seats()) {
        let view = game.view(state, seat);
        let offered = game.view_actions(&view);
        if game.phase(state) == Phase::Decide(seat) {
            assert_eq!(offered, actions, "a view offers what its state offers");
            for &action in actions {
                let text = game.write_action(action);
                assert_eq!(
                    game.understand(&offered, &text).as_ref(),
                    Ok(&action),
                    "typed moves are understood"
                );
            }
        }
        let json = serde_json::to_string(&game.sheet(&view)).expect("a sheet is plain data");
        let sheet: G::Sheet = serde_json::from_str(&json).expect("a sheet reads what it writes");
        assert_eq!(game.read_view(&sheet).as_ref(), Ok(&view), "a view survives JSON: {json}");
        if let Some(text) = game.write_position(&view) {
            let again = match game.read_position(&text) {
                Ok(Position::State(state)) => game.view(&state, seat),
                Ok(Position::View(view)) => view,
                Err(error) => panic!("{text} was written but cannot be read: {error}"),
            };
            assert_eq!(game.write_position(&again), Some(text), "positions survive reading");
        }
        let drawn = game.draw(&view, Ink { ascii: true, colour: false });
        assert!(drawn.is_ascii() && drawn.ends_with('\n'), "plain drawings are plain:\n{drawn}");
        assert!(!game.draw(&view, Ink::default()).contains('\x1b'), "no colour unless asked for");
        let status = game.status(&view);
        assert!(status.is_ascii() && !status.contains('\n'), "the status is one plain line: {status}");
    }
}

/// Checks that `action`, which was played just before `state`, is refused unless it is offered again.
fn check_refusal<G: Game>(game: &G, state: &G::State, action: G::Action) {
    let offered = game.actions(state).any(|a| a == action) || game.chances(state).any(|(a, _)| a == action);
    let mut tried = state.clone();
    let result = game.try_apply(&mut tried, action);
    assert_eq!(result.is_ok(), offered, "try_apply allows exactly what is offered");
    if !offered {
        assert_eq!(&tried, state, "a refused action changes nothing");
    }
}

/// Checks stages and scores; `last` is the state one action earlier.
fn check_stages<G: Game>(game: &G, last: Option<&G::State>, state: &G::State) {
    let stages = game.stages(state);
    if let Some(last) = last {
        let grown = stages.checked_sub(game.stages(last));
        assert!(
            grown.is_some_and(|grown| grown <= 1),
            "an action ends at most one stage, and no stage reopens"
        );
    }
    assert!(game.phase(state) != Phase::Over || stages > 0, "a match that has ended has ended a stage");
    assert!(game.scores(state).0.iter().all(|score| score.is_finite()), "scores are numbers");
}

fn check_payoffs<G: Game>(game: &G, payoffs: &Payoffs) {
    let range = game.range();
    let mut sum = 0.0;
    for seat in Seat::all(game.seats()) {
        let payoff = payoffs.of(seat);
        assert!((range.low..=range.high).contains(&payoff), "{payoff} is not in {range:?}");
        sum += payoff;
    }
    if let Some(expected) = range.sum {
        assert!((sum - expected).abs() < 1e-9, "payoffs add up to {sum}, declared {expected}");
    }
}
