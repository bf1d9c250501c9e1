//! A folder with a file for each class: built class by class, and looked into.

use std::collections::HashMap;
use std::fs;
use std::hash::BuildHasherDefault;
use std::path::{Path, PathBuf};

use parlor_core::files::checksummed_file;
use parlor_core::{Checksum, GameValue, Progress, Reversible, Unsolved, Unusable};
use serde::Serialize;

use super::build::{Course, FOREVER, groups, up_to, work_out_group};
use super::file::{self, About, ClassFile, EndgameError, unusable};
use super::pack::BLOCK;
use super::table::{Census, Tables, code, known};
use crate::table::{Mixer, hash_of};

/// How a class's file ends.
const ENDING: &str = "endgame";

/// No database has more pieces.
pub const MOST_PIECES: u32 = 12;

/// What is to be built.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// The game's full form.
    pub game: &'a str,
    /// Where.
    pub folder: &'a Path,
    /// Every class with at most so many pieces.
    pub pieces: u32,
    /// How many threads work.
    pub threads: usize,
    /// How much memory the tables may take, in mebibytes.
    pub memory_mb: usize,
}

/// What is in a folder about so many pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Row {
    /// The number of pieces.
    pub pieces: u32,
    /// How many classes.
    pub classes: u32,
    /// Bytes of their files.
    pub bytes: u64,
    /// What is known about them.
    #[serde(flatten)]
    pub census: Census,
}

fn path_of<G: Reversible>(game: &G, folder: &Path, class: G::Class) -> PathBuf {
    folder.join(format!("{}.{ENDING}", game.class_name(class)))
}

/// Opens the file of a class, if there is one.
fn open<G: Reversible>(game: &G, folder: &Path, class: G::Class) -> Result<Option<ClassFile>, EndgameError> {
    let path = path_of(game, folder, class);
    if !path.exists() {
        return Ok(None);
    }
    let file = ClassFile::open(&path)?;
    let about = &file.about;
    let why = if about.meaning != game.meaning() {
        format!("it is for {}, not for {}", about.meaning, game.meaning())
    } else if about.class != game.class_name(class) || about.places != game.class_size(class) {
        "it is of another class than its name says".to_owned()
    } else {
        return Ok(Some(file));
    };
    Err(EndgameError::Damaged { path, why })
}

/// Returns the endgame files in a folder, in the order of their names.
fn paths(folder: &Path) -> Result<Vec<PathBuf>, EndgameError> {
    let io = |source| EndgameError::Io { path: folder.to_owned(), source };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        paths.push(entry.map_err(io)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    paths.sort_unstable();
    Ok(paths)
}

/// Returns the full form of the game that a folder is for.
///
/// # Errors
/// If there is no class in it that can be read.
pub fn game_of(folder: &Path) -> Result<String, EndgameError> {
    match paths(folder)?.first() {
        Some(path) => Ok(ClassFile::open(path)?.about.game),
        None => Err(EndgameError::Damaged {
            path: folder.to_owned(),
            why: "there is no endgame file in it; `parlor endgame build` makes some".to_owned(),
        }),
    }
}

/// Returns a checksum of what a folder holds, by the checksums of its files' heads: these have the checksums of everything else.
///
/// # Errors
/// If the folder or a file in it cannot be read.
pub fn checksum(folder: &Path) -> Result<Checksum, Unusable> {
    let mut sums = Vec::new();
    for path in paths(folder).map_err(unusable)? {
        sums.extend_from_slice(path.file_name().unwrap_or_default().as_encoded_bytes());
        sums.extend_from_slice(&ClassFile::open(&path).map_err(unusable)?.head_checksum.to_le_bytes());
    }
    Ok(Checksum(checksummed_file::checksum(&sums)))
}

/// Builds what is missing. Classes that are there already are left alone, so it goes on after a break.
///
/// # Errors
/// If a file cannot be read or written, the memory is too small, or it is called off: what is written by then stays.
pub fn build<G: Reversible>(
    game: &G,
    order: &Order<'_>,
    progress: &mut Progress<'_>,
) -> Result<(), EndgameError> {
    let Order { folder, threads, .. } = *order;
    fs::create_dir_all(folder).map_err(|source| EndgameError::Io { path: folder.to_owned(), source })?;
    let classes = up_to(game, order.pieces);
    let mut missing = Vec::new();
    for &class in &classes {
        if open(game, folder, class)?.is_none() {
            missing.push(class);
        }
    }
    // Turned classes are worked out together, so one that is missing is worked out again with the other.
    let wanted: Vec<G::Class> = classes
        .iter()
        .copied()
        .filter(|&class| missing.contains(&class) || missing.contains(&game.turned(class)))
        .collect();
    let size = |class: G::Class| game.class_size(class);
    let room = (order.memory_mb as u64) << 20;
    let all = classes.iter().map(|&class| size(class)).fold(0, u64::saturating_add);
    let left = wanted.iter().map(|&class| size(class)).fold(0, u64::saturating_add);
    let mut course = Course { threads, most_plies: FOREVER, done: all - left, all };
    let mut tables: Tables<G::Class> = Tables::default();
    for group in groups(game, &wanted, room.saturating_mul(2)) {
        // Step 1. Hold what the group leads to, and no more than fits.
        let mut beyond: Vec<G::Class> = group.iter().flat_map(|&class| game.conversions(class)).collect();
        beyond.sort_unstable();
        beyond.dedup();
        let places =
            |classes: &[G::Class]| classes.iter().map(|&class| size(class)).fold(0, u64::saturating_add);
        let scratch = group.iter().map(|&class| game.slice_size(class)).max().unwrap_or(0);
        let bytes = (places(&beyond).saturating_add(places(&group)) / 4)
            .saturating_add(scratch.saturating_mul(4 * threads as u64 * size_of::<u64>() as u64));
        if bytes > room {
            let needs = bytes.div_ceil(1 << 20);
            let wrong = format!(
                "{} takes {needs} MB of memory, and {} are allowed; give more with --memory",
                game.class_name(group[0]),
                order.memory_mb
            );
            return Err(Unsolved::OutOfReach(wrong).into());
        }
        let kept = tables.classes().map(size).sum::<u64>();
        if kept / 4 + bytes > room {
            tables.retain(|class| beyond.contains(&class));
        }
        for &class in &beyond {
            if tables.get(class).is_none() {
                let file = open(game, folder, class)?.ok_or_else(|| EndgameError::Damaged {
                    path: path_of(game, folder, class),
                    why: "it is missing".to_owned(),
                })?;
                tables.insert(class, file.table()?);
            }
        }
        // Step 2. Work it out, and write it down.
        work_out_group(game, &mut tables, &group, &mut course, progress)?;
        for &class in &group {
            let table = tables.get(class).expect("it was just worked out");
            let about = About {
                parlor: env!("CARGO_PKG_VERSION").to_owned(),
                game: order.game.to_owned(),
                meaning: game.meaning(),
                class: game.class_name(class),
                places: table.size(),
                census: table.census,
                blocks: file::blocks(table.size()),
            };
            file::write(&path_of(game, folder, class), &about, table)?;
        }
    }
    Ok(())
}

/// A folder that is open for reading.
#[derive(Debug)]
pub struct Folder<G: Reversible> {
    folder: PathBuf,
    files: HashMap<G::Class, Shelved, BuildHasherDefault<Mixer>>,
    most_pieces: u32,
}

#[derive(Debug)]
struct Shelved {
    file: ClassFile,
    number: u32,
}

impl<G: Reversible> Folder<G> {
    /// Opens a folder.
    ///
    /// # Errors
    /// If a file cannot be read, or is for another game, or there is none.
    pub fn open(game: &G, folder: &Path) -> Result<Folder<G>, EndgameError> {
        let mut files: HashMap<G::Class, Shelved, BuildHasherDefault<Mixer>> = HashMap::default();
        let mut most_pieces = 0;
        for pieces in 2..=MOST_PIECES {
            for class in up_to_only(game, pieces) {
                let Some(file) = open(game, folder, class)? else { continue };
                files.insert(class, Shelved { file, number: files.len() as u32 });
                most_pieces = pieces;
            }
            if most_pieces < pieces {
                break;
            }
        }
        if files.is_empty() {
            game_of(folder)?;
            let why = format!("there is no endgame file for {} in it", game.meaning());
            return Err(EndgameError::Damaged { path: folder.to_owned(), why });
        }
        Ok(Folder { folder: folder.to_owned(), files, most_pieces })
    }

    /// Returns how many pieces a position may have at the most to be found here.
    #[must_use]
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Returns the classes that are here, in an order in which they could be worked out.
    pub fn classes(&self, game: &G) -> Vec<G::Class> {
        let mut classes: Vec<G::Class> = self.files.keys().copied().collect();
        classes.sort_by_key(|&class| (game.rank(class), class));
        classes
    }

    /// Returns the file of a class.
    #[must_use]
    pub fn file(&self, class: G::Class) -> Option<&ClassFile> {
        self.files.get(&class).map(|shelved| &shelved.file)
    }

    /// Returns what is here, by the number of pieces.
    pub fn rows(&self, game: &G) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for class in self.classes(game) {
            let pieces = game.pieces(class);
            if rows.last().is_none_or(|row| row.pieces != pieces) {
                rows.push(Row { pieces, ..Row::default() });
            }
            let row = rows.last_mut().expect("one was just made sure of");
            row.classes += 1;
            row.census.add(self.files[&class].file.about.census);
            row.bytes += fs::metadata(path_of(game, &self.folder, class)).map_or(0, |data| data.len());
        }
        rows
    }
}

/// Returns the classes with so many pieces, those first that the others convert into.
fn up_to_only<G: Reversible>(game: &G, pieces: u32) -> Vec<G::Class> {
    let mut classes = game.classes(pieces);
    classes.sort_by_key(|&class| (game.rank(class), class));
    classes
}

/// Blocks that a reader keeps, two bits a value: 20 MB.
const KEPT: usize = 1 << 14;

/// A block in memory.
#[derive(Clone, Debug)]
struct Kept {
    class: u32,
    block: u64,
    values: Box<[u8]>,
}

/// Looks into a folder and keeps the blocks that were last used. One for each thread.
#[derive(Debug)]
pub struct Reader {
    kept: Vec<Option<Kept>>,
}

impl Default for Reader {
    fn default() -> Self {
        Reader { kept: vec![None; KEPT] }
    }
}

impl Reader {
    /// Returns what a setup is worth to the side to move; `None` if it is not in the folder.
    ///
    /// # Errors
    /// If its file cannot be read, or is damaged.
    pub fn value<G: Reversible>(
        &mut self,
        game: &G,
        folder: &Folder<G>,
        setup: &G::Setup,
    ) -> Result<Option<GameValue>, EndgameError> {
        let class = game.class(setup);
        if game.is_bare(class) {
            return Ok(Some(GameValue::Lost));
        }
        let Some(shelved) = folder.files.get(&class) else { return Ok(None) };
        let spot = game.spot(setup);
        let place = spot.slice * game.slice_size(class) + spot.place;
        let (block, at) = (place / BLOCK as u64, (place % BLOCK as u64) as usize);
        let slot = &mut self.kept[hash_of(&(shelved.number, block)) as usize % KEPT];
        let fresh = slot.as_ref().is_none_or(|kept| (kept.class, kept.block) != (shelved.number, block));
        if fresh {
            let mut values =
                slot.take().map_or_else(|| vec![0; BLOCK / 4].into_boxed_slice(), |kept| kept.values);
            values.fill(0);
            let mut n = 0;
            shelved.file.block(block, |value| {
                values[n / 4] |= (code(Some(value)) as u8) << (2 * (n % 4));
                n += 1;
            })?;
            *slot = Some(Kept { class: shelved.number, block, values });
        }
        let values = &slot.as_ref().expect("it was just filled").values;
        Ok(known(u64::from(values[at / 4] >> (2 * (at % 4)))))
    }

    /// Returns what a position is worth to the seat to move, if it is in the folder and the rules leave time for it: of plies
    /// without progress there are as many left as any win of its class takes, or as there can be.
    ///
    /// # Errors
    /// If its file cannot be read, or is damaged.
    pub fn in_time<G: Reversible>(
        &mut self,
        game: &G,
        folder: &Folder<G>,
        state: &G::State,
        most_plies: u32,
    ) -> Result<Option<GameValue>, EndgameError> {
        let Some(setup) = game.setup(state) else { return Ok(None) };
        let value = self.value(game, folder, &setup)?;
        let in_time = || {
            let longest = folder.file(game.class(&setup)).map_or(0, |file| file.about.census.longest);
            longest.min(most_plies) <= game.quiet_plies_left(state)
        };
        Ok(value.filter(|&value| value == GameValue::Drawn || in_time()))
    }
}
