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

/// A user who may read a store but not write it.
#[cfg(unix)]
pub struct Reader {
    program: String,
    store: String,
}

#[cfg(unix)]
impl Reader {
    /// Takes the right to write a store away. Root may write everywhere, so root becomes a user without rights, who may read the store and
    /// a copy of the program.
    pub fn of(place: &Place, store: &str) -> Reader {
        let program = place.path("parlor");
        std::fs::copy(assert_cmd::cargo::cargo_bin("parlor"), &program).unwrap();
        set_mode(&place.path("."), 0o755);
        for file in std::fs::read_dir(store).unwrap() {
            set_mode(file.unwrap().path().to_str().unwrap(), 0o444);
        }
        set_mode(store, 0o555);
        Reader { program, store: store.to_owned() }
    }

    /// Runs the program; returns its exit code and what it wrote.
    pub fn run(&self, words: &[&str]) -> (Option<i32>, String, String) {
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = std::process::Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--", &self.program]);
            command
        } else {
            std::process::Command::new(&self.program)
        };
        let output = command.args(words).env("PARLOR_HOME", "/nowhere/at/all").output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, err)
    }
}

#[cfg(unix)]
impl Drop for Reader {
    fn drop(&mut self) {
        // So that the folder can be removed.
        set_mode(&self.store, 0o755);
    }
}

#[cfg(unix)]
fn set_mode(path: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs the program with a limit on the size of every file that it writes, as on a full disk.
#[cfg(unix)]
pub fn with_file_limit(place: &Place, kib: u32, call: &str) -> std::process::Output {
    let program = assert_cmd::cargo::cargo_bin("parlor");
    // The signal would end the program; a full disk sends none.
    let call = format!("trap '' XFSZ; ulimit -f {kib}; exec '{}' {call}", program.display());
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &call]).env("PARLOR_HOME", place.path("home")).output().unwrap()
}
