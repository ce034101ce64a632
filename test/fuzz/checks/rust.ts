import { cargoFolder, runCargo, writeFiles } from '../../support/cargo.ts';
import { archiveFiles } from '../archive-folders.ts';
import type { NamesCheck } from '../names-check.ts';

/** rustfmt, and cargo check for crates, tests and examples of all archives, in one workspace. */
export const check: NamesCheck = {
  toolchain: 'rust',
  problems: async (archives) => {
    const root = await cargoFolder('fuzz-names');
    const members = archives.map(({ name }) => JSON.stringify(name)).join(', ');
    await writeFiles(root, [
      { path: 'Cargo.toml', content: `[workspace]\nresolver = "3"\nmembers = [${members}]\n` },
      ...archiveFiles(archives),
    ]);
    const format = await runCargo(['fmt', '--all', '--check'], { cwd: root });
    if (format.code !== 0) return format.output;
    // RUSTFLAGS would deny warnings too, but would make cargo build all dependencies again. Dependencies print no warnings.
    const compiled = await runCargo(
      ['check', '--quiet', '--workspace', '--all-targets', '--no-default-features'],
      { cwd: root },
    );
    return compiled.code === 0 && !/^warning/m.test(compiled.output) ? '' : compiled.output;
  },
};
