//! `parlor regret`: how much an agent loses against perfect play.

use parlor_core::api::AnyGame;
use parlor_core::{Resources, Spec};
use parlor_lab::format::{grouped, loss, percent, sees_all};
use parlor_lab::oracles;
use parlor_lab::regret::{Plan, Regret};
use serde::Serialize;

use crate::args::whole;
use crate::run_support::{silence_agents, stop_on_ctrl_c, threads};
use crate::solve::Waiting;
use crate::terminal::{progress, say, say_json};

#[derive(clap::Args, Debug)]
pub struct RegretArgs {
    /// The game, e.g. 'minesweeper(rows=4, columns=4)'
    pub game: String,
    /// The agent whose decisions are judged
    pub agent: String,
    /// Its opponent; in a solitary game there is none
    #[arg(long, value_name = "AGENT", default_value = "random", conflicts_with = "all")]
    pub against: String,
    /// How many deals, or random openings: each is played from both seats
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u64>(2, 100_000_000), conflicts_with = "all")]
    pub deals: u64,
    /// Number of random opening moves, which are not judged; reaches late positions of games whose early ones are out of reach
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = whole::<u32>(0, 1000), conflicts_with = "all")]
    pub opening: u32,
    /// Ask about every position that can be reached, each once, instead of playing
    #[arg(long)]
    pub all: bool,
    /// Seed; equal seeds give equal results with any number of threads
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub seed: u64,
    /// How many threads play and judge (default: all cores)
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
    /// How large each thread's tables may get, in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = whole::<usize>(1, 1_000_000))]
    pub table: usize,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// The result as scripts read it.
#[derive(Serialize)]
struct Answer<'a> {
    game: String,
    agent: String,
    against: Option<String>,
    opening: u32,
    seed: u64,
    /// Who of them sees what is hidden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    oracles: Vec<String>,
    #[serde(flatten)]
    regret: &'a Regret,
}

pub fn run(args: &RegretArgs) -> anyhow::Result<()> {
    let game = parlor_catalog::open(&args.game)?;
    let agent = parlor_lab::seated_spec(&*game, &args.agent)?;
    let meets = !args.all && game.seats() > 1;
    let against = if meets { Some(parlor_lab::seated_spec(&*game, &args.against)?) } else { None };
    let regret = measure(&*game, args)?;
    let seated: Vec<String> = [&agent].into_iter().chain(&against).cloned().collect();
    let oracles = oracles(&*game, &seated);
    if args.json {
        let (game, opening, seed) = (game.spec(), args.opening, args.seed);
        return say_json(&Answer { game, agent, against, opening, seed, oracles, regret: &regret });
    }
    tell(&regret, args, against.as_deref())?;
    for agent in &oracles {
        say(sees_all(agent))?;
    }
    Ok(())
}

fn measure(game: &dyn AnyGame, args: &RegretArgs) -> anyhow::Result<Regret> {
    let stop = stop_on_ctrl_c()?;
    silence_agents();
    let means = Resources { threads: 1, memory_mb: args.table };
    if args.all {
        let specs = vec![&*args.agent; usize::from(game.seats())];
        let mut referee = game.referee(&specs, &means)?;
        let mut waiting = Waiting::new();
        let judged = referee.judge_all(args.seed, &mut waiting.progress(&stop))?;
        waiting.end();
        return Ok(Regret::of_all(referee.unit(), judged));
    }
    let plan = Plan {
        game,
        agent: &args.agent,
        against: &args.against,
        deals: args.deals,
        seed: args.seed,
        opening: args.opening,
        threads: threads(args.threads),
        means,
    };
    let bar = progress(args.deals, "deals");
    let regret = plan.run(&stop, |deals| bar.set_position(deals))?;
    bar.finish_and_clear();
    Ok(regret)
}

fn tell(regret: &Regret, args: &RegretArgs, against: Option<&str>) -> anyhow::Result<()> {
    if regret.judged == 0 {
        say(
            "no decision could be judged: --opening begins with random moves, where later positions are within reach",
        )?;
        return Ok(());
    }
    let ends = |low: Option<f64>, high: Option<f64>, write: fn(f64) -> String| match (low, high) {
        (Some(low), Some(high)) => format!(" [{} … {}]", write(low), write(high)),
        _ => String::new(),
    };
    let rate = |rate: f64| percent(Some(rate));
    if let Some(lost) = regret.in_words() {
        let against = against.map_or_else(String::new, |spec| format!(" against {}", Spec::bare_name(spec)));
        say(format!(
            "{} loses {lost} a match{against}, {} matches",
            Spec::bare_name(&args.agent),
            grouped(regret.matches)
        ))?;
    }
    say(format!(
        "mistakes: {} of {} judged decisions, {}{}",
        grouped(regret.mistakes),
        grouped(regret.judged),
        percent(regret.mistake_rate),
        ends(regret.mistake_low, regret.mistake_high, rate),
    ))?;
    let each = regret.lost_per_decision.map_or_else(|| "–".to_owned(), loss);
    say(format!("a judged decision loses {each} {}", regret.unit))?;
    if regret.judged < regret.decisions {
        let left = regret.decisions - regret.judged;
        say(format!("{} decisions were not judged: one legal move, or out of reach", grouped(left)))?;
    }
    if let Some(worst) = &regret.worst {
        let at = worst.position.as_ref().map_or_else(String::new, |position| format!(" at {position}"));
        say(format!("worst: {} instead of {}{at} loses {}", worst.action, worst.best, loss(worst.lost)))?;
    }
    if regret.matches > 0 {
        say("intervals hold 95 % and come from deals")?;
    }
    Ok(())
}
