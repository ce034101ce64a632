import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Maximum bytes of frames that stay in memory. */
const memoryBytes = 1_048_576;

/** Holds frames until they can be sent: the first ones in memory, larger amounts in a temporary file without a name. */
export class FrameSpool {
  #frames: Uint8Array[] = [];
  #bytes = 0;
  #file: FileHandle | undefined;
  /** Sizes of the frames in the file. */
  #sizes: number[] = [];

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async append(frame: Uint8Array): Promise<void> {
    this.#bytes += frame.length;
    if (!this.#file && this.#bytes <= memoryBytes) {
      this.#frames.push(frame);
      return;
    }
    this.#file ??= await openNameless();
    await this.#file.appendFile(frame);
    this.#sizes.push(frame.length);
  }

  /** Yields all frames in order, once. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.#frames;
    this.#frames = [];
    let position = 0;
    for (const size of this.#sizes) {
      const frame = new Uint8Array(size);
      // A file read may return less than requested.
      for (let filled = 0; filled < size;) {
        const read = await this.#file?.read(frame, filled, size - filled, position + filled);
        if (!read?.bytesRead) throw new Error('the temporary file of a stream is incomplete');
        filled += read.bytesRead;
      }
      position += size;
      yield frame;
    }
  }

  /** Releases memory and file. */
  async close(): Promise<void> {
    this.#frames = [];
    this.#sizes = [];
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

/** The file has no name from the start, so nothing remains of it when the process dies. */
async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `svc-stream-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}
