//! `parlor match`: two agents, pairs of games, and what they say.

use anyhow::bail;
use indicatif::ProgressBar;
use parlor_lab::forfeits;
use parlor_lab::format::{counted, results, sees_all, signed};
use parlor_lab::pairs::PairPlan;
use parlor_lab::run::matches::MatchReport;
use parlor_lab::run::{Event, MatchRequest, MatchRun, ShardRun, StopReason};
use parlor_lab::{Tally, Verdict};
use parlor_stats::sprt::Sprt;
use serde::Serialize;

use crate::args::MatchArgs;
use crate::run_support::{
    log_engines, open, options, silence_agents, stop_on_ctrl_c, tell_recorded, threads, warn,
};
use crate::shards;
use crate::terminal::{elo, progress, say, say_json};

pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    log_engines(args.log.as_deref())?;
    if let Some(shard) = args.shard {
        let run = MatchRun::new(&request(args)?, &open, shards::no_folder(threads(args.threads)))?;
        return shards::play(ShardRun::of_match(run)?, shard, args.out.as_deref(), args.json);
    }
    let run = prepare(args)?;
    let test = run.test().copied();
    let mut live = Live { bar: progress(run.manifest().pairs, "pairs"), test };
    live.show(run.known());
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let report = run.run(&cancel, &mut |event| live.hear(event))?;
    live.bar.finish_and_clear();
    tell_recorded(report.recorded.as_ref());
    if args.json {
        return say_json(&Document { result: &report.verdict, stopped: report.stop.early_word() });
    }
    tell(&report)
}

/// What `--json` prints of a match or a tournament.
#[derive(Serialize)]
pub struct Document<'a, R: Serialize> {
    #[serde(flatten)]
    pub result: &'a R,
    /// Why it ended before everything was played: `time limit` or `interrupted`.
    pub stopped: Option<&'static str>,
}

/// Prepares a new match, or resumes an interrupted one.
fn prepare(args: &MatchArgs) -> anyhow::Result<MatchRun> {
    let options =
        options(args.out.as_deref(), !args.no_games, args.threads, args.minutes, args.record.as_deref())?;
    if let Some(folder) = &args.resume {
        return Ok(MatchRun::resume(folder, &open, options)?);
    }
    Ok(MatchRun::new(&request(args)?, &open, options)?)
}

/// Returns the match as it was typed.
fn request(args: &MatchArgs) -> anyhow::Result<MatchRequest> {
    let (Some(game), Some(first), Some(second)) = (&args.game, &args.first, &args.second) else {
        bail!("a match needs a game and two agents, or --resume FOLDER");
    };
    Ok(MatchRequest {
        game: game.clone(),
        agents: [first.clone(), second.clone()],
        seed: args.seed,
        pairs: args.pairs,
        sprt: args.sprt,
        time: args.time,
        opening: args.opening,
        ponder: args.ponder,
        session: args.session.unwrap_or(0),
    })
}

/// The live line.
struct Live {
    bar: ProgressBar,
    test: Option<Sprt>,
}

impl Live {
    fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Warning(warning) => warn(warning),
            Event::Started { done, .. } => self.bar.set_position(*done),
            Event::MatchPair { tally, .. } => {
                self.bar.inc(1);
                self.show(tally);
            }
            _ => {}
        }
    }

    fn show(&self, tally: &Tally) {
        if self.bar.is_hidden() {
            return;
        }
        let verdict = Verdict::of(tally, self.test.as_ref());
        let games = counted(verdict.games.total(), "game");
        let mut line = format!("{games}: {}  {}", results(verdict.games), elo_of(&verdict));
        if let Some(test) = &verdict.sequential {
            line.push_str(&format!("  LLR {:.2} ({:.2} … {:.2})", test.llr, test.lower, test.upper));
        }
        self.bar.set_message(line);
    }
}

fn elo_of(verdict: &Verdict) -> String {
    elo(verdict.elo, verdict.elo_low, verdict.elo_high)
}

/// Prints the result of a match.
pub fn tell(report: &MatchReport) -> anyhow::Result<()> {
    let MatchReport { manifest, verdict, stop, folder, recorded: _ } = report;
    let [first, second] = &manifest.agents;
    say(&manifest.game)?;
    say(format!("{first} against {second}, seed {}{}", manifest.seed, manifest.terms().in_words()))?;
    let score = verdict.score.map_or_else(|| "–".to_owned(), |s| format!("{:.2} %", 100.0 * s));
    say(format!("games {}: {}, score {score}", verdict.games.total(), results(verdict.games)))?;
    let [a, b, c, d, e] = verdict.pentanomial;
    say(format!("pairs {}: {a} {b} {c} {d} {e} scored 0, ½, 1, 1½, 2", a + b + c + d + e))?;
    let los = verdict
        .los
        .map_or_else(String::new, |los| format!(", likelihood of superiority {:.2} %", 100.0 * los));
    if verdict.pentanomial.iter().filter(|&&pairs| pairs > 0).count() == 1 {
        // Without a spread there is no error to be told, and certainty would be a false one.
        let elo = verdict.elo.map_or_else(|| "–".to_owned(), signed);
        say(format!("Elo {elo}; all pairs had the same result, so no interval can be estimated"))?;
    } else {
        say(format!("{} (95 %){los}", elo_of(verdict)))?;
    }
    if let Some(p) = verdict.p_value {
        let p = if p < 0.0005 { "below 0.001".to_owned() } else { format!("{p:.3}") };
        say(format!("if both were equally strong, a difference like this or larger had probability {p}"))?;
    }
    for ((agent, &count), reasons) in
        manifest.agents.iter().zip(&verdict.forfeits).zip(&verdict.forfeit_reasons)
    {
        if count > 0 {
            say(format!("{agent} forfeited {}", counted(count, "game")))?;
        }
        for reason in forfeits::in_words(reasons) {
            say(format!("    {reason}"))?;
        }
    }
    for (agent, recognised) in manifest.agents.iter().zip(&verdict.recognised) {
        if let Some(accuracy) = recognised.accuracy() {
            let turns = recognised.turns;
            say(format!("{agent} recognised its opponent at {:.1} % of {turns} turns", 100.0 * accuracy))?;
        }
    }
    for agent in &verdict.oracles {
        say(sees_all(agent))?;
    }
    if let (Some(test), Some([e0, e1])) = (&verdict.sequential, manifest.sprt) {
        say(format!(
            "sequential test of {e0} against {e1} Elo: LLR {:.2} ({:.2} … {:.2})",
            test.llr, test.lower, test.upper
        ))?;
        say(match stop {
            StopReason::Decided("H1") => format!(
                "H1 accepted: the first agent leads by {e1} Elo or more rather than by {e0} or less; when it does not, a test says so in about 5 % of cases"
            ),
            StopReason::Decided(_) => format!(
                "H0 accepted: the first agent leads by {e0} Elo or less rather than by {e1} or more. That is an answer, not a failure"
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
        (StopReason::TimeLimit | StopReason::Cancelled, Some(folder)) => {
            say(format!("stopped early; go on with: parlor match --resume '{}'", folder.display()))?;
        }
        (_, Some(folder)) => say(format!("games in {}", folder.display()))?,
        (_, None) => {}
    }
    Ok(())
}
