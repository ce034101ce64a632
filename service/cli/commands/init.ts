import { Command, Option } from 'commander';
import { handlerLanguages } from '../../languages/handler-languages.ts';
import type { InitFlags } from '../actions/init-package.ts';
import type { Terminal } from '../output.ts';

/** `svc init package <dir>`: writes a package that runs, with a test and a README, and prints the files and the next steps. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init').addCommand(
    new Command('package')
      .description('Write a package that runs: nodes, messages, handlers, a test and a README')
      .argument('<dir>', 'new or empty folder')
      .addOption(
        new Option('--language <language>', 'language of the handlers')
          .choices(handlerLanguages)
          .default('typescript'),
      )
      .option('--name <name>', 'name of the package, <handle>/<name> (default: acme/<name of the folder>)')
      .action(async (dir: string, flags: InitFlags) =>
        (await import('../actions/init-package.ts')).initPackage(terminal, dir, flags),
      ),
  );
}
