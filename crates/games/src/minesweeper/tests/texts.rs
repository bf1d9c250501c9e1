//! Keys, positions, moves, JSON, drawings, and errors that explain bad input.

use parlor_core::{Entry, Ink, Notation, ReadError, Settings, Spec};

use super::*;

fn open<W: Word>(text: &str) -> Result<Minesweeper<W>, String> {
    let spec = Spec::parse(text).map_err(|error| error.to_string())?;
    let settings = Settings::read(&spec, Minesweeper::<W>::KEYS).map_err(|error| error.to_string())?;
    Minesweeper::open(&settings).map_err(|error| error.to_string())
}

#[test]
fn keys() {
    let usual = |text: &str| open::<u64>(text).unwrap().spec().to_string();
    assert_eq!(usual("minesweeper"), "minesweeper(rows=3, columns=3, mines=2, first=any)");
    assert_eq!(usual("minesweeper(rows=4, columns=4)"), "minesweeper(rows=4, columns=4, mines=3, first=any)");
    assert_eq!(
        usual("minesweeper(rows=5, columns=5, first=safe)"),
        "minesweeper(rows=5, columns=5, mines=5, first=safe)"
    );
    assert_eq!(usual("minesweeper(rows=1, columns=2)"), "minesweeper(rows=1, columns=2, mines=1, first=any)");

    let says = |text: &str| open::<u64>(text).unwrap_err();
    assert_eq!(
        says("minesweeper(first=clear)"),
        "minesweeper: 3×3 has room for at most 0 mines, not 2: the first click and its neighbours are never mines"
    );
    assert_eq!(
        says("minesweeper(mines=9)"),
        "minesweeper: 3×3 has room for at most 8 mines, not 9: one cell must be safe"
    );
    assert_eq!(
        says("minesweeper(rows=16, columns=30)"),
        "minesweeper: 16×30 is 480 cells, and at most 64 fit"
    );
    assert_eq!(
        open::<U512>("minesweeper(rows=32, columns=30)").unwrap_err(),
        "minesweeper: 32×30 is 960 cells, and at most 512 fit"
    );
    assert_eq!(
        says("minesweeper(first=sfae)"),
        "minesweeper: first=`sfae` does not fit; did you mean `safe`? (any / safe / clear)"
    );
    assert!(says("minesweeper(mines=0)").contains("it takes 1 … 511"));
}

fn says(game: &Minesweeper<u64>, text: &str) -> String {
    game.read_position(text).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn errors_explain_bad_positions() {
    let any = game(3, 3, 2, First::Any);
    for (text, sentence) in [
        ("###/#9#/###", "position, character 6: `9` is not a cell; cells are `#`, `0` … `8` or `*`"),
        ("###/###", "position: 2 rows where the board has 3; rows are separated by `/`, the top row first"),
        (
            "###/####/###",
            "position, character 5: row 2 has 4 cells where the board has 3 columns; a position looks like \
             `###/###/###`",
        ),
        (
            "0##/###/###",
            "position, character 1: a1 is 0, but its neighbour b1 is not open; a 0 opens all its neighbours",
        ),
        (
            "11#/11#/###",
            "position, character 1: a1 is 1, but only 0 of its neighbours can be mines; a number counts the \
             mines among its neighbours",
        ),
        (
            "3##/###/###",
            "position: no layout of 2 mines agrees with the numbers; a number counts the mines among its up to \
             eight neighbours",
        ),
        (
            "**#/###/###",
            "position, character 2: more than one mine has exploded; the first one ends the match",
        ),
        ("000/000/011", "position: 9 cells are open; 7 of the 9 cells are safe, and opening them all wins"),
        (
            "111/1#1/1*1",
            "position: 7 cells are open and a mine was clicked; 7 of the 9 cells are safe, and opening them \
             all wins",
        ),
        (
            "###/#?#/###",
            "position, character 6: `?` is not a cell; cells are `#`, `0` … `8` or `*`; only the JSON of a view \
             has pending clicks",
        ),
    ] {
        assert_eq!(says(&any, text), sentence);
    }
    let safe = game(3, 3, 2, First::Safe);
    assert_eq!(
        says(&safe, "*##/###/###"),
        "position: the first click has exploded; with first=safe it is never a mine"
    );
    let clear = game(4, 4, 3, First::Clear);
    assert_eq!(
        says(&clear, "1###/####/####/####"),
        "position: no cell shows a 0; with first=clear the first click opens one"
    );
    assert!(clear.read_position("####/####/####/####").is_ok());
}

#[test]
fn boards_too_complex_to_check_are_refused() {
    // Every second cell of every second row is a 3: a dozen numbers are open at once wherever a sweep cuts the board.
    let game = Minesweeper::<U512>::new(22, 23, 200, First::Any).unwrap();
    let row: String = (0..23).map(|column| if column % 2 == 0 { '3' } else { '#' }).collect();
    let text: Vec<String> = (0..22).map(|r| if r % 2 == 0 { row.clone() } else { "#".repeat(23) }).collect();
    let error = game.read_position(&text.join("/")).unwrap_err();
    assert!(error.to_string().contains("too complex"), "{error}");
}

#[test]
fn errors_explain_bad_actions_and_views() {
    let game = game(3, 3, 2, First::Any);
    let error = |text: &str| game.read_action(text).unwrap_err().to_string();
    assert_eq!(error("d1"), "move: `d1` is not a square of this board; squares run from a1 to c3");
    assert_eq!(error("mine:a4"), "move: `a4` is not a square of this board; squares run from a1 to c3");
    assert!(error("mine").contains("is not a square"));

    let read = |rows: [&str; 3], mines, to_open, to_move| {
        let sheet = Sheet { rows: rows.map(str::to_owned).to_vec(), mines, to_open, to_move };
        game.read_view(&sheet).map_err(|error: ReadError| error.to_string())
    };
    assert!(read(["###", "#2#", "###"], 2, 6, Some(0)).is_ok());
    assert!(read(["###", "###", "###"], 2, 7, None).is_ok(), "mines are being laid");
    let unfit = "view: `rows`, `mines`, `to_open` and `to_move` are inconsistent; the board has 2 mines";
    assert_eq!(read(["###", "#2#", "###"], 3, 6, Some(0)).unwrap_err(), unfit);
    assert_eq!(read(["###", "#2#", "###"], 2, 7, Some(0)).unwrap_err(), unfit);
    assert_eq!(read(["###", "#2#", "###"], 2, 6, Some(1)).unwrap_err(), unfit);
    assert_eq!(read(["*##", "###", "###"], 2, 7, Some(0)).unwrap_err(), unfit);
    assert_eq!(
        read(["###", "#2#", "###"], 2, 6, None).unwrap_err(),
        "view: no seat is to move, but the match is not over; while mines are laid, every cell is `#`"
    );
}

#[test]
fn readers_never_panic() {
    parlor_testkit::readers_never_panic(&game(3, 3, 2, First::Any), &["###/#2#/###", "*##/##1/###"]);
    parlor_testkit::readers_never_panic(&game(4, 5, 4, First::Clear), &["##1##/12###/01###/01###"]);
    let expert = Minesweeper::<U512>::new(16, 30, 99, First::Safe).unwrap();
    parlor_testkit::readers_never_panic(&expert, &[]);
}

#[test]
fn drawings() {
    let game = Minesweeper::<u64>::new(3, 4, 3, First::Any).unwrap();
    let field = after(&game, "mine:c1 mine:c2 mine:c3 a2 c2");
    let view = game.view(&field, Seat::FIRST);
    let unicode = [
        "     a b c d",
        "   ┌─────────┐",
        " 1 │ · 2 ■ ■ │",
        " 2 │ · 3 * ■ │",
        " 3 │ · 2 ■ ■ │",
        "   └─────────┘",
    ];
    assert_eq!(game.draw(&view, Ink::default()).lines().collect::<Vec<_>>(), unicode);
    let ascii = [
        "     a b c d",
        "   +---------+",
        " 1 | . 2 # # |",
        " 2 | . 3 * # |",
        " 3 | . 2 # # |",
        "   +---------+",
    ];
    let plain = game.draw(&view, Ink { ascii: true, colour: false });
    assert_eq!(plain.lines().collect::<Vec<_>>(), ascii);
    let coloured = game.draw(&view, Ink { ascii: false, colour: true });
    assert!(coloured.contains("\x1b[91m3\x1b[0m"));
    assert_eq!(game.status(&view), "lost, c2 was a mine, 3 to open, 3 mines");

    let status = |actions: &str| game.status(&game.view(&after(&game, actions), Seat::FIRST));
    assert_eq!(status(""), "mines are being laid, 9 to open, 3 mines");
    assert_eq!(status("mine:c1 mine:c2 mine:c3"), "9 to open, 3 mines");
    assert_eq!(status("mine:c1 mine:c2 mine:c3 a2 d1 d2 d3"), "won, 0 to open, 3 mines");
    let waiting = Minesweeper::<u64>::new(1, 3, 1, First::Safe).unwrap();
    let view = waiting.view(&after(&waiting, "b1"), Seat::FIRST);
    assert!(waiting.draw(&view, Ink::default()).contains("■ ? ■"));
    assert_eq!(waiting.write_position(&view), None);
}
