import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createChildProcesses } from '../runs/child-processes.ts';
import { load, type LoadRequest } from '../runs/load.ts';
import { ratioOf } from '../statistics.ts';
import { startCheckout } from './start-checkout.ts';

/**
 * `npm run bench:compare -- <path of another checkout of svc> [--rounds 9] [--seconds 4] [--warm-up 15] [--only 'node
 * call']`
 *
 * Runs this checkout and another one in alternation, both as in production (SQLite, every commit synced) and over the
 * same node container. Prints the flow runs and node calls per second of each, their processor time, and the ratios.
 * Rates vary by half on a busy machine, but processor times hardly vary. The other checkout needs its dependencies
 * installed.
 *
 * Some seconds of the same load precede each measurement and do not count: one side is idle while the other is
 * measured, and an idle service is slower until its code is compiled again (decision 0043).
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
  },
});
const [otherRoot] = positionals;
if (otherRoot === undefined) {
  process.stderr.write('usage: npm run bench:compare -- <path of another checkout of svc>\n');
  process.exit(2);
}

/** The result of one load on one checkout. */
interface Measurement {
  perSecond: number;
  /** Processor time of the service and the container per request, in microseconds; on Linux only. */
  cpuUs: number;
}

const textOf = ({ perSecond, cpuUs }: Measurement = { perSecond: 0, cpuUs: 0 }): string =>
  `${perSecond}/s with ${cpuUs.toFixed(0)} µs`;

const connections = 64;
const settlingSeconds = 10;
const workloads = ['run of 1 node', 'run of 10 nodes', 'node call'] as const;

const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-compare-'));
const children = createChildProcesses();
try {
  const endpoint = await children.script('processes/session-container.ts', []);
  const thisRoot = path.resolve(import.meta.dirname, '../../..');
  const here = await startCheckout(children, thisRoot, path.join(folder, 'here'), endpoint);
  const other = await startCheckout(children, path.resolve(otherRoot), path.join(folder, 'other'), endpoint);
  const rows: string[] = [];
  for (const workload of workloads.filter((each) => each.startsWith(flags.only))) {
    const requestOf = ({ url, key, graphs }: typeof here): Omit<LoadRequest, 'seconds'> => {
      if (workload === 'node call') {
        return {
          url: `${url}/invocations/v1/nodes/bench/echo/1.0.0/Echo`,
          key,
          connections,
          isNodeCall: true,
        };
      }
      const graphId = workload === 'run of 1 node' ? graphs.one : graphs.ten;
      return { url: `${url}/invocations/v1/flows/invoke`, key, connections, graphId };
    };
    const seconds = Number(flags.seconds);
    for (const each of [here, other]) await load({ ...requestOf(each), seconds: Number(flags['warm-up']) });
    const measured: Record<'here' | 'other', Measurement[]> = { here: [], other: [] };
    for (let round = 1; round <= Number(flags.rounds); round += 1) {
      const pair = [
        ['here', here],
        ['other', other],
      ] as const;
      for (const [name, each] of round % 2 === 1 ? pair : pair.toReversed()) {
        await load({ ...requestOf(each), seconds: settlingSeconds });
        const before = await children.cpuSeconds();
        const { perSecond } = await load({ ...requestOf(each), seconds });
        const cpuSeconds = (await children.cpuSeconds()) - before;
        measured[name].push({ perSecond, cpuUs: (cpuSeconds * 1e6) / (perSecond * seconds) });
      }
      const [mine, theirs] = [measured.here.at(-1), measured.other.at(-1)];
      process.stderr.write(`${workload}, round ${round}: ${textOf(mine)} here, ${textOf(theirs)} there\n`);
    }
    const ratio = (key: keyof Measurement): string => {
      const values = (of: readonly Measurement[]): number[] => of.map((each) => each[key]);
      const { median, lowest, highest } = ratioOf(values(measured.here), values(measured.other));
      return `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
    };
    rows.push(`| ${workload} | ${ratio('perSecond')} | ${ratio('cpuUs')} |`);
  }
  process.stdout.write(
    [
      '| workload | rate here : there | processor time here : there |',
      '| --- | --- | --- |',
      ...rows,
      '',
    ].join('\n'),
  );
} finally {
  await children.stop();
  await rm(folder, { recursive: true, force: true });
}
