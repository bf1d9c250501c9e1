//! Thinking about one position, through the dynamic API.

use std::time::Duration;

use parlor_core::api::{AgentEntry, AnyGame, ApiError, Hosted, Make, Question};
use parlor_core::{
    Agent, Beliefs, Cancel, Certainty, Clock, Considered, Context, Decision, Entry, Game, Phase, Seat,
    Settings, Spec, SpecError, Thought,
};
use parlor_games::tictactoe::TicTacToe;

/// Thinks aloud, one action after the other, and would go on for ever unless it is told to stop.
struct Aloud {
    endless: bool,
}

impl<G: Game> Agent<G> for Aloud {
    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let mut depth = 0;
        loop {
            depth += 1;
            let best = *context.rng.choose(decision.actions);
            context.reporter.report(&Thought {
                depth,
                nodes: u64::from(depth),
                counts: "nodes",
                elapsed: Duration::ZERO,
                value: 1.0,
                unit: "points",
                certainty: Certainty::Guess,
                end_in: None,
                line: vec![best],
                moves: vec![Considered { action: best, value: 1.0, certainty: Certainty::Guess, visits: 1 }],
            });
            let stopped = context.cancel.is_some_and(Cancel::is_cancelled);
            if stopped || !self.endless && depth == 3 {
                return best;
            }
        }
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, _: &mut Context<'_, G>) -> Option<Beliefs> {
        let odds = vec![("everything".to_owned(), vec![1.0])];
        Some(Beliefs {
            places: vec!["here".to_owned()],
            odds,
            basis: format!("{}", decision.seat),
            types: Vec::new(),
            sample_size: None,
        })
    }
}

fn hosted() -> Hosted<TicTacToe> {
    let settings = Settings::read(&Spec::parse("tictactoe").unwrap(), TicTacToe::KEYS).unwrap();
    let entry = |name, make| AgentEntry { name, summary: "for tests", keys: &[], make, policy: None };
    let roster = vec![
        entry("teller", Make::Agent(|_| Ok(Box::new(Aloud { endless: false })))),
        entry("endless", Make::Agent(|_| Ok(Box::new(Aloud { endless: true })))),
    ];
    Hosted::new(TicTacToe::open(&settings).unwrap(), roster)
}

fn question<'a>(agent: &'a str, position: Option<&'a str>, stop: &'a Cancel) -> Question<'a> {
    Question {
        agent,
        position,
        moves: "",
        plies: None,
        seat: None,
        seed: 7,
        clock: Clock::default(),
        beliefs: true,
        cancel: stop,
    }
}

#[test]
fn thoughts_are_told_as_text_and_repeat_themselves() {
    let stop = Cancel::new();
    let ask = |seed| {
        let mut told = Vec::new();
        let question = Question { seed, ..question("teller", Some(".X./O.X/.XO"), &stop) };
        let analysis = hosted().analyse(&question, &mut |thought| told.push(thought.clone())).unwrap();
        (told, analysis)
    };
    let (told, analysis) = ask(7);
    assert_eq!(told.iter().map(|thought| thought.depth).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(told[2].line, std::slice::from_ref(&analysis.best));
    assert_eq!((analysis.seat, analysis.agent.as_str()), (Seat(1), "teller"));
    assert!(["a1", "c1", "b2", "a3"].contains(&analysis.best.as_str()), "{}", analysis.best);
    assert_eq!(analysis.beliefs.as_ref().unwrap().basis, "1");
    assert_eq!(ask(7), (told, analysis), "equal seeds, equal thoughts");
    assert!((0..20).any(|seed| ask(seed).0[0].line != ask(7).0[0].line), "other seeds, other thoughts");
}

#[test]
fn a_search_without_end_is_stopped() {
    let stop = Cancel::new();
    let mut thoughts = 0;
    let analysis = hosted()
        .analyse(&question("endless", None, &stop), &mut |_| {
            thoughts += 1;
            if thoughts == 50 {
                stop.cancel();
            }
        })
        .unwrap();
    assert_eq!((thoughts, analysis.seat), (50, Seat(0)));
}

#[test]
fn what_cannot_be_asked_is_a_typed_error() {
    let stop = Cancel::new();
    let error =
        |game: &dyn AnyGame, question: &Question<'_>| game.analyse(question, &mut |_| {}).unwrap_err();
    let game = hosted();
    let misspelt = error(&game, &question("tellr", None, &stop));
    assert!(matches!(misspelt, ApiError::Spec(SpecError::Name { .. })), "{misspelt}");
    let unread = error(&game, &question("teller", Some("XX"), &stop));
    assert!(matches!(unread, ApiError::Read(_)), "{unread}");
    let full = question("teller", Some("XXO/OOX/XOX"), &stop);
    assert_eq!(error(&game, &full), ApiError::Over { plies: None });
    let other = Question { seat: Some(Seat(1)), ..question("teller", None, &stop) };
    assert_eq!(error(&game, &other), ApiError::OtherSeatToMove { seat: Seat(0) });
    let mines = parlor_catalog::open("minesweeper").unwrap();
    let other = Question { seat: Some(Seat(1)), ..question("random", None, &stop) };
    assert_eq!(error(&*mines, &other), ApiError::NoSuchSeat { game: "minesweeper", seat: Seat(1) });
    let won = parlor_catalog::open("minesweeper(mines=1)").unwrap();
    assert_eq!(error(&*won, &question("random", Some("1#1/111/000"), &stop)), ApiError::NobodyToMove);
}

/// An agent of an analysis sees what the agent of the match saw: it answers as it did in the match.
#[test]
fn a_played_game_is_taken_up_anywhere() {
    let stop = Cancel::new();
    for spec in ["connect", "tictactoe", "checkers", "minesweeper", "dominoes(rules=myers)", "darkchess"] {
        let game = parlor_catalog::open(spec).unwrap();
        let mut table = game.table(11, None).unwrap();
        for seat in (0..game.seats()).map(Seat) {
            table.seat_agent(seat, "random").unwrap();
        }
        let names = vec!["random".to_owned(); usize::from(game.seats())];
        let mut decisions = Vec::new();
        while table.payoffs().is_none() {
            if !table.chance().unwrap() {
                let Phase::Decide(seat) = table.phase() else { panic!("a game goes on or is over") };
                let done = table.saved(&names).moves.split_whitespace().count();
                decisions.push((done, seat, table.actions().len()));
                table.agent_act().unwrap();
            }
        }
        let moves = table.saved(&names).moves;
        for &(plies, seat, legal) in decisions.iter().step_by(3) {
            let asked = Question { moves: &moves, plies: Some(plies), ..question("random", None, &stop) };
            let analysis = game.analyse(&asked, &mut |_| {}).unwrap();
            assert_eq!((analysis.seat, analysis.legal), (seat, legal), "{spec}, ply {plies} of {moves}");
        }
        let over = Question { moves: &moves, ..question("random", None, &stop) };
        let error = game.analyse(&over, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("the game is over"), "{spec}: {error}");
    }
}

#[test]
fn only_the_view_of_the_seat_to_move_is_used() {
    let stop = Cancel::new();
    let game = parlor_catalog::open("dominoes(rules=myers, lead=free)").unwrap();
    let best = |agent, position| {
        let question = question(agent, Some(position), &stop);
        game.analyse(&question, &mut |_| {}).unwrap()
    };
    let needs_more = ["cmd", "nash"];
    for agent in game.agents().iter().filter(|agent| !needs_more.contains(&agent.name) && !agent.sees_all) {
        let one = best(agent.name, "00 01 02 | 03 11 12 | 13 22 23 33");
        let two = best(agent.name, "00 01 02 | 13 22 33 | 03 11 12 23");
        assert_eq!(one, two, "{} peeks", agent.name);
    }
    let mines = parlor_catalog::open("minesweeper").unwrap();
    let question = question("random", Some("###/#2#/###"), &stop);
    assert!(mines.analyse(&question, &mut |_| {}).unwrap().best.len() == 2, "a view is a position, too");
}
