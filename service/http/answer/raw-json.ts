/**
 * JSON that is already text. It is sent as written, which keeps its spelling and saves parsing and printing large messages. The
 * compiler cannot check it; `checkAnswer` does.
 */
export class RawJson {
  // A private name makes the type nominal: an object with a `content` field is not a RawJson.
  readonly #isRaw = true;
  /** Text, or its UTF-8 bytes. */
  readonly content: string | Uint8Array;

  constructor(content: string | Uint8Array) {
    this.content = content;
  }

  get text(): string {
    return typeof this.content === 'string' ? this.content : new TextDecoder().decode(this.content);
  }

  static is(value: unknown): value is RawJson {
    return typeof value === 'object' && value !== null && #isRaw in value;
  }
}
