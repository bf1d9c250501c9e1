// A run as a form beside its TOML: fields of the form are the top-level keys of the text, so that both stay the same document.
import { useEffect, useState } from 'preact/hooks';
import { get, message, post } from '../api';
import { Choices } from '../pages/play';
import { go } from '../router';
import { Loading, Notice } from '../ui';

const KINDS = [
  { value: 'match', label: 'Match', detail: 'two agents, in pairs' },
  { value: 'tournament', label: 'Tournament', detail: 'several agents' },
  { value: 'training', label: 'Training', detail: 'an agent learns' },
  { value: 'experiment', label: 'Experiment', detail: 'a published one, or your own' },
];

interface Field {
  key: string;
  text: string;
  kind: 'text' | 'number' | 'list' | 'flag';
  line: number;
}

const SIMPLE = /^([A-Za-z_][\w-]*)\s*=\s*(.+?)\s*(#.*)?$/;

/** The top-level keys with simple values, up to the first table. */
export function fieldsOf(toml: string): Field[] {
  const found: Field[] = [];
  for (const [line, text] of toml.split('\n').entries()) {
    if (/^\s*\[/.test(text)) break;
    const match = SIMPLE.exec(text);
    if (!match) continue;
    const [key, value] = [match[1] as string, match[2] as string];
    if (/^"([^"\\]*)"$/.test(value) || /^'([^']*)'$/.test(value)) found.push({ key, text: value.slice(1, -1), kind: 'text', line });
    else if (/^-?[\d_.]+(e-?\d+)?$/i.test(value)) found.push({ key, text: value, kind: 'number', line });
    else if (/^(true|false)$/.test(value)) found.push({ key, text: value, kind: 'flag', line });
    else if (/^\[("[^"\\]*"|'[^']*'|[\s,])*\]$/.test(value)) found.push({ key, text: [...value.matchAll(/"([^"]*)"|'([^']*)'/g)].map((part) => part[1] ?? part[2]).join('\n'), kind: 'list', line });
  }
  return found;
}

/** The same text with another value of one key. */
export function withField(toml: string, field: Field, text: string): string {
  const quote = (part: string) => `"${part.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const value = field.kind === 'text' ? quote(text) : field.kind === 'list' ? `[${text.split('\n').filter((part) => part.trim()).map((part) => quote(part.trim())).join(', ')}]` : text;
  const lines = toml.split('\n');
  lines[field.line] = (lines[field.line] as string).replace(SIMPLE, (_, key: string, __: string, comment?: string) => `${key} = ${value}${comment ? ` ${comment}` : ''}`);
  return lines.join('\n');
}

interface Templates {
  match: string;
  tournament: string;
  training: string;
  experiments: { name: string; toml: string }[];
}

export function LabForm() {
  const [templates, setTemplates] = useState<Templates | null>(null);
  const [experiment, setExperiment] = useState('');
  const [kind, setKind] = useState('match');
  const [toml, setToml] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    get<Templates>('/api/runs/templates').then(
      (found) => {
        setTemplates(found);
        setToml(found.match);
      },
      (problem) => setError(message(problem)),
    );
  }, []);
  const choose = (next: string) => {
    setKind(next);
    setError(null);
    if (!templates) return;
    const first = templates.experiments[0];
    if (next === 'experiment') {
      setExperiment(first?.name ?? '');
      setToml(first?.toml ?? '');
    } else setToml(templates[next as 'match' | 'tournament' | 'training']);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const made = await post<{ run: string }>('/api/runs', { kind, toml });
      go(`/lab/${made.run}`);
    } catch (problem) {
      setError(message(problem));
      setBusy(false);
    }
  };
  if (!templates) return error ? <Notice text={error} /> : <Loading what="the forms" />;
  return (
    <form onSubmit={submit} class="lab-form">
      <Choices legend="Kind" name="kind" value={kind} options={KINDS} onChange={choose} />
      {kind === 'experiment' && (
        <label class="field">
          <span>Experiment</span>
          <select
            value={experiment}
            onChange={(event) => {
              const name = (event.currentTarget as HTMLSelectElement).value;
              setExperiment(name);
              setToml(templates.experiments.find((one) => one.name === name)?.toml ?? '');
            }}
          >
            {templates.experiments.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="beside">
        <div class="fields">
          {fieldsOf(toml).map((field) => (
            <label key={field.key} class={field.kind === 'list' ? 'field wide' : 'field'}>
              <span>{field.key}</span>
              {field.kind === 'list' ? (
                <textarea
                  rows={Math.max(2, field.text.split('\n').length + 1)}
                  spellcheck={false}
                  value={field.text}
                  onChange={(event) => setToml(withField(toml, field, (event.currentTarget as HTMLTextAreaElement).value))}
                />
              ) : field.kind === 'flag' ? (
                <select value={field.text} onChange={(event) => setToml(withField(toml, field, (event.currentTarget as HTMLSelectElement).value))}>
                  <option>true</option>
                  <option>false</option>
                </select>
              ) : (
                <input spellcheck={false} value={field.text} onChange={(event) => setToml(withField(toml, field, (event.currentTarget as HTMLInputElement).value))} />
              )}
              {field.kind === 'list' && <small>one a line</small>}
            </label>
          ))}
        </div>
        <label class="field wide toml-field">
          <span>The same as TOML</span>
          <textarea rows={18} spellcheck={false} value={toml} onInput={(event) => setToml((event.currentTarget as HTMLTextAreaElement).value)} />
        </label>
      </div>
      <Notice text={error} />
      <button type="submit" class="button main big" disabled={busy}>
        Start
      </button>
    </form>
  );
}
