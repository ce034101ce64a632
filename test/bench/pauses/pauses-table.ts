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
    'A *cycle* is a run of two nodes whose first node pauses: the run is invoked over HTTP, waits, gets its decision over HTTP and ' +
      `runs to its end. A *plain* run has two nodes that do not pause. ${callers} callers; every input is different; cycles and plain ` +
      'runs are measured alternately. A cycle takes two requests, three node calls and five commits; a plain run takes one, two and ' +
      'three. The goal is a ratio of 0.6. SQLite runs with `SVC_SYNC=full`; PostgreSQL runs on the same machine, without fsync.',
    markdownTable(
      ['database', 'cycles/s', 'plain runs/s', 'ratio'],
      rates.map((each) => [
        each.database,
        each.cyclesPerSecond.toFixed(0),
        each.plainPerSecond.toFixed(0),
        ratio(each.ratio),
      ]),
    ),
    'The same cycle on Restate, set up as in [Runs](#runs): the run waits for an awakeable, and the decision resolves it over HTTP. ' +
      'Both parties call the same container three times. The goal is twice the rate of Restate.',
    markdownTable(
      ['svc on SQLite, cycles/s', 'Restate, cycles/s', 'ratio'],
      rates.flatMap(({ cyclesPerSecond, restate }) =>
        restate
          ? [[cyclesPerSecond.toFixed(0), restate.cyclesPerSecond.toFixed(0), ratio(restate.ratio)]]
          : [],
      ),
    ),
    'The time from sending a decision to the start of the node that receives it, on a service that is otherwise idle. With two ' +
      'replicas, one starts the run and the other receives the decision.',
    markdownTable(
      ['database', 'replicas', 'p50 ms', 'p99 ms'],
      delays.map(({ database, replicas, p50Ms, p99Ms }) => [
        database,
        String(replicas),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
      ]),
    ),
    'What waiting runs cost a process on SQLite. *tick* is one search for runs that no replica is working on; it happens once per second.',
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
