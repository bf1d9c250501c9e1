//! Sheets as Parquet: one file, nothing compressed, so that every reader can read it.
//!
//! Source: apache/parquet-format, `README.md`, `Encodings.md` and `parquet.thrift`. The crate `parquet` reads and writes everything
//! that there is; for four types of columns this file takes its place, which saves a fifth of the time to build the program. The
//! tests read what is written here with that crate.
//!
//! Layout: `PAR1`; for every group of rows and every column its pages; the footer, its length, `PAR1`. A column of texts is a page
//! of its distinct texts and a page of their numbers; other columns are one page of values. Cells that may be missing have a bit
//! each in front that says whether they are there.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use parlor_core::files::write_atomically_with;

use super::thrift::{Struct, varint};
use super::{Column, Data, Kind, Sheet, SheetError};

/// How many rows stand together in the file. A reader holds about this much at a time.
const GROUP: usize = 1 << 20;

const MAGIC: &[u8; 4] = b"PAR1";

/// The version of the format that has what is used here.
const VERSION: i32 = 1;

// Numbers of `parquet.thrift`.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
const UNCOMPRESSED: i32 = 0;

/// Where a column of a group stands.
struct Chunk {
    /// Its page of distinct texts.
    dictionary: Option<i64>,
    /// Its page of values.
    page: i64,
    bytes: i64,
}

/// A group of rows: how many there are, and its columns.
struct Group {
    rows: usize,
    chunks: Vec<Chunk>,
}

impl Sheet {
    /// Writes all rows as a Parquet file, which is either there as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_parquet(&self, path: &Path) -> Result<(), SheetError> {
        write_atomically_with(path, |file| self.write_rows(file))
            .map_err(|cause: io::Error| SheetError::Parquet { path: path.to_owned(), cause: cause.into() })
    }

    fn write_rows(&self, file: &mut File) -> io::Result<()> {
        file.write_all(MAGIC)?;
        let mut place = MAGIC.len() as i64;
        let mut groups = Vec::new();
        for first in (0..self.rows).step_by(GROUP) {
            let rows = first..self.rows.min(first + GROUP);
            let mut chunks = Vec::new();
            for (data, column) in self.data.iter().zip(&self.columns) {
                let pages = pages(data, column.optional, rows.clone());
                let dictionary = pages.dictionary.as_deref().unwrap_or_default();
                file.write_all(dictionary)?;
                file.write_all(&pages.values)?;
                let bytes = (dictionary.len() + pages.values.len()) as i64;
                chunks.push(Chunk {
                    dictionary: pages.dictionary.as_ref().map(|_| place),
                    page: place + dictionary.len() as i64,
                    bytes,
                });
                place += bytes;
            }
            groups.push(Group { rows: rows.len(), chunks });
        }
        let footer = self.footer(&groups);
        file.write_all(&footer)?;
        file.write_all(&(footer.len() as u32).to_le_bytes())?;
        file.write_all(MAGIC)
    }

    /// Returns `FileMetaData`.
    fn footer(&self, groups: &[Group]) -> Vec<u8> {
        let mut bytes = Vec::new();
        // The first element of the schema is its root, the others are its children.
        let schema: Vec<Option<&Column>> = [None].into_iter().chain(self.columns.iter().map(Some)).collect();
        Struct::new(&mut bytes)
            .i32(1, VERSION)
            .structs(2, &schema, |column, element| match column {
                None => _ = element.text(4, "sheet").i32(5, self.columns.len() as i32),
                Some(column) => describe(column, element),
            })
            .i64(3, self.rows as i64)
            .structs(4, groups, |group, target| {
                let columns: Vec<(&Column, &Chunk)> = self.columns.iter().zip(&group.chunks).collect();
                target
                    .structs(1, &columns, |(column, chunk), target| {
                        target
                            .i64(2, chunk.page)
                            .inside(3, |target| locate(column, chunk, group.rows, target));
                    })
                    .i64(2, group.chunks.iter().map(|chunk| chunk.bytes).sum())
                    .i64(3, group.rows as i64);
            })
            .text(6, concat!("parlor ", env!("CARGO_PKG_VERSION")))
            .end();
        bytes
    }
}

fn physical(kind: Kind) -> i32 {
    match kind {
        Kind::Text => BYTE_ARRAY,
        Kind::Whole | Kind::Signed => INT64,
        Kind::Real => DOUBLE,
    }
}

/// Writes a `SchemaElement`: the type of a column, and what it means, for old readers (6) and for new ones (10).
fn describe(column: &Column, target: &mut Struct<'_>) {
    target.i32(1, physical(column.kind)).i32(3, i32::from(column.optional)).text(4, &column.name);
    let integer = |target: &mut Struct<'_>, signed: bool| {
        _ = target.inside(10, |target| _ = target.byte(1, 64).switch(2, signed));
    };
    match column.kind {
        Kind::Text => _ = target.i32(6, 0).inside(10, |target| _ = target.inside(1, |_| ())),
        Kind::Whole => _ = target.i32(6, 14).inside(10, |target| integer(target, false)),
        Kind::Signed => _ = target.i32(6, 18).inside(10, |target| integer(target, true)),
        Kind::Real => {}
    }
}

/// Writes a `ColumnMetaData`.
fn locate(column: &Column, chunk: &Chunk, rows: usize, target: &mut Struct<'_>) {
    let encodings: &[i32] =
        if chunk.dictionary.is_some() { &[PLAIN, RLE, RLE_DICTIONARY] } else { &[PLAIN, RLE] };
    target
        .i32(1, physical(column.kind))
        .i32s(2, encodings)
        .texts(3, &[&column.name])
        .i32(4, UNCOMPRESSED)
        .i64(5, rows as i64)
        .i64(6, chunk.bytes)
        .i64(7, chunk.bytes)
        .i64(9, chunk.page);
    if let Some(place) = chunk.dictionary {
        target.i64(11, place);
    }
}

/// The pages of a column, headers included.
struct Pages {
    dictionary: Option<Vec<u8>>,
    values: Vec<u8>,
}

fn pages(data: &Data, optional: bool, rows: Range<usize>) -> Pages {
    match data {
        Data::Text(cells) => texts(&cells[rows], optional),
        // The schema says that these bits have no sign.
        Data::Whole(cells) => numbers(&cells[rows], optional, |number| number.to_le_bytes()),
        Data::Signed(cells) => numbers(&cells[rows], optional, |number| number.to_le_bytes()),
        Data::Real(cells) => numbers(&cells[rows], optional, |number| number.to_le_bytes()),
    }
}

fn numbers<T: Copy>(cells: &[Option<T>], optional: bool, bytes: impl Fn(T) -> [u8; 8]) -> Pages {
    let mut body = presence(cells, optional);
    cells.iter().flatten().for_each(|&number| body.extend_from_slice(&bytes(number)));
    Pages { dictionary: None, values: data_page(cells.len(), PLAIN, &body) }
}

/// Texts repeat: games, agents, arms. Each stands in the file once, in the order in which they are met.
fn texts<T: AsRef<str>>(cells: &[Option<T>], optional: bool) -> Pages {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let (mut dictionary, mut places) = (Vec::new(), Vec::new());
    for text in cells.iter().flatten().map(AsRef::as_ref) {
        let next = numbers.len() as u32;
        places.push(*numbers.entry(text).or_insert_with(|| {
            dictionary.extend_from_slice(&(text.len() as u32).to_le_bytes());
            dictionary.extend_from_slice(text.as_bytes());
            next
        }));
    }
    let distinct = numbers.len() as u32;
    let width = (u32::BITS - distinct.saturating_sub(1).leading_zeros()).max(1);
    let mut body = presence(cells, optional);
    body.push(width as u8);
    hybrid(&mut body, &places, width);
    let mut page = Vec::new();
    page_header(&mut page, DICTIONARY_PAGE, dictionary.len(), |header| {
        header.inside(7, |header| _ = header.i32(1, distinct as i32).i32(2, PLAIN));
    });
    page.extend_from_slice(&dictionary);
    Pages { dictionary: Some(page), values: data_page(cells.len(), RLE_DICTIONARY, &body) }
}

/// Returns a bit for every cell of an optional column, behind their length in bytes.
fn presence<T>(cells: &[Option<T>], optional: bool) -> Vec<u8> {
    if !optional {
        return Vec::new();
    }
    let bits: Vec<u32> = cells.iter().map(|cell| u32::from(cell.is_some())).collect();
    let mut coded = Vec::new();
    hybrid(&mut coded, &bits, 1);
    let mut body = (coded.len() as u32).to_le_bytes().to_vec();
    body.extend_from_slice(&coded);
    body
}

/// Codes numbers of `width` bits in Parquet's hybrid form: one run if all are equal, else packed one after the other, the lowest bit
/// first, in groups of eight.
fn hybrid(bytes: &mut Vec<u8>, numbers: &[u32], width: u32) {
    let Some(&first) = numbers.first() else { return };
    if numbers.iter().all(|&number| number == first) {
        varint(bytes, (numbers.len() as u64) << 1);
        bytes.extend_from_slice(&first.to_le_bytes()[..width.div_ceil(8) as usize]);
        return;
    }
    let groups = numbers.len().div_ceil(8);
    varint(bytes, (groups as u64) << 1 | 1);
    let (mut waiting, mut bits) = (0_u64, 0);
    for number in numbers.iter().copied().chain(std::iter::repeat(0)).take(8 * groups) {
        waiting |= u64::from(number) << bits;
        bits += width;
        while bits >= 8 {
            bytes.push(waiting as u8);
            waiting >>= 8;
            bits -= 8;
        }
    }
}

fn data_page(cells: usize, encoding: i32, body: &[u8]) -> Vec<u8> {
    let mut page = Vec::new();
    page_header(&mut page, DATA_PAGE, body.len(), |header| {
        header.inside(5, |header| _ = header.i32(1, cells as i32).i32(2, encoding).i32(3, RLE).i32(4, RLE));
    });
    page.extend_from_slice(body);
    page
}

fn page_header(bytes: &mut Vec<u8>, kind: i32, size: usize, about: impl FnOnce(&mut Struct<'_>)) {
    let mut header = Struct::new(bytes);
    header.i32(1, kind).i32(2, size as i32).i32(3, size as i32);
    about(&mut header);
    header.end();
}
