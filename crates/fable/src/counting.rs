//! Models over a store: counted from the history, each game once.

use std::collections::{BTreeMap, HashSet};

use parlor_core::Place;
use parlor_core::files::saved::{SavedEnding, SavedGame};
use parlor_store::{
    GameId, GameQuery, GameType, History, Observations, Steps, Store, StoreError, StoredGame, StoredLayout,
    TransitionCount, TypeId, read_place,
};

use crate::board::{Board, Model};
use crate::engine::Engine;
use crate::evidence::Evidence;
use crate::history::RecordedGame;
use crate::state_keys::End;

/// How many games are read, counted and written at a time: one transaction of the model.
const BATCH: usize = 2000;

/// Returns how a game of the history ended for a seat; `None` if it did not end by the rules.
fn end_of(saved: &SavedGame, seat: usize) -> Option<End> {
    let payoffs = saved.payoffs.as_deref().filter(|_| saved.ending == SavedEnding::Finished)?;
    let own = *payoffs.get(seat)?;
    Some(match payoffs {
        // A solitary game is won or lost.
        [_] if own > 0.0 => End::Win,
        [_] => End::Loss,
        _ => {
            let other = payoffs.iter().enumerate().filter(|(at, _)| *at != seat).map(|(_, &payoff)| payoff);
            let best = other.fold(f64::NEG_INFINITY, f64::max);
            if own > best {
                End::Win
            } else if own < best {
                End::Loss
            } else {
                End::Tie
            }
        }
    })
}

/// Puts a game of the history into the form that models count. `None` if its cells do not fit the board.
fn recorded(game: &StoredGame, steps: &Steps, board: &Board, out: &mut RecordedGame) -> Option<()> {
    out.clear();
    let symbols = board.layout.symbols.len();
    for step in steps.iter() {
        let place: Place = read_place(step.place)?;
        let fits = step.state.len() == board.cells()
            && step.state.iter().all(|&symbol| usize::from(symbol) < symbols)
            && place.cells.iter().all(|&cell| usize::from(cell) < board.grid())
            && step.seat.index() < 2;
        if !fits {
            return None;
        }
        out.push(step.seat.0, step.state, place);
    }
    for seat in 0..game.saved.seats.len().min(2) {
        if let Some(end) = end_of(&game.saved, seat) {
            out.set_end(seat as u8, end);
        }
    }
    Some(())
}

/// Returns the board of a game type; `None` if its states are not cells.
pub(crate) fn board_of(game_type: &GameType) -> Option<Board> {
    let layout: StoredLayout = serde_json::from_str(&game_type.layout).ok()?;
    Some(Board::new(game_type.game.clone(), layout.into()))
}

/// Reads games of a history as models count them.
pub(crate) struct Reader {
    history: Box<dyn History>,
    boards: BTreeMap<TypeId, Option<Board>>,
}

impl Reader {
    /// Opens the history of a store.
    pub(crate) fn open(store: &Store) -> Result<Reader, StoreError> {
        Ok(Reader { history: store.history()?, boards: BTreeMap::new() })
    }

    /// Returns up to a batch of games after one, in order.
    pub(crate) fn games(&mut self, after: GameId) -> Result<Vec<StoredGame>, StoreError> {
        self.history.games(&GameQuery { after: Some(after), limit: Some(BATCH), ..GameQuery::default() })
    }

    /// Returns the number of the last game.
    pub(crate) fn last(&mut self) -> Result<GameId, StoreError> {
        self.history.last()
    }

    /// Calls `see` with games and their boards. Games whose states are not cells are left out.
    pub(crate) fn each(
        &mut self,
        games: &[StoredGame],
        mut see: impl FnMut(&Board, GameId, &RecordedGame),
    ) -> Result<(), StoreError> {
        if games.iter().any(|game| !self.boards.contains_key(&game.game_type)) {
            for (id, game_type) in self.history.game_types()? {
                self.boards.entry(id).or_insert_with(|| board_of(&game_type));
            }
        }
        let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
        let steps = self.history.steps(&ids)?;
        let mut out = RecordedGame::default();
        for (game, steps) in games.iter().zip(&steps) {
            let Some(Some(board)) = self.boards.get(&game.game_type) else { continue };
            if recorded(game, steps, board, &mut out).is_some() {
                see(board, game.id, &out);
            }
        }
        Ok(())
    }
}

/// Adds what a model sees of a game.
fn count(board: &Board, model: Model, game: &RecordedGame, counts: &mut Observations) {
    game.observe(board, model, |seen| {
        let end = |end: End| u32::from(seen.end == end);
        counts.add(TransitionCount {
            state: seen.state,
            input: seen.input,
            next: seen.next,
            count: 1,
            wins: end(End::Win),
            ties: end(End::Tie),
            losses: end(End::Loss),
        });
    });
}

/// Returns the games after one that a model has counted, up to another.
fn counted_games(
    model: &mut dyn parlor_store::Model,
    after: GameId,
    until: GameId,
) -> Result<HashSet<GameId>, StoreError> {
    let (mut all, mut after) = (HashSet::new(), after);
    while after < until {
        let some = model.processed(after, BATCH)?;
        let Some(&last) = some.last() else { break };
        all.extend(some.into_iter().filter(|&game| game <= until));
        after = last;
    }
    Ok(all)
}

/// What counting did.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Games that were counted now.
    pub games: u64,
    /// The last game of the history: everything up to it is counted.
    pub last: GameId,
}

/// Counts every game of a store that a model has not counted yet. Games up to `from` are known to be counted.
///
/// # Errors
/// If the store cannot be read or written. What was counted before stays: a game and its mark are one transaction.
pub fn count_new(store: &Store, model: Model, from: GameId) -> Result<Counted, StoreError> {
    let mut reader = Reader::open(store)?;
    let mut table = store.model(model.name())?;
    let mut counted = Counted { games: 0, last: from };
    let mut counts = Observations::default();
    loop {
        let games = reader.games(counted.last)?;
        let Some(until) = games.last().map(|game| game.id) else { return Ok(counted) };
        let known = counted_games(&mut *table, counted.last, until)?;
        let new: Vec<StoredGame> = games.into_iter().filter(|game| !known.contains(&game.id)).collect();
        if !new.is_empty() {
            counts.clear();
            reader.each(&new, |board, _, game| count(board, model, game, &mut counts))?;
            let ids: Vec<GameId> = new.iter().map(|game| game.id).collect();
            match table.fold(counts.sorted(), &ids) {
                Ok(()) => counted.games += ids.len() as u64,
                // Another process was faster with some of them: look again.
                Err(StoreError::Processed { .. }) => continue,
                Err(error) => return Err(error),
            }
        }
        counted.last = until;
    }
}

/// Loads what a store knows into an engine: the models as they are, and the games that they have not counted yet, in memory only.
/// Returns the last game.
///
/// # Errors
/// If the store cannot be read.
pub fn load(store: &Store, engine: &mut Engine) -> Result<GameId, StoreError> {
    let mut tries = 0;
    loop {
        let (last, is_steady) = try_load(store, engine)?;
        tries += 1;
        // While others count all the time, the last try is as good as any: what differs is a few games.
        if is_steady || tries == LOADING_TRIES {
            return Ok(last);
        }
    }
}

/// How often a store is loaded that others change meanwhile.
const LOADING_TRIES: u32 = 5;

/// Loads a store. Returns the last game, and whether no model changed meanwhile: then every game is in each model once.
fn try_load(store: &Store, engine: &mut Engine) -> Result<(GameId, bool), StoreError> {
    engine.clear();
    let existing = store.models()?;
    let mut reader = Reader::open(store)?;
    let last = reader.last()?;
    let mut is_steady = true;
    for model in engine.models().to_vec() {
        let mut known = HashSet::new();
        let opened = match existing.iter().any(|name| name == model.name()) {
            true => store.model(model.name()).map(Some),
            false => Ok(None),
        };
        // Another program is about to make it: nothing is in it yet.
        let is_being_made = matches!(opened, Err(StoreError::Missing { .. }));
        is_steady &= !is_being_made;
        if !is_being_made && let Some(mut stored) = opened? {
            known = counted_games(&mut *stored, GameId(0), GameId(i64::MAX))?;
            let table = engine.table_mut(model);
            stored.for_each(&mut |row| add_row(table.entry(row.state, row.input), row))?;
            is_steady &=
                stored.sizes()?.games == known.len() as u64 && known.iter().all(|&game| game <= last);
        }
        let mut after = GameId(0);
        while after < last {
            let games = reader.games(after)?;
            let Some(until) = games.last().map(|game| game.id) else { break };
            let new: Vec<StoredGame> =
                games.into_iter().filter(|game| game.id <= last && !known.contains(&game.id)).collect();
            let table = engine.table_mut(model);
            reader.each(&new, |board, _, game| game.observe(board, model, |seen| table.observe(seen)))?;
            after = until;
        }
    }
    Ok((last, is_steady))
}

/// Adds games after one to an engine, in memory only. Returns the last game.
///
/// # Errors
/// If the store cannot be read.
pub(crate) fn load_after(
    reader: &mut Reader,
    engine: &mut Engine,
    after: GameId,
) -> Result<GameId, StoreError> {
    let mut last = after;
    loop {
        let games = reader.games(last)?;
        let Some(until) = games.last().map(|game| game.id) else { return Ok(last) };
        for model in engine.models().to_vec() {
            let table = engine.table_mut(model);
            reader.each(&games, |board, _, game| game.observe(board, model, |seen| table.observe(seen)))?;
        }
        last = until;
    }
}

/// Adds the counts of a transition to the evidence about its input.
fn add_row(evidence: &mut Evidence, row: &TransitionCount) {
    let [wins, ties, losses] = [row.wins, row.ties, row.losses].map(u64::from);
    let tally = crate::evidence::Tally { wins, ties, losses };
    evidence.ends.merge(tally);
    if End::ALL.iter().any(|end| end.key() == row.next) {
        evidence.last.merge(tally);
    }
}

/// What a recount of a model found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recount {
    /// The model.
    pub model: String,
    /// Games that it has counted.
    pub games: u64,
    /// Transitions in the model.
    pub transitions: u64,
    /// Transitions whose counts differ, or that are only in one of both.
    pub differences: u64,
    /// Games that are marked as counted but are not in the history.
    pub unknown_games: u64,
    /// The first difference, in words.
    pub example: Option<String>,
}

impl Recount {
    /// Returns whether the model is what its games give.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.differences == 0 && self.unknown_games == 0
    }
}

/// Counts every game that a model has counted again from the history, and compares.
///
/// # Errors
/// If the store cannot be read.
pub fn recount(store: &Store, model: Model) -> Result<Recount, StoreError> {
    let mut tries = 0;
    loop {
        let (found, is_steady) = try_recount(store, model)?;
        tries += 1;
        if is_steady || tries == LOADING_TRIES {
            return Ok(found);
        }
    }
}

/// Recounts a model. Returns what was found, and whether nobody counted meanwhile.
fn try_recount(store: &Store, model: Model) -> Result<(Recount, bool), StoreError> {
    let mut reader = Reader::open(store)?;
    let mut table = store.model(model.name())?;
    let marked = counted_games(&mut *table, GameId(0), GameId(i64::MAX))?;
    let mut counts = Observations::default();
    let (mut after, mut found) = (GameId(0), 0);
    loop {
        let games = reader.games(after)?;
        let Some(until) = games.last().map(|game| game.id) else { break };
        let own: Vec<StoredGame> = games.into_iter().filter(|game| marked.contains(&game.id)).collect();
        found += own.len() as u64;
        reader.each(&own, |board, _, game| count(board, model, game, &mut counts))?;
        after = until;
    }
    let expected = counts.sorted();
    let (mut at, mut differences, mut transitions, mut example) = (0, 0, 0, None);
    let mut differ = |left: Option<&TransitionCount>, right: Option<&TransitionCount>| {
        differences += 1;
        example.get_or_insert_with(|| format!("the model has {left:?}, the history gives {right:?}"));
    };
    table.for_each(&mut |row| {
        transitions += 1;
        while let Some(missing) = expected.get(at).filter(|expected| expected.key() < row.key()) {
            differ(None, Some(missing));
            at += 1;
        }
        match expected.get(at).filter(|expected| expected.key() == row.key()) {
            Some(expected) => {
                if expected != row {
                    differ(Some(row), Some(expected));
                }
                at += 1;
            }
            None => differ(Some(row), None),
        }
    })?;
    for missing in &expected[at..] {
        differ(None, Some(missing));
    }
    let games = marked.len() as u64;
    let unknown_games = games - found;
    let model = model.name().to_owned();
    let is_steady = table.sizes()?.games == games;
    Ok((Recount { model, games, transitions, differences, unknown_games, example }, is_steady))
}

/// Returns the models of a store that FABLE counts, with their names.
///
/// # Errors
/// If the store cannot be read.
pub fn models_of(store: &Store) -> Result<Vec<Model>, StoreError> {
    let names = store.models()?;
    Ok(Model::ALL.into_iter().filter(|model| names.iter().any(|name| name == model.name())).collect())
}
