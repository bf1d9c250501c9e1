//! What can be wrong with a spec.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::files::checksummed_file::ChecksummedFileError;
use crate::text::notation::quoted;
use crate::text::suggest::closest;

/// Errors of specs: of their form, their names, keys and values, and of what they refer to.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// The text is not of the form `name(key=value, …)`.
    #[error("{}, character {at}: {wrong}; a spec looks like `connect(width=7, height=6)`", quoted(.text))]
    Form {
        /// The whole text.
        text: String,
        /// Where, counted in characters from 1.
        at: usize,
        /// What is wrong there.
        wrong: String,
    },
    /// There is no such game or agent.
    #[error("there is no {kind} named {}{}; known: {}", quoted(.name), did_you_mean(.name, .known), .known.join(", "))]
    Name {
        /// "game" or "agent".
        kind: String,
        /// What was typed.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// There is no such key.
    #[error("{owner} has no key {}{}; keys: {}", quoted(.key), did_you_mean(.key, .known), if .known.is_empty() { "none".to_owned() } else { .known.join(", ") })]
    Key {
        /// Whose keys were asked for.
        owner: String,
        /// What was typed.
        key: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A key was given twice.
    #[error("{owner}: key `{key}` is given twice")]
    Twice {
        /// Whose key.
        owner: String,
        /// Which.
        key: String,
    },
    /// A name is to be given to an agent that has another owner.
    #[error("{} cannot be the name of another agent: {game} has one of that name, or it is no name", quoted(.name))]
    Taken {
        /// The name.
        name: String,
        /// The game's name.
        game: &'static str,
    },
    /// A key that has no default is not given.
    #[error("{owner}: {key}=… is missing; {wanted}")]
    Missing {
        /// Whose key.
        owner: String,
        /// Which.
        key: &'static str,
        /// What it takes, and where to get it.
        wanted: String,
    },
    /// A value does not fit its key.
    #[error("{owner}: {key}={} does not fit; {wanted}", quoted(.value))]
    Value {
        /// Whose key.
        owner: String,
        /// Which.
        key: String,
        /// What was typed.
        value: String,
        /// What would fit.
        wanted: String,
    },
    /// A file or folder that a key names cannot be used.
    #[error("{owner}: {key}=`{}` cannot be used", path.display())]
    File {
        /// Whose key.
        owner: String,
        /// Which.
        key: &'static str,
        /// What it names.
        path: PathBuf,
        /// What kind of problem it is.
        problem: FileProblem,
        /// What is wrong.
        #[source]
        cause: Cause,
    },
    /// A file or folder is another one than the one whose checksum was given.
    #[error("{owner}: {key}=`{}` has changed: its checksum is {found}, not {given}", path.display())]
    Changed {
        /// Whose key.
        owner: String,
        /// Which.
        key: &'static str,
        /// What it names.
        path: PathBuf,
        /// The checksum that it has.
        found: Checksum,
        /// The checksum that the spec has.
        given: String,
    },
    /// A program cannot be started, or does not play the game.
    #[error("{owner}: `{command}` cannot be seated")]
    Program {
        /// Whose key.
        owner: String,
        /// The program and its arguments.
        command: String,
        /// What is wrong.
        #[source]
        cause: Cause,
    },
    /// The game has no such encoding of what a seat knows.
    #[error("{owner}: {key}={name}: {wrong}")]
    Codec {
        /// Whose key.
        owner: String,
        /// Which.
        key: &'static str,
        /// The encoding.
        name: String,
        /// What is wrong.
        wrong: String,
    },
    /// An agent that sees everything was named where only honest agents may sit.
    #[error("{owner}: it sees what is hidden, so only matches, tournaments and experiments can seat it")]
    Oracle {
        /// The agent.
        owner: String,
    },
    /// An agent that learns during play was named where games must not depend on each other.
    #[error(
        "{owner}: with learning=on a game would depend on the games before it; `parlor train` is for learning"
    )]
    Learning {
        /// The agent.
        owner: String,
    },
    /// The values do not go together, or not with the game.
    #[error("{owner}: {wrong}")]
    Together {
        /// Whose keys.
        owner: String,
        /// What is wrong.
        wrong: String,
    },
}

fn did_you_mean(typed: &str, known: &[String]) -> String {
    closest(typed, known.iter().map(String::as_str))
        .map(|word| format!(" (did you mean `{word}`?)"))
        .unwrap_or_default()
}

/// What kind of problem there is with a file or folder.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FileProblem {
    /// It is not there.
    Missing,
    /// The system cannot read it.
    Unreadable,
    /// It is of another kind, or of a version that this program does not know.
    Foreign,
    /// It has changed since it was written, or what it says makes no sense.
    Damaged,
    /// It is for another game or another agent.
    Elsewhere,
}

/// A file or folder that cannot be used, before it is known which key names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unusable {
    /// What kind of problem it is.
    pub problem: FileProblem,
    /// What is wrong.
    pub cause: Cause,
}

impl Unusable {
    /// Returns the problem with its cause.
    pub fn new(problem: FileProblem, cause: impl Error + Send + Sync + 'static) -> Unusable {
        Unusable { problem, cause: Cause::new(cause) }
    }
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        let problem = match error.kind() {
            io::ErrorKind::NotFound => FileProblem::Missing,
            io::ErrorKind::InvalidData => FileProblem::Damaged,
            _ => FileProblem::Unreadable,
        };
        Unusable::new(problem, error)
    }
}

impl From<ChecksummedFileError> for Unusable {
    fn from(error: ChecksummedFileError) -> Self {
        let problem = match error {
            ChecksummedFileError::Io(error) => return error.into(),
            ChecksummedFileError::Foreign { .. } => FileProblem::Foreign,
            ChecksummedFileError::Damaged { .. }
            | ChecksummedFileError::About { .. }
            | ChecksummedFileError::Content { .. } => FileProblem::Damaged,
            ChecksummedFileError::OtherGame { .. } => FileProblem::Elsewhere,
        };
        Unusable::new(problem, error)
    }
}

/// The cause of an error, shared by its copies. Two causes are equal if they read the same.
#[derive(Clone, Debug)]
pub struct Cause(Arc<dyn Error + Send + Sync>);

impl Cause {
    /// Returns an error as a cause.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Cause {
        Cause(Arc::new(error))
    }

    fn chain(&self) -> impl Iterator<Item = String> {
        std::iter::successors(Some(&*self.0 as &dyn Error), |&error| error.source()).map(ToString::to_string)
    }
}

impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        self.chain().eq(other.chain())
    }
}

impl Eq for Cause {}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// The checksum of a file or folder; written as eight hexadecimal digits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Checksum(pub u32);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}
