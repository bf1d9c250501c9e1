//! How people play each game: other names for it, the strength of their opponents, and the boards they expect.

use std::fmt;
use std::str::FromStr;

/// How strong an opponent is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A beginner beats it.
    Easy,
    /// For people who know the game.
    Medium,
    /// For good players.
    Hard,
    /// The strongest agent there is, at one to two seconds a move.
    Strongest,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: [Level; 4] = [Level::Easy, Level::Medium, Level::Hard, Level::Strongest];

    /// Returns the level's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Strongest => "strongest",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let names = Level::ALL.map(Level::name).join(", ");
        let level = Level::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| format!("there is no level `{}`; levels are {names}", text.escape_debug()))
    }
}

/// A board or a set of rules that has a name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// The game's spec.
    pub game: &'static str,
}

/// How people play a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TablePlan {
    /// Other names that people know the game by.
    pub aliases: &'static [&'static str],
    /// The spec of the opponent of each level, in the order of [`Level::ALL`]; `None` for a game that is played alone.
    pub levels: Option<[&'static str; Level::ALL.len()]>,
    /// The spec of the agent that gives hints, in a second or two.
    pub hints: &'static str,
    /// Boards with names. In a game that is played alone they are its levels: the easiest first.
    pub presets: &'static [Preset],
    /// The spec that a player means who says no more than the game's name.
    pub usual: &'static str,
}

impl TablePlan {
    /// Returns the spec of the opponent of a level; `None` in a game that is played alone.
    #[must_use]
    pub fn opponent(&self, level: Level) -> Option<&'static str> {
        self.levels.map(|levels| levels[level as usize])
    }

    /// Returns the board of a level in a game that is played alone.
    #[must_use]
    pub fn board(&self, level: Level) -> Option<&'static Preset> {
        self.presets.get(level as usize).filter(|_| self.levels.is_none())
    }

    /// Returns the preset of that name.
    #[must_use]
    pub fn preset(&self, name: &str) -> Option<&'static Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}

// The levels below `strongest` are limited by nodes, simulations or rules, never by time: with equal seeds they play equally on every
// machine. The order of the levels of each game was checked by matches; docs/guide/playing.md has the figures.

/// The plan for dominoes.
pub(crate) static DOMINOES: TablePlan = TablePlan {
    aliases: &[],
    levels: Some(["ismcts(sims=8, playout=random, beliefs=off)", "scoring", "expert", "pimc(time_ms=1500)"]),
    hints: "pimc(time_ms=1500)",
    presets: &[
        Preset { name: "contest", summary: "double-six, to 100 points", game: "dominoes" },
        Preset { name: "stage", summary: "double-six, one stage", game: "dominoes(target=none)" },
        Preset {
            name: "small",
            summary: "double-three, three tiles each, one stage",
            game: "dominoes(rules=myers)",
        },
    ],
    usual: "dominoes",
};

/// The plan for connect.
pub(crate) static CONNECT: TablePlan = TablePlan {
    aliases: &["c4", "connect4"],
    levels: Some(["mcts(sims=12)", "mcts(sims=100)", "alphabeta(nodes=5000)", "alphabeta(time_ms=1500)"]),
    hints: "alphabeta(time_ms=1500)",
    presets: &[
        Preset {
            name: "classic",
            summary: "four in a row on 7 columns and 6 rows",
            game: "connect(width=7, height=6)",
        },
        Preset { name: "wide", summary: "four in a row on 11 columns and 10 rows", game: "connect" },
        Preset {
            name: "five",
            summary: "five in a row on 9 columns and 7 rows",
            game: "connect(width=9, height=7, row=5)",
        },
    ],
    usual: "connect(width=7, height=6)",
};

/// The plan for tictactoe.
pub(crate) static TICTACTOE: TablePlan = TablePlan {
    aliases: &["ttt", "noughts"],
    levels: Some(["mcts(sims=4)", "mcts(sims=20)", "mcts(sims=150)", "alphabeta(time_ms=1500)"]),
    hints: "alphabeta(time_ms=1500)",
    presets: &[
        Preset { name: "classic", summary: "3×3", game: "tictactoe" },
        Preset { name: "large", summary: "5×5, many rows of three", game: "tictactoe(rows=5, columns=5)" },
    ],
    usual: "tictactoe",
};

/// The plan for checkers.
pub(crate) static CHECKERS: TablePlan = TablePlan {
    aliases: &["draughts"],
    levels: Some(["mcts(sims=20)", "alphabeta(depth=2)", "alphabeta(nodes=5000)", "alphabeta(time_ms=1500)"]),
    hints: "alphabeta(time_ms=1500)",
    presets: &[
        Preset { name: "classic", summary: "American checkers on 8×8", game: "checkers" },
        Preset { name: "small", summary: "6×6, a quick match", game: "checkers(rows=6, columns=6)" },
    ],
    usual: "checkers",
};

/// The plan for dark chess.
pub(crate) static DARKCHESS: TablePlan = TablePlan {
    aliases: &["banqi"],
    levels: Some(["mcts(sims=60)", "mcts(sims=1500)", "expectimax(nodes=1000)", "expectimax(time_ms=1500)"]),
    hints: "expectimax(time_ms=1500)",
    presets: &[],
    usual: "darkchess",
};

/// The plan for minesweeper. The first click of its boards is safe, as people know it; the game's own default is not.
pub(crate) static MINESWEEPER: TablePlan = TablePlan {
    aliases: &["mines"],
    levels: None,
    hints: "deduce",
    presets: &[
        Preset {
            name: "beginner",
            summary: "9×9, 10 mines",
            game: "minesweeper(rows=9, columns=9, mines=10, first=safe)",
        },
        Preset {
            name: "intermediate",
            summary: "16×16, 40 mines",
            game: "minesweeper(rows=16, columns=16, mines=40, first=safe)",
        },
        Preset {
            name: "expert",
            summary: "30×16, 99 mines",
            game: "minesweeper(rows=16, columns=30, mines=99, first=safe)",
        },
    ],
    usual: "minesweeper(rows=9, columns=9, mines=10, first=safe)",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_and_written() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
        }
        let wrong = "hardest".parse::<Level>().unwrap_err();
        assert_eq!(wrong, "there is no level `hardest`; levels are easy, medium, hard, strongest");
    }
}
