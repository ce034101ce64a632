import { type Command, Option } from 'commander';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { openApi } from '../ask-api.ts';
import { listFlows } from '../flow-names.ts';
import { printResult, table, type Terminal } from '../output.ts';

interface DiagramFlags extends ApiFlags {
  format: string;
}

/** `svc flow list`: lists the compiled flows. */
export function listCommand(terminal: Terminal): Command {
  return apiCommand('list', 'read')
    .description('List the compiled flows, newest first')
    .action(async (flags: ApiFlags) => {
      const flows = await listFlows(apiTarget(terminal, flags));
      const rows = flows.map((flow) => [flow.graph_id, flow.name, flow.mode, flow.created_at]);
      printResult(terminal, flags, flows, table(['GRAPH_ID', 'NAME', 'MODE', 'COMPILED'], rows));
    });
}

/** `svc flow diagram <graph_id>`: prints a picture of a flow. */
export function diagramCommand(terminal: Terminal): Command {
  return apiCommand('diagram', 'read', { json: false })
    .description('Print the diagram of a flow')
    .argument('<graph_id>', 'id of the flow, as svc flow compile prints it')
    .addOption(
      new Option('--format <format>', 'format of the diagram').choices(['mermaid', 'svg']).default('mermaid'),
    )
    .action((graphId: string, flags: DiagramFlags) => diagram(terminal, graphId, flags));
}

async function diagram(terminal: Terminal, graphId: string, flags: DiagramFlags): Promise<void> {
  const response = await openApi(apiTarget(terminal, flags), {
    method: 'GET',
    path: `${apiPath('/api/v1/graphs/{}/diagram', graphId)}?format=${flags.format}`,
    subject: `flow "${graphId}"`,
    hint: 'run svc flow list to see the flows',
  });
  terminal.stdout.write(`${(await response.text()).trimEnd()}\n`);
}
