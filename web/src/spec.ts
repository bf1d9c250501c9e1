// Text forms of games and agents: `name(key=value, …)`.

export interface Spec {
  name: string;
  keys: Record<string, string>;
}

/** Splits at a separator outside of parentheses and quotes. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let part = '';
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    if (!quoted && letter === '(') depth += 1;
    if (!quoted && letter === ')') depth -= 1;
    if (!quoted && depth === 0 && letter === separator) {
      parts.push(part);
      part = '';
    } else {
      part += letter;
    }
  }
  parts.push(part);
  return parts;
}

export function parseSpec(text: string): Spec {
  const open = text.indexOf('(');
  if (open < 0) return { name: text.trim(), keys: {} };
  const keys: Record<string, string> = {};
  for (const part of split(text.slice(open + 1, text.lastIndexOf(')')), ',')) {
    const at = part.indexOf('=');
    if (at > 0) keys[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return { name: text.slice(0, open).trim(), keys };
}

export function formatSpec({ name, keys }: Spec): string {
  const parts = Object.entries(keys)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${value}`);
  return parts.length > 0 ? `${name}(${parts.join(', ')})` : name;
}

/** The keys of a full form that people look for, in a few words. */
export function shortSpec(text: string, defaults?: { name: string; default: string }[]): string {
  const spec = parseSpec(text);
  const known = new Map(defaults?.map((key) => [key.name, key.default]));
  // The server limits the memory of agents, which says nothing about how they play.
  const keys = Object.fromEntries(Object.entries(spec.keys).filter(([key, value]) => known.has(key) && known.get(key) !== value && key !== 'memory_mb'));
  return formatSpec({ name: spec.name, keys });
}
