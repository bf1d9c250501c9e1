//! A tournament as a run: many agents, each pairing a match in pairs.

use std::path::{Path, PathBuf};

use parlor_core::Cancel;
use parlor_core::TimeControl;
use parlor_core::api::AnyGame;

use super::pair_rows::PairRun;
use super::shards::ShardSet;
use super::{Event, Listener, Open, RunError, RunOptions, StopReason, Unit};
use crate::log::Played;
use crate::pairs::{PairPlan, oracles, seat_teams};
use crate::record::Recorded;
use crate::toml_reader::{FileError, Placed};
use crate::tournament::file::Request;
use crate::tournament::names::short_agents;
use crate::tournament::standings::{Standings, Table};
use crate::tournament::{Kind, Plan, PlanError, report};

/// A tournament as it was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentRequest {
    /// The game's spec.
    pub game: String,
    /// The agents' specs.
    pub agents: Vec<String>,
    /// Who meets whom.
    pub kind: Kind,
    /// How many pairs each pairing plays.
    pub pairs: u64,
    /// Equal seeds give equal tournaments.
    pub seed: u64,
    /// The time each agent has for a game.
    pub time: TimeControl,
    /// How many decisions at the beginning of each pair are random.
    pub opening: u32,
    /// How many pairs of a pairing a session has; 0 makes every game a session of its own.
    pub session: u64,
}

/// What is played unless a request or a file says otherwise.
impl Default for TournamentRequest {
    fn default() -> TournamentRequest {
        TournamentRequest {
            game: String::new(),
            agents: Vec::new(),
            kind: Kind::RoundRobin,
            pairs: 100,
            seed: 1,
            time: TimeControl::default(),
            opening: 0,
            session: 0,
        }
    }
}

/// A tournament that is ready to be played, or to go on.
pub struct TournamentRun {
    run: PairRun<Plan>,
    names: Vec<String>,
    table: Table,
}

/// What a tournament came to.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentReport {
    /// What was played.
    pub plan: Plan,
    /// The agents' short names, in the order of the plan.
    pub names: Vec<String>,
    /// What the games say.
    pub standings: Standings,
    /// Why it ended.
    pub stop: StopReason,
    /// Where the games and the report are, if they were kept.
    pub folder: Option<PathBuf>,
    /// What was recorded in a store.
    pub recorded: Option<Recorded>,
}

impl TournamentRun {
    /// Prepares a new tournament.
    ///
    /// # Errors
    /// If the request is not understood, or the folder cannot be written; nothing has been played then.
    pub fn new(
        request: &TournamentRequest,
        open: Open<'_>,
        options: RunOptions,
    ) -> Result<TournamentRun, RunError> {
        TournamentRun::prepare(open(&request.game)?, request, options)
    }

    /// Prepares a tournament that is written in a file. `adjust` may change what the file says about everything but the game
    /// and the agents.
    ///
    /// # Errors
    /// As those of [`new`](TournamentRun::new), with the place in the file.
    pub fn from_file(
        text: &str,
        adjust: impl FnOnce(&mut TournamentRequest),
        open: Open<'_>,
        options: RunOptions,
    ) -> Result<TournamentRun, RunError> {
        let file = Request::read(text)?;
        let at = |placed: &Placed, error: &dyn std::fmt::Display| FileError {
            at: placed.at,
            wrong: error.to_string(),
        };
        let game = open(&file.game.text).map_err(|error| at(&file.game, &error))?;
        let usual = TournamentRequest::default();
        let mut request = TournamentRequest {
            game: file.game.text.clone(),
            agents: file.agents.iter().map(|agent| agent.text.clone()).collect(),
            kind: file.kind,
            pairs: file.pairs.unwrap_or(usual.pairs),
            seed: file.seed.unwrap_or(usual.seed),
            time: file.time.unwrap_or(usual.time),
            opening: file.opening.unwrap_or(usual.opening),
            session: file.session.unwrap_or(usual.session),
        };
        adjust(&mut request);
        let prepared = TournamentRun::prepare(game, &request, options);
        prepared.map_err(|error| match error {
            RunError::Plan(PlanError::Twice { two, .. }) => at(&file.agents[two], &error).into(),
            RunError::Spec(_) => {
                // Only now, because it builds the agents again: which one is it?
                let game = open(&file.game.text).ok();
                let wrong = |agent: &&Placed| {
                    game.as_ref().is_some_and(|game| seat_teams(&**game, &[&agent.text], 1).is_err())
                };
                match file.agents.iter().find(wrong) {
                    Some(agent) => at(agent, &error).into(),
                    None => error,
                }
            }
            other => other,
        })
    }

    fn prepare(
        game: Box<dyn AnyGame>,
        request: &TournamentRequest,
        options: RunOptions,
    ) -> Result<TournamentRun, RunError> {
        let agents: Vec<&str> = request.agents.iter().map(String::as_str).collect();
        let run = PairRun::new(game, &agents, options, |game, agents| {
            let mut plan = Plan::new(game.spec(), agents, request.seed, request.pairs)?;
            (plan.kind, plan.time, plan.opening) = (request.kind, request.time, request.opening);
            plan.session = request.session;
            Ok(plan)
        })?;
        let table = Table::new(&run.plan);
        Ok(TournamentRun::of(run, table))
    }

    /// Prepares to resume a tournament.
    ///
    /// # Errors
    /// If the folder holds no tournament, or one that this program cannot go on with.
    pub fn resume(folder: &Path, open: Open<'_>, options: RunOptions) -> Result<TournamentRun, RunError> {
        let mut table = None;
        let run = PairRun::resume(folder, open, options, |plan, row| {
            table.get_or_insert_with(|| Table::new(plan)).add(&row);
        })?;
        let table = table.unwrap_or_else(|| Table::new(&run.plan));
        Ok(TournamentRun::of(run, table))
    }

    /// Prepares a tournament whose pairs were played in shards.
    pub(super) fn of_shards(
        plan: Plan,
        shards: ShardSet,
        open: Open<'_>,
        options: RunOptions,
    ) -> Result<TournamentRun, RunError> {
        let mut table = Table::new(&plan);
        let run = PairRun::of_shards(plan, shards, open, options, |_, row| table.add(&row))?;
        Ok(TournamentRun::of(run, table))
    }

    /// Returns what plays the pairs.
    pub(super) fn into_pairs(self) -> PairRun<Plan> {
        self.run
    }

    fn of(run: PairRun<Plan>, table: Table) -> TournamentRun {
        let names = short_agents(&*run.game, &run.plan.agents);
        TournamentRun { run, names, table }
    }

    /// Returns what is played.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.run.plan
    }

    /// Returns the agents' short names, in the order of the plan.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns whether the game has one seat only.
    #[must_use]
    pub fn is_solitary(&self) -> bool {
        self.run.game.seats() == 1
    }

    /// Plays the tournament, records, reports and logs it. A tournament that is stopped early has a report, too.
    ///
    /// # Errors
    /// If a row or the report cannot be written.
    pub fn run(self, cancel: &Cancel, listener: Listener<'_>) -> Result<TournamentReport, RunError> {
        let solitary = self.is_solitary();
        let TournamentRun { mut run, names, mut table } = self;
        if let Some(warning) = &run.warning {
            listener(&Event::Warning(warning));
        }
        listener(&Event::Started { unit: Unit::Pairs, done: run.known, total: run.plan.rows() });
        let stop = run.play(cancel, |row| {
            table.add(row);
            listener(&Event::TournamentPair { row, table: &table });
            None
        })?;
        let mut standings = table.standings(&run.plan, solitary);
        standings.oracles = oracles(&*run.game, &run.plan.agents);
        if let Some(folder) = run.folder() {
            folder.write_json("result.json", &standings)?;
            folder.write("report.html", report::page(&run.plan, &standings, &names).as_bytes())?;
        }
        let folder = run.folder().map(|folder| folder.folder().to_owned());
        // Going on with a finished tournament adds nothing, and is not one of its own.
        if standings.pairs > run.known || !run.resumed {
            let played = Played::of_tournament(&run.plan, &standings);
            if let Err(warning) = run.options.log(played, stop, folder.as_deref()) {
                listener(&Event::Warning(&warning));
            }
        }
        listener(&Event::Done(stop));
        Ok(TournamentReport { plan: run.plan, names, standings, stop, folder, recorded: run.recorded })
    }
}
