//! Replies, and the headers that all of them have.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;
use tokio::sync::mpsc;

use super::problem::Problem;

/// A reply.
pub type Reply = Response<Content>;

/// The policy of every page of ours: nothing from elsewhere, no inline scripts, no frames around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// The policy of reports: they come from runs that others may have named, so they get no scripts and no origin.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; \
    form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox";

/// The content of a reply.
pub enum Content {
    /// Everything at once.
    Whole(Option<Bytes>),
    /// Piece by piece. The guard is dropped when the client has gone away or the last piece is out.
    Pieces(mpsc::Receiver<Bytes>, Option<Box<dyn Send + Sync>>),
}

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            Content::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Content::Pieces(pieces, _) => {
                pieces.poll_recv(context).map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Content::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Content::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Content::Pieces(..) => SizeHint::default(),
        }
    }
}

fn with(status: StatusCode, kind: &'static str, content: Content) -> Reply {
    let mut reply = Response::new(content);
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    reply
}

/// Adds the headers that every reply has.
pub fn finish(mut reply: Reply) -> Reply {
    let headers = reply.headers_mut();
    let fixed: [(HeaderName, &'static str); 5] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    reply
}

/// Marks a reply as a report: it gets a policy of its own.
pub fn sandboxed(mut reply: Reply) -> Reply {
    reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT_POLICY));
    reply
}

/// Returns a reply of bytes.
pub fn bytes(status: StatusCode, kind: &'static str, bytes: impl Into<Bytes>) -> Reply {
    let bytes = bytes.into();
    with(status, kind, Content::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
}

/// Returns a reply of JSON that is text already.
pub fn json_text(status: StatusCode, text: impl Into<Bytes>) -> Reply {
    bytes(status, "application/json", text)
}

/// Returns a reply of JSON.
pub fn json(status: StatusCode, value: &impl Serialize) -> Reply {
    json_text(status, serde_json::to_vec(value).expect("plain data always becomes JSON"))
}

/// Returns a reply without content.
pub fn nothing(status: StatusCode) -> Reply {
    let mut reply = with(status, "text/plain", Content::Whole(None));
    reply.headers_mut().remove(header::CONTENT_TYPE);
    reply
}

/// Returns a reply that is sent piece by piece.
pub fn pieces(
    kind: &'static str,
    pieces: mpsc::Receiver<Bytes>,
    guard: Option<Box<dyn Send + Sync>>,
) -> Reply {
    with(StatusCode::OK, kind, Content::Pieces(pieces, guard))
}

impl From<Problem> for Reply {
    fn from(problem: Problem) -> Reply {
        json_text(problem.status, problem.json())
    }
}
