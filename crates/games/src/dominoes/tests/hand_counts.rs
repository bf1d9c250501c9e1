//! Imagined states against all complete deals, enumerated one by one.

use super::*;
use crate::dominoes::hand_counts::HandCounts;
use parlor_core::Imagine;
use std::collections::HashMap;

/// Returns every state with this view, and the number of deals (first hand of the other seat, its draws in order)
/// that lead to it.
///
/// Ignores the evidence of draws and passes: it tries all deals and keeps those in which the log can happen.
pub(super) fn by_enumeration(game: &Dominoes, state: &State, seat: Seat) -> HashMap<State, u32> {
    let view = game.view(state, seat);
    let other = seat.other();
    let mine = state.log.iter().filter(|event| event.seat == seat);
    let (mut own_first, mut own_ever) = (view.hand, view.hand);
    for event in mine.clone() {
        if let Action::Play(tile, _) = event.action {
            own_first |= tile.into();
            own_ever |= tile.into();
        }
    }
    for event in mine {
        if let Action::Draw(tile) = event.action {
            own_first -= tile.into();
        }
    }
    let count = |wanted: fn(&Action) -> bool| {
        state.log.iter().filter(|event| event.seat == other && wanted(&event.action)).count() as u8
    };
    let played = count(|action| matches!(action, Action::Play(..)));
    let drawn = count(|action| matches!(action, Action::Draw(_)));
    let size = view.other + played - drawn;

    let mut found = HashMap::new();
    let pool: Vec<Tile> = (game.all() - own_ever).tiles().collect();
    for bits in 0..1u32 << pool.len() {
        if bits.count_ones() != u32::from(size) {
            continue;
        }
        let first: TileSet =
            pool.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &tile)| tile).collect();
        let mut hands = BySeat::default();
        hands[seat] = own_first;
        hands[other] = first;
        let boneyard = game.all() - own_first - first;
        let mut start = State {
            hands,
            boneyard,
            bones: boneyard.len(),
            leader: state.leader,
            stage: state.stage,
            scores: state.before,
            before: state.before,
            ended: state.ended,
            ..game.fresh()
        };
        if state.step != Step::Deal {
            game.begin(&mut start);
        }
        try_log(game, start, &view, 0, &mut found);
    }
    found
}

/// Continues from event `at` of the log in every way that agrees with the view, and counts the ends.
fn try_log(game: &Dominoes, state: State, view: &View, at: usize, found: &mut HashMap<State, u32>) {
    let Some(event) = view.log.get(at) else {
        if game.view(&state, view.seat) == *view {
            *found.entry(state).or_default() += 1;
        }
        return;
    };
    let actions: Vec<Action> = match event.action {
        Action::DrawHidden => state.boneyard.tiles().map(Action::Draw).collect(),
        action => vec![action],
    };
    for action in actions {
        let mut next = state.clone();
        if state.turn == event.seat && game.try_apply(&mut next, action).is_ok() {
            try_log(game, next, view, at + 1, found);
        }
    }
}

/// Plays at random and returns all states of the match.
pub(super) fn some_match(game: &Dominoes, rng: &mut Rng) -> Vec<State> {
    let mut states = vec![game.start()];
    loop {
        let mut next = states.last().unwrap().clone();
        let action = match game.phase(&next) {
            Phase::Over => return states,
            Phase::Decide(_) => game.pick(&next, rng),
            Phase::Chance => game.sample(&next, rng),
        };
        game.apply(&mut next, action);
        states.push(next);
    }
}

/// The views to check.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Which {
    All,
    /// Views in which a played tile has more than one possible class.
    Loose,
}

/// Draws states from views of many matches and compares their frequencies with the expected ones.
fn check(text: &str, matches: u32, which: Which) {
    let samples = 300;
    let game = open(text);
    let mut rng = Rng::new(17);
    let (mut excess, mut freedom, mut views) = (0.0, 0.0, 0);
    for _ in 0..matches {
        for state in some_match(&game, &mut rng) {
            for seat in Seat::all(2) {
                if state.step == Step::Lead || state.step == Step::Over {
                    continue;
                }
                let view = game.view(&state, seat);
                let counted =
                    HandCounts::of(&game, &view, TileSet::EMPTY, usize::MAX).expect("a view has a world");
                if which == Which::Loose && !counted.has_loose() {
                    continue;
                }
                let worlds = by_enumeration(&game, &state, seat);
                let total: u32 = worlds.values().sum();
                assert!(worlds.contains_key(&state), "the truth is a world");
                let mut drawn: HashMap<State, u32> = HashMap::new();
                for _ in 0..samples {
                    *drawn.entry(game.imagine(&view, &mut rng)).or_default() += 1;
                }
                for world in drawn.keys() {
                    assert!(worlds.contains_key(world), "{text}: no deal leads to {world:?}\nfrom {view:?}");
                }
                if worlds.len() == 1 {
                    continue;
                }
                // Chi-square of this view; its expectation is one less than the number of states.
                let chi: f64 = worlds
                    .iter()
                    .map(|(world, &ways)| {
                        let expected = f64::from(samples) * f64::from(ways) / f64::from(total);
                        let got = f64::from(drawn.get(world).copied().unwrap_or(0));
                        (got - expected) * (got - expected) / expected
                    })
                    .sum();
                let degrees = (worlds.len() - 1) as f64;
                excess += chi - degrees;
                freedom += degrees;
                views += 1;
            }
        }
    }
    assert!(views > 50, "{text}: {views} views are too few");
    // The sum over all views has a variance of about twice its degrees of freedom, more where states are rare: hence
    // six standard deviations.
    let bound = 6.0 * f64::sqrt(2.0 * freedom);
    assert!(excess.abs() < bound, "{text}: off by {excess} at {freedom} degrees of freedom");
}

#[test]
fn all_worlds_of_double_two() {
    for draw in ["until", "one-then-play", "one-ends-turn"] {
        for lead in ["free", "highest-double"] {
            let rules = format!("set=2, draw={draw}, lead={lead}, target=none");
            check(&format!("dominoes({rules}, hand=2)"), 20, Which::All);
            // With a reserve the other hand stays uncertain when no tile can be drawn any more.
            check(&format!("dominoes({rules}, hand=2, reserve=2)"), 20, Which::All);
            check(&format!("dominoes({rules}, hand=1, reserve=1)"), 20, Which::All);
        }
    }
}

#[test]
fn all_worlds_of_double_three() {
    for draw in ["until", "one-then-play", "one-ends-turn"] {
        check(&format!("dominoes(rules=myers, draw={draw}, arms=immediate)"), 8, Which::All);
        check(&format!("dominoes(rules=myers, draw={draw}, hand=2, lead=free)"), 10, Which::All);
        check(&format!("dominoes(rules=myers, draw={draw}, hand=4, reserve=1)"), 10, Which::All);
    }
}

#[test]
fn worlds_where_played_tiles_have_several_possible_classes() {
    for draw in ["until", "one-then-play", "one-ends-turn"] {
        for lead in ["free", "highest-double"] {
            check(
                &format!("dominoes(set=3, hand=3, draw={draw}, lead={lead}, target=none)"),
                250,
                Which::Loose,
            );
        }
    }
}
