import { type Ended, runToEnd } from '../run-to-end.ts';

/** Fetching and compiling dependencies takes minutes on a new machine. */
const mostMs = 900_000;

/** Runs a tool; findings are its result. @throws Error if it is missing, or takes more than 15 minutes */
export function runTool(
  file: string,
  args: readonly string[],
  cwd: string,
  env?: Readonly<Record<string, string>>,
): Ended {
  return runToEnd({ file, args, cwd, ...(env && { env }), mostMs });
}

/** Runs a tool that must succeed. @throws Error with the end of its output */
export function requireTool(...command: Parameters<typeof runTool>): void {
  const { passed, output } = runTool(...command);
  if (!passed) throw new Error(`${command[0]} ${command[1].join(' ')}: ${output.trim().slice(-300)}`);
}

/** Number of lines with findings in an output. */
export function countLines(output: string, finding: RegExp): number {
  return output.split('\n').filter((line) => finding.test(line)).length;
}
