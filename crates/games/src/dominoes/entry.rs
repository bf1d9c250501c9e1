//! The game's name and keys.

use parlor_core::text::spec::full_form;
use parlor_core::{Entry, Key, Kind, Settings, Spec, SpecError};

use super::Dominoes;
use super::rules::{Arms, Blocked, Bonus, Drawing, Leading, MAX_TARGET, Preset, Rules, Spinner};
use super::tile::{MAX_PIPS, MAX_TILES, TileSet};

impl Entry for Dominoes {
    const NAME: &'static str = "dominoes";
    const SUMMARY: &'static str = "two hands, a boneyard, a spinner; multiples of five on the ends score";
    const KEYS: &'static [Key] = &[
        Key {
            name: "rules",
            kind: Kind::Choice(Preset::WORDS),
            default: "dominating",
            help: "rule set with the defaults of the other keys",
        },
        Key {
            name: "set",
            kind: Kind::Whole { min: 2, max: MAX_PIPS as i64 },
            default: "(6; myers 3)",
            help: "the highest double of the set",
        },
        Key {
            name: "hand",
            kind: Kind::Whole { min: 1, max: MAX_TILES as i64 / 2 },
            default: "(7; myers 3)",
            help: "tiles dealt to each seat",
        },
        Key {
            name: "fives",
            kind: Kind::Switch,
            default: "on",
            help: "whether a board count that is a multiple of five scores",
        },
        Key {
            name: "arms",
            kind: Kind::Choice(Arms::WORDS),
            default: "(immediate; myers both)",
            help: "when the spinner's arms open: when both its sides are covered, or at once",
        },
        Key {
            name: "spinner",
            kind: Kind::Choice(Spinner::WORDS),
            default: "first-double",
            help: "which double is the spinner: the first, only one that is the first tile, or none",
        },
        Key {
            name: "blocked",
            kind: Kind::Choice(Blocked::WORDS),
            default: "(each; myers lower)",
            help: "scores after a block: each seat the other's pips, the lower hand the other's pips, the lower hand the difference, or nothing",
        },
        Key {
            name: "draw",
            kind: Kind::Choice(Drawing::WORDS),
            default: "until",
            help: "without a play: draw until a tile fits, draw one and play it if it fits, or draw one and end the turn",
        },
        Key {
            name: "reserve",
            kind: Kind::Whole { min: 0, max: 2 },
            default: "0",
            help: "number of tiles of the boneyard that are never drawn",
        },
        Key {
            name: "lead",
            kind: Kind::Choice(Leading::WORDS),
            default: "(free; myers highest-double)",
            help: "leader: chance, later the last stage's winner, with any tile; or the highest double in either hand",
        },
        Key {
            name: "bonus",
            kind: Kind::Choice(Bonus::WORDS),
            default: "pips",
            help: "points for going out: the other's pips, the same rounded to the nearest five, or none",
        },
        Key {
            name: "target",
            kind: Kind::WholeOrNone { min: 1, max: MAX_TARGET as i64 },
            default: "(100; myers none)",
            help: "score that ends a contest when exceeded; none: one stage, with its points as the payoff",
        },
    ];

    fn open(settings: &Settings) -> Result<Self, SpecError> {
        const CHECKED: &str = "the words of a key were checked";
        let mut rules = Rules::of(Preset::read(settings.text("rules")).expect(CHECKED));
        let whole = |key| settings.given(key).map(|_| settings.whole(key) as u8);
        rules.set = whole("set").unwrap_or(rules.set);
        // Two default hands may be more than a smaller set has: then each hand is a third of its tiles, as in the
        // deals of the source's Table 1.
        let tiles = TileSet::all(rules.set).len();
        let usual = if rules.hand > tiles / 2 { tiles / 3 } else { rules.hand };
        rules.hand = whole("hand").unwrap_or(usual);
        rules.reserve = whole("reserve").unwrap_or(rules.reserve);
        rules.fives = settings.switch("fives");
        rules.arms = settings.given("arms").map_or(rules.arms, |w| Arms::read(w).expect(CHECKED));
        rules.spinner = settings.given("spinner").map_or(rules.spinner, |w| Spinner::read(w).expect(CHECKED));
        rules.blocked = settings.given("blocked").map_or(rules.blocked, |w| Blocked::read(w).expect(CHECKED));
        rules.draw = settings.given("draw").map_or(rules.draw, |w| Drawing::read(w).expect(CHECKED));
        rules.lead = settings.given("lead").map_or(rules.lead, |w| Leading::read(w).expect(CHECKED));
        rules.bonus = settings.given("bonus").map_or(rules.bonus, |w| Bonus::read(w).expect(CHECKED));
        if settings.given("target").is_some() {
            rules.target = settings.whole_or_none("target").map(|target| target as u16);
        }
        Dominoes::new(rules).map_err(|wrong| settings.together(wrong.to_string()))
    }

    /// Returns a game of one stage: the deals of later stages would dominate every count.
    fn for_perft(&self) -> Self {
        let rules = Rules { target: None, ..self.rules };
        Dominoes::new(rules).expect("one stage is a game under every rule")
    }

    fn spec(&self) -> Spec {
        let rules = &self.rules;
        let target = rules.target.map_or_else(|| "none".to_owned(), |target| target.to_string());
        let values = [
            ("rules", rules.preset.word().to_owned()),
            ("set", rules.set.to_string()),
            ("hand", rules.hand.to_string()),
            ("fives", (if rules.fives { "on" } else { "off" }).to_owned()),
            ("arms", rules.arms.word().to_owned()),
            ("spinner", rules.spinner.word().to_owned()),
            ("blocked", rules.blocked.word().to_owned()),
            ("draw", rules.draw.word().to_owned()),
            ("reserve", rules.reserve.to_string()),
            ("lead", rules.lead.word().to_owned()),
            ("bonus", rules.bonus.word().to_owned()),
            ("target", target),
        ];
        full_form(Self::NAME, &values)
    }
}
