import type { FileView } from '../../language.ts';
import { createSampler } from '../../model/sample-message.ts';
import { canonicalSamples } from './canonical-sample.ts';
import type { JsonValue } from '../../model/sdk-model.ts';
import { callPath } from '../../model/call-path.ts';
import type { SessionNames } from '../../names/plan-methods.ts';
import { callName } from '../../names/call-name.ts';
import type { GoSdk } from './go-sdk.ts';
import { stringLiteral } from './literals.ts';

/** View of `client_test.go` of a member; every string is finished Go. */
interface TestedCall {
  packageName: string;
  name: string;
  path: string;
  /** Id of the graph for a flow, otherwise empty. */
  graph: string;
  /** Canonical ProtoJSON. */
  input: string;
  output: string;
  /** Function that reads an input from ProtoJSON. */
  readInput: string;
  /** Function that writes an output as ProtoJSON. */
  writeOutput: string;
  isStream: boolean;
  /** Method that accepts streamed input. */
  upload: string | undefined;
  /** Other methods of a pipeline node. */
  session: SessionNames | undefined;
}

/** Function of the tests that reads a message. */
const messageReader = 'readMessage';

function testedCalls(sdk: GoSdk): TestedCall[] {
  const { model, module, names, texts } = sdk;
  const canonical = canonicalSamples(model.types);
  const sampler = createSampler(model.types);
  const literalOf = (fullName: string, sample: JsonValue): string =>
    stringLiteral(JSON.stringify(canonical(fullName, sample)));
  const within = `${module.packageName}.`;
  const reader = (fullName: string): string => {
    const { type, codec, isMessage } = texts.ofRoot(fullName, within);
    return isMessage ? `${messageReader}[${type.slice(1)}]` : `${codec}.Unmarshal`;
  };
  const writer = (fullName: string): string => {
    const { type, codec, isMessage } = texts.ofRoot(fullName, within);
    return isMessage ? `(${type}).MarshalJSON` : `${codec}.Marshal`;
  };
  return model.members.map((member) => ({
    packageName: module.packageName,
    name: callName(sdk, member),
    path: stringLiteral(callPath(member)),
    graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : '',
    input: literalOf(member.input, member.sample),
    output: literalOf(member.output, sampler.sample(member.output)),
    readInput: reader(member.input),
    writeOutput: writer(member.output),
    isStream: member.mode === 'pipeline',
    upload: names.uploads.get(member.alias),
    session: names.sessions.get(member.alias),
  }));
}

/** `client_test.go` calls each member once, against a server that answers with a sample of its output. */
export function testFile(sdk: GoSdk): FileView {
  const { module } = sdk;
  const calls = testedCalls(sdk);
  return {
    path: 'client_test.go',
    template: 'client_test.go',
    view: {
      packageName: module.packageName,
      modulePath: module.path,
      importLine: module.importLine,
      hasCalls: calls.length > 0,
      hasUnary: calls.some(({ isStream }) => !isStream),
      hasStreams: calls.some(({ isStream }) => isStream),
      hasUploads: calls.some(({ upload }) => upload !== undefined),
      readsMessages: calls.some(({ readInput }) => readInput.startsWith(messageReader)),
      usesProtojson: calls.some((call) => `${call.readInput} ${call.writeOutput}`.includes('protojson.')),
      calls,
    },
  };
}
