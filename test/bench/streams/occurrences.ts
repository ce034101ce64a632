/** Counts a pattern in chunks that may split it anywhere. */
export class Occurrences {
  readonly #pattern: Buffer;
  #carry = Buffer.alloc(0);
  count = 0;

  constructor(pattern: string) {
    this.#pattern = Buffer.from(pattern);
  }

  add(chunk: Buffer): void {
    const pattern = this.#pattern;
    const rest = pattern.length - 1;
    // Neither part can contain the whole pattern, so a match here crosses the boundary.
    if (Buffer.concat([this.#carry, chunk.subarray(0, rest)]).includes(pattern)) this.count += 1;
    let at = chunk.indexOf(pattern);
    while (at !== -1) {
      this.count += 1;
      at = chunk.indexOf(pattern, at + pattern.length);
    }
    const last = chunk.length >= rest ? chunk : Buffer.concat([this.#carry, chunk]);
    this.#carry = Buffer.from(last.subarray(-rest));
  }
}
