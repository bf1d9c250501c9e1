//! Codes as text.

use super::{COUNT_BITS, Content, MAX_COUNTED, Vector};
use crate::dominoes::board::CLOSED;

impl Vector {
    /// Returns the text of a code: `ends 3 | 5 · arms 2 2 · two or more: 1 4`.
    pub(super) fn in_words(self, code: u128) -> String {
        let table = self.table_in_words(code);
        let hand = self.hand_part(code);
        match self.holds {
            Content::Ends => table,
            Content::EndsAndPairs => {
                let pairs = self.list(|pips| (self.field(hand, 1, pips) > 0).then(|| pips.to_string()));
                format!("{table} · two or more: {pairs}")
            }
            Content::Presence => {
                let held = self.list(|pips| (self.field(hand, 1, pips) > 0).then(|| pips.to_string()));
                format!("{table} · in hand: {held}")
            }
            Content::EndsAndCounts => {
                let held = self.list(|pips| match self.field(hand, COUNT_BITS, pips) {
                    0 => None,
                    1 => Some(pips.to_string()),
                    MAX_COUNTED => Some(format!("{pips}×{MAX_COUNTED}+")),
                    count => Some(format!("{pips}×{count}")),
                });
                format!("{table} · in hand: {held}")
            }
            Content::Scores { .. } => match self.tiles(code) {
                [None, None] => table,
                [Some(own), None] => format!("{table}, {} in hand", tiles(own)),
                [None, Some(other)] => format!("{table}, the other holds {}", tiles(other)),
                [Some(own), Some(other)] => {
                    format!("{table}, {} in hand, the other holds {other}", tiles(own))
                }
            },
        }
    }

    fn table_in_words(self, code: u128) -> String {
        if self.is_opening(code) {
            return "an empty table".to_owned();
        }
        if self.holds == Content::Presence {
            let on_table = self.table_part(code);
            let ends = self.list(|pips| (self.field(on_table, 1, pips) > 0).then(|| pips.to_string()));
            return format!("ends {ends}");
        }
        let ends = self.ends(code);
        let one = |place: usize| match (ends.pips[place], self.holds) {
            (CLOSED, _) => None,
            (pips, Content::Scores { .. }) => Some(format!("{pips}({})", ends.values[place])),
            (pips, _) => Some(pips.to_string()),
        };
        if self.sorted {
            let open: Vec<String> = (0..4).filter_map(one).collect();
            return format!("ends {}", open.join(" "));
        }
        let shown = |place| one(place).unwrap_or_else(|| "-".to_owned());
        let line = format!("ends {} | {}", shown(0), shown(1));
        match (self.places, one(2), one(3)) {
            (2, ..) => line,
            (_, None, None) => format!("{line}, no arms"),
            _ => format!("{line} · arms {} {}", shown(2), shown(3)),
        }
    }

    /// Returns the items of all pip values, `none` if there are none.
    fn list(self, item: impl Fn(u8) -> Option<String>) -> String {
        let items: Vec<String> = (0..=self.set).filter_map(item).collect();
        if items.is_empty() { "none".to_owned() } else { items.join(" ") }
    }
}

fn tiles(count: u8) -> String {
    if count == 1 { "1 tile".to_owned() } else { format!("{count} tiles") }
}
