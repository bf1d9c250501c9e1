//! `parlor tournament`: many agents, everyone against everyone or one against all.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use indicatif::ProgressBar;
use parlor_lab::format::{likelihood, percent, results, shell, signed};
use parlor_lab::record::Settings;
use parlor_lab::toml_reader::Placed;
use parlor_lab::tournament::file::Request;
use parlor_lab::tournament::names::{cut, short_agent};
use parlor_lab::tournament::report;
use parlor_lab::tournament::{Kind, PlanError};
use parlor_lab::{PairRow, Plan, Record, Standings, Table, log, oracles, seated_spec};

use crate::args::TournamentArgs;
use crate::run_support::{Stop, deadline, new_record, remember, silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{grid, progress, say, say_json};

/// How often the live line is brought up to date: ratings take longer to compute than some games.
const LIVE_EVERY: Duration = Duration::from_millis(500);

/// Crosstables up to this many agents have room for won, drawn and lost games.
const ROOM_FOR_COUNTS: usize = 6;

/// The longest name in a table.
const LONGEST_NAME: usize = 48;

pub fn run(args: &TournamentArgs) -> anyhow::Result<()> {
    let (plan, record, known) = prepare(args)?;
    let game = parlor_catalog::open(&plan.game)?;
    let names: Vec<String> = plan.agents.iter().map(|agent| short_agent(&*game, agent)).collect();
    let from = known.pairs();

    let asked = stop_on_ctrl_c()?;
    silence_agents();
    let mut watch = Watch {
        plan: &plan,
        names: &names,
        solitary: game.seats() == 1,
        table: known,
        record,
        bar: progress(plan.rows(), "pairs"),
        next_look: Instant::now() + LIVE_EVERY,
        deadline: deadline(args.minutes),
        stop: Stop::AllPairs,
        trouble: None,
    };
    watch.bar.set_position(from);
    plan.run(&*game, from, threads(args.threads), &asked, |row| watch.row(&row))?;
    watch.bar.finish_and_clear();
    if let Some(trouble) = watch.trouble.take() {
        return Err(trouble);
    }
    let mut standings = watch.table.standings(&plan, watch.solitary);
    standings.oracles = oracles(&*game, &plan.agents);
    let stop = match watch.stop {
        // The last pair was in when the time was over.
        Stop::Time if standings.is_complete() => Stop::AllPairs,
        Stop::AllPairs if !standings.is_complete() => Stop::Asked,
        stop => stop,
    };
    let folder = watch.record.as_ref().map(|record| record.folder().to_owned());
    if let Some(record) = &watch.record {
        record.finish(&standings)?;
        record.write("report.html", &report::page(&plan, &standings, &names))?;
    }
    // Going on with a finished tournament adds nothing, and is not one of its own.
    if standings.pairs > from || args.resume.is_none() {
        remember(log::Played::of_tournament(&plan, &standings), stop, folder.as_deref());
    }
    if args.json {
        return say_json(&standings);
    }
    tell(&plan, &standings, &names, stop, folder.as_deref())
}

/// What is to be played: a new tournament, or one that was broken off and what is known of it.
fn prepare(args: &TournamentArgs) -> anyhow::Result<(Plan, Option<Record>, Table)> {
    if let Some(folder) = &args.resume {
        let (mut record, plan) = Record::resume::<Plan>(folder)?;
        let mut table = Table::new(&plan);
        record.known(&plan, |row| table.add(&row))?;
        return Ok((plan, Some(record), table));
    }
    let Some(game) = &args.game else {
        bail!("a tournament needs a game and its agents, a FILE.toml, or --resume FOLDER");
    };
    let mut plan = if Path::new(game).extension().is_some_and(|ending| ending == "toml") {
        if !args.agents.is_empty() {
            bail!("{game} lists the agents; none can be added behind it");
        }
        planned_in(Path::new(game), args)?
    } else {
        let game = parlor_catalog::open(game)?;
        let agents = args.agents.iter().map(|agent| seated_spec(&*game, agent)).collect::<Result<_, _>>()?;
        Plan::new(game.spec(), agents, args.seed.unwrap_or(1), args.pairs.unwrap_or(100))?
    };
    if args.gauntlet {
        plan.kind = Kind::Gauntlet;
    }
    plan.time = args.time.unwrap_or(plan.time);
    plan.opening = args.opening.unwrap_or(plan.opening);
    let record = new_record(args.out.as_deref(), true, &plan)?;
    let table = Table::new(&plan);
    Ok((plan, record, table))
}

/// Reads a file; what is also said on the command line is taken from there.
fn planned_in(path: &Path, args: &TournamentArgs) -> anyhow::Result<Plan> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let request = Request::read(&text).with_context(|| path.display().to_string())?;
    let at = |placed: &Placed, error: &dyn std::fmt::Display| {
        anyhow!("{}: {}: {error}", path.display(), placed.at)
    };
    let game = parlor_catalog::open(&request.game.text).map_err(|error| at(&request.game, &error))?;
    let agents = request
        .agents
        .iter()
        .map(|agent| seated_spec(&*game, &agent.text).map_err(|error| at(agent, &error)))
        .collect::<Result<_, _>>()?;
    let seed = args.seed.or(request.seed).unwrap_or(1);
    let pairs = args.pairs.or(request.pairs).unwrap_or(100);
    let mut plan = Plan::new(game.spec(), agents, seed, pairs).map_err(|error| match error {
        PlanError::Twice { two, .. } => at(&request.agents[two], &error),
        PlanError::Agents(_) => anyhow!("{}: {error}", path.display()),
    })?;
    plan.kind = request.kind;
    plan.time = request.time.unwrap_or_default();
    plan.opening = request.opening.unwrap_or_default();
    Ok(plan)
}

/// Looks at each pair as it comes in.
struct Watch<'a> {
    plan: &'a Plan,
    names: &'a [String],
    solitary: bool,
    table: Table,
    record: Option<Record>,
    bar: ProgressBar,
    next_look: Instant,
    deadline: Option<Instant>,
    stop: Stop,
    trouble: Option<anyhow::Error>,
}

impl Watch<'_> {
    fn row(&mut self, row: &PairRow) -> ControlFlow<()> {
        if let Some(record) = &mut self.record
            && let Err(error) = record.append(row)
        {
            self.trouble = Some(error.into());
            return ControlFlow::Break(());
        }
        self.table.add(row);
        self.bar.inc(1);
        let now = Instant::now();
        if !self.bar.is_hidden() && now >= self.next_look {
            self.next_look = now + LIVE_EVERY;
            let standings = self.table.standings(self.plan, self.solitary);
            let first = standings.agents.iter().take(3).map(|agent| {
                let elo = agent.elo.map_or_else(String::new, |elo| format!(" {}", signed(elo)));
                format!("{}{elo}", cut(&self.names[agent.number], 20))
            });
            self.bar.set_message(first.collect::<Vec<_>>().join(", "));
        }
        if self.deadline.is_some_and(|at| now >= at) {
            self.stop = Stop::Time;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn tell(
    plan: &Plan,
    standings: &Standings,
    names: &[String],
    stop: Stop,
    folder: Option<&Path>,
) -> anyhow::Result<()> {
    say(&plan.game)?;
    say(format!(
        "{} of {} agents, {} of {} pairs, seed {}{}",
        plan.kind.words(),
        plan.agents.len(),
        standings.pairs,
        standings.pairs_planned,
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
