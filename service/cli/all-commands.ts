import type { Command } from 'commander';
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
    summary: 'Run the service, configured by environment variables (see docs/operating.md)',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  migrate: {
    summary: 'Apply pending migrations to PostgreSQL (SQLite is migrated automatically)',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  backup: {
    summary: 'Write the data folder to one file, also while the service runs (SQLite)',
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
  package: {
    summary: 'Publish packages',
    load: async () => (await import('./commands/package.ts')).packageCommand,
  },
  flow: {
    summary: 'Compile and run flows',
    load: async () => (await import('./commands/flow.ts')).flowCommand,
  },
  execution: {
    summary: 'Show the pauses of runs, decide on them, and fork runs',
    load: async () => (await import('./commands/execution.ts')).executionCommand,
  },
  demo: {
    summary: 'Publish the sample packages, build SDKs for them, and call a node through one',
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
};
