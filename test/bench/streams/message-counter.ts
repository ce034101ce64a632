const closing = 0x8;

/** Counts the text messages of a WebSocket without parsing them. Supports unmasked and unfragmented frames, as servers send them. */
export class MessageCounter {
  /** Bytes of a frame with an incomplete header, or bytes before the first frame. */
  #pending = Buffer.alloc(0);
  /** Bytes of the frame that is being skipped. */
  #skip = 0;
  count = 0;
  /** Code of the close frame, once it has arrived. */
  closeCode: number | undefined;

  add(chunk: Buffer): void {
    const bytes = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    let at = this.#skip;
    for (;;) {
      const header = headerAt(bytes, at);
      if (!header) break;
      if (header.opcode === 1) this.count += 1;
      if (header.opcode === closing) this.closeCode = bytes.readUInt16BE(at + header.length);
      at += header.length + header.payload;
    }
    this.#pending = at < bytes.length ? Buffer.from(bytes.subarray(at)) : Buffer.alloc(0);
    this.#skip = Math.max(0, at - bytes.length);
  }
}

/** Returns the header of a frame, or undefined if it has not arrived. That of a close frame includes its code. */
function headerAt(
  bytes: Buffer,
  at: number,
): { opcode: number; length: number; payload: number } | undefined {
  if (at + 2 > bytes.length) return undefined;
  const opcode = (bytes[at] ?? 0) & 0x0f;
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  if (opcode === closing) return at + 4 <= bytes.length ? { opcode, length: 2, payload: short } : undefined;
  if (short < 126) return { opcode, length: 2, payload: short };
  if (short === 126) {
    return at + 4 <= bytes.length ? { opcode, length: 4, payload: bytes.readUInt16BE(at + 2) } : undefined;
  }
  if (at + 10 > bytes.length) return undefined;
  return { opcode, length: 10, payload: Number(bytes.readBigUInt64BE(at + 2)) };
}
