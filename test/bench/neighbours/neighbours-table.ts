import type { Observation } from '../../attack/observation.ts';
import { markdownTable } from '../report.ts';
import { percentile } from '../statistics.ts';
import type { AttackMeasure } from './measure-attack.ts';
import type { AttackRow } from './neighbours-bench.ts';

/** The neighbours of attackers as a Markdown section. */
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
    'One tenant attacks, and another one calls a node and runs a flow in turn, one every 100 ms. The attacker stays within its own ' +
      'limits, which are the defaults. Each attack meets a service that has just started: `svc serve` on SQLite, every commit synced. ' +
      'Service, containers, attacker and neighbour are processes of their own on this machine; a call counts from the moment at which ' +
      'it was due.',
    [
      `- Alone, the calls take ${aloneText(after)}; the bound is three times the p95 plus 50 ms, ${whole(bound)} ms, without a failure.`,
      ...(before.length > 0
        ? [
            `- Before, they took ${aloneText(before)}; the bound was ${whole(boundBefore)} ms. Cells read _before → after_.`,
          ]
        : []),
      '- _/healthz_ is the slowest of its answers, asked every 20 ms; _turn_ the longest turn of the main thread, in processor time.',
      '- _memory_ is that of the service and the compilers that it runs: at its highest, and when the attack is over for some time. ' +
        'A service that takes more than 6 GiB is killed and counts as dead. ' +
        `An idle service has ${mebibytes(Math.min(...after.map(({ memory }) => memory.idle)))} MiB` +
        `${before.length > 0 ? `, before ${mebibytes(Math.min(...before.map(({ memory }) => memory.idle)))} MiB` : ''}.`,
    ].join('\n'),
    markdownTable(
      ['attack', 'p50 ms', 'p95 ms', 'slowest ms', 'failed', 'bound', '/healthz ms', 'turn ms', 'memory MiB'],
      cells,
    ),
    'What the attackers sent and what they got, and the processors that they and the service used. An attacker that needs a whole ' +
      'processor takes it from the service too:',
    markdownTable(['attack', 'requests', 'answers', 'processors of the attacker', 'of the service'], details),
    'To repeat: `npm run bench -- --only neighbours [--against <another checkout>]`.',
  ].join('\n\n');
}

/** Over the calls of all attacks, because the few of one are a coarse measure of their slowest. */
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
