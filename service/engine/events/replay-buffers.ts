import type { RunEvent } from './run-event.ts';

/** Limits per session: number of events, and their total bytes. */
const maxEvents = 1_000;
const maxBytes = 8_388_608;
/**
 * Limits for all sessions: number of buffers, and their total bytes. Beyond them, the session that has been silent longest loses
 * its buffer.
 */
const maxSessions = 1_000;
const maxTotalBytes = 67_108_864;
/** Added to the text of each event for its overhead. */
const eventBytes = 256;

interface ReplayBuffer {
  events: RunEvent[];
  bytes: number;
}

/** The latest transient events of sessions, for later subscribers. */
export class ReplayBuffers {
  /** By session; the one that has been silent longest is first. */
  readonly #buffers = new Map<string, ReplayBuffer>();
  #bytes = 0;

  /** Returns the events of a session that are still kept, oldest first. */
  of(session: string): readonly RunEvent[] {
    return [...(this.#buffers.get(session)?.events ?? [])];
  }

  /** Adds the latest event of a session. */
  keep(session: string, event: RunEvent): void {
    const buffer = this.#buffers.get(session) ?? { events: [], bytes: 0 };
    this.#buffers.delete(session);
    this.#buffers.set(session, buffer);
    this.#bytes += add(buffer, event);
    for (const [silent, { bytes }] of this.#buffers) {
      if (this.#buffers.size <= maxSessions && this.#bytes <= maxTotalBytes) break;
      this.#buffers.delete(silent);
      this.#bytes -= bytes;
    }
  }
}

/** Adds an event, and drops the oldest ones beyond the limits. Returns the change of the size in bytes. */
function add(buffer: ReplayBuffer, event: RunEvent): number {
  const before = buffer.bytes;
  buffer.events.push(event);
  buffer.bytes += sizeOf(event);
  while (buffer.events.length > maxEvents || buffer.bytes > maxBytes) {
    const oldest = buffer.events.shift();
    if (!oldest) break;
    buffer.bytes -= sizeOf(oldest);
  }
  return buffer.bytes - before;
}

function sizeOf({ memory }: RunEvent): number {
  return eventBytes + Buffer.byteLength(memory?.key ?? '') + Buffer.byteLength(memory?.json ?? '');
}
