//! The store: a history of games, models that are counted from it, and a mailbox between processes.
//!
//! A [`Store`] is a folder of SQLite files or a PostgreSQL database; the traits are the same for both.
//!
//! | part | trait | in a folder | tables |
//! |---|---|---|---|
//! | every game, move by move | [`History`] | `history.sqlite` | `game_type_history`, `game`, `game_history`, `players`, `run` |
//! | counts of transitions, one model a heuristic | [`Model`] | `model-NAME.sqlite` | `transition`, `transition_input`, `game_processed` |
//! | questions and answers between processes | [`Mailbox`] | `mailbox.sqlite` | `agent_request`, `agent_response`, `worker` |
//!
//! The parts of a folder are files of their own, so that a writer of one never waits for a writer of another. Every change is
//! one transaction: a process that is killed leaves all of it or nothing. What must change together is in one part: counting a
//! game and marking it as counted.
//!
//! ```
//! use parlor_store::{Store, TransitionCount, GameId};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let at = folder.path().join("store");
//! let store = Store::create(at.to_str().unwrap())?;
//! let mut model = store.model("observed")?;
//! let seen = TransitionCount { state: 1, input: 2, next: 3, count: 1, wins: 1, ties: 0, losses: 0 };
//! model.fold(&[seen], &[GameId(1)])?;
//! assert_eq!(model.of_state(1)?, [seen]);
//! // The same game again: refused, and nothing is counted twice.
//! assert!(model.fold(&[seen], &[GameId(1)]).is_err());
//! assert_eq!(model.of_state(1)?, [seen]);
//! # Ok::<(), parlor_store::StoreError>(())
//! ```

mod error;
mod game_row;
mod history;
mod layout;
mod location;
mod mailbox;
mod model;
mod observations;
mod packed;
mod place;
mod postgres;
mod sqlite;
mod steps;
mod store;

pub use error::StoreError;
pub use history::{
    Appended, GameId, GameQuery, GameRecord, GameType, History, HistorySizes, Origin, RunId, StoredGame,
    TypeId,
};
pub use layout::StoredLayout;
pub use location::Location;
pub use mailbox::{
    Answer, Delivery, DeliveryCounts, Mailbox, Question, Reply, Request, RequestId, SeenWorker, WorkerState,
};
pub use model::{Model, ModelSizes, TransitionCount};
pub use observations::Observations;
pub use place::{read_place, write_place};
pub use steps::{Step, Steps};
pub use store::Store;
