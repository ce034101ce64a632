import assert from 'node:assert/strict';
import type { Caller } from './running-service.ts';
import { openSocket, type SocketClient } from './socket-client.ts';

/** An event that both channels send. */
interface FollowedEvent extends Record<string, unknown> {
  type: string;
  event_ulid: string;
}

/** A replica from the view of a client. */
export interface Replica {
  url: string;
  /** Calls this replica for the tenant. */
  caller: Caller;
}

const base = '/invocations/v1';

export function openDebugStream({ url, caller }: Replica, session: string): Promise<SocketClient> {
  return openSocket(`${url}${base}/debug-stream?session_id=${encodeURIComponent(session)}`, {
    headers: { Authorization: `Bearer ${caller.key}` },
  });
}

/** Returns the events of a socket after SESSION_READY. */
export function eventsOf({ received }: Pick<SocketClient, 'received'>): FollowedEvent[] {
  return received.slice(1).map((text) => JSON.parse(text) as FollowedEvent);
}

/** Reads all pages of the history. */
export async function storedEvents(caller: Caller, executionId: string): Promise<FollowedEvent[]> {
  const follower = new RunFollower(executionId);
  await follower.page({ url: '', caller });
  return follower.events;
}

/** Follows a run as docs/http-api.md describes: pages of the history, then a socket, without gaps or duplicates. */
export class RunFollower {
  readonly events: FollowedEvent[] = [];
  readonly #executionId: string;
  readonly #seen = new Set<string>();
  #after = '';

  constructor(executionId: string) {
    this.#executionId = executionId;
  }

  get hasEnd(): boolean {
    return this.events.some(({ type }) => type === 'FLOW_COMPLETED' || type === 'FLOW_FAILED');
  }

  /** Reads the pages from the last cursor on. */
  async page({ caller }: Replica): Promise<void> {
    for (;;) {
      const answer = await caller.get(
        `${base}/executions/${this.#executionId}/events?limit=1000${this.#after}`,
      );
      assert.equal(answer.status, 200);
      const { events, next_cursor: cursor } = answer.body as {
        events: FollowedEvent[];
        next_cursor?: string;
      };
      this.#take(events);
      if (cursor === undefined) return;
      this.#after = `&cursor=${cursor}`;
    }
  }

  /**
   * Connects, and collects events until there are `count` new ones or the run has ended. It then breaks the connection.
   * It also returns if the service disconnects the follower because it lags behind: a follower that begins with a full
   * replay has room for another 1,000 events until it has read the replay.
   */
  async follow(replica: Replica, count: number): Promise<void> {
    await this.page(replica);
    const client = await openDebugStream(replica, this.#executionId);
    await client.receives(1);
    await this.page(replica);
    const enough = this.events.length + count;
    for (let taken = 1; this.events.length < enough && !this.hasEnd; taken = client.received.length) {
      // A stream that has ended has delivered all of its events.
      try {
        await client.receives(taken + 1);
      } catch (error) {
        if ((await client.closed).code === 1013) return;
        throw error;
      }
      this.#take(client.received.slice(taken).map((text) => JSON.parse(text) as FollowedEvent));
    }
    client.ws.terminate();
  }

  #take(events: readonly FollowedEvent[]): void {
    for (const event of events) {
      if (this.#seen.has(event.event_ulid)) continue;
      this.#seen.add(event.event_ulid);
      this.events.push(event);
    }
  }
}
