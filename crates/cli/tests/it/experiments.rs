//! `parlor experiment`, end to end with a small file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const FILE: &str = r#"id = "small"
title = "Gentle or harsh"
question = "Is gentle better?"
game = "tictactoe"
seed = 3
trainings = 6

[default]
against = "random"
rounds = 4
matches = 400
[default.test]
against = "random"
after = "every"
repeats = 2
matches = 400

[[arm]]
name = "gentle"
learner = "collective(win=1.06, loss=0.98)"

[[arm]]
name = "harsh"
learner = "collective(win=1.06, loss=0.5)"

[quick]
trainings = 2
matches = 20
test_matches = 20

[[hypothesis]]
id = "learns"
says = "Gentle scores more in the end than at first."
test = "better"
arm = "gentle"
measure = "score_percent"
after = "last"
than_after = 1
found = "holds"
"#;

/// What must not depend on threads or breaks.
const SAME: [&str; 5] = ["run.json", "rows.csv", "rows.parquet", "findings.json", "report.html"];

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        std::fs::write(place.path("small.toml"), FILE).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn parlor(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_parlor"));
        command.arg("experiment").args(words.split(' ')).current_dir(self.0.path());
        command.env("PARLOR_HOME", self.path("home"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, words: &str, code: i32) -> [String; 2] {
        let Output { status, stdout, stderr } = self.parlor(words).output().unwrap();
        let texts = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(status.code(), Some(code), "{words}: {texts:?}");
        texts
    }

    fn stdout(&self, words: &str) -> String {
        let [stdout, _] = self.run(words, 0);
        stdout
    }

    fn same(&self, one: &str, two: &str) {
        for file in SAME {
            let [a, b] = [one, two].map(|folder| std::fs::read(self.path(folder).join(file)).unwrap());
            assert!(a == b, "{file} of {one} and {two} differ");
        }
    }
}

fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

#[test]
fn threads_and_breaks_change_no_byte() {
    let place = Place::new();
    let json = place.stdout("run small.toml --out whole --threads 1 --json");
    let json: Value = serde_json::from_str(&json).expect("--json prints one document");
    assert_eq!((&json["folder"], &json["complete"]), (&Value::from("whole"), &Value::from(true)));
    assert_eq!(json["hypotheses"][0]["id"], "learns");
    place.stdout("run small.toml --out two --threads 2");
    place.same("whole", "two");

    // Killed without any warning as soon as some rows are written.
    let mut child = place.parlor("run small.toml --out killed --threads 2").spawn().unwrap();
    let rows = place.path("killed").join("rows.csv");
    let patience = Instant::now() + Duration::from_secs(60);
    while lines(&rows) < 9 {
        assert!(Instant::now() < patience, "nothing is written");
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let known = lines(&rows);
    assert!(known < lines(&place.path("whole").join("rows.csv")), "killed in the middle");
    let unfinished = place.stdout("report killed");
    assert!(unfinished.contains("not finished: ") && unfinished.contains("undecided"), "{unfinished}");
    let page = std::fs::read_to_string(place.path("killed").join("report.html")).unwrap();
    assert!(page.contains("Not finished: "));
    let [_, other] = place.run("run A1 --out killed --resume", 2);
    assert!(other.contains("with another text; it resumes only with its own"), "{other}");
    place.stdout("run small.toml --out killed --resume");
    place.same("whole", "killed");
}

#[test]
fn a_run_ends_with_its_verdicts_and_a_report() {
    let place = Place::new();
    let words = place.stdout("run small.toml --quick --out quick");
    assert!(words.starts_with("small: Gentle or harsh\nlearns  "), "no colours in a pipe: {words}");
    assert!(
        words.contains("(source: holds)") && words.contains(" points [") && words.contains("p = "),
        "{words}"
    );
    assert!(words.contains("report in quick"), "{words}");
    for file in ["plots/score_percent.svg", "plots/score_percent.png", "plots/spreads.svg"] {
        assert!(place.path("quick").join(file).is_file(), "{file}");
    }
    std::fs::create_dir(place.path("many")).unwrap();
    for name in ["one", "two"] {
        place.stdout(&format!("run small.toml --quick --out many/{name} --threads 1"));
    }
    let words = place.stdout("report many");
    assert!(words.contains("2 experiments: ") && words.contains("summary in many"), "{words}");
    for file in ["summary.html", "summary.md", "plots/overview.svg", "plots/overview.png"] {
        assert!(place.path("many").join(file).is_file(), "{file}");
    }
    let json: Value = serde_json::from_str(&place.stdout("report many --json")).unwrap();
    assert_eq!(json["experiments"].as_array().unwrap().len(), 2);
    assert!(place.run("report nowhere", 2)[1].contains("holds no run"));
}

#[test]
fn verify_sees_a_changed_row() {
    let place = Place::new();
    place.stdout("run small.toml --quick --out quick");
    assert!(place.stdout("verify quick --trainings 9").contains("every row is the same"));
    let rows = place.path("quick").join("rows.csv");
    let text = std::fs::read_to_string(&rows).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut cells: Vec<String> = lines[2].split(',').map(str::to_owned).collect();
    // A win more and a loss less: still possible, but not what was played.
    for (name, step) in [("wins", 1), ("losses", -1)] {
        let column = lines[0].split(',').position(|head| head == name).unwrap();
        cells[column] = (cells[column].parse::<i64>().unwrap() + step).to_string();
    }
    lines[2] = cells.join(",");
    std::fs::write(&rows, lines.join("\n") + "\n").unwrap();
    let [words, _] = place.run("verify quick --trainings 9", 1);
    assert!(words.contains("arm gentle, training 0, round 1"), "{words}");
    assert!(words.contains("the rows are not what this program makes"), "{words}");
}

#[test]
fn wrong_files_are_told_with_their_place() {
    let place = Place::new();
    for (from, to, wrong) in [
        ("trainings = 6", "trainigns = 6", "wrong.toml: line 6, column 1: there is no key `trainigns`"),
        (
            "arm = \"gentle\"",
            "arm = \"gentel\"",
            "line 35, column 7: there is no arm `gentel` (did you mean `gentle`?)",
        ),
        ("\"tictactoe\"", "\"tictacto\"", "line 4, column 8: there is no game named `tictacto`"),
        ("loss=0.5", "lsos=0.5", "line 24, column 11: collective has no key `lsos`"),
        ("seed = 3", "seed = = 3", "line 5, column"),
    ] {
        std::fs::write(place.path("wrong.toml"), FILE.replacen(from, to, 1)).unwrap();
        let [stdout, stderr] = place.run("run wrong.toml --out out", 2);
        assert!(stderr.contains(wrong), "{stderr}");
        assert!(stdout.is_empty() && !place.path("out").exists(), "nothing is begun");
    }
    assert!(place.run("run A9 --out out", 2)[1].contains("there is no experiment named `A9`"));
}
