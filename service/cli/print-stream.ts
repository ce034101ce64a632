import { EventSourceParserStream } from 'eventsource-parser/stream';
import { failureText } from './api-client.ts';
import { CliError, type Terminal } from './output.ts';

/** The fields of a frame that commands read. */
interface Frame {
  payload?: unknown;
  is_final: boolean;
  success?: boolean;
  input_frames?: number;
  error?: string;
}

/**
 * Prints the output messages of a stream as they arrive, one line of JSON each. With `json`, prints the whole frames.
 *
 * @param hint where to read more about a failure that the stream reports
 * @returns the last frame, which reports success
 * @throws CliError if the stream reports a failure, or ends without a last frame
 */
export async function printStream(
  { stdout }: Pick<Terminal, 'stdout'>,
  response: Response,
  { json = false, hint }: { json?: boolean | undefined; hint?: string },
): Promise<Frame> {
  if (!response.body) throw new CliError('the answer has no body');
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    const frame = JSON.parse(data) as Frame;
    if (json) stdout.write(`${data}\n`);
    else if (frame.payload !== undefined) stdout.write(`${JSON.stringify(frame.payload)}\n`);
    if (!frame.is_final) continue;
    if (frame.success) return frame;
    const text = `the stream failed: ${failureText(frame.error)}`;
    throw new CliError(hint === undefined ? text : `${text}: ${hint}`);
  }
  throw new CliError(
    'the stream ended before its last frame: the connection was lost, or the service stopped',
  );
}
