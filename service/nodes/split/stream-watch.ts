import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { findStream, findStreams, type SplitStream, type StreamKey } from '../../store/split-streams.ts';
import { SharedRead } from './shared-read.ts';

/** A watch on a stream, for one reader. */
interface Watching {
  /** Increases with each change. */
  version(): number;
  /** Returns the stream in its state at this version or later. All readers of a stream share the read. */
  stream(version: number): Promise<SplitStream | undefined>;
  /**
   * Returns the frames from `next` to the end of its chunk. Calls `read` unless another reader has just done
   * so.
   */
  frames(next: number, read: () => Promise<string[]>): Promise<string[]>;
  /** Resolves once the version differs, the watch is closed, or the signal fires. */
  changed(since: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

interface Watched {
  key: StreamKey;
  readers: number;
  version: number;
  /** The latest state read from the database. */
  state: string | undefined;
  waiting: Set<() => void>;
  /** By version. */
  stream: SharedRead<SplitStream | undefined>;
  /** By the first frame. */
  frames: SharedRead<string[]>;
}

/** Streams per query. */
const streamsAtOnce = 200;

/**
 * Wakes the readers of split streams. Changes by this process are announced; changes by other replicas, and expiry, are found by
 * polling.
 */
export class StreamWatch {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();
  #isClosed = false;

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Readers stop once this is true. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  open({ tenantId, id }: StreamKey): Watching {
    const watched = this.#watched.get(id) ?? {
      key: { tenantId, id },
      readers: 0,
      version: 0,
      state: undefined,
      waiting: new Set(),
      stream: new SharedRead(),
      frames: new SharedRead(),
    };
    this.#watched.set(id, watched);
    watched.readers += 1;
    return {
      version: () => watched.version,
      stream: (version) => watched.stream.get(version, () => findStream(this.#db.knex, watched.key)),
      frames: (next, read) => watched.frames.get(next, read),
      changed: (since, signal) =>
        new Promise((resolve) => {
          if (watched.version !== since || this.#isClosed || signal.aborted) {
            resolve();
            return;
          }
          const wake = (): void => {
            watched.waiting.delete(wake);
            signal.removeEventListener('abort', wake);
            resolve();
          };
          watched.waiting.add(wake);
          signal.addEventListener('abort', wake, { once: true });
        }),
      close: () => {
        watched.readers -= 1;
        if (watched.readers === 0) this.#watched.delete(id);
      },
    };
  }

  /** Reports that this process has committed a change of a stream. */
  announce(id: string): void {
    const watched = this.#watched.get(id);
    if (watched) bump(watched);
  }

  /** Checks all watched streams for changes. */
  async poll(): Promise<void> {
    const all = [...this.#watched.values()];
    for (let start = 0; start < all.length; start += streamsAtOnce) {
      const some = all.slice(start, start + streamsAtOnce);
      const found = await findStreams(
        this.#db.knex,
        some.map(({ key }) => key),
      );
      const states = new Map(found.map((stream) => [stream.id, this.#stateOf(stream)]));
      for (const watched of some) {
        const state = states.get(watched.key.id) ?? 'deleted';
        if (state === watched.state) continue;
        watched.state = state;
        bump(watched);
      }
    }
  }

  /** Wakes every reader and stops watching. */
  close(): void {
    this.#isClosed = true;
    for (const watched of this.#watched.values()) bump(watched);
  }

  #stateOf({ status, frames, expiresAt }: SplitStream): string {
    return `${status} ${frames} ${this.#clock.now() >= expiresAt}`;
  }
}

function bump(watched: Watched): void {
  watched.version += 1;
  for (const wake of [...watched.waiting]) wake();
}
