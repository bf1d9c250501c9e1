//! Runs that are killed again and again, and must end with the same bytes as runs that were not.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use parlor_core::Rng;

use crate::steps::{cargo, root};

/// The kills of a run without `--kills`.
const KILLS: u32 = 200;

/// How long a run may take that nobody kills.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The program's file.
const PROGRAM: &str = if cfg!(windows) { "parlor.exe" } else { "parlor" };

/// An experiment that takes seconds.
const EXPERIMENT: &str = r#"
id = "chaos"
title = "A small experiment that is killed"
question = "Do killed runs end like others?"
game = "tictactoe"
seed = 3
trainings = 6

[default]
against = "random"
rounds = 10
matches = 60
[default.test]
against = "random"
after = [1, 5, 10]
repeats = 3
matches = 100

[[arm]]
name = "plain"
learner = "collective"

[[hypothesis]]
id = "chaos"
says = "It learns."
test = "majority"
arm = "plain"
after = "last"
"#;

/// A command that runs long. `OUT` stands for the place of its result.
struct Scenario {
    name: &'static str,
    start: &'static str,
    /// The call that goes on, once `begun` is there.
    resume: &'static str,
    /// The file in the run's folder that a run begins with.
    begun: &'static str,
}

/// The number of kinds of runs.
pub const KINDS: u32 = SCENARIOS.len() as u32;

const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "match",
        start: "match dominoes expert random --pairs 1500 --seed 8 --threads 2 --out OUT",
        resume: "match --resume OUT",
        begun: "match.json",
    },
    Scenario {
        name: "tournament",
        start: "tournament dominoes expert random scoring --pairs 500 --seed 8 --threads 2 --out OUT",
        resume: "tournament --resume OUT",
        begun: "tournament.json",
    },
    Scenario {
        name: "train",
        start: "train dominoes collective(epsilon=0.1,memory_mb=1) --against expert self --plan 40x100 --test-matches 20 --seed 4 -o OUT/learner",
        resume: "train --resume OUT/learner",
        begun: "learner",
    },
    Scenario {
        name: "learn",
        start: "learn tictactoe --seconds 1 --threads 2",
        resume: "learn tictactoe --seconds 1 --threads 2",
        begun: "",
    },
    Scenario {
        name: "experiment",
        start: "experiment run EXPERIMENT --threads 2 --out OUT",
        resume: "experiment run EXPERIMENT --threads 2 --out OUT --resume",
        begun: "run.json",
    },
    Scenario {
        name: "endgame build",
        start: "endgame build checkers(rows=6,columns=6) --pieces 4 --threads 2 --out OUT",
        resume: "endgame build checkers(rows=6,columns=6) --pieces 4 --threads 2 --out OUT",
        begun: "",
    },
    Scenario {
        name: "book build",
        start: "book build connect(width=5,height=4) --agent random --games 6000 --plies 8 --threads 2 -o OUT/book",
        resume: "book build --resume OUT/book --threads 2",
        begun: "book",
    },
];

/// The folder of one run: `home` is the program's own place, `out` that of the result.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(folder: PathBuf) -> anyhow::Result<Place> {
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(folder.join("out"))?;
        Ok(Place { folder })
    }

    fn start(&self, call: &str) -> anyhow::Result<Child> {
        let words = call.split(' ').map(|word| match word {
            "EXPERIMENT" => self.folder.with_file_name("experiment.toml").display().to_string(),
            word => word.replace("OUT", &self.folder.join("out").display().to_string()),
        });
        let mut command = Command::new(self.folder.with_file_name(PROGRAM));
        command.args(words).env("PARLOR_HOME", self.folder.join("home"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().context("parlor could not be started")
    }

    /// Waits for a run to end well.
    fn wait(&self, child: Child, call: &str) -> anyhow::Result<()> {
        let output = child.wait_with_output()?;
        if !output.status.success() {
            bail!("`{call}` in {}: {}", self.folder.display(), String::from_utf8_lossy(&output.stderr));
        }
        Ok(())
    }

    /// Returns every file of the result, and of what is learnt, with its bytes. The log has times in it.
    fn result(&self) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.folder.join("out"), self.folder.join("home/learnt")];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&self.folder)?.display().to_string();
                    files.insert(name, fs::read(&path)?);
                }
            }
        }
        Ok(files)
    }
}

/// What came of one scenario.
#[derive(Default)]
struct Tally {
    runs: u32,
    kills: u32,
    bytes: usize,
}

/// Kills runs and compares what they end with.
pub fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut kills, mut seed) = (KILLS, 1);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let number =
            words.next().map(|text| text.parse()).with_context(|| format!("{word} takes a number"))?;
        let number: u64 = number.with_context(|| format!("{word} takes a number"))?;
        match word.as_str() {
            "--kills" => kills = u32::try_from(number).context("that is too many kills")?,
            "--seed" => seed = number,
            _ => bail!("cargo xtask chaos [--kills N] [--seed S]"),
        }
    }
    if !cargo(&["build", "--package", "parlor-cli", "--locked"]).status()?.success() {
        bail!("parlor could not be built");
    }
    kill(kills, seed)?;
    // FABLE's agent, its workers and its database are killed by a test, which takes their number from here.
    let mut test = cargo(&["nextest", "run", "--package", "parlor-cli", "--locked", "fable_killed"]);
    if !test.env("PARLOR_TEST_KILLS", kills.to_string()).status()?.success() {
        bail!("FABLE lost or doubled games when its processes were killed");
    }
    Ok(())
}

/// Kills `kills` runs in all, each scenario about as often.
pub fn kill(kills: u32, seed: u64) -> anyhow::Result<()> {
    let started = Instant::now();
    let home = root().join("target/chaos");
    fs::create_dir_all(&home)?;
    fs::write(home.join("experiment.toml"), EXPERIMENT)?;
    // A copy: the program may be built anew meanwhile.
    fs::copy(root().join("target/debug").join(PROGRAM), home.join(PROGRAM)).context("parlor is not built")?;
    let mut rng = Rng::new(seed);
    let mut total = 0;
    for (number, scenario) in SCENARIOS.iter().enumerate() {
        let share = (kills as usize * (number + 1) / SCENARIOS.len()) as u32 - total;
        let tally = torment(scenario, &home, share, &mut rng)?;
        total += tally.kills;
        println!(
            "{:<14} {:>4} kills in {:>4} runs, all {} bytes equal to those of the unbroken run",
            scenario.name, tally.kills, tally.runs, tally.bytes
        );
    }
    println!("{total} kills, {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Kills a scenario at random times, `kills` times in all.
fn torment(scenario: &Scenario, home: &Path, kills: u32, rng: &mut Rng) -> anyhow::Result<Tally> {
    let mut tally = Tally::default();
    if kills == 0 {
        return Ok(tally);
    }
    let whole = Place::new(home.join(format!("{}-whole", scenario.name.replace(' ', "-"))))?;
    let began = Instant::now();
    whole.wait(whole.start(scenario.start)?, scenario.start)?;
    let takes = began.elapsed();
    let expected = whole.result()?;
    tally.bytes = expected.values().map(Vec::len).sum();
    if expected.is_empty() {
        bail!("{} leaves no result", scenario.name);
    }
    while tally.kills < kills {
        tally.runs += 1;
        let place = Place::new(home.join(format!("{}-killed", scenario.name.replace(' ', "-"))))?;
        // Up to four kills of one run; the last call may end.
        let planned = (1 + rng.below(4)).min(kills - tally.kills);
        for _ in 0..planned {
            let mut child = place.start(next_call(scenario, &place))?;
            sleep(takes.mul_f64(rng.unit()));
            if child.try_wait()?.is_none() {
                // By the handle of this one process: SIGKILL on Unix.
                child.kill()?;
                tally.kills += 1;
            }
            child.wait()?;
        }
        let call = next_call(scenario, &place);
        let child = place.start(call)?;
        place.wait(child, call)?;
        compare(scenario, &expected, &place.result()?, &place)?;
        if began.elapsed() > TIMEOUT * kills {
            bail!("{}: the runs end before they can be killed", scenario.name);
        }
    }
    Ok(tally)
}

fn next_call(scenario: &Scenario, place: &Place) -> &'static str {
    let begun = !scenario.begun.is_empty() && place.folder.join("out").join(scenario.begun).exists();
    if begun { scenario.resume } else { scenario.start }
}

fn compare(
    scenario: &Scenario,
    expected: &BTreeMap<String, Vec<u8>>,
    found: &BTreeMap<String, Vec<u8>>,
    place: &Place,
) -> anyhow::Result<()> {
    let names: Vec<&String> = expected.keys().chain(found.keys()).collect();
    for name in names {
        if expected.get(name) != found.get(name) {
            let how = match (expected.get(name), found.get(name)) {
                (Some(_), None) => "is missing",
                (None, _) => "is left over",
                _ => "differs",
            };
            bail!("{}: {name} {how} after kills; see {}", scenario.name, place.folder.display());
        }
    }
    Ok(())
}
