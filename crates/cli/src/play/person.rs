//! A person against an agent, or alone.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use parlor_core::api::AnyGame;
use parlor_core::{Cancel, Ink, Seat};
use parlor_lab::session::{Decided, Occupant, Session, SessionEnd, SessionError, Turn, WrittenBack};

use crate::args::PlayArgs;
use crate::terminal::say;

use super::input::{Input, Typed};
use super::turns::{agent_turn, in_words, tell_forfeit, tell_types};
use super::{ink, save, setup, show, tell_result, tell_sights};

/// Where `save` goes when no file is named.
const DEFAULT_FILE: &str = "parlor-games.jsonl";

/// Lists of moves are no wider than this.
const WIDTH: usize = 80;

/// More moves than this are not listed unasked.
const LISTED: usize = 30;

const HELP: &str =
    "  a move          as it is written in the list, e.g. as the board's letters and numbers say
  a number        the move with that number, where moves are numbered
  moves           all legal moves
  board           the board again
  rules           the game with all its keys
  undo            take your last move back (where nothing is hidden, or you play alone)
  save [FILE]     append the game to a file, one line a game
  json            what you see, as JSON
  quit            leave the table";

struct Player<'a> {
    game: &'a dyn AnyGame,
    session: Session,
    me: Seat,
    /// Who sits where, as it was typed.
    names: Vec<String>,
    ink: Ink,
    seen: usize,
    /// How many stages were over when the opponent was last asked whom it takes this person for.
    stages: u32,
    /// Whether the opponent thinks while this person does.
    ponder: bool,
}

/// What a line of input led to.
enum Answer {
    /// Something was played or taken back.
    Moved,
    /// Nothing has changed.
    Stay,
    /// The person leaves, or has forfeited.
    End,
}

pub fn run(game: &dyn AnyGame, seed: u64, args: &PlayArgs) -> anyhow::Result<()> {
    let me = Seat(args.seat);
    let mut names = vec!["you".to_owned(); usize::from(game.seats())];
    let mut seats = vec![Occupant::Person("you".to_owned()); names.len()];
    if game.seats() == 2 {
        let opponent = match &args.agent {
            Some(spec) => spec.clone(),
            None => game.agents().first().expect("every game has an agent").name.to_owned(),
        };
        seats[me.other().index()] = Occupant::Agent(opponent.clone());
        names[me.other().index()] = opponent;
    } else if args.agent.is_some() {
        anyhow::bail!("{} is played alone; use --watch to see an agent play it", game.name());
    } else if args.ponder {
        anyhow::bail!("{} is played alone, so nobody ponders", game.name());
    }
    let session = Session::new(game, &setup(seed, seats, args))?;
    say(format!("{}: {}", game.name(), names.join(" against ")))?;
    say("Type a move, or `help`.")?;
    let player = Player { game, session, me, names, ink: ink(args), seen: 0, stages: 0, ponder: args.ponder };
    player.run(args.save.as_deref())
}

impl Player<'_> {
    fn run(mut self, file: Option<&Path>) -> anyhow::Result<()> {
        let input = Input::listen()?;
        let payoffs = loop {
            match self.session.turn()? {
                Turn::Over(SessionEnd::Finished(payoffs)) => break payoffs,
                Turn::Over(SessionEnd::Forfeit(_)) => return self.keep(file),
                Turn::Agent(_) => match agent_turn(&mut self.session, input.left(), &self.names)? {
                    Decided::Moved(_) | Decided::Forfeit(_) => {}
                    Decided::Cancelled => return self.leave(file),
                },
                Turn::Person(_) => {
                    self.present()?;
                    loop {
                        prompt()?;
                        let line = match self.listen(&input, self.session.deadline())? {
                            Typed::Line(line) => line,
                            Typed::Left => return self.leave(file),
                            Typed::Late => {
                                say("")?;
                                if let Some(forfeit) = self.session.check_clock()? {
                                    tell_forfeit(&forfeit, &self.names)?;
                                }
                                return self.keep(file);
                            }
                        };
                        match self.obey(&line)? {
                            Answer::Moved => break,
                            Answer::Stay => {}
                            Answer::End => return self.keep(file),
                        }
                    }
                }
            }
        };
        self.seen = tell_sights(self.session.table(), self.me, &self.names, self.seen)?;
        self.tell_types()?;
        show(self.session.table(), self.me, self.ink)?;
        tell_result(self.game, &payoffs, &self.names)?;
        self.keep_lesson()?;
        self.keep(file)
    }

    /// Waits for a line. Meanwhile the opponent thinks, if it may; nothing else is done at the table then.
    fn listen(&mut self, input: &Input, deadline: Option<Instant>) -> anyhow::Result<Typed> {
        if !self.ponder {
            return Ok(input.line(deadline)?);
        }
        let Some(mut thinking) = self.session.begin_pondering(self.me.other())? else {
            return Ok(input.line(deadline)?);
        };
        let stop = Cancel::new();
        let typed = thread::scope(|scope| {
            scope.spawn(|| thinking.ponder(&stop));
            let typed = input.line(deadline);
            stop.cancel();
            typed
        });
        self.session.commit(thinking)?;
        Ok(typed?)
    }

    /// Says after a stage whom the opponent takes this person for.
    fn tell_types(&mut self) -> anyhow::Result<()> {
        tell_types(&mut self.session, self.me.other(), &self.names, &mut self.stages)
    }

    fn leave(&self, file: Option<&Path>) -> anyhow::Result<()> {
        say("")?;
        say("Left unfinished.")?;
        self.keep(file)
    }

    /// Writes what an opponent has learnt from this match back to the file that it came from.
    fn keep_lesson(&mut self) -> anyhow::Result<()> {
        match self.session.write_back(self.me.other())? {
            None => {}
            Some(WrittenBack::Nowhere) => {
                say("It has learnt from this match, but there is no file to keep that in.")?;
            }
            Some(WrittenBack::To(path)) => {
                say(format!("It has learnt from this match; {} knows it now.", path.display()))?;
            }
        }
        Ok(())
    }

    fn keep(&self, file: Option<&Path>) -> anyhow::Result<()> {
        file.map_or(Ok(()), |path| save(&self.session, path))
    }

    /// Shows what happened, the board, and what can be done.
    fn present(&mut self) -> anyhow::Result<()> {
        self.seen = tell_sights(self.session.table(), self.me, &self.names, self.seen)?;
        self.tell_types()?;
        show(self.session.table(), self.me, self.ink)?;
        if let Some(clocks) = in_words(self.session.clocks(), &self.names) {
            say(clocks)?;
        }
        let moves = self.session.table().actions();
        if moves.len() <= LISTED {
            self.list(&moves)
        } else {
            Ok(say(format!("{} legal moves; `moves` lists them", moves.len()))?)
        }
    }

    fn list(&self, moves: &[String]) -> anyhow::Result<()> {
        let numbered = numbered(moves);
        let words: Vec<String> = moves
            .iter()
            .zip(1..)
            .map(|(text, number)| if numbered { format!("{number}) {text}") } else { text.clone() })
            .collect();
        for line in wrapped("moves:", &words) {
            say(line)?;
        }
        Ok(())
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Answer> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => say(HELP)?,
            "quit" | "exit" | "q" => return Ok(Answer::End),
            "moves" => self.list(&self.session.table().actions())?,
            "rules" => say(self.game.spec())?,
            "board" => show(self.session.table(), self.me, self.ink)?,
            "json" => say(serde_json::to_string_pretty(&self.session.table().view_json(self.me))?)?,
            "save" => {
                let path = PathBuf::from(if rest.is_empty() { DEFAULT_FILE } else { rest });
                if let Err(error) = save(&self.session, &path) {
                    say(format!("{error:#}"))?;
                }
            }
            "undo" => return self.undo(),
            _ => return self.play(line),
        }
        Ok(Answer::Stay)
    }

    fn play(&mut self, text: &str) -> anyhow::Result<Answer> {
        let moves = self.session.table().actions();
        let chosen = match text.parse::<usize>() {
            Ok(number) if numbered(&moves) => moves.get(number.wrapping_sub(1)).map_or(text, String::as_str),
            _ => text,
        };
        match self.session.act(self.me, chosen) {
            Ok(Decided::Forfeit(forfeit)) => {
                tell_forfeit(&forfeit, &self.names)?;
                Ok(Answer::End)
            }
            Ok(_) => Ok(Answer::Moved),
            Err(SessionError::Api(error)) => {
                say(format!("{error} (`help` lists what you can type)"))?;
                Ok(Answer::Stay)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Takes back everything since this person's last decision.
    fn undo(&mut self) -> anyhow::Result<Answer> {
        match self.session.undo(self.me) {
            Ok(()) => {
                self.seen = self.session.table().sights(self.me).len();
                return Ok(Answer::Moved);
            }
            Err(SessionError::NothingToUndo) => say("There is nothing to take back.")?,
            Err(SessionError::Api(error)) => say(error.to_string())?,
            Err(error) => return Err(error.into()),
        }
        Ok(Answer::Stay)
    }
}

/// Lays words out in lines of at most [`WIDTH`] characters, the later ones indented as far as `title` reaches.
fn wrapped(title: &str, words: &[String]) -> Vec<String> {
    let mut lines = vec![title.to_owned()];
    for word in words {
        let line = lines.last_mut().expect("there is a line from the start");
        let gap = if line.len() == title.len() { " " } else { "  " };
        if line.chars().count() + gap.len() + word.chars().count() > WIDTH && line.len() > title.len() {
            lines.push(format!("{} {word}", " ".repeat(title.len())));
        } else {
            line.push_str(gap);
            line.push_str(word);
        }
    }
    lines
}

/// Moves get numbers unless a move's own text is a number (the columns of connect).
fn numbered(moves: &[String]) -> bool {
    !moves.iter().any(|text| text.bytes().all(|b| b.is_ascii_digit()))
}

fn prompt() -> io::Result<()> {
    if io::stdin().is_terminal() {
        let mut out = io::stdout();
        write!(out, "> ")?;
        out.flush()?;
    }
    Ok(())
}
