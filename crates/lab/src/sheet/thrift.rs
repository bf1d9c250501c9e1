//! Writing Thrift's compact protocol: what Parquet's headers and footers are coded in.
//!
//! Source: apache/thrift, `doc/specs/thrift-compact-protocol.md`. Only what Parquet needs: structs, lists, texts, whole numbers.

/// One struct being written. Fields are added in the order of their numbers, and [`end`](Struct::end) closes it.
pub(super) struct Struct<'a> {
    bytes: &'a mut Vec<u8>,
    last: u8,
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I32: u8 = 5;
const I64: u8 = 6;
const TEXT: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A list says its length in four bits, or these say that it follows.
const LONG_LIST: usize = 15;

impl<'a> Struct<'a> {
    /// Begins a struct at the end of `bytes`.
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Struct<'a> {
        Struct { bytes, last: 0 }
    }

    /// Fields of Parquet's structs are never more than 15 apart, so a number is the distance from the last one.
    fn field(&mut self, number: u8, kind: u8) {
        let distance = number - self.last;
        debug_assert!((1..=15).contains(&distance), "fields stand in order");
        self.bytes.push(distance << 4 | kind);
        self.last = number;
    }

    pub(super) fn i32(&mut self, number: u8, value: i32) -> &mut Self {
        self.field(number, I32);
        zigzag(self.bytes, value.into());
        self
    }

    pub(super) fn i64(&mut self, number: u8, value: i64) -> &mut Self {
        self.field(number, I64);
        zigzag(self.bytes, value);
        self
    }

    pub(super) fn byte(&mut self, number: u8, value: u8) -> &mut Self {
        self.field(number, BYTE);
        self.bytes.push(value);
        self
    }

    pub(super) fn switch(&mut self, number: u8, value: bool) -> &mut Self {
        self.field(number, if value { TRUE } else { FALSE });
        self
    }

    pub(super) fn text(&mut self, number: u8, value: &str) -> &mut Self {
        self.field(number, TEXT);
        text(self.bytes, value);
        self
    }

    pub(super) fn inside(&mut self, number: u8, write: impl FnOnce(&mut Struct<'_>)) -> &mut Self {
        self.field(number, STRUCT);
        let mut inner = Struct::new(self.bytes);
        write(&mut inner);
        inner.end();
        self
    }

    pub(super) fn texts(&mut self, number: u8, values: &[&str]) -> &mut Self {
        self.list(number, values.len(), TEXT);
        values.iter().for_each(|value| text(self.bytes, value));
        self
    }

    pub(super) fn i32s(&mut self, number: u8, values: &[i32]) -> &mut Self {
        self.list(number, values.len(), I32);
        values.iter().for_each(|&value| zigzag(self.bytes, value.into()));
        self
    }

    pub(super) fn structs<T>(
        &mut self,
        number: u8,
        values: &[T],
        mut write: impl FnMut(&T, &mut Struct<'_>),
    ) -> &mut Self {
        self.list(number, values.len(), STRUCT);
        for value in values {
            let mut inner = Struct::new(self.bytes);
            write(value, &mut inner);
            inner.end();
        }
        self
    }

    fn list(&mut self, number: u8, len: usize, kind: u8) {
        self.field(number, LIST);
        self.bytes.push((len.min(LONG_LIST) as u8) << 4 | kind);
        if len >= LONG_LIST {
            varint(self.bytes, len as u64);
        }
    }

    /// Closes the struct.
    pub(super) fn end(&mut self) {
        self.bytes.push(0);
    }
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    varint(bytes, value.len() as u64);
    bytes.extend_from_slice(value.as_bytes());
}

/// Small numbers of either sign become small numbers without: 0, −1, 1, −2 …
fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, (value << 1 ^ value >> 63).cast_unsigned());
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
