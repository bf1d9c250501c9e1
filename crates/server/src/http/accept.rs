//! The accept loop: how many connections, how large and how slow requests may be.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::patient::Patient;
use super::reply::{Reply, finish};

/// How long the head of a request may take, and how long a connection may lie idle.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// How many headers a request may have.
const MOST_HEADERS: usize = 64;

/// How large the head of a request may be, in bytes.
const LARGEST_HEAD: usize = 16 << 10;

/// How long to wait after the system has refused a connection, for example because too many files are open.
const BREATH: Duration = Duration::from_millis(50);

/// What is said to a connection that is one too many.
const FULL: &str = r#"{"error":"too many connections: try again later"}"#;

/// Accepts connections until `stop` is set; `answer` replies to requests.
pub async fn accept<F, R>(
    listener: TcpListener,
    connections: usize,
    mut stop: watch::Receiver<bool>,
    answer: F,
) where
    F: Fn(hyper::Request<Incoming>) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Reply> + Send + 'static,
{
    let room = Arc::new(Semaphore::new(connections));
    loop {
        let accepted = tokio::select! {
            () = stopped(&mut stop) => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(BREATH).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        match Arc::clone(&room).try_acquire_owned() {
            Ok(permit) => drop(tokio::spawn(serve(stream, permit, stop.clone(), answer.clone()))),
            Err(_) => drop(tokio::spawn(refuse(stream))),
        }
    }
}

/// Waits until the server is to end.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stopped| *stopped).await.is_ok();
}

async fn refuse(mut stream: TcpStream) {
    let reply = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\nretry-after: 5\r\n\r\n{FULL}",
        FULL.len()
    );
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(reply.as_bytes())).await;
}

async fn serve<F, R>(
    stream: TcpStream,
    permit: OwnedSemaphorePermit,
    mut stop: watch::Receiver<bool>,
    answer: F,
) where
    F: Fn(hyper::Request<Incoming>) -> R + Send + Sync + 'static,
    R: Future<Output = Reply> + Send + 'static,
{
    let service = service_fn(move |request| {
        let reply = answer(request);
        async move { Ok::<_, Infallible>(finish(reply.await)) }
    });
    let mut settings = http1::Builder::new();
    settings
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LARGEST_HEAD);
    let connection = settings.serve_connection(TokioIo::new(Patient::new(stream)), service);
    tokio::pin!(connection);
    tokio::select! {
        // Whatever is wrong with a connection is the other side's matter.
        _ = connection.as_mut() => {}
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            let _ = tokio::time::timeout(Duration::from_secs(1), connection).await;
        }
    }
    drop(permit);
}
