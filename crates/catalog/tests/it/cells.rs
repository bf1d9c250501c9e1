//! Every game of the registry as cells and numbers, through the dynamic API.

use parlor_core::Seat;
use parlor_core::api::{AnyTable, ApiError, ErrorKind};
use parlor_core::{Phase, Rng};

const MORE_RULES: &[&str] = &[
    "connect(width=7, height=6)",
    "connect(width=16, height=8)",
    "dominoes(rules=myers, spinner=none)",
    "checkers(rows=6, columns=6, kings=may)",
    "checkers(rows=12, columns=10)",
    "minesweeper(rows=16, columns=30, mines=99, first=clear)",
];

fn let_chance_act(table: &mut dyn AnyTable) {
    while table.chance().unwrap() {}
}

/// Two tables with one seed, one played by texts and one by numbers, stay equal; texts, numbers, places and the mask agree.
#[test]
fn playing_by_number_is_playing_by_text() {
    for spec in parlor_catalog::GAMES.iter().map(|entry| entry.name).chain(MORE_RULES.iter().copied()) {
        let game = parlor_catalog::open(spec).unwrap();
        let cells = game.cells().unwrap();
        let layout = cells.layout();
        let [mut by_text, mut by_number] = [(); 2].map(|()| game.table(5, None).unwrap());
        let mut rng = Rng::new(8);
        let (mut places, mut numbers) = (Vec::new(), Vec::new());
        let mut mask = vec![7; cells.numbers()];
        let [mut one, mut other] = [(); 2].map(|()| vec![0; layout.count()]);
        for _ in 0..60 {
            let_chance_act(&mut *by_text);
            let_chance_act(&mut *by_number);
            let Phase::Decide(seat) = by_text.phase() else { break };
            let texts = by_text.actions();
            let table = by_number.cells().unwrap();
            table.places(&mut places);
            table.legal_numbers(&mut numbers);
            table.mask(&mut mask);
            assert_eq!((places.len(), numbers.len()), (texts.len(), texts.len()), "{spec}");
            assert_eq!(mask.iter().filter(|&&legal| legal == 1).count(), texts.len(), "{spec}");
            for (text, &number) in texts.iter().zip(&numbers) {
                assert_eq!(cells.numbered(number).as_ref(), Some(text), "{spec}");
                assert_eq!(mask[number], 1, "{spec}");
            }
            for seat in Seat::all(game.seats()) {
                by_text.cells().unwrap().cells(seat, &mut one);
                by_number.cells().unwrap().cells(seat, &mut other);
                assert_eq!(one, other, "{spec}");
            }
            let chosen = rng.below(texts.len() as u32) as usize;
            by_text.act(seat, &texts[chosen]).unwrap();
            by_number.cells_mut().unwrap().act_by_number(seat, numbers[chosen]).unwrap();
        }
    }
}

#[test]
fn shown_positions_and_views() {
    let game = parlor_catalog::open("minesweeper").unwrap();
    let shown = game.cells().unwrap().show(Some("###/#2#/###"), None, 1).unwrap();
    assert_eq!(shown.cells, [9, 9, 9, 9, 2, 9, 9, 9, 9]);
    assert_eq!(shown.actions.len(), 8);
    assert_eq!((&*shown.actions[4].text, shown.actions[4].number), ("c2", 5));
    // A seat that is not to move has no actions.
    let game = parlor_catalog::open("tictactoe").unwrap();
    let shown = game.cells().unwrap().show(Some("X../.../..."), Some(Seat(0)), 1).unwrap();
    assert_eq!((shown.cells[0], shown.actions.len()), (1, 0));
    // A deal is chance; the seed decides.
    let game = parlor_catalog::open("dominoes").unwrap();
    let [one, same, other] = [1, 1, 2].map(|seed| game.cells().unwrap().show(None, None, seed).unwrap());
    assert!(one == same && one.cells != other.cells && one.actions.len() == 7);
}

#[test]
fn wrong_numbers_seats_and_positions_are_errors() {
    let game = parlor_catalog::open("tictactoe").unwrap();
    let mut table = game.table(1, None).unwrap();
    let grid = table.cells_mut().unwrap();
    grid.act_by_number(Seat(0), 4).unwrap();
    let taken = grid.act_by_number(Seat(1), 4).unwrap_err();
    assert_eq!(
        taken.to_string(),
        "number 4 is not legal here; numbers are 0 … 8, and a mask has those that are legal"
    );
    assert_eq!(taken.kind(), ErrorKind::BadRequest);
    assert!(matches!(grid.act_by_number(Seat(1), 9), Err(ApiError::IllegalNumber { number: 9, count: 9 })));
    assert!(matches!(grid.act_by_number(Seat(0), 0), Err(ApiError::OtherSeatToMove { seat: Seat(1) })));
    let cells = game.cells().unwrap();
    assert!(matches!(cells.show(None, Some(Seat(2)), 1), Err(ApiError::NoSuchSeat { .. })));
    assert!(cells.show(Some("nonsense"), None, 1).is_err());
}
