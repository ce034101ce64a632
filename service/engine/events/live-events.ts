import type { Payload } from '../run/journal-entry.ts';
import { isBlob } from '../run/payload.ts';
import type { RunEvent } from './run-event.ts';

export type EventListener = (event: RunEvent) => void;

/**
 * Tells of events as they happen, within this process. A session is an execution, or a debug session that invocations named.
 * What is stored comes here once it is stored, so whoever missed it finds it in the history; what is not is kept here.
 */
export interface LiveEvents {
  /** Whether somebody listens to the session. */
  isHeard(session: string): boolean;
  /** Tells those who listen now. */
  publish(session: string, event: RunEvent): void;
  /** Tells those who listen now, and those who come later, as long as it is among the latest. */
  keep(session: string, event: RunEvent): void;
  /**
   * Hears everything from now on.
   *
   * @returns what was kept so far, oldest first; `unsubscribe` hears no more
   */
  subscribe(session: string, listener: EventListener): { kept: readonly RunEvent[]; unsubscribe: () => void };
}

/** SPEC.md, Limits: live debug replay buffer. */
const keptEvents = 1_000;
/** Messages in what one session keeps, bytes together. */
const keptBytes = 8_388_608;
/** Sessions that keep something: beyond it the one that has been silent longest is forgotten. */
const keptSessions = 1_000;

interface Kept {
  events: RunEvent[];
  bytes: number;
}

export function createLiveEvents(sessions = keptSessions): LiveEvents {
  const listeners = new Map<string, Set<EventListener>>();
  const kept = new Map<string, Kept>();

  const publish = (session: string, event: RunEvent): void => {
    for (const listener of [...(listeners.get(session) ?? [])]) listener(event);
  };

  return {
    isHeard: (session) => listeners.has(session),
    publish,
    keep: (session, event) => {
      const own = kept.get(session) ?? { events: [], bytes: 0 };
      own.events.push(event);
      own.bytes += sizeOf(event);
      while (own.events.length > keptEvents || own.bytes > keptBytes) {
        const oldest = own.events.shift();
        if (!oldest) break;
        own.bytes -= sizeOf(oldest);
      }
      kept.delete(session);
      kept.set(session, own);
      for (const silent of kept.keys()) {
        if (kept.size <= sessions) break;
        kept.delete(silent);
      }
      publish(session, event);
    },
    subscribe: (session, listener) => {
      const own = listeners.get(session) ?? new Set();
      listeners.set(session, own);
      // One who subscribes twice hears twice.
      const hear: EventListener = (event) => listener(event);
      own.add(hear);
      return {
        kept: [...(kept.get(session)?.events ?? [])],
        unsubscribe: () => {
          own.delete(hear);
          if (own.size === 0 && listeners.get(session) === own) listeners.delete(session);
        },
      };
    },
  };
}

function sizeOf({ input, output }: RunEvent): number {
  return bytesOf(input) + bytesOf(output);
}

function bytesOf(payload: Payload | undefined): number {
  return payload === undefined || isBlob(payload) ? 0 : payload.length;
}
