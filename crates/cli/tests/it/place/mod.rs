//! A folder of its own for each test, and the program run in it.

#![allow(dead_code, reason = "each test file uses what it needs")]

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A place of its own for each test, so that logs and files do not mix.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn parlor(&self, words: &[&str]) -> Command {
        let mut command = Command::cargo_bin("parlor").expect("the program was built");
        command.args(words).env("PARLOR_HOME", self.0.path().join("home"));
        command
    }

    pub fn stdout(&self, words: &[&str]) -> String {
        let output = self.parlor(words).assert().success().get_output().stdout.clone();
        String::from_utf8(output).expect("text is UTF-8")
    }

    pub fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.stdout(words)).expect("--json prints one JSON document")
    }

    pub fn json_lines(&self, words: &[&str]) -> Vec<Value> {
        let read = |line| serde_json::from_str(line).expect("every line is a JSON document");
        self.stdout(words).lines().map(read).collect()
    }

    /// Runs a call that must fail with exit code 2 and returns its sentence.
    pub fn sentence(&self, words: &[&str]) -> String {
        let output = self.parlor(words).assert().code(2).get_output().clone();
        assert!(output.stdout.is_empty(), "errors go to standard error");
        let text = String::from_utf8(output.stderr).expect("text is UTF-8");
        assert!(!text.contains("panicked"), "{text}");
        text
    }
}
