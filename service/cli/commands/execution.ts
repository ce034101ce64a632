import { Command } from 'commander';
import { checkpointsCommand } from './execution-checkpoints.ts';
import { eventsCommand, tailCommand } from './execution-events.ts';
import { forkCommand } from './execution-fork.ts';
import { cancelCommand, getCommand, listCommand } from './execution-list.ts';
import { pausesCommand, resumeCommand } from './execution-pauses.ts';
import type { Terminal } from '../output.ts';

/** `svc execution`: shows, follows, cancels and forks executions, and decides on their pauses, over HTTP as a tenant. */
export function executionCommand(terminal: Terminal): Command {
  return new Command('execution')
    .addCommand(listCommand(terminal))
    .addCommand(getCommand(terminal))
    .addCommand(eventsCommand(terminal))
    .addCommand(tailCommand(terminal))
    .addCommand(cancelCommand(terminal))
    .addCommand(checkpointsCommand(terminal))
    .addCommand(forkCommand(terminal))
    .addCommand(pausesCommand(terminal))
    .addCommand(resumeCommand(terminal));
}
