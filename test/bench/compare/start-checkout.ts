import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { compileChain } from '../runs/chain-flow.ts';
import type { ChildProcesses } from '../runs/child-processes.ts';

/** A running service of a checkout, with a tenant without limits. */
interface RunningCheckout {
  url: string;
  key: string;
  /** Flows of one node and of ten nodes. */
  graphs: { one: string; ten: string };
}

const proto = `syntax = "proto3";
package bench.echo.v1;
message Said {
  string text = 1;
  int64 count = 2;
  repeated string tags = 3;
  double weight = 4;
}
`;
const manifest = `name: bench/echo
version: 1.0.0
visibility: private
nodes:
  - { name: Echo, input: bench.echo.v1.Said, output: bench.echo.v1.Said }
`;

/**
 * Starts `svc serve` of a checkout on an empty data folder, and prepares it with that checkout's own command line, so
 * that both sides of a comparison only need to agree on the commands.
 */
export async function startCheckout(
  children: ChildProcesses,
  root: string,
  dataDir: string,
  endpoint: string,
): Promise<RunningCheckout> {
  const launcher = path.join(root, 'service/cli/svc');
  const env = { SVC_DATA_DIR: dataDir, SVC_PORT: '0', SVC_SYNC: 'full', SVC_LOG_LEVEL: 'warn' };
  const svc = async (...args: string[]): Promise<string> => {
    const options = { env: { ...process.env, ...env } };
    return (await promisify(execFile)(launcher, args, options)).stdout.trim();
  };
  await svc('tenant', 'create', 'bench');
  await svc(
    ...[
      'tenant',
      'limits',
      'bench',
      '--rps',
      '1000000000',
      '--burst',
      '1000000000',
      '--invocation-rps',
      '1000000000',
    ],
    ...['--invocation-burst', '1000000000', '--daily-invocations', '1000000000'],
    ...['--daily-executions', '1000000000'],
  );
  const key = await svc('key', 'create', '--tenant', 'bench');
  const url = await children.svc(['serve'], env, launcher);
  const packageDir = path.join(dataDir, 'bench-package');
  await mkdir(path.join(packageDir, 'protos'), { recursive: true });
  await writeFile(path.join(packageDir, 'package.yaml'), `${manifest}endpoint: ${endpoint}\n`);
  await writeFile(path.join(packageDir, 'protos/echo.proto'), proto);
  await svc('package', 'publish', packageDir, '--url', url, '--key', key);
  return {
    url,
    key,
    graphs: { one: await compileChain(url, key, 1), ten: await compileChain(url, key, 10) },
  };
}
