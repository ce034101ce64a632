import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from './until.ts';

/** The CLI program, for Node without the launcher. */
export const program = new URL('../../service/cli/main.ts', import.meta.url).pathname;

/**
 * Returns the environment of a program that must not see any other variable of this process. The program shares the
 * compiled code of the test run, which halves the processor time of a start.
 */
export function bareEnv(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** `svc serve` as a child process. */
export interface ServeProcess {
  url: string;
  /** Address of its metrics. */
  metricsUrl: string;
  child: ChildProcess;
  /** Its stderr so far, including its log. */
  stderr(): string;
  /** Its stdout and stderr so far. */
  written(): string;
  /**
   * Stops the service with SIGTERM and returns its exit code.
   *
   * @throws AssertionError if a response differed from its operation
   */
  stop(): Promise<number | null>;
  /** Stops the service without a check, for hooks. Does nothing if it has exited. */
  kill(): Promise<void>;
}

/**
 * Starts `svc serve` on a free port. `env` is its whole environment, except for `bareEnv`.
 *
 * @param command Node with the program, or the launcher
 */
export async function startServeProcess(
  env: NodeJS.ProcessEnv,
  command: readonly [string, ...string[]] = [process.execPath, program],
): Promise<ServeProcess> {
  const [first, ...args] = command;
  const child = spawn(first, [...args, 'serve'], {
    env: { ...bareEnv(), SVC_PORT: '0', SVC_LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
  }
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const ended = exited.then(([code]) =>
    assert.fail(`svc serve ended at once with code ${String(code)}: ${stderr}`),
  );
  const [url] = await Promise.race([line, ended]);
  ended.catch(() => undefined);
  // Printed before the URL, but to another pipe.
  await until(() => metricsUrlIn(stderr) !== undefined);
  const metricsUrl = metricsUrlIn(stderr) ?? '';
  return {
    url,
    metricsUrl,
    child,
    stderr: () => stderr,
    written: () => written,
    stop: async () => {
      try {
        assertNoMismatches(await (await fetch(metricsUrl)).text());
      } finally {
        child.kill('SIGTERM');
      }
      const [code] = await exited;
      return code;
    },
    kill: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Finds the address of the metrics in the stderr of `svc serve`. */
export function metricsUrlIn(stderr: string): string | undefined {
  return /^metrics are at (\S+)$/m.exec(stderr)?.[1];
}

/** Fails if the metrics of a service count a response that differed from its operation. */
export function assertNoMismatches(metrics: string): void {
  assert.match(metrics, /^# TYPE svc_contract_mismatches_total counter$/m);
  const counted = metrics.match(/^svc_contract_mismatches_total\{.*$/gm) ?? [];
  assert.deepEqual(counted, [], 'answers differed from their operation');
}
