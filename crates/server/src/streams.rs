//! Server-sent events: one stream a browser, for everything that it follows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::{Notify, mpsc};

use crate::App;
use crate::http::problem::{Answer, Problem};
use crate::http::reply::{Reply, pieces};
use crate::ids::Token;
use crate::tables::table::{Table, Viewer};

/// How many streams there may be.
const MOST_STREAMS: usize = 2_000;

/// How many things a stream may follow.
const MOST_TOPICS: usize = 64;

/// A stream that nobody reads is forgotten after this long.
const UNREAD: Duration = Duration::from_secs(60);

/// How often something is sent, so that those between do not close the connection.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// How long a reader may take for one event.
const SLOW: Duration = Duration::from_secs(30);

/// Something that a stream follows, as it is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// A table.
    pub table: Option<String>,
    /// The key of a seat of the table.
    pub key: Option<String>,
    /// A run of the laboratory.
    pub run: Option<String>,
    /// Whether all runs are followed.
    #[serde(default)]
    pub runs: bool,
}

/// A request for a stream.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topics {
    /// What it follows.
    pub topics: Vec<Topic>,
}

/// What a stream still has to say.
#[derive(Default)]
struct Due {
    snapshots: BTreeSet<Token>,
    thoughts: BTreeSet<Token>,
    gone: BTreeSet<Token>,
    runs: BTreeSet<Token>,
}

/// What a stream follows.
#[derive(Default)]
struct Followed {
    tables: BTreeMap<Token, (Arc<Table>, Viewer)>,
    /// Runs, with the number of points that were sent of each.
    runs: BTreeMap<Token, usize>,
    all_runs: bool,
}

/// One stream.
pub struct Stream {
    followed: Mutex<Followed>,
    due: Mutex<Due>,
    ring: Notify,
    /// The number of its reader: a new one takes the place of the old one.
    reader: AtomicU64,
    /// Since when nobody reads.
    unread: Mutex<Option<Instant>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stream {
    fn new() -> Stream {
        Stream {
            followed: Mutex::default(),
            due: Mutex::default(),
            ring: Notify::new(),
            reader: AtomicU64::new(0),
            unread: Mutex::new(Some(Instant::now())),
        }
    }

    fn note(&self, note: impl FnOnce(&mut Due)) {
        note(&mut lock(&self.due));
        self.ring.notify_one();
    }

    /// Notes that a table has changed.
    pub fn table_changed(&self, id: Token) {
        self.note(|due| _ = due.snapshots.insert(id));
    }

    /// Notes that the agent of a table has a new thought.
    pub fn table_thinks(&self, id: Token) {
        self.note(|due| _ = due.thoughts.insert(id));
    }

    /// Notes that a table was removed.
    pub fn table_gone(&self, id: Token) {
        self.note(|due| _ = due.gone.insert(id));
    }

    /// Notes that a run has changed.
    pub fn run_changed(&self, id: Token) {
        let follows = {
            let followed = lock(&self.followed);
            followed.all_runs || followed.runs.contains_key(&id)
        };
        if follows {
            self.note(|due| _ = due.runs.insert(id));
        }
    }

    fn is_forgotten(&self) -> bool {
        lock(&self.unread).is_some_and(|since| since.elapsed() > UNREAD)
    }
}

/// All streams.
#[derive(Default)]
pub struct Streams {
    streams: Mutex<HashMap<Token, Arc<Stream>>>,
}

impl Streams {
    /// Makes a stream.
    ///
    /// # Errors
    /// If there are too many, or a topic is not understood.
    pub async fn create(&self, app: &App, topics: &Topics, is_owner: bool) -> Answer<Token> {
        self.tidy();
        if lock(&self.streams).len() >= MOST_STREAMS {
            return Err(Problem::full("there are too many streams: try again later"));
        }
        let (id, stream) = (Token::new(), Arc::new(Stream::new()));
        follow(app, &stream, topics, is_owner).await?;
        lock(&self.streams).insert(id, stream);
        Ok(id)
    }

    /// Replaces what a stream follows.
    ///
    /// # Errors
    /// If there is no such stream, or a topic is not understood.
    pub async fn replace(&self, app: &App, id: &str, topics: &Topics, is_owner: bool) -> Answer<()> {
        follow(app, &self.find(id)?, topics, is_owner).await
    }

    fn find(&self, id: &str) -> Answer<Arc<Stream>> {
        let found = id.parse().ok().and_then(|id: Token| lock(&self.streams).get(&id).cloned());
        found.ok_or_else(|| Problem::missing("there is no such stream: make a new one"))
    }

    /// Forgets streams that nobody reads.
    pub fn tidy(&self) {
        lock(&self.streams).retain(|_, stream| !stream.is_forgotten());
    }

    /// Tells every stream that a run has changed.
    pub fn run_changed(&self, id: Token) {
        let all: Vec<Arc<Stream>> = lock(&self.streams).values().cloned().collect();
        all.iter().for_each(|stream| stream.run_changed(id));
    }

    /// Returns the events of a stream, as long as somebody reads.
    ///
    /// # Errors
    /// If there is no such stream.
    pub fn events(&self, app: &Arc<App>, id: &str) -> Answer<Reply> {
        let stream = self.find(id)?;
        let (out, events) = mpsc::channel(1);
        let number = stream.reader.fetch_add(1, Ordering::AcqRel) + 1;
        *lock(&stream.unread) = None;
        stream.ring.notify_one();
        let app = Arc::clone(app);
        tokio::spawn(async move {
            {
                let followed = lock(&stream.followed);
                let mut due = lock(&stream.due);
                due.snapshots.extend(followed.tables.keys());
                due.runs.extend(followed.runs.keys());
            }
            send(&app, &stream, number, &out).await;
            if stream.reader.load(Ordering::Acquire) == number {
                *lock(&stream.unread) = Some(Instant::now());
            }
        });
        Ok(pieces("text/event-stream", events, None))
    }
}

/// Lets a stream follow other topics.
async fn follow(app: &App, stream: &Arc<Stream>, topics: &Topics, is_owner: bool) -> Answer<()> {
    if topics.topics.len() > MOST_TOPICS {
        return Err(Problem::field("topics", format!("a stream follows at most {MOST_TOPICS} topics")));
    }
    let mut followed = Followed::default();
    for (number, topic) in topics.topics.iter().enumerate() {
        let place = format!("topics[{number}]");
        match topic {
            Topic { table: Some(id), key, run: None, runs: false } => {
                let table = app.tables.find(id).await.map_err(|problem| problem.at(&place))?;
                let viewer = table.viewer(key.as_deref())?;
                followed.tables.insert(table.id, (table, viewer));
            }
            Topic { table: None, key: None, run, runs } if run.is_some() || *runs => {
                if !is_owner {
                    return Err(crate::owner::not_the_owner());
                }
                if let Some(run) = run {
                    followed.runs.insert(app.runs.find(run)?.id, 0);
                }
                followed.all_runs |= *runs;
            }
            _ => {
                let wrong = "a topic is {\"table\": …, \"key\": …}, {\"run\": …} or {\"runs\": true}";
                return Err(Problem::field(&place, wrong));
            }
        }
    }
    let (tables, runs): (Vec<_>, Vec<Token>) =
        (followed.tables.values().cloned().collect(), followed.runs.keys().copied().collect());
    let before = std::mem::replace(&mut *lock(&stream.followed), followed);
    for (table, _) in before.tables.values() {
        table.leave(stream);
    }
    for (table, viewer) in &tables {
        table.follow(stream, *viewer);
        app.tables.enqueue(table);
    }
    stream.note(|due| {
        due.snapshots.extend(tables.iter().map(|(table, _)| table.id));
        due.runs.extend(runs);
    });
    Ok(())
}

async fn send(app: &App, stream: &Stream, number: u64, out: &mpsc::Sender<Bytes>) {
    // The first bytes tell the browser that the stream is open.
    let mut text = ": parlor\n\n".to_owned();
    loop {
        if !text.is_empty() {
            let sent = tokio::time::timeout(SLOW, out.send(Bytes::from(std::mem::take(&mut text)))).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
        tokio::select! {
            () = out.closed() => return,
            () = stream.ring.notified() => {}
            () = tokio::time::sleep(HEARTBEAT) => text.push_str(":\n\n"),
        }
        if stream.reader.load(Ordering::Acquire) != number {
            return;
        }
        write_due(app, stream, &mut text);
    }
}

fn event(text: &mut String, kind: &str, data: &str) {
    text.push_str("event: ");
    text.push_str(kind);
    text.push_str("\ndata: ");
    text.push_str(data);
    text.push_str("\n\n");
}

fn write_due(app: &App, stream: &Stream, text: &mut String) {
    let Due { snapshots, thoughts, gone, runs } = std::mem::take(&mut *lock(&stream.due));
    let find = |id: &Token| lock(&stream.followed).tables.get(id).cloned();
    for id in gone {
        if lock(&stream.followed).tables.remove(&id).is_some() {
            event(text, "gone", &serde_json::json!({"table": id.to_string()}).to_string());
        }
    }
    for id in snapshots {
        if let Some((table, viewer)) = find(&id) {
            let snapshot = table.snapshot(viewer);
            event(text, "snapshot", &String::from_utf8_lossy(&snapshot));
        }
    }
    for id in thoughts {
        if let Some((table, _)) = find(&id)
            && let Some(thought) = table.thought()
        {
            event(text, "thinking", &thought);
        }
    }
    for id in runs {
        let Ok(run) = app.runs.find(&id.to_string()) else {
            event(text, "gone", &serde_json::json!({"run": id.to_string()}).to_string());
            continue;
        };
        let from = lock(&stream.followed).runs.get(&id).copied();
        if let Some(from) = from {
            let points = run.points_from(from);
            for point in &points {
                event(text, "point", point);
            }
            lock(&stream.followed).runs.insert(id, from + points.len());
        }
        event(text, "run", &run.row().to_string());
    }
}
