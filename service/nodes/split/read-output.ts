import type { Clock } from '../../clock.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { findChunk } from '../../store/split-chunks.ts';
import type { StreamKey } from '../../store/split-streams.ts';
import type { OutputFrame } from '../call/direct-output.ts';
import { streamTurns } from '../../work/turn-budget.ts';
import type { StreamWatch } from './stream-watch.ts';

interface ReadParts {
  db: Database;
  blobs: Pick<BlobStore, 'read'>;
  watch: StreamWatch;
  clock: Clock;
}

const neverUploaded = 'the stream expired before its input was uploaded';

/**
 * Yields the output of a stream from frame `from` on, as it is stored, and then the end of the stream. If the
 * process is about to exit, stops without the end of the stream; the reader can then continue on another
 * replica.
 *
 * @param signal fires when the reader leaves
 */
export async function* readOutput(
  { db, blobs, watch, clock }: ReadParts,
  key: StreamKey,
  { from, signal }: { from: number; signal: AbortSignal },
): AsyncGenerator<OutputFrame, void, undefined> {
  const watching = watch.open(key);
  try {
    for (let next = from; ;) {
      // Taken before the read, so that no later change is missed.
      const version = watching.version();
      const stream = await watching.stream(version);
      if (!stream) throw new Error(`split stream ${key.id} was deleted while it was read`);
      while (next < stream.frames) {
        const frames = await watching.frames(next, () => framesFrom({ db, blobs }, key, next));
        // All readers of a stream get the same frames at the same time, and would otherwise pass them on in
        // one turn.
        await streamTurns.queue();
        for (const json of frames) {
          next += 1;
          yield { kind: 'frame', json };
        }
      }
      const { status, error, inputFrames, expiresAt } = stream;
      if (status === 'ended') {
        yield { kind: 'end', ...(error !== null && { error }), inputFrames };
        return;
      }
      if (status === 'created' && clock.now() >= expiresAt) {
        yield { kind: 'end', error: neverUploaded, inputFrames };
        return;
      }
      if (watch.isClosed || signal.aborted) return;
      await watching.changed(version, signal);
    }
  } finally {
    watching.close();
  }
}

/** Returns the frames from `next` to the end of its chunk. */
async function framesFrom(
  { db, blobs }: Pick<ReadParts, 'db' | 'blobs'>,
  key: StreamKey,
  next: number,
): Promise<string[]> {
  const chunk = await findChunk(db.knex, key, next);
  if (!chunk) throw new Error(`split stream ${key.id} was deleted while it was read`);
  const body =
    chunk.blob === null ? (chunk.body ?? '') : textOf(await blobs.read(key.tenantId, key.id, chunk.blob));
  return body.split('\n').slice(next - chunk.firstFrame);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
