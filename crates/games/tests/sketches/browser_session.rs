//! A table that a browser sits at: text and JSON in, text and JSON out, one step at a time. The only door is `dyn`, and no
//! state can pass through it: a view's sheet is all that has a JSON form.

use parlor_core::play::agent::Sight;
use parlor_core::{
    Actor, Agent, Decision, Entry, Ink, MAX_SEATS, Notation, Phase, Rng, Seat, Settings, Spec,
};
use parlor_games::connect::Connect;
use parlor_games::dominoes::Dominoes;
use parlor_games::tictactoe::TicTacToe;
use parlor_games::wide::U192;
use serde_json::{Value, json};

use crate::Random;

/// What the server sees of a table, whatever is played on it.
trait AnyTable {
    /// Returns the game's full form.
    fn spec(&self) -> String;
    /// Returns everything that a seat's client shows.
    fn show(&self, seat: Seat) -> Value;
    /// Carries out a seat's move, given as a person types it; then everyone else moves until the seat is asked again.
    fn play(&mut self, seat: Seat, text: &str) -> Result<(), String>;
}

struct Table<G: Notation> {
    game: G,
    state: G::State,
    /// A program for each seat; `None` where a person sits.
    agents: [Option<Box<dyn Agent<G>>>; MAX_SEATS],
    /// What each seat has seen happen.
    log: [Vec<String>; MAX_SEATS],
    rng: Rng,
}

impl<G: Entry + Notation> Table<G> {
    fn new(game: G, person: Seat, seed: u64) -> Self
    where
        Random: Agent<G>,
    {
        let agents = std::array::from_fn(|s| {
            let program = s != person.index() && s < usize::from(game.seats());
            program.then(|| Box::new(Random) as Box<dyn Agent<G>>)
        });
        let state = game.start();
        let mut table = Table { game, state, agents, log: Default::default(), rng: Rng::new(seed) };
        table.go_on();
        table
    }

    fn happen(&mut self, actor: Actor, action: G::Action) {
        for seat in Seat::all(self.game.seats()) {
            let Some(seen) = self.game.seen(&self.state, action, seat) else { continue };
            let who = match actor {
                Actor::Seat(seat) => seat.to_string(),
                Actor::Chance => "chance".to_owned(),
            };
            self.log[seat.index()].push(format!("{who}: {}", self.game.write_action(seen)));
            if let Some(agent) = &mut self.agents[seat.index()] {
                agent.watch(&self.game, Sight { actor, action: seen });
            }
        }
        self.game.apply(&mut self.state, action);
    }

    /// Lets chance and programs act until a person is to move or the match is over.
    fn go_on(&mut self) {
        loop {
            match self.game.phase(&self.state) {
                Phase::Over => return,
                Phase::Chance => {
                    let outcome = self.game.sample(&self.state, &mut self.rng);
                    self.happen(Actor::Chance, outcome);
                }
                Phase::Decide(seat) => {
                    let Some(agent) = &mut self.agents[seat.index()] else { return };
                    let view = self.game.view(&self.state, seat);
                    let actions: Vec<G::Action> = self.game.actions(&self.state).collect();
                    let decision = Decision::untimed(&self.game, seat, &view, &actions);
                    let action = agent.act(&decision, &mut self.rng);
                    self.happen(Actor::Seat(seat), action);
                }
            }
        }
    }
}

impl<G: Entry + Notation> AnyTable for Table<G> {
    fn spec(&self) -> String {
        self.game.spec().to_string()
    }

    fn show(&self, seat: Seat) -> Value {
        let (game, view) = (&self.game, self.game.view(&self.state, seat));
        let over = game.phase(&self.state) == Phase::Over;
        let asked = game.phase(&self.state) == Phase::Decide(seat);
        let legal = if asked { game.view_actions(&view) } else { Vec::new() };
        json!({
            "view": game.sheet(&view),
            "legal": legal.into_iter().map(|action| game.write_action(action)).collect::<Vec<_>>(),
            "status": game.status(&view),
            "drawing": game.draw(&view, Ink::default()),
            "log": self.log[seat.index()],
            "payoff": over.then(|| game.payoffs(&self.state).of(seat)),
        })
    }

    fn play(&mut self, seat: Seat, text: &str) -> Result<(), String> {
        if self.game.phase(&self.state) != Phase::Decide(seat) {
            return Err(format!("it is not seat {seat}'s turn"));
        }
        let legal = self.game.view_actions(&self.game.view(&self.state, seat));
        let action = self.game.understand(&legal, text).map_err(|error| error.to_string())?;
        self.happen(Actor::Seat(seat), action);
        self.go_on();
        Ok(())
    }
}

/// The catalog's part: a name becomes a type once, here, and nowhere else.
fn open(text: &str, person: Seat, seed: u64) -> Result<Box<dyn AnyTable>, String> {
    fn table<G: Entry + Notation>(spec: &Spec, person: Seat, seed: u64) -> Result<Box<dyn AnyTable>, String> {
        let settings = Settings::read(spec, G::KEYS).map_err(|error| error.to_string())?;
        let game = G::open(&settings).map_err(|error| error.to_string())?;
        Ok(Box::new(Table::new(game, person, seed)))
    }
    let spec = Spec::parse(text).map_err(|error| error.to_string())?;
    match spec.name.as_str() {
        Dominoes::NAME => table::<Dominoes>(&spec, person, seed),
        TicTacToe::NAME => table::<TicTacToe>(&spec, person, seed),
        // The narrowest word that takes the board; the widest has the last word on what is wrong.
        Connect::<u64>::NAME => table::<Connect<u64>>(&spec, person, seed)
            .or_else(|_| table::<Connect<u128>>(&spec, person, seed))
            .or_else(|_| table::<Connect<U192>>(&spec, person, seed)),
        name => Err(format!("there is no game named `{name}`")),
    }
}

#[test]
fn a_person_plays_by_text_alone() {
    for spec in [
        "tictactoe",
        "connect(width=7, height=6)",
        "connect",
        "connect(width=16, height=8, row=5)",
        "dominoes(rules=myers)",
    ] {
        for person in [Seat(0), Seat(1)] {
            let mut table = open(spec, person, 5).unwrap();
            let mut moves = 0;
            let last = loop {
                let shown = table.show(person);
                let Some(text) = shown["legal"].get(0).and_then(Value::as_str) else { break shown };
                assert!(shown["payoff"].is_null());
                table.play(person, text).unwrap();
                moves += 1;
            };
            assert!(last["payoff"].is_number(), "{last}");
            assert!(last["log"].as_array().is_some_and(|log| log.len() >= 2 * moves - 1), "{last}");
            assert!(last["drawing"].as_str().is_some_and(|text| text.ends_with('\n')));
            assert!(table.play(person, "1").unwrap_err().contains("turn"));
        }
    }
}

#[test]
fn slips_get_a_sentence_and_change_nothing() {
    let mut table = open("connect(height=6, width=7)", Seat(0), 5).unwrap();
    assert_eq!(table.spec(), "connect(width=7, height=6, row=4)");
    let before = table.show(Seat(0));
    assert_eq!(table.play(Seat(0), "9").unwrap_err(), "move: `9` is no column; columns are 1 to 7");
    assert_eq!(table.play(Seat(1), "1").unwrap_err(), "it is not seat 1's turn");
    assert_eq!(table.show(Seat(0)), before);
    table.play(Seat(0), " 4 ").unwrap();
    assert_eq!(table.show(Seat(0))["log"][0], "0: 4");
    assert!(open("connect(width=13)", Seat(0), 5).err().unwrap().contains("130 cells"));
    assert!(open("chess", Seat(0), 5).err().unwrap().contains("no game named"));
}
