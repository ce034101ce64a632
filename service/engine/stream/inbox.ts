/**
 * Passes frames from several senders to one receiver without a buffer: a sender waits until its frame is taken, so a slow
 * receiver slows down its senders, and those slow down theirs.
 */
export class Inbox {
  #waiting: { frame: Uint8Array; taken: () => void }[] = [];
  #receive: ((frame: Uint8Array | undefined) => void) | undefined;
  #senders: number;
  #discards = false;

  /** @param senders number of senders that close the inbox when they have no more frames */
  constructor(senders: number) {
    this.#senders = senders;
  }

  /** Resolves once the frame is taken, or is discarded. */
  send(frame: Uint8Array): Promise<void> {
    if (this.#discards) return Promise.resolve();
    const receive = this.#receive;
    if (receive) {
      this.#receive = undefined;
      receive(frame);
      return Promise.resolve();
    }
    return new Promise((taken) => this.#waiting.push({ frame, taken }));
  }

  /** Reports that one sender has no more frames. */
  close(): void {
    this.#senders -= 1;
    if (this.#isOver()) this.#receive?.(undefined);
  }

  /** Resolves with the next frame, or with undefined once every sender has closed. One call at a time. */
  next(): Promise<Uint8Array | undefined> {
    const sent = this.#waiting.shift();
    if (sent) {
      sent.taken();
      return Promise.resolve(sent.frame);
    }
    if (this.#isOver()) return Promise.resolve(undefined);
    return new Promise((resolve) => (this.#receive = resolve));
  }

  /** Discards pending and further frames. Senders no longer wait, and the receiver reaches the end. */
  discard(): void {
    this.#discards = true;
    for (const { taken } of this.#waiting.splice(0)) taken();
    this.#receive?.(undefined);
  }

  #isOver(): boolean {
    return this.#discards || this.#senders <= 0;
  }
}
