import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { catalog, message, request } from '../api';
import { boardOf } from '../board';
import { fromSnapshot } from '../board/state';
import { type Answerer, HintPanel, Types } from '../panel/hint-panel';
import { entries, MoveList } from '../panel/moves';
import { agentText, PlayerBar, playerName } from '../panel/player';
import { readSaved, type Saved } from '../panel/review';
import { type Copied, Share } from '../panel/share';
import { positionTexts } from '../panel/texts';
import { useHint } from '../panel/use-hint';
import { useTable, type Table } from '../panel/use-table';
import { Viewer } from '../panel/viewer';
import { go, hash } from '../router';
import { parseSpec } from '../spec';
import { start } from '../start';
import { hintsOn, keysOf, rememberTable, setupOf } from '../store';
import type { Catalog, GameInfo, Hint, Snapshot } from '../types';
import { Button, Heading, Loading, Notice, title, useTitle } from '../ui';

/** The key with which this browser sits at a table: kept from before, or brought by the link. */
function useKeys(table: string): string[] {
  const brought = hash.use();
  return useMemo(() => {
    const known = keysOf(table);
    return /^[0-9a-f]{32}$/.test(brought) && !known.includes(brought) ? [brought, ...known] : known;
  }, [table, brought]);
}

export function TablePage({ table }: { table: string }) {
  const keys = useKeys(table);
  const [which, setWhich] = useState(0);
  const [known, setKnown] = useState<Catalog | null>(null);
  useEffect(() => {
    catalog().then(setKnown, () => {});
  }, []);
  const key = keys[which] ?? null;
  const live = useTable(table, key);
  const snapshot = live.snapshot;
  const info = known?.games.find((game) => game.name === snapshot?.name);
  useTitle(snapshot ? title(snapshot.name) : 'Table');

  // A link that brought a key is remembered, and the key leaves the address.
  useEffect(() => {
    if (!snapshot || !key) return;
    const opponent = snapshot.seats.filter((seat) => seat.kind === 'agent').map((seat) => seat.agent ?? seat.name).join(' – ');
    rememberTable({ table, keys, name: snapshot.name, game: snapshot.game, opponent });
    if (hash.value && keys.includes(hash.value)) go(`/t/${table}`, true);
  }, [snapshot?.table, key]);

  // Two people at one screen: in open games the page follows the turn.
  const both = keys.length > 1;
  useEffect(() => {
    if (both && info?.open && snapshot && !snapshot.over && snapshot.to_move !== null && snapshot.seat !== null && snapshot.to_move !== snapshot.seat) setWhich(1 - which);
  }, [snapshot?.to_move, snapshot?.seat, info?.open]);

  if (live.gone)
    return (
      <>
        <Heading>This table is gone</Heading>
        <p>
          It was closed, or nobody has played at it for a long time. <a href="/">All games</a>
        </p>
      </>
    );
  if (!snapshot)
    return (
      <>
        <Heading>Table</Heading>
        <Notice text={live.error} />
        {!live.error && <Loading what="the table" />}
      </>
    );
  return <Shown key={`${table}${which}`} live={live} snapshot={snapshot} info={info} keyText={key} keys={keys} swapKey={both ? () => setWhich(1 - which) : null} />;
}

interface ShownProps {
  live: Table;
  snapshot: Snapshot;
  info: GameInfo | undefined;
  keyText: string | null;
  keys: string[];
  swapKey: (() => void) | null;
}

function Shown({ live, snapshot, info, keyText, keys, swapKey }: ShownProps) {
  const drawn = boardOf(snapshot.name);
  const watching = snapshot.seats.every((seat) => seat.kind === 'agent');
  const alone = snapshot.seats.length === 1;
  const [flip, setFlip] = useState(false);
  const [shoulder, setShoulder] = useState(0);
  const [answerer, setAnswerer] = useState<Answerer>('auto');
  const [saved, setSaved] = useState<Saved | null>(null);
  const [reviewing, setReviewing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const over = snapshot.over;
  const line = async () => (await request('GET', `/api/tables/${snapshot.table}/saved`, undefined, keyText)).text();

  useEffect(() => {
    if (!over) {
      setSaved(null);
      setReviewing(false);
      return;
    }
    line().then(
      (text) => setSaved(readSaved(text)),
      () => {},
    );
  }, [over !== null]);

  const bottom = watching ? shoulder : (snapshot.seat ?? 0);
  const flipped = (drawn?.flips === true && bottom === 1) !== flip;
  const view = snapshot.views ? (snapshot.views[bottom] ?? snapshot.view) : snapshot.view;
  const state = fromSnapshot(snapshot, view);
  if (over && saved) state.mines = saved.moves.filter((word) => word.startsWith('mine:')).map((word) => word.slice(5));
  const mayAct = snapshot.can.act && !live.busy && !over && snapshot.seat !== null;
  const act = mayAct ? live.act : null;

  const hints = hintsOn.use();
  const asks = hints && !over && (snapshot.can.hint ?? true) && snapshot.to_move !== null && (watching ? snapshot.pace?.paused === true : snapshot.to_move === snapshot.seat);
  const { hint, error: hintError } = useHint(
    asks
      ? {
          key: keyText,
          position: snapshot.ply,
          body: {
            table: snapshot.table,
            ms: 2000,
            ...(answerer === 'auto' ? {} : answerer === 'exact' ? { exact: true } : { exact: false, agent: answerer }),
          },
        }
      : null,
  );
  // The last beliefs stay for the end, where the truth is laid over them.
  const lastBeliefs = useRef<Hint | null>(null);
  if (hint?.beliefs) lastBeliefs.current = hint;
  const truth = useMemo(() => endTruth(snapshot), [over !== null, snapshot.ply]);

  const sides = snapshot.seats.map((seat, index) => snapshot.sides?.[index] ?? (seat.kind === 'human' ? playerName(snapshot, index, info) : (seat.agent ?? seat.name).split('(')[0] ?? ''));
  const order = alone ? [] : bottom === 0 ? [1, 0] : [0, 1];
  const turn = (seat: number) => snapshot.to_move === seat && !over;

  return (
    <div data-busy={live.busy} class={`table-page game-${snapshot.name} ${reviewing ? 'reviewing' : ''}`}>
      <div class="table-head">
        <Heading>{title(snapshot.name)}</Heading>
        <span class="soft spec" title={snapshot.game}>
          {sizeText(snapshot)}
        </span>
      </div>
      <Live snapshot={snapshot} info={info} />
      {reviewing && saved ? (
        <>
          <Viewer saved={saved} info={info} sides={sides} seat={bottom} start="last" about={{ table: snapshot.table, ms: 300 }} keyText={keyText} flipped={flipped} />
          <div class="row">
            <Button icon="previous" label="Back to the table" onClick={() => setReviewing(false)} />
          </div>
        </>
      ) : (
        <div class="table">
          <div class="board-area">
            {order[0] !== undefined && <PlayerBar snapshot={snapshot} seat={order[0]} info={info} thinking={live.thinking} turn={turn(order[0])} />}
            {drawn && state.view ? (
              <drawn.Board state={state} act={act} hint={hints ? hint : null} flipped={flipped} />
            ) : snapshot.drawing ? (
              <pre class="drawing-text">{snapshot.drawing}</pre>
            ) : (
              <p class="notice info">Only the players see the hands while the match is on.</p>
            )}
            {order[1] !== undefined && <PlayerBar snapshot={snapshot} seat={order[1]} info={info} thinking={live.thinking} turn={turn(order[1])} />}
            {alone && <PlayerBar snapshot={snapshot} seat={0} info={info} thinking={live.thinking} turn={turn(0)} />}
          </div>
          <aside class="side" aria-label="The match">
            {over && <Over snapshot={snapshot} saved={saved} info={info} review={() => setReviewing(true)} onError={setProblem} />}
            <Notice text={live.error ?? problem} />
            <Controls live={live} snapshot={snapshot} info={info} flips={drawn?.flips ?? false} flip={() => setFlip(!flip)} watching={watching} keyText={keyText} swapKey={info?.open ? null : swapKey} />
            {drawn?.Note && state.view && <drawn.Note state={state} />}
            {watching && !alone && info && !info.open && snapshot.views && (
              <div class="row">
                <Button icon="eye" label={`Look over the other shoulder (now seat ${bottom})`} kind="quiet" onClick={() => setShoulder(1 - shoulder)} />
              </div>
            )}
            {hints && !over && <HintPanel hint={hint} error={hintError} waiting={asks} info={info} answerer={answerer} setAnswerer={setAnswerer} truth={undefined} play={act} />}
            {over && lastBeliefs.current && truth && (
              <HintPanel hint={{ ...lastBeliefs.current, moves: [], line: [], value: null }} error={null} waiting={false} info={info} answerer={answerer} setAnswerer={setAnswerer} truth={truth} play={null} />
            )}
            {over && snapshot.types?.map((one) => (
              <section key={one.seat}>
                <h2>Seat {one.seat} took its opponent for</h2>
                <Types types={one.types} />
              </section>
            ))}
            <MoveList name={snapshot.name} entries={entries(snapshot.name, snapshot.log)} sides={sides} current={null} pick={over && saved ? () => setReviewing(true) : null} />
            {snapshot.seat !== null && !over && <TypedMove snapshot={snapshot} act={mayAct ? live.act : null} />}
            <Share texts={shareTexts(snapshot, keyText, keys, line)} name={`parlor-${snapshot.name}`} saved={snapshot.can.saved ? line : null} />
            {drawn && state.view ? (
              <details class="more">
                <summary>The board as a table</summary>
                <drawn.Table state={state} />
              </details>
            ) : null}
          </aside>
        </div>
      )}
    </div>
  );
}

/** Where the hidden tiles were when the match ended. */
function endTruth(snapshot: Snapshot): Record<string, string> | undefined {
  const view = snapshot.view as any;
  if (!snapshot.over || snapshot.name !== 'dominoes' || !view?.shown) return undefined;
  const truth: Record<string, string> = {};
  for (let low = 0; low < 10; low += 1) for (let high = low; high < 10; high += 1) truth[`${low}${high}`] = 'boneyard';
  for (const tile of view.shown as string[]) truth[tile] = 'other hand';
  // Tiles that the other seat played after the last hint were in its hand.
  for (const entry of view.log as { seat: number; action: string }[]) if (entry.seat !== view.seat && entry.action.includes('@')) truth[entry.action.slice(0, 2)] = 'other hand';
  return truth;
}

function sizeText(snapshot: Snapshot): string {
  const keys = parseSpec(snapshot.game).keys;
  switch (snapshot.name) {
    case 'connect':
      return `${keys.width} × ${keys.height}${keys.row === '4' ? '' : `, ${keys.row} in a row`}`;
    case 'minesweeper':
      return `${keys.columns} × ${keys.rows}, ${keys.mines} mines`;
    case 'checkers':
    case 'tictactoe':
      return `${keys.columns} × ${keys.rows}`;
    case 'dominoes':
      return `double-${keys.set}, ${keys.target === 'none' ? 'one stage' : `to ${keys.target}`}`;
    default:
      return '';
  }
}

function shareTexts(snapshot: Snapshot, key: string | null, keys: string[], line: () => Promise<string>): Copied[] {
  const link = `${location.origin}/t/${snapshot.table}`;
  const texts: Copied[] = [{ label: 'Copy the link', text: link }];
  const other = keys.find((one) => one !== key);
  if (other) texts.push({ label: 'Copy the link for the other player', text: `${link}#${other}` });
  return [...texts, ...positionTexts(snapshot.name, snapshot.game, snapshot.position, async () => readSaved(await line()))];
}

/** Says what happened, for screen readers. */
function Live({ snapshot, info }: { snapshot: Snapshot; info: GameInfo | undefined }) {
  const happened = snapshot.last
    .filter((event) => snapshot.seat === null || event.actor !== snapshot.seat)
    .map((event) => event.text ?? event.action)
    .join('. ');
  const turn = snapshot.over ? snapshot.over.text : snapshot.to_move === null ? '' : snapshot.to_move === snapshot.seat ? 'It is your turn.' : `${playerName(snapshot, snapshot.to_move, info)} is to move.`;
  return (
    <p class="hidden-text" role="status" aria-live="polite" data-testid="live">
      {happened ? `${happened}. ` : ''}
      {turn}
    </p>
  );
}

/** The actions that a typed text can mean: itself, a tile without its end, or a jump without the squares between. */
function meant(typed: string, actions: string[]): string[] {
  const exact = actions.filter((action) => action === typed);
  if (exact.length > 0) return exact;
  const same = actions.filter((action) => action.toLowerCase() === typed.toLowerCase());
  if (same.length > 0) return same;
  const words = typed.split(/[-x:@]/);
  return actions.filter((action) => {
    const parts = action.split(/[-x:@]/);
    return parts[0] === words[0] && (words.length === 1 ? action.includes('@') : parts.at(-1) === words.at(-1) && words.every((word) => parts.includes(word)));
  });
}

function TypedMove({ snapshot, act }: { snapshot: Snapshot; act: ((action: string) => void) | null }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  useEffect(() => setError(null), [snapshot.ply]);
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = text.trim();
    if (!typed || !act) return;
    const known = meant(typed, snapshot.actions);
    if (known.length === 1) {
      act(known[0] as string);
      setText('');
      setError(null);
    } else if (known.length > 1) setError(`${typed} can be ${known.slice(0, 6).join(', ')}.`);
    else setError(`${typed} is not a legal move here; legal are ${snapshot.actions.slice(0, 12).join(', ')}${snapshot.actions.length > 12 ? ' …' : ''}.`);
  };
  return (
    <form class="typed" onSubmit={submit}>
      <label class="field inline">
        <span>Type a move</span>
        <input
          value={text}
          list="legal"
          autocomplete="off"
          spellcheck={false}
          placeholder={snapshot.actions[0] ?? ''}
          onInput={(event) => setText((event.currentTarget as HTMLInputElement).value)}
        />
      </label>
      <datalist id="legal">
        {snapshot.actions.slice(0, 200).map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <button type="submit" class="button" disabled={!act || !text.trim()}>
        Play
      </button>
      <Notice text={error} />
    </form>
  );
}

interface ControlsProps {
  live: Table;
  snapshot: Snapshot;
  info: GameInfo | undefined;
  flips: boolean;
  flip: () => void;
  watching: boolean;
  keyText: string | null;
  swapKey: (() => void) | null;
}

function Controls({ live, snapshot, info, flips, flip, watching, keyText, swapKey }: ControlsProps) {
  const hints = hintsOn.use();
  const [sure, setSure] = useState(false);
  useEffect(() => {
    if (!sure) return undefined;
    const timer = setTimeout(() => setSure(false), 4000);
    return () => clearTimeout(timer);
  }, [sure]);
  const over = snapshot.over !== null;
  const agentThinks = snapshot.thinking && !over;
  return (
    <>
      {watching && keyText && !over && <Pace live={live} snapshot={snapshot} />}
      <div class="row controls">
        {(snapshot.seat !== null || watching) && !over && <Button icon="bulb" label="Hints" pressed={hints} onClick={() => hintsOn.set(!hints)} />}
        {snapshot.seat !== null && info?.open !== false && (!over || snapshot.can.undo) && <Button icon="undo" label="Take back" disabled={!snapshot.can.undo || live.busy} onClick={() => void live.call('undo')} />}
        {snapshot.seat !== null && snapshot.can.undo && info?.open === false && <Button icon="undo" label="Take back" disabled={live.busy} onClick={() => void live.call('undo')} />}
        {agentThinks && (snapshot.seat !== null || watching) && keyText && <Button icon="fast" label="Move now" onClick={() => void live.call('move-now')} />}
        {flips && <Button icon="flip" label="Flip the board" hideLabel kind="quiet" onClick={flip} />}
        {swapKey && <Button icon="swap" label="Pass the screen" kind="quiet" onClick={swapKey} />}
        {snapshot.can.resign && !over && (
          <Button
            icon="flag"
            label={sure ? 'Really resign?' : 'Resign'}
            kind={sure ? 'danger' : 'quiet'}
            onClick={() => {
              if (sure) void live.call('resign');
              setSure(!sure);
            }}
          />
        )}
      </div>
    </>
  );
}

const PACES: [number, string][] = [
  [2000, 'slow'],
  [600, 'normal'],
  [150, 'fast'],
  [0, 'at once'],
];

function Pace({ live, snapshot }: { live: Table; snapshot: Snapshot }) {
  const paused = snapshot.pace?.paused === true;
  return (
    <div class="row pace" role="group" aria-label="Speed of the match">
      <Button icon={paused ? 'play' : 'pause'} label={paused ? 'Go on' : 'Pause'} kind="main" onClick={() => void live.call('pace', { paused: !paused })} />
      <Button icon="step" label="One move" disabled={!paused} onClick={() => void live.call('pace', { step: true })} />
      <label class="field inline">
        <span>Speed</span>
        <select value={snapshot.pace?.pace_ms ?? 600} onChange={(event) => void live.call('pace', { pace_ms: Number((event.currentTarget as HTMLSelectElement).value) })}>
          {PACES.map(([ms, label]) => (
            <option key={ms} value={ms}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Over({ snapshot, info, saved, review, onError }: { snapshot: Snapshot; info: GameInfo | undefined; saved: Saved | null; review: () => void; onError: (text: string) => void }) {
  const [busy, setBusy] = useState(false);
  const again = async (swap: boolean) => {
    setBusy(true);
    try {
      const seats = snapshot.seats.map((seat) => (seat.kind === 'human' ? 'human' : agentText(seat, info)));
      await start({ ...setupOf(snapshot.table), game: snapshot.game, seats: swap ? [...seats].reverse() : seats });
    } catch (error) {
      onError(message(error));
    }
    setBusy(false);
  };
  const mine = snapshot.seat;
  const alone = snapshot.seats.length === 1;
  const result = alone ? ((snapshot.payoffs?.[0] ?? 0) > 0 ? 'won' : 'lost') : snapshot.over?.winner === null || mine === null ? 'even' : snapshot.over?.winner === mine ? 'won' : 'lost';
  return (
    <section class={`over ${result}`} aria-label="Result">
      <p class="over-text">{snapshot.over?.text}</p>
      {snapshot.over && !/^finished$|: resigned$/.test(snapshot.over.ending) && <p class="soft">{snapshot.over.ending}</p>}
      <div class="row">
        <Button icon="again" label="Again" kind="main" disabled={busy} onClick={() => void again(false)} />
        {snapshot.seats.length > 1 && <Button icon="swap" label="Swap seats" disabled={busy} onClick={() => void again(true)} />}
        <Button icon="graph" label="Look back" disabled={saved === null} onClick={review} />
      </div>
    </section>
  );
}

