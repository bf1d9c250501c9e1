//! `parlor tournament`: many agents, everyone against everyone or one against all.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use parlor_core::files::reading::read_text;
use parlor_lab::format::{counted, likelihood, percent, results, shell, signed};
use parlor_lab::pairs::PairPlan;
use parlor_lab::run::tournaments::TournamentReport;
use parlor_lab::run::{Event, RunOptions, ShardRun, TournamentRequest, TournamentRun};
use parlor_lab::tournament::Kind;
use parlor_lab::tournament::names::cut;
use parlor_lab::tournament::report;
use parlor_lab::{Plan, Standings};

use crate::args::TournamentArgs;
use crate::matches::Document;
use crate::run_support::{
    log_engines, open, options, silence_agents, stop_on_ctrl_c, tell_recorded, threads, warn,
};
use crate::shards;
use crate::terminal::{grid, progress, say, say_json};

/// How often the live line is brought up to date: ratings take longer to compute than some games.
const LIVE_EVERY: Duration = Duration::from_millis(500);

/// Crosstables up to this many agents have room for won, drawn and lost games.
const ROOM_FOR_COUNTS: usize = 6;

/// The longest name in a table.
const LONGEST_NAME: usize = 48;

pub fn run(args: &TournamentArgs) -> anyhow::Result<()> {
    log_engines(args.log.as_deref())?;
    if let Some(shard) = args.shard {
        let run = prepare(args, shards::no_folder(threads(args.threads)))?;
        return shards::play(ShardRun::of_tournament(run)?, shard, args.out.as_deref(), args.json);
    }
    let options = options(args.out.as_deref(), true, args.threads, args.minutes, args.record.as_deref())?;
    let run = prepare(args, options)?;
    let plan = run.plan().clone();
    let names = run.names().to_vec();
    let mut live = Live {
        solitary: run.is_solitary(),
        bar: progress(plan.rows(), "pairs"),
        next_look: Instant::now() + LIVE_EVERY,
        plan,
        names,
    };
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let report = run.run(&cancel, &mut |event| live.hear(event))?;
    live.bar.finish_and_clear();
    tell_recorded(report.recorded.as_ref());
    if args.json {
        return say_json(&Document { result: &report.standings, stopped: report.stop.early_word() });
    }
    tell(&report)
}

/// Prepares a new tournament, or resumes an interrupted one.
fn prepare(args: &TournamentArgs, options: RunOptions) -> anyhow::Result<TournamentRun> {
    if let Some(folder) = &args.resume {
        return Ok(TournamentRun::resume(folder, &open, options)?);
    }
    let Some(game) = &args.game else {
        bail!("a tournament needs a game and its agents, a FILE.toml, or --resume FOLDER");
    };
    // What is also said on the command line is taken from there.
    let adjust = |request: &mut TournamentRequest| {
        if args.gauntlet {
            request.kind = Kind::Gauntlet;
        }
        request.seed = args.seed.unwrap_or(request.seed);
        request.pairs = args.pairs.unwrap_or(request.pairs);
        request.time = args.time.unwrap_or(request.time);
        request.opening = args.opening.unwrap_or(request.opening);
        request.session = args.session.unwrap_or(request.session);
    };
    let path = Path::new(game);
    if path.extension().is_some_and(|ending| ending == "toml") {
        if !args.agents.is_empty() {
            bail!("{game} lists the agents; none can be added behind it");
        }
        let text = read_text(path).with_context(|| format!("{game} cannot be read"))?;
        return TournamentRun::from_file(&text, adjust, &open, options).with_context(|| game.clone());
    }
    let mut request =
        TournamentRequest { game: game.clone(), agents: args.agents.clone(), ..TournamentRequest::default() };
    adjust(&mut request);
    Ok(TournamentRun::new(&request, &open, options)?)
}

/// The live line.
struct Live {
    plan: Plan,
    names: Vec<String>,
    solitary: bool,
    bar: ProgressBar,
    next_look: Instant,
}

impl Live {
    fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Warning(warning) => warn(warning),
            Event::Started { done, .. } => self.bar.set_position(*done),
            Event::TournamentPair { table, .. } => {
                self.bar.inc(1);
                let now = Instant::now();
                if !self.bar.is_hidden() && now >= self.next_look {
                    self.next_look = now + LIVE_EVERY;
                    self.show(&table.standings(&self.plan, self.solitary));
                }
            }
            _ => {}
        }
    }

    fn show(&self, standings: &Standings) {
        let first = standings.agents.iter().take(3).map(|agent| {
            let elo = agent.elo.map_or_else(String::new, |elo| format!(" {}", signed(elo)));
            format!("{}{elo}", cut(&self.names[agent.number], 20))
        });
        self.bar.set_message(first.collect::<Vec<_>>().join(", "));
    }
}

/// Prints the result of a tournament.
pub fn tell(report: &TournamentReport) -> anyhow::Result<()> {
    let TournamentReport { plan, names, standings, stop, folder, recorded: _ } = report;
    say(&plan.game)?;
    say(format!(
        "{} of {} agents, {} of {}, seed {}{}",
        plan.kind.words(),
        plan.agents.len(),
        standings.pairs,
        counted(standings.pairs_planned, "pair"),
        plan.seed,
        plan.terms().in_words()
    ))?;
    say("")?;
    for line in grid(&rating_rows(standings, names), &[1]) {
        say(line)?;
    }
    say("")?;
    for line in grid(&crosstable_rows(standings, names), &[1]) {
        say(line)?;
    }
    say("")?;
    if let Some(seat) = standings.first_seat {
        say(format!(
            "the first seat is worth {} Elo [{} … {}]; equals would draw {} of their games",
            signed(seat.elo),
            signed(seat.elo_low),
            signed(seat.elo_high),
            percent(standings.draw_rate)
        ))?;
    }
    for warning in report::warnings(standings, names) {
        say(warning)?;
    }
    if let Some(folder) = folder {
        let place = shell(&folder.display().to_string());
        if stop.is_early() {
            say(format!("stopped early; go on with: parlor tournament --resume {place}"))?;
        }
        say(format!("report in {}", folder.join("report.html").display()))?;
    }
    Ok(())
}

fn rating_rows(standings: &Standings, names: &[String]) -> Vec<Vec<String>> {
    let elo = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), signed);
    let head = ["#", "agent", "Elo", "95 %", "games", "score", "above next"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(standings.agents.iter().map(|agent| {
        vec![
            agent.rank.to_string(),
            cut(&names[agent.number], LONGEST_NAME),
            elo(agent.elo),
            format!("{} … {}", elo(agent.elo_low), elo(agent.elo_high)),
            agent.games.to_string(),
            percent(agent.score),
            likelihood(agent.above_next),
        ]
    }));
    rows
}

fn crosstable_rows(standings: &Standings, names: &[String]) -> Vec<Vec<String>> {
    let counts = standings.agents.len() <= ROOM_FOR_COUNTS;
    let mut head = vec!["#".to_owned(), if counts { "won, drawn, lost" } else { "score in %" }.to_owned()];
    head.extend(standings.agents.iter().map(|agent| agent.rank.to_string()));
    let mut rows = vec![head];
    for agent in &standings.agents {
        let mut row = vec![agent.rank.to_string(), cut(&names[agent.number], LONGEST_NAME)];
        row.extend(standings.agents.iter().map(
            |other| match standings.between(agent.number, other.number) {
                Some(games) if counts => results(games),
                Some(games) => {
                    games.score().map_or_else(|| "–".to_owned(), |rate| format!("{:.1}", 100.0 * rate))
                }
                None if agent.number == other.number => "■".to_owned(),
                None => "·".to_owned(),
            },
        ));
        rows.push(row);
    }
    rows
}
