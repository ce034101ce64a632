import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Occurrences } from './occurrences.ts';

/** The result of reading a stream. */
interface ReadEvents {
  /** Number of frames without the last one, which has no payload. */
  frames: number;
  /** From the request to the first event, in milliseconds. */
  firstMs: number;
}

/** The end of a chunked body. */
const bodyEnd = '\r\n0\r\n\r\n';
const okHead = 'HTTP/1.1 200 ';
/** Long enough for the last event and the end of the body. */
const tailBytes = 512;

/**
 * A connection that reads streams of the service in sequence and only looks for the ends of events: the cost of a
 * client that parsed them would dominate the measurement. Node's client invokes a callback for each event.
 */
export class EventReader {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(url: string): Promise<EventReader> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new EventReader(socket);
  }

  /**
   * Sends a request, and reads the response to its end.
   *
   * @param opened called once the response has begun
   * @throws Error if the response is not a stream, or the stream has failed
   */
  read(request: string, opened: () => void = () => undefined): Promise<ReadEvents> {
    const socket = this.#socket;
    // A comment is not an event, and ends differently.
    const events = new Occurrences('}\n\n');
    const begin = performance.now();
    let firstMs = Number.NaN;
    let tail = Buffer.alloc(0);
    let isOpen = false;
    return new Promise((resolve, reject) => {
      const end = (problem?: string): void => {
        socket.off('data', take).off('close', lose);
        if (problem === undefined) resolve({ frames: events.count - 1, firstMs });
        else reject(new Error(problem));
      };
      const lose = (): void => end(`the connection was lost: ${tail.toString()}`);
      const take = (chunk: Buffer): void => {
        if (!isOpen) {
          if (!chunk.toString('latin1').startsWith(okHead)) {
            end(chunk.toString());
            return;
          }
          isOpen = true;
          opened();
        }
        events.add(chunk);
        if (Number.isNaN(firstMs) && events.count > 0) firstMs = performance.now() - begin;
        tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
        if (!tail.subarray(-bodyEnd.length).includes(bodyEnd)) return;
        end(tail.includes('"is_final":true,"success":true') ? undefined : tail.toString());
      };
      socket.on('data', take).on('close', lose);
      socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Returns the text of a request. */
export function requestText(
  method: 'GET' | 'POST',
  url: string,
  { key, body }: { key: string; body?: string },
): string {
  const { pathname, host } = new URL(url);
  const content =
    body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  const head = [
    `${method} ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${key}`,
    ...content,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
