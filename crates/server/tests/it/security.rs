//! Who may ask for what: hosts, origins, headers, keys, agents, paths and policies.

use std::collections::BTreeSet;

use parlor_catalog::GAMES;
use parlor_core::Kind;
use serde_json::{Value, json};

use crate::client::Server;

/// Keys with which a request is sent, and what must come of it.
const ANOTHER: &str = "00112233445566778899aabbccddeeff";

#[test]
fn other_names_of_this_machine_are_not_answered() {
    let server = Server::start(None);
    let port = server.address.port();
    let sent = |host: &str| server.send("GET", "/api/catalog", &[("Host", host)], "");
    for ours in [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")] {
        assert_eq!(sent(&ours).status, 200, "{ours}");
    }
    let foreign = [
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        String::new(),
    ];
    for foreign in foreign {
        assert!(sent(&foreign).refused(421).contains("host name"), "{foreign}");
    }
    // The host is looked at before the origin.
    let both = [("Host", "evil.example"), ("Origin", "http://evil.example")];
    server.send("GET", "/api/catalog", &both, "").refused(421);
    let none = server.raw(b"GET /api/catalog HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap();
    assert_eq!(none.status, 421);
    let twice =
        format!("GET / HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\nConnection: close\r\n\r\n", server.host());
    assert!(matches!(server.raw(twice.as_bytes()).unwrap().status, 400 | 421));
    let absolute =
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.host());
    assert_eq!(server.raw(absolute.as_bytes()).unwrap().status, 421);
}

#[test]
fn other_pages_are_not_answered_and_get_no_permission() {
    let server = Server::start(None);
    let port = server.address.port();
    let ours = format!("http://127.0.0.1:{port}");
    assert_eq!(server.send("GET", "/api/catalog", &[("Origin", &ours)], "").status, 200);
    for origin in [
        "null".to_owned(),
        "http://evil.example".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        "http://127.0.0.1".to_owned(),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://127.0.0.1:{port}/"),
    ] {
        for (method, path) in [("GET", "/api/catalog"), ("POST", "/api/tables"), ("OPTIONS", "/api/tables")] {
            let reply = server.send(method, path, &[("Origin", &origin), ("X-Parlor", "1")], "");
            assert!(reply.refused(403).contains("other pages"), "{origin} {method}");
            assert!(!reply.head.to_lowercase().contains("access-control-"), "{}", reply.head);
        }
    }
    let from = |site: &str, mode: &str| {
        server.send("GET", "/api/catalog", &[("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode)], "").status
    };
    assert_eq!(from("same-site", "no-cors"), 403, "another port of this machine");
    assert_eq!(from("cross-site", "no-cors"), 403);
    assert_eq!(from("cross-site", "navigate"), 200, "a link may lead here");
    assert_eq!(from("same-origin", "cors"), 200);
}

#[test]
fn writes_need_their_header_and_json() {
    let server = Server::start(None);
    let body = r#"{"game": "tictactoe", "seats": ["human", "random"]}"#;
    for (method, path) in [
        ("POST", "/api/tables"),
        ("POST", "/api/hint"),
        ("POST", "/api/replay"),
        ("POST", "/api/analysis"),
        ("POST", "/api/streams"),
        ("POST", "/api/runs"),
        ("PUT", "/api/streams/0123456789abcdef0123456789abcdef"),
        ("DELETE", "/api/tables/0123456789abcdef0123456789abcdef"),
        ("PATCH", "/"),
    ] {
        for headers in [&[][..], &[("X-Parlor", "0")], &[("X-Parlor", "")]] {
            assert!(
                server.send(method, path, headers, body).refused(403).contains("X-Parlor"),
                "{method} {path}"
            );
        }
    }
    let form = [("X-Parlor", "1"), ("Content-Type", "application/x-www-form-urlencoded")];
    server.send("POST", "/api/tables", &form, body).refused(415);
    server.send("POST", "/api/tables", &[("X-Parlor", "1")], body).refused(415);
    server.send("POST", "/api/catalog", &[("X-Parlor", "1")], "").refused(405);
    server.send("DELETE", "/api/tables", &[("X-Parlor", "1")], "").refused(405);
}

/// Returns every spec of every agent of a game that names something outside the program, alone and inside other agents.
fn outside(game: &str) -> Vec<String> {
    let opened = parlor_catalog::open(game).unwrap();
    let agents = opened.agents();
    let mut specs =
        vec!["cmd:/bin/true".to_owned(), "cmd(command=/bin/true)".to_owned(), " cmd: /bin/true".to_owned()];
    for agent in &agents {
        for key in agent.keys {
            let value = match key.kind {
                Kind::File(_) | Kind::Command => "/etc/hostname",
                Kind::Folder(_) | Kind::WorkingFolder | Kind::Store => "/tmp",
                _ => continue,
            };
            specs.push(format!("{}({}={value})", agent.name, key.name));
            specs.push(format!("{}({}=\"{value}\")", agent.name, key.name));
        }
    }
    let inner = specs.clone();
    for agent in &agents {
        for key in agent.keys.iter().filter(|key| matches!(key.kind, Kind::Agent { .. } | Kind::Agents)) {
            for spec in &inner {
                let quoted = spec.replace('\\', "\\\\").replace('"', "\\\"");
                specs.push(format!("{}({}={spec})", agent.name, key.name));
                specs.push(format!("{}({}=\"{quoted}\")", agent.name, key.name));
            }
            specs.push(format!("{0}({1}={0}({1}=cmd:/bin/true))", agent.name, key.name));
        }
    }
    specs
}

#[test]
fn no_agent_from_the_web_reads_files_or_starts_programs() {
    let server = Server::start(None);
    let mut refused = 0;
    for entry in GAMES {
        let game = parlor_catalog::open(entry.name).unwrap();
        for spec in outside(entry.name) {
            let seats =
                if game.seats() == 1 { vec![spec.clone()] } else { vec!["human".to_owned(), spec.clone()] };
            let bodies = [
                ("/api/tables", json!({"game": entry.name, "seats": seats})),
                ("/api/hint", json!({"game": entry.name, "agent": spec, "exact": false})),
            ];
            for (path, body) in bodies {
                let reply = server.post(path, None, &body);
                // Some specs have two things wrong with them, but none may be seated.
                assert!(matches!(reply.status, 400 | 403), "{spec}: {}", reply.text());
                let error = reply.json()["error"].as_str().unwrap().to_owned();
                assert!(
                    !error.contains("No such file") && !error.contains("cannot be used"),
                    "{spec}: {error}"
                );
                refused += usize::from(reply.status == 403);
            }
        }
    }
    assert!(refused > 100, "only {refused}");
    let offered =
        server.post("/api/tables", None, &json!({"game": "tictactoe", "seats": ["human", "@mine"]}));
    assert_eq!(offered.status, 201, "{}", offered.text());
    let unknown =
        server.post("/api/tables", None, &json!({"game": "tictactoe", "seats": ["human", "@yours"]}));
    assert!(unknown.refused(400).contains("mine"));
}

#[test]
fn catalogs_list_nothing_that_the_web_may_not_use() {
    let server = Server::start(None);
    let catalog = server.get("/api/catalog").json();
    let offered = &catalog["agents"][0];
    assert_eq!((&offered["name"], &offered["spec"]), (&json!("@mine"), &json!("random")));
    assert_eq!(offered["games"].as_array().unwrap().len(), GAMES.len(), "random plays everything");
    for game in catalog["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        assert_eq!(game["solver"], true, "{name}");
        let opened = parlor_catalog::open(name).unwrap();
        for agent in game["agents"].as_array().unwrap() {
            let info = opened.agents().into_iter().find(|info| info.name == agent["name"]).unwrap();
            assert!(!info.sees_all && info.name != "cmd", "{name}: {}", info.name);
            for key in agent["keys"].as_array().unwrap() {
                let key = info.keys.iter().find(|known| known.name == key["name"]).unwrap();
                assert!(
                    !matches!(key.kind, Kind::File(_) | Kind::Folder(_) | Kind::Command | Kind::Store),
                    "{}",
                    key.name
                );
            }
        }
    }
}

#[test]
fn numbers_are_lowered_to_what_a_stranger_may_use() {
    let server = Server::start(None);
    let spec = "mcts(sims=999999999, memory_mb=100000, threads=64, time_ms=86000000)";
    let (_, _, snapshot) = server.table(&json!({"game": "connect", "seats": ["human", spec]}));
    let agent = snapshot["seats"][1]["agent"].as_str().unwrap();
    for part in ["sims=5000000", "memory_mb=16", "threads=1", "time_ms=10000"] {
        assert!(agent.contains(part), "{agent}");
    }
    let nested = "pimc(worlds=1000000, playout=pimc(memory_mb=4096, playout=off))";
    let reply = server.post("/api/tables", None, &json!({"game": "dominoes", "seats": ["human", nested]}));
    if reply.status == 201 {
        let agent = reply.json()["snapshot"]["seats"][1]["agent"].to_string();
        assert!(!agent.contains("4096") && !agent.contains("1000000"), "{agent}");
    } else {
        assert_eq!(reply.status, 400, "{}", reply.text());
    }
}

/// Every call about a table, with a body that would be right.
fn calls(table: &str) -> Vec<(&'static str, String, Value)> {
    let path = |rest: &str| format!("/api/tables/{table}{rest}");
    vec![
        ("GET", path(""), Value::Null),
        ("GET", path("/saved"), Value::Null),
        ("POST", path("/act"), json!({"action": "a1", "ply": 0})),
        ("POST", path("/undo"), json!({})),
        ("POST", path("/resign"), json!({})),
        ("POST", path("/move-now"), json!({})),
        ("POST", path("/pace"), json!({"paused": true})),
        ("DELETE", path(""), Value::Null),
        ("POST", "/api/hint".to_owned(), json!({"table": table})),
        ("POST", "/api/analysis".to_owned(), json!({"table": table})),
    ]
}

#[test]
fn wrong_and_foreign_keys_open_nothing() {
    let server = Server::start(None);
    let (table, keys, _) = server.table(&json!({"game": "dominoes", "seats": ["human", "human"]}));
    let (_, foreign, _) = server.table(&json!({"game": "dominoes", "seats": ["human", "human"]}));
    let before = server.snapshot(&table, &keys[0]);
    let long = "f".repeat(5000);
    let upper = keys[0].to_uppercase();
    let wrong =
        [foreign[0].as_str(), ANOTHER, "", "0", &long, &keys[0][..31], &upper, &server.owner, "é", "' OR 1"];
    for (method, path, body) in calls(&table) {
        for key in wrong {
            let headers = [("X-Parlor", "1"), ("Content-Type", "application/json"), ("X-Parlor-Seat", key)];
            let text = if body.is_null() { String::new() } else { body.to_string() };
            let reply = server.send(method, &path, &headers, &text);
            reply.refused(403);
        }
        let reply = if body.is_null() {
            server.send(method, &path, &[("X-Parlor", "1")], "")
        } else {
            server.post(&path, None, &body)
        };
        // Without a key there is the public part only.
        match (method, path.as_str()) {
            ("GET", path) if !path.ends_with("saved") => {
                let public = reply.json();
                for field in ["view", "drawing", "status", "position", "seat"] {
                    assert!(public[field].is_null(), "{field}: {}", public[field]);
                }
                assert_eq!((&public["log"], &public["actions"]), (&json!([]), &json!([])));
            }
            ("GET", _) => drop(reply.refused(409)),
            (_, "/api/analysis") => drop(reply.refused(409)),
            _ => drop(reply.refused(403)),
        }
        let twice = [
            ("X-Parlor", "1"),
            ("Content-Type", "application/json"),
            ("X-Parlor-Seat", keys[0].as_str()),
            ("X-Parlor-Seat", keys[1].as_str()),
        ];
        assert_eq!(server.send(method, &path, &twice, &body.to_string()).status, 400, "{method} {path}");
    }
    let topics = json!({"topics": [{"table": table, "key": foreign[1]}]});
    server.post("/api/streams", None, &topics).refused(403);
    let stream = server.post("/api/streams", None, &json!({"topics": []})).json()["stream"].clone();
    let path = format!("/api/streams/{}", stream.as_str().unwrap());
    let headers = [("X-Parlor", "1"), ("Content-Type", "application/json")];
    server.send("PUT", &path, &headers, &topics.to_string()).refused(403);
    // A seat's key does not act for the other seat: what it opens is its own.
    let of = [0, 1].map(|seat: usize| server.snapshot(&table, &keys[seat])["seat"].clone());
    assert_eq!(of, [json!(0), json!(1)]);
    let mover = before["to_move"].as_u64().unwrap() as usize;
    let other = &keys[1 - mover];
    server.act(&table, other, "pass", &server.snapshot(&table, other)["ply"]).refused(409);
    let mut after = server.snapshot(&table, &keys[0]);
    after["rev"] = before["rev"].clone();
    assert_eq!(after, before);
}

#[test]
fn ids_and_keys_are_long_and_never_alike() {
    let server = Server::start(None);
    let mut seen = BTreeSet::new();
    for _ in 0..50 {
        let (table, keys, _) = server.table(&json!({"game": "tictactoe", "seats": ["human", "human"]}));
        for id in keys.iter().chain([&table]) {
            assert_eq!(id.len(), 32);
            assert!(seen.insert(id.clone()));
        }
    }
}

#[test]
fn paths_lead_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret.json"), "secret").unwrap();
    let server = Server::start(Some(folder.path()));
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets/./index.html",
        "/assets//index.html",
        "/assets/.env",
        "/assets/",
        "/guide/../README",
        "/guide/games/../../README",
        "/guide/nothing",
        "/api/tables/../catalog",
        "/api/../api/catalog",
        "//api/catalog",
        "/api//catalog",
        "/api/tables/%00",
        "/api/tables/0123456789abcdef0123456789abcdeg",
        "/reports/../secret.json",
        "/etc/passwd",
        "/api/catalog/x",
        "/API/catalog",
    ] {
        for reply in [server.get(path), server.own("GET", path, "")] {
            assert!(matches!(reply.status, 403..=405), "{path}: {} {}", reply.status, reply.text());
            assert!(!reply.text().contains("secret"), "{path}");
        }
    }
    for path in ["/", "/play/connect", "/play/connect?seats=a", "/t/xyz", "/lab/runs/1", "/watch", "/replay"]
    {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    assert!(server.get("/guide").text().contains("<main"));
    assert!(server.get("/guide/games/dominoes").text().contains("<h1"));
    assert_eq!(server.send("HEAD", "/guide", &[], "").body.len(), 0);
}

#[test]
fn every_reply_has_its_policy() {
    let server = Server::start(None);
    for path in ["/", "/api/catalog", "/guide", "/nowhere", "/api/runs"] {
        let reply = server.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
    }
    assert_eq!(server.get("/api/catalog").header("cache-control"), Some("no-store"));
}

#[test]
fn the_owners_key_moves_from_the_address_to_a_cookie() {
    let server = Server::start(None);
    server.get("/api/runs").refused(403);
    server.get(&format!("/?owner={ANOTHER}")).refused(403);
    let reply = server.get(&format!("/lab?owner={}", server.owner));
    assert_eq!((reply.status, reply.header("location")), (303, Some("/lab")));
    let cookie = reply.header("set-cookie").unwrap();
    assert!(cookie.starts_with(&format!("parlor_owner_{}=", server.address.port())), "{cookie}");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(server.send("GET", "/api/runs", &[("Cookie", &pair)], "").status, 200);
    let with =
        |cookie: &str| server.send("GET", "/api/catalog", &[("Cookie", cookie)], "").json()["owner"].clone();
    assert_eq!(
        (with(&pair), with("a=b"), with(&format!("{pair}0"))),
        (json!(true), json!(false), json!(false))
    );
    // An address that begins with two slashes would be another host's.
    let reply = server.get(&format!("//evil.example/?owner={}", server.owner));
    assert!(reply.header("location").is_none_or(|to| !to.starts_with("//")), "{}", reply.head);
}
