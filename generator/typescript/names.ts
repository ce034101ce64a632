import { firstSeenIn } from '../changes/first-seen.ts';
import type { FirstSeen } from '../changes/first-seen.ts';
import type { NodeMember, SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { MessageModel } from '../../specs/messages/message-model.ts';
import { planScope } from '../names/plan-scope.ts';
import { typeNameRequests } from '../names/type-names.ts';
import { camelCase, kebabCase, pascalCase } from '../names/words.ts';
import { reservedNames } from './reserved-names.ts';

/** Final names of everything that the package exports. */
export interface TypeScriptNames {
  /** Class that has a method for each member. */
  client: string;
  /** Method and function of a member, by alias. */
  functions: ReadonlyMap<string, string>;
  /** File name of a member's example without its extension, by alias. */
  examples: ReadonlyMap<string, string>;
  /** Type of a message or enum, by full name. */
  types: ReadonlyMap<string, string>;
  /** Properties of a message's oneofs by their proto names, by the message's full name; messages without one are absent. */
  oneofs: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The oneofs of a message that has none. */
export const noOneofs: ReadonlyMap<string, string> = new Map();

/** Name of the table beside a type: `Word` has `wordType`. */
export function tableName(typeName: string): string {
  return `${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}Type`;
}

/** Members that have a method: unary nodes. */
export function callableMembers(model: SdkModel): NodeMember[] {
  return model.members.filter(isCallable);
}

function isCallable(member: SdkMember): member is NodeMember {
  return member.type === 'node' && member.mode === 'unary';
}

const plans = new WeakMap<SdkModel, TypeScriptNames>();

/**
 * Plans the names of a package: one module scope, so that everything can be exported from its root. A model's plan is made
 * once, since every snippet asks for it.
 */
export function planNames(model: SdkModel): TypeScriptNames {
  const names = plans.get(model) ?? makePlan(model);
  plans.set(model, names);
  return names;
}

function makePlan(model: SdkModel): TypeScriptNames {
  const callable = callableMembers(model);
  const firstSeen = firstSeenIn(model);
  const types = typeNameRequests(model.types);
  const scope = planScope(
    [
      { id: 'client', intended: `${pascalCase(model.client.slug)}Client` },
      ...types.map((request) => ({
        ...request,
        id: `type ${request.id}`,
        since: firstSeen.type(request.id),
      })),
      ...callable.map(({ alias }) => ({
        id: `function ${alias}`,
        intended: camelCase(alias),
        since: firstSeen.member(alias),
      })),
    ],
    { reserved: reservedNames, derived: (name) => [tableName(name)], escape: escapeName },
  );
  const examples = planScope(
    callable.map(({ alias }) => ({ id: alias, intended: kebabCase(alias), since: firstSeen.member(alias) })),
    { reserved: deviceNames, caseInsensitive: true },
  );
  return {
    client: finalName(scope, 'client'),
    functions: new Map(callable.map(({ alias }) => [alias, finalName(scope, `function ${alias}`)])),
    types: new Map(types.map(({ id }) => [id, finalName(scope, `type ${id}`)])),
    examples,
    oneofs: new Map(
      model.types.messages
        .filter(({ oneofs }) => oneofs.length > 0)
        .map((message) => [message.fullName, planOneofs(message, firstSeen)]),
    ),
  };
}

/** Property names of a message's oneofs, beside those of its other fields, which are their JSON names. */
function planOneofs(message: MessageModel, firstSeen: FirstSeen): ReadonlyMap<string, string> {
  const taken = message.fields.filter(({ oneof }) => oneof === undefined).map(({ jsonName }) => jsonName);
  return planScope(
    message.oneofs.map(({ name }) => ({
      id: name,
      intended: camelCase(name),
      since: firstSeen.part(message.fullName, name),
    })),
    { reserved: new Set(taken), escape: (name) => `${name}Case` },
  );
}

/** The name that a plan gave to a symbol. */
export function finalName(names: ReadonlyMap<string, string>, id: string): string {
  const name = names.get(id);
  if (name === undefined) throw new Error(`no name was planned for ${id}`);
  return name;
}

/** A function called like a word of the language says what it does: `class` becomes `callClass`. */
function escapeName(name: string): string {
  const isFunction = /^[a-z]/.test(name);
  return isFunction ? `call${pascalCase(name)}` : `${name}Message`;
}

/** File names that Windows keeps for devices. */
const deviceNames: ReadonlySet<string> = new Set([
  ...['con', 'prn', 'aux', 'nul'],
  ...Array.from({ length: 10 }, (_, index) => [`com${index}`, `lpt${index}`]).flat(),
]);
