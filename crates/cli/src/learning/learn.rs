//! `parlor learn`: a learner gets better while one watches, is measured, kept, and can be played against.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parlor_catalog::TrainingPlan;
use parlor_core::Spec;
use parlor_core::api::AnyGame;
use parlor_core::files::knowledge::{About, Milestone, Stage};
use parlor_core::files::reading::make_folder;
use parlor_lab::format::{counted, grouped, rate_and_half, shell};
use parlor_lab::log;
use parlor_lab::run::lessons::{LessonReport, learner_from_file, work_of_a_match};
use parlor_lab::run::{Event, Lesson, LessonRun, Unit};
use parlor_lab::tournament::names::short_agent;
use parlor_lab::training::{ITSELF, Request, Round};
use parlor_lab::training_report;
use serde_json::json;

use super::args::LearnArgs;
use super::{ascii_chart, invite, opponent, size_in_words};
use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::terminal::{elo, progress, say, say_aside, say_json};

/// Number of points of a curve.
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
/// The fewest matches of a test.
const FEWEST_TESTS: u64 = 20;
/// The fewest deals of the comparison with perfect play.
const FEWEST_DEALS: u64 = 10;
/// The most memory for what the learner knows, in MiB. Every thread that measures it has a copy.
const MEMORY_MB: u64 = 64;

pub fn run(args: &LearnArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let plan = game.training()?;
    let lesson = lesson_of(&*game, plan, args)?;
    let file = place(&*game, args)?;
    let run = LessonRun::new(&*game, lesson, &file)?;
    let cancel = stop_on_ctrl_c()?;
    silence_agents();
    let mut live = Live::new(run.about(), args.json)?;
    let ended = run.run(&cancel, &mut |event| {
        if let Err(error) = live.hear(event) {
            // A reader of the lines that has gone away wants no more of them.
            live.trouble.get_or_insert(error);
            cancel.cancel();
        }
    })?;
    if let Some(trouble) = live.trouble {
        return Err(trouble);
    }
    if args.json {
        return say_json(&json!({
            "finished": ended.report.is_some(),
            "file": file,
            "report": ended.report,
            "about": ended.about,
            "entries": ended.size.entries,
            "measured": ended.measured,
            "regret": ended.regret,
        }));
    }
    if let Some(regret) = &ended.regret {
        say(training_report::from_perfect(regret))?;
    }
    tell(&ended, args, &file)
}

/// Returns the call that does the same again.
fn command(args: &LearnArgs) -> String {
    let length = match (args.quick, args.seconds) {
        (true, _) => " --quick".to_owned(),
        (false, MINUTE) => String::new(),
        (false, seconds) => format!(" --seconds {seconds}"),
    };
    let learner =
        args.learner.as_ref().map_or_else(String::new, |spec| format!(" --learner {}", shell(spec)));
    format!("parlor learn {}{learner}{length} --seed {}", shell(&args.game), args.seed)
}

/// Returns where the learner is kept. Equal calls have equal places, others have others.
fn place(game: &dyn AnyGame, args: &LearnArgs) -> anyhow::Result<PathBuf> {
    let home = log::home().context("there is no home folder to keep it in; set PARLOR_HOME")?;
    let folder = home.join("learnt");
    make_folder(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let letters = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let mut name: String = parlor_catalog::short_form(&game.spec()).chars().map(letters).collect();
    if let Some(learner) = &args.learner {
        name.push('-');
        name.extend(learner.chars().map(letters));
    }
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    let seconds = if args.quick { QUICK_SECONDS } else { args.seconds };
    let length = if seconds == MINUTE { String::new() } else { format!("-{seconds}s") };
    let seed = if args.seed == 1 { String::new() } else { format!("-seed{}", args.seed) };
    Ok(folder.join(format!("{}{length}{seed}.parlor", name.trim_end_matches('-'))))
}

/// Returns what is trained and measured.
fn lesson_of(game: &dyn AnyGame, plan: &TrainingPlan, args: &LearnArgs) -> anyhow::Result<Lesson> {
    let seconds = if args.quick { QUICK_SECONDS } else { args.seconds };
    let (learner, minute) = learner_of(plan, args)?;
    let usual = parlor_catalog::open(game.name())?;
    // The plan is for the usual board. A match on a larger one takes longer and teaches more positions: there are fewer of them.
    let share = if game.spec() == usual.spec() {
        1.0
    } else {
        (work_of_a_match(&*usual)? / work_of_a_match(game)?).min(1.0)
    };
    let round = ((minute * seconds / MINUTE / ROUNDS) as f64 * share) as u64;
    let owned = |specs: &[&str]| -> Vec<String> { specs.iter().map(|&spec| spec.to_owned()).collect() };
    let training = Request {
        learner,
        stages: vec![Stage {
            rounds: ROUNDS,
            round: round.max(1),
            against: owned(plan.against),
            settings: BTreeMap::new(),
        }],
        patience: None,
        regret_deals: 0,
        // A solitary game has no opponent; the comparison is measured at the end.
        testers: if game.seats() == 1 { vec![ITSELF.to_owned()] } else { owned(plan.testers) },
        // The tests should not take longer than the training.
        test_matches: round.clamp(FEWEST_TESTS, TEST_MATCHES),
        seed: args.seed,
        memory_mb: MEMORY_MB,
    };
    let pairs = if args.quick { QUICK_PAIRS } else { PAIRS };
    Ok(Lesson {
        training,
        opponents: owned(plan.testers),
        pairs,
        deals: ((pairs as f64 * share) as u64).max(FEWEST_DEALS),
        threads: threads(args.threads),
        command: command(args),
    })
}

/// Returns the spec of the learner and the number of matches of a lesson: a bare name is trained as its plan says.
fn learner_of(plan: &TrainingPlan, args: &LearnArgs) -> anyhow::Result<(String, u64)> {
    let Some(wanted) = &args.learner else { return Ok((plan.learner.to_owned(), plan.minute)) };
    let name = Spec::parse(wanted)?.name;
    let known = plan.learners().find(|(learner, _)| Spec::bare_name(learner) == name);
    let Some((planned, minute)) = known else {
        let names: Vec<&str> = plan.learners().map(|(learner, _)| Spec::bare_name(learner)).collect();
        bail!(
            "`{name}` has no lesson at this game; these have: {}. parlor train takes every learner",
            names.join(", ")
        );
    };
    Ok((if *wanted == name { planned.to_owned() } else { wanted.clone() }, minute))
}

/// What one sees while it learns: the curve, redrawn in place, or a line a round where that cannot be done.
struct Live {
    bar: Option<ProgressBar>,
    quiet: bool,
    rounds: u64,
    /// The matches of the whole training.
    planned: u64,
    /// Matches of whole rounds.
    matches: u64,
    /// The tests against the first opponent: the matches before each, and the rate won.
    tests: Vec<(u64, f64)>,
    /// The bar of what is measured.
    measuring: ProgressBar,
    trouble: Option<anyhow::Error>,
}

impl Live {
    fn new(about: &About, quiet: bool) -> anyhow::Result<Live> {
        if !quiet && about.is_unfinished() {
            let game = parlor_catalog::short_form(&about.game);
            let learner = parlor_catalog::open(&about.game)
                .map_or_else(|_| about.learner.clone(), |game| short_agent(&*game, &about.learner));
            let matches = counted(about.planned(), "match");
            say(format!(
                "{} learns {game}: {matches}, at most {MEMORY_MB} MiB of knowledge",
                Spec::bare_name(&about.learner)
            ))?;
            say(format!("  {learner}"))?;
        }
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let style = ProgressStyle::with_template("{msg}\n{bar:30} {pos}/{len} matches · {eta} left");
            let bar = ProgressBar::with_draw_target(Some(about.planned()), target)
                .with_style(style.expect("the template is well-formed"));
            bar.set_position(about.matches);
            bar.reset_eta();
            bar
        });
        let mut live = Live {
            bar,
            quiet,
            rounds: about.rounds,
            planned: about.planned(),
            matches: about.matches,
            tests: Vec::new(),
            measuring: ProgressBar::hidden(),
            trouble: None,
        };
        live.look(about);
        live.draw(about);
        Ok(live)
    }

    fn look(&mut self, about: &About) {
        self.tests = first_tests(about).map(|test| (test.matches, rate(test))).collect();
        self.matches = about.matches;
    }

    fn hear(&mut self, event: &Event<'_>) -> anyhow::Result<()> {
        match event {
            Event::Trained { results } => {
                if let Some(bar) = &self.bar {
                    bar.set_position(self.matches + results.matches.total());
                }
            }
            Event::Round { round, about } => self.round(round, about)?,
            Event::Done(_) => self.end_curve(),
            Event::Started { unit: Unit::MeasuringPairs { against }, total, .. } => {
                self.measure(*total, "pairs", opponent(against));
            }
            Event::Started { unit: Unit::Deals, total, .. } => {
                self.measure(*total, "deals", "compared with perfect play".to_owned());
            }
            Event::Progress { done } => self.measuring.set_position(*done),
            _ => {}
        }
        Ok(())
    }

    fn round(&mut self, round: &Round, about: &About) -> anyhow::Result<()> {
        self.look(about);
        if let Some(bar) = &self.bar {
            bar.set_position(about.matches);
        } else if !self.quiet {
            if round.number == 1 {
                for tests in about.early.chunks(about.testers.len().max(1)) {
                    let when = match tests[0].matches {
                        0 => "before".to_owned(),
                        1 => "after 1 match".to_owned(),
                        matches => format!("after {} matches", grouped(matches)),
                    };
                    say(format!("{when}: {}", tested(tests)))?;
                }
            }
            let number = format!("round {}/{}", round.number, self.rounds);
            say(format!("{number}: {}; {}", last(about), counted(round.size.entries, "entry")))?;
        }
        self.draw(about);
        Ok(())
    }

    fn measure(&mut self, total: u64, unit: &'static str, message: String) {
        self.end_curve();
        self.measuring = progress(total, unit);
        self.measuring.set_message(message);
    }

    fn draw(&self, about: &About) {
        if let Some(bar) = &self.bar {
            let lines = ascii_chart::curve(&self.tests, self.planned);
            bar.set_message(format!("{}\n{}", lines.join("\n"), last(about)));
        }
    }

    /// Leaves the curve as it is on the screen.
    fn end_curve(&mut self) {
        if let Some(bar) = self.bar.take() {
            let last = bar.message().lines().last().unwrap_or_default().to_owned();
            bar.finish_and_clear();
            say_aside(ascii_chart::curve(&self.tests, self.planned).join("\n"));
            say_aside(last);
        }
        self.measuring.finish_and_clear();
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

fn tell(ended: &LessonReport, args: &LearnArgs, file: &Path) -> anyhow::Result<()> {
    let LessonReport { about, size, measured, report, .. } = ended;
    for one in measured {
        let numbers = elo(one.verdict.elo, one.verdict.elo_low, one.verdict.elo_high);
        say(format!("{}: score {}, {numbers} (95 %)", opponent(&one.against), one.score_in_words()))?;
    }
    if training_report::drawn_tests(about) {
        say(training_report::WON_AND_SCORE)?;
    }
    say(size_in_words(size))?;
    match report {
        Some(report) => say(format!("kept in {}, report in {}", file.display(), report.display()))?,
        None => say(format!(
            "stopped early, {} of {} matches are kept in {}; go on with: {}",
            grouped(about.matches),
            grouped(about.planned()),
            file.display(),
            command(args)
        ))?,
    }
    invite(about, &learner_from_file(&about.learner, file))
}
