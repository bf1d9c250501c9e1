//! Nobody is sent what their seat may not know.

use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Server, read_chunk};

/// Returns every text in a document, with the names of the fields above it.
fn texts(value: &Value, path: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((path.to_owned(), text.clone())),
        Value::Array(list) => list.iter().for_each(|value| texts(value, path, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| texts(value, &format!("{path}/{name}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns whether a text names a tile: `13` or `31` as a word of its own, or with a stroke between.
fn names(text: &str, tile: &str) -> bool {
    let [a, b] = [0, 1].map(|at| &tile[at..=at]);
    let spelled = [
        format!("{a}{b}"),
        format!("{b}{a}"),
        format!("{a}|{b}"),
        format!("{b}|{a}"),
        format!("{a}:{b}"),
        format!("{b}:{a}"),
        format!("{a}-{b}"),
        format!("{b}-{a}"),
    ];
    spelled.iter().any(|form| {
        text.match_indices(form.as_str()).any(|(at, _)| {
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || "|-+".contains(c));
            let before = text[..at].trim_end_matches(':');
            !digit(before.chars().next_back()) && !digit(text[at + form.len()..].chars().next())
        })
    })
}

/// Fields that have numbers of other things: ids, the game's rules, scores.
const NUMBERS: &[&str] = &["/table", "/game", "/status", "/over/text"];

fn check(document: &Value, hand: &[String]) {
    let mut found = Vec::new();
    texts(document, "", &mut found);
    for (path, text) in found.iter().filter(|(path, _)| !NUMBERS.iter().any(|name| path.ends_with(name))) {
        // Points are words such as `+15`, and `15 : 20` below the board.
        for tile in hand {
            assert!(!names(text, tile), "{path} names {tile}, which is in the other hand: {text}");
        }
    }
}

fn hand(view: &Value) -> Vec<String> {
    view["view"]["hand"].as_array().unwrap().iter().map(|tile| tile.as_str().unwrap().to_owned()).collect()
}

/// Two people play a whole match. Everything that seat 0 is sent, replies and events, is searched for the tiles that seat 1 holds at
/// that moment.
#[test]
fn the_network_log_of_a_match_of_dominoes_has_no_tile_of_the_other_hand() {
    let server = Server::start(None);
    let (table, keys, _) =
        server.table(&json!({"game": "dominoes(target=50)", "seats": ["human", "human"], "seed": 11}));
    let topics = json!({"topics": [{"table": table, "key": keys[0]}]});
    let stream = server.post("/api/streams", None, &topics).json()["stream"].as_str().unwrap().to_owned();
    let mut connection = server.connect();
    write!(connection, "GET /api/events/{stream} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host()).unwrap();
    let heard: Arc<Mutex<Vec<Value>>> = Arc::default();
    let hearing = Arc::clone(&heard);
    thread::spawn(move || {
        let mut reader = BufReader::new(connection);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
        }
        while let Some(chunk) = read_chunk(&mut reader) {
            for line in String::from_utf8(chunk).unwrap().lines() {
                if let Some(data) = line.strip_prefix("data: ") {
                    hearing.lock().unwrap().push(serde_json::from_str(data).unwrap());
                }
            }
        }
    });
    let (mut hands, mut number, mut searched) = (BTreeMap::new(), 0, 0);
    loop {
        let own = server.snapshot(&table, &keys[0]);
        let other = server.snapshot(&table, &keys[1]);
        if !own["over"].is_null() {
            break;
        }
        let their = hand(&other);
        assert!(!their.is_empty());
        check(&own, &their);
        searched += 1;
        hands.insert(own["rev"].as_u64().unwrap(), their.clone());
        // Replies to wrong questions are searched, too.
        if searched % 10 == 1 {
            for reply in [
                server.act(&table, &keys[0], "66@nowhere", &own["ply"]),
                server.act(&table, &keys[0], "pass", &json!(9999)),
                server.send("GET", &format!("/api/tables/{table}/saved"), &[("X-Parlor-Seat", &keys[0])], ""),
                server.post(&format!("/api/tables/{table}/undo"), Some(&keys[0]), &json!({})),
                server.get(&format!("/api/tables/{table}")),
            ] {
                let their: Vec<String> = their.iter().filter(|tile| *tile != "66").cloned().collect();
                check(&reply.json(), &their);
            }
        }
        let (mover, key) = if own["to_move"] == 0 { (&own, &keys[0]) } else { (&other, &keys[1]) };
        let actions = mover["actions"].as_array().unwrap();
        number += 5;
        let action = actions[number % actions.len()].as_str().unwrap();
        assert_eq!(server.act(&table, key, action, &mover["ply"]).status, 200);
    }
    assert!(searched > 20, "only {searched}");
    // Events come on their own connection; a busy machine may be late with the last ones.
    let began = Instant::now();
    let known = |event: &Value| event["rev"].as_u64().and_then(|rev| hands.get(&rev));
    let count = || heard.lock().unwrap().iter().filter(|event| known(event).is_some()).count();
    while count() <= 10 && began.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(50));
    }
    thread::sleep(Duration::from_millis(300));
    let heard = heard.lock().unwrap();
    let mut events = 0;
    for event in heard.iter() {
        if let Some(their) = known(event) {
            check(event, their);
            events += 1;
        }
    }
    assert!(events > 10, "only {events} of {} events", heard.len());
}

#[test]
fn the_search_for_tiles_would_find_one() {
    for text in ["13", "draw:13", "13@left", "[3|1]", "a 1-3 b", "31 66"] {
        assert!(names(text, "13"), "{text}");
    }
    for text in ["113", "130", "+13", "1 3", "03:15", "rev 2131"] {
        assert!(!names(text, "13"), "{text}");
    }
}

/// Replaces what differs between two tables by design: their ids, and how long a search took.
fn plain(text: &str, table: &str) -> String {
    let text = text.replace(table, "TABLE");
    let mut lines = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<Value>(line) {
            Ok(mut value) => {
                if let Some(fields) = value.as_object_mut() {
                    fields.remove("elapsed_ms");
                }
                lines.push(value.to_string());
            }
            Err(_) => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

/// Returns everything that the player of a seat can get of a table.
fn everything(server: &Server, table: &str, key: &str, hints: &[&str]) -> Vec<String> {
    let seat = [("X-Parlor-Seat", key)];
    let path = format!("/api/tables/{table}");
    let ply = server.snapshot(table, key)["ply"].clone();
    let mut replies = vec![
        server.send("GET", &path, &seat, ""),
        server.get(&path),
        server.send("GET", &format!("{path}/saved"), &seat, ""),
        server.act(table, key, "nonsense", &ply),
        server.act(table, key, "nonsense", &json!(99)),
        server.post(&format!("{path}/move-now"), Some(key), &json!({})),
        server.post(&format!("{path}/pace"), Some(key), &json!({"paused": true})),
        server.post("/api/analysis", Some(key), &json!({"table": table})),
        server.post("/api/hint", Some(key), &json!({"table": table, "exact": true, "ms": 3000})),
    ];
    for agent in hints {
        replies.push(server.post(
            "/api/hint",
            Some(key),
            &json!({"table": table, "exact": false, "agent": agent}),
        ));
    }
    let mut texts: Vec<String> =
        replies.iter().map(|reply| format!("{} {}", reply.status, plain(&reply.text(), table))).collect();
    let topics = json!({"topics": [{"table": table, "key": key}]});
    let stream = server.post("/api/streams", None, &topics).json()["stream"].as_str().unwrap().to_owned();
    let mut connection = server.connect();
    write!(connection, "GET /api/events/{stream} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host()).unwrap();
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
    }
    let mut events = String::new();
    while !events.contains("data: ") {
        events.push_str(&String::from_utf8(read_chunk(&mut reader).unwrap()).unwrap());
    }
    texts.push(plain(&events, table));
    texts
}

/// Groups tables by what seat 0 sees now.
fn alike(server: &Server, tables: &[(String, Vec<String>)]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, (table, keys)) in tables.iter().enumerate() {
        let now = server.snapshot(table, &keys[0]);
        groups.entry(format!("{} {}", now["view"], now["log"])).or_default().push(number);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Lets the seat to move play its first action.
fn play_on(server: &Server, (table, keys): &(String, Vec<String>)) {
    for key in keys {
        let now = server.snapshot(table, key);
        if now["can"]["act"] == true {
            let action = now["actions"][0].as_str().unwrap().to_owned();
            assert_eq!(server.act(table, key, &action, &now["ply"]).status, 200);
            return;
        }
    }
}

/// How many decisions are played, with everything compared before each.
const DEPTH: usize = 3;

/// For each game, tables of many seeds are grouped by what seat 0 sees; those that look alike must be alike in everything that can be
/// asked. Then everybody plays on, and those that still look alike are compared again.
#[test]
fn equal_views_give_equal_bytes_from_every_call_and_event() {
    let games: &[(&str, u64, &[&str])] = &[
        (
            "dominoes(rules=myers)",
            60,
            &["expert", "pimc(worlds=20, depth=2)", "mstar(model=scoring, worlds=20)"],
        ),
        ("minesweeper(rows=4, columns=4, mines=3)", 6, &["deduce", "random"]),
        ("darkchess", 3, &["mcts(sims=50)", "random"]),
        ("connect(width=5, height=4)", 2, &["mcts(sims=50)", "alphabeta(depth=3)"]),
        ("tictactoe", 2, &["mcts(sims=50)"]),
        ("checkers(rows=6, columns=6)", 2, &["alphabeta(depth=3)"]),
    ];
    let server = Server::start(None);
    for (game, seeds, hints) in games {
        let alone = game.starts_with("minesweeper");
        let seats: &[&str] = if alone { &["human"] } else { &["human", "human"] };
        let laid = |seed| server.table(&json!({"game": game, "seats": seats, "seed": seed}));
        let tables: Vec<(String, Vec<String>)> =
            (1..=*seeds).map(laid).map(|(table, keys, _)| (table, keys)).collect();
        for depth in 0..DEPTH {
            let groups = alike(&server, &tables);
            assert!(depth > 0 || !groups.is_empty(), "{game}: no two of {seeds} tables look alike");
            for group in groups {
                let all = |number: usize| {
                    let (table, keys) = &tables[number];
                    everything(&server, table, &keys[0], hints)
                };
                let first = all(group[0]);
                // Two at each depth are enough for those of which there are many.
                for &other in group[1..].iter().take(2) {
                    for (a, b) in first.iter().zip(&all(other)) {
                        assert_eq!(a, b, "{game}, after {depth} decisions");
                    }
                }
            }
            tables.iter().for_each(|table| play_on(&server, table));
        }
    }
}
