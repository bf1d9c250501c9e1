//! Running cargo, and reading what its test runners say at the end.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::{chaos, docs_check, licences, nets, page, postgres, python};

/// The root of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A call of the cargo that runs us, from the root of the workspace.
pub fn cargo(words: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(words).current_dir(root());
    command
}

/// Runs a command and says how long it took.
///
/// # Errors
/// If it fails.
pub fn step(name: &str, command: &mut Command) -> anyhow::Result<()> {
    println!("\n== {name}");
    let started = Instant::now();
    let status = command.status().with_context(|| format!("{name} could not be started"))?;
    if !status.success() {
        bail!("{name} failed");
    }
    println!("   {name}: {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Variables of the environment.
pub type Variables = Vec<(String, String)>;

/// Builds the program, for speed if it has much to do, and returns where it is.
pub fn build(for_speed: bool) -> anyhow::Result<PathBuf> {
    build_with(for_speed, &Variables::new())
}

/// Builds the program as [`build`] does, with variables for the compiler.
pub fn build_with(for_speed: bool, variables: &Variables) -> anyhow::Result<PathBuf> {
    // Built alone, its dependencies have other features than in the tests, and nearly everything would be compiled again.
    let words: &[&str] = if for_speed {
        &["build", "--release", "--package", "parlor-cli", "--locked", "--message-format", "json"]
    } else {
        &["test", "--no-run", "--workspace", "--locked", "--message-format", "json"]
    };
    let variables = variables.iter().map(|(name, value)| (name, value));
    let output = cargo(words).envs(variables).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the program does not build");
    }
    let built = String::from_utf8(output.stdout)?;
    built
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "parlor" && message["profile"]["test"] == false)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo did not say where the program is")
}

/// Everything that must pass before a change lands.
pub fn test() -> anyhow::Result<()> {
    let started = Instant::now();
    step("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    step("lints", &mut cargo(&clippy))?;
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"]);
    step("docs", doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    println!("\n== licences");
    licences::check()?;
    println!("\n== PostgreSQL");
    postgres::install()?;
    page::check()?;

    let runner: &[&str] = if has_nextest() {
        &["nextest", "run", "--workspace", "--locked", "--no-fail-fast"]
    } else {
        &["test", "--workspace", "--locked", "--all-targets", "--no-fail-fast"]
    };
    let mut counts = Counts::default();
    let unit = counted("tests", &mut cargo(runner), &mut counts);
    let docs = counted("doctests", &mut cargo(&["test", "--workspace", "--locked", "--doc"]), &mut counts);
    println!("\n== tables of the docs");
    let tables = docs_check::run(&docs_check::Request::default());
    // The tests have built the program. One kill for each kind of run: `cargo xtask chaos` kills more often.
    let chaos = unit.is_ok().then(|| {
        println!("\n== killed runs");
        chaos::kill(chaos::KINDS, 1)
    });
    let browser = unit.is_ok().then(|| page::browser_tests(&build(false)?, &mut counts, &[]));
    let python = python::test(&mut counts, &[]);
    println!("\nall checks took {:.0} s", started.elapsed().as_secs_f64());
    println!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    let others = [chaos, browser].into_iter().flatten().collect::<anyhow::Result<()>>();
    unit.and(docs).and(tables).and(others).and(python)
}

/// The tests of the page in a browser.
pub fn browser(words: &[String]) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    page::browser_tests(&build(false)?, &mut counts, words)
}

/// The tests of the Python module.
pub fn python(words: &[String]) -> anyhow::Result<()> {
    let mut counts = Counts::default();
    python::test(&mut counts, words)
}

/// Rewrites the golden games.
pub fn playthroughs() -> anyhow::Result<()> {
    let words = ["test", "--package", "parlor-catalog", "--test", "it", "--locked", "--", "playthroughs::"];
    step("playthroughs", cargo(&words).env("UPDATE", "1"))?;
    step("what changed", Command::new("git").args(["status", "--short", "playthroughs"]).current_dir(root()))
}

/// Builds for speed and measures.
pub fn bench(rest: &[String]) -> anyhow::Result<()> {
    let mut command = cargo(&["run", "--release", "--package", "parlor-cli", "--", "bench"]);
    step("bench", command.args(rest))
}

/// Where the classifiers that come with the program are.
const CLASSIFIERS: &str = "classifiers";

/// The tables of `ntuple` that come with the program: the file's name, the game, the learner, and how long it is trained against itself.
const TABLES: &[(&str, [&str; 3])] = &[
    (
        "connect-7x6",
        [
            "connect(width=7, height=6)",
            "ntuple(step=2, gamma=0.97, epsilon=0.1, final_epsilon=0.03, anneal=2500000, plies=8)",
            "8x250000",
        ],
    ),
    (
        "connect-11x10",
        [
            "connect",
            "ntuple(layout=shared, step=1, gamma=0.98, epsilon=0.2, final_epsilon=0.2, plies=8)",
            "4x50000 then 2x50000(step=0.3) then 2x50000(step=0.1, epsilon=0.1, final_epsilon=0.1)",
        ],
    ),
    ("checkers-8x8", ["checkers", "ntuple(gamma=1)", "8x50000"]),
    (
        "tictactoe-5x5",
        [
            "tictactoe(rows=5, columns=5)",
            "ntuple(layout=small, gamma=1, lambda=0.5, epsilon=0.2, final_epsilon=0.05, anneal=1500000)",
            "8x250000",
        ],
    ),
];

/// Where the opening books that come with the program are.
const BOOKS: &str = "books";

/// These books: the file's name, and the game.
const EXACT_BOOKS: &[(&str, &str)] = &[("connect-7x6.book", "connect(width=7, height=6)")];

/// Beyond that many plies no position takes the solver long.
const EXACT_PLIES: &str = "12";

/// Positions with fewer nodes are not looked up but searched, in some hundredths of a second.
const EASY_NODES: &str = "300000";

/// Grows the books of exact answers. One that was interrupted goes on.
fn books(shelf: &Path, home: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(shelf)?;
    fs::create_dir_all(home)?;
    for (name, game) in EXACT_BOOKS {
        let growing = home.join(name);
        let mut build = parlor(&["book", "build", "--table", "2048"]);
        if growing.exists() {
            build.arg("--resume").arg(&growing);
        } else {
            build.args([game, "--exact", "--plies", EXACT_PLIES, "--easy", EASY_NODES, "-o"]).arg(&growing);
        }
        step(name, &mut build)?;
        put(&growing, &shelf.join(name))?;
        fs::remove_file(&growing)?;
    }
    Ok(())
}

/// Trains a table, and writes what it needs to play.
fn table(name: &str, [game, learner, plan]: [&str; 3], shelf: &Path, home: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(shelf)?;
    fs::create_dir_all(home)?;
    let [whole, playable] =
        [format!("{name}-whole.parlor"), format!("{name}.parlor")].map(|file| home.join(file));
    let mut train = parlor(&["train", game, learner, "--plan", plan, "--test-matches", "0", "--force", "-o"]);
    step(name, train.arg(&whole))?;
    let mut inspect = parlor(&["inspect"]);
    step(name, inspect.arg(&whole).arg("--playable").arg(&playable))?;
    put(&playable, &shelf.join(format!("{name}.parlor")))
}

/// Makes what comes with the program: the learners of all games, tables of `ntuple`, opening books, and the
/// classifiers; or only those that are named.
/// `GAME.parlor` is the game's default learner, `GAME-LEARNER.parlor` another one.
pub fn shipped(names: &[String]) -> anyhow::Result<()> {
    let shelf = root().join("crates/registry/shipped");
    let home = root().join("target/shipped");
    let mut games: Vec<String> = Vec::new();
    for entry in fs::read_dir(&shelf)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "parlor") {
            games.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    games.sort();
    let is_table = |name: &str| TABLES.iter().any(|(table, _)| *table == name);
    if let Some(unknown) = names.iter().find(|name| {
        ![CLASSIFIERS, BOOKS, nets::NAME].contains(&name.as_str()) && !games.contains(name) && !is_table(name)
    }) {
        let tables: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
        bail!(
            "nothing named `{unknown}` is shipped; shipped are {}, {}, {BOOKS}, {CLASSIFIERS}, {}",
            games.join(", "),
            tables.join(", "),
            nets::NAME
        );
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|other| other == name);
    for name in games.into_iter().filter(|game| wanted(game)) {
        let file = home.join("learnt").join(format!("{name}.parlor"));
        // What is there already would only be measured again.
        if file.exists() {
            fs::remove_file(&file)?;
        }
        let words = match name.split_once('-') {
            Some((game, learner)) => vec!["learn", game, "--learner", learner],
            None => vec!["learn", &*name],
        };
        step(&name, parlor(&words).env("PARLOR_HOME", &home))?;
        put(&file, &shelf.join(format!("{name}.parlor")))?;
    }
    for (name, plan) in TABLES.iter().filter(|(name, _)| wanted(name)) {
        table(name, *plan, &shelf.join("tables"), &home)?;
    }
    if wanted(nets::NAME) {
        nets::make(&shelf.join("nets"), &home)?;
    }
    if wanted(BOOKS) {
        books(&shelf.join(BOOKS), &home)?;
    }
    if wanted(CLASSIFIERS) { classifiers(&shelf.join(CLASSIFIERS), &home) } else { Ok(()) }
}

/// Fits the classifiers of the three targets of Myers 2014 to as many turns as its largest sample has. The forest's leaves are large: its
/// file is a fifth of that of a full forest, and its probabilities are better.
fn classifiers(shelf: &Path, home: &Path) -> anyhow::Result<()> {
    let game = "dominoes(rules=myers)";
    fs::create_dir_all(shelf)?;
    fs::create_dir_all(home)?;
    let rows = home.join("dominoes.csv");
    let rows = rows.to_str().context("the path of the workspace is not UTF-8")?;
    step("samples", &mut parlor(&["samples", game, "--rows", "129724", "--seed", "1", "--out", rows]))?;
    let made = ["mda", "forest"].map(|kind| (kind, format!("dominoes-{kind}.model")));
    for (kind, name) in &made {
        let mut train = parlor(&["classify", "train", rows, "--kind", kind, "--game", game]);
        train.args(["--seed", "1", "--trees", "50", "--min-leaf", "50", "--out"]).arg(home.join(name));
        step(kind, &mut train)?;
    }
    // Only now: what is shipped is a part of the program, which would be built again before the next step.
    made.iter().try_for_each(|(_, name)| put(&home.join(name), &shelf.join(name)))
}

/// Puts a file that was made anew to what is shipped, and says whether it differs.
pub fn put(made: &Path, shipped: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(made)?;
    let name = shipped.file_name().unwrap_or_default().display();
    if fs::read(shipped).is_ok_and(|known| known == bytes) {
        println!("{name}: the same bytes as before");
        return Ok(());
    }
    fs::write(shipped, bytes)?;
    println!("{name}: changed");
    Ok(())
}

/// A call of the program, built for speed.
pub fn parlor(words: &[&str]) -> Command {
    let mut command = cargo(&["run", "--release", "--package", "parlor-cli", "--"]);
    command.args(words);
    command
}

/// Whether cargo-nextest is there; installs it if it is not.
fn has_nextest() -> bool {
    let there = |mut command: Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if there(cargo(&["nextest", "--version"])) {
        return true;
    }
    println!("\ncargo-nextest is missing: installing it (plain `cargo test` if that fails)");
    there(cargo(&["install", "cargo-nextest", "--locked"]))
}

/// How many tests passed, failed and were skipped.
#[derive(Default)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

/// Runs tests, shows what they print, and adds up the counts of their closing lines.
pub fn counted(name: &str, command: &mut Command, counts: &mut Counts) -> anyhow::Result<()> {
    println!("\n== {name}");
    // nextest speaks on standard error, cargo test on standard output: read both through one pipe.
    let (reader, writer) = std::io::pipe()?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("{name} could not be started"))?;
    // The command holds the other end of the pipe, which would stay open.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for line in BufReader::new(reader).lines() {
        let line = line?;
        println!("{line}");
        add(&line, counts);
    }
    if child.wait()?.success() { Ok(()) } else { bail!("{name} failed") }
}

/// Adds what a closing line says: nextest's `Summary [ 1.2s] 9 tests run: 8 passed, 1 failed, 0 skipped`, cargo test's
/// `test result: ok. 8 passed; 0 failed; 1 ignored; …`, that of the tests in a browser, `browser tests run: …`, or pytest's
/// `8 passed, 1 skipped in 3.25s`.
fn add(line: &str, counts: &mut Counts) {
    let is_of_pytest =
        line.contains(" passed") && line.contains(" in ") && line.trim_end().ends_with(['s', ')']);
    if !(line.contains("tests run:")
        || line.contains("test run:")
        || line.contains("test result:")
        || is_of_pytest)
    {
        return;
    }
    let words: Vec<&str> = line.split([' ', ';', ',']).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        let Ok(number) = pair[0].parse::<u64>() else { continue };
        match pair[1] {
            "passed" => counts.passed += number,
            "failed" => counts.failed += number,
            "skipped" | "ignored" => counts.skipped += number,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines() {
        let mut counts = Counts::default();
        add("     Summary [   1.204s] 9 tests run: 8 passed (1 slow), 1 failed, 2 skipped", &mut counts);
        add("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out", &mut counts);
        add("test something ... ok, 5 passed", &mut counts);
        add("browser tests run: 40 passed, 2 failed, 0 skipped", &mut counts);
        add("1 failed, 7 passed, 1 skipped in 83.20s (0:01:23)", &mut counts);
        assert_eq!((counts.passed, counts.failed, counts.skipped), (58, 4, 4));
    }
}
