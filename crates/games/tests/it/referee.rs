//! The match loop against agents that misbehave.

use std::thread::sleep;
use std::time::Duration;

use parlor_core::{
    Actor, Agent, BySeat, Context, Decision, Ending, Fault, Forfeit, Game, Match, Payoffs, Seat, Sight,
    TimeControl,
};
use parlor_games::tictactoe::{Cell, Lines, TicTacToe};

fn game() -> TicTacToe {
    TicTacToe::new(3, 3, Lines::Windows).unwrap()
}

/// Takes the first free cell, and records its observations.
#[derive(Default)]
struct Orderly {
    begun: Option<Seat>,
    seen: Vec<Sight<Cell>>,
    result: Option<Payoffs>,
}

impl Agent<TicTacToe> for Orderly {
    fn begin(&mut self, _: &TicTacToe, seat: Seat) {
        self.begun = Some(seat);
    }
    fn watch(&mut self, _: &TicTacToe, sight: Sight<Cell>) {
        self.seen.push(sight);
    }
    fn act(&mut self, decision: &Decision<'_, TicTacToe>, _: &mut Context<'_, TicTacToe>) -> Cell {
        decision.actions[0]
    }
    fn end(&mut self, _: &TicTacToe, payoffs: &Payoffs) {
        self.result = Some(*payoffs);
    }
}

enum Trick {
    TakenCell,
    Panic,
    PanicWhileWatching,
    Sleep,
}

impl Agent<TicTacToe> for Trick {
    fn watch(&mut self, _: &TicTacToe, sight: Sight<Cell>) {
        let startled = matches!((&self, sight.actor), (Trick::PanicWhileWatching, Actor::Seat(Seat(0))));
        assert!(!startled, "I saw that");
    }
    fn act(&mut self, decision: &Decision<'_, TicTacToe>, _: &mut Context<'_, TicTacToe>) -> Cell {
        match self {
            Trick::TakenCell => Cell(0),
            Trick::Panic => panic!("I do not like this"),
            Trick::PanicWhileWatching => decision.actions[0],
            Trick::Sleep => {
                sleep(Duration::from_millis(120));
                decision.actions[0]
            }
        }
    }
}

fn play_against(trick: &mut Trick, time: TimeControl) -> (Ending, Payoffs) {
    let mut orderly = Orderly::default();
    let mut settings = Match::seeded(1);
    settings.time = BySeat([TimeControl::default(), time]);
    let outcome = settings.play(&game(), &mut [&mut orderly, trick], &mut ());
    assert_eq!(orderly.result, Some(outcome.payoffs), "both agents receive the result");
    (outcome.ending, outcome.payoffs)
}

#[test]
fn orderly_agents_finish() {
    let (mut one, mut two) = (Orderly::default(), Orderly::default());
    let mut record: Vec<(Actor, Cell)> = Vec::new();
    let outcome = Match::seeded(1).play(&game(), &mut [&mut one, &mut two], &mut record);
    assert_eq!(outcome.ending, Ending::Finished);
    assert_eq!(outcome.plies, 9);
    let cells: Vec<u8> = record.iter().map(|(_, Cell(cell))| *cell).collect();
    assert_eq!(cells, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    // X has the corners and the centre, and with them both diagonals; O has no line.
    assert_eq!(outcome.payoffs, Payoffs::zero_sum(2.0));
    assert_eq!((one.begun, two.begun), (Some(Seat(0)), Some(Seat(1))));
    assert_eq!(one.seen.len(), 9);
    assert_eq!(one.seen, two.seen);
}

#[test]
fn an_illegal_action_forfeits() {
    let (ending, payoffs) = play_against(&mut Trick::TakenCell, TimeControl::default());
    assert_eq!(ending, Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Illegal("Cell(0)".to_owned()) }));
    let range = game().range();
    assert_eq!((payoffs.of(Seat(0)), payoffs.of(Seat(1))), (range.high, range.low));
}

#[test]
fn a_panic_forfeits() {
    let (ending, _) = play_against(&mut Trick::Panic, TimeControl::default());
    assert_eq!(
        ending,
        Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Panicked("I do not like this".to_owned()) })
    );
    let (ending, _) = play_against(&mut Trick::PanicWhileWatching, TimeControl::default());
    assert_eq!(
        ending,
        Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Panicked("I saw that".to_owned()) })
    );
}

#[test]
fn overrunning_forfeits() {
    let strict = TimeControl { per_move: Some(Duration::from_millis(1)), ..TimeControl::default() };
    let (ending, _) = play_against(&mut Trick::Sleep, strict);
    assert_eq!(ending, Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Overran }));
    let total = TimeControl { total: Some(Duration::from_millis(30)), ..TimeControl::default() };
    let (ending, _) = play_against(&mut Trick::Sleep, total);
    assert_eq!(ending, Ending::Forfeit(Forfeit { seat: Seat(1), why: Fault::Overran }));
}
