import { markdownTable } from '../report.ts';
import type { Ratio } from '../statistics.ts';
import { frameBytes } from './made-frames.ts';
import { parties, type Party } from './stream-rates.ts';
import type { StreamFigures } from './streams-bench.ts';

/** Streams as a Markdown section. */
export function streamsTable({ rates, readers, followers }: StreamFigures): string {
  const row = (party: Party): string[] => [
    party,
    rates.framesPerSecond[party].toFixed(0),
    party === 'bare' ? '' : ratioText(rates.rateRatios[party]),
    rates.firstMs[party].toFixed(2),
    party === 'bare' ? '' : ratioText(rates.firstRatios[party]),
  ];
  return [
    '## Streams',
    `Frames of ${frameBytes} bytes that a pipeline node makes as fast as they are taken, one stream at a time; container, service and ` +
      'reader are processes of their own on this machine, measured in turn; medians, and ratios to *bare* in the same round with the ' +
      'lowest and the highest.',
    [
      '- *bare*: a gRPC client of the container, which counts messages.',
      '- *gateway*: a Koa handler with a gRPC client, which passes the frames of the container on as Server-Sent Events, without keys, ' +
        'checks, messages or records: the least that these libraries take.',
      '- *node*: a call of the node, answered with Server-Sent Events. The goal is a ratio of at least 0.5.',
      '- *flow*: a flow of this node and one that returns its input, with an adapter between them, as Server-Sent Events.',
    ].join('\n'),
    '*first* is the time from the request to the first frame, over a connection that is open; the goal is at most 2 times that of ' +
      '*bare*. The reader of events looks for their ends in what a socket receives, and parses nothing.',
    markdownTable(['party', 'frames/s', 'ratio', 'first ms', 'ratio'], parties.map(row)),
    'The output of one split stream to several readers, all there before the upload: stored, and then read by each. Frames a second ' +
      'are those of all readers together.',
    markdownTable(
      ['readers', 'frames/s'],
      readers.map((each) => [String(each.readers), each.framesPerSecond.toFixed(0)]),
    ),
    `${followers.followers} followers of one run with ${followers.events} events (a chain of nodes, every commit synced to the disk) ` +
      `get **${followers.eventsPerSecond.toFixed(0)}** events a second together; none misses one.`,
  ].join('\n\n');
}

function ratioText({ median, lowest, highest }: Ratio): string {
  return `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
}
