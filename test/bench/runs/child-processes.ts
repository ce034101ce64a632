import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Child processes of a benchmark, all of which are stopped at its end. */
export interface ChildProcesses {
  /** Starts a script of this folder with Node; resolves with the first line that it prints. */
  script(file: string, args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Starts `svc` with its launcher, this checkout's by default; resolves with the first line that it prints. */
  svc(args: readonly string[], env: Record<string, string>, launcher?: string): Promise<string>;
  /** Starts a program and ignores its output. */
  program(file: string, args: readonly string[], options: { env: Record<string, string>; cwd: string }): void;
  /** Returns the processor time of all of them in seconds; on Linux only, elsewhere 0. */
  cpuSeconds(): Promise<number>;
  /** Returns the resident memory of all of them in MB; on Linux only, elsewhere 0. */
  residentMb(): Promise<number>;
  stop(): Promise<void>;
}

const graceMs = 15_000;

const ownLauncher = path.resolve(import.meta.dirname, '../../../service/cli/svc');

export function createChildProcesses(): ChildProcesses {
  const children: ChildProcess[] = [];
  const start = (program: string, args: readonly string[], env: Record<string, string>): Promise<string> => {
    const child = spawn(program, args, {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return firstLine(child);
  };
  return {
    script: (file, args, env = {}) =>
      start(process.execPath, [path.resolve(import.meta.dirname, file), ...args], env),
    svc: (args, env, launcher = ownLauncher) => start(launcher, args, env),
    program: (file, args, { env, cwd }) => {
      const child = spawn(file, args, { env: { ...process.env, ...env }, cwd, stdio: 'ignore' });
      child.on('error', (error) => process.stderr.write(`${file}: ${error.message}\n`));
      children.push(child);
    },
    cpuSeconds: async () => {
      const used = await Promise.all(children.map(cpuSecondsOf));
      return used.reduce((sum, each) => sum + each, 0);
    },
    residentMb: async () => {
      const resident = await Promise.all(children.map(residentMbOf));
      return resident.reduce((sum, each) => sum + each, 0);
    },
    stop: async () => {
      await Promise.all(children.map(stop));
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no stdout');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`${child.spawnargs.join(' ')} ended before it was ready`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exited;
  clearTimeout(timer);
}

/** Linux always counts in hundredths of a second. */
async function cpuSecondsOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid ?? 0}/stat`, 'utf8').catch(() => '');
  // Counted after the name, which may contain spaces: state is field 3, utime 14, stime 15.
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return stat === '' ? 0 : (Number(user) + Number(system)) / 100;
}

async function residentMbOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_000;
}
