import { markdownTable } from '../report.ts';
import type { Ratio } from '../statistics.ts';
import type { Growth } from './growth-bench.ts';
import { type ChainRates, connections, parties } from './run-bench.ts';

/** Runs of flows as a Markdown section. */
export function runTable(chains: readonly ChainRates[], growth: Growth): string {
  const rows = chains.flatMap(({ nodes, rates }) =>
    parties.map((party) => {
      const { perSecond, p50Ms, p99Ms, cpuMs } = rates[party];
      return [
        String(nodes),
        party,
        perSecond.toFixed(0),
        p50Ms.toFixed(0),
        p99Ms.toFixed(0),
        cpuMs.toFixed(2),
      ];
    }),
  );
  const ratios = chains.map(
    ({ nodes, ratios: { restate, bare } }) =>
      `- ${nodes} node${nodes === 1 ? '' : 's'}: svc : restate = ${ratioText(restate)}, svc : bare = ${ratioText(bare)}`,
  );
  return [
    '## Runs',
    `Durable flows: chains of 1 and of 10 nodes. ${connections} connections each invoke a flow over HTTP, wait for its result and ` +
      'start again; every input is different. All parties call the same node container over one `Session` with the same code. ' +
      'Container, parties and load generator are separate processes on one machine; the parties are measured alternately.',
    [
      '- *svc*: `svc serve` on SQLite with `SVC_SYNC=full` (every commit is synced to disk before a response is sent), with keys, ' +
        'rate limits, quotas, idempotency, executions and events.',
      '- *restate*: `@restatedev/restate-server` and `@restatedev/restate-sdk`, in the versions that `test/bench/runs/package.json` ' +
        'names. One server with its defaults (the log is in RocksDB, whose WAL is synced before an append is acknowledged), without ' +
        'telemetry or authentication, on loopback. Each step is a `ctx.run`; the handlers run in a Node process.',
      '- *bare*: a Koa handler that makes the same calls and writes the same journal rows with the same group commit and sync. No engine.',
    ].join('\n'),
    markdownTable(['nodes', 'party', 'runs/s', 'p50 ms', 'p99 ms', 'CPU ms per run'], rows),
    'Ratios of runs per second. Each round measures all parties; the figures are the median of the rounds (lowest to highest).',
    ratios.join('\n'),
    growthText(growth),
    '*CPU* is the processor time that a party and the container spend on one run, without the load generator (Linux only). Other ' +
      'work on the machine barely affects it. To repeat: `npm ci --prefix test/bench/runs`, then `npm run bench -- --only runs`.',
  ].join('\n\n');
}

function ratioText({ median, lowest, highest }: Ratio): string {
  return `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
}

function growthText({ stored, perSecond, ratio }: Growth): string {
  const [few, many] = perSecond.map((rate) => rate.toFixed(0)) as [string, string];
  return (
    `With ${stored[0]} stored runs, svc completes ${few} one-node runs per second; with ${stored[1]}, ${many}. The time per run ` +
    `changes by a factor of ${ratioText(ratio)}.`
  );
}
