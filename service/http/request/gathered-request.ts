import { IncomingMessage } from 'node:http';

/**
 * A body with more than `most` chunks is cut off if they average fewer than `bytes` bytes. `most` is greater
 * than the number of frames that a stream may have.
 */
const tinyChunks = { most: 200_000, bytes: 16 };

/** The same for the rest of a body that is dropped unread. */
const unreadChunks = { most: 1_000, bytes: 64 };

/**
 * A request that passes on the chunks of its body that arrived in one read of the connection together. Node
 * would pass on each by itself. One read holds up to 10,900 chunks of one byte, which would take a third of a
 * second. A body of very many tiny chunks is cut off.
 */
export class GatheredRequest extends IncomingMessage {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #allChunks = 0;
  #allBytes = 0;

  /**
   * Reports whether the chunks are so small that the rest of the body is not drained for the sake of a
   * response.
   */
  get hasTinyChunks(): boolean {
    return this.#exceeds(unreadChunks);
  }

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (!Buffer.isBuffer(chunk)) {
      this.#pass();
      return super.push(chunk, encoding);
    }
    this.#allChunks += 1;
    this.#allBytes += chunk.length;
    if (this.#exceeds(tinyChunks)) {
      this.destroy();
      return false;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Runs later in the same turn, after the parser has passed on everything from the read.
    if (this.#chunks.length === 1) setImmediate(() => this.#pass());
    return this.readableLength + this.#bytes < this.readableHighWaterMark;
  }

  #exceeds({ most, bytes }: { most: number; bytes: number }): boolean {
    return this.#allChunks > most && this.#allBytes < this.#allChunks * bytes;
  }

  #pass(): void {
    const chunks = this.#chunks;
    if (chunks.length === 0) return;
    const [only] = chunks;
    const gathered = chunks.length === 1 && only ? only : Buffer.concat(chunks, this.#bytes);
    this.#chunks = [];
    this.#bytes = 0;
    super.push(gathered);
  }
}
