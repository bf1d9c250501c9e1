//! The numbers that entries are made of, and the groups of numbers that have entries. Amounts of pips are those of double-six.

use crate::dominoes::tile::{MAX_PIPS, MAX_TILES, TileSet};
use crate::facts::{NumberInfo, Scale, chance, counts, names, numbers, steps, steps_from};

/// Returns the text of a tile by its number.
fn tile(number: u32) -> String {
    TileSet::all(MAX_PIPS).nth(number).to_string()
}

/// Whether something is so.
const SWITCH: &[&str] = &["no", "yes"];
/// Numbers of tiles.
const FEW: &[&str] = &["1", "2", "3–4", "5+"];
const BONEYARD: &[&str] = &["0", "1–2", "3–5", "6–9", "10+"];
/// How many points each seat needs to win the contest, the own seat first.
const CLOSENESS: &[&str] = &[
    "≤15, ≤15",
    "≤15, ≤30",
    "≤15, ≤55",
    "≤15, more",
    "≤30, ≤15",
    "≤30, ≤30",
    "≤30, ≤55",
    "≤30, more",
    "≤55, ≤15",
    "≤55, ≤30",
    "≤55, ≤55",
    "≤55, more",
    "more, ≤15",
    "more, ≤30",
    "more, ≤55",
    "more, more",
];
/// The pips of an end; the last is the larger ones' and that of a place where no tile fits.
const PIPS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "closed"];

/// The score at which a contest ends, on the scale of the entries.
pub(super) const GOAL: u32 = 100;

numbers! {
    // Of the play.
    OwnTiles = counts(10, "tiles in hand"),
    OtherTiles = counts(10, "tiles of the other"),
    Boneyard = counts(15, "boneyard"),
    OwnFew = counts(7, "tiles in hand"),
    OtherFew = counts(7, "tiles of the other"),
    BoneyardClass = names(BONEYARD, "boneyard"),
    OwnPips = steps(21, 3.0, "pips in hand"),
    OwnPipsCoarse = steps(14, 4.0, "pips in hand"),
    OtherPips = steps(16, 4.0, "expected pips of the other"),
    Blocked = chance(11, 0.1, "chance that the other cannot play"),
    BlockedFine = chance(21, 0.05, "chance that the other cannot play"),
    Reply = steps(16, 0.6, "expected points of the best reply"),
    Count = counts(41, "board count"),
    Fitting = counts(6, "tiles in hand that fit"),
    Following = steps(6, 5.0, "points to score next"),
    Scorers = counts(4, "tiles in hand that score"),
    UnseenFitting = counts(22, "unseen tiles that fit"),
    EndA = names(PIPS, "end"),
    EndB = names(PIPS, "end"),
    EndC = names(PIPS, "end"),
    EndD = names(PIPS, "end"),
    Values = counts(11, "values in hand"),
    Doubles = counts(8, "doubles in hand"),
    Closeness = names(CLOSENESS, "points to go"),
    Wins = chance(11, 0.1, "chance of a reply that wins the contest"),
    Winning = names(SWITCH, "could win the contest next"),
    Possible = counts(22, "unseen tiles that the other may hold"),
    Stuck = chance(11, 0.1, "chance of no tile that fits after the reply"),
    Answer = steps(16, 1.0, "expected points to score after the reply"),
    // Of the scores.
    GoesOut = names(SWITCH, "goes out"),
    OwnScore = counts(GOAL + 1, "own score"),
    OtherScore = counts(GOAL + 1, "other's score"),
    OwnQuarter = steps(26, 4.0, "own score"),
    OtherQuarter = steps(26, 4.0, "other's score"),
    OwnShifted = steps_from(-2.0, 26, 4.0, "own score"),
    OtherShifted = steps_from(-2.0, 26, 4.0, "other's score"),
    Margin = steps_from(-(GOAL as f64), 2 * GOAL + 1, 1.0, "lead"),
    Progress = steps(5, 25.0, "higher score"),
    // Of a value.
    Value = counts(MAX_PIPS as u32 + 1, "value"),
    ValueOwn = counts(8, "in hand"),
    ValueUnseen = counts(8, "unseen"),
    ValueEnds = counts(4, "ends"),
    ValueOpen = names(SWITCH, "open"),
    ValueLacked = chance(6, 0.2, "chance that the other has none"),
    OtherClass = names(FEW, "tiles of the other"),
    // Of an open end.
    EndOwn = counts(5, "tiles in hand that fit the end"),
    EndUnseen = counts(8, "unseen tiles that fit it"),
    EndScores = names(SWITCH, "one in hand scores there"),
    EndScorers = counts(3, "unseen ones that score there"),
    // Of a tile in hand.
    Tile = NumberInfo { size: MAX_TILES as u32, scale: Scale::Other(tile), words: "tile" },
    TileFits = names(SWITCH, "fits"),
    TileDouble = names(SWITCH, "double"),
    OwnLinks = counts(7, "linked tiles in hand"),
    UnseenLinks = counts(13, "linked unseen tiles"),
}

use Number as N;

/// The scores: always active.
pub(super) const SCORES: [Group; 6] = [
    &[N::GoesOut, N::OwnQuarter, N::OtherQuarter],
    &[N::GoesOut, N::OwnShifted, N::OtherShifted],
    &[N::GoesOut, N::OwnScore],
    &[N::GoesOut, N::OtherScore],
    &[N::GoesOut, N::Progress, N::Margin],
    &[N::GoesOut, N::Closeness],
];

/// The play: active if tiles are left in hand.
pub(super) const PLAY: [Group; 26] = [
    &[N::Closeness, N::OwnFew, N::OtherFew, N::BoneyardClass],
    &[N::Closeness, N::Reply, N::OtherFew],
    &[N::Closeness, N::OtherPips, N::OwnFew],
    &[N::Closeness, N::Blocked, N::OtherFew],
    &[N::Closeness, N::OwnPipsCoarse, N::OtherFew],
    &[N::Closeness, N::Following, N::Scorers, N::OwnFew],
    &[N::Wins, N::Winning, N::OtherFew],
    &[N::OwnTiles, N::OtherTiles, N::Boneyard],
    &[N::OwnTiles, N::OtherTiles, N::OwnPips],
    &[N::BlockedFine, N::OtherFew, N::BoneyardClass, N::OwnFew],
    &[N::Reply, N::OtherFew, N::OwnFew],
    &[N::Count, N::OtherFew],
    &[N::Fitting, N::OwnFew, N::OtherFew, N::Following],
    &[N::Following, N::Scorers, N::OwnFew, N::Fitting, N::Reply],
    &[N::OtherPips, N::OtherFew, N::OwnFew, N::Blocked],
    &[N::UnseenFitting, N::OtherFew, N::Fitting],
    &[N::EndA, N::EndB, N::EndC, N::EndD],
    &[N::Fitting, N::Blocked, N::Reply],
    &[N::Values, N::OwnTiles, N::Doubles],
    &[N::Closeness, N::Fitting, N::OwnFew, N::OtherFew],
    &[N::Possible, N::OtherFew, N::OwnFew],
    &[N::Stuck, N::OwnFew, N::OtherFew, N::BoneyardClass],
    &[N::Answer, N::OwnFew, N::OtherFew],
    &[N::Answer, N::Reply, N::Following],
    &[N::Answer, N::Closeness, N::OtherFew],
    &[N::Stuck, N::Closeness, N::OtherFew],
];

/// Each value of the set.
pub(super) const VALUES: [Group; 2] = [
    &[N::ValueOwn, N::ValueUnseen, N::ValueEnds, N::OtherClass, N::ValueLacked],
    &[N::Value, N::ValueOwn, N::ValueUnseen, N::ValueEnds],
];

/// Each double in hand.
pub(super) const DOUBLES: [Group; 1] = [&[N::Value, N::ValueOwn, N::ValueUnseen, N::ValueOpen]];

/// Each open end.
pub(super) const ENDS: [Group; 1] = [&[N::EndOwn, N::EndUnseen, N::EndScores, N::EndScorers, N::OtherClass]];

/// Each tile in hand.
pub(super) const TILES: [Group; 2] = [
    &[N::Tile, N::TileFits, N::OtherClass, N::OwnFew],
    &[N::OwnLinks, N::TileFits, N::UnseenLinks, N::TileDouble],
];

/// Number of groups.
pub(super) const GROUPS: usize =
    SCORES.len() + PLAY.len() + VALUES.len() + DOUBLES.len() + ENDS.len() + TILES.len();

/// Every group, in the order of their entries.
pub(super) const ALL: [Group; GROUPS] = {
    let mut all = [SCORES[0]; GROUPS];
    let parts: [&[Group]; 6] = [&SCORES, &PLAY, &VALUES, &DOUBLES, &ENDS, &TILES];
    let (mut next, mut part) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            all[next] = parts[part][at];
            (next, at) = (next + 1, at + 1);
        }
        part += 1;
    }
    all
};

/// The first entry of each group, and the number of entries.
pub(super) const STARTS: [u32; GROUPS + 1] = {
    let mut starts = [0; GROUPS + 1];
    let mut group = 0;
    while group < GROUPS {
        starts[group + 1] = starts[group] + entries_of(ALL[group]);
        group += 1;
    }
    starts
};
