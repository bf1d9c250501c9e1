//! Probabilities of the other seat's tiles, from its draws and passes.
//!
//! A seat that draws or passes holds no tile that fits the open ends. So its tiles fall into **classes** by the time
//! of their acquisition: the first hand has been through every such test, a later draw only through those since. A
//! class can hold only tiles that would have passed its tests, and an older class fewer kinds than a younger one.
//! Filled from the oldest, a class of `held` tiles is a random draw from the tiles that it may hold and that no older
//! class took.
//!
//! This is exact as long as the class of every tile that the seat played is known. Where it is not, the classes that
//! may have held the tile share the loss in proportion to their probabilities of holding it.

use arrayvec::ArrayVec;

use super::{Action, Board, Dominoes, Leading, MAX_TILES, Tile, TileSet, View};

/// More classes than any observed stage of double-six needs. Beyond that the two youngest are merged, which loses a
/// little information and is never wrong.
const MAX_CLASSES: usize = 12;

/// A class with less than this is a rounding error.
const NOTHING: f64 = 1e-9;

/// Tiles of the other seat that have been through the same tests.
#[derive(Copy, Clone, Debug)]
struct Class {
    /// The tiles that may be among them.
    may: TileSet,
    /// Number of tiles; a fraction where the class of a played tile is not known.
    held: f64,
}

/// A class, and the probabilities that it lacks tiles.
#[derive(Clone, Debug)]
struct ClassOdds {
    may: TileSet,
    /// Probability that none of *i* given tiles of `may` is in the class or in an older one's share of it.
    lacks: [f64; MAX_TILES + 1],
}

/// Probabilities of the other seat's tiles.
#[derive(Clone, Debug)]
pub(super) struct Odds {
    /// The tiles that the other seat or the boneyard holds.
    pub hidden: TileSet,
    tables: ArrayVec<ClassOdds, MAX_CLASSES>,
}

/// The classes while the log is read.
struct Reader {
    /// The tiles that the other seat or the boneyard held at that time, as far as it is known now.
    pool: TileSet,
    classes: ArrayVec<Class, MAX_CLASSES>,
}

impl Reader {
    /// Records that the other seat holds no tile that fits.
    fn lacks(&mut self, fits: TileSet) {
        let mut kept: ArrayVec<Class, MAX_CLASSES> = ArrayVec::new();
        for class in &self.classes {
            let may = class.may - fits;
            match kept.last_mut() {
                Some(last) if last.may == may => last.held += class.held,
                _ => kept.push(Class { may, ..*class }),
            }
        }
        self.classes = kept;
    }

    /// Records that the other seat drew a tile.
    fn draws(&mut self, all: TileSet) {
        if self.classes.is_full()
            && let Some(youngest) = self.classes.pop()
            && let Some(next) = self.classes.last_mut()
        {
            *next = Class { may: youngest.may, held: next.held + youngest.held };
        }
        self.classes.push(Class { may: all, held: 1.0 });
    }

    /// Records that the other seat played a tile, `fresh` if it had just drawn it.
    fn plays(&mut self, tile: Tile, fresh: bool) {
        if fresh {
            // It drew because no tile in its hand fitted, so this is the last tile that it drew.
            self.classes.pop();
            self.pool -= tile.into();
            return;
        }
        // The probability that each class held the tile: filled from the oldest, each takes its share of the rest.
        let mut from = [0.0; MAX_CLASSES];
        let (mut elsewhere, mut older) = (1.0, 0.0);
        for (from, class) in from.iter_mut().zip(&self.classes) {
            if class.may.contains(tile) {
                let room = f64::from((class.may & self.pool).len()) - older;
                *from = elsewhere * if room > class.held { class.held / room } else { 1.0 };
                elsewhere -= *from;
            }
            older += class.held;
        }
        self.pool -= tile.into();
        let sum: f64 = from.iter().sum();
        let mut missing = 1.0;
        for (class, from) in self.classes.iter_mut().zip(from) {
            let taken = class.held.min(from / sum);
            class.held -= taken;
            missing -= taken;
        }
        // If estimates left less than one tile where it must have been, the rest was wrongly estimated to be
        // elsewhere.
        let left: f64 = self.classes.iter().map(|class| class.held).sum();
        if missing > NOTHING {
            self.classes.iter_mut().for_each(|class| class.held -= missing * class.held / left);
        }
        self.classes.retain(|class| class.held > NOTHING);
    }
}

impl Odds {
    /// Returns the probabilities given a view. Without `memory` every hidden tile is equally likely.
    pub fn new(game: &Dominoes, view: &View, memory: bool) -> Odds {
        let hidden = game.all() - view.hand - view.board.played();
        let mut reader = Reader { pool: hidden, classes: ArrayVec::new() };
        if memory {
            read(game, view, &mut reader);
        } else {
            reader.classes.push(Class { may: hidden, held: f64::from(view.other) });
        }
        let mut tables = ArrayVec::new();
        let (mut older, mut excess) = (0.0, 0.0);
        for class in &reader.classes {
            let may = class.may & hidden;
            let room = f64::from(may.len()) - older;
            // Shares are estimates, and may put more into a class than there are tiles for: younger ones hold the
            // excess.
            let held = room.min(class.held + excess);
            excess += class.held - held;
            tables.push(ClassOdds { may, lacks: chances_to_lack(room, may.len(), held) });
            older += held;
        }
        Odds { hidden, tables }
    }

    /// Returns the probability that the other seat holds none of `tiles`.
    #[inline]
    pub fn lacks(&self, tiles: TileSet) -> f64 {
        self.tables.iter().map(|table| table.lacks[usize::from((table.may & tiles).len())]).product()
    }
}

/// Returns for *i* = 0 … `kinds` the probability that a random draw of `held` from `room` tiles has none of *i* given
/// ones.
fn chances_to_lack(room: f64, kinds: u8, held: f64) -> [f64; MAX_TILES + 1] {
    let mut lacks = [0.0; MAX_TILES + 1];
    let mut chance = 1.0;
    for i in 0..=kinds {
        lacks[usize::from(i)] = chance;
        let others = room - f64::from(i);
        chance *= if others > held { 1.0 - held / others } else { 0.0 };
    }
    lacks
}

/// Sorts the other seat's tiles into classes.
fn read(game: &Dominoes, view: &View, reader: &mut Reader) {
    let theirs = || view.log.iter().filter(|event| event.seat != view.seat);
    let played = theirs().filter(|event| matches!(event.action, Action::Play(..))).count();
    let drawn = theirs().filter(|event| matches!(event.action, Action::DrawHidden)).count();
    let passed = theirs().any(|event| event.action == Action::Pass);
    let dealt = f64::from(view.other) + played as f64 - drawn as f64;
    let tile_of = |action| if let Action::Play(tile, _) = action { Some(tile) } else { None };
    let mut may = game.all();
    let lead = view.log.first().map_or(view.hand.strongest(), |event| tile_of(event.action));
    if game.rules().lead == Leading::HighestDouble
        && let Some(lead) = lead
    {
        // For either leader, neither hand has a stronger claim.
        may = may.tiles().filter(|tile| tile.claim() <= lead.claim()).collect();
    }
    reader.classes.push(Class { may, held: dealt });
    if drawn == 0 && !passed {
        // A single class needs no replay, whichever tiles were played from it.
        reader.classes[0].held = f64::from(view.other);
        return;
    }
    reader.pool |= theirs().filter_map(|event| tile_of(event.action)).collect();
    let mut board = Board::default();
    let mut fresh = false;
    for event in &view.log {
        let theirs = event.seat != view.seat;
        match event.action {
            Action::Play(tile, end) => {
                if theirs {
                    reader.plays(tile, fresh);
                }
                board.put(game.rules(), tile, end);
                fresh = false;
            }
            Action::DrawHidden | Action::Pass if theirs => {
                reader.lacks(board.fits());
                fresh = event.action == Action::DrawHidden;
                if fresh {
                    reader.draws(game.all());
                }
            }
            _ => fresh = false,
        }
    }
}
