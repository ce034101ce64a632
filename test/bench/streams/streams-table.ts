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
    `A pipeline node sends frames of ${frameBytes} bytes as fast as its reader accepts them, one stream at a time. Container, service ` +
      'and reader are separate processes on one machine; the parties are measured alternately. Figures are medians; ratios compare ' +
      'with *bare* in the same round (lowest to highest).',
    [
      '- *bare*: a gRPC client that counts the messages of the container.',
      '- *gateway*: a Koa handler with a gRPC client that forwards the frames of the container as Server-Sent Events, without keys, ' +
        'checks, messages or records. It shows what these libraries cost on their own.',
      '- *node*: a call of the node, read as Server-Sent Events. The goal is a ratio of at least 0.5.',
      '- *flow*: a flow of this node and one that returns its input, with an adapter between them, read as Server-Sent Events.',
    ].join('\n'),
    '*first* is the time from the request to the first frame, on an open connection; the goal is at most twice the time of *bare*. ' +
      'The reader only looks for the end of each event in the bytes that it receives; it parses nothing.',
    markdownTable(['party', 'frames/s', 'ratio', 'first ms', 'ratio'], parties.map(row)),
    'One split stream with several readers, all connected before the upload. The service stores each frame and then sends it to ' +
      'every reader. The rate is the sum over all readers.',
    markdownTable(
      ['readers', 'frames/s'],
      readers.map((each) => [String(each.readers), each.framesPerSecond.toFixed(0)]),
    ),
    `${followers.followers} followers of one run with ${followers.events} events (a chain of nodes, every commit synced to disk) ` +
      `receive **${followers.eventsPerSecond.toFixed(0)}** events per second in total; none misses an event.`,
  ].join('\n\n');
}

function ratioText({ median, lowest, highest }: Ratio): string {
  return `**${median.toFixed(2)}** (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
}
