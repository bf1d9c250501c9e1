//! Files that say what they are and notice damage: a line that names the form, a line of JSON about the content, the content,
//! and a checksum of it all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of the checksum at the end, a CRC-32.
const CHECKSUM: usize = 4;

/// Why bytes are not such a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChecksummedFileError {
    /// They do not begin as they should.
    Foreign,
    /// They have changed since they were written.
    Damaged,
    /// The line about the content is not understood.
    About(String),
}

/// Returns a file's bytes; equal contents have equal bytes. `magic` is the first line, its end included.
///
/// # Panics
/// Never: plain data always becomes JSON.
#[must_use]
pub fn encode(magic: &[u8], about: &impl Serialize, content: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    serde_json::to_writer(&mut bytes, about).expect("plain data always becomes JSON");
    bytes.push(b'\n');
    bytes.extend_from_slice(content);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Returns what stands in the line about the content, and the content.
///
/// # Errors
/// If the bytes are not what [`encode`] makes.
pub fn decode<'b, A: DeserializeOwned>(
    magic: &[u8],
    bytes: &'b [u8],
) -> Result<(A, &'b [u8]), ChecksummedFileError> {
    let rest = bytes.strip_prefix(magic).ok_or(ChecksummedFileError::Foreign)?;
    let body = bytes
        .len()
        .checked_sub(CHECKSUM)
        .filter(|&body| body > magic.len())
        .ok_or(ChecksummedFileError::Damaged)?;
    if crc32fast::hash(&bytes[..body]).to_le_bytes() != bytes[body..] {
        return Err(ChecksummedFileError::Damaged);
    }
    let rest = &rest[..rest.len() - CHECKSUM];
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or(ChecksummedFileError::Damaged)?;
    let about = serde_json::from_slice(&rest[..end])
        .map_err(|error| ChecksummedFileError::About(error.to_string()))?;
    Ok((about, &rest[end + 1..]))
}

/// Returns the CRC-32 of bytes, for files that are checksummed_file in parts.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Reads a file, whole. A folder, a pipe or a device is none: some of them never end.
///
/// # Errors
/// Whatever reading gives, and if it is no file.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    fs::read(path)
}

/// Writes a file, whole or not at all: beside it first, then under its name.
///
/// # Errors
/// Whatever writing gives.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let mut file = fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
