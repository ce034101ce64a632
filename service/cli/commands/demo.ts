import { Command } from 'commander';
import { keepsRunning } from '../demo/keeps-running.ts';
import { runDemo } from '../demo/run-demo.ts';
import type { Terminal } from '../output.ts';

/** `svc demo`: runs the service once from published packages to a call through a downloaded SDK. */
export function demoCommand(terminal: Terminal): Command {
  return new Command('demo')
    .description('Publish the sample packages, build SDKs for them, and call a node through one')
    .option(
      '--keep',
      'keep the service running at the end, until Ctrl-C (default: at a terminal, outside of CI)',
    )
    .option('--no-keep', 'end when everything has been shown')
    .action((flags: { keep?: boolean }) => runDemo(terminal, keepsRunning(terminal, flags.keep)));
}
