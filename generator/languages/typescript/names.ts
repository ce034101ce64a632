import { firstSeenIn } from '../../changes/first-seen.ts';
import type { SdkMember, SdkModel } from '../../model/sdk-model.ts';
import type { MessageModel } from '../../../specs/messages/message-model.ts';
import type { SymbolRequest } from '../../names/plan-scope.ts';
import { longestExample, planMembers } from '../../names/plan-members.ts';
import type { FlowNames } from '../../names/plan-methods.ts';
import { createPartPlanner } from '../../names/plan-parts.ts';
import { planScope } from '../../names/plan-scope.ts';
import { planned } from '../../names/planned.ts';
import { typeNameRequests } from '../../names/type-names.ts';
import { camelCase, kebabCase, pascalCase } from '../../names/words.ts';
import { reservedNames } from './reserved-names.ts';

/** Final names of everything that the package exports. */
export interface TypeScriptNames {
  /** Class that has a method for each member. */
  client: string;
  /** Method and function of a member, by alias. */
  functions: ReadonlyMap<string, string>;
  /** Further symbols of a flow, by alias. */
  flows: ReadonlyMap<string, FlowSymbols>;
  /** Further symbols of a pipeline node or flow, by alias. */
  streams: ReadonlyMap<string, StreamSymbols>;
  /** File name of a member's example without its extension, by alias. */
  examples: ReadonlyMap<string, string>;
  /** Type of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Properties of a message, by its full name. */
  properties: ReadonlyMap<string, PropertyNames>;
}

/** A flow can be started, found again by the id of its run, and warmed, and has a table that describes it. */
export interface FlowSymbols extends FlowNames {
  table: string;
}

/**
 * A pipeline member has a table that describes it; a node also accepts streamed input in several ways, and a flow can be warmed.
 */
export interface StreamSymbols {
  table: string;
  node?: NodeStreamSymbols;
  warm?: string;
}

/** Streamed input of a node: in one request, in a split stream that is created or found by its id, and in a live session. */
export interface NodeStreamSymbols {
  upload: string;
  create: string;
  stream: string;
  open: string;
}

/** Names of a message's properties by the proto names of fields and oneofs, which share a scope in proto as well. */
export type PropertyNames = ReadonlyMap<string, string>;

function exampleName(alias: string): string {
  return kebabCase(alias).slice(0, longestExample).replace(/-$/, '');
}

/** Returns the name of the table of a type: `wordType` of `Word`. */
export function tableName(typeName: string): string {
  return `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}Type`;
}

/** Plans the names of a package: one module scope, so that everything can be exported from its root. */
export function planNames(model: SdkModel): TypeScriptNames {
  const { members } = model;
  const streams = members.filter(({ mode }) => mode === 'pipeline');
  const flows = members.filter(({ type, mode }) => type === 'flow' && mode === 'unary');
  const firstSeen = firstSeenIn(model);
  const types = typeNameRequests(model.types, firstSeen);
  const scope = planScope(
    [
      { id: 'client', intended: clientName(model.client.slug) },
      ...types.map((request) => ({ ...request, id: `type ${request.id}` })),
      ...members.map(({ alias }) => ({
        id: `function ${alias}`,
        intended: camelCase(alias),
        since: firstSeen.member(alias),
      })),
      ...flows.flatMap(({ alias }) =>
        flowNameRequests(alias).map((request) => ({ ...request, since: firstSeen.member(alias) })),
      ),
      ...streams.flatMap((member) =>
        streamNameRequests(member).map((request) => ({ ...request, since: firstSeen.member(member.alias) })),
      ),
    ],
    { reserved: reservedNames, derived: (name) => [tableName(name)], escape: escapeName },
  );
  return {
    client: planned(scope, 'client'),
    functions: new Map(members.map(({ alias }) => [alias, planned(scope, `function ${alias}`)])),
    flows: new Map(flows.map(({ alias }) => [alias, flowNames(scope, alias)])),
    streams: new Map(streams.map((member) => [member.alias, streamNames(scope, member)])),
    types: new Map(types.map(({ id }) => [id, planned(scope, `type ${id}`)])),
    examples: planMembers(members, (alias) => ({ intended: exampleName(alias) }), {
      rules: { reserved: deviceNames, caseInsensitive: true },
      firstSeen,
    }),
    properties: planProperties(model.types.messages, firstSeen),
  };
}

function flowNameRequests(alias: string): SymbolRequest[] {
  return [
    { id: `start ${alias}`, intended: `start${pascalCase(alias)}` },
    { id: `execution ${alias}`, intended: `${camelCase(alias)}Execution` },
    { id: `flow ${alias}`, intended: `${camelCase(alias)}Flow` },
    { id: `warm ${alias}`, intended: `warm${pascalCase(alias)}` },
  ];
}

function flowNames(scope: ReadonlyMap<string, string>, alias: string): FlowSymbols {
  return {
    start: planned(scope, `start ${alias}`),
    execution: planned(scope, `execution ${alias}`),
    warm: planned(scope, `warm ${alias}`),
    table: planned(scope, `flow ${alias}`),
  };
}

function streamNameRequests({ alias, type }: SdkMember): SymbolRequest[] {
  if (type === 'flow')
    // The name for its executions stays reserved.
    return flowNameRequests(alias).filter(({ id }) => id !== `start ${alias}`);
  return [
    { id: `node ${alias}`, intended: `${camelCase(alias)}Node` },
    { id: `upload ${alias}`, intended: `upload${pascalCase(alias)}` },
    { id: `create ${alias}`, intended: `create${pascalCase(alias)}Stream` },
    { id: `stream ${alias}`, intended: `${camelCase(alias)}Stream` },
    { id: `open ${alias}`, intended: `open${pascalCase(alias)}` },
  ];
}

function streamNames(scope: ReadonlyMap<string, string>, { alias, type }: SdkMember): StreamSymbols {
  return type === 'flow'
    ? { table: planned(scope, `flow ${alias}`), warm: planned(scope, `warm ${alias}`) }
    : {
        table: planned(scope, `node ${alias}`),
        node: {
          upload: planned(scope, `upload ${alias}`),
          create: planned(scope, `create ${alias}`),
          stream: planned(scope, `stream ${alias}`),
          open: planned(scope, `open ${alias}`),
        },
      };
}

/** Returns the class of the client: `TextClient` for `text`, `DemoClient` for `demo-client`. */
function clientName(slug: string): string {
  const name = pascalCase(slug);
  return name.endsWith('Client') ? name : `${name}Client`;
}

/** Names that every object inherits. An object without a property of such a name would not match its own type. */
const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Properties have the JSON names of fields, or the names of oneofs. Cases of a oneof have no property. */
const planProperties = createPartPlanner<MessageModel>({
  requestsOf: ({ fields, oneofs }) => [
    ...fields
      .filter(({ oneof }) => oneof === undefined)
      .map(({ name, jsonName }) => ({ id: name, intended: jsonName })),
    ...oneofs.map(({ name }) => ({ id: name, intended: camelCase(name) })),
  ],
  rulesOf: () => ({ reserved: inheritedNames }),
});

/** Returns the property names of a message of the model. */
export function propertiesOf(names: TypeScriptNames, fullName: string): PropertyNames {
  return names.properties.get(fullName) ?? new Map<string, string>();
}

/** Prefixes a reserved function name: `class` becomes `callClass`. */
function escapeName(name: string): string {
  const isFunction = /^[a-z]/.test(name);
  return isFunction ? `call${pascalCase(name)}` : `${name}Message`;
}

/** File names that Windows reserves for devices. */
const deviceNames: ReadonlySet<string> = new Set([
  ...['con', 'prn', 'aux', 'nul'],
  ...Array.from({ length: 10 }, (_, index) => [`com${index}`, `lpt${index}`]).flat(),
]);
