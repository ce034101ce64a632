import type { WebSocket } from 'ws';

/** The messages of a client, for one reader. Reading from the network pauses while a message waits. */
export class TextMessages implements AsyncIterable<string> {
  readonly #ws: Pick<WebSocket, 'pause' | 'resume'>;
  readonly #onConsumed: () => void;
  readonly #waiting: string[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  /** @param onConsumed called when all messages so far have been consumed */
  constructor(ws: Pick<WebSocket, 'pause' | 'resume'>, onConsumed: () => void) {
    this.#ws = ws;
    this.#onConsumed = onConsumed;
  }

  push(message: string): void {
    this.#waiting.push(message);
    if (this.#wake) this.#wake();
    else this.#ws.pause();
  }

  /** Waiting messages can still be read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
    this.#ws.resume();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for (;;) {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) yield next;
      if (this.#ended) return;
      this.#onConsumed();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#ws.resume();
      });
      this.#wake = undefined;
    }
  }
}
