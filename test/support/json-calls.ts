import { bytesFromJson } from '../../service/messages/json/message-from-json.ts';
import { jsonFromBytes } from '../../service/messages/json/message-to-json.ts';
import { createRegistry } from '../../service/messages/registry.ts';
import type { ContainerPool, InvokeOptions } from '../../service/nodes/container/container-pool.ts';
import type { NodeBinding } from '../../service/nodes/container/call-context.ts';
import type { InvokeOutcome } from '../../service/nodes/container/invoke-outcome.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { nodeInvocation, within } from './node-invocation.ts';
import { compiledRegistry } from './compiled-protos.ts';

/** The result of a call: the output as ProtoJSON, or the raw outcome. */
type JsonOutcome = { output: unknown } | Exclude<InvokeOutcome, { kind: 'output' }>;

export type JsonCall = (
  node: string,
  input: object,
  options?: Partial<InvokeOptions> & { binding?: NodeBinding; resumedBy?: string },
) => Promise<JsonOutcome>;

/** Calls the nodes of a package's container with ProtoJSON; messages of open ports come from the call's binding. */
export async function jsonCalls(pool: ContainerPool, folder: string, endpoint: string): Promise<JsonCall> {
  const body = await readPackageFolder(folder);
  const registry = await compiledRegistry(body.protos);
  return async (node, input, { binding, resumedBy, ...options } = {}) => {
    const declared = body.nodes.find(({ name }) => name === node);
    if (!declared) throw new Error(`${body.name} has no node ${node}`);
    const bound = binding && createRegistry(binding.descriptorSet);
    const port = (name: string | undefined, open: string | undefined) =>
      name === undefined ? ([bound!, open!] as const) : ([registry, name] as const);
    const sent = bytesFromJson(...port(declared.input, binding?.inputMessage), JSON.stringify(input));
    if (!sent.ok) throw new Error(sent.error.message);
    const context = {
      packageName: body.name,
      packageVersion: body.version,
      ...(binding && { binding }),
      ...(resumedBy !== undefined && { resumedPauseId: 'pause', resumedBy }),
    };
    const outcome = await pool.invoke(endpoint, nodeInvocation(node, sent.value, context), {
      ...within(60_000),
      ...options,
    });
    if (outcome.kind !== 'output') return outcome;
    const output = jsonFromBytes(...port(declared.output, binding?.outputMessage), outcome.bytes);
    if (!output.ok) throw new Error(output.error.message);
    return { output: JSON.parse(output.value) as unknown };
  };
}
