import { Beliefs } from '../board/dominoes';
import { byAction, formatValue, tone } from '../board/state';
import { shortSpec } from '../spec';
import type { GameInfo, Hint, TypeOdds } from '../types';

export type Answerer = 'auto' | 'exact' | string;

interface Props {
  hint: Hint | null;
  error: string | null;
  waiting: boolean;
  info: GameInfo | undefined;
  answerer: Answerer;
  setAnswerer: (answerer: Answerer) => void;
  truth: Record<string, string> | undefined;
  play: ((action: string) => void) | null;
}

function source(hint: Hint, info: GameInfo | undefined): string {
  if (hint.source === 'exact') return 'the exact solver';
  if (!hint.source) return '';
  const name = hint.source.split('(')[0];
  return shortSpec(hint.source, info?.agents.find((agent) => agent.name === name)?.keys);
}

const CERTAINTY: Record<string, string> = { proven: 'exact', at_most: 'at most', guess: 'estimate' };

export function Types({ types }: { types: TypeOdds[] }) {
  return (
    <ul class="bars types">
      {types.map((type) => (
        <li key={type.name}>
          <span class="bar-label">{type.name}</span>
          <span class="bar">
            <span class="bar-in" style={{ width: `${type.probability * 100}%` }} />
          </span>
          <span class="bar-number">{Math.round(type.probability * 100)}%</span>
        </li>
      ))}
    </ul>
  );
}

/** What an agent or the solver says of the position, from what the seat may know. */
export function HintPanel({ hint, error, waiting, info, answerer, setAnswerer, truth, play }: Props) {
  const values = byAction(hint);
  const moves = (hint?.moves ?? []).slice(0, 12);
  const most = Math.max(...moves.map((move) => move.value));
  const least = Math.min(...moves.map((move) => move.value));
  const share = (value: number) => (most === least ? 100 : 8 + (92 * (value - least)) / (most - least));
  return (
    <section class="hint-panel" aria-label="Hints">
      <label class="field inline">
        <span>Who answers</span>
        <select value={answerer} onChange={(event) => setAnswerer((event.currentTarget as HTMLSelectElement).value)}>
          <option value="auto">The best available</option>
          {info?.solver && <option value="exact">Exact solver only</option>}
          {info?.agents
            .filter((agent) => agent.name !== 'random')
            .map((agent) => (
              <option key={agent.name} value={agent.name}>
                {agent.name}
              </option>
            ))}
          {info?.open === false && info.agents.some((agent) => agent.name === 'mstar') && <option value="mstar(model=guess)">mstar, guessing who the opponent is</option>}
        </select>
      </label>
      {error && <p class="notice error">{error}</p>}
      {!hint && !error && <p class="soft">{waiting ? 'Thinking …' : 'Hints appear when it is your turn.'}</p>}
      {hint && (
        <>
          <p class="hint-head">
            {hint.value !== null && <b class={`value ${tone(hint.value, hint.unit)} ${hint.certainty ?? ''}`}>{formatValue(hint.value, hint.unit, hint.certainty ?? 'guess')}</b>}
            <span>
              {hint.value !== null && `${CERTAINTY[hint.certainty ?? 'guess'] ?? ''} in ${hint.unit}, `}
              {hint.final ? 'by' : 'so far by'} {source(hint, info) || 'the agent'}
              {hint.end_in ? `, ends in ${hint.end_in} plies` : ''}
              {hint.depth ? ` · depth ${hint.depth}` : ''}
              {hint.nodes ? ` · ${hint.nodes.toLocaleString('en')} ${hint.counts ?? 'nodes'}` : ''}
            </span>
          </p>
          {moves.length > 0 && (
            <ol class="hint-moves">
              {moves.map((move) => {
                const best = values.get(move.action)?.best ?? false;
                const content = (
                  <>
                    <span class="hint-move">
                      {best ? '★ ' : ''}
                      {move.action}
                    </span>
                    <span class="hint-bar">
                      <span class={`hint-in ${move.certainty} ${tone(move.value, hint.unit)}`} style={{ width: `${share(move.value)}%` }} />
                    </span>
                    <span class="hint-number">{formatValue(move.value, hint.unit, move.certainty)}</span>
                  </>
                );
                return (
                  <li key={move.action} class={best ? 'best' : ''}>
                    {play ? (
                      <button type="button" aria-label={`Play ${move.action}, value ${formatValue(move.value, hint.unit, move.certainty)}`} onClick={() => play(move.action)}>
                        {content}
                      </button>
                    ) : (
                      <div>{content}</div>
                    )}
                  </li>
                );
              })}
            </ol>
          )}
          {hint.line.length > 1 && (
            <p class="hint-line">
              <span class="soft">expects</span> {hint.line.slice(0, 10).join(' ')}
            </p>
          )}
          {hint.odds && (
            <p class="hint-line">
              {hint.odds.random_win !== null && hint.odds.random_win !== undefined && <>Random clicks win {(hint.odds.random_win * 100).toFixed(1)} % from here. </>}
              {hint.odds.layouts ? `${hint.odds.layouts.toLocaleString('en')} layouts of the mines are possible.` : ''}
            </p>
          )}
          <Beliefs hint={hint} truth={truth} />
          {hint.beliefs?.types && hint.beliefs.types.length > 0 && (
            <>
              <h2>It takes the opponent for</h2>
              <Types types={hint.beliefs.types} />
            </>
          )}
          <p class="legend-line soft">
            <b>+1</b> exact · <b>≈1</b> estimate · <b>≤1</b> no more than that
          </p>
        </>
      )}
    </section>
  );
}
