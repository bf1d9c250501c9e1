//! The guide's page on engines: its transcripts are replayed, its program is run.

use std::path::PathBuf;
use std::process::Stdio;

use assert_cmd::Command;

const PARLOR: &str = env!("CARGO_BIN_EXE_parlor");

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/engines.md")
}

/// Returns what the program answers to these lines.
fn answers(call: &str, lines: &[&str]) -> Vec<String> {
    let words: Vec<&str> = call.split_whitespace().skip(1).collect();
    let typed: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output =
        Command::new(PARLOR).args(words).write_stdin(typed).assert().success().get_output().stdout.clone();
    String::from_utf8(output)
        .expect("answers are UTF-8")
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Returns a transcript as it is: each line of the referee, and what is said between it and the next.
fn played(call: &str, lines: &[&str]) -> String {
    let mut text = format!("$ {call}\n");
    let mut heard = 0;
    for (index, line) in lines.iter().enumerate() {
        text.push_str(&format!("> {line}\n"));
        let all = answers(call, &lines[..=index]);
        for answer in &all[heard..] {
            text.push_str(format!("< {answer}").trim_end());
            text.push('\n');
        }
        heard = all.len();
    }
    text
}

/// `UPDATE=1` writes the answers anew.
#[test]
fn transcripts_are_what_happens() {
    let text = std::fs::read_to_string(page()).unwrap();
    let mut fresh = String::new();
    let mut parts = text.split("```text\n$ ");
    fresh.push_str(parts.next().unwrap());
    let mut count = 0;
    for part in parts {
        let (block, rest) = part.split_once("```").unwrap();
        let call = block.lines().next().unwrap();
        let lines: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        fresh.push_str(&format!("```text\n{}```{rest}", played(call, &lines)));
        count += 1;
    }
    assert_eq!(count, 5);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(page(), &fresh).unwrap();
        return;
    }
    for (is, should) in text.lines().zip(fresh.lines()) {
        assert_eq!(is, should, "the guide has rotted; UPDATE=1 writes it anew");
    }
    assert_eq!(text.lines().count(), fresh.lines().count());
}

#[test]
fn the_twenty_lines_of_python_pass_every_check() {
    let python = std::process::Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    assert!(
        python.is_ok_and(|status| status.success()),
        "this test needs python3: the guide's engine is a program of Python, and it must be run to be tested"
    );
    let text = std::fs::read_to_string(page()).unwrap();
    let program = text.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(program.lines().count() <= 20);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("engine.py");
    std::fs::write(&file, program).unwrap();
    let command = format!("python3 {}", file.display());
    let output = Command::new(PARLOR)
        .args(["engine", "check", &command, "--matches", "1"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text.matches(": plays").count(), 6, "every game:\n{text}");
}
