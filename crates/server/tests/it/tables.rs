//! Playing: every game to its end, replies, clocks, taking back, watching, and coming back after a restart.

use std::io::{BufReader, Write};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Server, read_chunk};

/// A quick game of each kind.
pub const GAMES: &[&str] = &[
    "dominoes(target=none)",
    "connect(width=5, height=4)",
    "tictactoe",
    "checkers(rows=6, columns=6)",
    "darkchess",
    "minesweeper(rows=5, columns=5, mines=4, first=safe)",
];

fn seats(game: &str, first: &str) -> Vec<String> {
    let alone = game.starts_with("minesweeper");
    let all = [first, "random"].map(str::to_owned);
    all[..if alone { 1 } else { 2 }].to_vec()
}

#[test]
fn every_game_is_played_to_its_end_and_replayed() {
    let server = Server::start(None);
    for game in GAMES {
        let (table, keys, first) =
            server.table(&json!({"game": game, "seats": seats(game, "human"), "seed": 5}));
        assert_eq!(first["table"], table.as_str(), "{game}");
        let mut number = 0;
        let snapshots = server.play(&table, &keys[0], |actions| {
            number += 7;
            number % actions.len()
        });
        let end = snapshots.last().unwrap();
        assert!(end["over"]["text"].as_str().unwrap().len() > 3, "{game}: {end}");
        assert!(end["payoffs"].is_array(), "{game}");
        for snapshot in &snapshots {
            let count = snapshot["actions"].as_array().unwrap().len();
            assert_eq!(snapshot["places"].as_array().unwrap().len(), count, "{game}");
            let log = snapshot["log"].as_array().unwrap();
            assert_eq!(snapshot["ply"], log.len(), "{game}");
            assert!(!snapshot["view"].is_null() && snapshot["drawing"].as_str().unwrap().lines().count() > 1);
        }
        let saved =
            server.send("GET", &format!("/api/tables/{table}/saved"), &[("X-Parlor-Seat", &keys[0])], "");
        assert_eq!(saved.status, 200, "{game}: {}", saved.text());
        let replay = server.post("/api/replay", None, &json!({"line": saved.text(), "seat": 0}));
        assert_eq!(replay.status, 200, "{game}: {}", replay.text());
        let replay = replay.json();
        let plies = replay["plies"].as_array().unwrap();
        let moves = saved.json()["moves"].as_str().unwrap().split_whitespace().count();
        assert_eq!(plies.len(), moves + 1, "{game}");
        assert_eq!(plies.last().unwrap()["view"], end["view"], "{game}");
        let analysis = server.post("/api/analysis", None, &json!({"line": saved.text(), "ms": 5}));
        let lines: Vec<Value> =
            analysis.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = lines.last().unwrap();
        assert_eq!(last["final"], true, "{game}: {last}");
        assert_eq!(last["decisions"], lines.len() - 1, "{game}");
        assert!(last["error"].is_null(), "{game}: {last}");
    }
}

#[test]
fn actions_are_checked_and_stale_ones_show_how_things_stand() {
    let server = Server::start(None);
    let (table, keys, _) = server.table(&json!({"game": "tictactoe", "seats": ["human", "human:Ann"]}));
    let [first, second] = &keys[..] else { panic!("two people have two keys") };
    let reply = server.act(&table, second, "a1", &json!(0));
    assert!(reply.refused(409).contains("other seat's turn"));
    assert_eq!(reply.json()["snapshot"]["seat"], 1);
    assert!(server.act(&table, first, "z9", &json!(0)).refused(400).contains("z9"));
    assert_eq!(server.act(&table, first, "b2", &json!(0)).status, 200);
    let stale = server.act(&table, second, "a1", &json!(0));
    assert!(stale.refused(409).contains("gone on"));
    assert_eq!(stale.json()["snapshot"]["ply"], 1);
    assert_eq!(server.act(&table, second, "a1", &json!(1)).status, 200);
    let undone = server.post(&format!("/api/tables/{table}/undo"), Some(second), &json!({})).json();
    assert_eq!((&undone["ply"], &undone["to_move"]), (&json!(1), &json!(1)));
    assert_eq!(undone["seats"][1]["name"], "Ann");
    let resigned = server.post(&format!("/api/tables/{table}/resign"), Some(first), &json!({})).json();
    assert_eq!(resigned["over"]["text"], "you resigned");
    assert_eq!(resigned["over"]["winner"], 1);
    assert!(server.act(&table, second, "a1", &json!(1)).refused(409).contains("over"));
}

#[test]
fn a_slow_agent_is_told_to_move_and_does() {
    let server = Server::start(None);
    let body = json!({"game": "connect", "seats": ["human", "mcts(time_ms=9000)"]});
    let (table, keys, first) = server.table(&body);
    let began = Instant::now();
    let reply = server.act(&table, &keys[0], "4", &first["ply"]);
    assert_eq!((reply.status, &reply.json()["thinking"]), (202, &json!(true)));
    let wrong = server.act(&table, &keys[0], "4", &json!(1));
    assert!(wrong.refused(409).contains("other seat's turn"));
    let hurried = server.post(&format!("/api/tables/{table}/move-now"), Some(&keys[0]), &json!({}));
    assert_eq!(hurried.status, 200, "{}", hurried.text());
    let after = server.wait(&table, &keys[0], |now| now["can"]["act"] == true);
    assert_eq!(after["ply"], 2);
    assert!(began.elapsed() < Duration::from_secs(8), "it thought for {:?}", began.elapsed());
    // Taking back while it thinks calls it back.
    server.act(&table, &keys[0], "4", &after["ply"]);
    let undone = server.post(&format!("/api/tables/{table}/undo"), Some(&keys[0]), &json!({}));
    assert_eq!(undone.status, 200, "{}", undone.text());
    let undone = undone.json();
    assert_eq!((&undone["ply"], &undone["to_move"]), (&json!(2), &json!(0)));
}

#[test]
fn clocks_run_down_and_end_the_match() {
    let server = Server::start(None);
    let body = json!({"game": "tictactoe", "seats": ["human", "random"], "time": "1s"});
    let (table, keys, first) = server.table(&body);
    assert!(first["clocks"][0]["left_ms"].as_u64().unwrap() <= 1000);
    assert_eq!(first["clocks"][0]["running"], true);
    let over = server.wait(&table, &keys[0], |now| !now["over"].is_null());
    assert_eq!(over["over"]["text"], "you forfeit: ran out of time");
    assert!(
        server
            .post(
                "/api/tables",
                None,
                &json!({"game": "tictactoe", "seats": ["human", "random"], "time": "soon"})
            )
            .refused(400)
            .contains("soon")
    );
}

#[test]
fn tables_are_there_again_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(Some(folder.path()));
    let (open, open_keys, first) = server.table(&json!({"game": "connect", "seats": ["human", "random"]}));
    server.act(&open, &open_keys[0], "4", &first["ply"]);
    let before = server.wait(&open, &open_keys[0], |now| now["can"]["act"] == true);
    let (ended, ended_keys, _) = server.table(&json!({"game": "dominoes", "seats": ["human", "random"]}));
    let resigned =
        server.post(&format!("/api/tables/{ended}/resign"), Some(&ended_keys[0]), &json!({})).json();
    let (gone, gone_keys, _) = server.table(&json!({"game": "tictactoe", "seats": ["human", "random"]}));
    let deleted = server.send(
        "DELETE",
        &format!("/api/tables/{gone}"),
        &[("X-Parlor", "1"), ("X-Parlor-Seat", &gone_keys[0])],
        "",
    );
    assert_eq!(deleted.status, 204);
    server.stop();
    let server = Server::start(Some(folder.path()));
    let after = server.snapshot(&open, &open_keys[0]);
    for field in ["view", "log", "ply", "seats", "actions", "last", "drawing"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let again = server.snapshot(&ended, &ended_keys[0]);
    for field in ["view", "over", "payoffs", "log"] {
        assert_eq!(again[field], resigned[field], "{field}");
    }
    assert_eq!(server.get(&format!("/api/tables/{gone}")).status, 404);
    assert_eq!(server.act(&open, &open_keys[0], "4", &after["ply"]).status, 200);
}

#[test]
fn two_agents_are_watched_paused_and_stepped() {
    let server = Server::start(None);
    let body =
        json!({"game": "dominoes(target=none)", "seats": ["expert", "random"], "pace_ms": 0, "paused": true});
    let (table, keys, first) = server.table(&body);
    assert_eq!(first["views"].as_array().unwrap().len(), 2);
    thread::sleep(Duration::from_millis(200));
    let before = server.snapshot(&table, &keys[0]);
    assert_eq!(before["ply"], first["ply"]);
    let pace = |body: Value| server.post(&format!("/api/tables/{table}/pace"), Some(&keys[0]), &body);
    assert_eq!(pace(json!({"step": true})).status, 200);
    let ply = first["ply"].as_u64().unwrap();
    server.wait(&table, &keys[0], |now| now["ply"].as_u64().unwrap() > ply);
    assert_eq!(pace(json!({"paused": false})).status, 200);
    server.wait(&table, &keys[0], |now| !now["over"].is_null());
    assert_eq!(pace(json!({"pace_ms": 99_999_999})).status, 400);
}

#[test]
fn hints_are_exact_where_the_solver_answers_and_estimates_elsewhere() {
    let server = Server::start(None);
    let last = |body: &Value, key: Option<&str>| -> Value {
        let reply = server.post("/api/hint", key, body);
        assert_eq!(reply.status, 200, "{}", reply.text());
        serde_json::from_str(reply.text().lines().last().unwrap()).unwrap()
    };
    let exact = last(&json!({"game": "tictactoe", "position": ".X./O.X/.XO"}), None);
    assert_eq!((&exact["final"], &exact["source"]), (&json!(true), &json!("exact")));
    assert!(exact["moves"].as_array().unwrap().iter().all(|row| row["certainty"] == "proven"));
    let guess = last(
        &json!({"game": "connect", "moves": "4 4", "exact": false, "agent": "mcts(sims=500)", "ms": 500}),
        None,
    );
    assert_eq!(guess["moves"].as_array().unwrap().len(), 7, "{guess}");
    let odds =
        last(&json!({"game": "minesweeper(rows=3, columns=3, mines=2)", "position": "###/#2#/###"}), None);
    assert_eq!(odds["odds"]["mines"].as_array().unwrap().len(), 8, "{odds}");
    let (table, keys, _) = server.table(&json!({"game": "dominoes", "seats": ["human", "random"]}));
    server.wait(&table, &keys[0], |now| now["can"]["act"] == true);
    let beliefs = last(&json!({"table": table, "agent": "mstar(model=scoring)", "ms": 300}), Some(&keys[0]));
    assert!(beliefs["beliefs"]["odds"].as_array().unwrap().len() > 10, "{beliefs}");
    assert!(server.post("/api/hint", None, &json!({"table": table})).refused(403).contains("key"));
    let nobody = last(&json!({"game": "tictactoe", "moves": "zz"}), None);
    assert!(nobody["error"].as_str().unwrap().contains("zz"), "{nobody}");
    assert_eq!(server.post("/api/hint", None, &json!({})).status, 400);
}

#[test]
fn a_hint_ends_when_its_reader_goes_away() {
    let server = Server::start(None);
    let body =
        json!({"game": "connect", "exact": false, "agent": "mcts(time_ms=10000)", "ms": 10000}).to_string();
    // More than may be thought about at a time: each is given up after its first line.
    for _ in 0..12 {
        let mut stream = server.connect();
        let request = format!(
            "POST /api/hint HTTP/1.1\r\nHost: {}\r\nX-Parlor: 1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            server.host(),
            body.len()
        );
        let began = Instant::now();
        let first = loop {
            stream.write_all(request.as_bytes()).unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut byte = [0; 12];
            std::io::Read::read_exact(&mut reader, &mut byte).unwrap();
            let status = String::from_utf8_lossy(&byte).into_owned();
            if status.ends_with("200") || began.elapsed() > Duration::from_secs(5) {
                break status;
            }
            drop(reader);
            thread::sleep(Duration::from_millis(50));
            stream = server.connect();
        };
        assert!(first.ends_with("200"), "the searches of readers that have gone go on: {first}");
        drop(stream);
    }
}

#[test]
fn events_tell_what_happens() {
    let server = Server::start(None);
    let (table, keys, first) =
        server.table(&json!({"game": "connect", "seats": ["human", "mcts(time_ms=400)"]}));
    let topics = json!({"topics": [{"table": table, "key": keys[0]}]});
    let stream = server.post("/api/streams", None, &topics).json()["stream"].as_str().unwrap().to_owned();
    let mut connection = server.connect();
    write!(connection, "GET /api/events/{stream} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host()).unwrap();
    let mut reader = BufReader::new(connection);
    let mut text = String::new();
    let mut until = |part: &str| {
        while !text.contains(part) {
            if text.is_empty() {
                let mut line = String::new();
                while line != "\r\n" {
                    line.clear();
                    std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
                }
            }
            text.push_str(&String::from_utf8(read_chunk(&mut reader).expect("the stream goes on")).unwrap());
        }
        let at = text.find(part).unwrap() + part.len();
        text = text.split_off(at);
        text.insert(0, ' ');
    };
    until("event: snapshot\ndata: {");
    server.act(&table, &keys[0], "4", &first["ply"]);
    until("\"ply\":1");
    until("event: thinking");
    until("\"ply\":2");
    server.send(
        "DELETE",
        &format!("/api/tables/{table}"),
        &[("X-Parlor", "1"), ("X-Parlor-Seat", &keys[0])],
        "",
    );
    until("event: gone");
    assert!(
        server
            .post("/api/streams", None, &json!({"topics": [{"runs": true}]}))
            .refused(403)
            .contains("owner")
    );
    assert_eq!(server.get("/api/events/0123456789abcdef0123456789abcdef").status, 404);
}
