// One event stream for all that is shown: the topics of every listener are merged into one subscription.
// Runs in the shared worker, or in the page where there is none.
import type { Topic } from './types';

export interface HubEvent {
  event: 'snapshot' | 'thinking' | 'run' | 'point' | 'gone' | 'online' | 'offline';
  data: any;
}

export type Listener = (event: HubEvent) => void;

const EVENTS = ['snapshot', 'thinking', 'run', 'point', 'gone'] as const;
const RETRY_MS = [250, 500, 1000, 2000, 4000];

function id(topic: Topic): string {
  if ('table' in topic) return `t:${topic.table}:${topic.key ?? ''}`;
  if ('run' in topic) return `r:${topic.run}`;
  return 'runs';
}

export class Hub {
  private readonly topics = new Map<string, { topic: Topic; listeners: Set<Listener> }>();
  private stream: string | null = null;
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private failures = 0;
  private busy = false;
  private again = false;
  private offline = false;

  add(topic: Topic, listener: Listener): void {
    const name = id(topic);
    const entry = this.topics.get(name) ?? { topic, listeners: new Set<Listener>() };
    entry.listeners.add(listener);
    this.topics.set(name, entry);
    if (this.offline) listener({ event: 'offline', data: null });
    this.plan(10);
  }

  remove(topic: Topic, listener: Listener): void {
    const entry = this.topics.get(id(topic));
    if (!entry) return;
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    this.topics.delete(id(topic));
    // Waits a little: the next page often wants the same topic.
    this.plan(300);
  }

  private plan(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.sync();
    }, ms);
  }

  private async sync(): Promise<void> {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    try {
      const topics = [...this.topics.values()].map((entry) => entry.topic);
      if (topics.length === 0) {
        this.close();
      } else if (this.stream && this.source && this.source.readyState !== EventSource.CLOSED) {
        const answer = await this.send('PUT', `/api/streams/${this.stream}`, topics);
        if (!answer.ok) await this.open(topics);
      } else {
        await this.open(topics);
      }
      this.failures = 0;
    } catch {
      this.close();
      this.state(true);
      this.plan(RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)] as number);
      this.failures += 1;
    }
    this.busy = false;
    if (this.again) {
      this.again = false;
      void this.sync();
    }
  }

  private send(method: string, path: string, topics: Topic[]): Promise<Response> {
    const headers = { 'X-Parlor': '1', 'Content-Type': 'application/json' };
    return fetch(path, { method, headers, body: JSON.stringify({ topics }) });
  }

  private async open(topics: Topic[]): Promise<void> {
    this.close();
    const answer = await this.send('POST', '/api/streams', topics);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    this.stream = (await answer.json()).stream as string;
    const source = new EventSource(`/api/events/${this.stream}`);
    this.source = source;
    for (const event of EVENTS) source.addEventListener(event, (message) => this.deliver(event, JSON.parse((message as MessageEvent).data)));
    source.onopen = () => this.state(false);
    source.onerror = () => {
      if (this.source !== source) return;
      this.state(true);
      // A server that was restarted does not know the stream: the browser gives up, and a new stream is made.
      if (source.readyState === EventSource.CLOSED) this.plan(RETRY_MS[0] as number);
    };
  }

  private close(): void {
    this.source?.close();
    this.source = null;
    this.stream = null;
  }

  private state(offline: boolean): void {
    if (this.offline === offline) return;
    this.offline = offline;
    for (const entry of this.topics.values()) for (const listener of entry.listeners) listener({ event: offline ? 'offline' : 'online', data: null });
  }

  private deliver(event: HubEvent['event'], data: any): void {
    for (const { topic, listeners } of this.topics.values()) {
      const wanted =
        'table' in topic ? data.table === topic.table : 'run' in topic ? data.run === topic.run : event === 'run' || (event === 'gone' && 'run' in data);
      if (wanted) for (const listener of listeners) listener({ event, data });
    }
  }
}
