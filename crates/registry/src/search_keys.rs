//! The keys of searches, with those for books and learnt values where a game has them.

use std::sync::LazyLock;

use parlor_agents::{alphabeta, book, evaluation, exact, expectimax, ismcts, mcts, pimc};
use parlor_core::Key;
use parlor_core::files::recall::NO_FILE;

/// The keys of searches where books can be grown.
pub(crate) struct SearchKeys {
    pub alphabeta: Vec<Key>,
    pub mcts: Vec<Key>,
}

/// Those of games in which no learner values positions.
pub(crate) static SEARCH_KEYS: LazyLock<SearchKeys> = LazyLock::new(|| SearchKeys {
    alphabeta: book::with_keys(alphabeta::KEYS),
    mcts: book::with_keys(mcts::keys_with_evaluation()),
});

/// Those of games in which a learner does.
pub(crate) static SEARCH_KEYS_WITH_LEARNT: LazyLock<SearchKeys> = LazyLock::new(|| SearchKeys {
    alphabeta: book::with_keys(&evaluation::with_keys(alphabeta::KEYS)),
    mcts: book::with_keys(&evaluation::with_keys(mcts::keys_with_evaluation())),
});

/// Those of games in which nets do too, and endgames can be listed.
pub(crate) static SEARCH_KEYS_WITH_NETS: LazyLock<SearchKeys> = LazyLock::new(|| SearchKeys {
    alphabeta: book::with_keys(&evaluation::with_net_keys(&alphabeta::keys_with_endgames(), evaluation::NET)),
    mcts: book::with_keys(&evaluation::with_net_keys(mcts::keys_with_evaluation(), NO_FILE)),
});

/// The keys of `exact`, which uses the book that comes with the program.
pub(crate) static EXACT_KEYS: LazyLock<Vec<Key>> =
    LazyLock::new(|| [exact::KEYS, &book::KEYS_WITH_SHIPPED].concat());

/// The keys of searches over worlds, whose leaves `ntuple` can value.
pub(crate) struct WorldKeys {
    pub pimc: Vec<Key>,
    pub expectimax: Vec<Key>,
    pub ismcts: Vec<Key>,
    pub plain_ismcts: Vec<Key>,
}

pub(crate) static WORLD_KEYS: LazyLock<WorldKeys> = LazyLock::new(|| WorldKeys {
    pimc: evaluation::with_views_keys(pimc::KEYS),
    expectimax: evaluation::with_views_keys(pimc::EXPECTIMAX_KEYS),
    ismcts: evaluation::with_views_keys(ismcts::KEYS),
    plain_ismcts: evaluation::with_views_keys(ismcts::PLAIN_KEYS),
});

/// The keys of `expectimax` in games whose endgames can be listed.
pub(crate) static EXPECTIMAX_KEYS: LazyLock<Vec<Key>> = LazyLock::new(expectimax::keys_with_endgames);
