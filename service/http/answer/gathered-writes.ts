import type { ServerResponse } from 'node:http';

/** Texts of one turn of the event loop that are written together, at most about so many characters. */
const gatherLength = 16_384;

/**
 * Writes the texts of a stream that arrive in one turn of the event loop at once. A write for each costs more than all else that is done
 * for a small frame.
 */
export class GatheredWrites {
  readonly #response: ServerResponse;
  #text = '';
  #scheduled: NodeJS.Immediate | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Adds a text. Returns false if there is no room for another one before the event `drain`. */
  add(text: string): boolean {
    this.#text += text;
    if (this.#text.length >= gatherLength) this.flush();
    else this.#scheduled ??= setImmediate(() => this.flush());
    return !this.#response.writableNeedDrain;
  }

  /** Writes what has been added. */
  flush(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const text = this.#text;
    this.#text = '';
    if (text !== '' && !this.#response.destroyed) this.#response.write(text);
  }
}
