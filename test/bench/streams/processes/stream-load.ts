import { median } from '../../statistics.ts';
import { bareStream } from '../bare-stream.ts';
import { EventReader, requestText } from '../event-reader.ts';
import type { ReadFrames, StreamLoadRequest, StreamLoadResult, StreamSource } from '../stream-load.ts';

/** Reads stream after stream. `stream-load.ts <StreamLoadRequest as JSON>`; prints a StreamLoadResult. */
const { source, frames, seconds } = JSON.parse(process.argv[2] ?? '') as StreamLoadRequest;

async function readerOf(given: StreamSource): Promise<ReadFrames> {
  if ('endpoint' in given) return bareStream(given.endpoint);
  const { url, key, body } = given;
  const reader = await EventReader.open(url);
  return async (asked) => {
    const request = requestText('POST', url, { key, body: body.replace('FRAMES', String(asked)) });
    const read = await reader.read(request);
    if (read.frames !== asked) throw new Error(`${read.frames} frames instead of ${asked}`);
    return read;
  };
}

const read = await readerOf(source);
// Opens the connection.
await read(1);
const firsts: number[] = [];
const begin = performance.now();
do firsts.push((await read(frames)).firstMs);
while (performance.now() - begin < seconds * 1_000);
const result: StreamLoadResult = {
  framesPerSecond: (firsts.length * frames * 1_000) / (performance.now() - begin),
  firstMs: median(firsts),
};
process.stdout.write(JSON.stringify(result), () => process.exit());
