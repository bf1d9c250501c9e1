//! Opening a game by its spec: the first of its types that takes the settings plays it.

use parlor_core::api::Hosted;
use parlor_core::{Entry, Key, SpecError};

use crate::abilities::{OpenedGame, Registered};
use crate::roster;

/// A game as the registry lists it.
pub struct GameEntry {
    /// The name in specs.
    pub name: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// Every key.
    pub keys: &'static [Key],
}

/// Work on an opened game whose type it does not know: generic code, chosen by a spec.
pub trait Visitor {
    /// What it comes to.
    type Output;

    /// Takes the game.
    fn visit<G: Registered>(self, game: G) -> Self::Output;
}

/// Opens the first of several types that takes the settings, from the fastest to the roomiest. The error is the roomiest one's.
macro_rules! first_fitting {
    ($settings:ident, $visitor:ident, $last:ty) => {
        <$last as parlor_core::Entry>::open(&$settings).map(|game| $visitor.visit(game))
    };
    ($settings:ident, $visitor:ident, $first:ty, $($roomier:ty),+) => {
        match <$first as parlor_core::Entry>::open(&$settings) {
            Ok(game) => Ok($visitor.visit(game)),
            Err(_) => $crate::opening::first_fitting!($settings, $visitor, $($roomier),+),
        }
    };
}

/// Writes the list of games, and the function that opens each: one line a game, its types from the fastest to the roomiest.
macro_rules! registry {
    ($($first:ty $(, $roomier:ty)*;)+) => {
        /// Every game there is.
        pub static GAMES: &[$crate::GameEntry] = &[$($crate::opening::entry::<$first>()),+];

        /// Opens a game from its spec and hands it to `visitor` in its own type.
        ///
        /// # Errors
        /// If there is no such game, its settings do not fit, or no type has room for them.
        pub fn visit<V: $crate::Visitor>(spec: &str, visitor: V) -> Result<V::Output, parlor_core::SpecError> {
            let spec = parlor_core::Spec::parse(spec)?;
            let entry = $crate::find(&spec.name)?;
            let settings = parlor_core::Settings::read(&spec, entry.keys)?;
            $(if entry.name == <$first as parlor_core::Entry>::NAME {
                return $crate::opening::first_fitting!(settings, visitor, $first $(, $roomier)*);
            })+
            unreachable!("the entry is one of the list above")
        }
    };
}
pub(crate) use {first_fitting, registry};

pub(crate) const fn entry<G: Entry>() -> GameEntry {
    GameEntry { name: G::NAME, summary: G::SUMMARY, keys: G::KEYS }
}

/// Puts a game behind the dynamic API, with its agents and its abilities.
struct Host;

impl Visitor for Host {
    type Output = Box<dyn OpenedGame>;

    fn visit<G: Registered>(self, game: G) -> Self::Output {
        let mut agents = (G::ABILITIES.roster)();
        agents.push(roster::outside());
        let hosted = Hosted::new(game, agents);
        Box::new(match G::ABILITIES.solver {
            Some(solver) => hosted.with_solver(solver),
            None => hosted,
        })
    }
}

/// Opens a game from its spec.
///
/// # Errors
/// If there is no such game, or its settings do not fit; the sentence says what would.
///
/// ```
/// let game = parlor_catalog::open("tictactoe(rows=4)").unwrap();
/// assert_eq!(game.spec(), "tictactoe(rows=4, columns=3, lines=windows)");
/// assert!(game.books().is_ok());
/// assert_eq!(game.odds().err().unwrap().to_string(), "tictactoe has no mine odds; available for minesweeper");
/// assert!(parlor_catalog::open("tictacto").err().unwrap().to_string().contains("did you mean `tictactoe`?"));
/// ```
pub fn open(spec: &str) -> Result<Box<dyn OpenedGame>, SpecError> {
    crate::registry::visit(spec, Host)
}
