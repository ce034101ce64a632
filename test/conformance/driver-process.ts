import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Driver, DriverRequest, DriverResponse } from './driver-protocol.ts';

interface DriverCommand {
  program: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** How long a driver may take for one case before it counts as hung, in milliseconds. */
const patienceMs = 120_000;

/** A driver that is a program: JSON lines in and out; its stderr is shown when it dies. */
export function startDriverProcess({ program, args, cwd, env }: DriverCommand): Driver {
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
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, patienceMs, `it said nothing for ${patienceMs} ms`);
    });
    const line = await Promise.race([lines.next(), hung]).finally(() => {
      clearTimeout(timer);
    });
    if (typeof line !== 'string' && line.done !== true) return line.value;
    const reason = typeof line === 'string' ? line : await gone;
    child.kill('SIGKILL');
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
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
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
