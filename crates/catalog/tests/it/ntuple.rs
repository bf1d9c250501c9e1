//! The learner `ntuple` at real games: it learns, alone and from others, and equal plans give equal bytes.

use std::path::PathBuf;

use parlor_core::api::{AnyTeam, Question};
use parlor_core::files::knowledge::{About, Knowledge};
use parlor_core::play::training::TrainingMatch;
use parlor_core::rng::fork;
use parlor_core::{Cancel, Clock, Seat, SelfPlay};

const SMALL: &str = "connect(width=5, height=4, row=3)";

/// Member 0 learns, member 1 is `random`.
fn seat(game: &str, learner: &str) -> Box<dyn AnyTeam> {
    parlor_catalog::open(game).unwrap().team(&[learner, "random"]).unwrap()
}

fn save(team: &mut dyn AnyTeam) -> Vec<u8> {
    let mut bytes = Vec::new();
    team.learner(0).unwrap().save(&mut bytes).unwrap();
    bytes
}

fn play_itself(team: &mut dyn AnyTeam, first: u64, matches: u64, threads: usize) -> Vec<[f64; 2]> {
    let mut learner = team.learner(0).unwrap();
    learner.freeze(false);
    let rows = learner.self_play(&SelfPlay { seed: 3, first, matches, threads }, &Cancel::new()).unwrap();
    learner.freeze(true);
    rows.iter().map(|row| row.payoffs.0).collect()
}

/// Points a match against `random`, a draw counts half.
fn score(team: &mut dyn AnyTeam, learning: bool, matches: u64) -> f64 {
    team.learner(0).unwrap().freeze(!learning);
    let points = (0..matches).map(|number| {
        let own = Seat((number % 2) as u8);
        let seating = if own == Seat::FIRST { [0, 1] } else { [1, 0] };
        let seed = fork(77, number);
        let row =
            team.train_match(&TrainingMatch { seating: &seating, chance: seed, agent_seed: fork(seed, 1) });
        0.5 + 0.5 * (row.payoffs[own] - row.payoffs[own.other()]).clamp(-1.0, 1.0)
    });
    points.sum::<f64>() / matches as f64
}

#[test]
fn it_learns_from_itself() {
    let mut team = seat(SMALL, "ntuple");
    let before = score(&mut *team, false, 1_000);
    play_itself(&mut *team, 0, 10_000, 1);
    let after = score(&mut *team, false, 1_000);
    assert!(after > before + 0.1, "{before} without knowledge, {after} after 10,000 matches");
}

#[test]
fn it_learns_from_others() {
    let mut team = seat(SMALL, "ntuple(learning=on)");
    let before = score(&mut *team, false, 1_000);
    score(&mut *team, true, 5_000);
    let after = score(&mut *team, false, 1_000);
    assert!(after > before + 0.1, "{before} without knowledge, {after} after 5,000 matches against random");
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let whole = |threads| {
        let mut team = seat("connect(width=7, height=6)", "ntuple(batch=50)");
        let rows = play_itself(&mut *team, 0, 300, threads);
        (rows, save(&mut *team))
    };
    let (rows, bytes) = whole(1);
    assert_eq!(rows.len(), 300);
    assert!(whole(3) == (rows.clone(), bytes.clone()), "with three threads");

    let mut team = seat("connect(width=7, height=6)", "ntuple(batch=50)");
    let mut resumed_rows = play_itself(&mut *team, 0, 100, 2);
    let half = save(&mut *team);
    let mut team = seat("connect(width=7, height=6)", "ntuple(batch=50)");
    team.learner(0).unwrap().load(&mut &half[..]).unwrap();
    resumed_rows.extend(play_itself(&mut *team, 100, 200, 1));
    assert!((resumed_rows, save(&mut *team)) == (rows, bytes), "resumed from a file");
}

#[test]
fn rounded_tables_play_alike_and_foreign_ones_are_refused() {
    let mut team = seat(SMALL, "ntuple");
    play_itself(&mut *team, 0, 5_000, 2);
    let exact = score(&mut *team, false, 500);
    let mut rounded = Vec::new();
    team.learner(0).unwrap().save_to_play(&mut rounded).unwrap();
    assert!(rounded.len() * 3 < save(&mut *team).len());
    let mut other = seat(SMALL, "ntuple");
    other.learner(0).unwrap().load(&mut &rounded[..]).unwrap();
    let played = score(&mut *other, false, 500);
    assert!((exact - played).abs() < 0.05, "{exact} and {played}");

    for (game, learner) in [("connect(width=5, height=5, row=3)", "ntuple"), (SMALL, "ntuple(layout=small)")]
    {
        let mut team = seat(game, learner);
        let error = team.learner(0).unwrap().load(&mut &rounded[..]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it was learnt under rules or with a layout whose entries mean something else"
        );
    }
    let mut team = seat(SMALL, "ntuple");
    for cut in [0, 1, 4, 9, 20] {
        assert!(team.learner(0).unwrap().load(&mut &rounded[..cut]).is_err(), "cut at {cut}");
    }
}

/// What an agent says of the first position.
fn value(game: &str, agent: &str) -> String {
    let question = Question {
        agent,
        position: None,
        moves: "",
        plies: None,
        seat: None,
        seed: 1,
        clock: Clock::default(),
        beliefs: false,
        cancel: &Cancel::new(),
    };
    let mut value = String::new();
    let game = parlor_catalog::open(game).unwrap();
    game.analyse(&question, &mut |best| value = format!("{}", best.value)).unwrap();
    value
}

/// Writes what a learner with these settings knows after some matches against itself.
fn learnt(settings: &str, name: &str) -> (Knowledge, PathBuf) {
    let mut team = seat(SMALL, settings);
    play_itself(&mut *team, 0, 20_000, 2);
    let about = About::new(
        parlor_catalog::open(SMALL).unwrap().spec(),
        team.spec(0).replace(", learning=off", ""),
        3,
    );
    let knowledge = Knowledge { about, payload: save(&mut *team) };
    let file = std::env::temp_dir().join(format!("parlor-{name}-{}.parlor", std::process::id()));
    knowledge.write(&file).unwrap();
    (knowledge, file)
}

/// Looking ahead it plays as `alphabeta` does with its values; one ply ahead it does not. The file says how far.
#[test]
fn it_looks_ahead_as_alphabeta_does() {
    let (_, file) = learnt("ntuple(plies=4)", "ntuple-ahead");
    let place = file.display();
    let game = parlor_catalog::open(SMALL).unwrap();
    let plays = |agent: &str| {
        let positions = ["", "3", "33", "333", "3332", "15", "154", "2431", "1122", "54321"];
        let answer = |position: &&str| {
            let mut table = game.table(1, Some(position)).unwrap();
            table.seat_agent(Seat((position.len() % 2) as u8), agent).unwrap();
            table.agent_act().unwrap()
        };
        positions.iter().map(answer).collect::<Vec<String>>()
    };
    let four = plays(&format!("alphabeta(depth=4, evaluation={place})"));
    assert_eq!(plays(&format!("ntuple(file={place})")), four);
    assert_eq!(plays(&format!("ntuple(file={place}, plies=4)")), four);
    let two = plays(&format!("alphabeta(depth=2, evaluation={place})"));
    assert_eq!(plays(&format!("ntuple(file={place}, plies=2)")), two);
    assert_ne!(plays(&format!("ntuple(file={place}, plies=1)")), four);
    std::fs::remove_file(&file).unwrap();

    // Where there is no search there is no such key.
    let error = parlor_catalog::open("dominoes").unwrap().team(&["ntuple(plies=2)", "random"]).err();
    assert!(error.expect("hidden hands").to_string().contains("plies"));
}

/// A learner that looks ahead learns as one that does not: byte for byte, also after it has played.
#[test]
fn looking_ahead_changes_nothing_in_what_it_learns() {
    let train = |settings: &str, between: u64| {
        let mut team = seat(SMALL, settings);
        play_itself(&mut *team, 0, 300, 1);
        score(&mut *team, false, between);
        play_itself(&mut *team, 300, 300, 1);
        save(&mut *team)
    };
    assert!(train("ntuple", 0) == train("ntuple(plies=3)", 10));
}

/// Searches take the values of a table, at the game that it was learnt at, and full forms say which one it was.
#[test]
fn searches_use_learnt_values() {
    let (knowledge, file) = learnt("ntuple", "ntuple");
    let place = file.display();

    // Two plies with learnt values against two plies without.
    let learnt = format!("alphabeta(depth=2, evaluation={place})");
    let game = parlor_catalog::open(SMALL).unwrap();
    let checksum = format!("{:08x}", knowledge.checksum());
    assert!(game.agent_spec(&learnt).unwrap().contains(&format!("evaluation_checksum={checksum}")));
    assert_ne!(value(SMALL, &learnt), value(SMALL, "alphabeta(depth=2)"), "the values are other ones");
    let other = parlor_catalog::open("connect(width=5, height=5, row=3)").unwrap();
    for agent in [learnt, format!("mcts(sims=10, evaluation={place})")] {
        assert!(game.team(&[&agent, "random"]).is_ok(), "{agent}");
        let error = other.team(&[&agent, "random"]).err().expect("another board").to_string();
        assert!(error.contains("evaluation"), "{error}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// Searches take what `columns(rule=td)` thinks of boards, and refuse the printed rule, whose weights judge columns.
#[test]
fn searches_use_weights_of_columns() {
    let file = std::env::temp_dir().join(format!("parlor-columns-{}.parlor", std::process::id()));
    let agent = |search: &str| format!("{search}, evaluation={})", file.display());
    for (rule, is_taken) in [("td", true), ("printed", false)] {
        let mut team = seat(SMALL, &format!("columns(rule={rule}, learning=on)"));
        let before = save(&mut *team);
        score(&mut *team, true, 20);
        let payload = save(&mut *team);
        assert_ne!(payload, before, "it has learnt");
        let spec = team.spec(0).replace(", learning=on", "");
        let about = About::new(parlor_catalog::open(SMALL).unwrap().spec(), spec, 3);
        Knowledge { about, payload }.write(&file).unwrap();
        let game = parlor_catalog::open(SMALL).unwrap();
        for search in ["alphabeta(depth=2", "mcts(sims=10"] {
            let said = game.team(&[&agent(search), "random"]).err().map(|error| error.to_string());
            assert_eq!(said.is_none(), is_taken, "{search}, {rule}: {said:?}");
        }
        if is_taken {
            assert_ne!(value(SMALL, &agent("alphabeta(depth=2")), value(SMALL, "alphabeta(depth=2)"));
        }
    }
    std::fs::remove_file(&file).unwrap();
}

/// The shipped tables play, by themselves and inside a search; other boards have none.
#[test]
fn shipped_tables_play() {
    let games = [
        ("connect", 0.95),
        ("connect(width=7, height=6)", 0.95),
        ("tictactoe", 0.7),
        ("tictactoe(rows=5, columns=5)", 0.95),
        ("checkers", 0.95),
    ];
    for (game, least) in games {
        let mut team = seat(game, "ntuple(file=shipped, plies=1)");
        let won = score(&mut *team, false, 200);
        assert!(won > least, "{won} against random at {game}");
        let opened = parlor_catalog::open(game).unwrap();
        assert!(opened.team(&["alphabeta(depth=1, evaluation=shipped)", "random"]).is_ok(), "{game}");
    }
    for game in ["connect(width=9)", "tictactoe(rows=4, columns=4)", "checkers(rows=6, columns=6)"] {
        let error = parlor_catalog::open(game).unwrap().team(&["ntuple(file=shipped)"]).err().expect(game);
        assert!(error.to_string().contains("shipped"), "{error}");
    }
}

/// The tables of connect look ahead.
#[test]
fn the_shipped_tables_of_connect_look_ahead() {
    for game in ["connect", "connect(width=7, height=6)"] {
        let team = seat(game, "ntuple(file=shipped)");
        assert!(team.spec(0).ends_with("plies=8)"), "{}", team.spec(0));
    }
}
