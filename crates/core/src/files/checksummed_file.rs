//! Files that say what they are and notice damage: a line that names the form, a line of JSON about the content, the content,
//! and a checksum of it all.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::reading::{MAX_DATA, read_regular};

/// Bytes of the checksum at the end, a CRC-32.
const CHECKSUM: usize = 4;

/// Errors of reading a checksummed file. `what` is the kind of file that was expected: "knowledge file", "opening book".
#[derive(Debug, thiserror::Error)]
pub enum ChecksummedFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes do not begin as they should.
    #[error("not a parlor {what}, or an unsupported version")]
    Foreign {
        /// The kind of file.
        what: &'static str,
    },
    /// The bytes have changed since they were written.
    #[error("the {what} is damaged: its checksum does not match")]
    Damaged {
        /// The kind of file.
        what: &'static str,
    },
    /// The line about the content is not understood.
    #[error("the second line of the {what} is not understood: {wrong}")]
    About {
        /// The kind of file.
        what: &'static str,
        /// What is wrong with it.
        wrong: String,
    },
    /// The checksum matches, but the content is not what this program writes.
    #[error("the content of the {what} is not understood: {wrong}")]
    Content {
        /// The kind of file.
        what: &'static str,
        /// What is wrong with it.
        wrong: &'static str,
    },
    /// The file is for other rules.
    #[error("the {what} is for {found}, not for {game}")]
    OtherGame {
        /// The kind of file.
        what: &'static str,
        /// The file's game.
        found: String,
        /// The game that it was read for.
        game: String,
    },
}

/// A form of checksummed files.
#[derive(Copy, Clone, Debug)]
pub struct Form {
    /// What the file is, in words.
    pub what: &'static str,
    /// The first line, its end included.
    pub magic: &'static [u8],
}

impl Form {
    /// Returns a file's bytes; equal contents have equal bytes.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "plain data always becomes JSON")]
    pub fn encode(&self, about: &impl Serialize, content: &[u8]) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        serde_json::to_writer(&mut bytes, about).expect("plain data always becomes JSON");
        bytes.push(b'\n');
        bytes.extend_from_slice(content);
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Returns what stands in the line about the content, and the content.
    ///
    /// # Errors
    /// If the bytes are not what [`encode`](Form::encode) makes.
    pub fn decode<'b, A: DeserializeOwned>(
        &self,
        bytes: &'b [u8],
    ) -> Result<(A, &'b [u8]), ChecksummedFileError> {
        let &Form { what, magic } = self;
        let damaged = || ChecksummedFileError::Damaged { what };
        let rest = bytes.strip_prefix(magic).ok_or(ChecksummedFileError::Foreign { what })?;
        let body =
            bytes.len().checked_sub(CHECKSUM).filter(|&body| body > magic.len()).ok_or_else(damaged)?;
        if checksum(&bytes[..body]).to_le_bytes() != bytes[body..] {
            return Err(damaged());
        }
        let rest = &rest[..rest.len() - CHECKSUM];
        let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(damaged)?;
        let about = serde_json::from_slice(&rest[..end])
            .map_err(|error| ChecksummedFileError::About { what, wrong: error.to_string() })?;
        Ok((about, &rest[end + 1..]))
    }
}

/// Returns the CRC-32 of bytes, for files whose parts have checksums of their own.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Reads a whole checksummed file.
///
/// # Errors
/// As those of [`read_regular`].
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_regular(path, MAX_DATA)
}
