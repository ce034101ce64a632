import { Command } from 'commander';
import { keepsRunning } from '../demo/keeps-running.ts';
import type { Terminal } from '../output.ts';

/** `svc demo`: runs the service once from published packages to a call through a downloaded SDK. */
export function demoCommand(terminal: Terminal): Command {
  return new Command('demo')
    .option(
      '--keep',
      'keep the service running at the end, until Ctrl-C (default: at a terminal, outside of CI)',
    )
    .option('--no-keep', 'stop the service when the demo has finished')
    .action(async (flags: { keep?: boolean }) => {
      // Loaded here, because it is the whole service.
      const { runDemo } = await import('../demo/run-demo.ts');
      await runDemo(terminal, keepsRunning(terminal, flags.keep));
    });
}
