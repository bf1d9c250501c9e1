//! The weights of the evaluation, read from a data file.

use parlor_core::ReadError;
use serde::Deserialize;

/// The weights of the evaluation of dark chess; the data file explains each number.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    pub(super) base: Base,
    pub(super) balance: Balance,
    pub(super) squares: Squares,
    pub(super) hunt: Hunt,
    pub(super) progress: ProgressWeights,
}

/// Base value of each kind.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Base {
    pawn: i32,
    cannon: i32,
    knight: i32,
    rook: i32,
    minister: i32,
    guard: i32,
    king: i32,
}

impl Base {
    /// Returns the values in the order of [`Kind::ALL`](super::super::Kind::ALL).
    #[inline]
    pub(super) const fn by_kind(&self) -> [i32; 7] {
        [self.pawn, self.cannon, self.knight, self.rook, self.minister, self.guard, self.king]
    }
}

/// Weights of the pieces that a piece can take and that can take it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Balance {
    pub(super) sway: i32,
    pub(super) reach: i32,
}

/// Weights of squares and neighbours.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Squares {
    pub(super) mobility: i32,
    pub(super) threat: i32,
    pub(super) dark: i32,
}

/// Weights of the distance from prey.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hunt {
    pub(super) veiled: i32,
    pub(super) bare: i32,
    pub(super) second: i32,
    pub(super) parity: i32,
}

/// Weights of a lead that makes no progress.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgressWeights {
    pub(super) fade: i32,
}

/// The largest weight; sums over a whole board stay far from overflow.
const MAX_WEIGHT: i32 = 2_000;

impl Weights {
    /// Reads the text of a data file.
    pub(super) fn read(text: &str) -> Result<Weights, ReadError> {
        const WHAT: &str = "weights of dark chess";
        let weights: Weights = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.get(..at).map_or(1, |before| before.lines().count().max(1));
            ReadError::new(WHAT, format!("line {line}: {}", error.message()))
        })?;
        let Weights { base, balance, squares, hunt, progress } = &weights;
        let mut all = base.by_kind().to_vec();
        all.extend([balance.sway, balance.reach, squares.mobility, squares.threat, squares.dark]);
        all.extend([hunt.veiled, hunt.bare, hunt.second, hunt.parity, progress.fade]);
        match all.into_iter().find(|weight| !(0..=MAX_WEIGHT).contains(weight)) {
            Some(weight) => Err(ReadError::new(WHAT, format!("weight {weight} is out of range"))
                .hint(format!("every weight is a whole number from 0 to {MAX_WEIGHT}"))),
            None if balance.reach > 100 || progress.fade > 100 => {
                let which = if balance.reach > 100 { "reach" } else { "fade" };
                Err(ReadError::new(WHAT, format!("`{which}` is above 100 percent"))
                    .hint("it is a share, from 0 to 100 percent"))
            }
            None => Ok(weights),
        }
    }
}
