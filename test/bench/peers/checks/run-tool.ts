import { spawnSync } from 'node:child_process';

/** What a tool said of a folder. */
export interface ToolRun {
  /** Whether it ended well. */
  passed: boolean;
  output: string;
}

/** Fetching and compiling dependencies takes minutes on a new machine. */
const mostMs = 900_000;

/** Runs a tool; that it finds something is its result. @throws Error when it is not there, or takes more than 15 minutes */
export function runTool(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): ToolRun {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
    killSignal: 'SIGKILL',
  });
  if (error) throw new Error(`${file}: ${error.message}`);
  return { passed: status === 0, output: stdout + stderr };
}

/** Runs a tool that has to end well. @throws Error with the end of what it printed */
export function requireTool(...command: Parameters<typeof runTool>): void {
  const { passed, output } = runTool(...command);
  if (!passed) throw new Error(`${command[0]} ${command[1].join(' ')}: ${output.trim().slice(-300)}`);
}

/** How many lines of an output are findings. */
export function countLines(output: string, finding: RegExp): number {
  return output.split('\n').filter((line) => finding.test(line)).length;
}
