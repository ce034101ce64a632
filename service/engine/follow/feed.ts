import { streamTurns } from '../../work/turn-budget.ts';
import { eventBytes } from '../events/event-bytes.ts';
import type { RunEvent } from '../events/run-event.ts';
import { countFromEnd, EventRing, type RingBounds, type Sized } from './event-ring.ts';
import type { EventSource } from './event-source.ts';

interface FeedOptions<Message> {
  open: (wake: () => void) => EventSource;
  /** Returns an event as followers receive it. */
  encode: (event: RunEvent) => Promise<Sized<Message>>;
  bounds: RingBounds;
  /** How often the source is read without a notification, in milliseconds. */
  pollMs: number;
  /** Announces to other replicas that a session is followed. */
  announce: (session: string) => void;
  /** Called when the source cannot be read. The read is retried later. */
  onError: (error: unknown) => void;
}

/**
 * What a follower receives next: `messages`; `ended` after the last messages, or once the follower has left; `behind`
 * if messages that it has not received were dropped.
 */
type FollowStep<Message> = { kind: 'messages'; messages: Message[] } | { kind: 'ended' | 'behind' };

/** One reader of a session. */
export interface Follower<Message> {
  /** Resolves once there is a next step. Rejects if the session cannot be read. */
  next(): Promise<FollowStep<Message>>;
  leave(): void;
}

/** Bytes that a follower receives at a time, unless one message is larger. */
const stepBytes = 65_536;

/**
 * Maximum time to pass on the events of one read before yielding to the event loop, in milliseconds. Followers write
 * together what they receive in one turn. With the 2 ms of streams, 500 followers receive a third as many events per
 * second.
 */
const turnMs = 20;

/** Reads a session once for all of its followers. Each follower sets its own pace, and none delays the others. */
export class Feed<Message> {
  readonly #options: FeedOptions<Message>;
  readonly #ring: EventRing<Message>;
  readonly #source: EventSource;
  readonly #waiting = new Set<() => void>();
  readonly #poll: NodeJS.Timeout;
  #dirty = true;
  #reading: Promise<void> | undefined;
  #started = false;
  #ended = false;
  #closed = false;
  #failure: { error: unknown } | undefined;

  constructor(options: FeedOptions<Message>) {
    const { open, bounds, pollMs } = options;
    this.#options = options;
    this.#ring = new EventRing(bounds);
    this.#source = open(() => this.#wake());
    this.#poll = setInterval(() => {
      if (this.#ended) return;
      this.#announce();
      this.#wake();
    }, pollMs).unref();
    this.#announce();
    this.#wake();
  }

  /** Adds a follower, which begins with the replay. `onLeave` is called once. */
  join(onLeave: () => void): Follower<Message> {
    let left = false;
    let position: number | undefined;
    return {
      next: async () => {
        for (;;) {
          if (left) return { kind: 'ended' };
          if (this.#started) {
            position ??= this.#ring.replayStart();
            if (position < this.#ring.start) return { kind: 'behind' };
            const messages = this.#ring.read(position, stepBytes);
            position += messages.length;
            if (messages.length > 0) return { kind: 'messages', messages };
          }
          if (this.#failure) throw this.#failure.error;
          if (this.#ended) return { kind: 'ended' };
          await new Promise<void>((resolve) => this.#waiting.add(resolve));
        }
      },
      leave: () => {
        if (left) return;
        left = true;
        this.#notify();
        onLeave();
      },
    };
  }

  /** Stops reading. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#poll);
    this.#source.close();
  }

  #announce(): void {
    for (const session of this.#source.sessions) this.#options.announce(session);
  }

  #wake(): void {
    this.#dirty = true;
    if (this.#ended || this.#failure || this.#closed) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
      // The feed may have been woken since its last read.
      if (this.#dirty) this.#wake();
    });
  }

  async #read(): Promise<void> {
    const { onError } = this.#options;
    while (this.#dirty && !this.#ended && !this.#failure) {
      this.#dirty = false;
      let read: Awaited<ReturnType<EventSource['read']>>;
      try {
        read = await this.#source.read();
      } catch (error) {
        // Nothing was consumed from the source. The next poll reads it again.
        onError(error);
        return;
      }
      try {
        await this.#append(read.events);
        this.#ended = read.ended;
      } catch (error) {
        this.#failure = { error };
      }
      this.#started = true;
      this.#notify();
    }
  }

  async #append(events: readonly RunEvent[]): Promise<void> {
    const count = this.#started
      ? events.length
      : countFromEnd(events, this.#options.bounds.replay, eventBytes);
    let beganAt = performance.now();
    for (const event of events.slice(events.length - count)) {
      const message = await this.#options.encode(event);
      if (performance.now() - beganAt > turnMs) {
        await streamTurns.queue();
        if (this.#closed) return;
        beganAt = performance.now();
      }
      this.#ring.append(message);
      if (this.#started) this.#notify();
    }
  }

  #notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}
