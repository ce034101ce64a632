import { createReadStream } from 'node:fs';
import { ApiFailure, apiTarget, sendRequest } from '../api-client.ts';
import type { ApiFlags } from '../api-command.ts';
import { explain } from '../ask-api.ts';
import { counted } from '../counted.ts';
import { CliError, note, printResult, type Terminal, UsageError } from '../output.ts';
import { printStream } from '../print-stream.ts';
import { readJsonFlag } from '../read-json-flag.ts';
import { readSeconds } from '../read-seconds.ts';
import { whyUnreadable } from '../why-unreadable.ts';

/** The options of `svc node call`, as typed. */
export interface CallFlags extends ApiFlags {
  /** JSON, `@<file>`, or `-` for stdin. Default: `{}`. Excludes `lines`. */
  input?: string;
  /** File with one input per line, or `-` for stdin. */
  lines?: string;
  /** Whole seconds. */
  timeout?: string;
  /** Prints whole frames instead of the messages of a stream. */
  json?: boolean;
}

/** Calls a published node over HTTP and prints its output. */
export async function callNode(terminal: Terminal, node: string, flags: CallFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  if (flags.input !== undefined && flags.lines !== undefined) {
    throw new UsageError('--input and --lines exclude each other');
  }
  const path = `/invocations/v1/nodes/${pathOf(node)}`;
  const body =
    flags.lines === undefined
      ? await readJsonFlag(terminal, '--input', flags.input ?? '{}')
      : linesOf(terminal, flags.lines);
  const headers = {
    ...(flags.lines !== undefined && { 'Content-Type': 'application/x-ndjson' }),
    ...(flags.timeout !== undefined && { 'X-Timeout-Seconds': String(readSeconds(flags.timeout)) }),
  };
  const response = await sendRequest(target, { method: 'POST', path, body, headers }).catch(
    (error: unknown) => {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.executionId !== null) note(terminal, `execution ${error.executionId}`);
      if (/^(?!.*did not describe).*no answer within \d+ ms$/.test(error.text)) {
        throw new CliError(`${error.message}: --timeout gives it longer, at most 300 seconds`);
      }
      const hint =
        'run svc package list to see the packages and their versions, and svc package deploy to deploy one';
      throw explain(target, { method: 'POST', path, subject: `node "${node}"`, hint }, error);
    },
  );
  note(terminal, `execution ${response.headers.get('x-execution-id') ?? ''}`);
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const { input_frames: taken } = await printStream(terminal, response, flags);
    if (taken !== undefined) note(terminal, `${counted(taken, 'input message')} sent`);
    return;
  }
  const output: unknown = await response.json();
  printResult(terminal, flags, output, JSON.stringify(output, null, 2));
}

function pathOf(node: string): string {
  const parts = node.split('/');
  const isId = /^[0-9a-z]{26}$/i.test(node);
  if ((!isId && parts.length !== 4) || parts.includes('')) {
    throw new UsageError(`"${node}" is not a node: write owner/package/version/node${hintFor(parts)}`);
  }
  return parts.map(encodeURIComponent).join('/');
}

function hintFor(parts: readonly string[]): string {
  if (parts.length !== 3) return ', or the id of the node';
  const [owner, versioned = '', node] = parts;
  const [name, version] = versioned.split('@');
  // A call names an exact version.
  return version === undefined || version === 'latest'
    ? `; run svc package list ${owner}/${name} to see the versions`
    : `, which is ${owner}/${name}/${version}/${node}`;
}

async function* linesOf({ stdin }: Terminal, file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of file === '-' ? stdin : createReadStream(file))
      yield Buffer.from(chunk as Uint8Array);
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${whyUnreadable(error)}`);
  }
}
