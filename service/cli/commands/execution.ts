import { Command } from 'commander';
import type { z } from 'zod';
import type { listPauses, resumeFlow } from '../../../specs/operations/pauses.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { eventsCommand, tailCommand } from './execution-events.ts';
import { forkCommand } from './execution-fork.ts';
import { cancelCommand, getCommand, listCommand } from './execution-list.ts';
import { note, printResult, recordText, table, type Terminal } from '../output.ts';
import { readJsonFlag } from '../read-json-flag.ts';

interface ResumeFlags extends ApiFlags {
  value?: string;
  by?: string;
}

type PausePage = z.infer<(typeof listPauses)['responses'][200]['shape']>;
type Resumed = z.infer<(typeof resumeFlow)['responses'][200]['shape']>;

/** `svc execution`: shows, follows, cancels and forks executions, and decides on their pauses, over HTTP as a tenant. */
export function executionCommand(terminal: Terminal): Command {
  return new Command('execution')
    .addCommand(listCommand(terminal))
    .addCommand(getCommand(terminal))
    .addCommand(eventsCommand(terminal))
    .addCommand(tailCommand(terminal))
    .addCommand(cancelCommand(terminal))
    .addCommand(forkCommand(terminal))
    .addCommand(
      apiCommand('pauses', 'read')
        .description('List the pauses of an execution, or all that wait for a decision')
        .argument('[execution_id]', 'id of the execution')
        .action((executionId: string | undefined, flags: ApiFlags) => pauses(terminal, executionId, flags)),
    )
    .addCommand(
      apiCommand('resume', 'invoke')
        .description('Decide on a pause')
        .argument('<execution_id>', 'id of the execution')
        .argument('<pause_id>', 'id of the pause, as svc execution pauses prints it')
        .option(
          '--value <json>',
          'decision as JSON, @<file> to read a file, or - to read stdin (default: every field at its default)',
        )
        .option('--by <name>', 'who decides, for the record of the pause')
        .action((executionId: string, pauseId: string, flags: ResumeFlags) =>
          resume(terminal, { executionId, pauseId }, flags),
        ),
    );
}

async function pauses(terminal: Terminal, executionId: string | undefined, flags: ApiFlags): Promise<void> {
  const path =
    executionId === undefined
      ? '/invocations/v1/pauses?status=WAITING'
      : apiPath('/invocations/v1/executions/{}/pauses', executionId);
  const page = await askApi<PausePage>(apiTarget(terminal, flags), { method: 'GET', path });
  if (page.next_cursor !== undefined) note(terminal, 'there are more; these are the newest');
  const rows = page.pauses.map((pause) => [
    pause.pause_id,
    pause.execution_id,
    pause.node_name,
    pause.status,
    pause.expires_at,
    pause.interrupt_payload === undefined ? null : JSON.stringify(pause.interrupt_payload),
  ]);
  const headings = ['PAUSE', 'EXECUTION', 'NODE', 'STATUS', 'EXPIRES', 'QUESTION'];
  printResult(terminal, flags, page, table(headings, rows));
}

async function resume(
  terminal: Terminal,
  { executionId, pauseId }: { executionId: string; pauseId: string },
  flags: ResumeFlags,
): Promise<void> {
  const target = apiTarget(terminal, flags);
  const value = flags.value === undefined ? 'null' : await readJsonFlag(terminal, '--value', flags.value);
  const named = { pause_id: pauseId, ...(flags.by !== undefined && { resumed_by: flags.by }) };
  // The value is sent as written, so that numbers beyond 2^53 stay exact.
  const request = `{"value":${value},${JSON.stringify(named).slice(1)}`;
  const resumed = await askApi<Resumed>(target, {
    method: 'POST',
    path: apiPath('/invocations/v1/flows/{}/resume', executionId),
    body: request,
    subject: `pause "${pauseId}" of execution "${executionId}"`,
    hint: `svc execution pauses ${executionId} lists the pauses`,
  });
  if (resumed.already_resumed) note(terminal, 'another decision came first; this is the one that counts');
  printResult(
    terminal,
    flags,
    resumed,
    recordText({
      pause_id: resumed.pause_id,
      status: resumed.status,
      resumed_at: resumed.resumed_at,
      decision: JSON.stringify(resumed.resume_value),
    }),
  );
}
