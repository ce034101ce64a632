import { median } from '../statistics.ts';
import { runLoad } from './stream-load.ts';
import type { StreamBenchOptions, StreamService } from './stream-service.ts';

/** The output of one split stream with this number of readers. */
export interface ReaderRate {
  readers: number;
  /** Frames per second of all readers together, from the upload to the end of the last reader. */
  framesPerSecond: number;
}

export interface SplitLoadRequest {
  url: string;
  key: string;
  readers: number;
  frames: number;
}

/** Frames of a stream by number of readers, chosen so that each measurement takes some seconds. */
const framesByReaders = [
  [1, 20_000],
  [10, 10_000],
  [100, 2_000],
] as const;

/** Reads split streams with 1, 10 and 100 readers, in alternation. */
export async function measureReaders(
  { url, key }: StreamService,
  { rounds, say }: StreamBenchOptions,
): Promise<ReaderRate[]> {
  const measured = new Map<number, number[]>(framesByReaders.map(([readers]) => [readers, []]));
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [readers, frames] of framesByReaders) {
      const request: SplitLoadRequest = { url, key, readers, frames };
      const framesPerSecond = await runLoad<number>('split-load.ts', request);
      if (round === 0) continue;
      measured.get(readers)?.push(framesPerSecond);
      say(`round ${round}: ${framesPerSecond.toFixed(0)} frames/s to ${readers} readers`);
    }
  }
  return [...measured].map(([readers, rates]) => ({ readers, framesPerSecond: median(rates) }));
}
