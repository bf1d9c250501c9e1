//! Each rule and each switch at constructed positions.

use super::*;

/// Returns the board after the first plays of a stage.
fn lay(rules: &Rules, plays: &str) -> Board {
    let mut board = Board::default();
    for text in plays.split_whitespace() {
        let (played, end) = text.split_once('@').unwrap();
        let (tile, end) = (tile(played), End::read(end).unwrap());
        assert!(board.fits_at(end).contains(tile), "{text} does not fit on {board:?}");
        board.put(rules, tile, end);
    }
    board
}

fn ends(board: &Board) -> Vec<(&'static str, u8, u8)> {
    board.open().map(|open| (open.end.word(), open.pips, open.value)).collect()
}

fn exposed(board: &Board) -> Vec<u8> {
    board.exposed().collect()
}

#[test]
fn table_6_of_the_source() {
    for arms in ["both", "immediate"] {
        let game = open(&format!("dominoes(arms={arms})"));
        let score = |plays: &str| {
            let board = lay(&game.rules, plays);
            (board.count(), game.points_for(board.count()))
        };
        assert_eq!(score("12@start 22@right"), (5, 5));
        assert_eq!(score("12@start 22@right 23@right"), (4, 0));
        assert_eq!(score("12@start 22@right 23@right 26@down"), (10, 10));
        assert_eq!(score("12@start 22@right 23@right 26@down 66@down"), (16, 0));
    }
}

#[test]
fn the_two_sides_of_a_lone_double_are_one_end() {
    let rules = Rules::of(Preset::Myers);
    let alone = lay(&rules, "22@start");
    assert_eq!(exposed(&alone), [4]);
    assert_eq!(alone.count(), 4);
    assert_eq!(ends(&alone), [("left", 2, 4), ("right", 2, 0)]);
    for (play, left, right) in [("12@left", 1, 4), ("12@right", 4, 1)] {
        let board = lay(&rules, &format!("22@start {play}"));
        assert_eq!(exposed(&board), [left, right]);
        assert_eq!(board.count(), 5);
    }
    assert_eq!(lay(&rules, "22@start 12@right 02@left").count(), 1);
    // A blank double is an end with value 0.
    assert_eq!(exposed(&lay(&rules, "00@start")), [0]);
}

#[test]
fn arms_open_according_to_their_switch() {
    let both = Rules::of(Preset::Myers);
    let immediate = Rules { arms: Arms::Immediate, ..both.clone() };
    let arms = |rules: &Rules, plays: &str| lay(rules, plays).end(End::Up).is_some();
    assert!(arms(&immediate, "22@start") && !arms(&both, "22@start"));
    assert!(arms(&immediate, "12@start 22@right") && !arms(&both, "12@start 22@right"));
    assert!(!arms(&both, "22@start 12@left"));
    assert!(!arms(&both, "22@start 12@left 13@left"), "the right side is still bare");
    assert!(arms(&both, "22@start 12@left 23@right"));
    assert!(arms(&both, "12@start 22@right 23@right"), "the side towards the line is covered");

    // An arm before the sides: the spinner keeps counting, as one end.
    let board = lay(&immediate, "33@start 03@up");
    assert_eq!(exposed(&board), [6, 0]);
    assert_eq!(exposed(&lay(&immediate, "33@start 03@up 13@left")), [1, 6, 0]);
    assert_eq!(exposed(&lay(&immediate, "33@start 03@up 13@left 23@right")), [1, 2, 0]);
    // An arm that ends in the spinner's blank again still counts as begun.
    assert_eq!(exposed(&lay(&immediate, "00@start 01@up 12@up 02@up")), [0, 0]);
}

#[test]
fn the_spinner_follows_its_switch() {
    let first_double = Rules { arms: Arms::Immediate, ..Rules::of(Preset::Myers) };
    let first_tile = Rules { spinner: Spinner::FirstTile, ..first_double.clone() };
    let none = Rules { spinner: Spinner::None, ..first_double.clone() };
    let spinner = |rules: &Rules, plays: &str| lay(rules, plays).spinner();
    for (plays, expected) in [
        ("22@start", [Some(2), Some(2), None]),
        ("12@start 22@right", [Some(2), None, None]),
        ("12@start 22@right 11@left", [Some(2), None, None]),
        ("12@start 23@right", [None, None, None]),
    ] {
        assert_eq!(
            [&first_double, &first_tile, &none].map(|rules| spinner(rules, plays)),
            expected,
            "{plays}"
        );
    }
    // Without a spinner a double still counts both halves while it is exposed, and there are two ends.
    let board = lay(&none, "22@start 12@left");
    assert_eq!((board.count(), ends(&board).len()), (5, 2));
}

#[test]
fn a_tile_that_fits_twice_is_two_plays() {
    let game = open("dominoes(rules=myers, lead=free)");
    let state = deal(&game, "12 13 33 | 00 01 23 | 02 03 11 22");
    let state = play(&game, state, "12@start");
    let texts: Vec<String> = game.actions(&state).map(|a| game.write_action(a)).collect();
    assert_eq!(texts, ["01@left", "23@right"]);
    let twice = deal(&game, "22 13 33 | 12 01 23 | 02 03 11 00");
    let twice = play(&game, twice, "22@start");
    let texts: Vec<String> = game.actions(&twice).map(|a| game.write_action(a)).collect();
    assert_eq!(texts, ["12@left", "23@left", "12@right", "23@right"]);
}

#[test]
fn fives_can_be_switched_off() {
    for (fives, points) in [("on", 5), ("off", 0)] {
        let game = open(&format!("dominoes(set=3, hand=3, fives={fives}, target=none)"));
        let state = deal(&game, "23 13 33 | 00 01 22 | 02 03 11 12");
        assert_eq!(game.points_of(&state.board, tile("23"), End::Start), points);
        assert_eq!(play(&game, state, "23@start").scores().0, [points.into(), 0]);
    }
}

#[test]
fn the_fives_of_the_last_tile_come_before_the_bonus() {
    let game = open("dominoes(set=3, hand=3, target=none)");
    let state = play(&game, deal(&game, "23 | 00 01 22 | 02 03 11 12 13 33"), "23@start");
    assert_eq!(state.scores().0, [5 + 5, 0]);
    assert_eq!(state.ended(), Some(StageEnd { how: How::Out(Seat(0)), points: BySeat([5, 0]) }));
    assert_eq!(game.payoffs(&state).of(Seat(0)), 10.0);
}

#[test]
fn bonuses() {
    for (bonus, left, points) in [
        ("pips", "00 01 11", 3),
        ("five", "00 01 11", 5),
        ("five", "00 01 02", 5),
        ("five", "00 02", 0),
        ("five", "11 22 01", 5),
        ("five", "11 22 02", 10),
        ("none", "11 22 01", 0),
    ] {
        let game = open(&format!("dominoes(set=3, hand=3, fives=off, bonus={bonus}, target=none)"));
        let hand: TileSet = left.split(' ').map(tile).collect();
        let out = game.dealt(BySeat([tile("33").into(), hand])).unwrap();
        assert_eq!(play(&game, out, "33@start").scores().0, [points, 0], "{bonus} of {left}");
    }
}

/// Returns a stage that blocks at once: seat 0 leads 00, neither seat has another blank, and no tile may be drawn.
/// The remaining hands are 11 (2 pips) and 22 33 (10 pips).
fn blocked(switches: &str) -> State {
    let rules = open(&format!("dominoes(set=3, hand=3, fives=off, {switches})")).rules;
    let game = Dominoes::new(Rules { reserve: 9, ..rules }).unwrap();
    let hands = ["00 11", "22 33"].map(|hand| hand.split(' ').map(tile).collect());
    play(&game, game.dealt(BySeat(hands)).unwrap(), "00@start pass")
}

#[test]
fn scores_after_a_block_follow_their_switch() {
    for (rule, points) in [("each", [10, 2]), ("lower", [10, 0]), ("difference", [8, 0]), ("nothing", [0, 0])]
    {
        let state = blocked(&format!("blocked={rule}, target=none"));
        assert_eq!(state.ended(), Some(StageEnd { how: How::Blocked, points: BySeat(points) }), "{rule}");
        assert_eq!(state.scores().0, points);
    }
}

#[test]
fn a_block_with_equal_hands_scores_only_under_each() {
    for (rule, points) in [("each", [6, 6]), ("lower", [0, 0]), ("difference", [0, 0])] {
        let game = open(&format!("dominoes(set=3, hand=3, fives=off, blocked={rule})"));
        let game = Dominoes::new(Rules { reserve: 9, ..game.rules }).unwrap();
        let hands = ["00 33", "22 11"].map(|hand| hand.split(' ').map(tile).collect());
        let state = play(&game, game.dealt(BySeat(hands)).unwrap(), "00@start pass");
        assert_eq!(state.scores().0, points, "{rule}");
        // The next stage: the same leader again, and its deal is due.
        assert_eq!((state.stage(), state.leader(), game.phase(&state)), (2, Some(Seat(0)), Phase::Chance));
    }
}

#[test]
fn the_winner_of_a_stage_leads_the_next() {
    let lower = blocked("blocked=each");
    assert_eq!((lower.leader(), lower.stage()), (Some(Seat(0)), 2));
    let game = open("dominoes(set=3, hand=3)");
    let out = play(&game, deal(&game, "12 03 | 23 | 00 01 02 11 13 22 33"), "12@start 23@right");
    assert_eq!((out.leader(), out.stage(), out.scores().0), (Some(Seat(1)), 2, [0, 3]));
    assert_eq!((out.before().0, out.board().is_empty(), out.log().len()), ([0, 3], true, 0));
    assert_eq!(game.chances(&out).count(), 10, "all tiles are dealt anew");
    // With forced leads the highest double leads in every stage, so the leader is not known before the deal.
    let forced = open("dominoes(set=3, hand=3, lead=highest-double)");
    let out = play(&forced, deal(&forced, "22 03 | 23 | 00 01 02 11 12 13 33"), "22@start 23@right");
    assert_eq!(out.leader(), None);
}

#[test]
fn the_highest_double_must_be_led() {
    let game = open("dominoes(rules=myers)");
    for (text, leader, lead) in [
        ("00 01 02 | 03 11 12 | 13 22 23 33", 1, "11@start"),
        ("22 01 02 | 03 11 12 | 13 00 23 33", 0, "22@start"),
        ("01 02 03 | 12 13 00 | 11 22 23 33", 1, "00@start"),
        ("01 02 12 | 03 13 23 | 00 11 22 33", 1, "23@start"),
        // 03 and 12 have three pips each: the tile with the higher half leads.
        ("01 12 | 02 03 | 00 11 13 22 23 33", 1, "03@start"),
    ] {
        let state = deal(&game, text);
        assert_eq!(state.leader(), Some(Seat(leader)), "{text}");
        assert_eq!(game.phase(&state), Phase::Decide(Seat(leader)));
        assert_eq!(game.actions(&state).map(|a| game.write_action(a)).collect::<Vec<_>>(), [lead]);
    }
}

#[test]
fn chance_chooses_the_first_leader_and_deals_seat_0_first() {
    let game = open("dominoes(set=2, hand=2)");
    let start = game.start();
    let leads: Vec<_> = game.chances(&start).collect();
    assert_eq!(leads, [(Action::Lead(Seat(0)), 0.5), (Action::Lead(Seat(1)), 0.5)]);
    let dealt = play(&game, start, "leads:1 deal:00 deal:22 deal:01 deal:12");
    assert_eq!(
        (dealt.hand(Seat(0)).to_string(), dealt.hand(Seat(1)).to_string()),
        ("00 22".into(), "01 12".into())
    );
    assert_eq!(game.phase(&dealt), Phase::Decide(Seat(1)));
    let forced = open("dominoes(set=2, hand=2, lead=highest-double)");
    let dealt = play(&forced, forced.start(), "deal:00 deal:22 deal:01 deal:12");
    assert_eq!(forced.phase(&dealt), Phase::Decide(Seat(0)));
}

const DRAWING: &str = "12 33 | 00 03 | 01 02 11 13 22 23";

#[test]
fn draw_until_a_tile_fits() {
    let game = open("dominoes(set=3, hand=3, target=none, draw=until)");
    let led = play(&game, deal(&game, DRAWING), "12@start");
    assert_eq!(game.phase(&led), Phase::Chance);
    assert_eq!(game.chances(&led).count(), 6);
    let fits = play(&game, led, "draw:01");
    assert_eq!(game.actions(&fits).map(|a| game.write_action(a)).collect::<Vec<_>>(), ["01@left"]);
    // A tile that does not fit, with a boneyard in which all do.
    let state = deal(&game, "12 23 | 00 03 | 01 02 11 13 22 33");
    let state = play(&game, state, "12@start draw:33");
    assert_eq!(game.phase(&state), Phase::Chance);
}

#[test]
fn the_reserve_is_never_drawn() {
    for (reserve, drawn) in [(0, 2), (1, 1), (2, 0)] {
        let game = open(&format!("dominoes(set=2, hand=2, reserve={reserve}, target=none, fives=off)"));
        // 00 is led, and all other blanks are in seat 0's hand.
        let mut state = play(&game, deal(&game, "00 01 02 | 11 | 12 22"), "00@start");
        let mut draws = 0;
        while game.phase(&state) == Phase::Chance {
            let (action, _) = game.chances(&state).next().unwrap();
            game.apply(&mut state, action);
            draws += 1;
        }
        assert_eq!(draws, drawn);
        assert_eq!(game.actions(&state).collect::<Vec<_>>(), [Action::Pass]);
        let on = play(&game, state, "pass");
        assert_eq!(game.phase(&on), Phase::Decide(Seat(0)), "seat 0 can play, so the stage is not blocked");
    }
}

#[test]
fn draw_one_then_play() {
    let game = open("dominoes(set=3, hand=3, target=none, draw=one-then-play)");
    let led = play(&game, deal(&game, "12 23 | 00 03 | 01 02 11 13 22 33"), "12@start");
    let fits = play(&game, led.clone(), "draw:11");
    assert_eq!(game.actions(&fits).map(|a| game.write_action(a)).collect::<Vec<_>>(), ["11@left"]);
    let passes = play(&game, led, "draw:33");
    assert_eq!(game.actions(&passes).collect::<Vec<_>>(), [Action::Pass]);
    let next = play(&game, passes, "pass");
    assert_eq!(game.phase(&next), Phase::Decide(Seat(0)), "a pass with tiles left to draw does not block");
}

#[test]
fn draw_one_ends_the_turn() {
    let game = open("dominoes(set=3, hand=3, target=none, draw=one-ends-turn)");
    let led = play(&game, deal(&game, "12 23 | 00 03 | 01 02 11 13 22 33"), "12@start draw:11");
    assert_eq!(game.phase(&led), Phase::Decide(Seat(0)));
    assert_eq!(led.hand(Seat(1)).to_string(), "00 03 11");
}

#[test]
fn a_contest_ends_when_a_score_exceeds_the_target() {
    // 23 scores 5, and going out scores more; 5 is not more than 5.
    for (target, over, scores) in [(4, true, [5, 0]), (5, false, [5, 0])] {
        let game = open(&format!("dominoes(set=3, hand=3, target={target})"));
        let state = play(&game, deal(&game, "23 12 | 00 01 22 | 02 03 11 13 33"), "23@start");
        assert_eq!((game.phase(&state) == Phase::Over, state.scores().0), (over, scores));
        if over {
            assert_eq!(game.payoffs(&state), Payoffs::won_by(Seat(0)));
            assert_eq!((state.ended(), state.stage()), (None, 1));
        }
    }
    // The last tile's fives decide before the bonus is counted.
    let game = open("dominoes(set=3, hand=3, target=4)");
    let state = play(&game, deal(&game, "23 | 00 01 22 | 02 03 11 12 13 33"), "23@start");
    assert_eq!((state.scores().0, state.ended()), ([5, 0], None));
}

#[test]
fn if_a_block_lifts_both_over_the_target_the_higher_score_wins() {
    let state = blocked("blocked=each, target=1");
    assert_eq!(state.scores().0, [10, 2]);
    assert_eq!(open("dominoes").payoffs(&state), Payoffs::won_by(Seat(0)));
}

#[test]
fn a_contest_without_scores_still_ends() {
    // The one tile of each hand goes out at once, and its only multiple of five is 0.
    let game = open("dominoes(set=2, hand=1, bonus=none, blocked=nothing)");
    let mut state = game.start();
    parlor_core::rules::playout::playout(&game, &mut state, &mut Rng::new(2));
    assert_eq!((state.stage(), state.scores().0), (MAX_STAGES, [0, 0]));
    assert_eq!(game.payoffs(&state), Payoffs::zero_sum(0.0));
}

#[test]
fn each_seat_sees_its_own_tiles_only() {
    let game = open("dominoes(set=3, hand=2, target=none)");
    let dealing = play(&game, game.start(), "leads:0 deal:12");
    let hidden = |state: &State, text: &str| {
        let action = game.read_action(text).unwrap();
        [0, 1].map(|seat| game.write_action(game.seen(state, action, Seat(seat)).unwrap()))
    };
    assert_eq!(hidden(&dealing, "deal:23"), ["deal:23", "deal:??"]);
    let dealing = play(&game, dealing, "deal:23");
    assert_eq!(hidden(&dealing, "deal:00"), ["deal:??", "deal:00"]);
    let led = play(&game, dealing, "deal:00 deal:03 12@start");
    assert_eq!(hidden(&led, "draw:33"), ["draw:??", "draw:33"]);
    let drawn = play(&game, led, "draw:33");
    let views = [0, 1].map(|seat| game.view(&drawn, Seat(seat)));
    assert_eq!(views[0].log.last().unwrap().action, Action::DrawHidden);
    assert_eq!(views[1].log.last().unwrap().action, Action::Draw(tile("33")));
    assert_eq!((views[0].awaits, views[1].awaits), (Awaits::Other, Awaits::Draw));
    assert_eq!((views[0].other, views[0].boneyard, views[0].shown), (3, 5, None));
    assert_eq!(views[0].unseen(&game.rules).len(), 8);
}

#[test]
fn the_end_shows_everything() {
    let game = open("dominoes(set=3, hand=2, target=none)");
    let state = play(
        &game,
        deal(&game, "12 23 | 00 03 | 01 02 11 13 22 33"),
        "12@start draw:33 draw:11 11@left 23@right",
    );
    assert_eq!(game.phase(&state), Phase::Over);
    let view = game.view(&state, Seat(0));
    assert_eq!(view.shown.unwrap().to_string(), "00 03 33");
    assert_eq!(view.log[1].action, Action::Draw(tile("33")));
}

#[test]
fn inconsistent_rules_are_refused() {
    let says = |text: &str| {
        let spec = Spec::parse(text).unwrap();
        Settings::read(&spec, Dominoes::KEYS).and_then(|s| Dominoes::open(&s)).unwrap_err().to_string()
    };
    assert_eq!(
        says("dominoes(set=3, hand=7)"),
        "dominoes: two hands of 7 are more than the 10 tiles of double-3 allow; hand is 1 … 5"
    );
    assert_eq!(
        says("dominoes(fives=off, bonus=none, blocked=nothing)"),
        "dominoes: no seat can score with fives=off, bonus=none and blocked=nothing, so no contest would end; \
         take target=none"
    );
    assert_eq!(says("dominoes(set=1)"), "dominoes: set=`1` does not fit; it takes 2 … 9");
    assert!(says("dominoes(arms=bot)").contains("did you mean `both`?"));
}

/// The deals of the source's Table 1, where the default hands are too large for the set.
#[test]
fn default_hands_of_small_sets() {
    for (spec, hand) in
        [("dominoes(set=2)", 2), ("dominoes(set=3)", 3), ("dominoes(set=4)", 7), ("dominoes(set=9)", 7)]
    {
        assert_eq!(open(spec).rules().hand, hand, "{spec}");
    }
    assert_eq!(open("dominoes(rules=myers, set=6)").rules().hand, 3);
}

#[test]
fn full_forms() {
    assert_eq!(
        open("dominoes").spec().to_string(),
        "dominoes(rules=dominating, set=6, hand=7, fives=on, arms=immediate, spinner=first-double, blocked=each, \
         draw=until, reserve=0, lead=free, bonus=pips, target=100)"
    );
    assert_eq!(
        open("dominoes(rules=myers)").spec().to_string(),
        "dominoes(rules=myers, set=3, hand=3, fives=on, arms=both, spinner=first-double, blocked=lower, \
         draw=until, reserve=0, lead=highest-double, bonus=pips, target=none)"
    );
}
