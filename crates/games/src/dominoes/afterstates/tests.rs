//! Entries against the slow way, and in words.

use parlor_core::{Afterstates, Game, Notation, Phase};
use parlor_testkit::afterstates_laws;

use super::numbers::{NUMBERS, Number as N, STARTS};
use super::plays::{Knowledge, Left};
use super::{GROUPS, Layout, entry};
use crate::dominoes::players::tests::{SETTINGS, after, open, walk};
use crate::dominoes::replies::scorers;
use crate::dominoes::{Action, End};

#[test]
fn laws() {
    for text in
        SETTINGS.iter().chain(&["dominoes", "dominoes(set=9)", "dominoes(target=30)", "dominoes(target=700)"])
    {
        afterstates_laws(&open(text), 3);
    }
}

#[test]
fn points_that_win_are_known() {
    let game = open("dominoes(target=30)");
    let mut wins = 0;
    walk(&game, 30, |state, view| {
        for action in game.actions(state).collect::<Vec<_>>() {
            if !game.is_choice(view, action) {
                // It may block the stage, which scores, too.
                continue;
            }
            let mut next = state.clone();
            game.apply(&mut next, action);
            let known = game.known(&Layout, view, action);
            let over = next.scores()[view.seat] > 30;
            // A contest may also end by the points for going out, which are not known.
            assert!(known.is_none() || over);
            assert!(known.is_some() || !over || next.hand(view.seat).is_empty());
            wins += u32::from(known.is_some());
        }
    });
    assert!(wins > 10, "{wins}");
}

#[test]
fn replies_are_those_of_the_board() {
    let game = open("dominoes");
    let mut scoring = 0;
    walk(&game, 10, |_, view| {
        let known = Knowledge::new(&game, view);
        for action in view.plays(game.rules()) {
            let Action::Play(tile, end) = action else { continue };
            let left = Left::new(&known, tile, end);
            if left.hand.is_empty() {
                continue;
            }
            let mut facts = left.facts();
            left.add_play(&mut facts);
            let board = game.board_after(&view.board, tile, end);
            let (mut all, mut stuck, mut points) = (0.0, 0.0, 0.0);
            let mut seen = Vec::new();
            for place in board.open() {
                // The arms of a bare spinner, and the sides of a lone double, are alike.
                let twin = |&(pips, value): &(u8, u8)| {
                    pips == place.pips && (value == place.value || place.value == 0)
                };
                let is_first_of_pair = matches!(place.end, End::Left | End::Up);
                if !is_first_of_pair && seen.last().is_some_and(twin) {
                    continue;
                }
                seen.push((place.pips, place.value));
                for reply in (view.unseen(game.rules()) & board.fits_at(place.end)).tiles() {
                    let next = game.board_after(&board, reply, place.end);
                    let weight = known.chance(reply) * (1.0 + 0.2 * f64::from(game.points_for(next.count())));
                    all += weight;
                    if (left.hand & next.fits()).is_empty() {
                        stuck += weight;
                    }
                    let best =
                        scorers(&next, left.hand).iter().rposition(|tiles| !tiles.is_empty()).unwrap_or(0);
                    points += weight * 5.0 * best as f64;
                }
            }
            if all == 0.0 {
                continue;
            }
            let (stuck, points): (f64, f64) = (stuck / all, points / all);
            // Sums in another order may differ in the last digit, and so fall on the other side of a step.
            let steps = |amount: f64| [amount - 1e-9, amount + 1e-9].map(|amount| amount as u32);
            let expected = steps(10.0 * stuck).map(|step| if stuck > 0.0 { (1 + step).min(10) } else { 0 });
            assert!(expected.contains(&facts.get(N::Stuck)), "{stuck}");
            assert!(steps(points).map(|step| step.min(15)).contains(&facts.get(N::Answer)), "{points}");
            scoring += u32::from(points > 0.0);
        }
    });
    assert!(scoring > 500, "{scoring}");
}

#[test]
fn numbers_of_a_position() {
    let game = open("dominoes(target=none)");
    let deal = "11 12 15 23 33 | 01 02 22 | 00 03 04 05 06 13 14 16 24 25 26 34 35 36 44 45 46 55 56 66";
    let state = after(&game, deal, "11@start 01@left");
    let Phase::Decide(seat) = game.phase(&state) else { panic!("seat 0 is to play") };
    let view = game.view(&state, seat);
    let known = Knowledge::new(&game, &view);
    let Some(Action::Play(tile, end)) =
        view.plays(game.rules()).find(|play| game.write_action(*play) == "12@right")
    else {
        panic!("12 fits at the right")
    };
    let left = Left::new(&known, tile, end);
    let mut facts = left.facts();
    left.add_play(&mut facts);
    for (what, value) in [
        (N::OwnTiles, 3),
        (N::OtherTiles, 2),
        (N::Count, 2),
        (N::Fitting, 2),
        // 23 makes 0 + 3, 15 at an arm 0 + 2 + 5.
        (N::Following, 0),
        (N::Doubles, 1),
        (N::Values, 4),
        (N::GoesOut, 0),
        // The sides of the spinner are covered, its arms are open.
        (N::EndA, 0),
        (N::EndB, 1),
        (N::EndC, 1),
        (N::EndD, 2),
    ] {
        assert_eq!(facts.get(what), value, "{what:?}");
    }
    assert_eq!(
        game.entry_in_words(&Layout, entry(&facts, 13)),
        "tiles in hand 3 · tiles of the other 2 · boneyard 14+"
    );
}

#[test]
fn every_entry_has_words_of_its_own() {
    let game = open("dominoes");
    let mut all = std::collections::HashSet::new();
    for group in 0..GROUPS {
        for entry in [STARTS[group], STARTS[group + 1] - 1] {
            assert!(all.insert((group, game.entry_in_words(&Layout, entry))));
        }
    }
    assert!(NUMBERS.iter().all(|number| number.size > 1));
}
