import { type Connection, settingsOf } from "../connection.ts";
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

/** Started beacons, oldest first. */
const started = new Set<Beacon>();

/**
 * Keeps the flows of an app key warm while the page is visible. It sends a warm
 * request when the page loads and then every 4 minutes, and pauses while the
 * page is hidden or offline. Of several tabs or beacons with the same URL and
 * key, only one sends requests, and a page that loads within the interval waits
 * for the rest of it. A failed request is retried after 30 seconds; the delay
 * doubles up to 4 minutes and honours the `Retry-After` of the service. If the
 * service rejects the key (401 or 403), the beacon stops.
 */
export class Beacon {
  readonly #connection: Connection;
  readonly #page: BeaconPage | undefined;
  #state = newBeacon;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beating: Promise<void> = Promise.resolve();
  readonly #name: string;
  #unwatch: (() => void) | undefined;
  #leaveTurn: (() => void) | undefined;

  /** Creates a stopped beacon. `page` defaults to the current page. */
  constructor(
    connection: Connection,
    page: BeaconPage | undefined = currentPage(),
  ) {
    const { sdk, baseUrl, credential } = settingsOf(connection);
    this.#connection = connection;
    this.#page = page;
    const key = hashOf(credential.fixed ?? "");
    this.#name = `svc-beacon ${sdk} ${baseUrl} ${key}`;
  }

  /** Starts the beacon. Has no effect outside of a page. */
  start(): void {
    // Server-side rendering may create a client for each request.
    if (!this.#page) return;
    started.add(this);
    this.#runFirst();
  }

  /** The started beacons of this page with the same URL and key. */
  #same(): Beacon[] {
    return [...started].filter(
      (other) => other.#name === this.#name && other.#page === this.#page,
    );
  }

  #runFirst(): void {
    const [first] = this.#same();
    if (first) first.#run();
  }

  #run(): void {
    const page = this.#page;
    const look = (): void => {
      this.#change({ isOn: true, isAwake: !!page?.isAwake });
    };
    this.#unwatch ??= page?.watch(look);
    look();
  }

  /** Stops the beacon. A pending request completes. Can be started again. */
  stop(): void {
    started.delete(this);
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#change({ isOn: false });
    this.#runFirst();
  }

  /**
   * Sends a warm request now, even if the beacon is stopped. Resolves when the
   * service has accepted it. Throws a `SvcError`.
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
      this.#leaveTurn = this.#page?.askTurn(this.#name, () => {
        this.#change({ hasTurn: true, ...this.#page?.recall(this.#name) });
      });
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
      // Scheduled requests have no caller. Failures go to the logger.
      this.#beating.catch(() => undefined);
    }
  }

  async #send(): Promise<void> {
    const { fetch } = settingsOf(this.#connection);
    try {
      // Without a flow id, the service warms all flows of the app key.
      await this.#connection.send(
        "/invocations/v1/flows/warm",
        "{}",
        { maxRetries: 0 },
        {
          // The request may outlive its page.
          fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
        },
      );
      this.#schedule(0, beatEveryMs);
    } catch (error) {
      const { retryAfterMs = 0, status } = error as SvcError;
      this.#schedule(this.#state.failures + 1, retryAfterMs);
      if (status === 401 || status === 403)
        // In reverse order, so that none takes over.
        for (const each of this.#same().reverse()) each.stop();
      throw error;
    }
  }

  #schedule(failures: number, leastMs: number): void {
    this.#change(afterBeat(failures, leastMs, Date.now()));
    this.#page?.remember(this.#name, this.#state);
  }
}

/**
 * Returns a 32-bit hash, which distinguishes keys in storage names without
 * revealing them.
 */
function hashOf(key: string): number {
  let hash = 0;
  for (const char of key) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  return hash >>> 0;
}
