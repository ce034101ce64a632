import type { Command } from 'commander';
import type { z } from 'zod';
import type { executionRecord, listExecutions } from '../../../specs/operations/executions.ts';
import type { listPauses } from '../../../specs/operations/pauses.ts';
import { executionStatuses } from '../../../specs/execution-status.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath, repeatedChoice } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { eventPages, unknownExecution } from '../event-pages.ts';
import { flowTexts } from '../flow-names.ts';
import { escaped, note, printResult, recordText, table, type Terminal } from '../output.ts';

interface ListFlags extends ApiFlags {
  status?: string[];
  flow?: string;
  branches?: boolean;
  run?: string;
  after?: string;
  before?: string;
  limit: string;
  cursor?: string;
}

type Execution = z.infer<typeof executionRecord>;
type ExecutionPage = z.infer<(typeof listExecutions)['responses'][200]['shape']>;
type PausePage = z.infer<(typeof listPauses)['responses'][200]['shape']>;

/** `svc execution list`: lists executions, newest first. */
export function listCommand(terminal: Terminal): Command {
  return apiCommand('list', 'read')
    .description('List executions, newest first')
    .addOption(
      repeatedChoice('--status <status>', 'only executions with this status; repeatable', executionStatuses, {
        PAUSED: 'A paused run is RUNNING; svc execution pauses lists the runs that wait for a decision.',
      }),
    )
    .option('--flow <graph_id>', 'only runs of this flow')
    .option('--branches', 'include the branches of runs')
    .option('--run <execution_id>', 'only the branches of this run')
    .option(
      '--after <time>',
      'only executions created at this time or later, for example 2026-01-31T12:00:00Z',
    )
    .option('--before <time>', 'only executions created before this time')
    .option('--limit <n>', 'maximum number of executions', '20')
    .option('--cursor <cursor>', 'cursor of the next page, printed after the previous page')
    .action((flags: ListFlags) => list(terminal, flags));
}

/** `svc execution get <execution_id>`: shows the record of an execution, and the output of a completed run. */
export function getCommand(terminal: Terminal): Command {
  return apiCommand('get', 'read')
    .description('Show the record of an execution, and the output of a completed run')
    .argument('<execution_id>', 'id of the execution')
    .action(async (id: string, flags: ApiFlags) => {
      const target = apiTarget(terminal, flags);
      const execution = await askApi<Execution>(target, {
        method: 'GET',
        path: apiPath('/invocations/v1/executions/{}', id),
        ...unknownExecution(id),
      });
      const { graph_id: graphId } = execution;
      const flows = await flowTexts(target, flags.json ? [] : [graphId]);
      const output = await outputOf(target, execution);
      const named = { ...execution, graph_id: flows.get(graphId) ?? graphId };
      const text = [executionText(named), ...(output === undefined ? [] : [outputText(output)])].join('\n\n');
      printResult(terminal, flags, { ...execution, output }, text);
    });
}

/** Returns the output of a completed run. Branches and direct node calls store none. */
async function outputOf(
  target: ApiTarget,
  { execution_id: id, graph_id: graphId, lineage_root_execution_id: root, status }: Execution,
): Promise<unknown> {
  if (graphId === undefined || root !== null || status !== 'COMPLETED') return undefined;
  for await (const { events } of eventPages(target, id, { types: ['FLOW_COMPLETED'], decode: true })) {
    for (const event of events) return event.output ?? event.output_bytes;
  }
  return undefined;
}

function outputText(output: unknown): string {
  return JSON.stringify(output, null, 2).split('\n').map(escaped).join('\n');
}

/** `svc execution cancel <execution_id>`: cancels a run, and shows its record. */
export function cancelCommand(terminal: Terminal): Command {
  return apiCommand('cancel', 'invoke')
    .description('Cancel a run; its running nodes are asked to stop')
    .argument('<execution_id>', 'id of the execution')
    .action(async (id: string, flags: ApiFlags) => {
      const execution = await askApi<Execution>(apiTarget(terminal, flags), {
        method: 'POST',
        path: apiPath('/invocations/v1/executions/{}/cancel', id),
        ...unknownExecution(id),
      });
      printResult(terminal, flags, execution, executionText(execution));
    });
}

async function list(terminal: Terminal, flags: ListFlags): Promise<void> {
  const given: [string, string | undefined][] = [
    ...(flags.status ?? []).map((status): [string, string] => ['status', status]),
    ['graph_id', flags.flow],
    ['branches', flags.branches ? 'true' : undefined],
    ['lineage_root_execution_id', flags.run],
    ['created_after', flags.after],
    ['created_before', flags.before],
    ['limit', flags.limit],
    ['cursor', flags.cursor],
  ];
  const query = new URLSearchParams(given.filter((each): each is [string, string] => each[1] !== undefined));
  const target = apiTarget(terminal, flags);
  const page = await askApi<ExecutionPage>(target, {
    method: 'GET',
    path: `/invocations/v1/executions?${query.toString()}`,
  });
  const graphIds = flags.json ? [] : page.executions.map((each) => each.graph_id);
  const flows = await flowTexts(target, graphIds);
  const isRunning = page.executions.some((each) => each.status === 'RUNNING');
  const paused = isRunning && !flags.json ? await pausedRuns(target) : new Set();
  const rows = page.executions.map((each) => [
    each.execution_id,
    paused.has(each.execution_id) ? `${each.status} (paused)` : each.status,
    each.created_at,
    each.completed_at ?? null,
    each.node_fqn ?? flows.get(each.graph_id) ?? each.graph_id ?? null,
  ]);
  const headings = ['EXECUTION', 'STATUS', 'CREATED', 'COMPLETED', 'NODE OR FLOW'];
  printResult(terminal, flags, page, table(headings, rows));
  if (page.next_cursor !== undefined) {
    note(terminal, `there are more: repeat the command with --cursor ${page.next_cursor}`);
  }
}

/** Returns the ids of the runs whose pauses wait for a decision, for the newest pauses. */
async function pausedRuns(target: ApiTarget): Promise<ReadonlySet<string>> {
  const path = '/invocations/v1/pauses?status=WAITING&limit=100';
  const { pauses } = await askApi<PausePage>(target, { method: 'GET', path });
  return new Set(pauses.map((pause) => pause.execution_id));
}

/** All fields that are set, as the API names them. The artifact of a flow is the flow. */
function executionText(execution: Execution): string {
  const fields = Object.entries(execution).filter(
    ([name, value]) => value !== null && value !== undefined && name !== 'graph_artifact_id',
  );
  return recordText(Object.fromEntries(fields.map(([name, value]) => [name, String(value)])));
}
