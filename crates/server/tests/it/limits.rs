//! How much and how slowly one may ask, and what happens when the server is full.

use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use parlor_server::Settings;
use serde_json::json;

use crate::client::{Server, read_reply};

/// How long a busy machine may take for what is due at once, or after ten seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tries until it succeeds.
fn in_time<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        match attempt() {
            Some(done) => return done,
            None => assert!(began.elapsed() < PATIENCE, "it never came about"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn large_requests_are_refused() {
    let server = Server::start(None);
    let body = format!("{{\"game\": \"{}\", \"seats\": []}}", "x".repeat(20_000));
    let headers = [("X-Parlor", "1"), ("Content-Type", "application/json")];
    assert!(server.send("POST", "/api/tables", &headers, &body).refused(413).contains("16384"));
    // A body without a length is counted as it comes.
    let mut chunked = format!(
        "POST /api/tables HTTP/1.1\r\nHost: {}\r\nX-Parlor: 1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        server.host()
    );
    for _ in 0..20 {
        chunked.push_str(&format!("400\r\n{}\r\n", "x".repeat(1024)));
    }
    chunked.push_str("0\r\n\r\n");
    assert_eq!(server.raw(chunked.as_bytes()).unwrap().status, 413);
    let run = json!({"kind": "match", "toml": "x".repeat(300_000)}).to_string();
    server.own("POST", "/api/runs", &run).refused(413);
    let many: String = (0..70).map(|number| format!("X-{number}: 1\r\n")).collect();
    let many = format!("GET / HTTP/1.1\r\nHost: {}\r\n{many}\r\n", server.host());
    assert!(server.raw(many.as_bytes()).is_none_or(|reply| reply.status == 431));
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(70_000), server.host());
    assert!(server.raw(long.as_bytes()).is_none_or(|reply| matches!(reply.status, 400 | 414 | 431)));
    let wide = format!("GET / HTTP/1.1\r\nHost: {}\r\nX-Wide: {}\r\n\r\n", server.host(), "a".repeat(70_000));
    assert!(server.raw(wide.as_bytes()).is_none_or(|reply| reply.status == 431));
    let deep = "[".repeat(10_000);
    server.send("POST", "/api/tables", &headers, &deep).refused(400);
}

#[test]
fn slow_requests_are_given_up() {
    let server = Server::start(None);
    let begun = |text: &str| -> TcpStream {
        let mut stream = server.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let host = server.host();
    let body = format!(
        "POST /api/tables HTTP/1.1\r\nHost: {host}\r\nX-Parlor: 1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    let streams = [begun(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Slow")), begun(""), begun(&body)];
    let began = Instant::now();
    for (number, mut stream) in streams.into_iter().enumerate() {
        if number == 2 {
            assert_eq!(read_reply(&mut BufReader::new(stream)).unwrap().status, 408);
        } else {
            let mut rest = Vec::new();
            // Closed, with or without a last word.
            let ended = stream.read_to_end(&mut rest);
            assert!(ended.is_ok() || rest.is_empty(), "connection {number} stays open");
        }
    }
    let took = began.elapsed();
    // Ten seconds for the head or the body; a busy machine may notice later.
    assert!((Duration::from_secs(8)..PATIENCE).contains(&took), "{took:?}");
}

#[test]
fn a_full_server_says_so_and_recovers() {
    let server =
        Server::with(Settings { port: 0, memory_mb: 16, connections: 8, threads: 1, ..Settings::default() });
    let body = json!({"game": "connect", "seats": ["human", "mcts(memory_mb=7)"]});
    let first = server.table(&body);
    server.table(&body);
    let full = server.post("/api/tables", None, &body);
    assert!(full.refused(503).contains("no room"));
    assert_eq!(full.status, 503);
    let deleted = server.send(
        "DELETE",
        &format!("/api/tables/{}", first.0),
        &[("X-Parlor", "1"), ("X-Parlor-Seat", &first.1[0])],
        "",
    );
    assert_eq!(deleted.status, 204);
    server.table(&body);
    // What is refused takes no room.
    for _ in 0..20 {
        let wrong = json!({"game": "connect", "seats": ["human", "mcts(memory_mb=7)"], "position": "zz"});
        assert!(matches!(server.post("/api/tables", None, &wrong).status, 400 | 503));
    }
    let held: Vec<TcpStream> = (0..8).map(|_| server.connect()).collect();
    let full = in_time(|| Some(server.get("/api/catalog")).filter(|reply| reply.status != 200));
    assert!(full.refused(503).contains("connections"));
    drop(held);
    in_time(|| Some(server.get("/api/catalog")).filter(|reply| reply.status == 200));
}

#[test]
fn an_idle_table_leaves_the_memory_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::with(Settings {
        port: 0,
        memory_mb: 16,
        folder: Some(folder.path().to_owned()),
        idle: Duration::from_secs(1),
        ..Settings::default()
    });
    let body = json!({"game": "connect", "seats": ["human", "alphabeta(nodes=100, memory_mb=9)"]});
    let (table, keys, first) = server.table(&body);
    server.act(&table, &keys[0], "4", &first["ply"]);
    let before = server.wait(&table, &keys[0], |now| now["can"]["act"] == true);
    assert!(server.post("/api/tables", None, &body).refused(503).contains("no room"));
    // There is room again as soon as the first one is on the disk only.
    let made = in_time(|| Some(server.post("/api/tables", None, &body)).filter(|reply| reply.status == 201));
    let made = made.json();
    let [second, second_key] = [&made["table"], &made["keys"][0]].map(|text| text.as_str().unwrap());
    // Then the second one goes, and the first one comes back.
    let ask = |table: &str, key: &str| {
        let reply = server.send("GET", &format!("/api/tables/{table}"), &[("X-Parlor-Seat", key)], "");
        assert!(matches!(reply.status, 200 | 503), "{}", reply.text());
        Some(reply).filter(|reply| reply.status == 200)
    };
    let after = in_time(|| ask(&table, &keys[0])).json();
    for field in ["view", "log", "ply", "actions"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert!(after["rev"].as_u64() > before["rev"].as_u64(), "changes are counted on");
    assert!(matches!(server.act(&table, &keys[0], "4", &after["ply"]).status, 200 | 202));
    assert_eq!(in_time(|| ask(second, second_key)).json()["seat"], 0);
}

#[test]
fn hints_and_streams_are_counted() {
    let server = Server::with(Settings { port: 0, threads: 1, ..Settings::default() });
    let body =
        json!({"game": "connect", "exact": false, "agent": "mcts(time_ms=5000)", "ms": 5000}).to_string();
    let request = format!(
        "POST /api/hint HTTP/1.1\r\nHost: {}\r\nX-Parlor: 1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.host(),
        body.len()
    );
    let held: Vec<TcpStream> = (0..2)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(request.as_bytes()).unwrap();
            stream.read_exact(&mut [0; 12]).unwrap();
            stream
        })
        .collect();
    let third = server.post("/api/hint", None, &json!({"game": "tictactoe"}));
    assert!(third.refused(503).contains("too many hints"));
    drop(held);
    let topics = json!({"topics": vec![json!({"table": "x"}); 65]});
    assert!(server.post("/api/streams", None, &topics).refused(400).contains("64"));
    let mut full = None;
    for _ in 0..2100 {
        let reply = server.post("/api/streams", None, &json!({"topics": []}));
        if reply.status != 201 {
            full = Some(reply);
            break;
        }
    }
    assert!(full.expect("streams are counted").refused(503).contains("streams"));
}
