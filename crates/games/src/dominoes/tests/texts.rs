//! Positions, moves, drawings and JSON, and errors that explain bad input.

use super::*;
use parlor_core::Ink;

fn myers() -> Dominoes {
    open("dominoes(rules=myers)")
}

#[test]
fn tiles_survive_writing_and_reading() {
    let all: Vec<Tile> = TileSet::all(MAX_PIPS).tiles().collect();
    assert_eq!(all.len(), MAX_TILES);
    for (index, &tile) in all.iter().enumerate() {
        assert_eq!(tile.index(), index);
        assert_eq!(Tile::new(tile.high(), tile.low()), Some(tile));
        assert_eq!(Tile::read(&tile.to_string()), Some(tile));
        assert_eq!(tile.beyond(tile.low()), tile.high());
        for pips in 0..=MAX_PIPS {
            let touches = tile.low() == pips || tile.high() == pips;
            assert_eq!(TileSet::touching(pips).contains(tile), touches);
        }
    }
    let claims: std::collections::HashSet<u8> = all.iter().map(|tile| tile.claim()).collect();
    assert_eq!(claims.len(), MAX_TILES, "no two tiles have equal claims");
    assert_eq!(TileSet::all(6).len(), 28);
    assert_eq!(TileSet::all(3).to_string(), "00 01 02 03 11 12 13 22 23 33");
    assert_eq!(Tile::new(3, 10), None);
}

#[test]
fn deals_survive_writing_and_reading() {
    let game = myers();
    for text in [
        "00 01 02 | 03 11 12 | 13 22 23 33",
        "33 | 00 | 01 02 03 11 12 13 22 23",
        "00 01 02 03 11 | 12 13 22 23 33 |",
    ] {
        assert_eq!(game.write_deal(&deal(&game, text)).as_deref(), Some(text));
    }
    let state = deal(&game, "00 01 02 | 03 11 12 | 13 22 23 33");
    assert_eq!(game.write_deal(&play(&game, state, "11@start")), None);
    assert_eq!(game.write_deal(&game.start()), None);
    let hands = |first: &str, second: &str| BySeat([tile(first).into(), tile(second).into()]);
    assert!(game.dealt(hands("00", "11")).is_some());
    assert!(game.dealt(hands("00", "00")).is_none() && game.dealt(hands("00", "44")).is_none());
    assert_eq!(game.write_position(&game.view(&game.start(), Seat(0))), None);
}

#[test]
fn errors_explain_bad_positions() {
    let game = myers();
    let says = |text: &str| game.read_position(text).unwrap_err().to_string();
    assert_eq!(
        says("00 01 | 02"),
        "position: 2 parts where a position has three; a position is `hand 0 | hand 1 | boneyard`, like \
         `00 01 02 | 03 11 12 | 13 22 23 33`"
    );
    assert_eq!(
        says("00 01 02 | 03 11 12 | 13 22 23 34"),
        "position, character 32: `34` is not a tile of double-3; tiles run from 00 to 33, the smaller half first, like `12`"
    );
    assert_eq!(
        says("00 01 02 | 03 21 12 | 13 22 23 33"),
        "position, character 15: `21` is not a tile of double-3; tiles run from 00 to 33, the smaller half first, like `12`"
    );
    assert_eq!(
        says("00 01 02 | 03 11 01 | 13 22 23 33"),
        "position, character 18: tile 01 is already in hand 0; every tile is in one place"
    );
    assert_eq!(
        says("00 01 02 | 03 11 12 | 13 23"),
        "position: tiles 22 33 of double-3 missing; tiles that neither seat holds belong to the boneyard, the third part"
    );
    assert_eq!(
        says("00 01 02 03 11 12 | | 13 22 23 33"),
        "position: hand 1 is empty; each seat holds at least one tile"
    );
}

#[test]
fn errors_explain_bad_moves() {
    let game = myers();
    let says = |text: &str| game.read_action(text).unwrap_err().to_string();
    assert_eq!(says("12@top"), "move: `top` is not an end; ends are start, left, right, up and down");
    assert_eq!(
        says("14@left"),
        "move: `14` is not a tile of double-3; tiles run from 00 to 33, the smaller half first, like `12`"
    );
    assert_eq!(
        says("knock"),
        "move: `knock` is not a move; a move is a tile and an end, like `12@left`, or `pass`"
    );
    assert!(says("leads:2").contains("`leads:2` is not a move"));
}

#[test]
fn a_tile_alone_is_understood_where_it_has_one_end() {
    let game = open("dominoes(rules=myers, lead=free)");
    let state = play(&game, deal(&game, "22 13 33 | 12 01 23 | 02 03 11 00"), "22@start 12@left");
    let legal: Vec<Action> = game.actions(&state).collect();
    assert_eq!(game.understand(&legal, " 13 ").map(|a| game.write_action(a)), Ok("13@left".to_owned()));
    let says = |legal: &[Action], text: &str| game.understand(legal, text).unwrap_err().to_string();
    assert_eq!(says(&legal, "33"), "move: `33` is not legal here; legal: 13@left");
    assert_eq!(says(&legal, "13@up"), "move: `13@up` is not legal here; legal: 13@left");
    let two = [Action::Play(tile("12"), End::Left), Action::Play(tile("12"), End::Right)];
    assert_eq!(says(&two, "12"), "move: `12` fits at more than one end; name the end, like `12@left`");
}

/// Returns a stage with a spinner, both arms, and a draw of each seat.
fn crowded_table() -> (Dominoes, State) {
    let game = open("dominoes(target=none)");
    let state = deal(
        &game,
        "12 16 26 35 44 55 66 | 02 03 22 23 34 06 45 | 00 01 04 05 11 13 14 15 24 25 33 36 46 56",
    );
    let state = play(&game, state, "12@start 22@right 26@up 23@right 35@right 06@up 16@left 02@down");
    (game, state)
}

#[test]
fn drawings() {
    let (game, state) = crowded_table();
    let view = game.view(&state, Seat(0));
    let expected = [
        "           ╭0╮",
        "           ╰6╯",
        "           ╭6╮",
        "           ╰2╯",
        "[6|1][1|2][2|2][2|3][3|5]",
        "           ╭2╮",
        "           ╰0╯",
        "open      left 6 · right 5 · up 0 · down 0 · count 11",
        "your hand [4|4][5|5][6|6]",
        "other     3 tiles · boneyard 14",
        "",
    ];
    assert_eq!(game.draw(&view, Ink::default()), expected.join("\n"));
    assert_eq!(game.status(&view), "you 0; other 15; your turn");
    let ascii = game.draw(&view, Ink { ascii: true, colour: false });
    assert!(ascii.contains("/0\\\n") && ascii.contains("left 6, right 5"), "{ascii}");
    let empty = game.view(&game.start(), Seat(1));
    assert_eq!(
        game.draw(&empty, Ink::default()),
        "the table is empty\nyour hand none\nother     0 tiles · boneyard 28\n"
    );
}

#[test]
fn long_lines_and_arms_are_shortened() {
    let game = open("dominoes(set=9, hand=9, target=none)");
    let mut rng = Rng::new(4);
    let mut longest = 0;
    for _ in 0..300 {
        let mut state = game.start();
        parlor_core::rules::playout::playout(&game, &mut state, &mut rng);
        let drawn = game.draw(&game.view(&state, Seat(0)), Ink::default());
        // Hands have no bound, the table has one.
        let table = drawn.lines().take_while(|line| !line.starts_with("open"));
        longest = longest.max(table.clone().map(|line| line.chars().count()).max().unwrap());
        assert!(table.count() <= 1 + 2 * (2 * 3 + 1), "{drawn}");
    }
    assert!((60..=100).contains(&longest), "{longest}");
}

fn sheet_of(game: &Dominoes, state: &State, seat: u8) -> Sheet {
    game.sheet(&game.view(state, Seat(seat)))
}

#[test]
fn the_json_of_a_view_is_pinned() {
    let game = open("dominoes(rules=myers)");
    let state = play(&game, deal(&game, "00 03 33 | 11 12 22 | 01 02 13 23"), "33@start draw:02");
    let json = serde_json::to_string(&sheet_of(&game, &state, 0)).unwrap();
    assert_eq!(
        json,
        r#"{"version":1,"seat":0,"hand":["00","03"],"other":4,"shown":null,"boneyard":3,"awaits":"other","ends":[{"end":"left","pips":3,"value":6},{"end":"right","pips":3,"value":0}],"count":6,"stage":1,"leader":0,"scores":[0,0],"before":[0,0],"ended":null,"log":[{"seat":0,"action":"33@start","points":0},{"seat":1,"action":"draw:??","points":0}]}"#
    );
}

#[test]
fn the_guide_shows_real_output() {
    let guide = include_str!("../../../../../docs/guide/games/dominoes.md");
    let block = |kind: &str, n: usize| {
        let begin = format!("```{kind}\n");
        let text = guide
            .split(begin.as_str())
            .nth(n)
            .unwrap_or_else(|| panic!("the guide has {n} blocks of {kind}"));
        text.split("```").next().unwrap().to_owned()
    };
    let (game, state) = crowded_table();
    assert_eq!(game.draw(&game.view(&state, Seat(0)), Ink::default()), block("text", 1));
    let myers = myers();
    assert!(myers.read_position(block("text", 2).trim()).is_ok());
    let sheet: Sheet = serde_json::from_str(&block("json", 1)).unwrap();
    assert!(myers.read_view(&sheet).is_ok());
    for key in Dominoes::KEYS {
        assert!(guide.contains(&format!("| `{}` |", key.name)), "{} is missing in the guide", key.name);
    }
}

#[test]
fn errors_explain_bad_views() {
    let (game, state) = crowded_table();
    let good = sheet_of(&game, &state, 0);
    assert!(game.read_view(&good).is_ok());
    let says = |change: &dyn Fn(&mut Sheet)| {
        let mut sheet = good.clone();
        change(&mut sheet);
        game.read_view(&sheet).unwrap_err().to_string()
    };
    assert_eq!(says(&|s| s.version = 2), "view: `version` is 2; this program reads version 1");
    assert_eq!(says(&|s| s.seat = 2), "view: `seat` is 2; seats are 0 and 1");
    assert_eq!(says(&|s| s.count = 5), "view: `count` does not follow from the other fields");
    assert_eq!(says(&|s| s.scores = [5, 0]), "view: `scores` does not follow from the other fields");
    assert_eq!(says(&|s| s.boneyard = 13), "view: `boneyard` does not follow from the other fields");
    assert_eq!(says(&|s| s.hand.push("44".into())), "view: `hand` holds 44 twice");
    assert_eq!(
        says(&|s| s.hand[0] = "02".into()),
        "view: no deal agrees with `hand`, `other` and `log`",
        "02 was played by the other seat"
    );
    assert_eq!(
        says(&|s| s.log[1].action = "33@right".into()),
        "view: event 2 of `log`, `33@right`, does not fit there"
    );
    assert_eq!(
        says(&|s| s.log[1].seat = 0),
        "view: event 2 of `log`, `22@right` by seat 0, cannot happen there"
    );
    assert_eq!(says(&|s| s.leader = None), "view: `leader` is null after the deal");
    assert_eq!(says(&|s| s.stage = 0), "view: `stage` is 0; stages are 1 … 1000");
    assert!(serde_json::from_str::<Sheet>(r#"{"version":1,"extra":2}"#).is_err());
}

#[test]
fn a_view_that_contradicts_its_draws_is_refused() {
    let game = open("dominoes(set=3, hand=3, target=none)");
    let state = deal(&game, "00 11 33 | 12 22 | 01 02 03 13 23");
    let state = play(&game, state, "00@start draw:01 01@left 11@left 12@left");
    let mut sheet = sheet_of(&game, &state, 0);
    assert!(game.read_view(&sheet).is_ok());
    // The other seat drew because it had no blank, and the tile that it drew was 01: it cannot have 02 now.
    sheet.log[4].action = "02@right".to_owned();
    assert_eq!(
        game.read_view(&sheet).unwrap_err().to_string(),
        "view: no deal agrees with `hand`, `other` and `log`"
    );
}
