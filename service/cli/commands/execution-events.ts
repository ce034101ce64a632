import { once } from 'node:events';
import type { Command } from 'commander';
import { eventTypes } from '../../engine/events/run-event.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, repeatedChoice } from '../api-command.ts';
import { eventLine, type ExecutionEvent } from '../event-line.ts';
import { eventPages } from '../event-pages.ts';
import { note, printResult, type Terminal } from '../output.ts';

interface EventFlags extends ApiFlags {
  type?: string[];
  node?: string;
  decode?: boolean;
}

/** `svc execution events <execution_id>`: prints the history of an execution. */
export function eventsCommand(terminal: Terminal): Command {
  return apiCommand('events', 'read')
    .description('Print the history of an execution so far, one line per event')
    .argument('<execution_id>', 'id of the execution')
    .addOption(repeatedChoice('--type <type>', 'only events of this type; repeatable', eventTypes))
    .option('--node <id>', 'only events of the node with this id')
    .option('--decode', 'include inputs and outputs, as JSON')
    .action((id: string, flags: EventFlags) => events(terminal, id, flags));
}

/** `svc execution tail <execution_id>`: prints the history of an execution, and further events until it ends. */
export function tailCommand(terminal: Terminal): Command {
  return apiCommand('tail', 'read', { json: false })
    .description('Print the history of an execution and follow it to its end, one line per event')
    .option('--json', 'print each event as a line of JSON')
    .argument('<execution_id>', 'id of the execution')
    .action((id: string, flags: ApiFlags) => tail(terminal, id, flags));
}

async function events(terminal: Terminal, id: string, flags: EventFlags): Promise<void> {
  const query = { types: flags.type, node: flags.node, decode: flags.decode };
  const all: ExecutionEvent[] = [];
  for await (const page of eventPages(apiTarget(terminal, flags), id, query)) {
    if (flags.json) all.push(...page.events);
    else for (const event of page.events) await writeLine(terminal, eventLine(event));
  }
  if (flags.json) printResult(terminal, flags, { events: all }, '');
}

async function tail(terminal: Terminal, id: string, flags: ApiFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  // Only this command needs a WebSocket.
  const { followExecution } = await import('../follow-execution.ts');
  const lost = (failure: Error): void => {
    note(terminal, `${failure.message}; connecting again`);
  };
  for await (const event of followExecution(target, id, lost)) {
    await writeLine(terminal, flags.json ? JSON.stringify(event) : eventLine(event));
  }
}

/** Resolves once the reader keeps up. */
async function writeLine({ stdout }: Terminal, line: string): Promise<void> {
  if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
}
