//! `parlor book`: opening books, grown and shown.

pub mod args;

use parlor_core::api::ApiError;
use parlor_core::{GameValue, Resources, Unsolved};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use parlor_catalog::book::exact::ExactError;
use parlor_catalog::book::{Book, BookHeader, BookMove};
use parlor_core::text::shown::shown;
use serde::Serialize;

use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{grid, progress, say, say_json};

use args::{BookCommand, BuildArgs, ShowArgs};

/// The longest spec that is shown.
const LONGEST_SPEC: usize = 1000;

/// How often a growing book is written.
const WRITTEN_EVERY: Duration = Duration::from_secs(10);

pub fn run(command: &BookCommand) -> anyhow::Result<()> {
    match command {
        BookCommand::Build(args) => build(args),
        BookCommand::Show(args) => show(args),
    }
}

fn build(args: &BuildArgs) -> anyhow::Result<()> {
    let (mut book, path) = prepare(args)?;
    let game = parlor_catalog::open(&book.about.game)?;
    let books = game.books()?;
    let known = args.answers.as_deref().map(|path| answers(path, &book.about)).transpose()?;
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    // Told now rather than when the book has grown.
    write(&book, path)?;
    let mut written = Instant::now();
    let mut trouble = None;
    let mut keep = |book: &Book| {
        if written.elapsed() > WRITTEN_EVERY {
            written = Instant::now();
            trouble = trouble.take().or(write(book, path).err());
        }
    };
    let grown = if book.about.exact.is_some() {
        let bar = progress(0, "positions");
        let means = Resources { threads: threads(args.threads), memory_mb: args.table as usize };
        let grown = books.grow_exact(&mut book, known.as_ref(), &means, &stop, &mut |book, exact| {
            let [done, all] = exact.done.map(|count| count as u64);
            bar.set_length(all);
            bar.set_position(done);
            bar.set_message(format!("after {} plies, {} in the book", exact.ply, book.len()));
            keep(book);
        });
        bar.finish_and_clear();
        match grown {
            Err(ExactError::Api(ApiError::Unsolved(Unsolved::Cancelled))) => Ok(()),
            grown => grown.map_err(anyhow::Error::from),
        }
    } else {
        let bar = progress(book.about.planned, "games");
        bar.set_position(book.about.games);
        let grown = books.grow(&mut book, threads(args.threads), &stop, &mut |book| {
            bar.set_position(book.about.games);
            bar.set_message(format!("{} positions", book.len()));
            keep(book);
        })?;
        bar.finish_and_clear();
        grown.map_err(anyhow::Error::from)
    };
    trouble.map_or(Ok(()), Err)?;
    write(&book, path)?;
    grown?;
    if args.json {
        return say_json(&Summary::of(&book));
    }
    tell(&book)?;
    let place = path.display();
    say(if book.is_grown() {
        format!("kept in {place}")
    } else {
        format!("stopped early; go on with: parlor book build --resume '{place}'")
    })?;
    Ok(())
}

/// The book that is to grow, and where it is kept.
fn prepare(args: &BuildArgs) -> anyhow::Result<(Book, &Path)> {
    if let Some(path) = &args.resume {
        return Ok((open(path)?, path));
    }
    let (Some(game), Some(path)) = (&args.game, &args.out) else {
        bail!("a book needs a game and -o FILE, or --resume FILE");
    };
    let game = parlor_catalog::open(game)?;
    let books = game.books()?;
    if path.exists() && !args.force {
        bail!("{} is there already; --force overwrites it, --resume continues it", path.display());
    }
    if args.exact {
        return Ok((Book::new(books.begin_exact(args.easy, args.plies)), path));
    }
    let agent = match &args.agent {
        Some(agent) => agent.clone(),
        None => {
            let agents = game.agents();
            let first = agents.iter().find(|agent| !agent.sees_all && !agent.learns);
            first.context("no agent plays this game")?.name.to_owned()
        }
    };
    let mut about = books.begin(&agent, args.seed, args.plies, args.games)?;
    about.most_positions = args.positions;
    Ok((Book::new(about), path))
}

/// The book whose answers are not solved again.
fn answers(path: &Path, about: &BookHeader) -> anyhow::Result<Book> {
    let book = open(path)?.for_game(&about.game)?;
    if about.exact.is_none() || book.about.exact.is_none() {
        bail!("--answers takes a book of exact answers for another one; both are grown with --exact");
    }
    Ok(book)
}

fn open(path: &Path) -> anyhow::Result<Book> {
    Book::open(path).with_context(|| path.display().to_string())
}

fn write(book: &Book, path: &Path) -> anyhow::Result<()> {
    book.write(path).with_context(|| format!("{} cannot be written", path.display()))
}

/// What a book is, for scripts.
#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    about: &'a BookHeader,
    positions: usize,
}

impl<'a> Summary<'a> {
    fn of(book: &'a Book) -> Self {
        Summary { about: &book.about, positions: book.len() }
    }
}

fn tell(book: &Book) -> anyhow::Result<()> {
    let about = &book.about;
    let [game, agent] = [&about.game, &about.agent].map(|spec| shown(spec, LONGEST_SPEC));
    say(game)?;
    if let Some(exact) = about.exact {
        say(format!("exact answers where the solver takes more than {} nodes", exact.easy_nodes))?;
        say(format!("{} positions, up to {} plies deep", book.len(), about.plies))?;
    } else {
        say(format!("grown by {} of {} games of {agent}", about.games, about.planned))?;
        say(format!("{} positions, {} plies deep, seed {}", book.len(), about.plies, about.seed))?;
    }
    Ok(())
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    book: Summary<'a>,
    position: Option<&'a str>,
    moves: Option<&'a [BookMove]>,
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let book = open(&args.file)?;
    let game = parlor_catalog::open(&book.about.game)?;
    let moves = game.books()?.look_up(&book, args.position.as_deref())?;
    if args.json {
        let position = args.position.as_deref();
        return say_json(&Shown { book: Summary::of(&book), position, moves: moves.as_deref() });
    }
    tell(&book)?;
    let Some(moves) = moves else { return Ok(say("The book does not know this position.")?) };
    let mut rows = vec![["move", "games", "score", ""].map(str::to_owned).to_vec()];
    rows.extend(moves.iter().map(|line| {
        let score = line.score.map_or_else(|| "–".to_owned(), |score| format!("{:.1} %", 100.0 * score));
        let known = line.known.map_or("", |known| match known {
            GameValue::Lost => "proven loss",
            GameValue::Drawn => "proven draw",
            GameValue::Won => "proven win",
        });
        vec![line.action.clone(), line.visits.to_string(), score, known.to_owned()]
    }));
    for line in grid(&rows, &[0, 3]) {
        say(line)?;
    }
    Ok(())
}
