//! A view as JSON, version 1.

use parlor_core::text::notation::quoted;
use parlor_core::{BySeat, Game, Notation, ReadError, Rng, Seat};
use serde::{Deserialize, Serialize};

use super::board::Board;
use super::hand_counts::{CountError, HandCounts};
use super::state::{Action, Event, How, Log, StageEnd, State, Step};
use super::tile::TileSet;
use super::view::{Awaits, View};
use super::{Dominoes, MAX_STAGES};

/// The JSON form of a view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The version of this form: 1.
    pub version: u32,
    /// The seat of the view, 0 or 1.
    pub seat: u8,
    /// The seat's tiles in the order of their texts.
    pub hand: Vec<String>,
    /// Number of tiles of the other seat.
    pub other: u8,
    /// The other seat's tiles; `null` until the match has ended.
    pub shown: Option<Vec<String>>,
    /// Number of tiles in the boneyard, or not dealt yet.
    pub boneyard: u8,
    /// What happens next: `lead`, `deal`; `play`, `draw` or `pass` on this seat's turn; `other`; `over`.
    pub awaits: Awaits,
    /// The open ends: left, right, up, down.
    pub ends: Vec<EndSheet>,
    /// The board count: the sum of the exposed ends.
    pub count: u8,
    /// The number of the stage, from 1.
    pub stage: u16,
    /// The seat that leads this stage; `null` until it is known.
    pub leader: Option<u8>,
    /// The scores of seat 0 and seat 1.
    pub scores: [u16; 2],
    /// Their scores when this stage began.
    pub before: [u16; 2],
    /// The end of the last finished stage; `null` in the first stage of a match.
    pub ended: Option<EndedSheet>,
    /// The events of this stage since the deal.
    pub log: Vec<EventSheet>,
}

/// An end where a tile may be put.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndSheet {
    /// `left`, `right`, `up` or `down`.
    pub end: String,
    /// The pips that a tile needs to fit.
    pub pips: u8,
    /// The end's part of the board count. A lone double counts at its left side only.
    pub value: u8,
}

/// The end of a stage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndedSheet {
    /// The seat that went out; `null` after a block.
    pub out: Option<u8>,
    /// The points of each seat for the end.
    pub points: [u16; 2],
}

/// An action of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventSheet {
    /// The seat that acted.
    pub seat: u8,
    /// The action's text: `13@left`, `draw:13`, `draw:??`, `pass`.
    pub action: String,
    /// The points of a play by the board count.
    pub points: u8,
}

/// Limit on the numbers stored when counting the worlds of a view from outside: 8 MB per tile in question. In 80,000
/// views of random play with double-nine the maximum was 36,288, with double-six 384.
const MAX_NUMBERS: usize = 1 << 20;

fn wrong(wrong: impl Into<String>) -> ReadError {
    ReadError::new("view", wrong)
}

fn read_seat(field: &str, seat: u8) -> Result<Seat, ReadError> {
    if seat < 2 {
        Ok(Seat(seat))
    } else {
        Err(wrong(format!("`{field}` is {seat}")).hint("seats are 0 and 1"))
    }
}

impl Dominoes {
    pub(super) fn write_sheet(&self, view: &View) -> Sheet {
        let texts = |set: TileSet| set.sorted().iter().map(ToString::to_string).collect();
        let ends = view.board.open();
        let log = view.log.iter();
        Sheet {
            version: 1,
            seat: view.seat.0,
            hand: texts(view.hand),
            other: view.other,
            shown: view.shown.map(texts),
            boneyard: view.boneyard,
            awaits: view.awaits,
            ends: ends
                .map(|e| EndSheet { end: e.end.word().to_owned(), pips: e.pips, value: e.value })
                .collect(),
            count: view.board.count(),
            stage: view.stage,
            leader: view.leader.map(|seat| seat.0),
            scores: view.scores.0,
            before: view.before.0,
            ended: view.ended.map(|end| EndedSheet {
                out: match end.how {
                    How::Out(seat) => Some(seat.0),
                    How::Blocked => None,
                },
                points: end.points.0,
            }),
            log: log
                .map(|e| EventSheet { seat: e.seat.0, action: self.write_action(e.action), points: e.points })
                .collect(),
        }
    }

    /// Reads a sheet by replaying it: some deal must lead through the log to exactly this view.
    pub(super) fn read_sheet(&self, sheet: &Sheet) -> Result<View, ReadError> {
        let claimed = self.read_fields(sheet)?;
        let state = match claimed.awaits {
            Awaits::Lead | Awaits::Deal => self.deal_again(&claimed)?,
            _ => self.play_again(&claimed)?,
        };
        let view = self.view(&state, claimed.seat);
        let played = self.write_sheet(&view);
        if played != *sheet {
            let field = differing_field(&played, sheet);
            return Err(wrong(format!("`{field}` does not follow from the other fields")));
        }
        Ok(view)
    }

    /// Reads each field on its own; the scores and the board are those of the log.
    fn read_fields(&self, sheet: &Sheet) -> Result<View, ReadError> {
        if sheet.version != 1 {
            return Err(wrong(format!("`version` is {}", sheet.version)).hint("this program reads version 1"));
        }
        if !(1..=MAX_STAGES).contains(&sheet.stage) {
            return Err(
                wrong(format!("`stage` is {}", sheet.stage)).hint(format!("stages are 1 … {MAX_STAGES}"))
            );
        }
        let highest = self.rules.target.unwrap_or(0);
        if sheet.before.iter().any(|&score| score > highest) {
            return Err(wrong("`before` is more than a contest can begin a stage with")
                .hint(format!("scores before a stage are 0 … {highest}")));
        }
        let shown = sheet.shown.as_ref().map(|tiles| self.read_set("shown", tiles)).transpose()?;
        let leader = sheet.leader.map(|seat| read_seat("leader", seat)).transpose()?;
        let (log, board) = self.read_log(&sheet.log)?;
        Ok(View {
            seat: read_seat("seat", sheet.seat)?,
            hand: self.read_set("hand", &sheet.hand)?,
            other: sheet.other.min(self.all.len()),
            shown,
            boneyard: sheet.boneyard,
            board,
            awaits: sheet.awaits,
            leader,
            stage: sheet.stage,
            scores: BySeat(sheet.before),
            before: BySeat(sheet.before),
            ended: self.read_ended(sheet)?,
            log,
        })
    }

    fn read_set(&self, field: &str, tiles: &[String]) -> Result<TileSet, ReadError> {
        let mut set = TileSet::EMPTY;
        for text in tiles {
            let tile = self.read_tile("view", text)?;
            if set.contains(tile) {
                return Err(wrong(format!("`{field}` holds {tile} twice")));
            }
            set |= tile.into();
        }
        Ok(set)
    }

    fn read_ended(&self, sheet: &Sheet) -> Result<Option<StageEnd>, ReadError> {
        let over = sheet.awaits == Awaits::Over;
        match &sheet.ended {
            None if sheet.stage > 1 => Err(wrong("`ended` is null in a stage after the first")),
            Some(_) if sheet.stage == 1 && !over => Err(wrong("`ended` describes a stage before the first")),
            None => Ok(None),
            Some(ended) => {
                let how = match ended.out {
                    Some(seat) => How::Out(read_seat("out", seat)?),
                    None => How::Blocked,
                };
                let fits = |(points, before): (&u16, &u16)| over || points <= before;
                if !ended.points.iter().zip(&sheet.before).all(fits) {
                    return Err(wrong("`ended` gave more points than `before` has"));
                }
                Ok(Some(StageEnd { how, points: BySeat(ended.points) }))
            }
        }
    }

    /// Reads the log and lays out its plays; replaying them later checks their legality.
    fn read_log(&self, events: &[EventSheet]) -> Result<(Log, Board), ReadError> {
        let mut log = Log::new();
        let mut board = Board::default();
        for (i, event) in events.iter().enumerate() {
            let refused =
                |why: &str| wrong(format!("event {} of `log`, {}, {why}", i + 1, quoted(&event.action)));
            let action = self.read_action(&event.action)?;
            match action {
                Action::Play(tile, end) => {
                    let possible = board.fits_at(end).contains(tile) && !board.played().contains(tile);
                    if !possible {
                        return Err(refused("does not fit there"));
                    }
                    board.put(&self.rules, tile, end);
                }
                Action::Draw(_) | Action::DrawHidden | Action::Pass => {}
                _ => return Err(refused("is not a play, draw or pass")),
            }
            let event = Event { seat: read_seat("log", event.seat)?, action, points: event.points };
            log.try_push(event).map_err(|_| wrong("`log` is longer than a stage can be"))?;
        }
        Ok((log, board))
    }

    /// Returns a state in the middle of the deal that agrees with the view.
    fn deal_again(&self, view: &View) -> Result<State, ReadError> {
        let dealt = view.hand.len() + view.other;
        let first = dealt.min(self.rules.hand);
        let (mine, theirs) =
            if view.seat == Seat::FIRST { (first, dealt - first) } else { (dealt - first, first) };
        let lead = view.awaits == Awaits::Lead;
        let known = match view.leader {
            None => lead || self.lead_is_forced(),
            Some(_) => !lead && !self.lead_is_forced(),
        };
        let possible = dealt < 2 * self.rules.hand && (mine, theirs) == (view.hand.len(), view.other);
        let lead_first = !lead || (dealt == 0 && view.stage == 1 && !self.lead_is_forced());
        if !possible || !known || !lead_first || !view.log.is_empty() {
            return Err(wrong("no deal is in this state").hint(format!(
                "seat 0 is dealt {0} tiles, then seat 1 {0}; the leader is known before, unless the tiles decide",
                self.rules.hand
            )));
        }
        let others: TileSet = (self.all - view.hand).tiles().take(usize::from(view.other)).collect();
        let mut hands = BySeat::default();
        hands[view.seat] = view.hand;
        hands[view.seat.other()] = others;
        let boneyard = self.all - view.hand - others;
        Ok(State {
            hands,
            boneyard,
            bones: boneyard.len(),
            step: if lead { Step::Lead } else { Step::Deal },
            ..self.opening(view)
        })
    }

    /// Returns the stage of the view before its deal.
    fn opening(&self, view: &View) -> State {
        State {
            leader: view.leader,
            stage: view.stage,
            scores: view.before,
            before: view.before,
            ended: view.ended,
            ..self.fresh()
        }
    }

    /// Returns the state that the log leads to in one of the worlds that agree with the view.
    fn play_again(&self, view: &View) -> Result<State, ReadError> {
        let (me, other) = (view.seat, view.seat.other());
        let no_deal = || wrong("no deal agrees with `hand`, `other` and `log`");
        let mut got = BySeat::default();
        let mut log = view.log.clone();
        if let Some(shown) = view.shown {
            got[other] = shown;
        } else {
            let worlds =
                HandCounts::of(self, view, TileSet::EMPTY, MAX_NUMBERS).map_err(|trouble| match trouble {
                    CountError::NoWorld => no_deal(),
                    CountError::TooMany => wrong("`log` allows more worlds than this program can count"),
                })?;
            let needed = self.must_hold(view);
            let lacking = needed.and_then(|needed| HandCounts::of(self, view, needed, MAX_NUMBERS).ok());
            // If no world has a tile that the other seat must hold, the two numbers are equal up to rounding; if one
            // has, then many have: swapping one hidden tile gives another such world.
            if lacking.is_some_and(|lacking| lacking.total() > worlds.total() * (1.0 - 1e-9)) {
                return Err(no_deal());
            }
            let mut rng = Rng::new(0);
            let world = std::iter::repeat_with(|| worlds.draw(&mut rng))
                .find(|world| {
                    needed.is_none_or(|needed| !((world.got - view.board.played()) & needed).is_empty())
                })
                .expect("the worlds do not run out");
            got[other] = world.got;
            let hidden =
                log.iter_mut().filter(|event| event.action == Action::DrawHidden && event.seat == other);
            for (event, &tile) in hidden.zip(&world.drawn) {
                event.action = Action::Draw(tile);
            }
        }
        got[me] = view.hand;
        let mut drawn = TileSet::EMPTY;
        for event in &log {
            match event.action {
                Action::Play(tile, _) => got[event.seat] |= tile.into(),
                Action::Draw(tile) => drawn |= tile.into(),
                _ => {}
            }
        }
        let hands = BySeat(got.0.map(|got| got - drawn));
        if hands.0.iter().any(|hand| hand.is_empty()) || !(hands[me] & hands[other]).is_empty() {
            return Err(no_deal());
        }
        let leader = view.leader.ok_or_else(|| wrong("`leader` is null after the deal"))?;
        let boneyard = self.all - hands[me] - hands[other];
        let mut state =
            State { hands, boneyard, bones: boneyard.len(), leader: Some(leader), ..self.opening(view) };
        self.begin(&mut state);
        for (i, event) in log.iter().enumerate() {
            let refused = || {
                let text = self.write_action(event.action);
                wrong(format!(
                    "event {} of `log`, `{text}` by seat {}, cannot happen there",
                    i + 1,
                    event.seat
                ))
            };
            if state.turn != event.seat || state.stage != view.stage {
                return Err(refused());
            }
            self.try_apply(&mut state, event.action).map_err(|_| refused())?;
        }
        Ok(state)
    }
}

/// Returns the name of a field in which two sheets differ.
fn differing_field(one: &Sheet, two: &Sheet) -> &'static str {
    let fields = [
        ("hand", one.hand != two.hand),
        ("other", one.other != two.other),
        ("shown", one.shown != two.shown),
        ("boneyard", one.boneyard != two.boneyard),
        ("awaits", one.awaits != two.awaits),
        ("ends", one.ends != two.ends),
        ("count", one.count != two.count),
        ("stage", one.stage != two.stage),
        ("leader", one.leader != two.leader),
        ("scores", one.scores != two.scores),
        ("before", one.before != two.before),
        ("ended", one.ended != two.ended),
    ];
    fields.iter().find(|(_, differs)| *differs).map_or("log", |(name, _)| name)
}
