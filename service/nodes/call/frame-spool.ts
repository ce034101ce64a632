import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Maximum bytes of frames that stay in memory. */
const memoryBytes = 1_048_576;

/**
 * Smaller frames are joined into chunks, because a separate array would take 200 bytes for a frame of one byte. Each chunk is twice
 * as large as the last, up to `chunkBytes`.
 */
const firstChunkBytes = 1_024;
const chunkBytes = 65_536;

/** Holds frames until they can be sent: the first ones in memory, larger amounts in a temporary file without a name. */
export class FrameSpool {
  #bytes = 0;
  readonly #frameSizes: number[] = [];
  #nextChunkBytes = firstChunkBytes;
  /** Chunks in memory, which precede those in the file. No frame is in two chunks. */
  #chunks: Uint8Array[] = [];
  #chunksBytes = 0;
  #file: FileHandle | undefined;
  readonly #fileChunkSizes: number[] = [];
  /** The last chunk, to which frames are added. */
  #last = { bytes: new Uint8Array(0), used: 0 };

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async append(frame: Uint8Array): Promise<void> {
    this.#bytes += frame.length;
    this.#frameSizes.push(frame.length);
    if (frame.length > this.#last.bytes.length - this.#last.used) {
      await this.#store(this.#takeLast());
      if (frame.length >= chunkBytes) {
        await this.#store(frame);
        return;
      }
      while (this.#nextChunkBytes < frame.length) this.#nextChunkBytes *= 2;
      this.#last.bytes = new Uint8Array(this.#nextChunkBytes);
      this.#nextChunkBytes = Math.min(chunkBytes, 2 * this.#nextChunkBytes);
    }
    this.#last.bytes.set(frame, this.#last.used);
    this.#last.used += frame.length;
  }

  /** Yields all frames in order, once. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = this.#readChunks();
    let chunk: Uint8Array = new Uint8Array(0);
    let start = 0;
    for (const size of this.#frameSizes) {
      while (size > chunk.length - start) {
        const next = await chunks.next();
        if (next.done) throw new Error('the spool of a stream is incomplete');
        chunk = next.value;
        start = 0;
      }
      yield chunk.subarray(start, start + size);
      start += size;
    }
  }

  /** Releases memory and file. */
  async close(): Promise<void> {
    // A reader ends here.
    this.#frameSizes.length = 0;
    this.#chunks = [];
    this.#takeLast();
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  #takeLast(): Uint8Array {
    const { bytes, used } = this.#last;
    this.#last = { bytes: new Uint8Array(0), used: 0 };
    return bytes.subarray(0, used);
  }

  async #store(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    if (!this.#file && this.#chunksBytes + chunk.length <= memoryBytes) {
      this.#chunks.push(chunk);
      this.#chunksBytes += chunk.length;
      return;
    }
    this.#file ??= await openNameless();
    await this.#file.appendFile(chunk);
    this.#fileChunkSizes.push(chunk.length);
  }

  async *#readChunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.#chunks;
    this.#chunks = [];
    let position = 0;
    for (const size of this.#fileChunkSizes) {
      const chunk = new Uint8Array(size);
      // A file read may return less than requested.
      for (let filled = 0; filled < size;) {
        const read = await this.#file?.read(chunk, filled, size - filled, position + filled);
        if (!read?.bytesRead) throw new Error('the temporary file of a stream is incomplete');
        filled += read.bytesRead;
      }
      position += size;
      yield chunk;
    }
    yield this.#takeLast();
  }
}

/** The file has no name from the start, so nothing remains of it when the process dies. */
async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `svc-stream-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}
