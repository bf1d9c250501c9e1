//! How fast does a store record games and count transitions, and how many bytes does it need?

use std::path::PathBuf;
use std::time::{Duration, Instant};

use parlor_core::api::MatchSetup;
use parlor_core::rng::fork;
use parlor_lab::record::{game_type, steps_of};
use parlor_store::{GameId, GameRecord, Model, Observations, Store, TransitionCount};

/// What is stored, and what is measured.
#[derive(Copy, Clone)]
pub(super) struct Storing {
    what: What,
    measure: Measure,
}

#[derive(Copy, Clone)]
enum What {
    /// Random games of a game.
    Games(&'static str),
    /// Observations that are folded in memory before they are written.
    Observations,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Measure {
    Speed,
    Bytes,
}

const fn both(what: What) -> [Storing; 2] {
    [Storing { what, measure: Measure::Speed }, Storing { what, measure: Measure::Bytes }]
}

/// What is measured: the history of a small, a middle and a large board, and a model.
pub(super) const STORES: [[Storing; 2]; 4] = [
    both(What::Games("tictactoe")),
    both(What::Games("minesweeper(rows=5, columns=5)")),
    both(What::Games("checkers")),
    both(What::Observations),
];

/// Number of different games that are recorded again and again.
const GAMES: u64 = 500;

/// Number of rows that are folded in memory: 160 MB with what is being added.
const FOLDED: usize = 2_000_000;

/// The least number of observations, so that they do not all fit into one fold.
const LEAST: u64 = 5_000_000;

/// Number of transitions that can be observed. Some are frequent: the square of a random number says which.
const TRANSITIONS: f64 = 20e6;

/// Number of different inputs.
const INPUTS: u64 = 32;

impl Storing {
    pub fn name(&self) -> String {
        match (self.what, self.measure) {
            (What::Games(game), Measure::Speed) => format!("{game} recorded in SQLite"),
            (What::Games(game), Measure::Bytes) => format!("{game} size of a recorded decision"),
            (What::Observations, Measure::Speed) => "store: observations counted in SQLite".to_owned(),
            (What::Observations, Measure::Bytes) => "store: size of a transition".to_owned(),
        }
    }

    pub fn unit(&self) -> &'static str {
        match (self.what, self.measure) {
            (What::Games(_), Measure::Speed) => "rows/s",
            (What::Games(_), Measure::Bytes) => "bytes/row",
            (What::Observations, Measure::Speed) => "observations/s",
            (What::Observations, Measure::Bytes) => "bytes/transition",
        }
    }

    /// Rows or observations a second, or their bytes, in a store in the folder of temporary files.
    pub fn measured(&self, budget: Duration) -> anyhow::Result<f64> {
        let folder = Folder(std::env::temp_dir().join(format!("parlor-bench-{}", std::process::id())));
        let store = Store::create(&folder.0.to_string_lossy())?;
        let (speed, bytes) = match self.what {
            What::Games(game) => record(&store, game, budget)?,
            What::Observations => count(&store, budget)?,
        };
        Ok(if self.measure == Measure::Speed { speed } else { bytes })
    }
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn record(store: &Store, game: &str, budget: Duration) -> anyhow::Result<(f64, f64)> {
    let game = parlor_catalog::open(game)?;
    let seating: Vec<usize> = (0..usize::from(game.seats())).collect();
    let mut team = game.team(&vec!["random"; seating.len()])?;
    let mut history = store.history()?;
    let id = history.game_type(&game_type(&*game)?)?;
    let mut records = Vec::new();
    for number in 0..GAMES {
        let played = team.play(&MatchSetup::new(&seating, fork(1, number), fork(2, number)));
        let saved = played.expect("nothing abandons it");
        let steps = steps_of(&*game, &saved)?;
        records.push(GameRecord { game_type: id, saved, steps, ended: 1_800_000_000, origin: None });
    }
    let started = Instant::now();
    let mut time = Duration::ZERO;
    while time.is_zero() || started.elapsed() < budget {
        let one = Instant::now();
        history.append(&records)?;
        time += one.elapsed();
    }
    drop(history);
    // The file is complete when it was closed.
    let sizes = store.history()?.sizes()?;
    Ok((sizes.steps as f64 / time.as_secs_f64(), sizes.bytes as f64 / sizes.steps as f64))
}

fn count(store: &Store, budget: Duration) -> anyhow::Result<(f64, f64)> {
    let mut model = store.model("bench")?;
    let mut observations = Observations::default();
    let mut folds = 0;
    let mut fold = |model: &mut dyn Model, observations: &mut Observations| {
        folds += 1;
        let done = model.fold(observations.sorted(), &[GameId(folds)]);
        observations.clear();
        done
    };
    let started = Instant::now();
    let mut seen = 0_u64;
    while seen < LEAST || started.elapsed() < budget {
        for _ in 0..1000 {
            observations.add(observation(seen));
            seen += 1;
        }
        if observations.len() >= FOLDED {
            fold(&mut *model, &mut observations)?;
        }
    }
    fold(&mut *model, &mut observations)?;
    let time = started.elapsed();
    drop(model);
    let sizes = store.model("bench")?.sizes()?;
    Ok((seen as f64 / time.as_secs_f64(), sizes.bytes as f64 / sizes.transitions as f64))
}

fn observation(number: u64) -> TransitionCount {
    let random = fork(1, number);
    let part = (random >> 11) as f64 / (1_u64 << 53) as f64;
    let which = (part * part * TRANSITIONS) as u64;
    let won = random.is_multiple_of(3);
    TransitionCount {
        // Three transitions a state on average.
        state: fork(2, which / 3),
        input: fork(3, which % INPUTS),
        next: fork(4, which),
        count: 1,
        wins: u32::from(won),
        ties: 0,
        losses: u32::from(!won),
    }
}
