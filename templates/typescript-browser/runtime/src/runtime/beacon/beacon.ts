import type { Connection } from "../connection.ts";
import type { SvcError } from "../errors.ts";
import {
  advance,
  afterBeat,
  beatEveryMs,
  type BeaconState,
  isActive,
  isWaiting,
  newBeacon,
  waitMs,
} from "./beacon-state.ts";
import { type BeaconPage, currentPage } from "./page.ts";

/**
 * Keeps the flows of an app key warm while somebody looks at the page: it beats
 * when the page is loaded and every 4 minutes from then on, and rests while the
 * page is hidden or offline. Of many tabs one beats. After a beat that failed it
 * waits 30 seconds, then twice as long each time, up to 4 minutes, and at least
 * as long as the service asks for.
 */
export class Beacon {
  readonly #connection: Connection;
  readonly #page: BeaconPage | undefined;
  #state = newBeacon;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beating: Promise<void> = Promise.resolve();
  #unwatch: (() => void) | undefined;
  #leaveTurn: (() => void) | undefined;

  /** Does nothing until it is started. `page` is the one that it runs in. */
  constructor(
    connection: Connection,
    page: BeaconPage | undefined = currentPage(),
  ) {
    this.#connection = connection;
    this.#page = page;
  }

  /** Starts beating; without effect outside of a page. */
  start(): void {
    const page = this.#page;
    this.#unwatch ??= page?.watch(() => {
      this.#change({ isAwake: page.isAwake });
    });
    this.#change({ isOn: true, isAwake: page?.isAwake ?? false });
  }

  /** Stops beating; it may be started again. A beat on its way arrives. */
  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#change({ isOn: false });
  }

  /**
   * Beats now, whether or not it is started. Resolves when the service has taken
   * the beat; throws a `SvcError`.
   */
  beat(): Promise<void> {
    this.#change({ isBeating: true });
    return this.#beating;
  }

  #change(change: Partial<BeaconState>): void {
    const before = this.#state;
    const after = advance(before, change);
    this.#state = after;
    if (isActive(before) && !isActive(after)) this.#leaveTurn?.();
    if (isActive(after) && !isActive(before))
      this.#leaveTurn = this.#page?.askTurn(
        `svc-beacon ${this.#connection.label}`,
        () => {
          this.#change({ hasTurn: true });
        },
      );
    if (isWaiting(before) && !isWaiting(after)) clearTimeout(this.#timer);
    if (isWaiting(after) && !isWaiting(before))
      this.#timer = setTimeout(
        () => {
          this.#change({ isBeating: true });
        },
        waitMs(after, Date.now()),
      );
    if (after.isBeating && !before.isBeating) {
      this.#beating = this.#send();
      // Nobody waits for the beats of the clock; the logger hears of failures.
      this.#beating.catch(() => undefined);
    }
  }

  async #send(): Promise<void> {
    try {
      // Without the id of a flow, an app key warms all of its flows.
      await this.#connection.post("/invocations/v1/flows/warm", "{}", {
        maxRetries: 0,
        keepalive: true,
      });
      this.#change(afterBeat(0, beatEveryMs, Date.now()));
    } catch (error) {
      const { retryAfterMs = 0 } = error as SvcError;
      this.#change(
        afterBeat(this.#state.failures + 1, retryAfterMs, Date.now()),
      );
      throw error;
    }
  }
}
