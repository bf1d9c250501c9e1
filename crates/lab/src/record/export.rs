//! Games of a history as files: lines of saved games, or one row a decision as CSV or Parquet.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use parlor_core::files::write_atomically_with;
use parlor_store::{GameId, GameQuery, History, Step, StoreError, StoredGame, TypeId, read_place};

use super::StoredLayout;
use crate::sheet::{Cell, Column, Kind, Sheet, SheetError};

/// How a file is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExportFormat {
    /// One saved game a line, as `parlor play --replay` reads it.
    Lines,
    /// One decision a row.
    Csv,
    /// One decision a row, in columns.
    Parquet,
}

/// Errors of exporting games.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file name that does not say how to write games.
    #[error("{} ends neither in .jsonl nor in .csv nor in .parquet", .0.display())]
    Ending(PathBuf),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: SheetError,
    },
}

impl ExportFormat {
    /// Returns the format that a file's ending names.
    ///
    /// # Errors
    /// If it names none.
    pub fn of(path: &Path) -> Result<ExportFormat, ExportError> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl" | "lines") => Ok(ExportFormat::Lines),
            Some("csv") => Ok(ExportFormat::Csv),
            Some("parquet") => Ok(ExportFormat::Parquet),
            _ => Err(ExportError::Ending(path.to_owned())),
        }
    }
}

/// How many games are in memory at a time.
const PAGE: usize = 2000;

/// Gives games to `each`, some at a time and in order.
///
/// # Errors
/// If the store cannot be read, or those of `each`.
pub fn pages<E: From<StoreError>>(
    history: &mut dyn History,
    query: &GameQuery,
    mut each: impl FnMut(&mut dyn History, &[StoredGame]) -> Result<(), E>,
) -> Result<(), E> {
    let mut left = query.limit.unwrap_or(usize::MAX);
    let mut query = query.clone();
    if query.newest && query.limit.is_some() {
        // The last games: where they begin, then on from there.
        let games = history.games(&query)?;
        return games.chunks(PAGE).try_for_each(|page| each(history, page));
    }
    query.newest = false;
    while left > 0 {
        query.limit = Some(PAGE.min(left));
        let page = history.games(&query)?;
        let Some(last) = page.last() else { break };
        (query.after, left) = (Some(last.id), left - page.len());
        each(history, &page)?;
    }
    Ok(())
}

/// Writes games to a file, which is there as a whole or not at all. Returns the number of games.
///
/// # Errors
/// If the store cannot be read, or the file cannot be written.
pub fn export(
    history: &mut dyn History,
    query: &GameQuery,
    path: &Path,
    mut on_games: impl FnMut(u64),
) -> Result<u64, ExportError> {
    let format = ExportFormat::of(path)?;
    let mut games = 0;
    let mut count = |page: &[StoredGame]| {
        games += page.len() as u64;
        on_games(games);
    };
    let wrong = |cause: SheetError| ExportError::Write { path: path.to_owned(), cause };
    match format {
        ExportFormat::Lines => write_atomically_with(path, |file| {
            let mut file = BufWriter::new(file);
            pages(history, query, |_, page| {
                count(page);
                page.iter()
                    .try_for_each(|game| writeln!(file, "{}", game.saved.line()))
                    .map_err(Trouble::from)
            })?;
            file.flush().map_err(Trouble::from)
        })
        .map_err(|trouble| trouble.into_error(wrong))?,
        ExportFormat::Csv => write_atomically_with(path, |file: &mut File| {
            let rows = Rows::new(history)?;
            rows.new_sheet()?.append_csv(file, 0)?;
            pages(history, query, |history, page| {
                count(page);
                let mut sheet = rows.new_sheet()?;
                rows.add(history, page, &mut sheet)?;
                sheet.append_csv(file, 0).map_err(Trouble::from)
            })
        })
        .map_err(|trouble: Trouble| trouble.into_error(wrong))?,
        ExportFormat::Parquet => {
            let rows = Rows::new(history)?;
            let mut sheet = rows.new_sheet().map_err(wrong)?;
            pages(history, query, |history, page| {
                count(page);
                rows.add(history, page, &mut sheet)
            })
            .map_err(|trouble| trouble.into_error(wrong))?;
            sheet.write_parquet(path).map_err(wrong)?;
        }
    }
    Ok(games)
}

/// What can go wrong between a store and a file.
enum Trouble {
    Store(StoreError),
    Sheet(SheetError),
}

impl Trouble {
    fn into_error(self, wrong: impl Fn(SheetError) -> ExportError) -> ExportError {
        match self {
            Trouble::Store(error) => error.into(),
            Trouble::Sheet(error) => wrong(error),
        }
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Store(error)
    }
}

impl From<SheetError> for Trouble {
    fn from(error: SheetError) -> Trouble {
        Trouble::Sheet(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Sheet(error.into())
    }
}

/// Decisions as rows.
struct Rows {
    layouts: HashMap<TypeId, Option<StoredLayout>>,
}

impl Rows {
    fn new(history: &mut dyn History) -> Result<Rows, StoreError> {
        let types = history.game_types()?.into_iter();
        Ok(Rows {
            layouts: types.map(|(id, about)| (id, serde_json::from_str(&about.layout).ok())).collect(),
        })
    }

    fn new_sheet(&self) -> Result<Sheet, SheetError> {
        Sheet::new(vec![
            Column::new("id", Kind::Whole),
            Column::new("game", Kind::Text),
            Column::new("ended", Kind::Whole),
            Column::new("step", Kind::Whole),
            Column::new("seat", Kind::Whole),
            Column::new("agent", Kind::Text),
            Column::new("state", Kind::Text),
            Column::new("action", Kind::Text),
            Column::new("kind", Kind::Whole).optional(),
            Column::new("cells", Kind::Text),
            Column::new("payoff", Kind::Real).optional(),
            Column::new("ending", Kind::Text),
        ])
    }

    fn add(&self, history: &mut dyn History, page: &[StoredGame], sheet: &mut Sheet) -> Result<(), Trouble> {
        let ids: Vec<GameId> = page.iter().map(|game| game.id).collect();
        for (game, steps) in page.iter().zip(history.steps(&ids)?) {
            for step in steps.iter() {
                self.push(game, &step, sheet)?;
            }
        }
        Ok(())
    }

    fn push(&self, game: &StoredGame, step: &Step<'_>, sheet: &mut Sheet) -> Result<(), SheetError> {
        let seat = step.seat.index();
        let place = read_place(step.place);
        let cells: Vec<String> =
            place.iter().flat_map(|place| &place.cells).map(|cell| cell.to_string()).collect();
        sheet.push([
            Cell::from(game.id.0 as u64),
            Cell::from(game.saved.game.as_str()),
            Cell::from(game.ended),
            Cell::from(u64::from(step.number)),
            Cell::from(seat as u64),
            Cell::from(game.saved.seats.get(seat).map_or("", String::as_str)),
            Cell::from(self.state(game.game_type, step.state).as_str()),
            Cell::from(step.input),
            Cell::from(place.map(|place| u64::from(place.kind))),
            Cell::from(cells.join(" ").as_str()),
            Cell::from(game.saved.payoffs.as_ref().and_then(|payoffs| payoffs.get(seat)).copied()),
            Cell::from(game.saved.ending.to_string().as_str()),
        ])
    }

    /// Returns a state as the texts of its symbols.
    fn state(&self, game_type: TypeId, state: &[u8]) -> String {
        let Some(Some(layout)) = self.layouts.get(&game_type) else {
            return String::from_utf8_lossy(state).into_owned();
        };
        let text = |cell: &u8| layout.symbols.get(usize::from(*cell)).map_or("?", String::as_str);
        state.iter().map(text).collect::<Vec<_>>().join(" ")
    }
}
