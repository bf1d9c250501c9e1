//! `parlor match`: two agents, pairs of games, and what they say.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use indicatif::ProgressBar;
use parlor_core::Spec;
use parlor_lab::format::{results, sees_all, signed};
use parlor_lab::{Manifest, PairMatch, PairRow, Record, Tally, Verdict, log, oracles, seated_spec};
use parlor_stats::sprt::{Scale, Sprt};

use crate::args::MatchArgs;
use crate::run_support::{Stop, deadline, new_record, remember, silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{elo, progress, say, say_json};

pub fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let (manifest, record, known) = prepare(args)?;
    let game = parlor_catalog::open(&manifest.game)?;
    let test = manifest.sprt.map(|[e0, e1]| Sprt::new(Scale::Logistic, e0, e1)).transpose()?;
    let from: u64 = known.pentanomial.iter().sum();
    let plan = PairMatch {
        game: &*game,
        agents: [&manifest.agents[0], &manifest.agents[1]],
        from,
        pairs: manifest.pairs,
        seed: manifest.seed,
        threads: threads(args.threads),
        terms: manifest.terms(),
    };

    let asked = stop_on_ctrl_c()?;
    silence_agents();
    let mut watch = Watch {
        tally: known,
        test,
        record,
        bar: progress(manifest.pairs, "pairs"),
        deadline: deadline(args.minutes),
        stop: Stop::AllPairs,
        trouble: None,
    };
    watch.bar.set_position(from);
    watch.judge();
    if watch.stop == Stop::AllPairs {
        plan.run(&asked, |row| watch.row(&row))?;
    }
    watch.bar.finish_and_clear();
    if let Some(trouble) = watch.trouble.take() {
        return Err(trouble);
    }
    let pairs: u64 = watch.tally.pentanomial.iter().sum();
    if watch.stop == Stop::AllPairs && pairs < manifest.pairs {
        watch.stop = Stop::Asked;
    }
    let mut verdict = Verdict::of(&watch.tally, watch.test.as_ref());
    verdict.oracles = oracles(&*game, &manifest.agents);
    let folder = watch.record.as_ref().map(|record| record.folder().to_owned());
    if let Some(record) = &watch.record
        && !watch.stop.is_early()
    {
        record.finish(&verdict)?;
    }
    // Going on with a finished match adds nothing, and is not a match of its own.
    if pairs > from || args.resume.is_none() {
        remember(log::Played::of_match(&manifest, &watch.tally), watch.stop, folder.as_deref());
    }
    if args.json {
        return say_json(&verdict);
    }
    tell(&manifest, &verdict, watch.stop, folder.as_deref())
}

/// What is to be played: a new match, or one that was broken off and what is known of it.
fn prepare(args: &MatchArgs) -> anyhow::Result<(Manifest, Option<Record>, Tally)> {
    let mut tally = Tally::default();
    if let Some(folder) = &args.resume {
        let (mut record, manifest) = Record::resume::<Manifest>(folder)?;
        record.known(&manifest, |row| tally.add(&row))?;
        return Ok((manifest, Some(record), tally));
    }
    let (Some(game), Some(first), Some(second)) = (&args.game, &args.first, &args.second) else {
        bail!("a match needs a game and two agents, or --resume FOLDER");
    };
    let game = parlor_catalog::open(game)?;
    let agents = [seated_spec(&*game, first)?, seated_spec(&*game, second)?];
    let mut manifest = Manifest::new(game.spec(), agents, args.seed, args.pairs);
    manifest.sprt = args.sprt;
    manifest.time = args.time;
    manifest.opening = args.opening;
    manifest.ponder = args.ponder;
    if manifest.ponder && !has_time(&manifest) {
        bail!(
            "--ponder needs a limit of time: without one nobody gains from thinking longer. Add --time 1m, or \
             time_ms=… to an agent"
        );
    }
    if manifest.ponder && game.seats() == 1 {
        bail!("{} is played alone, so there is nobody to ponder on", game.name());
    }
    if let Some([e0, e1]) = manifest.sprt {
        // A wrong test is told before anything is written.
        Sprt::new(Scale::Logistic, e0, e1)?;
    }
    let record = new_record(args.out.as_deref(), !args.no_games, &manifest)?;
    Ok((manifest, record, tally))
}

/// Returns whether time is limited, by clocks or by an agent's own key.
fn has_time(manifest: &Manifest) -> bool {
    let limits_itself = |agent: &String| {
        let keys = Spec::parse(agent).map(|spec| spec.pairs).unwrap_or_default();
        keys.iter().any(|(key, value)| key == "time_ms" && value != "none")
    };
    manifest.time.is_limited() || manifest.agents.iter().any(limits_itself)
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
            let mut line = format!("{}  {}", results(verdict.games), elo_of(&verdict));
            if let Some(test) = &verdict.sequential {
                line.push_str(&format!("  LLR {:.2} ({:.2} … {:.2})", test.llr, test.lower, test.upper));
            }
            self.bar.set_message(line);
        }
    }
}

fn elo_of(verdict: &Verdict) -> String {
    elo(verdict.elo, verdict.elo_low, verdict.elo_high)
}

fn tell(manifest: &Manifest, verdict: &Verdict, stop: Stop, folder: Option<&Path>) -> anyhow::Result<()> {
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
        say(format!("Elo {elo}; all pairs ended alike, which tells nothing of how far that may be off"))?;
    } else {
        say(format!("{} (95 %){los}", elo_of(verdict)))?;
    }
    if let Some(p) = verdict.p_value {
        let p = if p < 0.0005 { "below 0.001".to_owned() } else { format!("{p:.3}") };
        say(format!("if both were equally strong, a difference like this or larger had probability {p}"))?;
    }
    for (agent, &count) in manifest.agents.iter().zip(&verdict.forfeits) {
        if count > 0 {
            say(format!("{agent} forfeited {count} games"))?;
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
            Stop::Accepted("H1") => format!(
                "H1 accepted: the first agent leads by {e1} Elo or more rather than by {e0} or less; when it does not, a test says so in about 5 % of cases"
            ),
            Stop::Accepted(_) => format!(
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
        (Stop::Time | Stop::Asked, Some(folder)) => {
            say(format!("stopped early; go on with: parlor match --resume '{}'", folder.display()))?;
        }
        (_, Some(folder)) => say(format!("games in {}", folder.display()))?,
        (_, None) => {}
    }
    Ok(())
}
