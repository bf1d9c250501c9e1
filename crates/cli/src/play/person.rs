//! A person against an agent, or alone.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use parlor_core::api::{AnyGame, AnyTable};
use parlor_core::files::knowledge::Knowledge;
use parlor_core::{Actor, Cancel, Fault, Ink, Phase, Seat, Spec};

use crate::args::PlayArgs;
use crate::terminal::say;

use super::input::{Input, Typed};
use super::turns::{AgentTurn, Timer, agent_turn, forfeit};
use super::{ink, save, show, tell_result, tell_sights};

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

struct Session<'a> {
    game: &'a dyn AnyGame,
    table: Box<dyn AnyTable>,
    me: Seat,
    /// Who sits where, as it was typed and in full.
    names: Vec<String>,
    seats: Vec<String>,
    ink: Ink,
    seen: usize,
    timer: Timer,
    /// Whether the opponent thinks while this person does.
    ponder: bool,
}

/// What a line of input led to.
enum Turn {
    /// Something was played or taken back.
    Moved,
    /// Nothing has changed.
    Stay,
    Quit,
}

pub fn run(game: &dyn AnyGame, mut table: Box<dyn AnyTable>, args: &PlayArgs) -> anyhow::Result<()> {
    let me = Seat(args.seat);
    let mut names = vec!["you".to_owned(); usize::from(game.seats())];
    let mut seats = names.clone();
    if game.seats() == 2 {
        let opponent = match &args.agent {
            Some(spec) => spec.clone(),
            None => game.agents().first().expect("every game has an agent").name.to_owned(),
        };
        seats[me.other().index()] = table.seat_agent(me.other(), &opponent)?;
        names[me.other().index()] = opponent;
    } else if args.agent.is_some() {
        anyhow::bail!("{} is played alone; use --watch to see an agent play it", game.name());
    } else if args.ponder {
        anyhow::bail!("{} is played alone, so nobody ponders", game.name());
    }
    say(format!("{}: {}", game.name(), names.join(" against ")))?;
    say("Type a move, or `help`.")?;
    let timer = Timer::new(args.time, game.seats());
    let session =
        Session { game, table, me, names, seats, ink: ink(args), seen: 0, timer, ponder: args.ponder };
    session.run(args.save.as_deref())
}

impl Session<'_> {
    fn run(mut self, file: Option<&Path>) -> anyhow::Result<()> {
        let input = Input::listen()?;
        loop {
            match self.table.phase() {
                Phase::Chance => drop(self.table.chance()?),
                Phase::Over => break,
                Phase::Decide(seat) if seat != self.me => {
                    match agent_turn(&mut *self.table, seat, &mut self.timer, input.left(), &self.names)? {
                        AgentTurn::Moved => {}
                        AgentTurn::Left => return self.leave(file),
                        AgentTurn::Forfeit => return self.keep(file),
                    }
                }
                Phase::Decide(_) => {
                    self.present()?;
                    let (started, deadline) = (Instant::now(), self.timer.deadline(self.me));
                    loop {
                        prompt()?;
                        let line = match self.listen(&input, deadline)? {
                            Typed::Line(line) => line,
                            Typed::Left => return self.leave(file),
                            Typed::Late => {
                                say("")?;
                                forfeit(&mut *self.table, self.me, Fault::Overran, &self.names)?;
                                return self.keep(file);
                            }
                        };
                        match self.obey(&line)? {
                            Turn::Moved => {
                                // In time, or it would have been late.
                                self.timer.spend(self.me, started.elapsed());
                                break;
                            }
                            Turn::Stay => {}
                            Turn::Quit => return self.keep(file),
                        }
                    }
                }
            }
        }
        self.seen = tell_sights(&*self.table, self.me, &self.names, self.seen)?;
        show(&*self.table, self.me, self.ink)?;
        let payoffs = self.table.payoffs().expect("the match is over");
        tell_result(self.game, &payoffs, &self.names)?;
        self.keep_lesson()?;
        self.keep(file)
    }

    /// Waits for a line. Meanwhile the opponent thinks, if it may; nothing else is done at the table then.
    fn listen(&mut self, input: &Input, deadline: Option<Instant>) -> anyhow::Result<Typed> {
        if !self.ponder {
            return Ok(input.line(deadline)?);
        }
        let (stop, seat) = (Cancel::new(), self.me.other());
        let mut thinker = self.table.thinker(seat)?;
        let typed = thread::scope(|scope| {
            scope.spawn(|| thinker.ponder(&stop));
            let typed = input.line(deadline);
            stop.cancel();
            typed
        });
        // An agent that fails while it ponders is asked next, and forfeits then.
        let _ = self.table.commit(thinker);
        Ok(typed?)
    }

    fn leave(&self, file: Option<&Path>) -> anyhow::Result<()> {
        say("")?;
        say("Left unfinished.")?;
        self.keep(file)
    }

    /// Writes what an opponent has learnt from this match back to the file that it came from.
    fn keep_lesson(&mut self) -> anyhow::Result<()> {
        let seat = self.me.other();
        let Some(learner) = self.table.learner(seat).filter(|learner| !learner.is_frozen()) else {
            return Ok(());
        };
        let mut payload = Vec::new();
        learner.save(&mut payload)?;
        drop(learner);
        let spec = Spec::parse(&self.seats[seat.index()])?;
        let file = spec.pairs.iter().find(|(key, _)| key == "file").map(|(_, file)| Path::new(file));
        let Some((path, knowledge)) = file.and_then(|path| Some((path, Knowledge::open(path).ok()?))) else {
            return Ok(say("It has learnt from this match, but there is no file to keep that in.")?);
        };
        Knowledge { payload, ..knowledge }.write(path)?;
        Ok(say(format!("It has learnt from this match; {} knows it now.", path.display()))?)
    }

    fn keep(&self, file: Option<&Path>) -> anyhow::Result<()> {
        file.map_or(Ok(()), |path| save(&*self.table, &self.seats, path))
    }

    /// Shows what happened, the board, and what can be done.
    fn present(&mut self) -> anyhow::Result<()> {
        self.seen = tell_sights(&*self.table, self.me, &self.names, self.seen)?;
        show(&*self.table, self.me, self.ink)?;
        if let Some(clocks) = self.timer.in_words(&self.names) {
            say(clocks)?;
        }
        let moves = self.table.actions();
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

    fn obey(&mut self, line: &str) -> anyhow::Result<Turn> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        match word.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => say(HELP)?,
            "quit" | "exit" | "q" => return Ok(Turn::Quit),
            "moves" => self.list(&self.table.actions())?,
            "rules" => say(self.game.spec())?,
            "board" => show(&*self.table, self.me, self.ink)?,
            "json" => say(serde_json::to_string_pretty(&self.table.view_json(self.me))?)?,
            "save" => {
                let path = PathBuf::from(if rest.is_empty() { DEFAULT_FILE } else { rest });
                if let Err(error) = save(&*self.table, &self.seats, &path) {
                    say(format!("{error:#}"))?;
                }
            }
            "undo" => return self.undo(),
            _ => return self.play(line),
        }
        Ok(Turn::Stay)
    }

    fn play(&mut self, text: &str) -> anyhow::Result<Turn> {
        let moves = self.table.actions();
        let chosen = match text.parse::<usize>() {
            Ok(number) if numbered(&moves) => moves.get(number.wrapping_sub(1)).map_or(text, String::as_str),
            _ => text,
        };
        match self.table.act(self.me, chosen) {
            Ok(_) => Ok(Turn::Moved),
            Err(error) => {
                say(format!("{error} (`help` lists what you can type)"))?;
                Ok(Turn::Stay)
            }
        }
    }

    /// Takes back everything since this person's last decision.
    fn undo(&mut self) -> anyhow::Result<Turn> {
        let mine = Actor::Seat(self.me);
        if !self.table.sights(self.me).iter().any(|(actor, _)| *actor == mine) {
            // What the other seat opened with stays on the table.
            say("There is nothing to take back.")?;
            return Ok(Turn::Stay);
        }
        loop {
            match self.table.undo() {
                Ok(true) if self.table.phase() == Phase::Decide(self.me) => break,
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    say(error.to_string())?;
                    return Ok(Turn::Stay);
                }
            }
        }
        self.seen = self.table.sights(self.me).len();
        Ok(Turn::Moved)
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
