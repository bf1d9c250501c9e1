//! Agents that leave their table to think: the table can be looked at meanwhile, and nothing can happen at it.

use std::thread;

use parlor_core::api::{AnyTable, ApiError, ErrorKind};
use parlor_core::text::protocol::Clocks;
use parlor_core::{Cancel, Ink, Phase, Seat};

fn table(game: &str, agents: [Option<&str>; 2]) -> Box<dyn AnyTable> {
    let mut table = parlor_catalog::open(game).unwrap().table(3, None).unwrap();
    for (seat, agent) in [Seat::FIRST, Seat::SECOND].into_iter().zip(agents) {
        if let Some(agent) = agent {
            table.seat_agent(seat, agent).unwrap();
        }
    }
    table
}

#[test]
fn the_board_can_be_shown_while_an_agent_thinks() {
    let mut table = table("connect(width=7, height=6)", [Some("mcts(sims=2000)"), None]);
    let mut thinker = table.thinker(Seat::FIRST).unwrap();
    let mut thoughts = 0;
    let (thinker, board) = thread::scope(|scope| {
        let thoughts = &mut thoughts;
        let thinking = scope.spawn(move || {
            thinker.decide(&Clocks::default(), &Cancel::new(), &mut |_| *thoughts += 1);
            thinker
        });
        let board = table.draw(Seat::SECOND, Ink { ascii: true, colour: false });
        assert!(matches!(table.thinker(Seat::FIRST), Err(ApiError::Thinking { seat: Seat::FIRST })));
        assert!(matches!(table.act(Seat::FIRST, "4"), Err(ApiError::Thinking { .. })));
        assert!(matches!(table.undo(), Err(ApiError::Thinking { .. })));
        (thinking.join().unwrap(), board)
    });
    assert!(board.contains('1') && thoughts > 0);
    let action = table.commit(thinker).unwrap().unwrap();
    assert_eq!(table.sights(Seat::SECOND).last().unwrap().1, action);
    assert_eq!(table.phase(), Phase::Decide(Seat::SECOND));
}

#[test]
fn two_steps_decide_as_one_does() {
    for game in ["dominoes(rules=myers)", "minesweeper", "darkchess"] {
        let agent = if game == "darkchess" { "mcts(sims=50)" } else { "ismcts(sims=50)" };
        let agents = [Some(agent), (game != "minesweeper").then_some(agent)];
        let [mut one, mut two] = [table(game, agents), table(game, agents)];
        while let phase @ (Phase::Decide(_) | Phase::Chance) = one.phase() {
            if let Phase::Decide(seat) = phase {
                let mut thinker = two.thinker(seat).unwrap();
                // A decision that is cancelled, and beliefs that are asked for, leave no trace.
                thinker.decide(&Clocks::default(), &Cancel::cancelled(), &mut |_| {});
                assert_eq!(two.commit(thinker).unwrap(), None);
                let mut thinker = two.thinker(seat).unwrap();
                thinker.beliefs(&Cancel::new());
                two.commit(thinker).unwrap();
                break;
            }
            assert!(one.chance().unwrap() && two.chance().unwrap());
        }
        let [mut one, mut two] = [table(game, agents), table(game, agents)];
        while one.phase() != Phase::Over {
            if let Phase::Decide(seat) = one.phase() {
                let action = one.agent_act().unwrap();
                let mut thinker = two.thinker(seat).unwrap();
                thinker.decide(&Clocks::default(), &Cancel::new(), &mut |_| {});
                assert_eq!(two.commit(thinker).unwrap().as_deref(), Some(action.as_str()), "{game}");
            } else {
                assert!(one.chance().unwrap() && two.chance().unwrap());
            }
        }
        assert_eq!(one.payoffs(), two.payoffs());
    }
}

#[test]
fn a_thinker_belongs_to_one_position_of_one_table() {
    let mut table_one = table("tictactoe", [Some("random"), None]);
    let mut table_two = table("tictactoe", [Some("random"), None]);
    let thinker = table_one.thinker(Seat::FIRST).unwrap();
    let error = table_two.commit(thinker).unwrap_err();
    assert_eq!(error, ApiError::ForeignThinker { seat: Seat::FIRST });
    assert_eq!(error.kind(), ErrorKind::Conflict);
    let other_game = table("connect", [Some("random"), None]).thinker(Seat::FIRST).unwrap();
    assert!(table_two.commit(other_game).is_err());
}

#[test]
fn only_the_seat_to_move_acts() {
    let mut table = table("tictactoe", [None, None]);
    let wrong = table.act(Seat::SECOND, "a1").unwrap_err();
    assert_eq!((wrong.kind(), wrong), (ErrorKind::Conflict, ApiError::OtherSeatToMove { seat: Seat::FIRST }));
    table.act(Seat::FIRST, "a1").unwrap();
    assert!(matches!(table.act(Seat::SECOND, "a1"), Err(ApiError::Read(_))));
    assert!(matches!(table.thinker(Seat::SECOND), Err(ApiError::EmptySeat { seat: Seat::SECOND })));
    assert!(matches!(table.thinker(Seat(2)), Err(ApiError::NoSuchSeat { seat: Seat(2), .. })));
}
