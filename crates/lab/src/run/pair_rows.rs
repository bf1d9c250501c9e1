//! What matches and tournaments have in common: rows of pairs, played by a schedule, kept as two games each.

use std::io::{self, BufRead, BufReader};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::time::Instant;

use parlor_core::Cancel;
use parlor_core::api::{AnyGame, AnyTeam};
use parlor_core::files::reading::read_line;
use parlor_core::files::saved::{SavedError, SavedGame};
use parlor_store::Location;

use super::folder::{RunFolder, RunFolderError};
use super::shards::{ShardSet, unit_of};
use super::{Keep, Open, RunError, RunOptions, StopReason, Warning};
use crate::pairs::{PairPlan, PairRow, full_forms, play_trials, seat_teams};
use crate::record::{RecordError, RecordNote, Recorded, Recorder, new_run_name};

/// A match or a tournament that is ready to be played.
pub(super) struct PairRun<P> {
    pub plan: P,
    pub game: Box<dyn AnyGame>,
    /// The agents, once a thread.
    teams: Vec<Box<dyn AnyTeam>>,
    folder: Option<RunFolder>,
    pub options: RunOptions,
    pub warning: Option<Warning>,
    /// Rows that are known already.
    pub known: u64,
    pub resumed: bool,
    recorder: Option<Recorder>,
    /// What was recorded.
    pub recorded: Option<Recorded>,
    /// Where the rows are that were played elsewhere; without it they are played.
    shards: Option<ShardSet>,
}

/// The folder of a run, its place in a store, and what could not be had of them.
type Places = (Option<RunFolder>, Option<Recorder>, Option<Warning>);

impl<P: PairPlan> PairRun<P> {
    /// Prepares a new run: opens the game, builds every agent once a thread, lets `plan` make the plan from their full forms, and
    /// starts the folder.
    pub fn new(
        game: Box<dyn AnyGame>,
        agents: &[&str],
        options: RunOptions,
        plan: impl FnOnce(&dyn AnyGame, Vec<String>) -> Result<P, RunError>,
    ) -> Result<PairRun<P>, RunError> {
        let mut teams = seat_teams(&*game, agents, 1)?;
        let plan = plan(&*game, full_forms(&*teams[0], agents.len()))?;
        more_teams(&*game, &plan, &mut teams, options.threads.max(1))?;
        let places = PairRun::places(&*game, &plan, &options)?;
        Ok(PairRun::at_start(plan, game, teams, options, places))
    }

    /// Prepares to play rows of a plan that was made elsewhere. Nothing is kept.
    pub fn of_plan(plan: P, open: Open<'_>, options: RunOptions) -> Result<PairRun<P>, RunError> {
        let game = open(plan.game())?;
        let mut teams = Vec::new();
        more_teams(&*game, &plan, &mut teams, options.threads.max(1))?;
        Ok(PairRun::at_start(plan, game, teams, options, (None, None, None)))
    }

    /// Prepares a run whose rows were played in shards; `on_row` receives those that the run's folder has already. No agent is built.
    pub fn of_shards(
        plan: P,
        shards: ShardSet,
        open: Open<'_>,
        options: RunOptions,
        on_row: impl FnMut(&P, PairRow),
    ) -> Result<PairRun<P>, RunError>
    where
        P: PartialEq,
    {
        let mut run = match &options.keep {
            Keep::In(folder) if folder.join(P::KIND.manifest).exists() => {
                let folder = folder.clone();
                if RunFolder::manifest::<P>(&folder)? != plan {
                    return Err(RunFolderError::Taken { path: folder, what: P::KIND.name }.into());
                }
                PairRun::resume_with(&folder, open, options, 0, on_row)?
            }
            _ => PairRun::started(plan, open, options)?,
        };
        run.shards = Some(shards);
        Ok(run)
    }

    /// Starts a run of a plan, without agents.
    fn started(plan: P, open: Open<'_>, options: RunOptions) -> Result<PairRun<P>, RunError> {
        let game = open(plan.game())?;
        let places = PairRun::<P>::places(&*game, &plan, &options)?;
        Ok(PairRun::at_start(plan, game, Vec::new(), options, places))
    }

    /// A run of which no row is known.
    fn at_start(
        plan: P,
        game: Box<dyn AnyGame>,
        teams: Vec<Box<dyn AnyTeam>>,
        options: RunOptions,
        (folder, recorder, warning): Places,
    ) -> PairRun<P> {
        PairRun {
            plan,
            game,
            teams,
            folder,
            options,
            warning,
            known: 0,
            resumed: false,
            recorder,
            recorded: None,
            shards: None,
        }
    }

    /// Starts the folder of a run and its place in a store.
    fn places(game: &dyn AnyGame, plan: &P, options: &RunOptions) -> Result<Places, RunError> {
        let run = new_run_name(P::KIND.name);
        let open = |store| Recorder::open(store, game, &run);
        let recorder = options.record.as_ref().map(open).transpose()?;
        let (folder, warning) = options.new_folder(plan)?;
        if let (Some(folder), Some(store)) = (&folder, &options.record) {
            RecordNote { store: store.to_note(), run }.write(folder)?;
        }
        Ok((folder, recorder, warning))
    }

    /// Resumes a run; `on_row` receives its complete rows.
    pub fn resume(
        folder: &Path,
        open: Open<'_>,
        options: RunOptions,
        on_row: impl FnMut(&P, PairRow),
    ) -> Result<PairRun<P>, RunError> {
        let threads = options.threads.max(1);
        PairRun::resume_with(folder, open, options, threads, on_row)
    }

    /// Resumes a run with the agents for some threads.
    fn resume_with(
        folder: &Path,
        open: Open<'_>,
        options: RunOptions,
        threads: usize,
        mut on_row: impl FnMut(&P, PairRow),
    ) -> Result<PairRun<P>, RunError> {
        let (mut folder, plan) = RunFolder::resume::<P>(folder)?;
        let game = open(plan.game())?;
        let mut recorder = resume_recorder(&folder, &*game, &options, P::KIND.name)?;
        let mut unrecorded = Ok(());
        let known = read_pairs(&mut folder, &plan, |row| {
            // Games that were played and kept, but not recorded before the run was killed.
            if let (Some(recorder), Ok(())) = (&mut recorder, &unrecorded) {
                unrecorded = record_pair(recorder, &*game, &row);
            }
            on_row(&plan, row);
        })?;
        unrecorded?;
        let recorded = recorder.as_mut().map(Recorder::finish).transpose()?;
        let mut teams = Vec::new();
        more_teams(&*game, &plan, &mut teams, threads)?;
        let start = PairRun::at_start(plan, game, teams, options, (Some(folder), recorder, None));
        Ok(PairRun { known, resumed: true, recorded, ..start })
    }

    /// Returns where the run is kept.
    pub fn folder(&self) -> Option<&RunFolder> {
        self.folder.as_ref()
    }

    /// Plays some rows, which begin with a session, and returns the bytes of each; fewer if it is cancelled. `heard` is called after each.
    pub fn play_rows(&mut self, rows: Range<u64>, cancel: &Cancel, heard: &mut dyn FnMut()) -> Vec<Vec<u8>> {
        let (plan, seats) = (&self.plan, self.game.seats());
        let mut played = Vec::new();
        let trials = rows.clone().map(|row| plan.trial(row));
        let teams = std::mem::take(&mut self.teams);
        self.teams = play_trials(teams, seats, trials, rows.start, plan.terms(), cancel, |mut row| {
            row.rename(plan.trial(row.pair).agents.map(|agent| plan.agents()[agent].as_str()));
            played.push(pair_lines(&row).into_bytes());
            heard();
            ControlFlow::Continue(())
        });
        played
    }

    /// Plays the rows that are not known yet, in order, and records each before `on_row` gets it. Ends after a whole number of
    /// rows when everything is played, `on_row` has a reason to stop, the time is over, or it is cancelled.
    pub fn play(
        &mut self,
        cancel: &Cancel,
        mut on_row: impl FnMut(&PairRow) -> Option<StopReason>,
    ) -> Result<StopReason, RunError> {
        let deadline = self.options.deadline();
        let (mut played, mut reason, mut trouble) = (self.known, None, None);
        let (folder, names) = (&mut self.folder, self.plan.agents());
        let (recorder, game) = (&mut self.recorder, &*self.game);
        let mut unrecorded = Ok(());
        let trial = |row: u64| self.plan.trial(row);
        let mut each = |mut row: PairRow| {
            // An older program may have written some keys in another way; its run is resumed under the names it began with.
            row.rename(trial(row.pair).agents.map(|agent| names[agent].as_str()));
            if let Some(folder) = folder
                && let Err(error) = append_pair(folder, &row)
            {
                trouble = Some(error);
                return ControlFlow::Break(());
            }
            if let Some(recorder) = recorder.as_mut() {
                unrecorded = record_pair(recorder, game, &row);
                if unrecorded.is_err() {
                    return ControlFlow::Break(());
                }
            }
            played += 1;
            reason = on_row(&row).or_else(|| {
                let late = deadline.is_some_and(|at| Instant::now() >= at);
                late.then_some(StopReason::TimeLimit)
            });
            if reason.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let unread = match &self.shards {
            Some(shards) => read_shards(shards, &self.plan, self.known, cancel, &mut each),
            None => {
                play_missing(&self.plan, &mut self.teams, self.game.seats(), self.known, cancel, each);
                Ok(())
            }
        };
        if let Some(error) = trouble {
            return Err(error.into());
        }
        unrecorded?;
        self.recorded = self.recorder.as_mut().map(Recorder::finish).transpose()?;
        unread?;
        Ok(match reason {
            // The last row was in when the time was over.
            Some(StopReason::TimeLimit) | None if played >= self.plan.rows() => StopReason::Finished,
            Some(reason) => reason,
            None => StopReason::Cancelled,
        })
    }
}

/// Plays the rows from number `known` on.
fn play_missing<P: PairPlan>(
    plan: &P,
    teams: &mut Vec<Box<dyn AnyTeam>>,
    seats: u8,
    known: u64,
    cancel: &Cancel,
    each: impl FnMut(PairRow) -> ControlFlow<()>,
) {
    // A session that was interrupted is played again from its start, for what agents remember of it.
    let from = if known < plan.rows() { plan.trial(known).session } else { known };
    let players = std::mem::take(teams);
    *teams = play_trials(players, seats, plan.trials(from), known, plan.terms(), cancel, each);
}

/// Reads the rows from number `known` on from shards.
fn read_shards<P: PairPlan>(
    shards: &ShardSet,
    plan: &P,
    known: u64,
    cancel: &Cancel,
    mut each: impl FnMut(PairRow) -> ControlFlow<()>,
) -> Result<(), RunError> {
    shards.for_each(known, |number, bytes, _| {
        let foreign = || unit_of(shards.folder(), number, "these games do not follow from the settings");
        let text = std::str::from_utf8(bytes).map_err(|_| foreign())?;
        let (one, two) = text.trim_end().split_once('\n').ok_or_else(foreign)?;
        let damaged = |error: SavedError| unit_of(shards.folder(), number, &error.to_string());
        let saved = [SavedGame::parse(one).map_err(damaged)?, SavedGame::parse(two).map_err(damaged)?];
        if !fits(plan, number, &saved) {
            return Err(foreign());
        }
        Ok(each(PairRow::of(number, saved)).is_continue() && !cancel.is_cancelled())
    })
}

/// Returns the bytes of a pair in a file of rows: two lines.
fn pair_lines(row: &PairRow) -> String {
    row.saved().map(|game| game.line() + "\n").collect()
}

/// Records the two games of a row.
fn record_pair(recorder: &mut Recorder, game: &dyn AnyGame, row: &PairRow) -> Result<(), RecordError> {
    (2 * row.pair..).zip(row.saved()).try_for_each(|(number, saved)| recorder.add(game, saved, number))
}

/// Returns the recorder of a run that resumes: in the store that the options name, or in which it began.
fn resume_recorder(
    folder: &RunFolder,
    game: &dyn AnyGame,
    options: &RunOptions,
    kind: &str,
) -> Result<Option<Recorder>, RecordError> {
    let note = RecordNote::read(folder.folder())?;
    let store = match (&options.record, &note) {
        (Some(store), _) => store.clone(),
        (None, Some(note)) => match note.location()? {
            store @ Location::Folder(_) => store,
            store @ Location::Postgres(_) => return Err(RecordError::NameStore { store: store.to_string() }),
        },
        (None, None) => return Ok(None),
    };
    let run = note.as_ref().map_or_else(|| new_run_name(kind), |note| note.run.clone());
    let recorder = Recorder::open(&store, game, &run)?;
    let now = RecordNote { store: store.to_note(), run };
    if note.as_ref() != Some(&now) {
        now.write(folder)?;
    }
    Ok(Some(recorder))
}

/// Seats the agents of a plan for every thread. Saved games have the names that the plan has: keys may have been renamed since it was
/// made, and a resumed run ends with the same bytes as an uninterrupted one.
fn more_teams<P: PairPlan>(
    game: &dyn AnyGame,
    plan: &P,
    teams: &mut Vec<Box<dyn AnyTeam>>,
    threads: usize,
) -> Result<(), RunError> {
    let agents: Vec<&str> = plan.agents().iter().map(String::as_str).collect();
    let missing = threads.saturating_sub(teams.len());
    teams.extend(seat_teams(game, &agents, missing)?);
    for team in teams {
        agents.iter().enumerate().for_each(|(member, name)| team.set_name(member, name));
    }
    Ok(())
}

/// Appends a pair: two lines.
pub(super) fn append_pair(folder: &mut RunFolder, row: &PairRow) -> Result<(), RunFolderError> {
    folder.append(pair_lines(row).as_bytes())
}

/// Gives the complete pairs to `on_row`, in order, removes a truncated row, and returns their number.
///
/// # Errors
/// If the file cannot be read, or holds games that the plan does not lead to.
pub(super) fn read_pairs<P: PairPlan>(
    folder: &mut RunFolder,
    plan: &P,
    mut on_row: impl FnMut(PairRow),
) -> Result<u64, RunFolderError> {
    let path = folder.rows_path();
    let io = |cause| RunFolderError::Io { path: path.clone(), cause };
    let damaged =
        |line, wrong| RunFolderError::Damaged { path: path.clone(), wrong: format!("line {line}: {wrong}") };
    let mut reader = BufReader::new(folder.rows());
    let (mut whole, mut rows) = (0, 0);
    while let Some((lines, bytes)) = read_two_lines(&mut reader).map_err(io)? {
        let number = 2 * rows + 1;
        let [one, two] = lines.map(|line| SavedGame::parse(line.trim_end()));
        let saved = [
            one.map_err(|error| damaged(number, error.to_string()))?,
            two.map_err(|error| damaged(number + 1, error.to_string()))?,
        ];
        if rows >= plan.rows() || !fits(plan, rows, &saved) {
            return Err(damaged(number, "these games do not follow from the settings".to_owned()));
        }
        on_row(PairRow::of(rows, saved));
        rows += 1;
        whole += bytes;
    }
    drop(reader);
    folder.cut(whole)?;
    Ok(rows)
}

/// Returns whether two games can be those of a row.
fn fits<P: PairPlan>(plan: &P, row: u64, saved: &[SavedGame; 2]) -> bool {
    let trial = plan.trial(row);
    let [first, second] = trial.agents.map(|agent| plan.agents()[agent].as_str());
    let seats = [&saved[0].seats[..], &saved[1].seats[..]];
    saved.iter().all(|one| one.game == plan.game() && one.seed == trial.deal)
        && (seats == [[first, second], [second, first]] || seats == [[first], [second]])
}

/// Reads two complete lines; returns them and their length in bytes. `None` at the end, truncated or not.
fn read_two_lines(reader: &mut impl BufRead) -> io::Result<Option<([String; 2], u64)>> {
    let mut lines = [String::new(), String::new()];
    let mut bytes = 0;
    for line in &mut lines {
        let Some(raw) = read_line(reader)?.filter(|raw| raw.last() == Some(&b'\n')) else {
            return Ok(None);
        };
        bytes += raw.len() as u64;
        // What is not UTF-8 is no saved game either, and is refused as such.
        *line = String::from_utf8_lossy(&raw).into_owned();
    }
    Ok(Some((lines, bytes)))
}
