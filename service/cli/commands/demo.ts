import { Command } from 'commander';
import { runDemo } from '../demo/run-demo.ts';
import type { Terminal } from '../output.ts';

/** `svc demo`: the whole path once, on this machine, from published packages to a call through a downloaded SDK. */
export function demoCommand(terminal: Terminal): Command {
  return new Command('demo')
    .description('Publish the sample packages, build their SDKs, and call a node through one of them')
    .option('--keep', 'keep serving at the end, until Ctrl-C')
    .action((flags: { keep?: boolean }) => runDemo(terminal, flags.keep === true));
}
