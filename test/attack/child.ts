import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A child process that is read line by line. */
export interface Child {
  process: ChildProcess;
  /** The next line. Rejects when the process ends before. */
  line(): Promise<string>;
  /** Calls the listener with each line that nothing else has taken. */
  onLine(listener: (line: string) => void): void;
  ended: Promise<void>;
  /** Ends the process and waits for it. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a script of the folder `processes` with Node. */
export function startScript(name: string, ...args: string[]): Child {
  const file = path.join(import.meta.dirname, 'processes', `${name}.ts`);
  return startChild(process.execPath, [file, ...args]);
}

interface ChildOptions {
  env?: NodeJS.ProcessEnv;
  quiet?: boolean;
  /** The child gets a process group of its own, and the programs that it runs are killed with it. */
  isLeader?: boolean;
}

/** The child can receive messages of Node's IPC; its stderr goes to this process unless `quiet`. */
export function startChild(
  program: string,
  args: readonly string[],
  { env = {}, quiet = false, isLeader = false }: ChildOptions = {},
): Child {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', quiet ? 'ignore' : 'inherit', 'ipc'],
    detached: isLeader,
  });
  const lines: string[] = [];
  const takers: ((line: string) => void)[] = [];
  let listener: ((line: string) => void) | undefined;
  createInterface(child.stdout!).on('line', (line) => {
    const taker = takers.shift() ?? listener;
    if (taker) taker(line);
    else lines.push(line);
  });
  const ended = once(child, 'exit').then(() => undefined);
  // A write to a process that has ended is not an additional error.
  child.stdin!.on('error', () => undefined);
  return {
    process: child,
    line: () =>
      new Promise((resolve, reject) => {
        const next = lines.shift();
        if (next !== undefined) resolve(next);
        else takers.push(resolve);
        void ended.then(() => reject(new Error(`${[program, ...args].join(' ').slice(0, 200)} ended`)));
      }),
    onLine: (each) => {
      listener = each;
      for (const line of lines.splice(0)) each(line);
    },
    ended,
    kill: async (signal = 'SIGKILL') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
      if (isLeader) killGroup(child.pid);
    },
  };
}

/** Programs outlive the process that started them, also one that died by itself. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // The group has no process left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
