//! A folder with one file per class: building it and reading it.

use std::collections::HashMap;
use std::fs;
use std::hash::BuildHasherDefault;
use std::path::{Path, PathBuf};

use parlor_core::files::checksummed_file;
use parlor_core::files::reading::{make_folder, read_folder};
use parlor_core::{Checksum, GameValue, Progress, Resources, Reversible, Unsolved, Unusable};
use serde::Serialize;

use super::build::{BuildProgress, NO_PLY_LIMIT, build_group, groups, up_to};
use super::file::{self, ClassFile, ClassHeader, EndgameError, unusable};
use super::pack::BLOCK;
use super::table::{Census, Tables, code, known};
use crate::table::{Mixer, hash_of};

/// The extension of class files.
const ENDING: &str = "endgame";

/// The maximum number of pieces of any database.
pub const MOST_PIECES: u32 = 12;

/// The parameters of a build.
#[derive(Clone, Debug)]
pub struct BuildRequest<'a> {
    /// The game's full form.
    pub game: &'a str,
    /// The folder to write to.
    pub folder: &'a Path,
    /// Build every class with at most this many pieces.
    pub pieces: u32,
    /// Threads, and the memory limit of the tables.
    pub resources: Resources,
}

/// A summary of the classes with a given number of pieces.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PiecesSummary {
    /// The number of pieces.
    pub pieces: u32,
    /// The number of classes.
    pub classes: u32,
    /// The size of their files.
    pub bytes: u64,
    /// The sum of their counts.
    #[serde(flatten)]
    pub census: Census,
}

fn path_of<G: Reversible>(game: &G, folder: &Path, class: G::Class) -> PathBuf {
    folder.join(format!("{}.{ENDING}", game.class_name(class)))
}

/// Opens the file of a class, if it exists.
fn open<G: Reversible>(game: &G, folder: &Path, class: G::Class) -> Result<Option<ClassFile>, EndgameError> {
    let path = path_of(game, folder, class);
    if !path.exists() {
        return Ok(None);
    }
    let file = ClassFile::open(&path)?;
    let header = &file.header;
    let why = if header.meaning != game.meaning() {
        format!("the file is for {}, not for {}", header.meaning, game.meaning())
    } else if header.class != game.class_name(class) || header.places != game.class_size(class) {
        "the class in the header differs from the file name".to_owned()
    } else {
        return Ok(Some(file));
    };
    Err(EndgameError::Damaged { path, why })
}

/// Returns the endgame files in a folder, in the order of their names.
fn paths(folder: &Path) -> Result<Vec<PathBuf>, EndgameError> {
    let io = |source| EndgameError::Io { path: folder.to_owned(), source };
    let mut paths = read_folder(folder).map_err(io)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    Ok(paths)
}

/// Returns the full form of the game of a folder.
///
/// # Errors
/// If the folder has no readable class file.
pub fn game_of(folder: &Path) -> Result<String, EndgameError> {
    match paths(folder)?.first() {
        Some(path) => Ok(ClassFile::open(path)?.header.game),
        None => Err(EndgameError::Damaged {
            path: folder.to_owned(),
            why: "no endgame files; `parlor endgame build` creates them".to_owned(),
        }),
    }
}

/// Returns a checksum of a folder, computed from the headers of its files, which contain the checksums of their blocks.
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

/// Builds the missing classes. Existing files are kept, so an interrupted build can resume.
///
/// # Errors
/// If a file cannot be read or written, the memory is too small, or the build is cancelled. Files already written are
/// kept.
pub fn build<G: Reversible>(
    game: &G,
    request: &BuildRequest<'_>,
    progress: &mut Progress<'_>,
) -> Result<(), EndgameError> {
    let BuildRequest { folder, resources: Resources { threads, memory_mb }, .. } = *request;
    make_folder(folder).map_err(|source| EndgameError::Io { path: folder.to_owned(), source })?;
    let classes = up_to(game, request.pieces);
    let mut missing = Vec::new();
    for &class in &classes {
        if open(game, folder, class)?.is_none() {
            missing.push(class);
        }
    }
    // A class and its turned class are built together, so if one is missing both are built.
    let wanted: Vec<G::Class> = classes
        .iter()
        .copied()
        .filter(|&class| missing.contains(&class) || missing.contains(&game.turned(class)))
        .collect();
    let size = |class: G::Class| game.class_size(class);
    let room = (memory_mb as u64) << 20;
    let all = classes.iter().map(|&class| size(class)).fold(0, u64::saturating_add);
    let left = wanted.iter().map(|&class| size(class)).fold(0, u64::saturating_add);
    let mut build_progress = BuildProgress { threads, most_plies: NO_PLY_LIMIT, done: all - left, all };
    let mut tables: Tables<G::Class> = Tables::default();
    for group in groups(game, &wanted, room.saturating_mul(2)) {
        // Step 1. Load the tables the group converts into, and drop the others.
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
                "{} needs {needs} MB of memory, and {} are allowed; raise the limit with --memory",
                game.class_name(group[0]),
                memory_mb
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
                    why: "the file is missing".to_owned(),
                })?;
                tables.insert(class, file.table()?);
            }
        }
        // Step 2. Build the group and write its files.
        build_group(game, &mut tables, &group, &mut build_progress, progress)?;
        for &class in &group {
            let table = tables.get(class).expect("the group was just built");
            let header = ClassHeader {
                parlor: env!("CARGO_PKG_VERSION").to_owned(),
                game: request.game.to_owned(),
                meaning: game.meaning(),
                class: game.class_name(class),
                places: table.size(),
                census: table.census,
                blocks: file::blocks(table.size()),
            };
            file::write(&path_of(game, folder, class), &header, table)?;
        }
    }
    Ok(())
}

/// A folder that is open for reading.
#[derive(Debug)]
pub struct Folder<G: Reversible> {
    folder: PathBuf,
    files: HashMap<G::Class, OpenClass, BuildHasherDefault<Mixer>>,
    most_pieces: u32,
}

#[derive(Debug)]
struct OpenClass {
    file: ClassFile,
    number: u32,
}

impl<G: Reversible> Folder<G> {
    /// Opens a folder.
    ///
    /// # Errors
    /// If a file cannot be read, is for another game, or does not exist.
    pub fn open(game: &G, folder: &Path) -> Result<Folder<G>, EndgameError> {
        let mut files: HashMap<G::Class, OpenClass, BuildHasherDefault<Mixer>> = HashMap::default();
        let mut most_pieces = 0;
        for pieces in 2..=MOST_PIECES {
            for class in up_to_only(game, pieces) {
                let Some(file) = open(game, folder, class)? else { continue };
                files.insert(class, OpenClass { file, number: files.len() as u32 });
                most_pieces = pieces;
            }
            if most_pieces < pieces {
                break;
            }
        }
        if files.is_empty() {
            game_of(folder)?;
            let why = format!("no endgame files for {}", game.meaning());
            return Err(EndgameError::Damaged { path: folder.to_owned(), why });
        }
        Ok(Folder { folder: folder.to_owned(), files, most_pieces })
    }

    /// Returns the maximum number of pieces of the positions in the folder.
    #[must_use]
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Returns the classes in the folder, in build request.
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

    /// Returns a summary by number of pieces.
    pub fn rows(&self, game: &G) -> Vec<PiecesSummary> {
        let mut rows: Vec<PiecesSummary> = Vec::new();
        for class in self.classes(game) {
            let pieces = game.pieces(class);
            if rows.last().is_none_or(|row| row.pieces != pieces) {
                rows.push(PiecesSummary { pieces, ..PiecesSummary::default() });
            }
            let row = rows.last_mut().expect("a row was pushed above");
            row.classes += 1;
            row.census.add(self.files[&class].file.header.census);
            row.bytes += fs::metadata(path_of(game, &self.folder, class)).map_or(0, |data| data.len());
        }
        rows
    }
}

/// Returns the classes with exactly `pieces` pieces, in build request.
fn up_to_only<G: Reversible>(game: &G, pieces: u32) -> Vec<G::Class> {
    let mut classes = game.classes(pieces);
    classes.sort_by_key(|&class| (game.rank(class), class));
    classes
}

/// The number of blocks that a reader caches: 20 MB at two bits a value.
const CACHED_BLOCKS: usize = 1 << 14;

/// A cached block.
#[derive(Clone, Debug)]
struct CachedBlock {
    class: u32,
    block: u64,
    values: Box<[u8]>,
}

/// Reads values from a folder through a cache of blocks. One per thread.
#[derive(Debug)]
pub struct Reader {
    kept: Vec<Option<CachedBlock>>,
}

impl Default for Reader {
    fn default() -> Self {
        Reader { kept: vec![None; CACHED_BLOCKS] }
    }
}

impl Reader {
    /// Returns the value of a setup to the side to move; `None` if it is not in the folder.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
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
        let slot = &mut self.kept[hash_of(&(shelved.number, block)) as usize % CACHED_BLOCKS];
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
            *slot = Some(CachedBlock { class: shelved.number, block, values });
        }
        let values = &slot.as_ref().expect("the slot was filled above").values;
        Ok(known(u64::from(values[at / 4] >> (2 * (at % 4)))))
    }

    /// Returns the value of a position to the seat to move, if it is in the folder and the rule on plies without progress
    /// cannot interfere: as many such plies are left as the longest win of its class takes, or as the rule allows at all.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
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
            let longest = folder.file(game.class(&setup)).map_or(0, |file| file.header.census.longest);
            longest.min(most_plies) <= game.quiet_plies_left(state)
        };
        Ok(value.filter(|&value| value == GameValue::Drawn || in_time()))
    }
}
