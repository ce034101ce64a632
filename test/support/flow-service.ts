import { fromBinary, fromJson, type JsonObject, toBinary, toJson } from '@bufbuild/protobuf';
import type { Tenant } from '../../service/store/tenants.ts';
import { compiledRegistry } from './compiled-protos.ts';
import {
  type Answer as HttpAnswer,
  type Caller,
  type RunningService,
  startService,
} from './running-service.ts';
import { type Answer, type ScriptedContainer, startScriptedContainer } from './scripted-container.ts';
import { publishSteps, stepPackage } from './step-package.ts';

/**
 * Returns the output of a placement for its input, as ProtoJSON; `undefined` if the behaviour has responded already, or
 * never responds.
 */
type Behaviour = (
  input: JsonObject,
  answer: Answer,
  attempt: number,
) => JsonObject | undefined | Promise<JsonObject>;

/** A service with a tenant whose package `<handle>/steps` is served by a container that tests control. */
export interface FlowService {
  service: RunningService;
  acme: Caller;
  container: ScriptedContainer;
  /** By node id. Placements without an entry append their id to the text of their input. */
  behaviours: Map<string, Behaviour>;
  /** Compiles a flow over HTTP and returns its `graph_id`. */
  compile(document: object): Promise<string>;
  /** Invokes over HTTP, by default with `wait`. */
  invoke(graphId: string, body?: object, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Creates another tenant, with the same package under its own handle. */
  tenant(handle: string, limits?: Tenant['limits']): Promise<Caller>;
  stop(): Promise<void>;
}

const invokePath = '/invocations/v1/flows/invoke';
const stepType = 'acme.steps.v1.Step';

/** Rates that no test reaches, with the default quotas. */
const freely = { rps: 1e6, burst: 1e6, invocationRps: 1e6, invocationBurst: 1e6 };

export async function startFlowService(
  start: () => Promise<RunningService> = startService,
): Promise<FlowService> {
  const registry = await compiledRegistry(stepPackage().protos as Record<string, string>);
  const type = registry.getMessage(stepType);
  if (!type) throw new Error(`there is no ${stepType}`);
  const behaviours = new Map<string, Behaviour>();
  const container = await startScriptedContainer((answer, { context, input }) => {
    const id = context?.placementId ?? '';
    const given = toJson(type, fromBinary(type, input)) as JsonObject;
    const byDefault: Behaviour = ({ text = '' }) => ({ ...given, text: `${text as string}${id}` });
    const output = (behaviours.get(id) ?? byDefault)(given, answer, context?.attempt ?? 0);
    if (output === undefined) return;
    const send = (json: JsonObject): void => {
      answer.say({ case: 'output', value: toBinary(type, fromJson(type, json)) });
      answer.end();
    };
    if (output instanceof Promise) void output.then(send);
    else send(output);
  });
  const service = await start();
  const tenant: FlowService['tenant'] = async (handle, limits = {}) => {
    const caller = await service.tenant(handle, { limits: { ...freely, ...limits } });
    await publishSteps(caller, { name: `${handle}/steps`, endpoint: container.endpoint });
    return caller;
  };
  const acme = await tenant('acme');
  return {
    service,
    acme,
    container,
    behaviours,
    tenant,
    compile: (document) => compileFlow(acme, document),
    invoke: (graphId, body, headers) => invokeFlow(acme, graphId, body, headers),
    stop: async () => {
      await service.stop();
      container.kill();
    },
  };
}

/**
 * Compiles a flow, and returns its `graph_id`.
 * @throws Error with the diagnostics of a flow that does not compile
 */
export async function compileFlow(caller: Caller, document: object): Promise<string> {
  const answer = await caller.post('/api/v1/graphs/compile', document);
  const body = answer.body as { graph_id: string };
  if (answer.status > 201) throw new Error(JSON.stringify(body));
  return body.graph_id;
}

export async function invokeFlow(
  caller: Caller,
  graphId: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return caller.post(
    invokePath,
    { graph_id: graphId, wait: true, ...('payload' in body ? {} : { input: {} }), ...body },
    headers,
  );
}
