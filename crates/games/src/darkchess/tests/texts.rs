//! Positions, actions, views and drawings; and errors that explain bad input.

use parlor_core::{Entry, Ink, Settings, Spec};

use super::*;

#[test]
fn positions_survive_writing_and_reading() {
    for text in [
        "K--k/----/X---/----/----/----/----/---- r P",
        "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX ? PPPPPCCNNRRMMGGKpppppccnnrrmmggk",
        "----/----/----/----/----/----/----/---k b",
    ] {
        assert_eq!(game().write_position(&board(text)).as_deref(), Some(text));
    }
    // Spaces and the order of the face-down pieces do not matter.
    let loose = board("  K--k/----/X---/X---/----/----/----/----   r  pP ");
    let text = "K--k/----/X---/X---/----/----/----/---- r Pp";
    assert_eq!(game().write_position(&loose).as_deref(), Some(text));
}

#[test]
fn errors_explain_bad_positions() {
    let says = |text: &str| game().read_position(text).unwrap_err().to_string();
    let looks = "a position looks like `K--k/----/X---/----/----/----/----/---- r P`";
    assert_eq!(says(""), format!("position: the text is empty; {looks}"));
    assert_eq!(says("K--k"), format!("position: the side to move is missing; {looks}"));
    assert_eq!(
        says("K--k/---- r"),
        "position: 2 rows where the board has 8; rows are separated by `/`, the top row first"
    );
    assert_eq!(
        says(&ranks(&["K--k", "---"], "r")),
        "position, character 6: row 2 has 3 cells where the board has 4 columns"
    );
    assert_eq!(
        says(&format!("  {}", ranks(&["K-Qk"], "r"))),
        "position, character 5: `Q` is not a square; pieces are `K G M R N C P`, in lower case for black; \
         `-` is empty and `X` face down"
    );
    assert_eq!(
        says(&ranks(&["K--k"], "w")),
        "position, character 41: `w` is not a side to move; it is `r`, `b`, or `?` before the first piece is turned up"
    );
    assert_eq!(
        says(&ranks(&["K-Xk"], "r")),
        "position: the board has 1 `X` but 0 face-down pieces are listed; list one piece for each `X`"
    );
    assert_eq!(
        says(&ranks(&["K-Xk"], "r z")),
        "position, character 43: `z` is not a piece; pieces are `K G M R N C P`, in lower case for black"
    );
    assert_eq!(
        says(&ranks(&["KX-k"], "r K")),
        "position: 2 `K` are more than the set has; it has 1, face-down pieces included"
    );
    assert_eq!(
        says(&ranks(&["XK--"], "? k")),
        "position: `?` is to move but a piece lies face up on b8; the first piece that is turned up decides the \
         colours: write `r` or `b`"
    );
    assert_eq!(
        says(&ranks(&[], "?")),
        "position: `?` is to move but nothing lies face down; write `r` or `b` for the side to move"
    );
    assert_eq!(
        says(&ranks(&["X---"], "r P 3")),
        format!("position, character 45: `3` is one word too many; {looks}")
    );
}

#[test]
fn errors_explain_bad_moves() {
    let game = game();
    let says = |text: &str| game.read_action(text).unwrap_err().to_string();
    assert_eq!(
        says("e5"),
        "move: `e5` is not a square of this board; a flip is a square from a1 to d8 such as `a6`, a move looks like \
         `a8-a7`"
    );
    assert_eq!(says("a8-a9"), "move: `a9` is not a square of this board; squares run from a1 to d8");
    assert_eq!(
        says("a8-b7"),
        "move: `a8-b7` does not follow a file or a rank; pieces step to a neighbouring square, and cannons jump \
         along a line"
    );
    for wrong in ["=", "=X", "=PP"] {
        assert_eq!(
            says(wrong),
            format!(
                "move: `{wrong}` does not name a piece; a piece that is turned up looks like `=P` (red) or `=p` (black)"
            )
        );
    }
    let legal: Vec<Action> = game.actions(&board(&ranks(&["Pc--"], "r"))).collect();
    assert_eq!(
        game.understand(&legal, "a8-b8").unwrap_err().to_string(),
        "move: `a8-b8` is not legal here; legal: a8-a7"
    );
}

#[test]
fn sheets() {
    let game = game();
    let mut board = board("K--k/----/X---/----/----/----/----/---- r P");
    play(&game, &mut board, "a8-a7 d8-d7");
    let json = serde_json::to_value(game.sheet(&board)).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "rows": ["----", "K--k", "X---", "----", "----", "----", "----", "----"],
            "turn": "r", "to_move": 0, "red": 0,
            "face_down": "P", "taken": "PPPPCCNNRRMMGGpppppccnnrrmmgg",
            "flipping": null, "quiet": ["a8-a7", "d8-d7"], "ending": null,
        })
    );
    let says = |field: &str, value: serde_json::Value| {
        let mut changed = json.clone();
        changed[field] = value;
        let sheet: Sheet = serde_json::from_value(changed).unwrap();
        game.read_view(&sheet).unwrap_err().to_string()
    };
    let follows =
        "view: `to_move`, `taken`, `ending`, the order of `face_down` or `quiet` do not follow from the rest";
    assert_eq!(says("to_move", 1.into()), follows);
    assert_eq!(says("taken", "K".into()), follows);
    assert_eq!(says("ending", "stuck".into()), follows);
    assert!(says("red", 2.into()).starts_with("view: `turn` and `red` are inconsistent"));
    assert!(says("turn", "?".into()).starts_with("view: `turn` and `red` are inconsistent"));
    assert!(says("flipping", "b1".into()).starts_with("view: no piece can be turned up on `b1`"));
    assert!(says("quiet", vec!["a6"].into()).starts_with("view: `a6` in `quiet` is not a move"));
    for impossible in ["d7-d8", "a5-a6", "a1-a7", "a8-a7"] {
        let start = format!("view: `{impossible}` in `quiet` cannot have been played");
        assert!(says("quiet", vec![impossible].into()).starts_with(&start), "{impossible}");
    }
    let mut extra = json;
    extra["mines"] = 1.into();
    assert!(serde_json::from_value::<Sheet>(extra).is_err());
}

#[test]
fn drawings_and_status() {
    let game = game();
    let mut board = board("K--k/----/X--X/----/--Pp/----/----/---C r Pp");
    let ascii = "     a b c d
   +---------+
 8 | K . . k |
 7 | . . . . |
 6 | X . . X |
 5 | . . . . |
 4 | . . P p |
 3 | . . . . |
 2 | . . . . |
 1 | . . . C |
   +---------+
";
    assert_eq!(game.draw(&board, Ink { ascii: true, colour: false }), ascii);
    play(&game, &mut board, "a6");
    let drawn = game.draw(&board, Ink::default());
    assert!(drawn.contains(" 6 │ ? · · ▒ │"), "{drawn}");
    assert!(game.draw(&board, Ink { ascii: false, colour: true }).contains("\x1b[1;31mK\x1b[0m"));
    assert!(game.status(&board).starts_with("seat 0 (red) turns up a6; 2 face down: Pp; taken: PPPC"));
    assert_eq!(game.write_position(&board), None);
    play(&game, &mut board, "=P d4-d3");
    assert!(game.status(&board).starts_with("seat 0 (red) to move; 1 face down: p; taken: PPPC"));
    assert!(game.status(&board).ends_with("; quiet plies: 1 of 180"));
    let lost = super::board("Pm--/m---/----/----/----/----/----/---- r");
    assert!(game.status(&lost).starts_with("seat 1 (black) wins: seat 0 (red) can do nothing"));
    assert!(game.status(&game.start()).starts_with("seat 0 to move; 32 face down: PPPPPCC"));
}

#[test]
fn opening_by_name() {
    let open = |text: &str| {
        Settings::read(&Spec::parse(text).unwrap(), DarkChess::KEYS).and_then(|s| DarkChess::open(&s))
    };
    assert_eq!(open("darkchess").unwrap().spec().to_string(), "darkchess(draw=180, repetition=3)");
    let game = open("darkchess(draw=50, repetition=none)").unwrap();
    assert_eq!(game, DarkChess::new(50, None).unwrap());
    assert_eq!(
        open("darkchess(draw=256)").unwrap_err().to_string(),
        "darkchess: draw=`256` does not fit; it takes 1 … 255"
    );
    assert_eq!(
        open("darkchess(repetition=1)").unwrap_err().to_string(),
        "darkchess: repetition=`1` does not fit; it takes 2 … 5 or none"
    );
}
