// A finished match to look at: the board at any ply, the list of moves, any seat's shoulder, hints and an analysis. Used for replays and
// for tables after the end.
import { useEffect, useState } from 'preact/hooks';
import { boardOf } from '../board';
import { type BoardState, formatValue, fromPly } from '../board/state';
import { Chart } from '../chart';
import { hintsOn } from '../store';
import type { GameInfo, Replay } from '../types';
import { Button, Notice } from '../ui';
import { type Answerer, HintPanel } from './hint-panel';
import { entries, MoveList } from './moves';
import { Share } from './share';
import { positionTexts } from './texts';
import { type Saved, useAnalysis, useReplay } from './review';
import { useHint } from './use-hint';

/** Where the hidden tiles were at a ply. */
function truthAt(replays: Replay[], index: number, seat: number): Record<string, string> | undefined {
  if (replays[0]?.name !== 'dominoes' || replays.length < 2) return undefined;
  const mine = (replays[seat]?.plies[index]?.view as any)?.hand as string[] | undefined;
  const other = (replays[1 - seat]?.plies[index]?.view as any)?.hand as string[] | undefined;
  if (!mine || !other) return undefined;
  const truth: Record<string, string> = {};
  for (let low = 0; low < 10; low += 1) for (let high = low; high < 10; high += 1) truth[`${low}${high}`] = 'boneyard';
  for (const tile of other) truth[tile] = 'other hand';
  return truth;
}

interface Props {
  saved: Saved;
  info: GameInfo | undefined;
  sides: string[];
  seat: number;
  start: 'first' | 'last';
  /** What the analysis is asked about, and the key that opens it. */
  about: Record<string, unknown>;
  keyText: string | null;
  flipped: boolean;
}

const SPEEDS: [number, string][] = [
  [1600, 'slow'],
  [800, 'normal'],
  [300, 'fast'],
];

export function Viewer({ saved, info, sides, seat: own, start, about, keyText, flipped }: Props) {
  const { replays, error } = useReplay(saved);
  const [seat, setSeat] = useState(own);
  const [index, setIndex] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(800);
  const [answerer, setAnswerer] = useState<Answerer>('auto');
  const [analysing, setAnalysing] = useState(false);
  const replay = replays[seat] ?? replays[0];
  const last = (replay?.plies.length ?? 1) - 1;
  const at = Math.min(index ?? (start === 'first' ? 0 : last), last);
  const ply = replay?.plies[at];
  const analysis = useAnalysis(analysing ? about : null, keyText);

  const move = (to: number) => setIndex(Math.max(0, Math.min(last, to)));
  /** Chance moves that nobody sees are passed over. */
  const next = (from: number, step: number) => {
    let to = from + step;
    while (to > 0 && to < last && /^(deal|mine|leads):/.test(replay?.plies[to]?.action ?? '')) to += step;
    return to;
  };
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      // On a board the arrows move the focus.
      const onBoard = target.closest('.board, .hand, .moves') !== null;
      if (event.key === 'ArrowLeft' && !onBoard) move(next(at, -1));
      else if (event.key === 'ArrowRight' && !onBoard) move(next(at, 1));
      else if (event.key === 'Home' && !onBoard) move(0);
      else if (event.key === 'End' && !onBoard) move(last);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  });
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => move(next(at, 1)), speed);
    return () => clearTimeout(timer);
  }, [playing, at, speed, last]);

  const hints = hintsOn.use();
  const asks = hints && replay && ply && ply.to_move !== null && at < last;
  const { hint, error: hintError } = useHint(
    asks
      ? {
          key: null,
          body: {
            game: replay.game,
            ...(saved.start ? { position: saved.start } : {}),
            moves: saved.moves.slice(0, at).join(' '),
            seat: ply.to_move,
            ms: 1500,
            ...(answerer === 'auto' ? {} : answerer === 'exact' ? { exact: true } : { exact: false, agent: answerer }),
          },
        }
      : null,
  );

  if (error) return <Notice text={error} />;
  if (!replay || !ply) return <p class="soft">Loading the match …</p>;
  const drawn = boardOf(replay.name);
  const state: BoardState = { ...fromPly(replay, at, seat), ply: at };
  if (at === last) state.mines = saved.moves.filter((word) => word.startsWith('mine:')).map((word) => word.slice(5));
  // The hint speaks of the seat to move, so its tiles and moves are shown.
  if (hint && drawn) {
    state.actions = hint.moves.map((value) => value.action);
  }
  const log = replay.plies.slice(1).map((entry) => ({ actor: entry.actor ?? ('chance' as const), action: entry.action ?? '', text: entry.text, place: entry.place ?? null }));
  const list = entries(replay.name, log);
  const worst = new Map(analysis.worst.filter((one) => one.loss > 0.005).map((one) => [one.ply + 1, one.loss]));
  const sign = (judged: { seat: number; unit: string }) => (/probab/.test(judged.unit) || judged.seat === 0 ? 1 : -1);
  const unit = analysis.judged[0]?.unit ?? '';
  const done = replay.payoffs !== null;
  return (
    <div class="viewer">
      <div class="board-area">
        {drawn ? <drawn.Board state={state} act={null} hint={hint} flipped={flipped} /> : <pre>{ply.drawing}</pre>}
        {drawn?.Note && <drawn.Note state={state} />}
        <div class="transport" role="group" aria-label="Go through the match">
          <Button icon="first" label="Start" hideLabel onClick={() => move(0)} disabled={at === 0} />
          <Button icon="previous" label="Back" hideLabel onClick={() => move(next(at, -1))} disabled={at === 0} />
          <Button icon={playing ? 'pause' : 'play'} label={playing ? 'Pause' : 'Play'} hideLabel onClick={() => setPlaying(!playing)} disabled={at === last} />
          <Button icon="next" label="Forward" hideLabel onClick={() => move(next(at, 1))} disabled={at === last} />
          <Button icon="last" label="End" hideLabel onClick={() => move(last)} disabled={at === last} />
          <input type="range" min={0} max={last} value={at} aria-label={`Ply ${at} of ${last}`} onInput={(event) => move(Number((event.currentTarget as HTMLInputElement).value))} />
          <span class="soft ply">
            {at}/{last}
          </span>
          <select aria-label="Speed" value={speed} onChange={(event) => setSpeed(Number((event.currentTarget as HTMLSelectElement).value))}>
            {SPEEDS.map(([ms, label]) => (
              <option key={ms} value={ms}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div class="viewer-side">
        {replays.length > 1 && info && !info.open && done && (
          <fieldset class="choices small">
            <legend>Seen from</legend>
            <div class="choice-row">
              {[0, 1].map((one) => (
                <label key={one} class={one === seat ? 'choice on' : 'choice'}>
                  <input type="radio" name="shoulder" checked={one === seat} onChange={() => setSeat(one)} />
                  <span>
                    <b>Seat {one}</b>
                    <small>{replay.seats[one]?.split('(')[0]}</small>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        )}
        <div class="row">
          <Button icon="bulb" label="Hints" pressed={hints} onClick={() => hintsOn.set(!hints)} />
          <Button icon="graph" label={analysing ? 'Stop the analysis' : 'Analyse'} pressed={analysing} onClick={() => setAnalysing(!analysing)} />
        </div>
        {hints && (
          <HintPanel hint={hint} error={hintError} waiting={Boolean(asks)} info={info} answerer={answerer} setAnswerer={setAnswerer} truth={truthAt(replays, at, ply.to_move ?? seat)} play={null} />
        )}
        {analysing && (
          <section class="analysis" aria-label="Analysis">
            <Notice text={analysis.error} />
            {analysis.judged.length > 0 && (
              <Chart
                title={`Value for ${sides[0] || 'seat 0'}`}
                xLabel="ply"
                yLabel={unit || 'value'}
                height={220}
                zero
                mark={at}
                onPick={(x) => move(x)}
                series={[{ name: 'value', points: analysis.judged.map((judged) => ({ x: judged.ply, y: judged.value * sign(judged) })) }]}
              />
            )}
            {!analysis.done && <p class="soft">Judging the decisions … {analysis.judged.length}</p>}
            {analysis.done && !analysis.error && (
              <>
                <h2>What lost most</h2>
                {worst.size === 0 && <p class="soft">No decision lost anything.</p>}
                <ol class="worst">
                  {[...worst].slice(0, 6).map(([place, loss]) => {
                    const judged = analysis.judged.find((one) => one.ply + 1 === place);
                    return (
                      <li key={place}>
                        <button type="button" onClick={() => move(place)}>
                          <span class="move-loss">−{loss.toFixed(2)}</span> {sides[judged?.seat ?? 0] || `seat ${judged?.seat}`} played <b>{judged?.action}</b>
                          {judged?.best && judged.best !== judged.action && (
                            <>
                              ; better was <b>{judged.best}</b>
                            </>
                          )}
                          {judged && <span class="soft"> ({formatValue(judged.value, judged.unit, judged.certainty)})</span>}
                        </button>
                      </li>
                    );
                  })}
                </ol>
              </>
            )}
          </section>
        )}
        <MoveList name={replay.name} entries={list} sides={sides} current={at} pick={(to) => move(to)} worst={worst} />
        <Share texts={positionTexts(replay.name, replay.game, ply.position, async () => ({ ...saved, moves: saved.moves.slice(0, at) }))} name={`parlor-${replay.name}-${at}`} saved={async () => saved.line} />
        {drawn && (
          <details class="more">
            <summary>The board as a table</summary>
            <drawn.Table state={state} />
          </details>
        )}
      </div>
    </div>
  );
}
