/**
 * A variable of the environment, where the platform has one (Node, Deno, Bun).
 * The only place that looks at it.
 */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
  };
  return process?.env?.[name];
}
