//! The numbers that the evaluation rests on, as they stand in a data file.

use parlor_core::ReadError;
use serde::Deserialize;

/// What the evaluation of dark chess rests on; the data file says what each number means.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    pub(super) base: Base,
    pub(super) balance: Balance,
    pub(super) squares: Squares,
    pub(super) hunt: Hunt,
    pub(super) progress: ProgressWeights,
}

/// What each kind is worth by being there.
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
    /// Returns the numbers in the order of [`Kind::ALL`](super::super::Kind::ALL).
    #[inline]
    pub(super) const fn by_kind(&self) -> [i32; 7] {
        [self.pawn, self.cannon, self.knight, self.rook, self.minister, self.guard, self.king]
    }
}

/// What a piece is worth by who takes whom.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Balance {
    pub(super) sway: i32,
    pub(super) reach: i32,
}

/// What squares and neighbours are worth.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Squares {
    pub(super) mobility: i32,
    pub(super) threat: i32,
    pub(super) dark: i32,
}

/// What being near one's prey is worth.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hunt {
    pub(super) veiled: i32,
    pub(super) bare: i32,
    pub(super) second: i32,
    pub(super) parity: i32,
}

/// What becomes of a lead that is not used.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgressWeights {
    pub(super) fade: i32,
}

/// No weight is larger: sums over a whole board stay far from overflowing.
const LARGEST: i32 = 2_000;

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
        match all.into_iter().find(|weight| !(0..=LARGEST).contains(weight)) {
            Some(weight) => Err(ReadError::new(WHAT, format!("{weight} is out of bounds"))
                .hint(format!("every weight is a whole number from 0 to {LARGEST}"))),
            None if balance.reach > 100 || progress.fade > 100 => {
                let which = if balance.reach > 100 { "reach" } else { "fade" };
                Err(ReadError::new(WHAT, format!("`{which}` is a share"))
                    .hint("it is 100 percent at the most"))
            }
            None => Ok(weights),
        }
    }
}
