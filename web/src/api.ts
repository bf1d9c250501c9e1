import type { Catalog } from './types';

/** An answer of the server that is not a success; `body` is its document. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly body: Record<string, unknown>,
  ) {
    super(message);
  }
}

function sentence(body: Record<string, unknown>, status: number): string {
  let text = typeof body.error === 'string' ? body.error : `The server answered with status ${status}.`;
  if (typeof body.where === 'string') text += ` (${body.where})`;
  if (typeof body.did_you_mean === 'string') text += ` Did you mean ${body.did_you_mean}?`;
  return text;
}

/** Sends a request and returns the response; throws an `ApiError` unless it succeeded. */
export async function request(method: string, path: string, body?: unknown, key?: string | null, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {};
  if (method !== 'GET') headers['X-Parlor'] = '1';
  if (key) headers['X-Parlor-Seat'] = key;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer. Is it still running?', {});
  }
  if (response.ok) return response;
  let document: Record<string, unknown> = {};
  try {
    document = await response.json();
  } catch {
    // The status has to do.
  }
  throw new ApiError(response.status, sentence(document, response.status), document);
}

export async function get<T>(path: string, key?: string | null): Promise<T> {
  return (await request('GET', path, undefined, key)).json();
}

export async function post<T>(path: string, body: unknown, key?: string | null): Promise<T> {
  return (await request('POST', path, body, key)).json();
}

/** Calls `each` with every line of a streamed answer, as it arrives. */
export async function lines<T>(path: string, body: unknown, key: string | null, signal: AbortSignal, each: (line: T) => void): Promise<void> {
  const response = await request('POST', path, body, key, signal);
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const parts = rest.split('\n');
    rest = done ? '' : (parts.pop() ?? '');
    for (const part of parts) if (part.trim()) each(JSON.parse(part));
    if (done) return;
  }
}

let known: Promise<Catalog> | null = null;

/** The catalog, requested once. */
export function catalog(): Promise<Catalog> {
  known ??= get<Catalog>('/api/catalog').catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
