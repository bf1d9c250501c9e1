//! `parlor serve` as a process: one line with the address, and an end that keeps the tables.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::place::Place;

fn start(place: &Place, words: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["serve", "--port", "0", "--folder", &place.path("serve")])
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the host and port of the only line on the standard output.
fn address(child: &mut Child) -> (String, BufReader<std::process::ChildStdout>) {
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    (line.trim().strip_prefix("http://").expect("an address").to_owned(), out)
}

fn ask(host: &str, request: &str, rest: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{rest}").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[cfg(unix)]
#[test]
fn a_server_prints_its_address_and_keeps_its_tables_when_it_is_interrupted() {
    let place = Place::new();
    let mut child = start(&place, &[]);
    let (host, mut out) = address(&mut child);
    let body = r#"{"game": "tictactoe", "seats": ["human", "random"]}"#;
    let rest = format!(
        "X-Parlor: 1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let made = ask(&host, "POST /api/tables", &rest);
    assert!(made.starts_with("HTTP/1.1 201"), "{made}");
    let table = made.split("\"table\":\"").nth(1).unwrap()[..32].to_owned();
    // Another server does not take the same folder.
    let second = start(&place, &[]).wait_with_output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("--folder"));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut more = String::new();
    out.read_to_string(&mut more).unwrap();
    assert_eq!(more, "", "one line and no more");
    let mut child = start(&place, &[]);
    let (host, _) = address(&mut child);
    let again = ask(&host, &format!("GET /api/tables/{table}"), "\r\n");
    assert!(again.starts_with("HTTP/1.1 200"), "{again}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Sends JSON, with the key of a seat, and returns the answer's JSON.
fn post(host: &str, path: &str, key: &str, body: &Value) -> Value {
    let body = body.to_string();
    let length = body.len();
    let head = format!(
        "X-Parlor: 1\r\nX-Parlor-Seat: {key}\r\nContent-Type: application/json\r\nContent-Length: {length}"
    );
    let answer = ask(host, &format!("POST {path}"), &format!("{head}\r\n\r\n{body}"));
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 2"), "{answer}");
    serde_json::from_str(body).unwrap()
}

#[cfg(unix)]
#[test]
fn matches_at_tables_are_recorded_once() {
    let place = Place::new();
    let store = place.path("games");
    let record = ["--record", &store];
    let end = |mut child: Child| {
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(0));
    };
    let mut child = start(&place, &record);
    let (host, _out) = address(&mut child);
    let seats = json!({"game": "tictactoe", "seats": ["human:Ann", "random"], "seed": 1});
    let [won, resigned, _open] = [(); 3].map(|()| post(&host, "/api/tables", "", &seats));
    let about = |made: &Value| {
        (made["table"].as_str().unwrap().to_owned(), made["keys"][0].as_str().unwrap().to_owned())
    };
    let (table, key) = about(&won);
    let mut snapshot = won["snapshot"].clone();
    while snapshot["over"].is_null() {
        if let Some(action) = snapshot["actions"].get(0) {
            snapshot = post(&host, &format!("/api/tables/{table}/act"), &key, &json!({"action": action}));
        } else {
            let rest = format!("X-Parlor-Seat: {key}\r\n\r\n");
            let answer = ask(&host, &format!("GET /api/tables/{table}"), &rest);
            snapshot = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        }
    }
    // Taken back and ended otherwise: the match was recorded already.
    post(&host, &format!("/api/tables/{table}/undo"), &key, &json!({}));
    post(&host, &format!("/api/tables/{table}/resign"), &key, &json!({}));
    let (table, key) = about(&resigned);
    post(&host, &format!("/api/tables/{table}/resign"), &key, &json!({}));
    end(child);
    // The table comes back from the disk, and its match is not recorded again.
    let mut child = start(&place, &record);
    let (host, _out) = address(&mut child);
    assert!(ask(&host, &format!("GET /api/tables/{table}"), "\r\n").starts_with("HTTP/1.1 200"));
    end(child);
    let list = place.json(&["history", "games", "--store", &store, "--json"]);
    let games = list["games"].as_array().unwrap();
    assert_eq!(games.len(), 2, "{list}");
    assert!(games.iter().all(|game| game["seats"] == json!(["Ann", "random"])), "{list}");
    assert_eq!(games[0]["payoffs"], snapshot["payoffs"], "{list}");
    assert!(place.stdout(&["history", "replay", "1", "--store", &store]).contains("Ann"));
}

#[test]
fn what_is_wrong_gets_a_sentence() {
    let place = Place::new();
    for (words, says) in [
        (&["--agent", "x"][..], "NAME=SPEC"),
        (&["--agent", "a b=random"], "letters, digits"),
        (&["--listen", "192.0.2.1"], "cannot listen"),
        (&["--listen", "somewhere"], "somewhere"),
        (&["--record", "mysql://x"], "not a store"),
    ] {
        let output = start(&place, words).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(says), "{words:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}
