import { Command, InvalidArgumentError, Option } from 'commander';
import type { Scope } from '../../specs/operations/operation.ts';

/** The options of a command that calls the API. */
export interface ApiFlags {
  url?: string;
  key?: string;
  json?: boolean;
}

/**
 * Creates a command that calls the API with a key of the given scope.
 *
 * @param json whether the command has a result, which `--json` prints as the API returns it
 */
export function apiCommand(name: string, scope: Scope | 'write and invoke', { json = true } = {}): Command {
  const command = new Command(name)
    .option(
      '--url <base_url>',
      'URL of the service (default: SVC_BASE_URL, that of svc login, or http://127.0.0.1:8080)',
    )
    .option('--key <key>', `API key with ${scope} scope (default: SVC_API_KEY, or that of svc login)`);
  return json ? command.option('--json', 'print the whole response as JSON') : command;
}

/** Collects the values of an option that may be repeated. */
export function repeated(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

/**
 * Creates an option that may be repeated, each time with one of the names, which are in upper case.
 *
 * @param notNames what to say about values that are easily mistaken for names
 */
export function repeatedChoice(
  flags: string,
  description: string,
  names: readonly string[],
  notNames: Readonly<Record<string, string>> = {},
): Option {
  const read = (text: string, earlier: readonly string[] | undefined): string[] => {
    const name = text.toUpperCase();
    if (names.includes(name)) return [...(earlier ?? []), name];
    const hint = notNames[name];
    throw new InvalidArgumentError(
      `Allowed choices are ${names.join(', ')}.${hint === undefined ? '' : ` ${hint}`}`,
    );
  };
  return new Option(flags, description).choices(names).argParser(read);
}

/** An API path with each part escaped: `apiPath('/api/v1/clients/{}', id)`. */
export function apiPath(template: string, ...parts: readonly string[]): string {
  let next = 0;
  return template.replaceAll('{}', () => encodeURIComponent(parts[next++] ?? ''));
}
