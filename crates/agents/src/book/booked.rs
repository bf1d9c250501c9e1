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
const SHIPPED: &str = "shipped";

/// The keys of agents that can use a book.
pub const KEYS: [Key; 3] = keys(NO_BOOK);

/// The keys of agents that use the book that comes with the program.
pub const KEYS_WITH_SHIPPED: [Key; 3] = keys(SHIPPED);

const fn keys(book: &'static str) -> [Key; 3] {
    [
        Key {
            name: "book",
            kind: Kind::File(OnDisk { words: &[NO_BOOK, SHIPPED], checksum: fingerprint::stored }),
            default: book,
            help: "opening book, as `parlor book build` writes it; its positions are played without search; shipped: the one that \
               comes with the program, if there is one for these rules",
        },
        Key::checksum("book_checksum", "book"),
        Key {
            name: "book_choice",
            kind: Kind::Choice(&["best", "weighted"]),
            default: "best",
            help: "which book move to play: the best, or one at random by results",
        },
    ]
}

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

/// Adds the book that the settings name, if any, to an agent. `shipped` is the file that comes with the program.
///
/// # Errors
/// If the book cannot be read, is damaged, or is for another game.
pub fn booked<G: Entry + PerfectInfo + Keyed>(
    agent: Box<dyn Agent<G>>,
    context: &BuildContext<'_, G>,
    shipped: Option<&[u8]>,
) -> Result<Box<dyn Agent<G>>, SpecError> {
    let &BuildContext { game, settings, .. } = context;
    let book = match (settings.text("book"), shipped) {
        (NO_BOOK, _) | (SHIPPED, None) => return Ok(agent),
        (SHIPPED, Some(bytes)) => Book::parse(bytes),
        (file, _) => Book::open(file.as_ref()),
    };
    let book = book
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

    fn look_up(&self, decision: &Decision<'_, G>, rng: &mut Rng) -> Option<(Page, G::Action)> {
        let page = self.book.page(decision.game, decision.game.truth(decision.view))?;
        let at = if self.weighted { page.any(rng) } else { page.best() }?;
        let action = *decision.actions.get(usize::from(page.lines[at].action))?;
        Some((page, action))
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
        let Some((page, action)) = self.look_up(decision, context.rng) else {
            return self.agent.act(decision, context);
        };
        context.reporter.report_with(|| thought(&page, decision.actions, action));
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
