import { foldedStrings } from './literals.ts';

/** Types of the JDK that generated sources import, by their simple name. */
const jdkTypes: Readonly<Record<string, string>> = {
  BigInteger: 'java.math.BigInteger',
  CompletableFuture: 'java.util.concurrent.CompletableFuture',
  Duration: 'java.time.Duration',
  IOException: 'java.io.IOException',
  Instant: 'java.time.Instant',
  List: 'java.util.List',
  Map: 'java.util.Map',
  Objects: 'java.util.Objects',
  Optional: 'java.util.Optional',
  OptionalInt: 'java.util.OptionalInt',
  PrintStream: 'java.io.PrintStream',
  StandardCharsets: 'java.nio.charset.StandardCharsets',
  Stream: 'java.util.stream.Stream',
  Test: 'org.junit.jupiter.api.Test',
  Timeout: 'org.junit.jupiter.api.Timeout',
};

/** Types of the runtime that generated sources import, and their package below the archive's own. */
const runtimeTypes: Readonly<Record<string, string>> = {
  ...inPackage(
    'core',
    'AsyncFrameStream CallOptions ClientOptions Execution FrameStream LiveSession MemberSample Pause PauseFilter RawResponse ' +
      'ScriptedServer SplitStream',
  ),
  ...inPackage(
    'errors',
    'ConfigurationException FlowFailedException FlowPausedException InvalidMessageException SvcException ' +
      'TenantSuspendedException WaitTimedOutException',
  ),
  ...inPackage(
    'internal',
    'Blocking Codec Codecs Connection EnumTable Immutable MapKey MessageFields RawCalls',
  ),
  ...inPackage('json', 'Bytes Empty FieldMask JsonArray JsonNull JsonObject JsonValue ProtoJson'),
};

function inPackage(name: string, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map((type) => [type, `${name}.${type}`]));
}

/** Simple names of all types that generated sources may import. */
export const importedTypes: readonly string[] = [...Object.keys(jdkTypes), ...Object.keys(runtimeTypes)];

/**
 * Returns the imports of a source with this code: full names, in the formatter's order.
 *
 * @param codes pieces of code; names within string literals do not count.
 */
export function importsOf(codes: Iterable<string>, packageName: string): string[] {
  return fullNames(typesIn(codes), packageName);
}

/**
 * Returns the simple names in code that a source may import.
 *
 * @param own simple names of the archive's messages and client, which a source of another package imports too.
 */
export function typesIn(codes: Iterable<string>, own: ReadonlySet<string> = new Set()): Set<string> {
  const types = new Set<string>();
  for (const code of codes)
    for (const [name] of foldedStrings(code).matchAll(typeName))
      if (Object.hasOwn(jdkTypes, name) || Object.hasOwn(runtimeTypes, name) || own.has(name))
        types.add(name);
  return types;
}

const typeName = /(?<![\w.])[A-Z]\w*/g;

/** Returns the imports of these types in the sources of an archive. */
export function fullNames(types: Iterable<string>, packageName: string): string[] {
  return Array.from(types, (name) => jdkTypes[name] ?? `${packageName}.${runtimeTypes[name] ?? name}`).sort();
}
