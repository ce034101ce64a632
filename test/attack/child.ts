import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A child process that is read line by line. */
export interface Child {
  process: ChildProcess;
  /** Returns the next line. Rejects if the process ends first. */
  line(): Promise<string>;
  /** Calls the listener with each line that `line` has not returned. */
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
  /** Starts the child in its own process group, so that the programs that it runs are killed with it. */
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
  // A write to a process that has ended is not another error.
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

/** Kills the group, because programs outlive the process that started them, even if it crashed. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // The group has no process left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
