//! What a person can type beside moves.

use std::path::PathBuf;

use parlor_lab::session::SessionError;

use super::input::Input;
use super::person::{Answer, Player};
use super::turns::tell_forfeit;
use super::waiting::waiting;
use super::{choose, events, hint};

/// Where `save` goes when no file is named.
const DEFAULT_FILE: &str = "parlor-games.jsonl";

const HELP: &str =
    "  a move          as it is written in the list, e.g. as the board's letters and numbers say
  a number        the move with that number, where moves are numbered
  hint [AGENT]    what your moves are worth, from what you may know
  rules           the rules in a few lines; `spec` prints the game with all its keys
  moves           all legal moves
  board           the board again
  log             everything that you have seen happen, deals included
  undo            take your last move back (where nothing is hidden, or you play alone)
  flag CELL …     mark cells, or take the marks away (minesweeper)
  save [FILE]     append the game to a file, one line a game
  json            what you see, as JSON
  resign          give the match up; it counts as lost
  quit            leave the table; Ctrl-C does, too";

impl Player<'_> {
    /// Does what a line asks for.
    pub(super) fn obey(&mut self, line: &str, input: &Input) -> anyhow::Result<Answer> {
        let screen = self.screen;
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => screen.say(HELP)?,
            "quit" | "exit" | "q" => return Ok(Answer::End),
            "moves" => self.list(&self.session.table().actions())?,
            "rules" => screen.say(self.game.rules())?,
            "spec" => screen.say(self.game.spec())?,
            "board" => self.show()?,
            "log" => events::log(screen, self.session.table(), self.me, &self.names)?,
            "hint" => self.hint(rest, input)?,
            "flag" | "f" => self.flag(rest)?,
            "json" => {
                let view = self.session.table().view_json(self.me);
                crate::terminal::say(serde_json::to_string_pretty(&view)?)?;
            }
            "save" => {
                let path = PathBuf::from(if rest.is_empty() { DEFAULT_FILE } else { rest });
                match self.session.save(&path) {
                    Ok(_) => screen.say(format!("Saved to {}.", path.display()))?,
                    Err(error) => screen.say(format!("{:#}", anyhow::Error::from(error)))?,
                }
            }
            "undo" => return self.undo(),
            "resign" => return self.resign(),
            _ => return self.play(line),
        }
        Ok(Answer::Stay)
    }

    fn hint(&self, agent: &str, input: &Input) -> anyhow::Result<()> {
        let only_agent = !agent.is_empty();
        let agent = if only_agent { choose::agent(self.game, agent) } else { choose::hint_agent(self.game) };
        let hint = input.interruptible(|cancel| {
            let ask = || self.session.hint(self.game, self.me, &agent, only_agent, cancel);
            waiting(self.screen, "thinking about a hint (Ctrl-C shows what there is)", ask)
        });
        match hint {
            Ok(hint) => hint::tell(self.screen, &hint),
            Err(SessionError::Api(error)) => Ok(self.screen.say(format!("no hint: {error}"))?),
            Err(error) => Ok(self.screen.say(format!("no hint: {:#}", anyhow::Error::from(error)))?),
        }
    }

    /// Marks cells, or takes the marks away.
    fn flag(&mut self, cells: &str) -> anyhow::Result<()> {
        let markable = self.session.table().markable(self.me);
        if markable.is_empty() {
            return Ok(self.screen.say("There is nothing to flag in this game.")?);
        }
        if cells.is_empty() {
            return Ok(self.screen.say("Which cells? For example: flag a1 b2")?);
        }
        for cell in cells.split_whitespace() {
            let Some(found) = markable.iter().find(|text| text.eq_ignore_ascii_case(cell)) else {
                self.screen.say(format!("`{}` is not a covered cell.", cell.escape_debug()))?;
                continue;
            };
            match self.marked.iter().position(|marked| marked == found) {
                Some(at) => drop(self.marked.remove(at)),
                None => self.marked.push(found.clone()),
            }
        }
        self.show()
    }

    /// Gives the match up.
    fn resign(&mut self) -> anyhow::Result<Answer> {
        if self.game.seats() == 1 {
            self.screen.say("You play alone, so nobody wins if you resign; `quit` leaves.")?;
            return Ok(Answer::Stay);
        }
        let forfeit = self.session.resign(self.me)?;
        tell_forfeit(self.screen, &forfeit, &self.names)?;
        Ok(Answer::Moved)
    }

    /// Takes back everything since this person's last decision.
    pub(super) fn undo(&mut self) -> anyhow::Result<Answer> {
        match self.session.undo(self.me) {
            Ok(()) => {
                self.seen = self.session.table().sights(self.me).len();
                return Ok(Answer::Moved);
            }
            Err(SessionError::NothingToUndo) => self.screen.say("There is nothing to take back.")?,
            Err(SessionError::Api(error)) => self.screen.say(error.to_string())?,
            Err(error) => return Err(error.into()),
        }
        Ok(Answer::Stay)
    }
}
