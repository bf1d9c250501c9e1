//! The file of a book: a format line, a header, the positions, a checksum.
//!
//! ```text
//! parlor book 1
//! {"parlor":"0.1.0","game":"connect(…)","agent":"alphabeta(…)","seed":1,…}
//! for each position, ascending by hash: hash (8 bytes), number of lines (2), for each line: action (2), visits (4),
//!     half points (4), result (1: 0 unknown, 1 lost, 2 drawn, 3 won)
//! four bytes: the CRC-32 of everything before
//! ```
//!
//! Numbers are little-endian. A position of a book of exact answers has one line, its answer, without visits.

use parlor_core::GameValue;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use parlor_core::files::checksummed_file::{ChecksummedFileError, Form, read_file};
use parlor_core::files::write_atomically;
use parlor_core::rng::GENERATOR;

use super::{Book, BookHeader, Line, Page};

const FORM: Form = Form { what: "opening book", magic: b"parlor book 1\n" };

impl Book {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or of another kind.
    pub fn open(path: &Path) -> Result<Book, ChecksummedFileError> {
        Book::parse(&read_file(path)?)
    }

    /// Parses the content of a file.
    ///
    /// # Errors
    /// If it was not written by [`to_bytes`](Book::to_bytes).
    pub fn parse(bytes: &[u8]) -> Result<Book, ChecksummedFileError> {
        let (about, content) = FORM.decode::<BookHeader>(bytes)?;
        if about.rng != GENERATOR {
            return Err(ChecksummedFileError::About {
                what: FORM.what,
                wrong: format!("unknown random generator {}", about.rng),
            });
        }
        let pages = read_pages(content, about.exact.is_some())
            .map_err(|wrong| ChecksummedFileError::Content { what: FORM.what, wrong })?;
        Ok(Book { about, pages })
    }

    /// Returns the content of the file. Equal books have equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (hash, page) in &self.pages {
            bytes.extend_from_slice(&hash.to_le_bytes());
            bytes.extend_from_slice(&(page.lines.len() as u16).to_le_bytes());
            for line in &page.lines {
                bytes.extend_from_slice(&line.action.to_le_bytes());
                bytes.extend_from_slice(&line.visits.to_le_bytes());
                bytes.extend_from_slice(&line.halves.to_le_bytes());
                bytes.push(line.known.map_or(0, |known| 1 + known as u8));
            }
        }
        FORM.encode(&self.about, &bytes)
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_atomically(path, &self.to_bytes())
    }

    /// Returns the book if it is for `game`, a full form.
    ///
    /// # Errors
    /// If it is for another game.
    pub fn for_game(self, game: &str) -> Result<Book, ChecksummedFileError> {
        if self.about.game == game {
            Ok(self)
        } else {
            Err(ChecksummedFileError::OtherGame {
                what: FORM.what,
                found: self.about.game,
                game: game.to_owned(),
            })
        }
    }
}

/// Takes `N` bytes from the front.
fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], &'static str> {
    let (number, after) = rest.split_first_chunk().ok_or("the data ends too early")?;
    *rest = after;
    Ok(*number)
}

fn read_pages(mut rest: &[u8], exact: bool) -> Result<BTreeMap<u64, Page>, &'static str> {
    let rest = &mut rest;
    let mut pages = BTreeMap::new();
    while !rest.is_empty() {
        let hash = u64::from_le_bytes(take(rest)?);
        if pages.last_key_value().is_some_and(|(&last, _)| last >= hash) {
            return Err("the positions are out of order");
        }
        let count = u16::from_le_bytes(take(rest)?);
        let mut page = Page::default();
        for _ in 0..count {
            let line = Line {
                action: u16::from_le_bytes(take(rest)?),
                visits: u32::from_le_bytes(take(rest)?),
                halves: u32::from_le_bytes(take(rest)?),
                known: match take::<1>(rest)? {
                    [0] => None,
                    [1] => Some(GameValue::Lost),
                    [2] => Some(GameValue::Drawn),
                    [3] => Some(GameValue::Won),
                    _ => return Err("the result of a line is invalid"),
                },
            };
            if !exact && line.action >= count || page.lines.iter().any(|other| other.action == line.action) {
                return Err("the lines of a position do not match its actions");
            }
            if u64::from(line.halves) > 2 * u64::from(line.visits) {
                return Err("a line has more points than games");
            }
            page.lines.push(line);
        }
        if exact && (page.lines.len() != 1 || page.lines[0].known.is_none()) {
            return Err("a position of a book of exact answers has not got one answer");
        }
        pages.insert(hash, page);
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Book {
        let mut book = Book::new(BookHeader::new("game(size=3)".into(), "agent(nodes=7)".into(), 7, 8, 100));
        let line = |action, known| Line { action, visits: 9, halves: 11, known };
        let lines = vec![line(1, None), line(0, Some(GameValue::Won)), line(2, Some(GameValue::Lost))];
        book.pages.insert(5, Page { lines });
        book.pages.insert(u64::MAX, Page { lines: vec![line(0, Some(GameValue::Drawn))] });
        book
    }

    /// Recomputes the checksum of changed content.
    fn checksummed_file(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - size_of::<u32>());
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    #[test]
    fn files_are_read_back_as_written() {
        for book in [example(), Book::new(example().about)] {
            assert_eq!(Book::parse(&book.to_bytes()).unwrap(), book);
        }
    }

    #[test]
    fn every_flipped_bit_and_every_truncation_is_detected() {
        let bytes = example().to_bytes();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert!(Book::parse(&damaged).is_err(), "bit {bit} of byte {at}");
            }
            assert!(Book::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn a_valid_checksum_does_not_excuse_invalid_content() {
        let bytes = example().to_bytes();
        let body = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
        for at in body..bytes.len() {
            for byte in [0, 1, 4, 255] {
                let mut strange = bytes.clone();
                strange[at] = byte;
                if let Ok(book) = Book::parse(&checksummed_file(strange.clone())) {
                    assert_eq!(
                        book.to_bytes(),
                        checksummed_file(strange),
                        "accepted content is written back unchanged"
                    );
                }
            }
        }
        let other = checksummed_file(
            example().to_bytes().iter().map(|&b| if b == b'{' { b'[' } else { b }).collect(),
        );
        assert!(matches!(Book::parse(&other), Err(ChecksummedFileError::About { .. })));
        let version: Vec<u8> = bytes.iter().map(|&byte| if byte == b'1' { b'2' } else { byte }).collect();
        assert!(matches!(Book::parse(&version), Err(ChecksummedFileError::Foreign { .. })));
    }

    #[test]
    fn a_book_is_for_one_game() {
        assert!(example().for_game("game(size=3)").is_ok());
        let error = example().for_game("game(size=4)").unwrap_err();
        assert!(matches!(error, ChecksummedFileError::OtherGame { found, .. } if found == "game(size=3)"));
    }
}
