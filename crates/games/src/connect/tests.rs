mod cells;
mod ntuple;
mod stimulus;

use std::collections::HashMap;

use super::*;
use crate::board::wide::U192;
use parlor_core::rules::perft::perft;
use parlor_core::{Entry, Ink, Notation, Position, Settings, Spec};

/// A second implementation of the rules, cell by cell: columns of discs from the bottom, 0 and 1 for the seats.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Slow {
    height: usize,
    row: usize,
    columns: Vec<Vec<u8>>,
    won: Option<u8>,
}

impl Slow {
    fn new(width: u8, height: u8, row: u8) -> Self {
        Slow { height: height.into(), row: row.into(), columns: vec![Vec::new(); width.into()], won: None }
    }

    fn count(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    fn mover(&self) -> u8 {
        (self.count() % 2) as u8
    }

    fn open(&self) -> Vec<u8> {
        let over = self.won.is_some();
        (0..self.columns.len())
            .filter(|&c| !over && self.columns[c].len() < self.height)
            .map(|c| c as u8)
            .collect()
    }

    fn at(&self, column: i32, row: i32) -> Option<u8> {
        self.columns.get(usize::try_from(column).ok()?)?.get(usize::try_from(row).ok()?).copied()
    }

    /// Returns whether a disc of `side` in a cell completes a row there, by walking outwards in both directions.
    fn makes_row(&self, side: u8, column: i32, row: i32) -> bool {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dc, dr)| {
            let reach = |way: i32| {
                (1..).take_while(|n| self.at(column + way * n * dc, row + way * n * dr) == Some(side)).count()
            };
            1 + reach(1) + reach(-1) >= self.row
        })
    }

    fn play(&mut self, column: u8) {
        let (side, row) = (self.mover(), self.columns[usize::from(column)].len());
        if self.makes_row(side, column.into(), row as i32) {
            self.won = Some(side);
        }
        self.columns[usize::from(column)].push(side);
    }

    fn perft(&self, depth: usize) -> Vec<u64> {
        let mut counts = vec![0; depth];
        let mut level = vec![self.clone()];
        for count in &mut counts {
            let mut next = Vec::new();
            for board in level {
                for column in board.open() {
                    let mut after = board.clone();
                    after.play(column);
                    next.push(after);
                }
            }
            *count = next.len() as u64;
            level = next;
        }
        counts
    }
}

fn position<W: Word>(game: &Connect<W>, text: &str) -> Board<W> {
    match game.read_position(text) {
        Ok(Position::State(board)) => board,
        other => panic!("{other:?}"),
    }
}

/// Checks that the end flag follows from the discs, and that no disc hovers or lies outside.
fn audit<W: Word>(game: &Connect<W>, board: &Board<W>) {
    let (first, second) = (game.discs(board, Seat::FIRST), game.discs(board, Seat::SECOND));
    assert!((first & second).is_empty() && (first | second) == game.taken(board));
    assert!(((first | second) & !game.board).is_empty(), "no disc in a spare bit");
    assert!(first.len() == second.len() || first.len() == second.len() + 1);
    assert_eq!(*board, game.with_discs(first, second), "the end flag follows from the discs");
    for cell in game.taken(board).cells() {
        assert!(cell % game.stride() == 0 || game.taken(board).has(cell - 1), "nothing hovers");
    }
}

fn audited<W: Word>(width: u8, height: u8, row: u8) {
    parlor_testkit::audited_laws(&Connect::<W>::new(width, height, row).unwrap(), 16, audit);
}

#[test]
fn laws_within_64_bits() {
    audited::<u64>(7, 6, 4);
    audited::<u64>(8, 7, 4); // exactly 64 bits
    audited::<u64>(4, 4, 3);
    audited::<u64>(1, 5, 3);
    audited::<u64>(32, 1, 2);
    audited::<u64>(2, 1, 2);
    audited::<u64>(3, 15, 15);
}

#[test]
fn laws_within_128_bits() {
    audited::<u128>(7, 6, 4);
    audited::<u128>(9, 7, 4);
    audited::<u128>(11, 10, 4);
    audited::<u128>(16, 7, 5); // exactly 128 bits
    audited::<u128>(35, 2, 35);
}

#[test]
fn laws_beyond_128_bits() {
    audited::<U192>(7, 6, 4);
    audited::<U192>(16, 8, 4);
    audited::<U192>(12, 10, 6);
    audited::<U192>(32, 4, 4); // 160 bits, the most of all boards
    audited::<U192>(1, 128, 128);
}

#[test]
fn views_imagine_themselves() {
    parlor_testkit::imagine_laws(&Connect::<u64>::new(7, 6, 4).unwrap(), 8);
}

#[test]
fn readers_never_panic() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    parlor_testkit::readers_never_panic(&game, &["", "436622165622", "4444445", "1212121"]);
    parlor_testkit::readers_never_panic(&Connect::<u128>::new(11, 10, 4).unwrap(), &["a", "b1b1b1b"]);
}

#[test]
fn perft_agrees_with_the_slow_rules() {
    fn agrees<W: Word>(width: u8, height: u8, row: u8, depth: usize) {
        let game = Connect::<W>::new(width, height, row).unwrap();
        let counts = perft(&game, &game.start(), depth, false);
        assert_eq!(counts, Slow::new(width, height, row).perft(depth), "{width}x{height} row {row}");
    }
    agrees::<u64>(7, 6, 4, 6);
    agrees::<u128>(7, 6, 4, 6);
    agrees::<U192>(7, 6, 4, 6);
    agrees::<u64>(4, 4, 3, 9);
    agrees::<u64>(3, 3, 2, 9);
    agrees::<u64>(2, 5, 5, 10);
    agrees::<u128>(11, 10, 4, 5);
    agrees::<U192>(16, 8, 2, 4);
    agrees::<U192>(35, 3, 3, 3);
}

/// Plays random matches on the board and with the slow rules, and compares all queries.
fn walks_agree<W: Word>(width: u8, height: u8, row: u8, matches: u64) {
    let game = Connect::<W>::new(width, height, row).unwrap();
    let mut keys: HashMap<W, Vec<Vec<u8>>> = HashMap::new();
    for seed in 0..matches {
        let (mut board, mut slow, mut image) = (game.start(), Slow::new(width, height, row), game.start());
        let mut rng = Rng::new(seed);
        loop {
            let open = slow.open();
            let columns: Vec<u8> = game.actions(&board).map(|Column(c)| c).collect();
            assert_eq!(columns, open);
            assert_eq!(game.winner(&board).map(|seat| seat.0), slow.won);
            assert_eq!(game.is_over(&board), open.is_empty());
            let known = keys.entry(game.key(&board)).or_insert_with(|| slow.columns.clone());
            assert_eq!(*known, slow.columns, "one key, two boards");
            assert_eq!(game.mirror_image(game.key(&board)), game.key(&image));
            assert_eq!(game.mirror_key(&board), game.mirror_key(&image));
            for column in 0..width {
                let discs = &slow.columns[usize::from(column)];
                for r in 0..height {
                    let cell = game.cell(column, r);
                    for side in 0..2 {
                        let owns = discs.get(usize::from(r)) == Some(&side);
                        assert_eq!(game.discs(&board, Seat(side)).has(cell), owns);
                        let wins =
                            discs.len() <= usize::from(r) && slow.makes_row(side, column.into(), r.into());
                        assert_eq!(game.winning_cells(&board, Seat(side)).has(cell), wins);
                    }
                    let next = discs.len() == usize::from(r) && !open.is_empty();
                    assert_eq!(game.playable(&board).has(cell), next);
                }
            }
            if open.is_empty() {
                break;
            }
            let column = *rng.choose(&open);
            game.apply(&mut board, Column(column));
            game.apply(&mut image, Column(width - 1 - column));
            slow.play(column);
        }
    }
}

#[test]
fn matches_agree_with_the_slow_rules() {
    walks_agree::<u64>(7, 6, 4, 60);
    walks_agree::<u64>(4, 4, 3, 60);
    walks_agree::<u64>(5, 9, 7, 20);
    walks_agree::<u128>(11, 10, 4, 20);
    walks_agree::<u128>(10, 10, 5, 20);
    walks_agree::<U192>(16, 8, 4, 20);
    walks_agree::<U192>(35, 3, 3, 10);
    walks_agree::<U192>(3, 42, 9, 3);
}

#[test]
fn rows_in_every_direction() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    for (moves, winner, line) in [
        ("1213141", 0, "upright in column 1"),
        ("1122334", 0, "level in the bottom row"),
        ("12233434464", 0, "rising from column 1"),
        ("76655454424", 0, "falling to column 7"),
        ("71213141", 1, "upright in column 1, by the second seat"),
    ] {
        let before = position(&game, &moves[..moves.len() - 1]);
        assert!(!game.is_over(&before), "{line}");
        let board = position(&game, moves);
        assert_eq!(game.winner(&board), Some(Seat(winner)), "{line}");
        assert_eq!(game.winning_row(&board).len(), 4, "{line}");
        let first = if winner == 0 { 1.0 } else { -1.0 };
        assert_eq!(game.payoffs(&board), Payoffs::zero_sum(first), "{line}");
    }
}

#[test]
fn a_column_does_not_run_into_the_next() {
    // O has the two top cells of column 1 and the bottom of column 2: only a spare bit separates them.
    let game = Connect::<u64>::new(7, 6, 3).unwrap();
    let board = position(&game, "12111151");
    assert!(!game.is_over(&board), "{}", game.draw(&board, Ink::default()));
}

#[test]
fn a_row_can_end_in_the_last_bits_of_the_word() {
    let game = Connect::<u64>::new(8, 7, 4).unwrap();
    let board = position(&game, "556677");
    assert_eq!(game.winning_cells(&board, Seat(0)), u64::bit(game.cell(3, 0)) | u64::bit(game.cell(7, 0)));
}

#[test]
fn the_last_disc_can_win() {
    let game = Connect::<u64>::new(2, 2, 2).unwrap();
    assert_eq!(game.winner(&position(&game, "121")), Some(Seat(0)));
    let narrow = Connect::<u64>::new(1, 2, 2).unwrap();
    let full = position(&narrow, "11");
    assert_eq!((narrow.phase(&full), narrow.payoffs(&full)), (Phase::Over, Payoffs::default()));
    let square = Connect::<u64>::new(3, 3, 3).unwrap();
    let full = position(&square, "311212233");
    assert_eq!((square.taken(&full).len(), square.winner(&full)), (9, Some(Seat(0))));
}

#[test]
fn picks_are_uniform_over_open_columns() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let board = position(&game, "111111777777");
    let mut rng = Rng::new(4);
    let mut counts = [0u32; 7];
    for _ in 0..50_000 {
        counts[usize::from(game.pick(&board, &mut rng).0)] += 1;
    }
    assert_eq!((counts[0], counts[6]), (0, 0));
    // Five standard deviations of a binomial count around 10,000.
    assert!(counts[1..6].iter().all(|&c| c.abs_diff(10_000) < 447), "{counts:?}");
}

#[test]
fn boards_that_do_not_fit() {
    assert_eq!(Connect::<u64>::new(0, 6, 2).unwrap_err(), Misfit::Side);
    assert_eq!(Connect::<u64>::new(36, 1, 2).unwrap_err(), Misfit::Side);
    assert_eq!(Connect::<u64>::new(6, 0, 2).unwrap_err(), Misfit::Side);
    assert_eq!(Connect::<U192>::new(13, 10, 4).unwrap_err(), Misfit::Cells);
    assert_eq!(Connect::<u64>::new(9, 7, 4).unwrap_err(), Misfit::Word);
    assert_eq!(Connect::<u128>::new(12, 10, 4).unwrap_err(), Misfit::Word);
    assert_eq!(Connect::<u64>::new(4, 4, 5).unwrap_err(), Misfit::Row);
    assert_eq!(Connect::<u64>::new(4, 4, 1).unwrap_err(), Misfit::Row);
    // The widest word takes every valid board.
    for width in 1..=MAX_WIDTH {
        for height in (1..=MAX_CELLS / width).filter(|&height| width.max(height) > 1) {
            assert!(Connect::<U192>::new(width, height, 2).is_ok(), "{width} x {height}");
        }
    }
}

fn open<W: Word>(spec: &str) -> Result<Connect<W>, String> {
    Settings::read(&Spec::parse(spec).unwrap(), Connect::<W>::KEYS)
        .and_then(|settings| Connect::open(&settings))
        .map_err(|error| error.to_string())
}

#[test]
fn specs_open_and_errors_explain() {
    assert_eq!(open::<u128>("connect").unwrap(), Connect::new(11, 10, 4).unwrap());
    let full = open::<u64>("connect(height=6, width=7)").unwrap().spec().to_string();
    assert_eq!(full, "connect(width=7, height=6, row=4)");
    let says = |spec: &str| open::<U192>(spec).unwrap_err();
    assert_eq!(says("connect(width=13)"), "connect: 13 × 10 are 130 cells; a board has at most 128");
    assert_eq!(
        says("connect(width=4, height=3, row=5)"),
        "connect: row=5 does not fit a board of 4 × 3; it takes 2 … 4 there"
    );
    assert_eq!(
        says("connect(width=1, height=1)"),
        "connect: a board of one cell has no room for any row; a side must be 2 or longer"
    );
    assert_eq!(says("connect(width=36)"), "connect: width=`36` does not fit; it takes 1 … 35");
    assert_eq!(says("connect(row=1)"), "connect: row=`1` does not fit; it takes 2 … 128");
    assert_eq!(
        open::<u64>("connect").unwrap_err(),
        "connect: 11 × 10 needs a word of 121 bits; this one has 64"
    );
}

#[test]
fn errors_explain_bad_moves_and_positions() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let says = |text: &str| game.read_position(text).unwrap_err().to_string();
    assert_eq!(says("448"), "position, character 3: `8` is not a column; columns are 1 to 7");
    assert_eq!(says("4444444"), "position, character 7: column 4 is full here; open columns: 123567");
    assert_eq!(
        says("12121213"),
        "position, character 8: the match is over here, X has 4 in a row; \
         cut the text here to see the end after 7 moves"
    );
    let small = Connect::<u64>::new(1, 2, 2).unwrap();
    assert_eq!(
        small.read_position("111").unwrap_err().to_string(),
        "position, character 3: the match is over here, the board is full: a draw; \
         cut the text here to see the end after 2 moves"
    );
    let says = |text: &str| game.read_action(text).unwrap_err().to_string();
    assert_eq!(says("12"), "move: `12` is not one column; a move is a single character, such as `1`");
    assert_eq!(says("0"), "move: `0` is not a column; columns are 1 to 7");
    let wide = Connect::<u128>::new(11, 10, 4).unwrap();
    assert_eq!(
        wide.read_action("c").unwrap_err().to_string(),
        "move: `c` is not a column; columns are 1 to 9, then a to b"
    );
    assert_eq!(wide.read_action("B"), Ok(Column(10)));
    assert_eq!(wide.write_action(Column(9)), "a");
}

#[test]
fn views_are_checked() {
    let game = Connect::<u64>::new(4, 4, 3).unwrap();
    let good = game.sheet(&position(&game, "1122"));
    assert_eq!(good.rows, ["....", "....", "OO..", "XX.."]);
    let says = |change: fn(&mut Sheet)| {
        let mut sheet = good.clone();
        change(&mut sheet);
        game.read_view(&sheet).unwrap_err().to_string()
    };
    assert_eq!(
        says(|s| s.rows = ["....", "....", ".OX.", "XO.."].map(str::to_owned).into()),
        "view, character 13: a disc hovers over an empty cell"
    );
    assert_eq!(says(|s| s.rows[2] = "O...".to_owned()), "view: `to_move` is 0 where `rows` give 1");
    assert_eq!(
        says(|s| s.rows[3] = "OX..".to_owned()),
        "view: 1 X and 3 O cannot be; X begins, so there are as many X as O, or one more"
    );
    assert_eq!(
        says(|s| s.rows[3] = "XQ..".to_owned()),
        "view, character 17: `Q` is not a cell; cells are `X`, `O` or `.`"
    );
    assert_eq!(says(|s| s.rows[3] = "XXX.".to_owned()), "view: `to_move` is 0 where `rows` give null");
    // O has moved after X completed its row.
    assert_eq!(
        says(|s| s.rows = ["....", "....", "OO..", "XXXO"].map(str::to_owned).into()),
        "view: play continued after a row was complete; the last disc, on top of a column, is part of every row"
    );
    // X's only row is buried, so the last disc did not complete it.
    assert_eq!(
        says(|s| s.rows = ["....", "....", "OXO.", "XXXO"].map(str::to_owned).into()),
        "view: play continued after a row was complete; the last disc, on top of a column, is part of every row"
    );
    // X has two rows without a disc in common: the first of them ended the match.
    assert_eq!(
        says(|s| s.rows = ["OO..", "XXX.", "OOXO", "XXXO"].map(str::to_owned).into()),
        "view: play continued after a row was complete; the last disc, on top of a column, is part of every row"
    );
    assert_eq!(says(|s| s.winner = Some(1)), "view: `winner` is 1 where `rows` give null");
    assert_eq!(says(|s| s.line = vec![[0, 0]]), "view: `line` does not follow from `rows`, which give []");
    let json = r#"{"rows":[],"to_move":0,"winner":null,"line":[],"extra":1}"#;
    assert!(serde_json::from_str::<Sheet>(json).is_err(), "unknown fields are refused");
}

#[test]
fn drawings() {
    let game = Connect::<u64>::new(7, 6, 4).unwrap();
    let board = position(&game, "44354");
    let unicode = "\
│ · · · · · · · │
│ · · · · · · · │
│ · · · · · · · │
│ · · · ● · · · │
│ · · · ○ · · · │
│ · · ● ● ○ · · │
└───────────────┘
  1 2 3 4 5 6 7
";
    assert_eq!(game.draw(&board, Ink::default()), unicode);
    let ascii = game.draw(&board, Ink { ascii: true, colour: false });
    assert!(ascii.ends_with("| . . X X O . . |\n+---------------+\n  1 2 3 4 5 6 7\n"), "{ascii}");
    assert_eq!(game.status(&board), "seat 1 to move, disc 6 of 42");

    let won = position(&game, "1212121");
    let coloured = game.draw(&won, Ink { ascii: false, colour: true });
    assert_eq!(coloured.matches("\x1b[1;7;31m●\x1b[0m").count(), 4, "the row stands out");
    assert_eq!(coloured.matches("\x1b[33m○\x1b[0m").count(), 3);
    assert_eq!(game.status(&won), "X has 4 in a row");
    assert_eq!(game.sheet(&won).line, [[0, 5], [0, 4], [0, 3], [0, 2]]);
    assert_eq!(game.write_position(&won), None);
}
