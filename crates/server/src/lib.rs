//! `parlor serve`: an HTTP API for tables, hints and runs, and the page that uses it.
//!
//! Everything that a client gets of a match comes from the view of the seat whose key it sends.

mod agents;
mod analysis;
mod assets;
mod catalog;
mod guide;
mod hint;
mod http;
mod ids;
mod owner;
mod recorded;
mod replay;
mod router;
mod runs;
mod streams;
mod tables;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parlor_core::Cancel;
use parlor_lab::record::Location;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use agents::Offered;
use assets::Page;
use http::accept::accept;
use http::guard::Guard;
use http::problem::{Answer, Problem};
use http::reply::Reply;
use http::request::Request;
use ids::Token;
use owner::Owner;
use runs::{Places, Runs};
use streams::Streams;
use tables::Tables;
use tables::archive::Archive;
use tables::thinking::Thinkers;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub listen: IpAddr,
    /// The port; 0 picks a free one.
    pub port: u16,
    /// Names by which browsers may call it, beside its numbers.
    pub names: Vec<String>,
    /// Where tables and runs are kept; `None` to keep nothing.
    pub folder: Option<PathBuf>,
    /// A folder with the page, for work on it; `None` for the page in the program.
    pub page: Option<PathBuf>,
    /// Agents that may be seated by a name, whatever they use: names with specs.
    pub agents: Vec<(String, String)>,
    /// The program's own place, with the log of matches and tournaments; `None` to write no log.
    pub home: Option<PathBuf>,
    /// How many threads think.
    pub threads: usize,
    /// How much memory tables may use together, in mebibytes.
    pub memory_mb: usize,
    /// How many connections there may be.
    pub connections: usize,
    /// The store in which matches that are over are recorded, those of tables and those of runs; `None` to record nothing.
    pub record: Option<Location>,
    /// What is done with warnings.
    pub warn: fn(&str),
    /// A table that nobody has used for this long leaves the memory; it is on the disk.
    pub idle: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            listen: Ipv4Addr::LOCALHOST.into(),
            port: DEFAULT_PORT,
            names: Vec::new(),
            folder: None,
            page: None,
            agents: Vec::new(),
            home: None,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mb: 1024,
            connections: 4096,
            record: None,
            warn: |_| {},
            idle: Duration::from_secs(600),
        }
    }
}

/// The usual port.
pub const DEFAULT_PORT: u16 = 8017;

/// How often idle things are put away.
const TIDY: Duration = Duration::from_secs(1);

/// How often the flag is looked at that ends the server.
const GLANCE: Duration = Duration::from_millis(50);

/// How many searches for hints and analyses there may be at a time, for each thread.
const HINTS: usize = 2;

/// Everything that requests share.
struct App {
    guard: Guard,
    owner: Owner,
    page: Page,
    tables: Arc<Tables>,
    streams: Streams,
    runs: Runs,
    catalog: Bytes,
    hints: Arc<Semaphore>,
}

impl App {
    /// Takes the right to search for a hint.
    ///
    /// # Errors
    /// If too many are being searched for.
    fn hint_permit(&self) -> Answer<OwnedSemaphorePermit> {
        let full = |_| Problem::full("too many hints are being thought about: try again in a moment");
        Arc::clone(&self.hints).try_acquire_owned().map_err(full)
    }
}

/// Where a server can be reached.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// For everybody who can connect.
    pub everyone: String,
    /// For the owner: the key of the laboratory is in it.
    pub owner: String,
    /// The address itself.
    pub socket: SocketAddr,
}

/// Runs a server until `stop` is set. `ready` is called as soon as it listens.
///
/// # Errors
/// If it cannot listen there.
///
/// # Panics
/// If the system has no threads left.
pub fn serve(settings: &Settings, stop: &Cancel, ready: impl FnOnce(&Addresses)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(settings.threads.clamp(1, 4))
        .enable_all()
        .build()?;
    let done = runtime.block_on(run(settings, stop, ready));
    runtime.shutdown_timeout(Duration::from_millis(500));
    done
}

async fn run(settings: &Settings, stop: &Cancel, ready: impl FnOnce(&Addresses)) -> io::Result<()> {
    let listener = TcpListener::bind(SocketAddr::new(settings.listen, settings.port)).await?;
    let socket = listener.local_addr()?;
    let owner = Owner::new(Token::new(), socket.port());
    // An address that means "every interface" leads nowhere in a browser.
    let shown = if socket.ip().is_unspecified() {
        SocketAddr::new(Ipv4Addr::LOCALHOST.into(), socket.port())
    } else {
        socket
    };
    let everyone = format!("http://{shown}");
    let addresses = Addresses { owner: format!("{everyone}{}", owner.start()), everyone, socket };
    let offered = Offered::new(settings.agents.iter().cloned());
    let catalog = serde_json::to_vec(&catalog::catalog(&offered)).expect("plain data always becomes JSON");
    let tables = Tables::new(
        offered,
        (settings.memory_mb << 20, settings.idle),
        settings.folder.as_ref().map(|folder| folder.join("tables")),
        settings.record.clone().map(|store| Archive::start(store, settings.warn)),
        tokio::runtime::Handle::current(),
    );
    Thinkers::start(&tables, settings.threads.max(1));
    let runs = settings.folder.as_ref().map(|folder| folder.join("runs"));
    let threads = settings.threads.max(1);
    let app = Arc::new_cyclic(|app| App {
        guard: Guard::new(socket, &settings.names),
        owner,
        page: Page { folder: settings.page.clone() },
        tables,
        streams: Streams::default(),
        runs: Runs::new(runs, (threads - 1).max(1), Places::of(settings), app),
        catalog: catalog.into(),
        hints: Arc::new(Semaphore::new(HINTS * settings.threads.max(1))),
    });
    let (stopper, stopped) = watch::channel(false);
    let tidying = Arc::clone(&app);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TIDY).await;
            let app = Arc::clone(&tidying);
            let _ = tokio::task::spawn_blocking(move || {
                app.tables.tidy();
                app.streams.tidy();
            })
            .await;
        }
    });
    let answering = Arc::clone(&app);
    let serving = tokio::spawn(accept(listener, settings.connections, stopped, move |request| {
        let app = Arc::clone(&answering);
        answer(app, request)
    }));
    ready(&addresses);
    while !stop.is_cancelled() {
        tokio::time::sleep(GLANCE).await;
    }
    let _ = stopper.send(true);
    let _ = serving.await;
    let _ = tokio::task::spawn_blocking(move || {
        app.tables.save_all();
        app.runs.stop_all();
        app.tables.finish_archive();
    })
    .await;
    Ok(())
}

async fn answer(app: Arc<App>, request: hyper::Request<hyper::body::Incoming>) -> Reply {
    let (head, body) = request.into_parts();
    if let Err(problem) = app.guard.check(&head) {
        return problem.into();
    }
    let is_head = head.method == hyper::Method::HEAD;
    let reply = router::route(&app, Request { head, body }).await.unwrap_or_else(Reply::from);
    if is_head { reply.map(|_| http::reply::Content::Whole(None)) } else { reply }
}
