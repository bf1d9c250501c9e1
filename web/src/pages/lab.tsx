import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, catalog, get, message, post, request } from '../api';
import { Chart, type Series } from '../chart';
import { subscribe } from '../live';
import { LabForm } from '../panel/lab-form';
import { go } from '../router';
import type { Point, RunDetail, RunRow } from '../types';
import { Button, Heading, Loading, Notice, useTitle } from '../ui';

const STATES: Record<string, string> = { running: 'running', done: 'done', stopped: 'stopped', failed: 'failed' };

function when(started: number | string): string {
  const date = typeof started === 'number' ? new Date(started * (started < 1e12 ? 1000 : 1)) : new Date(started);
  return Number.isNaN(date.getTime()) ? String(started) : date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

function Progress({ row }: { row: RunRow }) {
  if (row.total === 0) return null;
  const share = row.total > 0 ? row.done / row.total : 0;
  return (
    <span class="progress-cell">
      <progress max={1} value={share} aria-label={`${row.done} of ${row.total}`} />
      <span>
        {row.done.toLocaleString('en')} / {row.total.toLocaleString('en')}
      </span>
    </span>
  );
}

export function Lab({ run }: { run: string | null }) {
  const [owner, setOwner] = useState<boolean | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    catalog().then(
      (known) => setOwner(known.owner),
      (problem) => setError(message(problem)),
    );
  }, []);
  useTitle('Lab');
  if (owner === null)
    return (
      <>
        <Heading>Lab</Heading>
        <Notice text={error} />
        {!error && <Loading what="the lab" />}
      </>
    );
  if (!owner)
    return (
      <>
        <Heading>Lab</Heading>
        <p>The lab starts programs that run for a long time and shows files, so it is only for the owner of this server.</p>
        <p>
          Open the address that <code>parlor serve</code> printed when it started; it has a key in it.
        </p>
      </>
    );
  return run === null ? <Runs /> : run === 'new' ? <NewRun /> : <Run key={run} run={run} />;
}

function NewRun() {
  return (
    <>
      <p>
        <a href="/lab">← All runs</a>
      </p>
      <Heading>New run</Heading>
      <LabForm />
    </>
  );
}

function Runs() {
  const [rows, setRows] = useState<RunRow[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  useEffect(() => {
    const load = () =>
      get<{ runs: RunRow[] }>('/api/runs').then(
        (answer) => setRows(answer.runs),
        (problem) => setError(message(problem)),
      );
    void load();
    return subscribe({ runs: true }, ({ event, data }) => {
      if (event === 'run') {
        const row = data as RunRow;
        setRows((known) => (known?.some((other) => other.run === row.run) ? known.map((other) => (other.run === row.run ? { ...other, ...row } : other)) : [row, ...(known ?? [])]));
      } else if (event === 'gone') setRows((known) => known?.filter((other) => other.run !== data.run) ?? null);
    });
  }, []);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = (rows ?? []).filter((row) => words.every((word) => `${row.kind} ${row.title} ${row.state}`.toLowerCase().includes(word)));
  return (
    <>
      <div class="page-head">
        <Heading>Lab</Heading>
        <a class="button main" href="/lab/new">
          New run
        </a>
      </div>
      <p class="intro-line">Matches, tournaments, trainings and experiments. They go on when this page is closed, and a stopped one can be resumed.</p>
      <Notice text={error} />
      {rows && rows.length > 0 && (
        <label class="field inline">
          <span>Filter</span>
          <input value={filter} placeholder="training connect running" onInput={(event) => setFilter((event.currentTarget as HTMLInputElement).value)} />
        </label>
      )}
      {rows === null && !error && <Loading what="the runs" />}
      {rows?.length === 0 && <p class="empty">No runs yet. A match between two agents takes a few seconds.</p>}
      {shown.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Runs">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">Run</th>
                <th scope="col">Kind</th>
                <th scope="col">State</th>
                <th scope="col">Progress</th>
                <th scope="col">Started</th>
                <th scope="col">Report</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.run}>
                  <th scope="row">
                    <a href={`/lab/${row.run}`}>{row.title || `${row.kind} ${row.run.slice(0, 8)}`}</a>
                  </th>
                  <td>{row.kind}</td>
                  <td>
                    <span class={`state ${row.state}`}>{STATES[row.state]}</span>
                  </td>
                  <td>
                    <Progress row={row} />
                  </td>
                  <td>{when(row.started)}</td>
                  <td>{row.report ? <a href={`/lab/${row.run}#report`}>report</a> : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows && rows.length > 0 && shown.length === 0 && <p class="empty">No run fits the filter.</p>}
      <RecordedGames />
      <Earlier />
    </>
  );
}

const short = (specs: unknown[] | undefined) => (specs ?? []).map((spec) => String(spec).split('(')[0]).join(' – ');

/** A table below the list of runs; nothing where there are no rows. */
function More({ title, head, rows, children }: { title: string; head: string[]; rows: number; children: ComponentChildren }) {
  if (rows === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table class="plain">
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}

/** What a document of the owner has, `[]` if there is none. */
function useList(path: string, field: string): any[] {
  const [rows, setRows] = useState<any[]>([]);
  useEffect(() => {
    get<any>(path).then(
      (answer) => setRows(answer[field] ?? []),
      (problem) => {
        if (!(problem instanceof ApiError)) throw problem;
      },
    );
  }, []);
  return rows;
}

/** The games of the store that the server was started with. */
function RecordedGames() {
  const [filter, setFilter] = useState('');
  const all = useList('/api/games', 'games');
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = all.filter((row) => words.every((word) => `${row.game} ${row.seats.join(' ')} ${row.ending}`.toLowerCase().includes(word)));
  return (
    <More title="Recorded games" head={['Number', 'Ended', 'Game', 'Players', 'Result', 'Decisions']} rows={all.length}>
      <tr>
        <td colSpan={6}>
          <input aria-label="Filter of recorded games" value={filter} placeholder="tictactoe mcts" onInput={(event) => setFilter((event.currentTarget as HTMLInputElement).value)} />
        </td>
      </tr>
      {rows.slice(0, 100).map((row) => (
        <tr key={row.id}>
          <th scope="row">{row.replay ? <a href={`/replay?recorded=${row.id}`}>{row.id}</a> : row.id}</th>
          <td>{when(row.ended)}</td>
          <td>{short([row.game])}</td>
          <td>{short(row.seats)}</td>
          <td>{row.payoffs?.join(' : ') ?? row.ending}</td>
          <td>{row.steps}</td>
        </tr>
      ))}
    </More>
  );
}

/** The log of matches and tournaments, also of those that were started elsewhere. */
function Earlier() {
  const rows = useList('/api/history', 'entries');
  return (
    <More title="Earlier results" head={['Date', 'Kind', 'Game', 'Agents', 'Won – drawn – lost', 'Elo']} rows={rows.length}>
      {rows.slice(0, 100).map((row, number) => (
        <tr key={number}>
          <th scope="row">{when(row.ended)}</th>
          <td>{row.kind}</td>
          <td>{short([row.settings?.game])}</td>
          <td>{short(row.settings?.agents)}</td>
          <td>{row.wins === undefined ? '' : `${row.wins} – ${row.draws} – ${row.losses}`}</td>
          <td>{typeof row.elo === 'number' ? `${row.elo.toFixed(0)} [${row.elo_low?.toFixed(0) ?? '–'} … ${row.elo_high?.toFixed(0) ?? '–'}]` : ''}</td>
        </tr>
      ))}
    </More>
  );
}

function curves(points: Point[]): Series[] {
  const named = new Map<string, Series>();
  for (const point of points) {
    const name = point.series ?? 'score';
    const series = named.get(name) ?? { name, points: [], published: [] };
    (point.published ? series.published : series.points)?.push(point);
    named.set(name, series);
  }
  return [...named.values()];
}

/** A title with the keys of its agents left out. */
const withoutKeys = (title = '') => title.replace(/(?<=\w)\([^()]*(\([^()]*\)[^()]*)*\)/g, '');

function Result({ result }: { result: unknown }) {
  if (result === null || typeof result !== 'object') return null;
  const entries = Object.entries(result as Record<string, unknown>).filter(([, value]) => typeof value === 'number' || typeof value === 'string');
  if (entries.length === 0) return null;
  return (
    <dl class="figures">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{typeof value === 'number' ? +value.toFixed(4) : String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Run({ run }: { run: string }) {
  const [detail, setDetail] = useState<RunDetail | null>(null);
  const [error, setError] = useState<string | null>(null);
  const load = () =>
    get<RunDetail>(`/api/runs/${run}`).then(setDetail, (problem) => {
      setError(problem instanceof ApiError && problem.status === 404 ? 'There is no such run.' : message(problem));
    });
  useEffect(() => {
    void load();
    return subscribe({ run }, ({ event, data }) => {
      if (event === 'point') setDetail((known) => known && { ...known, points: [...known.points.filter((point) => !(point.x === data.x && point.series === data.series && point.published === data.published)), data as Point] });
      else if (event === 'run') {
        setDetail((known) => known && { ...known, ...(data as RunRow) });
        // The result is in the document of the run, not in its row.
        if ((data as RunRow).state !== 'running') void load();
      }
    });
  }, [run]);
  const call = async (name: 'stop' | 'resume') => {
    setError(null);
    try {
      const row = await post<RunRow>(`/api/runs/${run}/${name}`, {});
      setDetail((known) => known && { ...known, ...row });
    } catch (problem) {
      setError(message(problem));
    }
  };
  const remove = async () => {
    try {
      await request('DELETE', `/api/runs/${run}`);
      go('/lab');
    } catch (problem) {
      setError(message(problem));
    }
  };
  useTitle(detail?.title ?? 'Run');
  return (
    <>
      <p>
        <a href="/lab">← All runs</a>
      </p>
      <Heading>{withoutKeys(detail?.title) || 'Run'}</Heading>
      {detail && detail.title !== withoutKeys(detail.title) && <p class="soft full-title">{detail.title}</p>}
      <Notice text={error ?? detail?.error ?? null} />
      {!detail && !error && <Loading what="the run" />}
      {detail && (
        <>
          <div class="run-head">
            <span class={`state ${detail.state}`}>{STATES[detail.state]}</span>
            <Progress row={detail} />
            <span class="soft">
              {detail.kind}, started {when(detail.started)}
            </span>
            <div class="row">
              {detail.state === 'running' && <Button icon="stop" label="Stop" onClick={() => void call('stop')} />}
              {detail.state !== 'running' && detail.state !== 'done' && detail.resumable && <Button icon="play" label="Resume" kind="main" onClick={() => void call('resume')} />}
              {detail.state !== 'running' && <Button label="Delete" kind="quiet" onClick={() => void remove()} />}
            </div>
          </div>
          {(detail.points.length > 0 || (detail.published ?? []).length > 0) && <Chart title={withoutKeys(detail.title)} xLabel={detail.axes?.x ?? 'games'} yLabel={detail.axes?.y ?? 'score'} series={curves([...detail.points, ...(detail.published ?? []).map((point) => ({ ...point, published: true }))])} />}
          <Result result={detail.result} />
          <details class="more">
            <summary>Settings as TOML</summary>
            <pre class="toml" tabIndex={0}>
              {detail.toml}
            </pre>
          </details>
          {detail.report && (
            <section id="report">
              <h2>Report</h2>
              <p>
                <a href={detail.report} target="_blank" rel="noreferrer">
                  Open in a tab of its own
                </a>
              </p>
              <iframe class="report" title="Report" src={detail.report} sandbox="" />
            </section>
          )}
        </>
      )}
    </>
  );
}
