/** How a stream encodes its frames, and when it stops. */
interface FrameSteps {
  /** Returns the text of a frame as sent. */
  encode: (frame: unknown) => string;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}

/** Pulls the frames of a streaming response, one at a time. */
export class FrameSource {
  readonly #frames: AsyncIterator<unknown>;
  readonly #steps: FrameSteps;
  /** Settles a pending wait for a frame. */
  #leave: (() => void) | undefined;

  constructor(frames: AsyncIterable<unknown>, steps: FrameSteps) {
    this.#frames = frames[Symbol.asyncIterator]();
    this.#steps = steps;
    steps.signal.addEventListener('abort', () => this.#leave?.(), { once: true });
  }

  /**
   * Returns the next frame as text, or undefined at the end of the stream and once the client has left. An error of the source, or
   * of a frame that cannot be sent, stops the source.
   */
  next(): Promise<string | undefined> {
    const { encode, signal } = this.#steps;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.stop();
        resolve(undefined);
      };
      if (signal.aborted) {
        leave();
        return;
      }
      this.#leave = leave;
      this.#frames
        .next()
        .then(({ done, value }) => resolve(done === true || signal.aborted ? undefined : encode(value)))
        .catch((error: unknown) => {
          this.stop();
          reject(error instanceof Error ? error : new Error(String(error)));
        });
    });
  }

  /** Stops the source. Does not wait for it: a source may wait forever. */
  stop(): void {
    void this.#frames.return?.().catch(() => undefined);
  }
}
