//! The action between two codes: tries every play on the first code, and names those that lead to the second.

use std::collections::BTreeMap;

use super::{COUNT_BITS, Content, MAX_COUNTED, Vector};
use crate::dominoes::Dominoes;
use crate::dominoes::board::{CLOSED, End, Ends};
use crate::dominoes::rules::{Arms, Spinner};
use crate::dominoes::tile::Tile;

/// With more possible tiles than this the text gives their number.
const MAX_NAMED: usize = 4;

/// The plays that lead from one code to another: each tile with its possible places, if codes contain them.
type Plays = BTreeMap<Tile, Vec<String>>;

impl Dominoes {
    /// Returns the text of the action between two codes.
    pub(super) fn step(&self, codec: Vector, from: u128, to: u128) -> String {
        let opening = codec.is_opening(from);
        let plays = match (opening, codec.holds) {
            (true, _) => self.leads(codec, from, to),
            (false, Content::Presence) => self.plays_by_presence(codec, from, to),
            (false, _) => self.plays_by_ends(codec, from, to),
        };
        let verb = if opening { "leads" } else { "plays" };
        let named = match plays.len() {
            0 => None,
            1..=MAX_NAMED => {
                let words: Vec<String> = plays.iter().map(|(tile, places)| at(*tile, places)).collect();
                Some(format!("{verb} {}", words.join(" or ")))
            }
            many => Some(format!("{verb} one of {many} tiles")),
        };
        match (named, from == to) {
            (Some(named), false) => named,
            (Some(named), true) => format!("passes or {named}"),
            (None, true) => "passes".to_owned(),
            (None, false) => format!("{} → {}", codec.in_words(from), codec.in_words(to)),
        }
    }

    fn leads(&self, codec: Vector, from: u128, to: u128) -> Plays {
        self.all
            .tiles()
            .filter(|&tile| codec.code_of_ends(Ends::of_lead(&self.rules, tile)) == codec.table_part(to))
            .filter(|&tile| codec.hand_allows(from, to, tile))
            .map(|tile| (tile, Vec::new()))
            .collect()
    }

    fn plays_by_ends(&self, codec: Vector, from: u128, to: u128) -> Plays {
        let ends = codec.ends(from);
        let mut plays = Plays::new();
        for place in (0..4).filter(|&place| ends.pips[place] != CLOSED) {
            for tile in self.all.tiles().filter(|tile| [tile.low(), tile.high()].contains(&ends.pips[place]))
            {
                if codec.hand_allows(from, to, tile) && self.leads_to(codec, ends, place, tile, to) {
                    let words = match codec.sorted {
                        true => format!("on {}", ends.pips[place]),
                        false => End::PLACES[place].word().to_owned(),
                    };
                    let places = plays.entry(tile).or_default();
                    if !places.contains(&words) {
                        places.push(words);
                    }
                }
            }
        }
        plays
    }

    /// Returns whether a tile at a place may lead to a code. Both cases are allowed for what the first code does not
    /// contain (whether a double is lone, whether a side of the spinner is bare).
    fn leads_to(&self, codec: Vector, ends: Ends, place: usize, tile: Tile, to: u128) -> bool {
        let inner = ends.pips[place];
        let outer = tile.beyond(inner);
        let mut after = ends;
        after.pips[place] = outer;
        after.values[place] = if inner == outer { 2 * outer } else { outer };
        let mut boards = vec![after];
        // The other side of a lone double begins to count.
        for side in (0..4).filter(|&side| side != place && ends.pips[side] == inner && ends.values[side] == 0)
        {
            let mut covered = after;
            covered.values[side] = 2 * inner;
            boards.push(covered);
        }
        // Arms open with the pips that were open here, whether the tile is the spinner or covers its second side.
        let may_open = match self.rules.arms {
            Arms::Both => inner != outer,
            Arms::Immediate => inner == outer && self.rules.spinner == Spinner::FirstDouble,
        };
        if may_open && codec.places == 4 && ends.pips.contains(&CLOSED) {
            for i in 0..boards.len() {
                let mut opened = boards[i];
                opened.pips = opened.pips.map(|pips| if pips == CLOSED { inner } else { pips });
                boards.push(opened);
            }
        }
        boards.iter().any(|&board| codec.code_of_ends(board) == codec.table_part(to))
    }

    fn plays_by_presence(&self, codec: Vector, from: u128, to: u128) -> Plays {
        let (before, after) = (codec.table_part(from), codec.table_part(to));
        let fits = |inner: u8, outer: u8| {
            let (covered, shown) = (1 << inner, 1 << outer);
            before & covered != 0 && [before | shown, before & !covered | shown].contains(&after)
        };
        self.all
            .tiles()
            .filter(|tile| fits(tile.low(), tile.high()) || fits(tile.high(), tile.low()))
            .filter(|&tile| codec.hand_allows(from, to, tile))
            .map(|tile| (tile, Vec::new()))
            .collect()
    }
}

impl Vector {
    /// Returns whether the hands of two codes agree with playing `tile` between them.
    fn hand_allows(self, from: u128, to: u128, tile: Tile) -> bool {
        let (before, after) = (self.hand_part(from), self.hand_part(to));
        let halves = |pips| u8::from(tile.low() == pips) + u8::from(tile.high() == pips);
        let bits = if self.holds == Content::EndsAndCounts { COUNT_BITS } else { 1 };
        let each = |allows: &dyn Fn(u8, u8, u8) -> bool| {
            (0..=self.set).all(|pips| {
                allows(halves(pips), self.field(before, bits, pips), self.field(after, bits, pips))
            })
        };
        match self.holds {
            Content::Ends => true,
            // A double is a pair by itself; playing a tile can only end a pair.
            Content::EndsAndPairs => each(&|halves, was, is| match halves {
                0 => is == was,
                1 => is <= was,
                _ => was == 1,
            }),
            Content::Presence => each(&|halves, was, is| if halves == 0 { is == was } else { was == 1 }),
            Content::EndsAndCounts => each(&|halves, was, is| match was {
                MAX_COUNTED => (MAX_COUNTED - halves..=MAX_COUNTED).contains(&is),
                _ => was >= halves && is == was - halves,
            }),
            Content::Scores { .. } => {
                let ([own, other], [own_after, other_after]) = (self.tiles(from), self.tiles(to));
                let one_less = own.is_none_or(|own| own > 0 && own_after == Some(own - 1));
                one_less && other == other_after
            }
        }
    }
}

fn at(tile: Tile, places: &[String]) -> String {
    match places {
        [] => tile.to_string(),
        // If ends are sorted, the places are the pips that the tile lies on.
        [first, ..] if first.starts_with("on ") => format!("{tile} {}", places.join(" or ")),
        _ => format!("{tile} at {}", places.join(" or ")),
    }
}
