//! The file of a class: what it is, where each block begins, and the blocks.
//!
//! ```text
//! parlor endgame 1
//! {"parlor":…,"game":…,"meaning":…,"class":…,"places":…,"census":{…},"blocks":…}
//! for each block    8 bytes where it ends, counted from the first block · 4 bytes CRC-32 of it
//! 4 bytes           CRC-32 of everything so far
//! blocks            see `pack`
//! ```
//!
//! Numbers are little-endian. Blocks are read when they are needed, from their place in the file. Mapping the file into memory
//! would save a copy but takes `unsafe`, which this house does without; the system keeps what is read often all the same.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use parlor_core::files::checksummed_file::checksum;
use parlor_core::files::write_atomically;
use parlor_core::text::spec::FileProblem;
use parlor_core::{GameValue, Unusable};
use serde::{Deserialize, Serialize};

use super::pack::{BLOCK, pack, unpack};
use super::table::{Census, Table};

/// The first line.
const MAGIC: &[u8] = b"parlor endgame 1\n";

/// The line about the content is never longer.
const LONGEST_ABOUT: usize = 4096;

/// Bytes that say where a block ends and what it adds up to.
const ENTRY: usize = 12;

/// What stands in the second line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The version of the program that made it.
    pub parlor: String,
    /// The game's full form, as it was built for.
    pub game: String,
    /// What the values depend on.
    pub meaning: String,
    /// The class.
    pub class: String,
    /// How many places there are.
    pub places: u64,
    /// What is known about the class as a whole.
    pub census: Census,
    /// How many blocks there are.
    pub blocks: u64,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EndgameError {
    /// A file cannot be read or written.
    #[error("{}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What went wrong.
        #[source]
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It was called off, or there is too little memory.
    #[error(transparent)]
    Unsolved(#[from] parlor_core::Unsolved),
}

/// A file that is open for reading.
#[derive(Debug)]
pub struct ClassFile {
    path: PathBuf,
    file: File,
    /// What it is.
    pub about: About,
    /// Where each block ends, and its checksum.
    index: Vec<(u64, u32)>,
    /// Where the first block begins.
    start: u64,
    /// The checksum of everything before the blocks, their checksums included.
    pub(super) head_checksum: u32,
}

/// Returns the error for a key that names a folder with this problem.
pub(super) fn unusable(error: EndgameError) -> Unusable {
    let problem = match &error {
        EndgameError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => FileProblem::Missing,
        EndgameError::Io { .. } => FileProblem::Unreadable,
        EndgameError::Damaged { .. } | EndgameError::Unsolved(_) => FileProblem::Damaged,
    };
    Unusable::new(problem, error)
}

/// Returns a file's bytes.
fn to_bytes(about: &About, table: &Table) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    serde_json::to_writer(&mut bytes, about).expect("plain data always becomes JSON");
    bytes.push(b'\n');
    let mut blocks = Vec::new();
    for first in (0..table.size()).step_by(BLOCK) {
        let begin = blocks.len();
        let end = table.size().min(first + BLOCK as u64);
        pack((first..end).map(|place| table.get(place)), &mut blocks);
        bytes.extend_from_slice(&(blocks.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&checksum(&blocks[begin..]).to_le_bytes());
    }
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes.append(&mut blocks);
    bytes
}

/// Writes the file of a class, whole or not at all, and returns how many bytes it has.
///
/// # Errors
/// Whatever writing gives.
pub fn write(path: &Path, about: &About, table: &Table) -> Result<u64, EndgameError> {
    let bytes = to_bytes(about, table);
    let written = write_atomically(path, &bytes);
    written.map(|()| bytes.len() as u64).map_err(|source| EndgameError::Io { path: path.to_owned(), source })
}

/// Returns how many blocks so many places take.
#[must_use]
pub fn blocks(places: u64) -> u64 {
    places.div_ceil(BLOCK as u64)
}

impl ClassFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, or its head is not what it should be.
    pub fn open(path: &Path) -> Result<ClassFile, EndgameError> {
        let io = |source| EndgameError::Io { path: path.to_owned(), source };
        let broken = |why: &str| EndgameError::Damaged { path: path.to_owned(), why: why.to_owned() };
        let file = File::open(path).map_err(io)?;
        let mut head = Vec::new();
        (&file).take((MAGIC.len() + LONGEST_ABOUT) as u64).read_to_end(&mut head).map_err(io)?;
        let rest = head.strip_prefix(MAGIC).ok_or_else(|| broken("it is no endgame file of this version"))?;
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(|| broken("it is damaged"))?;
        let about: About = serde_json::from_slice(&rest[..end])
            .map_err(|error| broken(&format!("its second line: {error}")))?;
        let begin = MAGIC.len() + end + 1;
        let length = file.metadata().map_err(io)?.len();
        let fits = about.blocks == blocks(about.places)
            && about.blocks.checked_mul(ENTRY as u64).is_some_and(|index| begin as u64 + index + 4 <= length);
        if !fits {
            return Err(broken("its numbers do not fit each other"));
        }
        let mut index = vec![0; about.blocks as usize * ENTRY + 4];
        read_at(&file, &mut index, begin as u64).map_err(io)?;
        let (entries, sum) = index.split_at(index.len() - 4);
        let mut whole = head[..begin].to_vec();
        whole.extend_from_slice(entries);
        let head_checksum = checksum(&whole);
        if head_checksum.to_le_bytes() != sum {
            return Err(broken("it is damaged"));
        }
        let start = (begin + index.len()) as u64;
        let index: Vec<(u64, u32)> = entries
            .chunks_exact(ENTRY)
            .map(|entry| {
                let end = entry[..8].try_into().expect("eight bytes");
                let sum = entry[8..].try_into().expect("four bytes");
                (u64::from_le_bytes(end), u32::from_le_bytes(sum))
            })
            .collect();
        let ends = || index.iter().map(|&(end, _)| end);
        if !ends().is_sorted()
            || ends().next_back().is_some_and(|last| start.checked_add(last) != Some(length))
        {
            return Err(broken("it is damaged"));
        }
        Ok(ClassFile { path: path.to_owned(), file, about, index, start, head_checksum })
    }

    /// Tells every value of a block, and perhaps some more after the last place.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn block(&self, number: u64, tell: impl FnMut(GameValue)) -> Result<(), EndgameError> {
        let (end, sum) = self.index[number as usize];
        let begin = if number == 0 { 0 } else { self.index[number as usize - 1].0 };
        let mut bytes = vec![0; (end - begin) as usize];
        read_at(&self.file, &mut bytes, self.start + begin)
            .map_err(|source| EndgameError::Io { path: self.path.clone(), source })?;
        if checksum(&bytes) != sum || !unpack(&bytes, tell) {
            let why = format!("block {number} is damaged");
            return Err(EndgameError::Damaged { path: self.path.clone(), why });
        }
        Ok(())
    }

    /// Reads the whole table.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn table(&self) -> Result<Table, EndgameError> {
        let mut table = Table::new(self.about.places);
        let mut values = Vec::with_capacity(BLOCK);
        for number in 0..self.about.blocks {
            values.clear();
            self.block(number, |value| values.push(Some(value)))?;
            let first = number * BLOCK as u64;
            let count = (self.about.places - first).min(BLOCK as u64) as usize;
            if values.len() < count {
                let why = format!("block {number} is too short");
                return Err(EndgameError::Damaged { path: self.path.clone(), why });
            }
            table.fill(first, values[..count].iter().copied());
        }
        table.census = self.about.census;
        Ok(table)
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, at) = (&mut bytes[read..], at + read as u64);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(places: u64) -> (About, Table) {
        let table = Table::new(places);
        let mut rng = parlor_core::Rng::new(3);
        let values = [GameValue::Lost, GameValue::Drawn, GameValue::Won];
        table.fill(0, (0..places).map(|_| Some(values[rng.below(3) as usize])));
        let about = About {
            parlor: "0".to_owned(),
            game: "game".to_owned(),
            meaning: "game".to_owned(),
            class: "class".to_owned(),
            places,
            census: Census::default(),
            blocks: blocks(places),
        };
        (about, table)
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("parlor-endgame-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn what_is_written_comes_back() {
        let folder = folder("back");
        for places in [1, 5, BLOCK as u64, BLOCK as u64 + 1, 3 * BLOCK as u64 - 7] {
            let (about, table) = example(places);
            let path = folder.join("class");
            write(&path, &about, &table).unwrap();
            let file = ClassFile::open(&path).unwrap();
            assert_eq!(file.about, about);
            let back = file.table().unwrap();
            assert!((0..places).all(|place| back.get(place) == table.get(place)));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let folder = folder("damage");
        let path = folder.join("class");
        let (about, table) = example(60);
        let bytes = to_bytes(&about, &table);
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            ClassFile::open(&path).and_then(|file| file.table())
        };
        assert!(read(&bytes).is_ok());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(read(&damaged).is_err(), "byte {at}");
            assert!(read(&bytes[..at]).is_err(), "cut at {at}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}
