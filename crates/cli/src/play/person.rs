//! A person against an agent, or alone.

use std::thread;
use std::time::Instant;

use parlor_catalog::OpenedGame;
use parlor_core::text::shown::shown;
use parlor_core::{Cancel, Phase, Seat, Spec};
use parlor_lab::session::{Decided, Occupant, PERSON, Session, SessionEnd, SessionError, Turn, WrittenBack};

use crate::args::PlayArgs;
use crate::run_support::store_to_record;

use super::events::{tell, tell_result};
use super::input::{Input, Typed};
use super::keep::{Keep, new_file};
use super::screen::Screen;
use super::turns::{agent_turn, in_words, tell_forfeit, tell_types};
use super::{choose, setup, show};

/// More moves than this are not listed unasked.
const LISTED: usize = 30;

/// How many characters of what was typed are repeated.
const LONGEST_ECHO: usize = 60;

pub(super) struct Player<'a> {
    pub(super) game: &'a dyn OpenedGame,
    pub(super) session: Session,
    pub(super) me: Seat,
    /// Who sits where: `you`, or an agent's name without its keys.
    pub(super) names: Vec<String>,
    pub(super) screen: Screen,
    /// How many events were printed.
    pub(super) seen: usize,
    /// How many stages were over when the opponent was last asked whom it takes this person for.
    stages: u32,
    /// What the person has marked.
    pub(super) marked: Vec<String>,
    keep: Keep,
}

/// What a line of input led to.
pub(super) enum Answer {
    /// Something was played or taken back.
    Moved,
    /// Nothing has changed.
    Stay,
    /// The person leaves, or has forfeited.
    End,
}

/// How the time at a table ended.
enum Leaving {
    /// The match is over, and has been kept.
    Over,
    /// In the middle of the match.
    Unfinished,
}

pub fn run(screen: Screen, game: &dyn OpenedGame, seed: u64, args: &PlayArgs) -> anyhow::Result<()> {
    let me = Seat(args.seat);
    let mut seats = vec![Occupant::Person(PERSON.to_owned()); usize::from(game.seats())];
    let mut against = String::new();
    if game.seats() == 2 {
        let (spec, called) = choose::opponent(game, args);
        seats[me.other().index()] = Occupant::Agent(spec);
        against = format!("you against {called}");
    } else if args.agent.is_some() {
        anyhow::bail!("{} is played alone; use --watch to see an agent play it", game.name());
    } else if args.ponder {
        anyhow::bail!("{} is played alone, so nobody ponders", game.name());
    }
    let record = store_to_record(args.record.as_deref())?;
    let session = Session::new(game, &setup(seed, seats, args))?;
    let title = if against.is_empty() { game.spec() } else { format!("{}: {against}", game.name()) };
    screen.say(title)?;
    let keep = Keep { file: args.save.clone(), record, ..Keep::default() };
    Player::new(screen, game, session, me, keep).run()
}

/// Goes on with a match that was left.
pub fn resume(
    screen: Screen,
    game: &dyn OpenedGame,
    session: Session,
    me: Seat,
    keep: Keep,
) -> anyhow::Result<()> {
    let mut player = Player::new(screen, game, session, me, keep);
    player.seen = player.session.table().sights(me).len();
    let against = match game.seats() {
        1 => String::new(),
        _ => format!(": you against {}", player.names[me.other().index()]),
    };
    screen.say(format!("{}{against}, resumed", game.name()))?;
    player.run()
}

impl<'a> Player<'a> {
    fn new(screen: Screen, game: &'a dyn OpenedGame, session: Session, me: Seat, keep: Keep) -> Self {
        let names = session.names().iter().zip(session.seats()).map(|(name, occupant)| match occupant {
            Occupant::Person(_) => "you".to_owned(),
            Occupant::Agent(_) => Spec::bare_name(name).to_owned(),
        });
        let names = names.collect();
        let stages = session.table().stages();
        Player { game, session, me, names, screen, seen: 0, stages, marked: Vec::new(), keep }
    }

    fn run(mut self) -> anyhow::Result<()> {
        let input = Input::listen()?;
        if input.is_terminal() && self.keep.place.is_none() {
            // A terminal can be closed at any time: the match so far is on disk after every move.
            self.keep.autosave = new_file(&self.session);
            self.session.save_as_it_goes_to(self.keep.autosave.clone())?;
        }
        self.introduce()?;
        let leaving = self.play_on(&input)?;
        let by_signal = input.left().is_cancelled();
        let asked = input.is_terminal() || by_signal;
        // The keyboard is given back before the last words.
        drop(input);
        match leaving {
            Leaving::Over => Ok(()),
            Leaving::Unfinished => self.keep.left(self.screen, &self.session, asked),
        }
    }

    /// Says who is who.
    fn introduce(&mut self) -> anyhow::Result<()> {
        self.session.turn()?;
        let table = self.session.table();
        if let Some(side) = table.side(self.me, self.screen.ink) {
            let order = if self.game.is_open() {
                format!(" ({})", if self.me == Seat::FIRST { "first" } else { "second" })
            } else {
                String::new()
            };
            self.screen.say(format!("You are {side}{order}."))?;
        } else if self.game.seats() == 2
            && let Phase::Decide(seat) = table.phase()
            && table.sights(self.me).iter().all(|(actor, _)| *actor == parlor_core::Actor::Chance)
        {
            let begins = match seat == self.me {
                true => "You begin.".to_owned(),
                false => format!("{} begins.", self.names[seat.index()]),
            };
            self.screen.say(begins)?;
        }
        Ok(self.screen.say("Type a move, `hint`, `rules` or `help`.")?)
    }

    fn play_on(&mut self, input: &Input) -> anyhow::Result<Leaving> {
        loop {
            match self.session.turn()? {
                Turn::Over(SessionEnd::Finished(payoffs)) => {
                    self.tell_end(&payoffs)?;
                    if self.takes_back(input)? {
                        continue;
                    }
                    self.keep_lesson()?;
                    self.keep.ended(self.screen, &self.session)?;
                    return Ok(Leaving::Over);
                }
                Turn::Over(SessionEnd::Forfeit(_)) => {
                    self.keep.ended(self.screen, &self.session)?;
                    return Ok(Leaving::Over);
                }
                Turn::Agent(_) => {
                    let decided = agent_turn(self.screen, &mut self.session, input.left(), &self.names)?;
                    if decided == Decided::Cancelled {
                        self.screen.say("")?;
                        return Ok(Leaving::Unfinished);
                    }
                }
                Turn::Person(_) => {
                    self.present()?;
                    if let Some(leaving) = self.person_turn(input)? {
                        return Ok(leaving);
                    }
                }
            }
        }
    }

    /// Reads lines until something is played; returns how the person leaves, if that is what happens.
    fn person_turn(&mut self, input: &Input) -> anyhow::Result<Option<Leaving>> {
        loop {
            let line = match self.listen(input, self.session.deadline())? {
                Typed::Line(line) => line,
                Typed::Left => {
                    self.screen.say("")?;
                    return Ok(Some(Leaving::Unfinished));
                }
                Typed::Late => {
                    self.screen.say("")?;
                    if let Some(forfeit) = self.session.check_clock()? {
                        tell_forfeit(self.screen, &forfeit, &self.names)?;
                    }
                    return Ok(None);
                }
            };
            match self.obey(&line, input)? {
                Answer::Moved => return Ok(None),
                Answer::Stay => {}
                Answer::End => return Ok(Some(Leaving::Unfinished)),
            }
        }
    }

    /// Waits for a line. Meanwhile the opponent thinks, if it may; nothing else is done at the table then.
    fn listen(&mut self, input: &Input, deadline: Option<Instant>) -> anyhow::Result<Typed> {
        if !self.session.ponder() || self.game.seats() == 1 {
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
        tell_types(self.screen, &mut self.session, self.me.other(), &self.names, &mut self.stages)
    }

    fn tell_end(&mut self, payoffs: &[f64]) -> anyhow::Result<()> {
        let shown = tell(self.screen, self.session.table(), self.me, &self.names, self.seen)?;
        self.seen = shown.events;
        self.tell_types()?;
        if !shown.revealed {
            self.show()?;
        }
        tell_result(self.screen, self.session.table(), payoffs, &self.names, Some(self.me))
    }

    /// After the end: lets the person take the last move back, where moves can be taken back.
    fn takes_back(&mut self, input: &Input) -> anyhow::Result<bool> {
        if !self.game.is_open() && self.game.seats() > 1 {
            return Ok(false);
        }
        if input.is_terminal() {
            self.screen.say("`undo` takes your last move back; Enter leaves.")?;
        }
        match input.line(None)? {
            Typed::Line(line) if line.eq_ignore_ascii_case("undo") => {
                Ok(matches!(self.undo()?, Answer::Moved))
            }
            _ => Ok(false),
        }
    }

    /// Writes what an opponent has learnt from this match back to the file that it came from.
    fn keep_lesson(&mut self) -> anyhow::Result<()> {
        match self.session.write_back(self.me.other())? {
            None => {}
            Some(WrittenBack::Nowhere) => {
                self.screen.say("It has learnt from this match, but there is no file to keep that in.")?;
            }
            Some(WrittenBack::To(path)) => {
                self.screen
                    .say(format!("It has learnt from this match; {} knows it now.", path.display()))?;
            }
        }
        Ok(())
    }

    /// Shows what happened, the board, and what can be done.
    fn present(&mut self) -> anyhow::Result<()> {
        self.seen = tell(self.screen, self.session.table(), self.me, &self.names, self.seen)?.events;
        self.tell_types()?;
        self.show()?;
        if let Some(clocks) = in_words(self.session.clocks(), &self.names) {
            self.screen.say(clocks)?;
        }
        let moves = self.session.table().actions();
        if moves.len() <= LISTED {
            self.list(&moves)
        } else {
            Ok(self.screen.say(format!("{} legal moves; `moves` lists them", moves.len()))?)
        }
    }

    pub(super) fn show(&mut self) -> anyhow::Result<()> {
        let markable = self.session.table().markable(self.me);
        self.marked.retain(|mark| markable.contains(mark));
        show(self.screen, self.session.table(), self.me, &self.marked)?;
        match self.marked.len() {
            0 => Ok(()),
            1 => Ok(self.screen.say("1 flag")?),
            flags => Ok(self.screen.say(format!("{flags} flags"))?),
        }
    }

    pub(super) fn list(&self, moves: &[String]) -> anyhow::Result<()> {
        let numbered = numbered(moves);
        let words: Vec<String> = moves
            .iter()
            .zip(1..)
            .map(|(text, number)| if numbered { format!("{number}) {text}") } else { text.clone() })
            .collect();
        Ok(self.screen.list("moves:", &words)?)
    }

    /// Plays what a line says: a move or its number; alone several moves, one after the other.
    pub(super) fn play(&mut self, line: &str) -> anyhow::Result<Answer> {
        let moves = self.session.table().actions();
        let meant = |text: &str| match text.parse::<usize>() {
            Ok(number) if numbered(&moves) => {
                moves.get(number.wrapping_sub(1)).map_or(text, String::as_str).to_owned()
            }
            _ => text.to_owned(),
        };
        let texts: Vec<String> = match self.game.seats() {
            1 => line.split_whitespace().map(meant).collect(),
            _ => vec![meant(line)],
        };
        let mut answer = Answer::Stay;
        for (number, text) in texts.iter().enumerate() {
            if !matches!(self.session.turn()?, Turn::Person(_)) {
                break;
            }
            if number > 0 {
                // What the clicks before did comes before what is wrong with this one.
                self.seen = tell(self.screen, self.session.table(), self.me, &self.names, self.seen)?.events;
            }
            // A cell that an earlier click of the line has opened, too, needs no click.
            let was_open = matches!(answer, Answer::Moved) && moves.contains(text);
            if was_open && !self.session.table().actions().contains(text) {
                continue;
            }
            match self.play_one(text)? {
                Answer::Moved => answer = Answer::Moved,
                Answer::Stay => {
                    if number + 1 < texts.len() {
                        let rest = shown(&texts[number + 1..].join(" "), LONGEST_ECHO);
                        self.screen.say(format!("not played: {rest}"))?;
                    }
                    break;
                }
                Answer::End => return Ok(Answer::End),
            }
        }
        Ok(answer)
    }

    fn play_one(&mut self, text: &str) -> anyhow::Result<Answer> {
        if self.marked.iter().any(|mark| mark.eq_ignore_ascii_case(text)) {
            self.screen.say(format!("{text} is flagged; `flag {text}` takes the flag away"))?;
            return Ok(Answer::Stay);
        }
        match self.session.act(self.me, text) {
            Ok(Decided::Forfeit(forfeit)) => {
                tell_forfeit(self.screen, &forfeit, &self.names)?;
                Ok(Answer::Moved)
            }
            Ok(_) => Ok(Answer::Moved),
            Err(SessionError::Api(error)) => {
                self.screen.say(format!("{error} (`help` lists what you can type)"))?;
                Ok(Answer::Stay)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Moves get numbers unless a move's own text is a number (the columns of connect).
fn numbered(moves: &[String]) -> bool {
    !moves.iter().any(|text| text.bytes().all(|b| b.is_ascii_digit()))
}
