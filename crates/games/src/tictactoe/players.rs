//! Players for tic-tac-toe only: one rule each, no search. They differ in style, which a classifier can learn to recognise.

use parlor_core::api::{AgentEntry, Make};
use parlor_core::{Agent, Context, Decision, Key, Policy};

use super::{Cell, TicTacToe};
use crate::bits::Word;
use crate::choice::{self, Ties};

/// Whose windows of three a player looks at.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Aim {
    /// Its own.
    Own,
    /// The other side's.
    Other,
}

/// Takes the cell that does most for its own windows of three, or most against the other side's.
///
/// Cells are compared by the windows through them that are open for that side: first those with two of its cells, then with one, then
/// with none.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Windows {
    aim: Aim,
    /// Choice among equally good cells.
    ties: Ties,
}

impl Windows {
    /// Returns the player that completes and extends its own windows.
    #[must_use]
    pub const fn attack(ties: Ties) -> Windows {
        Windows { aim: Aim::Own, ties }
    }

    /// Returns the player that closes the other side's windows.
    #[must_use]
    pub const fn block(ties: Ties) -> Windows {
        Windows { aim: Aim::Other, ties }
    }

    /// Returns the key of a cell: windows with two, one and no cells of the side that it looks at.
    fn worth(self, decision: &Decision<'_, TicTacToe>, cell: Cell) -> Option<[u32; 3]> {
        let board = decision.view;
        let x_moves = (board.x | board.o).len() & 1 == 0;
        let (own, other) = if x_moves { (board.x, board.o) } else { (board.o, board.x) };
        let [none, one, two] = match self.aim {
            Aim::Own => decision.game.windows_through(cell, own, other),
            Aim::Other => decision.game.windows_through(cell, other, own),
        };
        Some([two, one, none])
    }
}

impl Agent<TicTacToe> for Windows {
    fn act(&mut self, decision: &Decision<'_, TicTacToe>, context: &mut Context<'_, TicTacToe>) -> Cell {
        choice::act(decision, self.ties, context.rng, |cell| self.worth(decision, cell))
    }
}

impl Policy<TicTacToe> for Windows {
    fn weigh(&mut self, decision: &Decision<'_, TicTacToe>, weights: &mut Vec<f64>) {
        choice::weigh(decision, self.ties, weights, |cell| self.worth(decision, cell));
    }
}

/// Ties are frequent and the first cell is always in the same corner, so the default is a random one.
const KEYS: &[Key] = &[Key { default: "random", ..Ties::KEY }];

/// Returns the players for tic-tac-toe.
#[must_use]
pub fn agents() -> [AgentEntry<TicTacToe>; 2] {
    [
        AgentEntry {
            name: "attack",
            summary: "completes its own threes, else extends its own lines",
            keys: KEYS,
            make: Make::Agent(|context| Ok(Box::new(Windows::attack(Ties::read(context.settings))))),
            policy: Some(|context| Ok(Box::new(Windows::attack(Ties::read(context.settings))))),
        },
        AgentEntry {
            name: "block",
            summary: "closes the other side's lines, the fullest first",
            keys: KEYS,
            make: Make::Agent(|context| Ok(Box::new(Windows::block(Ties::read(context.settings))))),
            policy: Some(|context| Ok(Box::new(Windows::block(Ties::read(context.settings))))),
        },
    ]
}

#[cfg(test)]
mod tests {
    use parlor_core::{Game, Notation, Phase, Position, Rng};

    use super::super::Lines;
    use super::*;

    fn chances(mut player: Windows, position: &str) -> Vec<(String, f64)> {
        let game = TicTacToe::new(3, 3, Lines::Windows).unwrap();
        let Ok(Position::State(board)) = game.read_position(position) else { panic!("{position}") };
        let Phase::Decide(seat) = game.phase(&board) else { panic!("{position} is over") };
        let actions: Vec<Cell> = game.actions(&board).collect();
        let decision = Decision::new(&game, seat, &board, &actions);
        let mut weights = Vec::new();
        player.weigh(&decision, &mut weights);
        let drawn = player.act(&decision, &mut Context::new(&mut Rng::new(1)));
        let place = actions.iter().position(|action| *action == drawn).unwrap();
        assert!(weights[place] > 0.0, "an action is one that the policy allows");
        let named = actions.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0);
        named.map(|(action, weight)| (game.write_action(*action), *weight)).collect()
    }

    #[test]
    fn styles_at_one_board() {
        // X could finish the top row at c1; O threatens the left column at a3.
        let position = "XX./OO./...";
        assert_eq!(chances(Windows::attack(Ties::First), position), [("c1".to_owned(), 1.0)]);
        assert_eq!(chances(Windows::block(Ties::First), position), [("c2".to_owned(), 1.0)]);
        let corners = chances(Windows::attack(Ties::Random), ".../.../...");
        assert_eq!(corners, [("b2".to_owned(), 1.0)], "most lines pass through the middle");
        assert_eq!(chances(Windows::block(Ties::Random), "X../.../...").len(), 1);
        assert_eq!(chances(Windows::block(Ties::Random), ".../.X./...").len(), 4, "four corners are level");
    }
}
