import type { Writable } from 'node:stream';

/** A message accepts no further entries beyond this size, so that peers with gRPC's default limit of 4 MiB accept it. */
export const turnMessageBytes = 1_048_576;

/** Writes small entries to a stream of messages, and combines the entries of one event loop turn into one message. */
interface TurnWriter<Entry> {
  /**
   * @param bytes approximate size of the entry
   * @returns a function that withdraws the entry, or returns false if the entry is already written
   */
  push(entry: Entry, bytes: number): () => boolean;
  /** Starts a held writer. */
  release(): void;
  /** Ends the stream after the pushed entries. */
  end(): void;
}

interface TurnWriterOptions<Entry> {
  encode: (entries: Entry[]) => Uint8Array;
  /** Writes nothing until `release`. */
  held?: boolean;
  /** Called when the peer does not keep up. Further entries are queued. */
  onFull?: () => void;
  onDrain?: () => void;
}

/** Creates the only writer of `stream`. Entries pushed after the stream has broken are dropped. */
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
    // The reading side reports why a stream broke.
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
