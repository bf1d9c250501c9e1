//! An agent that consults an opening book before it searches.

use std::time::Duration;

use parlor_core::api::BuildContext;
use parlor_core::files::fingerprint;
use parlor_core::small_sort::small_sort;
use parlor_core::{
    Agent, Beliefs, Certainty, Considered, Context, Decision, Entry, Game, Key, Keyed, Kind, OnDisk, Payoffs,
    PerfectInfo, Pondering, Rng, Seat, Sight, SpecError, Thought, TypeOdds,
};

use super::{Book, Page};

const NO_BOOK: &str = "off";

/// The keys of agents that can use a book.
pub const KEYS: [Key; 3] = [
    Key {
        name: "book",
        kind: Kind::File(OnDisk { words: &[NO_BOOK], checksum: fingerprint::stored }),
        default: NO_BOOK,
        help: "opening book, as `parlor book build` writes it; its positions are played without search",
    },
    Key::checksum("book_checksum", "book"),
    Key {
        name: "book_choice",
        kind: Kind::Choice(&["best", "weighted"]),
        default: "best",
        help: "which book move to play: the best, or one at random by results",
    },
];

/// Returns an agent's own keys followed by those of the book.
#[must_use]
pub fn with_keys(own: &[Key]) -> Vec<Key> {
    [own, &KEYS].concat()
}

/// An agent with a book.
pub struct Booked<G: Game> {
    agent: Box<dyn Agent<G>>,
    book: Book,
    /// Whether to choose moves at random by their results instead of the best.
    weighted: bool,
}

/// Adds the book that the settings name, if any, to an agent.
///
/// # Errors
/// If the book cannot be read, is damaged, or is for another game.
pub fn booked<G: Entry + PerfectInfo + Keyed>(
    agent: Box<dyn Agent<G>>,
    context: &BuildContext<'_, G>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let file = settings.text("book");
    if file == NO_BOOK {
        return Ok(agent);
    }
    let book = Book::open(file.as_ref())
        .and_then(|book| book.for_game(&game.spec().to_string()))
        .map_err(|error| settings.unusable("book", error))?;
    Ok(Box::new(Booked::new(agent, book, settings.text("book_choice") == "weighted")))
}

impl<G: PerfectInfo + Keyed> Booked<G> {
    /// Returns `agent` with a book.
    #[must_use]
    pub fn new(agent: Box<dyn Agent<G>>, book: Book, weighted: bool) -> Self {
        Booked { agent, book, weighted }
    }

    fn page(&self, decision: &Decision<'_, G>) -> Option<&Page> {
        let state = decision.game.truth(decision.view);
        self.book.page(decision.game, state, decision.actions.len())
    }

    fn look_up(&self, decision: &Decision<'_, G>, rng: &mut Rng) -> Option<G::Action> {
        let page = self.page(decision)?;
        let at = if self.weighted { page.any(rng) } else { page.best() }?;
        decision.actions.get(usize::from(page.lines[at].action)).copied()
    }
}

/// Returns a page as a thought.
fn thought<A: Copy + PartialEq>(page: &Page, actions: &[A], chosen: A) -> Thought<A> {
    let mut moves: Vec<Considered<A>> = page
        .lines
        .iter()
        .filter_map(|line| {
            Some(Considered {
                action: *actions.get(usize::from(line.action))?,
                value: line.score()?,
                certainty: if line.known.is_some() { Certainty::Proven } else { Certainty::Guess },
                visits: u64::from(line.visits),
            })
        })
        .collect();
    // The chosen move comes first, even among equals.
    let order = |one: &Considered<A>, two: &Considered<A>| {
        two.value.total_cmp(&one.value).then(two.visits.cmp(&one.visits))
    };
    small_sort(&mut moves, |one, two| {
        (two.action == chosen).cmp(&(one.action == chosen)).then(order(one, two)).is_lt()
    });
    Thought {
        depth: 0,
        nodes: page.visits(),
        counts: "games",
        elapsed: Duration::ZERO,
        value: moves.first().map_or(0.5, |best| best.value),
        unit: "points a game in the book",
        certainty: if page.known().is_some() { Certainty::Proven } else { Certainty::Guess },
        end_in: None,
        line: vec![chosen],
        moves,
    }
}

impl<G: PerfectInfo + Keyed> Agent<G> for Booked<G> {
    fn begin_session(&mut self) {
        self.agent.begin_session();
    }

    fn begin(&mut self, game: &G, seat: Seat) {
        self.agent.begin(game, seat);
    }

    fn watch(&mut self, game: &G, sight: Sight<G::Action>) {
        self.agent.watch(game, sight);
    }

    fn act(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> G::Action {
        let Some(action) = self.look_up(decision, context.rng) else {
            return self.agent.act(decision, context);
        };
        if let Some(page) = self.page(decision) {
            context.reporter.report(&thought(page, decision.actions, action));
        }
        action
    }

    fn ponder(&mut self, pondering: &Pondering<'_, G>) {
        self.agent.ponder(pondering);
    }

    fn beliefs(&mut self, decision: &Decision<'_, G>, context: &mut Context<'_, G>) -> Option<Beliefs> {
        self.agent.beliefs(decision, context)
    }

    fn opponent_types(&mut self, game: &G) -> Option<Vec<TypeOdds>> {
        self.agent.opponent_types(game)
    }

    fn end(&mut self, game: &G, payoffs: &Payoffs) {
        self.agent.end(game, payoffs);
    }
}
