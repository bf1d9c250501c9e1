//! What is wrong with a request, as a status and a sentence.

use std::error::Error;

use hyper::StatusCode;
use parlor_core::api::{ApiError, ErrorKind};
use parlor_core::{ReadError, SpecError};
use parlor_lab::session::SessionError;
use serde_json::{Map, Value};

/// A request that is refused.
#[derive(Debug)]
pub struct Problem {
    /// The status.
    pub status: StatusCode,
    /// What is wrong, in a sentence.
    pub error: String,
    /// Where in the request.
    pub place: Option<String>,
    /// What was probably meant.
    pub did_you_mean: Option<String>,
    /// A snapshot that shows how things stand.
    pub snapshot: Option<bytes::Bytes>,
}

/// The result of a call.
pub type Answer<T> = Result<T, Problem>;

impl Problem {
    /// A refusal with a status of its own.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Problem {
        Problem { status, error: error.into(), place: None, did_you_mean: None, snapshot: None }
    }

    /// The request is not understood.
    pub fn bad(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, error)
    }

    /// A field of the request is not understood.
    pub fn field(name: &str, error: impl Into<String>) -> Problem {
        Problem { place: Some(name.to_owned()), ..Problem::bad(error) }
    }

    /// It is not allowed.
    pub fn forbidden(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, error)
    }

    /// There is no such thing.
    pub fn missing(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, error)
    }

    /// Not at this moment.
    pub fn conflict(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, error)
    }

    /// The server is full.
    pub fn full(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// Adds the place, unless there is one.
    pub fn at(mut self, place: &str) -> Problem {
        self.place.get_or_insert_with(|| place.to_owned());
        self
    }

    /// Returns the JSON of the refusal.
    pub fn json(&self) -> String {
        let mut fields = Map::new();
        fields.insert("error".to_owned(), self.error.clone().into());
        for (name, value) in [("where", &self.place), ("did_you_mean", &self.did_you_mean)] {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value.clone().into());
            }
        }
        let mut text = Value::Object(fields).to_string();
        if let Some(snapshot) = &self.snapshot {
            text.pop();
            text.push_str(",\"snapshot\":");
            text.push_str(&String::from_utf8_lossy(snapshot));
            text.push('}');
        }
        text
    }
}

/// Returns a sentence with everything that caused it.
pub fn sentence(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = cause.source();
    }
    text
}

/// Returns the word that a sentence proposes.
fn proposed(sentence: &str) -> Option<String> {
    let (_, rest) = sentence.split_once("did you mean `")?;
    Some(rest.split_once('`')?.0.to_owned())
}

fn place_of_reading(error: &ReadError) -> String {
    error.at.map_or_else(|| error.what.to_owned(), |at| format!("{}, character {at}", error.what))
}

impl From<SpecError> for Problem {
    fn from(error: SpecError) -> Problem {
        let text = sentence(&error);
        let place = match &error {
            SpecError::Form { at, .. } => Some(format!("character {at}")),
            SpecError::Key { key, .. } | SpecError::Twice { key, .. } | SpecError::Value { key, .. } => {
                Some(key.clone())
            }
            _ => None,
        };
        Problem { place, did_you_mean: proposed(&text), ..Problem::bad(text) }
    }
}

impl From<ApiError> for Problem {
    fn from(error: ApiError) -> Problem {
        let text = sentence(&error);
        let status = match error.kind() {
            ErrorKind::BadRequest => StatusCode::BAD_REQUEST,
            ErrorKind::Conflict | ErrorKind::Unsupported | ErrorKind::AgentFault | ErrorKind::Cancelled => {
                StatusCode::CONFLICT
            }
        };
        let place = match &error {
            ApiError::Read(error) | ApiError::Move { source: error, .. } => Some(place_of_reading(error)),
            _ => None,
        };
        match error {
            ApiError::Spec(error) => error.into(),
            _ => Problem { place, did_you_mean: proposed(&text), ..Problem::new(status, text) },
        }
    }
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Problem {
        match error {
            SessionError::Spec(error) => error.into(),
            SessionError::Api(error) => error.into(),
            SessionError::Move { number, cause } => {
                let problem = Problem::from(cause);
                Problem { error: format!("move {number}: {}", problem.error), ..problem }
            }
            SessionError::Seats { .. } => Problem::bad(sentence(&error)).at("seats"),
            SessionError::Over | SessionError::Ended(_) | SessionError::NothingToUndo => {
                Problem::conflict(sentence(&error))
            }
            SessionError::Write { .. } => Problem::full(sentence(&error)),
        }
    }
}
