//! `parlor match`: two agents, pairs of games, and what they say.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use parlor_core::TimeControl;
use parlor_lab::record::tally;
use parlor_lab::{Manifest, PairMatch, PairRow, Record, Tally, Verdict, log};
use parlor_stats::sprt::{Scale, Sprt};

use crate::args::MatchArgs;
use crate::terminal::{progress, say, say_json, signed};

/// How a match came to its end.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Stop {
    AllPairs,
    Accepted(&'static str),
    Time,
    Asked,
}

pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let (manifest, record, known) = prepare(args)?;
    let game = parlor_catalog::open(&manifest.game)?;
    let test = manifest.sprt.map(|[e0, e1]| Sprt::new(Scale::Logistic, e0, e1)).transpose()?;
    let threads = args
        .threads
        .map_or_else(|| thread::available_parallelism().map_or(1, std::num::NonZero::get), usize::from);
    let plan = PairMatch {
        game: &*game,
        agents: [&manifest.agents[0], &manifest.agents[1]],
        from: known.len() as u64,
        pairs: manifest.pairs,
        seed: manifest.seed,
        threads,
        time: TimeControl {
            total: manifest.time_ms.map(Duration::from_millis),
            per_move: manifest.move_time_ms.map(Duration::from_millis),
            ..TimeControl::default()
        },
    };

    let asked = stop_on_ctrl_c()?;
    silence_agents();
    let mut watch = Watch {
        tally: tally(&known),
        test,
        record,
        bar: progress(manifest.pairs, "pairs"),
        deadline: args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(60.0 * minutes)),
        stop: Stop::AllPairs,
        trouble: None,
    };
    watch.bar.set_position(known.len() as u64);
    watch.judge();
    if watch.stop == Stop::AllPairs {
        plan.run(&asked, |row| watch.row(&row))?;
    }
    watch.bar.finish_and_clear();
    if let Some(trouble) = watch.trouble.take() {
        return Err(trouble);
    }
    let pairs: u64 = watch.tally.pentanomial.iter().sum();
    if asked.load(Ordering::Relaxed) && pairs < manifest.pairs && watch.stop == Stop::AllPairs {
        watch.stop = Stop::Asked;
    }
    let verdict = Verdict::of(&watch.tally, watch.test.as_ref());
    let folder = watch.record.as_ref().map(|record| record.folder().to_owned());
    if let Some(record) = &watch.record
        && !matches!(watch.stop, Stop::Asked | Stop::Time)
    {
        record.finish(&verdict)?;
    }
    remember(&manifest, &watch.tally, watch.stop, folder.as_deref());
    if args.json {
        return say_json(&verdict);
    }
    tell(&manifest, &verdict, watch.stop, folder.as_deref())
}

/// What is to be played: a new match, or one that was broken off.
fn prepare(args: &MatchArgs) -> anyhow::Result<(Manifest, Option<Record>, Vec<PairRow>)> {
    if let Some(folder) = &args.resume {
        let (record, manifest, known) = Record::resume(folder)?;
        return Ok((manifest, Some(record), known));
    }
    let (Some(game), Some(first), Some(second)) = (&args.game, &args.first, &args.second) else {
        bail!("a match needs a game and two agents, or --resume FOLDER");
    };
    if args.minutes.is_some_and(|minutes| !(minutes > 0.0 && minutes < 1e6)) {
        bail!("--minutes takes a number above 0");
    }
    let game = parlor_catalog::open(game)?;
    let agents = [game.agent_spec(first)?, game.agent_spec(second)?];
    let mut manifest = Manifest::new(game.spec(), agents, args.seed, args.pairs);
    manifest.sprt = args.sprt;
    manifest.time_ms = args.time;
    manifest.move_time_ms = args.move_time;
    if let Some([e0, e1]) = manifest.sprt {
        // A wrong test is told before anything is written.
        Sprt::new(Scale::Logistic, e0, e1)?;
    }
    let record = match (&args.out, args.no_games) {
        (Some(folder), _) => Some(Record::create(folder, &manifest)?),
        (None, true) => None,
        (None, false) => kept_at_home(&manifest),
    };
    Ok((manifest, record, Vec::new()))
}

/// Opens a folder for the games in the program's own place. A machine without one plays all the same.
fn kept_at_home(manifest: &Manifest) -> Option<Record> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let name = format!("{}-{:09}-{}", now.as_secs(), now.subsec_nanos(), std::process::id());
    let folder: PathBuf = log::home()?.join("matches").join(name);
    match Record::create(&folder, manifest) {
        Ok(record) => Some(record),
        Err(error) => {
            anstream::eprintln!("the games are not kept: {error}");
            None
        }
    }
}

fn stop_on_ctrl_c() -> anyhow::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    let raise = Arc::clone(&asked);
    ctrlc::set_handler(move || raise.store(true, Ordering::Relaxed))?;
    Ok(asked)
}

/// Panics of agents are forfeits and are told as such; their back-traces would only bury the result.
fn silence_agents() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Looks at each pair as it comes in.
struct Watch {
    tally: Tally,
    test: Option<Sprt>,
    record: Option<Record>,
    bar: ProgressBar,
    deadline: Option<Instant>,
    stop: Stop,
    trouble: Option<anyhow::Error>,
}

impl Watch {
    fn row(&mut self, row: &PairRow) -> ControlFlow<()> {
        if let Some(record) = &mut self.record
            && let Err(error) = record.append(row)
        {
            self.trouble = Some(error.into());
            return ControlFlow::Break(());
        }
        self.tally.add(row);
        self.bar.inc(1);
        self.judge();
        if self.stop == Stop::AllPairs && self.deadline.is_some_and(|at| Instant::now() >= at) {
            self.stop = Stop::Time;
        }
        if self.stop == Stop::AllPairs { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Asks the sequential test, and brings the live line up to date.
    fn judge(&mut self) {
        let live = !self.bar.is_hidden();
        if !live && self.test.is_none() {
            return;
        }
        let verdict = Verdict::of(&self.tally, self.test.as_ref());
        if let Some(hypothesis) = verdict.sequential.as_ref().and_then(|test| test.accepted) {
            self.stop = Stop::Accepted(hypothesis);
        }
        if live {
            let mut line =
                format!("+{} ={} -{}  {}", verdict.wins, verdict.draws, verdict.losses, elo(&verdict));
            if let Some(test) = &verdict.sequential {
                line.push_str(&format!("  LLR {:.2} ({:.2} … {:.2})", test.llr, test.lower, test.upper));
            }
            self.bar.set_message(line);
        }
    }
}

/// Adds the match to the log of all matches. A log that cannot be written is no reason to lose the result.
fn remember(manifest: &Manifest, tally: &Tally, stop: Stop, folder: Option<&Path>) {
    let entry = log::Entry {
        ended: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        settings: manifest.clone(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        pentanomial: tally.pentanomial,
        ended_by: match stop {
            Stop::AllPairs => "pairs",
            Stop::Accepted(hypothesis) => hypothesis,
            Stop::Time => "time",
            Stop::Asked => "stopped",
        }
        .to_owned(),
        folder: folder.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned())),
    };
    let written =
        log::home().context("there is no home folder").and_then(|home| Ok(log::append(&home, &entry)?));
    if let Err(error) = written {
        anstream::eprintln!("the match is not in the log: {error:#}");
    }
}

/// Elo with its interval, as people write it.
fn elo(verdict: &Verdict) -> String {
    match (verdict.elo, verdict.elo_low, verdict.elo_high) {
        (Some(elo), Some(low), Some(high)) => {
            format!("Elo {} [{} … {}]", signed(elo), signed(low), signed(high))
        }
        (Some(elo), ..) => format!("Elo {}", signed(elo)),
        _ => "Elo –".to_owned(),
    }
}

fn tell(manifest: &Manifest, verdict: &Verdict, stop: Stop, folder: Option<&Path>) -> anyhow::Result<()> {
    let [first, second] = &manifest.agents;
    say(&manifest.game)?;
    say(format!("{first} against {second}, seed {}", manifest.seed))?;
    let games = verdict.wins + verdict.draws + verdict.losses;
    let score = verdict.score.map_or_else(|| "–".to_owned(), |s| format!("{:.2} %", 100.0 * s));
    say(format!("games {games}: +{} ={} -{}, score {score}", verdict.wins, verdict.draws, verdict.losses))?;
    let [a, b, c, d, e] = verdict.pentanomial;
    say(format!("pairs {}: {a} {b} {c} {d} {e} scored 0, ½, 1, 1½, 2", a + b + c + d + e))?;
    let los = verdict
        .los
        .map_or_else(String::new, |los| format!(", likelihood of superiority {:.2} %", 100.0 * los));
    say(format!("{} (95 %){los}", elo(verdict)))?;
    if let Some(p) = verdict.p_value {
        say(format!("if both were equally strong, a difference like this or larger had probability {p:.3}"))?;
    }
    for (agent, &count) in manifest.agents.iter().zip(&verdict.forfeits) {
        if count > 0 {
            say(format!("{agent} forfeited {count} games"))?;
        }
    }
    if let (Some(test), Some([e0, e1])) = (&verdict.sequential, manifest.sprt) {
        say(format!(
            "sequential test of {e0} against {e1} Elo: LLR {:.2} ({:.2} … {:.2})",
            test.llr, test.lower, test.upper
        ))?;
        say(match stop {
            Stop::Accepted("H1") => format!(
                "H1 accepted: {first} is stronger by about {e1} Elo or more rather than {e0}; such a claim is wrong in at most about 5 % of tests"
            ),
            Stop::Accepted(_) => format!(
                "H0 accepted: {first} is not stronger by {e1} Elo; it is nearer to {e0} or below. This is an answer, not a failure"
            ),
            _ => "undecided: more pairs are needed".to_owned(),
        })?;
        if let (Some(elo), Some(low), Some(high)) =
            (test.elo_after_stopping, test.elo_after_stopping_low, test.elo_after_stopping_high)
        {
            say(format!(
                "allowing for the early stop: Elo {} [{} … {}]",
                signed(elo),
                signed(low),
                signed(high)
            ))?;
        }
    }
    match (stop, folder) {
        (Stop::Time | Stop::Asked, Some(folder)) => {
            say(format!("stopped early; go on with: parlor match --resume '{}'", folder.display()))?;
        }
        (_, Some(folder)) => say(format!("games in {}", folder.display()))?,
        (_, None) => {}
    }
    Ok(())
}
