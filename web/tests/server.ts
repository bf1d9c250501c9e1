// Starts the program that is tested.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Server {
  url: string;
  owner: string;
  folder: string;
  port: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export async function startServer(folder = mkdtempSync(join(tmpdir(), 'parlor-browser-')), port = 0): Promise<Server> {
  const program = process.env.PARLOR;
  if (!program) throw new Error('PARLOR must name the program; `cargo xtask browser` builds it and sets it');
  // The log of runs and the store of games are the test's own, too.
  const child: ChildProcess = spawn(program, ['serve', '--port', String(port), '--folder', folder, '--record', join(folder, 'store'), '--agent', 'mine=random'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PARLOR_HOME: join(folder, 'home') },
  });
  let out = '';
  let err = '';
  child.stdout?.on('data', (data) => (out += data));
  child.stderr?.on('data', (data) => (err += data));
  const deadline = Date.now() + 20_000;
  for (;;) {
    const url = /http:\/\/[\w.:]+/.exec(out)?.[0];
    const owner = /http:\/\/\S+owner=\w+/.exec(out + err)?.[0];
    if (url && owner) {
      const stop = (signal: NodeJS.Signals = 'SIGTERM') =>
        new Promise<void>((done) => {
          child.once('exit', () => done());
          child.kill(signal);
        });
      return { url, owner, folder, port: Number(new URL(url).port), stop };
    }
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the server did not start: ${out}${err}`);
    await new Promise((next) => setTimeout(next, 25));
  }
}
