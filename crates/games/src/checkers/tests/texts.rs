use parlor_core::{Entry, Ink, Settings, Spec};

use super::*;

const CIRCLE: &str = "-.-.-.-./.-.-.-.-/-.-w-w-./.-.-.-.-/-.-w-w-./.-.-R-.-/-.-.-.-./.-.-.-.- r";

#[test]
fn numbers_of_pdn() {
    let game = game::<u64>(8, 8);
    let number = |column, row| game.number(game.square(column, row).unwrap()).unwrap();
    assert_eq!((number(6, 0), number(0, 0), number(7, 1), number(1, 7)), (1, 4, 5, 32));
    for square in game.squares.cells() {
        assert_eq!(game.numbered(&game.number(square).unwrap().to_string()), Some(square));
    }
    for bad in ["0", "33", "01", "+1", "", "1x"] {
        assert_eq!(game.numbered(bad), None, "{bad}");
    }
    // Red's seven first moves are those of black in opening books.
    let mut first: Vec<String> =
        game.actions(&game.start()).map(|action| game.pdn(action).unwrap()).collect();
    first.sort();
    assert_eq!(first, ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]);
    assert_eq!(super::game::<u64>(8, 6).number(0), None);
}

#[test]
fn an_opening_in_pdn() {
    // The Single Corner with its first exchange.
    let game = game::<u64>(8, 8);
    let mut state = game.start();
    play(&game, &mut state, &["11-15", "22-18", "15x22", "25x18"]);
    let fen = "B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12";
    assert_eq!(game.fen(&state).as_deref(), Some(fen));
    assert_eq!(board(&game, fen), state);
}

#[test]
fn fen_both_ways() {
    let game = game::<u64>(8, 8);
    let start = game.fen(&game.start()).unwrap();
    assert_eq!(start, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    for text in [start.as_str(), "B:W21-32:B1-12", "B:B1-12:W21-32.", "B:W21-28,29-32:B1,2,3-12 "] {
        assert_eq!(board(&game, text), game.start(), "{text}");
    }
    for text in ["W:W21,22,K3:B1,K2", "B:WK1:BK32", "W:W:B7", "B:W32:B"] {
        assert_eq!(game.fen(&board(&game, text)).as_deref(), Some(text));
    }
    let state = board(&game, "W:W21,K3:B1,K29");
    assert_eq!(
        game.write_position(&state).unwrap(),
        "-.-.-.-R/.-.-.-.-/-.-.-.-w/.-.-.-.-/-.-.-.-./.-.-.-.-/-.-.-.-./.-W-.-r- w"
    );
    assert_eq!(super::game::<u64>(6, 6).fen(&super::game::<u64>(6, 6).start()), None);
}

#[test]
fn jumps_may_be_shortened_while_unambiguous() {
    let game = game::<u64>(8, 8);
    let state = board(&game, "-.-.-.-./.-.-.-.-/-.-.-w-./.-.-.-.-/-w-w-.-./.-r-.-.-/-.-.-.-./.-.-.-.- r");
    for text in ["c3xe5xg7", "c3xg7", "C3:G7", "c3-g7", "11x18x25", "11x25", " 11-25 "] {
        assert_eq!(game.write_action(meant(&game, &state, text)), "c3xe5xg7", "{text}");
    }
    assert_eq!(game.pdn(meant(&game, &state, "c3xg7")).unwrap(), "11x18x25");
    assert_eq!(game.read_action("11x18x25"), game.read_action("c3xe5xg7"));
    let legal = game.view_actions(&state);
    let says = |text: &str| game.understand(&legal, text).unwrap_err().to_string();
    assert_eq!(says("c3xe5"), "move: `c3xe5` is not legal here; legal: c3xa5 c3xe5xg7");
}

#[test]
fn ambiguous_jumps_are_listed() {
    let game = game::<u64>(8, 8);
    let state = board(&game, CIRCLE);
    let legal = game.view_actions(&state);
    let says = |text: &str| game.understand(&legal, text).unwrap_err().to_string();
    assert_eq!(
        says("e3xe3"),
        "move: `e3xe3` can be done in 2 ways; give the whole path: e3xc5xe7xg5xe3 e3xg5xe7xc5xe3"
    );
    assert_eq!(
        says("10x10"),
        "move: `10x10` can be done in 2 ways; give the whole path: 10x19x26x17x10 10x17x26x19x10"
    );
    assert_eq!(game.write_action(meant(&game, &state, "e3xc5xe7xe3")), "e3xc5xe7xg5xe3");
}

#[test]
fn errors_explain_bad_moves() {
    let game = game::<u64>(8, 8);
    let says = |text: &str| game.read_action(text).unwrap_err().to_string();
    let look = "a step looks like c3-d4, a jump like e3xc5xe7 with every square it lands on";
    assert_eq!(says(""), format!("move: `` is not a move; {look}"));
    assert_eq!(says("c3"), format!("move: `c3` is not a move; {look}"));
    assert_eq!(says("c3-"), format!("move: `c3-` is not a move; {look}"));
    assert_eq!(says("c3-d4xf6"), format!("move: `c3-d4xf6` is not a move; {look}"));
    assert_eq!(
        says("c3-d5"),
        "move, character 4: `d5` is a light square; pieces stand on dark squares; a1 is one"
    );
    assert_eq!(
        says("c3-i9"),
        "move, character 4: `i9` is not a square of this board; squares run from a1 to h8"
    );
    assert_eq!(
        says("c3-33"),
        "move, character 4: `33` is not a square of this board; squares run from a1 to h8"
    );
    assert_eq!(says("c3-e5"), format!("move: `c3-e5`: from c3 to e5 is not to a diagonal neighbour; {look}"));
    assert_eq!(
        says("c3xd4"),
        format!("move: `c3xd4`: from c3 to d4 is not two squares along a diagonal; {look}")
    );
    assert_eq!(says("c3-d4-e5"), format!("move: `c3-d4-e5`: a quiet move is one step; {look}"));
    let tour = "a1xc3".to_owned() + &"xa1xc3".repeat(13);
    assert!(says(&tour).ends_with("27 jumps in one move cannot be; no move takes more than 25 pieces"));
}

#[test]
fn errors_explain_bad_positions() {
    let game = game::<u64>(4, 4);
    let says = |text: &str| game.read_position(text).unwrap_err().to_string();
    let marks = "dark squares are `.`, `r`, `w`, `R` or `W`";
    let turn = "after the rows comes a space and `r` or `w`";
    let look = "a position looks like `-w-w/.-.-/-.-./r-r- r`";
    assert_eq!(
        says("-w-w/.-.-/-.-./r-r-"),
        format!("position, character 20: the side to move is missing; {turn}")
    );
    assert_eq!(
        says("-w-w/.-.-/-.-./r-r- x"),
        format!("position, character 21: `x` is not a side to move; {turn}")
    );
    assert_eq!(
        says("rw-w/.-.-/-.-./r-r- r"),
        "position, character 1: a4 is light, but `r` stands there; light squares are `-`"
    );
    assert_eq!(
        says("--w-/.-.-/-.-./r-r- r"),
        format!("position, character 2: b4 is dark, but `-` is a light square; {marks}")
    );
    assert_eq!(says("-w-w/.-b-/-.-./r-r- r"), format!("position, character 8: `b` is not a square; {marks}"));
    assert_eq!(
        says("-r-w/.-.-/-.-./r-r- r"),
        format!("position, character 2: a red man on the top row would be a king; {look}")
    );
    assert_eq!(
        says("-w-w/.-.-/-.-./w-r- r"),
        format!("position, character 16: a white man on the bottom row would be a king; {look}")
    );
    assert!(says("-w-w/.-.-/-.-. r").starts_with("position: 3 rows where the board has 4"));
    assert_eq!(
        says("-w-w/.-./-.-./r-r- r"),
        format!("position, character 6: row 2 has 3 cells where the board has 4 columns; {look}")
    );
    assert_eq!(says("W:W21:B1"), "FEN: the board is 4×4, and FEN is for 8×8; give the rows from the top");
}

#[test]
fn errors_explain_bad_fens() {
    let game = game::<u64>(8, 8);
    let says = |text: &str| game.read_position(text).unwrap_err().to_string();
    let look = "a FEN looks like `B:W21,22,K3:B1,K2`";
    let piece = "a man is its square's number, 1 … 32, a king has `K` before it";
    assert_eq!(says("X:W21:B1"), "FEN, character 1: `X` is not a side to move; it begins with `B:` or `W:`");
    assert_eq!(says("W:W21"), format!("FEN: the pieces of one side are missing; {look}"));
    assert_eq!(says("W:W21:W22:B1"), "FEN, character 7: the pieces of `W` are listed twice");
    assert_eq!(says("W:W21:B1:H3"), format!("FEN, character 10: `H3` is not a list of pieces; {look}"));
    assert_eq!(says("W:W21,33:B1"), format!("FEN, character 7: `33` is not a piece; {piece}"));
    assert_eq!(says("W:W22-21:B1"), format!("FEN, character 4: `22-21` is not a piece; {piece}"));
    assert_eq!(says("W:W21:B1,21"), "FEN, character 10: two pieces stand on square 21");
    assert_eq!(says("W:W21:B30"), "FEN, character 8: a red man on the top row would be a king; write `K30`");
}

#[test]
fn errors_explain_bad_views() {
    let game = game::<u64>(4, 4);
    let good = game.sheet(&game.start());
    let says = |change: fn(&mut Sheet)| {
        let mut sheet = good.clone();
        change(&mut sheet);
        game.read_view(&sheet).unwrap_err().to_string()
    };
    let follow = "view: `to_move`, `winner` or `limit` do not follow from the other fields and the rules";
    assert_eq!(says(|sheet| sheet.turn = 2), "view: `turn` is 2; 0 is red, 1 is white");
    assert_eq!(says(|sheet| sheet.idle = 51), "view: `idle` is 51, but the game ends at 50");
    assert_eq!(says(|sheet| sheet.to_move = None), follow);
    assert_eq!(says(|sheet| sheet.winner = Some(0)), follow);
    assert_eq!(says(|sheet| sheet.limit = 40), follow);
    assert_eq!(
        serde_json::to_string(&good).unwrap(),
        r#"{"rows":["-w-w",".-.-","-.-.","r-r-"],"turn":0,"to_move":0,"winner":null,"idle":0,"limit":50}"#
    );
    assert!(serde_json::from_str::<Sheet>(r#"{"rows":[],"extra":1}"#).is_err());
}

#[test]
fn keys_open_and_explain() {
    let open = |text: &str| {
        let settings = Settings::read(&Spec::parse(text).unwrap(), Checkers::<u64>::KEYS)?;
        Checkers::<u64>::open(&settings)
    };
    let full = |text: &str| open(text).unwrap().spec().to_string();
    assert_eq!(full("checkers"), "checkers(rows=8, columns=8, draw=50, unit=plies, kings=must)");
    assert_eq!(open("checkers").unwrap(), game::<u64>(8, 8));
    let other = "checkers(rows=6, columns=10, draw=40, unit=pairs, kings=may)";
    assert_eq!(full(other), other);
    assert_eq!(open(other).unwrap().limit(), 80);
    let says = |text: &str| open(text).unwrap_err().to_string();
    assert!(says("checkers(rows=7)").contains("rows=7 is odd; sides are even, such as 6 or 8"));
    assert!(says("checkers(rows=12, columns=12)").contains("a board of 12×12 does not fit 64 bits"));
    assert!(says("checkers(rows=14)").contains("it takes 4 … 12"));
    assert!(says("checkers(draw=0)").contains("it takes 1 … 1000"));
    assert!(says("checkers(kings=mst)").contains("did you mean `must`?"));
}

#[test]
fn drawings_and_status() {
    let game = game::<u64>(6, 6);
    let state = board(&game, "-.-.-R/w-.-.-/-.-W-./.-.-.-/-r-.-./r-.-.- w");
    let plain = "     a b c d e f
   +-------------+
 6 |   .   .   R |
 5 | w   .   .   |
 4 |   .   W   . |
 3 | .   .   .   |
 2 |   r   .   . |
 1 | r   .   .   |
   +-------------+
";
    assert_eq!(game.draw(&state, Ink { ascii: true, colour: false }), plain);
    let fine = game.draw(&state, Ink::default());
    assert!(fine.contains("6 │   ·   ·   ♛ │") && fine.contains("4 │   ·   ♕   · │"), "{fine}");
    assert!(fine.contains("5 │ ○   ·   ·   │") && fine.contains("1 │ ●   ·   ·   │"), "{fine}");
    assert_eq!(game.status(&state), "white to move; red 2 men + 1 king; white 1 man + 1 king");
    let mut later = state;
    play(&game, &mut later, &["d4-e5"]);
    assert_eq!(
        game.status(&later),
        "red to move; red 2 men + 1 king; white 1 man + 1 king; 1 of 50 plies without progress"
    );
    let over = board(&game, "-.-.-./.-.-.-/-.-.-./.-.-.-/-.-.-./r-.-.- w");
    assert_eq!(game.status(&over), "white cannot move: red wins; red 1 man; white 0 men");
    let tie = Board { idle: 50, ..state };
    assert!(game.status(&tie).starts_with("tie: 50 plies without progress; red 2 men"));
}
