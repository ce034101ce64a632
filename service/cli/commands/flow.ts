import { Command } from 'commander';
import type { z } from 'zod';
import type { graphSummary } from '../../../specs/operations/graph-shapes.ts';
import { apiTarget, callApi } from '../api-client.ts';
import { readFlowDocument } from '../flow-document.ts';
import { note, noteWarning, printResult, recordText, type Terminal } from '../output.ts';
import { invokeCommand } from './flow-invoke.ts';
import { diagramCommand, listCommand } from './flow-list.ts';

interface TargetFlags {
  url?: string;
  key?: string;
  json?: boolean;
}

/** `svc flow`: compiles, runs, lists and draws flows over HTTP, as a tenant. */
export function flowCommand(terminal: Terminal): Command {
  return new Command('flow')
    .addCommand(
      new Command('compile')
        .description('Compile a flow from a YAML or JSON file')
        .argument('<file>', 'flow document (see docs/flows.md)')
        .option('--url <base_url>', 'URL of the service (default: SVC_BASE_URL or http://127.0.0.1:8080)')
        .option('--key <key>', 'API key with write scope (default: SVC_API_KEY)')
        .option('--json', 'print the whole response as JSON')
        .action((file: string, flags: TargetFlags) => compile(terminal, file, flags)),
    )
    .addCommand(invokeCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(diagramCommand(terminal));
}

async function compile(terminal: Terminal, file: string, flags: TargetFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const document = await readFlowDocument(file);
  const { status, body } = await callApi(target, 'POST', '/api/v1/graphs/compile', document);
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
