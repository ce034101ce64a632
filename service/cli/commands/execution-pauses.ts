import type { Command } from 'commander';
import type { z } from 'zod';
import type { listPauses, resumeFlow } from '../../../specs/operations/pauses.ts';
import { decodeBase64, isJsonString } from '../../http/request/decode-base64.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { note, printResult, recordText, type Terminal, UsageError } from '../output.ts';
import { readJsonFlag } from '../read-json-flag.ts';

interface PausesFlags extends ApiFlags {
  limit?: string;
  cursor?: string;
}

interface ResumeFlags extends ApiFlags {
  value?: string;
  default?: boolean;
  by?: string;
}

type PausePage = z.infer<(typeof listPauses)['responses'][200]['shape']>;
type Resumed = z.infer<(typeof resumeFlow)['responses'][200]['shape']>;

/** `svc execution pauses [execution_id]`: shows the pauses of an execution, or all that wait for a decision. */
export function pausesCommand(terminal: Terminal): Command {
  return apiCommand('pauses', 'read')
    .description('Show the pauses of an execution, or all that wait for a decision')
    .argument('[execution_id]', 'id of the execution')
    .option('--limit <n>', 'maximum number of pauses that wait (default: 100)')
    .option('--cursor <cursor>', 'cursor of the next page, printed after the previous page')
    .action((executionId: string | undefined, flags: PausesFlags) => pauses(terminal, executionId, flags));
}

/** `svc execution resume <execution_id> <pause_id>`: decides on a pause. */
export function resumeCommand(terminal: Terminal): Command {
  return apiCommand('resume', 'invoke')
    .description('Decide on a pause')
    .argument('<execution_id>', 'id of the execution')
    .argument('<pause_id>', 'id of the pause, as svc execution pauses prints it')
    .option(
      '--value <json>',
      'decision as JSON, @<file> to read a file, or - to read stdin: an object with the fields of resume_schema',
    )
    .option('--default', 'decide with the default of every field')
    .option('--by <name>', 'who decides, for the record of the pause')
    .action((executionId: string, pauseId: string, flags: ResumeFlags) =>
      resume(terminal, { executionId, pauseId }, flags),
    );
}

async function pauses(
  terminal: Terminal,
  executionId: string | undefined,
  flags: PausesFlags,
): Promise<void> {
  const { limit, cursor } = flags;
  if (executionId !== undefined && (limit ?? cursor) !== undefined) {
    throw new UsageError('--limit and --cursor are for the list of all pauses: omit the execution id');
  }
  const query = new URLSearchParams({
    status: 'WAITING',
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  });
  const path =
    executionId === undefined
      ? `/invocations/v1/pauses?${query.toString()}`
      : apiPath('/invocations/v1/executions/{}/pauses', executionId);
  const page = await askApi<PausePage>(apiTarget(terminal, flags), { method: 'GET', path });
  if (page.pauses.length > 0 || flags.json) {
    printResult(terminal, flags, page, page.pauses.map(pauseText).join('\n\n'));
  }
  if (page.next_cursor !== undefined) {
    note(terminal, `there are more: repeat the command with --cursor ${page.next_cursor}`);
  }
  if (page.pauses.length > 0) return;
  note(
    terminal,
    executionId === undefined
      ? 'no pause waits for a decision'
      : `execution "${executionId}" is unknown or has no pauses: run svc execution list to see the latest`,
  );
}

/** All fields that are set, as the API names them. */
function pauseText(pause: PausePage['pauses'][number]): string {
  const fields = Object.entries(pause).filter(([, value]) => value !== null && value !== undefined);
  return recordText(Object.fromEntries(fields.map(([name, value]) => [name, textOf(value)])));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function resume(
  terminal: Terminal,
  { executionId, pauseId }: { executionId: string; pauseId: string },
  flags: ResumeFlags,
): Promise<void> {
  const value = await readDecision(terminal, flags);
  const named = { pause_id: pauseId, ...(flags.by !== undefined && { resumed_by: flags.by }) };
  // The value is sent as written, so that numbers beyond 2^53 stay exact.
  const request = `{"value":${value},${JSON.stringify(named).slice(1)}`;
  const resumed = await askApi<Resumed>(apiTarget(terminal, flags), {
    method: 'POST',
    path: apiPath('/invocations/v1/flows/{}/resume', executionId),
    body: request,
    subject: `pause "${pauseId}" of execution "${executionId}"`,
    hint: 'run svc execution pauses to list those that wait for a decision',
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
      ...(resumed.resumed_by !== undefined && { resumed_by: resumed.resumed_by }),
      decision: JSON.stringify(resumed.resume_value),
    }),
  );
}

/**
 * Returns the decision as JSON. The service accepts any string as a decision, and a decision that does not decode fails the run.
 */
async function readDecision(terminal: Terminal, flags: ResumeFlags): Promise<string> {
  if (flags.value !== undefined && flags.default) {
    throw new UsageError('--value and --default exclude each other');
  }
  if (flags.default) return 'null';
  if (flags.value === undefined) {
    throw new UsageError('give --value <json>, or --default to decide with the default of every field');
  }
  const text = await readJsonFlag(terminal, '--value', flags.value);
  const json = Buffer.from(text.trim());
  const isDecision =
    json.toString() === 'null' ||
    json.toString().startsWith('{') ||
    (isJsonString(json) && decodeBase64(json) !== undefined);
  if (isDecision) return text;
  throw new UsageError(
    '--value must be an object with the fields of the message that the pause asks for, null for the default of every field, ' +
      'or the serialized message as a string of standard base64: svc execution pauses shows the message as resume_schema',
  );
}
