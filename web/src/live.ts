import { shared } from './shared';
import { Hub, type HubEvent, type Listener } from './hub';
import type { Topic } from './types';

/** Whether the connection to the server is interrupted. */
export const offline = shared(false);

interface Transport {
  add(topic: Topic, listener: Listener): () => void;
}

function inPage(): Transport {
  const hub = new Hub();
  return {
    add(topic, listener) {
      hub.add(topic, listener);
      return () => hub.remove(topic, listener);
    },
  };
}

function inWorker(): Transport {
  const worker = new SharedWorker('/assets/worker.js', { name: 'parlor' });
  const listeners = new Map<number, { topic: Topic; listener: Listener }>();
  let last = 0;
  worker.port.onmessage = ({ data }: MessageEvent<{ number: number; happened: HubEvent }>) => listeners.get(data.number)?.listener(data.happened);
  worker.port.start();
  // The worker waits for this lock, and gets it when the tab is closed.
  const lock = `parlor-tab-${crypto.randomUUID?.() ?? Math.random()}`;
  if (navigator.locks) {
    void navigator.locks.request(lock, () => {
      worker.port.postMessage({ lock });
      return new Promise(() => {});
    });
  }
  addEventListener('pagehide', () => worker.port.postMessage({ bye: true }));
  addEventListener('pageshow', (event) => {
    if (event.persisted) for (const [number, { topic }] of listeners) worker.port.postMessage({ number, add: topic });
  });
  return {
    add(topic, listener) {
      last += 1;
      const number = last;
      listeners.set(number, { topic, listener });
      worker.port.postMessage({ number, add: topic });
      return () => {
        listeners.delete(number);
        worker.port.postMessage({ remove: number });
      };
    },
  };
}

let transport: Transport | null = null;

function choose(): Transport {
  if (typeof SharedWorker === 'function') {
    try {
      return inWorker();
    } catch {
      // Some browsers have the class and refuse to start it, in private windows for example.
    }
  }
  return inPage();
}

/** Calls `listener` with every event of a topic; returns what ends the subscription. */
export function subscribe(topic: Topic, listener: Listener): () => void {
  transport ??= choose();
  return transport.add(topic, (happened) => {
    offline.value = happened.event === 'offline';
    listener(happened);
  });
}
