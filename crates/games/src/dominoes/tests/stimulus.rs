//! Codes of the collective learner: the source's examples, their widths, and every play of random games.

use super::*;
use parlor_core::{CodecInfo, Phase, Rng, Stimulus};

/// Returns a view of the seat to move: the hand, and the table after plays such as `12@start`.
fn seat(game: &Dominoes, hand: &str, plays: &str) -> View {
    let mut board = Board::default();
    for (tile_text, end) in plays.split_whitespace().map(|text| text.split_once('@').unwrap()) {
        board.put(game.rules(), tile(tile_text), End::read(end).unwrap());
    }
    let hand: TileSet = hand.split_whitespace().map(tile).collect();
    let view = game.view(&game.start(), Seat::FIRST);
    View { hand, board, other: 3, awaits: Awaits::Play, ..view }
}

/// Returns the text of the code of a hand and a table.
fn told(game: &Dominoes, codec: &str, hand: &str, plays: &str) -> String {
    let codec = game.codec(codec).unwrap();
    game.in_words(codec, game.stimulant(codec, &seat(game, hand, plays)))
}

/// Returns the text of a play.
fn step(game: &Dominoes, codec: &str, hand: &str, plays: &str, play: &str) -> String {
    let codec = game.codec(codec).unwrap();
    let view = seat(game, hand, plays);
    let action = game.read_action(play).unwrap();
    game.step_in_words(codec, game.stimulant(codec, &view), game.respondent(codec, &view, action))
}

#[test]
fn widths() {
    let width = |game: &str, codec: &str| {
        let game = open(game);
        game.width(game.codec(codec).unwrap())
    };
    let all = ["lsp2", "gsp1", "gsp2", "gsp3", "baseline", "enhanced1", "enhanced2", "enhanced3"];
    assert_eq!(all.map(|codec| width("dominoes", codec)), [12, 19, 14, 33, 20, 25, 25, 30]);
    assert_eq!(all.map(|codec| width("dominoes(set=2, hand=2)", codec)), [8, 11, 6, 17, 12, 15, 15, 18]);
    assert_eq!(all.map(|codec| width("dominoes(set=9)", codec)), [16, 26, 20, 46, 20, 26, 26, 32]);
    assert_eq!(width("dominoes(spinner=none)", "lsp2"), 6, "a line has two ends");
    assert_eq!(width("dominoes(spinner=none)", "baseline"), 10);
}

#[test]
fn the_examples_of_the_source() {
    let game = open("dominoes(arms=both)");
    // GSP2: the ends {2, 4, 2, 5} show 2, 4 and 5, bits 2, 4 and 5.
    let ends = "22@start 24@left 25@right";
    let gsp2 = game.codec("gsp2").unwrap();
    assert_eq!(game.stimulant(gsp2, &seat(&game, "", ends)), 0b011_0100);
    assert_eq!(game.stimulant(gsp2, &seat(&game, "06", ends)), 0b100_0001 << 7 | 0b011_0100);
    // GSP1 and GSP3: a hand of 12, 24 and 55 has 2 and 5 twice.
    let gsp1 = game.codec("gsp1").unwrap();
    assert_eq!(game.stimulant(gsp1, &seat(&game, "12 24 55", "")) >> 12, 0b010_0100);
    let gsp3 = game.codec("gsp3").unwrap();
    let counts = [0, 1, 2, 0, 1, 2, 0u128].iter().rev().fold(0, |code, count| code << 3 | count);
    assert_eq!(game.stimulant(gsp3, &seat(&game, "12 24 55", "")) >> 12, counts);
    // "If 3 bits cannot represent": eight halves are counted as seven.
    let sixes = "06 16 26 36 46 56 66";
    assert_eq!(game.stimulant(gsp3, &seat(&game, sixes, "")) >> (12 + 18), 7);
    // LSP2: 44 at the end of 4 changes nothing.
    let lsp2 = game.codec("lsp2").unwrap();
    let view = seat(&game, "44", "22@start 12@left 23@right 24@down");
    assert_eq!(game.in_words(lsp2, game.stimulant(lsp2, &view)), "ends 1 | 3 · arms 2 4");
    let play = Action::Play(tile("44"), End::Down);
    assert_eq!(game.respondent(lsp2, &view, play), game.stimulant(lsp2, &view));
    // Baseline: "a 6 end which really represents a double 6 would have a score of 12".
    assert_eq!(told(&game, "baseline", "", "16@start 66@right"), "ends 1(1) | 6(12), no arms");
}

#[test]
fn words() {
    let both = open("dominoes(arms=both)");
    let at_once = open("dominoes");
    assert_eq!(told(&both, "lsp2", "12", ""), "an empty table");
    assert_eq!(told(&both, "lsp2", "12", "35@start"), "ends 3 | 5, no arms");
    assert_eq!(told(&both, "gsp1", "14 11 04", "35@start"), "ends 3 | 5, no arms · two or more: 1 4");
    let open_arms = "22@start 23@left 25@right";
    assert_eq!(told(&both, "gsp1", "14", open_arms), "ends 3 | 5 · arms 2 2 · two or more: none");
    assert_eq!(told(&both, "gsp2", "14", open_arms), "ends 2 3 5 · in hand: 1 4");
    assert_eq!(told(&both, "gsp3", "14 44 46", "35@start"), "ends 3 | 5, no arms · in hand: 1 4×4 6");
    let sixes = "06 16 26 36 46 56 66";
    assert_eq!(told(&both, "gsp3", sixes, ""), "an empty table · in hand: 0 1 2 3 4 5 6×7+");
    assert_eq!(told(&both, "baseline", "", "22@start"), "ends 2(4) | 2(0), no arms");
    assert_eq!(
        told(&both, "enhanced1", "66", open_arms),
        "ends 3(3) | 5(5) · arms 2(0) 2(0), 1 tile in hand"
    );
    assert_eq!(told(&at_once, "baseline", "", "22@start"), "ends 2(0) 2(0) 2(0) 2(4)");
    let doubled = "35@start 55@right";
    assert_eq!(
        told(&at_once, "enhanced2", "", doubled),
        "ends 3(3) 5(0) 5(0) 5(10), the other holds 3 tiles"
    );
    let line = open("dominoes(spinner=none)");
    assert_eq!(told(&line, "lsp2", "", "35@start"), "ends 3 | 5");
    let one = told(&line, "enhanced3", "11 12", "35@start 55@right");
    assert_eq!(one, "ends 3(3) 5(10), 2 tiles in hand, the other holds 3");
}

#[test]
fn steps_in_words() {
    let both = open("dominoes(arms=both)");
    let at_once = open("dominoes");
    for codec in ["lsp2", "gsp1", "gsp3", "baseline", "enhanced3"] {
        assert_eq!(step(&both, codec, "46 11", "", "46@start"), "leads 46", "{codec}");
        assert_eq!(step(&both, codec, "33 35", "03@start", "35@right"), "plays 35 at right", "{codec}");
        // Arms open after the tile that covers the spinner's second side.
        assert_eq!(step(&both, codec, "26", "22@start 12@left", "26@right"), "plays 26 at right", "{codec}");
        // Arms open with the spinner.
        assert!(step(&at_once, codec, "33", "03@start", "33@right").starts_with("plays 33"), "{codec}");
    }
    assert_eq!(step(&at_once, "baseline", "46 11", "", "11@start"), "leads 11");
    assert_eq!(step(&at_once, "baseline", "35", "03@start", "35@right"), "plays 35 on 3");
    assert_eq!(
        step(&both, "lsp2", "33", "03@start", "33@right"),
        "passes or plays 00 at left or 33 at right"
    );
    assert_eq!(step(&both, "lsp2", "33", "03@start", "pass"), "passes or plays 00 at left or 33 at right");
    assert_eq!(step(&both, "gsp1", "33", "03@start", "33@right"), "plays 33 at right");
    assert_eq!(step(&both, "baseline", "33", "03@start", "33@right"), "plays 33 at right");
    assert_eq!(step(&both, "baseline", "33", "13@start", "pass"), "passes");
    assert_eq!(step(&both, "gsp2", "35 11", "03@start", "35@right"), "plays 35");
    let lsp2 = both.codec("lsp2").unwrap();
    let code = |plays| both.stimulant(lsp2, &seat(&both, "", plays));
    assert_eq!(
        both.step_in_words(lsp2, code("03@start"), code("12@start")),
        "ends 0 | 3, no arms → ends 1 | 2, no arms",
        "no play leads there"
    );
}

/// Plays random games and calls `check` with the game, the state and the view of every decision.
fn at_decisions(matches: u64, check: impl Fn(&Dominoes, &State, &View)) {
    for text in SETTINGS {
        let game = open(text);
        for seed in 0..matches {
            let mut rng = Rng::new(seed);
            let mut state = game.start();
            loop {
                let action = match game.phase(&state) {
                    Phase::Over => break,
                    Phase::Chance => game.sample(&state, &mut rng),
                    Phase::Decide(seat) => {
                        check(&game, &state, &game.view(&state, seat));
                        game.pick(&state, &mut rng)
                    }
                };
                game.apply(&mut state, action);
            }
        }
    }
}

/// Returns the codecs that code a table and a hand; `outlook` codes a play.
fn vectors() -> impl Iterator<Item = &'static CodecInfo> {
    Dominoes::CODECS.iter().filter(|info| info.name != "outlook")
}

#[test]
fn respondents_are_the_codes_of_the_next_table() {
    at_decisions(6, |game, state, view| {
        for action in game.actions(state) {
            let mut after = view.clone();
            if let Action::Play(tile, end) = action {
                after.hand -= tile.into();
                after.board = game.board_after(&view.board, tile, end);
            }
            let mut next = state.clone();
            game.apply(&mut next, action);
            let reached = game.view(&next, view.seat);
            for info in vectors() {
                let codec = game.codec(info.name).unwrap();
                let code = game.respondent(codec, view, action);
                assert_eq!(code, game.stimulant(codec, &after), "{}: {action:?} on {view:?}", info.name);
                // The next stage begins with other tiles.
                if reached.stage == view.stage {
                    assert_eq!(code, game.stimulant(codec, &reached), "{}: {action:?}", info.name);
                }
            }
        }
    });
}

#[test]
fn steps_name_the_play() {
    at_decisions(2, |game, state, view| {
        for action in game.actions(state) {
            for info in vectors() {
                let codec = game.codec(info.name).unwrap();
                let (from, to) = (game.stimulant(codec, view), game.respondent(codec, view, action));
                let words = game.step_in_words(codec, from, to);
                let named = match action {
                    Action::Play(tile, _) => words.contains(&tile.to_string()) || words.contains("one of"),
                    _ => words.starts_with("passes"),
                };
                assert!(named, "{}: {action:?} on {view:?} is {words:?}", info.name);
            }
        }
    });
}

#[test]
fn codes_distinguish_what_they_contain() {
    let (by_place, sorted) = (open("dominoes(arms=both)"), open("dominoes"));
    let alike = |game: &Dominoes, codec: &str, one: &str, other: &str| {
        let codec = game.codec(codec).unwrap();
        game.stimulant(codec, &seat(game, "", one)) == game.stimulant(codec, &seat(game, "", other))
    };
    assert!(alike(&by_place, "lsp2", "35@start", "35@start 55@right"), "lsp2 ignores a double at an end");
    assert!(!alike(&by_place, "baseline", "35@start", "35@start 55@right"), "baseline contains its value");
    assert!(alike(&by_place, "baseline", "25@start", "35@start 23@left"), "baseline ignores the history");
    assert!(!alike(&by_place, "baseline", "56@start", "35@start 36@left"), "5 | 6 is not 6 | 5 by place");
    assert!(alike(&sorted, "baseline", "56@start", "35@start 36@left"), "but it is if ends are sorted");
    assert!(!alike(&sorted, "lsp2", "56@start", "35@start 36@left"), "and lsp2 always contains places");
}

#[test]
fn an_outlook_contains_score_hand_and_next_options() {
    let game = open("dominoes");
    let codec = game.codec("outlook").unwrap();
    let told = |hand: &str, plays: &str, play: &str| {
        let view = View { boneyard: 3, ..seat(&game, hand, plays) };
        let action = game.read_action(play).unwrap();
        game.in_words(codec, game.respondent(codec, &view, action))
    };
    assert_eq!(game.width(codec), 21);
    assert_eq!(
        told("46", "", "46@start"),
        "scores 10, goes out, could score 0 next; the other has 3 tiles, 1/4 of the unseen fit, threat 0"
    );
    // 5-5 beside 5 makes 1 + 10, and 4-5 at an arm would make 15; of the unseen only 0-1 would score.
    assert_eq!(
        told("55 45 14", "15@start", "55@right"),
        "scores 0, keeps 2 tiles of 12+ pips, 2 fit, could score 15 next; the other has 3 tiles, 1/4 of the unseen fit, \
         threat 0"
    );
    let none_left = View { boneyard: 0, ..seat(&game, "66", "16@start") };
    let code = game.respondent(codec, &none_left, game.read_action("66@right").unwrap());
    assert!(game.in_words(codec, code).ends_with("nothing to draw"));
    let pass = game.respondent(codec, &none_left, Action::Pass);
    assert_eq!(pass, game.stimulant(codec, &none_left), "a pass changes nothing");
}
