import { useEffect, useState } from 'preact/hooks';
import { SideMark } from '../board/marks';
import { parseSpec, shortSpec } from '../spec';
import type { ClockInfo, GameInfo, SeatInfo, Snapshot } from '../types';
import type { Thinking } from './use-table';

function clockText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

function Clock({ clock, stamp }: { clock: ClockInfo; stamp: unknown }) {
  const [began, setBegan] = useState(() => performance.now());
  const [, tick] = useState(0);
  useEffect(() => {
    setBegan(performance.now());
    if (!clock.running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 100);
    return () => clearInterval(timer);
  }, [stamp, clock.running, clock.left_ms]);
  if (clock.left_ms === null) return null;
  const left = clock.left_ms - (clock.running ? performance.now() - began : 0);
  return (
    <span class={`clock ${clock.running ? 'running' : ''} ${left < 10_000 ? 'short' : ''}`} role="timer" aria-label={`${Math.ceil(left / 1000)} seconds left`}>
      {clockText(left)}
    </span>
  );
}

interface Props {
  snapshot: Snapshot;
  seat: number;
  info: GameInfo | undefined;
  thinking: Thinking | null;
  turn: boolean;
}

const keysOf = (info: GameInfo | undefined, spec: string) => info?.agents.find((agent) => agent.name === spec.split('(')[0])?.keys;

/** The level that an agent is, if it is one. */
function levelOf(seat: SeatInfo, info: GameInfo | undefined): string | null {
  const full = seat.agent ?? seat.name;
  const sorted = (text: string) => JSON.stringify(Object.entries(parseSpec(text).keys).sort());
  const short = shortSpec(full, keysOf(info, full));
  const level = info?.levels.find((level) => level.agent && parseSpec(level.agent).name === parseSpec(short).name && sorted(level.agent) === sorted(short));
  return level?.name ?? null;
}

/** An agent as a table takes it: its level, or its text. */
export function agentText(seat: SeatInfo, info: GameInfo | undefined): string {
  const full = seat.agent ?? seat.name;
  return levelOf(seat, info) ?? shortSpec(full, keysOf(info, full));
}

export function playerName(snapshot: Snapshot, seat: number, info: GameInfo | undefined): string {
  const player = snapshot.seats[seat];
  if (!player) return `seat ${seat}`;
  if (player.kind === 'human') return snapshot.seat === seat ? 'You' : player.name === 'you' ? 'Guest' : player.name;
  const text = agentText(player, info);
  return levelOf(player, info) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

export function PlayerBar({ snapshot, seat, info, thinking, turn }: Props) {
  const player = snapshot.seats[seat];
  const name = playerName(snapshot, seat, info);
  const detail = player?.kind === 'agent' ? shortSpec(player.agent ?? player.name, keysOf(info, player.agent ?? player.name)) : null;
  const busy = snapshot.thinking && snapshot.to_move === seat && !snapshot.over;
  const clock = snapshot.clocks?.[seat];
  const won = snapshot.over && snapshot.over.winner === seat;
  return (
    <div class={`player ${turn ? 'turn' : ''}`}>
      <SideMark name={snapshot.name} seat={seat} view={snapshot.view ?? snapshot.views?.[0]} />
      <span class="player-name">
        <b>{name}</b>
        {detail && detail.toLowerCase() !== name.toLowerCase() && <small title={player?.name}>{detail}</small>}
      </span>
      <span class="player-state">
        {won ? 'won' : busy ? <span class="thinking">thinking{thinking?.depth ? `, depth ${thinking.depth}` : ''}</span> : turn ? 'to move' : ''}
      </span>
      {snapshot.points && (
        <span class="points" aria-label={`${snapshot.points[seat]} points`}>
          {snapshot.points[seat]}
        </span>
      )}
      {clock && <Clock clock={clock} stamp={snapshot} />}
    </div>
  );
}
