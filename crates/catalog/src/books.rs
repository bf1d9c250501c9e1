//! Which games books can be grown for: those without chance and without hidden things.

use parlor_agents::book::{AnyBookBuilder, BookBuilder};
use parlor_core::api::Hosted;
use parlor_core::{Entry, Evaluate, Keyed, Notation, PerfectInfo, Settings, Spec, SpecError, Stimulus};
use parlor_games::bits::Word;
use parlor_games::checkers::Checkers;
use parlor_games::connect::Connect;
use parlor_games::tictactoe::TicTacToe;
use parlor_games::wide::U192;

use crate::{find, roster};

type Open = fn(&Settings) -> Result<Box<dyn AnyBookBuilder>, SpecError>;

/// The types that play each game, from the fastest to the roomiest, as in the list of games.
const SHELVES: &[(&str, &[Open])] = &[
    ("connect", &[open::<Connect<u64>>, open::<Connect<u128>>, open::<Connect<U192>>]),
    ("tictactoe", &[open::<TicTacToe>]),
    ("checkers", &[checkers::<u64>, checkers::<u128>]),
];

fn open<G: Entry + Notation + Stimulus + PerfectInfo + Keyed + Evaluate>(
    settings: &Settings,
) -> Result<Box<dyn AnyBookBuilder>, SpecError> {
    Ok(Box::new(BookBuilder(Hosted::new(G::open(settings)?, roster::boards()))))
}

fn checkers<W: Word>(settings: &Settings) -> Result<Box<dyn AnyBookBuilder>, SpecError> {
    Ok(Box::new(BookBuilder(Hosted::new(Checkers::<W>::open(settings)?, roster::checkers()))))
}

/// Opens a game for the growing of books.
///
/// # Errors
/// If there is no such game, its settings do not fit, or books are not for it.
pub fn builder(spec: &str) -> Result<Box<dyn AnyBookBuilder>, SpecError> {
    let spec = Spec::parse(spec)?;
    let entry = find(&spec.name)?;
    let settings = Settings::read(&spec, entry.keys)?;
    let Some((_, types)) = SHELVES.iter().find(|(name, _)| *name == entry.name) else {
        let known: Vec<&str> = SHELVES.iter().map(|(name, _)| *name).collect();
        let wrong =
            format!("it has chance in it, and opening books are for games without: {}", known.join(", "));
        return Err(SpecError::Together { owner: spec.name, wrong });
    };
    let (roomiest, others) = types.split_last().expect("a game has a type");
    others.iter().find_map(|open| open(&settings).ok()).map_or_else(|| roomiest(&settings), Ok)
}
