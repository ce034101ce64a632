import type { Observation } from '../../attack/observation.ts';
import { markdownTable } from '../report.ts';
import { percentile } from '../statistics.ts';
import type { AttackMeasure } from './measure-attack.ts';
import type { AttackRow } from './neighbours-bench.ts';

/** Returns the neighbours of attackers as a Markdown section. */
export function neighboursTable(rows: readonly AttackRow[]): string {
  const after = rows.map((row) => row.after);
  const before = rows.flatMap((row) => row.before ?? []);
  const bound = boundOf(after);
  const boundBefore = boundOf(before);
  const cells = rows.map((row) => {
    const both = (text: (measure: AttackMeasure) => string): string =>
      row.before ? `${text(row.before)} → ${text(row.after)}` : text(row.after);
    return [
      row.attack.title,
      both(({ attacked }) => whole(percentile(times(attacked), 0.5))),
      both(({ attacked }) => whole(percentile(times(attacked), 0.95))),
      both(({ attacked }) => whole(Math.max(...times(attacked)))),
      both(({ attacked, died }) => `${failures(attacked)}${died ? ' (died)' : ''}`),
      both((measure) =>
        isMet(measure, measure === row.before ? boundBefore : bound) ? 'met' : '**missed**',
      ),
      both(({ slowestHealthMs }) => whole(slowestHealthMs)),
      both(({ longestTurnMs }) => whole(longestTurnMs)),
      both(({ memory }) => `${mebibytes(memory.peak)}, ${mebibytes(memory.later)}`),
    ];
  });
  const details = rows.map(({ attack, after: { sender, cores } }) => [
    attack.title,
    String(sender.sent),
    Object.entries(sender.answers)
      .map(([answer, count]) => `${answer}: ${count}`)
      .join(', '),
    sender.cores.toFixed(2),
    cores.toFixed(2),
  ]);
  return [
    '## Neighbours',
    'One tenant attacks while another tenant, its neighbour, calls a node and runs a flow alternately, one every 100 ms. The attacker ' +
      'stays within its own limits, which are the defaults. Each attack runs against a freshly started `svc serve` on SQLite that ' +
      'syncs every commit. Service, containers, attacker and neighbour are separate processes on one machine. A call is timed from ' +
      'the moment at which it was due.',
    [
      `- Without an attack, the calls take ${aloneText(after)}. The bound is three times that p95 plus 50 ms, ${whole(bound)} ms, and no call may fail.`,
      ...(before.length > 0
        ? [
            `- Before, they took ${aloneText(before)}, and the bound was ${whole(boundBefore)} ms. Cells read _before → after_.`,
          ]
        : []),
      '- _/healthz_ is the slowest response to a request that is sent every 20 ms. _turn_ is the longest turn of the event loop, in ' +
        'processor time; collecting memory while idle takes 70 to 150 ms of it ([decision ' +
        '0043](decisions/0043-memory-is-collected-at-rest.md)).',
      '- _memory_ covers the service and the compilers that it runs: the peak, and what is left some time after the attack. ' +
        'A service that uses more than 6 GiB is killed and counts as dead. ' +
        `An idle service uses ${mebibytes(Math.min(...after.map(({ memory }) => memory.idle)))} MiB` +
        `${before.length > 0 ? `, before ${mebibytes(Math.min(...before.map(({ memory }) => memory.idle)))} MiB` : ''}.`,
    ].join('\n'),
    markdownTable(
      ['attack', 'p50 ms', 'p95 ms', 'slowest ms', 'failed', 'bound', '/healthz ms', 'turn ms', 'memory MiB'],
      cells,
    ),
    'What the attackers sent and received, and how many processors they and the service used. An attacker that needs a whole ' +
      'processor also takes it from the service:',
    markdownTable(
      ['attack', 'requests', 'responses', 'attacker, processors', 'service, processors'],
      details,
    ),
    'To repeat: `npm run bench -- --only neighbours [--against <another checkout>]`.',
  ].join('\n\n');
}

/**
 * Returns the latency bound in milliseconds: three times the 95th percentile of the calls before the attacks, plus 50.
 * It combines the calls of all attacks, because those of one are too few for a precise percentile.
 */
function boundOf(measures: readonly AttackMeasure[]): number {
  return 3 * percentile(times(measures.flatMap(({ alone }) => alone)), 0.95) + 50;
}

function isMet({ attacked }: AttackMeasure, bound: number): boolean {
  return failures(attacked) === 0 && percentile(times(attacked), 0.95) <= bound;
}

function aloneText(measures: readonly AttackMeasure[]): string {
  const alone = times(measures.flatMap((measure) => measure.alone));
  return `${percentile(alone, 0.5).toFixed(1)} ms (p50) and ${percentile(alone, 0.95).toFixed(1)} ms (p95)`;
}

function times(observations: readonly Observation[]): number[] {
  return observations.map(({ ms }) => ms);
}

function failures(observations: readonly Observation[]): number {
  return observations.filter(({ problem }) => problem !== undefined).length;
}

function whole(value: number): string {
  return value.toFixed(0);
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
