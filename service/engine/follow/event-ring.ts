/** A message as followers receive it, with its size in bytes. */
export interface Sized<Message> {
  message: Message;
  bytes: number;
}

/** The bounds of a ring, each in events and in the bytes of their messages. The latest event always fits. */
export interface RingBounds {
  /** How much of the past a new reader receives. */
  replay: { events: number; bytes: number };
  /** How much is kept for readers that lag behind. */
  buffer: { events: number; bytes: number };
}

/** The latest messages of a session, shared by all of its readers. A position counts messages from the first one on. */
export class EventRing<Message> {
  readonly #bounds: RingBounds;
  readonly #items: Sized<Message>[] = [];
  #start = 0;
  #bytes = 0;

  constructor(bounds: RingBounds) {
    this.#bounds = bounds;
  }

  /** Position of the oldest message that is kept. */
  get start(): number {
    return this.#start;
  }

  /** Position after the latest message. */
  get end(): number {
    return this.#start + this.#items.length;
  }

  /** Keeps a message, and drops the oldest ones beyond the bounds. The latest one always stays. */
  append(item: Sized<Message>): void {
    this.#items.push(item);
    this.#bytes += item.bytes;
    const { events, bytes } = this.#bounds.buffer;
    while (this.#items.length > 1 && (this.#items.length > events || this.#bytes > bytes)) {
      this.#bytes -= this.#items.shift()?.bytes ?? 0;
      this.#start += 1;
    }
  }

  /** Returns the position at which a new reader begins. */
  replayStart(): number {
    const { events, bytes } = this.#bounds.replay;
    return this.end - countFromEnd(this.#items, { events, bytes }, (item) => item.bytes);
  }

  /** Returns messages from a kept position on, up to `bytes` in total, but at least one if there is one. */
  read(from: number, bytes: number): Message[] {
    const messages: Message[] = [];
    let left = bytes;
    for (let index = from - this.#start; index < this.#items.length; index += 1) {
      const item = this.#items[index];
      if (!item || (messages.length > 0 && item.bytes > left)) break;
      messages.push(item.message);
      left -= item.bytes;
    }
    return messages;
  }
}

/** Returns how many items at the end of a list stay within the bounds, and at least one if there is one. */
export function countFromEnd<Item>(
  items: readonly Item[],
  { events, bytes }: { events: number; bytes: number },
  sizeOf: (item: Item) => number,
): number {
  let count = 0;
  let left = bytes;
  for (let index = items.length - 1; index >= 0 && count < events; index -= 1) {
    const item = items[index];
    left -= item === undefined ? 0 : sizeOf(item);
    if (left < 0 && count > 0) break;
    count += 1;
  }
  return count;
}
