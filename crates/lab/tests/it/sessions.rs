//! Sessions at a table: turns, clocks, thinking elsewhere, taking back, saving, learning.

use std::fs;
use std::path::PathBuf;
use std::thread;

use parlor_core::api::ApiError;
use parlor_core::files::saved::{SavedEnding, SavedGame};
use parlor_core::{Cancel, Fault, Ink, Phase, Seat, TimeControl};
use parlor_lab::run::TrainingRun;
use parlor_lab::session::{
    Decided, Occupant, Session, SessionEnd, SessionError, SessionSetup, Turn, Worth, WrittenBack,
};
use parlor_lab::training::Request;

const ME: Seat = Seat(0);

fn setup(agent: &str) -> SessionSetup {
    SessionSetup {
        seed: 5,
        position: None,
        seats: vec![Occupant::Person("me".to_owned()), Occupant::Agent(agent.to_owned())],
        time: TimeControl::default(),
        ponder: false,
        autosave: None,
    }
}

fn session(game: &str, setup: &SessionSetup) -> Session {
    Session::new(&*parlor_catalog::open(game).unwrap(), setup).unwrap()
}

/// Lets the agent to move decide.
fn answer(session: &mut Session) -> Decided {
    let mut thinking = session.begin_decision().unwrap();
    thinking.decide(&Cancel::new(), &mut |_| {});
    session.commit(thinking).unwrap()
}

/// Plays to the end; the person takes the first action there is.
fn finish(session: &mut Session) -> SessionEnd {
    loop {
        match session.turn().unwrap() {
            Turn::Over(end) => return end,
            Turn::Agent(_) => drop(answer(session)),
            Turn::Person(seat) => {
                let first = session.table().actions()[0].clone();
                session.act(seat, &first).unwrap();
            }
        }
    }
}

#[test]
fn a_match_is_played_to_its_end_and_saved_as_it_goes() {
    for game in ["tictactoe", "dominoes(rules=myers)", "darkchess(draw=20)"] {
        let folder = tempfile::tempdir().unwrap();
        let [now, all] = ["now.jsonl", "all.jsonl"].map(|name| folder.path().join(name));
        let mut session = session(game, &SessionSetup { autosave: Some(now.clone()), ..setup("random") });
        let read = || SavedGame::parse(fs::read_to_string(&now).unwrap().trim_end()).unwrap();
        assert_eq!(read().ending, SavedEnding::Unfinished);
        session.turn().unwrap();
        let mut actions = 0;
        while let Turn::Person(_) | Turn::Agent(_) = session.turn().unwrap() {
            assert_eq!(read(), session.saved(), "{game}, action {actions}");
            if session.turn().unwrap() == Turn::Person(ME) {
                let first = session.table().actions()[0].clone();
                assert!(matches!(session.act(ME, &first), Ok(Decided::Moved(_))));
            } else {
                assert!(matches!(answer(&mut session), Decided::Moved(_)));
            }
            actions += 1;
        }
        assert!(actions > 3);
        let Turn::Over(SessionEnd::Finished(payoffs)) = session.turn().unwrap() else { panic!("{game}") };
        assert_eq!((read().payoffs, read().ending), (Some(payoffs), SavedEnding::Finished));
        assert_eq!(session.names(), ["me", "random"]);
        session.save(&all).unwrap();
        session.save(&all).unwrap();
        assert_eq!(fs::read_to_string(&all).unwrap(), fs::read_to_string(&now).unwrap().repeat(2));
    }
}

#[test]
fn an_agent_thinks_elsewhere_while_the_table_is_looked_at() {
    let mut session = session("connect", &setup("alphabeta(depth=4)"));
    assert_eq!(session.turn().unwrap(), Turn::Person(ME));
    assert!(matches!(session.begin_decision(), Err(SessionError::Api(ApiError::EmptySeat { seat: ME }))));
    session.act(ME, "6").unwrap();
    let mut thinking = session.begin_decision().unwrap();
    let before = session.table().draw(ME, Ink::default());
    let (mut thinking, thoughts) = thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let mut thoughts = 0;
            thinking.decide(&Cancel::new(), &mut |_| thoughts += 1);
            (thinking, thoughts)
        });
        assert_eq!(session.table().phase(), Phase::Decide(Seat(1)));
        assert_eq!(session.table().draw(ME, Ink::default()), before);
        assert!(matches!(session.act(ME, "6"), Err(SessionError::Api(_))), "its agent is away");
        worker.join().unwrap()
    });
    assert!(thoughts > 0);
    // A decision that is taken back to nothing leaves the table as it was.
    thinking.decide(&Cancel::cancelled(), &mut |_| {});
    assert_eq!(thinking.seat(), Seat(1));
    let decided = session.commit(thinking).unwrap();
    assert_eq!(decided, Decided::Cancelled);
    assert_eq!(session.table().draw(ME, Ink::default()), before);
    assert!(matches!(answer(&mut session), Decided::Moved(_)));
    assert_eq!(session.turn().unwrap(), Turn::Person(ME));
}

#[test]
fn an_agent_ponders_on_a_persons_time() {
    let mut session = session("connect", &setup("mcts(sims=50)"));
    session.turn().unwrap();
    assert!(session.begin_pondering(ME).unwrap().is_none(), "a person sits there");
    let mut thinking = session.begin_pondering(Seat(1)).unwrap().unwrap();
    let stop = Cancel::new();
    thread::scope(|scope| {
        scope.spawn(|| thinking.ponder(&stop));
        stop.cancel();
    });
    assert_eq!(session.commit(thinking).unwrap(), Decided::Cancelled);
    assert!(matches!(session.act(ME, "1"), Ok(Decided::Moved(_))));
    assert!(matches!(answer(&mut session), Decided::Moved(_)));
}

#[test]
fn late_players_forfeit() {
    let late = SessionSetup { time: "0.000001ms".parse().unwrap(), ..setup("random") };
    let mut session = session("tictactoe", &late);
    assert_eq!(session.turn().unwrap(), Turn::Person(ME));
    let at = session.deadline().expect("the time is limited");
    while std::time::Instant::now() < at {
        thread::yield_now();
    }
    let Decided::Forfeit(forfeit) = session.act(ME, "a1").unwrap() else { panic!("too late") };
    assert_eq!((forfeit.seat, &forfeit.why), (ME, &Fault::Overran));
    assert_eq!(session.turn().unwrap(), Turn::Over(SessionEnd::Forfeit(forfeit)));
    assert!(matches!(session.act(ME, "a1"), Err(SessionError::Over)));
    assert_eq!(session.table().saved(session.names()).ending.forfeit(), Some(ME));

    let agents = vec![Occupant::Agent("random".to_owned()); 2];
    let mut session = self::session("tictactoe", &SessionSetup { seats: agents, ..late });
    let mut thinking = session.begin_decision().unwrap();
    thread::sleep(std::time::Duration::from_millis(20));
    thinking.decide(&Cancel::new(), &mut |_| {});
    let Decided::Forfeit(forfeit) = session.commit(thinking).unwrap() else { panic!("too late") };
    assert_eq!((forfeit.seat, forfeit.why), (Seat(0), Fault::Overran));
}

#[test]
fn a_person_takes_a_move_back() {
    let mut session = session("tictactoe", &setup("random"));
    session.turn().unwrap();
    assert!(matches!(session.undo(ME), Err(SessionError::NothingToUndo)));
    let start = session.table().draw(ME, Ink::default());
    session.act(ME, "b2").unwrap();
    answer(&mut session);
    session.undo(ME).unwrap();
    assert_eq!(session.turn().unwrap(), Turn::Person(ME));
    assert_eq!(session.table().draw(ME, Ink::default()), start);
    let mut hidden = self::session("dominoes(rules=myers)", &setup("random"));
    while hidden.table().sights(ME).iter().all(|(actor, _)| *actor != parlor_core::Actor::Seat(ME)) {
        match hidden.turn().unwrap() {
            Turn::Person(_) => {
                let first = hidden.table().actions()[0].clone();
                hidden.act(ME, &first).unwrap();
            }
            _ => drop(answer(&mut hidden)),
        }
    }
    assert!(matches!(hidden.undo(ME), Err(SessionError::Api(ApiError::HiddenUndo { .. }))));
}

#[test]
fn what_a_learner_learns_at_the_table_is_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("learner.parlor");
    let game = parlor_catalog::open("tictactoe").unwrap();
    let request = Request { memory_mb: 16, ..Request::plain("collective", "self", [1, 20], 1) };
    TrainingRun::new(&*game, &request, &file, false).unwrap().run(&Cancel::new(), &mut |_| ()).unwrap();
    let before = fs::read(&file).unwrap();
    let of_file = |more: &str| setup(&format!("collective(file={}{more})", file.display()));

    let mut frozen = session("tictactoe", &of_file(""));
    finish(&mut frozen);
    assert_eq!(frozen.write_back(Seat(1)).unwrap(), None);
    assert_eq!(frozen.write_back(ME).unwrap(), None, "a person is no learner");
    assert!(fs::read(&file).unwrap() == before);

    let mut learning = session("tictactoe", &of_file(", learning=on"));
    finish(&mut learning);
    assert_eq!(learning.write_back(Seat(1)).unwrap(), Some(WrittenBack::To(file.clone())));
    assert!(fs::read(&file).unwrap() != before);

    let mut fresh = session("tictactoe", &setup("collective(learning=on)"));
    finish(&mut fresh);
    assert_eq!(fresh.write_back(Seat(1)).unwrap(), Some(WrittenBack::Nowhere));
}

#[test]
fn players_must_fit_the_game() {
    let game = parlor_catalog::open("minesweeper").unwrap();
    let error = Session::new(&*game, &setup("random")).err().unwrap();
    assert!(matches!(error, SessionError::Seats { seats: 1, players: 2, .. }));
}

/// Plays on; the person takes the last action there is. Stops after this many decisions of all seats.
fn play_on(session: &mut Session, decisions: usize) -> bool {
    for _ in 0..decisions {
        match session.turn().unwrap() {
            Turn::Over(_) => return true,
            Turn::Agent(_) => drop(answer(session)),
            Turn::Person(seat) => {
                let last = session.table().actions().pop().unwrap();
                session.act(seat, &last).unwrap();
            }
        }
    }
    matches!(session.turn().unwrap(), Turn::Over(_))
}

#[test]
fn a_resumed_match_goes_on_as_if_it_had_never_been_interrupted() {
    let cases = [
        ("tictactoe", "random"),
        ("darkchess(draw=20)", "random"),
        ("dominoes(target=30)", "expert"),
        ("dominoes(rules=myers)", "random"),
        ("checkers(rows=6, columns=6)", "alphabeta(depth=2)"),
        ("connect(width=5, height=4)", "mcts(sims=20, reuse=off)"),
        ("tictactoe", "collective(file=shipped)"),
    ];
    for (game, agent) in cases {
        let opened = parlor_catalog::open(game).unwrap();
        let mut whole = session(game, &setup(agent));
        assert!(play_on(&mut whole, usize::MAX));
        for cut in [0, 1, 4, 9] {
            let mut left = session(game, &setup(agent));
            if play_on(&mut left, cut) {
                continue;
            }
            let line = SavedGame::parse(&left.saved().line()).unwrap();
            let mut resumed = Session::resume(&*opened, &line, None).unwrap();
            assert_eq!(resumed.saved(), left.saved(), "{game}, {agent}, {cut}");
            assert!(play_on(&mut resumed, usize::MAX));
            assert_eq!(resumed.saved(), whole.saved(), "{game}, {agent}, {cut}");
        }
    }
}

#[test]
fn what_was_taken_back_stays_taken_back_after_a_break() {
    let opened = parlor_catalog::open("darkchess(draw=20)").unwrap();
    let mut left = session("darkchess(draw=20)", &setup("random"));
    play_on(&mut left, 4);
    left.undo(ME).unwrap();
    let mut resumed = Session::resume(&*opened, &left.saved(), None).unwrap();
    assert_eq!(resumed.turn().unwrap(), Turn::Person(ME));
    for session in [&mut left, &mut resumed] {
        play_on(session, usize::MAX);
    }
    assert_eq!(resumed.saved(), left.saved());
}

#[test]
fn clocks_go_on_where_they_stood() {
    let opened = parlor_catalog::open("tictactoe").unwrap();
    let clocked = SessionSetup { time: "2/5m+1s".parse().unwrap(), ponder: true, ..setup("random") };
    let mut left = session("tictactoe", &clocked);
    play_on(&mut left, 6);
    let resumed = Session::resume(&*opened, &left.saved(), None).unwrap();
    let shown = |session: &Session| Seat::all(2).map(|seat| session.clocks().shown(seat)).collect::<Vec<_>>();
    let drift = |(a, b): (&Option<std::time::Duration>, &Option<std::time::Duration>)| {
        a.unwrap().abs_diff(b.unwrap()) < std::time::Duration::from_millis(1)
    };
    assert!(shown(&left).iter().zip(&shown(&resumed)).all(drift), "{:?} {:?}", shown(&left), shown(&resumed));
    assert!(shown(&left)[0] > "5m".parse::<TimeControl>().unwrap().total, "a second period has begun");
    assert!(resumed.ponder());
}

#[test]
fn ended_and_impossible_matches_are_not_resumed() {
    let opened = parlor_catalog::open("tictactoe").unwrap();
    let mut whole = session("tictactoe", &setup("random"));
    let early = whole.saved();
    finish(&mut whole);
    let error = Session::resume(&*opened, &whole.saved(), None).err().unwrap();
    assert_eq!(error.to_string(), "the match cannot be resumed: finished");
    let wrong = SavedGame { moves: "a1 a1".to_owned(), ..early.clone() };
    let error = Session::resume(&*opened, &wrong, None).err().unwrap();
    assert_eq!(error.to_string(), "move 2 of the saved match");
    let crowded = SavedGame { seats: vec!["you".to_owned(); 3], ..early.clone() };
    assert!(matches!(Session::resume(&*opened, &crowded, None), Err(SessionError::Seats { .. })));
    // Lines of older versions tell people by their name.
    let old = SavedGame { seats: vec!["random".to_owned(), "you".to_owned()], table: None, ..early };
    let mut resumed = Session::resume(&*opened, &old, None).unwrap();
    assert_eq!(resumed.turn().unwrap(), Turn::Agent(ME));
}

#[test]
fn a_resumed_match_takes_the_place_of_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let opened = parlor_catalog::open("tictactoe").unwrap();
    let mut one = session("tictactoe", &setup("random"));
    play_on(&mut one, 2);
    assert_eq!(one.save(&file).unwrap(), 1);
    let other = session("tictactoe", &setup("random"));
    assert_eq!(other.save(&file).unwrap(), 2);
    let line = one.saved();
    let mut resumed = Session::resume(&*opened, &line, None).unwrap();
    play_on(&mut resumed, usize::MAX);
    assert_eq!(resumed.save_over(&file, 1, &line).unwrap(), 1);
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<SavedGame> = text.lines().map(|line| SavedGame::parse(line).unwrap()).collect();
    assert_eq!(lines, [resumed.saved(), other.saved()]);
    assert_eq!(resumed.save_over(&file, 2, &line).unwrap(), 3, "that line is another match");
}

#[test]
fn hints_are_exact_where_a_solver_answers_at_once() {
    let cancel = Cancel::new();
    let opened = parlor_catalog::open("tictactoe").unwrap();
    let mut session = session("tictactoe", &setup("random"));
    session.turn().unwrap();
    let hint = session.hint(&*opened, ME, "mcts(sims=10)", false, &cancel).unwrap();
    let Worth::Exact(exact) = hint.worth else { panic!("{hint:?}") };
    assert_eq!(exact.values.len(), 9);
    assert!(exact.values.is_sorted_by(|a, b| a.1 >= b.1));
    let asked = session.hint(&*opened, ME, "mcts(sims=10)", true, &cancel).unwrap();
    assert!(matches!(asked.worth, Worth::Thought { thought: Some(_), .. }), "{asked:?}");
    assert!(session.hint(&*opened, ME, "nobody", true, &cancel).is_err());
    assert!(
        session.hint(&*opened, Seat(1), "random", true, &cancel).is_err(),
        "the other seat is not to move"
    );
}

/// Two deals that look alike to the person get the same hint, whatever the other hand holds.
#[test]
fn hints_come_from_what_the_seat_may_know() {
    let game = "dominoes(rules=myers, lead=free)";
    let opened = parlor_catalog::open(game).unwrap();
    let hint = |position: &str| {
        let setup = SessionSetup { position: Some(position.to_owned()), ..setup("random") };
        let mut session = session(game, &setup);
        assert_eq!(session.turn().unwrap(), Turn::Person(ME));
        session.hint(&*opened, ME, "pimc(nodes=2000)", false, &Cancel::new()).unwrap()
    };
    let [one, other] = ["33 12 01 | 00 02 03 | 11 13 22 23", "33 12 01 | 13 22 23 | 00 02 03 11"].map(hint);
    let parts = |hint: &parlor_lab::session::Hint| match &hint.worth {
        Worth::Thought { best, thought: Some(thought), .. } => (best.clone(), thought.moves.clone()),
        other => panic!("{other:?}: hidden hands have no exact values"),
    };
    assert_eq!(parts(&one), parts(&other));
    assert!(one.beliefs.is_some());
    assert_eq!(one.beliefs, other.beliefs);
}
