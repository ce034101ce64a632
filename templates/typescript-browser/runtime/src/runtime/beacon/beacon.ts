import type { Connection } from "../connection.ts";
import { SvcError } from "../errors.ts";
import {
  advance,
  type BeaconCommand,
  type BeaconEvent,
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
    if (page === undefined || this.#unwatch !== undefined) return;
    const look = (): void => {
      this.#tell(page.isAwake ? "wake" : "sleep");
    };
    this.#unwatch = page.watch(look);
    look();
    this.#tell("start");
  }

  /** Stops beating; it may be started again. A beat on its way arrives. */
  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#tell("stop");
  }

  /**
   * Beats now, whether or not it is started. Resolves when the service has taken
   * the beat; throws a `SvcError`.
   */
  beat(): Promise<void> {
    this.#tell("beat");
    return this.#beating;
  }

  #tell(event: BeaconEvent): void {
    const { state, commands } = advance(this.#state, event, Date.now());
    this.#state = state;
    for (const command of commands) this.#follow(command);
  }

  #follow(command: BeaconCommand): void {
    switch (command) {
      case "askTurn":
        this.#leaveTurn = this.#page?.askTurn(
          `svc-beacon ${this.#connection.label}`,
          () => {
            this.#tell("turn");
          },
        );
        break;
      case "leaveTurn":
        this.#leaveTurn?.();
        break;
      case "stopWaiting":
        clearTimeout(this.#timer);
        break;
      case "send":
        this.#beating = this.#send();
        // Nobody waits for the beats of the clock; the logger hears of failures.
        this.#beating.catch(() => undefined);
        break;
      case "wait":
        this.#timer = setTimeout(
          () => {
            this.#tell("due");
          },
          waitMs(this.#state, Date.now()),
        );
    }
  }

  async #send(): Promise<void> {
    try {
      // Without the id of a flow, an app key warms all of its flows.
      await this.#connection.post("/invocations/v1/flows/warm", "{}", {
        maxRetries: 0,
        keepalive: true,
      });
      this.#tell("succeeded");
    } catch (error) {
      const { retryAfterMs } = error instanceof SvcError ? error : {};
      this.#tell({ retryAfterMs });
      throw error;
    }
  }
}
