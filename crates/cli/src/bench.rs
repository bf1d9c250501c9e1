//! `parlor bench`: how fast is random play, how fast is training, how fast is searching?

mod boards;
mod classifying;
mod equilibria;
mod growth;
mod nets;
mod solving;
mod storing;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use parlor_core::api::{AnyGame, AnyTeam, MatchSetup, Searched};
use parlor_core::play::training::TrainingMatch;
use parlor_core::rng::fork;
use parlor_core::{Cancel, SelfPlay};
use serde::Serialize;

use crate::args::result_path;
use crate::terminal::{progress, say, say_json_array};
use boards::{CELLS, ODDS, counted, written};
use classifying::{CLASSIFIERS, Classifying};
use equilibria::{EQUILIBRIA, rounds};
use nets::{NETS, Valuing};
use solving::Set;
use storing::{STORES, Storing};

#[derive(clap::Args, Debug)]
pub struct BenchArgs {
    /// Only rows whose name contains this
    pub filter: Option<String>,
    /// Seconds for each row
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub seconds: f64,
    /// Print how many actions a fixed set of random games takes instead: changes only when behaviour does
    #[arg(long)]
    pub fingerprint: bool,
    /// Measure instead how the time of FABLE's training grows with the board and the number of games, and draw it (.svg; half a minute)
    #[arg(long, value_name = "FILE", value_parser = result_path(), conflicts_with_all = ["filter", "seconds", "fingerprint"])]
    pub growth: Option<PathBuf>,
    /// Print [{"name": .., "unit": .., "value": ..}, ..]
    #[arg(long)]
    pub json: bool,
}

/// Random play is measured at every game of the registry with its defaults, and with these settings, for which public figures of
/// other programs exist.
const PLAYOUTS: &[&str] = &[
    "dominoes(target=none)",
    "dominoes(rules=myers)",
    "connect(width=7, height=6)",
    "tictactoe(rows=5, columns=5)",
    "checkers(rows=6, columns=6)",
    "minesweeper(rows=9, columns=9, mines=10, first=safe)",
    "minesweeper(rows=16, columns=30, mines=99, first=safe)",
    "darkchess(draw=50)",
];

/// Move generators, counted at the last ply.
const PERFTS: &[(&str, usize)] = &[("checkers", 10), ("connect(width=7, height=6)", 8), ("darkchess", 3)];

/// Learners, trained in self-play or against an agent.
const TRAININGS: &[(&str, &str, &str)] = &[
    ("dominoes(target=500)", "collective(state=lsp2)", "random"),
    ("dominoes(target=500)", "collective(state=gsp3)", "random"),
    (
        "dominoes",
        "collective(state=outlook, weigh=respondent, result=rest, evaluate=linear, update=mean)",
        "random",
    ),
    ("connect", "collective(state=threats)", "random"),
    ("checkers", "collective(state=balance)", "random"),
];

/// Learners that play themselves in batches, on one thread.
const SELF_PLAY: &[(&str, &str)] = &[
    ("connect(width=7, height=6)", "ntuple(lambda=0)"),
    ("connect(width=7, height=6)", "ntuple"),
    ("connect(width=7, height=6)", "ntuple(layout=small)"),
    ("connect", "ntuple"),
    ("tictactoe", "ntuple"),
    ("tictactoe(rows=4, columns=4)", "ntuple"),
];

/// Searches that play against themselves: the game, the agent, and what is counted. Nodes or simulations are limited, so that
/// every machine searches the same.
const SEARCHES: &[(&str, &str, &str)] = &[
    ("connect", "alphabeta(nodes=50000)", "nodes/s"),
    ("connect(width=7, height=6)", "alphabeta(nodes=50000)", "nodes/s"),
    ("checkers", "alphabeta(nodes=50000)", "nodes/s"),
    ("checkers", "alphabeta(nodes=50000, evaluation=none)", "nodes/s"),
    ("tictactoe(rows=5, columns=5)", "alphabeta(nodes=50000)", "nodes/s"),
    ("connect(width=7, height=6)", "mcts(sims=20000)", "sims/s"),
    ("connect", "mcts(sims=2000)", "sims/s"),
    ("tictactoe", "mcts(sims=2000)", "sims/s"),
    ("checkers", "mcts(sims=2000)", "sims/s"),
    ("darkchess(draw=50)", "expectimax(nodes=20000)", "nodes/s"),
    ("darkchess(draw=50)", "mcts(sims=500, cut=none)", "sims/s"),
    ("darkchess(draw=50)", "mcts(sims=2000, cut=10)", "sims/s"),
    ("dominoes(target=none)", "pimc(nodes=20000)", "nodes/s"),
    ("dominoes(target=none)", "pimc(nodes=20000, playout=off)", "nodes/s"),
    ("dominoes(target=none)", "ismcts(sims=2000)", "sims/s"),
    ("dominoes(rules=myers)", "expectimax(nodes=20000)", "nodes/s"),
    ("dominoes(rules=myers)", "mstar(nodes=20000)", "nodes/s"),
    ("dominoes(rules=myers)", "mstar(model=guess(by=mda), nodes=20000)", "nodes/s"),
    ("dominoes(rules=myers)", "mstar(model=guess(by=forest), nodes=20000)", "nodes/s"),
    ("dominoes(rules=myers)", "mstar(model=guess(by=bayes), nodes=20000)", "nodes/s"),
    ("dominoes(rules=myers)", "mstar(model=mix(by=bayes), infer=on, nodes=20000)", "nodes/s"),
];

/// Players of one game only whose whole matches are counted: they lose after a random opening, so nothing would be left to search.
const MATCHES: &[(&str, &str)] = &[
    ("minesweeper(rows=9, columns=9, mines=10, first=safe)", "deduce"),
    ("minesweeper(rows=16, columns=30, mines=99, first=safe)", "deduce"),
];

/// Number of matches that are timed together: some are lost at once and some take long.
const TIMED_MATCHES: u64 = 50;

/// Matches whose searches are measured together, and how many random decisions begin each where nothing is dealt.
const SEARCHED_MATCHES: u64 = 4;
const SEARCHED_OPENING: u32 = 4;

/// Matches of training before memory is measured.
const MATCHES_FOR_MEMORY: u64 = 2_500;

/// A slice is long enough to time and short enough that some slices are undisturbed by other programs.
const SLICE: Duration = Duration::from_millis(50);

/// How many games of each kind the fingerprint rests on.
const FINGERPRINT_GAMES: u64 = 200;

#[derive(Serialize)]
struct Row {
    name: String,
    unit: &'static str,
    value: f64,
}

enum Job {
    Playouts(Box<dyn AnyGame>),
    Perft(Box<dyn AnyGame>, usize),
    Training(Box<dyn AnyTeam>),
    SelfPlay(Box<dyn AnyTeam>),
    Memory(Box<dyn AnyTeam>),
    Search { team: Box<dyn AnyTeam>, seats: u8, opening: u32, unit: &'static str },
    Matches(Box<dyn AnyTeam>, u8),
    Odds(&'static str),
    Cells(&'static str),
    Equilibrium(&'static str),
    Solve(Set),
    Net(Valuing),
    Classify(Classifying),
    Store(Storing),
}

pub fn run(args: &BenchArgs) -> anyhow::Result<()> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!("--seconds takes a number above 0, at most 3600");
    }
    if let Some(file) = &args.growth {
        let rows = growth::measured(file)?;
        return if args.json { say_json_array(&rows) } else { rows.iter().try_for_each(tell) };
    }
    let jobs = jobs(args.filter.as_deref().unwrap_or(""))?;
    if args.fingerprint {
        return fingerprint(&jobs);
    }
    let bar = progress(jobs.len() as u64, "rows");
    let mut rows = Vec::new();
    for (name, job) in jobs {
        bar.set_message(name.clone());
        bar.tick();
        let budget = Duration::from_secs_f64(args.seconds);
        let row = match job {
            Job::Playouts(game) => Row { name, unit: "playouts/s", value: playouts(&*game, budget) },
            Job::Perft(game, depth) => Row { name, unit: "leaves/s", value: leaves(&*game, depth, budget)? },
            Job::SelfPlay(mut team) => Row { name, unit: "matches/s", value: self_play(&mut *team, budget) },
            Job::Training(mut team) => Row { name, unit: "stages/s", value: stages(&mut *team, budget) },
            Job::Memory(mut team) => Row { name, unit: "bytes/entry", value: memory(&mut *team) },
            Job::Search { mut team, seats, opening, unit } => {
                Row { name, unit, value: searched(&mut *team, usize::from(seats), opening, budget) }
            }
            Job::Matches(mut team, seats) => {
                Row { name, unit: "matches/s", value: matches(&mut *team, usize::from(seats), budget) }
            }
            Job::Odds(game) => Row { name, unit: "boards/s", value: counted(game, budget)? },
            Job::Cells(game) => Row { name, unit: "views/s", value: written(game, budget)? },
            Job::Solve(set) => Row { name, unit: "positions/s", value: set.solved(budget)? },
            Job::Equilibrium(game) => Row { name, unit: "iterations/s", value: rounds(game, budget)? },
            Job::Net(job) => Row { name, unit: "positions/s", value: job.positions_a_second(budget)? },
            Job::Classify(job) => Row { name, unit: job.unit(), value: job.rows_a_second(budget)? },
            Job::Store(job) => Row { name, unit: job.unit(), value: job.measured(budget)? },
        };
        if !args.json {
            bar.suspend(|| tell(&row))?;
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json { say_json_array(&rows) } else { Ok(()) }
}

fn tell(row: &Row) -> anyhow::Result<()> {
    Ok(say(format!("{:<52} {:>14.0} {}", row.name, row.value, row.unit))?)
}

fn jobs(filter: &str) -> anyhow::Result<Vec<(String, Job)>> {
    let mut jobs = Vec::new();
    for spec in parlor_catalog::GAMES.iter().map(|entry| entry.name).chain(PLAYOUTS.iter().copied()) {
        jobs.push((spec.to_owned(), Job::Playouts(parlor_catalog::open(spec)?)));
    }
    for (spec, depth) in PERFTS {
        jobs.push((format!("{spec} perft {depth}"), Job::Perft(parlor_catalog::open(spec)?, *depth)));
    }
    for (game, learner, against) in TRAININGS {
        let opened = parlor_catalog::open(game)?;
        let team = || opened.team(&[learner, against]);
        jobs.push((format!("{game} train {learner}"), Job::Training(team()?)));
        jobs.push((format!("{game} memory of {learner}"), Job::Memory(team()?)));
    }
    for (game, learner) in SELF_PLAY {
        let team = parlor_catalog::open(game)?.team(&[learner])?;
        jobs.push((format!("{game} self-play of {learner}"), Job::SelfPlay(team)));
    }
    for &(game, agent, unit) in SEARCHES {
        let opened = parlor_catalog::open(game)?;
        let team = opened.team(&vec![agent; usize::from(opened.seats())])?;
        let opening = if opened.is_open() { SEARCHED_OPENING } else { 0 };
        jobs.push((
            format!("{game} search {agent}"),
            Job::Search { team, seats: opened.seats(), opening, unit },
        ));
    }
    for &(game, agent) in MATCHES {
        let opened = parlor_catalog::open(game)?;
        let team = opened.team(&vec![agent; usize::from(opened.seats())])?;
        jobs.push((format!("{game} matches of {agent}"), Job::Matches(team, opened.seats())));
    }
    jobs.extend(ODDS.iter().map(|spec| (format!("{spec} odds"), Job::Odds(spec))));
    jobs.extend(CELLS.iter().map(|spec| (format!("{spec} cells"), Job::Cells(spec))));
    for game in EQUILIBRIA {
        jobs.push((format!("{game} equilibrium"), Job::Equilibrium(game)));
    }
    jobs.extend(solving::SETS.iter().map(|set| (set.name(), Job::Solve(*set))));
    jobs.extend(NETS.iter().map(|job| (job.name(), Job::Net(*job))));
    jobs.extend(STORES.as_flattened().iter().map(|job| (job.name(), Job::Store(*job))));
    jobs.extend(CLASSIFIERS.iter().map(|job| (job.name(), Job::Classify(*job))));
    let known: Vec<String> = jobs.iter().map(|(name, _)| name.clone()).collect();
    jobs.retain(|(name, _)| name.contains(filter));
    if jobs.is_empty() {
        bail!("no row's name contains `{filter}`; rows: {}", known.join(", "));
    }
    Ok(jobs)
}

/// Playouts a second, from the fastest slice: other programs can only make a slice slower.
fn playouts(game: &dyn AnyGame, budget: Duration) -> f64 {
    let mut batch = 1;
    while timed(|| game.playouts(1, batch)) < SLICE {
        batch *= 2;
    }
    let started = Instant::now();
    let mut best = 0.0_f64;
    let mut seed = 1;
    while seed == 1 || started.elapsed() < budget {
        seed += 1;
        let seconds = timed(|| game.playouts(seed, batch)).as_secs_f64();
        best = best.max(batch as f64 / seconds);
    }
    best
}

fn leaves(game: &dyn AnyGame, depth: usize, budget: Duration) -> anyhow::Result<f64> {
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        let mut count = Ok(Vec::new());
        let seconds = timed(|| count = game.perft(depth, None)).as_secs_f64();
        let leaves = count?.last().copied().unwrap_or(0);
        best = best.max(leaves as f64 / seconds);
    }
    Ok(best)
}

/// Stages a second that a learner is trained with, from the fastest slice.
fn stages(team: &mut dyn AnyTeam, budget: Duration) -> f64 {
    let started = Instant::now();
    let (mut best, mut number) = (0.0_f64, 0);
    while number == 0 || started.elapsed() < budget {
        let mut played = 0;
        let slice = Instant::now();
        while slice.elapsed() < SLICE {
            played += u64::from(teach(team, number));
            number += 1;
        }
        best = best.max(played as f64 / slice.elapsed().as_secs_f64());
    }
    best
}

/// Matches a second that a learner plays against itself and learns from, from the fastest slice. The first matches are not counted: what
/// knows nothing yet plays shorter ones.
fn self_play(team: &mut dyn AnyTeam, budget: Duration) -> f64 {
    const MATCHES: u64 = 1 << 10;
    let mut learner = team.learner(0).expect("the only member learns");
    learner.freeze(false);
    let started = Instant::now();
    let (mut best, mut first) = (0.0_f64, 0);
    while first < 20 * MATCHES || started.elapsed() < budget {
        let plan = SelfPlay { seed: 1, first, matches: MATCHES, threads: 1 };
        let seconds = timed(|| learner.self_play(&plan, &Cancel::new())).as_secs_f64();
        first += MATCHES;
        if first > 10 * MATCHES {
            best = best.max(MATCHES as f64 / seconds);
        }
    }
    best
}

/// Nodes a second, from the fastest of several runs of the same matches.
fn searched(team: &mut dyn AnyTeam, seats: usize, opening: u32, budget: Duration) -> f64 {
    let seating: Vec<usize> = (0..seats).collect();
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        let mut all = Searched::default();
        for number in 0..SEARCHED_MATCHES {
            let setup = MatchSetup::new(&seating, fork(1, number), fork(2, number));
            all += team.search(&MatchSetup { opening, ..setup });
        }
        if all.nodes == 0 {
            break;
        }
        best = best.max(all.nodes as f64 / all.time.as_secs_f64());
    }
    best
}

/// Matches a second, from the fastest of several runs of the same matches.
fn matches(team: &mut dyn AnyTeam, seats: usize, budget: Duration) -> f64 {
    let seating: Vec<usize> = (0..seats).collect();
    let started = Instant::now();
    let mut best = 0.0_f64;
    while best == 0.0 || started.elapsed() < budget {
        let time = timed(|| {
            for number in 0..TIMED_MATCHES {
                team.play(&MatchSetup::new(&seating, fork(1, number), fork(2, number)));
            }
        });
        best = best.max(TIMED_MATCHES as f64 / time.as_secs_f64());
    }
    best
}

/// Bytes that a learner takes for each thing it knows.
fn memory(team: &mut dyn AnyTeam) -> f64 {
    for number in 0..MATCHES_FOR_MEMORY {
        teach(team, number);
    }
    let size = team.learner(0).expect("the first of a training learns").size();
    size.bytes as f64 / size.entries.max(1) as f64
}

/// Plays one match from which the first of the team learns; returns its stages.
fn teach(team: &mut dyn AnyTeam, number: u64) -> u32 {
    team.learner(0).expect("the first of a training learns").freeze(false);
    let seating = if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    team.train_match(&TrainingMatch {
        seating: &seating,
        chance: fork(1, number),
        agent_seed: fork(2, number),
    })
    .stages
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let started = Instant::now();
    std::hint::black_box(work());
    started.elapsed()
}

fn fingerprint(jobs: &[(String, Job)]) -> anyhow::Result<()> {
    let mut plies = 0;
    for (_, job) in jobs {
        if let Job::Playouts(game) = job {
            plies += game.playouts(1, FINGERPRINT_GAMES).plies;
        }
    }
    say(plies.to_string())?;
    Ok(())
}
