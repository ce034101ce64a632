import { Command } from 'commander';
import type { RenderFlags } from '../actions/render-sdk.ts';
import type { Terminal } from '../output.ts';

/** `svc sdk`: generates archives without the service. They have the same bytes as the service's archives. */
export function sdkCommand(terminal: Terminal): Command {
  return new Command('sdk').addCommand(
    new Command('render')
      .description('Render the SDK of a client version or of a model file into a folder')
      .option('--client <id>', 'client to render; requires --tenant')
      .option('--tenant <handle>', 'tenant that owns the client')
      .option('--version <n>', 'version of the client (default: the latest)')
      .option('--model <file>', 'JSON file with an SdkModel to render instead of a client')
      .requiredOption('--language <language>', 'language of the SDK')
      .requiredOption('--out <dir>', 'folder to write to')
      .option('--zip', 'write the archive as a .zip file')
      .option('--force', 'write to a folder that is not empty')
      .option('--json', 'print path, file count, size and SHA-256 as JSON')
      .action(async (flags: RenderFlags) =>
        (await import('../actions/render-sdk.ts')).renderSdk(terminal, flags),
      ),
  );
}
