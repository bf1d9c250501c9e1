//! Knowledge as bytes: what the entries mean, the number of matches, the table.

use std::io;

use parlor_ml::Entries;

/// The first byte: the version of the layout.
const LAYOUT: u8 = 1;

/// Returns everything as bytes.
pub(super) fn write(meaning: &str, matches: u64, table: &[u8]) -> Vec<u8> {
    let mut bytes = vec![LAYOUT];
    bytes.extend_from_slice(&(meaning.len() as u32).to_le_bytes());
    bytes.extend_from_slice(meaning.as_bytes());
    bytes.extend_from_slice(&matches.to_le_bytes());
    bytes.extend_from_slice(table);
    bytes
}

/// Reads the number of matches and the table, which has this number of entries with this meaning.
pub(super) fn read(meaning: &str, entries: usize, from: &mut dyn io::Read) -> io::Result<(u64, Entries)> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    parse(&bytes, meaning, entries).map_err(|wrong| io::Error::new(io::ErrorKind::InvalidData, wrong))
}

fn parse(bytes: &[u8], meaning: &str, entries: usize) -> Result<(u64, Entries), &'static str> {
    const SHORT: &str = "the bytes end too soon";
    let Some((&LAYOUT, rest)) = bytes.split_first() else {
        return Err("not a table of a layout that this program knows");
    };
    let (length, rest) = rest.split_first_chunk().ok_or(SHORT)?;
    let (meant, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(SHORT)?;
    if meant != meaning.as_bytes() {
        return Err("it was learnt under rules or with a layout whose entries mean something else");
    }
    let (matches, table) = rest.split_first_chunk().ok_or(SHORT)?;
    let table = Entries::from_bytes(table, entries).map_err(|error| error.0)?;
    Ok((u64::from_le_bytes(*matches), table))
}
