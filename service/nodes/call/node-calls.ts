import {
  type DeclaredSecrets,
  declaredSecrets,
  type SecretReader,
  type SecretUser,
} from '../../access/secrets/declared-secrets.ts';
import type { NodeStream } from '../container/call-stream.ts';
import type { InvokeOutcome, NodeUnreachable } from '../container/invoke-outcome.ts';
import type { CallableNode } from './callable-node.ts';
import { TenantLogTokens } from './log-tokens.ts';
import { type InvokeParts, invokeNode, type NodeCall } from './invoke.ts';
import { type NodeStreamCall, type StreamParts, streamNode } from './stream.ts';
import type { NodeTarget, NodeTargets, TargetOptions } from './target.ts';

interface NodeCallsOptions {
  containers: InvokeParts['containers'] & StreamParts['containers'];
  metrics: InvokeParts['metrics'];
  targets: NodeTargets;
  /** Without a store, no tenant has secrets. */
  secrets?: SecretReader;
}

/**
 * The only way to call a node, for direct calls and for the steps of runs: find the target, read the declared secrets, then
 * invoke a unary node or open the stream of a pipeline node. The first two are separate steps because their failures mean
 * different things to the two kinds of callers.
 */
export class NodeCalls {
  /** For the logs of all calls. */
  readonly logTokens = new TenantLogTokens();
  readonly #targets: NodeTargets;
  readonly #secrets: SecretReader | undefined;
  readonly #parts: InvokeParts & StreamParts;

  constructor({ targets, secrets, ...parts }: NodeCallsOptions) {
    this.#targets = targets;
    this.#secrets = secrets;
    this.#parts = parts;
  }

  /** @returns `undefined` if the node is not deployed, or not visible to the caller */
  findTarget(node: CallableNode, callerId: string, options?: TargetOptions): Promise<NodeTarget | undefined> {
    return this.#targets.find(node, callerId, options);
  }

  /** Returns the values of the secrets that a node declares, or why the node cannot be called. */
  readSecrets(
    tenantId: string,
    node: SecretUser,
    use?: { development: boolean },
  ): DeclaredSecrets | Promise<DeclaredSecrets> {
    return declaredSecrets(this.#secrets, tenantId, node, use);
  }

  invoke(call: NodeCall): Promise<InvokeOutcome> {
    return invokeNode(this.#parts, call);
  }

  stream(call: NodeStreamCall): Promise<NodeStream | NodeUnreachable> {
    return streamNode(this.#parts, call);
  }
}
