import { Command } from 'commander';
import type { z } from 'zod';
import type { graphSummary } from '../../../specs/operations/graph-shapes.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags } from '../api-command.ts';
import { askWithStatus } from '../ask-api.ts';
import { note, noteWarning, printResult, recordText, type Terminal } from '../output.ts';
import { invokeCommand } from './flow-invoke.ts';
import { diagramCommand, listCommand } from './flow-list.ts';

/** `svc flow`: compiles, runs, lists and draws flows over HTTP, as a tenant. */
export function flowCommand(terminal: Terminal): Command {
  return new Command('flow')
    .addCommand(
      apiCommand('compile', 'write')
        .description('Compile a flow from a YAML or JSON file')
        .argument('<file>', 'flow document (see docs/flows.md)')
        .action((file: string, flags: ApiFlags) => compile(terminal, file, flags)),
    )
    .addCommand(invokeCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(diagramCommand(terminal));
}

async function compile(terminal: Terminal, file: string, flags: ApiFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const { readFlowDocument } = await import('../flow-document.ts');
  const document = await readFlowDocument(file);
  const { status, body } = await askWithStatus(target, {
    method: 'POST',
    path: '/api/v1/graphs/compile',
    body: document,
  });
  const graph = body as z.infer<typeof graphSummary>;
  note(terminal, status === 201 ? `compiled ${file}` : `${file} is already compiled and unchanged`);
  for (const { message } of graph.warnings) noteWarning(terminal, message);
  printResult(
    terminal,
    flags,
    graph,
    recordText({
      graph_id: graph.graph_id,
      name: graph.name,
      mode: graph.mode,
      input: graph.input_message,
      output: graph.output_message,
      ...(graph.mocked_nodes && { mocked: graph.mocked_nodes.join(', ') }),
    }),
  );
}
