//! Games as FABLE records them, and the history of a training in memory.

use std::io::{self, Read, Write};

use parlor_core::text::notation::quoted;
use parlor_core::{BySeat, Place};

use crate::board::{Board, Frame, Model};
use crate::evidence::Observation;
use crate::state_keys::End;

/// A decision that was taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedStep {
    /// Who decided.
    pub seat: u8,
    /// Where the action lies.
    pub place: Place,
}

/// A finished game: what each seat saw and did, and how it ended for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedGame {
    /// The decisions in order. The order of one seat's decisions matters, how those of several seats interlock does not.
    steps: Vec<RecordedStep>,
    /// The cells before each decision, one after the other.
    cells: Vec<u8>,
    /// How it ended; `None` for a seat that nobody had.
    ends: BySeat<Option<End>>,
}

impl RecordedGame {
    /// Forgets everything, but keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.cells.clear();
        self.ends = BySeat::default();
    }

    /// Adds a decision; `cells` is what the seat saw.
    pub fn push(&mut self, seat: u8, cells: &[u8], place: Place) {
        self.steps.push(RecordedStep { seat, place });
        self.cells.extend_from_slice(cells);
    }

    /// Adds a decision whose cells are written by `fill` into a list of this length.
    pub fn push_with(&mut self, seat: u8, place: Place, count: usize, fill: impl FnOnce(&mut [u8])) {
        self.steps.push(RecordedStep { seat, place });
        let from = self.cells.len();
        self.cells.resize(from + count, 0);
        fill(&mut self.cells[from..]);
    }

    /// Sets how the game ended for a seat.
    pub fn set_end(&mut self, seat: u8, end: End) {
        self.ends.0[usize::from(seat)] = Some(end);
    }

    /// Returns how the game ended for a seat.
    #[must_use]
    pub fn end(&self, seat: u8) -> Option<End> {
        self.ends.0.get(usize::from(seat)).copied().flatten()
    }

    /// Returns the number of decisions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether nothing was decided.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns each decision with the cells before it.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = (&RecordedStep, &[u8])> {
        let count = self.cells.len().checked_div(self.steps.len()).unwrap_or(0);
        self.steps.iter().enumerate().map(move |(at, step)| (step, &self.cells[at * count..(at + 1) * count]))
    }

    /// Calls `see` with every step as a model sees it.
    pub fn observe(&self, board: &Board, model: Model, mut see: impl FnMut(&Observation)) {
        self.observe_framed(board, model, |framed| see(&framed.seen));
    }

    /// Calls `see` with every step as a model sees it, together with what it was made of.
    #[inline]
    pub fn observe_framed(&self, board: &Board, model: Model, mut see: impl FnMut(&FramedStep<'_>)) {
        let count = board.cells();
        let cells_at = |at: usize| &self.cells[at * count..(at + 1) * count];
        for (at, step) in self.steps.iter().enumerate() {
            let Some(end) = self.end(step.seat) else { continue };
            let next = (at + 1..self.steps.len()).find(|&later| self.steps[later].seat == step.seat);
            let (cells, next_cells) = (cells_at(at), next.map(cells_at));
            board.frames(model, |frame| {
                let Some(input) = board.input(frame, step.seat, &step.place) else { return };
                let state = board.state(frame, cells);
                let next = next_cells.map_or(end.key(), |cells| board.state(frame, cells));
                let seen = Observation { state, input, next, end, is_last: next_cells.is_none() };
                see(&FramedStep { seen, frame, step, cells, next_cells });
            });
        }
    }
}

/// A step as a model sees it, and what it was made of.
#[derive(Copy, Clone, Debug)]
pub struct FramedStep<'a> {
    /// The step in keys.
    pub seen: Observation,
    /// The frame in which it was seen.
    pub frame: Frame,
    /// What was done.
    pub step: &'a RecordedStep,
    /// The cells before it.
    pub cells: &'a [u8],
    /// The cells at the seat's next decision, if there was one.
    pub next_cells: Option<&'a [u8]>,
}

/// Games in memory, as small as they are in a file: a step holds the cells that have changed since the step before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameLog {
    bytes: Vec<u8>,
    games: u64,
    /// The cells of the first step of the last game: most games begin alike.
    first: Vec<u8>,
}

/// The bytes do not describe games of this layout.
fn broken(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// The codes of ends; 0 is a seat that nobody had.
const ENDS: [Option<End>; 4] = [None, Some(End::Win), Some(End::Tie), Some(End::Loss)];

impl GameLog {
    /// Adds a game.
    pub fn push(&mut self, game: &RecordedGame) {
        self.bytes.extend((game.len() as u32).to_le_bytes());
        for end in game.ends.0 {
            let code = ENDS.iter().position(|known| *known == end).expect("every end has a code");
            self.bytes.push(code as u8);
        }
        let mut before: &[u8] = &self.first;
        let mut first = None;
        for (step, cells) in game.steps() {
            self.bytes.push(step.seat);
            self.bytes.extend(step.place.kind.to_le_bytes());
            self.bytes.push(step.place.cells.len() as u8);
            for cell in &step.place.cells {
                self.bytes.extend(cell.to_le_bytes());
            }
            let changed = |at: &usize| before.get(*at).copied().unwrap_or(0) != cells[*at];
            let changes = (0..cells.len()).filter(changed);
            self.bytes.extend((changes.clone().count() as u16).to_le_bytes());
            for at in changes {
                self.bytes.extend((at as u16).to_le_bytes());
                self.bytes.push(cells[at]);
            }
            first.get_or_insert(cells);
            before = cells;
        }
        if let Some(first) = first {
            self.first.clear();
            self.first.extend_from_slice(first);
        }
        self.games += 1;
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.games
    }

    /// Returns whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Returns the games as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the log that some bytes are.
    ///
    /// # Errors
    /// If they are not what [`bytes`](GameLog::bytes) gives for this board.
    pub fn parse(board: &Board, bytes: Vec<u8>) -> io::Result<GameLog> {
        let mut reader = Reader { board, bytes: &bytes, first: Vec::new() };
        let (mut game, mut games) = (RecordedGame::default(), 0);
        while reader.next(&mut game)? {
            games += 1;
        }
        let first = reader.first;
        Ok(GameLog { bytes, games, first })
    }

    /// Writes the games with the form of the game that they are of.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write(&self, board: &Board, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&(board.game.len() as u32).to_le_bytes())?;
        to.write_all(board.game.as_bytes())?;
        to.write_all(&self.bytes)
    }

    /// Reads what [`write`](GameLog::write) has written.
    ///
    /// # Errors
    /// Errors of the reader, and [`io::ErrorKind::InvalidData`] for games of another kind or other bytes.
    pub fn read(board: &Board, from: &mut dyn Read) -> io::Result<GameLog> {
        let mut length = [0; 4];
        from.read_exact(&mut length).map_err(|_| broken("the history is empty"))?;
        let mut game = Vec::new();
        from.take(u64::from(u32::from_le_bytes(length))).read_to_end(&mut game)?;
        if game != board.game.as_bytes() {
            let found = quoted(&String::from_utf8_lossy(&game));
            return Err(broken(format!("the history is of {found}, not of {}", board.game)));
        }
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        GameLog::parse(board, bytes)
    }

    /// Calls `see` with every game, in order.
    ///
    /// # Panics
    /// If the log is of another board.
    pub fn for_each(&self, board: &Board, mut see: impl FnMut(&RecordedGame)) {
        let mut reader = Reader { board, bytes: &self.bytes, first: Vec::new() };
        let mut game = RecordedGame::default();
        while reader.next(&mut game).expect("the log was written or checked for this board") {
            see(&game);
        }
    }
}

/// Reads a log game by game.
struct Reader<'b> {
    board: &'b Board,
    bytes: &'b [u8],
    first: Vec<u8>,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let (head, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or_else(|| broken("the history ends in the middle of a game"))?;
        self.bytes = rest;
        Ok(*head)
    }

    fn byte(&mut self) -> io::Result<u8> {
        self.take().map(|[byte]| byte)
    }

    fn short(&mut self) -> io::Result<u16> {
        self.take().map(u16::from_le_bytes)
    }

    /// Reads the next game; returns `false` at the end.
    fn next(&mut self, game: &mut RecordedGame) -> io::Result<bool> {
        game.clear();
        if self.bytes.is_empty() {
            return Ok(false);
        }
        let steps = self.take().map(u32::from_le_bytes)?;
        for end in &mut game.ends.0 {
            let code = usize::from(self.byte()?);
            *end = *ENDS.get(code).ok_or_else(|| broken("the history has an end that is not known"))?;
        }
        let (grid, symbols) = (self.board.grid(), self.board.layout.symbols.len());
        let count = self.board.cells();
        self.first.resize(count, 0);
        for at in 0..steps as usize {
            let seat = self.byte()?;
            if usize::from(seat) >= game.ends.0.len() {
                return Err(broken("the history has a seat that is not known"));
            }
            let mut place = Place::nowhere(self.short()?);
            for _ in 0..self.byte()? {
                let cell = self.short()?;
                if usize::from(cell) >= grid || place.cells.try_push(cell).is_err() {
                    return Err(broken("the history has an action that lies outside of the grid"));
                }
            }
            game.steps.push(RecordedStep { seat, place });
            match at {
                0 => game.cells.extend_from_slice(&self.first),
                _ => game.cells.extend_from_within((at - 1) * count..),
            }
            for _ in 0..self.short()? {
                let (cell, symbol) = (usize::from(self.short()?), self.byte()?);
                if cell >= count || usize::from(symbol) >= symbols {
                    return Err(broken("the history has a cell or a symbol that is not known"));
                }
                game.cells[at * count + cell] = symbol;
            }
            if at == 0 {
                self.first.copy_from_slice(&game.cells);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::{CellLayout, CellSymbol, Rng};

    use super::*;

    pub(crate) fn board(width: u16, height: u16) -> Board {
        let symbols = ["#", "0", "1", "2"].map(|text| CellSymbol::new(text, text)).to_vec();
        Board::new("toy".to_owned(), CellLayout { width, height, beside: vec!["left".to_owned()], symbols })
    }

    fn random_game(board: &Board, rng: &mut Rng) -> RecordedGame {
        let mut game = RecordedGame::default();
        let mut cells = vec![0; board.cells()];
        for _ in 0..rng.below(6) {
            let at = rng.below(board.cells() as u32) as usize;
            cells[at] = rng.below(4) as u8;
            let path: Vec<u16> = (0..rng.below(3)).map(|_| rng.below(board.grid() as u32) as u16).collect();
            game.push(rng.below(2) as u8, &cells, Place { kind: rng.below(3) as u16, ..Place::along(path) });
        }
        for seat in 0..2 {
            game.set_end(seat, *rng.choose(&End::ALL));
        }
        game
    }

    #[test]
    fn logs_are_read_as_they_were_written() {
        let (board, mut rng) = (board(3, 2), Rng::new(5));
        let games: Vec<RecordedGame> = (0..100).map(|_| random_game(&board, &mut rng)).collect();
        let mut log = GameLog::default();
        games.iter().for_each(|game| log.push(game));
        let mut bytes = Vec::new();
        log.write(&board, &mut bytes).unwrap();
        let read = GameLog::read(&board, &mut &bytes[..]).unwrap();
        assert_eq!((read.len(), &read), (100, &log));
        let mut again = Vec::new();
        read.for_each(&board, |game| again.push(game.clone()));
        assert_eq!(again, games);
        // A log that goes on after it was read is the one that went on without.
        let more = random_game(&board, &mut rng);
        let mut read = read;
        log.push(&more);
        read.push(&more);
        assert_eq!(read.bytes(), log.bytes());
    }

    #[test]
    fn damaged_logs_are_errors() {
        let (board, mut rng) = (board(3, 2), Rng::new(6));
        let mut log = GameLog::default();
        (0..5).for_each(|_| log.push(&random_game(&board, &mut rng)));
        for at in 0..log.bytes().len() {
            for bit in 0..8 {
                let mut bytes = log.bytes().to_vec();
                bytes[at] ^= 1 << bit;
                // Not every bit matters, but none may lead to a panic.
                if let Ok(read) = GameLog::parse(&board, bytes) {
                    read.for_each(&board, |_| ());
                }
            }
        }
        let mut bytes = Vec::new();
        log.write(&board, &mut bytes).unwrap();
        let other = self::board(2, 3);
        let other = Board::new("another".to_owned(), other.layout);
        let error = GameLog::read(&other, &mut &bytes[..]).unwrap_err();
        assert_eq!(error.to_string(), "the history is of `toy`, not of another");
    }

    #[test]
    fn a_seat_sees_only_its_own_steps() {
        let board = board(2, 1);
        let mut game = RecordedGame::default();
        game.push(0, &[0, 0, 0], Place::along([0]));
        game.push(1, &[1, 0, 0], Place::along([1]));
        game.push(0, &[1, 2, 0], Place::along([0]));
        game.set_end(0, End::Win);
        let mut seen = Vec::new();
        game.observe(&board, Model::Whole, |one| seen.push(*one));
        // Nobody has said how it ended for the second seat, so nothing is learnt from it.
        assert_eq!(seen.len(), 2);
        assert_eq!((seen[0].next, seen[0].is_last), (seen[1].state, false));
        assert_eq!((seen[1].next, seen[1].is_last), (End::Win.key(), true));
        let mut windows = 0;
        game.observe(&board, Model::Window(1), |_| windows += 1);
        game.observe(&board, Model::Window(2), |_| panic!("a window of 2 × 2 does not fit"));
        assert_eq!(windows, 2);
    }
}
