/**
 * Parses the text of an event stream (Server-Sent Events), in chunks of any
 * size.
 */
export class EventParser {
  /** Beginning of the line that the next chunk continues. */
  #line = "";
  #endsInCr = false;
  #type = "";
  #data: string | undefined;
  #id: string | undefined;
  #lastId: string | undefined;

  /** The id of the last event that is complete, or of one before it. */
  get lastEventId(): string | undefined {
    return this.#lastId;
  }

  /** Returns the data of the messages that a chunk completes. */
  push(chunk: string): string[] {
    if (chunk === "") return [];
    // A CR ends a line at once; the LF after it belongs to the same end.
    const text =
      this.#endsInCr && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    this.#endsInCr = chunk.endsWith("\r");
    const [first = "", ...others] = text.split(/\r\n?|\n/);
    const lines = [this.#line + first, ...others];
    this.#line = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): string[] {
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

  #dispatch(): string[] {
    const data = this.#data;
    this.#lastId = this.#id;
    const isMessage = this.#type === "" || this.#type === "message";
    this.#data = undefined;
    this.#type = "";
    return isMessage && data !== undefined ? [data] : [];
  }
}
