import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { inTime } from '../../service/in-time.ts';
import type { Database } from '../../service/store/database.ts';
import type {
  ForkCommand,
  InvokeCommand,
  ReplicaMessage,
  ReplicaOptions,
  ResumeCommand,
} from './replica-process.ts';

/** Maximum time until a replica dies; only one that never reaches its point takes as long. */
const LONGEST_LIFE_MS = 120_000;

/** A replica in its own process. */
interface Replica {
  process: ChildProcess;
  invoke(command: InvokeCommand): void;
  resume(command: ResumeCommand): void;
  fork(command: ForkCommand): void;
  /** Stops it at a point where it holds no lock, until it gets `SIGCONT`. Resolves when it has stored its last heartbeat. */
  freeze(): Promise<void>;
  /** Resolves with the next message of a kind; rejects when the process ends before. */
  heard<K extends ReplicaMessage['kind']>(kind: K): Promise<Extract<ReplicaMessage, { kind: K }>>;
  /** Resolves when the process has ended, killed or by itself. */
  gone: Promise<void>;
  /**
   * Waits until it has died at its point, and makes that known: as if 15 seconds had passed, other replicas take over its runs. They
   * must not count it as dead before, however long a busy machine leaves it without the processor.
   */
  diedIn(db: Database): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
}

export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const child = fork(new URL('replica-process.ts', import.meta.url), [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit').then(() => undefined);
  const messages: ReplicaMessage[] = [];
  const listeners = new Set<() => void>();
  child.on('message', (message: ReplicaMessage) => {
    messages.push(message);
    for (const listener of [...listeners]) listener();
  });
  const heard: Replica['heard'] = <K extends ReplicaMessage['kind']>(kind: K) =>
    new Promise<Extract<ReplicaMessage, { kind: K }>>((resolve, reject) => {
      const isWanted = (message: ReplicaMessage): message is Extract<ReplicaMessage, { kind: K }> =>
        message.kind === kind;
      const look = (): void => {
        const found = messages.find(isWanted);
        if (!found) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      void gone.then(() => {
        listeners.delete(look);
        reject(new Error(`the replica ended before it was ${kind}`));
      });
      look();
    });
  const { replicaId } = await heard('ready');
  return {
    process: child,
    invoke: (command) => void child.send(command),
    resume: (command) => void child.send(command),
    fork: (command) => void child.send(command),
    freeze: async () => {
      child.send('freeze');
      await heard('frozen');
    },
    heard,
    gone,
    diedIn: async (db) => {
      if (
        !(await inTime(
          gone.then(() => true),
          LONGEST_LIFE_MS,
        ))
      ) {
        const said = messages.map(({ kind }) => kind).join(', ');
        child.kill('SIGKILL');
        assert.fail(`the replica never came to ${JSON.stringify(options.killAt)}, but was ${said}`);
      }
      await db.knex('replicas').where({ id: replicaId }).update({ heartbeat_at: 0 });
    },
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  };
}
