//! The interface of searches to endgame databases.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use parlor_core::{Deadline, Fault, Game, GameValue, Key, Kind, OnDisk, Reversible, Settings, SpecError};

use super::build::NO_PLY_LIMIT;
use super::file::{EndgameError, unusable};
use super::folder::{Folder, Reader, checksum};
use super::slice::{Workspace, mark_slice};

const NONE: &str = "off";

/// The key of agents that can use a database.
pub const KEY: Key = Key {
    name: "endgames",
    kind: Kind::Folder(OnDisk { words: &[NONE], checksum }),
    default: NONE,
    help: "folder of an endgame database, as `parlor endgame build` creates it, or `off`",
};

/// The key for the checksum of that folder.
pub const CHECKSUM: Key = Key::checksum("endgames_checksum", KEY.name);

/// Returns database values to a search. Each thread has its own.
pub trait EndgameProbe<G: Game>: Send {
    /// Starts a search at `root`. Until an irreversible move, positions are left to the search: the table would only say
    /// that the value has not changed, and the search would never make progress.
    fn begin(&mut self, game: &G, root: &G::State);

    /// Returns the value of a position to the seat to move, if the search may rely on it.
    fn usable_value(&mut self, game: &G, state: &G::State) -> Option<GameValue>;

    /// Returns the value of a position to the seat to move, ignoring the rule on plies without progress.
    fn value(&mut self, game: &G, state: &G::State) -> Option<GameValue>;

    /// Returns the number of plies after a winning move until an irreversible move or the end, if the winner hurries; 0
    /// if the move itself is irreversible. `None` if unknown, or not known by the deadline.
    fn plies_to_conversion(
        &mut self,
        game: &G,
        before: &G::State,
        after: &G::State,
        deadline: Deadline<'_>,
    ) -> Option<u32>;

    /// Returns a copy for another thread.
    fn clone_boxed(&self) -> Box<dyn EndgameProbe<G>>;
}

/// Reads values from a folder. A file that is damaged or gone costs the agent its match: what is left would be other play than
/// the agent's full form promises, and nobody would notice.
struct FolderProbe<G: Reversible> {
    folder: Arc<Folder<G>>,
    reader: Reader,
    /// The rank of the root position.
    root: Option<u32>,
    /// The maximum number of plies without progress that the rules allow.
    most_plies: u32,
    /// The slice in `workspace`, which was solved last for its distances.
    slice: Option<(G::Class, u64)>,
    /// The slice that was not solved by its deadline.
    too_slow: Option<(G::Class, u64)>,
    workspace: Workspace,
}

/// Slices with more places are not solved during a match. So many, of four pieces in dark chess, take about a quarter
/// of a second.
const MAX_PLACES: u64 = 1 << 18;

/// Returns a probe into the folder that the settings name, if any.
///
/// # Errors
/// If the folder cannot be used for this game.
pub fn read<G: Reversible>(
    game: &G,
    settings: &Settings,
) -> Result<Option<Box<dyn EndgameProbe<G>>>, SpecError> {
    let folder = settings.text(KEY.name);
    if folder == NONE {
        return Ok(None);
    }
    let folder = Folder::open(game, Path::new(folder))
        .map_err(|error| settings.unusable(KEY.name, unusable(error)))?;
    Ok(Some(by_folder(folder)))
}

/// Keeps only the best actions of a position if the database knows the values of all: of several that win the soonest to
/// convert, as far as that is known by the deadline. Otherwise an agent could postpone its win forever.
pub(crate) fn keep_best<G: Game, T>(
    database: &mut dyn EndgameProbe<G>,
    game: &G,
    state: &G::State,
    deadline: Deadline<'_>,
    items: &mut Vec<T>,
    action_of: impl Fn(&T) -> G::Action,
) {
    let after = |item: &T| {
        let mut next = state.clone();
        game.apply(&mut next, action_of(item));
        next
    };
    let values = items.iter().map(|item| database.value(game, &after(item)).map(GameValue::turned));
    let Some(values) = values.collect::<Option<Vec<GameValue>>>() else { return };
    let best = values.iter().max().copied();
    let mut values = values.into_iter();
    items.retain(|_| values.next() == best);
    if best != Some(GameValue::Won) {
        return;
    }
    let plies = items.iter().map(|item| database.plies_to_conversion(game, state, &after(item), deadline));
    let Some(plies) = plies.collect::<Option<Vec<u32>>>() else { return };
    let least = plies.iter().min().copied();
    let mut plies = plies.into_iter();
    items.retain(|_| plies.next() == least);
}

/// Returns a probe into a folder.
#[must_use]
pub fn by_folder<G: Reversible>(folder: Folder<G>) -> Box<dyn EndgameProbe<G>> {
    Box::new(FolderProbe {
        folder: Arc::new(folder),
        reader: Reader::default(),
        root: None,
        most_plies: 0,
        slice: None,
        too_slow: None,
        workspace: Workspace::default(),
    })
}

/// Returns what was read, or ends the call into the agent with the fault of its file.
fn intact(read: Result<Option<GameValue>, EndgameError>) -> Option<GameValue> {
    read.unwrap_or_else(|error| {
        let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
        Fault::FileFailed(format!("its endgame database cannot be used: {error}{cause}")).raise()
    })
}

impl<G: Reversible> EndgameProbe<G> for FolderProbe<G> {
    fn begin(&mut self, game: &G, root: &G::State) {
        self.root = game.setup(root).map(|setup| game.rank(game.class(&setup)));
        self.most_plies = game.quiet_plies_left(&game.start());
    }

    fn usable_value(&mut self, game: &G, state: &G::State) -> Option<GameValue> {
        let class = game.class(&game.setup(state)?);
        if game.pieces(class) > self.folder.most_pieces() || Some(game.rank(class)) == self.root {
            return None;
        }
        intact(self.reader.in_time(game, &self.folder, state, self.most_plies))
    }

    fn value(&mut self, game: &G, state: &G::State) -> Option<GameValue> {
        intact(self.reader.value(game, &self.folder, &game.setup(state)?))
    }

    fn plies_to_conversion(
        &mut self,
        game: &G,
        before: &G::State,
        after: &G::State,
        deadline: Deadline<'_>,
    ) -> Option<u32> {
        let (before, after) = (game.spot(&game.setup(before)?), game.spot(&game.setup(after)?));
        let (class, slice) = (before.class, before.slice);
        if (after.class, after.slice) != (game.turned(class), game.turned_slice(class, slice)) {
            return Some(0);
        }
        if self.slice != Some((class, slice)) {
            if game.slice_size(class) > MAX_PLACES || self.too_slow == Some((class, slice)) {
                return None;
            }
            self.slice = None;
            let (reader, folder) = (&mut self.reader, &self.folder);
            // Unknown values count as draws, for which distances do not matter.
            let value =
                |setup: &G::Setup| intact(reader.value(game, folder, setup)).unwrap_or(GameValue::Drawn);
            let limits = (NO_PLY_LIMIT, deadline);
            if !mark_slice(game, value, (class, slice), limits, &mut self.workspace) {
                self.too_slow = Some((class, slice));
                return None;
            }
            self.slice = Some((class, slice));
        }
        self.workspace.distance(true, after.place)
    }

    fn clone_boxed(&self) -> Box<dyn EndgameProbe<G>> {
        Box::new(FolderProbe {
            folder: Arc::clone(&self.folder),
            reader: Reader::default(),
            root: None,
            most_plies: 0,
            slice: None,
            too_slow: None,
            workspace: Workspace::default(),
        })
    }
}
