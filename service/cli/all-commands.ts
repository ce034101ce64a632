import { Command } from 'commander';
import project from '../../package.json' with { type: 'json' };
import type { Terminal } from './output.ts';

interface CommandEntry {
  /** What the command does, in the help of the program and in its own. */
  summary: string;
  /** Loads the command, and with it the parts of the service that it needs. */
  load: () => Promise<(terminal: Terminal) => Command>;
}

/**
 * The commands in the order of the help. Each is loaded on demand: the help loads none, and `svc key list` does not load the
 * server and the generator.
 */
export const commands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    summary: 'Run the service, configured by environment variables such as SVC_PORT (see docs/operating.md)',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  migrate: {
    summary: 'Apply pending migrations to PostgreSQL (SQLite is migrated automatically)',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  backup: {
    summary: 'Write the data folder to one file, even while the service runs (SQLite)',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'Put a backup into an empty data folder',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  tenant: {
    summary: 'Create, list, limit, suspend and resume tenants',
    load: async () => (await import('./commands/tenant.ts')).tenantCommand,
  },
  key: {
    summary: "Create, list and revoke a tenant's keys",
    load: async () => (await import('./commands/key.ts')).keyCommand,
  },
  login: {
    summary: 'Get a key from a running service, with the approval of its operator',
    load: async () => (await import('./commands/login.ts')).loginCommand,
  },
  logout: {
    summary: 'Remove the key of svc login from this machine',
    load: async () => (await import('./commands/logout.ts')).logoutCommand,
  },
  secret: {
    summary: "Store, list, arm and delete tenants' secrets, and change the key that encrypts them",
    load: async () => (await import('./commands/secret.ts')).secretCommand,
  },
  node: {
    summary: 'Call nodes, and run node containers',
    load: async () => (await import('./commands/node.ts')).nodeCommand,
  },
  sdk: {
    summary: 'Generate SDKs',
    load: async () => (await import('./commands/sdk.ts')).sdkCommand,
  },
  init: {
    summary: 'Create a new package',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  package: {
    summary: 'Publish, list and deploy packages',
    load: async () => (await import('./commands/package.ts')).packageCommand,
  },
  flow: {
    summary: 'Compile, run, list and draw flows',
    load: async () => (await import('./commands/flow.ts')).flowCommand,
  },
  client: {
    summary: 'Manage clients, and build and download their SDKs',
    load: async () => (await import('./commands/client.ts')).clientCommand,
  },
  execution: {
    summary: 'Show, follow, cancel and fork executions, and decide on their pauses',
    load: async () => (await import('./commands/execution.ts')).executionCommand,
  },
  'app-key': {
    summary: 'Create, list, update and revoke app keys, with which browsers invoke flows',
    load: async () => (await import('./commands/app-key.ts')).appKeyCommand,
  },
  config: {
    summary: 'List, show, set and delete config profiles of flows',
    load: async () => (await import('./commands/config.ts')).configCommand,
  },
  completion: {
    summary: 'Print a shell completion script',
    load: async () => {
      const { completionCommand } = await import('./commands/completion.ts');
      return (terminal) => completionCommand(terminal, () => wholeProgram(terminal));
    },
  },
  demo: {
    summary: 'Publish the sample packages, build SDKs for them, and call a node through one',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
};

/** Creates the program without its commands. */
export function bareProgram(): Command {
  return (
    new Command('svc')
      .description('Publish typed nodes, call them over HTTP, and generate SDKs for them.')
      .version(project.version, '--version', 'print the version of svc')
      // After a command, the option belongs to the command: `svc sdk render --version 2`.
      .enablePositionalOptions()
  );
}

/** Creates the program with all of its commands loaded. */
export async function wholeProgram(terminal: Terminal): Promise<Command> {
  const program = bareProgram();
  for (const { load, summary } of Object.values(commands)) {
    program.addCommand((await load())(terminal).description(summary));
  }
  return program;
}
