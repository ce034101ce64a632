import type { Writable } from 'node:stream';

/** A message is closed beyond so many bytes, so that peers with gRPC's usual cap of 4 MiB take it. */
export const turnMessageBytes = 1_048_576;

/** Writes many small entries to a stream of messages, those of one turn of the event loop in one message. */
export interface TurnWriter<Entry> {
  /**
   * @param bytes about how much room the entry takes
   * @returns takes the entry back; false when it has been written already
   */
  push(entry: Entry, bytes: number): () => boolean;
  /** Of a held writer: from now on it writes. */
  release(): void;
  /** Ends the stream behind all that was pushed. */
  end(): void;
}

export interface TurnWriterOptions<Entry> {
  encode: (entries: Entry[]) => Uint8Array;
  /** Writes nothing before `release`. */
  held?: boolean;
  /** The peer does not keep up: what is pushed from now on waits here. */
  onFull?: () => void;
  onDrain?: () => void;
}

export function createTurnWriter<Entry>(
  stream: Writable,
  { encode, held = false, onFull, onDrain }: TurnWriterOptions<Entry>,
): TurnWriter<Entry> {
  let waiting: { entry: Entry | undefined; bytes: number }[] = [];
  let scheduled = false;
  let full = held;
  let ending = false;

  const schedule = (): void => {
    if (scheduled || full) return;
    scheduled = true;
    setImmediate(flush);
  };
  const takeMessage = (): Entry[] => {
    const entries: Entry[] = [];
    let bytes = 0;
    let taken = 0;
    for (const place of waiting) {
      if (bytes >= turnMessageBytes) break;
      taken += 1;
      if (place.entry === undefined) continue;
      entries.push(place.entry);
      bytes += place.bytes;
      place.entry = undefined;
    }
    waiting = waiting.slice(taken);
    return entries;
  };
  const flush = (): void => {
    scheduled = false;
    // A stream that broke takes nothing more; whoever reads it learns why.
    if (!stream.writable) return;
    while (waiting.length > 0 && !full) {
      const entries = takeMessage();
      if (entries.length > 0) full = !stream.write(encode(entries));
    }
    if (full) onFull?.();
    else if (ending) stream.end();
  };
  const release = (): void => {
    if (!full) return;
    full = false;
    onDrain?.();
    schedule();
  };
  stream.on('drain', release);

  return {
    push: (entry, bytes) => {
      const place: (typeof waiting)[number] = { entry, bytes };
      waiting.push(place);
      schedule();
      return () => {
        const taken = place.entry !== undefined;
        place.entry = undefined;
        return taken;
      };
    },
    release,
    end: () => {
      ending = true;
      schedule();
    },
  };
}
