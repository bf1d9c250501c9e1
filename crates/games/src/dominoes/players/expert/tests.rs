//! Every rule at constructed positions, and the memory against imagined worlds.

use parlor_core::{Game, Imagine, Notation, Phase, Rng, Seat};

use super::rules::{self, Outlook, RULES};
use super::{Expert, Weights};
use crate::dominoes::holdings::Odds;
use crate::dominoes::players::tests::{SETTINGS, after, does, open, walk};
use crate::dominoes::replies::scorers;
use crate::dominoes::{Action, Dominoes, State, Tile, TileSet};

/// One point for one unit of every rule.
const UNIT: Weights = Weights {
    points: 1.0,
    danger: 1.0,
    plan: 1.0,
    pull: 1.0,
    pass: 1.0,
    double: 1.0,
    suit: 1.0,
    follow: 1.0,
    cover: 0.5,
    pip: 1.0,
    decay: 0.5,
    stake: 50.0,
};

/// Returns the score of a rule for a move of the seat to move.
fn worth(
    rule: fn(&Outlook<'_>) -> f64,
    weights: &Weights,
    game: &Dominoes,
    state: &State,
    play: &str,
) -> f64 {
    let Phase::Decide(seat) = game.phase(state) else { panic!("no seat decides here") };
    let view = game.view(state, seat);
    let odds = Odds::new(game, &view, true);
    let action = game.read_action(play).unwrap();
    assert!(view.plays(game.rules()).any(|a| a == action), "{play} is not possible");
    rule(&Outlook::new(game, &view, &odds, weights, action).unwrap())
}

fn close(one: f64, two: f64) -> bool {
    (one - two).abs() < 1e-9
}

/// Double-two, one stage: 00 01 02 11 12 22.
const TINY: &str = "dominoes(set=2, hand=2, target=none)";
/// Seat 0 leads from 00 and 12; the other two tiles of the other seat are among 01 02 11 22.
const LEAD: &str = "00 12 | 01 11 | 02 22";

#[test]
fn scoring_counts_points() {
    let game = open("dominoes(rules=myers, lead=free)");
    let state = after(&game, "33 23 01 | 00 02 11 | 03 12 13 22", "");
    assert!(close(worth(rules::scoring, &UNIT, &game, &state, "23@start"), 5.0));
    assert!(close(worth(rules::scoring, &UNIT, &game, &state, "33@start"), 0.0));
}

#[test]
fn danger_is_the_expected_reply() {
    let game = open(TINY);
    let state = after(&game, LEAD, "");
    // On 12 only 22 scores, 1 + 4, and the other seat has it in half of the worlds.
    assert!(close(worth(rules::danger, &UNIT, &game, &state, "12@start"), -2.5));
    assert!(close(worth(rules::danger, &UNIT, &game, &state, "00@start"), 0.0));
    let plain = open("dominoes(set=2, hand=2, target=none, fives=off)");
    assert!(close(worth(rules::danger, &UNIT, &plain, &after(&plain, LEAD, ""), "12@start"), 0.0));
}

#[test]
fn plan_is_the_next_score() {
    let game = open(TINY);
    // On 12, 22 would make 1 + 4, and on 22 the other way round; on 00 neither 12 nor 22 fits.
    let state = after(&game, "12 22 00 | 01 11 02 |", "");
    assert!(close(worth(rules::plan, &UNIT, &game, &state, "12@start"), 5.0));
    assert!(close(worth(rules::plan, &UNIT, &game, &state, "22@start"), 5.0));
    assert!(close(worth(rules::plan, &UNIT, &game, &state, "00@start"), 0.0));
}

#[test]
fn blocking_counts_pulls_and_passes() {
    let game = open(TINY);
    let state = after(&game, LEAD, "");
    // 01 and 02 fit 00. Both are in the boneyard in one world of six, and then one pull is enough.
    assert!(close(worth(rules::blocking, &UNIT, &game, &state, "00@start"), 1.0 / 6.0));
    // All but 00 fit 12.
    assert!(close(worth(rules::blocking, &UNIT, &game, &state, "12@start"), 0.0));
    // No tile may be drawn, so the other seat would have to pass.
    let game = open("dominoes(set=2, hand=2, target=none, reserve=2)");
    let state = after(&game, LEAD, "");
    assert!(close(worth(rules::blocking, &UNIT, &game, &state, "00@start"), 1.0 / 6.0));
    let louder = Weights { pass: 12.0, ..UNIT };
    assert!(close(worth(rules::blocking, &louder, &game, &state, "00@start"), 12.0 / 6.0));
}

#[test]
fn doubles_spread_follow_and_pips() {
    let game = open("dominoes(set=3, hand=3, target=none)");
    let state = after(&game, "11 12 03 | 01 22 33 | 00 02 13 23", "");
    assert!(
        close(worth(rules::doubles, &UNIT, &game, &state, "11@start"), 3.0),
        "a tile of double-three has 3 pips"
    );
    assert!(close(worth(rules::doubles, &UNIT, &game, &state, "12@start"), 0.0));
    // 12 and 03 keep four values, 11 and 03 three.
    assert!(close(worth(rules::spread, &UNIT, &game, &state, "11@start"), 4.0));
    assert!(close(worth(rules::spread, &UNIT, &game, &state, "12@start"), 3.0));
    // 12 fits on all four sides of 11; after 12, 11 fits at one end; after 03 no tile fits.
    assert!(close(worth(rules::follow, &UNIT, &game, &state, "11@start"), 3.0 * (1.0 - 0.0625)));
    assert!(close(worth(rules::follow, &UNIT, &game, &state, "12@start"), 1.5));
    assert!(close(worth(rules::follow, &UNIT, &game, &state, "03@start"), 0.0));
    // The other seat needs three turns to go out, if it can play.
    let sure = Weights { decay: 1.0, ..UNIT };
    // 11 has no reply if 01 and 13 are among the four tiles of the boneyard: 1 − 4/7 · 3/6.
    let can_play = 1.0 - 2.0 / 7.0;
    let left = -6.0 * can_play;
    assert!(close(worth(rules::pips, &sure, &game, &state, "11@start"), left));
    assert!(close(worth(rules::pips, &UNIT, &game, &state, "11@start"), left / 4.0));
}

#[test]
fn target_sees_the_end_of_the_contest() {
    let game = open("dominoes(rules=myers, lead=free, target=4)");
    let state = after(&game, "33 23 01 | 00 02 11 | 03 12 13 22", "");
    assert!(worth(rules::target, &UNIT, &game, &state, "23@start") > 1e5);
    assert!(close(worth(rules::target, &UNIT, &game, &state, "01@start"), 0.0), "no reply to 01 scores");
    let game = open("dominoes(set=2, hand=2, target=4)");
    let state = after(&game, LEAD, "");
    assert!(
        close(worth(rules::target, &UNIT, &game, &state, "12@start"), -25.0),
        "22 would win for the other seat"
    );
    let game = open("dominoes(set=2, hand=2, target=5)");
    assert!(close(worth(rules::target, &UNIT, &game, &state, "12@start"), 0.0), "5 does not exceed 5");
}

#[test]
fn memory_knows_which_tiles_were_lacked() {
    let game = open(TINY);
    // Seat 1 had no tile for 00 and drew 11 and then 02, which it played: the rest of its hand lacks 0.
    let state = after(&game, "00 01 | 12 22 | 11 02", "00@start draw:11 draw:02 02@left");
    let view = game.view(&state, Seat::FIRST);
    let odds = Odds::new(&game, &view, true);
    let all: TileSet = odds.hidden;
    assert_eq!(all.to_string(), "11 12 22");
    assert!(close(odds.lacks(all), 0.0));
    for tile in all.tiles() {
        assert!(close(odds.lacks(tile.into()), 0.0), "it holds all three");
    }
    // With a larger set some of the hidden tiles have a 0; it cannot hold those.
    let game = open("dominoes(set=3, hand=2, target=none)");
    let deal = "00 01 | 12 22 | 02 03 11 13 23 33";
    let view = game.view(&after(&game, deal, "00@start draw:11 draw:02 02@left"), Seat::FIRST);
    let odds = Odds::new(&game, &view, true);
    let zero = odds.hidden & TileSet::touching(0);
    assert_eq!(zero.to_string(), "03");
    assert!(close(odds.lacks(zero), 1.0));
    let other = (odds.hidden - zero).tiles().next().unwrap();
    assert!(close(odds.lacks(other.into()), 0.5), "it holds three of the six others");
    let forgetful = Odds::new(&game, &view, false);
    assert!(close(forgetful.lacks(zero), 4.0 / 7.0), "it holds three of seven");
}

#[test]
fn forced_leads_rule_out_stronger_tiles() {
    let game = open("dominoes(rules=myers)");
    let state = after(&game, "22 00 01 | 12 02 03 | 33 11 13 23", "22@start 12@left");
    let odds = Odds::new(&game, &game.view(&state, Seat::FIRST), true);
    let double = TileSet::from(Tile::new(3, 3).unwrap());
    assert!(close(odds.lacks(double), 1.0), "with 33 in hand it would have led");
}

#[test]
fn memory_agrees_with_imagined_worlds() {
    const WORLDS: u32 = 200;
    for text in SETTINGS {
        let game = open(text);
        let games = if game.rules().target.is_some() { 2 } else { 10 };
        let mut rng = Rng::new(1);
        let (mut off, mut tiles) = (0.0, 0.0);
        walk(&game, games, |_, view| {
            let odds = Odds::new(&game, view, true);
            let mut held = [0_u32; 64];
            for _ in 0..WORLDS {
                let world = game.imagine(view, &mut rng);
                world.hand(view.seat.other()).tiles().for_each(|tile| held[tile.index()] += 1);
            }
            let mut sum = 0.0;
            for tile in odds.hidden.tiles() {
                let guess = 1.0 - odds.lacks(tile.into());
                let found = f64::from(held[tile.index()]) / f64::from(WORLDS);
                assert!(guess > 0.0 || found == 0.0, "{text}: {tile} was ruled out but is possible");
                off += (guess - found).abs();
                tiles += 1.0;
                sum += guess;
            }
            assert!((sum - f64::from(view.other)).abs() < 1e-6, "{text}: {sum} of {} tiles", view.other);
        });
        // If the probabilities were exact, 200 worlds would differ from them by 0.02 or a little more.
        assert!(off / tiles < 0.035, "{text}: off by {}", off / tiles);
    }
}

#[test]
fn scorers_are_those_that_score() {
    for text in SETTINGS {
        let game = open(text);
        walk(&game, 20, |_, view| {
            if view.board.is_empty() {
                return;
            }
            let hidden = game.all() - view.board.played();
            let mut expected = scorers(&view.board, TileSet::EMPTY);
            for open in view.board.open() {
                for tile in (hidden & TileSet::touching(open.pips)).tiles() {
                    let count = game.board_after(&view.board, tile, open.end).count();
                    if count.is_multiple_of(5) {
                        expected[usize::from(count / 5)] |= tile.into();
                    }
                }
            }
            assert_eq!(scorers(&view.board, hidden), expected, "{text}: {:?}", view.board);
        });
    }
}

#[test]
fn every_switch_matters() {
    let game = open("dominoes");
    for key in Expert::KEYS {
        let off = format!("expert({}=off)", key.name);
        let mut differs = 0;
        walk(&game, 20, |state, view| {
            if view.plays(game.rules()).len() > 1 {
                differs += u32::from(does("expert", &game, state) != does(&off, &game, state));
            }
        });
        assert!(differs > 0, "{} changes nothing", key.name);
    }
    assert_eq!(Expert::KEYS.len(), RULES.len() + 1);
}

#[test]
fn a_single_tile_is_played_at_its_first_place() {
    let game = open(TINY);
    let state = after(&game, "00 12 | 01 11 | 02 22", "00@start");
    assert_eq!(game.actions(&state).len(), 4, "01 at four places");
    assert!(matches!(game.actions(&state).next(), Some(Action::Play(..))));
    assert_eq!(does("expert", &game, &state), "01@left", "equal moves: the first");
}
