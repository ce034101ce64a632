import type { Command } from 'commander';
import type { CallFlags } from '../actions/call-node.ts';
import { apiCommand } from '../api-command.ts';
import type { Terminal } from '../output.ts';

/** `svc node call <node>`: calls a published node over HTTP and prints its output. */
export function nodeCallCommand(terminal: Terminal): Command {
  return apiCommand('call', 'invoke', { json: false })
    .description(
      'Call a published node and print its output; a pipeline node prints each message on a line of its own, as it arrives',
    )
    .argument('<node>', 'owner/package/version/node, or the id of the node')
    .option('--input <json>', 'input as JSON, @<file> to read a file, or - to read stdin (default: {})')
    .option(
      '--lines <file>',
      'file with one input per line for a pipeline node, or - for stdin, sent as it is read',
    )
    .option('--timeout <seconds>', 'seconds that a unary node may take, at most 300 (default: 30)')
    .option('--json', 'print the whole frames of a stream')
    .action(async (node: string, flags: CallFlags) =>
      (await import('../actions/call-node.ts')).callNode(terminal, node, flags),
    );
}
