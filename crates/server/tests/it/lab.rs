//! The laboratory: runs from their text to their report.

use std::thread;
use std::time::Duration;

use parlor_lab::record::Location;
use parlor_server::Settings;
use serde_json::{Value, json};

use crate::client::Server;

fn start(server: &Server, kind: &str, toml: &str) -> String {
    let reply = server.own("POST", "/api/runs", &json!({"kind": kind, "toml": toml}).to_string());
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["run"].as_str().unwrap().to_owned()
}

fn wait(server: &Server, run: &str, state: &str) -> Value {
    for _ in 0..1200 {
        let value = server.own("GET", &format!("/api/runs/{run}"), "").json();
        if value["state"] == state {
            return value;
        }
        assert_ne!(value["state"], "failed", "{value}");
        thread::sleep(Duration::from_millis(50));
    }
    panic!("it is never {state}");
}

const MATCH: &str = "game = 'tictactoe'\nagents = ['mcts(sims=20)', 'random']\npairs = 30\n";

#[test]
fn runs_are_started_followed_stopped_resumed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(Some(folder.path()));
    server.get("/api/runs").refused(403);
    let done = wait(&server, &start(&server, "match", MATCH), "done");
    assert_eq!((&done["done"], &done["total"], &done["kind"]), (&json!(30), &json!(30), &json!("match")));
    assert!(done["points"].as_array().unwrap().len() > 5, "{done}");
    assert!(done["result"]["elo"].is_number(), "{done}");
    let tournament = "game = 'tictactoe'\nagents = ['random', 'mcts(sims=5)', 'mcts(sims=20)']\npairs = 5\n";
    let done = wait(&server, &start(&server, "tournament", tournament), "done");
    let report = server.own("GET", done["report"].as_str().unwrap(), "");
    assert!(report.text().contains("<h1"), "{}", report.text());
    let training =
        "game = 'tictactoe'\nlearner = 'collective'\nrounds = 3\nround = 50\ntest_matches = 20\npairs = 10\n";
    let done = wait(&server, &start(&server, "training", training), "done");
    assert_eq!(done["axes"]["x"], "matches of training");
    assert!(!done["points"].as_array().unwrap().is_empty(), "{done}");
    assert_eq!(server.own("GET", done["report"].as_str().unwrap(), "").status, 200);
    let long = MATCH.replace("pairs = 30", "pairs = 100000");
    let run = start(&server, "match", &long);
    let stopped = server.own("POST", &format!("/api/runs/{run}/stop"), "");
    assert_eq!(stopped.status, 200);
    let stopped = wait(&server, &run, "stopped");
    assert_eq!(stopped["resumable"], true);
    server.stop();
    let server = Server::start(Some(folder.path()));
    let list = server.own("GET", "/api/runs", "").json();
    assert_eq!(list["runs"].as_array().unwrap().len(), 4);
    let resumed = server.own("POST", &format!("/api/runs/{run}/resume"), "");
    assert_eq!(resumed.status, 200, "{}", resumed.text());
    server.own("DELETE", &format!("/api/runs/{run}"), "").refused(409);
    for _ in 0..1200 {
        if server.own("GET", &format!("/api/runs/{run}"), "").json()["done"].as_u64().unwrap() > 0 {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(server.own("POST", &format!("/api/runs/{run}/stop"), "").status, 200);
    let stopped = wait(&server, &run, "stopped");
    assert!(stopped["done"].as_u64().unwrap() >= 1);
    assert_eq!(server.own("DELETE", &format!("/api/runs/{run}"), "").status, 204);
    assert_eq!(server.own("GET", &format!("/api/runs/{run}"), "").status, 404);
}

#[test]
fn runs_at_work_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Some(folder.path()));
    let long = json!({"kind": "match", "toml": MATCH.replace("pairs = 30", "pairs = 1000000")}).to_string();
    let mut begun = Vec::new();
    let full = loop {
        let reply = server.own("POST", "/api/runs", &long);
        if reply.status != 201 {
            break reply;
        }
        begun.push(reply.json()["run"].as_str().unwrap().to_owned());
        assert!(begun.len() < 100, "nobody counts");
    };
    assert!(full.refused(503).contains("at work already"));
    server.own("POST", &format!("/api/runs/{}/stop", begun[0]), "");
    wait(&server, &begun[0], "stopped");
    // There is room again.
    for _ in 0..100 {
        if server.own("POST", "/api/runs", &long).status == 201 {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("the place of a stopped run stays taken");
}

#[test]
fn games_are_recorded_listed_and_shown_to_the_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = Location::parse(folder.path().join("store").to_str().unwrap()).unwrap();
    let server = Server::with(Settings {
        port: 0,
        folder: Some(folder.path().join("serve")),
        home: Some(folder.path().join("home")),
        record: Some(store),
        ..Settings::default()
    });
    assert_eq!(server.own("GET", "/api/games", "").json()["games"], json!([]));
    assert_eq!(server.own("GET", "/api/history", "").json()["entries"], json!([]));
    wait(&server, &start(&server, "match", &MATCH.replace("pairs = 30", "pairs = 3")), "done");
    let tournament = "game = 'connect(width=5, height=4)'\nagents = ['random', 'mcts(sims=5)']\npairs = 2\n";
    wait(&server, &start(&server, "tournament", tournament), "done");
    let list = server.own("GET", "/api/games", "").json();
    let games = list["games"].as_array().unwrap();
    assert_eq!(games.len(), 10, "{list}");
    assert!(games[0]["game"].as_str().unwrap().starts_with("connect("), "the newest first: {list}");
    let last = server.own("GET", &format!("/api/games/{}", games[0]["id"]), "");
    let replay = server.post("/api/replay", None, &json!({"line": last.text()}));
    assert_eq!(replay.status, 200, "{}", replay.text());
    let log = server.own("GET", "/api/history", "").json();
    let entries = log["entries"].as_array().unwrap();
    assert_eq!((entries.len(), &entries[1]["kind"]), (2, &json!("match")), "{log}");
    assert!(entries[1]["wins"].is_number() && entries[1]["elo"].is_number(), "{log}");
    for path in ["/api/games", "/api/games/1", "/api/history"] {
        server.get(path).refused(403);
    }
    for path in ["/api/games/0", "/api/games/11", "/api/games/x", "/api/games/9999999999999999999"] {
        assert!(server.own("GET", path, "").refused(404).contains("no game"), "{path}");
    }
    server.own("POST", "/api/games", "{}").refused(405);
}

#[test]
fn runs_start_no_programs_and_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Some(folder.path()));
    for agent in [
        "cmd:/bin/true",
        "cmd(command=/bin/true)",
        " cmd : /bin/true",
        "c\\u006dd:/bin/true",
        "mstar(model=cmd:/bin/true)",
        "fable(carrier=processes)",
    ] {
        for kind in ["match", "tournament", "training", "experiment"] {
            let toml =
                format!("game = \"dominoes\"\nagents = [\"random\", \"{agent}\"]\nlearner = \"{agent}\"\n");
            let reply = server.own("POST", "/api/runs", &json!({"kind": kind, "toml": toml}).to_string());
            assert!(reply.refused(403).contains("programs"), "{agent}");
        }
    }
    let wrong = |toml: &str| {
        let reply = server.own("POST", "/api/runs", &json!({"kind": "match", "toml": toml}).to_string());
        assert_eq!(reply.status, 400, "{}", reply.text());
        reply.json()
    };
    assert!(wrong("game = ")["where"].as_str().unwrap().starts_with("line 1"));
    assert_eq!(wrong(&MATCH.replace("random", "randon"))["did_you_mean"], "random");
    assert!(wrong(&MATCH.replace("pairs", "pars"))["error"].as_str().unwrap().contains("pairs"));
    assert!(std::fs::read_dir(folder.path().join("runs")).is_ok_and(|entries| entries.count() == 0));
}

#[test]
fn a_report_with_a_script_in_its_title_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Some(folder.path()));
    let toml = "id = \"s\"\ntitle = \"<script>alert(2)</script>\"\nquestion = \"<img src=x onerror=alert(3)>\"\ngame = \"tictactoe\"\nseed = 1\ntrainings = 2\n\n[default]\nagainst = \"random\"\nrounds = 1\nmatches = 5\n[default.test]\nagainst = \"random\"\nafter = [1]\nrepeats = 1\nmatches = 5\n\n[[arm]]\nname = \"arm\"\nlearner = \"collective\"\n";
    let reply = server.own("POST", "/api/runs", &json!({"kind": "experiment", "toml": toml}).to_string());
    assert_eq!(reply.status, 201, "{}", reply.text());
    let done = wait(&server, reply.json()["run"].as_str().unwrap(), "done");
    let path = done["report"].as_str().unwrap_or_else(|| panic!("{done}"));
    server.get(path).refused(403);
    let report = server.own("GET", path, "");
    assert_eq!(report.status, 200);
    assert!(
        !report.text().contains("<script>alert") && !report.text().contains("<img src=x"),
        "{}",
        report.text()
    );
    let policy = report.header("content-security-policy").unwrap();
    assert!(
        policy.contains("sandbox") && !policy.contains("script-src") && !policy.contains("allow-"),
        "{policy}"
    );
    let run = done["run"].as_str().unwrap();
    for path in ["run/../run.json", "..%2frun.json", "run/nothing.html", ".hidden", ""] {
        assert_eq!(server.own("GET", &format!("/reports/{run}/{path}"), "").status, 404, "{path}");
    }
}
