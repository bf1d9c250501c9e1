//! The file of a class: a header, the index of the blocks, and the blocks.
//!
//! ```text
//! parlor endgame 1
//! {"parlor":…,"game":…,"meaning":…,"class":…,"places":…,"census":{…},"blocks":…}
//! for each block    8 bytes where it ends, counted from the first block · 4 bytes CRC-32 of it
//! 4 bytes           CRC-32 of everything so far
//! blocks            see `pack`
//! ```
//!
//! Numbers are little-endian. Blocks are read from the file on demand. ProofTable mapping would save a copy but requires
//! `unsafe`, which this workspace forbids; the operating system caches frequent reads anyway.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use parlor_core::files::checksummed_file::checksum;
use parlor_core::files::reading::{MAX_DATA, MAX_STREAM, open_regular};
use parlor_core::files::write_atomically;
use parlor_core::text::spec::FileProblem;
use parlor_core::{GameValue, Unusable};
use serde::{Deserialize, Serialize};

use super::pack::{BLOCK, MAX_PACKED, pack, unpack};
use super::table::{Census, EndgameTable};

/// The first line of the file.
const MAGIC: &[u8] = b"parlor endgame 1\n";

/// The maximum length of the header line.
const MAX_HEADER: usize = 4096;

/// Bytes per index entry: the end of a block and its checksum.
const INDEX_ENTRY: usize = 12;

/// The header: the second line of the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassHeader {
    /// The version of the program that wrote the file.
    pub parlor: String,
    /// The full form of the game.
    pub game: String,
    /// The rules on which the values depend.
    pub meaning: String,
    /// The class name.
    pub class: String,
    /// The number of places.
    pub places: u64,
    /// The counts of the class.
    pub census: Census,
    /// The number of blocks.
    pub blocks: u64,
}

/// Errors of endgame databases.
#[derive(Debug, thiserror::Error)]
pub enum EndgameError {
    /// A file cannot be read or written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A file is damaged or of the wrong kind.
    #[error("{}: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        why: String,
    },
    /// The computation was cancelled, or it needs more memory.
    #[error(transparent)]
    Unsolved(#[from] parlor_core::Unsolved),
}

/// A class file that is open for reading.
#[derive(Debug)]
pub struct ClassFile {
    path: PathBuf,
    file: File,
    /// The header.
    pub header: ClassHeader,
    /// The end of each block, relative to the first, and its checksum.
    index: Vec<(u64, u32)>,
    /// The offset of the first block.
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

/// Returns the content of a file.
fn to_bytes(header: &ClassHeader, table: &EndgameTable) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    serde_json::to_writer(&mut bytes, header).expect("plain data always becomes JSON");
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

/// Writes the file of a class atomically. Returns its size in bytes.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, header: &ClassHeader, table: &EndgameTable) -> Result<u64, EndgameError> {
    let bytes = to_bytes(header, table);
    let written = write_atomically(path, &bytes);
    written.map(|()| bytes.len() as u64).map_err(|source| EndgameError::Io { path: path.to_owned(), source })
}

/// Returns the number of blocks for `places` places.
#[must_use]
pub fn blocks(places: u64) -> u64 {
    places.div_ceil(BLOCK as u64)
}

impl ClassFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If the file cannot be read or its header is invalid.
    pub fn open(path: &Path) -> Result<ClassFile, EndgameError> {
        let io = |source| EndgameError::Io { path: path.to_owned(), source };
        let broken = |why: &str| EndgameError::Damaged { path: path.to_owned(), why: why.to_owned() };
        let file = open_regular(path, MAX_STREAM).map_err(io)?;
        let mut head = Vec::new();
        (&file).take((MAGIC.len() + MAX_HEADER) as u64).read_to_end(&mut head).map_err(io)?;
        let rest = head
            .strip_prefix(MAGIC)
            .ok_or_else(|| broken("not an endgame file, or an unsupported version"))?;
        let end =
            rest.iter().position(|&byte| byte == b'\n').ok_or_else(|| broken("the header has no end"))?;
        let header: ClassHeader = serde_json::from_slice(&rest[..end])
            .map_err(|error| broken(&format!("the header is invalid: {error}")))?;
        let begin = MAGIC.len() + end + 1;
        let length = file.metadata().map_err(io)?.len();
        let fits = header.blocks == blocks(header.places)
            && header
                .blocks
                .checked_mul(INDEX_ENTRY as u64)
                .is_some_and(|index| index <= MAX_DATA && begin as u64 + index + 4 <= length);
        if !fits {
            return Err(broken("the header is inconsistent"));
        }
        let mut index = vec![0; header.blocks as usize * INDEX_ENTRY + 4];
        read_at(&file, &mut index, begin as u64).map_err(io)?;
        let (entries, sum) = index.split_at(index.len() - 4);
        let mut whole = head[..begin].to_vec();
        whole.extend_from_slice(entries);
        let head_checksum = checksum(&whole);
        if head_checksum.to_le_bytes() != sum {
            return Err(broken("the file is damaged"));
        }
        let start = (begin + index.len()) as u64;
        let index: Vec<(u64, u32)> = entries
            .chunks_exact(INDEX_ENTRY)
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
            return Err(broken("the file is damaged"));
        }
        Ok(ClassFile { path: path.to_owned(), file, header, index, start, head_checksum })
    }

    /// Calls `visit` with every value of a block and possibly some padding after the last place.
    ///
    /// # Errors
    /// If the block cannot be read, is damaged, or is too short.
    pub fn block(&self, number: u64, mut visit: impl FnMut(GameValue)) -> Result<(), EndgameError> {
        let (end, sum) = self.index[number as usize];
        let begin = if number == 0 { 0 } else { self.index[number as usize - 1].0 };
        let damaged = |how| {
            let why = format!("block {number} is {how}");
            Err(EndgameError::Damaged { path: self.path.clone(), why })
        };
        if end - begin > MAX_PACKED as u64 {
            return damaged("too long");
        }
        let mut bytes = vec![0; (end - begin) as usize];
        read_at(&self.file, &mut bytes, self.start + begin)
            .map_err(|source| EndgameError::Io { path: self.path.clone(), source })?;
        let mut count = 0;
        let whole = unpack(&bytes, |value| {
            count += 1;
            visit(value);
        });
        if checksum(&bytes) != sum || !whole {
            return damaged("damaged");
        }
        let wanted = (self.header.places - number * BLOCK as u64).min(BLOCK as u64);
        if count < wanted { damaged("too short") } else { Ok(()) }
    }

    /// Reads the whole table.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn table(&self) -> Result<EndgameTable, EndgameError> {
        let mut table = EndgameTable::new(self.header.places);
        let mut values = Vec::with_capacity(BLOCK);
        for number in 0..self.header.blocks {
            values.clear();
            self.block(number, |value| values.push(Some(value)))?;
            let first = number * BLOCK as u64;
            let count = (self.header.places - first).min(BLOCK as u64) as usize;
            table.fill(first, values[..count].iter().copied());
        }
        table.census = self.header.census;
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

    fn example(places: u64) -> (ClassHeader, EndgameTable) {
        let table = EndgameTable::new(places);
        let mut rng = parlor_core::Rng::new(3);
        let values = [GameValue::Lost, GameValue::Drawn, GameValue::Won];
        table.fill(0, (0..places).map(|_| Some(values[rng.below(3) as usize])));
        let header = ClassHeader {
            parlor: "0".to_owned(),
            game: "game".to_owned(),
            meaning: "game".to_owned(),
            class: "class".to_owned(),
            places,
            census: Census::default(),
            blocks: blocks(places),
        };
        (header, table)
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("parlor-endgame-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn files_are_read_back_as_written() {
        let folder = folder("back");
        for places in [1, 5, BLOCK as u64, BLOCK as u64 + 1, 3 * BLOCK as u64 - 7] {
            let (header, table) = example(places);
            let path = folder.join("class");
            write(&path, &header, &table).unwrap();
            let file = ClassFile::open(&path).unwrap();
            assert_eq!(file.header, header);
            let back = file.table().unwrap();
            assert!((0..places).all(|place| back.get(place) == table.get(place)));
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn every_changed_byte_and_every_truncation_is_detected() {
        let folder = folder("damage");
        let path = folder.join("class");
        let (header, table) = example(60);
        let bytes = to_bytes(&header, &table);
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
