//! Changed requests: whatever is sent, the server answers with no more than a refusal and goes on.
//!
//! `PARLOR_SERVER_FUZZ` is how many requests are sent; the usual number is a short version of the 10⁶ that are sent by hand.

use std::io::{BufReader, Write};
use std::net::TcpStream;

use parlor_core::Rng;
use serde_json::json;

use crate::client::{Server, read_reply};

/// How many requests are sent if nothing is said.
const USUAL: u64 = 3_000;

fn seeds(server: &Server) -> Vec<Vec<u8>> {
    let (table, keys, _) = server.table(&json!({"game": "tictactoe", "seats": ["human", "random"]}));
    let (other, others, _) = server.table(&json!({"game": "dominoes", "seats": ["human", "human"]}));
    let host = server.host();
    let request = |method: &str, path: &str, key: &str, body: &str| {
        format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nX-Parlor: 1\r\nContent-Type: application/json\r\nX-Parlor-Seat: {key}\r\nCookie: parlor_owner_{}={}\r\nContent-Length: {}\r\n\r\n{body}", server.address.port(), server.owner, body.len()).into_bytes()
    };
    vec![
        request("GET", "/api/catalog", &keys[0], ""),
        request("GET", "/guide/games/dominoes", "", ""),
        request("GET", "/assets/index.html", "", ""),
        request("GET", &format!("/api/tables/{table}"), &keys[0], ""),
        request("GET", &format!("/api/tables/{other}"), &others[1], ""),
        request("GET", &format!("/api/tables/{other}/saved"), &others[0], ""),
        request(
            "POST",
            "/api/tables",
            "",
            r#"{"game":"connect(width=5, height=4)","seats":["human","random"],"seed":3,"time":"5m+2s"}"#,
        ),
        request(
            "POST",
            "/api/tables",
            "",
            r#"{"game":"minesweeper(rows=4, columns=4, mines=3)","seats":["human"],"position":null}"#,
        ),
        request(
            "POST",
            "/api/tables",
            "",
            r#"{"game":"dominoes","seats":["human","pimc(worlds=5, depth=1)"]}"#,
        ),
        request("POST", &format!("/api/tables/{table}/act"), &keys[0], r#"{"action":"b2","ply":0}"#),
        request("POST", &format!("/api/tables/{table}/undo"), &keys[0], "{}"),
        request("POST", &format!("/api/tables/{table}/move-now"), &keys[0], "{}"),
        request("POST", &format!("/api/tables/{other}/act"), &others[0], r#"{"action":"13@left","ply":15}"#),
        request("POST", "/api/hint", "", r#"{"game":"tictactoe","position":".X./O.X/.XO","ms":1}"#),
        request(
            "POST",
            "/api/hint",
            "",
            r#"{"game":"connect","moves":"4 4 3","agent":"mcts(sims=5)","exact":false,"ms":1}"#,
        ),
        request(
            "POST",
            "/api/replay",
            "",
            r#"{"line":"{\"parlor\":1,\"game\":\"tictactoe(rows=3, columns=3, lines=windows)\",\"seats\":[\"random\",\"random\"],\"seed\":1,\"rng\":\"xoshiro256++\",\"moves\":\"a1 b2 c3\",\"ending\":\"unfinished\"}","seat":1}"#,
        ),
        request(
            "POST",
            "/api/streams",
            "",
            &format!(r#"{{"topics":[{{"table":"{table}","key":"{}"}}]}}"#, keys[0]),
        ),
        request("GET", "/api/runs", "", ""),
        request("GET", "/api/runs/templates", "", ""),
        request("GET", "/api/history", "", ""),
        request("GET", "/api/games", "", ""),
        request("GET", "/api/games/7", "", ""),
        request("POST", &format!("/api/tables/{other}/resign"), &others[1], "{}"),
        request("POST", &format!("/api/tables/{other}/pace"), &others[1], r#"{"pace_ms":100,"paused":true}"#),
        request("DELETE", &format!("/api/tables/{table}"), &keys[0], ""),
        request("POST", "/api/analysis", &keys[0], &format!(r#"{{"table":"{table}","ms":1}}"#)),
        request("PUT", "/api/streams/00112233445566778899aabbccddeeff", "", r#"{"topics":[{"runs":true}]}"#),
        request("POST", "/api/runs", "", r#"{"kind":"match","toml":"game = 'tictactoe'\npairs = 1\n"}"#),
        request("GET", "/api/runs/00112233445566778899aabbccddeeff", "", ""),
        request("GET", "/reports/00112233445566778899aabbccddeeff/run/report.html", "", ""),
    ]
}

/// Changes a request: bytes, digits, pieces that are left out, doubled, or taken from another one.
fn changed(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let pick = |rng: &mut Rng, count: usize| rng.below(count.max(1) as u32) as usize;
    let mut bytes = seeds[pick(rng, seeds.len())].clone();
    for _ in 0..1 + pick(rng, 4) {
        let at = pick(rng, bytes.len());
        let end = (at + 1 + pick(rng, 12)).min(bytes.len());
        match pick(rng, 8) {
            0 => bytes[at] = rng.bits() as u8,
            1 => drop(bytes.drain(at..end)),
            2 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            3 => {
                let other = &seeds[pick(rng, seeds.len())];
                let from = pick(rng, other.len());
                let to = (from + 1 + pick(rng, 40)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            4 => {
                const WORDS: &[&str] = &[
                    "-1",
                    "99999999999999999999",
                    "1e308",
                    "null",
                    "\"\"",
                    "[]",
                    "{}",
                    "..",
                    "%00",
                    "\u{0}",
                    "é",
                    "cmd:",
                    "\\u0000",
                    "(",
                    ")",
                    ",",
                    "=",
                    "18446744073709551615",
                ];
                let word = WORDS[pick(rng, WORDS.len())];
                bytes.splice(at..end, word.bytes());
            }
            5 => {
                const HEADS: &[&str] = &[
                    "Transfer-Encoding: chunked\r\n",
                    "Content-Length: 3\r\n",
                    "Host: evil\r\n",
                    "Origin: null\r\n",
                    "Expect: 100-continue\r\n",
                    "Upgrade: h2c\r\n",
                    "Connection: close\r\n",
                ];
                if let Some(line) = bytes.windows(2).position(|pair| pair == b"\r\n") {
                    bytes.splice(line + 2..line + 2, HEADS[pick(rng, HEADS.len())].bytes());
                }
            }
            6 => bytes.truncate(at),
            _ => {
                if let Some(digit) = (at..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) {
                    bytes[digit] = b'0' + (rng.below(10) as u8);
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(b'G');
        }
    }
    // A body that its change has made longer or shorter is mostly sent with its new length.
    if rng.below(4) > 0
        && let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n")
    {
        let body = bytes.split_off(end + 4);
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let lines =
            head.split("\r\n").filter(|line| !line.to_ascii_lowercase().starts_with("content-length"));
        let head = lines.collect::<Vec<_>>().join("\r\n");
        bytes = format!("{head}\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend(body);
    }
    bytes
}

#[test]
fn changed_requests_get_no_worse_than_a_refusal() {
    let count = std::env::var("PARLOR_SERVER_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(USUAL);
    let server = Server::start(None);
    let seeds = seeds(&server);
    let mut rng = Rng::new(18);
    let mut statuses = std::collections::BTreeMap::<u16, u64>::new();
    for number in 0..count {
        let bytes = changed(&seeds, &mut rng);
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
        let _ = stream.write_all(&bytes);
        // The other side sees that nothing more comes.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let status = read_reply(&mut BufReader::new(stream)).map_or(0, |reply| reply.status);
        *statuses.entry(status).or_default() += 1;
        // A full server says so; anything else from 500 on is a fault of ours.
        assert!(
            status < 500 || status == 503,
            "request {number}: {status} for {}",
            String::from_utf8_lossy(&bytes)
        );
    }
    println!("{statuses:?}");
    assert!(statuses.keys().filter(|status| (200..300).contains(*status)).count() > 0, "{statuses:?}");
    assert_eq!(server.get("/api/catalog").status, 200);
}
