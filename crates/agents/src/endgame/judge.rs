//! What a search asks: the values of positions that need not be searched.

use std::path::Path;
use std::sync::Arc;

use parlor_core::{Cancel, Game, GameValue, Key, Kind, OnDisk, Reversible, Settings, SpecError};

use super::build::FOREVER;
use super::file::unusable;
use super::folder::{Folder, Reader, checksum};
use super::slice::{Workspace, mark};

const NONE: &str = "off";

/// The key of agents that can use a database.
pub const KEY: Key = Key {
    name: "endgames",
    kind: Kind::Folder(OnDisk { words: &[NONE], checksum }),
    default: NONE,
    help: "a folder that `parlor endgame build` makes: what it knows need not be searched",
};

/// The key for the checksum of that folder.
pub const CHECKSUM: Key = Key::checksum("endgames_checksum", KEY.name);

/// Knows what some positions are worth. Each thread of a search has its own.
pub trait Judge<G: Game>: Send {
    /// A search begins at `root`. Until something has changed for good, positions are left to the search: all that a table
    /// could say about them is that the value is still the same, and nothing would ever be done about it.
    fn begin(&mut self, game: &G, root: &G::State);

    /// Returns what a position is worth to the seat to move, if the search may rest on it.
    fn verdict(&mut self, game: &G, state: &G::State) -> Option<GameValue>;

    /// Returns what a position is worth to the seat to move, if nobody claims a draw because nothing happens.
    fn value(&mut self, game: &G, state: &G::State) -> Option<GameValue>;

    /// Returns how many plies after a move something irreversible happens, or the end, if the winner hurries: 0 if the move itself is
    /// irreversible. `None` if that is not known; it is for moves that win.
    fn plies(&mut self, game: &G, before: &G::State, after: &G::State) -> Option<u32>;

    /// Returns another one that knows the same.
    fn another(&self) -> Box<dyn Judge<G>>;
}

/// Judges by a folder. A file that turns out to be damaged knows nothing.
struct ByFolder<G: Reversible> {
    folder: Arc<Folder<G>>,
    reader: Reader,
    /// The rank of the position on the board.
    root: Option<u32>,
    /// The most plies without progress that the rules allow.
    most_plies: u32,
    /// The slice that was last worked out, to see how far its ends are.
    slice: Option<(G::Class, u64)>,
    bench: Workspace,
}

/// Slices with more places are not worked out in the middle of a match: this many take about a quarter of a second.
const MOST_PLACES: u64 = 250_000;

/// Returns a judge by the folder that settings name, if they name one.
///
/// # Errors
/// If the folder cannot be used for this game.
pub fn read<G: Reversible>(game: &G, settings: &Settings) -> Result<Option<Box<dyn Judge<G>>>, SpecError> {
    let folder = settings.text(KEY.name);
    if folder == NONE {
        return Ok(None);
    }
    let folder = Folder::open(game, Path::new(folder))
        .map_err(|error| settings.unusable(KEY.name, unusable(error)))?;
    Ok(Some(by_folder(folder)))
}

/// Returns a judge by a folder.
#[must_use]
pub fn by_folder<G: Reversible>(folder: Folder<G>) -> Box<dyn Judge<G>> {
    Box::new(ByFolder {
        folder: Arc::new(folder),
        reader: Reader::default(),
        root: None,
        most_plies: 0,
        slice: None,
        bench: Workspace::default(),
    })
}

impl<G: Reversible> Judge<G> for ByFolder<G> {
    fn begin(&mut self, game: &G, root: &G::State) {
        self.root = game.setup(root).map(|setup| game.rank(game.class(&setup)));
        self.most_plies = game.quiet_plies_left(&game.start());
    }

    fn verdict(&mut self, game: &G, state: &G::State) -> Option<GameValue> {
        let class = game.class(&game.setup(state)?);
        if game.pieces(class) > self.folder.most_pieces() || Some(game.rank(class)) == self.root {
            return None;
        }
        self.reader.in_time(game, &self.folder, state, self.most_plies).ok().flatten()
    }

    fn value(&mut self, game: &G, state: &G::State) -> Option<GameValue> {
        self.reader.value(game, &self.folder, &game.setup(state)?).ok().flatten()
    }

    fn plies(&mut self, game: &G, before: &G::State, after: &G::State) -> Option<u32> {
        let (before, after) = (game.spot(&game.setup(before)?), game.spot(&game.setup(after)?));
        let (class, slice) = (before.class, before.slice);
        if (after.class, after.slice) != (game.turned(class), game.turned_slice(class, slice)) {
            return Some(0);
        }
        if self.slice != Some((class, slice)) {
            if game.slice_size(class) > MOST_PLACES {
                return None;
            }
            let (reader, folder) = (&mut self.reader, &self.folder);
            // What is not known is drawn: nobody hurries there.
            let value = |setup: &G::Setup| {
                reader.value(game, folder, setup).ok().flatten().unwrap_or(GameValue::Drawn)
            };
            mark(game, value, (class, slice), (FOREVER, &Cancel::new()), &mut self.bench);
            self.slice = Some((class, slice));
        }
        self.bench.distance(true, after.place)
    }

    fn another(&self) -> Box<dyn Judge<G>> {
        Box::new(ByFolder {
            folder: Arc::clone(&self.folder),
            reader: Reader::default(),
            root: None,
            most_plies: 0,
            slice: None,
            bench: Workspace::default(),
        })
    }
}
