//! The registry: every game, the types that play it, its agents and what else can be done with it.
//!
//! It is written, not gathered; a test compares it with the modules of `parlor-games`.

use parlor_agents::classifier::ShippedClassifier;
use parlor_agents::endgame;
use parlor_core::Stimulus;
use parlor_games::bits::Word;
use parlor_games::checkers::Checkers;
use parlor_games::connect::{self, Connect};
use parlor_games::darkchess::DarkChess;
use parlor_games::dominoes::{self, Dominoes};
use parlor_games::minesweeper::{self, Minesweeper};
use parlor_games::tictactoe::{self, TicTacToe};
use parlor_games::wide::{U192, U512};

use crate::abilities::{Abilities, Registered, ShippedFile};
use crate::opening::registry;
use crate::{learnt_values, roster, table_plans, training_plans};

registry! {
    dominoes: Dominoes;
    connect: Connect<u64>, Connect<u128>, Connect<U192>;
    tictactoe: TicTacToe;
    checkers: Checkers<u64>, Checkers<u128>;
    darkchess: DarkChess;
    minesweeper: Minesweeper<u64>, Minesweeper<u128>, Minesweeper<U512>;
}

impl Registered for Dominoes {
    const ABILITIES: Abilities<Self> = Abilities {
        solver: Some(dominoes::solver),
        equilibrium: Some(|game| game),
        deals: Some(|game| game),
        features: Some(|game| game),
        classifiers: &[
            ShippedClassifier {
                name: "mda",
                bytes: include_bytes!("../shipped/classifiers/dominoes-mda.model"),
            },
            ShippedClassifier {
                name: "forest",
                bytes: include_bytes!("../shipped/classifiers/dominoes-forest.model"),
            },
        ],
        codecs: Self::CODECS,
        training: Some(&training_plans::DOMINOES),
        shipped: Some(include_bytes!("../shipped/dominoes-collective.parlor")),
        shipped_tables: &[ShippedFile {
            game: "dominoes(rules=dominating, set=6, hand=7, fives=on, arms=immediate, spinner=first-double, blocked=each, draw=until, reserve=0, lead=free, bonus=pips, target=100)",
            bytes: include_bytes!("../shipped/dominoes.parlor"),
        }],
        table: Some(&table_plans::DOMINOES),
        ..Abilities::new(roster::dominoes)
    };
}

impl<W: Word> Registered for Connect<W> {
    const ABILITIES: Abilities<Self> = Abilities {
        solver: Some(connect::solve::solver),
        books: Some(|game| game),
        column_features: Some(|game| game),
        exercises: Some(connect::columns::block),
        codecs: Self::CODECS,
        training: Some(&training_plans::CONNECT),
        shipped: Some(include_bytes!("../shipped/connect-collective.parlor")),
        shipped_tables: &[
            ShippedFile {
                game: "connect(width=7, height=6, row=4)",
                bytes: include_bytes!("../shipped/tables/connect-7x6.parlor"),
            },
            ShippedFile {
                game: "connect(width=11, height=10, row=4)",
                bytes: include_bytes!("../shipped/tables/connect-11x10.parlor"),
            },
        ],
        learnt_value: Some(crate::column_features::learnt_value),
        shipped_books: &[ShippedFile {
            game: "connect(width=7, height=6, row=4)",
            bytes: include_bytes!("../shipped/books/connect-7x6.book"),
        }],
        table: Some(&table_plans::CONNECT),
        ..Abilities::new(roster::connect)
    };
}

impl Registered for TicTacToe {
    const ABILITIES: Abilities<Self> = Abilities {
        solver: Some(tictactoe::solve::solver),
        books: Some(|game| game),
        features: Some(|game| game),
        codecs: Self::CODECS,
        training: Some(&training_plans::TICTACTOE),
        shipped: Some(include_bytes!("../shipped/tictactoe-collective.parlor")),
        shipped_tables: &[
            ShippedFile {
                game: "tictactoe(rows=3, columns=3, lines=windows)",
                bytes: include_bytes!("../shipped/tictactoe.parlor"),
            },
            ShippedFile {
                game: "tictactoe(rows=5, columns=5, lines=windows)",
                bytes: include_bytes!("../shipped/tables/tictactoe-5x5.parlor"),
            },
        ],
        learnt_value: Some(learnt_values::ntuple_value),
        table: Some(&table_plans::TICTACTOE),
        ..Abilities::new(roster::tictactoe)
    };
}

impl<W: Word> Registered for Checkers<W> {
    const ABILITIES: Abilities<Self> = Abilities {
        solver: Some(endgame::solver),
        books: Some(|game| game),
        endgames: Some(|game| game),
        nets: Some(|game| game),
        codecs: Self::CODECS,
        training: Some(&training_plans::CHECKERS),
        shipped: Some(include_bytes!("../shipped/checkers-collective.parlor")),
        shipped_tables: &[ShippedFile {
            game: "checkers(rows=8, columns=8, draw=50, unit=plies, kings=must)",
            bytes: include_bytes!("../shipped/tables/checkers-8x8.parlor"),
        }],
        learnt_value: Some(learnt_values::net_or_ntuple),
        shipped_net: Some(include_bytes!("../shipped/nets/checkers.parlor")),
        table: Some(&table_plans::CHECKERS),
        ..Abilities::new(roster::checkers)
    };
}

impl Registered for DarkChess {
    const ABILITIES: Abilities<Self> = Abilities {
        solver: Some(endgame::solver),
        endgames: Some(|game| game),
        training: Some(&training_plans::DARKCHESS),
        table: Some(&table_plans::DARKCHESS),
        ..Abilities::new(roster::darkchess)
    };
}

impl<W: Word> Registered for Minesweeper<W> {
    const ABILITIES: Abilities<Self> = Abilities {
        solver: Some(minesweeper::solver),
        odds: Some(|game| game),
        codecs: Self::CODECS,
        training: Some(&training_plans::MINESWEEPER),
        shipped: Some(include_bytes!("../shipped/minesweeper-collective.parlor")),
        shipped_tables: &[ShippedFile {
            game: "minesweeper(rows=3, columns=3, mines=2, first=any)",
            bytes: include_bytes!("../shipped/minesweeper.parlor"),
        }],
        table: Some(&table_plans::MINESWEEPER),
        ..Abilities::new(roster::minesweeper)
    };
}
