//! How does the time of FABLE's training grow with the board and with the number of games?

use std::path::Path;
use std::time::{Duration, Instant};

use parlor_core::api::AnyTeam;
use parlor_core::files::reading::read_text;
use parlor_core::play::training::TrainingMatch;
use parlor_core::rng::fork;
use parlor_lab::chart::{LineChart, Point, Scale, Series};
use parlor_lab::format::grouped;

use super::Row;
use crate::learning::train::{check_curve, draw};

/// What learns.
const LEARNER: &str = "fable(credit=survival)";

/// The sides of the boards of minesweeper.
const SIDES: [u16; 6] = [3, 4, 5, 6, 7, 8];

/// After how many games the clock is read.
const STOPS: [u64; 3] = [1_000, 4_000, 16_000];

/// How often every training is timed: the fastest one counts, because other programs can only slow it down.
const REPEATS: usize = 2;

/// Trains on every board, draws microseconds a game over the number of cells, and returns them as rows.
pub(super) fn measured(file: &Path) -> anyhow::Result<Vec<Row>> {
    check_curve(file)?;
    let mut rows = Vec::new();
    let mut series = STOPS.map(|_| Vec::new());
    for side in SIDES {
        let game = format!("minesweeper(rows={side}, columns={side})");
        let opened = parlor_catalog::open(&game)?;
        let mut best = STOPS.map(|_| f64::INFINITY);
        for _ in 0..REPEATS {
            let times = train(&mut *opened.team(&[LEARNER])?);
            best.iter_mut().zip(times).for_each(|(best, time)| *best = best.min(time));
        }
        for ((value, phase), points) in best.into_iter().zip(phases()).zip(&mut series) {
            points.push(Point { x: f64::from(side * side), y: value });
            rows.push(Row { name: format!("{game}, {phase}"), unit: "us/game", value });
        }
    }
    let chart = LineChart {
        title: "Time of a game from which FABLE learns minesweeper".to_owned(),
        x: Scale::new("cells of the board").log(),
        y: Scale::new("microseconds a game").log(),
        series: phases()
            .into_iter()
            .zip(series)
            .map(|(name, points)| Series { name, points, ..Series::default() })
            .collect(),
        ..LineChart::default()
    };
    draw(&chart, file)?;
    Ok(rows)
}

/// Returns what lies between the stops, in words.
fn phases() -> [String; STOPS.len()] {
    std::array::from_fn(|at| {
        let first = if at == 0 { 1 } else { STOPS[at - 1] + 1 };
        format!("games {} to {}", grouped(first), grouped(STOPS[at]))
    })
}

/// Trains from nothing; returns the microseconds a game up to each stop, since the one before.
fn train(team: &mut dyn AnyTeam) -> [f64; STOPS.len()] {
    team.learner(0).expect("the only member learns").freeze(false);
    let mut first = 0;
    STOPS.map(|stop| {
        let started = Stopwatch::start();
        for number in first..stop {
            let (chance, agent_seed) = (fork(1, number), fork(2, number));
            team.train_match(&TrainingMatch { seating: &[0], chance, agent_seed });
        }
        let games = (stop - first) as f64;
        first = stop;
        started.elapsed().as_secs_f64() * 1e6 / games
    })
}

/// Counts the processor's time for this thread where the system tells it, else all time: minutes of work meet other programs.
struct Stopwatch {
    began: Instant,
    used: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { began: Instant::now(), used: used() }
    }

    fn elapsed(&self) -> Duration {
        self.used.zip(used()).map_or_else(|| self.began.elapsed(), |(then, now)| now.saturating_sub(then))
    }
}

/// Returns how long this thread has had a processor; only Linux tells.
fn used() -> Option<Duration> {
    let text = read_text(Path::new("/proc/thread-self/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}
