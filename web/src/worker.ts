// The shared worker: holds the browser's only event stream, whatever the number of tabs. A browser opens six connections to a server at
// most, so with a stream for each tab the seventh would not load.
import { Hub, type Listener } from './hub';
import type { Topic } from './types';

declare const self: { onconnect: ((event: MessageEvent) => void) | null };

const hub = new Hub();

self.onconnect = (event) => {
  const port = event.ports[0] as MessagePort;
  const subscriptions = new Map<number, { topic: Topic; listener: Listener }>();
  const drop = (number: number) => {
    const found = subscriptions.get(number);
    if (found) hub.remove(found.topic, found.listener);
    subscriptions.delete(number);
  };
  const dropAll = () => [...subscriptions.keys()].forEach(drop);
  port.onmessage = ({ data }) => {
    if (data.add) {
      const listener: Listener = (happened) => port.postMessage({ number: data.number, happened });
      subscriptions.set(data.number, { topic: data.add, listener });
      hub.add(data.add, listener);
    } else if (data.remove) {
      drop(data.remove);
    } else if (data.bye) {
      dropAll();
    } else if (data.lock) {
      // Granted when the tab is gone, even if it crashed.
      navigator.locks?.request(data.lock, dropAll);
    }
  };
  port.start();
};
