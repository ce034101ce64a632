/** A message of an event stream. */
export interface StreamMessage {
  readonly data: string;
  /** The latest id in the stream, from this message or an earlier one. */
  readonly lastEventId: string | undefined;
}

/**
 * Parses the text of an event stream (Server-Sent Events), in chunks of any
 * size.
 */
export class EventParser {
  /** Incomplete line, continued by the next chunk. */
  #line = "";
  #endsInCr = false;
  #type = "";
  #data: string | undefined;
  #id: string | undefined;

  /** Returns the messages completed by a chunk. */
  push(chunk: string): StreamMessage[] {
    if (chunk === "") return [];
    // A CR ends a line; an LF that follows belongs to the same line ending.
    const text =
      this.#endsInCr && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#endsInCr = chunk.endsWith("\r");
    const [first = "", ...others] = text.split(/\r\n?|\n/);
    const lines = [this.#line + first, ...others];
    this.#line = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): StreamMessage[] {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const [name, value] =
      colon < 0
        ? [line, ""]
        : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    if (name === "event") this.#type = value;
    if (name === "id" && !value.includes("\0")) this.#id = value;
    if (name === "data")
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    return [];
  }

  #dispatch(): StreamMessage[] {
    const data = this.#data;
    const isMessage = this.#type === "" || this.#type === "message";
    this.#data = undefined;
    this.#type = "";
    return isMessage && data !== undefined
      ? [{ data, lastEventId: this.#id }]
      : [];
  }
}
