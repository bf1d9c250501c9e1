//! The 32 pieces: sides, kinds, letters, and captures.

/// A side. The seats have no colours until the first piece is turned up.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// Upper-case letters.
    Red,
    /// Lower-case letters.
    Black,
}

impl Colour {
    /// Both, red first.
    pub const ALL: [Colour; 2] = [Colour::Red, Colour::Black];

    /// Returns the other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }

    /// Returns 0 for red and 1 for black, for indexing.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `red` or `black`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Black => "black",
        }
    }
}

/// A kind of piece, from the lowest to the highest rank.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// `P`, 兵 and 卒; five on each side. Takes pawns and the king.
    Pawn,
    /// `C`, 炮 and 包. Takes anything, but only by jumping.
    Cannon,
    /// `N`, 傌 and 馬.
    Knight,
    /// `R`, 俥 and 車.
    Rook,
    /// `M`, 相 and 象; the minister or elephant.
    Minister,
    /// `G`, 仕 and 士; the guard or advisor.
    Guard,
    /// `K`, 帥 and 將; one on each side. Takes anything but pawns.
    King,
}

impl Kind {
    /// All kinds, the lowest first.
    pub const ALL: [Kind; 7] =
        [Kind::Pawn, Kind::Cannon, Kind::Knight, Kind::Rook, Kind::Minister, Kind::Guard, Kind::King];

    /// Returns the number of pieces of this kind on each side.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Kind::Pawn => 5,
            Kind::King => 1,
            _ => 2,
        }
    }

    /// Returns whether a piece of this kind may take an enemy of kind `other` next to it.
    #[must_use]
    pub const fn takes(self, other: Kind) -> bool {
        match (self, other) {
            (Kind::Cannon, _) | (Kind::King, Kind::Pawn) => false,
            (Kind::Pawn, Kind::King) => true,
            _ => self as u8 >= other as u8,
        }
    }

    /// Returns the name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pawn => "pawn",
            Kind::Cannon => "cannon",
            Kind::Knight => "knight",
            Kind::Rook => "rook",
            Kind::Minister => "minister",
            Kind::Guard => "guard",
            Kind::King => "king",
        }
    }

    /// Returns the letter of the red piece.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Kind::Pawn => 'P',
            Kind::Cannon => 'C',
            Kind::Knight => 'N',
            Kind::Rook => 'R',
            Kind::Minister => 'M',
            Kind::Guard => 'G',
            Kind::King => 'K',
        }
    }
}

/// A kind of piece of one side, in four bits: the side above three bits of kind.
///
/// ```text
///    0 P   1 C   2 N   3 R   4 M   5 G   6 K   7 (an empty square)
///    8 p   9 c  10 n  11 r  12 m  13 g  14 k  15 (a piece face down)
/// ```
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece(u8);

impl Piece {
    /// Returns the piece of a side and a kind.
    #[must_use]
    pub const fn new(colour: Colour, kind: Kind) -> Piece {
        Piece((colour as u8) << 3 | kind as u8)
    }

    /// Returns all pieces in the order of their codes: red before black, pawns before kings.
    pub fn all() -> impl Iterator<Item = Piece> {
        Colour::ALL.into_iter().flat_map(|colour| Kind::ALL.map(|kind| Piece::new(colour, kind)))
    }

    /// Returns the side.
    #[inline]
    #[must_use]
    pub const fn colour(self) -> Colour {
        if self.0 & 8 == 0 { Colour::Red } else { Colour::Black }
    }

    /// Returns the kind.
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.0 as usize & 7]
    }

    /// Returns the four bits.
    #[inline]
    pub(super) const fn code(self) -> u8 {
        self.0
    }

    /// Returns the piece of a code, which must not be that of an empty square or a piece face down.
    #[inline]
    pub(super) const fn from_code(code: u8) -> Piece {
        Piece(code)
    }

    /// Returns the letter, a capital for red.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.colour() {
            Colour::Red => self.kind().letter(),
            Colour::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// Returns the piece of a letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::all().find(|piece| piece.letter() == letter)
    }
}
