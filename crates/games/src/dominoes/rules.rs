//! The switches of the game and the two rule sets of the sources.

use std::fmt;

use super::tile::{MAX_PIPS, TileSet};

/// Defines an enum with a word for each value in `name(key=value)`.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$each:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub enum $name { $($(#[$each])* $value,)* }

        impl $name {
            /// The words of the values, in the order of the values.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// Returns the word of this value.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $($name::$value => $word,)* }
            }

            /// Returns the value of a word.
            #[must_use]
            pub fn read(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($name::$value),)*
                    _ => None,
                }
            }
        }
    };
}

switch! {
    /// A rule set: the defaults of the other switches.
    Preset {
        /// "Dominating Dominoes": double-six, contests.
        Dominating = "dominating",
        /// Myers 2014: double-three, one stage.
        Myers = "myers",
    }
}

switch! {
    /// When the two arms of the spinner open.
    Arms {
        /// When both of its sides are covered.
        Both = "both",
        /// As soon as it is played.
        Immediate = "immediate",
    }
}

switch! {
    /// Which double is the spinner.
    Spinner {
        /// The first double that is played.
        FirstDouble = "first-double",
        /// A double that is the very first tile; otherwise there is no spinner.
        FirstTile = "first-tile",
        /// No spinner: a line with two ends.
        None = "none",
    }
}

switch! {
    /// Scores after a block.
    Blocked {
        /// Each seat the pips of the other.
        Each = "each",
        /// The lower hand the pips of the other; equal hands score nothing.
        Lower = "lower",
        /// The lower hand the difference.
        Difference = "difference",
        /// No scores.
        Nothing = "nothing",
    }
}

switch! {
    /// The turn of a seat without a tile to play.
    Drawing {
        /// It draws until it has one, or no tile may be drawn any more.
        Until = "until",
        /// It draws one and plays it if it fits; otherwise it passes.
        OneThenPlay = "one-then-play",
        /// It draws one, and its turn is over.
        OneEndsTurn = "one-ends-turn",
    }
}

switch! {
    /// Who leads a stage, and with what.
    Leading {
        /// At first a random seat, later the seat that went out, or the lower hand after a block, or the same leader
        /// again if the hands were equal. It leads any tile.
        Free = "free",
        /// The seat with the highest double must lead it; without doubles, the heaviest tile.
        HighestDouble = "highest-double",
    }
}

switch! {
    /// The score of the seat that goes out.
    Bonus {
        /// The pips of the other hand.
        Pips = "pips",
        /// The same, rounded to the nearest multiple of five.
        Five = "five",
        /// Nothing.
        None = "none",
    }
}

/// All switches together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// The rule set of the defaults; has no effect of its own.
    pub preset: Preset,
    /// The highest double of the set, 2 … 9.
    pub set: u8,
    /// Number of tiles dealt to each seat.
    pub hand: u8,
    /// Whether a board count that is a multiple of five scores.
    pub fives: bool,
    /// When the arms open.
    pub arms: Arms,
    /// Which double is the spinner.
    pub spinner: Spinner,
    /// Who scores after a block.
    pub blocked: Blocked,
    /// How tiles are drawn.
    pub draw: Drawing,
    /// Number of tiles of the boneyard that are never drawn.
    pub reserve: u8,
    /// Who leads.
    pub lead: Leading,
    /// The score for going out.
    pub bonus: Bonus,
    /// The score that ends a contest when it is exceeded; `None`: one stage, with its points as the payoff.
    pub target: Option<u16>,
}

/// The largest target.
pub const MAX_TARGET: u16 = 1000;

/// Number of stages after which a contest ends even below its target; the higher score wins.
///
/// Without it two seats could agree never to score. Random play takes 4 stages to 100 and 38 to 1000 with double-six,
/// 308 to 1000 with `myers` (means).
pub const MAX_STAGES: u16 = 1000;

/// Reasons why rules are inconsistent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RulesError {
    /// The set is not supported.
    Set(u8),
    /// Two hands need more tiles than the set has, or a hand is empty.
    Hand {
        /// The size of a hand.
        hand: u8,
        /// The highest double.
        set: u8,
        /// Number of tiles of the set.
        tiles: u8,
    },
    /// The target is out of range.
    Target(u16),
    /// A contest in which no score is possible.
    NoScores,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::Set(set) => write!(f, "double-{set} is not supported; set is 2 … {MAX_PIPS}"),
            RulesError::Hand { hand, set, tiles } => write!(
                f,
                "two hands of {hand} are more than the {tiles} tiles of double-{set} allow; hand is 1 … {}",
                tiles / 2
            ),
            RulesError::Target(target) => {
                write!(f, "a target of {target} is out of range; target is 1 … {MAX_TARGET} or none")
            }
            RulesError::NoScores => f.write_str(
                "no seat can score with fives=off, bonus=none and blocked=nothing, so no contest would end; \
                 take target=none",
            ),
        }
    }
}

impl std::error::Error for RulesError {}

impl Rules {
    /// Returns the rules of a rule set.
    #[must_use]
    pub const fn of(preset: Preset) -> Rules {
        let dominating = Rules {
            preset: Preset::Dominating,
            set: 6,
            hand: 7,
            fives: true,
            arms: Arms::Immediate,
            spinner: Spinner::FirstDouble,
            blocked: Blocked::Each,
            draw: Drawing::Until,
            reserve: 0,
            lead: Leading::Free,
            bonus: Bonus::Pips,
            target: Some(100),
        };
        match preset {
            Preset::Dominating => dominating,
            Preset::Myers => Rules {
                preset: Preset::Myers,
                set: 3,
                hand: 3,
                arms: Arms::Both,
                blocked: Blocked::Lower,
                lead: Leading::HighestDouble,
                target: None,
                ..dominating
            },
        }
    }

    /// Checks that the switches are consistent.
    ///
    /// # Errors
    /// The first inconsistency.
    pub fn check(&self) -> Result<(), RulesError> {
        if !(2..=MAX_PIPS).contains(&self.set) {
            return Err(RulesError::Set(self.set));
        }
        let tiles = TileSet::all(self.set).len();
        if self.hand == 0 || self.hand > tiles / 2 {
            return Err(RulesError::Hand { hand: self.hand, set: self.set, tiles });
        }
        if let Some(target) = self.target {
            if !(1..=MAX_TARGET).contains(&target) {
                return Err(RulesError::Target(target));
            }
            if !self.fives && self.bonus == Bonus::None && self.blocked == Blocked::Nothing {
                return Err(RulesError::NoScores);
            }
        }
        Ok(())
    }
}
