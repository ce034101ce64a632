/** A body that a test sends in chunks. */
export interface Upload {
  body: ReadableStream<Uint8Array>;
  /** Resolves once the chunk has been accepted for sending. */
  send(piece: string | Uint8Array): Promise<void>;
  end(): void;
}

export function openUpload(): Upload {
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  // A service that responds early stops reading.
  writer.closed.catch(() => undefined);
  return {
    body: pieces.readable,
    send: (piece) => writer.write(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece),
    end: () => void writer.close().catch(() => undefined),
  };
}
