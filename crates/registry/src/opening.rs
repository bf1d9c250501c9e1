//! Opening a game by its spec: the first of its types that takes the settings plays it.

use parlor_core::api::Hosted;
use parlor_core::{Key, Settings, Spec, SpecError};

use crate::abilities::{Ability, OpenedGame, Registered};
use crate::roster;
use crate::table_plans::TablePlan;

/// A game as the registry lists it.
pub struct GameEntry {
    /// The name in specs.
    pub name: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// Every key.
    pub keys: &'static [Key],
    /// How people play it, where that is laid down.
    pub table: Option<&'static TablePlan>,
    /// For each ability whether the game has it.
    abilities: [bool; Ability::ALL.len()],
}

impl GameEntry {
    /// Returns other names that people know the game by.
    #[must_use]
    pub fn aliases(&self) -> &'static [&'static str] {
        self.table.map_or(&[], |plan| plan.aliases)
    }

    /// Reads the settings of a spec that names this game, by whatever name.
    ///
    /// # Errors
    /// If a key is unknown or a value does not fit.
    pub fn settings(&self, spec: Spec) -> Result<Settings, SpecError> {
        Settings::read(&Spec { name: self.name.to_owned(), ..spec }, self.keys)
    }

    /// Returns whether the game has an ability.
    #[must_use]
    pub fn has(&self, ability: Ability) -> bool {
        self.abilities[ability as usize]
    }
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
        <$last as parlor_core::Entry>::open($settings).map(|game| $visitor.visit(game))
    };
    ($settings:ident, $visitor:ident, $first:ty, $($roomier:ty),+) => {
        match <$first as parlor_core::Entry>::open($settings) {
            Ok(game) => Ok($visitor.visit(game)),
            Err(_) => $crate::opening::first_fitting!($settings, $visitor, $($roomier),+),
        }
    };
}

/// Writes the list of games and the functions that open each in one of its types: one line a game, its types from the fastest to the
/// roomiest.
macro_rules! registry {
    ($($game:ident: $first:ty $(, $roomier:ty)*;)+) => {
        /// Every game there is.
        pub static GAMES: &[$crate::GameEntry] = &[$($crate::opening::entry::<$first>()),+];

        /// Opens a game from its spec and hands it to `visitor` in its own type.
        ///
        /// # Errors
        /// If there is no such game, its settings do not fit, or no type has room for them.
        pub fn visit<V: $crate::Visitor>(spec: &str, visitor: V) -> Result<V::Output, parlor_core::SpecError> {
            let spec = parlor_core::Spec::parse(spec)?;
            let entry = $crate::find(&spec.name)?;
            let settings = entry.settings(spec)?;
            $(if entry.name == <$first as parlor_core::Entry>::NAME {
                return types::$game(&settings, visitor);
            })+
            unreachable!("the entry is one of the list above")
        }

        /// For each game a function that opens it in the first of its types that has room and hands it to a visitor.
        pub mod types {
            use super::*;

            $(
                #[doc = concat!("Hands `", stringify!($game), "` to `visitor` in the first type that has room.")]
                ///
                /// # Errors
                /// If the settings do not fit, or no type has room for them.
                pub fn $game<V: $crate::Visitor>(
                    settings: &parlor_core::Settings,
                    visitor: V,
                ) -> Result<V::Output, parlor_core::SpecError> {
                    $crate::opening::first_fitting!(settings, visitor, $first $(, $roomier)*)
                }
            )+
        }
    };
}
pub(crate) use {first_fitting, registry};

pub(crate) const fn entry<G: Registered>() -> GameEntry {
    GameEntry {
        name: G::NAME,
        summary: G::SUMMARY,
        keys: G::KEYS,
        table: G::ABILITIES.table,
        abilities: G::ABILITIES.which(),
    }
}

/// A game that was compiled with its agents and abilities, for all its types.
pub struct Instance {
    /// The game's bare name.
    pub game: &'static str,
    /// Opens it.
    pub open: fn(&Settings) -> Result<Box<dyn OpenedGame>, SpecError>,
}

/// Puts a game behind the dynamic API, with its agents and its abilities.
pub struct Host;

impl Visitor for Host {
    type Output = Box<dyn OpenedGame>;

    fn visit<G: Registered>(self, game: G) -> Self::Output {
        let mut agents = (G::ABILITIES.roster)();
        agents.push(roster::outside());
        let mut hosted = Hosted::new(game, agents).with_cells().with_worlds();
        if let Some(features) = G::ABILITIES.features {
            hosted = hosted.with_features(features);
        }
        if let Some(draw) = G::ABILITIES.exercises {
            hosted = hosted.with_exercises(draw);
        }
        if G::ABILITIES.equilibrium.is_some() {
            hosted = hosted.with_strategies(|hosted, params, progress| {
                let equilibrium = G::ABILITIES.equilibrium.expect("it was there when the game was opened");
                equilibrium(hosted).strategies(params, progress)
            });
        }
        Box::new(match G::ABILITIES.solver {
            Some(solver) => hosted.with_solver(solver),
            None => hosted,
        })
    }
}
