import { Command, Option } from 'commander';
import { handlerLanguages } from '../../languages/handler-languages.ts';
import type { TypesFlags } from '../actions/write-types.ts';
import type { Terminal } from '../output.ts';

/** `svc node types <dir>`: writes the types of a package's messages next to its package.yaml, and prints the files. */
export function nodeTypesCommand(terminal: Terminal): Command {
  return new Command('types')
    .description("Write the types of a package's messages, for its handlers")
    .argument('<dir>', 'folder with package.yaml and .proto files')
    .addOption(
      new Option('--language <language>', 'language of the handlers (default: that of the package)').choices(
        handlerLanguages,
      ),
    )
    .option('--out <dir>', 'folder to write to (default: the folder of the package)')
    .action(async (dir: string, flags: TypesFlags) =>
      (await import('../actions/write-types.ts')).writeTypes(terminal, dir, flags),
    );
}
