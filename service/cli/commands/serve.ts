import { Command } from 'commander';
import type { Terminal } from '../output.ts';

/** `svc serve`: runs the service until SIGTERM or SIGINT, then drains and exits with 0. Prints its URL to stdout. */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve').action(async () => (await import('../actions/serve.ts')).serve(terminal));
}
