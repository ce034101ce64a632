import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { runSvc, svc } from '../support/run-svc.ts';
import { startServeProcess } from '../support/serve-process.ts';
import { median } from './statistics.ts';

/** Processor time of a command and its child processes, as the median of the rounds. */
interface CommandTime {
  command: string;
  cpuMs: number;
}

/** Durations of commands. */
export interface CommandTimes {
  rounds: number;
  commands: CommandTime[];
  /** From the start of `svc serve` on an empty data folder to its first line, milliseconds. */
  readyMs: number;
}

/** Measures commands in sequence, as users run them, against a running service. */
export async function measureCommands(rounds: number, say: (text: string) => void): Promise<CommandTimes> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-commands-'));
  const readyMs = median(
    await inTurn(rounds, async (round) => {
      const startedAt = performance.now();
      const service = await startServeProcess(serveEnv(path.join(folder, `empty-${round}`)), [svc]);
      const ms = performance.now() - startedAt;
      await service.stop();
      return ms;
    }),
  );
  const dataDir = path.join(folder, 'data');
  const local = { env: { SVC_DATA_DIR: dataDir } };
  await runSvc(['tenant', 'create', 'acme'], local);
  const key = (await runSvc(['key', 'create', '--tenant', 'acme'], local)).stdout.trim();
  const service = await startServeProcess(serveEnv(dataDir), [svc]);
  try {
    const env = { ...process.env, SVC_BASE_URL: service.url, SVC_API_KEY: key };
    const [written, typescript, python] = ['written', 'typescript', 'python'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    await runSvc(['init', 'package', typescript]);
    await runSvc(['init', 'package', python, '--language', 'python']);
    const commands: [string, (round: number) => string[]][] = [
      ['svc --help', () => ['--help']],
      ['svc init package', (round) => ['init', 'package', `${written}-${round}`]],
      ['svc node types', () => ['node', 'types', typescript]],
      ['svc node types (Python)', () => ['node', 'types', python]],
      ['svc package publish', (round) => ['package', 'publish', `${written}-${round}`]],
      ...['package', 'flow', 'client', 'execution', 'app-key', 'config'].map(
        (name): [string, () => string[]] => [`svc ${name} list`, () => [name, 'list']],
      ),
    ];
    const times: CommandTime[] = [];
    for (const [command, args] of commands) {
      say(`commands: ${command}`);
      const cpuMs = median(await inTurn(rounds, (round) => processorMs(args(round), env)));
      times.push({ command, cpuMs });
    }
    return { rounds, commands: times, readyMs };
  } finally {
    await service.kill();
    await rm(folder, { recursive: true });
  }
}

/** Returns the environment of the service. The launcher keeps compiled code in the home folder. */
function serveEnv(dataDir: string): NodeJS.ProcessEnv {
  return { HOME: process.env.HOME, SVC_DATA_DIR: dataDir, SVC_METRICS_PORT: '0' };
}

/** Does the work once without measuring, to fill the cache of compiled code, and then once per round. */
async function inTurn(rounds: number, work: (round: number) => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  for (let round = 0; round <= rounds; round += 1) results.push(await work(round));
  return results.slice(1);
}

/**
 * Returns the processor time of a run of the launcher, measured by bash because Node does not report that of its
 * children.
 */
async function processorMs(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1';
  const { stderr } = await promisify(execFile)('bash', ['-c', script, 'bash', svc, ...args], { env });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return 1000 * (user + system);
}
