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
    `Durable flows, a chain of 1 and of 10 nodes, invoked over HTTP until their end, ${connections} connections, every input different. ` +
      'All parties call one node container over one `Session`, by the same code; container, parties and load generator are ' +
      'separate processes on this machine, measured in turn.',
    [
      '- *svc*: `svc serve` on SQLite with `SVC_SYNC=full` (every commit is synced to the disk before ' +
        'anyone is answered), keys, rates, quotas, idempotency, executions and events on.',
      '- *restate*: `@restatedev/restate-server` and `@restatedev/restate-sdk` of `test/bench/runs/package.json`, one server with ' +
        'its defaults (the log in RocksDB, its WAL synced before an append is acknowledged), telemetry off, loopback only, no ' +
        'authentication. Each step is a `ctx.run`; the handlers are a Node process.',
      '- *bare*: the same rows of the journal by the same group commit, the same sync, the same calls, behind Koa. No engine.',
    ].join('\n'),
    markdownTable(['nodes', 'party', 'runs/s', 'p50 ms', 'p99 ms', 'CPU ms a run'], rows),
    'Ratios of runs per second: median over the rounds (lowest to highest). Each round measures all parties.',
    ratios.join('\n'),
    growthText(growth),
    '*CPU* is the processor time of a party and the container for one run, without the load generator (Linux only); other work on the machine hardly ' +
      'affects it. To repeat: `npm ci --prefix test/bench/runs`, then `npm run bench -- --only runs`.',
  ].join('\n\n');
}

function ratioText({ median, lowest, highest }: Ratio): string {
  return `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
}

function growthText({ stored, perSecond, ratio }: Growth): string {
  const [few, many] = perSecond.map((rate) => rate.toFixed(0)) as [string, string];
  return (
    `With ${stored[0]} stored runs svc makes ${few} runs of one node per second, with ${stored[1]} ${many}: each run costs ` +
    `${ratioText(ratio)} times as much.`
  );
}
