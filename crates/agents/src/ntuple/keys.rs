//! The learner's keys.

use parlor_core::files::recall;
use parlor_core::text::spec::ANY_CHECKSUM;
use parlor_core::{Afterstates, CodecInfo, Key, Kind, Positions, Settings, SpecError};
use parlor_ml::Rates;

use super::study::Rule;

/// The learner's name in specs.
pub const NAME: &str = "ntuple";

/// A one-line summary.
pub const SUMMARY: &str = "learns values of positions as sums of table entries, by TD(λ) from self-play";

/// The key for how far it looks ahead.
pub(super) const PLIES: &str = "plies";

/// The maximum number of layouts per game.
const MOST_LAYOUTS: usize = 16;

/// The checked parts of a learner.
#[derive(Clone, Debug)]
pub struct Parts<L> {
    /// Which entries are active when.
    pub layout: L,
    /// The meaning of the entries: knowledge is usable where this is equal.
    pub meaning: String,
    /// How weights change.
    pub rule: Rule,
    /// The probability of an exploratory action, at first and in the end.
    pub epsilon: [f64; 2],
    /// After how many matches the end is reached.
    pub anneal: u64,
    /// How many matches of self-play are played with the same weights.
    pub batch: u64,
    /// The full form.
    pub spec: String,
}

struct Names<G>(G);

impl<G: Afterstates> Names<G> {
    const LIST: [&'static str; MOST_LAYOUTS] = {
        let layouts: &[CodecInfo] = G::LAYOUTS;
        let mut names = [""; MOST_LAYOUTS];
        let mut at = 0;
        while at < layouts.len() {
            names[at] = layouts[at].name;
            at += 1;
        }
        names
    };

    /// The last one is for games in which it can look ahead.
    const ALL: &'static [Key] = &[
        Key {
            name: "layout",
            kind: Kind::Choice(Self::LIST.split_at(G::LAYOUTS.len()).0),
            default: G::LAYOUTS[0].name,
            help: "which tuples of cells or features have weights; see the game's page in the guide",
        },
        Key::real("step", [1e-6, 100.0], "2", "part of an error that one update removes"),
        Key::choice(
            "rates",
            &["tcl", "fixed"],
            "step sizes of single entries: smaller where changes cancel (temporal coherence), or equal",
        ),
        Key::real("lambda", [0.0, 1.0], "0.8", "weight of later values in the target, TD(lambda)"),
        Key::real(
            "gamma",
            [0.5, 1.0],
            "0.99",
            "discount per choice: below 1, quick wins and late losses are better",
        ),
        Key::real(
            "epsilon",
            [0.0, 1.0],
            "0.1",
            "probability of an exploratory action while learning, at first",
        ),
        Key::real("final_epsilon", [0.0, 1.0], "0.1", "the same, after anneal matches"),
        Key::whole("anneal", [1, 1_000_000_000_000], "1000000", "matches until final_epsilon is reached"),
        Key::whole(
            "batch",
            [1, 1_000_000],
            "64",
            "matches of self-play that are played with the same weights",
        ),
        recall::FILE,
        recall::CHECKSUM,
        recall::LEARNING,
        recall::RECALL,
        Key::whole(
            PLIES,
            [1, 30],
            "1",
            "plies to look ahead when it plays: 1, the values after its actions; more, an alpha-beta search",
        ),
    ];
}

/// Returns the learner's keys for a game.
#[must_use]
pub fn keys<G: Afterstates>() -> &'static [Key] {
    Names::<G>::ALL.split_at(Names::<G>::ALL.len() - 1).0
}

/// Returns the learner's keys for a game in which it can look ahead.
#[must_use]
pub fn keys_with_plies<G: Positions>() -> &'static [Key] {
    Names::<G>::ALL
}

/// Reads the parts of the learner from the settings.
pub(super) fn read<G: Afterstates>(game: &G, settings: &Settings) -> Result<Parts<G::Layout>, SpecError> {
    let name = settings.text("layout");
    let layout = game.table_layout(name).map_err(|wrong| settings.no_codec("layout", wrong))?;
    let mut full = settings.full_form();
    full.pairs.retain(|(key, value)| key != "checksum" || value != ANY_CHECKSUM);
    Ok(Parts {
        meaning: format!("{name} {}", game.layout_meaning(&layout)),
        rule: Rule {
            step: settings.real("step") as f32,
            lambda: settings.real("lambda") as f32,
            gamma: settings.real("gamma") as f32,
            rates: if settings.text("rates") == "tcl" { Rates::Coherence } else { Rates::Fixed },
            active: game.most_active(&layout) as f32,
        },
        epsilon: [settings.real("epsilon"), settings.real("final_epsilon")],
        anneal: settings.whole("anneal") as u64,
        batch: settings.whole("batch") as u64,
        layout,
        spec: full.to_string(),
    })
}
