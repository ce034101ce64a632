import { Command } from 'commander';
import project from '../../package.json' with { type: 'json' };

/** The program `svc`, without its commands. */
export function newProgram(): Command {
  return (
    new Command('svc')
      .description('Publish typed nodes, call them over HTTP, and generate SDKs for them.')
      .version(project.version, '--version', 'print the version of svc')
      // After a command, the option belongs to the command: `svc sdk render --version 2`.
      .enablePositionalOptions()
  );
}
