//! `parlor learn`: a learner gets better while one watches, is measured, kept, and can be played against.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlor_catalog::TrainingPlan;
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Milestone};
use parlor_core::rng::fork;
use parlor_core::{Cancel, Resources, Spec};
use parlor_lab::format::{grouped, rate_and_half, shell};
use parlor_lab::regret::{Plan, Regret};
use parlor_lab::training::{ITSELF, Request, Training};
use parlor_lab::training_report::{self, Learnt, Measured};
use parlor_lab::{PairMatch, Terms, Verdict, log};
use serde_json::json;

use super::args::LearnArgs;
use super::{News, ascii_chart, invite, keep, open, opponent, play_rounds, size_in_words};
use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{elo, progress, say, say_json};

/// A curve has so many points.
const ROUNDS: u64 = 40;
/// How long `--quick` takes, about.
const QUICK_SECONDS: u64 = 5;
/// What a lesson's plan is for.
const MINUTE: u64 = 60;
/// The matches of each test on the way: enough for the curve to be a curve.
const TEST_MATCHES: u64 = 200;
/// The pairs of each measurement at the end; fewer when it is to be quick.
const PAIRS: u64 = 1000;
const QUICK_PAIRS: u64 = 100;
/// Measurements draw from a branch of their own: matches are numbered from 0, tests are the last branch.
const MEASURING: u64 = u64::MAX - 1;
/// And so does the comparison with perfect play.
const JUDGING: u64 = u64::MAX - 2;
/// So many deals are tried before all of them.
const FIRST_DEALS: u64 = 2;
/// Rows of each table of knowledge in the report.
const ROWS: usize = 12;

pub fn run(args: &LearnArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let lesson = game.training()?;
    let file = place(&*game, args)?;
    // A path that a spec cannot hold is told now rather than when all is learnt.
    Spec::parse(&seat_in_words(lesson.learner, &file))
        .context("the data folder's path does not fit a spec")?;
    let mut training = begin(&*game, lesson, args, &file)?;
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    let mut live = Live::new(training.about(), args.json)?;
    play_rounds(&mut training, &file, &stop, |news| live.hear(&news))?;
    live.end(training.about());
    let measured = measure(&*game, lesson, args, &file, &stop)?;
    let report = file.with_extension("html");
    let finished = measured.len() == lesson.testers.len();
    let regret = if finished { from_perfect(&*game, lesson, args, &file, &stop)? } else { None };
    if finished {
        write_report(&mut training, &measured, regret.as_ref(), &command(args), &report)?;
    }
    if args.json {
        return say_json(&json!({
            "finished": finished,
            "file": file,
            "report": finished.then_some(&report),
            "about": training.about(),
            "entries": training.trainee().size().entries,
            "measured": measured,
            "regret": regret,
        }));
    }
    if let Some(regret) = &regret {
        say(training_report::from_perfect(regret))?;
    }
    tell(&mut training, &measured, args, &file, finished.then_some(&*report))
}

/// Returns the call that does the same again.
fn command(args: &LearnArgs) -> String {
    let length = match (args.quick, args.seconds) {
        (true, _) => " --quick".to_owned(),
        (false, MINUTE) => String::new(),
        (false, seconds) => format!(" --seconds {seconds}"),
    };
    format!("parlor learn {}{length} --seed {}", shell(&args.game), args.seed)
}

/// Returns where the learner is kept. Equal calls have equal places, others have others.
fn place(game: &dyn AnyGame, args: &LearnArgs) -> anyhow::Result<PathBuf> {
    let home = log::home().context("there is no home folder to keep it in; set PARLOR_HOME")?;
    let folder = home.join("learnt");
    std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let mut name: String = parlor_catalog::short_form(&game.spec()).chars().map(letters).collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    let seconds = if args.quick { QUICK_SECONDS } else { args.seconds };
    let length = if seconds == MINUTE { String::new() } else { format!("-{seconds}s") };
    let seed = if args.seed == 1 { String::new() } else { format!("-seed{}", args.seed) };
    Ok(folder.join(format!("{}{length}{seed}.parlor", name.trim_end_matches('-'))))
}

/// Begins the training, or goes on with the same one if it was broken off.
fn begin(
    game: &dyn AnyGame,
    lesson: &TrainingPlan,
    args: &LearnArgs,
    file: &Path,
) -> anyhow::Result<Training> {
    let seconds = if args.quick { QUICK_SECONDS } else { args.seconds };
    let owned = |specs: &[&str]| specs.iter().map(|&spec| spec.to_owned()).collect();
    let request = Request {
        learner: lesson.learner.to_owned(),
        against: owned(lesson.against),
        rounds: ROUNDS,
        round: (lesson.minute * seconds / MINUTE / ROUNDS).max(1),
        // In a solitary game nobody else is at the table; how it compares is measured at the end.
        testers: if game.seats() == 1 { vec![ITSELF.to_owned()] } else { owned(lesson.testers) },
        test_matches: TEST_MATCHES,
        seed: args.seed,
    };
    let mut training = Training::start(game, &request)?;
    if let Ok(known) = open(file)
        && same_plan(&known.about, training.about())
        && let Ok(resumed) = Training::resume(game, known)
    {
        return Ok(resumed);
    }
    keep(&mut training, file)?;
    Ok(training)
}

/// Returns whether one training goes on as the other begins.
fn same_plan(known: &About, fresh: &About) -> bool {
    let begun =
        About { matches: 0, trained: Vec::new(), early: Vec::new(), curve: Vec::new(), ..known.clone() };
    begun == *fresh
}

/// What one sees while it learns: the curve, redrawn in place, or a line a round where that cannot be done.
struct Live {
    bar: Option<ProgressBar>,
    quiet: bool,
    rounds: u64,
    /// How wide the curve is.
    columns: usize,
    /// Matches of whole rounds.
    matches: u64,
    rates: Vec<f64>,
}

impl Live {
    fn new(about: &About, quiet: bool) -> anyhow::Result<Live> {
        let learner = Spec::bare_name(&about.learner);
        if !quiet && about.is_unfinished() {
            let game = parlor_catalog::short_form(&about.game);
            say(format!("{learner} learns {game}: {} matches", grouped(about.rounds * about.round)))?;
        }
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let style = ProgressStyle::with_template("{msg}\n{bar:30} {pos}/{len} matches · {eta} left");
            let bar = ProgressBar::with_draw_target(Some(about.rounds.saturating_mul(about.round)), target)
                .with_style(style.expect("the template is well-formed"));
            bar.set_position(about.matches);
            bar.reset_eta();
            bar
        });
        let mut live =
            Live { bar, quiet, rounds: about.rounds, columns: 0, matches: about.matches, rates: Vec::new() };
        live.look(about);
        live.draw(about);
        Ok(live)
    }

    fn look(&mut self, about: &About) {
        self.rates = first_tests(about).map(rate).collect();
        let early = about.early.len() / about.testers.len().max(1);
        self.columns = early + about.rounds as usize;
        self.matches = about.matches;
    }

    fn hear(&mut self, news: &News<'_>) -> anyhow::Result<()> {
        match news {
            News::Matches(results) => {
                if let Some(bar) = &self.bar {
                    bar.set_position(self.matches + results.matches.total());
                }
            }
            News::Round(round, about) => {
                self.look(about);
                if let Some(bar) = &self.bar {
                    bar.set_position(about.matches);
                } else if !self.quiet {
                    if round.number == 1 {
                        let first: Vec<&Milestone> = about.early.iter().take(about.testers.len()).collect();
                        say(format!("before: {}", tested(first)))?;
                    }
                    let number = format!("round {}/{}", round.number, self.rounds);
                    say(format!("{number}: {}; {} entries", last(about), grouped(round.size.entries)))?;
                }
                self.draw(about);
            }
        }
        Ok(())
    }

    fn draw(&self, about: &About) {
        if let Some(bar) = &self.bar {
            let lines = ascii_chart::curve(&self.rates, self.columns);
            bar.set_message(format!("{}\n{}", lines.join("\n"), last(about)));
        }
    }

    /// Leaves the curve as it is on the screen.
    fn end(&self, about: &About) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            anstream::eprintln!("{}", ascii_chart::curve(&self.rates, self.columns).join("\n"));
            anstream::eprintln!("{}", last(about));
        }
    }
}

fn first_tests(about: &About) -> impl Iterator<Item = &Milestone> {
    let every = about.testers.len().max(1);
    about.early.iter().step_by(every).chain(about.curve.iter().step_by(every))
}

fn rate(test: &Milestone) -> f64 {
    test.results.win_rate().unwrap_or(0.0)
}

/// Returns how the last tests came out.
fn last(about: &About) -> String {
    let from = about.curve.len().saturating_sub(about.testers.len());
    tested(&about.curve[from..])
}

/// Returns how some tests came out.
fn tested<'m>(tests: impl IntoIterator<Item = &'m Milestone>) -> String {
    let tests = tests.into_iter().map(|test| {
        format!("{} {}", rate_and_half(test.results.wins, test.results.total()), opponent(&test.against))
    });
    let tests: Vec<String> = tests.collect();
    if tests.is_empty() { String::new() } else { format!("won {}", tests.join(", ")) }
}

/// Lets the learner meet its testers in pairs. A raised `stop` leaves out what was not measured to the end.
fn measure(
    game: &dyn AnyGame,
    lesson: &TrainingPlan,
    args: &LearnArgs,
    file: &Path,
    stop: &Cancel,
) -> anyhow::Result<Vec<Measured>> {
    let learner = seat_in_words(lesson.learner, file);
    let pairs = if args.quick { QUICK_PAIRS } else { PAIRS };
    let mut measured = Vec::new();
    for (number, tester) in lesson.testers.iter().enumerate() {
        if stop.is_cancelled() {
            break;
        }
        let bar = progress(pairs, "pairs");
        bar.set_message(opponent(tester));
        let plan = PairMatch {
            game,
            agents: [&learner, tester],
            from: 0,
            pairs,
            seed: fork(fork(args.seed, MEASURING), number as u64),
            threads: threads(args.threads),
            terms: Terms::default(),
        };
        let tally = plan.run(stop, |_| {
            bar.inc(1);
            ControlFlow::Continue(())
        })?;
        bar.finish_and_clear();
        if tally.pairs() == pairs {
            measured.push(Measured::new(game.agent_spec(tester)?, Verdict::of(&tally, None)));
        }
    }
    Ok(measured)
}

/// Compares the learner's decisions with perfect play; `None` where that is out of reach.
fn from_perfect(
    game: &dyn AnyGame,
    lesson: &TrainingPlan,
    args: &LearnArgs,
    file: &Path,
    stop: &Cancel,
) -> anyhow::Result<Option<Regret>> {
    let agent = seat_in_words(lesson.learner, file);
    let plan = |deals: u64| Plan {
        game,
        agent: &agent,
        against: "random",
        deals,
        seed: fork(args.seed, JUDGING),
        opening: 0,
        threads: threads(args.threads),
        means: Resources::default(),
    };
    // A few deals tell whether anything can be judged at all.
    if plan(FIRST_DEALS).run(stop, |_| {})?.judged == 0 {
        return Ok(None);
    }
    let deals = if args.quick { QUICK_PAIRS } else { PAIRS };
    let bar = progress(deals, "deals");
    bar.set_message("compared with perfect play");
    let regret = plan(deals).run(stop, |deals| bar.set_position(deals))?;
    bar.finish_and_clear();
    Ok(Some(regret).filter(|regret| regret.judged > 0))
}

/// Returns the spec that seats a learner with what it has learnt.
fn seat_in_words(learner: &str, file: &Path) -> String {
    format!("{}(file={})", Spec::bare_name(learner), file.display())
}

fn write_report(
    training: &mut Training,
    measured: &[Measured],
    regret: Option<&Regret>,
    command: &str,
    report: &Path,
) -> anyhow::Result<()> {
    let (size, tables) = (training.trainee().size(), training.trainee().inspect(ROWS));
    let page = training_report::page(&Learnt {
        about: training.about(),
        measured,
        regret,
        size,
        tables: &tables,
        command,
    });
    let draft = report.with_extension("draft");
    std::fs::write(&draft, page)
        .and_then(|()| std::fs::rename(&draft, report))
        .with_context(|| format!("{} cannot be written", report.display()))
}

fn tell(
    training: &mut Training,
    measured: &[Measured],
    args: &LearnArgs,
    file: &Path,
    report: Option<&Path>,
) -> anyhow::Result<()> {
    let size = training.trainee().size();
    let about = training.about();
    for one in measured {
        let numbers = elo(one.verdict.elo, one.verdict.elo_low, one.verdict.elo_high);
        say(format!("{}: score {}, {numbers} (95 %)", opponent(&one.against), one.score_in_words()))?;
    }
    say(size_in_words(&size))?;
    match report {
        Some(report) => say(format!("kept in {}, report in {}", file.display(), report.display()))?,
        None => say(format!(
            "stopped early, {} of {} matches are kept in {}; go on with: {}",
            grouped(about.matches),
            grouped(about.rounds * about.round),
            file.display(),
            command(args)
        ))?,
    }
    let seat = seat_in_words(&about.learner, file);
    invite(about, &seat)
}
