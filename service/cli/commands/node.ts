import { Command } from 'commander';
import type { ServeFlags } from '../actions/serve-node.ts';
import type { Terminal } from '../output.ts';
import { nodeCallCommand } from './node-call.ts';
import { nodeTypesCommand } from './node-types.ts';

/**
 * `svc node call` calls a published node. `svc node serve <module>` hosts handlers as a node container until SIGTERM or SIGINT, and
 * prints the endpoint to stdout once it accepts calls.
 */
export function nodeCommand(terminal: Terminal): Command {
  return new Command('node')
    .addCommand(nodeCallCommand(terminal))
    .addCommand(nodeTypesCommand(terminal))
    .addCommand(
      new Command('serve')
        .description('Host JavaScript or TypeScript handlers as a node container')
        .argument(
          '<module>',
          'module that exports the handlers by default, next to package.yaml; or its folder',
        )
        .option('--port <n>', 'port to listen on; 0 selects a free port', '0')
        .option('--host <host>', 'address to listen on', '127.0.0.1')
        .option('--tls-cert <file>', 'PEM file with the certificate chain, to serve with TLS')
        .option('--tls-key <file>', 'PEM file with the private key of the certificate')
        .option(
          '--token-file <file>',
          'file with the token that calls must carry (default: SVC_NODE_TOKEN, or no token)',
        )
        .option('--watch', 'load the handlers again when a file of their folder changes')
        .action(async (module: string, flags: ServeFlags) =>
          (await import('../actions/serve-node.ts')).serveNode(terminal, module, flags),
        ),
    );
}
