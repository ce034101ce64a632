import { markdownTable } from '../report.ts';
import type { Ratio } from '../statistics.ts';
import { callers, type CycleRates, type ResumeDelay } from './pauses-bench.ts';
import type { WaitingCost } from './waiting-runs.ts';

/** Runs that wait for decisions as a Markdown section. */
export function pausesTable(
  { rates, delays }: { rates: readonly CycleRates[]; delays: readonly ResumeDelay[] },
  waiting: readonly WaitingCost[],
): string {
  const ratio = ({ median, lowest, highest }: Ratio): string =>
    `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
  return [
    '## Pauses',
    'A *cycle* is a run of two nodes whose first one asks: invoked over HTTP until it waits, decided over HTTP, and carried on to its ' +
      `end. A *plain* run has two nodes that answer. ${callers} callers, every input different, measured in turn. A cycle has two ` +
      'requests, three calls and five commits; a plain run one, two and three. The goal is a ratio of 0.6. SQLite with ' +
      '`SVC_SYNC=full`; PostgreSQL on this machine, without fsync.',
    markdownTable(
      ['database', 'cycles/s', 'plain runs/s', 'ratio'],
      rates.map((each) => [
        each.database,
        each.cyclesPerSecond.toFixed(0),
        each.plainPerSecond.toFixed(0),
        ratio(each.ratio),
      ]),
    ),
    'The same on Restate with its defaults, as in [Runs](#runs): the run waits at an awakeable, and the decision resolves it over HTTP. ' +
      'Both make three calls of the same container. The goal is twice its rate.',
    markdownTable(
      ['svc on SQLite, cycles/s', 'Restate, cycles/s', 'ratio'],
      rates.flatMap(({ cyclesPerSecond, restate }) =>
        restate
          ? [[cyclesPerSecond.toFixed(0), restate.cyclesPerSecond.toFixed(0), ratio(restate.ratio)]]
          : [],
      ),
    ),
    'From sending a decision to the start of the node with it, with little else to do. With two replicas, one starts the run and the ' +
      'other gets the decision.',
    markdownTable(
      ['database', 'replicas', 'p50 ms', 'p99 ms'],
      delays.map(({ database, replicas, p50Ms, p99Ms }) => [
        database,
        String(replicas),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
      ]),
    ),
    'What runs that wait cost a process on SQLite. *tick* is one search for runs that no replica works on, once a second.',
    markdownTable(
      ['waiting runs', 'start ms', 'resident MB', 'tick ms'],
      waiting.map(({ waiting: runs, startMs, residentMb, tickMs }) => [
        String(runs),
        startMs.toFixed(0),
        residentMb.toFixed(0),
        tickMs.toFixed(2),
      ]),
    ),
  ].join('\n\n');
}
