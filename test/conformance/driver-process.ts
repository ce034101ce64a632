import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inTime } from '../../service/in-time.ts';
import type { Driver, DriverRequest, DriverResponse } from './driver-protocol.ts';

interface DriverCommand {
  program: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** A signal that makes a hung program print the stacks of its threads to stderr. */
  stacksBy?: NodeJS.Signals;
}

/** Time limit of a driver for one case, in milliseconds. */
export const PATIENCE_MS = 240_000;

/** Time limit of a driver to exit or to print its stacks, in milliseconds. */
const END_PATIENCE_MS = 5_000;

/** A driver program that reads and writes JSON lines. Its stderr is shown when it dies. */
export function startDriverProcess(
  { program, args, cwd, env, stacksBy }: DriverCommand,
  patienceMs = PATIENCE_MS,
): Driver {
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  // Writing to a dead driver fails; the end of its output reports its death.
  child.stdin.on('error', () => undefined);
  const lines = linesOf(child.stdout);
  const gone = new Promise<string>((resolve) => {
    child.on('error', (error) => {
      resolve(error.message);
    });
    child.on('close', (code, signal) => {
      resolve(`it ended with ${String(code ?? signal)}`);
    });
  });

  async function readLine(): Promise<string> {
    const line = await inTime(lines.next(), patienceMs);
    if (line !== undefined && line.done !== true) return line.value;
    const isHung = line === undefined;
    if (isHung && stacksBy !== undefined) child.kill(stacksBy);
    const end = isHung && stacksBy === undefined ? undefined : await inTime(gone, END_PATIENCE_MS);
    child.kill('SIGKILL');
    const reason = isHung
      ? `it said nothing for ${patienceMs} ms`
      : (end ?? 'its output ended, and it did not');
    throw new Error(`the driver ${program} gave no result: ${reason}\n${said.join('')}`);
  }

  return {
    async run(request: DriverRequest): Promise<DriverResponse> {
      child.stdin.write(`${asciiJson(request)}\n`);
      const line = await readLine();
      const response = JSON.parse(line) as DriverResponse;
      if (response.id !== request.id) throw new Error(`the driver answered ${response.id} to ${request.id}`);
      return response;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Lines end only at \n: JSON may contain Unicode separators that line readers stop at. */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, undefined> {
  let rest = '';
  for await (const text of stream.setEncoding('utf8')) {
    const lines = `${rest}${String(text)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The environment of this process without the variables of SDKs, plus `env`. */
export function driverEnv(env: Record<string, string>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  return { ...Object.fromEntries(own), ...env };
}
