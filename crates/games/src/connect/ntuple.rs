//! Tuples of cells for the learner `ntuple`.
//!
//! A column's discs are its bits of [`Connect::key`](parlor_core::Keyed::key) with the first seat's discs set: a one bit above the
//! discs, and below it who owns which. The part of a column from row `low` up, `height` cells of it, has `height + 1` bits:
//!
//! ```text
//!   0                nothing of it can be reached yet: the column is not filled up to row `low`
//!   1, 10, 11, 100…  the part as the whole column: a one bit above the discs, which may be none
//! ```
//!
//! So a tuple of parts of neighbouring columns, side by side or each a row higher than the one before, knows which of its free cells
//! can be filled next, and a tuple of four parts of three cells has 2¹⁶ contents instead of the 3¹² or 4¹² of twelve single cells.

use arrayvec::ArrayVec;
use parlor_core::{Afterstates, CodecInfo, Game, Positions, Seat};

use super::{Board, Column, Connect, MAX_WIDTH};
use crate::board::bits::Word;

/// The maximum number of rows, and of different parts of a column.
const MOST_ROWS: u8 = 30;
const MOST_PARTS: usize = 3 * MOST_ROWS as usize;

/// The contents of the parts of all columns, one column after the other.
type Contents = ArrayVec<u32, { MAX_WIDTH as usize * MOST_PARTS }>;

/// A part of a column in a tuple.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Segment {
    column: u8,
    /// Its number in the list of different parts.
    part: u8,
    /// Where its bits lie in the number of the entry.
    shift: u8,
    /// Its place among the contents of all columns.
    place: u16,
}

/// Which rows of a column a part has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Part {
    low: u8,
    height: u8,
}

impl Part {
    /// Returns the content of the part of a column with these bits.
    #[inline]
    fn content(self, column: u32) -> u32 {
        let above = column >> self.low;
        let full = 1 << self.height;
        if above >= 2 * full { above & (full - 1) | full } else { above }
    }
}

/// A tuple in its place.
#[derive(Clone, Debug)]
struct Tuple {
    /// Its first entry.
    first: u32,
    segments: Vec<Segment>,
}

/// Tuples for boards of one size.
#[derive(Clone, Debug)]
pub struct Tuples {
    parts: Vec<Part>,
    tuples: Vec<Tuple>,
    /// For each column the tuples that it is part of.
    of_column: Vec<Vec<(u16, Segment)>>,
    /// The entries of one seat.
    entries: u32,
}

/// The shapes of tuples.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Shape {
    /// The number of columns.
    columns: i32,
    /// The number of cells in each.
    height: i32,
    /// By how many rows each column's cells lie above those of the one before.
    rise: i32,
    /// Whether tuples in different columns share their entries.
    shared: bool,
}

/// A layout by name.
struct Named {
    info: CodecInfo,
    shapes: &'static [Shape],
}

const fn shape(columns: i32, height: i32, rise: i32, shared: bool) -> Shape {
    Shape { columns, height, rise, shared }
}

static LAYOUTS: &[Named] = &[
    Named {
        info: CodecInfo {
            name: "lines",
            summary: "pairs of columns, 4×3 blocks and diagonals of four pairs, each place with entries of its own",
        },
        shapes: &[shape(2, 6, 0, false), shape(4, 3, 0, false), shape(4, 2, 1, false)],
    },
    Named {
        info: CodecInfo { name: "small", summary: "as lines with 4×2 blocks: a fifth of the entries" },
        shapes: &[shape(2, 6, 0, false), shape(4, 2, 0, false), shape(4, 2, 1, false)],
    },
    Named {
        info: CodecInfo {
            name: "shared",
            summary: "4×3 blocks and diagonals whose entries are the same in all columns: for large boards",
        },
        shapes: &[shape(4, 3, 0, true), shape(4, 3, 1, true), shape(2, 6, 0, true)],
    },
];

/// The most entries that a layout may have for one seat.
const MOST_ENTRIES: usize = 1 << 24;

impl Tuples {
    fn new(width: u8, height: u8, shapes: &[Shape]) -> Result<Self, String> {
        let mut layout = Tuples {
            parts: Vec::new(),
            tuples: Vec::new(),
            of_column: vec![Vec::new(); usize::from(width)],
            entries: 0,
        };
        for shape in shapes {
            layout.add_shape(i32::from(width), i32::from(height), *shape)?;
        }
        let parts = layout.parts.len() as u16;
        let of_columns = layout.of_column.iter_mut().flatten().map(|(_, segment)| segment);
        for segment in layout.tuples.iter_mut().flat_map(|tuple| &mut tuple.segments).chain(of_columns) {
            segment.place = u16::from(segment.column) * parts + u16::from(segment.part);
        }
        Ok(layout)
    }

    /// Adds a shape in all places.
    fn add_shape(&mut self, width: i32, height: i32, shape: Shape) -> Result<(), String> {
        let columns = shape.columns.min(width);
        let tall = shape.height.min(height);
        let climb = (columns - 1) * shape.rise;
        for low in 0..=(height - tall - climb).max(0) {
            let mut entries = None;
            let right_most = width - columns;
            for left in 0..=right_most {
                let mirrored_comes_later = shape.rise == 0 && !shape.shared && 2 * left > right_most;
                if mirrored_comes_later {
                    break;
                }
                let segments: Vec<(i32, i32, i32)> = (0..columns)
                    .map(|n| {
                        let from = low + n * shape.rise;
                        (left + n, from.max(0), (from + tall).min(height))
                    })
                    .filter(|(_, from, to)| from < to)
                    .collect();
                if !shape.shared {
                    entries = None;
                }
                self.add(width, &segments, &mut entries)?;
            }
        }
        Ok(())
    }

    /// Adds a tuple and its mirror image, which has the same entries. `first` is the first of them, if there is one already.
    fn add(&mut self, width: i32, cells: &[(i32, i32, i32)], first: &mut Option<u32>) -> Result<(), String> {
        let bits: i32 = cells.iter().map(|(_, from, to)| to - from + 1).sum();
        if first.is_none() {
            let next =
                (self.entries as usize).checked_add(1_usize.checked_shl(bits as u32).unwrap_or(usize::MAX));
            let next = next.filter(|&next| next <= MOST_ENTRIES);
            *first = Some(self.entries);
            self.entries = next.ok_or("the board is too large for its tuples")? as u32;
        }
        let first = first.unwrap_or_default();
        for mirrored in [false, true] {
            let mut shift = 0;
            let mut segments = Vec::new();
            for &(column, from, to) in cells {
                let column = if mirrored { width - 1 - column } else { column };
                let part = self.part(Part { low: from as u8, height: (to - from) as u8 })?;
                let segment = Segment { column: column as u8, part, shift, place: 0 };
                self.of_column[column as usize].push((self.tuples.len() as u16, segment));
                segments.push(segment);
                shift += (to - from + 1) as u8;
            }
            self.tuples.push(Tuple { first, segments });
        }
        Ok(())
    }

    /// Returns the number of a part.
    fn part(&mut self, part: Part) -> Result<u8, String> {
        let known = self.parts.iter().position(|known| *known == part);
        let at = known.unwrap_or_else(|| {
            self.parts.push(part);
            self.parts.len() - 1
        });
        if at < MOST_PARTS { Ok(at as u8) } else { Err("the board is too high for its tuples".to_owned()) }
    }
}

/// The contents of all columns, and the entries that follow from them.
#[derive(Debug, Default)]
pub struct Scratch {
    contents: Contents,
    entries: Vec<u32>,
}

impl<W: Word> Connect<W> {
    /// Returns the discs of the first seat, and a one bit above the discs of each column.
    #[inline]
    fn seat_key(&self, board: &Board<W>) -> W {
        let taken = self.taken(board);
        self.discs(board, Seat::FIRST) | ((taken << 1 | self.bottom) & !taken)
    }

    /// Returns the bits of a column.
    #[inline]
    fn column_bits(&self, key: W, column: usize) -> u32 {
        let stride = self.stride();
        (key >> (column as u32 * stride) & W::first(stride)).low() as u32
    }

    /// Replaces `contents` by those of a board.
    #[inline]
    fn read_columns(&self, layout: &Tuples, key: W, contents: &mut Contents) {
        contents.clear();
        for column in 0..usize::from(self.width) {
            let bits = self.column_bits(key, column);
            contents.extend(layout.parts.iter().map(|part| part.content(bits)));
        }
    }
}

impl Tuples {
    /// Returns the active entries of the seat that has just moved.
    #[inline]
    fn entries_of<'a>(&'a self, contents: &'a Contents, seat: Seat) -> impl Iterator<Item = u32> + 'a {
        let offset = u32::from(seat.0) * self.entries;
        self.tuples.iter().map(move |tuple| {
            let segments = tuple.segments.iter();
            let content: u32 =
                segments.map(|segment| contents[usize::from(segment.place)] << segment.shift).sum();
            offset + tuple.first + content
        })
    }
}

impl<W: Word> Afterstates for Connect<W> {
    type Layout = Tuples;
    type Scratch = Scratch;

    const LAYOUTS: &'static [CodecInfo] = &[LAYOUTS[0].info, LAYOUTS[1].info, LAYOUTS[2].info];

    fn table_layout(&self, name: &str) -> Result<Tuples, String> {
        let named = LAYOUTS.iter().find(|layout| layout.info.name == name);
        let named = named.ok_or_else(|| parlor_core::no_such_codec(name, Self::LAYOUTS))?;
        if self.height > MOST_ROWS {
            return Err(format!("columns of more than {MOST_ROWS} cells have no tuples"));
        }
        Tuples::new(self.width, self.height, named.shapes)
    }

    fn layout_meaning(&self, _: &Tuples) -> String {
        format!("{}x{} {}", self.width, self.height, self.row)
    }

    fn entries(&self, layout: &Tuples) -> usize {
        2 * layout.entries as usize
    }

    fn most_active(&self, layout: &Tuples) -> usize {
        layout.tuples.len()
    }

    #[inline]
    fn active(&self, layout: &Tuples, board: &Board<W>, action: Column, out: &mut Vec<u32>) {
        let seat = Seat((board.taken.len() & 1) as u8);
        let mut next = *board;
        self.apply(&mut next, action);
        let mut contents = Contents::new();
        self.read_columns(layout, self.seat_key(&next), &mut contents);
        out.extend(layout.entries_of(&contents, seat));
    }

    /// Sums up once for the board before the action: an action changes the tuples of its column only.
    #[inline]
    fn sums(
        &self,
        layout: &Tuples,
        scratch: &mut Scratch,
        weights: &[f32],
        board: &Board<W>,
        actions: &[Column],
        out: &mut Vec<f32>,
    ) {
        let seat = Seat((board.taken.len() & 1) as u8);
        let key = self.seat_key(board);
        let Scratch { contents, entries } = scratch;
        self.read_columns(layout, key, contents);
        entries.clear();
        entries.extend(layout.entries_of(contents, seat));
        let base: f32 = entries.iter().map(|&entry| weights[entry as usize]).sum();
        let wins = self.winning_cells(board, seat) & self.playable(board);
        out.clear();
        out.extend(actions.iter().map(|&Column(column)| {
            let at = usize::from(column);
            if !(wins & self.column << (u32::from(column) * self.stride())).is_empty() {
                return f32::INFINITY;
            }
            let bits = self.column_bits(key, at);
            // The one bit above the discs becomes the new disc, and moves up.
            let top = 1 << (31 - bits.leading_zeros());
            let next = bits & !top | (2 * top) | if seat == Seat::FIRST { top } else { 0 };
            let before = &contents[at * layout.parts.len()..];
            let changes: ArrayVec<u32, MOST_PARTS> = layout
                .parts
                .iter()
                .zip(before)
                .map(|(part, before)| part.content(next).wrapping_sub(*before))
                .collect();
            let tuples = layout.of_column[at].iter();
            tuples.fold(base, |sum, (tuple, segment)| {
                let change = changes[usize::from(segment.part)];
                if change == 0 {
                    return sum;
                }
                let entry = entries[usize::from(*tuple)];
                let changed = entry.wrapping_add(change << segment.shift);
                sum + (weights[changed as usize] - weights[entry as usize])
            })
        }));
    }

    #[inline]
    fn known(&self, _: &Tuples, board: &Board<W>, action: Column) -> Option<f32> {
        let mut next = *board;
        self.apply(&mut next, action);
        self.is_over(&next).then(|| f32::from(u8::from(self.winner(&next).is_some())))
    }

    fn alternates(&self) -> bool {
        true
    }
}

impl<W: Word> Positions for Connect<W> {
    #[inline]
    fn position_sum(&self, layout: &Tuples, weights: &[f32], board: &Board<W>) -> f32 {
        let seat = Seat((board.taken.len() & 1) as u8).other();
        let mut contents = Contents::new();
        self.read_columns(layout, self.seat_key(board), &mut contents);
        layout.entries_of(&contents, seat).map(|entry| weights[entry as usize]).sum()
    }
}
