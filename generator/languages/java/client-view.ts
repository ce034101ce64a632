import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { docComment, markup, quoted } from './doc-comment.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { type MethodView, methodsOf, rawMethodsOf } from './member-methods.ts';
import { assignment, declaration, methodHead, statement, typeHead } from './statements.ts';

/** View of the client; every string is finished Java. */
interface ClientView {
  packageName: string;
  imports: string[];
  comment: string;
  name: string;
  head: string;
  /** The `User-Agent` of the SDK. */
  identity: string;
  /** Head of the method that creates a client with options, and its statement. */
  createHead: string;
  opening: string;
  /** Declaration of the client in `WithRawResponse`, and the head of its constructor. */
  rawField: string;
  rawConstructor: string;
  /** Whether runs can pause. */
  hasFlows: boolean;
  /** Whether there is a call whose response is returned with its result. */
  hasRawMethods: boolean;
  members: MemberView[];
}

/** The methods of one member. */
interface MemberView {
  methods: MethodView[];
  /** Methods that also return the response. */
  rawMethods: MethodView[];
  /** Simple names of the types that they name. */
  types: ReadonlySet<string>;
}

/** Returns the file of the client: `TextClient.java`. */
export function clientFile(sdk: JavaSdk): FileView {
  const { model, place } = sdk;
  const { name, handle, slug } = model.client;
  const identity = `${handle}-${slug}/${model.semver} (java; ${model.generator})`;
  const members = sdk.model.members.map((member) => memberView(sdk, member));
  const types = typesIn(['ClientOptions ConfigurationException Connection']);
  const hasFlows = sdk.model.members.some(({ type, mode }) => type === 'flow' && mode === 'unary');
  if (hasFlows)
    for (const type of typesIn([
      'Codecs Execution InvalidMessageException JsonValue',
      'List Pause PauseFilter Stream SvcException',
    ]))
      types.add(type);
  for (const member of members) for (const type of member.types) types.add(type);
  const view: ClientView = {
    packageName: place.packageName,
    imports: fullNames(types, place.packageName),
    comment: docComment({
      paragraphs: [
        markup(`A client with the nodes and flows of ${quoted(name)}.`),
        'It is thread-safe. Clients share their connections, so they are cheap to create, and closing one is optional. Methods that end in Async do not block. To cancel their calls, cancel their futures; to cancel a blocking call, interrupt its thread.',
      ],
    }),
    name: place.clientClass,
    head: typeHead(`public final class ${place.clientClass}`, 'AutoCloseable', 0),
    identity: assignment('private static final String IDENTITY', { string: identity }, 2),
    rawField: declaration(`private final ${place.clientClass}`, 'client', undefined, 4),
    rawConstructor: methodHead('private', 'WithRawResponse', [`${place.clientClass} client`], 4),
    createHead: methodHead(`public static ${place.clientClass}`, 'create', ['ClientOptions options'], 2),
    opening: statement(
      {
        callee: `new ${place.clientClass}`,
        args: [{ callee: 'Connection.open', args: ['IDENTITY', 'options'] }],
      },
      4,
      'return ',
    ),
    hasFlows,
    hasRawMethods: members.some(({ rawMethods }) => rawMethods.length > 0),
    members,
  };
  return { path: `src/main/java/${place.folder}/${place.clientClass}.java`, template: 'Client.java', view };
}

function memberView(sdk: JavaSdk, member: SdkMember): MemberView {
  const methods = methodsOf(sdk, member);
  const rawMethods = rawMethodsOf(sdk, member);
  const codes = [...methods, ...rawMethods].flatMap(({ exceptions, head, statement: text }) => [
    ...exceptions,
    head,
    text,
  ]);
  return { methods, rawMethods, types: typesIn(codes) };
}
