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
  Test: 'org.junit.jupiter.api.Test',
};

/** Types of the runtime that generated sources import, and the package beneath the archive's own that they are in. */
const runtimeTypes: Readonly<Record<string, string>> = {
  ...inPackage('core', 'Blocking CallOptions ClientOptions Connection Execution MemberSample ScriptedServer'),
  ...inPackage(
    'errors',
    'ConfigurationException InvalidMessageException SvcException TenantSuspendedException',
  ),
  ...inPackage(
    'json',
    'Bytes Codec Codecs Empty EnumTable FieldMask Immutable JsonArray JsonNull JsonObject JsonValue MapKey MessageFields',
  ),
};

function inPackage(name: string, types: string): Record<string, string> {
  return Object.fromEntries(types.split(' ').map((type) => [type, `${name}.${type}`]));
}

/** Simple names of all types that generated sources may import. */
export const importedTypes: readonly string[] = [...Object.keys(jdkTypes), ...Object.keys(runtimeTypes)];

/**
 * The imports of a source that holds some code: full names, sorted as the formatter sorts them.
 *
 * @param codes pieces of code; names within string literals do not count.
 * @param own simple names of the archive's messages and client, which a source of another package imports too.
 */
export function importsOf(
  codes: Iterable<string>,
  packageName: string,
  own: ReadonlySet<string> = new Set(),
): string[] {
  const imports = new Set<string>();
  for (const code of codes)
    for (const [name] of foldedStrings(code).matchAll(/(?<![\w.])[A-Z]\w*/g)) {
      const [jdk, runtime] = [jdkTypes[name], runtimeTypes[name]];
      if (jdk !== undefined) imports.add(jdk);
      else if (runtime !== undefined) imports.add(`${packageName}.${runtime}`);
      else if (own.has(name)) imports.add(`${packageName}.${name}`);
    }
  return [...imports].sort();
}
